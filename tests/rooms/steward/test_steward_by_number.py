"""Matters that stand on no thread of the forge: made in a clone, voted on from a comment or an issue without a form."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.small import git_in
from support.doorstep import Doorstep, doorstep

from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id


def proposed_in_a_clone(door: Doorstep, folder: Path, titles: dict[str, str]) -> Path:
    """Somebody proposes in a clone under each title, and pushes; where that clone is."""
    clone = folder / "cys"
    git_in(folder, "clone", "-q", str(door.github.repo.path), str(clone))
    now = door.github.time()
    game = Game.open(clone)
    with game.repository:
        for title, who in titles.items():
            given = {"title": title, "changes": [{"set": {"dynasty.name": title}}]}
            game.act(Deed(new_id(now), who, "propose", given, now))
    git_in(clone, "push", "-q", "origin", "main")
    return clone


@pytest.mark.slow
def test_a_matter_of_a_clone_is_voted_on_by_its_number_from_a_phone(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        early = door.github.issue(door.people["fox"], "Vote", "/vote 1 for")
        door.github.clock.advance(60)
        clone = proposed_in_a_clone(door, tmp_path, {"Birds": "cy", "Bees": "cy", "Wasps": "fox"})
        door.github.clock.advance(60)
        alone = door.github.issue(door.people["dee"], "Vote on post 1", "/vote 1 for I don't mind\nbirds")
        talk = door.github.issue(door.people["eli"], "Hello", "How does one vote?\n\n/status")
        door.say("ana", talk, "/vote 1 :against: no birds\n\n/vote 2 for")
        for slip in ("/vote 1", "/vote 99 for", "/vote 1 2 for", "/tally", ":for:"):
            door.say("ben", talk, slip)
        door.run()
        assert door.ballots(1) == [("dee", "for"), ("ana", "against")]
        assert door.ballots(2) == [("ana", "for")]
        assert "last post or comment at" not in "".join(door.ours(alone)).replace(
            "\\", ""
        )  # of the vote itself
        words = [each["text"] for each in door.game().tree.comments("posts/1")]
        assert words == ["I don't mind\nbirds", "no birds"]
        assert (alone.state, early.state) == ("closed", "closed")
        assert "dee: **vote** is done" in door.ours(alone)[0]
        assert "was for something else than what post 1 brings now" in door.ours(early)[0]
        told = "".join(door.ours(talk)).replace("\\", "")
        assert told.count("ana: **vote** is done") == 2
        assert "say one of /vote for, /vote against" in told
        assert "there is no post 99" in told
        assert "a vote names one matter" in told
        assert told.count("/vote 12 for") == 3  # /status, /tally, and a vote where there is no matter
        # What is edited between a vote and the pass that reads it is something else.
        git_in(clone, "pull", "-q")
        door.say("eli", talk, "/vote 3 for")
        door.github.clock.advance(60)
        edit = {"post": "3", "changes": [{"set": {"dynasty.name": "Hornets"}}]}
        game, now = Game.open(clone), door.github.time()
        with game.repository:
            game.act(Deed(new_id(now), "fox", "edit-post", edit, now))
        git_in(clone, "push", "-q", "origin", "main")
        door.run()
        assert door.ballots(3) == []
        assert "was for something else than what post 3 brings now" in door.ours(talk)[-1]
        assert door.faults() == []


def test_somebody_with_the_forges_own_app_joins_and_acts_by_issues_without_forms(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        gus = door.github.user("Gus")
        joining = door.github.issue(gus, "Let me in", "/join")
        rolling = door.github.issue(door.people["dee"], "A die", "/act roll dice=DICE6")
        door.run()
        assert (joining.state, rolling.state) == ("closed", "closed")
        assert "Gus waits for an admin" in door.ours(joining)[0]
        assert "d6 gave" in door.ours(rolling)[0]
        told = door.ours(joining)[0].replace("\\", "")
        assert [line for line in told.splitlines() if line.startswith("- Gus")] == [
            "- Gus waits for an admin, who adds them to the roster by admit.",
            "- Gus is one of the newcomers now",
        ]  # not that their name is theirs, and that they have asked
        admitting = door.github.issue(door.people["ben"], "Welcome", "/act admit newcomer=Gus")
        door.run()
        told = door.ours(admitting)[0].replace("\\", "")
        assert [line for line in told.splitlines() if line.startswith("- ")] == [
            "- Gus is none of the newcomers any more",
            "- Gus is one of the players now",
            "- Gus's puissance is 10 now",
        ]
        door.say("ben", joining, "/act resign-admin")
        admitted = door.github.repo.refs["main"]  # the newest deed, as its page and the log name it
        door.say("dee", joining, f"/act undo deed={admitted[:10]}")
        door.run()
        assert "- ben is not admin any more\n" in "".join(door.ours(joining)).replace("\\", "")
        assert "That followed the rules" in door.ours(joining)[-1].replace("\\", "")  # the law was asked
        kept = door.game()
        offered = kept.repository.file(kept.head.tree, ".github/ISSUE_TEMPLATE/config.yml") or b""
        assert b"blank_issues_enabled: true" in offered


@pytest.mark.slow
def test_a_number_with_its_sign_is_the_matter_that_stands_there_where_that_can_be_told(
    tmp_path: Path,
) -> None:
    """Threads and posts are counted apart: here post 1 stands on no thread, post 2 on thread 1 and post 3 on thread 4."""
    with doorstep(tmp_path) as door:
        proposed_in_a_clone(door, tmp_path, {"Birds": "cy"})
        first = door.propose("fox", "Moonlight")
        talk = door.github.issue(door.people["eli"], "Hello", "How does one vote?")
        door.github.issue(door.people["eli"], "Well", "What else?")
        other = door.propose("eli", "Sunlight")
        door.run()
        threads = {number: (door.post(number).get("forge") or {}).get("github") for number in (1, 2, 3)}
        assert threads == {1: None, 2: first.number, 3: other.number}
        assert (first.number, other.number) == (1, 4)
        for vote in ("/vote #1 for", "/vote #4 against", "/vote #3 for", "/vote #7 veto"):
            door.say("dee", talk, vote)
        door.run()
        assert [door.ballots(number) for number in (1, 2)] == [[], []]
        assert door.ballots(3) == [("dee", "against"), ("dee", "for")]  # of its thread, and of its own number
        told = "".join(door.ours(talk)).replace("\\", "").replace("\u200b", "")
        asked = "whether #1 is the matter that stands there, post 2, or post 1 (/vote 2 for, or /vote 1 for)"
        assert asked in told
        assert told.count("there is no post 7") == 1
        assert door.faults() == []
