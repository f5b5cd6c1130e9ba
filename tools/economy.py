"""What the house costs its readers: python tools/economy.py (or make economy).

By rooms: their lines, how many of their functions have ``Any`` in the annotation of a parameter or of their result,
and imports within functions. Then what one vote and one enactment by the command line pass: how many modules are
called into, and which pairs of modules call each other both ways. Beside each stands its bar, where it has one; what
is over its bar is marked, and then the exit code is 1. Lines have no bar: whatever the game learns brings its own.

``tests/house/test_economy.py`` holds each of these bars.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nomicgit"

MOST_ANY = 11
"""Of a hundred functions, those with ``Any`` in their annotations."""
MOST_DEFERRED = 1.5
"""Imports within functions, a thousand lines, outside of the command line; there one a command, its body."""
MOST_PASSED = 48
"""Modules that a vote passes."""

CALLED_BACK = {
    "nomicgit.physics.words": "the law calls words, and words the law",
    "nomicgit.record.tree": "the store's source",
}
"""Modules (and what stands in them) that those above them hand in, and that therefore are called back."""

_ANY = re.compile(r"\bAny\b")


@dataclass(frozen=True, slots=True)
class Room:
    """What a room costs."""

    name: str
    lines: int
    functions: int
    anys: int
    deferred: int


@dataclass(frozen=True, slots=True)
class Passed:
    """What a command passes: the modules, by the number of their functions, and the pairs that call both ways."""

    modules: Mapping[str, int]
    mutual: Sequence[tuple[str, str]]


def rooms(package: Path = PACKAGE) -> list[Room]:
    """The rooms of a package, those of most lines first."""
    found: dict[str, list[Path]] = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        found.setdefault(parts[0] if len(parts) > 1 else "(top)", []).append(path)
    return sorted((_room(name, paths) for name, paths in found.items()), key=lambda room: -room.lines)


def _room(name: str, paths: Sequence[Path]) -> Room:
    texts = [path.read_text(encoding="utf-8") for path in paths]
    functions = [function for text in texts for function in functions_of(ast.parse(text))]
    return Room(
        name,
        sum(len(text.splitlines()) for text in texts),
        len(functions),
        sum(has_any(function) for function in functions),
        sum(1 for function in functions for _ in imports_in(function)),
    )


def functions_of(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions that are defined in a tree, those within others too."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def has_any(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether ``Any`` stands in the annotation of any parameter, or of the result."""
    given = function.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    annotations = [each.annotation for each in parameters if each] + [function.returns]
    return any(_ANY.search(ast.unparse(each)) for each in annotations if each)


def imports_in(function: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports in a function itself; those of functions within it are theirs."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports_in(node)


def share(found: Sequence[Room]) -> float:
    """Of a hundred functions, those with ``Any`` in their annotations."""
    return 100 * sum(room.anys for room in found) / sum(room.functions for room in found)


def deferred(found: Sequence[Room]) -> float:
    """Imports within functions, a thousand lines, outside of the command line."""
    below = [room for room in found if room.name != "cli"]
    return 1000 * sum(room.deferred for room in below) / sum(room.lines for room in below)


# ---- what a command passes


def traced(arguments: list[str]) -> Passed:
    """Run the command line in this process, and tell what it passes. What runs in workers is not seen."""
    from nomicgit.cli import main

    functions: set[tuple[str, str]] = set()
    calls: set[tuple[str, str]] = set()

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not _counts(frame):
            return
        callee, caller = _module(frame), _caller(frame)
        functions.add((callee, frame.f_code.co_qualname))
        if caller and caller != callee:
            calls.add((caller, callee))

    sys.setprofile(profile)
    try:
        main(arguments)
    except SystemExit as ended:
        if ended.code:
            raise
    finally:
        sys.setprofile(None)
    modules = [module for module, _ in functions]
    mutual = sorted((a, b) for a, b in calls if a < b and (b, a) in calls and not _called_back(a, b))
    return Passed({name: modules.count(name) for name in sorted(set(modules))}, mutual)


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _counts(frame: FrameType) -> bool:
    """Whether a frame is a function of ours: neither a module, nor an expression, nor what a dataclass makes."""
    code: CodeType = frame.f_code
    ours = _module(frame).startswith("nomicgit.")
    return (
        ours
        and not code.co_name.startswith("<")
        and "__create_fn__" not in code.co_qualname
        and bool(code.co_flags & 1)
    )


def _caller(frame: FrameType) -> str:
    """The nearest module of ours that stands above a call."""
    above = frame.f_back
    while above is not None and not _module(above).startswith("nomicgit."):
        above = above.f_back
    return _module(above) if above else ""


def _called_back(*pair: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for module in pair for name in CALLED_BACK)


def passed() -> Iterator[tuple[str, Passed]]:
    """What a vote and an enactment pass, each in a process of its own and in a game that is founded for them."""
    from tables import PLAYERS, Table

    from nomicgit.ground import clock

    with TemporaryDirectory() as scratch:
        table = Table(Path(scratch) / "game")
        for number in range(6):
            table.vote(number)
        # whoever plays has asked for something before: what this process knows already may not have been kept for others
        subprocess.run(
            [sys.executable, "-m", "nomicgit", "-C", str(table.folder), "rules"],
            stdout=subprocess.DEVNULL,
            check=True,
        )
        for name, who, *words in (("a vote", 6, "vote", "1", "for"), ("an enactment", 1, "resolve", "1")):
            table.at += 12 * 3600
            options = ["-C", str(table.folder), "--as", PLAYERS[int(who)], "--at", clock.text(table.at)]
            command = [sys.executable, __file__, "--traced", *options, *map(str, words)]
            told = subprocess.run(command, capture_output=True, text=True, check=False)
            if told.returncode:
                raise SystemExit(f"{name} failed:\n{told.stdout}{told.stderr}")
            found = json.loads(told.stdout.splitlines()[-1])
            yield name, Passed(found["modules"], [(a, b) for a, b in found["mutual"]])


# ---- what is printed


def report() -> Iterator[tuple[str, bool]]:
    """The lines of the report, and whether each keeps within its bar."""
    found = rooms()
    yield (
        f"{'':14}{'lines':>8}{'functions':>11}{'with Any':>10}{'deferred imports a thousand lines':>36}",
        True,
    )
    for room in found:
        yield (
            (
                f"{room.name:14}{room.lines:8,}{room.functions:11,}{100 * room.anys / max(1, room.functions):9.1f}%"
                f"{1000 * room.deferred / room.lines:36.1f}"
            ),
            True,
        )
    yield bar("functions with Any", share(found), MOST_ANY, "%")
    yield bar("deferred imports a thousand lines, outside of cli", deferred(found), MOST_DEFERRED)
    for name, told in passed():
        count = len(told.modules)
        yield bar(f"modules that {name} passes", count, MOST_PASSED if name == "a vote" else None)
        yield bar("pairs of them that call each other both ways", len(told.mutual), 0)
        for pair in told.mutual:
            yield "    " + " ↔ ".join(module.removeprefix("nomicgit.") for module in pair), True


def bar(what: str, found: float, most: float | None, unit: str = "") -> tuple[str, bool]:
    """A line that names a figure and its bar, and whether it keeps within."""
    figure = f"{found:,.1f}{unit}" if isinstance(found, float) else f"{found:,}"
    if most is None:
        return f"{what}: {figure}", True
    within = found <= most
    return f"{what}: {figure} (at most {most:,}{unit}){'' if within else '  ← over its bar'}", within


def main() -> int:
    """Print the report."""
    if sys.argv[1:2] == ["--traced"]:
        found = traced(sys.argv[2:])
        print(json.dumps({"modules": found.modules, "mutual": found.mutual}))
        return 0
    held = []
    for line, within in report():
        print(line, flush=True)
        held.append(within)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
