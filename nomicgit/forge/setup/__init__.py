"""Setting a game up on GitHub: the files that its repository needs beside the game, as they come with the program."""

from __future__ import annotations

import json
from importlib.resources import files as resources
from typing import Any

from nomicgit.forge.setup.program import PROGRAMS as PROGRAMS
from nomicgit.forge.setup.program import REQUIREMENTS as REQUIREMENTS
from nomicgit.forge.setup.program import WORKFLOWS as WORKFLOWS
from nomicgit.forge.setup.program import Another as Another
from nomicgit.forge.setup.program import newer as newer
from nomicgit.forge.setup.program import program as program
from nomicgit.record.forms import Forge

GUIDE = "SETUP.md"
RULESET, WITHOUT_APP = ".github/ruleset.json", ".github/ruleset-without-app.json"
"""What bars the default branch, to be imported in the repository's settings: with an App that pushes, and without one."""
FOR_ALL = ("deletion", "non_fast_forward")
"""The rules that hold for the steward too, so that it needs no App for them."""
STATUS = "nomicgit"
"""The commit status that the steward sets, and that the default branch is to require."""


def workflows() -> dict[str, bytes]:
    """The workflows by their paths: the same for every game."""
    folder = resources(__name__) / "workflows"
    paths = sorted(folder.iterdir(), key=lambda each: each.name)
    return {WORKFLOWS + each.name: each.read_bytes() for each in paths if each.name.endswith(".yml")}


def copied(path: str, text: bytes) -> str:
    """The workflow of ours that a file is by another name, as told by how it begins: it would run beside it; "" where it is none."""
    first, ours = text.partition(b"\n")[0], workflows()
    if path in ours or not path.startswith(WORKFLOWS) or not path.endswith((".yml", ".yaml")):
        return ""
    return next((name for name, each in ours.items() if each.partition(b"\n")[0] == first), "")


def owned() -> dict[str, bytes]:
    """What comes with the program, and with every other one anew: the workflows, and the program itself."""
    return workflows() | program()


def ruleset(*, app: bool = True) -> dict[str, Any]:
    """The ruleset as GitHub reads it; without an App only what the steward's own pushes keep to."""
    whole: dict[str, Any] = json.loads((resources(__name__) / "ruleset.json").read_text(encoding="utf-8"))
    return whole | {"rules": [each for each in whole["rules"] if app or each["type"] in FOR_ALL]}


def rulesets() -> dict[str, dict[str, Any]]:
    """The rulesets that come with the program, by the paths at which a game has them: its owners' from then on."""
    return {RULESET: ruleset(), WITHOUT_APP: ruleset(app=False)}


def files(forge: Forge) -> dict[str, bytes]:
    """All files for a game's place on GitHub, with this very program for its workflows to run."""
    guide = (resources(__name__) / "guide.md").read_text(encoding="utf-8")
    guide = guide.replace("OWNER/REPO", forge.repository).replace("OWNER", forge.repository.partition("/")[0])
    written = {path: f"{json.dumps(each, indent=2)}\n".encode() for path, each in rulesets().items()}
    return owned() | written | {GUIDE: guide.replace("https://SITE/", forge.site).encode()}
