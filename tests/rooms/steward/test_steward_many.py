"""The steward with much to read: how many requests it takes, and how many matters it tries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fakegithub import FakeGitHub
from support.depth import is_deep
from support.doorstep import HOUR, Doorstep

from nomicgit.outlook import foreseen
from nomicgit.steward.standing import MOST_TRIED

DEEP, SOME = (100, 200, 2000, 40, 60), (8, 8, 120, 12, 18)
"""How many players, pull requests, comments, and votes among them, and at most how many requests to the forge."""


@pytest.fixture
def crowd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Doorstep]:
    """A game with some players more; in the deep profile with a hundred."""
    many = (DEEP if is_deep(request.config) else SOME)[0]
    monkeypatch.setattr("support.doorstep.PLAYERS", ("ana", "ben", *(f"p{n}" for n in range(many))))
    with FakeGitHub(tmp_path / "forge") as github:
        yield Doorstep(github, tmp_path / "clone")


@pytest.mark.slow
def test_of_many_pull_requests_with_many_new_comments_few_are_asked_for_and_tried(
    crowd: Doorstep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    players, many, comments, votes, most = DEEP if is_deep(request.config) else SOME
    github, people = crowd.github, list(crowd.people.values())[2:]
    pulls = []
    for number in range(many):
        body = f"```changes\n- {{add-rule: {{title: Rule {number}, text: It is rule {number}.}}}}\n```\n"
        who = people[number // 2]
        if number % 2 == 0:
            github.commit(who, {}, branch="empty", message="by hand")
        github.clock.advance(1)
        pulls.append(github.open_pull(who, head="empty", title=f"Rule {number}", body=body))
    tried, tries = tmp_path / "tried", foreseen.foreseen

    def noted(*asked: Any) -> Any:
        with tried.open("a", encoding="ascii") as file:  # the pass is played in a process of its own
            print(asked[2], file=file)
        return tries(*asked)

    def run() -> int:
        """A pass; how many matters it has tried."""
        tried.write_text("", encoding="ascii")
        crowd.run()
        return len(set(tried.read_text(encoding="ascii").split()))

    monkeypatch.setattr(foreseen, "foreseen", noted)
    assert run() == MOST_TRIED
    assert run() == min(MOST_TRIED, many - MOST_TRIED)
    assert crowd.run().nothing_new
    assert len((crowd.game().tree.entity("open") or {})["pending"]) == many
    for number in range(comments):
        github.clock.advance(1)
        text = ":for: yes" if number % (comments // votes) == 0 else f"I wonder about {number}."
        github.comment(people[(number + 7) % players], pulls[number % many], text)
    github.forget()
    before = crowd.deeds()
    assert run() <= MOST_TRIED
    assert crowd.deeds() == before + votes
    assert len(github.asked()) <= most


@pytest.mark.slow
def test_what_falls_due_with_nothing_new_is_resolved_and_told_in_few_requests(tmp_path: Path) -> None:
    with FakeGitHub(tmp_path / "forge") as github:
        door = Doorstep(github, tmp_path / "clone")
        pull = door.propose("cy", "Moonlight")
        for who in ("dee", "eli", "fox"):
            door.review(who, pull)
        door.run()
        door.run()
        github.clock.advance(12 * HOUR)
        github.forget()
        passed = door.run()
        assert (passed.nothing_new, [deed.action for deed in passed.deeds]) == (True, ["resolve"])
        assert len(github.asked()) <= 6
        assert "Post 1 is enacted" in door.report(pull)
