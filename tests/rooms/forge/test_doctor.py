"""The doctor: what is wrong with a game's place on GitHub, one thing at a time, and the whole against the fake."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakegithub import FakeGitHub, contract
from hostile.forging import Forger
from hostile.small import Small

from nomicgit.cli import main
from nomicgit.forge import setup
from nomicgit.forge.doctor import ASLEEP, STEWARD, TIMER, Here, examine
from nomicgit.forge.inspection import (
    Actions,
    Collaborator,
    Pages,
    Protection,
    Rule,
    Settings,
    Unseen,
    Workflow,
    WorkflowToken,
)
from nomicgit.forge.seen import Person
from nomicgit.record.forms import Forge

NOW = 1_767_225_600
SITE = "https://nomic-club.example/game/"
HERE = Here(Forge("nomic-club/game", SITE), dict(setup.owned()), [], [], "refs/heads/main", NOW)
[WHEEL] = setup.program().keys() - {setup.REQUIREMENTS}
EVIL = b"nomicgit @ https://evil.example/x.tar.gz\n"
RULES = (
    Rule("non_fast_forward"),
    Rule("deletion"),
    Rule("required_status_checks", (setup.STATUS,)),
    Rule("pull_request"),
)
SOUND = Settings(
    full_name="nomic-club/game", id=1, branch="main", of_organization=True, private=False, archived=False, issues=True,
    token_may=frozenset({"pull", "push", "admin"}), scopes=None, actions=Actions(enabled=True, allowed="all"),
    workflow_token=WorkflowToken("read", may_approve=False), fork_approval="first_time_contributors", protection=None,
    rules=RULES, pages=Pages("workflow", SITE), labels=(), collaborators=(Collaborator(Person(1, "ada"), "admin", True),),
    workflows=(Workflow(STEWARD, "active", NOW - 60),), has_key=False,
)  # fmt: skip
OLD = Protection((setup.STATUS,), True, False, True, False, False)
HIDDEN = Unseen("Resource not accessible")


def test_a_place_that_is_as_it_should_be() -> None:
    assert examine(SOUND, HERE).findings == ()
    assert [each.what for each in examine(SOUND, HERE).unseen] == ["who stands in a ruleset's bypass list"]


def test_without_an_app_what_only_one_can_shut_is_open_and_nothing_is_wrong() -> None:
    alone = replace(HERE, app=False)
    assert examine(replace(SOUND, rules=RULES[:2]), alone).findings == ()
    assert "whoever may write can press Merge" in examine(SOUND, alone).left_open[0].what
    assert [each.what for each in examine(replace(SOUND, rules=RULES[:1]), alone).findings] == [
        "the default branch takes its deletion"
    ]


def test_the_rulesets_are_such_as_github_reads() -> None:
    """Held to GitHub's published description of a rule, and to what this doctor asks for."""
    written = setup.files(Forge("ana/attic", "https://ana.github.io/attic/"))
    whole, least = (json.loads(written[path]) for path in (setup.RULESET, setup.WITHOUT_APP))
    assert {each["type"] for each in whole["rules"]} == {rule.kind for rule in RULES}
    assert {each["type"] for each in least["rules"]} == {"deletion", "non_fast_forward"}
    for each in whole["rules"]:
        schema = {"$ref": f"#/components/schemas/repository-rule-{each['type'].replace('_', '-')}"}
        assert list(contract.invalid(schema, each)) == []
    assert list(contract.invalid(schema, {"type": "required_status_checks", "parameters": {}})) != []
    assert (whole["target"], whole["enforcement"]) == ("branch", "active")
    assert whole["conditions"]["ref_name"]["include"] == ["~DEFAULT_BRANCH"]


def test_the_old_way_to_protect_a_branch_is_as_good() -> None:
    assert examine(replace(SOUND, rules=(), protection=OLD), HERE).findings == ()


@pytest.mark.parametrize(
    ("different", "what"),
    [
        ({"full_name": "nomic-club/another"}, "is called nomic-club/another now"),
        ({"archived": True}, "archived"),
        ({"private": True}, "the repository is private"),
        ({"issues": False}, "no issues"),
        ({"branch": "trunk"}, "default branch is not main"),
        ({"scopes": frozenset({"repo", "workflow"})}, "may more than the steward needs: workflow"),
        ({"actions": Actions(enabled=False, allowed="")}, "Actions are off"),
        ({"actions": Actions(enabled=True, allowed="local_only")}, "not even checkout"),
        ({"workflow_token": WorkflowToken("write", may_approve=False)}, "every workflow's token may write"),
        ({"workflow_token": WorkflowToken("read", may_approve=True)}, "may approve pull requests"),
        ({"fork_approval": "all_external_contributors"}, "waits for an owner"),
        ({"rules": (*RULES[:2], RULES[3])}, "the Merge button is open"),
        ({"rules": RULES[:3]}, "no pull request is required"),
        ({"rules": (), "protection": replace(OLD, pull_required=False)}, "no pull request is required"),
        ({"rules": RULES[1:]}, "takes force pushes"),
        ({"rules": (RULES[0], *RULES[2:])}, "takes its deletion"),
        ({"rules": (*RULES, Rule("pull_request", dismisses=True))}, "dismisses approvals"),
        ({"rules": (), "protection": replace(OLD, contexts=("build",))}, "the Merge button is open"),
        ({"rules": (), "protection": replace(OLD, force_pushes=True)}, "takes force pushes"),
        ({"rules": (), "protection": replace(OLD, dismisses=True)}, "dismisses approvals"),
        ({"pages": None}, "there is no site"),
        ({"pages": Pages("legacy", SITE)}, "built from a branch"),
        ({"pages": Pages("workflow", "https://elsewhere.example/")}, "the forms point to"),
        (
            {"collaborators": (Collaborator(Person(2, "cy"), "write", True),)},
            "may write though they own nothing",
        ),
        ({"workflows": ()}, "GitHub knows no such workflow"),
        ({"workflows": (Workflow(STEWARD, "disabled_inactivity", NOW),)}, "the steward does not run"),
        ({"workflows": (Workflow(STEWARD, "active", None),)}, "has not run ever"),
        (
            {
                "workflows": (
                    Workflow(STEWARD, "active", NOW - 60),
                    Workflow(TIMER, "disabled_inactivity", NOW),
                )
            },
            "the timer is off (disabled_inactivity)",
        ),
        ({"workflows": (Workflow(STEWARD, "active", NOW - ASLEEP - 1),)}, "has not run since"),
    ],
)
def test_one_thing_is_wrong_on_the_forge(different: dict[str, Any], what: str) -> None:
    found = examine(replace(SOUND, **different), HERE).findings
    assert len(found) == 1, found
    assert what in found[0].what
    assert found[0].mend


@pytest.mark.parametrize(
    ("different", "what"),
    [
        ({"owned": {**HERE.owned, STEWARD: None}}, "the workflow is missing"),
        ({"owned": {**HERE.owned, STEWARD: b"on: push\n"}}, "is not the one that comes with"),
        ({"owned": {**HERE.owned, setup.REQUIREMENTS: None}}, "the workflows install nothing"),
        (
            {"owned": {**HERE.owned, setup.REQUIREMENTS: EVIL}},
            "than this program: nomicgit @ https://evil.example/",
        ),
        ({"owned": {**HERE.owned, setup.REQUIREMENTS: b""}}, "install something else than this program"),
        ({"owned": {**HERE.owned, WHEEL: b"PK"}}, "is not this program, whatever is called so"),
        ({"left": [f"{setup.PROGRAMS}nomicgit-0.0.9-py3-none-any.whl"]}, "no workflow installs it any more"),
        (
            {"stale": [".github/ISSUE_TEMPLATE/explore.yml"]},
            "not what the rules make: explore.yml",
        ),
        ({"branch": "refs/heads/trunk"}, "default branch is not main"),
    ],
)
def test_one_thing_is_wrong_in_the_repository(different: dict[str, Any], what: str) -> None:
    found = examine(SOUND, replace(HERE, **different)).findings
    assert len(found) == 1, found
    assert what in found[0].what
    assert found[0].mend


@pytest.mark.parametrize(
    "part",
    [
        "actions",
        "workflow_token",
        "fork_approval",
        "protection",
        "rules",
        "pages",
        "labels",
        "collaborators",
        "workflows",
    ],
)
def test_what_the_token_may_not_see_is_said_and_not_guessed(part: str) -> None:
    blind: dict[str, Any] = {part: HIDDEN}
    found = examine(replace(SOUND, **blind), HERE)
    assert found.findings == ()
    assert any("Resource not accessible" in each.what for each in found.unseen)


def test_a_game_that_keeps_secrets_needs_its_key_among_the_secrets() -> None:
    keyed = replace(HERE, keys=True)
    [lacking] = examine(SOUND, keyed).findings
    assert "the steward has no key" in lacking.what
    assert examine(replace(SOUND, has_key=True), keyed).findings == ()
    hidden = examine(replace(SOUND, has_key=HIDDEN), keyed)
    assert hidden.findings == ()
    assert any("whether the steward has the key" in each.what for each in hidden.unseen)


@pytest.fixture
def doctor(
    tmp_path: Path, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Ask the doctor of a small game about the fake, as an owner; the exit code must be as told."""
    small = Small.found(tmp_path / "game", time="live", forge={"github": github.repo.full_name, "site": SITE})
    Forger(small).add("Setting up", setup.files(Forge(github.repo.full_name, SITE)))
    small.git("reset", "-q", "--hard")
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    monkeypatch.setenv("GITHUB_TOKEN", github.token(github.user("ada", role="admin")))

    def ask(*arguments: str, code: int) -> str:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["doctor", "-C", str(small.folder), *arguments])
        said = capsys.readouterr()
        assert ended.value.code == code, said
        return said.out + said.err

    return ask


def test_the_doctor_finds_what_is_wrong_with_a_bare_repository(doctor: Callable[..., str]) -> None:
    said = doctor(code=1)
    for what in (
        "the Merge button is open",
        "takes force pushes and its deletion",
        "there is no site",
        "no such workflow",
    ):
        assert what in said


def test_the_doctor_finds_nothing_where_all_is_set_up(doctor: Callable[..., str], github: FakeGitHub) -> None:
    github.protect("main", [setup.STATUS], but=[github.steward])
    github.settings |= {"pages": "workflow", "workflows": {STEWARD: ("active", 4_000_000_000)}}
    found = json.loads(doctor("--json", code=0))
    assert (found["repository"], found["sound"], found["findings"]) == (github.repo.full_name, True, [])


def test_the_doctor_says_what_its_token_does_not_see(doctor: Callable[..., str], github: FakeGitHub) -> None:
    github.settings["unseen"] = ["actions", "protection"]
    said = doctor(code=1)
    assert "not seen: whether Actions run" in said
    assert "the Merge button" not in said


def test_the_doctor_mends_workflows(doctor: Callable[..., str], tmp_path: Path) -> None:
    small = Small(tmp_path / "game")
    older = f"{setup.PROGRAMS}nomicgit-0.0.9-py3-none-any.whl"
    Forger(small).add("Ours is nicer", {STEWARD: b"on: push\n", setup.REQUIREMENTS: EVIL, older: b"PK"})
    small.git("reset", "-q", "--hard")
    said = doctor("--mend", code=0)
    assert f"brought: {STEWARD}" in said
    assert f"taken out: {older}" in said
    assert small.git("show", f":{STEWARD}").encode() == setup.workflows()[STEWARD]
    assert small.git("ls-files", setup.PROGRAMS).split() == [WHEEL]
    assert (small.folder / WHEEL).read_bytes() == setup.program()[WHEEL]
    assert not (small.folder / older).exists()
    assert "evil" not in small.git("show", f":{setup.REQUIREMENTS}")


def test_a_doctor_without_a_token_says_so(
    doctor: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    assert "GITHUB_TOKEN" in doctor(code=1)
