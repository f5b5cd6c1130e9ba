"""What the interpreter reckons with whole numbers and sequences is what Python reckons, or a refusal; never another number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import starlark

from nomicgit.ground.problems import Defect
from nomicgit.law import mechanics
from nomicgit.law.linking import Source

NUMBERS = [
    0,
    1,
    -1,
    2,
    3,
    7,
    31,
    32,
    2**31 - 1,
    2**31,
    -(2**31),
    -(2**31) - 1,
    2**32,
    2**53,
    2**63,
    -(2**63),
    10**16,
]
SIGNS = "+ - * // % & | ^ < <= == != > >=".split()
SEQUENCES = ["[1, 2, 3, 4, 5]", "'abcde'", "[]", "''"]
OF_ONE = [
    "str({})",
    "abs({})",
    "-({})",
    "~({})",
    "bool({})",
    "int('{}')",
    "'%d' % ({})",
    "'%x' % ({})",
    "[1, 2, {0}].index({0})",
]
OF_TWO = ["max({}, {})", "min([{}, {}])", "sorted([{}, {}, 0])"]  # fmt: skip


def expressions() -> Iterator[str]:
    for one in NUMBERS:
        yield from (form.format(one) for form in OF_ONE)
        for sequence in SEQUENCES:
            yield f"{sequence}[({one})]"
            yield f"{sequence}[::({one})]"
            yield from (f"{sequence} * ({one})" for _ in range(-100 < one < 100))
        for other in NUMBERS:
            yield from (f"({one}) {sign} ({other})" for sign in SIGNS)
            yield from (form.format(one, other) for form in OF_TWO)
            yield from (f"({one}) >> {other}" for _ in range(0 <= other < 100))
            yield from (f"{sequence}[({one}):({other})]" for sequence in SEQUENCES)


@pytest.mark.slow
def test_whole_numbers_are_reckoned_as_python_does_or_refused() -> None:
    wrong = {}
    for each in expressions():
        try:
            value = starlark.eval(starlark.Module(), mechanics._parsed(Source("x", each)), mechanics._GLOBALS)
        except starlark.StarlarkError:
            continue
        expected = eval(each)  # the second way to reckon it
        if (type(value), value) != (type(expected), expected):
            wrong[each] = (value, expected)
    assert wrong == {}


def test_most_of_that_is_not_refused() -> None:
    """Else the comparison above would hold for an interpreter that refuses everything."""
    plain = [f"({one}) {sign} ({other})" for one in NUMBERS for other in NUMBERS if other for sign in SIGNS]
    for each in plain:
        starlark.eval(starlark.Module(), mechanics._parsed(Source("x", each)), mechanics._GLOBALS)


@pytest.mark.parametrize("line", ["    x = n << 3", "    n <<= 3"])
def test_what_loses_bits_is_refused_at_its_line(line: str) -> None:
    with pytest.raises(Defect) as refused:
        mechanics._parsed(Source("rule.md", f'# <<\ndef f(n):\n    s = "<<"\n{line}\n    return n\n'))
    [problem] = refused.value.problems
    assert (problem.where.line, "n * 8" in problem.mend) == (4, True)
