"""Every kind of private page of every edition that has any: everybody can use it, on a desk or a phone, by day or night.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.browsing import AXE, JUDGED, STILL, shapes_of_private_pages
from support.depth import DEEP
from support.secrets_of import secrets_of
from support.served import CHROMIUM, served
from support.sites import build, configured
from support.visiting import founded, nomic

from nomicgit import editions

pytest.importorskip("pyrage")
pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

COLOURS = "axe.run(document, {runOnly: ['color-contrast'], resultTypes: ['violations']})"
"""What hangs on the scheme alone."""
SCHEMES = {"light": "default", "dark": "slate"}
SIZES = {"desk": (1280, 800), "phone": (390, 844)}
UNFOLDED = "document.querySelectorAll('article details').forEach(each => { each.open = true; })"


@pytest.mark.parametrize(
    "edition",
    [
        pytest.param(each, marks=() if each == "assassin" else DEEP)
        for each in editions.names()
        if secrets_of(each)
    ],
)
def test_nothing_is_found_wrong_with_any_kind_of_private_page(
    edition: str, tmp_path: Path, chromium: Any
) -> None:
    game = founded(tmp_path, edition, "ana", "ben", "cy", "dee", "eli")
    context = chromium.new_context()
    page = context.new_page()
    with served(tmp_path / "site") as there:
        home = there.address
        build(configured(game), tmp_path / "site")
        recipient = _mailbox(page, home)
        nomic("-C", str(game), "letters", "--mailbox", recipient, "--as", "dee", "--at", "+1h")
        nomic("-C", str(game), "act", "--as", "cy", "tell", "to=dee", "text=By the well", "--at", "+1h")
        nomic("-C", str(game), "keep")
        shown = ["git", "-C", str(tmp_path / "there.git"), "show", "letters:dee.age"]
        letter = subprocess.run(shown, check=True, capture_output=True).stdout
        (tmp_path / "site/letters/dee.age").write_bytes(letter)
        (tmp_path / "site/letters/there.json").write_text('["dee"]')
        pages = ["act/", "letters/", *shapes_of_private_pages(page, home, edition).values()]
        wrong = []
        for scheme, palette in SCHEMES.items():
            page.emulate_media(color_scheme=scheme)
            for uri in pages:
                page.goto(home + uri)
                page.evaluate("name => document.body.setAttribute('data-md-color-scheme', name)", palette)
                if uri == "letters/":
                    _letter(page)
                page.evaluate(UNFOLDED)
                page.evaluate(AXE)
                for size, (width, height) in [*SIZES.items()][
                    : 2 if scheme == "light" else 1
                ]:  # colours fit both
                    page.set_viewport_size({"width": width, "height": height})
                    page.evaluate(STILL)
                    judged = page.evaluate(JUDGED if scheme == "light" else COLOURS)["violations"]
                    wrong += [(uri, scheme, size, each["id"], each["nodes"][0]["html"]) for each in judged]
    context.close()
    assert wrong == []


def _mailbox(page: Any, home: str) -> str:
    """Make a mailbox for dee in this browser; gives what everybody may know of it."""
    page.goto(f"{home}letters/")
    page.get_by_label("You are").select_option("dee")
    page.get_by_text("A mailbox in this browser").press("Enter")
    page.get_by_role("button", name="Make a mailbox here").press("Enter")
    card = page.locator(".nomic-mailbox")
    card.wait_for(state="visible")
    return str(card.locator("code").first.inner_text())


def _letter(page: Any) -> None:
    """Open dee's letter."""
    page.get_by_label("You are").select_option("dee")
    page.get_by_role("button", name="Open my letter").press("Enter")
    page.get_by_text("By the well").wait_for()
