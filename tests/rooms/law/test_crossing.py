"""What crosses to the interpreter is what the library's own JSON says, and nobody else meets another library."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from language.tiny import Game, game

from nomicgit.law import crossing

LOADS, DUMPS = json.loads, json.dumps
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.text(st.characters())
PLAIN = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


@pytest.fixture(autouse=True)
def _slack() -> Iterator[None]:
    yield
    crossing.slacken()


def answer(function: Callable[[Any], object], given: object) -> str:
    """What a function answers, with its type, or how it fails."""
    try:
        value = function(given)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return f"{type(value).__name__}: {value!r}"


@given(PLAIN)
@example({1, 2})
@example(object())
@example({(1, 2): 3})
def test_what_goes_in_is_written_as_by_the_library(value: object) -> None:
    crossing.quicken()
    assert answer(json.dumps, value) == answer(DUMPS, value)


@given(
    PLAIN.map(DUMPS)
    | PLAIN.map(lambda value: DUMPS(value, ensure_ascii=False))
    | st.text('[]{}:," \n\t0-1.eEtrufalsNIiy\ufeff')
)
@example("")
@example("NaN")
@example("-Infinity")
@example('"a" ')
@example(' "a"')
@example('"a" "b"')
@example("9" * 5000)
@example(b'"a"')
@example(None)
def test_what_comes_out_is_read_as_by_the_library(text: object) -> None:
    crossing.quicken()
    assert answer(json.loads, text) == answer(LOADS, text)


def test_who_asks_for_more_gets_it() -> None:
    crossing.quicken()
    assert json.dumps("é", ensure_ascii=False) == '"é"'
    assert json.loads("1.5", parse_float=str) == "1.5"


CODE = """
def deep(n):
    return [get("players/ana", "name"), call("deep", n - 1)] if n else "end"

def broken(n):
    return get(n, "title")
"""


@pytest.fixture(scope="module")
def bench() -> Game:
    return game(code=CODE)


def test_while_the_law_runs_the_library_is_asked_for_no_text(
    bench: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def dumps(value: object, **how: Any) -> str:
        asked.append(value)
        return DUMPS(value, **how)

    monkeypatch.setattr(json, "dumps", dumps)
    assert bench.eval('[get("players/ana", "admin"), "x", deep(2)]')[1] == "x"
    assert not [each for each in asked if isinstance(each, str)]


def test_once_it_has_run_everybody_meets_the_library_as_it_is(bench: Game) -> None:
    bench.run("deep(2)")
    assert (json.loads, json.dumps) == (LOADS, DUMPS)
    for wrong in ("broken(3)", 'refuse("no")', "1 // 0", "deep(99)"):
        assert bench.fails(wrong)
        assert (json.loads, json.dumps) == (LOADS, DUMPS), wrong
