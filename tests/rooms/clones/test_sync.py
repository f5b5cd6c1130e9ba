"""Clones that come together: through a bare repository, with plain Git beside, read by Git and by verification."""

from __future__ import annotations

import json
import random
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones, settings
from support.depth import DEEP
from support.parlour import MOON

from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game

BEES = "{add-rule: {title: Bees, text: Bees hum.}}"
ANTS = "{add-rule: {title: Ants, text: Ants dig.}}"


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone, Clone]:
    """Ana's, Ben's and Cy's clone of one practice game, which lies in a bare repository."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"))
    return ana, ben, cy


def propose(clone: Clone, title: str, change: str = BEES) -> None:
    clone.play("propose", "--at", "+1h", "--title", title, "--change", change)


@pytest.mark.slow
def test_a_vote_for_ones_own_new_post_follows_it(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    propose(ben, "Bees")
    ben.play("sync")
    propose(ana, "Ants", ANTS)
    ana.play("vote", "1", "for", "mine")
    assert "posts/1 is posts/2 now" in ana.play("sync")
    assert (ana.title(1), ana.title(2)) == ("bees", "ants")
    assert (ana.votes(1), ana.votes(2)) == ([], [("ana", "for")])
    ben.play("sync")
    assert ana.head == ben.head
    assert "verified" in ben.play("verify")
    assert ana.git("status", "--porcelain") == ben.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_a_vote_for_somebody_elses_post_stays_with_it(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, cy = clones
    propose(ben, "Bees")
    ben.play("sync")
    ana.play("sync")
    propose(ana, "Ants", ANTS)
    ana.play("vote", "1", "for")
    propose(cy, "Cats", "{add-rule: {title: Cats, text: Cats nap.}}")
    cy.play("sync")
    ana.play("sync")
    assert [ana.title(n) for n in (1, 2, 3)] == ["bees", "cats", "ants"]
    assert ana.votes(1) == [("ana", "for")]


@pytest.mark.slow
def test_a_deed_keeps_its_id_its_time_and_its_words_and_gets_new_dice(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, _ = clones
    ben.play("post", "--at", "+2h", "Later")
    ben.play("sync")
    said = json.loads(ana.play("roll", "--at", "+1h", "20DICE6", "--json"))
    told = json.loads(ana.play("sync", "--json"))
    [laid] = told["laid"]
    assert laid["id"] == said["id"]
    assert [f"{each['what']}: {each['result']}" for each in said["dice"]] != laid["dice"]
    message = ana.git("log", "-1", "--format=%B")
    assert f"Nomic-Id: {said['id']}" in message
    assert "Nomic-At: 2021-06-07T02:00:00Z" in message
    assert "Nomic-Cast-At: 2021-06-07T01:00:00Z" in message


@pytest.mark.slow
def test_what_is_refused_now_is_told_set_aside_and_let_go_of(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    propose(ben, "Bees")
    ben.play("sync")
    ana.play("sync")
    ben.play("--as", "ben", "vote", "1", "against")
    ben.play("--as", "ben", "--at", "+1h", "resolve", "1")
    ben.play("sync")
    ana.play("vote", "1", "for")
    ana.play("roll", "DICE6")
    said = ana.play("sync", code=1)
    assert "not done again: ana: vote" in said
    assert "): status: it is resolved already (game/ruleset/" in said  # the words first, then where
    assert "\nagain: ana: roll" in said
    assert ana.votes(1) == [("ben", "against")]
    assert "set aside: 1 deed: " in ana.play("status")
    assert "would let go of 1 deed: ana: vote (" in ana.play("--dry-run", "sync", "--forget")
    assert "set aside: 1 deed: " in ana.play("status")
    forgotten = ana.play("sync", "--forget")
    assert "let go of 1 deed: ana: vote (" in forgotten
    shows = next(line.strip() for line in forgotten.splitlines() if "git show" in line)
    assert '"icon": "for"' in ana.git(*shlex.split(shows)[1:])
    assert "nothing is set aside" in ana.play("sync", "--forget")
    assert "set aside" not in ana.play("status")


@pytest.mark.slow
def test_what_means_a_thing_that_is_not_made_any_more_is_not_done_to_another(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, _ = clones
    for _ in range(2):
        propose(ben, "Bees")
    ben.play("--as", "ana", "propose", "--title", "Ana's first", "--change", BEES)
    ben.play("--as", "ana", "propose", "--title", "Ana's second", "--change", BEES)
    ben.play("sync")
    propose(ana, "One too many", ANTS)
    ana.play("vote", "1", "for")
    said = ana.play("sync", code=1)
    assert said.count("\nnot done again: ") == 2
    assert "posts/1, which a deed had made that stands no more" in said
    assert ana.votes(1) == []


@pytest.mark.slow
def test_whoever_loses_the_race_of_pushing_tries_again(
    clones: tuple[Clone, Clone, Clone], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, cy = clones
    cy.play("post", "Before")
    cy.play("sync")
    ben.play("sync")
    ben.play("post", "--at", "+1h", "First")
    ana.play("post", "--at", "+1h", "Second")
    was = ana.head
    host = (ana.folder / ana.git("remote", "get-url", "origin")).resolve()
    hook = host / "hooks" / "pre-receive"  # the host lets ben in while it looks at what ana pushes
    hook.write_text(
        f"#!/bin/sh\nrm -f {hook}\ncd {ben.folder} && exec env -u GIT_DIR -u GIT_QUARANTINE_PATH -u GIT_OBJECT_DIRECTORY "
        "-u GIT_ALTERNATE_OBJECT_DIRECTORIES git push --quiet origin main\n",
        encoding="utf-8",
    )
    hook.chmod(0o755)
    said = json.loads(ana.play("sync", "--json"))
    assert said["pushed"] == 1
    [laid] = said["laid"]  # from what it was before the first try
    assert (laid["was"], laid["commit"], laid["now"]) == (was, ana.head, {"posts/1": "posts/3"})
    assert not hook.exists()
    assert ana.git("rev-parse", "HEAD~1") == ben.head, "ben was let in first"
    ben.play("sync")
    assert ana.head == ben.head
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_what_was_pushed_and_not_answered_is_not_done_twice(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    propose(ana, "Ants", ANTS)
    before = ana.head
    ben.play("post", "--at", "+1h", "First")
    ben.play("sync")
    ana.play("sync")
    ana.git("update-ref", "refs/remotes/origin/main", f"{before}~1")
    ana.git("reset", "--quiet", "--hard", before)
    ana.play("vote", "1", "for")
    ana.play("sync")
    assert [ana.title(1), ana.title(2)] == ["first", "ants"]
    assert ana.votes(2) == [("ana", "for")]
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_a_deed_whose_id_somebody_elses_bears_is_done_under_another(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, _ = clones
    mine = json.loads(ana.play("post", "--at", "+1h", "Mine", "--json"))
    game = Game.open(ben.folder)
    with game.repository:
        game.act(Deed(mine["id"], "ben", "post", {"title": "Theirs", "body": ""}, game.last()))
    ben.play("sync")
    ana.play("sync")
    assert [ana.title(n) for n in (1, 2)] == ["theirs", "mine"]
    assert len(set(re.findall("Nomic-Id: (.*)", ana.git("log", "-2", "--format=%B")))) == 2
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_deeds_that_git_has_rebased_are_laid_anew(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    ben.play("post", "--at", "+3h", "Later")
    ben.play("sync")
    ana.play("roll", "--at", "+1h", "DICE6")
    ana.git("pull", "--quiet", "--rebase")
    assert "verified" not in ana.play("verify", code=1).splitlines()[-1]
    assert "again: ana: roll" in ana.play("sync")
    assert "verified: 3 deeds" in ana.play("verify")


@pytest.mark.slow
def test_a_conflict_that_was_committed_with_its_marks_is_laid_anew(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    ana, ben, _ = clones
    ana.play("post", "Hello")
    ana.play("sync")
    ben.play("sync")
    ana.play("comment", "1", "theirs")
    ana.play("sync")
    ben.play("comment", "1", "mine")
    ben.git("pull", "--quiet", "--rebase", code=1)
    ben.git("add", "--all")
    ben.git("-c", "core.editor=true", "rebase", "--continue")
    assert "<<<<<<<" in ben.git("show", "HEAD")
    ben.play("sync")
    assert "verified" in ben.play("verify")
    [file] = (ben.folder / "game/posts").rglob("*.comments.yml")
    said = [json.loads(line.removeprefix("- ")) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [(each["by"], each["text"]) for each in said] == [("ana", "theirs"), ("ben", "mine")]


@pytest.mark.slow
def test_a_rebase_and_a_merge_under_way_are_named(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    propose(ben, "Bees")
    propose(ben, "More bees")
    ben.play("vote", "1", "against")
    ben.play("sync")
    propose(ana, "Ants", ANTS)
    ana.play("--as", "cy", "propose", "--title", "Cats", "--change", ANTS)
    ana.play("--as", "cy", "propose", "--title", "More cats", "--change", ANTS)
    ana.git("pull", "--quiet", "--rebase", code=1)
    assert "git rebase --abort\n    nomicgit sync" in ana.play("status", code=1)
    ana.git("rebase", "--abort")
    ana.git("merge", "--quiet", "origin/main", code=1)
    assert "git merge --abort\n    nomicgit sync" in ana.play("sync", code=1)
    ana.git("merge", "--abort")
    ana.play("sync")
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_a_rewritten_branch_is_named_and_nothing_moves(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    propose(ben, "Bees")
    ben.play("sync")
    ana.play("sync")
    ben.git("reset", "--quiet", "--hard", "HEAD~1")
    ben.git("push", "--quiet", "--force", "origin", "main")
    before = ana.head
    said = ana.play("sync", code=1)
    assert "has been rewritten" in said
    assert "ben: propose" in said
    assert ana.head == before
    _, _, told = said.partition("to have them back:\n")
    remedy = "\n".join(re.findall(r"^    (git .*)$", told, re.MULTILINE))
    subprocess.run(["sh", "-ec", remedy], cwd=ana.folder, env=settings(), check=True, capture_output=True)
    assert "nothing to push: all is as on origin/main" in ana.play("sync")
    assert ana.git("rev-parse", "origin/main") == before


@pytest.mark.slow
def test_what_another_nomicgit_does_in_the_same_clone_meanwhile_is_no_local_edit(
    clones: tuple[Clone, Clone, Clone], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, _ = clones
    propose(ben, "Bees")
    ben.play("sync")
    with monkeypatch.context() as patched:

        def meanwhile(*_: object) -> list[str]:
            propose(ana, "Ants", ANTS)
            return []

        patched.setattr("nomicgit.clones.syncing.left_out", meanwhile)
        said = ana.play("sync", code=1)
    assert "another nomicgit is at work in this clone" in said
    assert "git stash" not in said
    ana.play("sync")
    assert ana.git("log", "-2", "--format=%an").split() == ["ana", "ben"]


@pytest.mark.slow
def test_where_an_object_in_its_own_place_stops_all_pushes_it_is_told_who_does_what(
    clones: tuple[Clone, Clone, Clone], tmp_path: Path
) -> None:
    ana, ben, _ = clones
    ben.git("push", "origin", f"{ben.head}:refs/replace/{ben.head}")
    propose(ana, "Ants", ANTS)
    said = ana.play("sync", code=1)
    assert "replace depth too high" in said
    bare = str((ana.folder / ana.git("remote", "get-url", "origin")).resolve())
    line = next(line.strip() for line in said.splitlines() if "core.useReplaceRefs" in line)
    subprocess.run(shlex.split(line), cwd=bare, check=True)
    ana.play("sync")
    assert ana.git("ls-remote", "origin", "refs/heads/main").split()[0] == ana.head


@pytest.mark.slow
def test_a_commit_that_leaves_the_game_alone_comes_along(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    ben.play("post", "--at", "+1h", "First")
    ben.play("sync")
    (ana.folder / "NOTES.md").write_text("mine\n", encoding="utf-8")
    ana.git("add", "NOTES.md")
    ana.git("commit", "--quiet", "--message", "notes")
    ana.play("post", "--at", "+1h", "Second")
    ana.play("sync")
    assert ana.git("show", "HEAD:NOTES.md") == "mine"
    assert ana.git("log", "--format=%an", "-1", "--", "NOTES.md") == "somebody"
    assert "verified: 3 deeds, 1 other" in ana.play("verify")


@pytest.mark.slow
def test_a_commit_that_others_contradict_is_named(clones: tuple[Clone, Clone, Clone]) -> None:
    for clone, text in zip(clones, ("mine\n", "theirs\n"), strict=False):
        (clone.folder / "NOTES.md").write_text(text, encoding="utf-8")
        clone.git("add", "NOTES.md")
        clone.git("commit", "--quiet", "--message", "notes")
    ana, ben, _ = clones
    ben.git("push", "--quiet")
    before = ana.head
    said = ana.play("sync", code=1)
    assert "others have changed NOTES.md as well" in said
    assert ana.head == before
    keep, take_out, sync, pick = (line.split() for line in said.splitlines() if line.startswith("    "))
    for words in (keep, take_out):
        ana.git(*words[1:])
    ana.play(*sync[1:])
    assert (ana.head, ana.git("show", "HEAD:NOTES.md")) == (ben.head, "theirs")
    ana.git(*pick[1:], "--strategy-option", "theirs")
    ana.play("sync")
    assert ana.git("show", "origin/main:NOTES.md") == "mine"


@pytest.mark.slow
def test_a_merge_of_a_branch_beside_the_game_comes_along(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    ben.play("post", "--at", "+1h", "First")
    ben.play("sync")
    ana.git("switch", "--quiet", "--create", "notes")
    (ana.folder / "NOTES.md").write_text("mine\n", encoding="utf-8")
    ana.git("add", "NOTES.md")
    ana.git("commit", "--quiet", "--message", "notes")
    side = ana.head
    ana.git("switch", "--quiet", "main")
    ana.play("post", "--at", "+1h", "Second")
    ana.git("merge", "--quiet", "--no-edit", "notes")
    ana.play("sync")
    assert ana.git("show", "origin/main:NOTES.md") == "mine"
    assert ana.git("rev-parse", "HEAD^2") == side
    assert ana.git("rev-list", "--first-parent", "--count", "HEAD") == "4"
    assert "verified: 3 deeds, 1 other" in ana.play("verify")
    ben.play("sync")
    assert ben.head == ana.head


@pytest.mark.slow
@pytest.mark.parametrize("again", [False, True])
def test_what_is_wrong_upon_an_own_mend_is_laid_anew_upon_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    """What Ana has mended everybody has; her mend, and what Git has made of her deed upon it, nobody else."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    good = ana.head
    (ana.folder / MOON).write_text("---\ntitle: Moon\n---\nIt is dark.\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "by hand")
    ana.git("push", "--quiet")
    ana.play("mend", "--to", good)
    mend = ana.head
    ana.play("post", "After")
    ana.git("commit", "--quiet", "--amend", "--no-edit", "--reset-author")
    ana.play("verify", code=1)
    if again:
        ana.play("mend", "--to", good)
    assert ("again: ana: post" in ana.play("sync")) is not again
    ana.git("merge-base", "--is-ancestor", mend, "HEAD")
    assert ana.git("ls-remote", "origin", "refs/heads/main").split()[0] == ana.head
    ben.play("sync")
    assert ben.head == ana.head
    assert "found wanting" not in ben.play("verify")


def mended_by_hand(tmp_path: Path) -> tuple[Clone, Clone]:
    """Ana's clone, in which she has mended what she has done by hand, with a deed upon it, and Ben's."""
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    good = ana.head
    (ana.folder / MOON).write_text("---\ntitle: Moon\n---\nIt is dark.\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "by hand")
    ana.play("mend", "--to", good)
    ana.play("post", "After")
    return ana, ben


@pytest.mark.slow
def test_what_is_done_by_hand_and_mended_is_pushed_as_it_stands(tmp_path: Path) -> None:
    ana, ben = mended_by_hand(tmp_path)
    mine = ana.head
    assert "pushed 3 commits" in ana.play("sync")
    said = ben.play("sync")
    assert "mended: commit " in said
    assert "no deed, and mended" in said.splitlines()[0]
    assert "beside the game" not in said
    assert (ana.head, ben.head) == (mine, mine)
    assert "mended " in ben.play("verify")


@pytest.mark.slow
def test_what_is_done_by_hand_and_mended_is_taken_out_as_is_told_where_others_were_faster(
    tmp_path: Path,
) -> None:
    ana, ben = mended_by_hand(tmp_path)
    ben.play("post", "Faster")
    ben.play("sync")
    said = ana.play("sync", code=1)
    assert f"is no deed, and changes {MOON}" in said
    assert "others" not in said
    [told] = [line for line in said.split("\n") if "git rebase" in line]
    ana.git(*shlex.split(told)[1:])
    assert "pushed 1 commit" in ana.play("sync")
    assert (ana.title(1), ana.title(2)) == ("faster", "after")
    assert "is dark" not in (ana.folder / MOON).read_text(encoding="utf-8")
    assert "verified: 3 deeds, 0 other" in ana.play("verify")


@pytest.mark.slow
def test_a_commit_that_changes_the_game_and_is_no_deed_is_named(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, *_ = clones
    (ana.folder / "game" / "state" / "game.yml").write_text("x: 1\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "by hand")
    assert "changes the game and is no deed" in ana.play("sync", code=1)


@pytest.mark.slow
def test_local_edits_stay_and_stop_it_before_anything_moves(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    propose(ben, "Bees")
    ben.play("--as", "ana", "vote", "1", "for")
    ben.play("sync")
    propose(ana, "Ants", ANTS)
    edited = next((ana.folder / "game" / "posts").rglob("0001-*.md"))
    edited.write_text("mine\n", encoding="utf-8")
    before = ana.head
    assert "local edits" in ana.play("sync", code=1)
    assert (ana.head, edited.read_text(encoding="utf-8")) == (before, "mine\n")


@pytest.mark.slow
def test_a_branch_in_the_folder_of_one_that_is_gone_is_told_and_plain_git_helped(
    clones: tuple[Clone, Clone, Clone],
) -> None:
    """Whoever can push takes a branch away and lays another beneath its name: plain Git then fetches and pulls nothing."""
    ana, ben, _ = clones
    ana.git(
        "push",
        "--quiet",
        "origin",
        "HEAD:refs/heads/idea",
        "HEAD:refs/heads/deep/er/one",
        "HEAD:refs/heads/other",
    )
    ben.git("fetch", "--quiet")
    assert "stand in the way" not in ben.play("sync")
    ana.git("push", "--quiet", "origin", ":refs/heads/idea", ":refs/heads/deep/er/one", ":refs/heads/other")
    assert "stand in the way" not in ben.play("sync"), "what is only gone stops nothing"
    ana.git("push", "--quiet", "origin", "HEAD:refs/heads/idea/two", "HEAD:refs/heads/deep")
    ben.git("fetch", "--quiet", code=1)
    said = ben.play("sync")
    assert "deep/er/one, idea\n" in said
    assert json.loads(ben.play("sync", "--json"))["in_the_way"] == ["deep/er/one", "idea"]
    [told] = [line.strip() for line in said.splitlines() if "git remote" in line]
    ben.git(*shlex.split(told)[1:])
    ben.git("fetch", "--quiet")
    assert ben.git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes/origin").split() == [
        "HEAD", "deep", "idea/two", "main"
    ]  # fmt: skip
    assert "stand in the way" not in ben.play("sync")


@pytest.mark.slow
def test_a_dry_run_tells_and_moves_nothing(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    propose(ben, "Bees")
    ben.play("sync")
    propose(ana, "Ants", ANTS)
    before = (ana.head, ana.git("for-each-ref", "refs/remotes"))
    assert "posts/1 is posts/2 now" in ana.play("sync", "--dry-run")
    assert (ana.head, ana.git("for-each-ref", "refs/remotes")) == before


def test_a_clone_that_follows_nothing_is_told_what_to_do(tmp_path: Path) -> None:
    here = Clone(tmp_path)
    here.play("new", "ana", "--edition", "crypt", "--player", "ana", "--admin", "ana")
    ana = Clone(tmp_path / "ana")
    add = "git remote add origin ADDRESS"
    push = "git push --set-upstream origin refs/heads/main:refs/heads/main"
    said = ana.play("sync", code=1)
    assert said.index(add) < said.index(push), "there is no origin yet"
    ana.git(*shlex.split(add)[1:])
    said = ana.play("sync", code=1)
    assert add not in said
    assert push in said


@pytest.mark.slow
def test_status_says_that_a_clone_lies_apart(clones: tuple[Clone, Clone, Clone]) -> None:
    ana, ben, _ = clones
    ben.play("post", "--at", "+1h", "First")
    assert "1 own commit is not pushed: nomicgit sync" in ben.play("status")
    ben.play("sync")
    assert "nomicgit sync" not in ben.play("status")
    ana.git("fetch", "--quiet")
    assert "1 commit of origin/main not here yet: nomicgit sync" in ana.play("status")
    assert json.loads(ana.play("status", "--json"))["clone"] == {
        "upstream": "origin/main", "unpushed": 0, "unfetched": 1, "aside": 0, "whole": True,
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=DEEP), pytest.param(2, marks=DEEP)])
def test_three_clones_at_random_end_equal_and_verified(clones: tuple[Clone, Clone, Clone], seed: int) -> None:
    dice = random.Random(seed)
    for turn in range(24):
        clone = dice.choice(clones)
        match dice.choice(("post", "propose", "vote", "comment", "roll", "sync", "sync", "push", "rebase")):
            case "post":
                clone.play("post", f"Entry {turn}")
            case "propose":
                change = f"{{add-rule: {{title: Rule {turn}, text: Rule {turn} holds.}}}}"
                attempt(clone, "propose", "--title", f"Proposal {turn}", "--change", change)
            case "vote":
                attempt(clone, "vote", str(dice.randint(1, 6)), dice.choice(("for", "against")))
            case "comment":
                attempt(clone, "comment", str(dice.randint(1, 6)), f"remark {turn}")
            case "roll":
                clone.play("roll", "DICE6")
            case "push":
                quietly(clone, "push")
            case "rebase":
                if quietly(clone, "pull", "--rebase"):
                    quietly(clone, "rebase", "--abort")
                attempt(clone, "sync")
            case "sync":
                attempt(clone, "sync")
    for clone in (*clones, *clones):
        attempt(clone, "sync")
    assert len({clone.head for clone in clones}) == 1
    for clone in clones:
        assert "verified" in clone.play("verify")
        assert clone.git("status", "--porcelain") == ""
        assert clone.git("fsck", "--no-dangling") == ""


def attempt(clone: Clone, *words: str) -> None:
    """Do what the law may refuse."""
    code, said = clone.tried(*words)
    assert code in (0, 1), said


def quietly(clone: Clone, *words: str) -> int:
    """Do with Git what Git may refuse."""
    return subprocess.run(
        ["git", *words], cwd=clone.folder, env=settings(), capture_output=True, check=False
    ).returncode
