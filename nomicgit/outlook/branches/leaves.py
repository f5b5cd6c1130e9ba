"""The difference of two front matters, leaf by leaf, each with what stood there before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from nomicgit.law.paths import digest, keyed

SHORT = 60  # characters of an old value that is said itself and not by its hash


class Unsayable(Exception):
    """What has changed here cannot be said by its own path: a key whose value is null."""


class _Said(Struct):
    """What is to be said of a front matter."""

    set: dict[str, Any] = field(default_factory=dict)
    was: dict[str, Any] = field(default_factory=dict)
    add: dict[str, list[Any]] = field(default_factory=dict)
    remove: dict[str, list[Any]] = field(default_factory=dict)

    def take(self, more: _Said) -> None:
        self.set |= more.set
        self.was |= more.was
        self.add |= more.add
        self.remove |= more.remove


def declared(old: Mapping[str, object], new: Mapping[str, object]) -> list[dict[str, object]] | None:
    """The ``amend`` forms, without their rule, that make one front matter of the other; None where it cannot be said."""
    try:
        said = _mapping((), old, new)
    except Unsayable:
        return None
    forms: list[dict[str, Any]] = []
    if said.set:
        forms.append({"in": "declarations", "set": said.set, "was": said.was})
    if said.remove:
        forms.append({"in": "declarations", "remove": said.remove})
    if said.add:
        forms.append({"in": "declarations", "add": said.add})
    return forms


def _mapping(at: tuple[str, ...], old: Mapping[str, object], new: Mapping[str, object]) -> _Said:
    """What differs in a mapping: said key by key, or as a whole where that cannot be."""
    said = _Said()
    try:
        for key in dict.fromkeys((*old, *new)):
            if key not in new:
                said.take(_gone((*at, key), old[key]))
            elif key not in old:
                said.take(_come((*at, key), new[key]))
            elif keyed(old[key]) != keyed(new[key]):
                said.take(_other((*at, key), old[key], new[key]))
    except Unsayable:
        if not at:
            raise
        return _whole(at, old, new)
    return said


def _gone(at: tuple[str, ...], old: object) -> _Said:
    if old is not None:
        return _Said(set={_path(at): None}, was={_path(at): _was(old)})
    if len(at) == 1:
        raise Unsayable
    return _Said(remove={_path(at[:-1]): [at[-1]]})


def _come(at: tuple[str, ...], new: object) -> _Said:
    if new is None:
        if len(at) == 1:
            raise Unsayable
        return _Said(add={_path(at[:-1]): [at[-1]]})
    if len(at) == 1 and isinstance(new, Mapping) and new and None not in new.values():
        said = _Said()  # the first of a table and the next one are said alike, so that two proposals both fit
        for key, value in new.items():
            said.take(_come((*at, key), value))
        return said
    return _Said(set={_path(at): new}, was={_path(at): None})


def _other(at: tuple[str, ...], old: object, new: object) -> _Said:
    if isinstance(old, Mapping) and isinstance(new, Mapping) and old and new:
        return _mapping(at, old, new)
    if isinstance(old, list) and isinstance(new, list) and (said := _list(at, old, new)) is not None:
        return said
    return _whole(at, old, new)


def _list(at: tuple[str, ...], old: Sequence[object], new: Sequence[object]) -> _Said | None:
    """A list that only gains or loses; None where it is another by more than that."""
    was, now = [keyed(item) for item in old], [keyed(item) for item in new]
    if len(set(was)) < len(was) or len(set(now)) < len(now):
        return None
    lost = [item for item, key in zip(old, was, strict=True) if key not in now]
    gained = [item for item, key in zip(new, now, strict=True) if key not in was]
    if [key for key in was if key in now] + [keyed(item) for item in gained] != now:
        return None
    path = _path(at)
    return _Said(add={path: gained} if gained else {}, remove={path: lost} if lost else {})


def _whole(at: tuple[str, ...], old: object, new: object) -> _Said:
    if new is None:
        raise Unsayable
    return _Said(set={_path(at): new}, was={_path(at): _was(old)})


def _was(old: object) -> object:
    short = not isinstance(old, Mapping | list) and len(json.dumps(old)) <= SHORT
    return old if short else digest(old)


def _path(at: Sequence[str]) -> str:
    return ".".join(_part(each) for each in at)


def _part(name: str) -> str:
    if name and not set(name) & {".", '"'}:
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
