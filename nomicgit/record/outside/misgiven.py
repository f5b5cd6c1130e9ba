"""What the program's own deeds are handed in with, and what is wrong with one in the record that is handed in otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomicgit.ground.problems import printable
from nomicgit.law.outside import NOBODYS, Outside, unnamed


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _some(value: object) -> bool:
    return _names(value) and value != []


def _text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _place(value: object) -> bool:
    return value is None or isinstance(value, Mapping)


def _restorers(value: object) -> bool:
    if not isinstance(value, Mapping):
        return value is None
    return {*value} == {"by", "of"} and _some(value["by"]) and _number(value["of"])


PARAMETERS: Mapping[str, Mapping[str, Callable[[object], bool]]] = {
    Outside.FOUND: {"players": _names, "idle": _names, "emperor": _text_or_none, "admins": _names, "dynasty": _text, "number": _number},
    Outside.RESTORE: {"to": _text, "by": _some},
    Outside.MEND: {"to": _text, "by": _some},
    Outside.REHOUSE: {"forge": _place, "by": _some},
    Outside.NUMBER: {"to": _number, "by": _some},
    Outside.ACCOUNT: {},
    Outside.CLOCK: {},
    Outside.SEALED: {},
    Outside.MAILBOX: {"recipient": _text},
    Outside.ADDRESS: {"player": _text, "recipient": _text, "is": _text},
    Outside.SIGNERS: {"player": _text, "keys": _names, "by": _names},
    Outside.SIGNED: {"to": _text, "by": _some},
    Outside.APPROVALS: {"to": _number, "by": _some},
    Outside.RESTORERS: {"restore": _restorers, "by": _some},
    Outside.TERM: {
        "keeper": _text_or_none, "by": _names, "recipient": _text, "signer": _text, "main": _text, "never": _text, "next": _text,
    },
    Outside.OPEN: {"term": _number, "key": _text},
}  # fmt: skip
"""What each of these deeds is handed in with, and how that is told from anything else."""
OPTIONAL: Mapping[str, Mapping[str, Callable[[object], bool]]] = {Outside.SIGNERS: {"address": _text}}
"""What may be left out of it."""


def misgiven(action: str, given: Mapping[str, object], actor: str | None) -> str:
    """What is wrong with who does a deed, and with the parameters of one of these; "" where nothing is."""
    if wrong := unnamed(action, actor):
        return wrong
    wanted = PARAMETERS.get(action)
    if wanted is None:
        return ""
    if actor is not None and action in NOBODYS:
        return f"{action} names nobody who does it, and this one names {printable(actor, 60)}"
    wanted = {**wanted, **{name: each for name, each in OPTIONAL.get(action, {}).items() if name in given}}
    for name in {**wanted, **given}:
        if name not in given:
            return f"{action} lacks its parameter {name}"
        if name not in wanted:
            return f"{action} has no parameter {printable(name, 60)}"
        if not wanted[name](given[name]):
            return f"the parameter {name} of {action} has not its form"
    by = given.get("by")
    if isinstance(by, list) and by and actor != by[0]:
        return f"{action} is by {printable(str(actor), 60)}, and names {printable(str(by[0]), 60)} as the first of those who do it"
    return ""
