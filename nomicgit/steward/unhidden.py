"""What a text of Markdown shows: without comments of HTML, which templates leave, and the characters that nobody sees. Pure.

As in CommonMark: what stands in code or is quoted opens no comment; one that begins a line goes on to its end, or to that of
the text, and one within a line to its end in the same paragraph, else it is shown as it stands.
"""

from __future__ import annotations

import re

FENCE = re.compile(r"(`{3,}|~{3,})")
INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
"""Characters that stand nowhere to be seen; they come along where something is copied."""
_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
_OPENS, _CLOSES = "<!--", "-->"


def shown(text: str) -> str:
    """A text without its hidden comments, its lines ended by ``\\n``."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    kept: list[str] = []
    fence, at = "", 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if fence or FENCE.match(line.strip()):
            fence = fenced(line, fence)
        elif not _is_apart(line, kept):
            line, at = _uncommented(line, lines, at)
        kept.append(line)
    return "\n".join(kept)


def fenced(line: str, fence: str) -> str:
    """The fence within which the next line stands, if this one stands within ``fence``, or begins or ends one; "" for none."""
    mark = FENCE.match(line.strip())
    if not fence:
        return mark[1] if mark else ""
    ends = mark is not None and line.strip().strip(fence[0]) == "" and len(mark[1]) >= len(fence)
    return "" if ends else fence


def is_indented(line: str, before: list[str]) -> bool:
    """Whether a line is code by standing further to the right than what is ``before`` it, which it does not go on with."""
    return line.startswith(("    ", "\t")) and (not before or not before[-1].strip())


def _is_apart(line: str, before: list[str]) -> bool:
    return line.lstrip().startswith(">") or is_indented(line, before)


def _uncommented(line: str, lines: list[str], at: int) -> tuple[str, int]:
    """A line without its comments, and with what stands behind them where they end in one of those from ``at`` on; and where it
    goes on from there."""
    while (start := _SPAN.sub(lambda span: " " * len(span[0]), line).find(_OPENS)) >= 0:
        before, behind = line[:start], line[start + len(_OPENS) :]
        whole = not before.strip()
        if _CLOSES in behind:
            line = before + behind.partition(_CLOSES)[2]
            continue
        ends = (k for k in range(at, len(lines)) if _CLOSES in lines[k] or not (whole or lines[k].strip()))
        end = next(ends, len(lines))
        if end < len(lines) and _CLOSES in lines[end]:
            line, at = before + lines[end].partition(_CLOSES)[2], end + 1
            continue
        return (before, len(lines)) if whole else (line, at)
    return line, at
