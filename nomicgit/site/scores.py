"""The numbers of this dynasty that tell one player from another, now and over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from markupsafe import Markup

from nomicgit.ground import clock
from nomicgit.law.variables import Type, Variable
from nomicgit.physics.state import reading
from nomicgit.site import charts, markup, traces
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Section

COLUMNS: Final = 4
BROAD: Final = ("list", "set", "map", "record")  # types whose values want room in a table
FIRST: Final = 12  # players in a chart
LATEST: Final = 6  # times of its table, besides that at which it begins


def telling(look: Look) -> tuple[list[Variable], list[str]]:
    """The numbers of this dynasty that tell one player from another, and the players."""
    refs = reading.roster(look.world)
    telling = (v for v in _numbers(look) if len({str(look.value(ref, v.name)) for ref in refs}) > 1)
    return list(islice(telling, COLUMNS)), refs


def _numbers(look: Look) -> Iterator[Variable]:
    """The public numbers of players that this dynasty declares."""
    for variable in look.variables("players"):
        kind = variable.type.kind in ("integer", "number")
        if kind and variable.tracked == "public" and section(look, variable) == "dynastic":
            yield variable


def section(look: Look, variable: Variable) -> str:
    """The section of the ruleset that declares a variable."""
    placed = look.world.ruleset.by_slug.get(variable.rule)
    return placed.section if placed else ""


def spoken(variable: Variable) -> str:
    """A variable's name as people say it."""
    return variable.name.replace("_", " ")


def headed(variable: Variable) -> Markup:
    """A variable's name as it heads a column or a fact, with its unit and its range, where it has them.

    What holds several values gets a width that these can be read in.
    """
    unit = variable.attributes.get("unit")
    kind = "mechanics" if variable.type.kind == "mechanics" else ""
    more = " ".join(
        filter(None, (ranging(variable.type), str(unit) if isinstance(unit, str | int) else "", kind))
    )
    broad = variable.type.kind in BROAD
    name = (
        markup.tag("span", spoken(variable), class_="nomic-broad")
        if broad
        else markup.escaped(spoken(variable))
    )
    return markup.joined((name, " ", markup.tag("small", more, class_="nomic-range"))) if more else name


def ranging(kind: Type) -> str:
    """The least and the most of a number, and its step; nothing where they say nothing."""
    least, most = kind.minimum, kind.maximum
    if kind.kind not in ("integer", "number"):
        return ""
    step = f"in steps of {kind.step:g}" if kind.step is not None and kind.step != 1 else ""
    ends = [f"from {least}" if least else "", f"up to {most}" if most is not None else ""]
    whole = " ".join(filter(None, ends)) if least is None or most is None else f"{least} to {most}"
    return ", ".join(filter(None, (whole, step)))


def over_time(look: Look) -> list[Section]:
    """A chart of the active players for each number of this dynasty that changed at two times or more since it began; beneath
    them those that did at one are named.
    """
    began = look.annals.reigns[-1].began.deed.at if look.annals.reigns else look.annals.deeds[0].deed.at
    refs = reading.roster(look.world)[:FIRST]
    went = [(ref, traces.series(look, look.moves().get(ref, ()))) for ref in refs]
    drawn: list[Markup] = []
    once: list[str] = []
    for number in _numbers(look):
        series = [(look.name(ref), _since(look, number.name, ref, began, points)) for ref, points in went]
        changed = sorted({at for _, points in series for at, _ in points[1:-1]})
        if len(changed) > 1:
            drawn.append(_chart(look, number, series, changed))
        elif changed:
            once.append(spoken(number))
    if once and drawn:
        drawn.append(markup.tag("p", f"Changed at one time only: {', '.join(once)}.", class_="nomic-about"))
    return [Section("over-time", "Over time", markup.joined(drawn))] if drawn else []


def _chart(
    look: Look, number: Variable, series: Sequence[tuple[str, Sequence[charts.Point]]], changed: Sequence[int]
) -> Markup:
    start = min(points[0][0] for _, points in series)
    came = {points[0][0] for _, points in series} - {start}
    times = list(
        {at // 60: at for at in sorted({*changed, *came})}.values()
    )  # of each minute the last, for none is told from the next by seconds
    title = f"{spoken(number)} over time"
    at = [start, *times[-LATEST:]]
    rows = ([name, *_at(points, at)] for name, points in series)
    table = markup.table(["Player", *map(markup.moment, at)], rows, label=title)
    ends = (clock.text(start)[:10], clock.text(look.at)[:10])
    return charts.lines(title, series, ends, table)


def _since(
    look: Look, name: str, ref: str, began: int, went: Mapping[str, list[charts.Point]]
) -> list[charts.Point]:
    """What a player's number was from when on, since a dynasty began until now; of one that is younger, since there is one.

    ``went`` tells how each of their numbers did.
    """
    points = went.get(name, [])
    last = traces.charted(look.value(ref, name))
    before = [value for at, value in points if at <= began]
    first = [(began, before[-1])] if before and before[-1] is not None else [] if points else [(began, last)]
    return [*first, *(point for point in points if point[0] > began), (look.at, last)]


def _at(points: Sequence[charts.Point], times: list[int]) -> Iterator[str]:
    """What a number was at some times; a dash where there was none."""
    for time in times:
        values = [value for at, value in points if at <= time]
        yield "–" if not values or values[-1] is None else charts.number(values[-1])
