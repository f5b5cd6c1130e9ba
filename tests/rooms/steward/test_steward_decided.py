"""What was decided stands in the record: it does not come back when answers are gone, and is said where it could not be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub.gitside import git
from support.doorstep import HOUR, Doorstep, doorstep

from nomicgit.steward import decided, keeping

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path, resolve="admins") as there:
        yield there


def pages(door: Doorstep) -> dict[str, str]:
    """Why each thing was refused, by Git alone."""
    path = door.github.repo.path
    names = git(path, "ls-tree", "--name-only", decided.REF).split()
    told = (json.loads(git(path, "show", f"{decided.REF}:{name}"))["told"] for name in names)
    return {key: each["why"] for page in told for key, each in page.items()}


def forget(door: Doorstep) -> None:
    """The owner deletes all that the steward has said, and its cursor is lost."""
    for thread in door.github.threads.values():
        thread.comments[:] = [each for each in thread.comments if each.author is not door.github.steward]
    git(door.github.repo.path, "update-ref", "-d", "refs/nomicgit/steward")


@pytest.mark.slow
def test_what_was_refused_or_was_only_talk_stays_so(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    tried = door.say("ben", pull, "/enact")
    talk = door.say("eli", pull, "hm")
    vote = door.say("dee", pull, ":for:")
    roll = door.say("ana", pull, "/act roll dice=DICE6")
    door.run()
    key = f"comment-{tried.id}"
    assert "not popular" in pages(door)[key]
    assert door.deeds() == 4  # founding's heirs: the proposal, a vote, a roll
    for who in ("eli", "fox", "ana"):
        door.review(who, pull)
    door.github.clock.advance(13 * HOUR)
    forget(door)
    passed = door.run()
    assert [deed.action for deed in passed.deeds] == ["vote"] * 3
    assert door.post(1)["status"] == "pending"  # what ben said too early is not carried out now
    assert [body for body in door.ours(pull) if "is done" in body or "cannot" in body] == []
    door.github.clock.advance(60)
    door.github.edit(door.people["ben"], tried, "/enact\nagain")
    door.github.edit(door.people["eli"], talk, ":against:")
    door.github.edit(door.people["dee"], vote, ":against:")
    door.github.edit(door.people["ana"], roll, "/act roll dice=DICE20")
    passed = door.run()
    assert [deed.action for deed in passed.deeds] == ["resolve"]  # eli's comes a moment too late
    assert door.post(1)["status"] == "enacted"
    for name in ("Dee", "Ana"):
        assert (
            sum(f"@{name}: you have edited this after it was done" in body for body in door.ours(pull)) == 1
        )
    assert door.faults() == []


@pytest.mark.slow
def test_hundreds_of_refusals_are_all_told_once(door: Doorstep) -> None:
    issue = door.github.issue(door.people["dee"], "Talk", "Let us talk.")
    for number in range(600):
        door.github.comment(door.people["dee"], issue, f"/act {'so-long-a-name-' * 3}{number}")
    assert door.run().problems == []
    said = [body for body in door.ours(issue) if "@Dee" in body]
    assert sum(body.count("@Dee") for body in said) == 600
    assert 1 < len(said) < 5
    door.say("dee", issue, "hm")
    assert door.run().told == []


@pytest.mark.slow
def test_what_was_refused_is_known_by_its_answer_where_somebody_deletes_what_was_decided(
    door: Doorstep,
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.say("dee", pull, "/enact")
    assert len(door.run().told) == 1
    door.run()
    said = len(door.ours(pull))
    for ref in (decided.REF, keeping.REF):
        git(door.github.repo.path, "update-ref", "-d", ref)
    assert door.run().told == []
    assert len(door.ours(pull)) == said
    answer = next(each for each in pull.comments if "@Dee" in each.body)
    door.github.delete_comment(door.github.owner, answer)
    for ref in (decided.REF, keeping.REF):
        git(door.github.repo.path, "update-ref", "-d", ref)
    assert [(each.whom, each.refused) for each in door.run().told] == [(("Dee",), True)]


@pytest.mark.slow
def test_what_could_not_be_said_is_said_by_the_next_pass(door: Doorstep) -> None:
    issue, pull = door.form("fox", "ascend", {"theme": "none"}), door.propose("cy", "Moonlight")
    door.github.fail(403, "mutation", times=99)
    passed = door.run()
    assert len(passed.deeds) == 1  # it is pushed, and the site can be built
    assert passed.problems != []
    assert "emperor" in pages(door)[f"issue-{issue.number}"]
    assert (door.ours(issue), door.ours(pull), issue.state) == ([], [], "open")
    door.github.faults.clear()
    assert door.run().problems == []
    assert [("emperor" in body, "@Fox" in body) for body in door.ours(issue)] == [(True, True)]
    assert (issue.state, len(door.ours(pull))) == ("closed", 1)

    roll, much = door.form("ana", "roll", {"dice": "DICE6"}), door.form("cy", "roll", {"dice": "much"})
    soon = {"type": "UNPROCESSABLE", "message": "was submitted too quickly"}
    given = {"w0": None, "w1": None, "w2": None, "w3": {"clientMutationId": None}}
    wrong = [{"path": ["w0"], **soon}, {"path": ["w2"], "message": "Something went wrong"}]
    door.github.fail(200, "addComment", body={"data": given, "errors": wrong})
    door.run()
    assert (door.ours(roll), door.ours(much)) == ([], [])
    assert door.run().problems == []
    assert [len(door.ours(each)) for each in (roll, much)] == [1, 1]
    assert (roll.state, much.state) == ("closed", "closed")


def test_words_that_the_forge_does_not_take_are_said_all_the_same(door: Doorstep) -> None:
    issue = door.github.issue(door.people["dee"], "Talk", "Let us talk.")
    tried = door.say("dee", issue, f"/act {SECRET}")
    roll = door.say("ana", issue, "/act roll dice=DICE6")
    assert len(door.run().deeds) == 1
    assert pages(door)[f"comment-{tried.id}"] == ""
    assert [("no rule in force" in body, "**roll** is done" in body) for body in door.ours(issue)] == [
        (True, True)
    ]
    door.github.edit(door.people["ana"], roll, "sorry")
    assert door.run().deeds == []
