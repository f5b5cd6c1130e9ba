"""The site in a real browser: what readers do, what hostile players cannot do, and that everybody can read it.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.sites import HOSTILE, START, played

from nomicgit import clock, editions

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

AXE = Path(__file__).parent / "vendor/axe/axe.min.js"
LOOKED_AT = START + 46 * 3600
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PALETTE = [
    {"media": "(prefers-color-scheme: light)", "scheme": "default", "toggle": {"icon": "material/weather-night", "name": "Dark colours"}},
    {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "toggle": {"icon": "material/weather-sunny", "name": "Light colours"}},
]  # fmt: skip
KINDS = (
    "", "ruleset/", "rules/votes/", "rules/moonlight/", "rules/moonlight/0/", "terms/", "changes/", "law/1/",
    "players/", "players/eli/", "gamestate/", "gamestate/rooms/", "actions/", "posts/", "posts/all/1/", "posts/1/",
    "posts/3/", "dynasties/", "dynasties/3/", "journal/", "journal/1/", "data/",
)  # fmt: skip
"""A page of every kind."""

PAYLOADS = (
    HOSTILE,
    "<svg onload=alert(1)><style>*{display:none}</style>",
    "[x]: javascript:alert(1)\n\n[click me][x] <javascript:alert(1)>",
    '"><iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
    "<details open ontoggle=alert(1)><pre>\n\n<textarea>",
    '<form id="__config" action="//evil.example"><input name=q autofocus onfocus=alert(1)></form>',
    "`</code><script>window.hit=1</script>`",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
)


@dataclass(frozen=True)
class Site:
    """A built site, served at an address of this machine."""

    folder: Path
    address: str

    def pages(self) -> list[str]:
        """The addresses of all pages."""
        found = (file.relative_to(self.folder).parent.as_posix() for file in self.folder.rglob("index.html"))
        return sorted("" if each == "." else f"{each}/" for each in found)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, silently."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def amended(path: Path) -> None:
    """A live game with an amended rule, a pending proposal, and hostile words through every door."""
    act = played(path, editions.load("crypt"), time="live")
    rule = {"add-rule": {"title": "Moonlight", "text": "The moon shines.\n\nIt is silver.\n\n" + HOSTILE}}
    other = {"amend": {"rule": "moonlight", "replace": "It is silver.", "with": "It is golden."}}
    for number, (hour, change) in enumerate(((1, rule), (20, other)), 1):
        act(hour, "cy", "propose", title=f"Change {number}", body="As said.", changes=[change])
        for voter in ("ben", "dee"):
            act(hour + 1, voter, "vote", matter=number, icon="for", text=HOSTILE)
        act(hour + 14, "ben", "resolve", matter=number)
    act(40, "eli", "explore", room="E3", name="Dusty <i>Hall</i>", description=HOSTILE)
    act(
        41,
        "dee",
        "propose",
        title=f"Third {HOSTILE}",
        body=HOSTILE,
        changes=[{"add-rule": {"title": f"T {HOSTILE}"[:60], "text": HOSTILE}}],
    )
    for number, payload in enumerate(PAYLOADS, 1):
        act(42 + number / 10, "ben", "comment", post=3, text=f"begin-{number} {payload} end-{number}")
        act(
            43 + number / 10,
            "ben",
            "post",
            title=f"{number} {payload}"[:90],
            body=f"{payload}\n\n# Still here {number}\n",
        )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of that game, built as people build it and served."""
    path, out = tmp_path_factory.mktemp("game"), tmp_path_factory.mktemp("site")
    amended(path)
    (path / "docs").mkdir()
    config = path / "mkdocs.yml"
    settings = {
        "site_name": "Site", "strict": True, "theme": {"name": "material", "font": False, "palette": PALETTE},
        "extra": {"generator": False}, "plugins": ["search", {"nomicgit": {"at": clock.text(LOOKED_AT)}}],
    }  # fmt: skip
    config.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config), "-d", str(out)]
    quiet = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | quiet)
    assert done.returncode == 0, done.stderr
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(out)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Site(out, f"http://127.0.0.1:{server.server_port}/")
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


Opened = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any, site: Site) -> Iterator[Opened]:
    """A function that opens a page; whatever goes wrong on it, or leaves the site, fails the test."""
    contexts, wrong = [], []

    def open_page(uri: str = "", *, scheme: str = "light", phone: bool = False, **more: Any) -> Any:
        size = {"width": 390, "height": 844} if phone else {"width": 1200, "height": 900}
        context = chromium.new_context(
            viewport=size, color_scheme=scheme, timezone_id="Europe/Vienna", locale="en-GB", **more
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: None if _own(request.url, site) else wrong.append(request.url))
        page.on("dialog", lambda dialog: wrong.append(dialog.message) or dialog.dismiss())  # type: ignore[func-returns-value]
        page.goto(site.address + uri)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def _own(url: str, site: Site) -> bool:
    return url.startswith((site.address, "data:"))


# What readers do.


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_reader_finds_a_rule_by_search(opened: Opened, phone: bool) -> None:
    page = opened(phone=phone)
    if phone:
        page.locator("label[for=__search]").first.click()
    else:
        page.locator("input[name=query]").click()
    page.locator("input[name=query]").press_sequentially("Moonlight")
    page.locator(".md-search-result__link", has_text="Moonlight").first.click()
    page.wait_for_url("**/moonlight/**")
    assert "The moon shines" in page.inner_text("article.md-content__inner")


def test_a_reader_follows_a_term(opened: Opened) -> None:
    page = opened("rules/votes/")
    term = page.locator("a.nomic-term").first
    word = term.inner_text()
    term.click()
    page.wait_for_load_state()
    assert word.casefold().removesuffix("s") in page.inner_text("article.md-content__inner").casefold()


def test_a_reader_sorts_a_table_by_the_keyboard(opened: Opened) -> None:
    page = opened("players/")
    button = page.locator(".nomic-sortable th button", has_text="puissance").first
    button.focus()
    page.keyboard.press("Enter")
    assert button.locator("xpath=..").get_attribute("aria-sort") == "descending"
    column = button.locator("xpath=..").evaluate("cell => cell.cellIndex")
    cells = (
        page.locator(".nomic-sortable tbody")
        .first.locator(f"tr > :nth-child({column + 1})")
        .all_inner_texts()
    )
    assert cells == sorted(cells, key=int, reverse=True)
    assert len(set(cells)) > 1


def test_a_reader_watches_the_countdown_in_their_own_zone(opened: Opened, chromium: Any, site: Site) -> None:
    context = chromium.new_context(timezone_id="Europe/Vienna", locale="en-GB")
    page = context.new_page()
    page.clock.install(time=LOOKED_AT)
    page.goto(site.address)
    shown = page.locator("time.nomic-until").first
    first = shown.inner_text()
    at = clock.instant(str(shown.get_attribute("datetime")))
    assert f"{(at // 3600 + 2) % 24:02}:" in first, "the reader's clock is two hours ahead of UTC"
    page.clock.run_for(3_600_000)
    assert shown.inner_text() != first
    context.close()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_reader_opens_the_law_of_yesterday(opened: Opened, phone: bool) -> None:
    page = opened("changes/", phone=phone)
    page.locator("tbody tr", has_text="Change 1").locator("th a").click()
    page.wait_for_url("**/law/1/")
    assert "This is history." in page.inner_text("article.md-content__inner")
    page.locator(".nomic-law a", has_text="Moonlight").click()
    page.wait_for_url("**/rules/moonlight/0/")
    assert "It is silver." in page.inner_text("article.md-content__inner")


def test_a_reader_walks_from_a_sentence_to_the_proposal_that_wrote_it(opened: Opened) -> None:
    page = opened("rules/moonlight/")
    page.locator("p", has_text="It is golden.").locator("sup a").last.click()
    page.wait_for_url("**/posts/2/")
    assert page.locator("ins", has_text="It is golden.").count() == 1


@pytest.mark.parametrize("uri", ["", "ruleset/", "posts/", "posts/1/", "players/eli/", "gamestate/"])
def test_a_page_is_no_wider_than_a_phone(opened: Opened, uri: str) -> None:
    page = opened(uri, phone=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_home_page_says_at_first_sight_what_this_is(opened: Opened) -> None:
    page = opened()
    for words in ("a game in which changing the rules is a move", "is led by ana"):
        box = page.get_by_text(words).first.bounding_box()
        assert box["y"] < 900


# What hostile players cannot do.


def test_nothing_of_players_runs_on_any_page(opened: Opened, site: Site) -> None:
    page = opened()
    for uri in site.pages():
        page.goto(site.address + uri)
        assert page.evaluate("window.hit") is None, uri
        assert page.locator("article.md-content__inner").count() == 1, uri
        assert (
            page.locator("article iframe, article form, article img, article base, article style").count()
            == 0
        ), uri


def test_nothing_hostile_is_lost_and_the_page_stays_whole(opened: Opened) -> None:
    text = opened("posts/3/").inner_text("article.md-content__inner")
    for number in range(1, len(PAYLOADS) + 1):
        assert f"begin-{number}" in text
        assert f"end-{number}" in text
    assert "alert(1)" in text


def test_a_script_that_came_in_anyhow_is_not_run(chromium: Any, site: Site) -> None:
    """The policy alone stops what sanitising would have let through."""
    page_file = site.folder / "posts/1/index.html"
    injected = site.folder / "injected"
    injected.mkdir(exist_ok=True)
    (injected / "index.html").write_text(
        page_file.read_text().replace(
            "<article", "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'><article", 1
        )
    )
    context = chromium.new_context()
    page = context.new_page()
    page.goto(site.address + "injected/")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit") is None
    context.close()
    shutil.rmtree(injected)


# That everybody can read it.


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_kind_of_page(opened: Opened, site: Site, scheme: str) -> None:
    page = opened(scheme=scheme, bypass_csp=True)
    found = []
    for uri in KINDS:
        page.goto(site.address + uri)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        for violation in page.evaluate(
            "axe.run({resultTypes: ['violations']}).then(found => found.violations)"
        ):
            found.append(f"{uri}: {violation['id']}: {violation['nodes'][0]['html'][:200]}")
    assert found == []
