"""Words for looking: ids, names, tables, searches, and what a deed has changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.problems import Defect
from nomicgit.law.declaring import underscored
from nomicgit.law.values import lawful
from nomicgit.law.variables import MISSING
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import WHOLE, kind_of
from nomicgit.physics.state.transaction import Transaction


def id_(world: Transaction, ref: object) -> str:
    """The id of a ref."""
    return text_of(ref).partition("/")[2] or text_of(ref)


def name(world: Transaction, ref: object) -> str:
    """A player's name; of anything else its name or id."""
    if ref is None:
        return "nobody"
    found = world.store.value(text_of(ref), "name") if "/" in text_of(ref) else MISSING
    return found if isinstance(found, str) and found else id_(world, ref)


def catalogue(world: Transaction, table: str) -> dict[str, object]:
    """A table, merged of all rules in force."""
    if table not in world.law.declared.catalogues:
        raise Defect.of(f"no rule in force declares a catalogue {table}")
    return dict(world.law.declared.catalogues[table])


def known(world: Transaction, what: str) -> bool:
    """Whether a function, variable, catalogue or collection of that name is in force."""
    tables, plain = world.law.declared, underscored(what)
    return (
        world.law.has(plain) or what in tables.catalogues or what in tables.collections
        or any(v == plain for _, v in tables.variables)
    )  # fmt: skip


def find(world: Transaction, kind: str, /, **wanted: object) -> list[str]:
    """All of a kind whose fields have these values."""
    return reading.find(
        world, kind, **{k.rstrip("_") if k.endswith("_") else k: v for k, v in wanted.items()}
    )


def count(world: Transaction, kind: str, /, **wanted: object) -> int:
    """How many of a kind have these values."""
    return len(find(world, kind, **wanted))


def was(world: Transaction, ref: str, variable: str) -> object:
    """The stored value when the unit under way began; None for what did not exist."""
    world.note_step()
    kind, mark = kind_of(ref), world.units[-1]
    declared = world.law.variable(kind, variable)
    for change in world.store.since(mark):
        if change.ref == ref and change.field == "created":
            return None
    found = world.store.before(ref, variable, mark)
    if found is MISSING:
        return (
            reading.get(world, ref, variable)
            if world.store.value(ref, variable) is MISSING
            else _start(world, ref, variable)
        )
    kept = declared.type if declared else reading.KEPT.get(kind, {}).get(variable)
    return lawful(world, kept, found) if kept else found


def _start(world: Transaction, ref: str, variable: str) -> object:
    declared = world.law.variable(kind_of(ref), variable)
    return lawful(world, declared.type, reading.start(world, ref, declared)) if declared else None


def changed(world: Transaction) -> list[dict[str, object]]:
    """Everything that the deed has changed so far, net: ``{path, old, new, public}``."""
    world.note_step()
    return [
        {"path": e["path"], "old": e["old"], "new": e["new"], "public": e["public"]}
        for e in effects(world, made=True)
    ]


def effects(world: Transaction, *, made: bool = False) -> list[dict[str, Any]]:
    """The net effects of the deed so far, values in the form of files; fields that only the program keeps left out.

    ``made``: with the fields of what came into being, too.
    """
    first: dict[tuple[str, str], object] = {}
    for change in world.store.since(0):
        kind = kind_of(change.ref)
        if kind == "open" or change.field in ("made", "frozen"):
            continue
        if change.field == "destroyed":
            _whole(first, change.ref, change.old[1])
        elif change.field == "created":
            _whole(first, change.ref, dict.fromkeys(world.store.fields(change.ref) or {} if made else {}))
        elif change.field != "comments":
            first.setdefault((change.ref, change.field), change.old)
    found = []
    for (ref, field), old in first.items():
        new = world.store.value(ref, field)
        declared = world.law.variable(kind_of(ref), field)
        if old is MISSING and declared is not None:
            old = reading.start(world, ref, declared)
        old, new = (None if v is MISSING else v for v in (old, new))
        if old != new:
            secret = declared is not None and (declared.tracked != "public" or declared.transient)
            path = ref.replace("/", ".") + "." + field
            found.append(
                {
                    "ref": ref,
                    "field": field,
                    "path": path,
                    "old": old,
                    "new": new,
                    "public": not secret and field != "uses",
                }
            )
    return found if made else [*_comings(world), *found]


def _comings(world: Transaction) -> list[dict[str, object]]:
    """The entities that the deed made or took away, as effects: ``created`` and ``destroyed`` with all their fields."""
    found, seen = [], set()
    for change in world.store.since(0):
        if change.field not in WHOLE or change.ref in seen or change.ref.startswith(("posts/", "scenarios/")):
            continue
        seen.add(change.ref)
        old, new = change.old[1] if change.field == "destroyed" else None, world.store.fields(change.ref)
        if (old is None) != (new is None):
            field = "created" if old is None else "destroyed"
            new = None if new is None else dict(new)
            found.append(
                {"ref": change.ref, "field": field, "path": "", "old": old, "new": new, "public": False}
            )
    return found


def _whole(first: dict[tuple[str, str], object], ref: str, fields: Mapping[str, object]) -> None:
    for field, value in fields.items():
        if field != "made":
            first.setdefault((ref, field), value)


def text_of(value: object) -> str:
    if not isinstance(value, str):
        raise Defect.of(f"{value!r} is no text")
    return value
