"""Ways over a map: what lists places one after another, such as a trade route, drawn from place to place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from markupsafe import Markup

from nomicgit.law.declarations import Collection
from nomicgit.physics.state import reading
from nomicgit.site import charts, markup
from nomicgit.site.onlooking import Look
from nomicgit.site.scribe import Scribe

APART: Final = 4  # between two ways that go side by side
BEFORE: Final = 9  # of its last place a way ends
TIP: Final = 7  # of an arrow
Point = tuple[float, float]
Points = Mapping[str, Point]


class Route(NamedTuple):
    """A way of something, over places each of which is a neighbour of the next."""

    ref: str
    field: str
    places: tuple[str, ...]


def of(scribe: Scribe, collection: Collection, ways: set[frozenset[str]]) -> list[Route]:
    """Every way over a collection's places that is public, and goes along these ways from place to place."""
    look, routes = scribe.look, list[Route]()
    others = look.world.law.declared.collections.values()
    known = [each.name for each in others if each.tracked == "public" and each is not collection]
    for kind in (*known, "players"):
        fields = [
            v.name
            for v in look.variables(kind)
            if (v.tracked, v.type.kind, v.derived) == ("public", "list", "")
            and v.type.items is not None
            and v.type.items.kind == collection.name
        ]
        refs = _all(look, kind) if fields else []
        for ref, field in ((ref, field) for field in fields for ref in refs):
            listed = look.value(ref, field)
            places = tuple(map(str, listed)) if isinstance(listed, list) else ()
            if len(places) > 1 and all(frozenset(step) in ways for step in pairwise(places)):
                routes.append(Route(ref, field, places))
    return routes


def _all(look: Look, kind: str) -> Sequence[str]:
    """All active players, or all of a collection."""
    return reading.roster(look.world) if kind == "players" else reading.find(look.world, kind)


def drawn(routes: Sequence[Route], at: Points) -> Iterator[Markup]:
    """Each way as a line with an arrow at its end; those that share a part go there side by side."""
    sharing: dict[frozenset[str], list[int]] = {}
    for number, route in enumerate(routes):
        for step in pairwise(route.places):
            sharing.setdefault(frozenset(step), []).append(number)
    for number, route in enumerate(routes):
        lines = []
        for one, other in pairwise(route.places):
            lanes = sharing[frozenset((one, other))]
            aside = (lanes.index(number) - (len(lanes) - 1) / 2) * APART * (1 if one < other else -1)
            lines.append(_beside(at[one], at[other], aside))
        begin, end = lines[-1]
        lines[-1] = (begin, _short_of(begin, end, BEFORE))
        path = " ".join(f"M{x:.1f} {y:.1f}L{ox:.1f} {oy:.1f}" for (x, y), (ox, oy) in lines)
        look, dashes = charts.look_of(number)
        arrow = markup.tag("path", d=_tip(*lines[-1]))
        yield markup.tag("g", markup.tag("path", d=path, stroke_dasharray=dashes), arrow, class_=look)


def named(scribe: Scribe, routes: Sequence[Route]) -> Markup:
    """Which line is whose, for below the map."""
    if not routes:
        return markup.NOTHING
    by_field: dict[str, list[Markup]] = {}
    for number, route in enumerate(routes):
        look, dashes = charts.look_of(number)
        line = markup.tag("path", d="M0 5H26", stroke_dasharray=dashes)
        sample = markup.tag("svg", line, width="26", height="10", class_=look, aria_hidden="true")
        kind = route.ref.partition("/")[0].replace("_", " ").replace("-", " ")
        each = markup.joined((sample, "\u00a0", scribe.entity(route.ref)))  # which stay together on a line
        by_field.setdefault(f"{route.field.replace('_', ' ')} of {kind}", []).append(each)
    lines = (
        markup.joined((f"Lines, the {what}: ", markup.joined(some, ", "))) for what, some in by_field.items()
    )
    return markup.tag("p", markup.joined(lines, markup.BREAK), class_="nomic-about nomic-lines")


def _beside(one: Point, other: Point, aside: float) -> tuple[Point, Point]:
    """A line so far beside the one from one point to another; what lies left of one way lies right of the way back."""
    (x, y), (ox, oy) = one, other
    wide = ((ox - x) ** 2 + (oy - y) ** 2) ** 0.5 or 1
    left, up = -(oy - y) / wide * aside, (ox - x) / wide * aside
    return (x + left, y + up), (ox + left, oy + up)


def _short_of(begin: Point, end: Point, least: float) -> Point:
    """A point so far before the end of a line."""
    (x, y), (ox, oy) = begin, end
    wide = ((ox - x) ** 2 + (oy - y) ** 2) ** 0.5 or 1
    return ox - (ox - x) / wide * least, oy - (oy - y) / wide * least


def _tip(begin: Point, end: Point) -> str:
    """The two strokes of an arrow at the end of a line."""
    back = _short_of(begin, end, TIP)
    (x, y), (bx, by) = end, back
    side = ((y - by) * 0.6, (bx - x) * 0.6)
    return f"M{bx + side[0]:.1f} {by + side[1]:.1f}L{x:.1f} {y:.1f}L{bx - side[0]:.1f} {by - side[1]:.1f}"
