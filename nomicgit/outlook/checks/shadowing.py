"""Names of a function that are given a value and never read: a variable that is called so stays what it is, and of a plain
value nothing is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from nomicgit.law.definitions import DEEPER, Token, code
from nomicgit.law.law import Law
from nomicgit.outlook.checks.finding import Finding, in_rule, warning
from nomicgit.outlook.checks.habits import WRITING, functions_of

_SHOWN = re.compile(r"\{(\w+)\}")
_PLAIN = re.compile(r"\w+\s*=\s*(?:-?\d+|\"[^\"\n]*\"|'[^'\n]*'|\[\]|\{\}|True|False)[ \t]*(?:#.*)?(?:\n|\Z)")


def shadowing(law: Law) -> Iterator[Finding]:
    """Values that are given to a name of a function, where the variable of that name seems to be meant."""
    whose = {each.name: each.of for each in law.declared.variables.values() if not each.derived}
    for placed in law.active:
        for name, at in _all_unread(placed.mechanics):
            if placed.mechanics[at - 1 : at] == "\n":
                continue  # a constant behind the function
            line = placed.line + 1 + placed.mechanics.count("\n", 0, at)
            if name in whose:
                ref = {"game": '"game"', "dynasty": '"dynasty"'}.get(whose[name], "ref")
                what = f"{name} is a name of this function alone, which never uses it: the variable {name} stays as it is"
                yield warning(in_rule(law, placed.slug, what, f"write put({ref}, {name}=…)", line))
            elif _PLAIN.match(placed.mechanics, at):
                what = f"{name} is given a value here, and the function never uses it"
                mend = f'use it, or take the line out; what is to last is a variable: put("game", {name}=…)'
                yield warning(in_rule(law, placed.slug, what, mend, line))


@lru_cache(maxsize=1024)
def _all_unread(text: str) -> tuple[tuple[str, int], ...]:
    """Those of all functions of some mechanics."""
    return tuple(chain.from_iterable(_unread(function, text) for function in functions_of(code(text))))


def _unread(function: Sequence[Token], text: str) -> Iterator[tuple[str, int]]:
    """The names that a function gives a value and reads nowhere but to give it them anew; each with where that is, at first."""
    given: dict[str, int] = {}
    read: set[str] = set()
    depth, target, above = 0, "", -1
    for (_, before, _), (kind, word, at), (_, after, _) in zip(
        function, function[1:], [*function[2:], ("", "", 0)], strict=False
    ):
        depth += DEEPER.get(before, 0)
        line = text.count("\n", 0, at)
        begins, above = not depth and line != above, line
        if begins or (not depth and before in (";", ":")):
            target = word if kind == "NAME" and after in WRITING else ""
            if target:
                given.setdefault(word, at)
                continue
        if kind == "STRING" and word[0] in "fF":
            read.update(_SHOWN.findall(word))
        elif kind == "NAME" and word != target and before != "." and not (depth and after == "="):
            read.add(word)
    return ((name, at) for name, at in given.items() if name not in read)
