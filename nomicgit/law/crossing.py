"""How calls of words and their values pass between a game and its mechanics.

The interpreter hands over each text and number as JSON, by whatever ``json`` calls ``loads`` and ``dumps`` then. While it
runs these are quick for what it asks, and answer as the library's own do: that halves the price of a word.

Large values pass as JSON text in one, since text by text it costs three times as much. Such a text is marked by what no
player can write, and a map keeps its order.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Protocol

from nomicgit.ground.problems import Defect, unforeseen
from nomicgit.law import foreign
from nomicgit.law.linking import Language, written

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
    within: Iterable[Any] = values  # as often: a map of lists, and nothing else
    if types != {list}:
        within = (v.values() if isinstance(v, dict) else v for v in values if isinstance(v, inner))
    return _CONTAINERS.isdisjoint(map(type, chain.from_iterable(within)))


def outgoing(given: object) -> object:
    """What the law has given, encoded or not."""
    return json.loads(given[len(_OUT) :]) if isinstance(given, str) and given.startswith(_OUT) else given


# ---- each text and number

_JSON: Any = json
"""The library, some of whose functions others take the place of for a while."""
_LOADS, _DUMPS = json.loads, json.dumps
_SCANNED = _JSON.JSONDecoder().scan_once
_QUOTED = json.encoder.encode_basestring_ascii


def _loads(text: Any, *rest: Any, **how: Any) -> Any:
    """As ``json.loads``; a text without a blank around it, read in no special way, is read at once."""
    if type(text) is str and not how:
        try:
            value, end = _SCANNED(text, 0)
        except StopIteration:
            end = -1
        if end == len(text):
            return value
    return _LOADS(text, *rest, **how)


def _dumps(value: Any, *rest: Any, **how: Any) -> str:
    """As ``json.dumps``; a text, written in no special way, and nothing are written at once."""
    if type(value) is str and not how:
        return _QUOTED(value)
    return "null" if value is None else _DUMPS(value, *rest, **how)


def quicken() -> None:
    """The interpreter begins to run."""
    _JSON.loads, _JSON.dumps = _loads, _dumps


def slacken() -> None:
    """It runs no more: all else meets the library as it is."""
    _JSON.loads, _JSON.dumps = _LOADS, _DUMPS


# ---- words


class Host(Protocol):
    """Whoever lends the law its words, how deep it is ``nested`` in calls of the law, of whatever law or program, and ``until``
    which processor time of this process it may run.
    """

    words: Mapping[str, Callable[..., Any]]
    language: Language
    nested: int
    until: float | None

    def burn(self, turns: int = 1) -> None:
        """Count fuel; raises when there is no more."""

    def shown(self, name: str, arity: int, /, *arguments: object, **named: object) -> object:
        """What a view says to the law itself."""


class Cell:
    """What the words of one compiled law share: the host at hand, and what a word raised."""

    __slots__ = ("host", "raised")

    def __init__(self) -> None:
        self.host: Host | None = None
        self.raised: BaseException | None = None


def word(
    cell: Cell, name: str, view: str = "", crossing: Callable[[Any], Any] | None = None
) -> Callable[..., object]:
    """A word as the law calls it: of the host at hand, for fuel; what it raises is kept beside."""

    def call(*arguments: object, **named: object) -> object:
        host = cell.host
        if host is None:
            raise Defect.of(f"{name} is no word for outside functions")
        word = host.words[name]
        try:
            host.burn()
            given = word(*arguments, view=view, **named) if view else word(*arguments, **named)
            return crossing(given) if crossing else given
        except BaseException as error:
            misused = isinstance(error, TypeError) and _misused(name, word, arguments, named, view)
            cell.raised = misused or unforeseen(error, f"carry out {name} with what it is given here")
            raise

    return call


def shown(cell: Cell, name: str, arity: int) -> Callable[..., object]:
    """A view as the law itself calls it."""

    def call(*arguments: object, **named: object) -> object:
        if cell.host is None:
            raise Defect.of(f"{name} is no word for outside functions")
        cell.host.burn()
        return crossing(cell.host.shown(name, arity, *arguments, **named))

    return lent(cell, call)


def _misused(
    name: str, word: Callable[..., object], arguments: tuple[object, ...], named: dict[str, Any], view: str
) -> Defect | None:
    try:
        inspect.signature(word).bind(*arguments, **named, **({"view": view} if view else {}))
    except TypeError as error:
        return Defect.of(f"{name}: {error}")
    return None


def undefined(cell: Cell, name: str) -> Callable[..., object]:
    """What stands for a function that nobody defines."""

    def call(*arguments: object, **named: object) -> object:
        raise Defect.of(f"no rule in force defines {written(name)}", mend=foreign.unknown(name))

    return lent(cell, call)


def nothing(*arguments: object, **named: object) -> None:
    """What ``overridden_NAME`` is where nothing was before."""


def lent(cell: Cell, function: Callable[..., object]) -> Callable[..., object]:
    """A function of ours beside the words."""

    def call(*arguments: object, **named: object) -> object:
        try:
            return function(*arguments, **named)
        except BaseException as error:
            cell.raised = unforeseen(error, "do this with what it is given here")
            raise

    return call
