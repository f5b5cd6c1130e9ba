"""Players who have an account on a forge and a browser, and nothing else: what they seal and read there, by the keyboard alone."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import yaml
from fakegithub import Thread

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.record.forms import FOLDER, Forge, sealed
from support.doorstep import PLAYERS, REPOSITORY, Doorstep
from support.places import TESTS
from support.secrets_of import front_of, secrets_of, underscored
from support.sites import build, configured
from support.visiting import KEPT, Visitor

AXE = (TESTS / "vendor/axe/axe.min.js").read_text("utf-8")
STILL = "() => document.getAnimations().forEach(each => { try { each.finish() } catch { each.cancel() } })"
"""Colours that fade to those of another scheme are there at once; what goes on for ever is ended."""
JUDGED = "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice'], resultTypes: ['violations']})"
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
FORMS = sealed.texts(Forge(REPOSITORY, "https://nomic-club.github.io/game/"))
CONTROLS = "form.nomic-order :is(input, select, textarea, button):enabled:visible"
TOO_LONG = "Copy it, and paste it into the form on GitHub"
LISTEN = """controls => {
    window.passed = [];
    document.addEventListener("focusin", event => passed.push(controls.indexOf(event.target)));
}"""
SHAPE = """Array.from(document.querySelectorAll('form.nomic-order *'))
    .map(each => each.tagName + (each.type || '') + each.className).filter((each, n, all) => all.indexOf(each) === n).sort().join()"""
"""The kinds of what a form consists of."""
EMPTY = "<textarea aria-label='What is pasted' autofocus></textarea>"
LONG = 200
TIMES = "all => all.map(list => [...list.querySelectorAll('time')].map(each => each.dateTime))"
TABS = 150
"""How often somebody presses Tab to come to a control before they give up."""


class Person:
    """A player at their browser; ``har`` is where it writes all that went over its network once it is closed."""

    def __init__(self, door: Doorstep, name: str, visitor: Visitor, har: Path) -> None:
        self.door, self.name, self.visitor, self.page, self._har = door, name, visitor, visitor.page, har
        self.secrets: set[str] = set()
        self.kept = ""

    def open(self, uri: str) -> None:
        """Open a page, and say who one is."""
        self.visitor.open(uri)
        self.type(self.page.get_by_label("You are"), self.name)

    def to(self, control: Any) -> None:
        """Come to a control by the Tab key."""
        for _ in range(TABS):
            if control.evaluate("each => each === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{control} is not come to by the Tab key")

    def type(self, control: Any, text: str) -> None:
        """Come to a control, and fill it in; what is long is pasted there."""
        self.to(control)
        if len(text) < LONG:
            self.page.keyboard.type(text)
        else:
            self.page.keyboard.insert_text(text)

    def press(self, control: Any) -> None:
        """Come to a button, or what folds away, and press it."""
        self.to(control)
        self.page.keyboard.press("Enter")

    def walk(self, uri: str) -> None:
        """Each control of a page's form is come to by the Tab key, in the order in which they stand, and those who judge find nothing."""
        self.open(uri)
        controls = self.page.locator(CONTROLS)
        controls.evaluate_all(LISTEN)
        number = controls.count()
        for _ in range(number - 1):
            self.page.keyboard.press("Tab")
        assert self.page.evaluate("passed") == list(range(1, number)), uri
        self.is_read_by_everybody()

    def is_read_by_everybody(self) -> None:
        """Those who judge pages find nothing on the one that is open."""
        self.page.evaluate(AXE)
        self.page.evaluate(STILL)
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
            f"{self.page.url} is too wide"
        )
        found = self.page.evaluate(JUDGED)["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == [], self.page.url

    def follow(self, link: str) -> Thread:
        """Hand in what a link's address fills in, as the forge makes an issue of a form."""
        control = self.page.get_by_role("link", name=link)
        self.to(control)
        parts = urlsplit(str(control.get_attribute("href")))
        assert (parts.netloc, parts.path) == ("github.com", f"/{REPOSITORY}/issues/new")
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if link == TOO_LONG:
            self.page.keyboard.press("Enter")
            pasted = self.page.get_by_label("What is pasted")
            pasted.wait_for()
            for _ in range(200):  # the page writes to the clipboard in its own time
                pasted.fill("")
                pasted.press("Control+V")
                given["order"] = pasted.input_value()
                if "BEGIN AGE" in given["order"]:
                    break
        form = yaml.safe_load(FORMS[FOLDER + given["template"]])
        fields = [each for each in form["body"] if each["type"] != "markdown"]
        body = "\n\n".join(f"### {each['attributes']['label']}\n\n{given[each['id']]}" for each in fields)
        self.door.github.clock.advance(5)
        return self.door.github.issue(self.door.people[self.name], form["title"], body)

    def register(self) -> Thread:
        """Make a mailbox in this browser, and let the game know of it."""
        self.open("letters/")
        self.press(self.page.locator("summary", has_text="A mailbox in this browser"))
        self.press(self.page.get_by_role("button", name="Make a mailbox here"))
        self.page.locator(".nomic-mailbox").wait_for(state="visible")
        return self.follow("Register it on GitHub")

    def seal(self, action: str, *given: tuple[str, str]) -> Thread:
        """Seal an order; ``given`` names fields as ``FIELD``, or ``FIELD/ROW/FIELD`` of a row's details, with what is typed there."""
        self.open(f"act/{action}/")
        for path, text in given:
            names = path.split("/")
            place = self.page.locator(f"[data-name={names[0]}]")
            if len(names) == 3:
                place = place.locator(f"fieldset[data-of={names[1]}]")
            if len(names) > 1:
                place = place.locator(f"[data-name={names[-1]}]")
            self.type(place.locator(":is(input, select, textarea)").first, text)
        for _ in range(2 if self.page.locator("form[data-openly]").count() else 1):  # else everybody sees it
            self.press(self.page.get_by_role("button", name="Seal"))
        self.page.locator(".nomic-sealed").wait_for(state="visible")
        self.secrets |= {text[:40] for _, text in given if len(text) > 12}
        return self.follow(self.page.locator(".nomic-hand-in").inner_text())

    def letter(self) -> str:
        """What one's letter says, each line of which is a secret of theirs but for what they may do."""
        self.open("letters/")
        self.press(self.page.get_by_role("button", name="Open my letter"))
        self.page.locator(".nomic-letter h2").first.wait_for()
        times = self.page.locator(".nomic-letter h2 + ul").evaluate_all(TIMES)
        assert times == [sorted(each, reverse=True) for each in times], "newest first"
        assert self.page.url.endswith("/letters/"), "no link to it says more"
        lines = self.page.locator(".nomic-letter h2 + ul > li").all_inner_texts()
        self.secrets |= {re.sub(r"^(new )?\S+ \S+ UTC ", "", each) for each in lines}
        return str(self.page.locator(".nomic-letter").inner_text())

    def leave(self) -> None:
        """Close the browser; what it keeps of the site is taken down before."""
        self.kept = str(self.page.evaluate(KEPT)) + str(self.page.context.storage_state(indexed_db=True))
        self.page.context.close()

    def network(self) -> list[tuple[str, str]]:
        """All that went over this browser's network: each address, with what was sent and came."""
        found = list[tuple[str, str]]()
        for each in json.loads(self._har.read_text("utf-8"))["log"]["entries"]:
            content = each["response"]["content"]
            text = content.get("text", "")
            if content.get("encoding") == "base64":
                text = base64.b64decode(text).decode("utf-8", "replace")
            found.append((each["request"]["url"], str(each["request"]) + text))
        return found


@contextmanager
def people(door: Doorstep, chromium: Any, home: str, scratch: Path) -> Iterator[dict[str, Person]]:
    """The six players, each in a context of one browser that shares nothing with the others, every second one on a phone."""
    found = dict[str, Person]()
    for number, name in enumerate(PLAYERS):
        har = scratch / f"{name}.har"
        context = chromium.new_context(
            locale="en-GB",
            permissions=["clipboard-read", "clipboard-write"],
            record_har_path=har,
            record_har_content="embed",
            **(PHONE if number % 2 else {}),
        )
        context.route(
            "https://github.com/**", lambda route: route.fulfill(content_type="text/html", body=EMPTY)
        )
        found[name] = Person(door, name, Visitor(context.new_page(), home), har)
    yield found


def shapes_of_private_pages(page: Any, home: str, edition: str) -> dict[str, str]:
    """A page of each shape that an edition's private pages have, by its controls.

    Each action that is private, in whole or in part, has its page, with a field for each parameter that its rule's file declares;
    all of them are come to by the Tab key in their order, and it fits a phone.
    """
    found = dict[str, str]()
    page.set_viewport_size(PHONE["viewport"])
    paths = {each.name if each.sort == "action" else each.of: each.path for each in secrets_of(edition)
             if each.sort in ("action", "parameter", "caller")}  # fmt: skip
    for name, path in paths.items():
        front, _ = front_of(editions.load(edition).texts[path])
        page.goto(f"{home}act/{name}/")
        fields = page.locator("form.nomic-order > [data-name]").evaluate_all(
            "all => all.map(f => f.dataset.name)"
        )
        assert fields == [underscored(each) for each in front["actions"][name].get("with", {})], name
        controls = page.locator(CONTROLS)
        controls.first.focus()
        controls.evaluate_all(LISTEN)
        number = controls.count()
        for _ in range(number - 1):
            page.keyboard.press("Tab")
        assert page.evaluate("passed") == list(range(1, number)), name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        found.setdefault(page.evaluate(SHAPE), f"act/{name}/")
    return found


def published(door: Doorstep, scratch: Path) -> Path:
    """The site as the forge's own workflow builds it, from a clone without the key."""
    clone = scratch / "built"
    if not clone.exists():
        subprocess.run(["git", "clone", "-q", str(door.github.repo.path), str(clone)], check=True)
    for words in (["fetch", "-q", "origin"], ["reset", "-q", "--hard", "origin/main"]):
        subprocess.run(["git", "-C", str(clone), *words], check=True)
    return build(configured(clone, at=clock.text(door.github.time())), scratch / "site")


def said_in_private(persons: Mapping[str, Person], law: Path) -> set[str]:
    """All that their letters and orders say, but for words that stand in the law itself, which everybody may read."""
    texts = "\n".join(file.read_text("utf-8") for file in law.rglob("*.md"))
    assert all(each.secrets for each in persons.values())
    return {text for each in persons.values() for text in each.secrets if text not in texts}


def hold_nothing_of(secrets: set[str], persons: Mapping[str, Person]) -> None:
    """No browser has fetched another's letter, and none was sent or sent on, or keeps, any of these secrets, not even its own."""
    for each in persons.values():
        went = each.network()
        letters = {url.rpartition("/")[2] for url, _ in went if url.endswith(".age")}
        assert letters == {f"{each.name}.age"}, f"{each.name}: {letters}"
        assert any("In private" in text for _, text in went), "the pages stand in what was taken down"
        assert "age1" in each.kept, "so does the mailbox"
        held = [
            (url, text) for url, whole in (*went, ("kept", each.kept)) for text in secrets if text in whole
        ]
        assert held == [], f"{each.name}: {held[:5]}"
        ours = [said for said in each.visitor.said if "https://github.com/" not in said]
        assert ours == []
