"""What is swapped under those who vote: a vote counts for what its author surely saw, and a proposal's time runs from then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub import Pull
from fakegithub.gitside import git
from hostile.small import git_in
from support.depth import DEEP
from support.doorstep import HOUR, Doorstep, doorstep, rule

from nomicgit.clones.remedy import Remedy
from nomicgit.git import Repository
from nomicgit.ground import clock

VOTERS = ("dee", "eli", "fox")
FILE = "game/ruleset/2-dynastic/90-moonlight.md"
BLOCK = "It is dark.\n\n```changes\n- {{add-rule: {{title: Night, text: {}}}}}\n```\n"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path, restore={"by": ["ben"], "of": 1}) as door:
        yield door


def other(door: Doorstep, *, forced: bool) -> None:
    """Cy's branch says something else from now on."""
    onto = door.github.repo.refs["main"] if forced else None
    files = {FILE: rule("Moonlight", "Cy has achieved victory.")}
    door.github.commit(door.people["cy"], files, branch="moonlight", onto=onto)


def voted(door: Doorstep, pull: Pull, who: tuple[str, ...] = VOTERS) -> None:
    for name in who:
        door.say(name, pull, ":for:")


def answers(door: Doorstep, pull: Pull, name: str, *parts: str) -> int:
    """How many answers to somebody hold all these."""
    hers = [each for body in door.ours(pull) for each in body.split("@") if each.startswith(name)]
    return sum(all(part in each for part in parts) for each in hers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forced", "after"),
    [
        (True, 2),
        (False, 12 * HOUR),
        pytest.param(True, 12 * HOUR, marks=DEEP),
        pytest.param(False, 2, marks=DEEP),
    ],
)
def test_what_was_swapped_before_any_pass_saw_it_has_no_votes_and_is_not_older_than_it_is(
    door: Doorstep, after: int, *, forced: bool
) -> None:
    pull = door.propose("cy", "Moonlight")
    voted(door, pull)
    door.github.clock.advance(after)
    other(door, forced=forced)
    swapped = door.github.clock.now
    door.run()
    post = door.post(1)
    assert (post["status"], clock.instant(post["at"])) == ("pending", swapped)
    assert door.ballots(1) == []
    for name in ("Dee", "Eli", "Fox"):
        assert answers(door, pull, name, "Look again", pull.head_sha, "vote anew") == 1
    voted(door, pull)
    door.run()
    assert door.ballots(1) == [(name, "for") for name in VOTERS]
    assert door.faults() == []


@pytest.mark.slow
def test_a_vote_on_what_nobody_can_have_swapped_counts_from_the_opening_on(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    voted(door, pull, ("dee",))
    door.run()
    assert (clock.instant(door.post(1)["at"]), door.ballots(1)) == (pull.at, [("dee", "for")])


@pytest.mark.slow
def test_what_goes_away_and_comes_back_before_a_pass_has_no_votes_of_meanwhile(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    first = pull.head_sha
    door.review("dee", pull)
    other(door, forced=True)
    voted(door, pull, ("eli",))
    door.github.clock.advance(5)
    door.github.commit(
        door.people["cy"], {FILE: rule("Moonlight", "It shines.")}, branch="moonlight", onto=first
    )
    back = door.github.clock.now
    door.run()
    assert (clock.instant(door.post(1)["at"]), door.ballots(1)) == (back, [])


@pytest.mark.slow
def test_words_that_were_edited_before_any_pass_saw_them_date_the_proposal(door: Doorstep) -> None:
    pull = door.propose("cy", "Night", files={}, body=BLOCK.format("Nobody votes."))
    voted(door, pull)
    door.github.clock.advance(HOUR)
    door.github.edit(door.people["cy"], pull, BLOCK.format("Cy rules."))
    edited = door.github.clock.now
    door.say("ana", pull, "so")
    door.run()
    assert clock.instant(door.post(1)["at"]) >= edited
    assert door.ballots(1) == []
    assert answers(door, pull, "Dee", "Look again", "vote anew") == 1


@pytest.mark.slow
def test_who_asks_for_a_proposal_and_swaps_it_then_asked_for_what_stands_there(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight", {"game/state/clock.yml": "x: 1\n"})
    door.run()
    assert door.game().tree.entity("posts/1") is None
    door.github.commit(
        door.people["cy"], {"game/state/clock.yml": None, FILE: rule("Moonlight", "It shines.")},
        branch="moonlight", onto=door.github.repo.refs["main"],
    )  # fmt: skip
    door.say("cy", pull, "/propose")
    voted(door, pull, ("dee",))
    door.github.clock.advance(5)
    other(door, forced=True)
    swapped = door.github.clock.now
    door.run()
    assert (clock.instant(door.post(1)["at"]), door.ballots(1)) == (swapped, [])


@pytest.mark.slow
@pytest.mark.parametrize("words", [False, True])
def test_a_comment_votes_on_a_post_that_its_thread_does_not_show_by_its_number_alone(
    door: Doorstep, *, words: bool
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    voted(door, pull, ("dee",))
    door.run()
    if words:
        door.github.edit(door.people["cy"], pull, BLOCK.format("Cy rules."))
    else:
        other(door, forced=False)
    door.run()
    stood = door.post(1)["branch_head"]
    voted(door, pull, ("eli",))
    door.review("fox", pull)
    door.run()
    assert answers(door, pull, "Eli", "does not count yet", stood, "/vote 1 FOR") == 1
    assert ("eli", "for") not in door.ballots(1)
    door.say("eli", pull, "/vote 1 for")
    door.run()
    assert ("eli", "for") in door.ballots(1)
    assert answers(door, pull, "Eli", "does not count yet") == 1


@pytest.mark.slow
def test_what_was_enacted_beside_a_branch_that_went_on_is_closed_and_nothing_fails(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    for name in VOTERS:
        door.review(name, pull)
    door.run()
    other(door, forced=True)
    door.run()
    door.github.clock.advance(13 * HOUR)
    for _ in range(4):
        passed = door.run()
        assert passed.problems == []
    assert (door.post(1)["status"], pull.state, door.state(pull)) == ("enacted", "closed", "failure")


@pytest.mark.slow
def test_a_commit_that_somebody_else_merged_is_not_green(door: Doorstep, tmp_path: Path) -> None:
    pull = door.propose("cy", "Moonlight")
    for name in VOTERS:
        door.review(name, pull)
    door.run()
    other(door, forced=False)
    door.run()
    good = door.game().head.oid
    door.github.merge(door.github.owner, pull)
    door.github.clock.advance(13 * HOUR)
    assert door.run().stopped
    git_in(tmp_path, "clone", "-q", str(door.github.repo.path), "bens")
    with Repository.open(tmp_path / "bens") as repository:
        Remedy.to(repository, good, door.github.time()).record(["ben"], door.github.time())
    git_in(tmp_path / "bens", "push", "-q", "origin", "main")
    assert git(door.github.repo.path, "merge-base", pull.head_sha, "main") == pull.head_sha
    for _ in range(2):
        assert door.run().problems == []
    assert (door.post(1)["status"], door.state(pull)) == ("enacted", "failure")
