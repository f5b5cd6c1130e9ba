"""What the check of a branch finds."""

from __future__ import annotations

from hostile.small import Small

from nomicgit.outlook.checks import Finding, check_branch
from nomicgit.outlook.checks.voted import NOT_ENACTED
from nomicgit.record.game import Game


def checked(small: Small, path: str, text: str) -> list[Finding]:
    """What the check of a branch finds that brings this file; the branch is sound where these are warnings alone."""
    small.git("switch", "-q", "-C", "brought", "main")
    (small.folder / path).write_text(text, "utf-8")
    small.git("add", "-A")
    small.git("commit", "-q", "-m", "A rule")
    head = small.git("rev-parse", "brought").strip()
    small.git("switch", "-q", "main")
    game = Game.open(small.folder)
    with game.repository:
        answer = check_branch(game, small.head(), head, small.at)
    assert answer.sound == all(each.level == "warning" for each in answer.findings)
    return [each for each in answer.findings if each.problem.what != NOT_ENACTED]
