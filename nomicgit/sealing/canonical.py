"""Canonical JSON (RFC 8785, JCS): equal values are equal bytes, here and in a browser."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from nomicgit.ground.problems import Malformed

MAX_DEPTH = 64
_EXPONENT = 1e21
"""From here on numbers are written with an exponent."""
_LARGEST = 10**16 - 1
"""Of whole numbers, as a game's values have it; those beyond 2**53, which JSON elsewhere rounds, are written digit by digit."""


def canonical(value: object) -> bytes:
    """The canonical JSON of plain data: dicts, lists, texts, numbers, truth, nothing.

    Raises Malformed, without the value, for what JSON cannot say: numbers that are not finite or too large, halves of
    characters, keys that are no texts, other types, more than 64 levels.
    """
    with suppress(UnicodeEncodeError):
        return _text(value, 0).encode()
    raise _unsaid("a text with half a character")


def reread(value: Any) -> Any:
    """Plain data as it comes back from its canonical JSON: maps in the order of their keys, and whole numbers without a fraction."""
    match value:
        case float() if value.is_integer() and abs(value) < _EXPONENT:
            return int(value)
        case list() | tuple():
            return [reread(each) for each in value]
        case Mapping():
            return {name: reread(value[name]) for name in sorted(value, key=_units)}
    return value


def _text(value: object, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise _unsaid("what is nested too deep")
    match value:
        case None | bool() | str():
            return json.dumps(value, ensure_ascii=False)
        case int():
            if abs(value) > _LARGEST:
                raise _unsaid("a whole number of more than 16 digits")
            return str(int(value))
        case float():
            return _number(value)
        case list() | tuple():
            return "[" + ",".join(_text(each, depth + 1) for each in value) + "]"
        case Mapping():
            return "{" + ",".join(_members(value, depth + 1)) + "}"
    raise _unsaid("a value that is neither text, number, truth, list, map nor nothing")


def _members(members: Mapping[object, object], depth: int) -> list[str]:
    """Each key and its value, by the keys' UTF-16 code units."""
    names = [name for name in members if isinstance(name, str)]
    if len(names) < len(members):
        raise _unsaid("a key that is no text")
    names.sort(key=_units)
    return [f"{json.dumps(name, ensure_ascii=False)}:{_text(members[name], depth)}" for name in names]


def _units(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _number(value: float) -> str:
    """A number as ECMAScript writes it: its shortest digits, without an exponent from 1e-6 up to 1e21."""
    if not math.isfinite(value):
        raise _unsaid("a number that is not finite")
    if value == 0:
        return "0"
    sign, shortest = ("-" if value < 0 else ""), repr(abs(value))
    mantissa, _, exponent = shortest.partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+d}"


def _unsaid(what: str) -> Malformed:
    return Malformed.of(f"canonical JSON cannot say {what}")
