"""Pushes that the forge refuses: the reason is told whole, the deed is set aside, and the rest is played on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub import Pull, Thread
from fakegithub.gitside import git
from support.depth import DEEP
from support.doorstep import HOUR, Doorstep, doorstep, rule

from nomicgit.steward.proposing import Branches

SECRET = "ghp_" + "a1B2" * 9
WORKFLOW = ".github/workflows/mine.yml"
BLOCKED = ("what looks like a secret (GitHub Personal Access Token", "public here", "unblock-secret/")
RAW = ("GH013", "Push cannot contain", "push declined", "locations", "—")
"""What GitHub says beside that, which is no sentence for a player."""


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


def told(door: Doorstep, thread: Thread, *words: str) -> int:
    """How many comments of the steward say all this."""
    return sum(all(word in body.replace("\\", "") for word in words) for body in door.ours(thread))


def enact(door: Doorstep, pull: Pull) -> None:
    for who in ("dee", "eli", "fox"):
        door.review(who, pull)
    door.run()
    door.github.clock.advance(13 * HOUR)


def two_steps(door: Doorstep, name: str, files: dict[str, str | None], undone: dict[str, str | None]) -> Pull:
    """A pull request of cy's whose first commit brings files that its second takes out again."""
    slug = name.casefold()
    path = f"game/ruleset/2-dynastic/90-{slug}.md"
    door.sync(door.people["cy"])
    door.github.commit(door.people["cy"], {path: rule(name, f"{name} shines."), **files}, branch=slug)
    door.github.commit(door.people["cy"], undone, branch=slug)
    return door.github.open_pull(door.people["cy"], head=slug, title=name)


# ---- secrets


@pytest.mark.slow
def test_a_secret_in_a_comment_is_set_aside_and_all_else_is_played(door: Doorstep) -> None:
    door.http = True
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.review("eli", pull)
    said = door.say("dee", pull, f":for: {SECRET}")
    for who in ("fox", "ana", "ben"):
        door.review(who, pull)
    passed = door.run()
    assert door.ballots(1) == [(who, "for") for who in ("eli", "fox", "ana", "ben")]
    assert len(passed.deeds) == 4
    assert passed.problems == []
    assert told(door, pull, "@Dee", *BLOCKED) == 1
    assert SECRET not in "".join(door.ours(pull))
    called = "".join(body for body in door.ours(pull) if "@Dee" in body)
    assert [word for word in RAW if word in called] == []
    door.github.forget()
    door.say("ben", pull, "hm")
    assert door.run().deeds == []
    assert [each for each in door.github.asked("git") if each.path.endswith("/git-receive-pack")][1:] == []
    assert told(door, pull, "@Dee") == 1
    door.github.clock.advance(5)
    door.github.edit(door.people["dee"], said, ":against: no more")
    door.run()
    assert door.ballots(1)[-1] == ("dee", "against")
    assert door.faults() == []


@pytest.mark.slow
def test_a_secret_in_a_lonely_comment_is_told_too(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.say("dee", pull, f":for: {SECRET}")
    passed = door.run()
    assert (passed.deeds, passed.problems) == ([], [])
    assert told(door, pull, "@Dee", *BLOCKED) == 1


@pytest.mark.slow
def test_several_secrets_are_all_found(door: Doorstep) -> None:
    pulls = [door.propose(who, f"Rule {who}") for who in ("cy", "dee", "eli")]
    door.run()
    for number, who in enumerate(("ana", "ben", "fox", "cy", "dee", "eli") * 2):
        door.say(who, pulls[number % 3], f":for: since {SECRET if number in (1, 2, 7, 11) else number}")
    door.run()
    texts = [each["text"] for number in (1, 2, 3) for each in door.game().tree.comments(f"posts/{number}")]
    assert sorted(int(text.removeprefix("since ")) for text in texts) == [0, 3, 4, 5, 6, 8, 9, 10]
    assert sum(body.count("looks like a secret") for pull in pulls for body in door.ours(pull)) == 4
    assert door.faults() == []


@pytest.mark.slow
@pytest.mark.parametrize("where", ["branch", *(pytest.param(each, marks=DEEP) for each in ("title", "body"))])
def test_a_proposal_with_a_secret_is_set_aside_and_proposed_once_it_is_gone(
    door: Doorstep, where: str
) -> None:
    path = "game/ruleset/2-dynastic/90-moonlight.md"
    secret = {"title": f"Moon {SECRET}", "body": f"I have {SECRET}."}
    text = f"It shines: {SECRET}." if where == "branch" else "It shines."
    pull = door.propose(
        "cy",
        "Moonlight",
        files={path: rule("Moonlight", text)},
        body=secret["body"] if where == "body" else "",
    )
    if where == "title":
        door.github.edit(door.people["cy"], pull, title=secret["title"])
    other = door.propose("dee", "Sunlight")
    for _ in range(2):
        door.run()
        assert [door.post(1)["title"], len(list(door.game().tree.ids("posts")))] == ["Sunlight", 1]
        assert told(door, pull, "@Cy", *BLOCKED) == 1
    assert door.state(other) == "pending"
    door.github.clock.advance(5)
    if where == "branch":
        door.github.commit(
            door.people["cy"],
            {path: rule("Moonlight", "It shines.")},
            branch="moonlight",
            onto=door.github.repo.refs["main"],
        )
    else:
        door.github.edit(door.people["cy"], pull, "All is well.", title="Moonlight")
    door.run()
    assert (door.post(2)["title"], door.post(2)["author"]) == ("Moonlight", "cy")
    assert door.faults() == []


@pytest.mark.slow
def test_a_form_with_a_secret_stays_open_until_it_is_edited(door: Doorstep) -> None:
    issue = door.form("dee", "post", {"title": "Story", "body": f"Once {SECRET}."})
    for _ in range(2):
        door.run()
        assert (issue.state, list(door.game().tree.ids("posts"))) == ("open", [])
        assert told(door, issue, "@Dee", *BLOCKED) == 1
    door.github.clock.advance(5)
    door.github.edit(door.people["dee"], issue, issue.body.replace(SECRET, "upon a time"))
    door.run()
    assert (issue.state, door.post(1)["title"]) == ("closed", "Story")


# ---- histories that the forge does not take


@pytest.mark.slow
def test_a_branch_that_adds_a_workflow_and_takes_it_out_again_is_refused_at_once(door: Doorstep) -> None:
    pull = two_steps(door, "Moonlight", {WORKFLOW: "on: push\n"}, {WORKFLOW: None})
    door.run()
    assert list(door.game().tree.ids("posts")) == []
    squashed = ("git reset --soft", "git commit", "git push --force-with-lease")
    assert told(door, pull, "@Cy", "changes .github/workflows", *squashed) == 1
    files = {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It shines.")}
    door.github.commit(door.people["cy"], files, branch="moonlight", onto=door.github.repo.refs["main"])
    door.run()
    assert door.post(1)["title"] == "Moonlight"


def test_so_is_one_whose_changes_are_written_by_hand(door: Doorstep) -> None:
    door.sync(door.people["cy"])
    for text in ("on: push\n", None):
        door.github.commit(door.people["cy"], {WORKFLOW: text}, branch="set")
    body = "```changes\n- add-rule: {title: Moonlight, text: It shines., section: dynastic}\n```"
    pull = door.github.open_pull(door.people["cy"], head="set", title="Moonlight", body=body)
    door.run()
    assert list(door.game().tree.ids("posts")) == []
    assert told(door, pull, "@Cy", "changes .github/workflows") == 1


@pytest.mark.slow
def test_a_branch_whose_history_is_large_is_refused_with_its_largest_file(door: Doorstep) -> None:
    """Also where its end has nothing of it any more: what becomes a part of the game's history is fetched by everybody, for ever."""
    pull = two_steps(door, "Moonlight", {"big.txt": "x" * (9 << 20)}, {"big.txt": None})
    door.run()
    assert list(door.game().tree.ids("posts")) == []
    assert told(door, pull, "@Cy", "big.txt, of 9437184 bytes the largest", "git rebase --interactive") == 1
    files = {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It shines.")}
    door.github.commit(door.people["cy"], files, branch="moonlight", onto=door.github.repo.refs["main"])
    door.run()
    assert door.post(1)["title"] == "Moonlight"


@pytest.mark.slow
def test_workflows_that_come_from_the_games_own_branch_are_no_fault_of_a_branch(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.github.commit(door.github.owner, {WORKFLOW: "on: push\n"})
    fork = door.github.fork(door.people["cy"])
    git(fork.path, "fetch", "-q", str(door.github.repo.path), "main")
    tree = git(fork.path, "merge-tree", "--write-tree", "moonlight", "FETCH_HEAD")
    made = git(fork.path, "commit-tree", tree, "-p", "moonlight", "-p", "FETCH_HEAD", given=b"Merge main")
    git(fork.path, "update-ref", "refs/heads/moonlight", made)
    door.github.pushed(fork, door.people["cy"])
    assert pull.head_sha == made
    door.run()
    assert door.post(1)["title"] == "Moonlight"
    enact(door, pull)
    door.run()
    assert pull.merged


@pytest.mark.slow
@pytest.mark.parametrize("what", ["workflow", pytest.param("secret", marks=DEEP)])
def test_what_is_enacted_is_law_though_the_forge_does_not_take_its_branch(
    door: Doorstep, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by a proposal that was taken in before such branches were refused."""
    monkeypatch.setattr(Branches, "_on_its_way", lambda *_: ())
    path = WORKFLOW if what == "workflow" else "game/ruleset/2-dynastic/91-x.md"
    words = (
        ("Its history changes a workflow (.github/workflows/mine.yml), and no proposal may.",)
        if what == "workflow"
        else BLOCKED
    )
    pull = two_steps(
        door, "Moonlight", {path: f"x: {SECRET}\n" if what == "secret" else "on: push\n"}, {path: None}
    )
    other = door.propose("dee", "Sunlight")
    door.run()
    enact(door, pull)
    door.review("eli", other)
    door.run()
    assert door.post(1)["status"] == "enacted"
    assert "moonlight" in door.game().ruleset.by_slug
    assert door.ballots(2) == [("eli", "for")]
    assert told(door, pull, "enacted without merging its branch", *words) == 1
    door.run()
    assert (pull.state, pull.merged) == ("closed", False)
    assert pull.labels == ["enacted"]
    assert pull.head_sha not in git(door.github.repo.path, "rev-list", "main")
    assert door.faults() == []


# ---- refusals that are for no deed's sake


@pytest.mark.slow
def test_a_branch_to_which_the_steward_may_not_push_sets_nothing_aside(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.github.protect("main")
    for _ in range(2):  # it is said once, where everybody sees it
        passed = door.run()
        assert passed.deeds == []
        assert "GH006: Protected branch update failed for refs/heads/main" in "".join(passed.problems)
        assert door.ours(pull) == []
        [alarm] = [each for each in door.github.threads.values() if each.title == "The game has stopped"]
        said = alarm.body.replace("\\", "")
        assert "does not take what the steward records" in said
        assert "GH006" in said
        assert "nomicgit doctor" in said
        assert "no deed" not in said
        assert (alarm.pinned, alarm.state, alarm.comments) == (True, "open", [])
    door.github.protect("main", but=[door.github.steward])
    passed = door.run()
    assert (passed.problems, [deed.action for deed in passed.deeds]) == ([], ["propose"])
    assert door.post(1)["title"] == "Moonlight"
    assert door.run().problems == []
    assert (alarm.pinned, alarm.state) == (False, "closed")
    assert "the game goes on" in door.ours(alarm)[0]
    assert door.run().problems == []
    assert len(door.ours(alarm)) == 1


@pytest.mark.slow
def test_a_pass_that_dies_after_it_has_pushed_some_does_nothing_twice(
    door: Doorstep, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    for who, text in (("eli", "a"), ("fox", "b"), ("dee", SECRET), ("ana", "c")):
        door.say(who, pull, f":for: {text}")
    from nomicgit.steward.aside import Aside

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr(Aside, "_note", dies)
        with pytest.raises(KeyboardInterrupt):
            door.run()
    assert door.ballots(1) == [("eli", "for"), ("fox", "for")]
    door.github.clock.advance(300)
    door.run()
    assert door.ballots(1) == [("eli", "for"), ("fox", "for"), ("ana", "for")]
    assert told(door, pull, "@Dee", *BLOCKED) == 1
    assert door.faults() == []
