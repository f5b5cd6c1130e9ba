"""Checks of numbers by the ranges that declarations give them: amounts that nothing can ever have or hold, and requirements that
nothing ever meets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from math import inf
from typing import NamedTuple

from nomicgit.ground.problems import Problem
from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import DEEPER, Token, code, text_of
from nomicgit.law.law import Law
from nomicgit.law.linking import PREFIX, linked
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import Type, Variable, kind_of_all
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning
from nomicgit.outlook.checks.habits import WRITING, functions_of
from nomicgit.outlook.checks.handed import Call, calls, kind_named, literal

NUMBERS = frozenset({"integer", "number"})
MOVING: Mapping[str, tuple[int, str]] = {
    "gain": (2, "spend"), "spend": (2, "gain"), "lose": (2, "gain"), "transfer": (3, "transfer"),
}  # fmt: skip
"""Which argument of a word is the amount, and what moves as much the other way."""
ASKED = frozenset({*MOVING, "require"})
"""The words that may always refuse so."""
DEEP = 8  # names that are given by others
SIGNS = frozenset({"<", "<=", ">", ">=", "=="})
TURNED: Mapping[str, str] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""What is so where a comparison is not."""
JOINING = frozenset({"or", "not", "if", "else", "in", "for"})


class Range(NamedTuple):
    """From which number to which a value lies; ``declared``: a declaration says so, and not numbers that are written out alone."""

    least: float = -inf
    most: float = inf
    declared: bool = False

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.least:g}"
        least, most = self.least > -inf, self.most < inf
        return f"from {self.least:g} to {self.most:g}" if least and most else (
            f"{self.least:g} or more" if least else f"{self.most:g} at most")  # fmt: skip


ANY = Range()


class _Function:
    """The tokens of a function, and the ranges of its names."""

    def __init__(self, law: Law, placed: Placed, tokens: Sequence[Token]) -> None:
        self.law, self.placed, self.tokens = law, placed, tokens

    @cached_property
    def asked(self) -> Mapping[str, Type]:
        """What its parameters hold, by the names that it gives them, where one action alone calls it."""
        return _asked(self.law, self.placed, self.tokens)

    def of(self, part: Sequence[Token], deep: int = DEEP) -> Range:
        """The range of an expression: of numbers, constants, parameters, variables, names given once, their sums and differences."""
        if not part or not deep:
            return ANY
        whole = Range(0, 0)
        for sign, term in _terms(part):
            each = self._term(term, deep)
            low, high = (each.least, each.most) if sign == "+" else (-each.most, -each.least)
            whole = Range(whole.least + low, whole.most + high, whole.declared or each.declared)
        return whole

    def _term(self, part: Sequence[Token], deep: int) -> Range:
        words = [word for _, word, _ in part]
        if len(part) == 1:
            kind, word, _ = part[0]
            if kind == "NUMBER":
                return Range(float(word), float(word)) if word.replace(".", "", 1).isdecimal() else ANY
            return self._name(word, deep) if kind == "NAME" else ANY
        if words[0] == "(" and _closes(part, 0) == len(part) - 1:
            return self.of(part[1:-1], deep - 1)
        if words[:2] == ["get", "("] and _closes(part, 1) == len(part) - 1:
            call = calls(" ".join(words), frozenset({"get"}))[0]
            return self._got(call) if len(call.given) == 2 and not call.named else ANY
        return ANY

    def _name(self, name: str, deep: int) -> Range:
        given = list(_given(self.placed, self.tokens, name))
        if name in self.asked:
            return ANY if given else _range_of([self.asked[name]])
        if len(given) == 1:
            return self.of(given[0], deep - 1)
        if given or name in {word for _, word, _ in self.tokens[2 : _closes(self.tokens, 2)]}:
            return ANY
        return self.of(code(text_of(self.placed.mechanics, name) or "")[2:], deep - 1)

    def _got(self, call: Call) -> Range:
        declared = _variables(self.law, call.given[0], call.given[1])
        return _range_of([each.type for each in declared]) if declared else ANY


def amounts(law: Law, of: Placed | None = None) -> Iterator[Finding]:
    """Amounts below zero, and those that are more than a variable ever holds: such a call is refused, whoever it is for. Those of one
    rule, or of all.
    """
    for placed, function, call in _calls(law, frozenset(MOVING), of):
        place, otherwise = MOVING[call.word]
        if len(call.given) <= place:
            continue
        amount, shown = call.given[place], _shown(placed, call.given[place])
        span = function.of(amount)
        if span.most < 0:
            said = f"not {span}" if span.least == span.most else f"{shown} is {span}"
            what = f"{call.word} moves only a positive amount, and {said}: it always refuses"
            yield error(_there(law, placed, call, what, _turned(placed, call, place, otherwise, span)))
        elif less := _turned_round(amount) if span.least < 0 else "":
            what = f"{call.word} moves only a positive amount, and refuses -{less} where {less} is one"
            yield warning(_there(law, placed, call, what, _turned(placed, call, place, otherwise, span)))
        elif call.word in ("spend", "gain") and span.least > (room := _room(law, call)):
            name = literal(call.given[1])
            what = f"{call.word} moves {span}, and {name} has room for {room:g}: it always refuses"
            mend = f"write {room:g} or less, or declare another min or max of {name}"
            yield error(_there(law, placed, call, what, mend))


def requirements(law: Law, of: Placed | None = None) -> Iterator[Finding]:
    """Comparisons that ``require`` asks for, and that no value within its range meets: it refuses whoever asks. Those of one rule, or
    of all.
    """
    for placed, function, call in _calls(law, frozenset({"require"}), of):
        for part in _split(call.given[0], "and") if call.given else ():
            signs = [n for n, (_, word, _) in enumerate(part) if word in SIGNS]
            if len(signs) != 1 or not JOINING.isdisjoint(word for _, word, _ in part):
                continue
            sides = part[: signs[0]], part[signs[0] + 1 :]
            one, other = map(function.of, sides)
            sign = part[signs[0]][1]
            if (one.declared or other.declared) and not _met(one, sign, other):
                side, span = (sides[0], one) if one.declared else (sides[1], other)
                what = f"{_shown(placed, side)} is {span}: require always refuses, since {_shown(placed, part)} is never so"
                edge = sign in ("<", ">") and _met(one, f"{sign}=", other)
                mend = f"write {_shown(placed, sides[0])} {sign}= {_shown(placed, sides[1])}" if edge else ""
                mend = f"{mend or 'ask for what may be so'}, or declare another min or max"
                yield error(_there(law, placed, call, what, mend))


def conditions(law: Law) -> Iterator[Finding]:
    """Comparisons behind ``if`` that are never so, or always, whatever value within its range a variable has."""
    for placed in law.active:
        for tokens in functions_of(code(placed.mechanics)) if placed.mechanics else ():
            function = _Function(law, placed, tokens)
            for n, (_, word, _) in enumerate(tokens):
                for part in _split(_to_its_end(tokens[n + 1 :]), "and") if word in ("if", "elif") else ():
                    signs = [m for m, (_, sign, _) in enumerate(part) if sign in SIGNS]
                    if len(signs) != 1 or not JOINING.isdisjoint(each for _, each, _ in part):
                        continue
                    one, other = function.of(part[: signs[0]]), function.of(part[signs[0] + 1 :])
                    sign, shown = part[signs[0]][1], _shown(placed, part)
                    always = sign in TURNED and not _met(one, TURNED[sign], other)
                    if not (one.declared or other.declared) or (_met(one, sign, other) and not always):
                        continue
                    side, span = (part[: signs[0]], one) if one.declared else (part[signs[0] + 1 :], other)
                    what = (
                        f"{_shown(placed, side)} is {span}: {shown} is {'always' if always else 'never'} so"
                    )
                    line = placed.line + 1 + placed.mechanics.count("\n", 0, part[0][2])
                    mend = "ask for what may be so and may not, or declare another min or max"
                    yield warning(in_rule(law, placed.slug, what, mend, line))


def _to_its_end(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens of a condition, up to the colon, the ``else`` or the bracket that ends it."""
    depth = 0
    for n, (_, word, _) in enumerate(tokens):
        depth += DEEPER.get(word, 0)
        if depth < 0 or (not depth and word in (":", "else", "if", "for")):
            return tokens[:n]
    return tokens


def refuses(law: Law, placed: Placed, line: int) -> bool:
    """Whether a call on a line of a rule's file is always refused."""
    findings = (
        each for look in (amounts, requirements) for each in look(law, placed) if each.level == "error"
    )
    places = ((each.problem.where.file, each.problem.where.line) for each in findings)
    return (placed.file, line) in places


def _calls(law: Law, words: frozenset[str], of: Placed | None) -> Iterator[tuple[Placed, _Function, Call]]:
    """The calls of some words in one rule or in all, each with the function in which it stands."""
    for placed in law.active if of is None else (of,):
        parts = list(functions_of(code(placed.mechanics))) if placed.mechanics else []
        for call in calls(placed.mechanics, words):
            own = [tokens for tokens in parts if tokens[0][2] <= call.at]
            if own:
                yield placed, _Function(law, placed, own[-1]), call


def _there(law: Law, placed: Placed, call: Call, what: str, mend: str) -> Problem:
    return in_rule(law, placed.slug, what, mend, placed.line + 1 + placed.mechanics.count("\n", 0, call.at))


def _shown(placed: Placed, part: Sequence[Token]) -> str:
    """An expression as it is written."""
    return " ".join(placed.mechanics[part[0][2] : part[-1][2] + len(part[-1][1])].split())


def _met(one: Range, sign: str, other: Range) -> bool:
    """Whether two values of these ranges may compare so."""
    match sign:
        case "<":
            return one.least < other.most
        case "<=":
            return one.least <= other.most
        case ">":
            return one.most > other.least
        case ">=":
            return one.most >= other.least
    return one.least <= other.most and other.least <= one.most


def _room(law: Law, call: Call) -> float:
    """How much of a variable can be moved at most, from its least value to its most; endless where it stops at its ends."""
    types = [each.type for each in _variables(law, call.given[0], call.given[1])]
    clamped = any(
        each.below_zero == "clamp" or (not each.below_zero and law.declared.numbers == "clamp")
        for each in types
    )
    span = _range_of(types)
    return inf if clamped and call.word == "gain" else span.most - span.least


def _variables(law: Law, reference: Sequence[Token], name: Sequence[Token]) -> list[Variable]:
    """The variables that may be meant by a name that is written out, of what a reference is; none where some is worked out."""
    kind, called = kind_named(reference), underscored(literal(name))
    declared = [
        each
        for each in law.declared.variables.values()
        if each.name == called and kind in ("", kind_of_all(each.of))
    ]
    return [] if any(each.derived for each in declared) else declared


def _range_of(types: Sequence[Type]) -> Range:
    """The range in which values of all these types lie."""
    if not types or any(each.kind not in NUMBERS or each.normal for each in types):
        return ANY
    least = min(-inf if each.minimum is None else each.minimum for each in types)
    most = max(inf if each.maximum is None else each.maximum for each in types)
    return Range(least, most, declared=True)


def _asked(law: Law, placed: Placed, tokens: Sequence[Token]) -> Mapping[str, Type]:
    """What the parameters of a function hold that one action alone calls, by the names that it gives them."""
    name = tokens[1][1] if len(tokens) > 1 else ""
    actions = [
        each for each in law.declared.actions.values() if each.function in (name, linked(name, placed.slug))
    ]
    if len(actions) != 1 or any({name, PREFIX + name} & _called(each.mechanics) for each in law.active):
        return {}
    return {name: kind for own, kind in actions[0].parameters.items() for name in (own, f"{own}_")}


@lru_cache(maxsize=512)
def _called(mechanics: str) -> frozenset[str]:
    """The names and texts that mechanics write, but for those that they define."""
    words = ["", *(word for _, word, _ in code(mechanics))]
    return frozenset(word.strip("\"'") for before, word in pairwise(words) if before != "def")


def _given(placed: Placed, tokens: Sequence[Token], name: str) -> Iterator[Sequence[Token]]:
    """What a name is given in a function, each time; nothing to read of it where that is not written out behind one ``=``."""
    depth, loop = 0, False
    for n, (_, word, at) in enumerate(tokens):
        depth += DEEPER.get(word, 0)
        before, after = tokens[n - 1] if n else ("", "", 0), tokens[n + 1][1] if n + 1 < len(tokens) else ""
        loop = (loop or word in ("for", "lambda")) and word not in ("in", ":")
        if word != name or (not loop and (after not in WRITING | {","} or before[1] == ".")):
            continue
        begins = "\n" in placed.mechanics[before[2] + len(before[1]) : at] or before[1] == ":"
        if not loop and (depth or (after == "," and not begins)):
            continue  # handed over by its name, or one of several values
        yield _to_line_end(placed, tokens[n + 2 :]) if after == "=" and begins and not loop else ()


def _to_line_end(placed: Placed, tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens of an expression up to the end of its statement."""
    depth = 0
    for n, (_, word, at) in enumerate(tokens):
        if n and not depth and "\n" in placed.mechanics[tokens[n - 1][2] : at]:
            return tokens[:n]
        depth += DEEPER.get(word, 0)
    return tokens


def _split(part: Sequence[Token], word: str) -> list[Sequence[Token]]:
    """The parts of an expression that a word joins outside brackets."""
    parts, depth = [list[Token]()], 0
    for token in part:
        depth += DEEPER.get(token[1], 0)
        if token[1] == word and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return [each for each in parts if each]


def _terms(part: Sequence[Token]) -> list[tuple[str, Sequence[Token]]]:
    """The terms of a sum, each with its sign; one without a sign where other signs stand between."""
    terms: list[tuple[str, list[Token]]] = []
    depth, sign = 0, "+"
    for token in part:
        if not depth and token[1] in ("+", "-") and (not terms or terms[-1][1]):
            sign = token[1]
            terms.append((sign, []))
        else:
            terms = terms or [(sign, [])]
            terms[-1][1].append(token)
        depth += DEEPER.get(token[1], 0)
    return [(sign, each) for sign, each in terms]


def _closes(part: Sequence[Token], opening: int) -> int:
    """The place of the bracket that closes the one at a place."""
    depth = 0
    for n in range(opening, len(part)):
        depth += DEEPER.get(part[n][1], 0)
        if depth == 0:
            return n
    return -1


def _turned_round(argument: Sequence[Token]) -> str:
    """The name that stands behind a minus sign, where the argument is nothing else."""
    words = [word for _, word, _ in argument]
    return words[1] if words[:1] == ["-"] and len(words) == 2 and argument[1][0] == "NAME" else ""


def _turned(placed: Placed, call: Call, place: int, otherwise: str, span: Range) -> str:
    """The call that moves as much the other way."""
    given = [_shown(placed, part) for part in call.given]
    amount = call.given[place]
    words = [word for _, word, _ in amount]
    behind = amount[1:] if words[0] == "-" else amount[2:] if words[:2] == ["0", "-"] else ()
    if span.least == span.most:
        given[place] = f"{-span.least:g}"
    elif len(_terms(behind)) == 1:
        given[place] = _shown(placed, behind)
    else:
        given[place] = f"-({given[place]})"
    if otherwise == call.word:
        given[0], given[1] = given[1], given[0]
    return f"write {otherwise}({', '.join(given)})"
