"""What a part of a text says to the game: its first line may be a vote's icon, or a command. Pure; the icons are the law's.

A vote: ``:for:`` or ``/vote against``, with what else one has to say behind it and below; or the icon alone on the
line, ``DEFERENTIAL``. Commands: ``/act NAME key=value …``, ``/join [NAME]``, ``/enact``, ``/fail``,
``/resolve``, ``/vote 12 for``, which names its matter; and what only asks: ``/help``, ``/status``, ``/tally``.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgit.ground.problems import Malformed, Refused, printable
from nomicgit.law.declarations import Action
from nomicgit.law.variables import Type
from nomicgit.record.forms import entered

_ICON = re.compile(r":([a-z][a-z0-9_-]*):(?:\s+(.*))?", re.IGNORECASE)
_VOTE = re.compile(r"/vote(?:\s+:?([a-z][a-z0-9_-]*):?(?:\s+(.*))?)?", re.IGNORECASE)
_ELSEWHERE = re.compile(r"/vote\s+(#?[0-9]{1,9}(?:\s.*)?)", re.IGNORECASE)
_NUMBER = re.compile(r"(?:on\s+)?(?:post\s+)?#?([0-9]{1,9})[.!]?", re.IGNORECASE)
_ALONE = re.compile(r"[*_`]{0,3}([a-z][a-z0-9_-]*)[*_`]{0,3}[.!]?", re.IGNORECASE)
_COMMAND = re.compile(r"/(act|join|propose|enact|fail|resolve|help|status|tally)(?:\s+(.*))?", re.IGNORECASE)
_PAIR = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,60})=(.*)", re.DOTALL)
MOST_PAIRS = 60
COMMANDS = ("act", "join", "propose", "enact", "fail", "resolve", "vote", "help", "status", "tally")


class Vote(Struct, frozen=True):
    """A vote: its icon, and what is said with it."""

    icon: str
    text: str


class Command(Struct, frozen=True):
    """A command: its word, what stands behind it on the line, and the lines below that are ``key=value``.

    Of a vote that names its matter all that is said belongs to it.
    """

    word: str
    rest: str
    below: tuple[str, ...] = ()


def said(text: str, icons: Collection[str]) -> Vote | Command | None:
    """What a text says; None for one that is only talk. Refused for a ``/vote`` without an icon of the law's, and for
    a vote behind which nothing stands but a number: whether that names a matter nobody can tell.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip().split("\n")
    first, below = lines[0].strip(), "\n".join(lines[1:]).strip()
    if match := _ELSEWHERE.fullmatch(first):
        return Command("vote", _joined(match[1], below))
    if match := _VOTE.fullmatch(first):
        icon = _icon(match[1] or "", icons)
        if icon is None:
            what = f"{printable(match[1], 40)} is no icon" if match[1] else "a vote says its icon"
            raise Refused.of(what, mend=f"say one of {', '.join(f'/vote {each}' for each in icons)}")
        return _vote(icon, match[2], below)
    if (match := _ICON.fullmatch(first)) and (icon := _icon(match[1], icons)) is not None:
        return _vote(icon, match[2], below)
    if (match := _ALONE.fullmatch(first)) and (icon := _icon(match[1], icons)) is not None:
        return Vote(icon, below)
    if match := _COMMAND.fullmatch(first):
        pairs = tuple(line.strip() for line in lines[1:] if _PAIR.fullmatch(line.strip()))
        return Command(match[1].lower(), (match[2] or "").strip(), pairs)
    return None


def _vote(icon: str, behind: str | None, below: str) -> Vote:
    if behind and (number := _NUMBER.fullmatch(behind.strip())):
        what = f"nobody can tell whether {printable(behind.strip(), 40)} is the matter that you mean, or your reason"
        raise Refused.of(
            what, mend=f"on post {number[1]}: /vote {number[1]} {icon}; on what stands here: :{icon}:"
        )
    return Vote(icon, _joined(behind, below))


def _icon(word: str, icons: Collection[str]) -> str | None:
    return next((icon for icon in icons if icon.casefold() == word.casefold()), None)


def _joined(first: str | None, below: str) -> str:
    return "\n".join(part for part in ((first or "").strip(), below) if part)


def icons(actions: Mapping[str, Action]) -> tuple[str, ...]:
    """The icons of the law in force: the choices of its action ``vote``."""
    vote = actions.get("vote")
    kind = vote.parameters.get("icon") if vote else None
    return tuple(str(choice) for choice in kind.choices) if kind else ()


def words_of(rest: str) -> list[str]:
    """The words of a line, quoted as in a shell (no shell ever sees it). Refused where a quote stays open."""
    try:
        return shlex.split(rest)
    except ValueError:
        raise Refused.of(
            "a quotation mark stays open", mend='close it: text="what you want to say"'
        ) from None


def parameters(action: Action, pairs: Sequence[str], type_at: Callable[[str], Type | None]) -> dict[str, Any]:
    """``key=value`` pairs as the parameters that an action takes; nothing is read from files. Refused for what is none.

    ``type_at`` tells what is declared at a path.
    """
    given: dict[str, Any] = {}
    said = (match for match in map(_PAIR.fullmatch, pairs) if match is not None)
    path = next((match[2] for match in said if match[1] == entered.PATH), None)
    action = entered.aimed(action, path, type_at)
    takes = ", ".join(name.replace("_", "-") for name in action.parameters) or "nothing"
    for pair in pairs[: MOST_PAIRS + 1]:
        match = _PAIR.fullmatch(pair)
        if match is None or len(given) == MOST_PAIRS:
            what = f"{printable(pair, 60)} is no key=value"
            only = (
                f"say {takes}={printable(pair, 60)}; "
                if len(action.parameters) == 1 and match is None
                else ""
            )
            raise Refused.of(what, mend=f"{only}{action.name} takes {takes}; quote what has blanks in it")
        key = match[1].replace("-", "_")
        if key in given:
            raise Refused.of(f"{match[1]} is given twice")
        try:
            given[key] = entered.value(action.parameters.get(key), match[1], match[2])
        except Malformed as error:
            raise Refused.of(f"{match[1]}: {error.problems[0].what}", mend=error.problems[0].mend) from error
    entered.refuse_blanks(action, given)
    return given
