"""Who wakes the steward: what happens in a game's place, by its own workflows and GitHub's rules of which runs start."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakegithub.runs import Runs
from support.doorstep import Doorstep, doorstep

from nomicgit.forge import setup

pytestmark = pytest.mark.slow


def test_who_is_new_is_counted_by_the_timer_and_all_others_at_once(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        runs = Runs(setup.workflows(), door.run)
        cy, dee, eli = (door.people[name] for name in ("cy", "dee", "eli"))
        runs.new.add(dee.id)
        pull = door.propose("cy", "Moonlight")
        runs.happens("pull_request_target", "opened", cy)
        assert door.state(pull) == "pending"
        door.review("dee", pull)
        runs.happens("pull_request_review", "submitted", dee)
        assert (runs.waiting, door.ballots(1)) == (["bell"], [])
        runs.quarter_of_an_hour()
        assert door.ballots(1) == [("dee", "for")]
        door.review("eli", pull)
        runs.happens("pull_request_review", "submitted", eli)
        assert door.ballots(1) == [("dee", "for"), ("eli", "for")]
        door.say("dee", pull, ":against:")
        runs.happens("issue_comment", "created", dee)  # it runs in the name of the game's own branch
        assert door.ballots(1)[-1] == ("dee", "against")
        assert runs.ran == ["check", "steward", "timer", "steward", "bell", "steward", "steward"]


def test_what_the_steward_says_wakes_nobody_whoever_speaks_for_it(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        runs = Runs(setup.workflows(), door.run)
        for who, of_run in ((door.github.steward, True), (door.github.app("court", 77), False)):
            for event, action in (
                ("issue_comment", "created"), ("issue_comment", "edited"), ("issues", "opened"), ("issues", "closed"),
                ("pull_request_target", "closed"),
            ):  # fmt: skip
                runs.happens(event, action, who, of_run=of_run)
        assert runs.ran == []


def test_runs_that_are_cancelled_lose_nothing(tmp_path: Path) -> None:
    """While a pass writes, four more say something; of their runs one is left."""
    with doorstep(tmp_path, http=True) as door:
        runs = Runs(setup.workflows(), door.run)
        board = door.github.issue(door.people["ben"], "The board")
        late = ["dee", "eli", "fox", "ana"]

        def meanwhile() -> None:
            if any(b"mutation" in asked.body for asked in door.github.asked("graphql")):
                while late:
                    said(door, runs, late.pop(), board)

        door.github.between = meanwhile
        said(door, runs, "cy", board)
        door.github.between = None
        assert (runs.ran, runs.cancelled) == (["steward", "steward"], ["steward"] * 3)
        told = "".join(door.ours(board))
        for name in ("cy", "dee", "eli", "fox", "ana"):
            assert told.count(f"{name}: **roll** is done") == 1
        assert door.faults() == []


def said(door: Doorstep, runs: Runs, who: str, board: object) -> None:
    door.say(who, board, "/act roll dice=DICE6")  # type: ignore[arg-type]
    runs.happens("issue_comment", "created", door.people[who])
