"""Every command that is told to mend a game stands alone on its line, and does what it says when it is pasted."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.clones import FEW, Clone, settings, with_mallory
from support.depth import one_of

PROGRAMS = {"git", "nomicgit", "cd", "mv", "rm"}
MIXED = re.compile(r"(?:[;:(`]|&&|then:?) *(?:git [a-z-]+ |nomicgit (?:sync|mend)\b)")
"""Where a command stands in a line of words."""


def pushed(clone: Clone, *words: str) -> None:
    clone.git("add", "--all")
    clone.git("commit", "--quiet", "--message", "by hand")
    clone.git("push", "--quiet", *words)


def a_link(mallory: Clone, _: Clone) -> None:
    file = mallory.folder / "game" / "game.yml"
    file.unlink()
    file.symlink_to("/etc/passwd")
    pushed(mallory)


def an_edit(mallory: Clone, _: Clone) -> None:
    file = next((mallory.folder / "game" / "ruleset").rglob("*.md"))
    file.write_text(file.read_text(encoding="utf-8") + "\nMallory wins.\n", encoding="utf-8")
    pushed(mallory)


def attributes(mallory: Clone, _: Clone) -> None:
    file = mallory.folder / ".gitattributes"
    file.write_text("game/** eol=crlf text\n", encoding="utf-8")
    pushed(mallory)


def a_file_in_the_way(mallory: Clone, ben: Clone) -> None:
    for clone in (mallory, ben):
        (clone.folder / "it's $mine").mkdir()
        (clone.folder / "it's $mine" / "a b").write_text(clone.folder.name, encoding="utf-8")
    pushed(mallory)


def an_own_edit(_: Clone, ben: Clone) -> None:
    file = next((ben.folder / "game" / "ruleset").rglob("*.md"))
    file.write_text(file.read_text(encoding="utf-8") + "\nBen wins.\n", encoding="utf-8")
    ben.git("commit", "--quiet", "--all", "--message", "by hand")


def a_rewriting(mallory: Clone, ben: Clone) -> None:
    ben.play("post", "Soon gone")
    ben.play("sync")
    mallory.git("push", "--quiet", "--force", "origin", "HEAD:refs/heads/main")


def a_name_that_none_takes(mallory: Clone, _: Clone) -> None:
    (mallory.folder / "X").write_text("x", encoding="utf-8")
    (mallory.folder / "x").write_text("x", encoding="utf-8")
    pushed(mallory)


def another_branch(_: Clone, ben: Clone) -> None:
    ben.git("switch", "--quiet", "--create", "mine")
    ben.git("branch", "--quiet", "--set-upstream-to", "origin/main")


def an_own_change_of_a_file(_: Clone, ben: Clone) -> None:
    (ben.folder / "game" / "posts" / "it's mine.md").write_text("x", encoding="utf-8")
    file = next((ben.folder / "game" / "ruleset").rglob("*.md"))
    file.write_text("x", encoding="utf-8")


ODD: dict[Callable[[Clone, Clone], None], bool] = {
    a_link: True, an_edit: True, an_own_edit: True, a_file_in_the_way: True, a_rewriting: False, attributes: False,
    a_name_that_none_takes: False, another_branch: False, an_own_change_of_a_file: False,
}  # fmt: skip
"""What goes wrong, and whether all the commands that sync, or else status, tells are carried out as they stand."""


def remedies(told: Any) -> Iterator[str]:
    """Every remedy in plain data."""
    for key, value in told.items() if isinstance(told, dict) else ():
        if key in ("mend", "remedy") and isinstance(value, str):
            yield value
    for value in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        yield from remedies(value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "odd", [pytest.param(odd, id=odd.__name__, marks=one_of(2, number)) for number, odd in enumerate(ODD)]
)
def test_what_is_told_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: Callable[[Clone, Clone], None]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, mallory = with_mallory(tmp_path, "--restore", "ana", "--restore", "ben", rules=FEW)
    ana.git("push", "--quiet", "origin", "HEAD:refs/tags/main", "HEAD:refs/tags/HEAD")
    odd(mallory, ben)
    said = {}
    for command in ("sync", "status", "verify", "check"):
        if command == "verify":
            ben.git("fetch", "--quiet")
        said[command] = ben.tried(command)[1]
        plain = ben.tried(command, "--json")[1]
        [begin, *_] = re.finditer(r"^\{", plain, re.MULTILINE)
        mends = [*remedies(json.JSONDecoder().raw_decode(plain, begin.start())[0])]
        for mend in mends:
            words = [line for line in mend.split("\n") if not line.startswith("  ")]
            assert not any(map(MIXED.search, words)), mend
    lines = [line[4:] for text in said.values() for line in text.split("\n") if line.startswith("    ")]
    assert lines
    for line in lines:
        assert line.split()[0] in PROGRAMS, line
        subprocess.run(["sh", "-n", "-c", line], check=True)
        assert not re.search(r"(?<![0-9a-f])[0-9a-f]{12}(?![0-9a-f/])", line), line
    if not ODD[odd]:
        return
    first = next(text for text in said.values() if "\n    " in text)
    script = [line[4:] for line in first.split("\n") if line.startswith("    ")]
    if any(line.startswith("nomicgit mend") for line in script):
        script = [
            line for line in script if not line.startswith("git reset")
        ]  # which is for who has it alone
    program = tmp_path / "bin" / "nomicgit"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m nomicgit "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    env = settings() | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    assert shutil.which("nomicgit", path=env["PATH"]) == str(program)
    done = subprocess.run(
        ["sh", "-e"], input="\n".join(script), cwd=ben.folder, env=env, text=True, capture_output=True
    )
    assert done.returncode == 0, (script, done.stdout, done.stderr)
    ben.play("sync")
    for tag in ("HEAD", "main"):  # which status tells as long as they are there
        ben.git("update-ref", "-d", f"refs/tags/{tag}")
    assert not [
        line for line in ben.play("status").split("\n") if line.startswith("    ") and line[4:5] != " "
    ]
    assert "verified" in ben.play("verify")
