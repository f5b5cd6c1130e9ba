"""What pages say is said in people's words: no marks of code, no lists run together, no names without their links, no command's speech."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup
from support.sites import Player, played, seen_pages

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset
from nomicgit.record.game import Game
from nomicgit.site import bygone, chronicle, markup, posts
from nomicgit.site.astray import finding_its_site
from nomicgit.site.differences import difference
from nomicgit.site.glossary import Glossary
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page
from nomicgit.site.scribe import Scribe

LAMP = """---
title: Lamps
variables:
  lamp: {of: game, type: integer, default: null}
  rival: {of: player, type: player}
  gold: {of: player, type: integer}
  bag: {of: player, type: map, keys: text, values: integer}
  foes: {of: game, type: list, items: player}
actions:
  defy: {summary: Defy somebody, with: {rival: player}}
---
It shines.

```starlark
def do_defy(actor, rival):
    put(actor, rival=rival, gold=get(actor, "gold") + 1, bag={"oil": 2, "wick": 1})
    put("game", foes=[actor, rival])
```
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Say `a b` to `c`.", "Say `a d` to `c`."),
        ("One.", "Another line, with `code` in it."),
        (None, "Write ``a ` b``.\n\n```starlark\ndef x():\n    pass\n```\n"),
        ("A lone ` mark.", "A lone ` mark, or two."),
    ],
)
def test_marks_of_code_in_a_difference_are_code(old: str | None, new: str) -> None:
    shown = difference(old, new)
    lone = "lone" in new
    assert ("`" in shown.striptags().replace("a ` b", "")) is lone
    assert ("<code>" in shown) is (not lone)
    assert "starlark" not in shown
    came = "".join(re.findall(r"<ins>(.*?)</ins>", shown))
    said = new.replace("```starlark", "").replace("```", "").replace("``", "") if old is None else new
    text = Markup(came).striptags()
    assert re.findall(r"\w+", text) == re.findall(r"\w+", said)


def test_a_difference_says_what_is_declared_what_is_text_and_what_is_mechanics() -> None:
    rule = "---\ntitle: A `b` *c*\nactions: {}\n---\nText with `d`.\n\n```\nplain\n```\n\n```starlark\ndef f():\n    return `x`\n```\n"
    rows = [
        (mark or tag, text)
        for tag, mark, text in re.findall(
            r'<(div|ins)(?: class="nomic-(gap)")?>(.*?)</', difference(None, rule)
        )
    ]
    assert rows == [
        ("gap", "declarations"), ("ins", "title: A `b` *c*"), ("ins", "actions: {}"), ("gap", "text"), ("ins", "Text with <code>d"),
        ("ins", "plain"), ("gap", "mechanics"), ("ins", "def f():"), ("ins", "    return `x`"),
    ]  # fmt: skip


def test_a_term_is_explained_by_more_than_itself_and_its_list_stays_apart() -> None:
    texts = {
        "1-core/10-days.md": "---\ntitle: Long Days\n---\n*Moonlight*\n\nThe *week* is:\n\n- Monday\n- Tuesday, and\n- the rest.\n",
        "1-core/20-long-night.md": "---\ntitle: Long Night\n---\nLong night:\n",
    }
    ruleset = Ruleset.read(texts)
    glossary = Glossary(ruleset, {each.slug: each.prose for each in ruleset.rules})
    assert [term.told for term in glossary.terms.values()] == ["The week is: Monday · Tuesday, and the rest."]
    assert glossary.begins["long-night"] == ""


def test_the_lines_of_a_value_and_the_items_of_a_list_stay_apart_in_a_line() -> None:
    assert markup.line(markup.plain({"oil": 2, "wick": 1})) == "oil: 2, wick: 1"
    assert markup.line("<ul><li>one</li> <li>two</li></ul> <p>three</p>") == "one · two three"


def test_the_page_of_what_is_not_found_says_so_in_its_tab() -> None:
    page = finding_its_site("<html><head><title>The \\1 Game</title></head><body></body></html>", None, "")
    assert "<title>Not found - The \\1 Game</title>" in page


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which a matter waits, somebody defied somebody, and two matters were enacted in one minute."""
    folder = tmp_path_factory.mktemp("worded") / "game"
    folder.mkdir()
    act = played(folder, Ruleset.read({**editions.load("crypt").texts, "2-dynastic/900-lamps.md": LAMP}))
    act(1, "ben", "defy", rival="cy")
    for number, rule in ((1, "Moon"), (2, "Sun")):
        _propose(act, 1 + number, [{"add-rule": {"title": rule, "text": "It shines."}}])
    for number in (1, 2):
        for voter in ("ben", "dee", "eli"):
            act(4, voter, "vote", matter=number, icon="for")
    for number in (1, 2):
        act(20, "ben", "resolve", matter=number)
    _propose(act, 21, [{"set": {"game.lamp": 1, "players.ben.gold": 4}}, {"repeal": "lamps"}])
    return folder


def _propose(act: Player, hour: float, changes: list[Any]) -> None:
    act(hour, "cy", "propose", title=f"Hour {hour}", body="- one\n- two", changes=changes)


@pytest.fixture
def look(game: Path) -> Look:
    """A look at it."""
    opened = Game.open(game)
    return Look.at_time(opened, opened.last())


def test_what_a_matter_would_do_is_said_in_peoples_words(look: Look) -> None:
    page = posts.of_post(look, 3)
    changes = str(next(section.body for section in page.sections if section.id == "changes")).partition(
        "<details>"
    )[0]
    assert "<del>none</del> <ins>1</ins>" in changes, "null is no word of the game"
    assert '<a href="../../players/ben/">ben</a>’s gold' in changes
    plain = re.sub(r"<code>.*?</code>", "", changes)
    for word in ("null", "--json", "players.", "nomicgit", "game.lamp"):
        assert word not in plain, word
    assert "these values would go: " in plain, "what goes with the rule"


def test_players_in_the_journal_are_links(look: Look) -> None:
    (chunk,) = (page for page in chronicle.pages(look) if page.uri == "journal/1.md")
    row = next(each for each in str(chunk.lead).split("<tr>") if "<code>defy</code>" in each)
    (line,) = (each for each in row.split("<li>") if '<a href="../../players/ben/">ben</a>’s ' in each)
    parts = line.partition("</li>")[0].partition("’s ")[2].split("; ")
    assert len(parts) > 2, "many changes of one player stand in one line"
    assert 'rival: none → <a href="../../players/cy/">cy</a>' in parts
    assert "bag oil: none → 2" in parts
    assert (
        'foes: none → <a href="../../players/ben/">ben</a>, <a href="../../players/cy/">cy</a>'
        in chronicle_of(look, "defy", most=9)
    )


def chronicle_of(look: Look, action: str, *, most: int) -> str:
    """What is told of the one deed of an action."""
    (done,) = (each for each in look.annals.deeds if each.deed.action == action)
    return str(chronicle.told(Scribe(look, "journal/1.md"), done, most=most))


def test_who_comes_to_head_a_dynasty_is_told_by_the_dynastys_own_word(game: Path, look: Look) -> None:
    scribe = Scribe(look, "journal/1.md")
    (line,) = chronicle.changed(scribe, "dynasty", "emperor", "ana", "cy")
    assert line.startswith(f"{look.term('emperor')}: ")
    assert '<a href="../../players/cy/">cy</a>' in line


def test_the_law_of_two_deeds_of_one_minute_has_two_titles_and_shows_values_alone(look: Look) -> None:
    pages = [page for page in bygone.pages(look) if re.fullmatch(r"law/(\d+|deed-\d+)\.md", page.uri)]
    titles = [page.title for page in pages]
    assert len(titles) == len(set(titles)) == 3
    assert sum(", deed " in title for title in titles) == 2
    assert not {"uses", "forge", "made", "mailbox"} & {head for page in pages for head in _heads(page)}


def _heads(page: Page) -> list[str]:
    return re.findall(r'<th scope="col">(.*?)</th>', str(page.body))


def test_how_a_post_begins_keeps_the_items_of_its_list_apart(look: Look) -> None:
    assert "<p>one · two</p>" in str(posts.index(look, [3], {}).lead)


def test_a_vote_that_counts_as_something_else_says_its_icon_once(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("assassin"))
    act(1, "cy", "propose", title="Moon", body="", changes=[])
    act(2, "dee", "vote", matter=1, icon="deferential")
    act(3, "ben", "vote", matter=1, icon="for")
    card = (
        str(seen_pages(tmp_path)["index.md"].body).partition('id="pending-1"')[2].partition("</article>")[0]
    )
    votes = Markup(card.partition("Votes: ")[2].partition("</p>")[0]).striptags()
    assert votes == (
        "dee DEFERENTIAL (which is not valid now), ben FOR, cy (FOR, as the author who has used no icon)"
    )
