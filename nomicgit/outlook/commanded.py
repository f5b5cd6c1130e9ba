"""How an action is asked for on the command line: by a command of its own where it has one, else by ``act`` or ``order``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from nomicgit.law.declarations import Action

_WORDED = {"title": "--title", "body": "--body", "tags": "--tag", "changes": "--change"}
_IDLING = {"player": "", "reason": "--reason"}
OWN: Mapping[str, Mapping[str, str]] = {
    "join": {}, "propose": _WORDED, "cfj": _WORDED, "vote": {"matter": "", "icon": "", "text": ""},
    "resolve": {"matter": "", "as": "--outcome"}, "dov": {"title": "--title", "body": "--body"},
    "post": {"title": "", "kind": "--kind", "body": "--body"}, "comment": {"post": "", "text": ""}, "roll": {"dice": ""},
    "undo": {"deed": ""}, "idle": _IDLING, "unidle": _IDLING, "set": {"path": "", "value": ""},
}  # fmt: skip
"""The actions that have a command of their own: how each parameter is typed there, by an option or, "", in its place."""


def command(action: Action, given: Mapping[str, Any], typed: Callable[[Any], str]) -> str:
    """The command that does an action with this. ``typed``: a value as it is typed."""
    if action.always_private:
        return order(action, given, typed)
    if (own := owned(action.name, given, typed)) is None:
        return " ".join(["nomicgit", "act", action.name, *_pairs(given, typed)])
    return " ".join(["nomicgit", action.name, *own])


def besides(action: Action, blank: Callable[[str], str]) -> tuple[list[str], str]:
    """What may be typed behind the command that is shown of an action, besides what it needs; and the line for what that command
    does not take, "" where it takes all. ``blank``: what stands for a parameter's value.
    """
    needed = {name: blank(name) for name, kind in action.parameters.items() if kind.required}
    spare = {name: blank(name) for name, kind in action.parameters.items() if not kind.required}
    if action.always_private or owned(action.name, needed, str) is None:
        return [*_pairs(spare, str)], ""
    behind, rest = list[str](), dict[str, str]()
    for name, value in spare.items():
        option = OWN[action.name].get(name)
        if owned(action.name, needed | {name: value}, str) is None:
            rest[name] = value
        else:
            behind.append(f"{option} {option[2:].upper()}" if option else f'"{value}"')
    line = " ".join(["nomicgit", "act", action.name, *_pairs(needed | rest, str)]) if rest else ""
    return behind, line


def order(action: Action, given: Mapping[str, Any], typed: Callable[[Any], str]) -> str:
    """The command that hands an action in as an order; of what the journal shows once it is done it says that this is meant."""
    meant = [] if action.hidden(given) else ["--yes"]
    return " ".join(["nomicgit", "order", action.name, *_pairs(given, typed), *meant])


def _pairs(given: Mapping[str, Any], typed: Callable[[Any], str]) -> Iterator[str]:
    return (f"{name.replace('_', '-')}={typed(value)}" for name, value in given.items())


def owned(name: str, given: Mapping[str, Any], typed: Callable[[Any], str]) -> list[str] | None:
    """What stands behind an action's own command; None where it has none, or that does not take this."""
    ways = OWN.get(name)
    if ways is None or not given.keys() <= ways.keys():
        return None
    placed = [key for key, option in ways.items() if not option]
    left_out = [key for key in placed if key not in given]
    if placed[len(placed) - len(left_out) :] != left_out:
        return None  # what stands behind it would take its place
    words = list(_words(ways, given, typed))
    return (
        None
        if any(not option and word.startswith(("-", "'-")) for option, word in words)
        else [part for pair in words for part in pair if part]
    )


def _words(
    ways: Mapping[str, str], given: Mapping[str, Any], typed: Callable[[Any], str]
) -> Iterator[tuple[str, str]]:
    """Each option, or "", with what stands behind it; of a list each member by itself."""
    for key, option in ways.items():
        if key in given:
            value = given[key]
            several: Sequence[Any] = value if option and isinstance(value, list) else [value]
            yield from ((option, typed(each)) for each in several)
