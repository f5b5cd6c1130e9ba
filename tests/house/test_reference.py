"""The pages of reference say every command, every option and every public name, and nothing that is gone."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import ROOT

from nomicgit.cli import main

sys.path.insert(0, str(ROOT / "tools"))
import reference

PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^#{2,3} (?P<name>.+)\n(?P<text>(?:(?!^#{2,3} ).*\n?)*)", re.MULTILINE)


def entries() -> dict[str, str]:
    """What stands under each heading."""
    return {entry["name"]: entry["text"] for entry in ENTRY.finditer(PAGE)}


def helped(*words: str) -> str:
    """What the program itself answers to --help."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    assert not ended.value.code
    return out.getvalue()


def listed(text: str) -> list[str]:
    """The commands that a help lists."""
    _, *sections = re.split(r"^Options:\n", text, flags=re.MULTILINE)
    return re.findall(r"^  ([a-z]+)(?: |$)", sections[0], re.MULTILINE)


def options(text: str) -> set[str]:
    """The long options that a help lists, and -C."""
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+|-C)\b", text, re.MULTILINE)) - {"--help"}


COMMANDS = listed(helped())


def test_every_command_is_listed() -> None:
    assert len(COMMANDS) > 25
    assert set(COMMANDS) <= set(entries())


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_an_entry_with_each_of_its_options(command: str) -> None:
    text = helped(command)
    for name in (command, *(f"{command} {each}" for each in listed(text))):
        entry = entries()[name]
        missing = {
            option
            for option in options(helped(*name.split()))
            if f"| `{option}" not in entry and f", {option}" not in entry
        }
        assert missing == set(), f"{name}: write commands.md anew: .venv/bin/python tools/reference.py"


def test_the_pages_are_what_their_tool_writes() -> None:
    written = {"commands.md": reference.commands(), "package.md": reference.package()}
    for name, text in written.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text, (
            f"write {name} anew: .venv/bin/python tools/reference.py"
        )


def test_every_public_name_says_what_it_is() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", reference.package(), re.MULTILINE)
    assert len(rows) > 40
    assert [name for name, says in rows if not says.strip()] == []


@pytest.mark.slow
def test_the_example_of_the_package_runs(tmp_path: Path) -> None:
    found = ["new", str(tmp_path / "attic"), "--edition", "crypt", "--player", "ana", "--admin", "ana"]
    subprocess.run([sys.executable, "-m", "nomicgit", *found], check=True, capture_output=True)
    [example] = re.findall(r"^```python\n(.*?)^```", reference.package(), re.MULTILINE | re.DOTALL)
    subprocess.run([sys.executable, "-c", example], cwd=tmp_path, check=True)
