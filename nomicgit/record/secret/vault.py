"""The vault: the secret part of the gamestate, sealed in two files. Source: ``docs/secrets.md``.

``game/sealed/state`` holds all of it as of a deed, ``game/sealed/since`` a line for each sealed deed after that. Each has a part
under each of the term's two keys, in steps of size, and the same form whether anything changed or not.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from nomicgit.ground.files import Value
from nomicgit.ground.kept import Kept
from nomicgit.ground.problems import Malformed
from nomicgit.law.law import PARTED
from nomicgit.sealing.canonical import canonical
from nomicgit.sealing.keys import Part, Sealer

if TYPE_CHECKING:
    from nomicgit.git import Repository

STATE, SINCE = "game/sealed/state", "game/sealed/since"
MOST = 32
"""Sealed deeds after which the whole state is written anew."""
STEPS: Mapping[str, Mapping[Part, int]] = MappingProxyType({
    "state": {Part.MAIN: 8192, Part.NEVER: 2048}, "since": {Part.MAIN: 1024, Part.NEVER: 256},
    "deed": {Part.MAIN: 512, Part.NEVER: 512},
})  # fmt: skip
"""The steps (bytes) in which is padded what is sealed: the whole state, what one deed changed, and what it was."""

Fields = Mapping[str, Value]


class Sheet(Struct, frozen=True):
    """One line: a deed, and what is sealed as of it, or in it, a part under each key (base64)."""

    deed: str
    main: str
    never: str

    def __str__(self) -> str:
        return f"{self.deed} {self.main} {self.never}\n"

    @classmethod
    def of(cls, line: str, path: str) -> Sheet:
        """A sheet from its line. Malformed for what is none."""
        parts = line.split(" ")
        if len(parts) != 3 or not all(parts):
            raise Malformed.of("a line must hold a deed and two sealed parts", file=path)
        return cls(*parts)

    def part(self, part: Part) -> bytes:
        """What is sealed under one of the keys."""
        try:
            return base64.b64decode(self.main if part is Part.MAIN else self.never, validate=True)
        except (binascii.Error, ValueError):
            raise Malformed.of("a sealed part is no base64", file=STATE) from None


def sheet(
    sealer: Sealer, purpose: str, deed: str, parts: Mapping[Part, object], given: Sheet | None
) -> Sheet:
    """Seal the parts of a sheet. Of a key that is not at hand the part is as it was ``given``."""
    shut = {}
    for part in Part:
        if sealer.has(part):
            text = canonical(parts[part])
            shut[part] = base64.b64encode(
                sealer.shut(part, purpose, deed, text, STEPS[purpose][part])
            ).decode()
        elif given is None:
            raise Malformed.of("this key cannot seal what is never opened", file=STATE)
        else:
            shut[part] = given.never
    return Sheet(deed, shut[Part.MAIN], shut[Part.NEVER])


def read(sealer: Sealer, purpose: str, sheet: Sheet) -> dict[Part, Any]:
    """The parts of a sheet that the key at hand opens."""
    return {
        part: json.loads(sealer.opened(part, purpose, sheet.deed, sheet.part(part)))
        for part in Part
        if sealer.has(part)
    }


class Sheets(Struct, frozen=True):
    """The two files of the vault, as they lie in a tree: the whole state, and the deeds since."""

    state: Sheet
    since: tuple[Sheet, ...] = ()

    @classmethod
    def at(cls, repository: Repository, tree: str) -> Sheets:
        """The sheets in a tree. Malformed where they have not their form."""
        oids = []
        for path in (STATE, SINCE):
            entry = repository.entry(tree, path)
            if entry is None or not entry[0].startswith("100"):  # else a folder, or a symbolic link
                raise Malformed.of("the file is missing", file=path)
            oids.append(entry[1])
        return _READ.get(tuple(oids), lambda: cls._read(*(repository.blob(oid) for oid in oids)))

    @classmethod
    def _read(cls, state_file: bytes, since_file: bytes) -> Sheets:
        (state,) = _sheets(state_file, STATE) or (None,)
        if state is None:
            raise Malformed.of("the file holds no state", file=STATE)
        return cls(state, tuple(_sheets(since_file, SINCE)))

    def files(self) -> dict[str, bytes]:
        """Their files."""
        return {STATE: str(self.state).encode(), SINCE: "".join(map(str, self.since)).encode()}


_READ = Kept[tuple[str, ...], Sheets](4)  # by the files' identities: most deeds leave them as they are


def _sheets(data: bytes, path: str) -> list[Sheet]:
    lines = data.decode("ascii", "replace").split("\n")
    if lines[-1]:
        raise Malformed.of("the last line does not end", file=path)
    return [Sheet.of(line, path) for line in lines[:-1]]


Hidden = Mapping[Part, Mapping[str, Fields]]
"""Secret fields by the ref of their entity, those under each key for themselves."""


class Vault(Struct, frozen=True):
    """What a game keeps secret, open, and where it lies sealed."""

    sealer: Sealer
    sheets: Sheets
    hidden: Hidden

    @classmethod
    def open(cls, repository: Repository, tree: str, sealer: Sealer) -> Vault:
        """The vault of a tree. Refused where the key does not open it."""
        sheets = Sheets.at(repository, tree)
        hidden: Hidden = {part: {} for part in Part}
        hidden = {**hidden, **read(sealer, "state", sheets.state)}
        for each in sheets.since:
            hidden = _laid(hidden, read(sealer, "since", each))
        return cls(sealer, sheets, hidden)

    @classmethod
    def begun(cls, sealer: Sealer, deed: str, hidden: Hidden, given: Sheets | None = None) -> Vault:
        """A vault written anew with a deed. ``given``: as it lies there, for the part whose key is not at hand."""
        return cls(
            sealer,
            Sheets(sheet(sealer, "state", deed, hidden, given.state if given else None)),
            hidden,
        )

    def after(
        self, deed: str, changes: Mapping[str, Mapping[Part, Fields]], given: Sheets | None = None
    ) -> Vault:
        """The vault after a sealed deed that has made these entities' secret fields what they are now.

        What is the same is not written again: the more somebody has that is secret, the larger it would be, and tell who.
        """
        changed = {
            part: {
                ref: difference
                for ref, parts in sorted(changes.items())
                if (difference := difference_of(self.hidden[part].get(ref, {}), parts.get(part, {})))
            }
            for part in Part
        }
        hidden = _laid(self.hidden, changed)
        if len(self.sheets.since) + 1 >= MOST:
            return Vault.begun(self.sealer, deed, hidden, given)
        there = given.since[-1] if given and given.since else None
        line = sheet(self.sealer, "since", deed, changed, there)
        return Vault(self.sealer, Sheets(self.sheets.state, (*self.sheets.since, line)), hidden)

    def entity(self, ref: str, public: Fields | None) -> dict[str, Any] | None:
        """An entity with what is secret of it; None where there is none."""
        secret = [fields for part in Part if (fields := self.hidden[part].get(ref))]
        if public is None and not secret:
            return None
        whole = dict(public or {})
        for name, value in (pair for fields in secret for pair in fields.items()):
            kept = whole.get(name)
            parted = name in PARTED and isinstance(kept, dict) and isinstance(value, dict)
            whole[name] = dict(sorted({**kept, **value}.items())) if parted else value  # type: ignore[dict-item]
        return whole

    def names(self, ref: str) -> set[str]:
        """The names of an entity's secret fields."""
        return {name for part in Part for name in self.hidden[part].get(ref, ())}

    def changed_since(self, before: Vault) -> set[str]:
        """The refs of the entities of which something secret differs."""
        return {
            ref
            for part in Part
            for ref in {*self.hidden[part], *before.hidden[part]}
            if self.hidden[part].get(ref) != before.hidden[part].get(ref)
        }

    def refs(self, kind: str) -> list[str]:
        """The refs of the entities of a kind of which something is secret."""
        refs = {ref for part in Part for ref in self.hidden[part]}
        return sorted(ref for ref in refs if ref.partition("/")[0] == kind)


def difference_of(old: Fields, new: Fields) -> dict[str, Any]:
    """What turns one map into another: what it ``puts``, takes ``out``, and does ``within`` maps that are in both."""
    within, puts = {}, {}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            within[name] = difference_of(before, value)
        elif name not in old or canonical(before) != canonical(value):
            puts[name] = value
    parts = {
        "puts": puts,
        "out": sorted(old.keys() - new.keys()),
        "within": {k: v for k, v in within.items() if v},
    }
    return {name: part for name, part in parts.items() if part}


def _turned(old: Fields, difference: Mapping[str, Any]) -> dict[str, Any]:
    """A map after such a difference."""
    within = difference.get("within", {})
    kept: dict[str, Any] = {
        name: value for name, value in old.items() if name not in difference.get("out", ())
    }
    return {**kept, **difference.get("puts", {}), **{k: _turned(kept[k], each) for k, each in within.items()}}


def _laid(hidden: Hidden, changes: Mapping[Part, Mapping[str, Mapping[str, Any]]]) -> Hidden:
    """Secret fields after what deeds have changed of them."""
    after = {part: dict(hidden[part]) for part in Part}
    for part, changed in changes.items():
        for ref, difference in changed.items():
            fields = _turned(after[part].get(ref, {}), difference)
            if fields:
                after[part][ref] = fields
            else:
                after[part].pop(ref, None)
    return after
