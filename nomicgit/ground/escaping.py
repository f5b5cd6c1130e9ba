"""What players wrote, made fit to stand in the steward's own words: plain text, whatever is in it.

Nothing of it becomes HTML or Markdown, calls anybody, refers to another thread, or turns the direction of writing about.
"""

from __future__ import annotations

import re

from nomicgit.ground.problems import printable

JOINT = "\N{ZERO WIDTH SPACE}"
"""Stands behind what would call somebody or refer to something, so that the forge does not take it for that."""

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+.!|~=:$-])")


def escaped(text: str, limit: int = 300) -> str:
    """A text on one line, as plain text of Markdown; what is longer is cut."""
    shown = printable(" ".join(text.split()), limit)
    marked = _MARKS.sub(r"\\\1", shown.replace("&", "&amp;")).replace(r"\<", "&lt;").replace(r"\>", "&gt;")
    return _disarmed(marked)


def _disarmed(text: str) -> str:
    """``@``, ``#`` and addresses, broken up; they may stand behind a backslash already."""
    text = text.replace("@", f"@{JOINT}").replace(r"\#", rf"\#{JOINT}")
    text = re.sub(r"\b(GH)(\\?-)", rf"\1{JOINT}\2", text, flags=re.IGNORECASE)
    return re.sub(
        r"\b(www)(\\?\.)", rf"\1{JOINT}\2", text.replace(r"\://", rf"\:{JOINT}//"), flags=re.IGNORECASE
    )


def lines_escaped(text: str, limit: int = 2000) -> str:
    """A text of several lines, each as plain text of Markdown, broken where it breaks."""
    kept = text[:limit] + ("…" if len(text) > limit else "")
    return "  \n".join(escaped(line, limit) for line in kept.split("\n"))


def leading_home(shown: str, home: str) -> str:
    """An escaped text in which the addresses under ``home``, the game's own site, are links again, and no others."""
    place = re.compile(re.escape(escaped(home)) + r"(?:(?:\\[._~-]|[A-Za-z0-9/])*[A-Za-z0-9/])?")
    plain = str.maketrans("", "", "\\" + JOINT)
    return place.sub(lambda match: f"<{match[0].translate(plain)}>", shown) if home else shown


def fenced(text: str, limit: int = 6000) -> str:
    """A text as a block of code that it cannot leave."""
    cut = text if len(text) <= limit else text[:limit] + "\n…"
    lines = [printable(line, limit) for line in cut.split("\n")]
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence + "text", *lines, fence])


def called(login: str) -> str:
    """A mention, which calls somebody. Nothing for what is no login."""
    return (
        f"@{login}"
        if re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,60})", login, re.ASCII)
        else escaped(login)
    )


def logged(text: str) -> str:
    """A text for a log that obeys commands in it (``::error``, ``##[group]``): on one line, its own set off, and none of them."""
    one = " / ".join(line.strip() for line in text.splitlines() if line.strip())
    return printable(one, 2000).replace("::", ": :").replace("##[", "# #[")
