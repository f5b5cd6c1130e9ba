"""What each edition costs: founding a game of it, a vote, the outlook, and its whole law compiled."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from tables import PLAYERS, START, run

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.outlook.overview import outlook_of
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import founding
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.founding import found_game
from nomicgit.record.settings import Settings

T = TypeVar("T")

COMPILING = """\
import time
from nomicgit.physics.numbers import NEWEST
from nomicgit.record.shelf import Shelf
from nomicgit.record.tree import GameTree
from nomicgit.git import Repository
repository = Repository.open({folder!r})
tree = GameTree(repository, repository.commit(repository.head()).tree)
began = time.process_time()
law = NEWEST.law(tree.ruleset(shelf={shelf}))
law.compile()
print(time.process_time() - began)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What something costs in games of an edition, in seconds of the processor."""

    founding: float
    vote: float
    outlook: float


def costs(runs: int) -> Mapping[str, Cost]:
    """The costs of every edition, medians; the editions take turns, so that all meet the same machine."""
    found: dict[str, list[Cost]] = {name: [] for name in editions.names()}
    for number in range(runs + 1):
        for name, costs in found.items():
            cost = _cost(name, number)
            if number:  # the first run compiles
                costs.append(cost)
    return {name: _median(costs) for name, costs in found.items()}


def _cost(edition: str, number: int) -> Cost:
    start = Founding(START, list(PLAYERS), PLAYERS[0], [PLAYERS[1]], [])
    chance = Seeded(b"bench", f"bench {number}")
    world, founded = _spent(
        lambda: founding.found(
            editions.load(edition), start, chance, Context(secrets=True, trusted=True), NEWEST
        )
    )
    _act(
        world,
        2,
        "propose",
        title="Moonlight",
        changes=[{"add-rule": {"title": "Moon", "text": "It shines."}}],
    )
    _, voted = _spent(lambda: _act(world, 3, "vote", matter=1, icon="for"))
    look = Transaction(world.position, world.context, Seeded(b"bench", "looking"))
    seen, looked = _spent(lambda: outlook_of(look))
    assert len(seen.matters) == 1, seen.defects
    assert not seen.defects, seen.defects
    return Cost(founded, voted, looked)


def _act(world: Transaction, player: int, action: str, **given: object) -> None:
    at = START + 60 * player
    world.store.forget()  # what the deed before has done is no part of this one
    world.position.decide(
        world.context,
        Deed(f"{action} {at}", PLAYERS[player], action, given, at),
        Seeded(b"bench", action),
    )


def _spent(work: Callable[[], T]) -> tuple[T, float]:
    began = time.process_time()
    done = work()
    return done, time.process_time() - began


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(getattr(cost, each.name) for cost in costs) for each in fields(Cost)))


def compiled(scratch: Path, edition: str, runs: int) -> tuple[float, float]:
    """How long an edition's whole law takes to read and compile in a new process: with nothing kept, and from the file."""
    folder = scratch / edition
    start = Founding(START, list(PLAYERS), PLAYERS[0], [PLAYERS[1]], [])
    found_game(
        Repository.init(folder), editions.load(edition), Settings("Bench", edition, time="given"), start
    )
    cold, filed = (
        COMPILING.format(folder=str(folder), shelf=shelf)
        for shelf in (None, f"Shelf({str(folder / '.git')!r}, NEWEST.language)")
    )
    run(sys.executable, "-c", filed)
    times = [
        (float(run(sys.executable, "-c", cold)), float(run(sys.executable, "-c", filed))) for _ in range(runs)
    ]
    return statistics.median(time for time, _ in times), statistics.median(time for _, time in times)
