"""The mechanics language: Starlark, run within bounds. The only importer of the interpreter.

Nothing outside this module knows which language the law is written in. A function of the law is called by
its linked name; the words that it uses are asked of the host at hand. What a word raises comes back to
whoever called the law, unchanged; what the interpreter finds wrong comes back as a Defect with its place.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Protocol

import starlark

from nomicgit.definitions import tokens
from nomicgit.linking import ROSTER, Linked, Source, written
from nomicgit.problems import Defect, NomicError, Place, Problem, Refused

NESTING = 64
FRAMES = 60
TURNS = 20  # what the interpreter's thousand turns cost, where a word costs 1
_AT = re.compile(r"^ *--> (?P<file>.+):(?P<line>\d+):(?P<column>\d+)$", re.MULTILINE)
_CALL = re.compile(r"^  \* (?P<file>.+):(?P<line>\d+), in ", re.MULTILINE)
_ERROR = re.compile(r"^error: (?P<what>.*)$", re.MULTILINE)

LARGE = frozenset(
    "players everyone admins find ballots votes comments entries changes changed read catalogue".split()
)
"""Words whose results cross as JSON text: text by text the crossing costs three times as much."""
PRELUDE = "the words"
_MARK = "\0json"

_DIALECT = starlark.Dialect.standard()
_DIALECT.enable_def = True
_DIALECT.enable_lambda = True
_DIALECT.enable_f_strings = True
_DIALECT.enable_load = False
_DIALECT.enable_top_level_stmt = False
_DIALECT.enable_keyword_only_arguments = True
_GLOBALS = starlark.Globals.extended_by([starlark.LibraryExtension.Json])


class Host(Protocol):
    """Whoever lends the law its words."""

    words: Mapping[str, Callable[..., Any]]

    def burn(self, turns: int = 1) -> None:
        """Count fuel; raises when there is no more."""


class _Cell:
    """What the words of one compiled law share: the host at hand, and what a word raised."""

    __slots__ = ("depth", "host", "options", "raised")

    def __init__(self) -> None:
        self.host: Host | None = None
        self.raised: BaseException | None = None
        self.depth = 0
        self.options = starlark.EvalOptions(check_cancelled=self.burnt, max_callstack_size=FRAMES)

    def burnt(self) -> bool:
        try:
            if self.host is not None:
                self.host.burn(TURNS)
        except NomicError as error:
            self.raised = error
            return True
        return False


class Compiled:
    """A frozen body of law."""

    def __init__(self, module: starlark.FrozenModule, cell: _Cell, functions: frozenset[str]) -> None:
        self._module, self._cell, self.functions = module, cell, functions

    def call(self, host: Host, name: str, *arguments: object, **named: object) -> Any:
        """What a function returns. Raises what its words raised, or a Defect."""
        cell = self._cell
        if cell.depth >= NESTING:
            raise Refused.of(f"the law calls itself more than {NESTING} times over")
        before, cell.host = cell.host, host
        cell.depth += 1
        try:
            return self._module.call_with(cell.options, name, *arguments, **named).value
        except starlark.StarlarkError as error:
            raised, cell.raised = cell.raised, None
            raise _told(raised, str(error)) from None
        finally:
            cell.depth -= 1
            cell.host = before


def _told(raised: BaseException | None, text: str) -> BaseException:
    place = _place(text)
    if isinstance(raised, NomicError):
        if raised.problems and not raised.problems[0].where.file:
            first = raised.problems[0]
            raised.problems = (Problem(first.what, place, first.mend), *raised.problems[1:])
            raised.args = (str(raised.problems[0]),)
        return raised
    if raised is not None:
        return raised
    found = _ERROR.search(text)
    return Defect(Problem(written(found["what"] if found else text.strip().split("\n")[0]), place))


def _place(text: str) -> Place:
    """Where an error lies: its own place, or that of the last call before the words."""
    places = list(_AT.finditer(text))
    found = places[-1] if places else None
    if found and found["file"] == PRELUDE:
        calls = [call for call in _CALL.finditer(text) if call["file"] != PRELUDE]
        return Place(calls[-1]["file"], int(calls[-1]["line"])) if calls else Place()
    return Place(found["file"], int(found["line"]), int(found["column"])) if found else Place()


def compiled(linked: Linked, words: frozenset[str]) -> Compiled:
    """The law, compiled: all names declared first, each file evaluated into one module, frozen once."""
    return _compiled(
        linked.sources, linked.names, linked.missing, linked.nothing, linked.rosters, words, linked.functions
    )


@lru_cache(maxsize=32)
def _compiled(
    sources: tuple[Source, ...],
    names: tuple[str, ...],
    missing: tuple[str, ...],
    nothing: tuple[str, ...],
    rosters: tuple[tuple[str, str], ...],
    words: frozenset[str],
    functions: frozenset[str],
) -> Compiled:
    module, cell = starlark.Module(), _Cell()
    _lend_words(module, cell, words, rosters)
    for name in missing:
        module.add_callable(name, _undefined(cell, name))
    for name in nothing:
        module.add_callable(name, _nothing)
    for name in names:
        module[name] = []  # a mutable value: the compiler would inline a frozen one where it is called
    for source in sources:
        _evaluate(module, source, cell)
    return Compiled(module.freeze(), cell, functions)


def _lend_words(
    module: starlark.Module, cell: _Cell, words: Iterable[str], rosters: Iterable[tuple[str, str]]
) -> None:
    """Put the words into a module; those with large results behind a function that decodes them."""
    lines = []
    for word, view in [*((word, "") for word in sorted(words)), *rosters]:
        name = f"{word}__{view}" if view else word
        if word in LARGE:
            module.add_callable(f"{name}__json", _word(cell, word, view, json_always))
            lines.append(f"def {name}(*a, **k):\n    return json.decode({name}__json(*a, **k))")
        elif word == "get":
            module.add_callable(f"{name}__json", _word(cell, word, view, json_of_containers))
            lines.append(
                f"def {name}(*a):\n    found = {name}__json(*a)\n"
                f"    if type(found) == 'string' and found.startswith({_MARK!r}):\n"
                f"        return json.decode(found[{len(_MARK)}:])\n    return found"
            )
        else:
            module.add_callable(name, _word(cell, word, view))
    text = "\n".join(lines) + "\n"
    starlark.eval_with(cell.options, module, _parsed(Source(PRELUDE, text)), _GLOBALS)


def json_always(value: Any) -> Any:
    """A result as JSON text."""
    return json.dumps(value)


def json_of_containers(value: Any) -> Any:
    """A list or map as marked JSON text, anything else as it is."""
    return _MARK + json.dumps(value) if isinstance(value, list | dict) else value


def _evaluate(module: starlark.Module, source: Source, cell: _Cell) -> None:
    while True:
        try:
            starlark.eval_with(cell.options, module, _parsed(source), _GLOBALS)
            return
        except starlark.StarlarkError as error:
            read = re.search(r"Variable `(\w+)` not found", str(error))
            if read is None:
                raise _told(None, str(error)) from None
            module.add_callable(read[1], _undefined(cell, read[1]))


@lru_cache(maxsize=4096)
def _parsed(source: Source) -> starlark.AstModule:
    try:
        return starlark.parse(source.path, source.text, _DIALECT)
    except starlark.StarlarkError as error:
        raise _told(None, str(error)) from None


def _word(
    cell: _Cell, name: str, view: str = "", crossing: Callable[[Any], Any] | None = None
) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        host = cell.host
        if host is None:
            raise Defect.of(f"{name} is no word for outside functions")
        word = host.words[name]
        try:
            host.burn()
            found = word(*arguments, view=view, **named) if view else word(*arguments, **named)
            return crossing(found) if crossing else found
        except TypeError as error:
            cell.raised = _misused(name, word, arguments, named, view) or error
            raise cell.raised from error
        except BaseException as error:
            cell.raised = error
            raise

    return call


def _misused(
    name: str, word: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any], view: str
) -> Defect | None:
    try:
        inspect.signature(word).bind(*arguments, **named, **({"view": view} if view else {}))
    except TypeError as error:
        return Defect.of(f"{name}: {error}")
    return None


def _undefined(cell: _Cell, name: str) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        cell.raised = Defect.of(f"no rule in force defines {written(name)}")
        raise cell.raised

    return call


def _nothing(*arguments: Any, **named: Any) -> None:
    """What ``overridden_NAME`` is where nothing was before."""


def undefined_names(linked: Linked, words: frozenset[str]) -> list[Problem]:
    """Names that are only read and that nobody defines; run it in a worker, it parses what nobody enacted."""
    problems = []
    module, cell = starlark.Module(), _Cell()
    _lend_words(module, cell, words, linked.rosters)
    for name in [*linked.missing, *linked.nothing]:
        module.add_callable(name, _nothing)
    for name in linked.names:
        module[name] = []
    for source in linked.sources:
        try:
            starlark.eval_with(cell.options, module, _parsed(source), _GLOBALS)
        except starlark.StarlarkError as error:
            told = _told(None, str(error))
            problems += list(told.problems) if isinstance(told, NomicError) else []
        except Defect as error:
            problems += list(error.problems)
    return problems


def program(
    body: str,
    functions: Mapping[str, Callable[..., Any]],
    host: Host,
    path: str,
    given: Mapping[str, Any] | None = None,
) -> Any:
    """Run a text of the language as the body of a function, with these functions beside the words.

    ``given`` are its parameters by name. It counts players as programs do (``run``).
    """
    module, cell = starlark.Module(), _Cell()
    _lend_words(module, cell, [w for w in host.words if w not in ROSTER], [(w, "run") for w in ROSTER])
    for word in ROSTER:
        module[word] = []
    for name, function in functions.items():
        module.add_callable(name, _lent(cell, function))
    named = dict(given or {})
    rosters = "".join(f"def {word}(*a):\n    return {word}__run(*a)\n" for word in sorted(ROSTER))
    _evaluate(module, Source(PRELUDE, rosters), cell)
    text = f"def run({', '.join(named)}):\n" + _indented(body) + "    pass\n"
    module["run"] = []
    _evaluate(module, Source(path, text), cell)
    return Compiled(module.freeze(), cell, frozenset({"run"})).call(host, "run", **named)


def _indented(body: str) -> str:
    """A text one level deeper; lines inside a string stay as they are."""
    inside: set[int] = set()
    for kind, value, start in tokens(body):
        if kind == "STRING" and "\n" in value:
            first = body.count("\n", 0, start)
            inside |= set(range(first + 1, first + 1 + value.count("\n")))
    return "".join(("" if n in inside else "    ") + line + "\n" for n, line in enumerate(body.split("\n")))


def _lent(cell: _Cell, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except BaseException as error:
            cell.raised = error
            raise

    return call
