"""What the values of a table were before: marks on the table, and a file beside it that a browser asks for once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from nomicgit.ground import clock
from nomicgit.law.variables import Variable
from nomicgit.record import journal
from nomicgit.record.annals import Moved
from nomicgit.site import chronicle, markup, traces
from nomicgit.site.onlooking import Look
from nomicgit.site.page import rule_uri, url_of
from nomicgit.site.scribe import Scribe, journal_uri, player_uri

LATEST = 5  # changes of a value
DERIVED = "By this rule it follows from other values whenever one looks. No deed sets it, and what it was is not kept."
HIDDEN = "It is secret, and so is what it was."


def uri_of(kind: str) -> str:
    """The file of what the values of a kind of entity were."""
    return f"api/past/{kind}.json"


def marks(
    scribe: Scribe, kind: str, variables: Sequence[Variable], refs: Sequence[str] = ()
) -> Mapping[str, str]:
    """What a table says of itself: where that file lies, the variable of each column but the first, and which columns are quiet.

    Quiet is one in which no player of ``refs`` has anything but what all begin with, and no other entity anything at all, one of a
    derived text that repeats what stands beside it, and one of players that holds a time; where each were, none is.
    """
    quiet = [
        str(column)
        for column, variable in enumerate(variables, 1)
        if variable.tracked == "public"
        and (
            _unmoved(scribe.look, variable, refs, bare=kind != "players")
            or _repeats(scribe.look, variable, variables, refs)
            or (kind == "players" and variable.type.kind in ("datetime", "date"))
        )
    ]
    marked = {"data_quiet": " ".join(quiet)} if 0 < len(quiet) < len(variables) else {}
    return marked | {
        "data_past": scribe.address("index.md") + uri_of(kind),
        "data_fields": " ".join(variable.name for variable in variables),
    }


def _unmoved(look: Look, variable: Variable, refs: Sequence[str], *, bare: bool) -> bool:
    """Whether all have what all begin with; where that must be ``bare``, it is nothing, nought or no."""
    values = [look.value(ref, variable.name) for ref in refs]
    usual = None if variable.type.default_by else variable.type.empty()
    return bool(values) and all(value == usual for value in values) and not (bare and usual)


def _repeats(look: Look, variable: Variable, variables: Sequence[Variable], refs: Sequence[str]) -> bool:
    """Whether each word of a derived text is a stored value of its rule that has a column of its own, such as of ``7 (10)``."""
    if not variable.derived or variable.type.kind != "text":
        return False
    beside = [each.name for each in variables if each.rule == variable.rule and not each.derived]
    texts = (str(look.value(ref, variable.name)) for ref in refs)
    said = ({*re.findall(r"\w+", text)} for text in texts)
    stored = ({str(look.value(ref, name)) for name in beside} for ref in refs)
    return bool(refs) and all(words and words <= values for words, values in zip(said, stored, strict=True))


def files(look: Look) -> dict[str, str]:
    """A file for each kind of entity that has public values."""
    return {
        uri_of(kind): json.dumps({"format": 1, "past": _past(look, kind)}) + "\n"
        for kind in ("game", "dynasty", "players", *look.world.law.declared.collections)
        if any(variable.tracked == "public" for variable in look.variables(kind))
    }


def _past(look: Look, kind: str) -> dict[str, object]:
    rules = {
        variable.name: [f"{placed.number} {placed.title}", url_of(rule_uri(placed.slug))]
        for variable in look.variables(kind)
        if (placed := look.world.ruleset.by_slug.get(variable.rule))
    }
    untold = {
        variable.name: DERIVED if variable.tracked == "public" else HIDDEN
        for variable in look.variables(kind)
        if variable.derived or variable.tracked != "public"
    }
    return {"rules": rules, "untold": untold, "entities": dict(_entities(look, kind))}


def _entities(look: Look, kind: str) -> Iterator[tuple[str, object]]:
    """What is told of each entity: where all its changes stand, and of each value the latest ones, newest first."""
    public = {variable.name for variable in look.variables(kind) if variable.tracked == "public"}
    by_ref: dict[str, dict[str, list[Moved]]] = {}
    for some in look.moves().values():
        for each in some:
            if each.ref.partition("/")[0] == kind and each.field in public:
                by_ref.setdefault(each.ref, {}).setdefault(each.field, []).append(each)
    for ref, fields in by_ref.items():
        of = f"{url_of(player_uri(ref))}#changes" if kind == "players" else url_of(traces.uri_of(kind))
        latest = {
            name: [_change(look, each) for each in some[: -LATEST - 1 : -1]] for name, some in fields.items()
        }
        yield ref, {"all": of, "fields": latest}


def _change(look: Look, each: Moved) -> dict[str, object]:
    place = each.done.place
    return {
        "at": clock.text(each.done.deed.at),
        "by": journal.THE_CLOCK
        if each.clock
        else str(chronicle.who(Scribe(look, uri_of("game")), each.done).striptags()),
        "deed": f"{url_of(journal_uri(place))}#deed-{place}",
        "from": markup.line(markup.plain(each.old)),
        "to": markup.line(markup.plain(each.new)),
    }
