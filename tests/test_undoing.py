"""The change ``undo: DEED`` on recorded games: the effects are read from the record, and replayed without it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.small import Small, small_law


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small.found(tmp_path / "game")


def test_what_a_recorded_deed_made_goes_and_what_it_cost_comes_back(small: Small) -> None:
    deed = small.do("cy", "dig", name="Hall").outcome.deed.id
    small.enact({"undo": deed})
    assert (small.ids("rooms"), small.value("players/cy gold")) == ([], 10)
    assert small.verified().faults == []


def test_what_others_changed_since_stays_and_is_said(small: Small) -> None:
    deed = small.do("cy", "dig", name="Hall").outcome.deed.id
    small.enact({"set": {"rooms.r1.name": "Nave"}})
    notes = small.enact({"undo": deed}).outcome.notes
    assert [note for note in notes if "Not taken back" in note and "rooms/r1" in note]
    assert (small.ids("rooms"), small.value("players/cy gold")) == (["r1"], 10)
    assert small.verified().faults == []


def test_what_a_recorded_deed_took_away_comes_back_in_its_place(small: Small) -> None:
    for name in ("Hall", "Nave", "Well"):
        small.do("cy", "dig", name=name)
    light = small.value("rooms/r2 light")
    deed = small.do("dee", "raze", room="r2").outcome.deed.id
    small.enact({"undo": deed})
    assert (small.ids("rooms"), small.value("rooms/r2 light")) == (["r1", "r2", "r3"], light)
    assert small.verified().faults == []


def test_a_newcomer_who_joined_illegally_goes(small: Small) -> None:
    deed = small.do("zed", "join").outcome.deed.id
    small.enact({"undo": deed})
    assert "zed" not in small.ids("players")


def test_a_cell_of_a_grid_is_as_if_it_had_not_been_written(tmp_path: Path) -> None:
    grid = (
        "---\ntitle: Board\ncollections:\n"
        "  cells: {key: {columns: [A, B], rows: [1, 2]}, fields: {n: {type: integer}, t: {type: text, default: x}}}\n"
        "actions:\n  mark: {with: {cell: cells, n: {type: integer}}}\n---\nWords.\n\n```starlark\n"
        'def do_mark(actor, cell, n):\n    gain(cell, "n", n)\n```\n'
    )
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-board.md": grid}))
    deed = small.do("cy", "mark", cell="A1", n=3).outcome.deed.id
    small.do("dee", "mark", cell="A1", n=4)
    small.enact({"undo": deed})
    assert small.value("cells/A1 n") == 4
    assert small.verified().faults == []
