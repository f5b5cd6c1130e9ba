"""Words for looking: ids, names, tables, searches, the roster as the file that uses them counts it, and what a deed has changed."""

from __future__ import annotations

from nomicgit.ground import clock
from nomicgit.ground.problems import Defect
from nomicgit.law.declaring import underscored
from nomicgit.law.values import lawful
from nomicgit.law.variables import MISSING
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.state import reading
from nomicgit.physics.state.naming import called
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction


def id_(world: Transaction, ref: object) -> str:
    """The id of a ref."""
    return text_of(ref).partition("/")[2] or text_of(ref)


def name(world: Transaction, ref: object) -> str:
    """A player's name; of anything else its name or id."""
    if ref is None:
        return "nobody"
    world.note_read(text_of(ref), "name")
    if kind_of(text_of(ref)) == "players":
        return called(world.store, id_(world, ref))
    kept = world.store.value(text_of(ref), "name") if "/" in text_of(ref) else MISSING
    return kept if isinstance(kept, str) and kept else id_(world, ref)


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
    return reading.find(world, kind, **{name.rstrip("_"): value for name, value in wanted.items()})


def count(world: Transaction, kind: str, /, **wanted: object) -> int:
    """How many of a kind have these values."""
    return len(find(world, kind, **wanted))


def players(world: Transaction, view: str = "") -> list[str]:
    """The active players, as the rule counts them, in order of joining."""
    return reading.roster(world, _view(world, view))


def everyone(world: Transaction, view: str = "") -> list[str]:
    """Idle players too."""
    return reading.roster(world, _view(world, view), idle=True)


def is_player(world: Transaction, ref: object, view: str = "") -> bool:
    """Whether a ref counts as a player in the rule."""
    return reading.is_player(world, ref, _view(world, view))


def _view(world: Transaction, view: str) -> str:
    return world.law.run_view if view == "run" else view


def was(world: Transaction, ref: str, variable: str) -> object:
    """The stored value when the unit under way began; None for what did not exist."""
    world.note_step()
    world.store.value(ref, variable)  # whoever may not look at it learns nothing of what it was
    kind, mark = kind_of(ref), world.units[-1]
    declared = world.law.variable(kind, variable)
    for change in world.store.since(mark):
        if change.ref == ref and change.field == "created":
            return None
    before = world.store.before(ref, variable, mark)
    if before is MISSING:
        if world.store.value(ref, variable) is MISSING:
            return reading.get(world, ref, variable)
        before = reading.start(world, ref, declared) if declared else None
    kept = declared.type if declared else reading.KEPT.get(kind, {}).get(variable)
    return lawful(world, kept, before) if kept else before


def changed(world: Transaction) -> list[dict[str, object]]:
    """Everything that the deed has changed so far, net: ``{path, old, new, public}``."""
    world.note_step()
    effects = pipeline.effects(world, made=frozenset(world.store.touched()))
    return [{key: each[key] for key in ("path", "old", "new", "public")} for each in effects]


def text_of(value: object) -> str:
    if not isinstance(value, str):
        raise Defect.of(f"{value!a} is no text")
    return value


def span_of(value: object) -> clock.Span:
    if not isinstance(value, str):
        raise Defect.of(f"{value!a} is no span of time", mend='write it as "12h" or "3d", in quotes')
    return clock.span(value)
