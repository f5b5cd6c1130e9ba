"""Time lines: what happened when, as pictures whose marks lead to where it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from nomicgit.ground import clock
from nomicgit.site import charts, markup
from nomicgit.site.scribe import Scribe

LANE = 30  # pixels
MOST = 60  # marks of a lane, the latest


class Mark(NamedTuple):
    """Something that happened: when (seconds, UTC), of which kind, in words, and where it is told."""

    at: int
    lane: str
    text: str
    href: str


def of_rule(scribe: Scribe, slug: str) -> Markup:
    """When a rule was made and changed; nothing of one that is as it was made."""
    history = scribe.look.annals.amendments.get(slug, ())
    if len(history) < 2:
        return markup.NOTHING
    marks = [
        Mark(
            each.done.deed.at,
            "repealed" if each.new is None else "made" if each.old is None else "amended",
            f"Revision {each.revision}, {markup.moment(each.done.deed.at).striptags()}",
            f"#revision-{each.revision}",
        )
        for each in history
    ]
    return drawn("This rule over time", marks, (scribe.look.annals.deeds[0].deed.at, scribe.look.at))


def drawn(title: str, marks: Iterable[Mark], ends: tuple[int, int], rows: Markup | None = None) -> Markup:
    """Marks on a line for each kind."""
    lanes: dict[str, list[Mark]] = {}
    for mark in sorted(marks, key=lambda mark: mark.at):
        lanes.setdefault(mark.lane, []).append(mark)
    inside = [part for place, lane in enumerate(lanes) for part in _lane(place, lane, lanes, ends)]
    bottom = len(lanes) * LANE + 16
    first, last = (clock.text(at)[:10] for at in ends)
    inside.append(charts.text(charts.NAMES, bottom, first))
    inside.append(charts.text(charts.WIDTH - charts.EDGE, bottom, last, "end"))
    return charts.figure(title, bottom + 6, inside, rows, role=None)


def _lane(place: int, lane: str, lanes: Mapping[str, list[Mark]], ends: tuple[int, int]) -> Iterator[Markup]:
    height, right, (first, last) = place * LANE + 14, charts.WIDTH - charts.EDGE, ends
    yield charts.text(charts.NAMES - 12, height + 4, charts.short(lane), "end")
    edges = {"x1": str(charts.NAMES), "x2": str(right), "y1": str(height), "y2": str(height)}
    yield markup.tag("line", class_="nomic-axis", **edges)
    for mark in lanes[lane][-MOST:]:
        x = charts.NAMES + (right - charts.NAMES) * (mark.at - first) / ((last - first) or 1)
        dot = markup.tag("circle", markup.tag("title", mark.text), cx=f"{x:.1f}", cy=str(height), r="6")
        yield markup.tag("a", dot, href=mark.href, aria_label=mark.text)
