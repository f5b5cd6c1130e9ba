"""Every native operation of the law's language and every word, with the largest values: each comes to an end within its bound.

The operations are the interpreter's own list, and the words those of the physics: none is forgotten here. What does not come
back in time ends the process in which it runs, and that one alone; so much the processor spends on it, and no more.
One of eight methods, functions and words is tried, and all signs; of a word one call of ten, another one of
each; with ``--hypothesis-profile=deep`` all.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

import pytest
import starlark
from language import tiny
from support.depth import is_deep, one_of

from nomicgit.ground import deaths, watch, worker
from nomicgit.ground.problems import NomicError
from nomicgit.law import mechanics
from nomicgit.law.linking import BUILTINS
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.physics import Physics

LENT = 0.1  # seconds of processor time for each
BESIDE = 1.0  # what ending it, and beginning anew behind it, may take beside
VALUES = {
    "text": 's = "ab" * 8000000\n',
    "number": "n = 3\nfor i in range(19):\n    n = n * n\n",
    "list": "l = list(range(200000))\n",
    "dict": "d = {i: i for i in range(30000)}\n",
    "shared": "w = ['x']\nfor i in range(60):\n    w = [w, w]\n",
}
"""How each is made: what is asked of them takes seconds or all memory, where it is not ended."""
OF = {"text": "s", "number": "n", "list": "l", "dict": "d", "shared": "w"}
TYPES = {
    "text": '""',
    "list": "[]",
    "dict": "{}",
    "json": "json",
    "struct": "range(3)",
    "number": "1",
    "float": "1.5",
}
OPERATORS = ["+", "-", "*", "//", "/", "%", "==", "<", ">>", "&", "|", "^", "in"]


def attributes(value: str) -> list[str]:
    """The methods of a value, as the interpreter lists them."""
    given = starlark.eval(
        starlark.Module(), starlark.parse("x", f"dir({value})", mechanics._DIALECT), mechanics._GLOBALS
    )
    assert isinstance(given, list)
    return given


def natives() -> Iterator[tuple[str, str]]:
    """Each operation, by its name, with the expressions that try it; ``{0}`` and ``{1}`` are large values."""
    for kind, value in TYPES.items():
        for name in attributes(value):
            yield f"{kind}.{name}", f"{{0}}.{name}" if kind in OF else f"{value}.{name}"
    for name in sorted(BUILTINS - {"fail", "print", "pprint", "debug", "json"}):
        yield name, name
    for word in sorted(NEWEST.words):
        yield f"word {word}", word
    for sign in OPERATORS:
        yield f"operator {sign}", sign


def programs(name: str, what: str) -> Iterator[str]:
    """The programs that try an operation: a method of a large value with none, with it again, and with a list; a function with
    each; a sign between each and itself, and between it and a text or a number.
    """
    kind = name.partition(".")[0]
    for first in [kind] if kind in OF else OF:
        one = OF[first]
        made = VALUES[first]
        if name.startswith("operator"):
            for second in dict.fromkeys((first, "number")):
                yield f"{made}{VALUES[second]}return type({one} {what} {OF[second]})"
        elif kind in OF:
            made += VALUES["list"] if first != "list" else ""
            for given in ("", one, f"{one}, {one}", "l", '["x"] * 3000000'):
                yield f"{made}return type({what.format(one)}({given}))"
        else:
            yield f"{made}return type({what}({one}))"
            yield f"{made}return type({what}({one}, {one}))"


def ended(programs: Sequence[str], physics: Physics = NEWEST) -> tuple[int, float]:
    """How many of these programs ended the worker in which they ran, and the seconds of the processor that all took."""
    done, died, before = mmap.mmap(-1, 8), 0, worker.spent()
    world = tiny.Game(tiny.ruleset({}), physics=physics).world

    def all_from(start: int) -> int:
        for number, program in enumerate(programs[start:], start + 1):
            done[:] = number.to_bytes(8)
            with suppress(NomicError):
                mechanics.program(program, {}, world, "tried")
        return 0

    while (start := int.from_bytes(done[:])) < len(programs):
        try:
            watch.traced(partial(all_from, start), LENT, processor=60, wall=600)
        except deaths.Died:
            died += 1
    return died, worker.spent() - before


NATIVES = dict(natives())


def test_all_of_the_interpreter_is_tried() -> None:
    tried = {
        "text.replace",
        "text.split",
        "text.join",
        "text.format",
        "list.remove",
        "dict.update",
        "json.encode",
    }
    assert tried | {"sorted", "range", "str", "int", "operator *", "operator %"} <= set(NATIVES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name.startswith("operator ") else one_of(8, number))
        for number, name in enumerate(NATIVES)
    ],
)
def test_a_native_operation_ends(name: str, request: pytest.FixtureRequest) -> None:
    every = list(programs(name, NATIVES[name]))
    if name.startswith("word ") and not is_deep(request.config):
        every = every[list(NATIVES).index(name) % 10 :: 10]
        assert len(every) == 1
    died, seconds = ended(every)
    assert seconds < (died + 1) * (LENT + BESIDE) + len(every) * LENT
