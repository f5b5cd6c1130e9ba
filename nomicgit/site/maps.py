"""Collections as maps: a grid drawn as cells, what colours and names an entity, and who is where."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from nomicgit.law.declarations import Collection
from nomicgit.law.variables import Variable
from nomicgit.physics.state import reading
from nomicgit.site import graphs, markup, routes
from nomicgit.site.colours import ground
from nomicgit.site.scribe import Scribe, anchor_of

WIDE: Final = 900
EDGE: Final = 70  # room for names around a picture
MARGIN: Final = 8  # beside what stands outermost
READABLE: Final = 0.84  # of a pixel for each step of a picture: on a phone one moves it, and reads its names
PHONE: Final = 360  # pixels of a screen, over which a wider map is moved
NAMED: Final = 3  # who is named at a place of a picture; the table beneath names all
_IN_CELLS = frozenset({"text", "choice", "boolean"})


def is_grid(collection: Collection) -> bool:
    """Whether the places of a collection lie in columns and rows."""
    return isinstance(collection.key, Mapping) and bool(collection.grid)


def signs(scribe: Scribe, collection: Collection, refs: Iterable[str]) -> list[Variable]:
    """The derived texts that only show what else is told: the label, and those that are colours."""
    derived = [v for v in _public(scribe, collection) if v.derived and v.type.kind == "text"]
    return [
        v
        for v in derived
        if v.name == _label(collection) or all(_is_colour(scribe.look.value(ref, v.name)) for ref in refs)
    ]


def named(scribe: Scribe, collection: Collection, ref: str) -> Markup:
    """What an entity is called, on its colour, with its label where that says more."""
    public = {v.name: v for v in _public(scribe, collection)}
    texts = {name: scribe.look.value(ref, name) for name, v in public.items() if v.type.kind == "text"}
    own = ref.partition("/")[2]
    label = texts.get(_label(collection))
    others = {own, *(value for name, value in texts.items() if name != _label(collection))}
    more = markup.NOTHING
    if isinstance(label, str) and label and label not in others:
        more = markup.joined(
            (" ", markup.tag("small", label, class_="nomic-label"))
        )  # a blank: two words for a search
    return markup.joined((markup.tag("span", own, id=anchor_of(ref), style=_ground(texts.values())), more))


def grid(scribe: Scribe, collection: Collection, listed: Container[str]) -> Markup:
    """A grid as a table of cells, the columns across. The rows of those ``listed`` stand in a table below."""
    key: Mapping[str, Any] = collection.key
    first = next(axis for axis in key if axis in ("columns", "rows"))
    head = markup.tag(
        "tr", markup.tag("td"), *(markup.tag("th", column, scope="col") for column in key["columns"])
    )
    there, lines = who_is_where(scribe, collection), []
    for row in key["rows"]:
        ids = [f"{column}{row}" if first == "columns" else f"{row}{column}" for column in key["columns"]]
        cells = [
            _cell(scribe, collection, ref, there.get(ref, ()), listed=ref in listed)
            for ref in (f"{collection.name}/{name}" for name in ids)
        ]
        lines.append(markup.tag("tr", markup.tag("th", row, scope="row"), *cells))
    drawing = markup.tag(
        "div",
        markup.tag("table", markup.tag("thead", head), markup.tag("tbody", *lines)),
        class_="nomic-grid",
        tabindex="0",
        role="group",
        aria_label=f"Map of {collection.name}",
    )
    return markup.joined((drawing, _marks(scribe, collection)))


def _marks(scribe: Scribe, collection: Collection) -> Markup:
    """What the marks in the cells of a grid say."""
    marks = [
        f"{variable.attributes['shown_as']}: {variable.name.replace('_', ' ')}"
        for variable in _public(scribe, collection)
        if variable.type.kind == "boolean" and "shown_as" in variable.attributes
    ]
    return markup.tag("p", "; ".join(marks), class_="nomic-about") if marks else markup.NOTHING


def drawn(scribe: Scribe, collection: Collection, refs: Sequence[str]) -> Markup:
    """Places that know their neighbours as a picture: each leads to its row, and shows who is there. Else nothing."""
    joining = next((v for v in _public(scribe, collection) if _is_joining(collection, v)), None)
    if joining is None or not 2 < len(refs) <= graphs.MOST:
        return markup.NOTHING
    ways = {ref: scribe.look.value(ref, joining.name) for ref in refs}
    neighbours = {
        ref: [str(each) for each in some] if isinstance(some, list) else [] for ref, some in ways.items()
    }
    if not any(neighbours.values()):
        return markup.NOTHING
    names = {word: f"{collection.name}/{collection.attributes.get(word)}" for word in ("north", "west")}
    points = graphs.turned(graphs.laid_out(neighbours), **names)
    wide, high = (max(point[axis] for point in points.values()) or 1 for axis in (0, 1))
    step = min((WIDE - 2 * EDGE) / wide, WIDE / high)
    left = (WIDE - wide * step) / 2
    at = {ref: (left + x * step, EDGE / 2 + y * step) for ref, (x, y) in points.items()}
    lines = {frozenset((one, other)) for one, some in neighbours.items() for other in some if other in at}
    parts = [_way(*(at[ref] for ref in sorted(each))) for each in sorted(lines, key=sorted) if len(each) == 2]
    over = routes.of(scribe, collection, lines)
    parts.append(markup.tag("g", *routes.drawn(over, at), class_="nomic-lines"))
    there = who_is_where(scribe, collection)
    letters = {ref: len(ref.partition("/")[2]) for ref in refs}
    labels = graphs.labelled({ref: (at[ref], letters[ref], ref in there) for ref in refs})
    who = {ref: _who(there.get(ref, ())) for ref in refs}
    parts += [_place(scribe, collection, ref, at[ref], labels[ref], who[ref]) for ref in refs]
    sides = [
        side
        for ref in refs
        for side in (*labels[ref].sides(letters[ref]), *graphs.around(at[ref], len(who[ref])))
    ]
    begins, ends = min(sides) - MARGIN, max(sides) + MARGIN
    size = f"{begins:.0f} 0 {ends - begins:.0f} {high * step + EDGE:.0f}"
    title = f"Map of {collection.name}"
    picture = markup.tag(
        "svg", *parts, viewBox=size, class_="nomic-chart", xmlns="http://www.w3.org/2000/svg",
        style=f"min-width:{(ends - begins) * READABLE:.0f}px",
    )  # fmt: skip
    moves = markup.tag("small", "Wider than a phone: move it sideways.", class_="nomic-wider")
    around = (moves, picture) if (ends - begins) * READABLE > PHONE else (picture,)
    shell = markup.tag("div", *around, class_="nomic-map", tabindex="0", role="group", aria_label=title)
    return markup.joined((shell, routes.named(scribe, over)))


def _who(there: Iterable[Markup]) -> str:
    """Who is at a place, in a few words; nothing where nobody is."""
    names = [each.striptags() for each in there]
    return ", ".join(
        names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
    )


def _is_joining(collection: Collection, variable: Variable) -> bool:
    """Whether a field lists other entities of its own collection."""
    items = variable.type.items
    return variable.type.kind in ("list", "set") and items is not None and items.kind == collection.name


def _way(one: tuple[float, float], other: tuple[float, float]) -> Markup:
    (x, y), (ox, oy) = one, other
    return markup.tag(
        "line", x1=f"{x:.0f}", y1=f"{y:.0f}", x2=f"{ox:.0f}", y2=f"{oy:.0f}", class_="nomic-axis"
    )


def _place(
    scribe: Scribe,
    collection: Collection,
    ref: str,
    at: graphs.Point,
    label: graphs.Label,
    who: str,
) -> Markup:
    """A place of a picture: a spot in its colour, its name where that has room, and who is there below."""
    texts = [scribe.look.value(ref, v.name) for v in _public(scribe, collection) if v.type.kind == "text"]
    colour = next((text for text in texts if isinstance(text, str) and ground(text)), None)
    x, y = (f"{each:.0f}" for each in at)
    fill = f"fill:{colour}" if colour else None
    spot = markup.tag("circle", cx=x, cy=y, r="6", class_="nomic-bar", style=fill)
    own = {"x": f"{label.at[0]:.0f}", "y": f"{label.at[1]:.0f}", "text_anchor": label.anchor}
    name = markup.tag("text", ref.partition("/")[2], **own)
    here = markup.tag("text", who, x=x, y=f"{at[1] + 20:.0f}", text_anchor="middle", class_="nomic-there")
    link = markup.tag("a", spot, name, href=f"#{anchor_of(ref)}")
    return markup.joined((link, here)) if who else link


def who_is_where(scribe: Scribe, collection: Collection) -> Mapping[str, list[Markup]]:
    """Who and what is where: the players, and other things, of which a public variable names a place of this collection."""
    look, there = scribe.look, dict[str, list[Markup]]()
    others = [c.name for c in look.world.law.declared.collections.values() if c.tracked == "public"]
    for kind in ("players", *(name for name in others if name != collection.name)):
        placing = [
            v.name for v in look.variables(kind) if v.tracked == "public" and v.type.kind == collection.name
        ]
        refs = reading.roster(look.world) if kind == "players" else reading.find(look.world, kind)
        for ref in refs if placing else ():
            for place in dict.fromkeys(str(look.value(ref, name)) for name in placing):
                there.setdefault(place, []).append(scribe.entity(ref))
    return there


def _cell(
    scribe: Scribe, collection: Collection, ref: str, there: Iterable[Markup], *, listed: bool
) -> Markup:
    """A place: what it is called and what stands in it, who is there; in its colour where the law gives it one."""
    public = {v.name: v for v in _public(scribe, collection)}
    values = {name: scribe.look.value(ref, name) for name, v in public.items() if v.type.kind in _IN_CELLS}
    texts = {name: value for name, value in values.items() if public[name].type.kind == "text"}
    names = [name for name in (_label(collection), collection.called) if name in texts]
    within = (
        [scribe.value(public[name].type, texts[name]) for name in names if texts[name]][:1]
        if names
        else _within(scribe, public, values)
    )
    shown = markup.joined(within, " ") or markup.tag("small", ref.partition("/")[2])
    if listed:
        shown = markup.tag("a", shown, href=f"#{anchor_of(ref)}")
    here = markup.joined(markup.tag("div", each, class_="nomic-there") for each in there)
    place = None if listed else anchor_of(ref)
    return markup.tag("td", shown, here, id=place, style=_ground(texts.values()))


def _public(scribe: Scribe, collection: Collection) -> Iterator[Variable]:
    return (v for v in scribe.look.variables(collection.name) if v.tracked == "public")


def _is_colour(value: object) -> bool:
    return markup.empty(value) or ground(value) is not None


def _ground(values: Iterable[object]) -> str | None:
    """The style of the first colour among some values; None where there is none."""
    return next(filter(None, map(ground, values)), None)


def _within(scribe: Scribe, public: Mapping[str, Variable], values: Mapping[str, Any]) -> list[Markup]:
    """What stands in a cell that has no name: its choices, and of what is so in it the mark that the law shows it as."""
    parts = []
    for name, value in values.items():
        mark = public[name].attributes.get("shown_as")
        if public[name].type.kind == "choice" and not markup.empty(value):
            parts.append(scribe.value(public[name].type, value))
        elif mark is not None and value is True:
            parts.append(markup.escaped(mark))
    return parts


def _label(collection: Collection) -> str:
    return str(collection.attributes.get("label") or "label")
