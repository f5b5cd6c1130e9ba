"""A game on GitHub as its readers open it, under a path and at a root: no browser has anything to say of any page.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.depth import DEEP, is_deep
from support.served import CHROMIUM, Forge, Site, served
from support.shared import shared
from support.sites import build
from support.started import QUIET
from support.tables import Tables
from support.visiting import DEEDS, HOSTILE, SCRIPT, Comes, game, nomic

pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]


def bracketless(text: str) -> str:
    """A setting as pages show it."""
    return text.translate({ord("<"): "‹", ord(">"): "›", ord('"'): "”"})


@pytest.fixture(
    scope="module",
    params=[pytest.param("court/", id="path"), pytest.param("", id="root", marks=DEEP)],
)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of a game on GitHub, where ``site_url`` says that it is: as ``new`` wrote it, under a path, and in the
    deep profile at a root too.
    """
    under = request.param

    def made(scratch: Path) -> None:
        played = shared(tmp_path_factory, "court", lambda folder: game(folder / "court", "court", *DEEDS))
        court = shutil.copytree(played / "court", scratch / "court", symlinks=True)
        config = (court / "mkdocs.yml").read_text()
        assert "site_url: https://owner.github.io/court/\n" in config
        (court / "mkdocs.yml").write_text(config.replace("github.io/court/", f"github.io/{under}"))
        build(court / "mkdocs.yml", scratch / "served" / under)

    folder = shared(tmp_path_factory, "court-at-root" if not under else "court-under-path", made) / "served"
    with served(folder) as found:
        yield Site(folder / under, found.address + under)


def some(site: Site, request: pytest.FixtureRequest) -> list[str]:
    """A page of each kind, or in the deep profile all, but for the owner's own."""
    pages = [uri for uri in site.pages() if uri != "own/"]
    kinds = {(uri.partition("/")[0], uri.count("/")): uri for uri in pages}
    assert len(pages) > 60
    assert len(kinds) > 18
    return pages if is_deep(request.config) else [*kinds.values()]


def test_a_browser_has_nothing_to_say_of_any_page(
    site: Site, visitor: Comes, request: pytest.FixtureRequest
) -> None:
    guest = visitor(site.address)
    pages = some(site, request)
    for uri in [*(pages if is_deep(request.config) else pages[::2]), "404.html"]:
        guest.open(uri)
    assert guest.said == []


@pytest.mark.parametrize("uri", [pytest.param("", marks=DEEP), "rules/votes/", "404.html"])
def test_a_visitor_searches_and_turns_the_light_off(site: Site, visitor: Comes, uri: str) -> None:
    guest = visitor(site.address)
    guest.open(uri)
    shown = guest.searches("Ossuary")
    assert "Gamestate" in shown, "a word that stands in no text, only in a cell of a table"
    assert re.search(r"\bE3\b.{0,80}, name: Ossuary, ", shown), "a row reads as a sentence"
    guest.page.keyboard.press("Escape")
    guest.page.locator("label[title='Dark colours']").click()
    assert guest.page.locator("body").get_attribute("data-md-color-scheme") == "slate"
    guest.open("players/")
    assert guest.page.locator("body").get_attribute("data-md-color-scheme") == "slate", "it is remembered"
    assert guest.said == []


def test_colours_follow_the_system_until_a_reader_chooses(site: Site, visitor: Comes) -> None:
    guest = visitor(site.address)
    guest.open("")

    def looks(scheme: str) -> None:
        guest.page.locator(f"body[data-md-color-scheme='{scheme}']").wait_for(state="attached")

    for system, scheme in (("light", "default"), ("dark", "slate"), ("light", "default"), ("dark", "slate")):
        guest.page.emulate_media(color_scheme=system)
        looks(scheme)
        guest.open("players/")
        looks(scheme)
    guest.page.locator("label[title='Dark colours']").click()
    guest.page.emulate_media(color_scheme="light")
    guest.open("")
    looks("slate")
    guest.page.locator("label[title='Light colours']").click()
    looks("default")
    guest.page.locator("label[title='Colours of the system']").click()
    guest.page.emulate_media(color_scheme="dark")
    looks("slate")
    assert guest.said == []


def test_the_search_shows_what_says_what_something_is_before_who_has_it(site: Site, visitor: Comes) -> None:
    guest = visitor(site.address)
    guest.open("")
    guest.searches("Ossuary")
    links = guest.page.locator(".md-search-result__item > a").evaluate_all(
        "all => all.map(each => each.href)"
    )
    pages = [link.removeprefix(site.address).partition("/")[0] for link in links]
    assert pages[0] == "gamestate"
    assert {"players", "posts"} & {*pages}
    index = json.loads((site.folder / "search/search_index.json").read_text())["docs"]
    first = {doc["location"].partition("/")[0] for doc in index if doc.get("boost", 1) > 1}
    assert first == {"rules", "gamestate"}
    assert all(doc.get("boost", 1) > 1 for doc in index if doc["location"].startswith("rules/"))


def blocks_of(text: str) -> Iterator[str]:
    """The parts of a section one of which the search shows: the elements that stand in no other, and what stands between."""
    block, depth = "", 0
    for part in re.split(r"(<[^>]*>)", text):
        if part.startswith("<"):
            depth += -1 if part.startswith("</") else 1
            block += "" if "code" in part else " "
        else:
            block += part
        if depth == 0:
            yield " ".join(html.unescape(block).split())
            block = ""


def test_the_search_finds_each_row_of_each_table_as_a_sentence(site: Site) -> None:
    docs = json.loads((site.folder / "search/search_index.json").read_text())["docs"]
    blocks: dict[str, list[str]] = {}
    for each in docs:
        blocks.setdefault(each["location"].partition("#")[0], []).extend(blocks_of(each["text"]))
    assert {"", "gamestate/", "players/", "actions/"} <= blocks.keys()
    for uri, said in blocks.items():
        told = Tables(site.folder / uri / "index.html")
        sentences = [[f"{name}: {value}"] for name, value in told.facts.items()]
        for head, row in ((table.head, row) for table in told.tables for row in table.rows):
            rest = [
                (name, cell) for name, cell in zip(head[1:], row[1:], strict=True) if cell not in ("", "–")
            ]
            sentences.append([row[0], *(f"{name}: {cell}" if len(row) > 2 else cell for name, cell in rest)])
        for parts in sentences:  # a name may have words in small letters behind it
            sentence = re.compile("( .{0,200}?)? ".join(re.escape(part.replace(",", "")) for part in parts))
            assert any(sentence.search(block.replace(",", "")) for block in said), (uri, parts)


def test_a_reader_sees_where_they_are_and_what_they_searched_for(site: Site, visitor: Comes) -> None:
    guest = visitor(site.address)
    parts = {
        "": "Home", "ruleset/": "Ruleset", "rules/votes/": "Ruleset", "terms/": "Ruleset", "law/": "Ruleset",
        "posts/1/": "Posts", "players/eli/": "Players", "me/eli/": "My morning", "gamestate/rooms/": "Gamestate", "journal/1/": "Journal",
    }  # fmt: skip
    for uri, part in parts.items():
        guest.open(uri)
        active = guest.page.locator("nav.md-nav--primary .md-nav__item--active > a.md-nav__link")
        assert active.all_inner_texts() == [part], uri
        above = guest.page.locator("nav.md-path a").all_inner_texts()
        assert above == ([] if uri in ("", "ruleset/") else ["Home", part]), uri
    guest.searches("Ossuary")
    guest.page.locator(".md-search-result__link[href*='?h=ossuary']").first.click()
    guest.page.locator("article mark", has_text="Ossuary").first.wait_for()
    at = guest.page.url
    guest.page.locator(".md-search__input").evaluate(
        "field => { field.value = 'x'; field.form.requestSubmit(); }"
    )
    guest.page.wait_for_timeout(50)
    assert (guest.said, guest.page.url) == ([], at), "as Enter does before the search has its hits"


@pytest.mark.parametrize("moved", ["court/", pytest.param("", marks=DEEP), "deep/down/"])
def test_what_is_not_found_leads_into_the_site_wherever_that_lies(
    site: Site, moved: str, tmp_path: Path, visitor: Comes
) -> None:
    (tmp_path / moved).parent.mkdir(exist_ok=True)
    if moved:
        (tmp_path / moved).symlink_to(site.folder, target_is_directory=True)
    with served(tmp_path if moved else site.folder, Forge) as found:
        home = found.address + moved
        guest = visitor(home)
        guest.open("rules/no/such/")
        guest.page.locator("h1", has_text="404").wait_for()
        looks = "document.styleSheets.length > 2 && [...document.styleSheets].every(sheet => sheet.cssRules.length)"
        assert guest.page.evaluate(looks), "every sheet of styles is there"
        guest.searches("Ossuary")
        guest.page.locator(".md-search-result__item", has_text="Ossuary").first.wait_for()
        guest.page.keyboard.press("Escape")
        guest.page.locator("label[title='Dark colours']").click()
        links = guest.page.evaluate(
            "[...document.querySelectorAll('a[href]')].map(link => link.href.split('#')[0])"
        )
        assert len(links) > 8
        assert [link for link in links if not link.startswith(home)] == []
        above = ["", *(f"{folder}/" for folder in map(str, reversed(Path(moved).parents)) if folder != ".")]
        built = "court/" if site.address.endswith("/court/") else ""
        tried = [each for each in above if each != moved] if moved != built else []
        assert [each for each in guest.said if each.startswith("4")] == [
            f"404: {home}rules/no/such/", *(f"404: {found.address}{each}404.html" for each in tried)
        ]  # fmt: skip
        others = [each for each in guest.said if not each.startswith("4")]
        failed = "error: Failed to load resource: the server responded with a status of 404"
        assert [each for each in others if not each.startswith(failed)] == []
        guest.page.locator("nav.md-nav--primary a", has_text="Ruleset").first.click()
        guest.page.locator("h1", has_text="Ruleset").wait_for()
        assert guest.page.locator("body").get_attribute("data-md-color-scheme") == "slate", "it is remembered"


# Settings are texts, whoever wrote them.

SETTINGS = f"""
site_description: '{HOSTILE}'
site_author: '{HOSTILE}'
copyright: '&copy; 2021 {HOSTILE}'
repo_name: '{HOSTILE}'
repo_url: 'https://git.example/"><script>window.hit = 3</script>'
extra:
  generator: false
  scope: '/");window.hit = 4;//</script>{SCRIPT}'
  homepage: '/{HOSTILE}'
  social: [{{icon: material/web, link: 'https://attic.example/{HOSTILE}', name: '{HOSTILE}'}}]
nav:
  - '{HOSTILE}': index.md
  - '{HOSTILE}': own.md
  - '{HOSTILE}': 'https://attic.example/{HOSTILE}'
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A game called like an attack, with settings to match and a page of its owner's that runs a script."""

    def made(scratch: Path) -> None:
        long = ("post", "--as", "eli", "W" * 180, "--body", f"{'V' * 3000} {HOSTILE}")
        court = game(scratch / "court", HOSTILE, *DEEDS, long)
        config = (court / "mkdocs.yml").read_text().replace("extra:\n  generator: false\n", SETTINGS)
        (court / "mkdocs.yml").write_text(config.replace("name: Dark colours", f"name: 'Dark {HOSTILE}'"))
        (court / "docs/own.md").write_text(f"# Own\n\n{SCRIPT}\n")
        build(court / "mkdocs.yml", scratch / "served/court")

    folder = shared(tmp_path_factory, "hostile", made) / "served"
    with served(folder) as found:
        yield Site(folder / "court", found.address + "court/")


@pytest.mark.parametrize(("where", "dark"), [("served", False), ("served", True), ("folder", True)])
def test_no_setting_runs_or_is_anything_but_text_by_day_or_in_the_dark_wherever_pages_lie(
    hostile: Site, visitor: Comes, where: str, dark: bool, request: pytest.FixtureRequest
) -> None:
    """Half of the kinds of pages by day, the others in the dark on a phone, one of four in the dark from the folder too; in the
    deep profile all of them everywhere.
    """
    home, end = hostile.home(where)
    guest, phone = visitor(home), dark and where == "served"
    guest.page.emulate_media(color_scheme="dark" if dark else "light")
    if phone:
        guest.page.set_viewport_size({"width": 390, "height": 844})
    every = some(hostile, request)
    uris = every if is_deep(request.config) else every[phone :: 2 if where == "served" else 4]
    for uri in [*uris, "posts/3/"]:  # of the long title
        guest.open(uri + end)
        assert guest.page.locator("base, img[src=x], [onerror]").count() == 0, uri
        scheme = guest.page.locator("body").get_attribute("data-md-color-scheme")
        assert scheme == ("slate" if dark else "default"), uri
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), uri
    assert guest.said == []
    guest.open(end)
    assert guest.page.title().endswith(bracketless(HOSTILE))
    assert "© 2021 Court & ”Co”" in guest.page.locator(".md-copyright").inner_text()
    if where == "served":
        guest.open("404.html")
        assert guest.page.locator("base, img[src=x], [onerror]").count() == 0
    assert guest.said == []


def test_a_script_on_a_page_of_peoples_is_left_out(hostile: Site, visitor: Comes) -> None:
    guest = visitor(hostile.address)
    assert SCRIPT not in (hostile.folder / "own/index.html").read_text()
    guest.open("own/")
    assert guest.said == []


# A theme's own scripts are known by where they stand.


def test_a_theme_of_one_s_own_runs_its_scripts(tmp_path: Path, visitor: Comes) -> None:
    court = game(tmp_path / "court", "court")
    (court / "look").mkdir()
    (court / "look/main.html").write_text(
        '{% extends "base.html" %}{% block extrahead %}<script>window.own = "{{ base_url }}"</script>{% endblock %}'
    )
    config = (
        (court / "mkdocs.yml")
        .read_text()
        .replace("  name: material\n", "  name: material\n  custom_dir: look\n")
    )
    (court / "mkdocs.yml").write_text(config)
    build(court / "mkdocs.yml", tmp_path / "served/court")
    with served(tmp_path / "served") as found:
        guest = visitor(found.address + "court/")
        for uri, way in (("", "."), ("rules/votes/", "../.."), ("404.html", "/court/")):
            guest.open(uri)
            assert guest.page.evaluate("window.own").rstrip("/") == way.rstrip("/")
        assert guest.said == []


# While a site is served to whoever writes rules.


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def serving(folder: Path, program: str) -> Iterator[str]:
    """The address at which a game's site is served while one writes."""
    address = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", program, "serve", "-f", str(folder / "mkdocs.yml"), "-a", address]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | QUIET) as server:
        assert server.stderr is not None
        told = next(line for line in server.stderr if "Serving on" in line)
        try:
            yield told.split()[-1]
        finally:
            server.terminate()


@pytest.mark.parametrize("program", ["mkdocs", pytest.param("properdocs", marks=DEEP)])
def test_a_browser_reloads_what_is_served_and_runs_nothing_else(
    program: str, tmp_path: Path, visitor: Comes
) -> None:
    attic = tmp_path / "attic"
    game(attic, "attic")
    (attic / "docs/own.md").write_text(f"# Own\n\n{SCRIPT}\n")
    with serving(attic, program) as home:
        guest = visitor(home)
        guest.open("")
        with guest.page.expect_event("load", timeout=60_000):
            nomic("-C", str(attic), "post", "--as", "ben", "Kumquats", "--at", "+1h")
        assert "Kumquats" in guest.page.content()
        guest.open("rules/votes/")
        said = {each for each in guest.said if "/livereload/" not in each}
        assert said == {"log: Enabled live reload"}
        guest.open("own/")
        assert not [said for said in guest.said if "Content Security Policy" in said], (
            "its script is left out"
        )
