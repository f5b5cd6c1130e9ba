"""A game on GitHub, and those who open its site in a browser and take down whatever that says."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.clones import copied
from support.served import CHROMIUM
from support.sites import build, configured
from support.started import ran

PRACTICE = ("--practice", "--start", "2021-06-07T00:00:00Z")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SCRIPT = "<script>window.hit = 1</script>"
HOSTILE = f'Court & "Co" </title>{SCRIPT}<img src=x onerror="window.hit = 2"><base href="//evil.example/">'
DEEDS: tuple[tuple[str, ...], ...] = (
    ("propose", "--as", "cy", "--title", f"Moon {SCRIPT}", "--body", HOSTILE,
     "--change", json.dumps({"add-rule": {"title": "Moon", "text": f"It shines. {SCRIPT}"}})),
    ("vote", "--as", "ben", "1", "for", HOSTILE),
    ("act", "--as", "dee", "explore", "room=E3", "name=Ossuary", f"description={HOSTILE}"),
    ("comment", "--as", "eli", "1", HOSTILE),
    ("post", "--as", "eli", HOSTILE[:90], "--body", HOSTILE),
)  # fmt: skip
KEPT = """async () => {
    const found = [];
    for (const {name} of await indexedDB.databases()) {
        const db = await new Promise(done => { const asked = indexedDB.open(name); asked.onsuccess = () => done(asked.result); });
        for (const store of db.objectStoreNames) {
            const all = db.transaction(store).objectStore(store).getAll();
            for (const each of await new Promise(done => { all.onsuccess = () => done(all.result); })) {
                for (const one of each[0] && each[0].key ? each : [each]) {
                    found.push(one.key ? {extractable: one.key.extractable, recipient: one.recipient} : one);
                }
            }
        }
    }
    return JSON.stringify([found, {...localStorage}, {...sessionStorage}]);
}"""
"""All that a browser keeps of a site."""


def nomic(*words: str) -> None:
    """Run a command as people do."""
    done = ran("nomicgit", *words)
    assert done.returncode == 0, done.stderr


def game(folder: Path, name: str, *deeds: tuple[str, ...]) -> Path:
    """A game for GitHub, and its first days."""
    everybody = [part for player in ("ana", "ben", "cy", "dee", "eli") for part in ("--player", player)]
    practice = [*PRACTICE, "--github", "owner/court"]
    founded = ["new", str(folder), "--edition", "crypt", "--name", name, *everybody, *practice]
    nomic(*founded, "--emperor", "ana", "--admin", "ben")
    for deed in deeds:
        nomic("-C", str(folder), *deed, "--at", "+1h")
    return folder


def git(folder: Path, *words: str) -> None:
    """Run Git in a folder."""
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


def founded(folder: Path, edition: str, *players: str) -> Path:
    """A practice game with a remote, headed by ana, whose keeper's clone this is."""
    copied(lambda model: _founded(model, edition, *players), ("visited", edition, *players), folder)
    return folder / "game"


def _founded(folder: Path, edition: str, *players: str) -> None:
    game = folder / "game"
    everybody = [part for player in players for part in ("--player", player)]
    nomic("new", str(game), "--edition", edition, *everybody, *PRACTICE, "--emperor", "ana")
    git(game, "clone", "-q", "--bare", str(game), str(folder / "there.git"))
    git(game, "remote", "add", "origin", str(folder / "there.git"))
    git(game, "fetch", "-q", "origin")
    git(game, "branch", "-u", "origin/main")
    nomic("-C", str(game), "me", "ana")


def publish(game: Path, site: Path) -> None:
    """Build the site with the letters that lie at the remote."""
    git(game, "fetch", "-q", "origin")
    build(configured(game), site)


@dataclass
class Visitor:
    """Somebody who opens pages in a browser and takes down whatever it says of them."""

    page: Any
    home: str
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("response", self._response)
        self.page.on("dialog", self._dialog)

    def _dialog(self, dialog: Any) -> None:
        self.said.append(dialog.message)
        dialog.dismiss()

    def _failed(self, request: Any) -> None:
        if (
            request.failure != "net::ERR_ABORTED"
        ):  # let go of by the browser, which is on the next page already
            self.said.append(f"{request.failure}: {request.url}")

    def _response(self, response: Any) -> None:
        if response.status >= 400 or not response.url.startswith((self.home, "data:")):
            self.said.append(f"{response.status}: {response.url}")

    def open(self, uri: str) -> None:
        """Open a page; nothing of players or settings runs on it."""
        self.page.goto(self.home + uri)
        self.page.locator(".md-header").wait_for()  # the page for what is not found looks for its site first
        assert self.page.evaluate("window.hit") is None, uri
        assert self.page.evaluate("typeof __md_get") == "function", uri

    def searches(self, words: str) -> str:
        """What the search shows for some words."""
        self.page.locator("input[name=query]").click()
        self.page.locator("input[name=query]").press_sequentially(words)
        # What is listed answers the letters typed until then: the last word must be marked, whole.
        last = re.compile(rf"^{re.escape(words.split()[-1])}$", re.IGNORECASE)
        self.page.locator(".md-search-result__list mark").filter(has_text=last).first.wait_for(
            state="attached", timeout=20_000
        )
        return str(self.page.locator(".md-search-result__list").inner_text())


Comes = Callable[[str], Visitor]


@contextmanager
def browser() -> Iterator[Any]:
    """A Chromium."""
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield found
        found.close()


@contextmanager
def visitors(chromium: Any) -> Iterator[Comes]:
    """A function that gives a visitor of a site, who has never been there."""
    contexts = []

    def come(home: str) -> Visitor:
        contexts.append(chromium.new_context(color_scheme="light", locale="en-GB"))
        return Visitor(contexts[-1].new_page(), home)

    yield come
    for context in contexts:
        context.close()
