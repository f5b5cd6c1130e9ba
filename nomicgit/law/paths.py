"""Values of declarations, by dotted paths such as ``catalogues.parts."Drone Unit".wood``, and as they were.

A part with a dot in it stands in double quotes; a whole number names an element of a list, ``choices.0``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from nomicgit.ground import files
from nomicgit.ground.files import Value
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Refused, printable, quoted
from nomicgit.law.variables import MISSING

_PART = late(r'"((?:[^"\\]|\\.)*)"|([^."]+)')
_PATH = late(rf"(?:{_PART.pattern})(?:\.(?:{_PART.pattern}))*")


def is_path(text: str) -> bool:
    """Whether a text has the form of a path."""
    return _PATH.fullmatch(text) is not None


def segments(path: str) -> list[str]:
    """The parts of a path. Raises ``Refused`` for what is none."""
    if not is_path(path):
        mend = 'write parts with dots between, like limits.daily.gap, and "in quotes" a part that has a dot'
        raise Refused.of(f"{quoted(path, 60)} is no path", mend=mend)
    return [re.sub(r"\\(.)", r"\1", quoted) if quoted else plain for quoted, plain in _PART.findall(path)]


def at(value: Value, parts: Sequence[str]) -> object:
    """What stands at a path, or ``MISSING``."""
    inner: Any = value
    for part in parts:
        if isinstance(inner, list) and part.isdecimal() and int(part) < len(inner):
            inner = inner[int(part)]
        elif isinstance(inner, Mapping) and part in inner:
            inner = inner[part]
        else:
            return MISSING
    return inner


def put(value: Mapping[str, object], parts: Sequence[str], new: object) -> dict[str, object]:
    """The mapping with another value at a path; None takes the key, or the element, out.

    Mappings on the way that are missing are made; the mapping handed in stays as it is.
    Raises ``Refused`` where the path leads through something that has no parts.
    """
    made: dict[str, Any] = _put(value, list(parts), new, "")
    return made


def _put(value: object, parts: list[str], new: object, done: str) -> Any:
    part, *rest = parts
    here = f"{done}.{part}".lstrip(".")
    if isinstance(value, list):
        return _put_element(value, part, rest, new, here)
    if not isinstance(value, Mapping):
        raise Refused.of(f"{printable(here, 60)}: what it is a part of has no parts")
    made = dict(value)
    if rest and (new is not None or part in made):
        made[part] = _put(made.get(part, {}), rest, new, here)
    elif new is None:
        made.pop(part, None)
    else:
        made[part] = new
    return made


def _put_element(value: list[Any], part: str, rest: list[str], new: object, here: str) -> list[object]:
    if not part.isdecimal() or int(part) > len(value):
        raise Refused.of(f"{printable(here, 60)}: the list has {len(value)} elements, counted from 0")
    index, made = int(part), list(value)
    if rest:
        made[index : index + 1] = [_put(made[index] if index < len(made) else {}, rest, new, here)]
    else:
        made[index : index + 1] = [] if new is None else [new]
    return made


def digest(value: Any, *, code: bool = False) -> str:
    """The first 12 hexadecimal digits of the hash of a declared value's canonical text.

    Of prose and mechanics (``code``) it is the text itself.
    """
    text = value if code else (files.write if isinstance(value, (dict, list)) else files.write_flow)(value)
    return sha256(text.encode()).hexdigest()[:12]


def was_so(value: object, said: object, *, code: bool = False) -> bool:
    """Whether a value is the old one that is said, itself or by its hash; null for one that is absent."""
    if value is MISSING or said is None:
        return (value is MISSING or value is None) and said is None
    return same(value, said) or (isinstance(said, str) and said == digest(value, code=code))


def same(value: object, other: object) -> bool:
    if value is MISSING:
        return other is None
    return keyed(value) == keyed(other)


def keyed(value: object) -> str:
    """A value as one text, equal for equal values whatever the order of their keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=dict)
