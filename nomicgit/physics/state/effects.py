"""What differs between two states of a game: what a deed has done, as taking it back wants to know it.

It is told as effects, ``{ref, field, old, new}``: fields of what is there before and after; ``created`` and ``destroyed``
of whole entities, with all their fields; ``comments`` of a post, those that went and those that came; and of rules
their ``text`` and their ``place``. A rehearsal and the record tell it alike. What the program keeps is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from nomicgit.ground.files import Value
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.state.store import PROGRAMS, SINGLE, Source, filed

Effect: TypeAlias = dict[str, object]


class State(Struct, frozen=True):
    """A game as it stood."""

    source: Source
    ruleset: Ruleset


def differences(before: State, after: State, refs: Iterable[str]) -> list[Effect]:
    """The effects that lead from one state to another, which differ in these entities and in rules."""
    effects: list[Effect] = []
    for ref in sorted({*refs} - PROGRAMS - {"settings"}):
        effects += _entity(ref, *(_fields(state, ref) for state in (before, after)))
        if ref.startswith("posts/"):
            effects += _comments(ref, *(state.source.comments(ref) for state in (before, after)))
    return effects + list(_rules(before.ruleset, after.ruleset))


def _fields(state: State, ref: str) -> Mapping[str, Value] | None:
    fields = state.source.entity(ref)
    if fields is None:
        return {} if ref in SINGLE else None
    return filed(fields)


def _entity(ref: str, old: Mapping[str, Value] | None, new: Mapping[str, Value] | None) -> Iterator[Effect]:
    if old is None or new is None:
        if old is not None or new is not None:
            field = "created" if old is None else "destroyed"
            a, b = (None if each is None else dict(sorted(each.items())) for each in (old, new))
            yield {"ref": ref, "field": field, "old": a, "new": b}
        return
    for name in sorted({*old, *new} - {"made"}):
        if old.get(name) != new.get(name):
            yield {"ref": ref, "field": name, "old": old.get(name), "new": new.get(name)}


def _comments(ref: str, old: Sequence[object], new: Sequence[object]) -> Iterator[Effect]:
    went, came = _without(old, new), _without(new, old)
    if went or came:
        yield {"ref": ref, "field": "comments", "old": went, "new": came}


def _without(some: Sequence[object], others: Sequence[object]) -> list[object]:
    """What stands among some and not among others, of equal ones the last."""
    left, gone = list(others), []
    for each in some:
        if each in left:
            left.remove(each)
        else:
            gone.append(each)
    return gone


def _rules(old: Ruleset, new: Ruleset) -> Iterator[Effect]:
    if old is new:
        return
    both = [each.slug for each in new.rules if each.slug in old.by_slug]
    for slug in sorted({*old.by_slug, *new.by_slug}):
        ref = f"rules/{slug}"
        if slug not in old.by_slug:
            yield {"ref": ref, "field": "created", "old": None, "new": whole(new, slug)}
        elif slug not in new.by_slug:
            yield {"ref": ref, "field": "destroyed", "old": whole(old, slug), "new": None}
        else:
            texts = [ruleset.texts[ruleset.by_slug[slug].path] for ruleset in (old, new)]
            places = [place(ruleset, slug, both) for ruleset in (old, new)]
            for field, (a, b) in (("place", places), ("text", texts)):
                if a != b:
                    yield {"ref": ref, "field": field, "old": a, "new": b}


def whole(ruleset: Ruleset, slug: str) -> dict[str, object]:
    """A rule with its place."""
    text = ruleset.texts[ruleset.by_slug[slug].path]
    return {"text": text, "place": place(ruleset, slug, [each.slug for each in ruleset.rules])}


def place(ruleset: Ruleset, slug: str, among: Collection[str]) -> list[str | None]:
    """Where a rule stands: its section, the rule above it, and the one before it among some."""
    placed = ruleset.by_slug[slug]
    siblings = [
        each for each in ruleset.rules if (each.section, each.parent) == (placed.section, placed.parent)
    ]
    before = [each.slug for each in siblings[: siblings.index(placed)] if each.slug in among]
    return [placed.section, placed.parent, before[-1] if before else None]
