"""What a deed has done to a value of the gamestate, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nomicgit.ground.wording import SHORT, in_words

BY_CHANCE = "for example, by dice that the deed throws anew"
"""What is said of a deed that was only tried, and drew."""


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
        yield f"{path}: {in_words(old)} → {in_words(new)}"


def _turned(old: Sequence[object], new: Sequence[object]) -> str:
    """What became of a list: all of it where it is short, else what came to it and what left it."""
    before, after = in_words(list(old), 10 * SHORT), in_words(list(new), 10 * SHORT)
    came, left = ([each for each in some if each not in others] for some, others in ((new, old), (old, new)))
    if max(len(before), len(after)) <= SHORT or not (came or left):
        return f"{in_words(list(old))} → {in_words(list(new))}"
    parts = (f"{word} {in_words(each)}" for word, each in (("with", came), ("without", left)) if each)
    return "now " + ", ".join(parts)
