"""Rehearsals and games differ in nothing but secrets and chance: random games, played in memory and in Git, stay the same."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.hints_core import decree
from support.hints_crypt import PREFER
from support.ids import named
from support.randomly import CHANGES, RandomPlay
from support.twins import InGit, InMemory, Twins

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import journal
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import verify

START = clock.instant("2021-06-07T00:00:00Z")
FOUNDING = Founding(START, ["ana", "ben", "cy", "dee", "eli", "fox"], "ana", ["ben", "cy", "dee"], ["zed"])


@pytest.fixture
def twins(tmp_path: Path) -> Twins:
    """A game of the edition crypt in Git, and the same in memory."""
    rules = editions.load("crypt")
    found_game(Repository.init(str(tmp_path)), rules, Settings("Twins", "crypt", time="given"), FOUNDING)
    game = Game.open(tmp_path)
    entry = journal.parse(game.head.message)
    return Twins(InMemory(rules, FOUNDING, entry.deed.id, (entry.seeds or [b""])[0]), InGit(game))


def changing(play: RandomPlay, world: Transaction, deeds: list[str]) -> Mapping[str, Any]:
    """A change of any kind: of values, rules, names, and what earlier deeds did, taken back."""
    r = play.random
    who = r.choice(world.store.ids("players"))
    rule = r.choice([each.slug for each in world.ruleset.rules if each.section == "dynastic"])
    found: list[Mapping[str, Any]] = [
        r.choice(CHANGES)(r, world),
        {"rename-player": {"from": who, "to": f"{who}{r.randrange(99)}"}},
        {"rename": {"rule": rule, "to": f"Rule {r.randrange(99)}"}},
        {"amend": {"rule": rule, "add": "So be it.", "at": "end"}},
        {"move": {"rule": rule, "section": "dynastic"}},
        {"set": {f"players.{who}.puissance": r.randrange(9)}},
    ]
    undone = {"undo": r.choice(deeds[-12:])}
    return undone if r.random() < 0.5 else r.choice(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_random_game_is_the_same_in_memory_and_in_git(twins: Twins, seed: int) -> None:
    play = RandomPlay(
        twins,  # type: ignore[arg-type]
        seed, START, prefer=PREFER, calm=("dov", "ascend", "pass-mantle"), name=lambda n: named(f"deed-{n}"),
    )  # fmt: skip
    for _ in range(8):
        play.play(play.accepted.total() + 4, [], 60)
        world = play.game.world()
        decree(play, world, changing(play, world, [deed.id for deed in twins.deeds]))
    assert play.accepted.total() >= 40
    assert isinstance(twins.other, InGit)
    game = twins.other.game
    assert verify(game.repository, game.head.oid).faults == []


def test_a_deed_of_every_sort_taken_back_is_the_same_in_memory_and_in_git(twins: Twins) -> None:
    play = RandomPlay(twins, 1, START, name=lambda n: named(f"deed-{n}"))  # type: ignore[arg-type]
    play.attempt("ben", "propose", {"title": "Lanterns", "changes": [{"repeal": "unlife"}]})
    play.attempt("cy", "vote", {"matter": "1", "icon": "against"})
    play.attempt("dee", "explore", {"room": "E3", "name": "Hall"})
    deeds = [deed.id for deed in twins.deeds]
    decree(
        play,
        play.game.world(),
        {"rename": {"rule": "unlife", "to": "Undeath"}},
        {"rename-player": {"from": "dee", "to": "deb"}},
    )
    deeds.append(twins.deeds[-1].id)
    for deed in reversed(deeds):
        decree(play, play.game.world(), {"undo": deed})
    world = play.game.world()
    assert world.ruleset.by_slug["unlife"].title == "Unlife"
    assert world.store.value("players/dee", "name") == "dee"
    assert world.store.fields("posts/1") is None
