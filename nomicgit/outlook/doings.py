"""What a deed has done to a value of the gamestate, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from nomicgit.ground.wording import SHORT, in_both_words, in_words
from nomicgit.physics.deed import Draw
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.store import SINGLE, kind_of
from nomicgit.physics.state.transaction import Transaction

BY_CHANCE = "for example, by dice that the deed throws anew"
"""What is said of a deed that was only tried, and drew."""
NOTHING = "nothing"
"""What stands where no value was, or is."""
KEEPS = frozenset({"called", "hash", "branch_head", "made", "frozen"})
"""Fields that the program keeps of posts for itself."""
WRITTEN = ("posts", "scenarios")
"""What is read in a place of its own, and is only named among what a deed made."""


def lost(world: Transaction, effects: Iterable[Mapping[str, object]]) -> dict[str, dict[str, object]]:
    """What is gone of that which effects tell of, by its reference, with the fields that it had."""
    gone: dict[str, dict[str, object]] = {}
    for each in effects:
        ref = str(each["ref"])
        if each["new"] is None and ref not in SINGLE and not reading.exists(world, ref):
            gone.setdefault(ref, {})[str(each["field"])] = each["old"]
    return gone


def made(ref: str, fields: Mapping[str, object]) -> str:
    """What came into being, on one line: ``made: offers.o1 (seller ben, price 4)``; what it has nothing in is left out."""
    written = ref.partition(".")[0].partition("/")[0] in WRITTEN
    return _whole("made", ref, {} if written else {name: value for name, value in fields.items() if value})


def gone(ref: str, had: Mapping[str, object]) -> str:
    """What went, on one line, with all that it had: ``gone: offers.o1 (seller ben, price 4)``."""
    return _whole("gone", ref, {name: value for name, value in had.items() if value is not None})


def _whole(word: str, ref: str, fields: Mapping[str, object]) -> str:
    said = f" ({in_words(fields, 2 * SHORT)})" if fields else ""
    return f"{word}: {ref.replace('/', '.')}{said}"


def as_done(value: Mapping[str, Any]) -> Iterator[str]:
    """What a forecast has of one value (``{path, old, new, how}``), in the words that are said once it is done."""
    if value["how"] == "made":
        yield made(value["path"], value["new"])
    elif value["how"] == "gone":
        yield gone(value["path"], value["old"])
    else:
        yield from changed(value["path"], value["old"], value["new"])


def changed(path: str, old: object, new: object) -> Iterator[str]:
    """A changed value; of a map each name whose value changed."""
    if isinstance(old, Mapping | None) and isinstance(new, Mapping | None) and (old or new):
        before, after = old or {}, new or {}
        for name in dict.fromkeys((*before, *after)):
            if before.get(name) != after.get(name):
                yield from changed(f"{path}.{name}", before.get(name), after.get(name))
    elif isinstance(old, list | None) and isinstance(new, list | None) and (old or new):
        yield f"{path}: {_turned(old or [], new or [])}"
    else:
        was, now = in_both_words(old, new)
        yield f"{path}: {NOTHING if old is None else was} → {NOTHING if new is None else now}"


def stops(world: Transaction, ref: str, name: str, new: object) -> str:
    """What is said of a number that has come to where the law stops it: that it goes no further; of 0 as the least nothing."""
    declared = world.law.variable(kind_of(ref), name)
    if declared is None or not writing.clamps(world, declared.type) or isinstance(new, bool):
        return ""
    if new is not None and new == declared.type.maximum:
        return ", the most it may be"
    return ", the least it may be" if new and new == declared.type.minimum else ""


def _turned(old: Sequence[object], new: Sequence[object]) -> str:
    """What became of a list: all of it where it is short, else what came to it and what left it."""
    before, after = in_words(list(old), 10 * SHORT), in_words(list(new), 10 * SHORT)
    came, left = ([each for each in some if each not in others] for some, others in ((new, old), (old, new)))
    if max(len(before), len(after)) <= SHORT or not (came or left):
        return f"{in_words(list(old))} → {in_words(list(new))}"
    parts = (f"{word} {in_words(each)}" for word, each in (("with", came), ("without", left)) if each)
    return "now " + ", ".join(parts)


def thrown(draws: Iterable[Draw], own: str) -> Iterator[str]:
    """What dice gave that all may see, those of one rule together, with its title where it is not the ``own`` of the action."""
    for by, some in groupby((draw for draw in draws if not draw.secret), key=lambda draw: draw.by):
        said = ", ".join(f"{draw.what} {draw.result}" for draw in some)
        yield said if by in ("", own) else f"{said} ({by})"
