"""What a rule declares, in words: one sentence for each declaration of its front matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from nomicgit.law.merging import Declarations
from nomicgit.law.variables import PLAIN
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
_BOUNDS = (("min", "at least"), ("max", "at most"), ("step", "in steps of"))
_ASKED = (("active", "active"), ("unique", "none twice"), ("ordered", "in order"))
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
            yield joined(("Who counts as a player: ", shown_pairs(each), "."))
    elif key == "numbers":
        yield joined(("Numbers that would fall below their minimum: ", str(spec), "."))


def shown_pairs(spec: Any) -> str:
    """A small map as words."""
    return "; ".join(f"{k}: {_told(v)}" for k, v in spec.items()) if isinstance(spec, Mapping) else str(spec)


def _told(value: Any) -> str:
    """What stands under a key, whole: ``{tag: power}`` as *tag power*, lists as *a, b and c*."""
    if isinstance(value, Mapping) and value:
        return ", ".join(f"{name} {_told(each)}" for name, each in value.items())
    if isinstance(value, list) and value:
        *others, last = map(_told, value)
        return f"{', '.join(others)} and {last}" if others else last
    return shown(value) or "nothing"


def _codes(names: Any) -> Markup:
    return joined((code(str(name)) for name in names), ", ")


def _kind(spec: Any) -> str:
    """A type in words."""
    if isinstance(spec, list):
        return "one of " + ", ".join(map(str, spec))
    if not isinstance(spec, Mapping):
        return "anything" if spec == "any" else str(spec)
    kind = str(spec.get("type", "any"))
    if kind == "choice":
        return _kind(spec.get("choices") or [])
    if kind in ("list", "set") and "items" in spec:
        return f"{kind} of {_part(spec['items'])}"
    if kind == "map" and not {"keys", "values"}.isdisjoint(spec):
        keys = "names" if spec.get("keys", "any") == "any" else _part(spec["keys"])
        return f"map from {keys} to {_part(spec.get('values', 'any'))}"
    if kind == "record" and spec.get("fields"):
        return f"record of {'; '.join(f'{name} ({_whole(of)})' for name, of in spec['fields'].items())}"
    if kind == "entry":
        return f"entry of the catalogue {spec.get('catalogue')}"
    return _kind(kind) if kind in PLAIN or kind.isidentifier() else f"of {kind}"


def _part(spec: Any) -> str:
    """The type of what a list or a map holds."""
    fits = ", ".join(_fits(spec))
    return f"{_kind(spec)} ({fits})" if fits else _kind(spec)


def _fits(spec: Any) -> Iterator[str]:
    """What a type asks of its values, in words."""
    if isinstance(spec, Mapping):
        yield from (f"{words} {spec[key]}" for key, words in _BOUNDS if key in spec)
        yield from (words for key, words in _ASKED if spec.get(key) is True)
        if spec.get("unit"):
            yield f"told in {spec['unit']}"
        if spec.get("where"):
            yield f"of the {_told(spec['where'])}"


def _whole(spec: Any) -> str:
    """A type with what it asks of its values."""
    return ", ".join((_kind(spec), *_fits(spec)))


def parameter(name: str, spec: Any) -> str:
    """What an action asks for, and whether it may be left out."""
    left = ", may be left out" if isinstance(spec, Mapping) and "default" in spec else ""
    return f"{name} ({_whole(spec)}{left})"


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
    parts = [_kind(o)]
    if o.get("derived"):
        parts.append("worked out from others")
    elif "default" in o:
        parts.append(f"at first {_begins(o['default'])}")
    parts += _fits(o)
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


def _begins(default: Any) -> str:
    """What a variable holds at first: of a map what each name has, and where a function says it, which."""
    if isinstance(default, Mapping):
        return f"as {default['by']} says" if set(default) == {"by"} else _told(default)
    return shown(default) or "nothing"


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
        f"{field} ({', '.join((_whole(spec), *_kept(spec)))})" for field, spec in fields.items()
    )
    return joined((code(name), f": {what}", f", each with {listed}" if listed else "", "."))


def _kept(spec: Any) -> Iterator[str]:
    """What a field of a collection holds at first, and whether it is secret."""
    if isinstance(spec, Mapping):
        if spec.get("default") not in (None, "", [], {}):
            yield f"at first {_begins(spec['default'])}"
        if spec.get("tracked") == "secret":
            yield "secret"


def _action(name: str, o: Spec, costs: Mapping[str, str]) -> object:
    by = o.get("by", "player")
    who = " or ".join(WHO.get(str(b), f"those whom {b} lets") for b in (by if isinstance(by, list) else [by]))
    given = "; ".join(parameter(*each) for each in (o.get("with") or {}).items())
    more = [f" {words}: {_told(o[key])}." for key, words in _OF_ACTIONS if o.get(key)]
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
    more = shown_pairs(o)
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
