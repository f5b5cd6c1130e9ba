"""What people call things: from a name, number or title to the id of an entity."""

from __future__ import annotations

import re
from collections.abc import Mapping

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.variables import MISSING, Type
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

PLAYER_NAME = re.compile(r"[A-Za-z0-9](?:[-_]?[A-Za-z0-9]){0,38}", re.ASCII)
ENTITY_ID = re.compile(r"(?:-(?=\d))?[A-Za-z0-9](?:[A-Za-z0-9 .,'&+()_-]{0,78}[A-Za-z0-9.)_'])?", re.ASCII)


def identified(world: Transaction, kind: str, name: object, which: Type) -> str:
    """The id of the entity of a kind that a name means; Refused where there is none, or it is of another sort."""
    text = str(name) if isinstance(name, int) and not isinstance(name, bool) else name
    if not isinstance(text, str) or not text:
        raise Refused.of(f"{printable(str(name), 60)} names none of the {kind}")
    text = text.removeprefix(f"{kind}/")
    match kind:
        case "players":
            return _player(world, text, which)
        case "posts":
            return _post(world, text, which)
        case "rules":
            return _rule(world, text, which)
        case "deeds":
            if world.context.history.deed(text) is None:
                raise Refused.of(f"there is no deed {printable(text, 60)}")
            return text
    return _entity(world, kind, text)


def _player(world: Transaction, name: str, which: Type) -> str:
    found = player_id(world, name)
    if found is None:
        raise Refused.of(f"there is no player {printable(name, 60)}")
    if which.active:
        ref = f"players/{found}"
        if not reading.is_player(world, ref, world.law.view_of(which.rule)):
            state = "idle" if reading.is_idle(world, ref) else "no player for this rule"
            raise Refused.of(f"{found} is {state}")
    return found


def player_id(world: Transaction, name: str) -> str | None:
    """The id of a player of this name, whatever its capitals."""
    if PLAYER_NAME.fullmatch(name) is None:
        return None
    if world.store.fields(f"players/{name}") is not None:
        return name
    folded = name.casefold()
    return next((i for i in world.store.ids("players") if i.casefold() == folded), None)


def _post(world: Transaction, name: str, which: Type) -> str:
    number = name.lstrip("0") or "0"
    if not (number.isascii() and number.isdigit()) or world.store.fields(f"posts/{number}") is None:
        raise Refused.of(f"there is no post {printable(name, 60)}")
    if which.kind == "matter" and not reading.get(world, f"posts/{number}", "votable"):
        raise Refused.of(f"post {number} is no votable matter")
    return number


def _rule(world: Transaction, name: str, which: Type) -> str:
    section = which.where.get("section")
    placed = world.ruleset.by_slug.get(name) or world.ruleset.find(name, section=section)
    if section and placed.section != section:
        raise Refused.of(f"{placed.title} is no rule of the section {section}")
    return placed.slug


def _entity(world: Transaction, kind: str, name: str) -> str:
    if reading.exists(world, f"{kind}/{name}"):
        return name
    collection = world.law.declared.collections.get(kind)
    if collection is not None and collection.called:
        hits = reading.find(world, kind, **{collection.called: name})
        if len(hits) == 1:
            return hits[0].partition("/")[2]
        if hits:
            raise Refused.of(f"several of the {kind} are called {printable(name, 60)}")
    raise Refused.of(f"there is no {printable(name, 60)} among the {kind}")


def slug(text: str) -> str:
    """A text as an id: ASCII letters and digits, lower case, joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:60].strip("-") or "unnamed"


def id_for(world: Transaction, kind: str, key: object, fields: Mapping[str, object]) -> str:
    """The id that a new entity of a collection gets from its key; ``fields`` in the form of files."""
    match key:
        case str():
            return str(fields.get(key) or "")
        case {"prefix": prefix}:
            return f"{prefix}{numbered(world, kind)}"
        case {"slug": field}:
            return _fresh(world, kind, slug(str(fields.get(field) or "")))
        case {"of": list() as parts}:
            return "-".join(str(fields.get(part)) for part in parts)
    raise Refused.of(f"nothing is added to {kind}")


def key_parts(key: object) -> tuple[str, ...]:
    """The fields of which a collection makes its ids, where it makes them so."""
    return tuple(key["of"]) if isinstance(key, Mapping) and "of" in key else ()


def _fresh(world: Transaction, kind: str, wanted: str) -> str:
    found, n = wanted, 2
    while world.store.fields(f"{kind}/{found}") is not None:
        found, n = f"{wanted}-{n}", n + 1
    return found


def numbered(world: Transaction, kind: str) -> int:
    """The next number of a collection, after the highest ever used; with ``prefix`` keys it names the entity."""
    counters = world.store.value("open", "made")
    used = counters.get(kind, 0) if isinstance(counters, dict) else 0
    collection = world.law.declared.collections.get(kind)
    if collection is not None and isinstance(collection.key, dict) and "prefix" in collection.key:
        digits = [re.search(r"(\d+)$", name, re.ASCII) for name in world.store.ids(kind)]
        used = max([used, *(int(d[1]) for d in digits if d)])
    return int(used) + 1


def count_made(world: Transaction, kind: str, number: int) -> int:
    """Remember the highest number used in a kind; gives it back."""
    counters = world.store.value("open", "made")
    known = counters if counters is not MISSING else {}
    world.store.put("open", "made", dict(sorted({**known, kind: number}.items())))
    return number
