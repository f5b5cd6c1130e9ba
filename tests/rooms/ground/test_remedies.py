"""Remedies: a command is a line of its own, which a shell reads as the words that it is."""

from __future__ import annotations

import subprocess

import pytest

from nomicgit.ground.problems import Problem
from nomicgit.ground.remedies import as_json, below, command, commands, remedy

WORDS = [
    "it's $mine/a b",
    "x\ny\n  git evil",
    "",
    "-n",
    "a\\b",
    "`id`",
    "refs/*:refs/*",
    "\x1b[2J",
    "\udcff",
    "ä; then",
]


def test_what_is_pasted_is_what_was_meant() -> None:
    mend = remedy("do it:", command("printf", "%s\\0", *WORDS), "", "then:", command("true"))
    [line, last] = commands(mend)
    assert (mend.count("\n"), last) == (3, "true")
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=True)
    assert done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1] == WORDS


@pytest.mark.parametrize(
    ("mend", "said"), [("", "bad"), ("ask", "bad (ask)"), ("do:\n  git gc", "bad\n  do:\n    git gc")]
)
def test_a_command_never_shares_the_line_of_what_is_wrong(mend: str, said: str) -> None:
    assert str(Problem("bad", mend=mend)) == said
    assert Problem("bad", mend=mend).as_json() == {"what": "bad"} | (as_json(mend) if mend else {})
    assert below(mend).count("\n") == (mend.count("\n") + 1 if mend else 0)
