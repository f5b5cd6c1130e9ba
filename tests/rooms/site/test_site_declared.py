"""What a rule declares is told in words, whatever its type: on the page of the rule, and by the command that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from nomicgit import editions
from nomicgit.cli.bodies import declared
from nomicgit.law.merging import DECLARATIONS
from nomicgit.law.variables import CONTAINERS, KINDS
from nomicgit.site.declared import declarations

SIDES = {"type": "choice", "choices": ["left", "right"]}
LEAVES: tuple[tuple[object, str], ...] = (
    *((kind, kind) for kind in sorted(KINDS - CONTAINERS - {"choice"})),
    ("lamps", "lamps"),
    (["left", "right"], "left right"),
    (SIDES, "left right"),
    ({"type": "integer", "min": 7, "max": 9}, "integer 7 9"),
    ({"type": "record", "fields": {"near": SIDES, "far": "text"}}, "record near left right far text"),
)
"""Types, and the words in which each is told."""
WAYS: tuple[Callable[[Any], object], ...] = (
    lambda leaf: leaf,
    lambda leaf: {"type": "list", "items": leaf},
    lambda leaf: {"type": "set", "items": {"type": "list", "items": leaf}},
    lambda leaf: {"type": "map", "keys": leaf, "values": leaf},
    lambda leaf: {"type": "map", "keys": leaf},
    lambda leaf: {"type": "map", "values": {"type": "map", "values": leaf}},
    lambda leaf: {"type": "record", "fields": {"part": leaf, "other": {"type": "list", "items": leaf}}},
)
"""In what a type may stand."""


def on_page(front: Mapping[str, Any]) -> Iterator[str]:
    return (each.striptags() for each in declarations(front, DECLARATIONS))


def by_command(front: Mapping[str, Any]) -> Iterator[str]:
    return declared.lines(front, DECLARATIONS)


TELLERS = pytest.mark.parametrize("told", [on_page, by_command])


@TELLERS
@pytest.mark.parametrize("way", range(len(WAYS)))
def test_every_type_is_told_in_words_and_none_is_lost(
    way: int, told: Callable[[Mapping[str, Any]], Iterator[str]]
) -> None:
    for leaf, words in LEAVES:
        spec = WAYS[way](leaf)
        variable = spec if isinstance(spec, dict) else SIDES if isinstance(spec, list) else {"type": spec}
        for front in (
            {"variables": {"it": variable}},
            {"collections": {"its": {"key": "id", "fields": {"it": spec}}}},
            {"actions": {"do": {"with": {"it": spec}}}},
        ):
            said = " ".join(told(front))
            assert not re.search(r"['{}\[\]]", said), (spec, said)
            assert [word for word in words.split() if word not in said] == [], (spec, said)


@TELLERS
@pytest.mark.parametrize("edition", editions.names())
def test_no_declaration_of_an_edition_is_told_as_a_program_notes_it(
    edition: str, told: Callable[[Mapping[str, Any]], Iterator[str]]
) -> None:
    for placed in editions.load(edition).rules:
        for said in told(placed.front):
            assert not re.search(r"[{\[]'|'[}\]]|\b(?:None|True|False)\b", said), said
