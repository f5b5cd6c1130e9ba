"""Take every guard of the program out in turn, in a copy of the tree, and see whether its tests notice.

The guards, and the tests that must notice, are listed in ``program_guards.toml``.
"""

from __future__ import annotations

import compileall
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).with_suffix(".toml")
COPIED = ("nomicgit", "tests", "tools", "docs", "pyproject.toml", "mkdocs.yml", "README.md")
LONGEST = 600  # seconds that the tests of one guard may take; a guard whose lack hangs them is noticed
MEMORY = 3 * 1024**3  # bytes for each of their processes: the guard may be what bounds it
BOUNDED = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
import pytest
sys.exit(pytest.main(sys.argv[2:]))
"""
PASSED, FAILED, DIED, NONE = 0, 1, 3, 5  # what pytest ends with: NONE, where no test is so called


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard of the program: what stands in a file once, what stands there without it, and who must notice.

    ``first``: which of the tests are asked first, as ``pytest -k`` has it; they alone where they notice.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    first: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line()}: {' '.join(self.old.split())}"

    def line(self) -> int:
        """Where it stands, from 1; 0 where it does not stand exactly once."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        return text[: text.index(self.old)].count("\n") + 1 if text.count(self.old) == 1 else 0


def guards(only: str = "") -> list[Guard]:
    """The list, or those of it whose file has some words in its name."""
    parts = tomllib.loads(LIST.read_text(encoding="utf-8"))["part"]
    return [
        Guard(part["file"], old, new, tuple(part["tests"]), *first)
        for part in parts
        if only in part["file"]
        for old, new, *first in part["guards"]
    ]


def unsound(wanted: Sequence[Guard]) -> str:
    """What the tests say that fail while all guards stand: they would notice anything."""
    tests = list(dict.fromkeys(test for guard in wanted for test in guard.tests))
    with tempfile.TemporaryDirectory(prefix="guards-") as scratch:
        tree = Path(scratch)
        _copy(tree)
        code, said = _tested(tests, tree)
    return "" if code == PASSED else said[-2000:]


def take_out(wanted: Sequence[Guard], processes: int) -> Iterator[tuple[Guard, str]]:
    """Each guard with what came of taking it out: "noticed", or what is wrong. In the order of the list."""
    copies = threading.local()
    with tempfile.TemporaryDirectory(prefix="guards-") as scratch:

        def one(guard: Guard) -> tuple[Guard, str]:
            if not hasattr(copies, "tree"):
                copies.tree = Path(tempfile.mkdtemp(dir=scratch))
                _copy(copies.tree)
            return guard, _without(guard, copies.tree)

        with ThreadPoolExecutor(processes) as pool:
            yield from pool.map(one, wanted)


def _copy(tree: Path) -> None:
    """Copy what the tests need, and compile the program: its tests start it often, and some bound how long that takes.

    What is compiled is held to its source by a hash, since files are changed within a second.
    """
    without = shutil.ignore_patterns("__pycache__", ".hypothesis", "*.pyc")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=without, symlinks=True)
        else:
            shutil.copy2(ROOT / name, tree / name)
    by_hash = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(tree / "nomicgit", quiet=1, invalidation_mode=by_hash)


def _without(guard: Guard, tree: Path) -> str:
    file = tree / guard.file
    text = file.read_text(encoding="utf-8")
    if text.count(guard.old) != 1:
        return f"stands there {text.count(guard.old)} times"
    file.write_text(text.replace(guard.old, guard.new), encoding="utf-8")
    try:
        code, said = _tested(["-k", guard.first, *guard.tests], tree) if guard.first else (NONE, "")
        if code in (PASSED, NONE):
            code, said = _tested(guard.tests, tree)
    finally:
        file.write_text(text, encoding="utf-8")
    if code == PASSED:
        return "survives"
    return "noticed" if code in (FAILED, DIED) or code < 0 else f"could not be tried: {said[-300:]}"


def _tested(tests: Sequence[str], tree: Path) -> tuple[int, str]:
    """How the tests end in a copy of the tree, and what they say."""
    line = [sys.executable, "-c", BOUNDED, str(MEMORY), "-x", "--no-header", "--tb=no", *tests]
    alone = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "guards"}
    try:
        done = subprocess.run(
            line, cwd=tree, env=alone, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return FAILED, "they do not end"
    return done.returncode, done.stdout + done.stderr


def report(only: str, processes: int, *, listed: bool) -> int:
    """Take the program's guards out and say what was not noticed; how many that were."""
    wanted = guards(only)
    if listed:
        for guard in wanted:
            print(guard)
        return 0
    if sick := unsound(wanted):
        print(f"these tests fail with all guards in place; mend them first:\n{sick}")
        return 1
    left = 0
    for number, (guard, what) in enumerate(take_out(wanted, processes), 1):
        if what != "noticed":
            left += 1
            print(f"{guard}: {what}", flush=True)
        if number % 10 == 0 or number == len(wanted):
            print(f"program: {number} of {len(wanted)} taken out, {left} unnoticed", file=sys.stderr)
    return left
