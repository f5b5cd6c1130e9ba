"""What all readers and writers of a game's files agree on: bounds, characters, and plain scalars.

Nothing here asks the Unicode tables of the running Python: they differ among its versions, and equal
values must be equal bytes everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from nomicgit.ground.characters import UNSEEN
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, Problem

Value: TypeAlias = "bool | int | float | str | Sequence[Value] | Mapping[str, Value] | None"
"""What files and values of a game hold: nothing, truth, numbers, texts, lists and maps of them.

What is read has its lists as ``list`` and its maps as ``dict``, and those alone can be written.
"""

MAX_BYTES = 1 << 20
MAX_DEPTH = 24
MAX_NODES = 50_000  # keys count as nodes
MAX_DIGITS = 16
_SHORT = 80  # characters of the texts that are worth remembering
MAX_KEY = 100  # characters; escaped it still keeps within the 1,024 that YAML grants a key

_SEEN_ASCII = b"\n" + bytes(range(32, 127))
_SURROGATE = late("[\ud800-\udfff]")
_ESCAPE = late(r'\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(["\\nt]))')
_UNESCAPED_TEXT = late(r"[ !#-\[\]-~]*")
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
_UNESCAPED = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}

# A text that every reader of YAML takes as it stands, in block and in flow, if all of it is seen.
# "?" is left out because PyYAML's own reader stops at it in flow.
_INNER = r"[^ \n,\[\]{}:#?]"
_FIRST = rf"(?:[^- \n,\[\]{{}}:#?&*!|>'\"%@`]|-(?={_INNER}))"
PLAIN = f"{_FIRST}{_INNER}*(?:(?: +|:)(?={_INNER}){_INNER}*)*"
BLOCK_PLAIN = (
    f"{_FIRST}[^ \n:#]*(?:(?: +|:(?={_INNER}))(?=[^ \n:#])[^ \n:#]*)*"  # not in flow: commas and brackets too
)
QUOTED = r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"'
KEY = f"[A-Za-z_][A-Za-z0-9_-]*|{PLAIN}|{QUOTED}"
_PLAIN = late(PLAIN)
_NAME = late(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)

_NUMBER = (
    r"[-+]?(?:0[bB][01_]+|0[oO][0-7_]+|0[xX][0-9a-fA-F_]+"
    r"|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
    r"|(?:[0-9][0-9_,]*(?:\.[0-9_]*)?|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?"
    r"|\.(?:inf|Inf|INF))|\.(?:nan|NaN|NAN)"
)
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?"
_TIMESTAMP = (
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?"
)
_MEANING = late(
    rf"(?P<date>{_DATE})|(?P<true>true)|(?P<false>false)|(?P<null>null)"
    rf"|(?P<int>-?(?:0|[1-9][0-9]*))|(?P<float>-?(?:0|[1-9][0-9]*)\.[0-9]+)"
    rf"|(?P<letter>[yYnN])|(?P<word>(?i:yes|no|on|off))|(?P<truth>(?i:true|false))|(?P<odd>(?i:null)|~|=|<<|{_NUMBER}|{_TIMESTAMP})",
    re.ASCII,
)


@cache
def unseen() -> re.Pattern[str]:
    """A character that may stand in a file only as an escape; compiled late, for most files are plain ASCII."""
    return re.compile(f"[{UNSEEN}]")


@cache
def _needs_escape() -> re.Pattern[str]:
    return re.compile(f'["\\\\\n{UNSEEN}]')


class Unwritable(ValueError):
    """A value that no file can hold."""


class Doubtful(ValueError):
    """A plain scalar that readers of YAML take differently, or that is out of bounds."""

    def __init__(self, what: str, mend: str) -> None:
        super().__init__(what)
        self.what, self.mend = what, mend


class Unquoted(Malformed):
    """Plain scalars that readers of YAML take differently, all of them; ``meant`` is the value with them as texts.

    ``places`` are the keys and numbers that lead to each of them in it; to the mapping, where it is a key.
    ``quoted`` is the document with quotes around each, its lines as they are.
    """

    def __init__(
        self,
        *problems: Problem,
        meant: Value = None,
        places: tuple[tuple[str | int, ...], ...],
        quoted: str = "",
    ) -> None:
        super().__init__(*problems)
        self.meant, self.places, self.quoted = meant, places, quoted


def decoded(data: bytes | str, file: str = "", line: int = 1, limit: int = MAX_BYTES) -> str:
    """The text of a file's bytes. Raises Malformed over ``limit`` bytes, and for what is not UTF-8."""
    size = (
        len(data) if isinstance(data, bytes) or data.isascii() else len(data.encode("utf-8", "surrogatepass"))
    )
    if size > limit:
        raise Malformed.of(f"longer than {limit:,} bytes", file=file, line=line, mend="split the file")
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        before = data[: wrong.start]
        raise Malformed.of(
            f"byte 0x{data[wrong.start]:02x} is not UTF-8",
            file=file,
            line=line + before.count(b"\n"),
            column=wrong.start - before.rfind(b"\n"),
            mend="save the file as UTF-8",
        ) from None


def all_seen(text: str) -> bool:
    """Whether every character of a text may stand in a file as it is."""
    if text.isascii():
        return text.replace("\n", "").isprintable()
    rest = text.encode("utf-8", "surrogatepass").translate(None, _SEEN_ASCII)
    return unseen().search(rest.decode("utf-8", "surrogatepass")) is None


def refuse_unseen(text: str, file: str, line: int) -> None:
    """Raises Malformed at the first character that may not stand in a file as it is."""
    if all_seen(text):
        return
    match = unseen().search(text)
    assert match is not None  # all_seen asks the same question
    character, at = match[0], match.start()
    names = {"\ufeff": "a byte order mark", "\r": "a carriage return", "\t": "a tab"}
    what = f"{names.get(character, 'a character that cannot be seen')}, U+{ord(character):04X}"
    mends = {"\ufeff": "save the file without it", "\r": "end lines with a line feed alone"}
    escape = _escaped(match) if not _SURROGATE.match(character) else ""
    mend = mends.get(character) or (f"write {escape} in double quotes" if escape else "no text may hold it")
    start = text.rfind("\n", 0, at)
    if character == "\t" and not text[start + 1 : at].strip():
        mend = "write spaces before the key, two for each step inwards"
    raise Malformed.of(what, file=file, line=line + text.count("\n", 0, at), column=at - start, mend=mend)


def scalar(token: str) -> Value:
    """What a plain scalar means. Raises Doubtful."""
    return _short_meaning(token) if len(token) <= _SHORT else _meaning(token)


def _meaning(token: str) -> Value:
    sense = _MEANING.fullmatch(token)
    match sense.lastgroup if sense else None:
        case None | "date" | "letter":
            return token
        case "true":
            return True
        case "false":
            return False
        case "null":
            return None
        case "int":
            if len(token.lstrip("-")) > MAX_DIGITS:
                what = f"a whole number of more than {MAX_DIGITS} digits, which no variable can hold"
                raise Doubtful(what, "write a smaller one, or where a text is meant put it in quotes")
            return int(token)
        case "float":
            number = float(token)
            if number in (float("inf"), float("-inf")):
                raise Doubtful("a number that is too large", "put it in quotes")
            return number
        case "word" | "truth":
            meant = "true" if token.lower() in ("yes", "on", "true") else "false"
            what = f"{token} is not a text to every reader of YAML"
            raise Doubtful(
                what,
                f'write {meant}, or where a text is meant, as among choices, put it in quotes: "{token}"',
            )
        case _:
            raise Doubtful(f"{token[:40]} is not a text to every reader of YAML", "put it in quotes")


_short_meaning = lru_cache(maxsize=4096)(_meaning)


def plain_key(token: str) -> str:
    """The text of a plain key: words such as ``on`` and whole numbers are texts here. Raises Doubtful."""
    match = _MEANING.fullmatch(token)
    if match and match.lastgroup not in ("date", "int", "letter", "word"):
        raise Doubtful(f"{token[:40]} is not a text, as a key must be", "put it in quotes")
    return token


def quoted(text: str) -> str:
    """A text in double quotes, what cannot be seen escaped. Unwritable for a lone surrogate."""
    if _UNESCAPED_TEXT.fullmatch(text):  # most are, and the pattern of all characters takes long to compile
        return f'"{text}"'
    if _SURROGATE.search(text):
        raise Unwritable("cannot be written: half of a surrogate pair is no character")
    return '"' + _needs_escape().sub(_escaped, text) + '"'


def _escaped(match: re.Match[str]) -> str:
    short = _SHORT_ESCAPES.get(match[0])
    code = ord(match[0])
    return short or (f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")


def unquoted(token: str) -> str | None:
    """The text of a token in double quotes; None where its escapes are not those that ``quoted`` writes."""
    inner = token[1:-1]
    if "\\" not in inner:
        return inner
    text, left = _ESCAPE.sub(_character, inner), _ESCAPE.sub("", inner)
    return None if "\\" in left or _SURROGATE.search(text) else text


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return _UNESCAPED[match[3]]
    code = int(match[1] or match[2], 16)
    return chr(code) if code < 0x110000 else "\ud800"


def scalar_text(text: str) -> str:
    """A text on one line: plain where every reader takes it so, else in double quotes."""
    return _short_text(text) if len(text) <= _SHORT else _any_text(text)


def _any_text(text: str) -> str:
    if _PLAIN.fullmatch(text) and all_seen(text):
        match = _MEANING.fullmatch(text)
        if match is None or match.lastgroup == "date":
            return text
    return quoted(text)


_short_text = lru_cache(maxsize=4096)(_any_text)


@lru_cache(maxsize=4096)
def key_text(key: str) -> str:
    """A key as it is written. Unwritable for one that is too long."""
    if len(key) > MAX_KEY:
        raise Unwritable(f"cannot be written: a key of more than {MAX_KEY} characters")
    if _NAME.fullmatch(key):
        match = _MEANING.fullmatch(key)
        return key if match is None or match.lastgroup in ("letter", "word") else quoted(key)
    return scalar_text(key)


def nodes(value: object) -> int:
    """How many nodes a value has, keys among them."""
    if isinstance(value, dict):
        return 1 + len(value) + sum(nodes(item) for item in value.values())
    return 1 + (sum(nodes(item) for item in value) if isinstance(value, list) else 0)
