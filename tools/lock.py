"""Lock what the program needs on GitHub's runners: each package in one version, with the hashes of its wheels.

    .venv/bin/python tools/lock.py

asks the index, by pip, and writes nomicgit/forge/setup/locked.txt, which comes with the program and goes into every game
on GitHub beside the program's own wheel. Only wheels: nothing is built on a runner.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKED = ROOT / "nomicgit" / "forge" / "setup" / "locked.txt"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""The oldest first: what it takes, the others take too."""
NEWEST_GLIBC = 39
MACHINE = "x86_64"
"""What the workflows' ``ubuntu-24.04`` is."""
EXTRAS = ("announce", "forge", "sealed", "site")


def wanted() -> list[str]:
    """What the project says that it needs, with all that is not for its tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    more = project["optional-dependencies"]
    return [*project["dependencies"], *(need for extra in EXTRAS for need in more[extra])]


def platforms() -> Iterator[str]:
    """The kinds of wheels that a runner of GitHub's takes, the newest first."""
    for minor in range(NEWEST_GLIBC, 4, -1):
        yield from ("--platform", f"manylinux_2_{minor}_{MACHINE}")
    for name in ("manylinux2014", "manylinux2010", "manylinux1", "linux"):
        yield from ("--platform", f"{name}_{MACHINE}")


def chosen(python: str, versions: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """What pip would install there: each package's name, version and the hash of its wheel."""
    with tempfile.TemporaryDirectory() as folder:
        fixed = Path(folder) / "fixed.txt"
        fixed.write_text("".join(f"{name}=={version}\n" for name, version in versions.items()))
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--ignore-installed",
            "--only-binary", ":all:", "--python-version", python, "--implementation", "cp", *platforms(),
            "--target", folder, "--report", "-", "--constraint", str(fixed), *wanted(),
        ]  # fmt: skip
        report = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for each in json.loads(report)["install"]:
        name = re.sub(r"[-_.]+", "-", each["metadata"]["name"]).lower()
        yield name, each["metadata"]["version"], each["download_info"]["archive_info"]["hashes"]["sha256"]


def main() -> None:
    """Ask for every runner, and write."""
    versions: dict[str, str] = {}
    hashes: dict[str, set[str]] = {}
    for python in PYTHONS:
        for name, version, digest in chosen(python, versions):
            versions.setdefault(name, version)
            hashes.setdefault(name, set()).add(digest)
    lines = []
    for name in sorted(versions):
        given = " \\\n".join(f"    --hash=sha256:{digest}" for digest in sorted(hashes[name]))
        lines.append(f"{name}=={versions[name]} \\\n{given}\n")
    LOCKED.write_text("".join(lines), encoding="utf-8")
    print(f"{LOCKED.relative_to(ROOT)}: {len(versions)} packages")


if __name__ == "__main__":
    main()
