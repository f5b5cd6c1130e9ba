"""What people call things: from a name, number or title to the id of an entity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from nomicgit.ground.characters import fold
from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused, printable
from nomicgit.law.declaring import PLAYER_NAME, fitting
from nomicgit.law.titles import unused
from nomicgit.law.variables import MISSING, Type
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction

MOST_CALLED = 8  # ids that are told of those that bear one name


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
    player = player_id(world, name)
    if player is None:
        raise Refused.of(f"there is no player {printable(name, 60)}")
    if which.active:
        ref = f"players/{player}"
        if not reading.is_player(world, ref, world.law.view_of(which.rule)):
            state = "idle" if reading.is_idle(world, ref) else "no player for this rule"
            raise Refused.of(f"{player} is {state}")
    return player


def player_id(world: Transaction, name: str) -> str | None:
    """The id of the player on the roster who has or had this name, whatever its capitals."""
    who = holder(world.store, name)
    return who if who is not None and world.store.fields(f"players/{who}") is not None else None


def holder(store: Store, name: str) -> str | None:
    """The id of whoever has or had a name, whatever its capitals, on the roster or not; None where nobody ever had."""
    if PLAYER_NAME.fullmatch(name) is None:
        return None
    if store.fields(f"players/{name}") is not None:
        return name
    folded = name.casefold()
    everyone = {player: [player] for player in store.ids("players")} | _names(store)
    return next((who for who, had in everyone.items() if folded in map(str.casefold, had)), None)


def called(store: Store, player: str) -> str:
    """What a player is called now, or was called last. ``player``: the id, which is the name of their first joining."""
    name = store.value(f"players/{player}", "name")
    return name if isinstance(name, str) and name else names_of(store, player)[-1]


def is_guest(store: Store, player: str) -> bool:
    """Whether nobody of this id is or was on the roster: whoever said something so said it as a guest, whatever a player is called."""
    return store.fields(f"players/{player}") is None and player not in _names(store)


def names_of(store: Store, player: str) -> Sequence[str]:
    """Every name that a player has had, the newest last."""
    return _names(store).get(player, [player])


def keep_names(store: Store, player: str, names: Sequence[str]) -> None:
    """Keep the names of a player for good: they are nobody else's."""
    store.put("used", "names", dict(sorted({**_names(store), player: list(names)}.items())))


def _names(store: Store) -> dict[str, list[str]]:
    """The names of those who have had another, or who are no more on the roster, by their ids."""
    kept = store.value("used", "names")
    return kept if isinstance(kept, dict) else {}


def newcomer(world: Transaction, name: str) -> str:
    """The id under which somebody joins: their name, or the id that they had. Refused where it is, or was, another's."""
    if PLAYER_NAME.fullmatch(name) is None:
        raise Refused.of(
            f"{printable(name, 60)} cannot name one of the players (letters, digits and hyphens)",
            mend=f"write {fit}" if (fit := fitting(name)) else "",
        )
    who = holder(world.store, name)
    if who is not None and world.store.fields(f"players/{who}") is not None:
        raise Refused.of(taken(world.store, name, who))
    return who or name


def kept_account(store: Store, name: str) -> Mapping[str, Value]:
    """The account of who asked to join under a name, or left; nothing where there is none."""
    accounts = store.value("used", "accounts")
    kept = accounts.get(name) if isinstance(accounts, Mapping) else None
    return kept if isinstance(kept, Mapping) else {}


def keep_account(store: Store, name: str, account: Mapping[str, Value]) -> None:
    """Keep the account of somebody who is no player."""
    kept = store.value("used", "accounts")
    accounts = kept if isinstance(kept, Mapping) else {}
    store.put("used", "accounts", dict(sorted({**accounts, name: account}.items())))


def account_of(store: Store, name: str) -> Mapping[str, Value]:
    """The account on a forge of who asked to join under a name, or left; nothing where there is none, or a player has it."""
    kept = kept_account(store, name)
    held = [store.value(f"players/{who}", "forge") for who in store.ids("players")]
    same = [each for each in held if isinstance(each, Mapping) and _same(each, kept)]
    return {} if same else {key: value for key, value in kept.items() if key != "since"}


def _same(one: Mapping[str, Value], other: Mapping[str, Value]) -> bool:
    """Whether two accounts are one: of the same forge, with the same number there."""
    return any(one.get(key) == value for key, value in other.items() if key not in ("login", "since"))


def taken(store: Store, name: str, who: str) -> str:
    """Why a name that somebody has or had is nobody else's."""
    now = called(store, who)
    if now.casefold() == name.casefold():
        return f"there is a {now} among the players already"
    return f"{name} is a name that {now} had before, and a name once used is nobody else's"


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


def entity_id(world: Transaction, kind: str, name: str) -> str:
    """The id that a name means of a collection whose ids are made of fields: players in it go by any of their names."""
    collection = world.law.declared.collections.get(kind)
    parts = key_parts(collection.key) if collection is not None else ()
    said = name.split("-")
    if len(said) != len(parts) or world.store.fields(f"{kind}/{name}") is not None:
        return name
    return "-".join(_part(world, kind, *each) for each in zip(parts, said, strict=True))


def _part(world: Transaction, kind: str, field: str, said: str) -> str:
    declared = world.law.variable(kind, field)
    who = player_id(world, said) if declared is not None and declared.type.kind == "player" else None
    return who or said


def _entity(world: Transaction, kind: str, name: str) -> str:
    name = entity_id(world, kind, name)
    if reading.exists(world, f"{kind}/{name}"):
        return name
    if field := naming_field(world, kind):
        hits = [ref.partition("/")[2] for ref in reading.find(world, kind, **{field: name})]
        if len(hits) == 1:
            return hits[0]
        if hits:
            what = f"several of the {kind} are called {printable(name, 60)}"
            raise Refused.of(what, mend=f"write which: {', '.join(hits[:MOST_CALLED])}")
    raise Refused.of(f"there is no {printable(name, 60)} among the {kind}")


def naming_field(world: Transaction, kind: str) -> str:
    """By which field people may name the entities of a collection: as it declares, or the one of which their ids are made; one that
    is secret names nobody.
    """
    collection = world.law.declared.collections.get(kind)
    if collection is None:
        return ""
    made_of = collection.key.get("slug", "") if isinstance(collection.key, Mapping) else ""
    field = collection.called or str(made_of)
    declared = world.law.variable(kind, field) if field else None
    return field if declared is not None and declared.tracked == "public" else ""


def slug(text: str) -> str:
    """A text as an id: ASCII letters and digits, lower case, joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")[:60].strip("-") or "unnamed"


def id_for(world: Transaction, kind: str, key: object, fields: Mapping[str, object]) -> str:
    """The id that a new entity of a collection gets from its key; ``fields`` in the form of files."""
    match key:
        case str():
            return str(fields.get(key) or "")
        case {"prefix": prefix}:
            return f"{prefix}{numbered(world, kind)}"
        case {"slug": field}:
            wanted = slug(str(fields.get(field) or ""))
            return unused(wanted, lambda each: world.store.fields(f"{kind}/{each}") is not None)
        case {"of": list() as parts}:
            return "-".join(str(fields.get(part)) for part in parts)
    raise Refused.of(f"nothing is added to {kind}")


def key_parts(key: object) -> tuple[str, ...]:
    """The fields of which a collection makes its ids, where it makes them so."""
    return tuple(key["of"]) if isinstance(key, Mapping) and "of" in key else ()


def numbered(world: Transaction, kind: str) -> int:
    """The next number of a collection, after the highest ever used; with ``prefix`` keys it names the entity."""
    counters = world.store.value("open", "made")
    used = counters.get(kind, 0) if isinstance(counters, dict) else 0
    collection = world.law.declared.collections.get(kind)
    if collection is not None and isinstance(collection.key, dict) and "prefix" in collection.key:
        used = max(used, world.store.highest(kind))
    return int(used) + 1


def count_made(world: Transaction, kind: str) -> int:
    """Take the next number of a kind, and remember it."""
    counters, number = world.store.value("open", "made"), numbered(world, kind)
    known = counters if isinstance(counters, dict) else {}
    world.store.put("open", "made", dict(sorted({**known, kind: number}.items())))
    return number


def put_by_counts(world: Transaction, kinds: Iterable[str]) -> None:
    """Of collections that are gone, keep how many there were with what is used up, where later deeds do not touch it."""
    _move_counts(world, kinds, "open", "used")


def take_up_counts(world: Transaction, kinds: Iterable[str]) -> None:
    """Go on counting, of collections that are declared again, where they ended."""
    _move_counts(world, kinds, "used", "open")


def _move_counts(world: Transaction, kinds: Iterable[str], source: str, target: str) -> None:
    """Move the counters of kinds from one of the program's own entities to the other."""
    there, here = (world.store.value(ref, "made") for ref in (source, target))
    known = there if isinstance(there, dict) else {}
    moved = {kind: known[kind] for kind in kinds if kind in known}
    if moved:
        rest = {kind: number for kind, number in known.items() if kind not in moved}
        world.store.put(source, "made", rest or MISSING)
        kept = here if isinstance(here, dict) else {}
        world.store.put(target, "made", dict(sorted({**kept, **moved}.items())))
