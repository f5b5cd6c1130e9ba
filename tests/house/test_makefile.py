"""The Makefile's virtual environment is made with a Python that will do, and anew where it is of another; else a line says what to type."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.places import ROOT

OLDEST = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "requires-python"
].removeprefix(">=")
STAND_IN = """\
#!{python}
import shutil, sys
from pathlib import Path
version = {version}
with open("called.txt", "a", encoding="utf-8") as called:
    called.write(f"{{version[1]}} {{' '.join(sys.argv[1:])}}\\n")
if sys.argv[1] == "--version":
    print("Python", *version)
elif sys.argv[1] == "-c":
    sys.version_info, sys.version = version, f"{{version}}"
    exec(sys.argv[2])
elif sys.argv[1:3] == ["-m", "venv"]:
    Path(".venv/bin").mkdir(parents=True, exist_ok=True)
    shutil.copy(__file__, ".venv/bin/python")
"""
"""Stands for a Python of some version; in what it makes, it stands again."""
pytestmark = pytest.mark.slow


class Checkout:
    """A folder with the Makefile, and Pythons that stand in on the way to programs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "bin"
        self.path.mkdir()
        for name in ("Makefile", "pyproject.toml"):
            (folder / name).write_text((ROOT / name).read_text("utf-8"), "utf-8")

    def python(self, name: str, *version: int) -> None:
        program = self.path / name
        program.write_text(STAND_IN.format(python=sys.executable, version=version), "utf-8")
        program.chmod(0o755)

    def make(self, *words: str) -> tuple[int, str, list[str]]:
        """How it ended, what it said, and what was made with which Python."""
        called = self.folder / "called.txt"
        called.write_text("", "utf-8")
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "PYTHON"))
        }
        environment["PATH"] = f"{self.path}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["make", *words], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        made = re.findall(r"^(\d+) -m (venv|pip)", called.read_text("utf-8"), re.MULTILINE)
        return done.returncode, done.stderr, [" ".join(pair) for pair in made]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize("job", ["play", "test", "clean"])
def test_with_too_old_a_python_it_says_how_another_is_named(checkout: Checkout, job: str) -> None:
    checkout.python("python3", 3, 8, 18)
    code, said, made = checkout.make(job)
    told = f"Python {OLDEST} or newer is needed, and python3 is Python 3 8 18; name one: make {job} PYTHON=python3."
    assert (code, said.startswith(told), made) == (2, True, []), said
    code, said, made = checkout.make(job, "PYTHON=nowhere")
    assert (code, "and nowhere is none" in said, made) == (2, True, []), said


def test_the_python_that_is_named_stays_until_another_is(checkout: Checkout) -> None:
    checkout.python("python3", 3, 8, 18)
    checkout.python("newer", 3, 30, 1)
    checkout.python("other", 3, 31, 0)
    stamp = ".venv/installed"
    assert checkout.make(stamp, "PYTHON=newer") == (0, "", ["30 venv", "30 pip"])
    assert checkout.make(stamp) == (0, "", [])
    os.utime(checkout.folder / stamp, (1e9, 1e9))  # what is installed is installed anew, with the same
    assert checkout.make(stamp) == (0, "", ["30 pip"])
    assert checkout.make(stamp, "PYTHON=other") == (0, "", ["31 venv", "31 pip"])
    code, said, made = checkout.make(stamp, "PYTHON=python3")
    assert (code, "python3 is Python 3 8 18" in said, made) == (2, True, [])


def test_a_python_that_is_gone_is_replaced(checkout: Checkout) -> None:
    """Taken away with the system's, or left half made by whoever interrupted it, or by a program that asked for less."""
    checkout.python("python3", 3, 30, 1)
    stamp = ".venv/installed"
    checkout.make(stamp)
    program = checkout.folder / ".venv/bin/python"
    program.unlink()
    assert checkout.make(stamp) == (0, "", ["30 venv", "30 pip"])
    program.unlink()
    program.symlink_to("/nowhere/python")
    (checkout.folder / ".venv/installed").unlink()
    checkout.python("python3", 3, 31, 0)
    program.unlink()
    checkout.python("python3.8", 3, 8, 18)
    program.write_bytes((checkout.path / "python3.8").read_bytes())
    program.chmod(0o755)
    assert checkout.make(stamp) == (0, "", ["31 venv", "31 pip"])


def test_every_page_asks_for_the_same_python_and_git() -> None:
    from nomicgit.git import process
    from nomicgit.ground.missing import TO_HAVE

    pages = {
        name: (ROOT / name).read_text("utf-8")
        for name in ("README.md", "CONTRIBUTING.md", "docs/index.md", "docs/playing.md")
    }
    for name, text in {**pages, "said": TO_HAVE}.items():
        assert f"Python {OLDEST} or newer" in text, name
        assert f"Git {process.OLDEST} or newer" in text, name
