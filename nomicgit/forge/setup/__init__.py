"""Setting a game up on GitHub: the files that its repository needs beside the game, as they come with the program."""

from __future__ import annotations

from importlib.resources import files as resources

from nomicgit.record.forms import Forge

WORKFLOWS = ".github/workflows/"
REQUIREMENTS = ".github/nomicgit.txt"
GUIDE = "SETUP.md"
STATUS = "nomicgit"
"""The commit status that the steward sets, and that the default branch is to require."""


def workflows() -> dict[str, bytes]:
    """The workflows by their paths: the same for every game."""
    folder = resources(__name__) / "workflows"
    paths = sorted(folder.iterdir(), key=lambda each: each.name)
    return {WORKFLOWS + each.name: each.read_bytes() for each in paths if each.name.endswith(".yml")}


def files(forge: Forge, version: str) -> dict[str, bytes]:
    """All files for a game's place on GitHub, with the version of the program that its workflows are to run."""
    guide = (resources(__name__) / "guide.md").read_text(encoding="utf-8")
    guide = guide.replace("OWNER/REPO", forge.repository).replace("OWNER", forge.repository.partition("/")[0])
    guides = {GUIDE: guide.replace("https://SITE/", forge.site).encode()}
    return workflows() | guides | {REQUIREMENTS: requirements(version).encode()}


def requirements(version: str) -> str:
    """What the workflows install: the program, in one version, so that a new one comes when the owners say so."""
    return (
        "# The program that the workflows run. A newer one is taken into use by an edit of this line.\n"
        f"nomicgit[forge,site]=={version}\n"
    )
