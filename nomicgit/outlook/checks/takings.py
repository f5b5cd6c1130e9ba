"""Checks of amounts that nobody can have: whoever spends them is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import Token, code, text_of
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import Variable
from nomicgit.outlook.checks.finding import Finding, in_rule, warning
from nomicgit.outlook.checks.handed import Call, calls, literal

TAKING = frozenset({"get", "spend", "lose", "was"})
GIVING = frozenset({"gain", "transfer"})


def unhad(law: Law) -> Iterator[Finding]:
    """What is spent, and no rule gives anybody: who has it not from the start never will."""
    for placed in law.active:
        for call in calls(placed.mechanics, frozenset({"spend"})):
            name = underscored(literal(call.given[1])) if len(call.given) > 2 else ""
            amount = _number(placed.mechanics, call.given[2]) if name else 0
            declared = [each for each in law.declared.variables.values() if each.name == name]
            if amount > 0 and declared and all(_start(each) < amount for each in declared) and not _given(law, name):  # fmt: skip
                what = f"no rule gives anybody {name}: spend always refuses"
                mend = (
                    f'give it somewhere: gain(ref, "{name}", n), or declare a default of {amount:g} or more'
                )
                yield _in_line(law, placed, call, what, mend)


def _in_line(law: Law, placed: Placed, call: Call, what: str, mend: str) -> Finding:
    line = placed.line + 1 + placed.mechanics.count("\n", 0, call.at)
    return warning(in_rule(law, placed.slug, what, mend, line))


def _number(mechanics: str, argument: Sequence[Token]) -> float:
    """The number that an argument is, or a constant of the same rule that it names; 0 where it is anything else."""
    words = [word for _, word, _ in argument]
    if len(words) == 1 and argument[0][0] == "NAME":
        words = [word for _, word, _ in code(text_of(mechanics, words[0]) or "")][2:]
    sign, digits = (-1, words[1:]) if words[:1] == ["-"] else (1, words)
    return sign * float(digits[0]) if len(digits) == 1 and digits[0].replace(".", "", 1).isdecimal() else 0


def _start(variable: Variable) -> float:
    """What of a variable there is to spend from the start; endless where nothing bounds it below, or it is worked out."""
    start, least = variable.type.empty(), variable.type.minimum
    if variable.derived or variable.type.default_by or least is None or not isinstance(start, int | float):
        return float("inf")
    return start - least


def _given(law: Law, name: str) -> bool:
    """Whether anything in the rules but what looks at a variable, or takes from it, and its declaration, may name it."""
    for placed in law.ruleset.rules:
        handed = [call for call in calls(placed.mechanics, TAKING | GIVING) if len(call.given) > 1]
        if any(call.word in GIVING and not literal(call.given[-2]) for call in handed):
            return True  # of a variable that is worked out
        taken = [
            each for each in handed if each.word in TAKING and underscored(literal(each.given[1])) == name
        ]
        if len(taken) < sum(_names(token, name) for token in code(placed.mechanics)):
            return True
        declared = texts_in({key: part for key, part in placed.front.items() if key != "variables"})
        if any(underscored(text).partition(".")[0] == name for text in declared):  # as mechanics spell it
            return True
    return False


def _names(token: Token, name: str) -> bool:
    kind, word, _ = token
    return underscored(literal([token]).partition(".")[0]) == name if kind == "STRING" else word == name


def texts_in(part: object) -> Iterator[str]:
    """All keys and values in some declarations, as texts."""
    if isinstance(part, Mapping):
        yield from (text for pair in part.items() for each in pair for text in texts_in(each))
    elif isinstance(part, list | tuple):
        yield from (text for each in part for text in texts_in(each))
    else:
        yield str(part)
