"""The controls with which a page asks for values: one for each type that rules declare, read by ``assets/orders.js``.

A field's element says whose it is (``data-name``) and how it is read (``data-reads``):
``text`` as it stands, ``number``, ``json`` (what an option stands for), ``yaml`` (lists and maps as a clone takes them; with
``data-plain`` words as they stand, too), ``lines`` (a list, one on each line, or in square brackets),
``several`` (what is ticked), ``record`` and ``entry`` (of the fields within).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from markupsafe import Markup
from msgspec.structs import replace

from nomicgit.ground import files
from nomicgit.law.declarations import Collection
from nomicgit.law.ruleset import Placed
from nomicgit.law.titles import plain, short
from nomicgit.law.variables import ANY, MISSING, Missing, Type
from nomicgit.physics.state import naming, reading
from nomicgit.record.forms import examples
from nomicgit.record.forms.fields import CHANGES, LONG, in_yaml
from nomicgit.site import markup
from nomicgit.site.onlooking import Look
from nomicgit.site.scribe import anchor_of

Option = tuple[str, object]
"""What is shown, and the value that it stands for."""
ANYTHING = "A number, true, false, null, or words as they stand; a list as [1, 2], a map as {gold: 3}."
SHAPES = {"list": "A list, as [ONE, OTHER]", "map": "A map, as {NAME: VALUE}"}
LINES = "One on each line, or in square brackets with commas between them, as [ONE, OTHER]."
INSTANT = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z"


def fields(look: Look, kinds: Mapping[str, Type], within: str = "order") -> Markup:
    """The controls of some parameters, in the order of their declaration. ``within`` begins their ids."""
    return markup.joined(_field(look, name, kind, f"{within}/{name}") for name, kind in kinds.items())


def options(look: Look, kind: Type) -> list[Option]:
    """The values of a type that can be listed, as anybody may see them now; none of one whose values cannot be."""
    declared, world = look.world.law.declared, look.world
    match kind.kind:
        case "boolean":
            return [("yes", True), ("no", False)]
        case "choice":
            return [(str(choice), choice) for choice in kind.choices]
        case "player":
            return _ids(look, _taken_for(look, kind))
        case "matter":
            return [(f"{number}. {_title(look, number)}", str(number)) for number in look.pending()]
        case "rule":
            within = kind.where.get("section")
            some = (each for each in world.ruleset.rules if within in (None, each.section))
            return [(f"{placed.number} {placed.title}", placed.slug) for placed in some]
        case name if name in declared.catalogues:
            return [(key, key) for key in declared.catalogues[name]]
        case name if name in declared.collections and declared.collections[name].tracked == "public":
            return [(key, key) for key in declared.collections[name].grid or sorted(world.store.ids(name))]
    return []


def _taken_for(look: Look, kind: Type) -> list[str]:
    """The players whom a type takes: all, or where it takes active ones those whom the rule counts that declares it."""
    view = look.world.law.view_of(kind.rule)
    return reading.roster(look.world, view) if kind.active else reading.roster(look.world, idle=True)


def _ids(look: Look, refs: list[str]) -> list[Option]:
    return [(look.name(ref), ref.partition("/")[2]) for ref in refs]


def _title(look: Look, number: int) -> object:
    return (look.world.store.fields(f"posts/{number}") or {}).get("title", "")


def _field(look: Look, name: str, kind: Type, path: str) -> Markup:
    label = " ".join(name.replace("_", " ").replace("-", " ").split()) or name
    listed = options(look, kind)
    each = options(look, kind.items) if kind.items is not None else []
    left = f"{said} " if (said := _left(kind)) else ""
    match kind.kind:
        case "entry":
            return _entry(look, name, label, kind, path)
        case "record":
            return _group(name, "record", label, fields(look, kind.fields, path))
        case "set" if each:
            ticks = markup.joined((_about(_left(kind)), *_ticks(each, path)))
            return _group(name, "several", label, ticks, data_needed=_required(kind))
        case "list" | "set" if not in_yaml(kind):
            control = markup.joined((_area(path, kind), _picked(each, label)))
            more: dict[str, str | None] = {
                "data_each": _reading(kind.items or ANY),
                "data_takes": json.dumps(_taken(look, kind)),
            }
            return _labelled(name, "lines", label, path, control, f"{left}{LINES}", **more)
        case _ if listed:
            return _labelled(name, "json", label, path, _select(listed, kind, path), _left(kind))
        case "any" if name != CHANGES:
            return _labelled(name, "yaml", label, path, _area(path, kind), f"{left}{ANYTHING}", data_plain="")
        case _ if in_yaml(kind):
            shape = "map" if kind.kind in ("map", "record", "entry") else "list"
            shown = _such(look, name, kind)
            written = None if isinstance(shown, Missing) else files.write_flow(shown)
            said = (
                f"{SHAPES[shape]}: what it takes, the rule says."
                if written is None
                else f"{_whom(kind)}Such as {written}."
            )
            more = {"data_shape": shape, "data_such": written, "data_takes": json.dumps(_taken(look, kind))}
            return _labelled(name, "yaml", label, path, _area(path, kind), f"{left}{said}", **more)
    timed = kind.kind in ("datetime", "date")
    hint = left + f"Such as {examples.MOMENT}." * (kind.kind == "datetime")
    control = _area(path, kind) if _long(name, kind) else _line(path, kind)
    takes = json.dumps(_taken(look, kind)) if timed else None
    return _labelled(name, _reading(kind), label, path, control, hint.rstrip(), data_takes=takes)


def _such(look: Look, name: str, kind: Type) -> object:
    """A value that shows how one is written for a parameter; of players one whom the rule that asks counts."""

    def listed(of: Type) -> list[object]:
        of = replace(of, active=True) if of.kind == "player" else of
        return [value for _, value in options(look, of)]

    return examples.such(name, kind, listed)


def _whom(kind: Type) -> str:
    """What is said before an example that names a player, whom the action may refuse all the same."""
    parts = (kind, *filter(None, (kind.keys, kind.values, kind.items)), *kind.fields.values())
    named = any(each.kind == "player" or (each is not kind and _whom(each)) for each in parts)
    return "Whom you may name, the rule says. " if named else ""


def _taken(look: Look, kind: Type | None) -> dict[str, object]:
    """What values a type takes, as far as it is told before anybody asks the law: what ``assets/orders.js`` holds them to."""
    if kind is None or kind.normal:
        return {}
    null: dict[str, object] = {"null": kind.nullable}
    match kind.kind:
        case "text" | "mechanics":
            return null | {"text": True}
        case "datetime" | "date":
            return null | {"when": "day" if kind.kind == "date" else "time"}
        case "integer" | "number":
            whole = kind.kind == "integer" or kind.step is None
            return null | {"number": [kind.minimum, kind.maximum], "whole": whole}
        case "list" | "set":
            return null | {"each": _taken(look, kind.items)}
        case "map":
            return null | {"keys": _taken(look, kind.keys), "values": _taken(look, kind.values)}
        case "record":
            needed = [name for name, of in kind.fields.items() if of.required]
            return null | {
                "fields": {name: _taken(look, of) for name, of in kind.fields.items()},
                "needed": needed,
            }
        case "boolean" | "choice":
            return null | {"of": [value for _, value in options(look, kind)]}
        case "player":
            ids = [ref.partition("/")[2] for ref in _taken_for(look, kind)]
            names = [name for player in ids for name in naming.names_of(look.world.store, player)]
            return null | {"of": ids, "names": list(dict.fromkeys((*ids, *names)))}
        case name if name in look.world.law.declared.catalogues:
            return null | {"of": list(look.world.law.declared.catalogues[name])}
        case "rule":
            within = kind.where.get("section")
            rules = [each for each in look.world.ruleset.rules if within in (None, each.section)]
            return null | {
                "of": [each.title for each in rules],
                "names": list(dict.fromkeys(name for each in rules for name in _called(each))),
            }
        case name if name in look.world.law.declared.collections:
            return null | _standing(look, look.world.law.declared.collections[name])
    return null


def _called(placed: Placed) -> Iterator[str]:
    """What a rule goes by."""
    yield from (placed.slug, f"rules/{placed.slug}", placed.number, f"{placed.number}.")
    for title in (placed.title, plain(placed.title), short(placed.title)):
        yield from (title, f"{placed.section}/{title}")


def _standing(look: Look, collection: Collection) -> dict[str, object]:
    """The names of a collection's entities, where these stand there from the founding on: to others any deed may add one."""
    if collection.tracked != "public" or not (collection.grid or collection.founding):
        return {}
    field = naming.naming_field(look.world, collection.name)
    refs = reading.find(look.world, collection.name)
    names = [str(look.value(ref, field)) for ref in refs] if field else []
    ids = collection.grid or [ref.partition("/")[2] for ref in refs]
    return {"of": list(dict.fromkeys((*ids, *names)))}


def _long(name: str, kind: Type) -> bool:
    return kind.kind == "mechanics" or (kind.kind == "text" and (name in LONG or kind.default == ""))


def _reading(kind: Type) -> str:
    return "number" if kind.kind in ("integer", "number") else "text"


def _left(kind: Type) -> str:
    """What is meant where nothing is said, where the form does not show it."""
    default = kind.default
    if kind.default_by:
        return "If you leave it empty, the rule says what is meant."
    return (
        ""
        if default is MISSING or default in (None, "", [], {})
        else f"If you leave it empty: {_word(default)}."
    )


def _word(value: object) -> str:
    if isinstance(value, Mapping | list):
        return files.write_flow(value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _labelled(
    name: str, reads: str, label: str, path: str, control: Markup, hint: str, **more: str | None
) -> Markup:
    head = markup.tag("label", label, for_=anchor_of(path))
    return markup.tag(
        "div", head, _about(hint), control, class_="nomic-field", data_name=name, data_reads=reads, **more
    )


def _about(hint: str) -> Markup:
    """What is said beside a field; nothing where that is nothing."""
    return markup.tag("small", f" {hint} ", class_="nomic-about") if hint else markup.NOTHING


def _group(name: str, reads: str, label: str, inside: Markup, **more: str | None) -> Markup:
    given = {"class_": "nomic-field", "data_name": name, "data_reads": reads, **more}
    return markup.tag("fieldset", markup.tag("legend", label), inside, **given)


def _ticks(listed: list[Option], path: str) -> Iterator[Markup]:
    for number, (shown, value) in enumerate(listed):
        ident = anchor_of(f"{path}/{number}")
        box = markup.tag("input", type="checkbox", id=ident, value=json.dumps(value))
        yield markup.tag("div", box, " ", markup.tag("label", shown, for_=ident), class_="nomic-tick")


def _entry(look: Look, name: str, label: str, kind: Type, path: str) -> Markup:
    """A row of a catalogue, and what that row asks for: shown once the row is chosen."""
    rows: list[Option] = [(key, key) for key in look.world.keys(kind.catalogue)]
    chosen = _labelled("action", "json", "which", f"{path}/action", _select(rows, kind, f"{path}/action"), "")
    details = []
    for key, _ in rows:
        asked = look.world.parameters(look.world.row(kind.catalogue, key) or {}, kind.rule)
        if asked:
            inside = fields(look, asked, f"{path}/{key}")
            head = markup.tag("legend", f"{key.replace('-', ' ')}: details")
            details.append(markup.tag("fieldset", head, inside, data_of=key, hidden="", disabled=""))
    return _group(name, "entry", label, markup.joined((chosen, *details)))


def _select(listed: list[Option], kind: Type, path: str) -> Markup:
    empty = markup.tag("option", "–", value="")
    rows = [markup.tag("option", shown, value=json.dumps(value)) for shown, value in listed]
    return markup.tag("select", empty, *rows, id=anchor_of(path), required=_required(kind))


def _picked(listed: list[Option], label: str) -> Markup:
    """A list beneath a text area, whose lines may be chosen from it and added; nothing where there is nothing to choose."""
    if not listed:
        return markup.NOTHING
    rows = (markup.tag("option", shown, value=_line_of(value)) for shown, value in listed)
    first = markup.tag("option", "Choose one to add …", value="")
    chosen = markup.tag("select", first, *rows, class_="nomic-pick", aria_label=f"One to add to {label}")
    add = markup.tag(
        "button", "Add", type="button", class_="nomic-add md-button", aria_label=f"Add to {label}"
    )
    return markup.joined((chosen, " ", add))


def _line_of(value: object) -> str:
    """A value as a line of a list says it."""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _area(path: str, kind: Type) -> Markup:
    return markup.tag("textarea", id=anchor_of(path), rows="4", required=_required(kind))


def _line(path: str, kind: Type) -> Markup:
    bounds: dict[str, str | None] = {"type": "text", "autocomplete": "off"}
    match kind.kind:
        case "integer" | "number":
            least, most = (None if each is None else str(each) for each in (kind.minimum, kind.maximum))
            bounds = {"type": "number", "min": least, "max": most, "step": str(kind.step or 1)}
        case "date":
            bounds = {"type": "date"}
        case "datetime":
            bounds |= {"pattern": INSTANT}
    return markup.tag("input", id=anchor_of(path), required=_required(kind), **bounds)


def _required(kind: Type) -> str | None:
    return "" if kind.required else None
