"""The site in a real browser: what readers do, what hostile players cannot do, and that everybody can read it.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from markupsafe import Markup
from support.depth import is_deep, one_of
from support.places import TESTS
from support.served import CHROMIUM, KINDS, LOOKED_AT, PAYLOADS, Site, amended_site, served
from support.shared import shared

from nomicgit.ground import clock
from nomicgit.site import charts, markup
from nomicgit.site.pages import SCRIPT, STYLE, assets

pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

AXE = TESTS / "vendor/axe/axe.min.js"
COPIES = '<nav class="md-code__nav">'
"""The theme's button that copies a block of code: each stands in a landmark of its own, which bears no name."""
COLOURS = ", runOnly: ['color-contrast']"  # the rest hangs on no colours
SIZES = ", rules: {'target-size': {enabled: true}}"  # which Lighthouse asks for as well
DESK, PHONE = {"width": 1200, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a page of every kind, and hostile words through every door."""
    site, own = shared(tmp_path_factory, "amended", amended_site) / "site", tmp_path_factory.mktemp("hostile")
    with served(shutil.copytree(site, own / "site")) as found:  # a page is added to it
        yield found


Opened = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any, site: Site) -> Iterator[Opened]:
    """A function that opens a page; whatever goes wrong on it, or leaves the site, fails the test."""
    contexts, wrong = [], []

    def open_page(uri: str = "", *, scheme: str = "light", phone: bool = False, **more: Any) -> Any:
        size = PHONE if phone else DESK
        context = chromium.new_context(
            viewport=size, color_scheme=scheme, timezone_id="Europe/Vienna", locale="en-GB", **more
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(f"{said.type}: {said.text}"))
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
    assert term.evaluate("link => getComputedStyle(link).textDecorationStyle") == "dotted"
    word = term.inner_text()
    term.click()
    page.wait_for_load_state()
    assert word.casefold().removesuffix("s") in page.inner_text("article.md-content__inner").casefold()


LAST = """[...document.activeElement.closest('tr').cells].filter(each => each.offsetParent).at(-1)
    .contains(document.activeElement)"""
SHOWN = """table => Object.fromEntries([...table.tHead.rows[0].cells].filter(each => each.offsetParent)
    .map(each => [each.innerText.split("\\n")[0], table.tBodies[0].rows[0].cells[each.cellIndex].innerText]))"""


def test_a_table_of_one_who_is_idle_shows_no_more_columns_than_that_of_the_active(opened: Opened) -> None:
    page = opened("players/")
    active, idle = (
        page.locator(f"[aria-label='{name} players'] table").evaluate(SHOWN) for name in ("Active", "Idle")
    )
    assert 1 < len(idle) < page.locator("[aria-label='Idle players'] th[scope=col]").count()
    assert {head for head, value in idle.items() if head not in active and value in ("", "–")} == set()


def test_a_reader_sorts_a_table_by_the_keyboard(opened: Opened) -> None:
    page = opened("players/")
    page.locator(".nomic-tools summary").first.focus()
    for _ in range(4):  # the table, the headings as one, a name, its first value
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.cellIndex") == 1, "few stops before the first value"
    button = page.locator(".nomic-sortable th button", has_text="puissance").first
    page.locator(".nomic-sortable th button").first.focus()
    page.keyboard.press("End")
    assert page.evaluate(LAST), "the last heading that is shown"
    page.keyboard.press("Home")
    while not button.evaluate("each => each === document.activeElement"):
        page.keyboard.press("ArrowRight")
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


def test_the_view_of_a_table_stands_in_its_address(opened: Opened) -> None:
    page = opened("posts/all/")
    shown = "[...document.querySelectorAll('.nomic-sortable tbody tr')].filter(row => row.checkVisibility()).map(row => row.innerText)"
    everything = page.evaluate(shown)
    page.locator(".nomic-tools input[type=search]").first.fill("change")
    page.locator(".nomic-tools summary").first.click()
    page.get_by_label("Author", exact=True).first.uncheck()
    page.locator(".nomic-tools summary").first.click()
    page.locator("th button", has_text="Post").first.click()
    rows = page.evaluate(shown)
    assert 0 < len(rows) < len(everything)
    assert all("Change" in row for row in rows)
    assert (
        page.locator(".nomic-tools [role=status]").first.inner_text() == f"{len(rows)} of {len(everything)}"
    )
    again = opened(page.url.removeprefix(page.url.partition("posts/")[0]))
    assert again.evaluate(shown) == rows, "whoever is given the address sees the same rows and columns"
    assert not again.locator("th", has_text="Author").first.is_visible()
    again.locator(".nomic-tools input[type=search]").first.fill("")
    assert len(again.evaluate(shown)) == len(everything)
    assert ".find" not in again.url


def test_columns_in_which_nobody_differs_from_the_beginning_wait_to_be_chosen(opened: Opened) -> None:
    page = opened("players/")
    shown = "[...document.querySelector('.nomic-wide thead').rows[0].cells].filter(cell => cell.checkVisibility()).length"
    every = page.locator(".nomic-wide").first.locator("thead th").count()
    held = page.locator(".nomic-wide th", has_text="favours held").first
    assert not held.is_visible(), "all of them have 0, as at first"
    assert 2 < page.evaluate(shown) < every
    page.locator(".nomic-tools summary").first.click()
    panel = page.locator(".nomic-tools fieldset").first.bounding_box()
    table = page.locator(".nomic-wide").first.bounding_box()
    assert panel["y"] + panel["height"] <= table["y"], "one sees the table of which one chooses"
    assert panel["width"] > 400
    for word, many, kept in (("All", every, "=-"), ("None", 1, "=puissance")):
        page.get_by_role("button", name=word, exact=True).first.click()
        assert page.evaluate(shown) == many
        assert kept in page.url
        assert (
            opened(page.url.partition("players/")[1] + page.url.partition("players/")[2]).evaluate(shown)
            == many
        )


def test_on_a_phone_a_long_list_ends_until_one_asks_for_all(opened: Opened) -> None:
    page = opened("journal/1/", phone=True)
    cards = page.locator(".nomic-table tbody tr")
    every = cards.count()
    seen = (
        "[...document.querySelectorAll('.nomic-table tbody tr')].filter(row => row.checkVisibility()).length"
    )
    assert page.evaluate(seen) == 8 < every
    page.get_by_role("button", name=f"All {every}").click()
    assert page.evaluate(seen) == every
    last = opened(f"journal/1/#deed-{every}", phone=True)
    assert last.locator(f"#deed-{every}").is_visible(), "whoever is led to a deed finds it"


NARROW = """() => { const shell = document.querySelector(".nomic-table"), word = document.querySelector("td code");
    return [shell.scrollWidth <= shell.clientWidth, word.getClientRects().length]; }"""


@pytest.mark.parametrize("width", [1024, 1440])
def test_a_word_without_end_is_broken_and_no_other(chromium: Any, width: int) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 800})
    page, row = context.new_page(), ["1", markup.code("scavenging"), "W" * 300, "some words " * 30]
    table = markup.table(["a", "b", "c", "d"], [row])
    page.set_content(
        f"<style>{assets()[STYLE]}</style><div class='md-typeset' style='width: 44rem'>{table}</div>"
    )
    assert page.evaluate(NARROW) == [True, 1]
    context.close()


def test_the_first_column_of_a_wide_table_stays(opened: Opened) -> None:
    page = opened("players/?Active+players.without=-")  # with all its columns
    page.set_viewport_size({"width": 700, "height": 900})
    table = page.locator(".nomic-wide").first
    place = "shell => [shell.getBoundingClientRect().left, shell.querySelector('tbody th').getBoundingClientRect().left]"
    assert table.evaluate("shell => { shell.scrollLeft = 1000; return shell.scrollLeft }") > 20, (
        "it is wider than its place"
    )
    left, name = table.evaluate(place)
    assert name == pytest.approx(left, abs=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "only the table scrolls"


@pytest.mark.parametrize("uri", ["actions/", "me/eli/"])
def test_what_one_can_do_is_read_whole_on_a_desk(opened: Opened, uri: str) -> None:
    page = opened(uri)
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator(".nomic-table td").count() > 20
    assert page.evaluate(CUT) == []


def test_a_long_table_that_fits_is_no_page_within_the_page(opened: Opened) -> None:
    page = opened("actions/")
    table = page.locator(".nomic-fits:has(tbody tr:nth-child(12))").first
    assert table.evaluate("shell => shell.scrollHeight - shell.clientHeight") <= 1, "nothing of it is hidden"
    table.locator("tbody tr").nth(6).evaluate("row => row.scrollIntoView({block: 'center'})")
    head = "shell => shell.querySelector('thead th').getBoundingClientRect().top"
    below = page.locator(".md-header").evaluate("bar => bar.getBoundingClientRect().bottom")
    assert table.evaluate(head) == pytest.approx(below, abs=2), "its headings stay below the bar"
    page.set_viewport_size({"width": 980, "height": 900})
    table.evaluate("shell => { shell.querySelector('td').textContent = 'W'.repeat(3000); }")
    page.locator(".nomic-sortable:not(.nomic-fits):has(tbody tr:nth-child(12))").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
        "one that does not fit scrolls by itself"
    )


CUT = """[...document.querySelectorAll(".nomic-table")].filter(shell => shell.checkVisibility() && (
    shell.scrollWidth > shell.clientWidth || [...shell.querySelectorAll("tbody :is(th, td)")].some(cell => {
        const box = cell.getBoundingClientRect();
        return cell.checkVisibility() && (box.right > innerWidth || cell.scrollWidth > cell.clientWidth + 4);
    }))).map(shell => shell.getAttribute("aria-label"))"""


def test_on_a_phone_a_row_is_a_card_that_says_what_each_value_is(opened: Opened) -> None:
    wide, page = opened("players/"), opened("players/", phone=True)
    words = "heads => heads.map(head => (head.querySelector('button') || head).firstChild.textContent.trim())"
    heads = wide.locator(".nomic-wide thead th").evaluate_all(words)
    assert wide.locator("th", has_text="favours held").first.locator(".nomic-range").inner_text() == "0 to 5"
    values = "row => [...row.cells].filter(cell => cell.checkVisibility()).map(cell => [cell.dataset.head, cell.innerText.trim()])"
    rows = [row.evaluate(values) for row in wide.locator(".nomic-wide tbody tr").all()]
    cards = [row.evaluate(values) for row in page.locator(".nomic-wide tbody tr").all()]
    assert cards == [[[head, said] for head, said in row if said != "–"] for row in rows]
    assert {head for row in cards for head, _ in row} <= set(heads)
    says = "cell => getComputedStyle(cell, '::before').content"
    assert page.locator("td[data-head=puissance]").first.evaluate(says).strip('" ') == "puissance"
    assert wide.locator("td[data-head=puissance]").first.evaluate(says) == "none"
    page.locator("th button", has_text="puissance").first.press("Enter")
    sorted_rows = page.locator(".nomic-wide").first.locator("tbody tr").all()
    column = [dict(row.evaluate(values))["puissance"] for row in sorted_rows]
    assert column == sorted(column, key=int, reverse=True)
    assert len(set(column)) > 1
    page.locator(".nomic-tools summary").first.click()
    page.get_by_label("puissance", exact=True).first.uncheck()
    assert not page.locator("td[data-head=puissance]").first.is_visible()


COLUMNS = {
    "name": (["cy", "", "ana", "Ben"], ["ana", "Ben", "cy", ""], ["cy", "Ben", "ana", ""]),
    "number": (["2", "10", "", "-1"], ["10", "2", "-1", ""], ["-1", "2", "10", ""]),
    "numbered": (
        ["post 2", "post 10", "", "7"],
        ["7", "post 2", "post 10", ""],
        ["post 10", "post 2", "7", ""],
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_reader_sorts_what_is_empty_last_whichever_way(chromium: Any, name: str) -> None:
    given, *expected = COLUMNS[name]
    context = chromium.new_context()
    page = context.new_page()
    cells = (cell or markup.nothing() for cell in given)
    page.set_content(str(markup.table([name, "other"], ([cell, "x"] for cell in cells), sortable=True)))
    page.add_script_tag(content=assets()[SCRIPT])
    for wanted in expected:
        page.locator("th button", has_text=name).first.click()
        shown = page.locator("tbody tr > :first-child").all_inner_texts()
        assert [cell.replace("–", "") for cell in shown] == wanted
    context.close()


def test_a_long_word_that_names_a_row_is_broken(chromium: Any) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    link = markup.tag("a", "12 " + "x" * 400, href="#")
    rows = [[link, "proposal", "2021-06-07", "pending", "1 FOR"]]
    table = markup.table(["Post", "Kind", "When", "Status", "Votes"], rows, label="Posts")
    page.set_content(f'<div class="md-typeset">{table}</div>')
    page.add_style_tag(content=assets()[STYLE])
    assert page.evaluate("(at => at.scrollWidth <= at.clientWidth)(document.querySelector('.nomic-table'))")
    context.close()


def test_what_stands_at_the_end_of_a_line_fits_a_phone(chromium: Any) -> None:
    names = ["Bartholomew Mapplethorpe", "Wilhelmina", "Kunigunde Hohenstaufen", "Maximilian", "ben", "cy"]
    charted = [
        charts.lines("gold", [(name, [(0, 0.0), (9, 12.0)]) for name in some], ("a", "b"), Markup(""))
        for some in (names[:1], names[:2], names[:3], names[:4], names[3:], names[4:])
    ]
    context = chromium.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.set_content(f'<div class="md-typeset">{"".join(charted)}</div>')
    page.add_style_tag(
        content=assets()[STYLE] + "body { font-family: Helvetica, Arial, sans-serif; margin: 16px; }"
    )
    ends = "each => each.map(one => one.getBoundingClientRect().right)"
    assert max(page.locator("svg g g text").evaluate_all(ends)) <= 390
    context.close()


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


def test_ages_grow_while_a_page_is_read(chromium: Any, site: Site) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.clock.install(time=LOOKED_AT)
    page.goto(site.address)
    ages = page.locator("time.nomic-since")
    assert ages.count() > 1, "of the dynasty, and of what is pending"
    for days in (0, 1, 12):
        page.clock.fast_forward(days * 86_400_000)
        for shown in ages.all():
            began = clock.instant(str(shown.get_attribute("datetime")))
            past = (page.evaluate("Date.now()") // 1000 - began) // 86400
            told = {0: "hour", 1: "(1 day ago)"}.get(past, f"({past} days ago)")
            assert told in shown.inner_text()
    context.close()


TOLD = re.compile(
    r"<(time|dl)\b[^>]*>.*?</\1>|<(\w+) class=\"[^\"]*nomic-(?:about|verdict)\b[^>]*>.*?</\2>", re.DOTALL
)
"""What a page says of times and of how things stand, as it was written."""
AGE = re.compile(r"\bago\b|just now|\bin \d+ (day|hour|minute)")


def test_no_page_tells_an_age_that_no_script_keeps_true(site: Site) -> None:
    told = {uri: TOLD.finditer((site.folder / uri / "index.html").read_text()) for uri in site.pages()}
    facts = [(uri, re.sub("<[^>]*>", "", each[0])) for uri, some in told.items() for each in some]
    assert len(facts) > 100
    assert [each for each in facts if AGE.search(each[1])] == []


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_reader_opens_the_law_of_yesterday(opened: Opened, phone: bool) -> None:
    page = opened("law/", phone=phone)
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


@pytest.mark.parametrize(
    "uri",
    [
        pytest.param(uri, marks=one_of(4, number))
        for number, uri in enumerate(
            ("posts/12/", "ruleset/", "posts/", "posts/1/", "", "posts/all/", "players/eli/", "gamestate/")
        )
    ],
)
def test_a_page_is_no_wider_than_a_phone(opened: Opened, uri: str) -> None:
    page = opened(uri, phone=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_home_page_says_at_first_sight_what_this_is(opened: Opened) -> None:
    page = opened()
    for words in (
        "a game in which changing the rules is a move",
        "is led by ana",
        "for votes. You could",
    ):
        box = page.get_by_text(words).first.bounding_box()
        assert box["y"] < 900


def test_a_page_is_printed_whole_and_light(opened: Opened, site: Site) -> None:
    page = opened("rules/lair-actions/", scheme="dark")
    mechanics = page.locator("details code").first
    assert not mechanics.is_visible()
    page.emulate_media(media="print")
    assert mechanics.is_visible()
    page.goto(site.address + "gamestate/")
    cells = page.locator(".nomic-table:not(.nomic-cards) td:not([class])")
    wraps = cells.evaluate_all(
        "cells => [...new Set(cells.map(cell => getComputedStyle(cell).overflowWrap))]"
    )
    assert wraps == ["break-word"], "no word is cut to give others room"
    page.goto(site.address + "players/")
    page.set_viewport_size({"width": 720, "height": 1000})  # of A4
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(CUT) == [], "all columns of a table are printed"
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    body = page.locator("body")
    for event, scheme in (("beforeprint", "default"), ("afterprint", "slate")):
        page.evaluate(f"window.dispatchEvent(new Event('{event}'))")
        assert body.get_attribute("data-md-color-scheme") == scheme
    page.emulate_media(media="null", color_scheme="dark")
    page.goto(site.address + "players/")
    assert darkest(page.pdf(print_background=True)) is None, "nor is the margin of a sheet dark"


def darkest(pdf: bytes) -> bytes | None:
    """What a sheet begins with where that is to fill it with something dark, margins and all."""
    parts = re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)
    drawn = [zlib.decompress(part) for part in parts if part[:1] == b"x"]
    return next(
        (each for each in drawn if re.search(rb"(\.[01]\d+ ){3}rg\s+/G\d+ gs\s+0 0 \d+ \d+ re", each)), None
    )


# What hostile players cannot do.


def nothing_runs(page: Any) -> bool:
    """Nothing of players ran on a page, or could, and the theme's own frame stands around it."""
    own = page.locator("article.md-content__inner").count() == 1
    theirs = page.locator("article :is(iframe, form, img, base, style)").count()
    return bool(own and not theirs and page.evaluate("window.hit") is None)


def test_nothing_of_players_runs_on_any_page(
    opened: Opened, site: Site, request: pytest.FixtureRequest
) -> None:
    """One of three pages on which somebody posts or is told of, beside those of every kind; in the deep profile all there are."""
    page = opened()
    said = [uri for uri in site.pages() if uri.startswith(("posts/", "me/", "players/")) and uri not in KINDS]
    for uri in site.pages() if is_deep(request.config) else said[::3]:
        page.goto(site.address + uri)
        assert nothing_runs(page), uri


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


def faults(page: Any, only: str = "") -> list[str]:
    """What axe finds wrong with a page."""
    violations = page.evaluate(
        f"axe.run({{resultTypes: ['violations']{only}}}).then(found => found.violations)"
    )
    nodes = [
        (each["id"], [n["html"] for n in each["nodes"] if COPIES not in n["html"]]) for each in violations
    ]
    return [f"{name}: {html[0][:200]}" for name, html in nodes if html]


def test_nothing_is_wrong_with_any_kind_of_page(
    opened: Opened, site: Site, request: pytest.FixtureRequest
) -> None:
    """Nothing of players runs on it, axe finds nothing, and no table of it is cut on a phone.

    Axe sees two of four by day at a desk, one in the dark and one on a phone, where all that is folded away is unfolded; in the
    deep profile it sees all everywhere.
    """
    page, deep = opened(bypass_csp=True), is_deep(request.config)
    found = []
    for number, uri in enumerate(KINDS):
        page.goto(site.address + uri)
        assert nothing_runs(page), uri
        page.add_style_tag(content="*, ::before, ::after { transition: none !important; }")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        if number % 4 > 1 or uri == "ruleset/" or deep:
            found += [f"{uri}: {fault}" for fault in faults(page, SIZES)]
        if number % 4 == 0 or deep:
            page.emulate_media(color_scheme="dark")
            page.evaluate(
                "document.body.setAttribute('data-md-color-scheme', 'slate')"
            )  # as the theme's button does
            found += [f"{uri}, in the dark: {fault}" for fault in faults(page, COLOURS if deep else "")]
            page.emulate_media(color_scheme="light")
            page.evaluate("document.body.setAttribute('data-md-color-scheme', 'default')")
        page.set_viewport_size(PHONE)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.evaluate(CUT) == [], uri
        if number % 4 == 1 or deep:
            found += [f"{uri}, on a phone: {fault}" for fault in faults(page)]
        page.set_viewport_size(DESK)
    assert found == []
