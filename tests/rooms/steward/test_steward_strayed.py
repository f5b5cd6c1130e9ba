"""Pull requests that go astray: a draft again, for another branch, moved, emptied, renamed. Their authors are told, once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub import Pull
from fakegithub.gitside import git
from fakegithub.things import Refusal
from support.doorstep import HOUR, Doorstep, doorstep, rule

PATH = "game/ruleset/2-dynastic/90-moonlight.md"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


@pytest.fixture
def pull(door: Doorstep) -> Pull:
    """A proposal of cy's that is pending as post 1."""
    made = door.propose("cy", "Moonlight")
    door.run()
    return made


def told(door: Doorstep, pull: Pull, *words: str) -> int:
    """How many comments of the steward say all this to cy."""
    return sum(all(word in body.replace("\\", "") for word in ("@Cy: ", *words)) for body in door.ours(pull))


def enact(door: Doorstep) -> None:
    """Three approve; thirteen hours later it is enacted."""
    for who in ("dee", "eli", "fox"):
        door.say(who, door.github.threads[2], "/vote 1 for")
    door.run()
    door.github.clock.advance(13 * HOUR)
    door.run()
    assert door.post(1)["status"] == "enacted"


def heap(door: Doorstep) -> None:
    """A thread on which votes are said by number."""
    door.github.issue(door.people["dee"], "Votes", "Here they are.")


def another_branch(door: Doorstep, name: str) -> None:
    door.github.commit(door.github.owner, {"x": "y"}, branch=name)


@pytest.mark.slow
def test_a_proposal_that_is_made_a_draft_again_stays_pending_and_that_is_told(
    door: Doorstep, pull: Pull
) -> None:
    door.github.ready(pull, draft=True)
    for _ in range(2):
        passed = door.run()
        assert (passed.deeds, passed.problems) == ([], [])
        door.say("eli", pull, "hm")
    assert told(door, pull, "a draft again", "post 1 is pending all the same") == 1
    door.review("dee", pull)
    door.github.ready(pull)
    door.run()
    assert door.ballots(1) == [("dee", "for")]
    assert told(door, pull, "draft") == 1
    assert door.faults() == []


@pytest.mark.slow
def test_one_for_another_branch_is_told_at_once_and_when_it_closes_unmerged(
    door: Doorstep, pull: Pull
) -> None:
    heap(door)
    another_branch(door, "attic")
    door.github.retarget(door.people["cy"], pull, "attic")
    for _ in range(2):
        door.run()
        assert told(door, pull, "for the branch attic now, and not for main") == 1
    assert door.post(1)["status"] == "pending"
    enact(door)
    assert (pull.state, told(door, pull, "not shown as merged. The law")) == ("open", 0)
    for _ in range(2):
        door.run()
        assert (pull.state, pull.merged) == ("closed", False)
        assert (
            told(door, pull, "post 1 is enacted", "This is for the branch attic", "The law is the same") == 1
        )
    assert door.faults() == []


@pytest.mark.slow
def test_one_that_is_set_back_in_time_is_merged_without_another_word(door: Doorstep, pull: Pull) -> None:
    heap(door)
    another_branch(door, "attic")
    for branch in ("attic", "main", "attic", "main"):
        door.github.retarget(door.people["cy"], pull, branch)
        door.run()
    enact(door)
    door.run()
    assert (pull.merged, told(door, pull)) == (True, 1)


@pytest.mark.slow
def test_one_that_was_never_for_the_games_branch_is_told_how_it_becomes_a_proposal(door: Doorstep) -> None:
    another_branch(door, "attic")
    cy = door.people["cy"]
    door.github.commit(cy, {PATH: rule("Moonlight", "It shines.")}, branch="moonlight")
    pull = door.github.open_pull(cy, head="moonlight", title="Moonlight", base="attic")
    elsewhere = "it is for the branch attic. Set it to main"
    for times in (1, 1, 2):
        if times == 2:
            door.say("cy", pull, "/propose")
        door.run()
        assert told(door, pull, elsewhere) == times
    assert list(door.game().tree.ids("posts")) == []
    early = door.review("dee", pull)
    door.github.clock.advance(60)
    door.github.retarget(cy, pull, "main")
    door.run()
    assert door.post(1)["title"] == "Moonlight"
    door.review("eli", pull)
    door.run()
    assert early.state == "APPROVED"
    assert ("eli", "for") in door.ballots(1)
    assert door.faults() == []


@pytest.mark.slow
def test_what_was_closed_and_opened_again_before_it_was_proposed_is_not_given_up(door: Doorstep) -> None:
    cy = door.people["cy"]
    pull = door.propose("cy", "Moonlight", draft=True)
    for what in (door.github.close, door.github.reopen):
        door.run()
        door.github.clock.advance(60)
        what(cy, pull)
    door.run()
    door.github.clock.advance(60)
    door.github.ready(pull)
    for _ in range(3):
        door.run()
        assert (door.post(1)["status"], door.ballots(1)) == ("pending", [])
        door.say("eli", pull, "hm")
    door.github.close(cy, pull)
    door.run()
    assert door.ballots(1) == [("cy", "against")]


@pytest.mark.slow
def test_what_is_closed_before_a_pass_sees_it_is_no_proposal(door: Doorstep) -> None:
    door.run()
    pull = door.propose("cy", "Moonlight")
    door.github.close(door.people["cy"], pull)
    assert (door.run().deeds, told(door, pull)) == ([], 0)


@pytest.mark.slow
def test_what_is_opened_again_while_it_is_pending_is_not_told_of_later_ends(
    door: Doorstep, pull: Pull
) -> None:
    door.github.close(door.github.owner, pull)
    door.run()
    door.github.clock.advance(60)
    door.github.reopen(door.people["cy"], pull)
    door.run()
    said = told(door, pull)
    for who in ("dee", "eli", "fox", "ana"):
        door.review(who, pull, "CHANGES_REQUESTED", "no")
    door.run()
    door.github.clock.advance(13 * HOUR)
    for _ in range(2):
        door.run()
        door.say("eli", pull, "hm")
    assert (door.post(1)["status"], pull.state, told(door, pull)) == ("failed", "closed", said)


@pytest.mark.slow
def test_one_whose_branch_moved_after_the_votes_is_told_why_it_closes_unmerged(
    door: Doorstep, pull: Pull
) -> None:
    heap(door)
    for who in ("dee", "eli"):
        door.say(who, pull, ":for:")
    door.run()
    stood, main = pull.head_sha, door.github.repo.refs["main"]
    door.sync(door.people["cy"])
    door.github.commit(
        door.people["cy"], {PATH: rule("Moonlight", "It is dark.")}, branch="moonlight", onto=main
    )
    enact(door)
    for _ in range(2):
        door.run()
        assert (pull.state, pull.merged) == ("closed", False)
        moved = ("post 1 is enacted", f"stood at {stood[:10]}", "stands at something else now")
        assert told(door, pull, *moved) == 1
    assert "Moonlight shines." in git(door.github.repo.path, "show", f"main:{PATH}")
    assert door.faults() == []


@pytest.mark.slow
def test_one_whose_branch_is_emptied_is_closed_by_the_forge_and_not_given_up(
    door: Doorstep, pull: Pull
) -> None:
    """As by a fork's button that discards what it is ahead by."""
    cy = door.people["cy"]
    fork = door.github.fork(cy)
    door.sync(cy)
    git(fork.path, "update-ref", "refs/heads/moonlight", "refs/heads/main")
    door.github.pushed(fork, cy)
    assert pull.state == "closed"
    for _ in range(2):
        passed = door.run()
        assert (passed.deeds, passed.problems) == ([], [])
        assert (
            told(door, pull),
            told(door, pull, "has nothing that the game has not", "post 1 is pending"),
            told(door, pull, "changes no rule"),
        ) == (1, 1, 0)
    assert (door.post(1)["status"], door.ballots(1)) == ("pending", [])
    with pytest.raises(Refusal):
        door.github.reopen(cy, pull)
    heap(door)
    enact(door)
    door.run()
    assert PATH in git(door.github.repo.path, "ls-tree", "-r", "--name-only", "main").splitlines()
    assert door.faults() == []


@pytest.mark.slow
def test_one_whose_branch_is_renamed_is_told_so_and_not_given_up(door: Doorstep, pull: Pull) -> None:
    door.github.rename_branch(door.people["cy"], pull, "moonshine")
    for _ in range(2):
        assert door.run().deeds == []
        assert (told(door, pull), told(door, pull, "deleted or renamed", "post 1 is pending")) == (1, 1)
    assert door.post(1)["status"] == "pending"


@pytest.mark.slow
def test_all_that_is_wrong_with_a_branch_is_told_at_once(door: Doorstep) -> None:
    """What its end has, and what stands on its way: who mends the one by one more commit would be told of the other."""
    files = {PATH: rule("Moonlight", "It shines."), ".github/workflows/mine.yml": "on: push\n"}
    pull = door.propose("cy", "Moonlight", files)
    door.run()
    assert list(door.game().tree.ids("posts")) == []
    mend = ("obeys this file", "changes .github/workflows", "git reset --soft", "git push --force-with-lease")
    assert told(door, pull, *mend) == 1
    door.github.commit(
        door.people["cy"],
        {PATH: rule("Moonlight", "It shines.")},
        branch="moonlight",
        onto=door.github.repo.refs["main"],
    )
    door.run()
    assert door.post(1)["title"] == "Moonlight"
