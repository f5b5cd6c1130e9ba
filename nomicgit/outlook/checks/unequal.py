"""Checks of comparisons that never come out: of a choice with what is none of its choices, of a day with what no day is called, of
a number with a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from keyword import iskeyword
from typing import NamedTuple

from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import DEEPER, Token
from nomicgit.law.law import Law
from nomicgit.law.variables import ENTITIES, Type, kind_of_all
from nomicgit.outlook.checks.calling import Function, whole_functions
from nomicgit.outlook.checks.finding import Finding, error, in_rule
from nomicgit.outlook.checks.habits import PARTS, opening_of
from nomicgit.outlook.checks.handed import besides, calls, kind_named, literal
from nomicgit.outlook.checks.named import near
from nomicgit.outlook.checks.references import COMPARED
from nomicgit.outlook.checks.wanted import NUMBER, RESULTS, TIME

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
JOINED = frozenset({"+", "-", "*", "/", "//", "%"})
TEXTS = frozenset({"name", "id", "date", "weekday", "now", "later", "start_of", "term", "digest", "str"})
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_JOINED = re.compile(r"""\b(or|and)\s+["']""")
_BEHIND = frozenset({":", ",", ")", "]", "}", "or", "and", "else"})
_ENDING = frozenset({"=", "return", ",", "else", ":", "lambda", "for", ";"})
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Values(NamedTuple):
    """What something may be: a number or a text, and of texts one of these where they are told, or of this form."""

    number: bool
    what: str
    texts: Sequence[str] = ()
    form: re.Pattern[str] | None = None


class Compared(NamedTuple):
    """Where something that mechanics ask for is compared, and the numbers and texts that it is compared with."""

    asked: Sequence[Token]
    with_: Sequence[Token]


def unequal(law: Law) -> Iterator[Finding]:
    """Comparisons with what can never be there, written out in full."""
    for placed in law.active:
        for asked, others in _comparisons(placed.mechanics):
            values = values_of(law, asked)
            wrong = [each for each in others if values is not None and not _may_be(values, each)]
            if values is None or not wrong:
                continue
            shown = ", ".join(word for _, word, _ in wrong)
            what = f"{values.what}, and never {shown}: these are never the same"
            line = placed.line + 1 + placed.mechanics.count("\n", 0, wrong[0][2])
            mends = dict.fromkeys(_meant(values, each) for each in wrong)
            yield error(in_rule(law, placed.slug, what, ", and ".join(mends), line))


def always(law: Law) -> Iterator[Finding]:
    """Conditions in which a text stands alone behind ``or`` or ``and``, where it always holds: ``if mood == "calm" or "cross"``."""
    for placed in law.active:
        for function in whole_functions(placed.mechanics) if _JOINED.search(placed.mechanics) else ():
            tokens = function.tokens
            for n in range(4, len(tokens)):
                if not _alone(tokens, n) or _alone(tokens, n - 2) or not _is_condition(tokens, n - 1):
                    continue
                _, second, at = tokens[n]
                line, joined = placed.line + 1 + placed.mechanics.count("\n", 0, at), tokens[n - 1][1]
                what = f"{second} stands alone behind {joined}, and a text always holds"
                yield error(in_rule(law, placed.slug, what, _list_to_ask(tokens, n), line))


def _alone(tokens: Sequence[Token], n: int) -> bool:
    """Whether a text stands there alone behind ``or`` or ``and``."""
    kind, word, _ = tokens[n]
    after = tokens[n + 1][1] if n + 1 < len(tokens) else ""
    return kind == "STRING" and len(word) > 2 and tokens[n - 1][1] in ("or", "and") and after in _BEHIND


def _list_to_ask(tokens: Sequence[Token], n: int) -> str:
    """What to write where a text stands alone: the comparison before it, with a list of all these texts."""
    sign, first = tokens[n - 3][1], tokens[n - 2]
    if sign not in COMPARED or first[0] != "STRING":
        return "compare something with it, or take it out"
    texts = [first[1], tokens[n][1]]
    while n + 2 < len(tokens) and _alone(tokens, n + 2):
        n += 2
        texts.append(tokens[n][1])
    return f"write … {'in' if sign == '==' else 'not in'} [{', '.join(texts)}]"


def _is_condition(tokens: Sequence[Token], n: int) -> bool:
    """Whether what is joined at a place is asked: behind ``if`` or ``not``, also in a comprehension, and first in ``require``."""
    depth = 0
    for m in range(n - 1, 0, -1):
        word, before = tokens[m][1], tokens[m - 1]
        if depth == 0 and word in ("if", "elif", "not"):
            return True
        depth -= DEEPER.get(word, 0)
        if depth >= 0 and (depth or word in (")", "]", "}")):
            continue
        if depth < 0:  # the bracket around it opens here
            called = before[0] == "NAME" and not iskeyword(before[1])
            if word != "(" or called:
                return before[1] == "require"
            depth = 0
        elif word in _ENDING:
            return False
    return False


@lru_cache(maxsize=1024)
def _comparisons(text: str) -> tuple[Compared, ...]:
    return tuple(each for function in whole_functions(text) for each in _in_function(function, text))


def _in_function(function: Function, text: str) -> Iterator[Compared]:
    tokens, given = function.tokens, given_once(function, text)
    for n, (_, sign, _) in enumerate(tokens):
        if sign in COMPARED:
            before, after = ends_before(tokens, n, given), begins_behind(tokens, n, given)
            if before and _is_value(tokens, n + 1, n + 2):
                yield Compared(before, [tokens[n + 1]])
            elif after and _is_value(tokens, n - 1, n - 2):
                yield Compared(after, [tokens[n - 1]])
        elif sign == "in" and tokens[n + 1 : n + 2] and tokens[n + 1][1] in ("[", "("):
            closing = next((m for m in range(n + 2, len(tokens)) if opening_of(tokens, m) == n + 1), n)
            inside = [each for each in tokens[n + 2 : closing] if each[1] != ","]
            before = ends_before(tokens, n - (tokens[n - 1][1] == "not"), given)
            if before and inside and all(kind in ("STRING", "NUMBER") for kind, _, _ in inside):
                yield Compared(before, inside)


def _is_value(tokens: Sequence[Token], n: int, beside: int) -> bool:
    """Whether a number or a text stands there alone."""
    plain = 0 <= n < len(tokens) and tokens[n][0] in ("STRING", "NUMBER") and tokens[n][1][0] not in "rRbBfF"
    return plain and not (0 <= beside < len(tokens) and tokens[beside][1] in JOINED | PARTS)


def ends_before(tokens: Sequence[Token], n: int, given: dict[str, Sequence[Token]]) -> Sequence[Token]:
    """The call that stands before a sign, or that gives the name there its value; nothing for anything else."""
    if tokens[n - 1][0] == "NAME":
        return given.get(tokens[n - 1][1], ()) if tokens[n - 2][1] not in JOINED | {"."} else ()
    opening = opening_of(tokens, n - 1) if tokens[n - 1][1] == ")" else 0
    called = opening > 1 and tokens[opening - 1][0] == "NAME" and tokens[opening - 2][1] not in JOINED | {"."}
    return tokens[opening - 1 : n] if called else ()


def begins_behind(tokens: Sequence[Token], n: int, given: dict[str, Sequence[Token]]) -> Sequence[Token]:
    """The same of what stands behind a sign."""
    end = end_of_call(tokens, n + 1)
    if end and not (end + 1 < len(tokens) and tokens[end + 1][1] in JOINED | PARTS):
        return tokens[n + 1 : end + 1]
    alone = n + 2 >= len(tokens) or tokens[n + 2][1] not in JOINED | PARTS
    return given.get(tokens[n + 1][1], ()) if n + 1 < len(tokens) and alone else ()


def end_of_call(tokens: Sequence[Token], start: int) -> int:
    """Where the call ends that begins there; 0 where none does."""
    if start + 1 >= len(tokens) or tokens[start][0] != "NAME" or tokens[start + 1][1] != "(":
        return 0
    return next((m for m in range(start + 2, len(tokens)) if opening_of(tokens, m) == start + 1), 0)


def given_once(function: Function, text: str) -> dict[str, Sequence[Token]]:
    """The names of a function that are given the value of one call, and nothing else."""
    tokens, calls_of, others = function.tokens, dict[str, Sequence[Token]](), set[str]()
    header = next((n for n, (_, word, _) in enumerate(tokens) if word == ":"), 0)
    others.update(word for _, word, _ in tokens[:header])
    calling: list[bool] = []  # of each bracket that is open, whether it calls something
    for n, (kind, name, _) in enumerate(tokens[:-2]):
        sign = tokens[n + 1][1]
        if DEEPER.get(name, 0) > 0:
            calling.append(
                name == "(" and n > 0 and tokens[n - 1][0] == "NAME" and not iskeyword(tokens[n - 1][1])
            )
        elif DEEPER.get(name, 0) < 0 and calling:
            calling.pop()
        if (
            kind != "NAME"
            or n <= header
            or (sign == "," and calling and calling[-1] and tokens[n - 1][1] != "for")
        ):
            continue
        end = end_of_call(tokens, n + 2) if sign == "=" else 0
        begins = tokens[n - 1][1] not in ("(", ",")
        alone = end and (end + 1 == len(tokens) or "\n" in text[tokens[end][2] : tokens[end + 1][2]])
        if sign == "=" and begins and alone and name not in calls_of:
            calls_of[name] = tokens[n + 2 : end + 1]
        elif sign in ("=", "+=", "-=", "*=", "in", ",") and (begins or sign != "="):
            if sign == "in" and tokens[n - 1][1] not in ("for", ","):
                continue
            others.add(name)
    return {name: call for name, call in calls_of.items() if name not in others}


def values_of(law: Law, asked: Sequence[Token]) -> Values | None:
    """What a call gives, as far as that shows."""
    word = asked[0][1]
    if word == "weekday":
        return Values(number=False, what=f"weekday gives {', '.join(DAYS[:2])} and so on", texts=DAYS)
    if word == "date":
        return Values(number=False, what='date gives the like of "2021-06-07"', form=_DATE)
    if RESULTS.get(word) == TIME:
        return Values(
            number=False, what=f'{word} gives a time, the like of "2021-06-07T12:00:00Z"', form=_TIME
        )
    if word in TEXTS or RESULTS.get(word) == NUMBER:
        number = word not in TEXTS
        return Values(number=number, what=f"{word} gives a {'number' if number else 'text'}")
    if word != "get":
        return None
    [call] = calls(" ".join(each[1] for each in asked), frozenset({"get"}))[:1] or [None]
    if call is None or len(call.given) != 2 or call.named:
        return None
    name, kind = underscored(literal(call.given[1])), kind_named(call.given[0])
    declared = [
        each
        for each in law.declared.variables.values()
        if each.name == name and kind in ("", kind_of_all(each.of))
    ]
    if not kind and name in besides(law):
        return None
    types = [_of_type(law, name, each.type) for each in declared]
    return types[0] if types and all(each == types[0] for each in types) else None


def _of_type(law: Law, name: str, kind: Type) -> Values | None:
    if kind.kind == "choice" and kind.choices and all(isinstance(each, str) for each in kind.choices):
        return Values(
            number=False, what=f"{name} is one of {', '.join(kind.choices)}", texts=tuple(kind.choices)
        )
    if kind.kind in ("integer", "number"):
        return Values(number=True, what=f"{name} is a number")
    if (
        kind.kind in ("text", "datetime", "date")
        or kind.kind in ENTITIES
        or kind.kind in law.declared.collections
    ):
        return Values(number=False, what=f"{name} is a text")
    return None


def _may_be(values: Values, other: Token) -> bool:
    kind, word, _ = other
    if kind == "NUMBER":
        return values.number
    text = word[1:-1]
    if "\\" in text or word[:3] in ('"""', "'''"):
        return True
    return (
        not values.number
        and (not values.texts or text in values.texts)
        and (values.form is None or bool(values.form.fullmatch(text)))
    )


def _meant(values: Values, other: Token) -> str:
    """What to write in place of what is never there."""
    kind, word, _ = other
    text = word.strip("\"'")
    if values.number:
        return f"write {text}, without quotes" if text.lstrip("-").isdecimal() else "compare it with a number"
    if values.texts == DAYS:
        number = kind == "NUMBER" and text.isdecimal() and int(text) < len(DAYS)
        plain = text.casefold()
        begun = [day for day in DAYS if len(plain) > 1 and (day.startswith(plain[:3]) or near(plain, [day]))]
        return (
            f'write "{DAYS[int(text)] if number else begun[0]}"'
            if number or begun
            else 'write a day such as "monday"'
        )
    if values.texts:
        meant = near(text, values.texts).removeprefix("write ").removesuffix(", if that is meant")
        return (
            f'write "{meant}", if that is meant'
            if meant
            else f"write one of {', '.join(values.texts)}, in quotes, or declare it"
        )
    if values.form is not None and text.casefold() in DAYS:
        return f'write weekday(now()) == "{text.casefold()}"'
    if values.form is _TIME:
        return 'write date(now()) == "2021-12-25" for a day, or now() < "2021-12-25T12:00:00Z" for what is before a time'
    if values.form is not None:
        return (
            'write the whole date: date(now()) == "2021-12-25", or date(now())[5:] == "12-25" in every year'
        )
    return f'write "{text}", in quotes' if kind == "NUMBER" else "compare it with a text"
