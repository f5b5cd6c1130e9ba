"""The page on a game on GitHub: what it says is typed works as it says, and its pictures show what is said today."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from fakegithub import FakeGitHub
from PIL import Image
from support.consoles import hold_to
from support.places import ROOT

from nomicgit.forge import setup
from nomicgit.forge.doctor import STEWARD

PICTURES = ROOT / "docs/pictures"
ACCOUNTS = {"ana": 2001, "ben": 2002, "cy": 2003, "dee": 2004, "eli": 2005, "fay": 2006}
SITE = "https://my-nomic.github.io/court/"


@pytest.mark.slow
def test_what_the_page_says_a_founder_types_works(tmp_path: Path) -> None:
    with FakeGitHub(tmp_path / "forge", "my-nomic/court", at=int(time.time())) as github:
        people = {name: github.user(name, id=number) for name, number in ACCOUNTS.items()}
        github.role(people["ana"], "admin")
        github.issue(people["fay"], "Hello", "/join")
        ran = {STEWARD: ("active", github.clock.now)}
        github.settings |= {"pages": "workflow", "site": SITE, "workflows": ran}
        token = github.token(people["ana"])
        (tmp_path / "page").mkdir()
        hold_to(
            "docs/github.md",
            tmp_path / "page",
            GITHUB_API_URL=github.url,
            GITHUB_SERVER_URL=github.url,
            GITHUB_TOKEN=token,
            GIT_CONFIG_COUNT="1",
            GIT_CONFIG_KEY_0=f"url.{github.url.replace('://', f'://x-access-token:{token}@')}/.insteadOf",
            GIT_CONFIG_VALUE_0="https://github.com/",
        )
        assert [each["name"] for each in github.rulesets.values()] == [setup.STATUS]
        assert (github.threads[1].state, github.threads[1].comments[0].author) == ("closed", people["ana"])


@pytest.mark.slow
def test_the_pictures_show_what_is_said_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that shows another text is drawn anew: ``python tools/pictures.py docs/pictures``."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    import flow
    import pictures

    assert (PICTURES / "flow.svg").read_text(encoding="utf-8") == flow.drawn()
    shown = {name: pictures.digest(page) for name, page in pictures.pages(tmp_path).items()}
    assert {name: said_in(PICTURES / name, pictures.SHOWS) for name in shown} == shown
    listed = (ROOT / "docs/github.md").read_text(encoding="utf-8")
    assert all(f"(pictures/{name})" in listed for name in (*shown, "flow.svg", "inbox.png"))


def said_in(picture: Path, word: str) -> str:
    """What a picture says in itself under a word."""
    with Image.open(picture) as opened:
        return str(opened.info[word])
