"""Checks of what names of a function hold: variables that their kind has not, numbers put to texts, and values that hide a word and
are called as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import Token
from nomicgit.law.hooks import Settle, Timed
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.calling import Function, shown, whole_functions
from nomicgit.outlook.checks.finding import Finding, error, in_rule
from nomicgit.outlook.checks.handed import (
    ASKING,
    NAMED,
    VARIABLE_OF,
    Call,
    calls,
    known_names,
    lacking,
    literal,
)
from nomicgit.outlook.checks.references import asked_of, held
from nomicgit.outlook.checks.unequal import begins_behind, given_once, values_of

TAKING = frozenset({word for word, (_, what) in NAMED.items() if what == "variable"} | {"put"})


def owned(law: Law) -> Iterator[Finding]:
    """Variables that are asked of what a name holds, and that its kind has not: of a tree, what players have."""
    known, hooks = known_names(law), _of_hooks(law)
    for placed in law.active:
        there = calls(placed.mechanics, TAKING)
        if not there or calls(placed.mechanics, frozenset({ASKING})):
            continue  # a rule that asks what is known waits for what may come
        for function in whole_functions(placed.mechanics):
            kinds = {
                **hooks.get(function.name, {}),
                **held(law, function.tokens, asked_of(law, function.name)),
            }
            first, last = function.tokens[0][2], function.tokens[-1][2]
            for call in there:
                if first <= call.at <= last and call.word not in function.own:
                    yield from _of_call(law, placed, call, kinds, known)


def _of_hooks(law: Law) -> Mapping[str, Mapping[str, str]]:
    """What the parameters of the functions of settles and of the clock hold, by their names."""
    hooks = [
        each
        for each in (*law.declared.settles.values(), *law.declared.schedule.values())
        if isinstance(each, Settle | Timed)
    ]
    there: dict[str, Mapping[str, str]] = {}
    for placed in law.active:
        for function in whole_functions(placed.mechanics):
            kinds = {
                each.kind
                for each in hooks
                if each.rule == placed.slug and each.function.startswith(function.name)
            }
            alone = len(function.tokens) > 4 and function.tokens[4][1] == ")"
            if alone and len(kinds) == 1 and _is_given_once(function, function.tokens[3][1]):
                there[function.name] = {function.tokens[3][1]: kinds.pop()}
    return there


def _is_given_once(function: Function, name: str) -> bool:
    """Whether a parameter stays what it was."""
    return not any(
        word == name and function.tokens[n + 1][1] in ("=", "in", ",") for n, (_, word, _) in enumerate(function.tokens[5:-1], 5)
        if function.tokens[n + 1][1] != "," or function.tokens[n - 1][1] == "for"
    )  # fmt: skip


def _of_call(
    law: Law, placed: Placed, call: Call, kinds: Mapping[str, str], known: Mapping[str, Set[str]]
) -> Iterator[Finding]:
    place = NAMED[call.word][0] if call.word in NAMED else len(call.given)
    text = literal(call.given[place]) if place < len(call.given) else ""
    names = [text.partition(".")[0]] if text and not (call.word == "get" and len(call.given) > 2) else []
    names += [name for name in call.named if call.word == "put"]
    for part in call.given[: 2 if call.word == "transfer" else 1]:
        name = part[0][1] if len(part) == 1 else ""
        kind = kinds.get(name, "") if name != "actor" else ""
        of = "player" if kind == "players" else kind
        if of == "posts" or (have := known.get(VARIABLE_OF + of)) is None:
            continue
        for variable in names:
            if (
                not {underscored(variable), variable.rstrip("_")} & have
                and underscored(variable) in known["variable"]
            ):
                what, mend = lacking(law, call, underscored(variable), VARIABLE_OF + of, have)
                line = placed.line + 1 + placed.mechanics.count("\n", 0, call.at)
                yield error(in_rule(law, placed.slug, what, mend, line))


def summed(law: Law) -> Iterator[Finding]:
    """A text to which a number is put that a variable holds, or that a word gives."""
    for placed in law.active:
        for function in whole_functions(placed.mechanics) if "+" in placed.mechanics else ():
            tokens, given = function.tokens, given_once(function, placed.mechanics)
            for n, (_, sign, _) in enumerate(tokens[:-1]):
                if sign != "+" or tokens[n - 1][0] != "STRING" or tokens[n - 2][1] in ("%", "["):
                    continue
                call = begins_behind(tokens, n, given)
                values = values_of(law, call) if call else None
                if values is not None and values.number:
                    written = tokens[n + 1][1] if tokens[n + 1][1] in given else shown(placed.mechanics, call)
                    line = placed.line + 1 + placed.mechanics.count("\n", 0, tokens[n + 1][2])
                    yield error(
                        in_rule(
                            law,
                            placed.slug,
                            "a text and a number are not added",
                            f"write str({written})",
                            line,
                        )
                    )


def hiding(law: Law) -> Iterator[Finding]:
    """Words that are called in a function which gives their name a value of its own: that is no function."""
    words = law.language.words
    doing = {each.function for each in law.declared.actions.values()}
    for placed in law.active:
        for function in whole_functions(placed.mechanics):
            for word in sorted(function.own & words):
                called = _calls_of(function.tokens, word)
                at = _given_a_value(function, word, doing) if called else -1
                if at >= 0:
                    line, there = (
                        placed.line + 1 + placed.mechanics.count("\n", 0, each) for each in (called, at)
                    )
                    what = f"{word} is a name of this function here, which line {there} gives a value, and so it is no word to be called"
                    yield error(
                        in_rule(
                            law,
                            placed.slug,
                            what,
                            f"call it {word}_ in line {there} and where it is read",
                            line,
                        )
                    )


def _calls_of(tokens: Sequence[Token], word: str) -> int:
    """Where a function first calls a word; 0 where it does not."""
    places = (
        at for n, (_, name, at) in enumerate(tokens[1:-1], 1)
        if name == word and tokens[n + 1][1] == "(" and tokens[n - 1][1] not in (".", "def")
    )  # fmt: skip
    return next(places, 0)


def _given_a_value(function: Function, word: str, doing: Set[str]) -> int:
    """Where a function gives a name what is surely no function, or takes it as what somebody has handed in; else -1."""
    tokens = function.tokens
    header = next((n for n, (_, sign, _) in enumerate(tokens) if sign == ":"), 0)
    if word in {name for _, name, _ in tokens[2:header]}:
        return tokens[0][2] if function.name in doing else -1
    places = []
    for n, (_, name, at) in enumerate(tokens[:-2]):
        behind = tokens[n + 1][1]
        if name != word or n < header or behind not in ("=", "in", ","):
            continue
        if behind == "=" and tokens[n - 1][1] in ("(", ","):
            continue  # what is handed over by that name
        kind, value, _ = tokens[n + 2]
        plain = (
            kind in ("STRING", "NUMBER")
            or value in ("[", "{")
            or (kind == "NAME" and tokens[n + 3 : n + 4] and tokens[n + 3][1] == "(")
        )
        if behind == "=" and plain and value not in ("call", "lambda"):
            places.append(at)
        elif behind == "=" or tokens[n - 1][1] in ("for", "lambda"):
            return -1
    return places[0] if places else -1
