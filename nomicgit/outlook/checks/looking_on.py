"""Looking on as the changes of a matter are made: what becomes of each, and what all of them did.

Runs in a worker, in a scratch copy of the game; what comes of it is plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from nomicgit.ground.problems import Problem
from nomicgit.law.law import NOTHING_SECRET
from nomicgit.outlook import meant
from nomicgit.outlook.checks import opens_for
from nomicgit.outlook.checks.collisions import made, what_became
from nomicgit.outlook.checks.disclosing import met, run_by
from nomicgit.outlook.checks.put import otherwise, put
from nomicgit.outlook.checks.rehearsed import kept
from nomicgit.outlook.checks.remarks import given, remarks
from nomicgit.outlook.checks.sights import changed_values, differing_views, seen
from nomicgit.outlook.checks.very_deed import aside, between_deeds
from nomicgit.physics.deeds import matters
from nomicgit.physics.state import naming, reading
from nomicgit.physics.state.transaction import Savepoint, Transaction


def plain_programs(run: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Programs with what they meet of what is secret, as plain data."""
    return {text: sorted(seen) for text, seen in run.items()}


class Remarked(NamedTuple):
    """What becomes of a change: nothing, or why it is not made; what may surprise about it where it is made, else what its names may
    have meant; the values that it sets, what of what is secret it meets, and whether it runs a program.
    """

    why: str
    surprises: list[dict[str, object]]
    values: list[dict[str, object]]
    secret: list[str]
    program: bool


def _post(world: Transaction, ref: str) -> dict[str, Any]:
    """A post that changes make: its number, kind, author (None: the game itself), title and text."""
    kind, title, text = (str(reading.get(world, ref, name)) for name in ("kind", "title", "body"))
    by = reading.get(world, ref, "author")
    return {
        "number": int(ref.partition("/")[2]),
        "kind": kind,
        "by": by and naming.called(world.store, str(by).removeprefix("players/")),
        "title": title,
        "text": text,
    }


def remarked_each(
    world: Transaction, matter: str, run: dict[str, set[str]] | None = None
) -> Iterator[Remarked]:
    """What becomes of each change where the law lets all of them be made. ``run`` takes up the programs that they run, each with
    what is secret that it meets.
    """
    written = reading.get(world, matter, "changes")
    for change in matters.changes(world, matter):
        as_written = written[int(str(change["number"])) - 1]
        yield _one(world, change, as_written, {} if run is None else run, partial(made, world, change))


def _one(
    world: Transaction,
    change: Mapping[str, Any],
    as_written: Mapping[str, Any],
    run: dict[str, set[str]],
    make: Callable[[], str],
) -> Remarked:
    """What becomes of a change that ``make`` makes, be it in a deed that is under way and learns nothing of this."""
    with aside(world):
        before = world.ruleset
        barred = [str(name) for name in given(as_written, "bar")]
        strangers = [name for name in barred if naming.player_id(world, name) is None]
        own, hanging = run_by(world, change)
        run |= own
        secret = [] if world.law.secrecy == NOTHING_SECRET else sorted(met(world, change))
        puts = put(world, as_written)
        stood = [each.stands(world) for each in puts]
    why = make()
    with aside(world):
        surprises = [
            *(
                map(Problem, meant.of_change(world, as_written))
                if why
                else [*remarks(as_written, before, world.ruleset, strangers), *otherwise(world, puts)]
            ),
            *([Problem(hanging)] if hanging else []),
        ]
        values: list[dict[str, object]] = [
            {"path": each.path, "old": old, "new": each.stands(world)}
            for each, old in zip(puts, stood, strict=True)
        ]
    plain = [each.as_json() for each in surprises]
    return Remarked(why, plain, [] if why else values, secret, bool(own))


class Onlooker:
    """Looks on as the law makes the changes of a matter. ``done`` is what all of them did, once the last is made: nothing where the
    law does not make them one by one, and in order.
    """

    def __init__(self, world: Transaction, matter: str, *, sights: bool) -> None:
        self.matter, self.sights = matter, sights
        self.written = reading.get(world, matter, "changes")
        self.remarked: list[Remarked] = []
        self.run: dict[str, set[str]] = {}
        self.done: dict[str, Any] = {}
        self._start, self._before, self._stood = world.mark(), dict[str, dict[str, Any]](), set[str]()

    def whole(self) -> bool:
        """Whether all changes were seen."""
        return bool(self.done) or not self.written

    def __call__(self, world: Transaction, change: Mapping[str, Any], make: Callable[[], str]) -> str:
        """Look on as a change is made."""
        number, whys = int(str(change["number"])), list[str]()
        if number == 1:
            self.remarked, self.run, self._start = [], {}, world.mark()
            with between_deeds(world):
                self._stood = {*reading.find(world, "posts")}
                self._before = seen(world, self.matter) if self.sights else {}
        if number != len(self.remarked) + 1:
            return make()

        def once() -> str:
            whys.append(make())
            return whys[-1]

        self.remarked.append(
            _one(world, change, self.written[number - 1], self.run, partial(what_became, world, once))
        )
        if number == len(self.written):
            with aside(world):
                self.done = done_since(world, self._start, self._stood)
            if self.sights:
                with between_deeds(world):
                    self.done |= sights_of(world, self._before, seen(world, self.matter))
        return whys[-1]


def done_since(world: Transaction, start: Savepoint, stood: Container[str]) -> dict[str, Any]:
    """What changes have done since a deed had come so far."""
    posts = [_post(world, each) for each in reading.find(world, "posts") if each not in stood]
    return {
        "texts": dict(world.ruleset.texts), "scenarios": kept(world), "values": changed_values(world, start.log), "posts": posts,
        "notes": world.notes[start.notes :], "chance": len(world.draws) > start.draws,
    }  # fmt: skip


def sights_of(
    world: Transaction, before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    return {
        "actions": opens_for.differences(world, before["actions"], after["actions"]),
        "views": differing_views(before["views"], after["views"]),
    }
