"""What a rule declares, in words: one sentence for each declaration of its front matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from nomicgit.law.merging import Declarations
from nomicgit.outlook.typed import (
    beginning_in_words,
    bounds_in_words,
    field_in_words,
    kind_in_words,
    pairs_in_words,
    parameter_in_words,
    type_in_words,
    value_in_words,
)
from nomicgit.physics.state.quoting import shown
from nomicgit.site.markup import code, escaped, joined

Spec = Mapping[str, Any]
Words = Callable[[str, Any], object]
WHOSE = {
    "game": "the game",
    "dynasty": "the dynasty",
    "player": "each player",
    "post": "each post",
    "matter": "each votable matter",
}
_OF_ACTIONS = (("limit", "Limit"), ("tags", "Tags"), ("answers", "It answers"))
WHO = {"player": "players", "emperor": "the emperor", "admin": "admins", "anyone": "anyone"}


def declarations(
    front: Spec, kinds: Declarations, costs: Mapping[str, str] = MappingProxyType({})
) -> list[Markup]:
    """All of these kinds that some front matter declares; ``costs`` tells what its actions cost, by their names."""
    sentences: list[Markup] = []
    for key in (*kinds, "overrides", "protected"):
        spec = front.get(key)
        if isinstance(spec, Mapping):
            sentences += [
                sentence(_words(key, kinds, costs), key, str(name), options) for name, options in spec.items()
            ]
        elif spec is not None:
            sentences += _bare(key, spec)
    return sentences


def _words(key: str, kinds: Declarations, costs: Mapping[str, str]) -> Words:
    """How a declaration under a key is told."""
    if key == "actions":
        return partial(_action, costs=costs)
    return _WORDS.get(key) or partial(_hook, kinds[key].says)


def sentence(describe: Words, key: str, name: str, options: Any) -> Markup:
    """One declaration in words; one of another form than is known as it stands."""
    try:
        return escaped(describe(name, {} if options is None else options))
    except (AttributeError, KeyError, TypeError, ValueError):
        return joined((key, " ", code(name), ": ", str(options)))


def _bare(key: str, spec: Any) -> Iterator[Markup]:
    if key == "overrides" and isinstance(spec, list):
        yield joined(("Overrides ", _codes(spec), "."))
    elif key == "protected":
        names = _codes(spec) if isinstance(spec, list) else escaped("all that it defines")
        yield joined(("Out of reach of dynastic rules: ", names, "."))
    elif key == "counts" and isinstance(spec, list):
        for each in spec:
            yield joined(("Who counts as a player: ", pairs_in_words(each), "."))
    elif key == "numbers":
        yield joined(("Numbers that would fall below their minimum: ", str(spec), "."))


def _codes(names: Any) -> Markup:
    return joined((code(str(name)) for name in names), ", ")


def _secretly(private: object) -> str:
    """What of an action is private, and when."""
    match private:
        case True:
            return " In private."
        case str(condition):
            return f" In private where {condition} is true."
        case [*names]:
            return f" Private: {', '.join(map(str, names))}."
    return ""


def _variable(name: str, o: Spec) -> object:
    whose = WHOSE.get(str(o.get("of", "game")), f"each of the {o.get('of')}")
    parts = [kind_in_words(o)]
    if o.get("derived"):
        parts.append("worked out from others")
    elif "default" in o:
        parts.append(f"at first {beginning_in_words(o['default'])}")
    parts += bounds_in_words(o)
    parts += [
        words
        for key, words in (("by_hand", "written by hand"), ("transient", "forgotten after each deed"))
        if o.get(key)
    ]
    parts.append(
        {"public": "public", "secret": "secret", "nowhere": "not tracked"}.get(
            str(o.get("tracked", "public")), "public"
        )
    )
    return joined((code(name), f" of {whose}: ", ", ".join(parts), "."))


def _collection(name: str, o: Spec) -> object:
    key = o.get("key")
    if isinstance(key, Mapping) and "columns" in key:
        what = f"a grid of the columns {shown(key['columns'])} and the rows {shown(key.get('rows'))}"
    elif "from" in o:
        what = f"one for each entry of the catalogue {o['from']}"
    else:
        what = "a collection" if "key" in o else "more fields"
    fields = o.get("fields") or {}
    listed = "; ".join(
        f"{field} ({', '.join((type_in_words(spec), *field_in_words(spec)))})"
        for field, spec in fields.items()
    )
    return joined((code(name), f": {what}", f", each with {listed}" if listed else "", "."))


def _action(name: str, o: Spec, costs: Mapping[str, str]) -> object:
    by = o.get("by", "player")
    who = " or ".join(WHO.get(str(b), f"those whom {b} lets") for b in (by if isinstance(by, list) else [by]))
    given = "; ".join(parameter_in_words(*each) for each in (o.get("with") or {}).items())
    more = [f" {words}: {value_in_words(o[key])}." for key, words in _OF_ACTIONS if o.get(key)]
    kept = " It stays so when the key is opened." * (o.get("opens") == "never" and bool(o.get("private")))
    idle = ", the idle among them" * (o.get("idle") is True)
    summary = str(o.get("summary") or name).rstrip(".")
    cost = f" Cost: {costs[name]}." if costs.get(name) else ""
    opened = f": {summary}. Open to {who}{idle}"
    asked = f", with {given}" if given else ""
    return joined(("Action ", code(name), opened, asked, ".", _secretly(o.get("private")), kept, *more, cost))


def _limit(name: str, o: Spec) -> object:
    times, gap = o.get("times", 1), o.get("gap")
    often = (
        {1: "once", 2: "twice"}.get(times, f"{times} times")
        if isinstance(times, int)
        else "as often as the mechanics say"
    )
    apart = f", at least {shown(gap)} apart" if isinstance(gap, str) else ""
    whose = ", shared by all actions that name it" * bool(o.get("shared")) + ", by everybody together" * bool(
        o.get("communal")
    )
    return joined(("Limit ", code(name), f": {often} in each {o['per']}{apart}{whose}."))


def _hook(what: str, name: str, o: Spec) -> object:
    more = pairs_in_words(o)
    return joined((f"{what}: ", code(name), f" ({more})" if more else "", "."))


def _catalogue(name: str, entries: Any) -> object:
    listed = ", ".join(map(str, entries)) or "no entry here, though other rules may add some"
    return joined(("Catalogue ", code(name), ": ", listed, "."))


def _term(role: str, word: Any) -> object:
    return joined((f"The {role}: called ", str(word), "."))


def _when(event: str, functions: Any) -> object:
    named = functions if isinstance(functions, list) else [functions]
    return joined(("When ", code(event), " happens: ", _codes(named), "."))


def _override(name: str, _: Any) -> object:
    return joined(("Overrides ", code(name), "."))


def _post(name: str, o: Spec) -> object:
    said = (
        " and ".join(word for word in ("official", "votable") if o.get(word))
        or "neither official nor votable"
    )
    return joined(("Posts of the kind ", code(name), f" are {said}."))


def _clock(name: str, value: Any) -> object:
    return joined((f"The clock's {name}: {value}.",))


def _protected(key: str, names: Any) -> object:
    return joined(
        ("Out of reach, ", key, ": ", _codes(names) if isinstance(names, list) else str(names), ".")
    )


_WORDS: Mapping[str, Words] = {
    "terms": _term, "clock": _clock, "limits": _limit, "variables": _variable, "collections": _collection,
    "catalogues": _catalogue, "when": _when, "overrides": _override, "protected": _protected, "posts": _post,
}  # fmt: skip
