"""The page on a game on GitHub: what it says is typed works as it says, and its pictures show what is said today."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import yaml
from fakegithub import FakeGitHub
from PIL import Image
from support.consoles import hold_to
from support.places import ROOT

from nomicgit import editions
from nomicgit.forge import setup
from nomicgit.forge.doctor import STEWARD
from nomicgit.physics.numbers import NEWEST
from nomicgit.record import forms
from nomicgit.record.forms import sealed

PICTURES = ROOT / "docs/pictures"
ACCOUNTS = {"ana": 2001, "ben": 2002, "cy": 2003, "dee": 2004, "eli": 2005, "fay": 2006}
SITE = "https://my-nomic.github.io/court/"


@pytest.mark.slow
def test_what_the_page_says_a_founder_types_works(tmp_path: Path) -> None:
    with FakeGitHub(tmp_path / "forge", "my-nomic/court", at=int(time.time()) + 100) as github:
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


def test_the_page_names_forms_and_permissions_as_they_are() -> None:
    page = (ROOT / "docs/github.md").read_text(encoding="utf-8")
    place = forms.Forge("my-nomic/court", SITE)
    made = {**forms.texts(NEWEST.law(editions.load("crypt")), place), **sealed.texts(place)}
    names = {yaml.safe_load(each).get("name") for each in made.values()}
    told = set(re.findall(r"\*([^*\n]+ \([a-z-]+\))\*|\bform \*([^*\n]+)\*|\*(In private: [^*\n]+)\*", page))
    assert {first or second or third for first, second, third in told} <= names
    assert len(told) >= 5
    needs = yaml.safe_load(setup.workflows()[setup.WORKFLOWS + "steward.yml"])["jobs"]["pass"]["permissions"]
    called = {
        "contents": "*Contents*", "issues": "*Issues*", "pull-requests": "*Pull requests*", "statuses": "*Commit statuses*",
    }  # fmt: skip
    guide = setup.files(place)[setup.GUIDE].decode()
    rows = [line for line in page.splitlines() if line.startswith("| `nomicgit steward` in a clone")]
    rows += [line for line in guide.splitlines() if "*Commit statuses*" in line]
    assert len(rows) == 3
    for row in rows:
        assert [word for word in called.values() if word in row] == [called[each] for each in needs], row
    assert page.index("has run on GitHub itself yet") < page.index("\n## ")
    assert all(
        "own app on a phone shows no forms" in " ".join(text.split()) or "own app shows no forms" in text
        for text in (page, guide)
    )


def said_in(picture: Path, word: str) -> str:
    """What a picture says in itself under a word."""
    with Image.open(picture) as opened:
        return str(opened.info[word])
