"""What somebody asks, tries or is refused before a deed leaves its commit the same, to the byte."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hostile.small import Small, small_law
from hypothesis import HealthCheck, settings
from hypothesis import given as chosen
from hypothesis import strategies as st

from nomicgit.ground.problems import Refused
from nomicgit.outlook.checks import foretold
from nomicgit.outlook.overview import outlook_of
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game

BREAKS = """---
title: Breaks
settles:
  breaks: {of: player, watches: [motto]}
actions:
  waste: {}
---
Words.

```starlark
def settle_breaks(ref):
    if get(ref, "motto"):
        roll(6)
        put(ref, gold=get(ref, "gold") + roll(6))
        fail = 1 // 0

def do_waste(actor):
    roll(6)
    put(actor, gold=99)
    create("rooms", light=1)
    note("All is wasted.")
    refuse("that is never done")
```
"""
AT = 600  # seconds after the founding
OTHER = "20210607T001000Z-00000000000{}"


def deed(number: int, action: str, **given: object) -> Deed:
    return Deed(OTHER.format(number), "dee", action, given, Small(Path()).at + AT)


def tried(action: str, **given: object) -> Callable[[Game], object]:
    return lambda game: game.tried(deed(1, action, **given))


def refused(action: str, **given: object) -> Callable[[Game], object]:
    def ask(game: Game) -> None:
        with pytest.raises(Refused):
            game.act(deed(2, action, **given))

    return ask


def tried_and_refused(game: Game) -> None:
    with suppress(Refused):
        game.tried(deed(3, "waste"))


ASKED: dict[str, Callable[[Game], object]] = {
    "a dry run that throws dice": tried("roll", sides=20),
    "a dry run that makes a room": tried("dig", name="Cellar"),
    "a dry run in which a hook breaks": tried("set", path="players.dee.motto", value="Onwards"),
    "a dry run that is refused": tried_and_refused,
    "a deed that is refused": refused("raze", room="r9"),
    "a deed that is refused after all that it did": refused("waste"),
    "a deed of which a change is refused": refused("set", path="players.cy.gold", value=-1),
    "a look at all that is pending": lambda game: outlook_of(game.looked_at(Small(Path()).at + AT)),
    "a matter that is tried": lambda game: foretold(game.looked_at(Small(Path()).at + AT), "posts/1"),
}
"""What may be asked of a game that stands open, one after the other."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which a proposal is pending that throws dice."""
    small = Small.found(
        tmp_path_factory.mktemp("asked") / "game", small_law({"2-dynastic/20-breaks.md": BREAKS})
    )
    run = 'put("players/ana", gold=roll(6))\nput("players/ana", motto="Lucky")'
    small.do("cy", "propose", title="Luck", changes=[{"run": run}])
    return small.folder


def commit_after(table: Path, folder: Path, asked: Sequence[str]) -> str:
    """The commit of a deed that throws dice, of a game which has done another one since it was opened, and was asked this first."""
    shutil.copytree(table, folder)
    game = Game.open(folder)
    with game.repository:
        game.act(deed(8, "earn", n=2), lambda: b"seed" * 8)
        for each in asked:
            ASKED[each](game)
        return game.act(deed(9, "dig", name="Vault"), lambda: b"dice" * 8).commit


@pytest.mark.slow
@pytest.mark.parametrize("question", ASKED)
def test_a_deed_has_the_commit_that_it_had_though_something_was_asked_first(
    table: Path, tmp_path: Path, question: str
) -> None:
    assert commit_after(table, tmp_path / "asked", [question]) == commit_after(table, tmp_path / "plain", [])


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@chosen(
    asked=st.lists(st.sampled_from(sorted(set(ASKED) - {"a matter that is tried"})), min_size=2, max_size=5)
)
def test_a_deed_has_the_commit_that_it_had_whatever_was_asked_first(
    table: Path, tmp_path_factory: pytest.TempPathFactory, asked: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    assert commit_after(table, folder / "asked", asked) == commit_after(table, folder / "plain", [])
