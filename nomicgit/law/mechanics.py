"""The mechanics language: Starlark, run within bounds. The only importer of the interpreter.

Nothing outside this module knows which language the law is written in. A function of the law is called by
its linked name; the words that it uses are asked of the host at hand. What a word raises comes back to
whoever called the law, unchanged; what the interpreter finds wrong comes back as a Defect with its place.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache

import starlark
from msgspec.structs import replace

from nomicgit.ground import watch
from nomicgit.ground.deaths import HURT, SIMPLER
from nomicgit.ground.kept import Kept
from nomicgit.ground.problems import (
    Bottomless,
    Defect,
    Malformed,
    NomicError,
    Place,
    Problem,
    Starved,
)
from nomicgit.law import crossing, foreign
from nomicgit.law.crossing import Cell, Host
from nomicgit.law.definitions import indented, tokens
from nomicgit.law.linking import SHOWN, Language, Linked, Piece, Source, changed, pieces, reached, written
from nomicgit.law.stumbling import PRELUDE, panicked, told, unread

FRAMES = 60
PARTS = 6  # functions that are compiled one by one, before the rest is compiled at once
TURNS = 20  # what the interpreter's thousand turns cost, where a word costs 1

DEEP = 8_000
"""How deep the program may call itself. The law calls itself 64 times over, and each time takes some thirty calls of the
program's: Python's own bound would come first, at a depth that hangs on the machine, and on who has called.
"""
sys.setrecursionlimit(max(DEEP, sys.getrecursionlimit()))
sys.set_int_max_str_digits(foreign.DIGITS)  # which else would hang on whose environment it is

os.environ["RUST_BACKTRACE"] = "0"  # out of memory, the interpreter would wait for ever for what it would say

OUT = "__out"  # the end of the name under which a view is called from outside
PROGRAM = "def run({}):\n{}    pass\n"
_DIALECT = starlark.Dialect.standard()
_DIALECT.enable_def = True
_DIALECT.enable_lambda = True
_DIALECT.enable_f_strings = True
_DIALECT.enable_load = False
_DIALECT.enable_top_level_stmt = False
_DIALECT.enable_keyword_only_arguments = True
_GLOBALS = starlark.Globals.extended_by([starlark.LibraryExtension.Json])


class _Cell(Cell):
    """What the words of one compiled law share."""

    __slots__ = ("options",)

    def __init__(self) -> None:
        super().__init__()
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
    """A body of law. Of its functions those are compiled that are called, with all that they can come to call.

    So a single deed compiles little; after a few functions the rest is compiled at once. Of a law that follows ``former``,
    which is compiled whole, those functions are compiled that have changed, or can come to call what has.
    """

    def __init__(self, linked: Linked, language: Language, former: Compiled | None = None) -> None:
        self._linked, self._language = linked, language
        self._cell: _Cell = _Cell() if former is None else former._cell
        self._modules: dict[str, starlark.FrozenModule] = {}
        self._parts = 0
        self._broken: Defect | None = None
        if former is not None and former._known is not None and self._known is not None:
            moved = changed(former._linked, former._known, linked, self._known)
            self._modules |= {n: m for n, m in former._modules.items() if n in self._known and n not in moved}

    @cached_property
    def _known(self) -> Mapping[str, Sequence[Piece]] | None:
        return pieces(self._linked)

    def leads(self, language: Language) -> bool:
        """Whether it is compiled whole, in this language."""
        return self._parts > PARTS and self._language == language

    def whole(self, until: float | None = None) -> None:
        """Compile all of it, until which processor time. Raises a Defect where that does not go, and Starved where it takes too
        much: the interpreter works constants out, and much of what stands in functions, before anybody calls them.
        """
        if self._broken is not None:
            raise self._broken
        if self._parts > PARTS:
            return
        if self._heavy and self._known is not None:  # one by one: so it is seen where that stands
            for name in self._linked.names:
                self._module(name, until)
            return
        lacking = [name for name in self._linked.names if name not in self._modules]
        try:
            if self._known is None or len(lacking) > len(self._linked.names) // 2:
                self._take(self._linked.sources, self._linked.names, until=until)
            elif lacking:
                self._take(*reached(self._linked, self._known, *lacking), until=until)
        except Defect as error:
            self._broken = error
            raise
        self._parts = PARTS + 1

    def _module(self, name: str, until: float | None) -> starlark.FrozenModule:
        """The module that holds a function; what cannot be compiled and is not reached from there does no harm."""
        if name not in self._modules:
            if self._known is None:
                self.whole(until)
            elif self._parts == PARTS and self._broken is None and not self._heavy:
                with contextlib.suppress(Defect):
                    self.whole(until)
            if name not in self._modules:
                assert self._known is not None
                with self._placed(name), _compiling(name, until):
                    self._take(*reached(self._linked, self._known, name))
                self._parts = min(self._parts + 1, PARTS)
        return self._modules[name]

    @property
    def _heavy(self) -> bool:
        """Whether compiling all of it has ended a child of this command, or nothing is asked of the law any more."""
        return not watch.deadly.keys().isdisjoint(
            (watch.EVERYTHING, *(each.path for each in self._linked.sources))
        )

    @contextlib.contextmanager
    def _placed(self, name: str) -> Iterator[None]:
        """What is starved within is so where a function stands."""
        try:
            yield
        except Starved as error:
            if not error.problems[0].where.file:
                raise Starved(replace(error.problems[0], where=self.place(name))) from None
            raise

    def _take(
        self,
        sources: Sequence[Source],
        names: Sequence[str],
        uses: Set[str] | None = None,
        until: float | None = None,
    ) -> None:
        """Compile some files into one module: all names declared first, each file evaluated, frozen once.

        ``uses`` are all names in them, where they are known: no other words are needed. Nobody answers to a word
        meanwhile, so that constants hang on no game, whenever they are compiled.
        """
        module, cell, linked = starlark.Module(), self._cell, self._linked
        words, rosters, shown = self._language.words, linked.rosters, linked.shown
        if uses is not None:
            words = words & uses
            rosters = tuple(each for each in rosters if each[0] in uses)
            shown = tuple(each for each in shown if each[0] in uses)
        before, cell.host = cell.host, None
        try:
            _lend_words(module, cell, words, rosters, shown, self._language.large)
            for name in linked.missing:
                module.add_callable(name, crossing.undefined(cell, name))
            for name in linked.nothing:
                module.add_callable(name, crossing.nothing)
            for name in names:
                module[name] = []  # mutable: the compiler would inline a frozen value where it is called
            for source in sources:
                with _compiling(source.path, until) if uses is None else contextlib.nullcontext():
                    _evaluate(module, source, cell)
            views = [name for name in names if name.endswith(SHOWN)]
            outs = "".join(
                f"def {name}{OUT}(*a, **k):\n    return __out({name}(*a, **k))\n" for name in views
            )
            _evaluate(module, Source(PRELUDE, outs), cell)
        finally:
            cell.host = before
        self._modules |= dict.fromkeys(names, module.freeze())

    def place(self, name: str) -> Place:
        """Where a function stands; nowhere, where other code than definitions stands beside it."""
        for number, source in enumerate(self._linked.sources):
            for piece in (self._known or {}).get(name, ()):
                if piece.source == number:
                    return Place(source.path, piece.start + 1)
        return Place()

    def call(self, host: Host, name: str, /, *arguments: object, **named: object) -> object:
        """What a function returns. Raises what its words raised, or a Defect; Malformed where it does not compile."""
        try:
            module = self._module(name, host.until)
        except Defect as error:
            raise Malformed(*error.problems) from error
        shown = name.endswith(SHOWN)
        with self._placed(name):
            return _called(self._cell, module, host, name + OUT if shown else name, arguments, named)


def _called(
    cell: _Cell,
    module: starlark.FrozenModule,
    host: Host,
    name: str,
    arguments: Sequence[object],
    named: Mapping[str, object],
) -> object:
    if host.nested >= host.language.nesting:
        raise Bottomless.of(f"the law calls itself more than {host.language.nesting} times over")
    known = name.removesuffix(OUT)
    _alive(known)
    before, cell.host = cell.host, host
    host.nested += 1
    watch.enter(known, host.until)
    crossing.quicken()
    try:
        given = module.call_with(cell.options, name, *arguments, **named).value
        return given if known == name else crossing.outgoing(given)
    except starlark.StarlarkError as error:
        raised, cell.raised = cell.raised, None
        broken = told(raised, str(error))
        raise broken from broken.__cause__
    except MemoryError:
        raise watch.starved() from None
    except TypeError:
        what = f"{written(known)} is given, or answers, what is no plain value: a map with a list as its key, or a function"
        raise Defect.of(what) from None
    except ValueError as error:
        if foreign.LONG not in str(error):
            raise
        raise Defect.of(f"{written(known)}: {foreign.TOO_LONG}", mend="write it as a text: str(n)") from None
    except BaseException as error:
        raise panicked(error) from None
    finally:
        watch.leave()
        host.nested -= 1
        if not host.nested:
            crossing.slacken()
        cell.host = before


def _alive(name: str) -> None:
    """Starved where a function, or a file, has ended a child of this command with such a call."""
    if watch.deadly and watch.bars(name):
        raise Starved.of(HURT, mend=SIMPLER)


@contextlib.contextmanager
def _compiling(name: str, until: float | None) -> Iterator[None]:
    """What compiles a function, or a whole file, is within the bounds of a function that is called."""
    _alive(name)
    watch.enter(name, until)
    try:
        yield
    except MemoryError:
        raise watch.starved() from None
    finally:
        watch.leave()


def compiled(linked: Linked, language: Language) -> Compiled:
    """The law, to be compiled as it is called; laws of the same code and language share it, and what follows takes over of it."""
    code, last = replace(linked, problems=(), functions=frozenset(), filled=()), _COMPILED.newest
    former = last if last is not None and last.leads(language) else None
    return _COMPILED.get((code, language), lambda: Compiled(linked, language, former))


_COMPILED = Kept[tuple[Linked, Language], Compiled](16)


def _lend_words(
    module: starlark.Module,
    cell: _Cell,
    words: Iterable[str],
    rosters: Iterable[tuple[str, str]],
    shown: Iterable[tuple[str, int]],
    large: Container[str],
) -> None:
    """Put the words into a module, and the views, ``shown``; what is ``large`` behind a function that decodes it."""
    lines = [crossing.DECODED]
    for word, view in [*((word, "") for word in sorted(words)), *rosters]:
        name = f"{word}__{view}" if view else word
        if word in large:
            module.add_callable(f"{name}__crossing", crossing.word(cell, word, view, crossing.crossing))
            lines.append(f"def {name}(*a, **k):\n    return __crossed({name}__crossing(*a, **k))")
        else:
            module.add_callable(name, crossing.word(cell, word, view))
    for name, arity in shown:
        module.add_callable(f"{name}__crossing", crossing.shown(cell, name, arity))
        lines.append(f"def {name}(*a, **k):\n    return __crossed({name}__crossing(*a, **k))")
    text = "\n".join(lines) + "\n"
    starlark.eval_with(cell.options, module, _parsed(Source(PRELUDE, text)), _GLOBALS)


def _evaluate(module: starlark.Module, source: Source, cell: _Cell, *, alone: bool = False) -> None:
    """Evaluate a file. What it calls and nobody defines is told once it is called; so is what it only reads, but in a program ``alone``,
    for which nobody else can define it.
    """
    while True:
        try:
            starlark.eval_with(cell.options, module, _parsed(source), _GLOBALS)
            return
        except starlark.StarlarkError as error:
            read = re.search(r"Variable `(\w+)` not found", str(error))
            if read is None:
                raise told(None, str(error)) from None
            if alone and not re.search(rf"\b{read[1]}\s*\(", source.text):
                raise Defect(unread(error, source.text)) from None
            module.add_callable(read[1], crossing.undefined(cell, read[1]))


@lru_cache(maxsize=4096)
def _parsed(source: Source) -> starlark.AstModule:
    if "<<" in source.text:
        _refuse_shifts(source)
    try:
        return starlark.parse(source.path, source.text, _DIALECT)
    except starlark.StarlarkError as error:
        raise Defect(unread(error, source.text)) from None


def _refuse_shifts(source: Source) -> None:
    """Refuse ``<<``: the interpreter loses the bits beyond the thirty-second, and says nothing."""
    for kind, text, offset in tokens(source.text):
        if kind == "OP" and text in ("<<", "<<="):
            line = source.text.count("\n", 0, offset) + 1
            raise Defect.of(
                f"there is no {text}", file=source.path, line=line, mend="multiply: write n * 8 for n << 3"
            )


def undefined_names(linked: Linked, language: Language, files: Container[str] | None = None) -> list[Problem]:
    """Names that are only read and that nobody defines, in some files or in all.

    Run it in a worker first: it parses what nobody has enacted.
    """
    problems = []
    module, cell = starlark.Module(), _Cell()
    _lend_words(module, cell, language.words, linked.rosters, linked.shown, language.large)
    for name in [*linked.missing, *linked.nothing]:
        module.add_callable(name, crossing.nothing)
    for name in linked.names:
        module[name] = []
    for source in linked.sources:
        if files is not None and source.path not in files:
            continue
        try:
            starlark.eval_with(cell.options, module, _parsed(source), _GLOBALS)
        except starlark.StarlarkError as error:
            problems.append(unread(error, source.text))
        except Defect as error:
            problems += list(error.problems)
    return problems


def misread(path: str, whole: str) -> Problem | None:
    """The first place for which a text cannot be read."""
    try:
        starlark.parse(path, whole, _DIALECT)
    except starlark.StarlarkError as error:
        return unread(error, whole)
    return None


def in_body(problem: Problem, path: str) -> Problem:
    """A problem of a program with its line in the body: what stands around that is ours."""
    where = problem.where
    return (
        replace(problem, where=replace(where, line=max(1, where.line - 1))) if where.file == path else problem
    )


def program(
    body: str,
    functions: Mapping[str, Callable[..., object]],
    host: Host,
    path: str,
    given: Mapping[str, object] | None = None,
) -> object:
    """Run a text of the language as the body of a function, with these functions beside the words.

    ``given`` are its parameters by name. It counts players as programs do (``run``).
    """
    module, cell = starlark.Module(), _Cell()
    words, counting = host.language.words - host.language.rosters, sorted(host.language.rosters)
    _lend_words(module, cell, words, [(word, "run") for word in counting], (), host.language.large)
    for word in counting:
        module[word] = []
    for name, function in functions.items():
        module.add_callable(name, crossing.lent(cell, function))
    named = dict(given or {})
    rosters = "".join(f"def {word}(*a):\n    return {word}__run(*a)\n" for word in counting)
    _evaluate(module, Source(PRELUDE, rosters), cell)
    module["run"] = []
    try:
        _evaluate(module, Source(path, PROGRAM.format(", ".join(named), indented(body))), cell, alone=True)
        return _called(cell, module.freeze(), host, "run", (), named)
    except Defect as error:
        raise type(error)(*(in_body(each, path) for each in error.problems)) from error.__cause__
