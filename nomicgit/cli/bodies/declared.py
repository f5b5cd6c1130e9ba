"""What a rule declares, in words: a line for each limit, variable, action and so on of its front matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from nomicgit.ground.wording import in_words
from nomicgit.law.merging import WHAT_IT_IS, Declarations
from nomicgit.outlook.typed import beginning_in_words, field_in_words, parameter_in_words, type_in_words

MOST = 200  # letters of a value
ONE = {word: f"each {word}" for word in ("player", "post", "matter")} | {
    "game": "the game",
    "dynasty": "the dynasty",
}


def lines(front: Mapping[str, Any], declarations: Declarations) -> Iterator[str]:
    """A line for everything of these kinds that a rule's front matter declares; what has no kind is told by its name."""
    for key, spec in front.items():
        kind = declarations.get(key)
        if key in WHAT_IT_IS:
            continue
        if kind is None or not kind.one or not isinstance(spec, Mapping):
            yield f"{key}: {_flow(spec)}"
            continue
        say = WORDS.get(key, _hook)
        for name, options in spec.items():
            yield f"{kind.one} {name}{say(options if isinstance(options, Mapping) else {'type': options})}"


def _limit(o: Mapping[str, Any]) -> str:
    times = o.get("times", 1)
    often = _by(times) if isinstance(times, Mapping) else "once" if times == 1 else f"{times} times"
    gap = f", {_by(o['gap']) if isinstance(o['gap'], Mapping) else o['gap']} apart" if o.get("gap") else ""
    who = ", all together" if o.get("communal") else ", all its actions together" if o.get("shared") else ""
    return f": {often} a {o.get('per', '?')}{gap}{who}"


def _variable(o: Mapping[str, Any]) -> str:
    marks = [word.replace("_", " ") for word in ("by_hand", "transient", "permanent") if o.get(word)]
    if o.get("tracked", "public") != "public":
        marks.append(str(o["tracked"]))
    if o.get("derived"):
        marks.append("follows from the rest")
    return f" of {_of(o.get('of', 'game'))}: {_type(o)}" + "".join(f", {mark}" for mark in marks)


def _type(spec: Mapping[str, Any]) -> str:
    """A type, its range and its default in words."""
    default = spec.get("default")
    return type_in_words(spec) + (f", at first {beginning_in_words(default)}" if default is not None else "")


def _action(o: Mapping[str, Any]) -> str:
    by = o.get("by", "player")
    who = ", ".join(map(str, by)) if isinstance(by, list) else str(by)
    idle = ", idle ones too" if o.get("idle") else ""
    given = [parameter_in_words(*each) for each in (o.get("with") or {}).items()]
    limit = f", {o['limit']}" if o.get("limit") else ""
    private = ", in private" if o.get("private") else ""
    summary = f": {o['summary']}" if o.get("summary") else ""
    return f"{summary}; by {who}{idle}{limit}{private}" + (f"; with {'; '.join(given)}" if given else "")


def _collection(o: Mapping[str, Any]) -> str:
    fields = o.get("fields") or {}
    said = ", ".join(
        f"{name} ({', '.join((type_in_words(kind), *field_in_words(kind)))})" for name, kind in fields.items()
    )
    return f": each with {said}" if said else ""


def _catalogue(o: Mapping[str, Any]) -> str:
    return f": {', '.join(map(str, o))}"


def _hook(o: Mapping[str, Any]) -> str:
    parts = [
        f"{key} {_flow(o[key]) if not isinstance(o[key], str) else o[key]}" for key in o if key != "type"
    ]
    return f": {', '.join(parts)}" if parts else ""


def _post(o: Mapping[str, Any]) -> str:
    marks = [word for word in ("official", "votable") if o.get(word)]
    return f": {', '.join(marks) or 'unofficial'}"


def _event(o: Mapping[str, Any]) -> str:
    heard = o.get("type")
    return f": {', '.join(map(str, heard)) if isinstance(heard, list) else heard}"


def _term(o: Mapping[str, Any]) -> str:
    return f": {o.get('type')}"


def _of(whom: Any) -> str:
    return ONE.get(str(whom), f"each of the {whom}")


def _by(spec: Mapping[str, Any]) -> str:
    return f"as {spec['by']} says" if "by" in spec else _flow(spec)


def _flow(value: Any) -> str:
    return in_words(value, MOST)


WORDS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "limits": _limit, "variables": _variable, "actions": _action, "collections": _collection, "catalogues": _catalogue,
    "posts": _post, "when": _event, "terms": _term,
}  # fmt: skip
