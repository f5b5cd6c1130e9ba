"""How values pass between a game and its mechanics: large ones as JSON text, since text by text it costs three times as much.

A text is marked by what no player can write, and a map keeps its order.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain
from typing import Any

_CONTAINERS = {list, dict}
_LIST, _MAP, _OUT = "\0list", "\0map ", "\0out"
DECODED = """
def __crossed(found):
    if type(found) == "string":
        if found.startswith("\\0list"):
            return json.decode(found[5:])
        if found.startswith("\\0map "):
            return {key: value for key, value in json.decode(found[5:])}
    return found
def __out(found):
    if type(found) == "dict" and len(found) > 8:
        if all([type(key) == "string" and type(value) in ("string", "int", "bool", "NoneType") for key, value in found.items()]):
            return "\\0out" + json.encode(found)
    if type(found) == "string" and found.startswith("\\0out"):
        return "\\0out" + json.encode(found)
    return found
"""
"""The functions by which the law decodes what comes in, and encodes what goes out."""


class KeptList(list[Any]):
    """A list that is handed out again and again, and never changed: the text as which it crosses is kept."""

    crossed: Any


class KeptMap(dict[str, Any]):
    """A map that is handed out again and again, and never changed: the text as which it crosses is kept."""

    crossed: Any


def crossing(value: object) -> object:
    """A result on its way to the law: flat lists and maps as marked JSON text, a map as pairs, which keep their order."""
    if not isinstance(value, KeptList | KeptMap):
        return _crossing(value)
    if not hasattr(value, "crossed"):
        value.crossed = _crossing(value)
    return value.crossed


def _crossing(value: object) -> object:
    if isinstance(value, list) and _flat(value):
        return _LIST + json.dumps(value)
    if isinstance(value, dict) and _flat(value.values(), (list,)):
        return _MAP + json.dumps(list(value.items()))
    if isinstance(value, str) and value.startswith((_LIST, _MAP)):
        return _LIST + json.dumps(value)
    return value


def _flat(values: Iterable[object], inner: tuple[type, ...] = (list, dict)) -> bool:
    """Whether values hold no map in which an order could be lost, but for records of texts where maps may stand in them."""
    types = set(map(type, values))
    if types.isdisjoint(_CONTAINERS):
        return True
    if not types.isdisjoint(_CONTAINERS.difference(inner)):
        return False
    within: Iterable[Any] = (v.values() if isinstance(v, dict) else v for v in values if isinstance(v, inner))
    return _CONTAINERS.isdisjoint(map(type, chain.from_iterable(within)))


def outgoing(given: object) -> object:
    """What the law has given, encoded or not."""
    return json.loads(given[len(_OUT) :]) if isinstance(given, str) and given.startswith(_OUT) else given
