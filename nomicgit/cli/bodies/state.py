"""``nomicgit state``."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from nomicgit.cli.bodies import status, tables
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import alone, clean, inline
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command
from nomicgit.ground.wording import in_words
from nomicgit.law import paths
from nomicgit.law.declarations import Collection
from nomicgit.outlook import meant
from nomicgit.physics.state import naming, reading
from nomicgit.physics.state.store import NeedsKey
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import bare

LONG, LINES = 400, 6  # letters and lines of a value beside others
Untold = dict[str, str]
"""What the law does not tell, and why."""


def tell(seat: Seat, path: str | None) -> int:
    game = seat.game_to_look_at()
    world = game.looked_at(seat.moment(game))
    world.look()
    untold: Untold = {}
    if world.halted is not None:
        click.echo(click.style(status.waiting(*world.halted), fg="yellow"), err=True)
    code = _overview(seat, world, untold) if path is None else _one(seat, world, path, untold)
    for name, why in untold.items():
        click.echo(click.style(f"{clean(name)} cannot be told: {inline(why)}", fg="yellow"), err=True)
    return code


def _one(seat: Seat, world: Transaction, path: str, untold: Untold) -> int:
    parts = paths.segments(path)
    held = at_path(world, parts, untold)
    if held is None and (secret := _secret_at(world, parts)):
        raise NeedsKey.of_what(secret, "whoever has been told it reads it in: nomicgit letters")
    if held is None:
        mend = meant.path(world, path) or "see what there is: nomicgit state"
        raise Refused.of(f"nothing stands at {printable(path, 80)}", mend=mend)
    value = held[0]
    if seat.as_json:
        click.echo(json.dumps(value))
    elif len(parts) == 1 and parts[0] in kinds(world):
        _all(world, parts[0], value)
    elif isinstance(value, dict):
        _fields(value, ".".join(parts))
    else:
        click.echo(alone(_whole(value)))
    return 0


def _all(world: Transaction, kind: str, entities: dict[str, dict[str, Any]]) -> None:
    """All entities of a kind: a table, and before it the map where they lie in columns and rows."""
    if not entities:
        return click.echo(f"there are no {clean(kind)}")
    collection = world.law.declared.collections.get(kind)
    if collection is not None and collection.grid and isinstance(collection.key, Mapping):
        tables.tell_map(collection.key, entities, _shown(world, collection), _who_is_where(world, kind))
    return tables.tell(kind, entities)


def _shown(world: Transaction, collection: Collection) -> list[str]:
    """The fields that say what a place is: its label, or what it is called; where neither is declared, what is chosen of it."""
    known = {each.name: each for each in world.law.by_kind.get(collection.name, ())}
    named = [str(collection.attributes.get("label") or "label"), collection.called]
    chosen = [name for name, each in known.items() if each.type.kind == "choice"]
    return [name for name in named if name in known] or chosen


def _who_is_where(world: Transaction, kind: str) -> dict[str, list[str]]:
    """The players of whom a public variable names one of a kind, by what it names."""
    there: dict[str, list[str]] = {}
    placing = [
        v for v in world.law.by_kind.get("players", ()) if v.tracked == "public" and v.type.kind == kind
    ]
    for player in reading.roster(world) if placing else ():
        fields = entity(world, player, {})
        for place in dict.fromkeys(str(fields[each.name]) for each in placing if fields.get(each.name)):
            there.setdefault(place, []).append(bare(world, player))
    return there


def _secret_at(world: Transaction, parts: Sequence[str]) -> str:
    """What is secret at a path, under the game's key; nothing where nothing is."""
    if not world.context.keys:
        return ""
    kind, secrecy = parts[0], world.law.secrecy
    if kind in secrecy.kinds:
        return f"what there is of {kind}"
    name = parts[-1].replace("-", "_")
    return f"{name} of {kind}" if (kind, name) in secrecy.variables else ""


def kinds(world: Transaction) -> list[str]:
    """What there is entities of."""
    public = [name for name, c in world.law.declared.collections.items() if c.tracked == "public"]
    return ["players", *public]


def entity(world: Transaction, ref: str, untold: Untold) -> dict[str, Any]:
    """All public fields of an entity, in the form of files; what the law does not tell is None."""
    kind = ref.partition("/")[0]
    declared = [v.name for v in world.law.by_kind.get(kind, ()) if v.tracked == "public" and not v.transient]
    fields: dict[str, Any] = {}
    for name in (*reading.KEPT.get(kind, {}), *declared):
        world.question()
        try:
            fields[name] = bare(world, reading.get(world, ref, name, None))
        except NomicError as error:
            fields[name] = None
            untold.setdefault(f"{name} of {kind}", str(error.problems[0]))
    return fields


def at_path(world: Transaction, parts: Sequence[str], untold: Untold) -> tuple[Any] | None:
    """What stands at a path, wrapped (it may be null); None where there is nothing."""
    head, *rest = parts
    if head in ("game", "dynasty"):
        return _into(entity(world, head, untold), rest)
    if head not in kinds(world):
        return None
    ids = [ref.partition("/")[2] for ref in reading.find(world, head)]
    if not rest:
        return ({bare(world, f"{head}/{name}"): entity(world, f"{head}/{name}", untold) for name in ids},)
    name = naming.player_id(world, rest[0]) if head == "players" else naming.entity_id(world, head, rest[0])
    return _into(entity(world, f"{head}/{name}", untold), rest[1:]) if name in ids else None


def _into(value: Any, rest: Sequence[str]) -> tuple[Any] | None:
    for part in rest:
        if isinstance(value, dict) and (part in value or part.replace("-", "_") in value):
            value = value[part] if part in value else value[part.replace("-", "_")]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return (value,)


def _overview(seat: Seat, world: Transaction, untold: Untold) -> int:
    players = {bare(world, ref): entity(world, ref, untold) for ref in reading.find(world, "players")}
    counts = {kind: len(reading.find(world, kind)) for kind in kinds(world)[1:]}
    game = entity(world, "game", untold)
    if seat.as_json:
        click.echo(
            json.dumps(
                {
                    "players": players,
                    "game": game,
                    "dynasty": entity(world, "dynasty", untold),
                    "collections": counts,
                }
            )
        )
        return 0
    tables.tell("players", players)
    fields = {name: value for name, value in game.items() if value not in (None, "", [], {}, False)}
    if fields:
        click.echo(click.style("\nthe game", bold=True))
        _fields(fields, "game")
    if counts:
        click.echo(
            "\n"
            + ", ".join(f"{kind} ({count})" for kind, count in counts.items())
            + "  (nomicgit state NAME)"
        )
    return 0


def _fields(value: dict[str, Any], path: str) -> None:
    """What stands at a path, by its names; of what is long the beginning, how long it is, and what tells all of it."""
    width = max(map(len, value), default=0)
    for name, item in value.items():
        if isinstance(item, dict):
            item = {key: inner for key, inner in item.items() if inner not in (None, "", [], {}, False)}
        click.echo(f"  {clean(name):{width}}  {inline(_begun(item, f'{path}.{name}'))}")


def _begun(value: object, path: str) -> str:
    """A value with all that it holds where that is short; else as much as fits, and what tells the rest."""
    whole = _whole(value)
    if len(whole) <= LONG and whole.count("\n") < LINES:
        return whole
    all_of_it = f"all of it: {command('nomicgit', 'state', path).strip()}"
    if not isinstance(value, str):
        return f"{in_words(value, LONG)} ({all_of_it})"
    begun = "\n".join(whole.split("\n")[:LINES])[:LONG].rstrip()
    return f"{begun}… ({len(whole):,} letters; {all_of_it})"


def _whole(value: object) -> str:
    """A value with all that it holds; a text as it stands."""
    return value if isinstance(value, str) and value else in_words(value, sys.maxsize)
