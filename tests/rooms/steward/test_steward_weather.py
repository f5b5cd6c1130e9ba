"""GitHub's weather: threads that are locked, deleted or moved, another name, labels that nobody may make, branches that go.

Each is told in a line and passed over; the game goes on, and nobody is met with silence for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from fakegithub.gitside import git
from support.doorstep import REPOSITORY, Doorstep, doorstep

from nomicgit.forge.github import GitHub
from nomicgit.steward import keeping


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path, http=True) as there:
        yield there


def quiet(door: Doorstep, *over: str) -> None:
    """A pass that has no problem, and passes over just this."""
    passed = door.run()
    assert passed.problems == []
    assert all(any(words in line for words in over) for line in passed.passed_over), passed.passed_over
    assert all(any(words in line for line in passed.passed_over) for words in over), passed.passed_over


def told(door: Doorstep, thread: object, words: str) -> int:
    return sum(words in body.replace("\\", "") for body in door.ours(thread))  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_game_goes_on_whatever_becomes_of_its_threads(door: Doorstep) -> None:
    github = door.github
    pull, issue = door.propose("cy", "Moonlight"), door.form("eli", "roll", {"dice": "DICE6"})
    github.lock(pull)
    github.lock(issue)
    quiet(door, f"thread {pull.number} is locked", f"thread {issue.number} is locked")
    assert (door.ours(pull), door.ours(issue)) == ([], [])
    door.review("dee", pull)
    quiet(door, f"thread {pull.number} is locked", f"thread {issue.number} is locked")  # it was closed
    quiet(door)  # it is not tried again and again
    github.lock(pull, locked=False)
    github.lock(issue, locked=False)
    quiet(door)
    assert "1 DEFERENTIAL" not in door.report(pull)
    assert "2 FOR" in door.report(pull)
    assert told(door, issue, "**roll** is done") == 1

    talk = github.issue(door.people["dee"], "Talk", "hm")
    quiet(door)
    door.say("dee", talk, "/act roll dice=DICE6")
    door.say("eli", pull, "/act roll dice=DICE6")
    steward = door.steward()
    github.between = lambda: github.threads.pop(talk.number, None) if door.deeds() > 4 else None
    github.clock.advance(60)
    passed = steward.run()
    github.between = None
    assert passed.problems == []
    assert passed.passed_over == [f"thread {talk.number} is deleted, or moved elsewhere"]
    assert told(door, pull, "**roll** is done") == 1

    github.delete_comment(
        github.owner, next(each for each in pull.comments if each.body == door.report(pull))
    )
    door.review("fox", pull)
    quiet(door)
    assert "3 FOR" in door.report(pull)

    before = door.deeds()
    github.rename_repository("palace")
    roll = door.form("fox", "roll", {"dice": "DICE6"})
    door.review("eli", pull, "CHANGES_REQUESTED", "no")
    quiet(
        door,
        "the repository is called nomic-club/palace now\n  say so in the record:\n    nomicgit rehouse --github",
    )
    assert (door.deeds(), roll.state) == (before + 2, "closed")
    other = door.propose("dee", "Sunburn")
    quiet(door, "called nomic-club/palace")
    assert door.state(other) == "pending"

    github.delete_labels()
    github.fail(
        200,
        "createLabel",
        times=9,
        body={"data": {"w0": None}, "errors": [{"message": "no", "path": ["w0"]}]},
    )
    third = door.propose("fox", "Fog")
    quiet(door, "does without the label pending", "called nomic-club/palace")
    github.faults.clear()

    github.delete_fork(github.fork(door.people["fox"]))
    github.commit(door.people["dee"], {}, branch="sunburn")
    door.run()
    assert (third.state, door.post(3)["status"], door.ballots(3)) == ("closed", "pending", [])
    assert told(door, third, "your branch is gone, deleted or renamed, and with it this was closed") == 1
    github.remove(third)
    for _ in range(2):
        door.review("ana", other)
        quiet(door, f"thread {third.number}", "palace")
    assert door.post(3)["status"] == "pending"
    assert door.faults() == []


@pytest.mark.slow
def test_statuses_that_the_forge_takes_no_more_of_are_set_by_the_next_pass(tmp_path: Path) -> None:
    """Of a resolved matter, of a pending one, and of what is no proposal; and a vote that is deleted at once is no trouble."""
    with doorstep(tmp_path) as door:
        github = door.github
        done = door.propose("cy", "Moonlight")
        for who in ("ana", "dee", "eli", "fox"):
            door.review(who, done)
        door.run()
        github.clock.advance(13 * 3600)
        pending, strange = door.propose("dee", "Sunburn"), door.propose("ben", "Fog")
        zoe, mine = github.user("zoe"), github.fork(door.people["dee"])
        strange.author = zoe
        theirs = github.fork(zoe)
        git(theirs.path, "fetch", "-q", str(mine.path), "+refs/heads/sunburn:refs/heads/sunburn")
        copy = github.open_pull(zoe, head="sunburn", title="It is mine", repo=theirs)
        assert copy.head_sha == pending.head_sha
        said = door.say("fox", done, ":for:")
        github.fail(403, "/statuses/", times=99, headers={"Retry-After": "60"})
        requests = count(1)
        github.between = lambda: (
            done.comments.remove(said) if next(requests) == 3 else None  # it is read by then
        )
        began = github.clock.now
        passed = door.run()
        github.between = None
        assert (door.post(1)["status"], done.merged) == ("enacted", True)
        assert [each.rpartition("the forge ")[2][:22] for each in passed.problems] == [
            "takes no more requests"
        ]
        assert github.clock.now - began <= 6 * 60
        assert passed.passed_over == [f"thread {done.number}: a vote that is counted was deleted there"]
        github.faults.clear()
        quiet(door)
        assert [door.state(each) for each in (done, pending, strange)] == ["success", "pending", "failure"]
        quiet(door)


@pytest.mark.slow
def test_what_is_said_on_a_closed_thread_is_answered_though_the_cursor_is_gone(door: Doorstep) -> None:
    roll = door.form("eli", "roll", {"dice": "much"})
    quiet(door)
    assert roll.state == "closed"
    door.say("ben", roll, "vote for")
    git(door.github.repo.path, "update-ref", "-d", keeping.REF)
    quiet(door)
    assert told(door, roll, "if that is your vote") == 1
    git(door.github.repo.path, "update-ref", "-d", keeping.REF)
    quiet(door)
    assert told(door, roll, "if that is your vote") == 1


@pytest.mark.slow
def test_what_the_token_may_not_read_is_said_and_read_once_it_may(door: Doorstep) -> None:
    github, pull = door.github, door.propose("cy", "Moonlight")
    roll = door.form("eli", "roll", {"dice": "DICE6"})
    least = {"contents": "write", "issues": "write", "statuses": "write"}
    token = github.fine_grained_token(github.steward, least)
    forge = GitHub(REPOSITORY, token, api=github.url, wait=github.wait, now=github.time)
    [said] = door.run(forge=forge, token=token).problems
    assert said.startswith(f"the token may not read these threads: {pull.number} (Resource not accessible")
    assert roll.state == "closed"
    quiet(door)
    assert door.state(pull) == "pending"
