"""Git commands that the program tells: each names its commits by all of their digits, which no tag can be called like."""

from __future__ import annotations

import ast
import re

from support import parsed
from support.places import ROOT

COMMAND = re.compile(r"(?<![a-z])git [a-z]")
HEAD = re.compile(r"\bgit push\b[^\n;|]*[ '\"+]HEAD\b|(?<![A-Z_])HEAD:(?:refs|\{|[a-z])")
"""A push of what ``HEAD`` names, in words or as one of the parts of a command."""


def test_no_command_names_a_commit_by_the_beginning_of_its_id() -> None:
    """What is cut short stands in no text that also names a command of Git, after it."""
    short = [
        f"{path.relative_to(ROOT)}:{text.lineno}"
        for path, tree in parsed.trees().values()
        for text in ast.walk(tree)
        if isinstance(text, ast.JoinedStr) and _shortened(text)
    ]
    assert not short


def test_no_push_that_is_told_names_head() -> None:
    """A tag that somebody has called ``HEAD`` would be pushed in its place: in no text of the program, no page and no form."""
    told = [
        path
        for folder in ("nomicgit", "docs", "game", ".github", ".")
        for kind in ("md", "py", "yml", "html", "txt")
        for path in (ROOT / folder).glob(f"*.{kind}" if folder == "." else f"**/*.{kind}")
    ]
    pushing = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in told
        for found in HEAD.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not pushing
    assert {
        ROOT / "docs" / "trust.md",
        ROOT / "README.md",
        ROOT / "nomicgit" / "clones" / "syncing.py",
    } <= set(told)
    for text in ("git push origin HEAD:refs/heads/main", "git push HEAD", 'f"+HEAD:{upstream.branch}"'):
        assert HEAD.search(text)


def _shortened(text: ast.JoinedStr) -> bool:
    """Whether an id is cut short behind a command, before the words end that belong to it."""
    command = False
    for part in text.values:
        if isinstance(part, ast.Constant):
            words = str(part.value)
            last = [*COMMAND.finditer(words)][-1:]
            behind = words[last[0].start() :] if last else words
            command = (bool(last) or command) and not re.search(r"nomicgit|[;,)`]", behind)
        elif command and isinstance(part, ast.FormattedValue) and _cut(part.value):
            return True
    return False


def _cut(value: ast.expr) -> bool:
    return isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice)
