"""What would be right where something of another shape stands: lines for declarations, changes and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.kept import late
from nomicgit.law.definitions import text_of
from nomicgit.law.variables import Missing, Type

_HANDED = late(r"def \w+\(\s*(\w*)")
_OF = {"": "game", "matter": "matter"}
NAMES: Mapping[str, str] = {
    "variables": "{of: player, type: integer}", "actions": "{by: player}", "limits": "{per: day}",
    "collections": "{fields: {seats: integer}}", "catalogues": "{small: {price: 1}}", "guards": "{on: [vote]}",
    "settles": "{of: player, watches: [coins]}", "filters": "{of: player, variable: coins}",
    "schedule": "{every: day 06:00}", "views": "{of: player}", "posts": "{official: true}",
}  # fmt: skip
"""How one of each kind that is declared by its name is written."""
WHOLE: Mapping[str, str] = {
    "terms": "{player: Miller, players: Millers}", "clock": "{zone: UTC}", "when": "{landed: [_hail]}",
    "counts": "[{in: [dynastic], emperor: false}]", "overrides": "[do_vote]", "protected": "[do_vote]",
}  # fmt: skip
PARTS: Mapping[str, str] = {"actions": "with: {people: integer}", "collections": "fields: {seats: integer}"}
"""What in one of them is a map, that is written as a list."""
CHANGES: Mapping[str, str] = {
    "repeal": "{repeal: Moonlight}", "status": "{status: {Moonlight: inactive}}", "set": "{set: {game.pot: 3}}",
    "terms": "{terms: {player: Miller, players: Millers}}", "bar": "{bar: ana}", "undo": "{undo: 3f2a91c0b7}",
    "uphold": "{uphold: the vote of ana}", "run": '{run: note("rain")}', "together": "{together: [{repeal: Moonlight}, {bar: ana}]}",
}  # fmt: skip
"""How each change is written whose form holds no keys of its own."""
SAMPLES: Mapping[str, str] = {
    "any": "one", "text": "a word", "boolean": "true", "datetime": "2021-06-07T00:00:00Z", "date": "2021-06-07",
    "entry": "{action: NAME}",
}  # fmt: skip


def declared(key: str, given: object, mechanics: str = "") -> str:
    """What to write under a key of the front matter, for the first name that was given there; ``mechanics``: the rule's."""
    if key in WHOLE:
        return f"write {key}: {WHOLE[key]}"
    first = given[0] if isinstance(given, list) and given and isinstance(given[0], str) else "name"
    return f"write {key}: {{{first}: {one(key, first, mechanics)}}}"


def one(key: str, name: str, mechanics: str) -> str:
    """How one of a kind is declared, with a name: a view whose function is handed nothing is the game's."""
    handed = _HANDED.search(text_of(mechanics, name.replace("-", "_")) or "") if key == "views" else None
    of = _OF.get(handed[1], "player") if handed is not None else ""
    return f"{{of: {of}}}" if of else NAMES[key]


def value(kind: Type) -> str:
    """A value of a type, as it is written."""
    inner = kind.items if kind.kind in ("list", "set") else kind.values
    one = value(inner) if inner is not None else SAMPLES["any"]
    match kind.kind:
        case "list" | "set":
            return f"[{one}]"
        case "map":
            return f"{{{value(kind.keys) if kind.keys is not None else 'name'}: {one}}}"
        case "record":
            return record(kind.fields)
        case "integer" | "number":
            return str(kind.minimum or kind.maximum or 1)
        case "choice":
            return str(kind.choices[0])
    return SAMPLES.get(kind.kind, kind.kind.upper())


def record(fields: Mapping[str, Any], *before: str) -> str:
    """A map of the fields that must be given, of all where none must; other parts may stand before them."""
    needed = {name: kind for name, kind in fields.items() if isinstance(kind.default, Missing)}
    shown = needed or ({} if before else fields)
    return f"{{{', '.join((*before, *(f'{name}: {value(kind)}' for name, kind in shown.items())))}}}"
