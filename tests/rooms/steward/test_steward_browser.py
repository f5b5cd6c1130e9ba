"""Players who have an account and a browser, and nothing else: a dynasty of assassins from the first letter to a kill.

The forge is the fake one, its forms filled in by the address as their files say; pages, browsers, Git and what seals are real.
Skipped where no Chromium is installed.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from fakegithub import FakeGitHub, Thread
from support.doorstep import DAY, REPOSITORY, Doorstep
from support.keyed import KEY
from support.served import CHROMIUM, served
from support.sites import build, configured
from support.visiting import Comes, Visitor, browser, visitors

from nomicgit.ground import clock
from nomicgit.record.forms import FOLDER, Forge, sealed
from nomicgit.record.replay import verify
from nomicgit.record.secret.custody import Keeper

pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

PHONE = {"width": 390, "height": 844}
FORMS = sealed.texts(Forge(REPOSITORY, "https://nomic-club.github.io/game/"))


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with FakeGitHub(tmp_path / "forge") as github:
        yield Doorstep(
            github, tmp_path / "clone", "admins", edition="assassin", keeper=Keeper("ana", None, KEY)
        )


@pytest.fixture
def come() -> Iterator[Comes]:
    with browser() as chromium, visitors(chromium) as found:
        yield found


class Browsing:
    """A player in a browser of their own; ``seen``: all that it was sent."""

    def __init__(self, door: Doorstep, name: str, visitor: Visitor) -> None:
        self.door, self.name, self.visitor, self.page = door, name, visitor, visitor.page
        self.seen: list[str] = []
        self.page.on("response", lambda response: self.seen.append(response.url))

    def open(self, uri: str) -> None:
        self.visitor.open(uri)
        self.page.get_by_label("You are").select_option(self.name)

    def follow(self, link: str) -> Thread:
        """Hand in what a link's address fills in, as the forge makes an issue of a form."""
        address = self.page.get_by_role("link", name=link).get_attribute("href")
        parts = urlsplit(str(address))
        assert (parts.netloc, parts.path) == ("github.com", f"/{REPOSITORY}/issues/new")
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        form = yaml.safe_load(FORMS[FOLDER + given["template"]])
        fields = [each for each in form["body"] if each["type"] != "markdown"]
        body = "\n\n".join(f"### {each['attributes']['label']}\n\n{given[each['id']]}" for each in fields)
        self.door.github.clock.advance(5)
        return self.door.github.issue(self.door.people[self.name], form["title"], body)

    def register(self) -> Thread:
        self.open("letters/")
        self.page.get_by_text("A mailbox in this browser").press("Enter")
        self.page.get_by_role("button", name="Make a mailbox here").press("Enter")
        self.page.locator(".nomic-mailbox").wait_for(state="visible")
        return self.follow("Register it on GitHub")

    def note(self, action: str, **details: str) -> Thread:
        """Seal a Note with a Street Action."""
        self.open("act/note/")
        street = self.page.get_by_role("group", name="street", exact=True)
        street.get_by_label("which").select_option(label=action)
        for name, value in details.items():
            street.locator(f"fieldset[data-of={action}]").get_by_label(name).select_option(label=value)
        self.page.get_by_role("button", name="Seal").press("Enter")
        self.page.locator(".nomic-sealed").wait_for(state="visible")
        return self.follow("Hand it in on GitHub")

    def letter(self) -> str:
        self.open("letters/")
        self.page.get_by_role("button", name="Open my letter").press("Enter")
        self.page.locator(".nomic-letter h2").first.wait_for()
        return str(self.page.locator(".nomic-letter").inner_text())


def published(door: Doorstep, scratch: Path) -> Path:
    """The site as the forge's own workflow builds it, from a clone without the key."""
    clone = scratch / "built"
    if not clone.exists():
        subprocess.run(["git", "clone", "-q", str(door.github.repo.path), str(clone)], check=True)
    for words in (["fetch", "-q", "origin"], ["reset", "-q", "--hard", "origin/main"]):
        subprocess.run(["git", "-C", str(clone), *words], check=True)
    return build(configured(clone, at=clock.text(door.github.time())), scratch / "site")


def test_a_kill_is_played_by_players_who_have_no_clone(door: Doorstep, come: Comes, tmp_path: Path) -> None:
    with served(published(door, tmp_path)) as site:
        dee, cy = (Browsing(door, name, come(site.address)) for name in ("dee", "cy"))
        cy.page.set_viewport_size(PHONE)
        threads = [each.register() for each in (dee, cy)]
        threads += [each.note("arrive-in-town", location="H7") for each in (dee, cy)]
        assert door.run().problems == []
        door.form("ana", "toll-the-bell")
        door.run()
        door.github.clock.advance(2 * DAY)
        threads.append(dee.note("knife", victim="cy"))
        assert door.run().problems == []
        door.form("ana", "toll-the-bell")
        assert door.run().problems == []
        published(door, tmp_path)
        letters = {each.name: each.letter() for each in (dee, cy)}
    assert [each.state for each in threads] == ["closed"] * len(threads)
    assert "knife" in letters["dee"]
    assert "knife" not in letters["cy"]
    assert "H7" in letters["cy"], "their order to arrive there"
    points = {name: door.game().tree.entity(f"players/{name}") or {} for name in ("dee", "cy")}
    assert points["cy"]["points"] == 4, "they were killed"
    for each in (dee, cy):
        assert [said for said in each.visitor.said if "404" not in said] == [], "but where no letter lay yet"
        assert {url.rpartition("/")[2] for url in each.seen if url.endswith(".age")} == {f"{each.name}.age"}
        kept = each.page.context.storage_state(indexed_db=True)
        assert "knife" not in str(kept)
    game = door.game()
    assert [str(each) for each in verify(game.repository, game.head.oid).faults] == []
    assert [str(each) for each in verify(game.repository, game.head.oid, keys=[KEY]).faults] == []
