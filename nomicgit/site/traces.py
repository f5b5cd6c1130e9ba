"""Where values come from: each change of a value with the deed that made it, and how numbers went over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from nomicgit.ground import clock
from nomicgit.record import journal, visible
from nomicgit.record.annals import Moved
from nomicgit.site import charts, chronicle, markup
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, within
from nomicgit.site.scribe import Scribe

MOST = 400  # rows of a table of changes
CHARTED = 6  # charts of one player


def uri_of(kind: str) -> str:
    """The page of the changes of a kind of entity."""
    return within("gamestate", kind)


def pages(look: Look) -> Iterator[Page]:
    """A page of changes for the game, the dynasty and each collection in which anything changed."""
    for kind, some in look.moves().items():
        if "/" not in kind:
            scribe = Scribe(look, uri_of(kind))
            title = f"Changes of {kind.replace('_', ' ').replace('-', ' ')}"
            about = markup.tag(
                "p",
                "Each change of a value with the deed that brought it, the latest first; ",
                "what fell due by the clock until then came with it, and is the clock’s. ",
                scribe.link("The gamestate", "gamestate.md"),
            )
            yield Page(
                uri_of(kind), title, markup.joined((about, table(scribe, some, named=True))), searched=False
            )


def table(scribe: Scribe, some: Sequence[Moved], *, named: bool) -> Markup:
    """Changes, the latest first."""
    rows = ([*_row(scribe, each, named=named)] for each in some[: -MOST - 1 : -1])
    head = ["Deed", "When", "By", *(["What"] if named else []), "Value", "From", "To"]
    left = len(some) - MOST
    more = (
        markup.tag("p", f"{left} earlier changes stand in the journal.", class_="nomic-about")
        if left > 0
        else markup.NOTHING
    )
    return markup.joined((markup.table(head, rows, sortable=True, label="Changes of values"), more))


def _row(scribe: Scribe, each: Moved, *, named: bool) -> Iterator[object]:
    yield scribe.deed(each.done)
    yield markup.moment(each.done.deed.at)
    yield markup.escaped(journal.THE_CLOCK) if each.clock else chronicle.by(scribe, each.done)
    if named:
        yield _whose(scribe, each)
    yield each.field.replace("_", " ")
    yield from _shown(scribe, each)


def _values(each: Moved) -> tuple[Markup, Markup]:
    """What a value was, and is; of a mailbox what is to be known of it."""
    if each.field == "mailbox":
        return markup.escaped(visible.mailbox(each.old)), markup.escaped(visible.mailbox(each.new))
    return markup.plain(each.old), markup.plain(each.new)


def _shown(scribe: Scribe, each: Moved) -> tuple[Markup, Markup]:
    """The same, with players linked."""
    kind = chronicle.kind_of(scribe.look, each.ref, each.field)
    old, new = _values(each)
    return chronicle.named(scribe, kind, each.old) or old, chronicle.named(scribe, kind, each.new) or new


def noticed(some: Sequence[Moved]) -> list[Moved]:
    """Those changes of which a reader sees anything: not those of what a game notes of its own beside a mailbox, say."""
    return [each for each in some if len(set(_values(each))) > 1]


def of_deed(scribe: Scribe, some: Sequence[Moved]) -> Markup:
    """The values that one deed changed, from what to what."""
    rows = (
        [_whose(scribe, each), each.field.replace("_", " "), *_shown(scribe, each)] for each in some[:MOST]
    )
    return markup.table(["What", "Value", "From", "To"], rows, sortable=True, label="Values that changed")


def _whose(scribe: Scribe, each: Moved) -> object:
    if each.ref.startswith("players/"):
        return scribe.player(each.ref)
    return each.ref.partition("/")[2] or each.ref


def series(look: Look, some: Sequence[Moved]) -> dict[str, list[charts.Point]]:
    """How each number of an entity went: what it was from when on, and from when on there was none."""
    numbers: dict[str, list[charts.Point]] = {}
    for each in some:
        old, new, at = charted(each.old), charted(each.new), each.done.deed.at
        if each.field in numbers:
            numbers[each.field].append((at, new))
        elif new is not None:
            first = [] if old is None else [(look.annals.deeds[0].deed.at, old)]
            numbers[each.field] = [*first, (at, new)]
    return numbers


def charted(value: object) -> float | None:
    """A value as a chart has it; None where it is no number."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def over_time(look: Look, some: Sequence[Moved]) -> list[Section]:
    """Charts of the numbers of an entity that changed most, until now."""
    by_changes = sorted(series(look, some).items(), key=lambda pair: -len(pair[1]))
    drawn = markup.joined(
        charts.line(
            f"{field.replace('_', ' ')} over time",
            [*points, (look.at, points[-1][1])],
            (clock.text(points[0][0])[:10], clock.text(look.at)[:10]),
        )
        for field, points in by_changes[:CHARTED]
    )
    return [Section("over-time", "Over time", drawn)] if drawn else []
