"""Which columns of the players' table stand back at first: those of times, and those in which nobody has moved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from support.sites import played, seen_pages

from nomicgit import editions

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
