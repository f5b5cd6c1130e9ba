"""Checks of the options of types: those that say nothing of the type beside which they stand, and types that are written as choices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomicgit.ground.problems import printable
from nomicgit.law.law import Law
from nomicgit.law.variables import KINDS
from nomicgit.outlook.checks.finding import Finding, error, in_front
from nomicgit.outlook.checks.keys import words_read
from nomicgit.outlook.checks.law import QUOTE
from nomicgit.outlook.checks.named import near

_NUMBERS, _ROWS = ("integer", "number"), ("list", "set")
OF: Mapping[str, tuple[str, ...]] = {
    "choices": ("choice",), "min": (*_NUMBERS, *_ROWS), "max": (*_NUMBERS, *_ROWS), "step": ("number", "integer"),
    "below_zero": _NUMBERS, "items": _ROWS, "unique": ("list",), "keys": ("map",), "values": ("map",), "ordered": ("map",),
    "fields": ("record",), "catalogue": ("entry",), "active": ("player",), "where": ("rule",),
}  # fmt: skip
"""Of which types an option says anything; of those the first is mostly meant."""
PARTS = ("items", "keys", "values")
Path = tuple[str, ...]


def fitting(law: Law) -> Iterator[Finding]:
    """Options that bind nothing, for they are of another type than stands beside them; and names of types in a list of choices."""
    named = frozenset[str]().union(*(words_read(placed.mechanics) for placed in law.ruleset.rules))
    for placed in law.active:
        quoted = {quote.strip() for quote in QUOTE.findall(placed.prose)}
        for path, spec in _types(placed.front):
            for what, mend, key in _wrong(spec, ".".join(path)):
                at = (*path, key) if key else path
                known = isinstance(spec, Mapping) and "type" in spec and key
                if not (known and (key in named or ".".join(at) in quoted)):  # else the law itself reads it
                    yield error(in_front(law, placed.slug, at, what, mend))


def _types(front: Mapping[str, object]) -> Iterator[tuple[Path, object]]:
    """All types that a rule writes out, each with its path."""
    for name, spec in _names(front, "variables"):
        yield from _parts(("variables", name), spec)
    for key, inner in (("collections", "fields"), ("actions", "with")):
        for name, spec in _names(front, key):
            for part, kind in _names(spec, inner):
                yield from _parts((key, name, inner, part), kind)


def _names(table: object, key: str) -> Iterator[tuple[str, object]]:
    named = table.get(key) if isinstance(table, Mapping) else None
    yield from ((str(name), each) for name, each in named.items()) if isinstance(named, Mapping) else ()


def _parts(path: Path, spec: object) -> Iterator[tuple[Path, object]]:
    yield path, spec
    if isinstance(spec, Mapping):
        for part in PARTS:
            if part in spec:
                yield from _parts((*path, part), spec[part])
        for name, each in _names(spec, "fields"):
            yield from _parts((*path, "fields", name), each)


def _wrong(spec: object, where: str) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a type as it is written, what to write, and with which of its options."""
    if isinstance(spec, list) and spec and all(each in KINDS for each in spec):
        words = " and ".join(f"“{printable(str(each), 60)}”" for each in spec)
        yield (
            f"{where} is a choice of the word{'s' * bool(spec[1:])} {words}, and no type",
            f"write {spec[0]}",
            "",
        )
    if not isinstance(spec, Mapping):
        return
    kind = spec.get("type", "any")
    if not isinstance(kind, str) or (kind not in KINDS and near(kind, KINDS)):
        return  # the type is misspelt or none, which is told
    for key in (each for each in OF if each in spec):
        right = OF[key]
        if kind in right:
            continue
        if kind in _ROWS and key == "choices" and "items" not in spec:
            mend = "write items: {type: choice, choices: …}"
        elif "type" not in spec:
            mend = f"write type: {right[0]} beside it"
        else:
            mend = f"take it out, or write type: {right[0]}"
        of = (
            "any value will do, for no type stands beside it"
            if "type" not in spec
            else f"it says nothing of the type {kind}"
        )
        yield f"{where}.{key}: {of}", mend, key
