"""Collections as maps: a grid drawn as cells, what colours and names an entity, and who is where."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgit.law.declarations import Collection
from nomicgit.law.variables import Variable
from nomicgit.physics.state import reading
from nomicgit.site import markup
from nomicgit.site.colours import ground
from nomicgit.site.scribe import Scribe, anchor_of

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
        more = markup.tag("small", label, class_="nomic-label")
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
    return markup.tag(
        "div",
        markup.tag("table", markup.tag("thead", head), markup.tag("tbody", *lines)),
        class_="nomic-grid",
        tabindex="0",
        role="group",
        aria_label=f"Map of {collection.name}",
    )


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
