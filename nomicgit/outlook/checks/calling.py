"""What words and functions take, and how a call of one differs from that, by its text alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache, partial
from inspect import Parameter, signature
from itertools import pairwise
from typing import NamedTuple

from nomicgit.law.definitions import DEEPER, Token, code
from nomicgit.outlook.checks.handed import Call, calls
from nomicgit.outlook.checks.named import Header
from nomicgit.physics.physics import Word

VIEW = "view"
"""What a word is told beside what the law hands it."""
BOUNDED = {"get": 3}
"""How many values a word makes something of that takes any number by position."""
_GIVING = {"def": ":", "lambda": ":", "for": "in"}
"""What names stand behind that are given a value, and before what they end."""


class Takes(NamedTuple):
    """What is taken: the names of what stands by position, how many there may be (None: any number), which of them must be
    there, which names it may be handed by, and whether any other ones."""

    positions: Sequence[str]
    most: int | None
    needed: Sequence[str]
    names: Set[str]
    others: bool

    @classmethod
    def of_word(cls, name: str, word: Word) -> Takes:
        """Of a word of the language."""
        there = [
            each for each in signature(partial(word.call, None)).parameters.values() if each.name != VIEW
        ]
        placed = [
            each
            for each in there
            if each.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        ]
        rest = any(each.kind == Parameter.VAR_POSITIONAL for each in there)
        named = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        return cls(
            tuple(each.name for each in placed),
            BOUNDED.get(name) if rest else len(placed),
            tuple(each.name for each in placed if each.default is Parameter.empty),
            frozenset(each.name for each in there if each.kind in named),
            any(each.kind == Parameter.VAR_KEYWORD for each in there),
        )

    @classmethod
    def of_function(cls, header: Header) -> Takes:
        """Of a function that mechanics define."""
        starred = next((n for n, (name, _) in enumerate(header) if name.startswith("*")), len(header))
        plain = [name for name, _ in header[:starred]]
        rest = any(name.startswith("*") and not name.startswith("**") for name, _ in header)
        return cls(
            tuple(plain),
            None if rest else len(plain),
            tuple(name for name, spare in header[:starred] if not spare),
            frozenset(name for name, _ in header if not name.startswith("*")),
            any(name.startswith("**") for name, _ in header),
        )


class Amiss(NamedTuple):
    """How a call differs from what is taken: what it lacks, how many values are too many, and names that are not taken."""

    lacking: Sequence[str]
    beyond: int
    strange: Sequence[str]

    @classmethod
    def of(cls, takes: Takes, call: Call) -> Amiss:
        """Of what a call spreads out, ``*list`` and ``**map``, nobody knows how much it is."""
        spread = [part[0][1] for part in call.given if part[0][1] in ("*", "**")]
        given = [part for part in call.given if part[0][1] not in ("*", "**")]
        filled = takes.positions[: len(given)]
        named = [name for name in call.named if name in takes.names and name not in filled]
        lacking = [name for name in takes.needed if name not in filled and name not in named]
        strange = [] if takes.others else [name for name in call.named if name not in named]
        beyond = max(0, len(given) - takes.most) if takes.most is not None else 0
        return cls([] if spread else lacking, beyond, strange)

    @property
    def fits(self) -> bool:
        """Whether nothing is amiss."""
        return not (self.lacking or self.beyond or self.strange)


class Function(NamedTuple):
    """A function of some mechanics, with all that it holds, and the names that are its own."""

    name: str
    tokens: Sequence[Token]
    own: Set[str]


@lru_cache(maxsize=1024)
def whole_functions(text: str) -> tuple[Function, ...]:
    """The functions of some mechanics that stand by themselves, each with those within it."""
    plain = code(text)
    starts = [
        n for n, (_, word, at) in enumerate(plain) if word == "def" and (at == 0 or text[at - 1] == "\n")
    ]
    parts = [plain[start:end] for start, end in pairwise([*starts, len(plain)])]
    return tuple(Function(part[1][1] if len(part) > 1 else "", part, _own(part, text)) for part in parts)


def _own(function: Sequence[Token], text: str) -> Set[str]:
    """All names that a function may give a value of its own, by ``=``, ``for``, ``lambda``, or as a parameter of one."""
    names: set[str] = set()
    depth = 0
    for n, (_, word, at) in enumerate(function):
        depth += DEEPER.get(word, 0)
        if word == "=" and not depth:
            begin = text.rfind("\n", 0, at) + 1
            before = [each for each in function[max(0, n - 40) : n + 1] if each[2] >= begin]
            names.update(
                name for (kind, name, _), (_, after, _) in pairwise(before) if kind == "NAME" and after != "("
            )
        elif word in _GIVING:
            names.update(_until(function, n + 1, _GIVING[word]))
    return frozenset(names - {function[1][1]} if len(function) > 1 else names)


def _until(function: Sequence[Token], start: int, end: str) -> Iterator[str]:
    for kind, word, _ in function[start:]:
        if word == end:
            return
        if kind == "NAME":
            yield word


def called(text: str, names: Set[str]) -> Iterator[tuple[Function, Call]]:
    """The calls of words or functions of these names; of what a function has under one of them nobody knows what it takes."""
    wanted = frozenset(names)
    there = [each for each in calls(text, wanted) if each.closed]
    for function in whole_functions(text) if there else ():
        first, last = function.tokens[0][2], function.tokens[-1][2]
        yield from (
            (function, each) for each in there if first <= each.at <= last and each.word not in function.own
        )


def shown(text: str, part: Sequence[Token], longest: int = 60) -> str:
    """A part of some mechanics as it is written; "…" for what is long."""
    written = " ".join(text[part[0][2] : part[-1][2] + len(part[-1][1])].split()) if part else ""
    return written if len(written) <= longest else "…"
