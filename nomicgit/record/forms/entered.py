"""What people enter for a parameter, on a line or in a field, as the value that its type takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from nomicgit.ground import files
from nomicgit.ground.problems import Malformed, Refused
from nomicgit.law.declarations import Action
from nomicgit.law.variables import Type

WHOLE = frozenset({"list", "set", "map", "record", "entry", "any"})
"""Types whose values are read as YAML, whatever comes out; all others are one word, or a text."""


QUOTING = ('"', "'", "|", ">")
"""With what a text of YAML's begins that is not just the words that stand there."""

SHORTEST = 4  # letters of a word in capitals that can stand for a text, and be none

PATH, VALUE = "path", "value"
"""What an action takes that puts any value at any path."""


def aimed(action: Action, path: str | None, type_at: Callable[[str], Type | None]) -> Action:
    """An action that puts any value at a path, as one that takes what is declared there; any other as it is."""
    takes = {name: kind.kind for name, kind in action.parameters.items()}
    there = type_at(path) if path and (takes.get(PATH), takes.get(VALUE)) == ("text", "any") else None
    return action if there is None else replace(action, parameters={**action.parameters, VALUE: there})


def value(kind: Type | None, key: str, text: str) -> object:
    """One value: a text as it is, everything else as YAML has it; ``null`` is nothing.

    ``kind`` is None for what no parameter asks for. Words that YAML would cut short, or join, stay as they are. Malformed, with
    the key as its place, for YAML that is none.
    """
    if kind is not None and kind.kind in ("text", "mechanics"):
        return text
    whole = kind is None or kind.kind in WHOLE
    try:
        read = files.read(text, key)
    except Malformed as unread:
        a_word = isinstance(unread, files.Unquoted) and isinstance(unread.meant, str)
        if whole and kind is not None and kind.kind != "any" and not a_word:
            raise
        if kind is not None and kind.kind in ("integer", "number") and text.strip().lstrip("-").isdecimal():
            raise Malformed.of(unread.problems[0].what, file=key, mend="write a smaller one") from None
        return text
    plain = not isinstance(read, Mapping | list) and not text.lstrip().startswith(QUOTING)
    if plain and ("#" in text or (isinstance(read, str) and len(text.split()) > 1)):
        return text
    return read if whole or read is None or isinstance(read, str | int | float) else text


def refuse_blanks(action: Action, given: Mapping[str, object]) -> None:
    """Refuse a text that stands where an action is shown for what is to be put there, such as ``title=TITLE``."""
    for name, each in given.items():
        blank, known = name.replace("_", "-").upper(), ("TAG", "TAGS")
        same = set(known) & {*each} if name == "tags" and isinstance(each, list) else each == blank
        kind = action.parameters.get(name.replace("-", "_"))
        if not same or len(blank) < SHORTEST or kind is None:
            continue
        if kind.kind in ("text", "list") and not kind.choices:
            stands = min(same) if isinstance(same, set) else blank
            raise Refused.of(
                f"{stands} stands for what is to be put there", mend="write what it is to say in its place"
            )
