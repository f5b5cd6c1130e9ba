"""The whole law as a book: sources in the margin, terms explained, numbers to cite, sections to fold.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from support.served import CHROMIUM, Site, amended_site, served
from support.shared import shared
from support.visiting import Comes, Visitor

pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with a rule that two posts wrote, and hostile words."""
    return shared(tmp_path_factory, "amended", amended_site) / "game"


@pytest.fixture(scope="module")
def site(game: Path) -> Iterator[Site]:
    """Its site, under a path."""
    with served(game.parent) as there:
        yield Site(game.parent / "site", there.address + "site/")


@pytest.fixture
def reader(site: Site, visitor: Comes) -> Visitor:
    """Somebody who reads the law."""
    guest = visitor(site.address)
    guest.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    guest.open("ruleset/")
    return guest


def git(game: Path, *words: str) -> str:
    """What Git answers."""
    return subprocess.run(["git", "-C", str(game), *words], capture_output=True, text=True, check=True).stdout


def test_sources_stand_in_the_margin_as_git_blames_them(game: Path, site: Site, reader: Visitor) -> None:
    (rule,) = (game / "game/ruleset").rglob("*-moonlight.md")
    blamed = re.findall(
        r"^([0-9a-f]{40}) \d+ \d+.*?^\t(.*?)$",
        git(game, "blame", "--porcelain", str(rule)),
        re.MULTILINE | re.DOTALL,
    )
    journal = json.loads((site.folder / "api/journal.json").read_text())["journal"]
    sources = {
        deed["commit"]: [str(number) for number, status in deed["closed"] if status == "enacted"]
        for deed in journal
    }
    front = [place for place, (_, line) in enumerate(blamed) if line == "---"]
    prose = [(commit, line) for commit, line in blamed[front[1] + 1 :] if line]
    book = reader.page.locator("#rule-moonlight + .nomic-rule")
    assert (
        book.locator(".nomic-source").all_inner_texts()
        == [sources[commit][0] for commit, _ in prose]
        == ["1", "2", "1"]
    )
    text, number = (book.locator(each).first.bounding_box() for each in ("p", ".nomic-source"))
    assert text
    assert number
    assert number["x"] >= text["x"] + text["width"], "beside what was said"
    founding = reader.page.locator("#rule-votes + .nomic-rule .nomic-source")
    assert founding.count() == 0, "what has stood since the founding has none"


def words(text: str) -> str:
    """A text without its marks, words apart by a space."""
    return " ".join(re.sub(r"[-…]", " ", re.sub(r"[*_`]", "", text)).split())


@pytest.mark.parametrize("where", ["served", "folder"])
def test_a_term_is_explained_at_the_pointer_and_by_the_keyboard(
    game: Path, site: Site, visitor: Comes, where: str
) -> None:
    home, page = site.home(where)
    reader = visitor(home)
    reader.open(f"ruleset/{page}")
    data = json.loads((site.folder / "api/terms.json").read_text())
    jsonschema.validate(data, json.loads((site.folder / "api/schema.json").read_text()))
    term, told = (
        reader.page.locator("#rule-dormancy + .nomic-rule a.nomic-term").first,
        reader.page.locator(".nomic-past"),
    )
    anchor = str(term.get_attribute("href")).partition("#")[2]
    term.hover()
    told.wait_for()
    said = told.inner_text()
    assert said == data["terms"][anchor]
    law = "".join(file.read_text() for file in (game / "game/ruleset").rglob("*.md"))
    assert words(said[:60]) in words(law)
    reader.page.keyboard.press("Escape")
    reader.page.locator("h1").hover()
    told.wait_for(state="detached")
    term.focus()
    told.wait_for()
    assert term.get_attribute("aria-describedby") == told.get_attribute("id")
    reader.page.keyboard.press("Escape")
    assert told.count() == 0
    assert reader.said == []


def test_a_rule_is_cited_by_one_click(game: Path, site: Site, reader: Visitor) -> None:
    (rule,) = (game / "game/ruleset").rglob("*-moonlight.md")
    revision = len(git(game, "log", "--format=%H", "--", str(rule)).split()) - 1
    number, *words = reader.page.locator("#rule-moonlight").inner_text().split()
    assert (revision, words[1:3]) == (1, ["amended", "once"])
    assert "amended" not in reader.page.locator("#rule-votes").inner_text(), "it stands as it was made"
    mark = reader.page.locator("#rule-moonlight .nomic-cite")
    box = mark.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24, "a finger finds it"
    mark.click()
    reader.page.locator(".nomic-cite[data-done]").wait_for()
    copied = reader.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"Rule {number}/{revision}, {site.address}ruleset/#rule-moonlight"
    assert reader.page.url == copied.partition(", ")[2]


def test_a_section_folds_and_opens_for_whoever_is_led_there(reader: Visitor) -> None:
    moon, votes = reader.page.locator("#rule-moonlight"), reader.page.locator("#rule-votes")
    head = reader.page.get_by_role("button", name="2 Dynastic")
    assert head.get_attribute("aria-expanded") == "true"
    head.click()
    assert (moon.is_visible(), votes.is_visible()) == (False, True)
    reader.page.emulate_media(media="print")
    assert moon.is_visible(), "on paper all is open"
    reader.page.emulate_media(media="screen")
    reader.page.evaluate("location.hash = 'rule-moonlight'")
    moon.wait_for()
    assert head.get_attribute("aria-expanded") == "true"
    assert reader.said == []


WITHIN = """links => links.map(link => [link.hash,
    link.closest("li").parentElement.closest("li")?.querySelector("a").hash ?? ""])"""
"""Of each link of a list where it leads, and where that one leads in which it lies."""


def places(game: Path) -> list[tuple[str, str]]:
    """The rules, and of each the rule or section of which it is a part, as their files lie in folders."""
    found = []
    for file in sorted((game / "game/ruleset").rglob("[0-9]*-*.md")):
        (section, *above, name) = file.relative_to(game / "game/ruleset").with_suffix("").parts
        slugs = [re.sub(r"^\d+-", "", each) for each in (*above, name)]
        inside = f"#rule-{slugs[-2]}" if above else f"#section-{section.partition('-')[0]}"
        found.append((f"#rule-{slugs[-1]}", inside))
    return found


def test_the_contents_lie_in_each_other_as_the_files_do(game: Path, reader: Visitor) -> None:
    assert reader.page.locator(".nomic-contents").is_hidden(), "beside the text there is room for them"
    shown = reader.page.locator(".md-sidebar--secondary a[href*='#rule-']").evaluate_all(WITHIN)
    assert sorted(map(tuple, shown)) == sorted(places(game))
    assert {inside.partition("-")[0] for _, inside in places(game)} == {"#section", "#rule"}


def test_on_a_phone_the_contents_stand_above_the_law(game: Path, reader: Visitor) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    contents = reader.page.locator(".nomic-contents")
    rule = contents.locator("a[href='#rule-moonlight']")
    assert rule.is_hidden(), "they are folded"
    contents.locator("summary").press("Enter")
    assert sorted(
        link.partition("#")[2]
        for link in contents.locator("ul ul a").evaluate_all("all => all.map(a => a.hash)")
    ) == sorted(slug.partition("#")[2] for slug, _ in places(game))
    rule.click()
    reader.page.wait_for_url("**/ruleset/#rule-moonlight")
    assert reader.page.locator("#rule-moonlight").bounding_box()["y"] < 300
    assert reader.said == []
