"""A value in short plain words, on one line: ``iron 3, coal 2``; of what is too long, how much more there is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

SHORT, LEAST, WHOLE = 60, 4, 1 << 40  # letters


def in_words(value: object, most: int = SHORT) -> str:
    """A value in about so many letters at most. An empty text stands in quotes, an empty list or map is none."""
    match value:
        case Mapping() | list() if value:
            return _fitting(list(_parts(value, most)), most)
        case Mapping() | list():
            return "none"
        case str() if value.strip():
            return _cut(" ".join(value.split()), most)
    return json.dumps(value, ensure_ascii=False)


def in_both_words(old: object, new: object, most: int = SHORT) -> tuple[str, str]:
    """What a value was and what it is; of two long texts what differs, with the word before it."""
    if not (isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) > most):
        return in_words(old, most), in_words(new, most)
    before, after = old.split(), new.split()
    first = max(0, _alike(before, after) - 1)
    last = _alike(before[:first:-1], after[:first:-1])
    return _between(before, first, last, most), _between(after, first, last, most)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """With how many of the same words two texts begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _between(words: list[str], first: int, last: int, most: int) -> str:
    """Some words of a text, from one on and up to so many from its end."""
    kept = words[first : len(words) - last]
    shown = f"{'… ' if first else ''}{' '.join(kept)}{' …' if last else ''}"
    return _cut(shown, most) if kept else in_words(" ".join(words), most)


def _parts(value: Mapping[object, object] | list[object], most: int) -> Iterator[str]:
    """The members of a list, or what a map gives to what; what is long in itself takes half the place at most."""
    share = most // 2 if len(value) > 1 else most
    if isinstance(value, list):
        for each in value:
            yield (
                _bare(each, share) if isinstance(each, Mapping) and len(each) == 1 else _within(each, share)
            )
        return
    for name, each in value.items():
        yield _given(name, each, share)


def _given(name: object, value: object, most: int) -> str:
    """What a map gives to a name."""
    said = _cut(str(name), most)
    return f"{said} {_within(value, max(most - len(said) - 1, LEAST))}"


def _within(value: object, most: int) -> str:
    """A value within another: a list or a map in brackets."""
    if not isinstance(value, Mapping | list) or not value:
        return in_words(value, max(most, LEAST))
    return f"({_bare(value, most - len('()'))})"


def _bare(value: Mapping[object, object] | list[object], most: int) -> str:
    """A list or a map without its brackets, as much of it as fits; never the names of a map without what it gives to them."""
    whole = _whole(value, most)
    if whole is not None or most < LEAST:
        return "…" if whole is None else whole
    names = list(value.items()) if isinstance(value, Mapping) else [(None, each) for each in value]
    shown = ""
    for number, (name, each) in enumerate(names, 1):
        more = ", …" if number < len(names) else ""
        room = most - len(shown) - len(", ") - len(more)
        part = _within(each, room) if name is None else _given(name, each, room)
        if shown and len(part) > room:
            break
        shown += (", " if shown else "") + part
    else:
        return shown
    return shown + ", …"


def _whole(value: Mapping[object, object] | list[object], most: int) -> str | None:
    """A list or a map without its brackets, with nothing left out; None where that is longer."""
    said: list[str] = []
    left = most
    for name, each in value.items() if isinstance(value, Mapping) else ((None, each) for each in value):
        mark = "" if name is None else f"{name} "
        if isinstance(each, Mapping | list) and each:
            lone = name is None and isinstance(each, Mapping) and len(each) == 1
            inner = _whole(each, left - len(mark)) if left > 0 else None
            part = inner if inner is None or lone else f"({inner})"
        else:
            part = in_words(each, WHOLE)
        if part is None or len(mark + part) > left:
            return None
        said.append(mark + part)
        left -= len(mark + part) + len(", ")
    return ", ".join(said)


def _fitting(parts: list[str], most: int) -> str:
    """As many of the parts as fit, and how many more there are."""
    if len(", ".join(parts)) <= most:
        return ", ".join(parts)
    shown = 1
    while len(", ".join(parts[: shown + 1])) + len(f" and {len(parts)} more") <= most:
        shown += 1
    left = len(parts) - shown
    return ", ".join(parts[:shown]) + (f" and {left} more" if left else "")


def _cut(text: str, most: int) -> str:
    """A text, or its beginning and how long it is."""
    if len(text) <= most:
        return text
    tail = f"… ({len(text)} letters)"
    return text[: most - len(tail)].rstrip() + tail if len(tail) * 2 <= most else text[: most - 1] + "…"
