"""What an edition must do, and what shows it, as ``tests/musts/EDITION.yml`` has it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from nomicgit.ground import files
from support.places import TESTS


def sheet(edition: str) -> dict[str, Any]:
    """The musts of an edition by SECTION/TITLE of their rule."""
    path = TESTS / "musts" / f"{edition}.yml"
    found = files.read(path.read_bytes(), path.name)
    assert isinstance(found, dict)
    return found


def entries(edition: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each must with its rule."""
    for rule, musts in sheet(edition).items():
        assert isinstance(musts, list), rule
        assert musts, f"{rule} has no musts"
        yield from ((rule, entry) for entry in musts)


def showing(edition: str, there: Collection[str], at_hand: Collection[str]) -> set[str]:
    """The scenarios at hand, and of the others that are there one for each must that none of these shows."""
    chosen = set(at_hand)
    for _, entry in entries(edition):
        by = [name for name in entry["by"] if name in there] if isinstance(entry["by"], list) else []
        if by and chosen.isdisjoint(by):
            chosen.add(by[0])
    return chosen
