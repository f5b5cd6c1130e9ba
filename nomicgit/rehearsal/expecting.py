"""What a scenario looks at, and how a value is met."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Ambiguous, Defect, Malformed, Refused
from nomicgit.law import paths
from nomicgit.law.values import keep
from nomicgit.law.variables import ANY, MISSING, Type
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import deriving, naming, reading
from nomicgit.physics.state.store import Store, kind_of
from nomicgit.physics.state.transaction import Transaction

HEADS = "quorum hiatus interregnum matters rules posts told rolls actions game dynasty players".split()
JUDGING = ("enactable", "failable")


def looked_up(
    world: Transaction,
    path: str,
    aliases: Mapping[str, Mapping[str, object]],
    messages: Mapping[str, Sequence[str]],
) -> object:
    """The value at a dotted path, MISSING where there is none."""
    head, *rest = paths.segments(path)
    if not rest and head in ("told", "rolls", "actions", "players"):
        return MISSING
    match head:
        case "quorum" | "hiatus" | "interregnum":
            return _into(_game_view(world, head), rest)
        case "matters":
            return _matter(world, aliases, rest)
        case "rules":
            return _rule(world, rest)
        case "posts":
            return _post(world, rest)
        case "told":
            who = naming.player_id(world, rest[0])
            return _into(list(messages.get(who or rest[0], [])), rest[1:])
        case "rolls":
            return _into(aliases[rest[0]]["result"], rest[1:]) if rest[0] in aliases else MISSING
        case "actions":
            who = f"players/{naming.player_id(world, rest[0]) or rest[0]}"
            declared = world.law.declared.actions.items()
            return sorted(name for name, action in declared if not acting.bar(world, action, who))
        case "game" | "dynasty":
            return _field(world, head, rest)
        case "players":
            who = naming.player_id(world, rest[0])
            if who is None or naming.called(world.store, who).casefold() != rest[0].casefold():
                return MISSING
            return _player(world, f"players/{who}", rest[1:])
        case kind:
            ref = f"{kind}/{naming.entity_id(world, kind, rest[0])}" if rest else kind
            if not reading.exists(world, ref):
                return MISSING
            return _field(world, ref, rest[1:])


def _game_view(world: Transaction, name: str) -> object:
    seen = deriving.view(world, name)
    return MISSING if seen is None and ("game", name) not in world.law.declared.views else seen


def _player(world: Transaction, ref: str, rest: Sequence[str]) -> object:
    if rest == ["active"]:
        return not reading.is_idle(world, ref)
    return _field(world, ref, rest)


def _field(world: Transaction, ref: str, rest: Sequence[str]) -> object:
    if not rest:
        return dict(world.store.fields(ref) or {})
    kind, name = kind_of(ref), rest[0]
    plain = (
        name
        if world.law.variable(kind, name) or name in reading.KEPT.get(kind, {})
        else name.replace("-", "_")
    )
    try:
        value = reading.value(world, ref, kind, plain, True)
    except Defect as error:
        raise Refused(*error.problems) from error
    if value is MISSING:
        view = deriving.view(world, plain, ref)
        return MISSING if view is None else _into(bare(world, view), rest[1:])
    declared = world.law.variable(kind, plain)
    kept = declared.type if declared else reading.KEPT.get(kind, {}).get(plain, ANY)
    return _into(_shown(world, kept, value), rest[1:])


def _shown(world: Transaction, kind: Any, value: Any) -> object:
    if value is None:
        return None
    try:
        return _named(world.store, kind, keep(world, kind, value)) if kind is not ANY else bare(world, value)
    except Refused:
        return bare(world, value)


def _named(store: Store, kind: Type, value: object) -> object:
    """A value in the form of files as people read it: players by their names of now."""
    if kind.kind == "player" and isinstance(value, str):
        return naming.called(store, value)
    if isinstance(value, list) and kind.items is not None:
        return [_named(store, kind.items, each) for each in value]
    if isinstance(value, Mapping) and kind.kind == "map":
        keys, values = kind.keys or Type("any"), kind.values or Type("any")
        return {_named(store, keys, key): _named(store, values, each) for key, each in value.items()}
    if isinstance(value, Mapping) and kind.kind == "record":
        return {key: _named(store, kind.fields.get(key, Type("any")), each) for key, each in value.items()}
    return value


def bare(world: Transaction, value: object) -> Any:
    """A value of the law with ids in place of refs, and names in place of those of players."""
    if isinstance(value, str):
        kind, slash, name = value.partition("/")
        if slash and kind == "players":
            return naming.called(world.store, name)
        known = kind in ("players", "posts", "rules") or kind in world.law.declared.collections
        return name if slash and known else value
    if isinstance(value, list):
        return [bare(world, v) for v in value]
    if isinstance(value, dict):
        return {bare(world, k): bare(world, v) for k, v in value.items()}
    return value


def _into(value: object, rest: Sequence[str]) -> object:
    for key in rest:
        if isinstance(value, Mapping) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return MISSING
    return value


def _matter(world: Transaction, aliases: Mapping[str, Mapping[str, object]], rest: Sequence[str]) -> object:
    post = aliases.get(rest[0], {}).get("post")
    ref = f"posts/{post}"
    if post is None or world.store.fields(ref) is None:
        return MISSING
    if rest[1:] and rest[1] in JUDGING:
        return reading.get(world, ref, "status") == "pending" and not deriving.view(world, rest[1], ref)
    return _of_post(world, ref, rest[1:])


def _of_post(world: Transaction, ref: str, rest: Sequence[str]) -> object:
    if rest and rest[0] == "author":
        return bare(world, reading.get(world, ref, "author"))
    if rest and deriving.view(world, rest[0], ref) is not None:
        return _into(bare(world, deriving.view(world, rest[0], ref)), rest[1:])
    return _field(world, ref, rest)


def _rule(world: Transaction, rest: Sequence[str]) -> object:
    try:
        placed = world.ruleset.find(rest[0])
    except Ambiguous:
        raise
    except Refused:
        return MISSING
    description = reading.get(world, f"rules/{placed.slug}", rest[1], MISSING) if rest[1:] else placed.title
    return _into(bare(world, description) if rest[1:] != ["text"] else description, rest[2:])


def _post(world: Transaction, rest: Sequence[str]) -> object:
    numbers = world.store.ids("posts")
    place = int(rest[0]) if rest[0].isdigit() else len(numbers)
    if place >= len(numbers):
        return MISSING
    return _of_post(world, f"posts/{numbers[-1 - place]}", rest[1:])


def compared(value: object, wanted: object) -> str:
    """Nothing, or how a value fails to be what is wanted."""
    hint = ""
    if isinstance(wanted, Mapping) and len(wanted) == 1:
        ((how, what),) = wanted.items()
        test = TESTS.get(how)
        if test is not None:
            return (
                ""
                if _tested(test, value, how, what)
                else f"{say(value)} is not {how.replace('_', ' ')} {say(what)}"
            )
        near = [SYNONYMS[how]] if how in SYNONYMS else nearest(str(how), TESTS)
        hint = f" (did you mean {near[0]}?)" if near else ""
    if value is MISSING:
        return f"nothing is there, where {say(wanted)} should be{hint}"
    return "" if same(value, wanted) else f"{say(value)} is not {say(wanted)}{hint}"


def _tested(test: Callable[[Any, Any], bool], value: object, how: str, what: object) -> bool:
    try:
        return test(value, what)
    except (TypeError, re.error) as error:
        raise Malformed.of(f"{how}: {say(what)} is nothing to test with: {error}") from error


def same(value: object, wanted: object) -> bool:
    """Equality in which true is not 1."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, list) and isinstance(wanted, list):
        return len(value) == len(wanted) and all(map(same, value, wanted))
    if isinstance(value, dict) and isinstance(wanted, dict):
        return value.keys() == wanted.keys() and all(same(value[k], wanted[k]) for k in value)
    return bool(value == wanted)


def say(value: object) -> str:
    """A value as a scenario writes it."""
    match value:
        case Mapping():
            return f"{{{', '.join(f'{key}: {say(each)}' for key, each in value.items())}}}"
        case list():
            return f"[{', '.join(map(say, value))}]"
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case _:
            return "nothing" if value is MISSING else repr(value)


def meant(world: Transaction, path: str) -> str:
    """Where a path leads nowhere since one of its words is none: the one that may have been meant."""
    head, *rest = paths.segments(path)
    kinds = {*HEADS, *world.law.declared.collections}
    if head in kinds:
        return _meant_within(world, head, rest)
    game = [v.name for v in world.law.by_kind.get("game", ())]
    game += [name for of, name in world.law.declared.views if of == "game"]
    if head.replace("-", "_") in game:
        return f" (did you mean game.{path}?)"
    if "/" in head:  # an entity as the law has it
        return f" (did you mean {path.replace('/', '.', 1)}?)"
    near = nearest(head, kinds)
    return f" (did you mean {near[0]}{path.removeprefix(head)}?)" if near else ""


def _meant_within(world: Transaction, head: str, rest: Sequence[str]) -> str:
    """The player, and the variable or view, that may have been meant behind a word that there is."""
    if head in ("players", "actions", "told") and rest and naming.player_id(world, rest[0]) is None:
        return among(rest[0], (naming.called(world.store, who) for who in world.store.ids("players")))
    cells = world.law.declared.cells(head)
    if cells and rest and rest[0] not in cells:
        cased = [each for each in cells if each.casefold() == rest[0].casefold()]
        return f" (did you mean {cased[0]}?)" if cased else among(rest[0], cells)
    single = head in ("game", "dynasty")
    kind, names = kind_of(head), rest if single else rest[1:]
    if not names or kind not in ("players", "game", "dynasty", *world.law.declared.collections):
        return ""
    of = {"players": "player"}.get(kind, kind)
    known = [v.name for v in world.law.by_kind.get(kind, ())]
    known += [*reading.KEPT.get(kind, {}), *(name for whose, name in world.law.declared.views if whose == of)]
    name = names[0].replace("-", "_")
    return "" if name in known or names[0] in known else among(names[0], known)


def among(word: str, known: Iterable[str]) -> str:
    """The one of some names that may have been meant by a word that is none of them."""
    near = nearest(word, known)
    return f" (did you mean {near[0]}?)" if near else ""


def _contains(value: object, what: object) -> bool:
    if isinstance(value, str):
        return str(what) in value
    return isinstance(value, list | dict) and what in value


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


SYNONYMS: Mapping[object, str] = {
    "min": "at_least", "minimum": "at_least", "least": "at_least", "from": "at_least", "gte": "at_least", ">=": "at_least",
    "max": "at_most", "maximum": "at_most", "most": "at_most", "to": "at_most", "lte": "at_most", "<=": "at_most",
    "in": "one_of", "among": "one_of", "any_of": "one_of", "has": "contains", "includes": "contains", "regex": "matches",
    "missing": "absent", "gone": "absent",
}  # fmt: skip
"""What people may call a test, with what it is called here."""
TESTS: Mapping[str, Callable[[Any, Any], bool]] = {
    "contains": _contains,
    "not_contains": lambda found, what: found is MISSING or not _contains(found, what),
    "matches": lambda found, what: (
        found is not MISSING and found is not None and re.search(what, str(found)) is not None
    ),
    "one_of": lambda found, what: found is not MISSING and any(same(found, w) for w in what),
    "at_least": lambda found, what: _number(found) and found >= what,
    "at_most": lambda found, what: _number(found) and found <= what,
    "absent": lambda found, what: (found is MISSING) is bool(what),
}
