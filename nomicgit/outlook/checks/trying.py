"""Rules tried: every action asked for with arguments made from its declaration, views and the clock's functions called.

A defect is found so, which no look at the text shows; a refusal is none, but where the law always refuses. It is done in a
worker, in scratch games that nobody sees: one with ten fresh players, and the game as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

from msgspec.structs import replace

from nomicgit.ground import deaths
from nomicgit.ground.problems import Defect, Exhausted, NomicError, Place, Problem, Refused
from nomicgit.ground.reasons import CUT, LONGEST
from nomicgit.law import foreign
from nomicgit.law.declarations import Action
from nomicgit.law.hooks import Recurring, Scheduled, Timed
from nomicgit.law.linking import written
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.values import keep
from nomicgit.law.variables import Variable
from nomicgit.outlook import lasting
from nomicgit.outlook.checks import shut
from nomicgit.outlook.checks.arguments import ways
from nomicgit.outlook.checks.defaults import unfit_defaults
from nomicgit.outlook.checks.finding import Finding, error, warning
from nomicgit.outlook.checks.never import EVENT, LISTENER, Hearing, Listening, Never, unheard
from nomicgit.outlook.checks.scratch import Endless
from nomicgit.physics.deeds import acting, trial, units
from nomicgit.physics.state import deriving, reading, writing
from nomicgit.physics.state.store import Change, kind_of
from nomicgit.physics.state.transaction import SECONDS, SLOW, Transaction

ROUNDS = 2  # what one action makes the others may ask for
MOST_ACTORS = 3
MOST_ENTITIES = 3
MOST_TOLD = 20
FRACTION = "must be a whole number"
_UNDECLARED = re.compile(r"^(no rule in force declares \S+ of [\w-]+)/[\w-]+")
UNFIT = re.compile(r": .* must be a |: a value is needed$|declares an action|has no parameter|must be one of")


def tried(world: Transaction, after: Ruleset, slugs: Collection[str]) -> list[Finding]:
    """The defects of some rules, under a ruleset that is not in force yet, and their actions that open for nobody.

    The world stays as it is.
    """
    if not slugs:
        return []

    def findings() -> list[tuple[Literal["error", "warning"], dict[str, object]]]:
        return [(each.level, each.problem.as_json()) for each in _findings(world, slugs)]

    before = world.mark()
    world.amend_law(after)
    try:
        plain = lasting.traced(world, findings, "ways", 2 * SECONDS)  # so that it can mostly tell itself
    except deaths.Died as died:
        return [*map(error, died.problems), *_untried(world, slugs, ["all else that is new"])]
    except NomicError as wrong:
        return list(map(error, wrong.problems))
    finally:
        world.back(before)
    return [Finding(level, _remedied(after, Problem.of_json(each))) for level, each in plain]


def in_force(world: Transaction) -> list[Finding]:
    """The defects of all rules in force, and their events that never happen; to be called
    in a worker. None where a declaration is malformed: they may follow from it.
    """
    findings = [] if world.law.problems else _findings(world, world.ruleset.by_slug, new=False)
    known = (
        each for each in findings if each.level == "error" or each.problem.what.startswith((EVENT, LISTENER))
    )
    return [replace(each, problem=_remedied(world.ruleset, each.problem)) for each in known]


class _Tried(Hearing):
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
        refusal = self.attempt(f"clock {hook.function}", partial(self.call, hook.function, *refs))
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


def _findings(world: Transaction, slugs: Collection[str], *, new: bool = True) -> list[Finding]:
    """What breaks in the scratch games; of what lies in other rules too, only where nothing lies in these.

    And what opens for nobody in any of them.
    """
    broken: dict[tuple[str, int], Problem] = {}
    unfit: dict[str, Problem] = {}
    done: set[str] = set()
    events: dict[str, Problem | None] = {}
    listeners: dict[Listening, Problem | None] = {}
    endless = Endless()
    closed: dict[str, Problem | None] = {}
    unfounded: list[
        Problem
    ] = []  # what a game that begins under this law would have, one that goes on may have already
    for game in (trial.fresh, trial.present):
        mark = world.mark()
        try:
            made = game(world)
            if game is trial.fresh:
                unfounded = [*unfit_defaults(made, slugs, of_law=True)]
            scratch = _Tried.over(made, endless)
            scratch.defects, scratch.done, scratch.unfit = broken, done, unfit
            scratch.events, scratch.listeners = events, listeners
            before = scratch.mark()
            with suppress(NomicError):
                _play(scratch, slugs)
            scratch.back(before)
            reasons = shut.shut(made, _of(made, slugs), endless)
            closed |= {name: why if closed.get(name, why) else None for name, why in reasons.items()}
        except NomicError:
            continue
        finally:
            world.back(mark)
    files = {world.ruleset.by_slug[slug].file for slug in slugs}
    problems = [*broken.values(), *(problem for name, problem in unfit.items() if name not in done)]
    broke = [*_folded([each for each in problems if each.where.file in files] or problems)][:MOST_TOLD]
    broke += unfit_defaults(world, slugs, of_law=False)
    there = {each.where for each in unfit_defaults(world, slugs, of_law=True)} if unfounded else set()
    broke += [each for each in unfounded if each.where in there]
    still = {name: why for name, why in closed.items() if why and name not in done}
    return [
        *map(error, broke),
        *Never.of(still, events, listeners | unheard(world.law, slugs, listeners)).told(world.law, new=new),
        *_untried(world, slugs, endless.unasked),
    ]


def of_any(what: str) -> str:
    """What is said of a name that nobody declares, without whom it was asked of."""
    return _UNDECLARED.sub(r"\1", what)


def _folded(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Problems, those of one name that nobody declares as one for each file: the players of a scratch game are nobody's."""
    lines: dict[tuple[str, str, int], list[Problem]] = {}
    for n, each in enumerate(problems):
        what = of_any(each.what)
        lines.setdefault((each.where.file, what, 0 if what != each.what else n + 1), []).append(each)
    for (_, what, _), some in lines.items():
        first, *others = sorted(some, key=lambda each: each.where.line)
        more = ", ".join(str(each.where.line) for each in others)
        yield replace(
            first, what=f"{what}, here and in line{'s' * (len(others) > 1)} {more}" if more else what
        )


def _untried(world: Transaction, slugs: Collection[str], unasked: Collection[str]) -> Iterator[Finding]:
    """That some of it was not tried, or not in all ways, since something else ran on and on."""
    if unasked:
        names = ", ".join(sorted(unasked)[:MOST_TOLD]) + " …" * (len(unasked) > MOST_TOLD)
        placed = world.ruleset.by_slug[min(slugs)]
        what = f"not tried, or not in all ways, since something else runs on and on: {names}"
        yield warning(
            Problem(what, Place(placed.file, 1, 0, placed.title), "mend that first, and check again")
        )


def _play(world: _Tried, slugs: Collection[str]) -> None:
    world.parent_law = world.law
    _look(world, slugs)
    units.settle(world)
    _guard(world, slugs)
    idle = world.mark()
    _wait(
        world, slugs
    )  # before anybody has done anything: the clock asks nobody whether there is what its functions are for
    world.back(idle)
    for action in _of(world, slugs) if len(slugs) > 1 else ():
        _act(world, action)  # each by itself: another may end a dynasty, and with it the rules of others
        world.back(idle)
    for _ in range(ROUNDS):
        for action in _of(world, slugs):
            _act(world, action)
        _look(world, slugs)
    _wait(world, slugs)
    _without(world, slugs)
    world.back(idle)
    _make(world, slugs)
    _without(world, slugs, alone=True)


def _guard(world: _Tried, slugs: Collection[str]) -> None:
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


def _make(world: _Tried, slugs: Collection[str]) -> None:
    """Ask for every action, and keep what that makes: what uses up or changes what was made before is taken back."""
    for action in _of(world, slugs):
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


def _without(world: _Tried, slugs: Collection[str], *, alone: bool = False) -> None:
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
    for action in _of(world, slugs):
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


def _brought(world: _Tried, slugs: Collection[str]) -> Iterator[Callable[[], object]]:
    """What the clock and the settles of some rules do, with some of the entities for which they would."""
    for each in world.law.declared.schedule.values():
        if each.rule not in slugs or not world.law.has(each.function):
            continue
        if isinstance(each, Recurring):
            yield partial(world.happens, each)
            continue
        due: list[str] = []
        world.attempt(f"clock {each.function}", partial(_due, world, each, due))
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


def _of(world: Transaction, slugs: Collection[str]) -> list[Action]:
    """The actions of some rules, as far as these are still in force: those that they declare, and whose functions they define."""
    there = [placed for slug, placed in world.ruleset.by_slug.items() if slug in slugs]
    defined = {name for placed in there for name in world.law.scanned(placed).functions}
    return [
        each for each in world.law.declared.actions.values() if each.rule in slugs or each.function in defined
    ]


def _act(world: _Tried, action: Action) -> None:
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


def _look(world: _Tried, slugs: Collection[str]) -> None:
    """Look at the views and derived values of some rules."""
    for view in world.law.declared.views.values():
        for ref in _some(world, view.whose) if view.rule in slugs else ():
            world.attempt(f"view {view.name}", partial(deriving.view, world, view.name, ref))
    for variable in world.law.declared.variables.values():
        for ref in _some(world, variable.of) if variable.derived and variable.rule in slugs else ():
            world.attempt(f"value {variable.name}", partial(_derive, world, ref, variable))


def _derive(world: _Tried, ref: str, variable: Variable) -> None:
    """Look at a derived value, which must be of its type."""
    try:
        keep(world, variable.type, reading.get(world, ref, variable.name))
    except Refused as refusal:
        problem = refusal.of_part(variable.name).problems[0]
        raise Defect(world.law.place(problem, variable.derived)) from None


def _wait(world: _Tried, slugs: Collection[str]) -> None:
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


def _remedied(after: Ruleset, problem: Problem) -> Problem:
    """A defect with what to write instead, as far as its words say it, and with the title of its rule."""
    placed = next((each for each in after.rules if each.file == problem.where.file), None)
    where = replace(problem.where, rule=problem.where.rule or (placed.title if placed else ""))
    return replace(problem, where=where, mend=problem.mend or foreign.remedy(problem.what))
