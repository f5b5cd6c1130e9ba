"""What rules get at of what is secret, however they get at it: seen when they are played in scratch games, where physics hands it out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct, field

from nomicgit.ground.problems import NomicError, Problem
from nomicgit.law.law import NOTHING_SECRET, Law
from nomicgit.outlook.checks.aimed import emitting
from nomicgit.outlook.checks.rules_played import Tried, act
from nomicgit.physics.deed import Failure, Heard
from nomicgit.physics.state.reading import KEPT
from nomicgit.physics.state.store import PROGRAMS, WHOLE, Store, kind_of
from nomicgit.physics.state.transaction import Savepoint, Transaction

JOURNAL = "the journal"
Plain = tuple[str, list[str], list[str]]
"""The slug of a rule, what it meets and what it shows."""


class Uncovered(Struct, frozen=True):
    """What of what is secret a rule meets, and what it ``shows``: what it writes, where it meets any, that everybody sees."""

    met: set[str] = field(default_factory=set)
    shows: set[str] = field(default_factory=set)

    def plain(self) -> tuple[list[str], list[str]]:
        """The same as plain data."""
        return sorted(self.met), sorted(self.shows)


NOTHING: Mapping[str, Uncovered] = MappingProxyType({})


class Uncovering(Tried):
    """A scratch game that keeps what of what is secret the functions of each rule meet, by the rule's file."""

    by_file: dict[str, Uncovered]
    unasked: frozenset[str]

    def call_under(self, law: Law, function: str, /, *arguments: object, **named: object) -> object:
        """Call a function of a law, and keep what is secret that it meets. Whoever only tells it something, or lets it happen, learns
        nothing of that.
        """
        if law.secrecy == NOTHING_SECRET:
            return super().call_under(law, function, *arguments, **named)
        outer, self.store.met, before = self.store.met, set(), self.mark()
        try:
            answer = super().call_under(law, function, *arguments, **named)
            self._keep(law, function, _shown(self, before) if self.store.met else ())
            return answer
        except NomicError:
            self._keep(law, function, ())
            raise
        finally:
            self.store.met = outer if function in self.unasked else outer | self.store.met

    def _keep(self, law: Law, function: str, shows: Iterable[str]) -> None:
        if met := in_words(self.store):
            seen = self.by_file.setdefault(law.place(Problem(""), function).where.file, Uncovered())
            seen.met.update(met)
            seen.shows.update(shows)

    def hear(self, slugs: Collection[str]) -> None:
        """Let the actions of others happen of which some rules hear; what breaks there, or is done, is another matter."""
        if self.law.secrecy == NOTHING_SECRET:
            return
        heard = {
            event
            for event, some in self.law.declared.listeners.items()
            if any(each.rule in slugs for each in some)
        }
        emit = {function for function, event in emitting(self.law) if event in heard} if heard else set()
        beside = [
            each
            for each in self.law.declared.actions.values()
            if each.function in emit and each.rule not in slugs
        ]
        defects, done, unfit, events, listeners = (
            self.defects,
            self.done,
            self.unfit,
            self.events,
            self.listeners,
        )
        self.defects, self.done, self.unfit, self.events, self.listeners = {}, set(), {}, {}, {}
        act(self, beside)
        self.defects, self.done, self.unfit, self.events, self.listeners = (
            defects,
            done,
            unfit,
            events,
            listeners,
        )


def unasked(law: Law) -> frozenset[str]:
    """The functions from which no caller gets an answer: those that hear of something, and those that settle."""
    listeners = (each.function for some in law.declared.listeners.values() for each in some)
    return frozenset((*listeners, *(each.function for each in law.declared.settles.values())))


def in_words(store: Store) -> set[str]:
    """The secret variables and collections of what was met in a store."""
    names = set()
    for what in store.met:
        name, _, kind = what.rpartition(" of ")
        if kind in store.secrecy.kinds:
            names.add(kind)
        elif (kind, name) in store.secrecy.variables:
            names.add(f"{kind}.{name}")
    return names


def _shown(world: Transaction, before: Savepoint) -> Iterator[str]:
    """What has been written since that everybody sees."""
    for change in world.store.since(before.log):
        kind = kind_of(change.ref)
        if kind in PROGRAMS or kind in world.store.secrecy.kinds:
            continue
        declared = world.law.variable(kind, change.field)
        if kind == "posts" or change.field in WHOLE:
            yield kind
        elif change.field in KEPT.get(kind, ()) or (
            declared is not None and declared.tracked == "public" and not declared.transient
        ):
            yield f"{kind}.{change.field}"
    for line in world.notes[before.notes :]:
        if not isinstance(line, Failure) and (world.hidden is not True or isinstance(line, Heard)):
            yield JOURNAL
