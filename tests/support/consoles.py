"""Console blocks of a page, word for word in order in one shell: what they print is what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from support.places import ROOT

OURS = ("git clone ADDRESS ", "make ", "python3 -m venv ")
"""What the tests have done already: this clone, this environment, these tests."""

VARIES = (
    (re.compile(r"\b[0-9a-f]{10}\b"), "COMMIT"),
    (
        re.compile(r"\b20(?!21)\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
        "TIME",
    ),  # of live games; practice games keep theirs
    (re.compile(r"\d+\.\d+ s"), "SECONDS"),
)


def told(page: str) -> list[tuple[str, list[str]]]:
    """The commands of a page, in order, each with the lines that it is said to print."""
    found: list[tuple[str, list[str]]] = []
    text = (ROOT / page).read_text("utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for each in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, lines = "", each.splitlines()
            while not command or command.endswith("\\\n"):
                command += lines.pop(0) + "\n"
            found.append((command, lines))
    return found


def played(
    commands: list[str], folder: Path, programs: Path = Path(sys.executable).parent, **more: str
) -> list[str]:
    """What each command prints, in one shell that finds its programs first in a folder."""
    mark = "=== next ==="
    script = "exec 2>&1\n" + "".join(f"{command}echo '{mark}'\n" for command in commands)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "GIT_PAGER": "cat", **more}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split(mark + "\n")[:-1]


def pattern(lines: list[str]) -> str:
    """What the lines match: a line of three dots stands for any lines."""
    return "".join(r"(?:.*\n)*?" if line == "…" else re.escape(f"{same(line)}\n") for line in lines)


def same(text: str) -> str:
    """A text without what is another each time."""
    for varies, name in VARIES:
        text = varies.sub(name, text)
    return text


def hold_to(page: str, folder: Path, programs: Path = Path(sys.executable).parent, **more: str) -> None:
    """A page's commands print what it says, by the programs of a folder; ``more`` stands in the environment."""
    theirs = [(command, lines) for command, lines in told(page) if not command.startswith(OURS)]
    assert len(theirs) > 12
    folder = folder / "program"
    folder.mkdir()
    for (command, lines), printed in zip(
        theirs, played([c for c, _ in theirs], folder, programs, **more), strict=True
    ):
        assert re.fullmatch(pattern(lines), same(printed)), f"{command}\nsaid:\n{lines}\nprinted:\n{printed}"
