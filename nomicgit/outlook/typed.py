"""What a rule declares of values, in words: their types, bounds, and what they are at first, told alike wherever rules are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgit.law.variables import PLAIN
from nomicgit.physics.state.quoting import shown

_BOUNDS = (("min", "at least"), ("max", "at most"), ("step", "in steps of"))
_ASKED = (("active", "active"), ("unique", "none twice"), ("ordered", "in order"))


def pairs_in_words(spec: Any) -> str:
    """A small map as words."""
    return (
        "; ".join(f"{k}: {value_in_words(v)}" for k, v in spec.items())
        if isinstance(spec, Mapping)
        else str(spec)
    )


def value_in_words(value: Any) -> str:
    """What stands under a key, whole: ``{tag: power}`` as *tag power*, lists as *a, b and c*."""
    if isinstance(value, Mapping) and value:
        return ", ".join(f"{name} {value_in_words(each)}" for name, each in value.items())
    if isinstance(value, list) and value:
        *others, last = map(value_in_words, value)
        return f"{', '.join(others)} and {last}" if others else last
    return shown(value) or "nothing"


def kind_in_words(spec: Any) -> str:
    """A type in words."""
    if isinstance(spec, list):
        return "one of " + ", ".join(map(str, spec))
    if not isinstance(spec, Mapping):
        return "anything" if spec == "any" else str(spec)
    kind = str(spec.get("type", "any"))
    if kind == "choice" or ("type" not in spec and "choices" in spec):
        return kind_in_words(spec.get("choices") or [])
    if kind in ("list", "set") and "items" in spec:
        return f"{kind} of {_part(spec['items'])}"
    if kind == "map" and not {"keys", "values"}.isdisjoint(spec):
        keys = "names" if spec.get("keys", "any") == "any" else _part(spec["keys"])
        return f"map from {keys} to {_part(spec.get('values', 'any'))}"
    if kind == "record" and spec.get("fields"):
        return (
            f"record of {'; '.join(f'{name} ({type_in_words(of)})' for name, of in spec['fields'].items())}"
        )
    if kind == "entry":
        return f"entry of the catalogue {spec.get('catalogue')}"
    return kind_in_words(kind) if kind in PLAIN or kind.isidentifier() else f"of {kind}"


def _part(spec: Any) -> str:
    """The type of what a list or a map holds."""
    fits = ", ".join(bounds_in_words(spec))
    return f"{kind_in_words(spec)} ({fits})" if fits else kind_in_words(spec)


def bounds_in_words(spec: Any) -> Iterator[str]:
    """What a type asks of its values, in words."""
    if isinstance(spec, Mapping):
        yield from (f"{words} {spec[key]}" for key, words in _BOUNDS if key in spec)
        yield from (words for key, words in _ASKED if spec.get(key) is True)
        if spec.get("unit"):
            yield f"told in {spec['unit']}"
        if spec.get("where"):
            yield f"of the {value_in_words(spec['where'])}"


def type_in_words(spec: Any) -> str:
    """A type with what it asks of its values."""
    return ", ".join((kind_in_words(spec), *bounds_in_words(spec)))


def parameter_in_words(name: str, spec: Any) -> str:
    """What an action asks for, and whether it may be left out."""
    left = ", may be left out" if isinstance(spec, Mapping) and "default" in spec else ""
    return f"{name} ({type_in_words(spec)}{left})"


def beginning_in_words(default: Any) -> str:
    """What a variable holds at first: of a map what each name has, and where a function says it, which."""
    if isinstance(default, Mapping):
        return f"as {default['by']} says" if set(default) == {"by"} else value_in_words(default)
    return shown(default) or "nothing"


def field_in_words(spec: Any) -> Iterator[str]:
    """What a field of a collection holds at first, and whether it is secret."""
    if isinstance(spec, Mapping):
        if spec.get("default") not in (None, "", [], {}):
            yield f"at first {beginning_in_words(spec['default'])}"
        if spec.get("tracked") == "secret":
            yield "secret"
