"""What stands back at first: columns of times, those in which nobody has moved, and in lists what is more than a few."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from markupsafe import Markup
from support.sites import played, seen_pages

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset
from nomicgit.site import chronicle

TIME = re.compile(r"\d{4}-\d\d-\d\d(T[\d:]+Z)?")


@pytest.mark.slow
def test_times_and_what_all_begin_with_stand_back_at_first(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("dungeon"))
    act(30, "cy", "post", title="Moonlight")
    page = str(seen_pages(tmp_path)["players.md"].body)
    [table] = re.findall(r'<div class="nomic-table[^>]*aria-label="Active players"[^>]*>', page)
    [fields], [quiet] = (re.findall(rf'data-{name}="([^"]*)"', table) for name in ("fields", "quiet"))
    shown = [name for column, name in enumerate(fields.split(), 1) if str(column) not in quiet.split()]
    files = (tmp_path / "game/state/players").glob("*.yml")
    players = [yaml.safe_load(file.read_text()) for file in files]
    assert "dynasties_headed" in shown, "of which the emperor has one"
    assert "hp" not in shown, "as at first"
    assert "health" not in shown, "10 (10), of which the one stands under hp and the other under max hp"
    for name in shown:
        values = {str(each[name]) for each in players if name in each}
        assert not any(TIME.fullmatch(each) for each in values), name


@pytest.mark.slow
def test_a_wide_table_has_the_window_for_itself(tmp_path: Path) -> None:
    """The ways to the parts of a page stand at its top, so that no contents need to stand beside the table."""
    act = played(tmp_path, editions.load("dungeon"))
    act(30, "cy", "post", title="Moonlight")
    seen = seen_pages(tmp_path)
    wide = [page for page in map(seen.__getitem__, seen) if "nomic-wide" in page.body]
    long = [page for page in wide if sum(section.level == 2 for section in page.sections) > 3]
    assert {page.uri for page in long} >= {"players/cy.md", "gamestate.md"}
    assert [page.uri for page in long if page.body.count("nomic-ways") != 1] == []


ZOO = (
    """---
title: Zoo
collections:
  beasts:
    key: {prefix: b}
    fields:
      mode: {type: choice, choices: [ranged, melee], default: ranged}
      floor: {type: integer, default: 1}
      gold: integer
      habit: mechanics
actions:
  breed: {summary: Breed a beast, with: {much: {type: integer, default: 1}, calm: {type: boolean, default: false}}}
  feed: {summary: Feed, with: {much: integer}}
variables:
"""
    + "".join(f"  food_{n}: {{of: player, type: integer}}\n" for n in range(1, 7))
    + """---
There are beasts.

```starlark
def do_breed(actor, much, calm):
    for n in range(much):
        create("beasts", habit="gain(actor, \\"gold\\", 1)")

def do_feed(actor, much):
    for n, player in enumerate(players()[:much]):
        gain(player, "food_" + str(n + 1), 1)
```
"""
)


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which two beasts were bred, and more and more were fed."""
    folder = tmp_path_factory.mktemp("zoo")
    act = played(folder, Ruleset.read({"2-dynastic/10-zoo.md": ZOO}))
    act(1, "cy", "breed", much=2)
    for hour, much in enumerate((chronicle.FEW, chronicle.FEW + 1, chronicle.FEW + 2), 2):
        act(hour, "dee", "feed", much=much)
    return folder


def test_of_a_collection_what_says_anything_is_a_column_at_first(zoo: Path) -> None:
    page = str(seen_pages(zoo)["gamestate.md"].body)
    [table] = re.findall(r'<div class="nomic-table[^>]*aria-label="beasts"[^>]*>', page)
    [fields], [quiet] = (re.findall(rf'data-{name}="([^"]*)"', table) for name in ("fields", "quiet"))
    back = [name for column, name in enumerate(fields.split(), 1) if str(column) in quiet.split()]
    assert back == ["gold"], "how and where they fight is said, though all do it alike"
    folded = re.findall(r"<details>\s*<summary>mechanics</summary>\s*<code>gain[^<]*</code>", page)
    assert len(folded) == page.count("gain(actor") == 2, "and nowhere as it stands"


def test_more_is_never_one_alone(zoo: Path) -> None:
    home = str(seen_pages(zoo)["index.md"].body)
    assert re.findall(r"and (\d+) more", home) == ["2"], "one more takes the room of the way to it"


def test_a_morning_says_what_an_action_may_take_and_who_has_none(zoo: Path) -> None:
    pages = seen_pages(zoo)
    row = re.search(r"<tr><th[^>]*><code>breed</code>.*?</tr>", str(pages["me/cy.md"].body), re.DOTALL)
    assert row is not None
    assert "more if you like: much=MUCH, calm=CALM" in Markup(row[0]).striptags()
    said = Markup(pages["me.md"].body).striptags()
    assert "Whoever is idle has no morning: fay." in said
