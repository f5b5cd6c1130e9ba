"""The gamestate: the game's own variables, what can be looked at, and the collections, a grid as cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgit.law.declarations import Collection
from nomicgit.law.variables import Variable
from nomicgit.outlook.overview import Outlook
from nomicgit.outlook.typed import parameter_in_words
from nomicgit.physics.state import reading
from nomicgit.site import maps, markup, pasts, scores, traces
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, rule_uri, ways_to
from nomicgit.site.scribe import ANY, Scribe, kept_secret, named, secret

URI = "gamestate.md"
FEW = 4  # sections of which one sees without being told that they stand there


def page(look: Look) -> Page:
    """Everything public that is neither a player's nor a post's."""
    scribe = Scribe(look, URI)
    sections = list(_singles(scribe))
    if views := game_views(look):
        sections.append(Section("views", "What follows from these", _viewed(scribe, views)))
    for collection in look.world.law.declared.collections.values():
        title = collection.name.replace("-", " ").replace("_", " ").capitalize()
        sections.append(Section(f"collection-{collection.name}", title, _collection(scribe, collection)))
    listed = catalogues(scribe)
    if listed:
        sections.append(Section("catalogues", "Catalogues", listed))
    about = "What the rules keep count of: the values of the game, of the dynasty, and of all collections, as they are now."
    lead = ways_to(sections) if len(sections) > FEW else markup.NOTHING
    return Page(URI, "Gamestate", lead, tuple(sections), listed=True, about=about)


def catalogues(scribe: Scribe) -> Markup:
    """What the rules list: each catalogue as a table, folded away."""
    tables = []
    for name, rows in scribe.look.world.law.declared.catalogues.items():
        columns = list(
            dict.fromkeys(column for row in rows.values() if isinstance(row, Mapping) for column in row)
        )
        body = (
            [
                key,
                *(
                    _told(scribe, c, row.get(c)) if isinstance(row, Mapping) else markup.nothing()
                    for c in columns
                ),
            ]
            for key, row in rows.items()
        )
        if columns:
            table = markup.table(
                [named(columns), *(column.replace("_", " ") for column in columns)],
                body,
                sortable=True,
                label=name,
            )
            tables.append(markup.folded(f"{name.replace('_', ' ').capitalize()} ({len(rows)})", table))
    return markup.joined(tables)


def _told(scribe: Scribe, column: str, value: object) -> Markup:
    """What a row of a catalogue says in a column: under ``with`` what an entry asks for, as an action does."""
    if column == "with" and isinstance(value, Mapping) and value:
        return markup.joined(
            (parameter_in_words(str(name), spec) for name, spec in value.items()), markup.BREAK
        )
    return scribe.value(ANY, value)


def _viewed(scribe: Scribe, views: list[Any]) -> Markup:
    """What the rules work out whenever one looks; each name leads to its rule."""
    about = markup.tag(
        "p", "These follow from other values, and no deed sets them. Each name leads to the rule that says how.",
        class_="nomic-about",
    )  # fmt: skip
    facts = (
        (scribe.link(hook.name.replace("_", " "), rule_uri(hook.rule)), _shown(scribe, hook.name)) for hook in views
    )  # fmt: skip
    return markup.joined((about, markup.facts(facts)))


def _shown(scribe: Scribe, view: str) -> Markup:
    """What a view shows; of hiatus why there is, where the law says."""
    seen = scribe.look.outlook() if view == "hiatus" else None
    why = seen.hiatus_reason if isinstance(seen, Outlook) and seen.hiatus else ""
    shown = scribe.value(ANY, scribe.look.view(view))
    return markup.joined((shown, ": ", markup.timed(why))) if why else shown


def game_views(look: Look) -> list[Any]:
    """The views of the game as a whole."""
    return [hook for (of, _), hook in look.world.law.declared.views.items() if of == "game"]


def _singles(scribe: Scribe) -> Iterator[Section]:
    for kind, title in (("game", "The game"), ("dynasty", "The dynasty")):
        variables = list(scribe.look.variables(kind))
        if variables:
            rows = [(scores.headed(v), scribe.variable(kind, v), scribe.rule(v.rule)) for v in variables]
            of = ({"data_of": kind, "data_field": v.name} for v in variables)
            past = pasts.marks(scribe, kind, ())
            whole = markup.table(["Variable", "Value", "Rule"], rows, label=title, of=of, more=past)
            yield Section(kind, title, markup.joined((whole, _about(_traced(scribe, kind)))))


def _about(*parts: object) -> Markup:
    """What is said of a table, above or below it."""
    return markup.tag("p", *parts, class_="nomic-about") if any(parts) else markup.NOTHING


def _traced(scribe: Scribe, kind: str) -> Markup:
    """The way to every change of these values."""
    if kind not in scribe.look.moves():
        return markup.NOTHING
    return scribe.link("Every change, with its deed", traces.uri_of(kind))


def _collection(scribe: Scribe, collection: Collection) -> Markup:
    about = _about(_declared(scribe, collection), " ", _traced(scribe, collection.name))
    if collection.tracked != "public":
        return markup.joined((about, markup.tag("p", secret())))
    refs = reading.find(scribe.look.world, collection.name)
    if not maps.is_grid(collection):
        return markup.joined((about, maps.drawn(scribe, collection, refs), _rows(scribe, collection, refs)))
    kept = [
        ref
        for ref in refs
        if scribe.look.world.store.fields(ref) or ref.partition("/")[2] in collection.founding
    ]
    return markup.joined((about, maps.grid(scribe, collection, kept), _rows(scribe, collection, kept)))


def _declared(scribe: Scribe, collection: Collection) -> Markup:
    """By which rules there is a collection, and what colours and names its entities, which is no column."""
    refs = reading.find(scribe.look.world, collection.name) if collection.tracked == "public" else []
    signs = (
        markup.joined((" Their ", sign.name.replace("_", " "), " follows from ", scribe.rule(sign.rule), "."))
        for sign in (maps.signs(scribe, collection, refs) if refs else ())
    )
    return markup.joined(("Declared by ", scribe.rule(collection.rule), ".", *signs))


def _rows(scribe: Scribe, collection: Collection, refs: list[str]) -> Markup:
    """A table of entities."""
    if not refs:
        return markup.tag("p", "None." if not collection.grid else "All are as they were at first.")
    variables = list(scribe.look.variables(collection.name))
    own = next((v for v in variables if _repeats(scribe, collection, v, refs)), None)
    signs = maps.signs(scribe, collection, refs)
    hidden = kept_secret(scribe, variables)
    variables = [v for v in variables if v is not own and v not in signs and v.tracked == "public"]
    if not any(_says(scribe.look.value(ref, v.name)) for v in variables for ref in refs):
        names = markup.joined((maps.named(scribe, collection, ref) for ref in refs), ", ")
        return markup.tag("p", "Nothing is kept of any of them yet: ", names, ".") + hidden
    first = own.name if own else named([v.name for v in variables])
    head = [first.replace("_", " "), *map(scores.headed, variables)]
    rows = (
        [
            maps.named(scribe, collection, ref),
            *(scribe.variable(ref, v) for v in variables),
        ]
        for ref in refs
    )
    of = ({"data_of": ref} for ref in refs)
    past = pasts.marks(scribe, collection.name, variables, refs)
    return markup.table(head, rows, sortable=True, label=collection.name, of=of, more=past) + hidden


def _says(value: object) -> bool:
    """Whether a value is one of which somebody learns something."""
    return not markup.empty(value) and value is not False


def _repeats(scribe: Scribe, collection: Collection, variable: Variable, refs: list[str]) -> bool:
    """Whether a field is what the entities are named by and says nothing else of any."""
    values = ((ref.partition("/")[2], scribe.look.value(ref, variable.name)) for ref in refs)
    return variable.name == collection.key and all(value in (name, "", None) for name, value in values)
