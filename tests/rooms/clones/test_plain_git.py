"""Clones that come together by plain Git, and by whatever Git itself says to do: what that breaks is named, and mended as told.

Three players do deeds by the game, and fetch, merge, rebase and push by Git; where Git stops, they do one of the things that
its hints name. In the end each does what the game says, and no more, until all is well.
"""

from __future__ import annotations

import random
import subprocess
from itertools import groupby
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones, settings
from support.depth import one_of

HINTED = {
    "rejected": (("pull",), ("pull", "--rebase"), ("pull", "--no-rebase"), ("pull", "--rebase=merges")),
    "divergent branches": (("pull", "--rebase"), ("pull", "--no-rebase"), ("pull", "--ff-only")),
    "git rebase --continue": (
        ("rebase", "--abort"),
        ("rebase", "--skip"),
        ("checkout", "--theirs", "--", "."),
        ("checkout", "--ours", "--", "."),
    ),
    "fix conflicts and then commit": (
        ("merge", "--abort"),
        ("checkout", "--theirs", "--", "."),
        ("checkout", "--ours", "--", "."),
    ),
}
"""What Git says, and what it says to do then; a side that is taken is added, and gone on with."""
ROUNDS = 20


def said(clone: Clone, *words: str) -> str:
    """What Git says to somebody who has set nothing but a name."""
    env = settings() | {"GIT_EDITOR": "true", "LC_ALL": "C"}
    done = subprocess.run(
        ["git", *words], cwd=clone.folder, env=env, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def by_git(clone: Clone, dice: random.Random, *words: str) -> None:
    """A command of Git's, and up to a few of those that Git names where it does not go."""
    text = said(clone, *words)
    for _ in range(4):
        hints = next((hints for what, hints in HINTED.items() if what in text), None)
        if hints is None:
            return
        hint = dice.choice(hints)
        text = said(clone, *hint)
        if hint[0] == "checkout":
            said(clone, "add", "--all")
            going = "rebase" if under_way(clone, "rebase") else "merge"
            text = said(clone, going, "--continue")


def under_way(clone: Clone, what: str) -> bool:
    git = clone.folder / ".git"
    return (git / "MERGE_HEAD").exists() if what == "merge" else any(git.glob("rebase-*"))


def deed(clone: Clone, dice: random.Random, turn: int) -> None:
    words = dice.choice(
        [
            ("post", f"Entry {turn}"), ("roll", "DICE6"), ("vote", str(dice.randint(1, 4)), dice.choice(("for", "against"))),
            ("comment", str(dice.randint(1, 4)), f"remark {turn}"),
            ("propose", "--title", f"Proposal {turn}", "--change", f"{{add-rule: {{title: Rule {turn}, text: It holds.}}}}"),
        ]
    )  # fmt: skip
    code, text = clone.tried(*words)
    assert code in (0, 1), text


def offered(text: str) -> list[list[str]]:
    """What a text says can be done: the commands that stand one below the other, each on a line of its own."""
    blocks = [[line.strip() for line in block] for own, block in groupby(text.split("\n"), is_command) if own]
    mends = [block[:1] for block in blocks if block[0].startswith("nomicgit mend")]
    return mends or blocks


def is_command(line: str) -> bool:
    return line.startswith("    ")


def mended(clone: Clone, dice: random.Random) -> bool:
    """Whether a clone has nothing to do; else one of the things is done that it is told."""
    code, text = clone.tried("sync")
    assert code in (0, 1), text
    if not code:
        return True
    ways = offered(text) or offered(clone.tried("status")[1])
    if not ways:
        assert "set aside" in text or "not done again" in text, text
    for line in dice.choice(ways) if ways else ():
        if line.startswith("nomicgit "):
            clone.tried(*line.split()[1:])
        else:
            subprocess.run(
                ["sh", "-c", line], cwd=clone.folder, env=settings(), capture_output=True, check=False
            )
    return not ways


@pytest.mark.slow
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=one_of(3, seed)) for seed in range(6)])
def test_three_clones_by_plain_git_are_brought_together_by_what_they_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    who = ("ana", "ben", "cy")
    clones = game_in_clones(tmp_path, who, *(word for name in who for word in ("--restore", name)), rules=FEW)
    dice = random.Random(seed)
    for turn in range(20):
        clone = dice.choice(clones)
        match dice.choice(("deed", "deed", "deed", "push", "push", "pull", "sync")):
            case "deed":
                deed(clone, dice, turn)
            case "sync":
                assert clone.tried("sync")[0] in (0, 1)
            case way:
                by_git(clone, dice, way)
    for _ in range(ROUNDS):
        well = [mended(clone, dice) for clone in clones]
        if all(well) and len({clone.head for clone in clones}) == 1:
            break
    assert len({clone.head for clone in clones}) == 1, [clone.tried("sync")[1] for clone in clones]
    for clone in clones:
        assert "verified" in clone.play("verify")
        assert clone.git("status", "--porcelain") == ""
        assert clone.git("fsck", "--no-dangling") == ""
