"""Deeds that are done again after a mend: in the order in which they stood, and what they mean follows what was made anew."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from support.clones import FEW, Clone, game_in_clones


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


def remarks(clone: Clone, number: int, by: str) -> list[str]:
    """What somebody has said to a post, or voted, as it stands in its file."""
    [file] = clone.git("ls-files", f"game/posts/*/{number:04}-*.comments.yml").split()
    said = yaml.safe_load((clone.folder / file).read_text(encoding="utf-8"))
    return [each.get("icon") or each["text"] for each in said if each["by"] == by]


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [True, False])
def test_what_meant_a_post_that_a_merge_left_out_follows_it(tmp_path: Path, at_once: bool) -> None:
    """Its number is another post's on the line that is left: nothing that was said to the one comes to stand under the other."""
    ana, cy = game_in_clones(tmp_path, ("ana", "cy"), "--restore", "cy", rules=FEW)
    change = "{add-rule: {title: Ants, text: They dig.}}"
    ana.play("propose", "--title", "Ants", "--change", change)
    ana.play("vote", "1", "for")
    ana.play("comment", "1", "mine")
    ana.play("sync")
    ana.play("comment", "1", "unpushed")
    cy.play("propose", "--title", "Cats", "--change", change)
    cy.git("pull", "--quiet", "--no-rebase", "--no-edit", "--strategy-option", "ours")
    cy.git("push", "--quiet")
    cy.play("mend", "--to", cy.git("rev-parse", "HEAD^1"))
    cy.play("sync")
    if not at_once:
        assert "not done again: ana: comment" in ana.play("sync", code=1)
    said = ana.play("sync", "--again")
    assert "(posts/1 is posts/2 now)" in said
    assert (ana.title(1), ana.title(2)) == ("cats", "ants")
    assert remarks(ana, 2, "ana") == ["for", "mine", "unpushed"]
    assert ana.git("ls-files", "game/posts/*/0001-*.comments.yml") == ""
    assert "nothing to push" in ana.play("sync", "--again")
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_deeds_that_were_raced_are_done_again_in_the_order_in_which_they_stood(tmp_path: Path) -> None:
    """All at one time, as in a practice game: each was done upon what the clone had by then, and laid upon what others had pushed."""
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    ana.play("post", "Hello")
    ana.play("sync")
    ben.play("sync")
    base = ana.head
    rounds = (("post", "Bees"), *(("comment", "2", f"c{number}") for number in range(1, 4)))
    for own in rounds:
        ana.play("roll", "DICE6")
        ana.play("sync")
        ben.play(*own)
        assert f"again: ben: {own[0]}" in ben.play("sync")
    ana.play("sync")
    ana.play("mend", "--to", base, "--yes")
    ana.play("sync")
    ben.play("sync")
    said = ben.play("sync", "--again")
    assert "(posts/2 is posts/3 now)" in said
    assert remarks(ben, 3, "ben") == ["c1", "c2", "c3"]
    assert "verified" in ben.play("verify")
