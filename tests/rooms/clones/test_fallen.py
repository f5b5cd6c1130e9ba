"""Own deeds that Git has let fall, or others have pushed away: named, set aside, and done once more or let go of."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
import yaml
from support.clones import FEW, Clone, game_in_clones

from nomicgit.git import Raced, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.steward.lookout import amiss

Clones = tuple[Clone, Clone]


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clones:
    """Ana's and Ben's clone of one practice game, of which both may take back what was no deed."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", "--restore", "ben", rules=FEW)
    ana.play("post", "Hello")
    ana.play("sync")
    return ana, ben


def subjects(clone: Clone) -> list[str]:
    return clone.git("log", "--first-parent", "--format=%s").splitlines()


def skipped(ben: Clone) -> str:
    """Ben has posted and rolled, and has left the post out of a rebase: its commit."""
    ben.play("post", "Bees")
    post = ben.head
    ben.play("roll", "DICE6")
    ben.git("fetch", "--quiet")
    ben.git("-c", "sequence.editor=sed -i 1d", "rebase", "--quiet", "--interactive", "origin/main")
    return post


@pytest.mark.slow
def test_what_a_rebase_has_left_out_is_named_set_aside_and_done_again(clones: Clones) -> None:
    _, ben = clones
    post = skipped(ben)
    assert ben.git("merge-base", "--is-ancestor", post, "HEAD", code=1) == ""
    assert f"1 deed: ben: post ({post[:12]}): nomicgit sync --again" in ben.play("status", code=1)
    assert json.loads(ben.play("status", "--json", code=1))["fallen"] == [post]
    said = ben.play("sync")
    assert f"yours: 1 deed: ben: post ({post[:12]})" in said
    assert "nomicgit sync --again" in said
    assert not any("Bees" in each for each in subjects(ben))
    assert "again: ben: post" in ben.play("sync", "--again")
    assert [each for each in subjects(ben) if "Bees" in each]
    assert json.loads(ben.play("status", "--json"))["fallen"] == []
    assert "verified: 4 deeds" in ben.play("verify")


@pytest.mark.slow
def test_an_own_pushed_deed_that_one_forces_away_oneself_is_named_and_done_again(clones: Clones) -> None:
    ana, ben = clones
    ben.play("sync")
    ben.play("post", "Bees")
    ben.play("sync")
    post = ben.head
    ana.play("sync")
    ben.git("reset", "--quiet", "--hard", "HEAD~1")
    ben.git("push", "--quiet", "--force")
    said = ben.play("status")
    named = f"yours, and on no line any more, though others may have seen some of it: 1 deed: ben: post ({post[:12]})"
    assert named in said
    assert json.loads(ben.play("status", "--json"))["fallen"] == [post]
    assert f"yours: 1 deed: ben: post ({post[:12]})" in ben.play("sync")
    assert "again: ben: post" in ben.play("sync", "--again")
    assert "Bees" in subjects(ben)[0]
    ana.play("sync")  # where it stands again
    assert ana.head == ben.head
    assert "yours" not in ben.play("status")


@pytest.mark.slow
@pytest.mark.parametrize("looks", [True, False])
def test_what_was_let_go_of_is_not_named_again(clones: Clones, looks: bool) -> None:
    _, ben = clones
    skipped(ben)
    if looks:
        ben.play("sync")
    ben.play("sync", "--forget")
    assert "yours:" not in ben.play("sync")
    assert json.loads(ben.play("status", "--json"))["fallen"] == []
    assert "set aside" not in ben.play("status")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["amend", "cherry-pick", "rebase"])
def test_what_git_has_carried_and_stands_is_not_named(clones: Clones, way: str) -> None:
    _, ben = clones
    ben.play("post", "Bees")
    if way == "amend":
        ben.git("commit", "--quiet", "--amend", "--no-edit")
    elif way == "rebase":
        ben.git("fetch", "--quiet")
        ben.git("rebase", "--quiet", "origin/main")
    else:
        post = ben.head
        ben.git("fetch", "--quiet")
        ben.git("reset", "--quiet", "--hard", "origin/main")
        ben.git("cherry-pick", post)
    assert json.loads(ben.play("status", "--json", code=1))["fallen"] == []
    assert "yours:" not in ben.play("sync")
    assert json.loads(ben.play("status", "--json"))["fallen"] == []


@pytest.mark.slow
def test_what_somebody_else_did_is_nobodys_own(clones: Clones) -> None:
    ana, ben = clones
    ana.play("roll", "DICE6")
    ben.git("pull", "--quiet", "--ff-only", str(ana.folder), "main")  # from her clone: it was never pushed
    ben.git("reset", "--quiet", "--hard", "HEAD~2")
    assert json.loads(ben.play("status", "--json"))["fallen"] == []


@pytest.mark.slow
def test_own_deeds_that_others_have_pushed_away_are_set_aside_when_that_is_accepted(clones: Clones) -> None:
    ana, ben = clones
    ben.play("sync")
    ben.play("post", "Bees")
    ben.play("sync")
    ana.play("sync")
    ana.play("roll", "DICE6")
    ana.play("sync")
    ben.play("sync")
    onlooker = Clone(ana.folder.parent / "onlooker")
    Clone(ana.folder.parent).git("clone", "--quiet", "bare.git", "onlooker")
    onlooker.play("sync")
    ana.git("reset", "--quiet", "--hard", "HEAD~2")
    ana.play("post", "Instead")
    ana.git("push", "--quiet", "--force")
    said = ben.play("sync", code=1)
    assert "lacks now 2 deeds" in said
    assert "would take out what was pushed since (1 deed: ana: post" in said
    assert "git push" not in said
    said = ben.play("sync", "--accept")
    assert "let go of 1 deed: ana: roll" in said
    assert "yours: 1 deed: ben: post" in said
    assert ben.head == ana.head
    assert "again: ben: post" in ben.play("sync", "--again")
    ana.play("sync", "--accept")
    assert ana.head == ben.head
    assert [each for each in subjects(ana) if "Bees" in each]
    assert "lacks now 1 deed: ana: roll" in onlooker.play("sync", code=1)  # the other one stands there again
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_deeds_that_stand_again_under_their_ids_are_not_lacking_also_where_their_post_has_another_number(
    clones: Clones,
) -> None:
    """With those two who look on: by sync alone, and by Git's own fetch and reset."""
    ana, ben = clones
    ben.play("sync")
    for words in (("post", "Bees"), ("comment", "2", "They hum."), ("roll", "DICE6")):
        ben.play(*words)
    ben.play("sync")
    ana.play("sync")
    looking, pulling = (Clone(ana.folder.parent / name) for name in ("looking", "pulling"))
    for each in (looking, pulling):
        ben.git("clone", "--quiet", ben.git("remote", "get-url", "origin"), str(each.folder))
        each.play("sync")
    was = ana.head
    ana.git("reset", "--quiet", "--hard", "HEAD~3")
    ana.play("post", "Instead")
    ana.git("push", "--quiet", "--force")
    with Repository.open(ana.folder) as repository:
        [amiss_to_the_steward] = amiss(repository, ana.head, was, 0)
    assert "lacks 3 deeds" in amiss_to_the_steward
    assert f"{was}:refs/heads/main" not in amiss_to_the_steward, "it would take out what was pushed since"
    ben.play("sync", "--accept")
    assert "posts/2 is posts/3 now" in ben.play("sync", "--again")
    gave, gives = (
        ben.git("show", "--no-patch", "--format=%(trailers:key=Nomic-Dice,valueonly)", each)
        for each in (was, ben.head)
    )
    assert ("other dice: ben: roll" in looking.play("sync")) == (gave != gives)
    assert looking.head == ben.head
    with Repository.open(looking.folder) as repository:
        assert amiss(repository, looking.head, was, 2**40) == []
    pulling.git("fetch", "--quiet")
    pulling.git("reset", "--quiet", "--keep", "origin/main")
    assert json.loads(pulling.play("status", "--json"))["lost"] is None
    assert ("other dice: ben: roll" in pulling.play("sync")) == (gave != gives)
    assert "other dice" not in pulling.play("sync")
    assert "verified" in pulling.play("verify", "--known", was)


@pytest.mark.slow
def test_what_was_pushed_away_and_done_again_is_named_where_a_mend_sets_it_aside(clones: Clones) -> None:
    """It lies there by its id: the commit that this clone made first is on no line any more."""
    ana, ben = clones
    ben.play("sync")
    base = ana.head
    ben.play("post", "Bees")
    ben.play("sync")
    ana.play("sync")
    ana.git("reset", "--quiet", "--hard", base)
    ana.play("post", "Instead")
    ana.git("push", "--quiet", "--force")
    ben.play("sync", "--accept")
    assert "again: ben: post" in ben.play("sync", "--again")
    ana.play("sync", "--accept")
    ana.play("mend", "--to", "HEAD~1", "--yes")
    ana.play("sync")
    assert "yours: 1 deed: ben: post" in ben.play("sync")
    assert "set aside: 1 deed: ben: post" in ben.play("status")
    assert "again: ben: post" in ben.play("sync", "--again")
    assert len([each for each in subjects(ben) if "Bees" in each]) == 2
    assert "verified" in ben.play("verify")


@pytest.mark.slow
@pytest.mark.parametrize("mends", ["ana", "ben"])
def test_nothing_is_let_go_of_where_nothing_moves(clones: Clones, mends: str) -> None:
    """What was pushed over the deeds that are lacking is no deed: until it is mended all stays as it was."""
    ana, ben = clones
    ben.play("sync")
    ben.play("roll", "DICE6")
    ben.play("sync")
    ana.git("fetch", "--quiet")
    (ana.folder / "game" / "state" / "game.yml").write_text("round: 9\n", "utf-8")
    ana.git("add", "-A")
    ana.git("commit", "--quiet", "-m", "By hand")
    ana.git("push", "--quiet", "--force")
    before = ben.head
    assert "lacks now 1 deed: ben: roll" in ben.play("sync", code=1)
    said = ben.play("sync", "--accept", code=1)
    assert "nothing is moved" in said
    assert "let go" not in said
    assert ben.head == before
    status = ben.play("status", code=1)
    assert "the last sync moved nothing: " in status  # a script must not take it for well
    assert "lacks 1 deed: ben: roll" in status
    mend = ("mend", "--to", ana.git("rev-parse", "HEAD~1"))
    if mends == "ana":
        ana.play(*mend)
        ana.play("sync")
        assert "yours: 1 deed: ben: roll" in ben.play("sync"), (
            "it was accepted already that it is lacking there"
        )
        assert "again: ben: roll" in ben.play("sync", "--again")
    else:
        assert "again: ben: roll" in ben.play(*mend)
        assert "yours" not in ben.play("sync")
    status = ben.play("status")
    assert "lost" not in status
    assert "set aside: " not in status
    ana.play("sync")
    assert ana.head == ben.head
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_a_sync_that_loses_a_race_and_is_stopped_then_tells_what_it_has_laid_anew(
    clones: Clones, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = clones
    ben.play("sync")
    ana.play("post", "Ants")
    ana.play("sync")
    ben.play("post", "Bees")

    def raced(upstream: Upstream, head: str) -> None:
        ana.git("push", "--quiet", "--force", "origin", "HEAD~1:refs/heads/main")
        raise Raced.of("it has moved meanwhile")

    monkeypatch.setattr(Upstream, "push", raced)
    said = ben.play("sync", code=1)
    assert "again: ben: post  (posts/2 is posts/3 now)" in said
    assert "lacks now 1 deed: ana: post" in said
    assert "Bees" in subjects(ben)[0]


@pytest.mark.slow
def test_where_two_have_pushed_over_each_other_nobody_is_told_first_to_push_back(clones: Clones) -> None:
    """Whoever did would take out what was pushed since, and be told of by the others in turn."""
    ana, ben = clones
    ben.play("sync")
    ben.play("roll", "DICE6")
    ben.play("sync")
    ana.play("roll", "DICE6")
    ana.git("push", "--quiet", "--force")
    said = ben.play("sync", code=1)
    commands = [line.strip() for line in said.splitlines() if line.startswith("    ")]
    assert commands[0] == "nomicgit sync --accept", said
    told = json.loads(ben.play("status", "--json", code=1))["lost"]
    assert told["mend"].split("\n")[1].strip() == "nomicgit sync --accept"
    ben.play("sync", "--accept", "--again")
    ana.play("sync")
    assert ana.head == ben.head
    assert len([each for each in subjects(ana) if ": roll" in each]) == 2
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_what_a_merge_left_out_and_a_mend_set_aside_is_done_again_by_who_did_it(tmp_path: Path) -> None:
    """In a game on a forge, which bars the push that would have the line back, and in the clone of who did the deed."""
    forge = ("--github", "my/hall", "--account", "ana=1", "--account", "ben=2", "--restore", "ben")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), *forge, rules=FEW)
    ben.play("post", "Bees")
    ben.play("sync")
    ana.play("post", "Ants")
    ana.git("pull", "--quiet", "--no-rebase", "--no-edit", "--strategy-option", "ours")
    ana.git("push", "--quiet")
    [stray] = json.loads(ben.play("sync", "--json", code=1))["strays"]
    assert stray == json.loads(ana.play("sync", "--json", code=1))["strays"][0]
    ben.play(*stray["mend"].split("nomicgit ")[-1].split())
    said = ben.play("sync")
    assert "yours: 1 deed: ben: post" in said
    assert "nomicgit sync --again" in said
    ana.play("sync")
    assert "again: ben: post" in ben.play("sync", "--again")
    ana.play("sync")
    assert ana.head == ben.head
    assert [each for each in subjects(ben) if "Bees" in each or "Ants" in each]
    assert json.loads(ben.play("status", "--json"))["fallen"] == []
    assert "verified: 4 deeds" in ana.play("verify")


@pytest.mark.slow
def test_what_a_mend_has_set_aside_is_done_again_under_an_id_of_its_own(clones: Clones) -> None:
    """The id of the deed that was set aside stays used, so another clone would find the same one at fault."""
    ana, ben = clones
    for word in ("Bees", "Wasps"):
        ben.play("post", word)
    ben.play("sync")
    ana.play("sync")
    ana.play("mend", "--to", "HEAD~2", "--yes")
    ana.play("sync")
    assert "2 deeds" in ben.play("sync", "--again") + ben.play("status")
    ben.play("sync", "--again")
    assert len([each for each in subjects(ben) if "Bees" in each or "Wasps" in each]) == 4
    ids = ben.git("log", "--format=%(trailers:key=Nomic-Id,valueonly,separator=)").split()
    assert len(ids) == len(set(ids))
    assert "verified: 7 deeds" in ana.play("sync") + ana.play("verify")
    for clone in clones:
        answer = json.loads(clone.play("status", "--json"))
        assert (answer["fallen"], answer["clone"]["aside"]) == ([], 0)
    ben.play("sync", "--again")
    assert len([each for each in subjects(ben) if "Bees" in each]) == 2


def carried_upon(clones: Clones) -> tuple[Clone, Clone]:
    """Ben has rolled, and upon the roll lies what Ana had committed before beside the game, and has pushed since."""
    ana, ben = clones
    (ana.folder / "notes.md").write_text("mine", "utf-8")
    ana.git("add", "notes.md")
    ana.git("commit", "--quiet", "-m", "Notes", "--date", "2020-01-01T00:00:00Z")
    ben.play("sync")
    ben.play("roll", "DICE6")
    ben.play("sync")
    ana.play("sync")
    ben.git("fetch", "--quiet")
    return ana, ben


@pytest.mark.slow
def test_an_own_deed_below_an_older_commit_stands(clones: Clones) -> None:
    _, ben = carried_upon(clones)
    roll = ben.git("log", "--format=%H", "--grep=^ben: roll", "--grep=: roll", "-1")
    assert ben.git("merge-base", "--is-ancestor", roll, "origin/main") == ""
    assert "yours" not in ben.play("sync")
    assert json.loads(ben.play("status", "--json"))["fallen"] == []
    assert ben.git("for-each-ref", "refs/nomicgit/aside/") == ""


@pytest.mark.slow
@pytest.mark.parametrize("again", [True, False])
def test_what_stands_is_not_done_again_though_it_lies_aside(clones: Clones, again: bool) -> None:
    """As a program may have set it aside that did not see it stand."""
    _, ben = carried_upon(clones)
    ben.play("sync")
    roll = ben.git("log", "--format=%H", "--grep=: roll", "-1")
    [name] = [
        each.partition(": ")[2]
        for each in ben.git("show", "--no-patch", "--format=%B", roll).splitlines()
        if each.startswith("Nomic-Id: ")
    ]
    ben.git("update-ref", f"refs/nomicgit/aside/{name}", roll)
    before = ben.head
    said = ben.play("sync", *(["--again"] if again else []))
    assert f"standing all the same, so not to be done again: 1 deed: ben: roll ({roll[:12]})" in said
    assert ben.head == before
    assert ben.git("for-each-ref", "refs/nomicgit/aside/") == ""
    assert "set aside" not in ben.play("status")


@pytest.mark.slow
def test_a_deed_that_stands_is_not_pushed_a_second_time(clones: Clones) -> None:
    """Carried upon what came since, by hand; others find it once, and what it was done upon with it."""
    ana, ben = carried_upon(clones)
    ben.play("sync")
    roll = ben.git("log", "--format=%H", "--grep=: roll", "-1")
    before = ben.head
    ben.git("commit", "--quiet", "--allow-empty", "-C", roll)
    said = ben.play("sync")
    assert "it stands in the history already" in said
    assert ben.git("rev-parse", "origin/main") == before == ben.head
    assert len([each for each in subjects(ben) if ": roll" in each]) == 1
    ana.play("sync")
    assert "verified" in ana.play("verify")


@pytest.mark.slow
@pytest.mark.parametrize("fetches", [False, True])
def test_a_pushed_deed_that_was_forced_away_is_set_aside_whoever_has_fetched_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fetches: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ben, cy = game_in_clones(tmp_path, ("ben", "cy"), rules=FEW)
    cy.play("post", "First")
    cy.play("sync")
    ben.play("roll", "DICE6")
    assert "again: ben: roll" in ben.play("sync")  # one deed, of which Git's log has two commits
    cy.play("post", "Mine")
    cy.git("push", "--quiet", "--force", "origin", "main")
    ben.play("post", "Yours")
    if fetches:
        ben.git("fetch", "--quiet")
    ben.play("sync", code=1)
    said = ben.play("sync", "--accept")
    assert "again: ben: post" in said
    assert "again: ben: roll" not in said
    assert "yours: 1 deed: ben: roll" in said
    assert "again: ben: roll; the dice were thrown anew" in ben.play("sync", "--again")


@pytest.mark.slow
def test_a_deed_that_a_merge_left_out_and_that_stands_again_has_not_fallen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben's clone stands upon Cy's merge, with a deed that Git has carried there, when the line from before is put back."""
    monkeypatch.setenv("NO_COLOR", "1")
    ben, cy = game_in_clones(tmp_path, ("ben", "cy"), rules=FEW)
    ben.play("post", "First")
    ben.play("sync")
    there = ben.head
    cy.play("roll", "DICE6")
    cy.git("pull", "--quiet", "--no-rebase", "--no-edit", "--strategy-option", "ours")
    cy.git("push", "--quiet")
    ben.play("roll", "DICE6")
    ben.git("pull", "--quiet", "--rebase")
    cy.git("push", "--quiet", "--force", "origin", f"{there}:refs/heads/main")
    cy.play("sync", "--accept")
    said = ben.play("sync", "--accept")
    assert "set aside" not in said
    assert "again: ben: roll" in said
    assert "set aside" not in ben.play("status")
    ben.git("merge-base", "--is-ancestor", there, "HEAD")
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_what_meant_a_post_that_a_mend_set_aside_follows_it_in_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number stays used: who did it has it under another, and so has everybody who meant it, wherever they sit."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), "--restore", "ana", rules=FEW)
    base = ana.head
    ben.play("propose", "--title", "Bees", "--change", "{add-rule: {title: Bees, text: They hum.}}")
    ben.play("vote", "1", "for")
    remarks = [f"c{number}" for number in range(1, 10)]
    for each in remarks:
        ben.play("comment", "1", each)
    ben.play("sync")
    cy.play("sync")
    cy.play("vote", "1", "against")
    cy.play("sync")
    ana.play("sync")
    ana.play("mend", "--to", base, "--yes")
    ana.play("sync")
    cy.play("sync")
    assert "stands no more" in cy.play("sync", "--again", code=1)  # nobody has done it again yet
    ben.play("sync")
    said = ben.play("sync", "--again")
    assert "(posts/1 is posts/2 now)" in said
    assert "not done again" not in said
    assert "again: cy: vote" in cy.play("sync", "--again")
    ana.play("sync")
    assert ana.head == cy.head
    [file] = ana.git("ls-files", "game/posts/*/0002-*.comments.yml").split()
    said = yaml.safe_load((ana.folder / file).read_text(encoding="utf-8"))
    assert [each["text"] for each in said if each["by"] == "ben" and each["text"]] == remarks
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_a_deed_that_a_mend_set_aside_is_done_again_once_from_however_many_clones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    base = ana.head
    ben.play("post", "Bees")
    post = ben.head
    ben.play("sync")
    ana.play("sync")
    ana.play("mend", "--to", base, "--yes")
    ana.play("sync")
    name = ben.git("show", "--no-patch", "--format=%(trailers:key=Nomic-Id,valueonly)", post).strip()
    ana.git("update-ref", f"refs/nomicgit/aside/{name}", post)  # ben sits at it as well
    ben.play("sync")
    assert "again: ben: post" in ben.play("sync", "--again")
    assert "stands" in ana.play("sync", "--again")
    assert len([each for each in subjects(ana) if "Bees" in each]) == 2
    assert ana.git("for-each-ref", "refs/nomicgit/aside/") == ""
    refused = ana.play("mend", "--to", base, code=1)
    assert "would set aside 1 deed: ben: post (" in refused
    [surely] = [line.split() for line in refused.splitlines() if line.startswith("    nomicgit mend ")]
    ana.play(*surely[1:])
    ana.play("sync")
    ben.play("sync")
    assert "again: ben: post" in ben.play("sync", "--again")
    assert len([each for each in subjects(ben) if "Bees" in each]) == 3
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_nobody_follows_another_game_by_letting_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever forces a founding of their own upon the branch has not taken the game over: it is pushed back as it was."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    ben.play("post", "Mine")
    ben.play("sync")
    ana.play("sync")
    own = ana.head
    [there] = ana.git("rev-parse", "origin/main").split()
    aside = tmp_path / "aside"
    aside.mkdir()
    [evil] = game_in_clones(aside, ("cy",), rules=FEW)
    evil.git("push", "--quiet", "--force", str(tmp_path / "bare.git"), "HEAD:main")
    for words in (("sync",), ("sync", "--accept"), ("verify",), ("verify", "--accept"), ("status",)):
        said = ana.play(*words, code=1)
        assert "what stands there is another game" in said, words
        assert ana.head == own
    back = [line.strip() for line in said.splitlines() if line.startswith("    git ")]
    for line in back:
        ana.git(*shlex.split(line)[1:])
    assert ana.git("ls-remote", "origin", "main").split()[0] == there
    ana.play("sync")
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_what_another_mend_has_mended_already_is_not_to_be_mended_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two mend at once: the second mend would set aside whatever has been done since the first."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", "--restore", "ben", rules=FEW)
    base = ana.head
    (ben.folder / "game" / "state" / "players" / "ben.yml").write_text("name: ben\n", encoding="utf-8")
    ben.git("commit", "--quiet", "--all", "--message", "By hand")
    ben.git("push", "--quiet")
    ana.git("pull", "--quiet")
    for clone in (ana, ben):
        clone.play("mend", "--to", base)
    ana.play("sync")
    said = ben.play("sync")
    assert "has set aside already" in said
    assert "nomicgit mend" not in said
    assert ben.head == ana.head
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_whoever_mends_does_again_at_once_what_their_mend_has_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ben", rules=FEW)
    base = ana.head
    (ana.folder / "game" / "state" / "players" / "ben.yml").write_text("name: ben\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "By hand")
    ana.git("push", "--quiet")
    ben.play("post", "Bees")
    ben.play("comment", "1", "They hum.")
    ben.git("pull", "--quiet", "--rebase")
    ben.git("push", "--quiet")
    ben.play("mend", "--to", base)
    assert "yours, and on no line any more: 2 deeds: ben: post" in ben.play("status")
    said = ben.play("sync", "--again")
    assert "again: ben: post" in said
    assert "again: ben: comment" in said
    assert "set aside" not in ben.play("status")
    ana.play("sync")
    assert ana.head == ben.head
    [file] = ana.git("ls-files", "game/posts/*/0002-*.comments.yml").split()
    assert "They hum." in (ana.folder / file).read_text(encoding="utf-8")
    assert "verified" in ana.play("verify")
