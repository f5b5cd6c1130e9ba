"""What the check of a branch finds."""

from __future__ import annotations

from collections.abc import Mapping

from hostile.small import Small

from nomicgit.outlook.checks import Finding, check_branch
from nomicgit.outlook.checks.voted import NOT_ENACTED
from nomicgit.record.game import Game

NO_FILES: Mapping[str, str] = {}


def checked(small: Small, path: str, text: str, more: Mapping[str, str] = NO_FILES) -> list[Finding]:
    """What the check of a branch finds that brings this file, and ``more``; the branch is sound where these are warnings alone."""
    small.git("switch", "-q", "-C", "brought", "main")
    for each, said in {path: text, **more}.items():
        (small.folder / each).write_text(said, "utf-8")
    small.git("add", "-A")
    small.git("commit", "-q", "-m", "A rule")
    head = small.git("rev-parse", "brought").strip()
    small.git("switch", "-q", "main")
    game = Game.open(small.folder)
    with game.repository:
        answer = check_branch(game, small.head(), head, small.at)
    assert answer.sound == all(each.level == "warning" for each in answer.findings)
    return [each for each in answer.findings if each.problem.what != NOT_ENACTED]
