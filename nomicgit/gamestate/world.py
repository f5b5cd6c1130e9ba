"""A game while a deed is decided: its state, its law, the time, and what the deed has done so far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from inspect import Signature, signature
from typing import Any, NamedTuple, Protocol

from nomicgit.clock import Calendar, text
from nomicgit.declaring import type_of
from nomicgit.gamestate.store import Change, Store
from nomicgit.law import Law, law_of
from nomicgit.problems import Defect, Malformed, NomicError, Refused
from nomicgit.ruleset import Ruleset
from nomicgit.variables import Type

FUEL = 1_000_000
MORE_FUEL = 10  # times as much for verification, where fuel decides nothing
TEXTS: Mapping[str, int] = {
    **dict.fromkeys(
        "read find count id catalogue known term put create destroy reset say comment".split(), 1
    ),
    **dict.fromkeys("comments entries tell ballots votes changes close use may_use used asked".split(), 1),
    **dict.fromkeys("call start_of do can emit".split(), 1),
    **dict.fromkeys("get was gain spend lose add remove mark reveal".split(), 2),
    "transfer": 3,
}
"""How many of a word's first arguments are references or names."""


class Exhausted(Refused):
    """The fuel is spent: the whole deed is refused."""


class Chance(Protocol):
    """Where random results come from. ``drawn``: how many have been drawn, which may be put back."""

    drawn: int

    def die(self, sides: int, *, secret: bool) -> int:
        """A face from 1 to ``sides`` (2 or more, or 1)."""

    def choice(self, options: Sequence[str], *, secret: bool) -> int:
        """The place of one of these options (two or more)."""

    def scratch(self) -> Chance:
        """Chance of its own, for what is only tried."""


class History(Protocol):
    """What earlier deeds of the game were."""

    def deed(self, name: str) -> Mapping[str, Any] | None:
        """``{actor, action, with, at}`` of a deed, or None."""

    def effects(self, name: str) -> Sequence[Mapping[str, Any]] | None:
        """The net effects of a deed: ``[{ref, field, old, new}]``, or None where they are not known."""


class NoHistory:
    """The history of a game that has none."""

    def deed(self, name: str) -> Mapping[str, Any] | None:
        """There is none."""
        return None

    def effects(self, name: str) -> Sequence[Mapping[str, Any]] | None:
        """There are none."""
        return None


@dataclass(slots=True)
class Frame:
    """What a computation looked at: fields (by entity and by kind) and instants at which an answer changes.

    ``within`` are computations on which it hangs; ``passing``: it hangs on the step under way too, and is not kept.
    """

    reads: set[tuple[str, str]] = field(default_factory=set)
    instants: list[int] = field(default_factory=list)
    within: list[Frame] = field(default_factory=list)
    passing: bool = False

    def whole(self) -> Frame:
        """The same with all that the computations within looked at."""
        found, waiting, seen = Frame(passing=self.passing), [self], {id(self)}
        while waiting:
            frame = waiting.pop()
            found.reads |= frame.reads
            found.instants += frame.instants
            fresh = [each for each in frame.within if id(each) not in seen]
            seen |= set(map(id, fresh))
            waiting += fresh
        return found


@dataclass(slots=True)
class Step:
    """A deed, or a step of one by ``do``: who does what, with which parameters."""

    actor: str | None
    action: str
    given: Mapping[str, Any]
    matter: str | None = None


class Draw(NamedTuple):
    """One random result: what was drawn from, what came, and whether only the emperor learns of it."""

    what: str
    result: str
    secret: bool


class Savepoint(NamedTuple):
    """How far a deed had come: everything that it does is taken back to there, but for fuel and evidence."""

    log: int
    notes: int
    told: int
    draws: int
    closings: int
    drawn: int
    off: frozenset[str]
    unsettled: Sequence[Change]
    settled: int
    now: int
    cast_at: int


class Closing(NamedTuple):
    """A matter that is being enacted, and how far the deed had come before that."""

    matter: str
    before: Savepoint


@dataclass(slots=True)
class _LawBefore:
    """Undoes a change of the ruleset."""

    world: World
    ruleset: Ruleset

    def back(self) -> None:
        self.world.set_law(self.ruleset)


@dataclass(slots=True)
class _RuledBefore:
    """Undoes that a law was brought into force."""

    world: World
    law: Law | None

    def back(self) -> None:
        self.world.ruled = self.law


class World:
    """The mutable heart of a decision. Its parts are plain functions over it, in the modules beside."""

    def __init__(
        self,
        store: Store,
        ruleset: Ruleset,
        words: Mapping[str, Callable[..., Any]],
        *,
        now: int,
        chance: Chance,
        secrets: bool,
        history: History | None = None,
    ) -> None:
        self.store, self.ruleset, self.now, self.cast_at = store, ruleset, now, now
        self.chance, self.secrets = chance, secrets
        self.history: History = history or NoHistory()
        self.word_table = words
        self.words: Mapping[str, Callable[..., Any]] = {n: _Lent(self, n, word) for n, word in words.items()}
        self.word_names = frozenset(words)
        self._law: Law | None = None
        self.memo: dict[tuple[str, str], tuple[int, Any, Frame]] = {}
        self.computing: set[tuple[str, str]] = set()
        self.frames: list[Frame] = []
        self.steps: list[Step] = []
        self.units: list[int] = [0]
        self.counting: frozenset[str] = frozenset()
        self.off: frozenset[str] = frozenset()
        self.notes: list[str] = []
        self.told: list[tuple[str, str]] = []
        self.draws: list[Draw] = []
        self.fuel = FUEL
        self.settled = 0
        self.unsettled: Sequence[Change] = []
        self.reading = self.viewing = 0
        self.closings: list[Closing] = []
        self.evidence: dict[str, list[str]] = {}
        self.told_evidence: Mapping[str, Sequence[str]] | None = None
        self.trusted = False
        self.running: Law | None = None
        self.parent_law: Law | None = None
        self.branch: str | None = None
        self.ruled: Law | None = None
        self.roster_memo: tuple[int, dict[str, list[str]]] = (-1, {})
        self.found_memo: tuple[tuple[int, Law | None], dict[tuple[str, str], list[str]]] = ((-1, None), {})

    @property
    def law(self) -> Law:
        """The newest law."""
        if self._law is None:
            self._law = law_of(self.ruleset, self.word_names)
        return self._law

    def set_law(self, ruleset: Ruleset) -> None:
        """Take another ruleset without a trace; see ``amend_law``."""
        self.ruleset, self._law = ruleset, None

    def amend_law(self, ruleset: Ruleset) -> None:
        """Take another ruleset, so that a rollback takes it back."""
        self.store.note(_LawBefore(self, self.ruleset))
        self.set_law(ruleset)

    def rule_by(self, law: Law) -> None:
        """Note which law has been brought into force, so that a rollback takes it back."""
        self.store.note(_RuledBefore(self, self.ruled))
        self.ruled = law

    # Taking back.

    def mark(self) -> Savepoint:
        """How far the deed has come."""
        return Savepoint(
            len(self.store.log), len(self.notes), len(self.told), len(self.draws), len(self.closings), self.chance.drawn,
            self.off, self.unsettled, self.settled, self.now, self.cast_at,
        )  # fmt: skip

    def back(self, to: Savepoint) -> None:
        """Take back what the deed has done since; what its log holds brings the law back too."""
        self.store.rollback(to.log)
        del self.notes[to.notes :], self.told[to.told :], self.draws[to.draws :], self.closings[to.closings :]
        self.chance.drawn = to.drawn
        self.off, self.unsettled, self.settled = to.off, to.unsettled, to.settled
        self.now, self.cast_at = to.now, to.cast_at

    @contextmanager
    def savepoint(self) -> Iterator[Savepoint]:
        """Whatever raises within is taken back."""
        mark = self.mark()
        try:
            yield mark
        except BaseException:
            self.back(mark)
            raise

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Whatever is done within is taken back, and has chance of its own."""
        mark, chance, reading = self.mark(), self.chance, self.reading
        self.chance, self.reading, self.unsettled = chance.scratch(), 0, []
        try:
            yield
        finally:
            self.chance, self.reading = chance, reading
            self.back(mark)

    def rest(self, function: str, name: str, error: NomicError) -> None:
        """A hook whose own code, or what it watches, is defective does nothing more in this deed."""
        self.off |= {function}
        self.notes.append(f"{name} is defective and rests for this deed: {error.problems[0]}")

    @property
    def calendar(self) -> Calendar:
        """The calendar of the newest law."""
        return self.law.calendar

    def time(self) -> str:
        """The time of the deed, or of the event under way."""
        return text(self.now)

    def burn(self, turns: int = 1) -> None:
        """Count fuel."""
        self.fuel -= turns
        if self.fuel < 0:
            raise Exhausted.of("the law runs on and on: the deed's fuel is spent")

    def call(self, function: str, /, *arguments: object, **named: object) -> Any:
        """Call a function of the newest law."""
        return self.call_under(self.law, function, *arguments, **named)

    def call_under(self, law: Law, function: str, /, *arguments: object, **named: object) -> Any:
        """Call a function of a law; a parameter may have any name."""
        before, self.running = self.running, law
        try:
            return self.running.call(self, function, *arguments, **named)
        finally:
            self.running = before

    def ask(self, function: str, *arguments: object) -> Any:
        """Call a function that a declaration names; None where no rule in force defines it."""
        if not function or not self.law.has(function):
            return None
        return self.call(function, *arguments)

    def shown(self, name: str, arity: int, /, *arguments: Any, **named: Any) -> Any:
        """What a view says to the law itself: remembered, as for those who look from outside."""
        from nomicgit.gamestate.reading import remembered  # reading reads through this module

        law = self.running or self.law
        if (
            named
            or law is not self.law
            or len(arguments) != arity
            or not all(isinstance(a, str) for a in arguments)
        ):
            return self.call_under(law, name, *arguments, **named)
        key = (
            "view " if self.viewing else "shown "
        ) + name  # apart: a view that all may see reads no secrets
        return remembered(
            self, (arguments[0] if arguments else "game", key), lambda: self.call(name, *arguments)
        )

    @contextmanager
    def recording(self) -> Iterator[Frame]:
        """Record what is looked at meanwhile; whoever records outside sees it too."""
        frame = Frame()
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()
            self.saw(frame)

    def saw(self, frame: Frame) -> None:
        """Let whoever is recording see what a computation looked at."""
        if self.frames:
            self.frames[-1].within.append(frame)
            self.frames[-1].passing |= frame.passing

    def read(self, place: str, field: str) -> None:
        """A field of an entity (or of all of a kind, ``kind/*``) was looked at."""
        if self.frames:
            self.frames[-1].reads.add((place, field))

    def looks_at_step(self) -> None:
        """The step or unit under way was looked at: what hangs on it holds no longer than that."""
        if self.frames:
            self.frames[-1].passing = True

    def waits(self, instant: int) -> None:
        """An answer changes at this instant."""
        if self.frames and instant > self.now:
            self.frames[-1].instants.append(instant)

    @contextmanager
    def only_reading(self) -> Iterator[None]:
        """Nothing may be written or drawn meanwhile."""
        self.reading += 1
        try:
            yield
        finally:
            self.reading -= 1

    def must_write(self) -> None:
        """A Defect where only reading is allowed."""
        if self.reading:
            raise Defect.of("a view or a derived variable only reads")

    # What the types of variables ask of a game.

    def typed(self, name: str, rule: str) -> str:
        """Whether a type's name is a collection, a catalogue, or neither in force."""
        if name in self.law.declared.collections:
            return "collection"
        return "catalogue" if name in self.law.declared.catalogues else "any"

    def keys(self, catalogue: str) -> Sequence[str]:
        """The keys of a catalogue in force."""
        return tuple(self.law.declared.catalogues.get(catalogue, ()))

    def row(self, catalogue: str, action: object) -> Mapping[str, Any] | None:
        """A row of a catalogue; None where the catalogue is not in force."""
        table = self.law.declared.catalogues.get(catalogue)
        if table is None:
            return None
        if action not in table:
            raise Refused.of(f"{action} is none of the {catalogue}: {', '.join(table)}")
        found = table[str(action)]
        return found if isinstance(found, Mapping) else {}

    def parameters(self, row: Mapping[str, Any], rule: str) -> Mapping[str, Type]:
        """The types under a row's ``with``."""
        return {str(n): type_of(t, rule, str, str(n)) for n, t in (row.get("with") or {}).items()}

    def entity(self, kind: str, name: object, which: Type) -> str:
        """The id that a name of an entity means."""
        from nomicgit.gamestate.naming import identified  # naming reads through this module

        return identified(self, kind, name, which)


class _Lent:
    """A word as the law calls it: what the law hands in wrongly is a defect of the law."""

    __slots__ = ("name", "texts", "word", "world")

    def __init__(self, world: World, name: str, word: Callable[..., Any]) -> None:
        self.world, self.name, self.word, self.texts = world, name, word, TEXTS.get(name, 0)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        for given in arguments[: self.texts]:
            if not isinstance(given, str):
                raise Defect.of(f"{self.name}: {given!r} is no reference or name")
        try:
            return self.word(self.world, *arguments, **named)
        except Malformed as error:
            raise Defect(*error.problems) from error

    @property
    def __signature__(self) -> Signature:
        return signature(partial(self.word, self.world))


def unpublic(variables: Collection[str]) -> str:
    """The refusal of a real game in which something would have to be kept secret."""
    what = ", ".join(sorted(variables))
    return (
        f"{what}: this game has no sealed storage yet, so nothing secret can be kept in it (a rehearsal can)"
    )
