"""The workflows: what three programs that know GitHub's say of them, and what those do not look for."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from support.clones import Clone
from support.places import ROOT, lacking
from test_absences import DONE_WITHOUT

from nomicgit.forge import setup
from nomicgit.record.forms import Forge

FOLDER = ROOT / ".github" / "workflows"
PATHS = sorted(FOLDER.glob("*.yml"))
PINNED = re.compile(r"uses: [a-z-]+/[a-z-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+")
PLAYERS_WORDS = re.compile(
    r"title|body|head|ref_name|actor|sender|login|label|comment|review|inputs", re.IGNORECASE
)
KNOWN = {
    "github.event.pull_request.number", "github.token", "github.ref",
    "steps.pass.outputs.moved", "steps.app.outputs.token || github.token", "vars.NOMICGIT_APP", "secrets.NOMICGIT_APP_KEY",
    "secrets.NOMICGIT_ANNOUNCE",
    "secrets.NOMICGIT_SIGNING_KEY",
    "secrets.NOMICGIT_KEY",
    "steps.deployment.outputs.page_url", "runner.temp", "github.run_id",
    "matrix.system", "matrix.python", "matrix.needs", "matrix.without", "github.server_url", "github.repository",
}  # fmt: skip
"""All that the workflows ask of an event, a number, and of what owners and runners say."""

BAD = """
name: bad
on: issue_comment
jobs:
  tally:
    runs-on: ubuntu-latest
    steps:
      - run: echo "${{ github.event.comment.body }}"
"""


def tool(name: str, *arguments: str, cwd: Path) -> tuple[int, str]:
    """How a program of this environment ended, and what it said."""
    command = [str(Path(sys.executable).parent / name), *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def read(path: Path) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in PATHS:
        for name, job in read(path)["jobs"].items():
            yield f"{path.name}: {name}", job


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    for place, job in jobs():
        for step in job.get("steps", ()):
            yield f"{place}: {step['name']}", step


def test_zizmor_finds_nothing() -> None:
    code, said = tool("zizmor", "--offline", "--persona=auditor", str(FOLDER), cwd=ROOT)
    assert code == 0, said


def test_actionlint_finds_nothing() -> None:
    code, said = tool("actionlint", *map(str, PATHS), cwd=ROOT)
    assert code == 0, said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", PATHS),
        ("vendor.github-issue-forms", [ROOT / ".github/ISSUE_TEMPLATE" / name for name in ("fault.yml", "wish.yml")]),
        ("vendor.github-issue-config", [ROOT / ".github/ISSUE_TEMPLATE/config.yml"]),
        ("vendor.citation-file-format", [ROOT / "CITATION.cff"]),
    ],
)  # fmt: skip
def test_a_published_schema_is_kept(schema: str, files: list[Path]) -> None:
    code, said = tool(
        "check-jsonschema",
        "--default-filetype",
        "yaml",
        "--builtin-schema",
        schema,
        *map(str, files),
        cwd=ROOT,
    )
    assert code == 0, said


def test_the_labels_that_forms_set_are_named_for_whoever_sets_a_host_up() -> None:
    forms = [read(path) for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"]
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [line] = [line for line in guide.split("\n") if "ISSUE_TEMPLATE" in line]
    assert {label for form in forms for label in form["labels"]} == set(re.findall(r"`(\w+)`", line))


@pytest.mark.parametrize("name", ["zizmor", "actionlint"])
def test_the_programs_that_look_at_them_do_look(name: str, tmp_path: Path) -> None:
    bad = tmp_path / ".github" / "workflows" / "bad.yml"
    bad.parent.mkdir(parents=True)
    bad.write_text(BAD, encoding="utf-8")
    options = ["--offline", "--persona=auditor"] if name == "zizmor" else []
    code, said = tool(name, *options, str(bad), cwd=tmp_path)
    assert code != 0
    assert "github.event.comment.body" in said


def test_what_is_not_to_be_found_is_justified_in_the_line_above() -> None:
    for path in PATHS:
        lines = path.read_text(encoding="utf-8").split("\n")
        for above, line in itertools.pairwise(lines):
            assert "zizmor: ignore" not in line or above.strip().startswith("# "), f"{path.name}: {line}"


OF_TIMER = "github.event.workflow_run.name == 'timer' && format('steward-{0}', github.run_id)"
"""The queue of a pass that the timer rings for: nobody else's workflow can take its name."""


def test_nothing_that_players_write_comes_into_a_workflow() -> None:
    asked = {
        each.strip()
        for path in PATHS
        for each in re.findall(r"\$\{\{(.*?)\}\}", path.read_text(encoding="utf-8"))
    }
    assert asked == KNOWN | {
        "!cancelled() && needs.pass.outputs.moved == 'true' && vars.NOMICGIT_APP == ''",
        f"{OF_TIMER} || 'steward'",
    }
    assert [each for each in asked if PLAYERS_WORDS.search(each)] == []
    assert [place for place, step in steps() if "${{" in step.get("run", "")] == []


@pytest.mark.slow
def test_the_steward_signs_with_the_key_that_a_secret_holds(tmp_path: Path, git: Callable[..., str]) -> None:
    [script] = [step["run"] for _, step in steps() if "NOMICGIT_SIGNING_KEY" in step.get("env", {})]
    Clone(tmp_path).play("new", "clone", "--edition", "dungeon", "--player", "ana")
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "made")], check=True)
    runner = tmp_path / "runner"
    runner.mkdir()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "RUNNER_TEMP": str(runner)}
    for secret in ("", (tmp_path / "made").read_text().strip()):
        line = ["bash", "-eo", "pipefail", "-c", script]
        subprocess.run(line, cwd=tmp_path / "clone", env=env | {"NOMICGIT_SIGNING_KEY": secret}, check=True)
        assert (runner / "steward").exists() is bool(secret)
    assert (runner / "steward").stat().st_mode & 0o077 == 0
    words = (tmp_path / "made.pub").read_text().split()[:2]
    assert (runner / "steward.pub").read_text().split()[:2] == words
    kept = git("-C", "clone", "config", "nomicgit.stewardkey").strip()
    assert kept == str(runner / "steward")


def test_nothing_of_a_pull_request_is_checked_out_with_a_token_that_writes() -> None:
    for place, step in steps():
        if step.get("uses", "").startswith("actions/checkout@") and not place.startswith(
            ("test.yml", "release.yml")
        ):
            assert step["with"]["ref"] == "main", place
            assert step["with"]["persist-credentials"] is False, place
    assert "pull_request_target" not in read(FOLDER / "test.yml")[True]
    assert read(FOLDER / "release.yml")[True] == {"push": {"tags": ["v*"]}}


def test_no_job_may_more_than_it_says() -> None:
    assert [path.name for path in PATHS if read(path)["permissions"] != {}] == []
    may = {
        f"{place} {key}"
        for place, job in jobs()
        for key, what in job.get("permissions", {}).items()
        if what == "write"
    }
    assert may == {
        "check.yml: check pull-requests", "site.yml: deploy pages", "site.yml: deploy id-token",
        "steward.yml: pass contents", "steward.yml: pass issues", "steward.yml: pass pull-requests",
        "release.yml: publish attestations", "release.yml: publish id-token",
        "steward.yml: pass statuses", "steward.yml: site pages", "steward.yml: site id-token",
    }  # fmt: skip


def test_every_action_is_pinned_with_its_version_told() -> None:
    for path in PATHS:
        for line in path.read_text(encoding="utf-8").split("\n"):
            if " uses:" in line and "uses: ./" not in line:
                assert PINNED.search(line), f"{path.name}: {line}"


@pytest.mark.slow
def test_the_tests_run_on_each_system_on_the_oldest_and_newest_python_with_the_lowest_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import lock
    import lowest

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tests = read(FOLDER / "test.yml")["jobs"]
    places = tests["test"]["strategy"]["matrix"]["include"]
    ends = {lock.PYTHONS[0], lock.PYTHONS[-1]}
    assert project["requires-python"] == f">={lock.PYTHONS[0]}"
    for system in ("ubuntu", "macos"):
        assert {each["python"] for each in places if each["system"].startswith(system)} == ends
    assert {each["needs"] for each in places} == {"lowest", "newest"}
    assert tests["windows"]["runs-on"].startswith("windows")
    taken = [Requirement(each) for each in lock.wanted()]
    named = dict(each.split("==") for each in lowest.lowest())
    for each in taken:
        assert each.specifier.contains(named[each.name]), each
    needed = {
        str(each): each for each in needs(project["optional-dependencies"]["test"][1:]) if each.name in named
    }
    assert {each.name for each in needed.values()} >= {"click", "httpx"}
    assert [each for each in needed.values() if not each.specifier.contains(named[each.name])] == []


def needs(
    requirements: list[str], extras: frozenset[str] = frozenset(), seen: frozenset[str] = frozenset()
) -> Iterator[Requirement]:
    """What is required, and what that requires in turn, the tools of the tests with what they ask of the program's own packages."""
    for each in map(Requirement, requirements):
        if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in extras or {""}):
            yield each
            if each.name not in seen:
                yield from needs(
                    distribution(each.name).requires or [], frozenset(each.extras), seen | {each.name}
                )


def test_what_the_tests_hold_windows_to_is_what_is_said_there(tmp_path: Path) -> None:
    script = read(FOLDER / "test.yml")["jobs"]["windows"]["steps"][-1]["run"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    line = ["bash", "-eo", "pipefail", "-c", script]
    done = subprocess.run(
        line,
        cwd=tmp_path,
        env=lacking("windows") | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_lacking_in_the_tests_is_of_the_table() -> None:
    without = read(FOLDER / "test.yml")["jobs"]["lacking"]["strategy"]["matrix"]["without"]
    assert {*without} <= {*DONE_WITHOUT}


def test_a_pass_of_the_steward_is_never_broken_off() -> None:
    steward = read(FOLDER / "steward.yml")
    group = f"${{{{ {OF_TIMER} || 'steward' }}}}"
    assert steward["jobs"]["pass"]["concurrency"] == {"group": group, "cancel-in-progress": False}
    assert read(FOLDER / "timer.yml")["name"] == "timer"
    assert "concurrency" not in steward  # the site's build would hold the next pass up


def test_no_review_leaves_a_check_that_was_cancelled() -> None:
    """Only where a newer push is judged instead is a run broken off, of the same pull request."""
    assert read(FOLDER / "bell.yml")["concurrency"]["group"] == "bell-${{ github.run_id }}"  # its own alone
    broken_off = {
        path.name: asked
        for path in PATHS
        if (asked := read(path).get("concurrency", {})).get("cancel-in-progress")
    }
    assert broken_off.keys() <= {"check.yml", "test.yml"}
    assert "pull_request.number" in broken_off["check.yml"]["group"]


def test_the_steward_listens_to_the_bell() -> None:
    heard = read(FOLDER / "steward.yml")[True]["workflow_run"]["workflows"]
    assert heard == [read(FOLDER / name)["name"] for name in ("bell.yml", "timer.yml")]


def test_a_schedule_stands_alone_in_its_file() -> None:
    """GitHub switches a workflow off that has one, after sixty days; nothing else must go with it."""
    scheduled = [path.name for path in PATHS if "schedule" in read(path)[True]]
    assert scheduled == ["timer.yml"]
    assert read(FOLDER / "timer.yml")[True].keys() == {"schedule"}


def test_this_repositorys_workflows_are_those_of_every_game() -> None:
    for path, data in setup.workflows().items():
        assert (ROOT / path).read_bytes() == data, (
            f"cp nomicgit/forge/setup/workflows/{Path(path).name} {path}"
        )


def test_a_game_gets_its_workflows_its_program_and_a_guide() -> None:
    found = setup.files(Forge("ana/attic", "https://ana.github.io/attic/"))
    guide = found["SETUP.md"].decode()
    assert "https://github.com/ana/attic.git" in guide
    assert "https://ana.github.io/attic/" in guide
    assert "OWNER" not in guide
    assert setup.owned().items() <= found.items()


def test_what_the_workflows_install_is_named_by_its_hash_alone() -> None:
    [(path, wheel)] = ((path, data) for path, data in setup.program().items() if path.endswith(".whl"))
    text = setup.program()[setup.REQUIREMENTS].decode()
    head, *rest = [line for line in text.replace("\\\n", "").split("\n") if line and line[0] not in "#-"]
    assert head == f"./{path}[announce,forge,sealed,site] --hash=sha256:{hashlib.sha256(wheel).hexdigest()}"
    assert "\n--require-hashes\n" in text
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9a-z.]+( +--hash=sha256:[0-9a-f]{64})+", line) for line in rest)
    locked = dict(line.partition(" ")[0].split("==") for line in rest)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (project["optional-dependencies"][extra] for extra in ("forge", "sealed", "site"))
    for need in map(Requirement, [*project["dependencies"], *itertools.chain(*extras)]):
        assert locked[canonicalize_name(need.name)] in need.specifier, "python tools/lock.py"
