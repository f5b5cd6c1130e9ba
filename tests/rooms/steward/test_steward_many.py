"""The steward with much to read: how many requests it takes, and how long by its own clock."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub import FakeGitHub
from support.doorstep import HOUR, REPOSITORY, Doorstep

PULLS, COMMENTS, VOTES = 200, 2000, 40


@pytest.fixture
def crowd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Doorstep]:
    """A game with a hundred players more."""
    monkeypatch.setattr("support.doorstep.PLAYERS", ("ana", "ben", *(f"p{number}" for number in range(100))))
    with FakeGitHub(tmp_path / "forge") as github:
        yield Doorstep(github, tmp_path / "clone")


PASS = """
import json, resource, sys
from nomicgit.forge.github import GitHub
from nomicgit.git import Repository
from nomicgit.steward.passing import Steward

said = json.loads(sys.argv[1])
now = lambda: said["now"]
forge = GitHub(said["repository"], said["token"], api=said["api"], graphql=said["graphql"], now=now, wait=sys.exit)
Steward(Repository.open(said["folder"]), said["address"], forge, now, said["token"]).run()
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(sum(each.ru_utime + each.ru_stime for each in used))
"""


def own_time(door: Doorstep) -> float:
    """The processor time of a pass, all of it, as it is run: in a process that has nothing else in its memory."""
    github = door.github
    github.clock.advance(60)
    said = {
        "repository": REPOSITORY, "token": github.token(github.steward), "api": github.url, "graphql": github.graphql,
        "folder": str(door.folder), "address": github.git_url(), "now": github.time(),
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", PASS, json.dumps(said)], stdout=subprocess.PIPE, text=True, check=True
    )
    return float(done.stdout)


@pytest.mark.slow
def test_two_hundred_pull_requests_with_two_thousand_new_comments(crowd: Doorstep) -> None:
    github, people = crowd.github, list(crowd.people.values())[2:]
    pulls = []
    for number in range(PULLS):
        body = f"```changes\n- {{add-rule: {{title: Rule {number}, text: It is rule {number}.}}}}\n```\n"
        who = people[number // 2]
        if number % 2 == 0:
            github.commit(who, {}, branch="empty", message="by hand")
        github.clock.advance(1)
        pulls.append(github.open_pull(who, head="empty", title=f"Rule {number}", body=body))
    crowd.run()
    crowd.run()
    assert crowd.run().nothing_new
    assert len((crowd.game().tree.entity("open") or {})["pending"]) == PULLS
    for number in range(COMMENTS):
        github.clock.advance(1)
        text = ":for: yes" if number % (COMMENTS // VOTES) == 0 else f"I wonder about {number}."
        github.comment(people[(number + 7) % 100], pulls[number % PULLS], text)
    github.forget()
    before = crowd.deeds()
    took = own_time(crowd)
    assert crowd.deeds() == before + VOTES
    assert len(github.asked()) <= 60
    assert took < 5


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
