"""The line of a game: what is merged into it, and where it begins. Nothing that was pushed goes without a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.forging import Forger
from hostile.small import START, Small, git_in, small_law
from support.ids import renamed

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import commands
from nomicgit.outlook import branches
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record import line
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.settings import Settings
from nomicgit.steward.proposing import Branches

IDENTITY = ("-c", "user.name=mallory", "-c", "user.email=m@x.invalid")


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """A game of a founding and three deeds, the last of them a roll."""
    small = Small.found(tmp_path / "game")
    small.do("cy", "earn", n=3)
    small.do("cy", "give", to="dee", n=2)
    small.do("dee", "roll", sides=20)
    return small


def merge(small: Small, *heads: str, strategy: str = "ours") -> str:
    """An ordinary merge that keeps the tree as it is; gives its commit."""
    small.git(*IDENTITY, "merge", "-q", "--allow-unrelated-histories", "-s", strategy, "-m", "Merge branch 'main'", *heads)  # fmt: skip
    return small.head()


def oids(small: Small, *revisions: str) -> list[str]:
    """What `git rev-list` gives."""
    return small.git("rev-list", *revisions).split()


def left_out(small: Small, merge: str, *deeds: str) -> None:
    """This merge alone is named, with its author, how many deeds it leaves out, and each of these."""
    faults = small.faults()
    assert list(faults) == [merge], faults
    [what] = faults[merge]
    many = "1 deed" if len(deeds) == 1 else f"{len(deeds)} deeds"
    author = small.git("log", "-1", "--format=%an", merge).strip()
    assert what.startswith(f"this merge in the name of {author} leaves out {many}: "), what
    for oid in deeds:
        message = small.git("log", "-1", "--format=%B", oid)
        told = dict(row.split(": ", 1) for row in message.split("\n") if row.startswith("Nomic-"))
        by = told["Nomic-By"].replace("-", "the clock")
        assert f"{by}: {told['Nomic-Action']} ({oid[:12]})" in what


def test_a_pushed_roll_that_is_rolled_again_under_a_fast_forward(small: Small) -> None:
    old = small.head()
    small.git("reset", "-q", "--hard", "HEAD~1")
    small.do("dee", "roll", after=0, sides=20)
    new = merge(small, old)
    assert small.git("merge-base", old, new).strip() == old, "the others' pull is a fast-forward"
    left_out(small, new, old)


def test_deeds_that_are_thrown_away_by_a_commit_that_says_it_is_a_deed(small: Small) -> None:
    forger = Forger(small)
    old = forger.commits()
    made = forger.forge(old[3], parents=(old[2].oid, old[3].oid))
    forger.point(made)
    faults = small.faults()
    assert any("leaves out 1 deed: dee: roll" in what for what in faults[made.oid]), faults


def test_an_innocent_merge_of_what_another_clone_has_done(small: Small, tmp_path: Path) -> None:
    git_in(tmp_path, "clone", "-q", str(small.folder), "clone")
    other = Small(tmp_path / "clone", small.at)
    theirs = [other.do("eli", "earn", n=1).commit, other.do("eli", "earn", n=2).commit]
    small.do("ana", "earn", n=1)
    small.git("fetch", "-q", str(other.folder), "main")
    left_out(small, merge(small, "FETCH_HEAD"), *theirs)


def test_an_octopus_leaves_out_the_deeds_of_all_its_arms(small: Small) -> None:
    base, lost = small.head(), []
    for player in ("ana", "ben"):
        lost.append(small.do(player, "earn", n=1).commit)
        small.git("branch", player)
        small.git("reset", "-q", "--hard", base)
    left_out(small, merge(small, "ana", "ben"), *lost)


def test_a_merge_of_a_merge_and_a_merge_on_the_side(small: Small) -> None:
    base = small.head()
    lost = [small.do("ana", "earn", n=1).commit]
    small.git("branch", "deep")
    small.git("reset", "-q", "--hard", base)
    small.git("switch", "-q", "-c", "side")
    small.git(*IDENTITY, "commit", "-q", "--allow-empty", "-m", "notes")
    merge(small, "deep", strategy="ours")
    small.git("update-ref", "refs/heads/side", small.git("rev-parse", "HEAD").strip())
    small.git("switch", "-q", "main")
    left_out(small, merge(small, "side"), *lost)


def test_what_was_left_out_once_is_not_told_again(small: Small) -> None:
    base = small.head()
    lost = small.do("ana", "earn", n=1).commit
    small.git("reset", "-q", "--hard", base)
    first = merge(small, lost)
    small.git("switch", "-q", "-c", "side", lost)
    small.git(*IDENTITY, "commit", "-q", "--allow-empty", "-m", "notes")
    small.git("switch", "-q", "main")
    merge(small, "side")
    left_out(small, first, lost)


def test_many_deeds_are_counted_and_some_shown(small: Small) -> None:
    base = small.head()
    for _ in range(8):
        small.do("ana", "earn", n=1)
    old = small.head()
    small.git("reset", "-q", "--hard", base)
    new = merge(small, old)
    [what] = small.faults()[new]
    assert "leaves out 8 deeds" in what
    assert what.endswith(", and 3 more")


def test_a_branch_of_drafts_may_be_merged(small: Small) -> None:
    small.git("switch", "-q", "-c", "drafts")
    (small.folder / "notes.md").write_text("Words.\n")
    small.git("add", "notes.md")
    small.git(*IDENTITY, "commit", "-q", "-m", "notes")
    small.git("switch", "-q", "main")
    small.do("ana", "earn", n=1)
    small.git(*IDENTITY, "merge", "-q", "-m", "notes", "drafts")
    assert len(oids(small, "--merges", "main")) == 1
    assert small.faults() == {}


def test_a_line_that_takes_the_games_own_in_before_it_is_merged(small: Small) -> None:
    small.git("switch", "-q", "-c", "drafts", "HEAD~2")
    small.git(*IDENTITY, "merge", "-q", "--no-ff", "-m", "catch up", "main")
    small.git("switch", "-q", "main")
    small.git(*IDENTITY, "merge", "-q", "--no-ff", "-m", "drafts", "drafts")
    assert small.faults() == {}


def test_what_an_enactment_merges_brings_no_deeds(small: Small) -> None:
    """A branch whose commit reads like a deed would make an honest enactment a fault for ever."""
    tip = Forger(small).commits()[-1]
    head = Forger(small).forge(tip, parents=(tip.oid,), message=renamed(tip.message))
    branch = head.oid
    small.git("branch", "idea", branch)
    small.do("cy", "propose", title="News", changes=[{"add-rule": {"title": "News", "text": "Words."}}])
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="posts/1", icon="for")
    game = Game.open(small.folder)
    with game.repository:
        game.act(
            Deed(new_id(small.at + 60), "ben", "resolve", {"matter": "posts/1"}, small.at + 60, branch=branch)
        )
    assert small.value("posts/1 status") == "enacted"
    assert small.git("log", "-1", "--format=%P").split() == [small.git("rev-parse", "HEAD~1").strip()]
    assert small.faults() == {}


def test_a_branch_that_brings_deeds_is_refused_where_it_is_submitted(small: Small) -> None:
    """Be it a line of play of its own, or one that was planted so that whoever enacts it seems to leave deeds out."""
    before = small.head()
    planted = small.do("cy", "earn", n=1).commit
    small.git("switch", "-q", "-c", "idea")
    small.git("branch", "-q", "--force", "main", before)
    (small.folder / "game/ruleset/2-dynastic/20-news.md").write_text("---\ntitle: News\n---\nWords.\n")
    small.git("add", "-A")
    small.git(*IDENTITY, "commit", "-q", "-m", "News")
    idea = small.git("rev-parse", "idea").strip()
    small.git("switch", "-q", "main")
    tip = small.head()
    with Repository.open(small.folder) as repository:
        with pytest.raises(Refused, match=f"holds deeds that the game has not.*cy: earn.*{planted[:12]}"):
            branches.ends(repository, "idea", tip)
        with pytest.raises(Refused, match="holds deeds that the game has not"):
            Branches(repository).changes(tip, idea, [])
        small.git(*IDENTITY, "rebase", "-q", "--onto", "main", planted, "idea")
        assert branches.ends(repository, "idea", tip)[0] == tip


@pytest.mark.parametrize("how", [["revert", "--no-edit"], ["cherry-pick"]])
def test_a_deed_that_git_takes_back_or_does_again_is_named(small: Small, how: list[str]) -> None:
    deed = "HEAD" if how[0] == "revert" else small.do("ana", "earn", n=1).commit
    if how[0] == "cherry-pick":
        small.git("reset", "-q", "--hard", "HEAD~1")
        small.do("ben", "earn", n=1, after=0)
    small.git(*IDENTITY, *how, deed)
    done = small.head()
    small.do("eli", "earn", n=1)
    faults = small.faults()
    assert list(faults) == [done]
    if how[0] == "revert":
        assert faults[done] == ["it changes the game and is no deed"]


def test_a_graph_of_commits_that_lies_is_not_followed(small: Small) -> None:
    """Git keeps parents in a file beside the commits; whoever copies a folder to somebody may have written it."""
    forger = Forger(small)
    history = forger.commits()
    head = small.head()
    small.git("commit-graph", "write", "--reachable")
    file = small.folder / ".git/objects/info/commit-graph"
    graph = bytearray(file.read_bytes())
    table = (graph[at : at + 12] for at in range(8, 8 + 12 * graph[6], 12))
    chunks = {bytes(row[:4]): int.from_bytes(row[4:], "big") for row in table}
    oids = sorted(each.oid for each in history)
    parent = chunks[b"CDAT"] + 36 * oids.index(head) + 20
    graph[parent : parent + 4] = oids.index(history[0].oid).to_bytes(4, "big")
    file.chmod(0o644)
    file.write_bytes(graph)
    assert len(small.git("rev-list", head).split()) == 2, "Git itself is led astray"
    with Repository.open(small.folder) as repository:
        assert [each.oid for each in repository.beyond(history[0].oid, head)] == [
            each.oid for each in history[:0:-1]
        ]
    assert small.verified().deeds == 4


# Where a game begins.


def removed(small: Small) -> str:
    """The game's folder is taken out by an ordinary commit; gives the last commit that had it."""
    last = small.head()
    small.git("rm", "-q", "-r", "game")
    small.git(*IDENTITY, "commit", "-q", "-m", "clean up")
    return last


def test_a_game_that_is_founded_over_one_that_was(small: Small) -> None:
    forger = Forger(small)
    founding = forger.commits()[0]
    last = removed(small)
    gone = small.head()
    again = forger.forge(founding, parents=(gone,))
    forger.point(again)
    found = small.verified()
    assert found.founding == founding.oid
    named = {
        fault.commit: fault.what
        for fault in found.faults
        if "changes the game" in fault.what or "founds" in fault.what
    }
    assert named == {
        gone: "it changes the game and is no deed",
        again.oid: f"it founds a game over the one that was there until the commit {last[:12]}",
    }
    assert found.deeds == 5


def test_nobody_founds_a_game_over_one_that_was(small: Small) -> None:
    first = oids(small, "--max-parents=0", "main")[0]
    removed(small)
    with (
        Repository.open(small.folder) as repository,
        pytest.raises(Refused, match=f"game here before: the commit {first[:12]}"),
    ):
        found_game(
            repository,
            small_law(),
            Settings("Again", "small", time="given"),
            Founding(START, ["ana"], None, ["ana"]),
        )


def test_a_game_that_another_one_was_merged_into(small: Small, tmp_path: Path) -> None:
    other = Small.found(tmp_path / "other")
    other.git("fetch", "-q", str(small.folder), "main")
    left_out(other, merge(other, "FETCH_HEAD"), *oids(small, "main"))


def test_nobody_founds_a_game_upon_a_line_that_puts_one_aside(small: Small, tmp_path: Path) -> None:
    """With another line for the first parent the older game lies beside it."""
    git_in(tmp_path, "init", "-q", "-b", "main", "other")
    other = Small(tmp_path / "other")
    other.git(*IDENTITY, "commit", "-q", "--allow-empty", "-m", "begin")
    other.git("fetch", "-q", str(small.folder), "main")
    merge(other, "FETCH_HEAD")
    with (
        Repository.open(other.folder) as repository,
        pytest.raises(Refused, match="there was a game here before"),
    ):
        found_game(
            repository,
            small_law(),
            Settings("Again", "small", time="given"),
            Founding(START, ["ana"], None, ["ana"]),
        )


def test_a_clone_that_ends_at_a_founding_is_told_as_shallow(small: Small, tmp_path: Path) -> None:
    """Whatever was before the founding may have been the game too."""
    forger = Forger(small)
    again = forger.forge(forger.commits()[0], parents=(small.head(),))
    forger.point(again)
    git_in(tmp_path, "clone", "-q", "--depth", "1", f"file://{small.folder}", "clone")
    verified = Small(tmp_path / "clone").verified()
    [fault] = verified.faults
    assert fault.commit == again.oid
    assert "the clone is shallow: nothing before this commit can be looked at" in fault.what
    assert commands(verified.remedy) == ["git fetch --unshallow"]


@pytest.mark.slow
def test_a_clone_that_cuts_a_merged_line_off_is_told_as_shallow(small: Small, tmp_path: Path) -> None:
    small.git("switch", "-q", "-c", "drafts")
    for n in range(9):
        small.git(*IDENTITY, "commit", "-q", "--allow-empty", "-m", f"notes {n}")
    small.git("switch", "-q", "main")
    small.git(*IDENTITY, "merge", "-q", "--no-ff", "-m", "drafts", "drafts")
    new = small.head()
    git_in(tmp_path, "clone", "-q", "--depth", "6", f"file://{small.folder}", "clone")
    faults = Small(tmp_path / "clone").faults()
    assert list(faults) == [new], faults
    assert all("the clone is shallow: it merges" in what for what in faults[new])
    git_in(tmp_path / "clone", "fetch", "-q", "--unshallow")
    assert Small(tmp_path / "clone").faults() == {}


def test_a_project_that_has_a_game_is_verified_from_the_founding_on(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    git_in(tmp_path, "init", "-q", "-b", "main", str(folder))
    project = Small(folder)
    for n in range(3):
        project.git(
            *IDENTITY,
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            f"code {n}\n\nNomic-Action: physics/found\nNomic-Id: x{n}",
        )
    with Repository.open(folder) as repository:
        founding = found_game(
            repository,
            small_law(),
            Settings("Small", "small", time="given"),
            Founding(START, ["cy"], None, ["cy"]),
        )
    project.do("cy", "earn", n=1)
    found = project.verified()
    assert (found.founding, found.deeds, found.others, found.faults) == (founding, 2, 0, [])


@pytest.mark.slow
def test_a_side_line_costs_what_it_has_beyond_the_games(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a line that forked long ago only what it has of its own is read."""
    small.git("branch", "drafts")
    for _ in range(30):
        small.do("ana", "earn", n=1)
    small.git("switch", "-q", "drafts")
    small.git(*IDENTITY, "commit", "-q", "--allow-empty", "-m", "notes")
    small.git("switch", "-q", "main")
    small.git(*IDENTITY, "merge", "-q", "--no-ff", "-m", "drafts", "drafts")
    with Repository.open(small.folder) as repository:
        whole = list(repository.log(small.head()))[::-1]
        read: list[str] = []
        commit = repository.commit

        def noted(oid: str) -> Commit:
            read.append(oid)
            return commit(oid)

        monkeypatch.setattr(repository, "commit", noted)
        assert list(line.beside(repository, whole)) == []
    assert read == oids(small, "main", "^HEAD~1")[1:]
