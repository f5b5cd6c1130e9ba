"""Changes for people: what each does, in a few lines, as a difference reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgit.ground import files
from nomicgit.law.shapes import Change


def shown(change: Change) -> Iterator[str]:
    """What a change does: a heading, then lines that begin with - or + for what goes and what comes."""
    [(form, value)] = change.items()
    match form:
        case "together":
            last = ""
            for inner in value:
                head, *lines = shown(inner)
                yield from [head] if head != last else []
                yield from lines
                last = head
        case "amend":
            yield f"rule {value['rule']}"
            yield from _amended(value)
        case "rename":
            yield f"rule {value['rule']}"
            yield f"  + title: {value['to']}"
        case "add-rule":
            yield f"new rule {value.get('slug') or value.get('title', '')}{_place(value)}"
            yield from _added(value)
        case "move":
            yield f"rule {value['rule']} moves{_place(value)}"
        case "repeal":
            yield f"rule {value} is repealed, with its subrules"
        case "scenario":
            gone = value.get("text") is None
            yield f"scenario {value['name']}" + (" is taken out" if gone else "")
        case _:
            yield f"{form}: {_flow(value)}"


def _place(given: Mapping[str, object]) -> str:
    order = ("under", "after", "before", "section")
    place = next(((key, given[key]) for key in order if given.get(key)), None)
    if place is None:
        return ""
    return f" (in the section {place[1]})" if place[0] == "section" else f" ({place[0]} {place[1]})"


def _amended(given: Mapping[str, Any]) -> Iterator[str]:
    if given.get("in") in ("declarations", "mechanics") and "set" in given:
        yield from _set(given)
    elif given.get("in") == "declarations":
        sign = "+" if "add" in given else "-"
        for path, items in given["add" if "add" in given else "remove"].items():
            yield f"  {sign} {path}: {', '.join(map(_flow, items))}"
    elif "replace" in given:
        yield from _lines("-", given["replace"])
        yield from _lines("+", given["with"])
    elif "remove" in given:
        yield from _lines("-", given["remove"])
    elif "add" in given:
        yield from _lines("+", given["add"])
    elif "move" in given:
        side = next((key for key in ("after", "before", "below", "above") if key in given), "")
        yield from _lines("~", f"{given['move']} → {side} “{given.get(side, '')}”")
    else:
        yield from (f"  + the whole {key}" for key in ("text", "mechanics", "declares") if key in given)


def _set(given: Mapping[str, Any]) -> Iterator[str]:
    code = given["in"] == "mechanics"
    for path, new in given["set"].items():
        old = given.get("was", {}).get(path)
        if new is None:
            yield f"  - {path}"
        elif code:
            yield f"  {'+' if old is None else '~'} {path}"
            yield from (f"      {line}" for line in str(new).split("\n"))
        else:
            yield f"  {'+' if old is None else '~'} {path}: {_flow(new)}"


def _added(given: Mapping[str, Any]) -> Iterator[str]:
    yield f"  + title: {given.get('title', '')}"
    yield from (f"  + {key}: {_flow(value)}" for key, value in (given.get("declares") or {}).items())
    for key in ("text", "mechanics"):
        if given.get(key):
            yield from _lines("+", given[key])


def _lines(sign: str, text: str) -> Iterator[str]:
    return (f"  {sign} {line}" for line in text.split("\n") if line.strip())


def _flow(value: Any) -> str:
    return files.write_flow(value)
