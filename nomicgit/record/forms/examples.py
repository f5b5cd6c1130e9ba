"""Examples of what parameters take, made of what these are declared as: they show how a value is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from nomicgit.law.law import Law
from nomicgit.law.variables import MISSING, Missing, Type
from nomicgit.record.forms.fields import CHANGES

MOMENT = "2021-06-07T00:00:00Z"
NAME = "NAME"
"""What stands in an example in the place of a player, where nobody knows who plays."""

Listed = Callable[[Type], Sequence[object]]
"""Gives the values of a type that can be listed; none of one whose values cannot be."""


def by_law(law: Law) -> Listed:
    """The values that the law lists, whatever the gamestate; a player is ``NAME``."""

    def listed(kind: Type) -> Sequence[object]:
        match kind.kind:
            case "boolean":
                return (True, False)
            case "choice":
                return kind.choices
            case "player":
                return (NAME,)
            case "rule":
                within = kind.where.get("section")
                return [each.slug for each in law.ruleset.rules if within in (None, each.section)]
            case name if name in law.declared.catalogues:
                return list(law.declared.catalogues[name])
            case name if name in law.declared.collections:
                return law.declared.collections[name].grid
        return ()

    return listed


def such(name: str, kind: Type, listed: Listed) -> object:
    """A value that an action takes for a parameter of this name and type; missing where what it is declared as tells none."""
    if kind.normal:
        return MISSING
    if some := listed(kind):
        return some[0]
    match kind.kind:
        case "text":
            return "a word"
        case "integer" | "number":
            return next((each for each in (kind.minimum, kind.maximum) if each is not None), 1)
        case "datetime":
            return MOMENT
        case "date":
            return MOMENT[:10]
        case "list" | "any" if kind.items is None and name == CHANGES:
            return [{"add-rule": {"title": "Lanterns", "text": "Lanterns shine."}}]
        case "list" | "set" if kind.items is not None and (kind.minimum or 0) < 2:
            one = such(name, kind.items, listed)
            return MISSING if isinstance(one, Missing) else [one]
        case "map" if kind.keys is not None and kind.values is not None:
            key, one = (such(name, each, listed) for each in (kind.keys, kind.values))
            return MISSING if isinstance(one, Missing) or not isinstance(key, str) else {key: one}
        case "record":
            asked = {each: of for each, of in kind.fields.items() if of.required} or kind.fields
            parts = {each: such(each, of, listed) for each, of in asked.items()}
            whole = {each: part for each, part in parts.items() if not isinstance(part, Missing)}
            return whole if len(whole) == len(parts) else MISSING
    return MISSING


def words(value: object) -> Iterator[str]:
    """Every text of a value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from (*words(key), *words(one))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from words(one)
