"""Rulesets that were read once: kept by the id of their tree, in memory, and the latest of a clone on the disk.

A ruleset hangs on the bytes of its files alone, and a tree's id on the same bytes; so what is kept is never out
of date. The file is a cache and may be deleted at any time. Its first line names the tree, the physics and the program that
read it; where one of these is another, nothing of it is taken, nor where another user has written it. The second is JSON,
which tells long texts by where they stand in the rest: cutting them out is ten times as fast as reading them as JSON.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from nomicgit import __version__
from nomicgit.git.layout import remember, remembered
from nomicgit.ground.kept import Kept
from nomicgit.law import linking
from nomicgit.law.linking import Language, Passage, Scan
from nomicgit.law.rules import Rule
from nomicgit.law.ruleset import Placed, Ruleset

FILE = "nomicgit/ruleset"
_READERS = ("ground", "ground/files", "law", "record")  # the rooms on which it hangs what is read
_BETWEEN = "\0"  # the parts of mechanics that were taken apart
_RULESETS = Kept[str, Ruleset](64)

Texts = Callable[[], Mapping[str, str]]


class Shelf(Struct, frozen=True):
    """Where a clone keeps what was read: in its Git folder, and for which language mechanics are taken apart."""

    folder: str
    language: Language


def take(oid: str, texts: Texts, *, old: Ruleset | None = None, shelf: Shelf | None = None) -> Ruleset:
    """The ruleset whose tree has this id: from memory, from the file in a clone's Git folder, or read from its texts.

    Rules that are the same in ``old``, or in the file, are taken over. Malformed where the texts are no ruleset.
    """
    return _RULESETS.get(oid, lambda: _read(oid, texts, old, shelf))


def _read(oid: str, texts: Texts, old: Ruleset | None, shelf: Shelf | None) -> Ruleset:
    known, kept = _load(shelf) if shelf else ("", None)
    if known == oid and kept is not None:
        return kept
    ruleset = Ruleset.read(texts(), old=old or kept)
    if shelf:
        _save(shelf, oid, ruleset)
    return ruleset


def _program() -> str:
    """The program's version; in a checkout, where that says little, also how the files of these rooms look now."""
    package = os.path.dirname(os.path.dirname(__file__))
    if not os.path.exists(f"{os.path.dirname(package)}/pyproject.toml"):
        return __version__
    look = [
        f"{each.path} {each.stat().st_size} {each.stat().st_mtime_ns}"
        for room in _READERS
        for each in os.scandir(f"{package}/{room}")
        if each.name.endswith(".py")
    ]
    return f"{__version__}+{zlib.crc32(' '.join(sorted(look)).encode()):08x}"


def _load(shelf: Shelf) -> tuple[str, Ruleset | None]:
    """The tree's id and the ruleset of a clone's file; None where there is none, or another program's."""
    head, _, body = (remembered(shelf.folder, FILE) or b"").partition(b"\n")
    oid, _, reader = head.decode().partition(" ")
    if reader != _reader(shelf):
        return "", None
    index, _, texts = body.partition(b"\n")
    return oid, _unpacked(json.loads(index), texts, shelf.language)


def _save(shelf: Shelf, oid: str, ruleset: Ruleset) -> None:
    """Keep a ruleset; a clone that cannot be written to is read anew each time."""
    head = f"{oid} {_reader(shelf)}\n".encode()
    remember(shelf.folder, FILE, head + _packed(ruleset, shelf.language))


def _reader(shelf: Shelf) -> str:
    """What reads rulesets now: the physics, and the program."""
    return f"{shelf.language.physics} {_program()}"


Cut = tuple[int, int]
"""Where a text begins and ends among the bytes of all texts."""


class _Texts:
    """Texts laid one after the other."""

    def __init__(self) -> None:
        self.laid = bytearray()

    def put(self, text: str, inside: Cut = (0, 0)) -> Cut:
        """Where a text stands now: inside another one, if it is part of that, else at the end."""
        data = text.encode()
        at = self.laid.find(data, *inside) if any(inside) else -1
        if at < 0:
            at = len(self.laid)
            self.laid += data
        return at, at + len(data)


def _packed(ruleset: Ruleset, language: Language) -> bytes:
    """A ruleset as a line of JSON and the texts that it cuts up, with its mechanics taken apart."""
    texts = _Texts()
    files = {path: texts.put(text) for path, text in ruleset.texts.items()}
    index = {
        "files": files,
        "rules": [_packed_rule(each, texts, files[each.path], language) for each in ruleset.rules],
        "sections": ruleset.sections,
        "intros": {name: texts.put(text) for name, text in ruleset.intros.items()},
    }
    return json.dumps(index, separators=(",", ":")).encode() + b"\n" + texts.laid


def _packed_rule(placed: Placed, texts: _Texts, file: Cut, language: Language) -> list[object]:
    rule = placed.rule
    known = rule.mechanics and _BETWEEN not in rule.mechanics
    scan = linking.scan(rule.slug, rule.mechanics, rule.line, language.rosters) if known else None
    prose, mechanics = (texts.put(text, file) for text in (rule.prose, rule.mechanics))
    return [
        [rule.slug, rule.title, rule.front, prose, mechanics, rule.line],
        [placed.section, placed.parent, placed.path, placed.number],
        scan and [
            texts.put(_BETWEEN.join(scan.parts)), scan.slots, scan.functions, scan.private, scan.parameters,
            " ".join(sorted(scan.calls)), scan.passages,
        ],
    ]  # fmt: skip


def _unpacked(index: Mapping[str, Any], texts: bytes, language: Language) -> Ruleset:
    files = {path: texts[at:end].decode() for path, (at, end) in index["files"].items()}
    placed = [_unpacked_rule(texts, language, *each) for each in index["rules"]]
    sections = tuple((number, name) for number, name in index["sections"])
    intros = {name: texts[at:end].decode() for name, (at, end) in index["intros"].items()}
    return Ruleset(files, tuple(placed), {each.slug: each for each in placed}, sections, intros)


def _unpacked_rule(
    texts: bytes, language: Language, rule: list[Any], place: list[Any], scan: list[Any] | None
) -> Placed:
    slug, title, front, prose, mechanics, line = rule
    made = Rule(slug, title, front, texts[slice(*prose)].decode(), texts[slice(*mechanics)].decode(), line)
    if scan is not None:
        parts, slots, functions, private, parameters, calls, passages = scan
        scanned = Scan(
            slug, line, tuple(texts[slice(*parts)].decode().split(_BETWEEN)), tuple([(n, r) for n, r in slots]), functions,
            tuple(private), {name: tuple(each) for name, each in parameters.items()}, frozenset(calls.split()),
            None if passages is None else tuple([Passage(*each) for each in passages]),
        )  # fmt: skip
        linking.remember(made.mechanics, language.rosters, scanned)
    return Placed(made, *place)
