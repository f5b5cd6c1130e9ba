"""Checks of what is used after it is destroyed: by then it has no values, and nothing can be written to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicgit.law.law import Law
from nomicgit.outlook.checks.finding import Finding, in_rule, warning
from nomicgit.outlook.checks.handed import Call, calls

USING = frozenset({"get", "put", "gain", "spend", "lose", "transfer", "destroy"})
_ENDS = re.compile(r"(?:return|break|continue)\b")


def used_afterwards(law: Law) -> Iterator[Finding]:
    """What a block destroys, and reads or writes in one of its later lines. Of what a later line names anew nothing is said."""
    for placed in law.active:
        text = placed.mechanics
        some = calls(text, USING)
        for gone in some:
            name = _named(gone)
            begins = text.rfind("\n", 0, gone.at) + 1
            if gone.word != "destroy" or not name or text[begins : gone.at].strip():
                continue
            until = _end(text, gone.at, name)
            used = next((each for each in some if gone.at < each.at < until and _named(each) == name), None)
            if used is not None:
                what = f"{name} is destroyed on a line before: {_what(used)}"
                line = placed.line + 1 + text.count("\n", 0, used.at)
                yield warning(in_rule(law, placed.slug, what, f"do this before destroy({name})", line))


def _named(call: Call) -> str:
    """The name that is a call's first argument; "" where that is anything else."""
    words = [word for _, word, _ in call.given[0]] if call.given else []
    return words[0] if len(words) == 1 and call.given[0][0][0] == "NAME" else ""


def _what(call: Call) -> str:
    return "get finds no value of it any more" if call.word == "get" else f"{call.word} always refuses"


def _end(text: str, at: int, name: str) -> int:
    """Where what follows a call surely happens no more after it: its block ends, is left, or gives the name to something else."""
    begins = text.rfind("\n", 0, at) + 1
    deep = _deep(text[begins:])
    place = text.find("\n", at) + 1
    anew = re.compile(rf"(?:for\s+)?{re.escape(name)}\s*(?:=(?!=)|in\b)")
    while 0 < place < len(text):
        end = text.find("\n", place)
        line = text[place : end if end >= 0 else len(text)]
        if line.strip() and (_deep(line) < deep or anew.match(line.strip())):
            return place
        if line.strip() and _deep(line) == deep and _ENDS.match(line.strip()):
            return end if end >= 0 else len(text)
        if end < 0:
            break
        place = end + 1
    return len(text) if place else place


def _deep(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
