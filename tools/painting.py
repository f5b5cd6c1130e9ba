"""How light a game's site is in a browser: what its home page holds, and how soon it is painted against a plain page of the theme."""

from __future__ import annotations

import gzip
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

import long_game
import sites
from kept_games import WORDS, KeptGame
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = "/usr/bin/chromium"
POSTS = 1000
PLAIN = "# Attic\n\nA page of the theme, with nothing on it but this.\n\n## Now\n\n" + "Some words. " * 200
OWN = ("nomicgit.css", "nomicgit.js", "book.js", "compare.js")
PAINTED = """() => new Promise(told => new PerformanceObserver(list => list.getEntriesByName("first-contentful-paint").forEach(
    each => told(each.startTime))).observe({type: "paint", buffered: true}))"""

PRESSED = """() => new Promise(told => {
    const place = document.querySelector(".nomic-sealed"), began = performance.now();
    place.hidden = true;
    new MutationObserver((_, watch) => {
        if (!place.hidden) { watch.disconnect(); told(performance.now() - began); }
    }).observe(place, {attributes: true});
    document.querySelector("form.nomic-order").requestSubmit();
})"""


def homes(scratch: Path, edition: str) -> tuple[Path, Path]:
    """The folders of a long game's site, and of a site of one plain page in the same theme."""
    game, plain = scratch / "game", scratch / "plain"
    game.mkdir()
    long_game.write(game, edition, POSTS, sites.RULES)
    (plain / "docs").mkdir(parents=True)
    (plain / "docs/index.md").write_text(PLAIN)
    for folder, plugins in ((game, "search, nomicgit"), (plain, "search")):
        (folder / "mkdocs.yml").write_text(sites.PLUGINS.format(plugins=plugins))
        sites.build(folder / "mkdocs.yml", scratch / f"{folder.name}-site")
    return scratch / "game-site", scratch / "plain-site"


def own(site: Path) -> int:
    """The bytes of all scripts and styles of ours, as a server sends them, each compressed."""
    return sum(len(gzip.compress((site / "assets" / name).read_bytes())) for name in OWN)


def painted(ours: Path, theirs: Path, runs: int) -> tuple[float, float]:
    """How soon two sites' home pages are first painted by a browser that has never seen them (seconds, medians), by turns."""
    times: dict[Path, list[float]] = {ours: [], theirs: []}
    with sync_playwright() as playwright, _served(ours) as one, _served(theirs) as other:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(runs + 1):
            for site, address in ((ours, one), (theirs, other)):
                times[site].append(_first_paint(browser, address))
        browser.close()
    return median(times[ours][1:]), median(times[theirs][1:])


def sealing(scratch: Path, runs: int) -> float:
    """How long a page takes to seal an order, from the press of its button until it is shown (seconds, median)."""
    game = KeptGame(scratch / "game", keys=True)
    (game.folder / "docs").mkdir()
    config = game.folder / "mkdocs.yml"
    config.write_text(sites.PLUGINS.format(plugins="search, nomicgit"))
    sites.build(config, scratch / "site")
    with sync_playwright() as playwright, _served(scratch / "site") as address:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"{address}act/tell/")
        page.get_by_label("You are").fill("ana")
        page.locator("[data-name=to] select").select_option(label="ben")
        page.locator("[data-name=text] :is(input, textarea)").fill(WORDS * 10)
        times = [float(page.evaluate(PRESSED)) / 1000 for _ in range(runs + 1)]
        browser.close()
    return median(times[1:])


def _first_paint(browser: Browser, address: str) -> float:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    at = float(page.evaluate(PAINTED)) / 1000
    context.close()
    return at


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _served(site: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
