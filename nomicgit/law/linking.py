"""How the mechanics of all rules become one body of law: names, by tokens, never by text.

Functions of all rules see each other. What begins with ``_`` and every constant belongs to its file. Where
rules override one function each definition keeps a name of its own, and ``overridden_NAME`` means the one
before. Words that count players, such as ``players``, mean the roster as the file's rule counts it.

The values here are named tuples, which are made ten times as fast as dataclasses: every command waits for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from nomicgit.ground.problems import Place, Problem
from nomicgit.law.scanning import PREFIX, Scan

RESERVED = frozenset(
    "and break continue def elif else for if in lambda load not or pass return as assert async await class del "
    "except finally from global import is nonlocal raise try while with yield True False None".split()
)
BUILTINS = frozenset(
    "abs all any bool chr dict dir enumerate fail filter float getattr hasattr hash int json len list map max min ord "
    "partial pprint print range repr reversed set sorted str tuple type zip debug".split()
)
SHOWN = "__shown"  # the end of the linked name of a function that is a view


def linked(name: str, slug: str) -> str:
    """The name under which a rule's file knows a function, in the whole law."""
    return f"{name}__{slug.replace('-', '_')}" if name.startswith("_") else name


def written(text: str) -> str:
    """Linked names in a message, as their authors wrote them."""
    return " ".join(_unlinked(word) for word in text.split(" "))


def _unlinked(word: str) -> str:
    head, parting, _ = word.partition("__")
    return head + word[len(word.rstrip("`'\".,:;)(")) :] if parting and head.strip("`'\"(") else word


class Language(NamedTuple):
    """The language of one physics, by its number, as linking and compiling ask for it.

    ``rosters`` are the words that count players as the file that uses them does; what ``large`` ones give crosses as text;
    calls of the law by words nest ``nesting`` deep.
    """

    physics: int
    words: frozenset[str]
    rosters: frozenset[str]
    large: frozenset[str]
    nesting: int


class Member(NamedTuple):
    """One rule's part in the law: its scan, its file, what it overrides, how it counts players."""

    scan: Scan
    path: str
    title: str
    overrides: frozenset[str]
    barred: frozenset[str]
    view: str


class Source(NamedTuple):
    """One file ready for the interpreter: its text is padded to its lines."""

    path: str
    text: str


class Linked(NamedTuple):
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


class Piece(NamedTuple):
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


def reached(
    law: Linked, known: Mapping[str, Sequence[Piece]], name: str
) -> tuple[tuple[Source, ...], list[str], set[str]]:
    """All that a function can come to call, every definition on its own line; their names, and all that they use."""
    lines: dict[int, list[Piece]] = {}
    uses: set[str] = set()
    names, waiting = {name: None}, [name]
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
