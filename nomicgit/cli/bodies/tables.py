"""Entities on a terminal: a table of them, and of a grid its map before that."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from nomicgit.cli.terminal import clean, columns_of, wide
from nomicgit.ground.remedies import below, command
from nomicgit.ground.wording import in_words

NARROW = 24  # characters of a value in a table
GAP = "  "
Entities = Mapping[str, Mapping[str, Any]]


def tell(kind: str, entities: Entities) -> None:
    """Players, or entities of another kind, one a line; columns that say nothing of any are left out, and times, which
    are named. What is too wide for the terminal goes on in a table of its own.
    """
    given = ((name, value) for fields in entities.values() for name, value in fields.items())
    names = list(dict.fromkeys(name for name, _ in given if name != "idle"))
    every = {n: [_cell(fields.get(n)) for fields in entities.values()] for n in names}
    said = {
        n: cells
        for n, cells in every.items()
        if any(cell not in ("", "0") for cell in cells) and all(c[10:11] != "T" for c in cells)
        if cells != list(entities)
    }
    times = [n for n, cells in every.items() if any(c[10:11] == "T" for c in cells)]
    ids = [name + (" (idle)" if fields.get("idle") else "") for name, fields in entities.items()]
    rest = [[n.replace("_", " "), *cells] for n, cells in said.items()]
    for number, some in enumerate(_parts([kind, *ids], rest)):
        if number:
            click.echo()
        _lines(some)
    if times:
        whole = below(command("nomicgit", "state", f"{kind}.{next(iter(entities))}"))
        click.echo(
            f"not shown are times ({clean(', '.join(times))}), which are told of one alone:{clean(whole)}"
        )


def tell_map(
    key: Mapping[str, Sequence[object]],
    entities: Entities,
    fields: Sequence[str],
    there: Mapping[str, Sequence[str]],
) -> None:
    """A grid, its columns across: of each cell the first of some fields that says something, and who is there; nothing where that is
    nothing of any.
    """
    turned = next(axis for axis in key if axis in ("columns", "rows")) == "rows"

    def cell(column: object, row: object) -> str:
        name = f"{row}{column}" if turned else f"{column}{row}"
        has = entities.get(name, {})
        label = next((_cell(has[field]) for field in fields if has.get(field)), "")
        return " ".join(filter(None, (label, *there.get(name, ()))))

    cells = [[cell(column, row) for row in key["rows"]] for column in key["columns"]]
    if not any(map(any, cells)):
        return
    across = [
        [str(column), *(each or "." for each in some)]
        for column, some in zip(key["columns"], cells, strict=True)
    ]
    for some in _parts(["", *map(str, key["rows"])], across):
        _lines(some)
        click.echo()


def _parts(first: Sequence[str], rest: Sequence[Sequence[str]]) -> list[list[Sequence[str]]]:
    """The columns of a table as those of several, each as wide as the terminal at most and with the first one before it."""
    most = columns_of(sys.stdout)
    parts: list[list[Sequence[str]]] = [[first]]
    for column in rest:
        wanted = sum(_width(each) + len(GAP) for each in parts[-1]) + _width(column)
        if most is not None and wanted > most and len(parts[-1]) > 1:
            parts.append([first])
        parts[-1].append(column)
    return parts


def _lines(columns: Sequence[Sequence[str]]) -> None:
    """Columns side by side, their first row in bold."""
    widths = [_width(column) for column in columns]
    for number, row in enumerate(zip(*columns, strict=True)):
        padded = (cell + " " * (width - wide(cell)) for cell, width in zip(row, widths, strict=True))
        line = GAP.join(padded).rstrip()
        click.echo(click.style(line, bold=True) if not number else line)


def _width(column: Sequence[str]) -> int:
    return max(map(wide, column))


def _cell(value: Any) -> str:
    if value in (None, "", [], {}) or value is False:
        return ""
    text = "yes" if value is True else clean(in_words(value, NARROW))
    return text if len(text) <= NARROW else text[: NARROW - 1] + "…"
