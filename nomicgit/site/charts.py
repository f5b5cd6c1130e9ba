"""Charts as pictures that stand in the page itself: bars and lines, readable without their colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from nomicgit.site.markup import escaped, folded, joined, table, tag

WIDTH: Final = 480
ROW: Final = 22
HEIGHT: Final = 150
TALL: Final = 220  # of several lines
LOOKS: Final = 6  # colours of lines
DASHES: Final = (
    "",
    "8 3",
    "2 3",
    "12 3 2 3",
)  # by which lines of one colour are told apart: two of each colour, twelve in all
NAMED: Final = 2  # of those whose lines are one, by name
LETTERS: Final = 18  # beside the end of a line, the number among them: as many as a phone has room for
NAMES: Final = 140  # room for the names of bars
EDGE: Final = 36
LEAST: Final = 4  # different values of a line, for with fewer there is nothing to see

Point = tuple[int, float | None]  # a time (seconds), and the value from then on; None: there was none


def bars(title: str, values: Sequence[tuple[str, float]]) -> Markup:
    """A bar for each name, its number at its end; a sentence where all would be as long, or there is only one."""
    if not values:
        return Markup("")
    if len({value for _, value in values}) == 1:
        return tag("p", f"{title}: {', '.join(f'{name} {number(value)}' for name, value in values)}.")
    most = max((abs(value) for _, value in values), default=0) or 1
    room = WIDTH - NAMES - EDGE
    rows = []
    for place, (name, value) in enumerate(values):
        top, long = place * ROW, room * abs(value) / most
        rows.append(
            joined(
                (
                    text(NAMES - 8, top + 15, short(name), "end"),
                    tag(
                        "rect",
                        x=str(NAMES),
                        y=str(top + 4),
                        width=f"{long:.1f}",
                        height=str(ROW - 8),
                        class_="nomic-bar",
                    ),
                    text(NAMES + long + 6, top + 15, number(value)),
                )
            )
        )
    return figure(
        title,
        len(values) * ROW,
        rows,
        table(["name", title], [(name, number(value)) for name, value in values]),
    )


def line(title: str, points: Sequence[Point], ends: tuple[str, str]) -> Markup:
    """How a number went over time. Nothing of one that had fewer than four values. The axis begins at nought, or below what
    stayed far above it.
    """
    values = [value for _, value in points if value is not None]
    if len(set(values)) < LEAST:
        return Markup("")
    low, high = min(values), max(values)
    low = min(0.0, low) if high - low > high / 2 else low
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    wide, tall = WIDTH - 2 * EDGE, HEIGHT - 2 * 22

    def x(at: int) -> float:
        return EDGE + wide * (at - first) / (last - first)

    def y(value: float) -> float:
        return 22 + tall * (1 - (value - low) / ((high - low) or 1))

    inside = [
        tag(
            "line",
            x1=str(EDGE),
            x2=str(WIDTH - EDGE),
            y1=f"{y(level):.1f}",
            y2=f"{y(level):.1f}",
            class_="nomic-axis",
        )
        for level in (low, high)
    ]
    inside += [
        tag("path", d=_steps(points, x, y), class_="nomic-line"),
        text(EDGE - 6, y(high) + 4, number(high), "end"),
        text(EDGE - 6, y(low) + 4, number(low), "end"),
        text(EDGE, HEIGHT - 4, ends[0]),
        text(WIDTH - EDGE, HEIGHT - 4, ends[1], "end"),
    ]
    return figure(title, HEIGHT, inside)


def lines(
    title: str, series: Sequence[tuple[str, Sequence[Point]]], ends: tuple[str, str], rows: Markup
) -> Markup:
    """How a number went over time for several: each line ends at the name that it belongs to. ``rows`` tell it as a table.

    Who never had one has no line. Those whose numbers went alike have one line together, which looks as the first one's. Twelve
    names differ by colours and dashes.
    """
    every = [point for _, points in series for point in points]
    times, values = [at for at, _ in every], [0.0, *(value for _, value in every if value is not None)]
    first, last, low, high = min(times), max(times), min(values), max(values)
    wide, tall = WIDTH - EDGE - NAMES, TALL - 2 * 22

    def x(at: int) -> float:
        return EDGE + wide * (at - first) / ((last - first) or 1)

    def y(value: float) -> float:
        return 22 + tall * (1 - (value - low) / ((high - low) or 1))

    inside = [text(EDGE - 6, y(level) + 4, number(level), "end") for level in (low, high)]
    inside += [text(EDGE, TALL - 4, ends[0]), text(EDGE + wide, TALL - 4, ends[1], "end")]
    alike: dict[tuple[Point, ...], list[str]] = {}
    for name, points in series:
        if _last(points) is not None:
            alike.setdefault(tuple(points), []).append(name)
    names = _spread([y(_last(points) or 0) for points in alike], 14)
    looks = {
        name: place for place, (name, _) in enumerate(series)
    }  # the same in each chart of the same names
    for (points, some), level in zip(alike.items(), names, strict=True):
        place = looks[some[0]]
        label = text(EDGE + wide + 6, level + 4, _label(some, points[-1][1]))
        look, dashes = look_of(place)
        drawn = tag("path", d=_steps(points, x, y), stroke_dasharray=dashes)
        inside.append(tag("g", drawn, label, class_=look))
    high_enough = max([TALL, *(level + 10 for level in names)])
    return figure(title, high_enough, [tag("g", *inside, class_="nomic-lines")], rows)


def look_of(place: int) -> tuple[str, str | None]:
    """The class of one of several lines, which gives its colour, and its dashes; twelve of them differ."""
    dashes = DASHES[(place % LOOKS + 2 * (place // LOOKS)) % len(DASHES)]
    return f"nomic-line-{place % LOOKS}", dashes or None


def _last(points: Sequence[Point]) -> float | None:
    """The last value of a line; None of one that has none."""
    return next((value for _, value in reversed(points) if value is not None), None)


def _steps(points: Sequence[Point], x: Callable[[int], float], y: Callable[[float], float]) -> str:
    """A line that goes in steps from value to value, and ends where there was none until there was one again."""
    path, drawing = "", False
    for at, value in points:
        if value is not None:
            level = f"{y(value):.1f}"
            path += f"H{x(at):.1f}V{level}" if drawing else f"M{x(at):.1f} {level}"
        elif drawing:
            path += f"H{x(at):.1f}"
        drawing = value is not None
    return path


def _label(names: Sequence[str], value: float | None) -> str:
    """What stands at the end of a line: whose it is, and the value there."""
    ends = "–" if value is None else number(value)
    return f"{_together(names, LETTERS - 1 - len(ends))} {ends}"


def _together(names: Sequence[str], room: int) -> str:
    """The names of those who have one line, in so many letters: of more than three at most the first two of them."""
    if len(names) == 1:
        return short(names[0], max(2, min(10, room)))
    most = len(names) if len(names) <= NAMED + 1 else NAMED
    for some in range(most, 0, -1):
        more = [f"{len(names) - some} more"] if some < len(names) else []
        for letters in (max(map(len, names)), 6):
            said = ", ".join([*(short(name, letters) for name in names[:some]), *more])
            if len(said) <= room:
                return said
    more_of_them = f", {len(names) - 1} more"
    return short(names[0], max(2, room - len(more_of_them))) + more_of_them


def _spread(levels: Sequence[float], apart: float) -> list[float]:
    """Heights in the same order, each at least so far from the next, and as near to where they were as that lets them."""
    order = sorted(range(len(levels)), key=lambda place: levels[place])
    heights = list(levels)
    for before, after in pairwise(order):
        heights[after] = max(heights[after], heights[before] + apart)
    return heights


def figure(
    title: str, height: float, inside: Sequence[Markup], table: Markup | None = None, role: str | None = "img"
) -> Markup:
    """A picture with its title, and the same as a table. It has no ``role`` where something in it leads elsewhere."""
    picture = tag(
        "svg", *inside, viewBox=f"0 0 {WIDTH} {height:.0f}", role=role, aria_label=title, class_="nomic-chart",
        xmlns="http://www.w3.org/2000/svg",
    )  # fmt: skip
    more = folded("As a table", table) if table is not None else Markup("")
    return tag("figure", tag("figcaption", title), picture, more, class_="nomic-figure")


def text(x: float, y: float, words: str, anchor: str = "start") -> Markup:
    """Words at a place of a picture."""
    return tag("text", escaped(words), x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def number(value: float) -> str:
    """A number without a fraction that says nothing."""
    return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"


def short(name: str, most: int = 16) -> str:
    """A name that fits beside a bar."""
    return name if len(name) <= most else name[: most - 1] + "…"
