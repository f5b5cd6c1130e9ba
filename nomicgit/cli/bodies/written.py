"""Changes as people write them, in YAML: what cannot be read is told together with all else that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
from msgspec.structs import replace

from nomicgit.cli.terminal import Unread, from_source, text_of
from nomicgit.ground import files
from nomicgit.ground.problems import Malformed, Place, Problem
from nomicgit.law import shapes
from nomicgit.law.rules import STATUSES
from nomicgit.physics.deeds import submitting

OTHERS: tuple[object, ...] = ({}, [{"repeal": "any"}], True, *STATUSES)
"""What may stand where not any text may, of each sort."""


def listed(texts: Sequence[str], file: str | None) -> list[object]:
    """The changes of a file, then those of the command line.

    Where some cannot be read, Unread with that and with what is no form of change among the others.
    """
    changes: list[tuple[str, object]] = []
    wrong: list[Problem] = []
    if file is not None:
        text = text_of(file)
        read = _read(file, text, wrong)
        if not isinstance(read, list) and not wrong:
            raise click.UsageError(f"{file} must hold a list of changes")
        if isinstance(read, list):
            changes += zip(_places(file, text, len(read)) if wrong else [file] * len(read), read, strict=True)
    for number, text in enumerate(texts, 1):
        unread = len(wrong)
        change = _read(f"--change {number}", from_source(text), wrong)
        if not isinstance(change, dict) and len(wrong) == unread:
            raise click.UsageError(f"--change {number} must be a map, such as '{{repeal: Moonlight}}'")
        if isinstance(change, dict):
            changes.append((f"--change {number}", change))
    if wrong:
        raise Unread(*wrong, *_misshapen(changes))
    return [change for _, change in changes]


def _places(file: str, text: str, many: int) -> Iterator[str]:
    """Where each of the changes of a file stands, with the line on which it begins; quotes may be missing there."""
    try:
        lines = files.read_with_lines(text)[1]
    except files.Unquoted as unquoted:
        lines = files.read_with_lines(unquoted.quoted)[1]
    yield from (f"{file}:{lines[(n,)]}, change {n + 1}" for n in range(many))


def misshapen(unquoted: files.Unquoted, key: str) -> Iterator[Problem]:
    """What lacks quotes in a list of changes, and what is no form of change there."""
    yield from to_quote(unquoted)
    changes = unquoted.meant if isinstance(unquoted.meant, list) else ()
    yield from _misshapen([(f"{key}, change {number}", change) for number, change in enumerate(changes, 1)])


def to_quote(unquoted: files.Unquoted) -> Iterator[Problem]:
    """What lacks quotes in changes; not where another text would be as wrong, for there their forms tell what would be right."""
    with_texts = _wrong_forms(unquoted.meant)
    for problem, place in zip(unquoted.problems, unquoted.places, strict=True):
        if all(with_texts <= _wrong_forms(_put(unquoted.meant, place, other)) for other in OTHERS):
            yield problem


def _wrong_forms(value: object) -> set[Problem]:
    """What is no form of change in a change, or in a list of them."""
    return {
        each
        for change in (value if isinstance(value, list) else [value])
        for each in shapes.malformed(change)
    }


def _put(value: Any, place: tuple[str | int, ...], other: object) -> object:
    """A value with another in a place of it that holds a text; as it is where a key is there."""
    if not place:
        return other if isinstance(value, str) else value
    if isinstance(value, list):
        return [_put(each, place[1:], other) if at == place[0] else each for at, each in enumerate(value)]
    return {**value, place[0]: _put(value[place[0]], place[1:], other)}


def _misshapen(changes: Iterable[tuple[str, object]]) -> Iterator[Problem]:
    """What is no form of change among some, each with its place; and mechanics of the others that do not parse."""
    formed: list[tuple[str, object]] = []
    for place, change in changes:
        wrong = shapes.malformed(change)
        yield from (replace(each, where=Place(place)) for each in wrong)
        if not wrong:
            formed.append((place, change))
    yield from submitting.unparsed(formed)


def _read(place: str, text: str, wrong: list[Problem]) -> object:
    """A value, read as far as quotes alone are missing; None where there is more to it. What is wrong is noted."""
    try:
        return files.read(text, place)
    except files.Unquoted as unquoted:
        wrong += to_quote(unquoted)
        return unquoted.meant
    except Malformed as unread:
        wrong += unread.problems
        return None
