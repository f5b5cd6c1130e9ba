"""Git's configuration file of one clone, read without starting Git; includes are not followed."""

from __future__ import annotations

import re

from nomicgit.ground.problems import Malformed

_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\\n]|\\.)*)")?\s*\]')
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*")
_SKIP = re.compile(r"(?:\s+|[#;][^\n]*)*")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\", "\n": ""}


def parse(text: str, file: str) -> dict[str, str]:
    """All settings by full name (``core.bare``; a subsection keeps its case); the last of a name wins."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    found: dict[str, str] = {}
    section = ""
    at = _skip(text, 0)
    while at < len(text):
        if match := _SECTION.match(text, at):
            name, sub = match.group(1), match.group(2)
            section = name.lower() + ("" if sub is None else "." + re.sub(r"\\(.)", r"\1", sub))
            at = match.end()
        elif section and (match := _NAME.match(text, at)):
            value, at = _value(text, match.end()) if match.group(2) else ("true", match.end())
            found[f"{section}.{match.group(1).lower()}"] = value
        else:
            raise Malformed.of(
                "this is not Git configuration",
                file=file,
                line=text.count("\n", 0, at) + 1,
                mend="mend the line; `git config --list` shows what Git makes of the file",
            )
        at = _skip(text, at)
    return found


def _skip(text: str, at: int) -> int:
    match = _SKIP.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> tuple[str, int]:
    """A value from ``at`` to its line's end, and where that is; blanks at its ends count only in quotes."""
    kept: list[str] = []
    solid = 0  # how many parts stay when blanks at the end go
    quoted = False
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            kept.append(_ESCAPES.get(text[at], text[at]))
            solid = len(kept)
        elif char == '"':
            quoted = not quoted
            solid = len(kept)
        elif char == "\n" or (char in "#;" and not quoted):
            break
        else:
            kept.append(char)
            solid = len(kept) if quoted or not char.isspace() else solid
        at += 1
    return "".join(kept[:solid]), at
