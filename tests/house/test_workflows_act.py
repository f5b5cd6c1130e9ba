"""The workflows, run whole on this machine against the fake forge."""

from __future__ import annotations

import venv
from collections.abc import Iterator
from pathlib import Path

import pip
import pytest
from support.doorstep import Doorstep, doorstep
from support.runner import ACT, Runner

from nomicgit.forge import setup
from nomicgit.outlook import preview

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ACT.exists(), reason="act is not installed: pip install -e '.[test]'"),
]
NASTY = '$(touch pwned) `touch pwned` "; touch pwned #'


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


@pytest.fixture
def runner(door: Doorstep, tmp_path: Path) -> Runner:
    return Runner(door, tmp_path)


def test_a_form_becomes_a_deed_is_answered_and_the_site_is_deployed(
    door: Doorstep, runner: Runner, tmp_path: Path
) -> None:
    issue = door.form(
        "cy", "post", {"kind": "story", "title": NASTY, "body": "Dark.\n\n::error::x\n::add-mask::e"}
    )
    payload = door.github.payload("opened", issue, sender=door.people["cy"])
    ran = runner.run("steward.yml", "issues", payload)
    assert ran.code == 0, ran.log
    assert door.post(1)["title"] == NASTY
    assert (issue.state, len(door.ours(issue)) > 0) == ("closed", True)
    assert (runner.deployed / "deployed").exists()
    assert "Dark." in (runner.deployed / "posts" / "1" / "index.html").read_text(encoding="utf-8")
    assert list(tmp_path.rglob("pwned")) == []
    assert "::error::x" not in ran.log
    assert door.faults() == []


def test_a_game_runs_the_program_that_lies_in_it_and_no_other(door: Doorstep, tmp_path: Path) -> None:
    """In an environment and a home that hold nothing: what is installed is the game's own wheel, by its hash."""
    venv.create(tmp_path / "runner", with_pip=False, symlinks=True)
    [packages] = (tmp_path / "runner").glob("lib/python*/site-packages")
    for each in Path(pip.__file__).parent.parent.iterdir():
        if "nomicgit" not in each.name:
            (packages / each.name).symlink_to(each)
    runner = Runner(door, tmp_path, tmp_path / "runner" / "bin")
    issue = door.form("cy", "post", {"kind": "story", "title": "Dusk", "body": "Dark."})
    payload = door.github.payload("opened", issue, sender=door.people["cy"])
    ran = runner.run("steward.yml", "issues", payload, "--job", "pass")
    assert ran.code == 0, ran.log
    assert "Successfully installed nomicgit" in ran.log
    assert (packages / "nomicgit" / "forge" / "setup" / "locked.txt").exists()
    assert (door.post(1)["title"], issue.state) == ("Dusk", "closed")
    [path] = (path for path in setup.program() if path.endswith(".whl"))
    door.github.commit(door.github.owner, {path: b"PK"}, message="Another program")
    assert "DO NOT MATCH THE HASHES" in runner.run("steward.yml", "issues", payload, "--job", "pass").log


def test_what_nobody_voted_for_is_failed_by_the_schedule(door: Doorstep, runner: Runner) -> None:
    pull = door.propose("cy", "Moonlight")  # on the fake's clock, which is months behind the machine's
    rung = runner.run("timer.yml", "schedule", {"schedule": "7,22,37,52 * * * *"})
    assert "It is time." in rung.log
    sender = {"login": "github-actions[bot]", "type": "Bot"}
    ran = runner.run("steward.yml", "issue_comment", {"action": "created", "sender": sender}, "--job", "pass")
    assert (ran.code, pull.state) == (0, "open"), ran.log  # what the steward itself has said wakes nobody
    ran = runner.run(
        "steward.yml", "workflow_run", {"action": "completed", "sender": sender}, "--job", "pass"
    )
    assert ran.code == 0, ran.log
    assert (door.post(1)["status"], pull.state) == ("failed", "closed")
    assert door.faults() == []


def test_a_pass_that_moves_nothing_has_no_site_built(door: Doorstep, runner: Runner) -> None:
    issue = door.github.issue(door.people["cy"], "Hello", "Nothing to do.")
    payload = door.github.payload("opened", issue, sender=door.people["cy"])
    ran = runner.run("steward.yml", "issues", payload)
    assert ran.code == 0, ran.log
    assert "Job succeeded" in ran.log
    assert not runner.deployed.exists()


def test_the_variable_stops_it(door: Doorstep, runner: Runner) -> None:
    issue = door.form("cy", "post", {"title": "Dusk", "body": "It was dark."})
    payload = door.github.payload("opened", issue, sender=door.people["cy"])
    ran = runner.run("steward.yml", "issues", payload, "--var", "NOMICGIT=off")
    assert ran.code == 0, ran.log
    assert issue.state == "open"


def test_a_pull_request_is_judged_as_data(door: Doorstep, runner: Runner, tmp_path: Path) -> None:
    pull = door.propose("cy", "Moonlight", body=NASTY)
    payload = door.github.payload("opened", pull, sender=door.people["cy"])
    ran = runner.run("check.yml", "pull_request_target", payload)
    assert ran.code == 0, ran.log
    (body,) = door.ours(pull)
    assert preview.is_ours(body)
    assert "It can be proposed" in body
    assert list(tmp_path.rglob("pwned")) == []


def test_a_review_rings_the_bell(door: Doorstep, runner: Runner) -> None:
    pull = door.propose("cy", "Moonlight")
    review = door.review("dee", pull, body=NASTY)
    payload = door.github.payload("submitted", pull, sender=door.people["dee"], review=review)
    ran = runner.run("bell.yml", "pull_request_review", payload)
    assert ran.code == 0, ran.log
    assert "A review has come." in ran.log
