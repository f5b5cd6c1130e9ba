"""Setting a game up on GitHub: the files that its repository needs beside the game, as they come with the program."""

from __future__ import annotations

from importlib.resources import files as resources

from nomicgit.forge.setup.program import PROGRAMS as PROGRAMS
from nomicgit.forge.setup.program import REQUIREMENTS as REQUIREMENTS
from nomicgit.forge.setup.program import program as program
from nomicgit.record.forms import Forge

WORKFLOWS = ".github/workflows/"
GUIDE = "SETUP.md"
STATUS = "nomicgit"
"""The commit status that the steward sets, and that the default branch is to require."""


def workflows() -> dict[str, bytes]:
    """The workflows by their paths: the same for every game."""
    folder = resources(__name__) / "workflows"
    paths = sorted(folder.iterdir(), key=lambda each: each.name)
    return {WORKFLOWS + each.name: each.read_bytes() for each in paths if each.name.endswith(".yml")}


def owned() -> dict[str, bytes]:
    """What comes with the program, and with every other one anew: the workflows, and the program itself."""
    return workflows() | program()


def files(forge: Forge) -> dict[str, bytes]:
    """All files for a game's place on GitHub, with this very program for its workflows to run."""
    guide = (resources(__name__) / "guide.md").read_text(encoding="utf-8")
    guide = guide.replace("OWNER/REPO", forge.repository).replace("OWNER", forge.repository.partition("/")[0])
    return owned() | {GUIDE: guide.replace("https://SITE/", forge.site).encode()}
