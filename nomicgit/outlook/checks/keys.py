"""Checks of the keys that declarations have: what neither the program nor the law knows is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from nomicgit.ground.problems import printable, quoted
from nomicgit.law.declaring import TYPE, Options, options, underscored
from nomicgit.law.definitions import code
from nomicgit.law.law import Law
from nomicgit.law.merging import WHAT_IT_IS, Declarations
from nomicgit.law.misdeclared import lying
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.finding import Finding, error, in_front, warning
from nomicgit.outlook.checks.law import QUOTE
from nomicgit.outlook.checks.named import near

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
NAMES = options("").of_each
_WORD = re.compile(r"[^\W\d][\w-]*")
KEY = "nobody knows the key"
VERY = 0.88  # how like a known key one must be that the law may read, to be told all the same: ``variable``
HIDDEN = "tracked: secret"
HABITS: Mapping[str, tuple[str, ...]] = {
    "vars": ("variables",), "state": ("variables",), "commands": ("actions",), "events": ("when",), "on": ("when",),
    "cron": ("schedule",), "timers": ("schedule",), "params": ("with",), "args": ("with",), "parameters": ("with",),
    "arguments": ("with",), "inputs": ("with",), "kind": ("type",), "minimum": ("min",), "maximum": ("max",), "initial": ("default",),
    "init": ("default",), "value": ("default",), "values": ("choices",), "enum": ("choices",), "options": ("choices",),
    "who": ("by",), "owner": ("of", "by"), "for": ("of",), "description": ("summary",), "desc": ("summary",), "help": ("summary",),
    "price": ("cost",), "columns": ("fields",), "attributes": ("fields",), "properties": ("fields",), "id": ("key",),
    "count": ("times",), "max_times": ("times",), "legal": ("which",), "interval": ("every",), "time": ("at", "times"), "name": ("title",),
    "secret": (HIDDEN,), "hidden": (HIDDEN,), "private": (HIDDEN,), "public": ("tracked: public",),
}  # fmt: skip
"""Keys that people know from elsewhere, with what they are called here."""
HOLDING: Mapping[str, tuple[str, ...]] = {"value": ("values",)}
"""What those are called that hold keys of their own."""
Path = tuple[str, ...]

_APART = options(
    " ".join(WHAT_IT_IS),
    overrides=options("", with_=TYPE.of_each).of_each,
    protected=options("names from"),
    kept=True,
)
"""The keys that declare nothing, and ``overrides`` and ``protected``: what a rule does to others."""


def keys(law: Law) -> Iterator[Finding]:
    """Keys of the front matter, and of the options in it, that nobody knows.

    Most declarations, and the rule itself, may hold more for the law to read: that is known where some mechanics name
    it, or the rule's prose quotes it.
    """
    named = frozenset[str]().union(*(words_read(placed.mechanics) for placed in law.ruleset.rules))
    known = front(law.declarations)
    levels, lost = _levels(known), list(_outdented(law))
    for placed in law.active:
        read = named | {word for quote in QUOTE.findall(placed.prose) for word in _WORD.findall(quote)}
        outdented = {key for each, key, _ in lost if each is placed}
        read -= levels.keys() - _asked_for(
            placed
        )  # a key of ours that stands elsewhere is read by nobody by chance
        for path, among in _unknown(known, placed.front, (), read):
            if path[0] in outdented or (path[-1] == "with" and _of_code(lying(placed.front, path[:-1]))):
                continue
            *within, key = path
            of = f" of {'.'.join(within)}" if within else ""
            singular = _of_map(lying(placed.front, tuple(within)))
            if key in singular[1:]:
                continue  # told with the first
            slips = singular if key in singular else [key]
            called = f"{KEY}{'s' if slips[1:] else ''} {' and '.join(slips)}{of}: {'they say' if slips[1:] else 'it says'}"
            mend = (
                _parted(key, among)
                or (
                    f"write {' and '.join(f'{each}s' for each in singular)}, if that is meant"
                    if key in singular
                    else ""
                )
                or _habit(key, among, lying(placed.front, path))
                or near(key, among.keys, VERY)
                or _belongs(key, levels)
                or near(key, among.keys)
                or _else(among)
            )
            table = isinstance(lying(placed.front, path), Mapping) and near(str(key), known.parts, VERY)
            level = error if not of and (table or str(key).lower() in known.keys) else warning
            yield level(in_front(law, placed.slug, path, f"{called} nothing", mend))


def outdented(law: Law) -> Iterator[Finding]:
    """Keys that have lost their indent."""
    for placed, key, above in _outdented(law):
        what = f"{key} is a key of its own, and {above} before it holds nothing"
        yield error(in_front(law, placed.slug, (key,), what, f"indent it under {above}: two spaces more"))


def undeclared(law: Law) -> Set[str]:
    """The names of what is not declared, since it has lost its indent, or stands under a key that is misspelt."""
    return {key for _, key, _ in _outdented(law)} | {*_under_slips(law)}


def _under_slips(law: Law) -> Iterator[str]:
    """The names under keys of rules that nobody knows, and that are nearly those of declarations."""
    known = front(law.declarations)
    for placed in law.active:
        for key, table in placed.front.items():
            misspelt = key not in known.keys and near(str(key), known.parts, VERY)
            for name in table if misspelt and isinstance(table, Mapping) else ():
                yield from (str(name), underscored(str(name)))


def _outdented(law: Law) -> Iterator[tuple[Placed, str, str]]:
    """Keys that nobody knows behind one that wants names under it and has none, each with that one."""
    known = front(law.declarations)
    for placed in law.active:
        above = ""
        for key, value in placed.front.items():
            if key in known.keys or key in known.parts:
                above = key if value is None and key in known.parts else ""
            elif above:
                yield placed, str(key), above


def slips(law: Law) -> Iterator[Finding]:
    """Keys in a map of a rule's own that differ by a slip of the pen from another one beside them, and that no prose quotes."""
    known = front(law.declarations)
    for placed in law.active:
        quoted = {quote.strip() for quote in QUOTE.findall(placed.prose)}
        for name, inside in placed.front.items():
            if name in known.parts or name in known.keys or not isinstance(inside, Mapping):
                continue
            for key in inside:
                meant = near(str(key), inside.keys() - {key}, VERY)
                if meant and f"{name}.{key}" not in quoted:
                    what = f"{name} has {printable(str(key), 60)} beside what is called nearly so"
                    yield warning(in_front(law, placed.slug, (name, str(key)), what, meant))


@lru_cache(maxsize=1024)
def words_read(text: str) -> frozenset[str]:
    """What mechanics may read by its name: words in their texts, and names before ``=`` such as ``find`` takes."""
    plain = code(text)
    texts = (each for kind, word, _ in plain if kind == "STRING" for each in _WORD.findall(word))
    names = (word for (kind, word, _), (_, sign, _) in pairwise(plain) if kind == "NAME" and sign == "=")
    return frozenset((*texts, *names))


def _unknown(options: Options, given: Any, path: Path, read: Set[str]) -> Iterator[tuple[Path, Options]]:
    """The paths of unknown keys, each with the options that it stands among."""
    if options.each:
        parts = (
            given.items()
            if isinstance(given, Mapping)
            else enumerate(given)
            if isinstance(given, list)
            else ()
        )
        for name, each in parts:
            yield from _unknown(replace(options, each=False), each, (*path, str(name)), read)
    elif isinstance(given, Mapping):
        for key, value in given.items():
            if part := options.parts.get(key):
                yield from _unknown(part, value, (*path, key), read)
            elif key not in options.keys and not (
                options.kept
                and str(key) in read
                and not near(key, options.keys, VERY)
                and HIDDEN not in _habits(str(key), options)  # whoever wrote it believes that it hides
            ):
                yield (*path, str(key)), options


def names(law: Law) -> Iterator[Finding]:
    """Names of what is declared that no path and no function could hold."""
    known = front(law.declarations)
    free = [key for key, kind in law.declarations.items() if kind.one and kind.options is None]
    known = replace(known, parts={**known.parts, **{key: NAMES for key in free if key not in known.parts}})
    for placed in law.active:
        for path in _absurd(known, placed.front, ()):
            *within, name = path
            what = f"the name {quoted(name, 60)} in {'.'.join(within)} is not of letters, digits, hyphens and underscores"
            yield error(
                in_front(law, placed.slug, path, f"{what}, beginning with a letter", "choose another name")
            )


def _absurd(options: Options, given: Any, path: Path) -> Iterator[Path]:
    """The paths of names that are no names."""
    for name, each in given.items() if isinstance(given, Mapping) else ():
        if options.each and _NAME.fullmatch(str(name)) is None:
            yield (*path, str(name))
        part = replace(options, each=False) if options.each else options.parts.get(name)
        if part is not None:
            yield from _absurd(part, each, (*path, str(name)))


def _of_code(options: object) -> bool:
    """Whether something holds the body of a function: what that is performed ``with``, its rule may say."""
    return isinstance(options, Mapping) and options.get("type") == "mechanics"


def _levels(known: Options) -> dict[str, list[str]]:
    """Under the names of which declarations, or parameters, or fields, each key belongs that there is; a rule's own are a level, too."""
    levels: dict[str, list[str]] = {}
    for table, part in known.parts.items():
        inner = {name: options.keys for name, options in part.parts.items() if name in ("with", "fields")}
        for level, keys in {table: part.keys, **inner}.items():
            for key in keys - known.keys - known.parts.keys():
                levels.setdefault(key, []).append(level)
    levels |= {table: [] for table in known.keys | known.parts.keys()}
    return {key: list(dict.fromkeys(some)) for key, some in levels.items()}


def _belongs(key: str, levels: Mapping[str, Sequence[str]]) -> str:
    """Where a key belongs that means nothing where it stands; "" of one that belongs nowhere."""
    if key not in levels:
        return ""
    places = (
        f"under a name in {' or '.join(levels[key])}"
        if levels[key]
        else "to the rule itself, at the left margin"
    )
    return f"it belongs {places}: move it there, or take it out"


def _asked_for(placed: Placed) -> frozenset[str]:
    """What a rule's own mechanics ask for by the whole of a text, or its prose quotes by the end of a path."""
    texts = (word.strip("\"'") for kind, word, _ in code(placed.mechanics) if kind == "STRING")
    quotes = (quote.strip().rpartition(".")[2] for quote in QUOTE.findall(placed.prose))
    return frozenset((*texts, *quotes))


def _parted(key: str, among: Options) -> str:
    """What to write for a key and its value that stand as one word: YAML wants a space behind the colon."""
    head, colon, rest = key.partition(":")
    return f"write a space behind the colon: {head}: {rest}" if colon and head in among.keys else ""


def _of_map(beside: object) -> Sequence[str]:
    """The keys that a map has in the singular: of its keys, of its values, or of both."""
    if not isinstance(beside, Mapping) or beside.get("type") != "map":
        return ()
    return [each for each in ("key", "value") if each in beside and f"{each}s" not in beside]


def _habit(key: str, among: Options, holds: object) -> str:
    """What to write for a key of other programs."""
    if key.lower() == "public" and holds is False:
        key = "secret"
    names = (_habits(key, among, HOLDING) if isinstance(holds, Mapping) else []) or _habits(key, among)
    return next((f"write {each}, if that is meant" for each in names), "")


def _habits(key: str, among: Options, known: Mapping[str, tuple[str, ...]] = HABITS) -> list[str]:
    """What a key of other programs is called here, where it may stand."""
    return [each for each in known.get(key.lower(), ()) if each.partition(":")[0] in among.keys]


def _else(options: Options) -> str:
    if options.kept:
        return "take it out, or let the mechanics read it"
    return "take it out" + (f", or write one of {', '.join(sorted(options.keys))}" if options.keys else "")


def front(declarations: Declarations) -> Options:
    """The keys of a rule's front matter, and of all options in it."""
    parts = {key: kind.options for key, kind in declarations.items() if kind.options is not None}
    return replace(_APART, keys=_APART.keys | declarations.keys(), parts={**_APART.parts, **parts})
