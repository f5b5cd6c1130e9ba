"""Values: from what people and the law write to what files keep, and back.

A value stands in three forms: as the law sees it (entities are refs, ``players/cy``), as files keep it
(bare ids, ``cy``), and as people write it (ids, names, titles). ``keep`` turns the first and the last into
the second, ``lawful`` the second into the first. Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from nomicgit.ground import clock
from nomicgit.ground.files.grammar import MAX_KEY, Value
from nomicgit.ground.kept import late
from nomicgit.ground.nearness import slipped
from nomicgit.ground.problems import Malformed, Problem, Refused, printable
from nomicgit.law import formed
from nomicgit.law.variables import ANY, ENTITIES, KINDS, Missing, Type

NEEDED = ": a value is needed"  # behind the names of parameters that lack theirs
T = TypeVar("T")
MAX_NODES = 20_000
MAX_DEPTH = 16
MAX_TEXT = 262_144
_WHOLE = late(r"0|-?[1-9]\d{0,15}", re.ASCII)
_DATE = late(r"\d{4}-\d{2}-\d{2}", re.ASCII)


class Transaction(Protocol):
    """What a type asks of the game."""

    def entity(self, kind: str, name: object, which: Type) -> str:
        """The id that a name of an entity means, or Refused."""

    def row(self, catalogue: str, action: object) -> Mapping[str, object] | None:
        """A row of a catalogue; None where the catalogue is not in force."""

    def typed(self, name: str, rule: str) -> str:
        """``collection``, ``catalogue`` or ``any`` for a type that is none of ours."""

    def keys(self, catalogue: str) -> Sequence[str]:
        """The keys of a catalogue."""

    def ask(self, function: str, *arguments: object) -> object:
        """What a function of the law answers; None where no rule defines it."""

    def parameters(self, row: Mapping[str, object], rule: str) -> Mapping[str, Type]:
        """The types that a catalogue's row declares under ``with``."""


def keep(world: Transaction, kind: Type, value: object, *, null: bool = True, clamp: bool = False) -> Value:
    """The value as files keep it; Refused says why it is no value of the type.

    ``clamp`` takes a number to its nearest legal value instead of refusing it.
    """
    if value is None:
        if null:
            return None
        raise Refused.of("a value is needed")
    if kind.normal:
        known = world.ask(kind.normal, lawful(world, kind, value) if not kind.plain else value)
        value = value if known is None else known
    match kind.kind:
        case "text" | "mechanics":
            return _text(value)
        case "integer" | "number":
            return _number(kind, value, clamp=clamp)
        case "boolean":
            return _is(isinstance(value, bool), value, "must be true or false")
        case "choice":
            return _among(value, kind.choices, "must be one of ")
        case "datetime":
            return _time(value)
        case "date":
            return _date(value)
        case "list" | "set":
            return _sequence(world, kind, value, clamp=clamp)
        case "map":
            return _map(world, kind, value, clamp=clamp)
        case "record":
            return _record(world, kind.fields, value)
        case "entry":
            return _entry(world, kind, value)
        case "any":
            return bounded(value)
        case name:
            return _named(world, kind, name, value)


def lawful(world: Transaction, kind: Type, value: Any) -> object:
    """A kept value as the law sees it."""
    if value is None or kind.plain:
        return value
    match kind.kind:
        case "list" | "set":
            return [lawful(world, kind.items, v) for v in value] if kind.items else value
        case "map":
            keys, values = kind.keys or ANY, kind.values or ANY
            return {lawful(world, keys, k): lawful(world, values, v) for k, v in value.items()}
        case "record":
            return {k: lawful(world, kind.fields[k], v) if k in kind.fields else v for k, v in value.items()}
        case "entry":
            row = world.row(kind.catalogue, value.get("action"))
            types = world.parameters(row, kind.rule) if row else {}
            return {k: lawful(world, types.get(k, ANY), v) for k, v in value.items()}
        case name if name in ENTITIES:
            return f"{ENTITIES[name]}/{value}"
        case name:
            return f"{name}/{value}" if world.typed(name, kind.rule) == "collection" else value


NO_WORLD: Any = None  # for types that ask nothing of a game


def bounded(value: object) -> Value:
    """Any plain value within the budgets of nodes, depth and text; Refused beyond them."""
    budget = [MAX_NODES, MAX_TEXT]

    def walk(v: object, depth: int) -> Value:
        budget[0] -= 1
        if depth > MAX_DEPTH or budget[0] < 0:
            raise Refused.of("the value is too large or too deeply nested")
        if isinstance(v, str):
            budget[1] -= len(v)
            if budget[1] < 0:
                raise Refused.of("the text is too long")
            return _text(v)
        if isinstance(v, Mapping):
            return {_key(k): walk(inner, depth + 1) for k, inner in v.items()}
        if isinstance(v, list | tuple):
            return [walk(inner, depth + 1) for inner in v]
        if v is None or isinstance(v, bool):
            return v
        if isinstance(v, int):
            return _small(v)
        if isinstance(v, float):
            return _decimal(v)
        raise Refused.of("a function is no value")

    return walk(value, 0)


def _key(value: object) -> str:
    if not isinstance(value, str):
        raise Refused.of("the keys of a map are texts")
    if len(value) > MAX_KEY:
        raise Refused.of(f"{printable(value, 60)}: a key has at most {MAX_KEY} characters")
    return _text(value)


def _among(value: Any, names: Sequence[object], otherwise: str) -> Value:
    """A value that must be one of some names; of one that is nearly so, which may have been meant."""
    if value in names:
        judged: Value = value
        return judged
    texts = list(map(str, names))
    near = slipped(value, texts) if isinstance(value, str) else ""
    raise Refused.of(f"{printable(str(value), 60)} {otherwise}{', '.join(texts)}", mend=near)


def _is(sound: bool, value: Any, otherwise: str) -> Value:
    """A value that a condition has judged."""
    if not sound:
        raise Refused.of(f"{printable(str(value), 60)} {otherwise}")
    judged: Value = value
    return judged


def given_text(value: object) -> str:
    """A text that must be given; Refused for anything else."""
    if value is None:
        raise Refused.of("a value is needed")
    return _text(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Refused.of(f"{printable(str(value), 60)} must be a text")
    if len(value) > MAX_TEXT:
        raise Refused.of("the text is too long")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Refused.of("the text holds half a character") from error
    return value


def _small(value: int) -> int:
    _is(-(10**16) < value < 10**16, "a number", "has more than 16 digits")
    return value


def _decimal(value: float) -> float | int:
    if value != value or value in (float("inf"), float("-inf")):
        raise Refused.of("that is no number")
    if abs(value) >= 10**16:
        raise Refused.of("a number has more than 16 digits")
    return int(value) if value == int(value) else value


def _number(kind: Type, value: object, *, clamp: bool) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused.of(f"{printable(str(value), 60)} must be a number")
    number = _decimal(value) if isinstance(value, float) else _small(value)
    if kind.kind == "integer" or kind.step is None:
        _is(isinstance(number, int), value, "must be a whole number")
    else:
        number = _multiple(number, kind.step)
    if kind.minimum is not None and number < kind.minimum:
        if not clamp:
            raise Refused.of(f"{number} is below {kind.minimum}")
        return kind.minimum
    if kind.maximum is not None and number > kind.maximum:
        if not clamp:
            raise Refused.of(f"{number} is above {kind.maximum}")
        return kind.maximum
    return number


def _multiple(number: int | float, step: float) -> int | float:
    """The exact multiple of a step that a number is; sums of floats miss it by a hair."""
    from decimal import Decimal  # here: slow to load, and few variables have a step

    each = Decimal(str(step))
    multiple = (Decimal(str(number)) / each).to_integral_value() * each
    if abs(multiple - Decimal(str(number))) > each / 10**6:
        raise Refused.of(f"{number} must be a multiple of {step}")
    return _decimal(float(multiple))


def _time(value: object) -> str:
    try:
        return clock.text(clock.instant(_text(value)))
    except Malformed as error:
        raise Refused.of(f"{printable(str(value), 60)} must be a time like 2021-06-07T00:00:00Z") from error


def _date(value: object) -> str:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise Refused.of(f"{printable(str(value), 60)} must be a date like 2021-06-07")
    return _time(value + "T00:00:00Z")[:10]


def _misshapen(value: object, what: str, right: str) -> Refused:
    return Refused.of(f"{printable(str(value), 60)} {what}", mend=f"write {right}")


def _sequence(world: Transaction, kind: Type, value: object, *, clamp: bool) -> list[Value]:
    if not isinstance(value, list | tuple):
        raise _misshapen(value, "must be a list", _as_list(world, kind, value))
    inner = kind.items or ANY
    kept = [keep(world, inner, v, null=inner.nullable, clamp=clamp) for v in value]
    if kind.kind == "set":
        order = {choice: n for n, choice in enumerate(_order(world, inner))}
        distinct = {_hashable(v): v for v in kept}
        kept = sorted(distinct.values(), key=lambda v: (order.get(v, len(order)) if order else 0, _rank(v)))
    elif kind.unique and len({_hashable(v) for v in kept}) < len(kept):
        raise Refused.of("nothing may stand in it twice")
    if kind.maximum is not None and len(kept) > kind.maximum:
        raise Refused.of(f"it holds at most {kind.maximum}")
    if kind.minimum is not None and len(kept) < kind.minimum:
        raise Refused.of(f"it holds at least {kind.minimum}")
    return kept


def _as_list(world: Transaction, kind: Type, value: object) -> str:
    """The list that somebody meant who wrote what stands in it without brackets; else one to show how it is written."""
    words = [word.strip() for word in value.split(",")] if isinstance(value, str) else [value]
    inner = kind.items or ANY
    try:
        for word in words:
            keep(world, inner, word, null=inner.nullable)
    except Refused:
        return sample(world, kind)
    return f"[{', '.join(printable(str(word), 60) for word in words)}]"


def sample(world: Transaction, kind: Type) -> str:
    """A value of a type as it is written, of what the game's catalogues have."""
    return formed.value(_listed(world, kind))


def _order(world: Transaction, inner: Type) -> Sequence[object]:
    if inner.kind == "choice":
        return inner.choices
    if inner.kind not in KINDS and world.typed(inner.kind, inner.rule) == "catalogue":
        return world.keys(inner.kind)
    return ()


def _listed(world: Transaction, kind: Type) -> Type:
    """A type with the names of its catalogues as choices, to show a value of it."""
    if kind.kind not in KINDS and (names := _order(world, kind)):
        return replace(kind, kind="choice", choices=tuple(map(str, names)))
    items, keys, values = (part and _listed(world, part) for part in (kind.items, kind.keys, kind.values))
    return replace(kind, items=items, keys=keys, values=values)


def _hashable(value: object) -> str:
    return value if isinstance(value, str) else ascii(value)


def _rank(value: Any) -> tuple[bool, float, str]:
    """Where a value stands in a sorted set: numbers first, by size."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return not number, value if number else 0, _hashable(value)


def _map(world: Transaction, kind: Type, value: object, *, clamp: bool) -> dict[str, Value]:
    if not isinstance(value, Mapping):
        raise _misshapen(value, "must be a map", sample(world, kind))
    keys, values = kind.keys or ANY, kind.values or ANY
    kept = {}
    for k, v in value.items():
        key = keep(world, keys, key_of(keys, k), null=False)
        try:
            kept[_key(str(key))] = keep(world, values, v, null=values.nullable, clamp=clamp)
        except Refused as error:
            raise error.of_part(printable(str(key), 60)) from error
    return (
        kept if kind.ordered else dict(sorted(kept.items(), key=lambda entry: _rank(key_of(keys, entry[0]))))
    )


def key_of(keys: Type, written: T) -> T | int:
    """A key of a map as its type asks for it: keys are texts, those of whole numbers too."""
    if keys.kind == "integer" and isinstance(written, str) and _WHOLE.fullmatch(written):
        return int(written)
    return written


def _record(world: Transaction, fields: Mapping[str, Type], value: object) -> dict[str, Value]:
    if not isinstance(value, Mapping):
        raise _misshapen(value, "must be a map", formed.record(fields))
    unknown = [str(k) for k in value if k not in fields]
    if unknown:
        raise Refused.of(f"{printable(unknown[0], 60)} is none of {', '.join(fields) or 'its fields'}")
    if lacking := missing(fields, value):
        raise Refused(*lacking)
    kept = {}
    for name, kind in fields.items():
        if name in value:
            try:
                kept[name] = keep(world, kind, value[name], null=kind.nullable)
            except Refused as error:
                raise error.of_part(name) from error
        elif kind.default_by:
            kept[name] = keep(world, kind, world.ask(kind.default_by))
        elif not isinstance(kind.default, Missing):
            kept[name] = kind.default
    return kept


def missing(kinds: Mapping[str, Type], given: Mapping[str, object]) -> list[Problem]:
    """What is wrong where values are missing that must be given: all of them at once."""
    names = [name for name, kind in kinds.items() if kind.required and name not in given]
    return [Problem(f"{', '.join(names)}{NEEDED}")] if names else []


def _any_entry(world: Transaction, kind: Type) -> str:
    """The first entry of a catalogue, as it is written."""
    name = next(iter(world.keys(kind.catalogue)), None)
    row = None if name is None else world.row(kind.catalogue, name)
    return (
        formed.value(kind)
        if row is None
        else formed.record(world.parameters(row, kind.rule), f"action: {name}")
    )


def _entry(world: Transaction, kind: Type, value: object) -> dict[str, Value]:
    if not isinstance(value, Mapping) or not isinstance(value.get("action"), str):
        raise Refused.of("it must be a map with an action", mend=f"write {_any_entry(world, kind)}")
    row = world.row(kind.catalogue, value["action"])
    if row is None:
        free: Any = bounded(dict(value))  # a map stays one
        return dict(free)
    rest = {k: v for k, v in value.items() if k != "action"}
    return {"action": value["action"]} | _record(world, world.parameters(row, kind.rule), rest)


def _named(world: Transaction, kind: Type, name: str, value: object) -> Value:
    if name in ENTITIES:
        return world.entity(ENTITIES[name], value, kind)
    match world.typed(name, kind.rule):
        case "collection":
            return world.entity(name, value, kind)
        case "catalogue":
            choices = world.keys(name)
            return _among(value, choices, f"is none of the {name}: ")
        case _:
            return bounded(value)
