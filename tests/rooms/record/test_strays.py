"""Commits that change the game and are no deeds are seen by whoever looks: by status, by the site's build, by the steward."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub.gitside import git
from hostile.forging import Forger
from hostile.small import Small
from support.doorstep import Doorstep, doorstep
from support.ids import named
from support.sites import configured
from support.started import QUIET

from nomicgit.cli import main
from nomicgit.git import Commit, Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import Outage, Refused
from nomicgit.ground.remedies import commands
from nomicgit.record.seen import strays as record_strays
from nomicgit.record.seen.apparent import MOST_MERGED
from nomicgit.record.seen.strays import FILE, Stray, looked_through, strays
from nomicgit.site.opened import game_in

RULE = "game/ruleset/2-dynastic/10-hoard.md"


@pytest.fixture
def small(tmp_path: Path) -> Small:
    made = Small.found(tmp_path / "game")
    made.do("cy", "earn", n=3)
    return made


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


def by_hand(small: Small, path: str, text: str) -> str:
    """A commit by hand, by Olga; its id."""
    file = small.folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    small.git("add", "-A")
    small.git("commit", "-q", "-m", "by hand", env={"GIT_AUTHOR_NAME": "Olga"})
    return small.head()


def seen(small: Small) -> list[str]:
    with Repository.open(small.folder) as repository:
        return [stray.commit for stray in looked_through(repository, small.head()).strays]


@pytest.mark.parametrize("looked", [True, False])
def test_a_deed_that_is_laid_down_once_more_is_seen_though_others_came_between(
    small: Small, looked: bool
) -> None:
    """Whatever was looked at before, and at every look from then on."""
    once = small.do("cy", "earn", n=1).commit
    small.do("dee", "earn", after=0, n=2)
    small.do("eli", "earn", after=0, n=2)
    assert not looked or seen(small) == []
    forger = Forger(small)
    by_id = {commit.oid: commit for commit in forger.commits()}
    again = forger.forge(by_id[once], tree=by_id[small.head()].tree, parents=(small.head(),))
    forger.point(again)
    for _ in range(2):
        assert seen(small) == [again.oid]
    assert (
        f"its deed {by_id[once].message.split()[-1]} stands in the history already"
        in small.faults()[again.oid]
    )
    by_hand(small, "beside.txt", "Nothing of the game.")
    assert seen(small) == [again.oid]


def test_what_is_seen_is_what_verify_names(small: Small) -> None:
    first = by_hand(small, RULE, "---\ntitle: Hoard\n---\nNone.\n")
    by_hand(small, "notes/plan.md", "no part of the game")
    second = by_hand(small, "game/scenarios/x.yml", "- {}\n")
    named = [fault.commit for fault in small.verified().faults if "is no deed" in fault.what]
    assert seen(small) == [first, second] == named
    assert seen(small) == [first, second]


def test_a_merge_on_the_first_parents_line_is_seen_and_what_it_brings_is_one(small: Small) -> None:
    small.git("checkout", "-q", "-b", "aside")
    by_hand(small, RULE, "---\ntitle: Hoard\n---\nNone.\n")
    small.git("checkout", "-q", "main")
    small.git("merge", "-q", "--no-ff", "-m", "Merge", "aside")
    assert seen(small) == [small.head()]


def test_deeds_after_it_hide_nothing_and_putting_the_branch_back_mends_it(small: Small) -> None:
    good = small.head()
    bad = by_hand(small, RULE, (small.folder / RULE).read_text().replace("earned", "found"))
    small.do("cy", "earn", n=1)
    assert seen(small) == [bad]
    small.do("cy", "earn", n=1)
    assert seen(small) == [bad]
    small.git("reset", "-q", "--hard", good)
    assert seen(small) == []
    small.do("cy", "earn", n=1)
    assert seen(small) == []
    assert small.faults() == {}


def test_only_what_came_since_the_last_look_is_read(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(8):
        small.do("cy", "earn", n=1)
    assert seen(small) == []
    by_hand(small, "beside.txt", "Nothing of the game.")
    read: list[str] = []
    log = Repository.log

    def counted(self: Repository, tip: str, **how: bool) -> Iterator[Commit]:
        for commit in log(self, tip, **how):
            read.append(commit.oid)
            yield commit

    monkeypatch.setattr(Repository, "log", counted)
    assert seen(small) == []
    assert len(read) == 2
    small.do("cy", "earn", n=1)
    assert seen(small) == []
    assert len(read) == 3, "what this clone has done itself needs no look"


def test_a_new_clone_of_an_old_game_is_looked_through_from_the_newest_on_and_verify_names_the_rest(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_strays, "NEWEST", 4)
    old = by_hand(small, RULE, (small.folder / RULE).read_text().replace("earned", "found"))
    for _ in range(4):
        small.do("cy", "earn", n=1)
    bad = by_hand(small, "game/scenarios/x.yml", "- {}\n")
    small.do("cy", "earn", n=1)
    (small.folder / ".git" / FILE).unlink(missing_ok=True)
    assert seen(small) == [bad] == seen(small)
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), "verify"])
    assert seen(small) == [old, bad]


@pytest.mark.parametrize("text", ["", "nonsense", "0" * 40, f"{'1' * 40}\n{'2' * 40}\n", "é\n"])
def test_a_memory_that_is_none_is_made_anew(small: Small, text: str) -> None:
    bad = by_hand(small, RULE, "---\ntitle: Hoard\n---\nNone.\n")
    file = small.folder / ".git" / FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    assert seen(small) == [bad]


def test_a_commit_that_only_says_it_is_a_deed_is_no_deed(small: Small) -> None:
    (small.folder / RULE).write_text("---\ntitle: Hoard\n---\nNone.\n")
    small.git(
        "commit",
        "-q",
        "-a",
        "-m",
        "x\n\nNomic-Id: 1",
        env={"GIT_AUTHOR_NAME": "Olga", "GIT_AUTHOR_EMAIL": "o@example.org"},
    )
    assert seen(small) == [small.head()]


@pytest.mark.slow
def test_status_tells_which_commit_whose_when_and_what_to_do(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    good = small.head()
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), "status"])
    assert "no deed" not in capsys.readouterr().out
    bad = by_hand(small, RULE, (small.folder / RULE).read_text().replace("earned", "found"))
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), "status"])
    said = capsys.readouterr().out
    for word in (
        bad[:12],
        "Olga",
        "changes the game and is no deed",
        "git reset --keep " + good[:12],
    ):
        assert word in said
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), "status", "--json"])
    told = json.loads(capsys.readouterr().out)["strays"]
    assert [(each["commit"], each["before"], each["by"]) for each in told] == [(bad, good, "Olga")]
    slug = RULE.rpartition("/")[2].removesuffix(".md").partition("-")[2]
    kept = [f"git branch {slug} {bad}", f"git reset --keep {good}", f"nomicgit propose --branch {slug}"]
    assert commands(told[0]["mend"])[-3:] == kept


@pytest.mark.slow
def test_a_strict_build_of_the_site_ends_with_it(small: Small, tmp_path: Path) -> None:
    bad = by_hand(small, RULE, (small.folder / RULE).read_text().replace("earned", "found"))
    line = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-f",
        str(configured(small.folder)),
        "-d",
        str(tmp_path / "to"),
    ]
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=os.environ | QUIET)
    assert done.returncode != 0
    assert f"commit {bad[:12]} in the name of Olga" in done.stderr
    assert "git reset --keep" in done.stderr


# ---- on the forge


@pytest.mark.slow
def test_a_pressed_merge_button_stops_the_steward_until_the_branch_is_put_back(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    good = door.game().head.oid
    door.github.role(door.people["ben"], "write")
    bad = door.github.merge(door.people["ben"], pull)
    door.review("dee", pull)
    for _ in range(2):
        passed = door.run()
        assert passed.stopped
        assert (passed.deeds, passed.written) == ([], 0)
        assert bad[:12] in passed.problems[0]
        assert good[:12] in passed.problems[0]
        assert door.game().head.oid == bad
    git(door.github.repo.path, "update-ref", "refs/heads/main", good)
    passed = door.run()
    assert not passed.stopped
    assert passed.problems == []
    assert door.ballots(1) == [("dee", "for")]
    assert door.faults() == []


@pytest.mark.slow
def test_deeds_that_went_with_the_commits_after_are_done_again_once_the_steward_has_forgotten(
    door: Doorstep,
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    good = door.game().head.oid
    door.review("dee", pull)
    door.run()
    git(door.github.repo.path, "update-ref", "refs/heads/main", good)
    git(door.github.repo.path, "update-ref", "-d", "refs/nomicgit/steward")
    assert door.ballots(1) == []
    door.run()
    assert door.ballots(1) == [("dee", "for")]
    assert door.faults() == []


@pytest.mark.slow
def test_a_form_that_is_edited_by_hand_stops_the_steward_and_one_that_is_put_right_does_not(
    door: Doorstep,
) -> None:
    path = next(
        path for path, _ in door.game().repository.walk(door.game().head.tree, ".github/ISSUE_TEMPLATE")
    )
    right = door.game().repository.file(door.game().head.tree, path)
    door.github.commit(door.github.owner, {path: "name: Another\n"})
    passed = door.run()
    assert passed.stopped
    assert f"it changes the form {path}" in passed.problems[0]
    assert right is not None
    door.github.commit(door.github.owner, {path: right})
    assert [stray.what for stray in strays(door.game().repository, door.game().head.oid)] == [
        f"it changes the form {path} and is no deed"
    ]


@pytest.mark.slow
def test_a_push_that_leaves_the_game_alone_stops_nothing(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.github.commit(
        door.github.owner, {"README.md": "Welcome.\n", ".github/workflows/more.yml": "on: push\n"}
    )
    passed = door.run()
    assert not passed.stopped
    assert door.state(pull) == "pending"


@pytest.mark.slow
def test_no_deed_is_done_upon_it_and_the_check_names_it(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = by_hand(small, RULE, (small.folder / RULE).read_text().replace("earned", "found"))
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), "--as", "cy", "act", "earn", "n=1"])
    said = capsys.readouterr().err
    assert (ended.value.code, small.head()) == (1, bad)
    for word in ("no deed is done upon the commit", bad[:12], "git reset --keep"):
        assert word in said
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), "check"])
    assert ended.value.code == 1
    assert bad[:12] in capsys.readouterr().out


@pytest.mark.slow
def test_the_check_says_what_of_the_folder_it_has_not_looked_at(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    (small.folder / RULE).write_text("nonsense")
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), "check"])
    said = capsys.readouterr().out
    assert (ended.value.code, f"differs from the record: {RULE}" in said) == (0, True)


def told(small: Small, capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str]:
    """What a command says, and its exit code."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), *command])
    said = capsys.readouterr()
    return int(str(ended.value.code)), said.out + said.err


@pytest.mark.slow
def test_a_merge_that_keeps_nothing_of_another_line_is_told_though_its_tree_is_its_first_parents(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    small.do("cy", "earn", n=2)
    pushed = small.head()
    small.git("reset", "-q", "--hard", "HEAD~1")
    mine = small.do("dee", "earn", n=2, after=90).commit
    small.git("merge", "-q", "-s", "ours", "-m", "words", pushed)
    code, said = told(small, capsys, "status")
    assert code == 1
    for word in (
        small.head()[:12],
        "leaves its deeds out",
        f"git reset --keep {mine[:12]}",
    ):
        assert word in said
    assert told(small, capsys, "check")[0] == 1
    assert told(small, capsys, "--as", "cy", "act", "earn", "n=1")[0] == 1
    small.git("reset", "-q", "--keep", pushed)
    assert "no deed" not in told(small, capsys, "status")[1]
    assert small.faults() == {}


@pytest.mark.slow
def test_a_game_that_was_taken_away_is_told_with_the_commit_that_did_it(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    before = small.head()
    small.git("rm", "-rq", "game")
    small.git("commit", "-qm", "gone", env={"GIT_AUTHOR_NAME": "Olga"})
    for command in (("status",), ("check",), ("site", "export", str(small.folder / "out"))):
        code, said = told(small, capsys, *command)
        assert code == 1, command
        for word in ("no game here any more", small.head()[:12], "Olga", before[:12]):
            assert word in said, command
    with pytest.raises(Refused, match="no game here any more"):
        game_in(small.folder)


@pytest.mark.slow
def test_a_deed_whose_files_find_no_room_is_said_to_be_recorded(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> list[str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = small.head()
    with monkeypatch.context() as patched:
        patched.setattr(Repository, "bring_along", full)
        with pytest.raises(Outage) as ended:
            small.do("cy", "earn", n=2)
    assert small.head() != before
    assert f"the deed is recorded, as commit {small.head()[:12]}" in ended.value.problem.what
    assert "do not do the deed again" in ended.value.problem.mend
    small.git("restore", "--staged", "--worktree", "game")
    assert (small.git("status", "--porcelain"), small.faults()) == ("", {})


@pytest.mark.slow
@pytest.mark.parametrize("cleared", [False, True])
def test_another_founding_is_named_as_verify_names_it_with_the_game_to_go_back_to(
    small: Small, capsys: pytest.CaptureFixture[str], cleared: bool
) -> None:
    forger, good = Forger(small), small.head()
    founding = forger.commits()[0]
    assert told(small, capsys, "status")[0] == 0
    if cleared:
        small.git("rm", "-q", "-r", "game")
        small.git("commit", "-q", "-m", "clean up")
    again = forger.forge(founding, parents=(small.head(),))
    forger.point(again)
    small.git("reset", "-q", "--hard")
    [named] = [f.what for f in small.verified().faults if f.commit == again.oid and "founds" in f.what]
    for command in (["status"], ["status", "--json"], ["check"], ["--as", "cy", "act", "earn", "n=1"]):
        code, said = told(small, capsys, *command)
        assert code == 1
        for word in (
            again.oid[:12],
            named,
            f"git reset --keep {good[:12]}",
        ):
            assert word in said or (cleared and command[0] == "--as")
    small.git("reset", "-q", "--keep", good)
    assert told(small, capsys, "status")[0] == told(small, capsys, "check")[0] == 0
    assert small.faults() == {}


@pytest.mark.slow
def test_status_ends_with_1_upon_a_commit_that_is_no_deed(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    good = small.head()
    by_hand(small, RULE, "---\ntitle: Hoard\n---\nNone.\n")
    assert [told(small, capsys, "status", *more)[0] for more in ((), ("--json",))] == [1, 1]
    small.git("reset", "-q", "--hard", good)
    assert [told(small, capsys, "status", *more)[0] for more in ((), ("--json",))] == [0, 0]


def stray_of(small: Small) -> Stray:
    """The only one there is."""
    with Repository.open(small.folder) as repository:
        [stray] = strays(repository, small.head())
    return stray


def test_a_deed_that_is_pushed_again_is_seen_as_one_that_stands_already(small: Small) -> None:
    forger = Forger(small)
    [*_, deed] = forger.commits()
    forger.point(forger.forge(deed, parents=(deed.oid,)))
    assert "stands in the history already" in stray_of(small).what
    assert list(small.faults()) == [small.head()]


@pytest.mark.parametrize(
    ("action", "trailers"),
    [
        ("earn", "Nomic-Seed: zz\n"),
        ("earn", 'Nomic-Evidence: {"account": []}\n'),
        ("physics/term", 'Nomic-With: {"to": "x"}\n'),
        ("physics/signers", 'Nomic-With: {"player": "cy", "keys": 3, "by": []}\n'),
    ],
)
def test_what_only_pretends_to_tell_of_a_deed_is_seen(small: Small, action: str, trailers: str) -> None:
    forger, at = Forger(small), "2021-06-07T00:09:00Z"
    told = f"Nomic-Action: {action}\nNomic-By: cy\nNomic-At: {at}\n{trailers}Nomic-Id: {named('forged')}\n"
    forger.add(
        f"cy: earn\n\n{told}", {}, author="cy", email="cy@nomicgit.invalid", author_time=clock.instant(at)
    )
    assert stray_of(small).what
    assert list(small.faults()) == [small.head()]


@pytest.mark.slow
def test_what_merges_too_much_is_put_back_for_no_mend_takes_it_away(small: Small) -> None:
    forger = Forger(small)
    first, *_, last = forger.commits()
    ends = [forger.forge(last, parents=(first.oid,), message=f"{n}\n").oid for n in range(MOST_MERGED)]
    forger.point(forger.forge(last, parents=(last.oid, *ends), message="all\n"))
    assert commands(stray_of(small).mend) == [f"git reset --keep '{small.head()}~1'"]
