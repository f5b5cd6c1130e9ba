"""Commits that are no deeds, and what a clone says about them: by who has them, and on which branch it stands."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones, greeted_in_clones, settings
from support.depth import DEEP

from nomicgit.ground.remedies import below, commands

Clones = tuple[Clone, Clone]


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clones:
    """Ana's and Ben's clone of one practice game, of which both may take back what was no deed."""
    monkeypatch.setenv("NO_COLOR", "1")
    return greeted_in_clones(tmp_path, "--restore", "ana", "--restore", "ben", rules=FEW)


def apart(clones: Clones) -> tuple[str, str]:
    """Ana has rolled and pushed, Ben has rolled: the heads of both."""
    ana, ben = clones
    ana.play("roll", "--at", "+2h", "DICE6")
    ana.play("sync")
    ben.play("roll", "--at", "+1h", "DICE6")
    return ana.head, ben.head


def advice(clone: Clone, *words: str) -> list[str]:
    """What status says to do about each commit that is no deed."""
    return [stray["mend"] for stray in json.loads(clone.play("status", "--json", *words, code=1))["strays"]]


def rolls(clone: Clone) -> list[str]:
    """Who has rolled, by the subjects of the line."""
    subjects = clone.git("log", "--first-parent", "--format=%s").splitlines()
    return sorted(subject.partition(":")[0] for subject in subjects if ": roll" in subject)


def reset(clone: Clone, words: str) -> None:
    """Do what an advice says that begins with the putting back of the branch."""
    commit = words.partition("git reset --keep ")[2].partition("\n")[0]
    clone.git("reset", "--quiet", "--keep", commit)


@pytest.mark.slow
@pytest.mark.parametrize("mine_first", [True, False])
def test_the_advice_for_an_unpushed_merge_keeps_ones_own_deeds(clones: Clones, mine_first: bool) -> None:
    theirs, mine = apart(clones)
    _, ben = clones
    ben.git("fetch", "--quiet")
    if not mine_first:
        ben.git("reset", "--quiet", "--keep", "origin/main")
    ben.git("merge", "--quiet", "--no-edit", "-s", "ours", theirs if mine_first else mine)
    [said] = advice(ben)
    assert said == f"nobody else has it; take it back:\n  git reset --keep {mine}\n  nomicgit sync"
    assert below(said) in ben.play("verify", code=1)
    assert below(said) in ben.play("roll", "DICE6", code=1)
    reset(ben, said)
    ben.play("sync")
    assert rolls(ben) == ["ana", "ben"]
    assert "verified: 4 deeds" in ben.play("verify")


@pytest.mark.slow
def test_a_pushed_merge_that_leaves_out_what_was_pushed_is_undone_for_the_line_that_was_seen(
    clones: Clones,
) -> None:
    """Whoever merges so makes their own line the first: the others' deeds would be set aside by a mend."""
    theirs, mine = apart(clones)
    ana, ben = clones
    ben.git("fetch", "--quiet")
    ben.git("merge", "--quiet", "--no-edit", "-s", "ours", theirs)
    ben.git("push", "--quiet")
    before, back = (
        ana.head,
        f"    git update-ref refs/nomicgit/back/{theirs[:12]}/heads/main {theirs}\n    git push "
        f"--force-with-lease=refs/heads/main:{ben.head} origin 'refs/nomicgit/back/{theirs[:12]}/*:refs/*'",
    )
    assert f"(which takes out what was pushed since: 1 deed: ben: roll ({mine[:12]})):\n{back}\n" in ana.play(
        "sync", code=1
    )
    assert ana.head == before
    ana.git("pull", "--quiet")
    for command in ("status", "verify", "check", "sync"):
        said = ana.play(command, code=1)
        assert back in said, command
        assert f"mend --to {mine[:12]}" not in said, command
    ben.git("push", "--quiet", "origin", "HEAD:refs/tags/refs/heads/main")
    subprocess.run(["sh", "-ec", back], cwd=ana.folder, env=settings(), check=True, capture_output=True)
    ana.play("sync", "--accept")
    assert "again: ben: roll" in ben.play("sync", "--accept")
    assert ana.head == theirs
    ana.play("sync")
    assert ana.head == ben.head
    assert rolls(ana) == ["ana", "ben"]
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_what_git_has_rebased_and_nobody_has_pushed_is_laid_anew(clones: Clones) -> None:
    apart(clones)
    _, ben = clones
    ben.git("pull", "--quiet", "--rebase")
    said = "nobody else has it; it is laid anew by:\n  nomicgit sync"
    assert advice(ben) == [said]
    assert "no deed as it should be: commit" in ben.play("status", code=1)
    assert below(said) in ben.play("verify", code=1)
    assert "again: ben: roll" in ben.play("sync")
    assert rolls(ben) == ["ana", "ben"]
    assert "verified: 4 deeds" in ben.play("verify")
    assert "no deed" not in ben.play("status")


@pytest.mark.slow
def test_what_git_has_rebased_and_somebody_has_pushed_is_named_to_all_and_taken_back(clones: Clones) -> None:
    good, _ = apart(clones)
    ana, ben = clones
    ben.git("pull", "--quiet", "--rebase")
    ben.git("push", "--quiet")
    mend = f"ana or ben can mend it:\n  nomicgit mend --to {good}"
    assert advice(ben) == [mend]
    ana.play("post", "--at", "+3h", "Own")
    own, said = ana.head, ana.play("sync", code=1)
    for words in (
        f"commit {ben.head[:12]} in the name of ben",
        "its headers say 'committer somebody",
        below(mend),
    ):
        assert words in said
    assert ana.head == own  # nothing is laid upon what is to be taken back
    assert "pushed" not in said.replace("nothing is pushed", "")
    assert "again: ana: post" in ana.play(*commands(mend)[0].split()[1:])
    ana.play("sync")
    ben.play("sync")
    assert ana.head == ben.head
    assert rolls(ben) == ["ana", "ben"]  # the second one stands in the history, and is set aside
    assert "no deed" not in ben.play("status")
    assert "found wanting" not in ben.play("verify")


@pytest.mark.slow
def test_a_deed_that_was_dated_anew_is_no_deed_as_it_should_be(clones: Clones) -> None:
    _, ben = clones
    ben.play("roll", "--at", "+1h", "DICE6")
    ben.git("commit", "--quiet", "--amend", "--allow-empty", "--no-edit", "--date", "2021-06-07T00:30:00Z")
    assert "its deed and its commit are not of one time" in ben.play("status", code=1)


@pytest.mark.slow
def test_a_deed_before_the_one_before_it_is_named_without_replay(clones: Clones) -> None:
    theirs, mine = apart(clones)
    _, ben = clones
    ben.git("fetch", "--quiet")
    raw = ben.git("cat-file", "commit", mine).replace(ben.git("rev-parse", f"{mine}~1"), theirs)
    (ben.folder / ".git" / "forged").write_text(raw + "\n", encoding="utf-8")
    forged = ben.git("hash-object", "-w", "-t", "commit", str(ben.folder / ".git" / "forged"))
    ben.git("reset", "--quiet", "--hard", forged)
    assert "it is dated before the deed before it" in ben.play("status", code=1)


@pytest.mark.slow
def test_on_a_proposals_branch_one_is_sent_back_to_the_games(clones: Clones) -> None:
    _, ben = clones
    ben.git("switch", "--quiet", "--create", "bees")
    rule = next((ben.folder / "game" / "ruleset").rglob("*.md"))
    rule.write_text(rule.read_text(encoding="utf-8") + "\nBees hum.\n", encoding="utf-8")
    ben.git("commit", "--quiet", "--all", "--message", "bees")
    assert advice(ben) == []  # what is written there is no deed, and none of the game's
    assert "    git switch main\n" in ben.play("status", code=1)
    written, before = ben.head, ben.git("rev-parse", "HEAD~1")
    for follows in (True, False):  # whether this clone knows what others have
        if not follows:
            ben.git("remote", "rename", "origin", "elsewhere")
            ben.git("branch", "--unset-upstream", "main")
        said = ben.play("verify", code=1)
        assert "    git switch main\n" in said
        assert "reset" not in said
        assert "mend --to" not in said
        said = ben.play("mend", "--to", before, "--as", "ana", code=1)
        assert "the game is played on the branch main" in said
        assert ben.head == written
    ben.git("remote", "rename", "elsewhere", "origin")
    ben.git("branch", "--set-upstream-to", "origin/main", "main")
    said = ben.play("propose", "--branch", "bees", code=1)
    assert "you stand on the proposal's branch bees" in said
    assert "git switch main" in said
    head = ben.head
    tried = ben.play("propose", "--branch", "bees", "--dry-run")
    assert tried.startswith("ben: propose, post 2  (dry run, nothing is recorded, ")
    assert "\n    + Bees hum.\n" in tried
    assert "no rule in force declares" not in ben.play("vote", "1", "for", "--dry-run", code=1)
    assert ben.head == head == ben.git("rev-parse", "bees")
    said = ben.play("sync", code=1)
    assert "git switch main" in said
    assert "--set-upstream" not in said
    ben.git("switch", "--quiet", "main")
    assert "main is the game's own branch" in ben.play("propose", "--branch", "main", code=1)
    ben.play("propose", "--branch", "bees")


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
def test_a_rule_committed_on_the_games_own_branch_is_kept_and_proposed_from_another(
    clones: Clones, shared: bool
) -> None:
    _, ben = clones
    if not shared:
        ben.git("remote", "remove", "origin")
    before, rules = ben.head, ben.folder / "game" / "ruleset"
    rule = min(rules.rglob("[0-9]*-*.md"))
    name = rule.stem.partition("-")[2]
    ben.git("branch", name)
    for words in ("Bees hum.", "Moths do not."):
        rule.write_text(rule.read_text(encoding="utf-8") + f"\n{words}\n", encoding="utf-8")
        ben.git("commit", "--quiet", "--all", "--message", words)
    lines = [
        f"git branch {name}-2 {ben.head}",
        f"git reset --keep {before}",
        f"nomicgit propose --branch {name}-2",
    ]
    for said in advice(ben):
        assert commands(said)[-3:] == lines
    said = ben.play("propose", "--branch", "main", code=1)
    assert "main is the game's own branch, and commit" in said
    assert all(line in said for line in lines)
    for line in lines[:2]:
        ben.git(*line.split()[1:])
    post = ben.play(*lines[2].split()[1:])
    assert "+ Bees hum." in post
    assert "+ Moths do not." in post
    assert json.loads(ben.play("status", "--json"))["strays"] == []


@pytest.mark.slow
def test_a_rule_that_somebody_else_has_written_by_hand_is_not_to_be_proposed_by_who_merged_it(
    clones: Clones,
) -> None:
    ana, ben = clones
    rule = min((ana.folder / "game" / "ruleset").rglob("[0-9]*-*.md"))
    rule.write_text(rule.read_text(encoding="utf-8") + "\nBees hum.\n", encoding="utf-8")
    good = ana.head
    ana.git("commit", "--quiet", "--all", "--message", "bees")
    ana.git("push", "--quiet")
    ben.play("roll", "DICE6")
    ben.git("pull", "--quiet", "--no-rebase", "--no-edit")
    [mine] = [each for each in advice(ben) if "nobody else has it" in each]
    assert "propose" not in mine
    reset(ben, mine)
    assert "not looked at" not in ben.play("verify")
    [theirs] = json.loads(ben.play("sync", "--json", code=1))["strays"]
    assert "verified" in ben.play("verify")
    assert "not looked at: what the last sync found" in ben.play("verify")
    assert commands(theirs["mend"]) == [f"nomicgit mend --to {good}"]
    assert "again: ben: roll" in ben.play("mend", "--to", good)
    ben.play("sync")
    ana.play("sync")
    assert ana.head == ben.head
    assert rolls(ana) == ["ben"]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["merge", "cherry-pick", "revert"])
def test_in_the_middle_of_what_git_has_begun_no_deed_is_done(clones: Clones, way: str) -> None:
    ana, ben = clones
    for clone in clones:
        clone.play("comment", "1", "mine")
    ana.play("sync")
    ben.git("fetch", "--quiet")
    before, which = ben.head, "HEAD~1" if way == "revert" else "origin/main"
    if way == "revert":
        ben.play("comment", "1", "more")
        before = ben.head
    ben.git(way, which, code=1)
    for command in (("status",), ("roll", "DICE6"), ("comment", "1", "other"), ("sync",)):
        said = ben.play(*command, code=1)
        assert f"a {way} is under way" in said
        assert f"git {way} --abort" in said
        assert "git stash" not in said
    assert ben.head == before
    ben.git(way, "--abort")
    ben.play("sync")
    assert "verified" in ben.play("verify")


@pytest.mark.slow
@pytest.mark.parametrize("garbled", ["game/posts", "game/game.yml", "game/state/game.yml"])
def test_a_merge_that_left_conflict_marks_is_named_whatever_cannot_be_read(
    clones: Clones, garbled: str
) -> None:
    _, ben = clones
    ben.play("comment", "1", "mine")
    good, place = ben.head, ben.folder / garbled
    file = place if place.is_file() else next(place.rglob("*.comments.yml"))
    file.write_text("<<<<<<< HEAD\n" + file.read_text(encoding="utf-8") + "=======\n", encoding="utf-8")
    ben.git("commit", "--quiet", "--all", "--message", "merge")
    bad = ben.head
    reading = [("posts", "1")] if garbled == "game/posts" else []
    for command in (("status",), ("comment", "1", "x"), *reading):
        code, said = ben.tried(*command)
        assert code == 1, said
        assert "please report" not in said
        assert f"commit {bad[:12]}" in said
        assert f"git reset --keep {good}\n    nomicgit sync" in said
    if reading:
        assert os.path.relpath(file, ben.folder) in ben.play("posts", "1", code=1)
    ben.git("reset", "--quiet", "--keep", good)
    ben.play("sync")


# ---- a branch that somebody has rewritten


@pytest.mark.slow
def test_a_sync_goes_on_without_what_was_lost_and_lays_own_deeds_anew(clones: Clones) -> None:
    ana, ben = clones
    for words in ("First", "Second"):
        ana.play("post", "--at", "+1h", words)
    ana.play("sync")
    ben.play("sync")
    ben.play("roll", "--at", "+3h", "DICE6")
    ana.git("reset", "--quiet", "--hard", "HEAD~2")
    ana.git("push", "--quiet", "--force")
    before = ben.head
    said = ben.play("sync", code=1)
    assert "lacks now 2 deeds: ana: post" in said
    assert "--force-with-lease=refs/heads/main:" in said
    assert "--accept" not in said  # for what is there is here as well
    assert ben.head == before
    assert "again: ben: roll" in ben.play("sync", "--accept")
    assert rolls(ben) == ["ben"]
    assert "verified: 3 deeds" in ben.play("verify")
    assert "lost" not in ben.play("status")
    ana.play("sync")
    assert ana.head == ben.head


@pytest.mark.slow
def test_of_a_line_that_was_forced_away_what_stood_before_a_hand_made_commit_is_put_back(
    clones: Clones,
) -> None:
    ana, ben = clones
    for words in ("First", "Second"):
        ben.play("post", "--at", "+1h", words)
    ben.play("sync")
    lawful = ben.head
    ana.play("sync")
    (ana.folder / "game" / "state" / "game.yml").write_text("gold: 99\n", encoding="utf-8")
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "--message", "by hand")
    ana.git("push", "--quiet")
    bad = ana.head
    ben.git("fetch", "--quiet")
    assert bad[:12] in ben.play("sync", code=1)
    ana.git("reset", "--quiet", "--hard", "HEAD~3")
    ana.git("push", "--quiet", "--force")
    said = ben.play("sync", code=1)
    assert f"to have what stood there before {bad[:12]} back" in said
    lost = json.loads(ben.play("status", "--json", code=1))["lost"]
    *back, accept = (line.strip() for line in commands(lost["mend"]))
    assert accept == "nomicgit sync --accept"
    subprocess.run(
        ["sh", "-ec", "\n".join(back)], cwd=ben.folder, env=settings(), check=True, capture_output=True
    )
    assert ben.head == lawful
    for clone in clones:
        clone.play("sync")
        assert clone.head == lawful
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_what_was_lost_is_not_laid_anew_as_ones_own_after_a_fetch(clones: Clones) -> None:
    ana, ben = clones
    ana.play("post", "--at", "+1h", "First")
    ana.play("sync")
    ben.play("sync")
    ana.git("reset", "--quiet", "--hard", "HEAD~1")
    ana.git("push", "--quiet", "--force")
    ben.git("fetch", "--quiet")
    assert "lacks now 1 deed: ana: post" in ben.play("sync", code=1)
    ben.play("sync", "--accept")
    assert ben.head == ana.head


@pytest.mark.slow
def test_who_made_a_bad_merge_is_not_told_first_to_force_it_back(clones: Clones) -> None:
    theirs, _ = apart(clones)
    ana, ben = clones
    ben.git("fetch", "--quiet")
    ben.git("merge", "--quiet", "--no-edit", theirs)
    ben.git("push", "--quiet")
    ana.git("push", "--quiet", "--force", "origin", f"{theirs}:main")
    said = ben.play("sync", code=1)
    steps = [line.strip() for line in said.split("\n") if line.startswith("    ")]
    assert steps[0] == "nomicgit sync --accept", said
    assert "is mended by this" in said
    accepted = ben.play("sync", "--accept")
    assert "again: ben: roll" in accepted
    assert "let go" not in accepted
    ana.play("sync")
    assert ana.head == ben.head
    assert rolls(ana) == ["ana", "ben"]
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_a_merge_by_hand_that_is_taken_back_is_no_loss_but_the_deeds_beside_it_are(clones: Clones) -> None:
    theirs, mine = apart(clones)
    ana, ben = clones
    ben.git("fetch", "--quiet")
    ben.git("reset", "--quiet", "--keep", theirs)
    ben.git("merge", "--quiet", "--no-edit", "-s", "ours", mine)
    ben.git("push", "--quiet")
    assert f"nomicgit mend --to {theirs}\n" in ana.play("sync", code=1)  # where ana has had the branch
    ben.git("reset", "--quiet", "--keep", mine)
    ben.git("push", "--quiet", "--force", "origin", f"{theirs}:main")
    assert f"lacks now 1 deed: ben: roll ({mine[:12]})" in ana.play("sync", code=1)
    ben.play("sync", "--accept")
    assert "new commit" in ana.play("sync")
    assert ana.head == ben.head
    assert rolls(ana) == ["ana", "ben"]
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_on_a_branch_that_says_nothing_yet_no_deed_is_done(clones: Clones) -> None:
    """One is easily left standing on it: the deed would lie there, and the game would never have it."""
    _, ben = clones
    ben.git("switch", "--quiet", "--create", "lamp")
    before = ben.head
    for command in (
        ("roll", "DICE6"),
        ("post", "Hm"),
        ("rehouse", "--github", "my-nomic/court", "--by", "ana"),
    ):
        said = ben.play(*command, code=1)
        assert "the game is played on the branch main: what is done on lamp is lost to it" in said
        assert "go back, and do it there:\n    git switch main" in said
    assert "not the game's branch" in ben.play("status", code=1)
    assert "nothing is recorded" in ben.play("--dry-run", "roll", "DICE6")  # it is tried on the game's branch
    assert ben.head == before
    ben.git("switch", "--quiet", "main")
    ben.play("roll", "DICE6")


@pytest.mark.slow
def test_deeds_that_lie_on_another_branch_are_told(clones: Clones) -> None:
    _, ben = clones
    ben.git("switch", "--quiet", "--create", "lamp")
    ben.play("roll", "DICE6", code=1)
    ben.git("switch", "--quiet", "main")
    ben.play("roll", "DICE6")
    lost = ben.head
    ben.git("switch", "--quiet", "lamp")
    ben.git("reset", "--quiet", "--hard", lost)
    ben.git("branch", "--quiet", "--force", "main", "origin/main")
    said = ben.play("post", "Hm", code=1)
    assert f"lost to it, as is what lies on lamp alone: 1 deed: ben: roll ({lost[:12]})" in said
    assert "the words of what was done here:\n    git log refs/heads/main..refs/heads/lamp" in said


def test_a_game_of_its_own_on_another_branch_goes_on(tmp_path: Path) -> None:
    """Where the first branch holds a program, or another game, the game of this one is played here."""
    here = Clone(tmp_path)
    here.git("init", "--quiet", "--initial-branch", "main")
    (tmp_path / "notes.md").write_text("A program.\n", encoding="utf-8")
    here.git("add", "--all")
    here.git("commit", "--quiet", "--message", "notes")
    here.git("switch", "--quiet", "--create", "court")
    here.play("new", "--edition", "crypt", "--no-keys", "--player", "ana", "--admin", "ana")
    here.git("pack-refs", "--all")
    here.play("--as", "ana", "roll", "DICE6")
    here.git("switch", "--quiet", "--create", "lamp")
    here.play("--as", "ana", "roll", "DICE6")  # nothing tells whether main, court or lamp is the game's


@pytest.mark.slow
def test_the_push_that_the_first_sync_tells_takes_out_what_it_has_just_fetched(tmp_path: Path) -> None:
    """In a game that names nobody who may mend it; the branch was elsewhere when this clone last looked."""
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    good = ben.head
    rule = next((ana.folder / "game" / "ruleset").rglob("*.md"))
    rule.write_text(rule.read_text(encoding="utf-8") + "\nAna wins.\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "A word")
    ana.git("push", "--quiet")
    for words in (["sync", "--dry-run"], ["sync"]):
        assert f"--force-with-lease=refs/heads/main:{ana.head} " in ben.play(*words, code=1), words
    assert f"the last sync moved nothing: no deed: commit {ana.head[:12]}" in ben.play("status", code=1)
    said = json.loads(ben.play("sync", "--json", code=1))["strays"][0]["mend"]
    back = "\n".join(commands(said)[:2])
    subprocess.run(["sh", "-ec", back], cwd=ben.folder, env=settings(), check=True, capture_output=True)
    assert "nothing to push: all is as on origin/main" in ben.play("sync")
    assert "moved nothing" not in ben.play("status")
    assert ben.head == ben.git("rev-parse", "origin/main") == good


@pytest.mark.slow
def test_tags_that_are_called_as_git_calls_something_are_named_and_let_go_of_as_is_told(
    clones: Clones,
) -> None:
    ana, ben = clones
    for name in (
        "tags/HEAD",
        "tags/FETCH_HEAD",
        "tags/refs/heads/main",
        "tags/v1",
        "tags/origin/main",
        "heads/maіn",
        "heads/x",
    ):
        ana.git("push", "--quiet", "origin", f"refs/heads/main:refs/{name}")
    ben.git("fetch", "--quiet", "--tags")
    read = [f"refs/tags/{name}" for name in ("FETCH_HEAD", "HEAD", "origin/main", "refs/heads/main")]
    read.append("refs/remotes/origin/maіn")
    assert json.loads(ben.play("status", "--json"))["tags"] == read
    assert all(name in ben.play("sync") for name in read)
    said = ben.play("status")
    for line in said.split("\n"):
        if line.startswith("    git update-ref"):
            ben.git(*shlex.split(line)[1:])
    assert ben.git("for-each-ref", "--format=%(refname)", "refs/tags") == "refs/tags/v1"
    assert "tags and branches: " not in ben.play("status")


@pytest.mark.slow
@pytest.mark.parametrize(("puts_back", "restore"), [(0, ()), (1, ()), (2, ("--restore", "ana"))])
def test_a_pushed_merge_of_both_lines_has_one_way_out_in_every_clone_and_loses_no_deed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, puts_back: int, restore: tuple[str, ...]
) -> None:
    """Ana has seen neither line before they were merged, Ben pushed one, and Dee merged it into her own."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, dee = clones = game_in_clones(tmp_path, ("ana", "ben", "dee"), *restore, rules=FEW)
    dee.play("roll", "--at", "+1h", "DICE6")
    ben.play("roll", "--at", "+2h", "DICE6")
    ben.play("sync")
    pushed, offered = ben.head, dee.head
    dee.git("pull", "--quiet", "--no-rebase", "--no-edit", "--strategy-option", "ours")
    dee.git("push", "--quiet")
    merge = dee.head
    for words in (["sync", "--accept"], ["sync"]):
        for clone in clones:
            said = json.loads(clone.play(*words, "--json", code=1))
            assert [stray["commit"] for stray in said["strays"]] == [merge]
            assert not said["let_go"]
    [mend] = {json.loads(clone.play("sync", "--json", code=1))["strays"][0]["mend"] for clone in clones}
    assert mend == advice(dee)[0]
    assert f"(which takes out what was pushed since: 1 deed: dee: roll ({offered[:12]}))" in mend
    assert "then, in every clone; dee most of all" in mend
    *back, accept = commands(mend)
    subprocess.run(
        ["sh", "-ec", "\n".join(back)],
        cwd=clones[puts_back].folder,
        env=settings(),
        check=True,
        capture_output=True,
    )
    assert ana.git("ls-remote", "origin", "refs/heads/main").split()[0] == pushed
    assert f"the commit {merge[:12]} in the name of somebody, which was there, is no deed" in dee.play(
        "sync", code=1
    )
    for clone in (ben, dee, ana, ben):
        clone.play(*accept.split()[1:])
    assert len({clone.head for clone in clones}) == 1
    assert rolls(ana) == ["ben", "dee"]
    assert "verified: 3 deeds" in ana.play("verify")


@pytest.mark.slow
def test_of_a_branch_merged_into_what_was_there_all_clones_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dee has merged her own line, as a branch, into the one that Ben pushed; Ana has seen neither before."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, dee = clones = game_in_clones(tmp_path, ("ana", "ben", "dee"), "--restore", "ben", rules=FEW)
    ben.play("roll", "--at", "+2h", "DICE6")
    ben.play("sync")
    there = ben.head
    dee.play("roll", "--at", "+1h", "DICE6")
    dee.git("branch", "mine")
    dee.git("fetch", "--quiet")
    dee.git("reset", "--quiet", "--hard", "origin/main")
    dee.git("merge", "--quiet", "--no-edit", "mine")
    dee.git("push", "--quiet")
    mends = {json.loads(clone.play("sync", "--json", code=1))["strays"][0]["mend"] for clone in clones}
    assert len(mends) == 1
    assert f"nomicgit mend --to {there}" in mends.pop()
    ben.play("mend", "--to", there)
    for clone in (ben, dee):
        clone.play("sync")
    assert "again: dee: roll" in dee.play("sync", "--again")
    for clone in clones:
        clone.play("sync")
    assert len({clone.head for clone in clones}) == 1
    assert rolls(ana) == ["ben", "dee"]
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_a_merge_that_another_clone_has_pushed_has_one_way_out_and_loses_no_deed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dee has merged what Ben pushed into her own line, and Ana has pulled that from her and pushed it."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, dee = clones = game_in_clones(tmp_path, ("ana", "ben", "dee"), rules=FEW)
    ben.play("roll", "--at", "+2h", "DICE6")
    ben.play("sync")
    dee.play("roll", "--at", "+1h", "DICE6")
    dee.git("pull", "--quiet", "--no-rebase", "--no-edit", "--strategy-option", "ours")
    ana.git("pull", "--quiet", "--ff-only", str(dee.folder), "main")
    ana.git("push", "--quiet")
    [mend] = {json.loads(clone.play("sync", "--json", code=1))["strays"][0]["mend"] for clone in clones}
    *back, _ = commands(mend)
    subprocess.run(
        ["sh", "-ec", "\n".join(back)], cwd=ben.folder, env=settings(), check=True, capture_output=True
    )
    dee.git("fetch", "--quiet")
    status = json.loads(dee.play("status", "--json", code=1))
    for told in (*(stray["mend"] for stray in status["strays"]), status["lost"]["mend"]):
        assert [line.strip() for line in commands(told)] == ["nomicgit sync --accept"]
    for clone in (ana, dee, ben):
        said = clone.play("sync", code=int(clone is ana)) if clone is not ben else ""
        assert (
            "git push" not in said
        )  # nobody is told to push the merge back; nor that Dee's roll is lost, once it stands again
        assert "let go of" not in clone.play("sync", "--accept")  # each deed stands again, by whichever clone
    for clone in (dee, ana, ben):
        clone.play("sync")
    assert len({clone.head for clone in clones}) == 1
    assert rolls(ana) == ["ben", "dee"]
    assert "verified: 3 deeds" in ana.play("verify")


@pytest.mark.slow
def test_in_another_work_tree_every_command_leads_to_the_one_in_which_the_game_is_played(
    clones: Clones,
) -> None:
    """There Git itself would refuse to switch to the game's branch: this one stands on it."""
    _, ben = clones
    ben.git("worktree", "add", "--quiet", "../beside", "-b", "side")
    beside = Clone(ben.folder.parent / "beside")
    beside.git("switch", "main", code=128)
    for command in (("roll", "DICE6"), ("sync",), ("propose", "--title", "Bees")):
        said = beside.play(*command, code=1)
        assert f"    cd {ben.folder}" in said, command
        assert "git switch" not in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("puts_back", "pulls"),
    [(0, False), pytest.param(1, True, marks=DEEP), pytest.param(2, False, marks=DEEP), (2, True)],
)
def test_of_two_pushed_merges_one_upon_the_other_all_tell_one_way_out_and_no_deed_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, puts_back: int, pulls: bool
) -> None:
    """Cy has pushed a roll, Ben has merged it into his own line and pushed that, and Ana has done the same with Ben's; Ben's
    clone may have gone on upon hers, on whose line his own roll is not.
    """
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = clones = game_in_clones(tmp_path, ("ana", "ben", "cy"), rules=FEW)
    for hours, clone in enumerate(clones, 1):
        clone.play("roll", "--at", f"+{hours}h", "DICE6")
    cy.play("sync")
    for clone in (ben, ana):
        clone.git("pull", "--quiet", "--no-rebase", "--no-edit", "--strategy-option", "ours")
        clone.git("push", "--quiet")
    if pulls:
        ben.git("pull", "--quiet", "--ff-only")
    [mend] = {json.loads(clone.play("sync", "--json", code=1))["strays"][0]["mend"] for clone in clones}
    *back, accept = commands(mend)
    for clone in (ana, ben):
        assert advice(clone)[0] == mend
        assert back[-1].strip() in clone.play("verify", code=1)
    assert "then, in every clone; ana and ben most of all" in mend
    subprocess.run(
        ["sh", "-ec", "\n".join(back)],
        cwd=clones[puts_back].folder,
        env=settings(),
        check=True,
        capture_output=True,
    )
    assert ana.git("ls-remote", "origin", "refs/heads/main").split()[0] == cy.head
    for clone in (*clones[puts_back:], *clones[:puts_back]):
        said = clone.play(*accept.split()[1:])
        assert "on no line any more" not in said
        assert (f"again: {clone.folder.name}: roll" in said) is (clone is not cy)
    for clone in clones:
        clone.play("sync")
    assert len({clone.head for clone in clones}) == 1
    assert rolls(cy) == ["ana", "ben", "cy"]
    assert "verified: 4 deeds" in cy.play("verify")
