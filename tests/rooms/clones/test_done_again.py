"""Deeds that are done again after a mend: in the order in which they stood, and what they mean follows what was made anew."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from support.clones import FEW, Clone, game_in_clones, greeted_in_clones, with_mallory


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
    [yours] = [each for each in ben.play("sync").splitlines() if each.startswith("yours: ")]
    assert yours.removeprefix("yours: ").partition(";")[0] in ben.play("status")  # by the same commits
    ben.git("pack-refs", "--all")  # which lists them by their ids, and not as they were made
    said = ben.play("sync", "--again")
    assert "(posts/2 is posts/3 now)" in said
    assert remarks(ben, 3, "ben") == ["c1", "c2", "c3"]
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_own_deeds_upon_what_a_mend_sets_aside_are_done_again_by_it(tmp_path: Path) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ben", rules=FEW)
    base = ana.head
    ana.play("post", "Hello")
    ana.play("sync")
    ben.play("sync")
    ben.play("post", "Bees")
    ben.play("comment", "2", "They hum.")
    refused = ben.play("mend", "--to", base, code=1)
    assert refused == ben.play("mend", "--to", base, "--dry-run", code=1)
    said = ben.play("mend", "--to", base, "--yes")
    assert "1 commit set aside" in said
    assert "again: ben: post" in said
    assert remarks(ben, 2, "ben") == ["They hum."]
    ben.play("mend", "--to", "HEAD~1", "--yes")  # which nobody else has: that is what it is for
    assert "They hum." not in ben.play("sync")
    assert ben.git("ls-files", "game/posts/*/0002-*.comments.yml") == ""
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_an_own_mend_of_what_is_there_stands_where_what_came_after_it_is_gone(tmp_path: Path) -> None:
    """What came upon what it mended was pushed away again: that is no reason to mend once more."""
    ana, ben, mallory = with_mallory(tmp_path, "--restore", "ben", rules=FEW)
    base, file = ben.head, mallory.folder / "game" / "state" / "players" / "ben.yml"
    file.write_text("name: ben\n", encoding="utf-8")
    mallory.git("commit", "--quiet", "--all", "--message", "By hand")
    mallory.git("push", "--quiet")
    there = mallory.head
    ben.play("sync", code=1)
    ben.play("mend", "--to", base)
    ana.play("roll", "DICE6")
    ana.git("pull", "--quiet", "--rebase")
    ana.git("push", "--quiet")
    assert "no deed as it should be" in ben.play("sync", code=1)
    mallory.git("push", "--quiet", "--force", "origin", f"{there}:refs/heads/main")
    assert "pushed 1 commit" in ben.play("sync", "--accept")
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_what_a_merge_by_hand_brought_is_not_moved_while_what_is_there_is_to_be_mended(
    tmp_path: Path,
) -> None:
    ana, cy = greeted_in_clones(tmp_path, rules=FEW)
    cy.play("comment", "1", "hello")
    cy.play("roll", "DICE6")
    ana.play("post", "Two")
    (ana.folder / "game" / "state" / "players" / "ben.yml").write_text("name: ben\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "By hand")
    ana.git("push", "--quiet")
    cy.git("pull", "--quiet", "--no-rebase", "--no-edit", "--strategy-option", "ours")
    cy.git("push", "--quiet")
    merge = cy.head
    ana.git("push", "--quiet", "--force")  # as the advised push has the line back
    for words in (("sync", "--accept"), ("sync",)):
        said = cy.play(*words, code=1)
        assert "again:" not in said
        assert "nothing is moved" in said
        assert cy.head == merge


@pytest.mark.slow
def test_where_a_push_was_raced_by_what_is_no_deed_it_is_not_said_that_nothing_has_moved(
    tmp_path: Path,
) -> None:
    ana, ben, mallory = with_mallory(tmp_path, rules=FEW)
    ana.play("roll", "DICE6")
    ana.play("sync")
    mallory.git("pull", "--quiet")
    (mallory.folder / "game" / "state" / "players" / "ben.yml").write_text("name: ben\n", encoding="utf-8")
    mallory.git("commit", "--quiet", "--all", "--message", "By hand")
    mallory.git("push", "--quiet", "origin", "HEAD:refs/heads/side")
    hook = tmp_path / "bare.git" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    faster = f"unset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/main {mallory.head}\n"
    hook.write_text(f"#!/bin/sh\n{faster}", encoding="utf-8")
    hook.chmod(0o755)
    ben.play("comment", "1", "hello")
    said = ben.play("sync", code=1)
    assert "again: ben: comment" in said
    assert "nothing more is moved, and nothing is pushed" in said


@pytest.mark.slow
def test_what_others_did_before_an_own_deed_was_laid_anew_upon_it_is_told_as_since(tmp_path: Path) -> None:
    """Whoever did the deed had not seen it; and neither has somebody whose deed was done again after a mend."""
    ana, ben = greeted_in_clones(tmp_path, "--restore", "ben", rules=FEW)
    base = ben.head
    ben.play("comment", "1", "look at this")
    ben.play("sync")
    ana.play("roll", "DICE6")
    assert "again: ana: roll" in ana.play("sync")
    assert "on your post 1, Hello: look at this" in ana.play("status")
    ana.play("roll", "DICE6")
    assert "look at this" not in ana.play("status")
    ana.play("sync")
    ben.play("sync")
    ben.play("mend", "--to", base, "--yes")
    ben.play("comment", "1", "I have mended that")
    ben.play("sync")
    ana.play("sync")
    assert "mended: " in ana.play("status")
    ana.play("sync", "--again")
    assert "I have mended that" in (said := ana.play("status")), said
    ana.play("roll", "DICE6")
    assert "mended: " not in ana.play("status")  # told until the next deed of one's own


@pytest.mark.slow
def test_one_of_the_deeds_that_are_set_aside_is_let_go_of_by_its_name(tmp_path: Path) -> None:
    _, ben = greeted_in_clones(tmp_path, rules=FEW)
    commits = []
    for word in ("Bees", "Wasps", "Ants"):
        ben.play("post", word)
        commits.append(ben.head)
    ben.git("reset", "--quiet", "--hard", "origin/main")
    planned = ben.play("sync", "--again", "--dry-run")
    assert all(f"again: ben: post ({each[:12]})" in planned for each in commits)
    all_said = ben.play("sync", "--forget", "--dry-run").partition("what they said:")[2].split("git show ")[1]
    assert ben.git("show", "--format=%s", "--no-patch", *all_said.split()).count("ben: post") == 3
    assert "let go of 1 deed: ben: post" in ben.play("sync", "--forget", commits[0][:12])
    ben.play("sync")
    name = ben.git("show", "--no-patch", "--format=%(trailers:key=Nomic-Id,valueonly)", commits[1]).strip()
    assert f"let go of 1 deed: ben: post ({commits[1][:12]})" in ben.play("sync", "--forget", name)
    assert "is set aside" in ben.play("sync", "--forget", commits[1][:12], code=1)
    assert "nomicgit sync --forget COMMIT" in ben.play("sync", commits[2][:12], code=2)
    ben.play("sync", "--again")
    assert ben.git("log", "--format=%s", "origin/main").count("ben: post") == 1
    assert "Ants" in ben.git("log", "-1", "--format=%s")


@pytest.mark.slow
def test_an_own_mend_of_what_was_pushed_away_since_is_not_to_be_done_again(tmp_path: Path) -> None:
    ana, ben, mallory = with_mallory(tmp_path, "--restore", "ben", rules=FEW)
    base = mallory.head
    (mallory.folder / "game" / "state" / "players" / "ben.yml").write_text("name: ben\n", encoding="utf-8")
    mallory.git("commit", "--quiet", "--all", "--message", "By hand")
    mallory.git("push", "--quiet")
    ben.play("comment", "1", "hello")
    ben.play("sync", code=1)
    ben.play("mend", "--to", base)
    mallory.git("push", "--quiet", "--force", "origin", f"{base}:refs/heads/main")
    ana.play("roll", "DICE6")
    ana.play("sync")
    said = ben.play("sync")
    assert "what it sets aside is gone" in said
    assert "again: ben: comment" in said
    assert "nomicgit mend" not in said
    assert "set aside" not in ben.play("status")


@pytest.mark.slow
def test_what_was_done_again_is_not_once_more_where_the_first_one_stands_again(tmp_path: Path) -> None:
    """A mend of a mend brings the first one back, and sets aside what repeats it."""
    ana, ben = greeted_in_clones(tmp_path, "--restore", "ana", rules=FEW)
    base = ben.head
    ben.play("post", "Bees")
    ben.play("sync")
    first = ben.head

    def mended(to: str) -> str:
        ana.play("sync")
        ana.play("mend", "--to", to, "--yes")
        ana.play("sync")
        return ben.play("sync")

    assert "yours: 1 deed: ben: post" in mended(base)
    assert "again: ben: post" in ben.play("sync", "--again")
    repeat = ben.head[:12]
    ben.play("comment", "3", "They hum.")  # it follows to the one that stands
    ben.play("sync")
    said = mended(first)
    assert f"standing all the same, so not to be done again: 1 deed: ben: post ({repeat})" in said
    assert "yours: 1 deed: ben: comment" in said
    said = ben.play("sync", "--again")
    assert "again: ben: comment" in said
    assert "again: ben: post" not in said
    assert remarks(ben, 2, "ben") == ["They hum."]
    assert len(ben.git("ls-files", "game/posts/*/*-bees.md").split()) == 1
    assert "yours: 2 deeds: ben: post" in mended(base)  # where neither stands, it is done once
    assert "again: ben: post" in ben.play("sync", "--again")
    assert len(ben.git("ls-files", "game/posts/*/*-bees.md").split()) == 1
    assert "verified" in ben.play("verify")
