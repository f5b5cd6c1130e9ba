"""Running a game's workflows whole on this machine, against the fake forge, as GitHub runs them: by ``act``, without containers.

What it does not show: permissions, environments, concurrency, who may start a run, schedules.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nomicgit.forge import setup
from nomicgit.record.forms import forge_of
from support.doorstep import REPOSITORY, Doorstep

ACT = Path(sys.executable).parent / "act"
SITE = "site_name: Test\ntheme: {name: material, font: false}\nplugins: [search, nomicgit]\n"
PROGRAM = "# the one at hand\n"

UNKNOWN = re.compile(rb"(?m)^ +deployment: false.*\n")
"""What GitHub takes, and ``act`` 0.2 refuses as unknown."""
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "GIT_CONFIG_NOSYSTEM": "1"}
"""What a runner with a Python of its own has of an environment: its packages lie there already."""

ACTIONS = {
    "actions/checkout": 'runs: {using: composite, steps: [{shell: bash, run: git clone -q "$FORGE_GIT" .}]}\n',
    "actions/setup-python": "runs: {using: composite, steps: [{shell: bash, run: python --version}]}\n",
    "actions/create-github-app-token": "runs: {using: composite, steps: [{shell: bash, run: exit 1}]}\n",
    "actions/upload-pages-artifact": (
        "inputs: {path: {required: true}}\nruns:\n  using: composite\n  steps:\n    - shell: bash\n"
        '      run: cp -r "$SITE" "$DEPLOYED"\n      env: {SITE: "${{ inputs.path }}"}\n'
    ),
    "actions/deploy-pages": 'runs: {using: composite, steps: [{shell: bash, run: touch "$DEPLOYED/deployed"}]}\n',
}
"""What stands in for GitHub's own actions: a clone of the fake's repository, the Python at hand, a folder for Pages."""


def own_lines() -> str:
    """What a game installs, without what lies there already: the packages, of which no index is asked here."""
    lines = setup.program()[setup.REQUIREMENTS].decode().split("\n")
    own = next(number for number, line in enumerate(lines) if line.startswith("./"))
    return "\n".join(lines[: own + 1]) + "\n"


@dataclass(frozen=True, slots=True)
class Ran:
    """A run: how it ended, and its log."""

    code: int
    log: str


class Runner:
    """The runner of a game's workflows. ``deployed`` is where Pages would be.

    ``python``: the folder of a Python that knows nothing of the program; the workflows install what stands in the game.
    """

    def __init__(self, door: Doorstep, folder: Path, python: Path | None = None) -> None:
        self.door, self.folder, self._python = door, folder, python
        self.deployed, self.work = folder / "deployed", folder / "work"
        place = forge_of({"github": REPOSITORY})
        assert place is not None
        files: dict[str, str | bytes | None] = {**setup.files(place)}
        files |= {path: UNKNOWN.sub(b"", data) for path, data in setup.workflows().items()}
        files |= {"mkdocs.yml": SITE, "docs/.gitkeep": ""}
        files[setup.REQUIREMENTS] = own_lines() if python else PROGRAM
        door.github.commit(door.github.owner, files, message="Setting up")
        self._git("clone", "-q", str(door.github.repo.path), str(self.work), cwd=folder)
        self._git("remote", "set-url", "origin", f"https://github.com/{REPOSITORY}.git", cwd=self.work)
        texts = (text.decode() for text in setup.workflows().values())
        uses = {use for text in texts for use in re.findall(r" uses: (\S+@[0-9a-f]{40})", text)}
        self._stubs = [
            word for use in sorted(uses) for word in ("--local-repository", f"{use}={self._stub(use)}")
        ]

    def run(self, workflow: str, event: str, payload: dict[str, Any], *more: str) -> Ran:
        """Run a workflow for an event, with its payload as GitHub gives it."""
        github = self.door.github
        github.clock.advance(max(0, int(time.time()) - github.clock.now))  # a run goes by the true clock
        given = self.folder / "event.json"
        given.write_text(json.dumps(payload), encoding="utf-8")
        told = {
            "GITHUB_API_URL": github.url, "GITHUB_GRAPHQL_URL": github.graphql, "GITHUB_SERVER_URL": github.url,
            "FORGE_GIT": github.git_url(), "DEPLOYED": str(self.deployed),
        }  # fmt: skip
        command = [
            str(ACT), event, "--eventpath", str(given), "--workflows", f"{setup.WORKFLOWS}{workflow}", "--platform",
            "ubuntu-24.04=-self-hosted", "--no-cache-server", "--secret", f"GITHUB_TOKEN={github.token(github.steward)}",
            *(word for name, value in told.items() for word in ("--env", f"{name}={value}")), *self._stubs, *more,
        ]  # fmt: skip
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        if self._python is None:
            home = os.environ | cache | {"PATH": f"{ACT.parent}{os.pathsep}{os.environ['PATH']}"}
        else:
            home = (
                cache
                | OFFLINE
                | {"PATH": f"{self._python}{os.pathsep}{os.defpath}", "HOME": str(self.folder / "home")}
            )
        done = subprocess.run(command, cwd=self.work, env=home, capture_output=True, text=True, check=False)
        return Ran(done.returncode, done.stdout + done.stderr)

    def _stub(self, use: str) -> Path:
        name = use.partition("@")[0]
        place = self.folder / "actions" / name
        place.mkdir(parents=True)
        (place / "action.yml").write_text(f"name: {name}\n{ACTIONS[name]}", encoding="utf-8")
        return place

    def _git(self, *words: str, cwd: Path) -> None:
        subprocess.run(["git", *words], cwd=cwd, check=True, capture_output=True)
