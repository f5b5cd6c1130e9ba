"""What a token needs, as docs, guide and workflows say it: enough for all that is asked for by it, and nothing more.

The fake asks of each request what GitHub publishes of it (`fakegithub.permissions`).
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from fakegithub import FakeGitHub
from hostile.forging import Forger
from hostile.small import Small
from support.doorstep import Doorstep, doorstep
from support.parlour import commands

from nomicgit.cli.app import app
from nomicgit.forge import apps, setup
from nomicgit.forge.github import GitHub
from nomicgit.forge.inspection import Unseen
from nomicgit.ground.problems import NomicError
from nomicgit.record.forms import Forge

Grant = Mapping[str, str]
ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/github.md").read_text(encoding="utf-8")
ITALIC = r"\*([A-Z][A-Za-z ]+)\*"
SAID = re.compile(rf"((?:{ITALIC}(?:, | and )?)+): (read and write|read)")
NAMES = {"Commit statuses": "statuses", "Variables": "actions_variables", "Pull requests": "pull_requests"}
SITE = "https://nomic-club.example/game/"


def permissions(text: str, *, organization: bool = False) -> dict[str, str]:
    """The permissions that a text names, by GitHub's own names."""
    before = "organization_" if organization else ""
    return {
        before + NAMES.get(name, name.lower()): "write" if match[3] == "read and write" else "read"
        for match in SAID.finditer(text)
        for name in re.findall(ITALIC, match[1])
    }


def row(what: str) -> dict[str, str]:
    """What the docs' table says that a token needs for something."""
    [line] = [line for line in PAGE.splitlines() if line.startswith("| ") and what in line.split("|")[1]]
    _, _, of_repository, of_organization, _ = line.split("|")
    return permissions(of_repository) | permissions(of_organization, organization=True)


SETUP, DOCTOR, STEWARD, PUSH = map(
    row, ("`nomicgit setup`", "`nomicgit doctor`", "`nomicgit steward`", "first push")
)


def without(grant: Grant) -> Iterator[tuple[str, Grant]]:
    """Each way to leave one permission out, or to let only read by it."""
    for name, level in grant.items():
        yield name, {key: value for key, value in grant.items() if key != name}
        if level == "write":
            yield name, {**grant, name: "read"}


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A forge where all that is looked at is there."""
    with FakeGitHub(tmp_path / "forge") as forge:
        forge.app("court", 77)
        forge.settings |= {
            "pages": "workflow",
            "variables": {apps.VARIABLE: "77"},
            "secrets": ["NOMICGIT_KEY"],
            "environments": {"nomicgit": {"branches": ["main"], "secrets": ["NOMICGIT_KEY"]}},
            "workflows": {".github/workflows/steward.yml": ("active", forge.clock.now)},
        }
        yield forge


def unseen(github: FakeGitHub, grant: Grant) -> set[str]:
    """What an owner's token does not see of how the repository is set up."""
    token = github.fine_grained_token(github.user("ada", role="admin"), grant)
    with GitHub(github.repo.full_name, token, api=github.url, wait=github.wait, now=github.time) as forge:
        seen = forge.settings()
    dark = {name for name in seen.__struct_fields__ if isinstance(getattr(seen, name), Unseen)}
    unsure = isinstance(seen.app, apps.App) and seen.app.installed is None
    return dark | ({"whether the App is installed"} if unsure else set())


def test_the_guide_says_what_the_docs_say() -> None:
    guide = setup.files(Forge("nomic-club/game", SITE))["SETUP.md"].decode()
    parts = {part[0]: part for part in guide.split("\n## ")[1:]}
    of_setup = re.split(
        "organisation permissions", next(li for li in parts["4"].splitlines() if "permissions" in li)
    )
    assert permissions(of_setup[0]) | permissions(of_setup[1], organization=True) == SETUP
    line = next(li for li in parts["9"].splitlines() if li.startswith("Its repository permissions"))
    of_doctor, of_steward = line.split("A pass of the steward")
    own, of_organization = of_doctor.split("organisation permissions")
    assert permissions(own) | permissions(of_organization, organization=True) == DOCTOR
    assert permissions(of_steward) == STEWARD
    assert permissions(parts["1"]) == PUSH
    of_app = next(li for li in parts["3"].splitlines() if "Repository permissions" in li)
    assert permissions(of_app) == dict.fromkeys(apps.WRITES, "write") == STEWARD


def test_the_workflows_ask_for_what_the_docs_say() -> None:
    """The steward's run, the App's token made in it, and the check."""
    files = setup.workflows()
    steward = yaml.safe_load(files[".github/workflows/steward.yml"])["jobs"]["pass"]
    assert {key.replace("-", "_"): value for key, value in steward["permissions"].items()} == STEWARD
    [made] = [step["with"] for step in steward["steps"] if "create-github-app-token" in step.get("uses", "")]
    asked = {
        key.removeprefix("permission-"): value for key, value in made.items() if key.startswith("permission-")
    }
    assert {key.replace("-", "_"): value for key, value in asked.items()} == STEWARD


def test_the_doctor_sees_all_by_just_what_the_docs_say(github: FakeGitHub) -> None:
    assert unseen(github, DOCTOR) == set()
    assert [name for name, grant in without(DOCTOR) if not unseen(github, grant)] == []


@pytest.mark.slow
def test_setup_needs_just_what_the_docs_say(
    github: FakeGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = Small.found(tmp_path / "game", time="live", forge={"github": github.repo.full_name, "site": SITE})
    Forger(small).add("Setting up", setup.files(Forge(github.repo.full_name, SITE)))
    small.git("reset", "-q", "--hard")
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    ada = github.user("ada", role="admin")

    def lay(grant: Grant, code: int | None) -> str:
        github.rulesets.clear()
        monkeypatch.setenv("GITHUB_TOKEN", github.fine_grained_token(ada, grant))
        return commands(capsys, "setup", "-C", str(small.folder))(code=code).all

    whole = lay(SETUP, 0)
    assert "is laid; the App court passes by it" in whole
    for name, grant in without(SETUP):
        assert lay(grant, 0 if name.startswith("organization") else 1) != whole, name


def a_day(door: Doorstep) -> None:
    """Somebody proposes, somebody votes by a review and somebody by a comment, somebody acts by a form."""
    pull = door.propose("cy", f"Moonlight {len(door.github.threads)}")
    door.review("dee", pull)
    door.say("eli", pull, ":against:")
    door.form("fox", "roll", {"dice": "DICE6"})


def by(door: Doorstep, grant: Grant) -> list[str]:
    """What is in the way of a pass by a token that may just this."""
    github = door.github
    token = github.fine_grained_token(github.steward, grant)
    forge = GitHub(github.repo.full_name, token, api=github.url, wait=github.wait, now=github.time)
    try:
        return door.run(forge=forge, token=token).problems
    except NomicError as wrong:
        return [str(wrong)]


@pytest.mark.slow
def test_a_pass_needs_just_what_the_docs_say(tmp_path: Path) -> None:
    """Without any of it something is in the way and is said; with all of it the pass does and says everything."""
    with doorstep(tmp_path, http=True) as door:
        a_day(door)
        for name, grant in without(STEWARD):
            before, said = door.deeds(), "\n".join(by(door, grant))
            assert "Resource not accessible" in said or "403" in said, (name, grant)
            assert door.deeds() == before or name != "contents"
            a_day(door)
            door.github.clock.advance(600)
        assert by(door, STEWARD) == []
        pull = door.github.pulls()[0]
        assert (door.state(pull), "pending" in pull.labels) == ("pending", True)
        door.github.merge(door.github.owner, pull)
        assert not any("accessible" in each for each in by(door, STEWARD))
        [alarm] = [
            each
            for each in door.github.threads.values()
            if (each.title, each.state) == ("The game has stopped", "open")
        ]
        assert alarm.pinned
        assert door.faults() != []


@pytest.mark.slow
def test_the_check_needs_just_what_its_workflow_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = yaml.safe_load(setup.workflows()[".github/workflows/check.yml"])["jobs"]["check"]
    asked = {key.replace("-", "_"): value for key, value in job["permissions"].items()}
    with doorstep(tmp_path, http=True) as door:
        pull, github = door.propose("cy", "Moonlight"), door.github
        monkeypatch.setenv("GITHUB_API_URL", github.url)
        monkeypatch.setenv("GITHUB_SERVER_URL", github.url)

        def judge(grant: Grant) -> int:
            monkeypatch.setenv("GITHUB_TOKEN", github.fine_grained_token(github.steward, grant))
            arguments = ["-C", str(door.folder), "preview", str(pull.number), "--comment"]
            return CliRunner().invoke(app, arguments).exit_code

        assert asked == {"contents": "read", "pull_requests": "write"}
        assert judge({**asked, "pull_requests": "read"}) != 0
        assert pull.comments == []
        assert judge(asked) == 0
        assert len(pull.comments) == 1


@pytest.mark.slow
def test_the_first_push_needs_just_what_the_docs_say(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    Forger(small).add("Setting up", setup.files(Forge("nomic-club/game", SITE)))
    with FakeGitHub(tmp_path / "forge") as github:
        ada = github.user("ada", role="admin")

        def push(grant: Grant) -> subprocess.CompletedProcess[str]:
            token = github.fine_grained_token(ada, grant)
            address = f"{github.url}/{github.repo.full_name}.git".replace(
                "://", f"://x-access-token:{token}@"
            )
            command = [
                "git",
                "-C",
                str(small.folder),
                "push",
                "-q",
                "--force",
                address,
                "HEAD:refs/heads/main",
            ]
            return subprocess.run(command, capture_output=True, text=True, check=False)

        whys = {name: push(grant).stderr for name, grant in without(PUSH)}
        assert "403" in whys["contents"]
        assert "without `workflow` scope" in whys["workflows"]
        assert push(PUSH).returncode == 0
