"""Take every guard of the law out in turn, and see whether a scenario notices; or every guard of the program.

A guard is whatever refuses: a ``require(…)``, a ``refuse(…)``, and each reason that a judging function returns (one
that gives ``""``, or why not). Each is taken out alone, in a copy of the edition, and the edition's scenarios are played
until one fails. A guard that nothing misses is a survivor: either a scenario is wanting, or the guard is idle, or it may
be argued for in place, by a comment ``# guard: WHY`` on its line.

    python tools/guards.py                          all editions
    python tools/guards.py crypt --rule votes       one rule of one
    python tools/guards.py --program                the program's own, as listed in program_guards.toml
    python tools/guards.py --program strict         those in files with this in their names
    python tools/guards.py --declared               what is declared, changed: every change (see law_mutants.py)
    python tools/guards.py --declared 30 --seed x   thirty of them for each edition, drawn by a seed
    python tools/guards.py --declared --part 2/5    the second of five parts

Exit code 1 where a guard survives that nobody argued for.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from noticing import EDITIONS, Guard, Tried, sound, tried

from nomicgit import editions

FENCE = re.compile(rb"^```starlark\n(.*?)^```", re.MULTILINE | re.DOTALL)
ARGUED = re.compile(r"#\s*guard:\s*(\S.*)")
JUDGES = re.compile(r"guard_|can_|why_not|\w+_(?:enactable|failable)$")
"""Functions that judge by their names; others are found by what they return, or by what declares them."""
DECLARED = re.compile(r"\b(?:which|legal|by): (_?[a-z]\w*)")


Site = tuple[ast.expr | ast.stmt, bytes]
"""A node of a rule's mechanics, and what stands there once it is out."""


@dataclass(frozen=True, slots=True)
class Block:
    """The mechanics of one rule, parsed, with the place of each of their lines in the file."""

    path: str
    file: bytes
    tree: ast.Module
    first: int
    starts: Sequence[int]

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The bytes of the file that a node takes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def functions(self) -> Iterator[ast.FunctionDef]:
        """The functions of the rule."""
        return (node for node in self.tree.body if isinstance(node, ast.FunctionDef))


def blocks(folder: Path) -> Iterator[Block]:
    """The mechanics of all rules of an edition. The language is near enough to Python to be parsed as such."""
    for path in sorted(folder.rglob("*.md")):
        file = path.read_bytes()
        for fence in FENCE.finditer(file):
            body = fence[1]
            starts = [fence.start(1)]
            for line in body.split(b"\n"):
                starts.append(starts[-1] + len(line) + 1)
            first = file.count(b"\n", 0, fence.start(1)) + 1
            yield Block(path.relative_to(folder).as_posix(), file, ast.parse(body), first, starts)


def guards(edition: str, found: Sequence[Block]) -> Iterator[Guard]:
    """All guards of an edition, rule by rule, from top to bottom."""
    judging = judges(found)
    for block in found:
        for function in block.functions():
            sites: list[Site] = [*_statements(function)]
            if _key(block, function.name) in judging:
                sites += _reasons(function)
            for node, without in sorted(sites, key=lambda site: block.span(site[0])):
                yield _guard(edition, block, node, without)


def _guard(edition: str, block: Block, node: ast.expr | ast.stmt, without: bytes) -> Guard:
    start, end = block.span(node)
    line_end = block.file.find(b"\n", end)
    argued = ARGUED.search(block.file[start:line_end].decode())
    text = " ".join(block.file[start:end].decode().split())
    line = block.first + node.lineno - 1
    return Guard(edition, block.path, line, start, end, without, text, argued[1] if argued else "")


def _statements(function: ast.FunctionDef) -> Iterator[Site]:
    for node in ast.walk(function):
        if isinstance(node, ast.Expr) and _called(node.value) in ("require", "refuse"):
            yield node, b"pass"


def _reasons(function: ast.FunctionDef) -> Iterator[Site]:
    nested = {id(inner) for node in function.body for inner in ast.walk(node) if inner is not node}
    for node in ast.walk(function):
        if not isinstance(node, ast.Return) or node.value is None:
            continue
        reasons = [leaf for leaf in leaves(node.value) if not _no_reason(leaf)]
        if id(node) in nested and reasons == [node.value]:
            yield node, b"pass"
        else:
            yield from ((leaf, b'""') for leaf in reasons)


def leaves(value: ast.expr) -> Iterator[ast.expr]:
    """What an expression of a judging function may come to."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            yield from leaves(body)
            yield from leaves(orelse)
        case ast.BoolOp(op=ast.Or(), values=values):
            for each in values:
                yield from leaves(each)
        case ast.BoolOp(op=ast.And(), values=values):
            yield from leaves(values[-1])
        case _:
            yield value


def _no_reason(leaf: ast.expr) -> bool:
    return isinstance(leaf, ast.Constant) and (leaf.value == "" or not isinstance(leaf.value, str))


def judges(found: Iterable[Block]) -> set[tuple[str, str]]:
    """The judging functions: so called, so declared, or returning both ``""`` and a reason, or what another judges."""
    found = list(found)
    declared = {name for block in found for name in DECLARED.findall(block.file.decode())}
    returns: dict[tuple[str, str], list[ast.expr]] = {}
    for block in found:
        for function in block.functions():
            values = [
                n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None
            ]
            returns[_key(block, function.name)] = [leaf for value in values for leaf in leaves(value)]
    judging = {
        key
        for key, values in returns.items()
        if JUDGES.match(key[1]) or key[1] in declared or (_allows(values) and any(map(_speaks, values)))
    }
    for _ in range(len(returns)):
        more = {
            key
            for key, values in returns.items()
            if key not in judging
            and any((key[0], _called(v)) in judging or ("", _called(v)) in judging for v in values)
        }
        if not more:
            break
        judging |= more
    return judging


def _allows(values: Iterable[ast.expr]) -> bool:
    return any(isinstance(value, ast.Constant) and value.value == "" for value in values)


def _speaks(value: ast.expr) -> bool:
    return any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) and " " in n.value for n in ast.walk(value)
    )


def _key(block: Block, name: str) -> tuple[str, str]:
    return (block.path if name.startswith("_") else "", name)


def _called(value: ast.expr) -> str:
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""


def run(edition: str, everything: Iterable[Guard], slug: str | None, processes: int) -> list[Tried]:
    """Take the guards of an edition, or of one of its rules, out; those that survived or could not be tried."""
    wanted = [
        g
        for g in everything
        if slug is None or re.fullmatch(rf"\d+-{re.escape(slug)}\.md", Path(g.path).name)
    ]
    scenarios = sound(edition)
    began, left = time.monotonic(), []
    for number, each in enumerate(tried(wanted, scenarios, processes), 1):
        if not each.noticed:
            left.append(each)
        _progress(edition, number, len(wanted), len(left), began)
    return sorted(left, key=lambda each: (each.guard.path, each.guard.start))


def _progress(edition: str, number: int, of: int, left: int, began: float) -> None:
    if sys.stderr.isatty():
        print(
            f"\r{edition}: {number} of {of} taken out, {left} unnoticed",
            end="" if number < of else "\n",
            file=sys.stderr,
        )
    elif number % 50 == 0 or number == of:
        spent = time.monotonic() - began
        print(f"{edition}: {number} of {of} taken out, {left} unnoticed, {spent:.0f} s", file=sys.stderr)


def report(left: Sequence[Tried]) -> int:
    """Print what survived; how many of them nobody argued for."""
    unargued = 0
    for each in left:
        guard = each.guard
        place = f"nomicgit/editions/{guard.edition}/{guard.path}:{guard.line}"
        if each.broken:
            print(f"{place}: could not be taken out: {guard.text}\n    {each.broken}")
        elif guard.argued:
            print(f"{place}: argued for ({guard.argued}): {guard.text}")
            continue
        else:
            print(f"{place}: survives: {guard.text}")
        unargued += 1
    return unargued


def _part(text: str) -> tuple[int, int]:
    """Which part of how many."""
    part, _, parts = text.partition("/")
    if not 1 <= int(part) <= int(parts):
        raise argparse.ArgumentTypeError(f"{text} is no part: 1/3 is the first of three")
    return int(part), int(parts)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("editions", nargs="*", metavar="EDITION", help="which ones (all)")
    parser.add_argument("--rule", metavar="SLUG", help="only the guards of this rule")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="how many at once (2)")
    parser.add_argument("--list", action="store_true", help="only list the guards")
    parser.add_argument(
        "--program", nargs="?", const="", metavar="FILE", help="the program's own guards, in such files"
    )
    parser.add_argument(
        "--declared",
        nargs="?",
        type=int,
        const=0,
        metavar="N",
        help="change what is declared: N changes (all)",
    )
    parser.add_argument("--seed", default="", help="by which these are drawn")
    parser.add_argument(
        "--part", type=_part, default=(1, 1), metavar="K/N", help="the K-th of N parts of them"
    )
    given = parser.parse_args()
    unargued = 0
    if given.program is not None:
        import program_guards

        return 1 if program_guards.report(given.program, given.processes, listed=given.list) else 0
    for edition in given.editions or editions.names():
        if given.declared is None:
            everything = list(guards(edition, list(blocks(EDITIONS / edition))))
        else:
            import law_mutants

            everything = law_mutants.drawn(list(law_mutants.declared(edition)), given.declared, given.seed)
        part, parts = given.part
        everything = everything[part - 1 :: parts]
        if given.list:
            for guard in everything:
                print(f"{edition}/{guard.path}:{guard.line}: {guard.text}")
            continue
        unargued += report(run(edition, everything, given.rule, given.processes))
    if not given.list:
        print(
            "every guard is missed by a scenario, or argued for"
            if not unargued
            else f"{unargued} guards survive"
        )
    return 1 if unargued else 0


if __name__ == "__main__":
    sys.exit(main())
