"""Scratch games in which some rules are played: their actions are asked for, their views looked at, and what the clock brings happens."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from msgspec.structs import replace

from nomicgit.ground.problems import Defect, Exhausted, NomicError, Problem, Refused
from nomicgit.ground.reasons import CUT, LONGEST
from nomicgit.law.declarations import Action
from nomicgit.law.hooks import Recurring, Scheduled, Timed
from nomicgit.law.linking import written
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.values import keep
from nomicgit.law.variables import Variable
from nomicgit.outlook.checks.arguments import ways
from nomicgit.outlook.checks.never import Hearing
from nomicgit.physics.deeds import acting, units
from nomicgit.physics.deeds.clockwork import by_the_clock
from nomicgit.physics.state import deriving, reading, writing
from nomicgit.physics.state.store import Change, kind_of
from nomicgit.physics.state.transaction import SLOW, Transaction

ROUNDS = 2  # what one action makes the others may ask for
MOST_ACTORS = 3
MOST_ENTITIES = 3
FRACTION = "must be a whole number"
UNFIT = re.compile(
    r": .* must be a |: a value is needed$|declares an action|has no parameter|must be one of"
    r"|^nothing is (?:taken out of|added to) |\(to the law "
)


class Tried(Hearing):
    """A scratch game that keeps what of the law breaks in it, what was done, what never fits where it is written, and why
    events of the clock never happen (None: they do, or may)."""

    defects: dict[tuple[str, int], Problem]
    done: set[str]
    unfit: dict[str, Problem]
    events: dict[str, Problem | None]

    def rest(self, function: str, name: str, error: NomicError) -> None:
        """Keep why a hook rests."""
        super().rest(function, name, error)
        self.broke(error)

    def judge(self, function: str, *arguments: object) -> str:
        """Keep, too, that a reason is longer than anybody reads."""
        why = super().judge(function, *arguments)
        if why.endswith(CUT):
            what = f"{written(function)} gives a reason of more than {LONGEST} letters, which is cut off"
            self.broke(Defect(self.law.place(Problem(what, mend="say it shorter"), function)))
        return why

    def broke(self, error: NomicError) -> None:
        """Keep a defect, once for each line; where nobody but an emperor plays any more it is in nobody's way."""
        if {*reading.roster(self)} <= {reading.emperor(self)}:
            return
        first = error.problems[0]
        self.defects.setdefault((first.where.file, first.where.line), first)

    def happens(self, hook: Scheduled, *refs: str) -> None:
        """Let an event of the clock happen, and keep why it never does."""
        self.alone = self.last = None
        with by_the_clock(self):
            refusal = self.attempt(f"clock {hook.function}", partial(self.call, hook.function, *refs))
        if refusal and reading.NOT_BY_CLOCK in refusal.what:
            self.unfit.setdefault(f"clock {hook.function}", self.law.place(refusal, hook.function))
        never = self.alone if refusal and self.last and refusal.what == self.last.what else None
        self.events[hook.name] = never if self.events.get(hook.name, never) else None

    def attempt(self, what: str, asked: Callable[[], object]) -> Problem | None:
        """Why something is not done, within what a deed is lent, or at all where it is endless; what of it breaks is kept."""
        if not self.asks(what):
            return Problem(SLOW)
        try:
            with self.lent(what), units.unit(self):
                asked()
        except NomicError as wrong:
            cause = wrong.__cause__ if isinstance(wrong.__cause__, Defect) else wrong
            if isinstance(cause, Defect | Exhausted):
                self.broke(cause)
            return wrong.problems[0]
        return None


def act(world: Tried, actions: Iterable[Action]) -> None:
    """Ask for some actions, each by itself."""
    idle = world.mark()
    for action in actions:
        _act(world, action)
        world.back(idle)


def play(world: Tried, slugs: Collection[str]) -> None:
    """Play some rules."""
    world.parent_law = world.law
    _look(world, slugs)
    units.settle(world)
    _guard(world, slugs)
    idle = world.mark()
    _wait(
        world, slugs
    )  # before anybody has done anything: the clock asks nobody whether there is what its functions are for
    world.back(idle)
    if len(slugs) > 1:
        act(world, actions_of(world, slugs))  # another may end a dynasty, and with it the rules of others
    for _ in range(ROUNDS):
        for action in actions_of(world, slugs):
            _act(world, action)
        _look(world, slugs)
    _wait(world, slugs)
    _without(world, slugs)
    world.back(idle)
    _make(world, slugs)
    _without(world, slugs, alone=True)


def _guard(world: Tried, slugs: Collection[str]) -> None:
    """Ask the guards of some rules that stand before actions of others, which nobody asks for here, as whoever asks for those."""
    for guard in world.law.declared.guards.values():
        before = [
            action
            for action in world.law.declared.actions.values()
            if guard.rule in slugs and action.rule not in slugs and acting.applies(world, guard, action)
        ]
        for action in before[:MOST_ENTITIES]:
            for actor in _actors(world):
                for given in ways(world, action, actor):
                    asked = partial(acting.stand, world, guard, action, actor, given)
                    world.attempt(f"guard {guard.name}", asked)


def _make(world: Tried, slugs: Collection[str]) -> None:
    """Ask for every action, and keep what that makes: what uses up or changes what was made before is taken back."""
    for action in actions_of(world, slugs):
        for actor in _actors(world):
            made = False
            for given in ways(world, action, actor):
                before = world.mark()
                asked = partial(acting.perform, world, action.name, actor, given)
                if world.attempt(action.name, asked) is None and not _uses(world, before.log):
                    made = True
                else:
                    world.back(before)
            if made:
                break


def _uses(world: Transaction, log: int) -> bool:
    """Whether what was done since the log had this length destroys something, or changes something and makes nothing."""
    fields = {each.field for each in _held(world, log)}
    return "destroyed" in fields or (bool(fields) and "created" not in fields)


def _held(world: Transaction, log: int) -> Iterator[Change]:
    """What has changed of the law's own entities since the log had this length."""
    return (each for each in world.store.since(log) if kind_of(each.ref) in world.law.declared.collections)


def _without(world: Tried, slugs: Collection[str], *, alone: bool = False) -> None:
    """Go on where somebody who did all that they may has left the game, and what they made still names them.

    Of what happens ``alone``, each thing begins with all that they made: nothing else has used that up.
    """
    gone = next(iter(_actors(world)), None)
    world.refuel()
    before = world.mark()
    if gone is None or not _leaves(world, gone):
        return
    if alone and not any(_held(world, before.log)):
        return  # what was made names nobody who is gone
    left = world.mark()
    done, known = {*world.done}, {*world.defects}
    world.done.clear()  # what was done before is asked for once more
    for action in actions_of(world, slugs):
        _act(world, action)
        if alone:
            world.back(left)
    world.done |= done
    _look(world, slugs)
    for asked in [*_brought(world, slugs)] if alone else ():
        asked()
        world.back(left)
    for line in world.defects.keys() - known:
        problem = world.defects[line]
        world.defects[line] = replace(problem, what=f"{problem.what}, once somebody has left the game")


def _brought(world: Tried, slugs: Collection[str]) -> Iterator[Callable[[], object]]:
    """What the clock and the settles of some rules do, with some of the entities for which they would."""
    for each in world.law.declared.schedule.values():
        if each.rule not in slugs or not world.law.has(each.function):
            continue
        if isinstance(each, Recurring):
            yield partial(world.happens, each)
            continue
        due: list[str] = []
        with by_the_clock(world):
            refusal = world.attempt(f"clock {each.function}", partial(_due, world, each, due))
        if refusal and reading.NOT_BY_CLOCK in refusal.what:
            world.unfit.setdefault(f"clock {each.function}", world.law.place(refusal, each.function))
        for ref in due[:MOST_ENTITIES]:
            yield partial(world.happens, each, ref)
    for settle in world.law.declared.settles.values():
        for ref in _some(world, settle.whose) if settle.rule in slugs else ():
            run = partial(units.run_settle, world, settle, ref)
            yield partial(world.attempt, f"settle {settle.name}", run)


def _due(world: Transaction, hook: Timed, due: list[str]) -> None:
    """Find the entities for which a scheduled function has a time."""
    due += [ref for ref, _ in units.timed(world, hook)]


def _leaves(world: Transaction, player: str) -> bool:
    """Let a player leave the game; whether the law lets them."""
    with suppress(NomicError), units.unit(world):
        writing.destroy(world, player)
    return not reading.exists(world, player)


def actions_of(world: Transaction, slugs: Collection[str]) -> list[Action]:
    """The actions of some rules, as far as these are still in force: those that they declare, and whose functions they define."""
    there = [placed for slug, placed in world.ruleset.by_slug.items() if slug in slugs]
    defined = {name for placed in there for name in world.law.scanned(placed).functions}
    return [
        each for each in world.law.declared.actions.values() if each.rule in slugs or each.function in defined
    ]


def _act(world: Tried, action: Action) -> None:
    """Ask for an action as one player after the other, until it has been done, in all ways."""
    for actor in _actors(world):
        for given in ways(world, action, actor):
            if not world.asks(action.name):
                return
            refusal = world.attempt(action.name, partial(acting.perform, world, action.name, actor, given))
            if refusal is None:
                world.done.add(action.name)
            elif _unfit(world.ruleset, refusal):
                number = f"{action.name} of {given}" if FRACTION in refusal.what else action.name
                world.unfit.setdefault(number, refusal)  # a fraction may be whole by chance: once is enough
        if action.name in world.done:
            return


def _unfit(ruleset: Ruleset, refusal: Problem) -> bool:
    """Whether a refusal says that what the law writes, or asks for, does not fit there whoever asks."""
    placed = next((each for each in ruleset.rules if each.file == refusal.where.file), None)
    if placed is None or not UNFIT.search(refusal.what):
        return False
    line = ruleset.texts[placed.path].split("\n")[refusal.where.line - 1]
    return "require(" not in line and "refuse(" not in line


def _actors(world: Transaction) -> list[str]:
    lead = reading.emperor(world)
    roster = reading.roster(world)
    return list(
        dict.fromkeys(
            [*roster[1:MOST_ACTORS], *([lead] if lead else []), *reading.admins(world)[:1], *roster[:1]]
        )
    )


def _look(world: Tried, slugs: Collection[str]) -> None:
    """Look at the views and derived values of some rules."""
    for view in world.law.declared.views.values():
        for ref in _some(world, view.whose) if view.rule in slugs else ():
            world.attempt(f"view {view.name}", partial(deriving.view, world, view.name, ref))
    for variable in world.law.declared.variables.values():
        for ref in _some(world, variable.of) if variable.derived and variable.rule in slugs else ():
            world.attempt(f"value {variable.name}", partial(_derive, world, ref, variable))


def _derive(world: Tried, ref: str, variable: Variable) -> None:
    """Look at a derived value, which must be of its type."""
    try:
        keep(world, variable.type, reading.get(world, ref, variable.name))
    except Refused as refusal:
        problem = refusal.of_part(variable.name).problems[0]
        raise Defect(world.law.place(problem, variable.derived)) from None


def _wait(world: Tried, slugs: Collection[str]) -> None:
    """Let what the clock brings happen, as far as it is of some rules."""
    for each in world.law.declared.schedule.values():
        if each.rule not in slugs or not world.law.has(each.function):
            continue
        if isinstance(each, Recurring):
            world.happens(each)
        elif isinstance(each, Timed):
            for ref in _some(world, each.whose):
                world.happens(each, ref)


def _some(world: Transaction, of: str) -> Sequence[str]:
    """Some entities of which something is declared."""
    if of in ("game", "dynasty"):
        return [of]
    if of == "player":
        return reading.roster(world)[:MOST_ENTITIES]
    if of in ("post", "matter"):
        return reading.find(world, "posts", **({"status": "pending"} if of == "matter" else {}))[
            -MOST_ENTITIES:
        ]
    return reading.find(world, of)[:MOST_ENTITIES] if of in world.law.declared.collections else []
