"""What is not installed, or what this system has not, when somebody wants it: said with what to do."""

from __future__ import annotations

import sys

from nomicgit.ground.problems import Problem

EXTRAS = {
    "site": ("mkdocs", "material", "markdown", "jinja2", "markupsafe", "nh3", "PIL"),
    "forge": ("httpx",),
    "sealed": ("cryptography", "pyrage", "shamir_mnemonic"),
    "announce": ("apprise",),
}
"""The modules that each extra of the program brings, as ``pyproject.toml`` has it."""

INSTALL = "in the folder of the program's source: pip install -e"
TO_HAVE = (
    "nomicgit is the program that plays this game: it needs Python 3.11 or newer and Git 2.31 or newer, and is installed from a "
    "copy of its source, which whoever gave you the game has:"
)


def to_install(*, keys: bool) -> str:
    """The command that installs what a game needs, with a key or without."""
    extra = "'.[sealed]'" if keys else "."
    return f"{INSTALL} {extra}"


WSL = "on Windows type `wsl --install`, and install and play NomicGit in the Linux that it opens"


def missing(error: ImportError) -> Problem | None:
    """The problem of a module that is not there; None where it is one of our own, which is a defect."""
    name = (error.name or "").partition(".")[0]
    if not isinstance(error, ModuleNotFoundError) or name in ("", "nomicgit"):
        return None
    if name in sys.stdlib_module_names:
        return Problem(f"NomicGit runs on Linux and macOS; Python has no {name} here; {WSL}")
    for extra, modules in EXTRAS.items():
        if name in modules:
            what = f"this needs the program's extra {extra}, of which {name} is not installed"
            return Problem(what, mend=f"{INSTALL} '.[{extra}]'")
    return Problem(f"the Python module {name} is not installed", mend=f"{INSTALL} .")
