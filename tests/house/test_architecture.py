"""The page for whoever comes next: what it names is there."""

from __future__ import annotations

import re
from pkgutil import resolve_name

from support.places import ROOT

NAMED = re.findall(r"`([^` ]+)`", (ROOT / "docs/architecture.md").read_text(encoding="utf-8"))
ROOMS = {path.parent.name for path in ROOT.glob("nomicgit/*/__init__.py")}
ELSEWHERE = ("game/", "refs/", "physics/sealed")
"""Files of a game, branches of a forge, and an action: no paths of this repository."""


def test_every_path_is_there() -> None:
    paths = {
        name
        for name in NAMED
        if ("/" in name or name.endswith((".py", ".md")))
        and (name == "game/" or not name.startswith(ELSEWHERE))
    }
    assert len(paths) > 40
    roots = (ROOT / "nomicgit", ROOT / "tests", ROOT)
    assert sorted(path for path in paths if not any((root / path).exists() for root in roots)) == []


def test_every_module_and_what_it_names_in_one_is_there() -> None:
    dotted = {
        name for name in NAMED if re.fullmatch(r"\w+(\.\w+)+", name) and name.partition(".")[0] in ROOMS
    }
    assert len(dotted) > 10
    for name in dotted:
        resolve_name(f"nomicgit.{name}")
