"""The program's modules as syntax trees, read once for the tests that look at all of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from support.places import ROOT


@cache
def trees() -> Mapping[str, tuple[Path, ast.Module]]:
    """By each module's name where it lies and what Python reads there, in the order of paths.

    They are large: ``tests/conftest.py`` gives them back after the last test of a folder, so that no fork copies them.
    """
    return {
        module_of(path): (path, ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted((ROOT / "nomicgit").rglob("*.py"))
    }


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
