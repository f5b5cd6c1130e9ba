"""A site opened from its folder, without a server: it leads from page to page and searches as it does where it is served.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from support.depth import DEEP, is_deep
from support.served import CHROMIUM, Site, served
from support.sites import build
from support.visiting import DEEDS, Comes, Visitor, game

pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

TITLES = (
    "<b>Zeal</b>",
    "(Moon)",
    "a/b",
    "ana's",
    "“Lantern”—dusk",
    "l’étoile",
    "'Sorbet'",
    "_Tango_ do_the_twist",
    "Angel's Feather",
    "Richardo’s hat",
    "They can't hide",
)
BODY = "Versions 1.25, `snake_case_word` [Bracket]{Curly}*Star*#Hash|Pipe;Semi<i>Tagged</i>Dots…Ends."
WORDS = {
    "Zeal": "<b>Zeal</b>", "<b>Zeal</b>": "<b>Zeal</b>", "Moon": "(Moon)", "(Moon)": "(Moon)", "a/b": "a/b",
    "ana": "ana's", "ana's": "ana's", "Lantern": "“Lantern”", "dusk": "“Lantern”", "étoile": "l’étoile", "Sorbet": "'Sorbet'",
    "tango": "_Tango_", "do_the_twist": "_Tango_", "snake_case_word": "(Moon)", "1.25": "(Moon)",
} | dict.fromkeys(("Bracket", "Curly", "Star", "Hash", "Pipe", "Semi", "Tagged", "Dots", "Ends"), "(Moon)")  # fmt: skip
"""What one types, and a part of the title of a post that is found."""

FIRST = {
    "Angel's Feather": "Angel's Feather", "angel’s": "Angel's Feather", "Richardo's": "Richardo’s hat", "can't hide": "They can't hide",
    "<b>Zeal</b>": "<b>Zeal</b>", "a/b": "a/b", "(Moon)": "(Moon)", "l’étoile": "l’étoile", "l'étoile": "l’étoile",
}  # fmt: skip
"""What one types, and the title of a post that stands among the first three, of few enough that a letter alone did not find them."""

STANDS_FIRST = """title => {
    const links = [...document.querySelectorAll(".md-search-result__item > .md-search-result__link")];
    const many = parseInt(document.querySelector(".md-search-result__meta").textContent);
    return many < 40 && links.slice(0, 3).some(link => link.querySelector("h1")?.textContent.endsWith(`. ${title}`));
}"""

LINKS = """() => [...document.querySelectorAll("a[href]")].filter(link => link.protocol === "file:").map(link => {
    link.dispatchEvent(new MouseEvent("contextmenu", {bubbles: true}));
    return link.href;
})"""


@pytest.fixture(scope="module")
def court(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game on GitHub, with posts whose titles are full of marks."""
    bodies = dict.fromkeys(TITLES, "No more.") | {"(Moon)": BODY}
    posts = [("post", "--as", "eli", title, "--body", body) for title, body in bodies.items()]
    return game(tmp_path_factory.mktemp("court") / "court", "court", *DEEDS, *posts)


@pytest.fixture(scope="module")
def site(court: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Its site, as ``new`` has it made."""
    folder = tmp_path_factory.mktemp("served")
    build(court / "mkdocs.yml", folder / "court")
    with served(folder) as found:
        yield Site(folder / "court", found.address + "court/")


def adorned(court: Path, to: Path, features: str) -> Path:
    """Its site in another language, with features of the theme, and a script and a page of its owner's."""
    config = (court / "mkdocs.yml").read_text()
    changed = config.replace("  name: material\n", "  name: material\n  language: de\n")
    more = "".join(f"    - {feature}\n" for feature in features.split(", "))
    changed = changed.replace("  features:\n", f"  features:\n{more}")
    changed = changed.replace("extra:\n", "extra_javascript: [own.js]\nextra:\n")
    (court / "docs/own.js").write_text("window.own = 1\n")
    (court / "docs/own.md").write_text("# Own\n\n[Votes](rules/votes.md) and häuser\n")
    (court / "adorned.yml").write_text(changed)
    return build(court / "adorned.yml", to)


def from_folder(visitor: Comes, folder: Path) -> Visitor:
    """A visitor who opens a site's home page from its folder."""
    guest = visitor(folder.as_uri() + "/")
    guest.open("index.html")
    return guest


def follow(guest: Visitor, selector: str, words: str, uri: str) -> None:
    """Click on what is shown, and come to a page."""
    guest.page.locator(selector, has_text=words).first.click()
    guest.page.wait_for_url(re.compile(rf"{re.escape(guest.home + uri)}(\?[^#]*)?(#.*)?$"))
    guest.page.wait_for_load_state()
    assert guest.page.locator("article.md-content__inner h1").count() >= 1, uri


def sort(guest: Visitor) -> None:
    """Sort a table."""
    head = guest.page.locator(".nomic-sortable th:has(button)").first
    head.click(position={"x": 2, "y": 2})  # beside the button: all of the cell sorts
    assert head.get_attribute("aria-sort")


def test_every_link_of_every_kind_of_page_leads_to_a_file(
    site: Site, visitor: Comes, request: pytest.FixtureRequest
) -> None:
    """Of every other kind; in the deep profile of all."""
    guest = from_folder(visitor, site.folder)
    kinds = {(uri.partition("/")[0], uri.count("/")): uri for uri in site.pages()}
    assert len(kinds) > 18
    for uri in [*kinds.values()][:: 1 if is_deep(request.config) else 2]:
        guest.open(f"{uri}index.html")
        links = {unquote(urlsplit(link).path) for link in guest.page.evaluate(LINKS)}
        assert len(links) > 8, uri
        assert [link for link in links if not Path(link).is_file()] == [], uri
    assert guest.said == []


def test_a_reader_walks_from_page_to_page(site: Site, visitor: Comes) -> None:
    guest = from_folder(visitor, site.folder)
    navigation, content = "nav.md-nav--primary a.md-nav__link:not([href^='#'])", "article a:visible"
    follow(guest, navigation, "Ruleset", "ruleset/index.html")
    follow(guest, content, "Votes", "rules/votes/index.html")
    follow(guest, "article a.nomic-term", "", guest.page.locator("article a.nomic-term").first.evaluate(
        "link => new URL(link.href).pathname.split('/court/').pop() + 'index.html'"))  # fmt: skip
    follow(guest, navigation, "Posts", "posts/index.html")
    follow(guest, content, "(Moon)", "posts/4/index.html")
    follow(guest, content, "eli", "players/eli/index.html")
    follow(guest, navigation, "Feeds and data", "data/index.html")
    guest.page.locator(content, has_text="api/rules.json").first.click()
    guest.page.wait_for_url("**/api/rules.json")
    guest.page.go_back()
    follow(guest, ".md-header a.md-logo", "", "index.html")
    assert guest.said == []


def test_a_reader_opens_a_link_beside_and_by_the_keyboard(site: Site, visitor: Comes) -> None:
    guest = from_folder(visitor, site.folder)
    link = guest.page.locator("nav.md-nav--primary a", has_text="Ruleset").first
    with guest.page.context.expect_page() as beside:
        link.click(button="middle")
    assert beside.value.url == f"{guest.home}ruleset/index.html"
    link = guest.page.locator("nav.md-nav--primary a[href$='players/']").first
    link.focus()
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_url("**/players/index.html")
    assert guest.said == []


def test_a_reader_searches_the_folder_and_turns_the_light_off(site: Site, visitor: Comes) -> None:
    guest = from_folder(visitor, site.folder)
    assert "Gamestate" in guest.searches("Ossuary"), "a word that stands in a cell of a table"
    follow(guest, ".md-search-result__link", "Gamestate", "gamestate/index.html")
    guest.page.locator("label[title='Dark colours']").click()
    guest.searches("snake_case_word")
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_url("**/posts/*/index.html?h=snake_case_word")
    assert guest.page.locator("body").get_attribute("data-md-color-scheme") == "slate", "it is remembered"
    guest.open("players/index.html")
    sort(guest)
    assert guest.said == []


def test_the_page_for_what_is_not_found_leads_into_the_folder(site: Site, visitor: Comes) -> None:
    guest = visitor(site.folder.as_uri() + "/")
    guest.open("404.html")
    guest.searches("Ossuary")
    guest.page.locator(".md-search-result__item", has_text="Ossuary").first.wait_for()
    guest.page.keyboard.press("Escape")
    follow(guest, "nav.md-nav--primary a.md-nav__link", "Ruleset", "ruleset/index.html")
    assert guest.said == []


@pytest.mark.parametrize("where", [pytest.param("served", marks=DEEP), "folder"])
def test_a_search_finds_words_beside_marks(site: Site, visitor: Comes, where: str) -> None:
    guest = from_folder(visitor, site.folder) if where == "folder" else visitor(site.address)
    guest.open("index.html")
    query = guest.page.locator("input[name=query]")
    for words, title in WORDS.items():
        query.fill("")
        query.press_sequentially(words)
        shown = guest.page.locator(
            ".md-search-result__link h1", has_text=re.compile(rf"^\d+\. {re.escape(title)}")
        )
        shown.first.wait_for(state="attached", timeout=5_000)
    assert guest.said == []


@pytest.mark.parametrize("where", ["served", pytest.param("folder", marks=DEEP)])
def test_a_search_finds_what_one_types_first_and_not_the_whole_site(
    site: Site, visitor: Comes, where: str
) -> None:
    guest = from_folder(visitor, site.folder) if where == "folder" else visitor(site.address)
    guest.open("index.html")
    query = guest.page.locator("input[name=query]")
    for words, title in FIRST.items():
        query.fill("")
        query.press_sequentially(words)
        guest.page.wait_for_function(STANDS_FIRST, arg=title, timeout=5_000)
    assert guest.said == []


def test_what_is_served_keeps_its_worker_and_fetches_no_more(site: Site, visitor: Comes) -> None:
    guest = visitor(site.address)
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url.removeprefix(site.address)))
    guest.open("")
    guest.searches("Ossuary")
    guest.page.keyboard.press("Escape")
    assert guest.page.evaluate("String(Worker)").endswith("{ [native code] }")
    assert guest.page.locator("iframe").count() == 0
    assert "search/search_index.json" in asked
    assert "search/search_index.js" not in asked
    guest.page.locator("nav.md-nav--primary a", has_text="Ruleset").first.click()
    guest.page.wait_for_url("**/court/ruleset/")


def test_a_theme_in_another_language_works_in_a_folder(court: Path, tmp_path: Path, visitor: Comes) -> None:
    folder = adorned(
        court, tmp_path, "navigation.tabs, navigation.tracking, search.highlight, search.suggest"
    )
    guest = from_folder(visitor, folder)
    assert guest.page.evaluate("window.own") == 1
    follow(guest, ".md-tabs a", "Own", "own/index.html")
    follow(guest, "article a", "Votes", "rules/votes/index.html")
    assert "Own" in guest.searches("häuser"), "the scripts of the language are there"
    follow(guest, ".md-search-result__link", "Own", "own/index.html")
    guest.page.locator("article mark", has_text="häuser").wait_for()  # what was sought is marked
    assert guest.said == []


def test_a_theme_that_loads_pages_at_once_where_it_is_served_works_in_a_folder(
    court: Path, tmp_path: Path, visitor: Comes
) -> None:
    guest = from_folder(visitor, adorned(court, tmp_path, "navigation.instant"))
    assert "Own" in guest.searches("häuser")
    follow(guest, ".md-search-result__link", "Own", "own/index.html")
    follow(guest, "nav.md-nav--primary a", "Players", "players/index.html")
    sort(guest)
    assert guest.said == []


def test_a_script_that_came_in_anyhow_is_not_run_in_a_folder(site: Site, visitor: Comes) -> None:
    guest, text = from_folder(visitor, site.folder), (site.folder / "index.html").read_text()
    (site.folder / "injected.html").write_text(
        text.replace("<article", "<script>window.hit = 1</script><article", 1)
    )
    guest.open("injected.html")
    (site.folder / "injected.html").unlink()
    assert [said for said in guest.said if "Content Security Policy" in said] == guest.said != []
