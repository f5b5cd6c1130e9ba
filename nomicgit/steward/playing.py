"""Playing a pass: events, then what falls due to be resolved, then how everything stands. In a worker, step by step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from nomicgit.clones import resolving
from nomicgit.git import Repository
from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.steward import standing
from nomicgit.steward.doorbell import Doorbell, Resolving
from nomicgit.steward.events import Event, in_order
from nomicgit.steward.pulls import FOR
from nomicgit.steward.seen import Issue, Pull
from nomicgit.steward.steps import Hitch, Step, Told, of_event, post_id, step_of
from nomicgit.steward.table import Table

if TYPE_CHECKING:
    from nomicgit.physics.state.transaction import Transaction
    from nomicgit.sealing.keys import Key

DEATHS = 3


class Asked(Struct, frozen=True):
    """What a pass is about: the threads that are new, what was told on each, by key, and what the reports hold already.

    ``refused``: why the forge does not take the deeds of events, or of posts, by their ids. ``unmerged``: the same of the
    histories of branches, by their heads. ``key``: the game's, where it is at hand; ``said``: what the letters were last.
    """

    doorbell: Doorbell
    threads: Sequence[Pull | Issue]
    told: Mapping[int, Collection[str]]
    reports: Mapping[int, str]
    now: int
    refused: Mapping[str, str] = field(default_factory=dict)
    unmerged: Mapping[str, str] = field(default_factory=dict)
    key: Key | None = None
    said: str = ""


def play(repository: Repository, asked: Asked) -> list[Step]:
    """All steps of a pass. Where the law ends the worker, what it was about is refused, and the others go on."""
    events = in_order(asked.threads, _waited(asked))
    steps: list[Step] = []
    taken = deaths = 0

    def rest(_: int) -> Iterator[dict[str, Any]]:
        return (step.as_json() for step in _steps(repository, asked, events[taken:]))

    while True:
        try:
            for step in map(step_of, worker.stream(rest)):
                steps.append(step)
                taken += of_event(step)
            return steps
        except NomicError as wrong:
            why = wrong.problems[0].what
        except worker.Broken as wrong:
            why = f"the program has a defect: {str(wrong).strip().splitlines()[-1]}"
        deaths += 1
        if taken == len(events) or deaths > DEATHS:
            why = why if asked.key is None else "it is not told why, for that may be secret"
            return [*steps, Hitch(f"the pass ended early: {why}")]
        event = events[taken]
        whom = (event.who.login,) if event.who is not None else ()
        steps.append(Told(event.number, (event.key,), why, whom, refused=True, event=event.id))
        taken += 1


def _waited(asked: Asked) -> list[int]:
    """The pull requests that were told that they wait, or are none: their later opening counts from their last change."""
    return [number for number, keys in asked.told.items() if any(_waits(number, key) for key in keys)]


def _waits(number: int, key: str) -> bool:
    return key in ("draft", f"pull-{number}") or key.startswith(
        (FOR, f"pull-{number}-edited-", f"aside-pull-{number}-")
    )


def _steps(repository: Repository, asked: Asked, events: Sequence[Event]) -> Iterator[Step]:
    table = Table(repository, asked.doorbell, asked.threads, asked.told, asked.now, asked.key, asked.said)
    table.refused, table.game.unmerged = asked.refused, frozenset(asked.unmerged)
    for event in events:
        yield table.take(event)
    yield from table.in_secret()
    yield from _resolved(table)
    yield from table.letters()
    yield from table.left_unmerged(asked.unmerged)
    yield from standing.stands(table, asked.reports)


def _resolved(table: Table) -> Iterator[Step]:
    """Resolve what may be, the oldest first, as often as something can be."""
    doorbell = table.doorbell
    if doorbell.resolve is not Resolving.STEWARD or doorbell.by is None:
        return
    by = table.people.names.get(doorbell.by.casefold())
    if by is None:
        yield Hitch(f"forge.by of the settings is no player: {doorbell.by}")
        return
    tried = {number for number in table.pending().values() if post_id(number) in table.refused}
    for number in sorted(tried):
        yield Hitch(f"post {number} is set aside: {table.refused[post_id(number)]}")

    def look() -> Transaction:
        return table.game.looked_at(max(table.now, table.game.last()))

    for post, outcome in resolving.each_due(look, tried):
        yield table.resolve(post, outcome, by)
