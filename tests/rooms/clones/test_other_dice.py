"""Dice that others have seen are not thrown anew behind their backs: each clone that knows the first outcome tells the second.

What chance gave is read from the messages of the commits, by plain Git.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones

LARGE = {**FEW, "1-core/20-talk.md": FEW["1-core/20-talk.md"].replace("roll(6)", "roll(1000000)")}


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone, Clone]:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), "--restore", "ana", rules=LARGE)
    return ana, ben, cy


def outcome(clone: Clone, commit: str = "HEAD") -> str:
    [dice] = [
        line
        for line in clone.git("show", "--no-patch", "--format=%B", commit).splitlines()
        if "-Dice" in line
    ]
    return str(json.loads(dice.partition(": ")[2])[0])


@pytest.mark.slow
def test_what_was_merged_away_put_back_and_done_again_with_other_dice_is_told_to_all_who_know(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, cy = clones
    cy.play("roll", "d")
    first, gave = cy.head, outcome(cy)
    ana.play("post", "T")
    ana.play("sync")
    ben.play("sync")
    cy.git("fetch", "--quiet")
    cy.git("merge", "--quiet", "-s", "ours", "--no-edit", "origin/main")
    cy.git("push", "--quiet")
    for clone in (ana, ben):
        clone.play("sync", code=1)
    ben.git("push", "--quiet", "--force", "origin", f"{ana.head}:refs/heads/main")
    cy.play("sync", "--accept")
    gives = outcome(cy)
    assert gives != gave
    told = f"other dice: cy: roll ({first[:12]}) gave {gave}, and gives {gives} now ({cy.head[:12]})"
    for clone in (ana, ben):
        assert told in clone.play("sync", "--accept", "--dry-run")
        assert told in clone.play("sync", "--accept")
        assert told in clone.play("status")
        assert "other dice" not in clone.play("sync")
    [plain] = json.loads(ben.play("status", "--json"))["rethrown"]
    assert (plain["was"], plain["commit"]) == (first, cy.head)
    assert "other dice" not in cy.play("status")  # it was told there as the dice were thrown


@pytest.mark.slow
def test_what_a_mend_has_set_aside_and_is_done_again_is_told_and_what_nobody_knew_is_not(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, cy = clones
    base = ana.head
    cy.play("roll", "d")
    cy.play("sync")
    first, gave = cy.head, outcome(cy)
    ben.play("sync")
    ana.play("sync")
    ana.play("mend", "--to", base, "--yes")
    ana.play("sync")
    cy.play("sync")
    cy.play("sync", "--again")
    told = f"cy: roll ({first[:12]}) gave {gave}, and gives {outcome(cy)} now"
    assert told in ben.play("sync")
    assert told in ana.play("sync", "--dry-run")
    cy.play("roll", "e")
    ana.play("sync")
    ana.play("post", "T")
    ana.play("sync")
    assert "thrown anew" in cy.play("sync")  # this roll nobody else has seen
    assert "other dice" not in ben.play("sync")
