"""How the mechanics of all rules become one body of law: names, by tokens, never by text.

Each file is taken apart first (`scan`): its definitions, its calls, and slots for the names that the whole law gives. What
a scan holds hangs on the file alone, so it is kept, in the clone's file too. Then the slots are filled (`link`).

Functions of all rules see each other. What begins with ``_`` and every constant belongs to its file. Where
rules override one function each definition keeps a name of its own, and ``overridden_NAME`` means the one
before. Words that count players, such as ``players``, mean the roster as the file's rule counts it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from nomicgit.ground.kept import Kept, late
from nomicgit.ground.problems import Place, Problem
from nomicgit.law.definitions import DEEPER, SPACE, Lexed, lexed

RESERVED = frozenset(
    "and break continue def elif else for if in lambda load not or pass return as assert async await class del "
    "except finally from global import is nonlocal raise try while with yield True False None".split()
)
BUILTINS = frozenset(
    "abs all any bool chr dict dir enumerate fail filter float getattr hasattr hash int json len list map max min ord "
    "partial pprint print range repr reversed set sorted str tuple type zip debug".split()
)
SHOWN = "__shown"  # the end of the linked name of a function that is a view
PREFIX = "overridden_"
_BEFORE_PARAMETER = frozenset(("(", ",", "*", "**"))
_NAMES = late(r"[^\W\d]\w*")
_OVERRIDDEN = late(rf"{PREFIX}\w*")


# ---- one file taken apart


class Passage(NamedTuple):
    """One definition in a file's mechanics: its 0-based lines there, ``end`` excluded, and the names that it uses.

    ``uses`` has spaces between them: most are read from the clone's file and never looked at.
    """

    name: str
    start: int
    end: int
    uses: str


class Scan(Struct, frozen=True):
    """One file's mechanics, taken apart: ``parts`` are texts with slots (name, role) between them.

    ``passages`` are its definitions; None where anything else stands beside them, so that none can be taken alone.
    """

    slug: str
    line: int
    parts: tuple[str, ...]
    slots: tuple[tuple[str, str], ...]
    functions: Mapping[str, int]
    private: tuple[str, ...]
    parameters: Mapping[str, tuple[str, ...]]
    calls: frozenset[str]
    passages: tuple[Passage, ...] | None

    def text(self, names: Mapping[tuple[str, str], str]) -> str:
        """The file's text with its slots filled."""
        pieces = [self.parts[0]]
        for slot, part in zip(self.slots, self.parts[1:], strict=True):
            pieces.append(names.get(slot, slot[0]))
            pieces.append(part)
        return "".join(pieces)


def scan(slug: str, text: str, line: int, rosters: frozenset[str]) -> Scan:
    """Take a file's mechanics apart. ``line``: how many lines of the file stand before its first."""
    return _SCANS.get((slug, text, line, rosters), lambda: _scanned(slug, text, line, rosters))


_SCANS = Kept[tuple[str, str, int, frozenset[str]], Scan](4096)


def remember(text: str, rosters: frozenset[str], scanned: Scan) -> None:
    """Keep what was found in a file's mechanics, which hangs on its slug, its text, its line and these words alone."""
    _SCANS.put((scanned.slug, text, scanned.line, rosters), scanned)


def _scanned(slug: str, text: str, line: int, rosters: frozenset[str]) -> Scan:
    law = lexed(text)
    lexemes, defined = law.lexemes, [each.defines for each in law.statements if each.defines]
    functions = {
        d.name: line + 1 + d.start for d in defined if d.kind == "function" and not d.name.startswith("_")
    }
    private = tuple(d.name for d in defined if d.name.startswith("_") or d.kind == "constant")
    own = {name: f"{name}__{slug.replace('-', '_')}" for name in private}
    linked_here = {*own, *functions, *rosters, *_OVERRIDDEN.findall(text)}
    parts: list[str] = []
    slots: list[tuple[str, str]] = []
    calls, parameters = set(), {}
    used_at: list[int] = []
    used: list[str] = []
    last, piece = 0, ""
    places = [at for at, lexeme in enumerate(lexemes) if lexeme[0] not in SPACE]
    words = [lexemes[at] for at in places]
    for n, (previous, value, following) in enumerate(zip(["", *words], words, words[1:], strict=False)):
        at = places[n]
        if not value.isidentifier():
            if value[0] in "rRbBfF":  # a string with a prefix, which may be filled in
                used += (names := _NAMES.findall(value))
                used_at += [at] * len(names)
            continue
        if previous == "." or (following == "=" and _depth(law, at)):
            continue
        used_at.append(at)
        used.append(value)
        if previous == "def":
            parameters[value] = _parameters(words, n + 1)
        elif following == "(" and value not in own:
            calls.add(value)
        if value not in linked_here:
            continue
        roles = {
            "def": previous == "def" and value in functions,
            "overridden": value.startswith(PREFIX),
            "roster": value in rosters and following == "(",
        }
        if value in own:
            piece += "".join(lexemes[last:at]) + own[value]
        elif role := next((each for each, holds in roles.items() if holds), ""):
            parts.append(piece + "".join(lexemes[last:at]))
            slots.append((value, role))
            piece = ""
        else:
            continue
        last = at + 1
    parts.append(piece + "".join(lexemes[last:-1]))
    passages = _passages(law, used_at, used) if law.alone and len(defined) == len(law.statements) else None
    return Scan(
        slug, line, tuple(parts), tuple(slots), functions, private, parameters, frozenset(calls), passages
    )


def _depth(law: Lexed, at: int) -> int:
    """How deep in brackets a lexeme stands."""
    place = bisect_left(law.brackets, at)
    return law.depths[place - 1] if place else 0


def _passages(law: Lexed, used_at: Sequence[int], used: Sequence[str]) -> tuple[Passage, ...]:
    """The definitions with the names in them; ``used_at`` are the numbers of their lexemes."""
    made = []
    for first, end, each in law.statements:
        assert each is not None
        names = dict.fromkeys(used[bisect_left(used_at, first) : bisect_left(used_at, end)])
        made.append(Passage(each.name, each.start, each.end, " ".join(names)))
    return tuple(made)


def _parameters(words: Sequence[str], bracket: int) -> tuple[str, ...]:
    """The parameter names of a definition, whose bracket opens with this word."""
    names, depth = [], 0
    for n in range(bracket, len(words)):
        depth += DEEPER.get(words[n], 0)
        if depth <= 0:
            break
        if depth == 1 and words[n - 1] in _BEFORE_PARAMETER and words[n].isidentifier():
            names.append(words[n])
    return tuple(names)


# ---- all files together


def linked(name: str, slug: str) -> str:
    """The name under which a rule's file knows a function, in the whole law."""
    return f"{name}__{slug.replace('-', '_')}" if name.startswith("_") else name


def written(text: str) -> str:
    """Linked names in a message, as their authors wrote them."""
    return " ".join(_unlinked(word) for word in text.split(" "))


def _unlinked(word: str) -> str:
    head, parting, _ = word.partition("__")
    return head + word[len(word.rstrip("`'\".,:;)(")) :] if parting and head.strip("`'\"(") else word


class Language(Struct, frozen=True):
    """The language of one physics, by its number, as linking and compiling ask for it.

    ``rosters`` are the words that count players as the file that uses them does; what ``large`` ones give crosses as text;
    calls of the law by words nest ``nesting`` deep.
    """

    physics: int
    words: frozenset[str]
    rosters: frozenset[str]
    large: frozenset[str]
    nesting: int


class Member(Struct, frozen=True):
    """One rule's part in the law: its scan, its file, what it overrides, how it counts players."""

    scan: Scan
    path: str
    title: str
    overrides: frozenset[str]
    barred: frozenset[str]
    view: str


class Source(Struct, frozen=True):
    """One file ready for the interpreter: its text is padded to its lines."""

    path: str
    text: str


class Linked(Struct, frozen=True):
    """The law's code: ``sources`` in order, every name to declare first, and what stands for what is missing."""

    sources: tuple[Source, ...]
    names: tuple[str, ...]
    missing: tuple[str, ...]
    nothing: tuple[str, ...]
    rosters: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...]
    functions: frozenset[str]
    filled: tuple[tuple[Scan, Mapping[tuple[str, str], str]], ...]
    shown: tuple[tuple[str, int], ...] = ()


def link(members: Sequence[Member], words: Iterable[str], views: Mapping[str, int] | None = None) -> Linked:
    """One body of law of the rules' files, given in ruleset order.

    The functions of ``views`` (with how many arguments they take) are asked of the host, which remembers what they say.
    """
    chains, problems = _chains(members, frozenset(words))
    shown = {name: arity for name, arity in (views or {}).items() if name in chains}
    finals: dict[tuple[str, str], str] = {}
    before: dict[tuple[str, str], str] = {}
    nothing = []
    for name, chain in chains.items():
        for n, member in enumerate(chain):
            last = n == len(chain) - 1
            final = f"{name}{SHOWN}" if name in shown else name
            finals[member.scan.slug, name] = (
                final if last else f"{name}__at__{member.scan.slug.replace('-', '_')}"
            )
            before[member.scan.slug, name] = finals[chain[n - 1].scan.slug, name] if n else f"{name}__before"
        nothing.append(f"{name}__before")
    names: list[str] = []
    called: set[str] = set()
    rosters: set[tuple[str, str]] = set()
    sources = []
    filled = []
    for member in members:
        fill = _fill(member, finals, before, rosters)
        filled.append((member.scan, fill))
        sources.append(Source(member.path, "\n" * member.scan.line + member.scan.text(fill)))
        names += [fill[name, "def"] for name in member.scan.functions]
        names += [f"{name}__{member.scan.slug.replace('-', '_')}" for name in member.scan.private]
        called |= member.scan.calls
        called |= {fill[s] for s in member.scan.slots if s[1] == "overridden"}
    taken = {*names, *nothing, *words, *shown, *BUILTINS, *RESERVED}
    missing = tuple(sorted(name for name in called if name not in taken and not name.startswith(PREFIX)))
    return Linked(
        tuple(sources), tuple(names), missing, tuple(n for n in nothing if n in called), tuple(sorted(rosters)),
        tuple(problems), frozenset(chains), tuple(filled), tuple(sorted(shown.items())),
    )  # fmt: skip


def _fill(
    member: Member,
    finals: Mapping[tuple[str, str], str],
    before: Mapping[tuple[str, str], str],
    rosters: set[tuple[str, str]],
) -> dict[tuple[str, str], str]:
    slug, fill = member.scan.slug, {}
    for name, role in member.scan.slots:
        if role == "def":
            fill[name, role] = finals.get((slug, name), f"{name}__void__{slug.replace('-', '_')}")
        elif role == "overridden":
            plain = name[len(PREFIX) :]
            fill[name, role] = before.get((slug, plain), f"{plain}__before")
        elif member.view:
            fill[name, role] = f"{name}__{member.view}"
            rosters.add((name, member.view))
    return fill


def _chains(
    members: Sequence[Member], words: frozenset[str]
) -> tuple[dict[str, list[Member]], list[Problem]]:
    """Who defines each public name, the base first; two bases are a problem."""
    bases: dict[str, list[Member]] = {}
    above: dict[str, list[Member]] = {}
    problems = []
    for member in members:
        for name, line in member.scan.functions.items():
            place = Place(member.path, line, 0, member.title)
            if name in words or name in RESERVED:
                problems.append(Problem(f"{name} is a word of the language", place, "choose another name"))
            if name in member.barred:
                continue
            if name in member.overrides:
                above.setdefault(name, []).append(member)
                continue
            first = bases.setdefault(name, [])
            if first:
                what = f"{name} is defined already, by the rule {first[0].title}"
                problems.append(Problem(what, place, f"put {name} under overrides, or choose another name"))
            else:
                first.append(member)
    chains = {name: bases.get(name, []) + above.get(name, []) for name in [*bases, *above]}
    problems += _signatures(chains)
    return chains, problems


def _signatures(chains: Mapping[str, Sequence[Member]]) -> list[Problem]:
    problems = []
    for name, chain in chains.items():
        for member in chain[1:]:
            first, own = chain[0].scan.parameters[name], member.scan.parameters[name]
            if len(first) != len(own) or (name.startswith("do_") and set(first) != set(own)):
                wanted = ", ".join(first)
                place = Place(member.path, member.scan.functions[name], 0, member.title)
                problems.append(
                    Problem(
                        f"{name} overrides a function of other parameters", place, f"write {name}({wanted})"
                    )
                )
    return problems


# ---- what of the whole a function needs


class Piece(Struct, frozen=True):
    """A definition in the whole law: the number of its source, its lines there (``end`` excluded), what it uses."""

    source: int
    start: int
    end: int
    uses: frozenset[str]


def pieces(law: Linked) -> Mapping[str, Sequence[Piece]] | None:
    """All definitions by their linked names; None where a file holds anything else, so that none can be taken alone."""
    by_name: dict[str, list[Piece]] = {}
    for number, (scan, fill) in enumerate(law.filled):
        if scan.passages is None:
            return None
        tail = "__" + scan.slug.replace("-", "_")
        names = {name: name + tail for name in scan.private}
        names |= {name: filled for (name, role), filled in fill.items() if role == "overridden"}
        for passage in scan.passages:
            own = names.get(passage.name) or fill[passage.name, "def"]
            uses = frozenset(names.get(name, name) for name in passage.uses.split())
            piece = Piece(number, scan.line + passage.start, scan.line + passage.end, uses)
            by_name.setdefault(own, []).append(piece)
    return by_name


def changed(
    old: Linked, before: Mapping[str, Sequence[Piece]], new: Linked, known: Mapping[str, Sequence[Piece]]
) -> set[str]:
    """The names that mean something else in a new law than in an old one, or can come to call what does."""
    kept = {*old.sources}
    moved = {name for name, _ in {*old.shown} ^ {*new.shown}}
    moved |= {
        name for name, some in known.items() if any(new.sources[each.source] not in kept for each in some)
    }
    moved |= {name for name, some in before.items() if len(some) != len(known.get(name, ()))}
    more = moved
    while more:
        more = {
            name
            for name, some in known.items()
            if name not in moved and not all(each.uses.isdisjoint(more) for each in some)
        }
        moved |= more
    return moved


def reached(
    law: Linked, known: Mapping[str, Sequence[Piece]], *wanted: str
) -> tuple[tuple[Source, ...], list[str], set[str]]:
    """All that functions can come to call, every definition on its own line; their names, and all that they use."""
    lines: dict[int, list[Piece]] = {}
    uses: set[str] = set()
    names, waiting = dict.fromkeys(wanted), [*wanted]
    while waiting:
        for piece in known[waiting.pop()]:
            lines.setdefault(piece.source, []).append(piece)
            uses |= piece.uses
            more = [each for each in piece.uses if each in known and each not in names]
            names |= dict.fromkeys(more)
            waiting += more
    sources = (_only(law.sources[number], lines[number]) for number in sorted(lines))
    return tuple(sources), list(names), uses


def _only(source: Source, kept: Sequence[Piece]) -> Source:
    """A source with nothing on its lines but these definitions."""
    lines = source.text.split("\n")
    kept_lines = [""] * len(lines)
    for piece in kept:
        kept_lines[piece.start : piece.end] = lines[piece.start : piece.end]
    return Source(source.path, "\n".join(kept_lines))
