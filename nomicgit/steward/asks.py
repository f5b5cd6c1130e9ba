"""The parts of what somebody says, each of which may ask for something. Pure, and without the law.

A part begins with a line such as ``:for:`` or ``/act …``; what else is said goes with it. What is quoted, or stands in a
block of code, is somebody else's word, or nobody's.
"""

from __future__ import annotations

import re

from nomicgit.steward.unhidden import FENCE, INVISIBLE, fenced, is_indented, shown

_ASKS = re.compile(
    r"(?:@[A-Za-z0-9-]+(?:\[bot\])?[,:]?\s+)?(?:/[a-z][a-z-]*|:[a-z][a-z0-9_-]*:)[.,;:!?]*(?:\s.*)?",
    re.IGNORECASE,
)
_NOT_OWN = "> "
MOST = 20
"""Parts of one text that are read; all that comes after is one part more, of which is told that it was not."""


def asks(line: str) -> bool:
    """Whether a line begins as one does that asks for something."""
    return _ASKS.fullmatch(line.strip()) is not None


def quoted(text: str) -> bool:
    """Whether a part is nothing but what is quoted, or stands in code."""
    return text.startswith(_NOT_OWN)


def parts(text: str) -> list[str]:
    """What is to be read one after the other: the asking line first in each, then what is said with it.

    A text that is nothing but quotes and code is given as a quote, which nobody takes for said; so are lines of code that would
    ask for something, where nothing beside them does.
    """
    every = [line.strip(INVISIBLE) for line in shown(text).split("\n")]
    lines, code = _own(every)
    if not "".join(lines).strip():
        return ["\n".join(_NOT_OWN + line for each in every if (line := each.strip("> \t`~")))]
    places = [at for at, line in enumerate(lines) if asks(line)][: MOST + 1]
    if not places:
        in_code = "\n".join(_NOT_OWN + line.strip() for line in code if asks(line))
        return ["\n".join(lines).strip(), *([in_code] if in_code else [])]
    before = lines[: places[0]]
    ends = [*places[1:], len(lines)]
    asked = [[lines[at], *lines[at + 1 : end]] for at, end in zip(places, ends, strict=True)]
    asked[0][1:1] = before
    return ["\n".join(each).strip() for each in asked]


def _own(lines: list[str]) -> tuple[list[str], list[str]]:
    """The lines that are neither quoted nor code; and those that are code."""
    own: list[str] = []
    code: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            fence = fenced(line, fence)
            code.append(line)
        elif FENCE.match(line.strip()):
            fence = fenced(line, fence)
        elif is_indented(line, own):
            code.append(line)
        elif not line.lstrip().startswith(">"):
            own.append(line)
    return own, code
