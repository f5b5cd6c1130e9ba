"""What a matter asks for, and what would become of that were it enacted now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgit.ground.problems import NomicError
from nomicgit.outlook.branches.shown import shown
from nomicgit.site import markup
from nomicgit.site.asked import Untold
from nomicgit.site.scribe import Look

_SIGNS = {"+": "ins", "-": "del"}
_FATES = {"skipped": "would be skipped", "nothing": "would have nothing to do"}


def asked_for(look: Look, ref: str, changes: object) -> Markup:
    """The changes of a matter that has changed nothing yet; of a pending one with those that would not be made, and why."""
    if look.world.store.value(ref, "status") != "pending":
        return proposed(changes, {})
    foreseen = look.foretold(ref)
    if isinstance(foreseen, Untold):
        return markup.joined(
            (proposed(changes, {}), markup.tag("p", f"Its changes cannot be tried: {foreseen.why}."))
        )
    fates = {
        each["change"]: f"{_FATES[each['outcome']]} if it were enacted now: {each['why']}"
        for each in foreseen["changes"]
        if each["outcome"] in _FATES
    }
    notes = markup.listed([
        *(f"Change {each['change']}: {remark}" for each in foreseen["changes"] for remark in each["remarks"]),
        *(f"If it were enacted now: {note}" for note in foreseen["law"]),
        *(f"check would find: {problem}" for problem in foreseen["checks"]),
    ])  # fmt: skip
    return markup.joined((proposed(changes, fates), notes))


def proposed(changes: object, fates: Mapping[int, str]) -> Markup:
    """What changes would do, as a difference reads; ``fates`` says of some, by their numbers, why they would not."""
    rows: list[Markup] = []
    for number, change in enumerate(changes if isinstance(changes, list) else (), 1):
        rows += (
            _made(change) if number not in fates else _not_made(change, f"change {number} {fates[number]}")
        )
    return markup.tag(
        "div", *rows, class_="nomic-diff", tabindex="0", role="group", aria_label="What would change"
    )


def _made(change: object) -> Iterator[Markup]:
    for place, line in enumerate(_lines(change)):
        if place == 0:
            yield markup.tag("div", line, class_="nomic-gap")
        else:
            yield markup.tag(_SIGNS.get(line.strip()[:1], "div"), line.strip().lstrip("+-~ "))


def _not_made(change: object, why: str) -> Iterator[Markup]:
    yield markup.tag("div", markup.mark("not made"), f" {why}. It asks for:", class_="nomic-gap")
    yield from (markup.tag("div", line.strip(), class_="nomic-off") for line in _lines(change))


def _lines(change: Any) -> list[str]:
    try:
        return list(shown(change))
    except (AttributeError, KeyError, TypeError, ValueError, NomicError):
        return [str(change)]
