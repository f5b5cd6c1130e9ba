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


# ---- posts, comments, votes, statuses


def left(small: Small, deed: str) -> list[str]:
    """Take a deed back: what is told as left."""
    notes = small.enact({"undo": deed}).outcome.notes
    return [note for note in notes if "Not taken back" in note or "nothing to do" in note]


def test_a_post_that_a_deed_made_goes_with_its_file(small: Small) -> None:
    deed = small.do("cy", "story", title="Once", body="Upon a time.").outcome.deed.id
    assert left(small, deed) == []
    assert "1" not in small.ids("posts")
    assert "-once" not in small.git("ls-tree", "-r", "--name-only", "HEAD")
    assert small.verified().faults == []


def test_a_post_under_which_others_spoke_stays_and_is_told(small: Small) -> None:
    recorded = small.do("cy", "propose", title="A law")
    small.do("dee", "vote", matter="1", icon="for")
    assert "posts/1" in left(small, recorded.outcome.deed.id)[0]
    assert "1" in small.ids("posts")
    assert small.verified().faults == []


def test_a_vote_goes_and_the_last_one_of_a_post_takes_its_file_along(small: Small) -> None:
    small.do("cy", "propose", title="A law")
    first = small.do("dee", "vote", matter="1", icon="for").outcome.deed.id
    second = small.do("eli", "vote", matter="1", icon="against").outcome.deed.id
    assert left(small, first) == []
    lines = small.git("show", "HEAD:game/posts/2021/06/0001-a-law.comments.yml").splitlines()
    assert [line for line in lines if "dee" in line] == []
    assert left(small, second) == []
    assert "0001-a-law.comments.yml" not in small.git("ls-tree", "-r", "--name-only", "HEAD")
    assert small.verified().faults == []


def test_a_resolution_that_is_taken_back_leaves_its_matter_pending(small: Small) -> None:
    small.do("cy", "propose", title="Riches", changes=[{"set": {"players.cy.gold": 99}}])
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="1", icon="for")
    deed = small.do("ben", "resolve", matter="1").outcome.deed.id
    assert left(small, deed) == []
    assert (small.value("posts/1 status"), small.value("players/cy gold")) == ("pending", 10)
    assert small.value("open pending") == [1]
    assert "frozen" not in small.git("show", "HEAD:game/posts/2021/06/0001-riches.md")
    small.do("ben", "resolve", matter="1")
    assert small.value("posts/1 status") == "enacted"
    assert small.verified().faults == []


# ---- rules


def ruleset(small: Small) -> str:
    return small.git("ls-tree", "-r", "HEAD", "game/ruleset")


def state(small: Small) -> set[str]:
    """The files of the gamestate and the scenarios."""
    return set(small.git("ls-tree", "-r", "--name-only", "HEAD", "game/state", "game/scenarios").splitlines())


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {
            "add-rule": {
                "title": "Lanterns",
                "text": "They burn.",
                "before": "hoard",
                "declares": {"variables": {"oil": {}}},
            }
        },
        {"amend": {"rule": "hoard", "replace": "given away", "with": "lent"}},
        {"amend": {"rule": "hoard", "in": "declarations", "set": {"variables.gold.min": 1}}},
        {"rename": {"rule": "hoard", "to": "Treasure"}},
        {"move": {"rule": "hoard", "section": "appendix"}},
        {"repeal": "hoard"},
        {"scenario": {"name": "Gold", "text": "name: Gold\n"}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_an_enactment_did_to_the_law_is_taken_back_with_its_bytes(
    small: Small, change: dict[str, object]
) -> None:
    small.do("cy", "earn", n=3)
    small.do("cy", "dig", name="Hall")
    before, files = ruleset(small), state(small)
    deed = small.enact(change).outcome.deed.id
    assert left(small, deed) == []
    assert ruleset(small) == before
    assert state(small) - {"game/state/used.yml"} == files  # which keeps that the slug is used
    assert (small.value("players/cy gold"), small.value("rooms/r1 name")) == (12, "Hall")
    assert small.verified().faults == []


def test_a_rule_that_others_amended_since_is_taken_back_in_what_they_left_alone(small: Small) -> None:
    deed = small.enact(
        {"rename": {"rule": "hoard", "to": "Treasure"}}, {"amend": {"rule": "hoard", "replace": "given away", "with": "lent"}}
    ).outcome.deed.id  # fmt: skip
    small.enact({"rename": {"rule": "hoard", "to": "Riches"}})
    assert "the title of the rule Riches" in left(small, deed)[0]
    text = small.git("show", "HEAD:game/ruleset/2-dynastic/10-hoard.md")
    assert "title: Riches" in text
    assert "given away" in text
    assert small.verified().faults == []


# ---- the clock


def test_what_fell_due_by_the_clock_in_the_same_commit_stays(tmp_path: Path) -> None:
    rent = (
        "---\ntitle: Rent\nschedule:\n  rent: {every: day 00:00}\n---\nEverybody is paid each day.\n\n```starlark\n"
        'def schedule_rent():\n    for player in players():\n        gain(player, "gold", 1)\n```\n'
    )
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-rent.md": rent}))
    deed = small.do("cy", "earn", after=90_000, n=5).outcome.deed.id
    assert small.value("players/cy gold") == 17
    small.enact({"undo": deed})
    assert (small.value("players/cy gold"), small.value("players/dee gold")) == (12, 12)
    assert small.verified().faults == []


# ---- again


def test_a_deed_is_taken_back_once_and_again_once_that_was_taken_back(small: Small) -> None:
    deed = small.do("cy", "dig", name="Hall").outcome.deed.id
    first = small.enact({"undo": deed}).outcome.deed.id
    notes = small.enact({"undo": deed}).outcome.notes
    assert [note for note in notes if f"taken back already, by the deed {first}" in note]
    assert small.value("players/cy gold") == 10
    small.enact({"undo": first})
    assert (small.ids("rooms"), small.value("players/cy gold")) == (["r1"], 9)
    small.enact({"undo": deed})
    assert (small.ids("rooms"), small.value("players/cy gold")) == ([], 10)
    assert small.verified().faults == []
