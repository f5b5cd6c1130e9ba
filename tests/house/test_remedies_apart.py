"""What a message says to do stands apart from what it says: a command is a part of its own, whoever shows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import nomicgit
from nomicgit.cli.contents import SECTIONS
from nomicgit.ground.remedies import as_json, command, remedy

PROGRAM = Path(nomicgit.__file__).parent
OURS = "|".join(name for section in SECTIONS.values() for name in section)
GITS = (
    "add|branch|checkout|clone|commit|config|diff|fetch|fsck|init|log|merge|push|rebase|reflog|reset|rm|stash|status|"
    "switch|symbolic-ref|update-ref|worktree|sparse-checkout"
)
COMMAND = re.compile(rf"\b(?:nomicgit (?:{OURS})|git (?:{GITS}))\b")
SENTENCE = re.compile(rf"\w[^\n]*{COMMAND.pattern}|{COMMAND.pattern}[,;)]")
FILES = {"forge/setup/program.py"}
"""What is written into a file: its comments name commands, and nobody is told them as what to do."""


def texts(code: str) -> Iterator[tuple[int, str, bool]]:
    """The texts of a module, which are neither docstrings nor a command's words: line, text, whether it is told as what to do."""
    tree = ast.parse(code)
    nodes = list(ast.walk(tree))
    apart = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    apart |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for call in calls:
        if called(call) == "command":
            apart |= {id(node) for node in ast.walk(call)}
    mends = {
        id(node)
        for call in calls
        for each in call.keywords
        if each.arg == "mend"
        for node in ast.walk(each.value)
    }
    mends |= {id(node) for call in calls if called(call) == "remedy" for node in ast.walk(call)}
    for node in nodes:
        if id(node) in apart:
            continue
        if isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(
                    str(getattr(part, "value", "")) if isinstance(part, ast.Constant) else "…"
                    for part in node.values
                ),
                id(node) in mends,
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value, id(node) in mends


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def mixed(code: str, *, cli: bool) -> list[tuple[int, str]]:
    """The texts of a module that have a command among their words, with their lines; of a command's body what to do alone."""
    return [
        (line, text)
        for line, text, mend in texts(code)
        if (COMMAND.search(text) if mend else not cli and SENTENCE.search(text))
    ]


@pytest.mark.slow
def test_no_message_has_a_command_among_its_words() -> None:
    wrong = [
        f"{path.relative_to(PROGRAM)}:{line}: {text}"
        for path in sorted(PROGRAM.rglob("*.py"))
        if str(path.relative_to(PROGRAM)) not in FILES
        for line, text in mixed(path.read_text(encoding="utf-8"), cli="cli" in path.parts)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_test_sees_what_is_mixed() -> None:
    said = 'raise Refused.of("no", mend="see: nomicgit log")\n'
    assert mixed(said, cli=True) == [(1, "see: nomicgit log")]
    assert mixed('X = f"{a} is gone; nomicgit verify tells more"\n', cli=False) == [
        (1, "… is gone; nomicgit verify tells more")
    ]
    assert mixed('X = "nomicgit log, and look"\n', cli=False)
    assert not mixed('raise Refused.of("no", mend=remedy("see:", command("nomicgit", "log")))\n', cli=False)
    assert not mixed('"""See: nomicgit log."""\n', cli=False)


def test_a_remedys_commands_are_told_apart_from_its_words() -> None:
    mend = remedy("see:", command("nomicgit", "log"))
    assert as_json(mend) == {"mend": "see:\n  nomicgit log", "commands": ["nomicgit log"]}
