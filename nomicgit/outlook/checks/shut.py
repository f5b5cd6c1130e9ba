"""What the law always refuses, actions that open for nobody: it hangs on nothing that a game holds, or no call comes past it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from nomicgit.ground.problems import Exhausted, NomicError, Place, Problem, Refused
from nomicgit.ground.reasons import taken
from nomicgit.law.declarations import Action
from nomicgit.law.definitions import DEEPER, code, definitions, text_of
from nomicgit.law.law import Law
from nomicgit.law.linking import linked, written
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks import ranges
from nomicgit.outlook.checks.arguments import ways
from nomicgit.outlook.checks.named import header_of
from nomicgit.outlook.checks.scratch import Endless, Scratch
from nomicgit.outlook.openings import newcomer
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import reading
from nomicgit.physics.state.position import Frame
from nomicgit.physics.state.transaction import Transaction

MOST = 40  # players that are asked for
ALWAYS = {("require", "(", each) for each in ("False", "None", "0")}
COMES_TO = "whoever asks comes to a refusal there, whatever comes before it"


class Watched(Scratch):
    """A scratch game that keeps the last refusal of the law's, and of it what hangs on nothing that the game holds."""

    last: Problem | None = None
    alone: Problem | None = None

    def call_under(self, law: Law, function: str, /, *arguments: object, **named: object) -> object:
        """Call a function of a law, and see what its answer hangs on."""
        thrown, refusal = self.thrown, None
        with self.recording() as frame:
            try:
                answer = super().call_under(law, function, *arguments, **named)
                refusal = Problem(taken(answer)) if answer and isinstance(answer, str) else None
                return answer
            except Refused as refused:
                refusal = None if isinstance(refused, Exhausted) else refused.problems[0]
                raise
            finally:
                self.last, hangs = refusal, _hangs(frame) or self.thrown > thrown
                self.alone = refusal and (certain(law, function, refusal) if hangs else refusal)

    def time(self) -> str:
        """The time, on which an answer hangs then."""
        self.note_step()
        return super().time()


def shut(
    world: Transaction, actions: Iterable[Action], endless: Endless | None = None
) -> dict[str, Problem | None]:
    """Why some actions open for nobody, whoever asks; None of those that may open for somebody, some day.

    Those are left out for which nobody could be asked. The world stays as it is. Of those that are ``endless`` nobody asks.
    """
    watched = Watched.over(world, endless)
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


def _answers(world: Watched, action: Action) -> Iterator[Problem | None]:
    """What is said to each player who asks, so far as it hangs on nothing; None where it is open, or may be some day.

    Where it is open to who is no player yet, that is said first.
    """
    if world.asks(action.name) and _takes_newcomers(world, action):
        yield None
    for actor in reading.roster(world, idle=True)[:MOST]:
        if not world.asks(action.name):
            yield None
            return
        world.alone = None
        try:
            with world.lent(action.name):
                if acting.who_bars(world, action, actor):
                    why = world.alone  # of the others somebody may be let in
                    if why is None:
                        continue
                else:
                    why = _refused(world, action, actor)
        except NomicError:
            why = None
        yield why


def _takes_newcomers(world: Watched, action: Action) -> bool:
    try:
        with world.lent(action.name):
            return not acting.bar(world, action, newcomer(world))
    except NomicError:
        return False


def _refused(world: Watched, action: Action, actor: str) -> Problem | None:
    said = acting.bar(world, action, actor)
    given = next(ways(world, action, actor), None) if not said else None
    if given is not None:
        said = acting.why_not(world, action.name, actor, given)
    if not said or world.alone is None or world.last is None or world.last.what != said:
        return None
    return None if given is not None and _heeds(world.law, action, world.alone) else world.alone


def _heeds(law: Law, action: Action, refusal: Problem) -> bool:
    """Whether a refusal may hang on a parameter of an action."""
    own = {*action.own, *(f"{name}_" for name in action.own)}
    return heeds(law, action.function, own, refusal, action)


def heeds(law: Law, function: str, own: Set[str], refusal: Problem, action: Action | None = None) -> bool:
    """Whether a refusal may hang on what a function is handed: it looks at some of its ``own`` names before it refuses, or to
    refuse, as far as the words in it show.
    """
    body, upto, _ = _body(law, function, refusal)
    if not body:
        return False
    *before, last = [each.words for each in body[: (len(body) - 1 if upto is None else upto) + 1]]
    return any(not own.isdisjoint(words) for words in before) or not (
        own.isdisjoint(last) or (action is not None and _never(action, last))
    )


def handed(law: Law, function: str) -> set[str]:
    """How a function calls what it is handed."""
    placed, _, _ = _read(law, function)
    text = text_of(placed.mechanics, written(function)) if placed is not None else None
    return {name.strip("*") for name, _ in header_of(text or "")}


def certain(law: Law, function: str, refusal: Problem) -> Problem | None:
    """A refusal to which every call of a function comes, unless another one comes first as this one did; None where there is none."""
    place = always(law, function)
    if place is None:
        return None
    at = refusal.where
    return refusal if (at.file, at.line) == (place.file, place.line) else Problem(COMES_TO, place)


def always(law: Law, function: str, within: Set[str] = frozenset()) -> Place | None:
    """Where every call of a function is refused: by itself, by a function that it calls, or by one that hears of what it emits;
    ``within`` are those whose calls these are.
    """
    placed, body, above = _read(law, function)
    if placed is None or function in within:
        return None
    for each in body:
        here = Place(placed.file, above + each.first, 0, placed.title)
        if each.inset == body[0].inset:
            if _refuses(each.words) or (
                each.words[0] in ranges.ASKED and ranges.refuses(law, placed, here.line)
            ):
                return here
            called = (always(law, name, {*within, function}) for name in _called(law, placed, each.words))
            if place := next(filter(None, called), None):
                return place
        if "return" in each.words:
            return None
    return None


def _called(law: Law, placed: Placed, words: tuple[str, ...]) -> Iterator[str]:
    """The functions that a statement calls, whatever is so: that with which it begins, or those that hear of what it emits."""
    if words[:2] == ("emit", "(") and words[3:4] in ((",",), (")",)):
        yield from (each.function for each in law.declared.listeners.get(words[2].strip("\"'"), ()))
    elif words[1:2] == ("(",) and law.has(name := linked(words[0], placed.slug)):
        yield name


def _refuses(words: tuple[str, ...]) -> bool:
    """Whether a statement refuses whatever is so: ``refuse`` with a reason that is written there, or nothing that is required."""
    if words[:2] == ("refuse", "("):
        return len(words[2]) > len("''") and words[2][0] in "\"'" and words[3] in (")", "%", "+", ",")
    return words[:3] in ALWAYS


def _body(law: Law, function: str, refusal: Problem) -> tuple[Sequence[_Statement], int | None, int]:
    """The statements of a function of a law, which of them refuses so, None where that is another's, and the file's lines above."""
    placed, body, above = _read(law, function)
    at = refusal.where.line - above if placed is not None and refusal.where.file == placed.file else 0
    return body, next((n for n, each in enumerate(body) if each.first <= at <= each.last), None), above


def _read(law: Law, function: str) -> tuple[Placed | None, Sequence[_Statement], int]:
    """The rule in force that defines a function, its statements, and the lines above them in its file."""
    name = written(function)
    for placed in reversed(law.active):  # the last one overrides those before it
        if linked(name, placed.slug) == function:
            body, above = _within(placed.mechanics, name)
            if body:
                return placed, body, placed.line + above
    return None, (), 0


@lru_cache(maxsize=1024)
def _within(mechanics: str, name: str) -> tuple[Sequence[_Statement], int]:
    """The statements of a definition in mechanics, and the lines above it there; none where there is none of that name."""
    text = text_of(mechanics, name)
    if not text:
        return (), 0
    head, *rest = _statements(text)
    body = rest or [head._replace(words=head.words[head.words.index(")") + 2 :])]
    return tuple(body), next(each.start for each in definitions(mechanics) if each.name == name)


class _Statement(NamedTuple):
    """The words of a statement, the lines on which it stands, from 1, and the column at which it begins, from 0."""

    words: tuple[str, ...]
    first: int
    last: int
    inset: int


def _statements(text: str) -> list[_Statement]:
    """The statements of a function, its first line the first of them."""
    made: list[_Statement] = []
    depth = 0
    for _, word, offset in code(text):
        line = text.count("\n", 0, offset) + 1
        if made and (depth or line == made[-1].last):
            made[-1] = made[-1]._replace(words=(*made[-1].words, word), last=line)
        else:
            made.append(_Statement((word,), line, line, offset - text.rfind("\n", 0, offset) - 1))
        depth += DEEPER.get(word, 0)
    return made


def _never(action: Action, words: tuple[str, ...]) -> bool:
    """Whether a statement requires of a parameter a number that it cannot be, as ``require(n < 0, …)`` of one from 0 on."""
    sign = "-" if words[4:5] == ("-",) else ""
    if len(words) < 6 or words[:2] != ("require", "(") or words[5 + len(sign)] != ",":
        return False
    kind, number = action.parameters.get(words[2].removesuffix("_")), sign + words[4 + len(sign)]
    if kind is None or kind.kind not in ("integer", "number") or not number.lstrip("-").isdigit():
        return False
    least, most = kind.minimum, kind.maximum
    match words[3]:
        case "<":
            return least is not None and least >= int(number)
        case "<=":
            return least is not None and least > int(number)
        case ">":
            return most is not None and most <= int(number)
        case ">=":
            return most is not None and most < int(number)
    return False


def _hangs(frame: Frame) -> bool:
    """Whether what was found out hangs on the game, its clock, or the step under way."""
    whole = frame.whole()
    return bool(whole.reads or whole.instants or whole.passing or whole.clocked)
