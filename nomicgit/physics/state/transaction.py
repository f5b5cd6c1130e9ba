"""The game as one deed, or one look, sees it: a transaction over a position, in a context.

The words of the mechanics take it first, and call it their ``world``. All that a deed does stands in it, and can be taken
back; the parts of physics are plain functions over it, in the modules beside.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground import watch
from nomicgit.ground.clock import Calendar, text
from nomicgit.ground.clock import instant as read_instant
from nomicgit.ground.problems import Bottomless, Defect, Exhausted, NomicError, Problem, Refused, Starved
from nomicgit.ground.reasons import cut, taken
from nomicgit.law.declaring import type_of
from nomicgit.law.law import Law
from nomicgit.law.linking import written
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.variables import Type
from nomicgit.physics.deed import RESTS, Draw, Failure
from nomicgit.physics.physics import Lent
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position, Recorder
from nomicgit.physics.state.store import Change

SECONDS: Final = 5.0  # of the processor's time for a deed, and for an event of the clock
QUESTION: Final = 1.0  # for a question of somebody who looks
LOOK: Final = 20.0  # for all questions of one look
BYTE: Final = 4  # what each byte of a line of the journal costs of a deed's fuel
SLOW: Final = "the law takes longer than a game lends it"


class Step(Struct):
    """A deed, or a step of one by ``do``: who does what, with which parameters."""

    actor: str | None
    action: str
    given: Mapping[str, Any]
    matter: str | None = None


INSTANT = len(text(0))


class Savepoint(Struct, frozen=True):
    """How far a deed had come: everything that it does is taken back to there, but for fuel and evidence."""

    log: int
    notes: int
    messages: int
    draws: int
    said: int
    closings: int
    drawn: int
    resting: frozenset[str]
    unsettled: Sequence[Change]
    settled: int
    now: int
    cast_at: int
    never: bool


class Closing(Struct, frozen=True):
    """A matter that is being enacted, and how far the deed had come before that."""

    matter: str
    before: Savepoint


class Transaction(Recorder):
    """A position while one deed is decided, or while somebody looks at it."""

    def __init__(
        self, position: Position, context: Context, chance: Chance, *, now: int | None = None
    ) -> None:
        super().__init__()
        self.position, self.context, self.chance = position, context, chance
        self.store, self.memories = position.store, position.memories
        self.store.hide(position.law.secrecy)
        self.now = self.cast_at = position.now if now is None else now
        self.physics, self.language = position.physics, position.physics.language
        self.words, self.shown = self._lent()
        self.computing: set[tuple[str, str]] = set()
        self.steps: list[Step] = []
        self.units: list[int] = [len(self.store.log)]
        self.counting: frozenset[str] = frozenset()
        self.changing = ""  # how the change under way is called in the journal
        self.changing_took = 0.0  # seconds of the processor's time, for all changes of matters
        self.resting: frozenset[str] = frozenset()
        self.notes: list[str] = []
        self.messages: list[tuple[str, str]] = []
        self.draws: list[Draw] = []
        self.thrown = 0  # dice, those too that were taken back: what is tried may hang on them
        self.amended = 0  # how often the law was changed, those times too that were taken back
        self.said = 0  # bytes that the journal is to hold
        self.closings: list[Closing] = []
        self.claims: dict[str, list[str]] = {}
        self.turns, self.asked = Counter[str](), False  # how often what may be claimed was tried; in asking
        self.settled = len(self.store.log)
        self.unsettled: Sequence[Change] = []
        self.reading = self.viewing = self.nested = 0
        self.running: Law | None = None
        self.calling = ""  # the function through which the law was entered last, or what else runs
        self.parent_law: Law | None = None
        self.ruled: Law | None = None
        self.branch: str | None = None
        self.deed = ""  # the id of the deed; "": somebody looks
        self.hidden: bool | frozenset[str] = False  # what of the deed nobody else may see
        self.never = (
            False  # and whether that is so for ever: a step that is opened some day opens the deed with it
        )
        self.drawing = "looking"  # what draws: an action and who does it, or a function of the clock
        self.keeping = True  # whether the clock looks at what is secret
        self.timing = False  # whether what falls due by the clock is happening
        self.waiting = False  # whether it did not, where it would have to
        self.halted: tuple[str, int] | None = None  # the event before which the clock halts for who looks
        self.limit: float | None = None
        self.late = False  # whether time or memory has ended anything that another machine might have brought to its end
        self.refuel()

    def under(self, **context: Any) -> Transaction:
        """The same, in another context; for a worker, which throws both away."""
        from copy import copy  # here: few deeds need a worker

        other = copy(self)
        other.context = replace(self.context, **context)
        other.words, other.shown = other._lent()
        other.until = None  # a worker has limits of its own
        return other

    def _lent(self) -> tuple[Mapping[str, Callable[..., Any]], Callable[..., object]]:
        """The words as the law calls them, and how it asks for views: physics hands both in."""
        return Lent(self.physics.words, self), partial(self.physics.show, self)

    def question(self) -> None:
        """Fuel and time for a question of somebody who looks."""
        self.refuel(QUESTION)

    def refuel(self, seconds: float | None = None, *, tried: bool = False) -> None:
        """Fuel for a deed, an event of the clock, or a question, and seconds of the processor's time (None: as a deed has).

        Time decides nothing in replay; a trial has that of its worker, but for what is ``tried`` in it one by one.
        """
        self.fuel = self._lent_fuel()
        self.until: float | None = None
        share = self.context.tried
        if self.context.claims is None and (share or tried or not self.context.trusted):
            until = time.process_time() + (share or 1) * (SECONDS if seconds is None else seconds)
            self.until = until if self.limit is None else min(until, self.limit)

    def _lent_fuel(self) -> int:
        bounds = self.physics.bounds
        return bounds.fuel if self.context.claims is None else bounds.fuel * bounds.replayed

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """What is done within, and spends what it was lent, is a claim, and replay does none of it.

        So nothing hangs on what it drew, looked at, asked of earlier deeds and claimed itself.
        """
        undrawn, unasked = self.chance.mark(), self.context.history.mark()
        claims = {which: [*names] for which, names in self.claims.items()}
        looked, never, turns = self.store.looked, self.store.never, Counter(self.turns)
        try:
            yield
        except Exhausted as error:
            self.late |= isinstance(error, Starved)
            undrawn()
            unasked()
            self.claims, self.store.looked, self.store.never = claims, looked, never
            self.turns = turns
            raise

    @contextmanager
    def fuelled(self) -> Iterator[None]:
        """Fuel of its own for what is done within: it takes none of the deed's."""
        left, self.fuel = self.fuel, self._lent_fuel()
        try:
            yield
        finally:
            self.fuel = left

    def look(self, seconds: float | None = None) -> None:
        """From now on questions are asked, which have so many seconds of the processor's time all together; None: what a
        command has left for them, where nobody has said how many.
        """
        if seconds is not None:
            self.limit = time.process_time() + seconds
            self.refuel()
        elif self.limit is None and self.context.claims is None:
            self.limit = time.process_time() + max(LOOK - watch.looking(), QUESTION)

    @property
    def ruleset(self) -> Ruleset:
        """The newest ruleset."""
        return self.position.ruleset

    @property
    def law(self) -> Law:
        """The newest law."""
        return self.position.law

    def amend_law(self, ruleset: Ruleset) -> None:
        """Take another ruleset, so that taking back takes it back."""
        before, self.amended = self.law.secrecy, self.amended + 1
        self.store.note(partial(setattr, self.position, "ruleset", self.position.ruleset))
        self.position.ruleset = ruleset
        self.store.hide(self.law.secrecy)
        if self.law.secrecy != before:
            self.store.look("what a change of the law makes secret, or public,")

    def rule_by(self, law: Law) -> None:
        """Note which law has been brought into force, so that taking back takes it back."""
        self.store.note(partial(setattr, self, "ruled", self.ruled))
        self.ruled = law

    # Taking back.

    def mark(self) -> Savepoint:
        """How far the deed has come."""
        return Savepoint(
            len(self.store.log), len(self.notes), len(self.messages), len(self.draws), self.said, len(self.closings), self.chance.drawn,
            self.resting, self.unsettled, self.settled, self.now, self.cast_at, self.never,
        )  # fmt: skip

    def back(self, to: Savepoint) -> None:
        """Take back what the deed has done since; what its log holds brings the law back too."""
        self.store.rollback(to.log)
        del self.notes[to.notes :], self.draws[to.draws :]
        del self.messages[to.messages :], self.closings[to.closings :]
        self.chance.drawn, self.said = to.drawn, to.said
        self.resting, self.unsettled, self.settled = to.resting, to.unsettled, to.settled
        self.now, self.cast_at, self.never = to.now, to.cast_at, to.never

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
        turns, asked, self.turns, self.asked = self.turns, self.asked, Counter(), True
        self.chance, self.reading, self.unsettled = chance.scratch(), 0, []
        try:
            with self.bound_to(""):
                yield
        finally:
            self.chance, self.reading, self.turns, self.asked = chance, reading, turns, asked
            self.back(mark)

    def refused(self, act: Callable[[], object], chance: Chance | None = None) -> NomicError | None:
        """None, or what refuses something that is only tried, with some chance or as any other trial."""
        with self.asking():
            self.chance = self.chance if chance is None else chance
            try:
                act()
            except Bottomless as error:
                if self.nested:
                    raise
                return error
            except NomicError as error:
                return error.answered()
        return None

    def rest(self, function: str, name: str, error: NomicError) -> None:
        """A hook whose own code, or what it watches, is defective does nothing more in this deed."""
        self.resting |= {function}
        why = self.law.place(error.problems[0], function)
        self.notes.append(Failure(f"{name} is defective{RESTS}: {cut(why.sentence)}"))

    @property
    def calendar(self) -> Calendar:
        """The calendar of the newest law."""
        return self.law.calendar

    def time(self) -> str:
        """The time of the deed, or of the event under way."""
        return text(self.now)

    def meets(self, at: object) -> None:
        """Somebody looks at a value, which may be a time that the time of a deed is compared with."""
        if self.frames and type(at) is str and len(at) == INSTANT and at[-1] == "Z":
            with suppress(NomicError):
                if (instant := read_instant(at)) >= self.now:
                    self.note_time(instant)

    def burn(self, turns: int = 1) -> None:
        """Count fuel, and now and then look at the time."""
        self.fuel -= turns
        if self.fuel < 0:
            raise Exhausted.of("the law runs on and on: the deed's fuel is spent")
        if turns > 1 or not self.fuel & 63:
            self._in_time()

    def _in_time(self) -> None:
        if self.until is not None and time.process_time() > self.until:
            self.late = True
            raise Exhausted.of(SLOW)

    def written(self, line: str) -> str:
        """A line that the journal is to hold, paid for in fuel: what all that a deed lets happen says fits into a commit."""
        length = len(line.encode("utf-8", "replace"))
        self.burn(BYTE * length)
        if self.said + length > 2 * self.physics.bounds.said:
            raise Refused.of("there is more to tell than fits into one commit")
        self.said += length
        return line

    def call(self, function: str, /, *arguments: object, **named: object) -> object:
        """Call a function of the newest law."""
        return self.call_under(self.law, function, *arguments, **named)

    def call_under(self, law: Law, function: str, /, *arguments: object, **named: object) -> object:
        """Call a function of a law; a parameter may have any name."""
        self._in_time()
        before, (self.running, self.calling) = (self.running, self.calling), (law, function)
        try:
            return law.call(self, function, *arguments, **named)
        except Starved:
            self.late = True
            raise
        finally:
            self.running, self.calling = before

    @property
    def caller(self) -> str:
        """Whose code runs: the rule's title, or what else runs."""
        return (self.running or self.law).place(Problem(""), self.calling).where.rule or self.calling

    def ask(self, function: str, *arguments: object) -> Any:
        """Call a function that a declaration names; None where no rule in force defines it."""
        if not function or not self.law.has(function):
            return None
        return self.call(function, *arguments)

    def judge(self, function: str, *arguments: object) -> str:
        """Why a judging function refuses, or ""; a Defect where it gives neither. It is one line, and cut off where it is too long."""
        why = self.ask(function, *arguments)
        if why is None or isinstance(why, str):
            return taken(why) if why else ""
        answers = "True or False" if isinstance(why, bool) else "no text"
        what = f'{written(function)} answers {answers}, and should give "" or why not'
        mend = 'write, for example: return "" if it_is_allowed else "it is not, since …"'
        raise Defect(self.law.place(Problem(what, mend=mend), function))

    def runs(self, function: str) -> bool:
        """Whether a hook's function is there and does not rest."""
        return function not in self.resting and self.law.has(function)

    def waits(self, instant: int) -> None:
        """An answer changes at this instant."""
        if instant > self.now:
            self.note_instant(instant)

    @contextmanager
    def bound_to(self, player: str) -> Iterator[None]:
        """What is done meanwhile has the power of one player alone, or with "" that of the law."""
        before, self.store.bound = self.store.bound, player
        try:
            yield
        finally:
            self.store.bound = before

    @property
    def bound(self) -> str:
        """The player for whom alone the code under way runs: it writes by their actions, and sees no secrets. "": it is nobody's."""
        return self.store.bound

    def must_write(self) -> None:
        """A Defect where only reading is allowed; Refused where only a player's own actions may write."""
        if self.reading:
            raise Defect.of("a view or a derived variable only reads")
        if self.bound:
            raise Refused.of(
                f"what is done for {self.bound} alone writes by their actions, with do, and not by itself"
            )

    # What the types of variables ask of a game.

    def typed(self, name: str, rule: str) -> str:
        """Whether a type's name is a collection, a catalogue, or neither in force."""
        if name in self.law.declared.collections:
            return "collection"
        return "catalogue" if name in self.law.declared.catalogues else "any"

    def keys(self, catalogue: str) -> Sequence[str]:
        """The keys of a catalogue in force."""
        return tuple(self.law.declared.catalogues.get(catalogue, ()))

    def row(self, catalogue: str, action: object) -> Mapping[str, object] | None:
        """A row of a catalogue; None where the catalogue is not in force."""
        table = self.law.declared.catalogues.get(catalogue)
        if table is None:
            return None
        if action not in table:
            raise Refused.of(f"{action} is none of the {catalogue}: {', '.join(table)}")
        row = table[str(action)]
        return row if isinstance(row, Mapping) else {}

    def parameters(self, row: Mapping[str, Any], rule: str) -> Mapping[str, Type]:
        """The types under a row's ``with``."""
        return {str(n): type_of(t, rule, str, str(n)) for n, t in (row.get("with") or {}).items()}

    def entity(self, kind: str, name: object, which: Type) -> str:
        """The id that a name of an entity means."""
        return self.physics.identify(self, kind, name, which)


class Unkept(Refused):
    """The refusal of what would have to be kept secret in a game that has no keys."""

    @classmethod
    def of_what(cls, what: str) -> Unkept:
        """The refusal, with what would be secret."""
        why = "this game has no keys, so nothing secret can be kept in it"
        return cls.of(f"{what}: {why}")
