"""Rulesets that were read once: kept by the id of their tree, in memory, and the latest of a clone on the disk.

A ruleset hangs on the bytes of its files alone, and a tree's id on the same bytes; so what is kept is never out
of date. The file is a cache and may be deleted at any time. Its first line names the tree, the program that read
it and the check sum of what follows; where one of these is another, nothing of it is taken.
"""

from __future__ import annotations

import json
import os
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from nomicgit import definitions, linking, rules, ruleset
from nomicgit.files import fast, front, grammar, strict
from nomicgit.linking import Passage, Scan
from nomicgit.rules import Rule
from nomicgit.ruleset import Placed, Ruleset

FILE = "nomicgit/ruleset"
_READERS = (definitions, linking, rules, ruleset, fast, front, grammar, strict)  # what is read hangs on these
_MOST = 64
_RULESETS: OrderedDict[str, Ruleset] = OrderedDict()

Texts = Callable[[], Mapping[str, str]]


def take(oid: str, texts: Texts, *, old: Ruleset | None = None, folder: str = "") -> Ruleset:
    """The ruleset whose tree has this id: from memory, from the file in a clone's Git folder, or read from its texts.

    Rules that are the same in ``old``, or in the file, are taken over. Malformed where the texts are no ruleset.
    """
    found = _RULESETS.get(oid)
    if found is None:
        known, kept = _load(folder) if folder else ("", None)
        if known == oid and kept is not None:
            found = kept
        else:
            found = Ruleset.read(texts(), old=old or kept)
            if folder:
                _save(folder, oid, found)
        _RULESETS[oid] = found
        if len(_RULESETS) > _MOST:
            _RULESETS.popitem(last=False)
    _RULESETS.move_to_end(oid)
    return found


def _program() -> str:
    """The check sum of the modules that read rulesets."""
    found = 0
    for module in _READERS:
        with open(str(module.__file__), "rb", buffering=0) as file:
            found = zlib.crc32(file.readall(), found)
    return f"{found:08x}"


def _load(folder: str) -> tuple[str, Ruleset | None]:
    """The tree's id and the ruleset of a clone's file; None where there is none, or another program's."""
    try:
        with open(f"{folder}/{FILE}", "rb", buffering=0) as file:
            head, _, body = file.readall().partition(b"\n")
        oid, program, check = head.decode("ascii").split(" ")
        if program != _program() or check != f"{zlib.crc32(body):08x}":
            return "", None
    except (OSError, ValueError):
        return "", None
    return oid, _unpacked(json.loads(body))


def _save(folder: str, oid: str, found: Ruleset) -> None:
    """Write a ruleset beside, then in its place; a clone that cannot be written to is read anew each time."""
    with suppress(OSError):
        body = json.dumps(_packed(found), ensure_ascii=False, separators=(",", ":")).encode()
        path = f"{folder}/{FILE}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        beside = f"{path}.{os.getpid()}"
        with open(beside, "wb") as file:
            file.write(f"{oid} {_program()} {zlib.crc32(body):08x}\n".encode() + body)
        os.replace(beside, path)


def _packed(found: Ruleset) -> dict[str, Any]:
    """A ruleset as plain JSON, with its mechanics taken apart."""
    return {
        "texts": dict(found.texts),
        "rules": [_packed_rule(placed) for placed in found.rules],
        "sections": found.sections,
        "intros": dict(found.intros),
    }


def _packed_rule(placed: Placed) -> list[Any]:
    rule = placed.rule
    scan = linking.scan(rule.slug, rule.mechanics, rule.line) if rule.mechanics else None
    return [
        [rule.slug, rule.title, rule.front, rule.prose, rule.mechanics, rule.line],
        [placed.section, placed.parent, placed.path, placed.number],
        scan and [
            scan.parts, scan.slots, scan.functions, scan.private, scan.parameters, sorted(scan.calls),
            scan.passages and [[p.name, p.start, p.end, sorted(p.uses)] for p in scan.passages],
        ],
    ]  # fmt: skip


def _unpacked(data: Mapping[str, Any]) -> Ruleset:
    placed = [_unpacked_rule(*each) for each in data["rules"]]
    sections = tuple((number, name) for number, name in data["sections"])
    return Ruleset(
        data["texts"], tuple(placed), {each.slug: each for each in placed}, sections, data["intros"]
    )


def _unpacked_rule(rule: list[Any], place: list[Any], scan: list[Any] | None) -> Placed:
    made = Rule(*rule)
    if scan is not None:
        parts, slots, functions, private, parameters, calls, passages = scan
        found = Scan(
            made.slug, made.line, tuple(parts), tuple((n, r) for n, r in slots), functions, tuple(private),
            {name: tuple(each) for name, each in parameters.items()}, frozenset(calls),
            None if passages is None else tuple(Passage(n, start, end, frozenset(uses)) for n, start, end, uses in passages),
        )  # fmt: skip
        linking.remember(made.mechanics, found)
    return Placed(made, *place)
