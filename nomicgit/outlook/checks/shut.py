"""Actions that open for nobody: what refuses them hangs on nothing that a game holds, so that it refuses whoever asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from nomicgit.ground.problems import Exhausted, NomicError, Problem, Refused
from nomicgit.law.declarations import Action
from nomicgit.law.definitions import code, text_of
from nomicgit.law.law import Law
from nomicgit.outlook.checks.arguments import ways
from nomicgit.outlook.openings import newcomer
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import reading
from nomicgit.physics.state.position import Frame
from nomicgit.physics.state.transaction import Transaction

MOST = 40  # players that are asked for


class _Watched(Transaction):
    """A scratch game that keeps the last refusal of the law's, where that hangs on nothing that the game holds."""

    alone: Problem | None = None

    def call_under(self, law: Law, function: str, /, *arguments: object, **named: object) -> object:
        """Call a function of a law, and see what its answer hangs on."""
        drawn, refusal = len(self.draws), None
        with self.recording() as frame:
            try:
                answer = super().call_under(law, function, *arguments, **named)
                refusal = Problem(answer) if answer and isinstance(answer, str) else None
                return answer
            except Refused as refused:
                refusal = None if isinstance(refused, Exhausted) else refused.problems[0]
                raise
            finally:
                self.alone = None if _hangs(frame) or len(self.draws) > drawn else refusal

    def time(self) -> str:
        """The time, on which an answer hangs then."""
        self.note_step()
        return super().time()


def shut(world: Transaction, actions: Iterable[Action]) -> dict[str, Problem | None]:
    """Why some actions open for nobody, whoever asks; None of those that may open for somebody, some day.

    Those are left out for which nobody could be asked. The world stays as it is.
    """
    watched = _Watched(world.position, world.context, world.chance, now=world.now)
    watched.parent_law = watched.law
    reasons: dict[str, Problem | None] = {}
    for action in actions:
        for why in _answers(watched, action):
            reasons[action.name] = why
            if why is None:
                break
    return reasons


def told(law: Law, reasons: Mapping[str, Problem]) -> list[Problem]:
    """These reasons, each in its own line of the mechanics, or where its action is declared."""
    problems = []
    for name, reason in reasons.items():
        place = law.declared_at(law.declared.actions[name].rule, "actions", name)
        where = replace(reason.where, rule=reason.where.rule or place.rule) if reason.where.line else place
        problems.append(Problem(f"the action {name} opens for nobody now: {reason.what}", where, reason.mend))
    return problems


def _answers(world: _Watched, action: Action) -> Iterator[Problem | None]:
    """What is said to each player who asks, so far as it hangs on nothing; None where it is open, or may be some day.

    Where it is open to who is no player yet, that is said first.
    """
    if _takes_newcomers(world, action):
        yield None
    for actor in reading.roster(world, idle=True)[:MOST]:
        world.refuel()
        world.alone = None
        try:
            if acting.who_bars(world, action, actor):
                why = world.alone  # of the others somebody may be let in
                if why is None:
                    continue
            else:
                why = _refused(world, action, actor)
        except NomicError:
            why = None
        yield why


def _takes_newcomers(world: Transaction, action: Action) -> bool:
    world.refuel()
    try:
        return not acting.bar(world, action, newcomer(world))
    except NomicError:
        return False


def _refused(world: _Watched, action: Action, actor: str) -> Problem | None:
    said = acting.bar(world, action, actor)
    given = next(ways(world, action, actor), None) if not said and not _heeds(world.law, action) else None
    if given is not None:
        said = acting.why_not(world, action.name, actor, given)
    return world.alone if said and world.alone is not None and world.alone.what == said else None


def _heeds(law: Law, action: Action) -> bool:
    """Whether the function of an action looks at any of its parameters, as far as the words in it show."""
    texts = (text_of(placed.mechanics, action.function) for placed in law.active)
    words = [word for _, word, _ in code(next(filter(None, texts), ""))]
    body = words[words.index(")") :] if ")" in words else []
    return any(name in body or f"{name}_" in body for name in action.own)


def _hangs(frame: Frame) -> bool:
    """Whether what was found out hangs on the game, its clock, or the step under way."""
    whole = frame.whole()
    return bool(whole.reads or whole.instants or whole.passing)
