"""What nearly asked for something, as people write it: without its sign, in quotes, to somebody, as an emoji. Pure.

It is no move, and who said it is told what would be one. The icons and actions are the law's.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection

from nomicgit.ground.problems import printable
from nomicgit.steward.asks import quoted
from nomicgit.steward.saying import COMMANDS
from nomicgit.steward.unhidden import INVISIBLE

_BEFORE = re.compile(
    r"""[-*+•]\s+ | \d{1,3}[.)]\s+ | \#{1,6}\s+ | @[\w-]+(?:\[bot\])?[,:]?\s+
    | (?:please|pls|ok(?:ay)?|hi|hello|hey|so|now|i\ (?:want|would\ like)\ to)[,:!]*\s+
    | </?[a-z][a-z0-9]{0,9}> | < | ["'`´*_~“”„‟«»‹›「」『』‘’‚()\[\]{}|]+""",
    re.VERBOSE | re.IGNORECASE,
)
_BEHIND = re.compile(
    r"""(?: \s+@[\w-]+(?:\[bot\])? | \s+(?:please|pls|now|thanks|thank\ you|it|this|that|me|us)
    | </?[a-z][a-z0-9]{0,9}> | [\s"'`´*_~“”„‟«»‹›「」『』‘’‚()\[\]{}>|.,;!?…]+ )+\Z""",
    re.VERBOSE | re.IGNORECASE,
)
_SIGNED = re.compile(r"([/\\!:]+)\s*([a-z][a-z0-9_-]*)(.*)", re.IGNORECASE)
_VOTE = re.compile(
    r"(?:(?:i|we|my)\s+)*vot(?:e|ed|es|ing)(?:\s+is)?(?:[\s:=-]|\bon\b)+(?:(?:post\s+)?\#?([0-9]{1,9})[\s:]+)?"
    r"(?:is\s+)?[\"'“”„«‘]*:?([a-z][a-z0-9_-]*):?(?:[\s\"'“”»’]+\S+){0,2}",
    re.IGNORECASE,
)
_ALONE = re.compile(r"([a-z]+)(?:\s+\#?[0-9]{1,9})?", re.IGNORECASE)
_OPINION = re.compile(
    r"(?:i\s+)?(?:(?:[👍👎✅❌✔✖☑🙆🙅]|[\ufe0f\U0001f3fb-\U0001f3ff]|[+-]1"
    r"|:(?:[+-]1|thumbs_?(?:up|down)|white_check_mark|x|yes|no):?|(?:aye|yea|nay|lgtm|approved?|rejected?)\b)[\s,.!]*)+",
    re.IGNORECASE,
)
_ALIKE = 0.75
_UNSEEN = dict.fromkeys(map(ord, INVISIBLE))
QUOTED = "what is quoted, or stands in code, is not read; if you mean it, say it in a line of your own"


def nearly(text: str, icons: Collection[str], actions: Collection[str], *, matter: bool) -> str:
    """What would work, where a line of a text that asks for nothing was perhaps meant to; "" where none was.

    ``matter``: whether there is something to vote on where it is said.
    """
    text = unicodedata.normalize("NFKC", text).translate(_UNSEEN)
    if quoted(text):
        every = (_meant(line[2:], icons, actions, matter=False) for line in text.split("\n"))
        return QUOTED if any(every) else ""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for line in lines:
        heading = len(lines) > 1 and line.endswith(":") and line.count(":") == 1
        if not heading and (works := _meant(line, icons, actions, matter=matter)):
            return works
    return ""


def _meant(line: str, icons: Collection[str], actions: Collection[str], *, matter: bool) -> str:
    if line == "/?":
        return _command("help", icons)
    core, called = _undressed(line)
    if matter and icons and _OPINION.fullmatch(core.lstrip("/\\!")):
        return f"if that is your vote, say it by its icon, at the beginning of a line: {', '.join(f':{icon}:' for icon in icons)}"
    if icon := _one_of(core.strip(": "), icons):
        return _vote(icon)
    if (match := _VOTE.fullmatch(core.lstrip("/\\! "))) and (icon := _one_of(match[2], icons)):
        return (
            f"if that is your vote, say it so, at the beginning of a line: /vote {match[1]} {icon}"
            if match[1]
            else _vote(icon)
        )
    if match := _SIGNED.fullmatch(core):
        return "" if match[3].startswith("/") else _signed(match, icons, actions)
    first, _, rest = core.partition(" ")
    word = first.rstrip(",:").lower()
    if word in COMMANDS and (called or _ALONE.fullmatch(core)):
        return _command(word, icons)
    name = rest.split(" ")[0].lower() if word == "act" else word
    if name in actions and (word == "act" or "=" in rest):
        return _action(name)
    return ""


def _undressed(line: str) -> tuple[str, bool]:
    """A line without quotes, marks, names and courtesies about it; and whether it calls somebody by name."""
    called = re.search(r"(?:^|\s)@\w", line) is not None
    while match := _BEFORE.match(line):
        line = line[match.end() :].lstrip()
    return _BEHIND.sub("", line), called


def _signed(match: re.Match[str], icons: Collection[str], actions: Collection[str]) -> str:
    sign, word = match[1], match[2].lower()
    if icon := _one_of(word, icons) or _one_of(re.sub(r"\Avote[_-]?", "", word), icons):
        return _vote(icon)
    if set(sign) == {":"}:
        return ""
    behind = match[3].strip(" :,").partition(" ")[0].lower()
    if word == "act" and behind in actions:
        return _action(behind)
    if word in COMMANDS:
        return _command(word, icons)
    if word in actions:
        return _action(word)
    begins = next((each for each in COMMANDS if word.startswith(each)), "")
    near = [begins] if begins else difflib.get_close_matches(word, (*COMMANDS, *actions), 1, _ALIKE)
    if not near:
        alone = sign == "/" and not match[3].strip()
        return f"there is no /{printable(word, 40)}; /help says what there is" if alone else ""
    say = near[0] if near[0] in COMMANDS else f"act {near[0]}"
    return f"there is no /{printable(word, 40)}; did you mean /{say}?"


def _vote(icon: str) -> str:
    return f"if that is your vote, say it so, at the beginning of a line: :{icon}:"


def _command(word: str, icons: Collection[str]) -> str:
    said = f"vote {next(iter(icons))}" if word == "vote" and icons else word
    return f"if that is a command, say it so, at the beginning of a line: /{said}"


def _action(name: str) -> str:
    return f"to do that, say: /act {name}, and what it takes behind it"


def _one_of(word: str, icons: Collection[str]) -> str | None:
    return next((icon for icon in icons if icon.casefold() == word.casefold()), None)
