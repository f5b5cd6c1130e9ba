"""Where places stand that only know their neighbours: as far apart on paper as one has to walk, as nearly as that can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

MOST = 120  # places that are laid out
ROUNDS = 60
LETTER, LINE = 7.2, 14  # how wide a letter of a name is, and how high a line, in a picture
Point = tuple[float, float]


def laid_out(neighbours: Mapping[str, Sequence[str]]) -> dict[str, Point]:
    """A point for each place, a step about 1 long; the same for the same places. Wider than high."""
    names = list(neighbours)
    steps = _steps(neighbours)
    points = _begun(names, steps)
    for _ in range(ROUNDS):
        points = {name: _moved(name, names, points, steps) for name in names}
    xs, ys = ([point[axis] for point in points.values()] for axis in (0, 1))
    left, top = min(xs), min(ys)
    if max(ys) - top > max(xs) - left:
        return {name: (y - top, x - left) for name, (x, y) in points.items()}
    return {name: (x - left, y - top) for name, (x, y) in points.items()}


def turned(points: Mapping[str, Point], north: object, west: object) -> dict[str, Point]:
    """The same picture, turned and mirrored so that one place lies as far up, and another as far left, as that goes; as it is
    where neither is there."""
    if north not in points and west not in points:
        return dict(points)

    def far(way: Mapping[str, Point]) -> float:
        wide, high = (max(point[axis] for point in way.values()) or 1 for axis in (0, 1))
        return (way[str(west)][0] / wide if west in way else 0) + (
            way[str(north)][1] / high if north in way else 0
        )

    wide, high = (max(point[axis] for point in points.values()) for axis in (0, 1))
    ways: list[dict[str, Point]] = []
    for left, top in product((False, True), repeat=2):
        way = {n: (wide - x if left else x, high - y if top else y) for n, (x, y) in points.items()}
        ways += [way, {name: (y, x) for name, (x, y) in way.items()}]
    return min(ways, key=far)


class Label(NamedTuple):
    """Where a name stands, and which end of it: ``start``, ``middle`` or ``end``."""

    at: Point
    anchor: str

    def sides(self, letters: int) -> tuple[float, float]:
        """How far left and right a name of so many letters goes there."""
        return around(self.at, letters, {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor])


def around(at: Point, letters: int, before: float = 0.5) -> tuple[float, float]:
    """How far left and right words of so many letters go, of which so great a part stands before a point."""
    wide = LETTER * letters
    return at[0] - before * wide, at[0] + (1 - before) * wide


def labelled(places: Mapping[str, tuple[Point, int, bool]]) -> dict[str, Label]:
    """Where the name of each place stands that has so many letters: above it, or else where it covers no other, and below only
    where nobody is told to be."""
    labels: dict[str, Label] = {}
    boxes: list[tuple[float, float, float, float]] = []
    for name, ((x, y), letters, taken) in sorted(places.items(), key=lambda each: each[1][0][::-1]):
        wide = LETTER * letters
        ways = [
            (Label((x, y - 10), "middle"), x - wide / 2),
            *([] if taken else [(Label((x, y + 20), "middle"), x - wide / 2)]),
            (Label((x + 10, y + 4), "start"), x + 10),
            (Label((x - 10, y + 4), "end"), x - 10 - wide),
        ]
        tried = [(label, (left, label.at[1] - LINE, left + wide, label.at[1])) for label, left in ways]
        label, box = next(
            (each for each in tried if not any(_over(each[1], other) for other in boxes)), tried[0]
        )
        labels[name] = label
        boxes.append(box)
    return labels


def _over(one: Sequence[float], other: Sequence[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _steps(neighbours: Mapping[str, Sequence[str]]) -> dict[str, dict[str, int]]:
    """How many steps it is from each place to each; to where no way leads, one more than the longest way."""
    both: dict[str, set[str]] = {name: set() for name in neighbours}
    for name, others in neighbours.items():
        for other in others:
            if other in both and other != name:
                both[name].add(other)
                both[other].add(name)
    steps = {name: _walk(name, both) for name in neighbours}
    beyond = max(max(ways.values()) for ways in steps.values()) + 1
    return {name: {other: ways.get(other, beyond) for other in both} for name, ways in steps.items()}


def _walk(start: str, neighbours: Mapping[str, set[str]]) -> dict[str, int]:
    steps, edge = {start: 0}, [start]
    while edge:
        edge = sorted({other for name in edge for other in neighbours[name]} - steps.keys())
        distance = max(steps.values()) + 1
        steps |= dict.fromkeys(edge, distance)
    return steps


def _begun(names: Sequence[str], steps: Mapping[str, Mapping[str, int]]) -> dict[str, Point]:
    """To begin with: between two places far apart, and across between two others; no two at one point."""
    corners = [max(names, key=lambda name: steps[names[0]][name])]
    corners.append(max(names, key=lambda name: steps[corners[0]][name]))
    one, other = corners
    across = min(
        names, key=lambda n: (abs(steps[one][n] - steps[other][n]), -steps[one][n] - steps[other][n])
    )
    behind = max(names, key=lambda n: steps[across][n] - abs(steps[one][n] - steps[other][n]))
    return {
        name: (
            (steps[one][name] - steps[other][name]) / 2 + 0.01 * place,
            (steps[across][name] - steps[behind][name]) / 2 + 0.017 * (place * 7 % 11),
        )
        for place, name in enumerate(names)
    }


def _moved(
    name: str, names: Sequence[str], points: Mapping[str, Point], steps: Mapping[str, Mapping[str, int]]
) -> Point:
    """Where a place goes that wants to be so far from each other as the steps are, the near ones first."""
    (x, y), ways = points[name], steps[name]
    sum_x = sum_y = weights = 0.0
    for other in names:
        if other == name:
            continue
        ox, oy = points[other]
        wide = ((x - ox) ** 2 + (y - oy) ** 2) ** 0.5 or 1e-9
        weight = ways[other] ** -2
        sum_x += weight * (ox + ways[other] * (x - ox) / wide)
        sum_y += weight * (oy + ways[other] * (y - oy) / wide)
        weights += weight
    return (sum_x / weights, sum_y / weights) if weights else (x, y)
