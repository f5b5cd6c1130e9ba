"""A physics is a value with a number, and what it means never changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.small import Small, small_law
from msgspec.structs import replace

from nomicgit.ground.problems import Refused
from nomicgit.law import merging
from nomicgit.law.declarations import Limit
from nomicgit.law.declaring import options
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics import numbers
from nomicgit.physics.numbers import ONE
from nomicgit.physics.physics import Physics, Word
from nomicgit.record.game import Game
from nomicgit.record.outside import entitled

WORDS_OF_ONE = """
add admins apply asked ballots call can catalogue cast_at changed changes close comment comments count create date deed
destroy dice digest divide do elapsed emit emperor entries everyone exists find gain get id is_idle is_player known later lose mark
may_use mentions name note now perform perform_as pick players put reaches read refuse remove require reset reveal roll say secretly_dice
secretly_pick secretly_roll secretly_shuffle settle shuffle span spend start_of tell term total transfer use used
votes was weekday
""".split()
DECLARATIONS_OF_ONE = (
    "actions catalogues clock collections counts filters guards limits numbers posts schedule settles terms variables views when"
).split()
FORMS_OF_ONE = (
    "add-rule amend bar move player rename rename-player repeal run scenario set status terms together undo uphold"
).split()

CLAMP = """---
title: Own
actions:
  own: {with: {n: integer}}
---
Words.

```starlark
def clamp(n, low, high):
    return max(low, min(n, high))

def do_own(actor, n):
    gain(actor, "gold", clamp(n, 0, 3))
```
"""
LAW = {"2-dynastic/20-own.md": CLAMP}
RESTS = """---
title: Rest
limits:
  nap: {per: day, times: 3}
---
Words.
"""
TWO = replace(
    ONE, number=2, words={**ONE.words, "clamp": Word(lambda _, n, low, high: max(low, min(n, high)))}
)


def test_physics_1_has_these_words_declarations_and_forms() -> None:
    assert set(ONE.words) ^ set(WORDS_OF_ONE) == set(), (
        "until the first release a new word belongs to physics 1: list it above"
    )
    assert sorted(ONE.declarations) == DECLARATIONS_OF_ONE
    assert sorted(ONE.forms()) == FORMS_OF_ONE


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that knows a second physics, with a word more."""
    monkeypatch.setitem(numbers.KNOWN, 2, TWO)


@pytest.mark.slow
def test_a_recorded_game_stays_what_it_is_though_a_later_physics_takes_a_name_of_its_law(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.found(tmp_path / "game", small_law(LAW))
    small.do("ana", "own", n=9)
    monkeypatch.setitem(numbers.KNOWN, 2, TWO)
    assert small.verified().faults == []
    small.do("ben", "own", n=2)
    assert small.verified().faults == []
    assert (small.value("players/ana gold"), small.value("players/ben gold")) == (13, 12)


def test_one_process_keeps_the_laws_of_two_physics_apart(both: None) -> None:
    law = small_law(LAW)
    assert ONE.law(law).problems == ()
    assert [each.what for each in TWO.law(law).problems] == ["clamp is a word of the language"]
    assert ONE.law(law).problems == ()


def test_one_process_keeps_what_two_physics_read_in_one_declaration_apart() -> None:
    """A later physics may read what a rule declares otherwise, from the very same text."""
    twice = merging._kind(
        "limit",
        lambda by, name, o: replace(Limit.of(by, name, o), times=2 * o["times"]),
        lambda tables: tables.limits,
        options("per times gap shared communal"),
    )
    two = replace(TWO, declarations={**ONE.declarations, "limits": twice})
    ruleset = Ruleset.read({"1-core/10-rest.md": RESTS})
    for physics, times in ((ONE, 3), (two, 6), (ONE, 3)):
        declared = physics.law(ruleset).declared
        assert not declared.problems
        assert declared.limits["nap"].times == times


def test_a_program_that_does_not_know_the_physics_says_which_it_wants(tmp_path: Path, both: None) -> None:
    small = Small.found(tmp_path / "game", physics=2)
    assert small.verified().faults == []
    with pytest.MonkeyPatch.context() as older:
        older.delitem(numbers.KNOWN, 2)
        with pytest.raises(Refused, match=r"knows physics 1, and not physics 2.*physics 2"):
            small.do("ana", "earn", n=1)


@pytest.mark.parametrize("number", [0, 3, "1", None, True])
def test_a_number_that_is_none_is_refused(number: object) -> None:
    with pytest.raises(Refused, match="physics"):
        numbers.physics_of(number)


def test_the_newest_physics_is_what_new_games_are_founded_under() -> None:
    assert isinstance(numbers.NEWEST, Physics)
    assert numbers.NEWEST.number == max(numbers.KNOWN)


def moved(small: Small, number: int, *by: str) -> str:
    """Play under another physics; the commit."""
    small.at += 60
    game = Game.open(small.folder)
    with game.repository:
        return entitled.under_physics(game, by or ("ana",), number, small.at).commit


@pytest.mark.slow
def test_a_game_moves_to_a_newer_physics_and_both_halves_verify(tmp_path: Path, both: None) -> None:
    small = Small.found(tmp_path / "game", restore={"by": ["ana"], "of": 1})
    small.do("ana", "earn", n=3)
    moved(small, 2)
    assert "physics: 2" in small.git("show", "HEAD:game/game.yml")
    rule = {"title": "Own", "text": "Words.", "declares": {"actions": {"own": {}}}}
    mechanics = 'def do_own(actor):\n    gain(actor, "gold", clamp(9, 0, 3))'
    done = small.enact({"add-rule": rule | {"mechanics": mechanics}})
    assert done.outcome.notes == []
    small.do("cy", "own")
    assert small.value("players/cy gold") == 13
    assert small.verified().faults == []


def test_a_program_that_knows_only_the_old_physics_verifies_up_to_the_move_and_says_why(
    tmp_path: Path, both: None
) -> None:
    small = Small.found(tmp_path / "game", restore={"by": ["ana"], "of": 1})
    small.do("ana", "earn", n=3)
    commit = moved(small, 2)
    with pytest.MonkeyPatch.context() as older:
        older.delitem(numbers.KNOWN, 2)
        faults = small.faults()
    assert list(faults) == [commit]
    assert "physics 2" in faults[commit][0]


def test_a_law_with_problems_under_the_newer_physics_stays_where_it_is(tmp_path: Path, both: None) -> None:
    small = Small.found(tmp_path / "game", small_law(LAW), restore={"by": ["ana"], "of": 1})
    with pytest.raises(Refused, match="clamp is a word of the language") as refused:
        moved(small, 2)
    where = refused.value.problems[0].where
    assert (where.file, where.line, where.rule) == ("game/ruleset/2-dynastic/20-own.md", 9, "Own")
    small.do("ana", "own", n=9)
    assert small.verified().faults == []


@pytest.mark.parametrize(
    ("number", "by", "why"),
    [(1, "ana", "already"), (0, "ana", "knows"), (9, "ana", "knows"), (2, "cy", "may not")],
)
def test_what_is_no_move_is_refused(tmp_path: Path, both: None, number: int, by: str, why: str) -> None:
    small = Small.found(tmp_path / "game", restore={"by": ["ana"], "of": 1})
    with pytest.raises(Refused, match=why):
        moved(small, number, by)


def test_whoever_may_not_cannot_move_a_game_by_a_commit(tmp_path: Path, both: None) -> None:
    small = Small.found(tmp_path / "game", restore={"by": ["ana"], "of": 1})
    commit = moved(small, 2)
    forged = small.git("log", "-1", "--format=%B", commit).replace('["ana"]', '["cy"]')
    forged = forged.replace("Nomic-By: ana", "Nomic-By: cy")
    small.git("commit", "-q", "--amend", "-m", forged, "--author", "cy <cy@nomicgit.invalid>")
    assert any("may not" in what for whats in small.faults().values() for what in whats)
