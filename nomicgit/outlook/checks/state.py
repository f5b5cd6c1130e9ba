"""Checks of the gamestate: every file of a game, against the law that is in force."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from nomicgit.ground import files
from nomicgit.ground.problems import NomicError, Place, Problem
from nomicgit.law.law import Law
from nomicgit.law.variables import Variable
from nomicgit.outlook.checks.finding import Finding, error, in_front, warning
from nomicgit.physics.state import reading, resetting
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.tree import GAME, GameTree, comments_path, post_text, rendered

KNOWN = (
    re.compile(r"game/game\.yml"),
    re.compile(r"game/signers"),
    re.compile(r"game/sealed/(keys\.yml|state|since)"),
    re.compile(r"game/ruleset/.+\.md"),
    re.compile(r"game/state/(game|dynasty|open|used)\.yml"),
    re.compile(r"game/state/[a-z][a-z0-9_-]*/[A-Za-z0-9._-]+\.yml"),
    re.compile(r"game/posts/\d{4}/\d{2}/\d{4,}-[a-z0-9-]*\.(md|comments\.yml)"),
    re.compile(r"game/scenarios/[a-z0-9-]+\.yml"),
)
PROGRAM = frozenset(
    {
        "made",
        "uses",
        "forge",
        "mailbox",
        "frozen",
        "called",
        "hash",
        "branch_head",
        "byline",
        "author",
        "title",
        "body",
    }
)
LARGEST = 1024 * 1024


def _wrong(path: str, what: str, mend: str = "") -> Finding:
    return error(Problem(what, Place(path), mend))


def layout(tree: GameTree, position: Position) -> Iterator[Finding]:
    """Files that have no place in a game, or are too large."""
    for path, oid in tree.repository.walk(tree.tree, GAME.rstrip("/")):
        if not any(known.fullmatch(path) for known in KNOWN):
            yield _wrong(path, "no file of a game lies here", "take it out of game/")
        elif len(tree.repository.blob(oid)) > LARGEST:
            yield _wrong(path, "the file is larger than 1 MiB")


def entities(tree: GameTree, position: Position) -> Iterator[Finding]:
    """Files of entities: canonical, of declared fields, with legal values."""
    world, law = Transaction(position, Context(), Seeded(b"", "check")), position.law
    kinds = ["players", *law.declared.collections]
    refs = ["game", "dynasty", *(f"{kind}/{name}" for kind in kinds for name in tree.ids(kind))]
    faulty = {problem.where.file for problem in law.declared.problems}
    resting = [
        placed.front.get("variables")
        for placed in law.ruleset.rules
        if placed.status != "active" or placed.file in faulty
    ]
    undeclared = {name for variables in resting if isinstance(variables, dict) for name in variables}
    for ref in refs:
        path = tree.path(ref)
        data = tree.repository.file(tree.tree, path)
        if data is None:
            continue
        try:
            fields = world.store.fields(ref) or {}
        except NomicError as wrong:
            yield from map(error, wrong.problems)
            continue
        if rendered(ref, fields) != data:
            yield _wrong(
                path,
                "the file is not in canonical form",
                "let a deed write it; state is never edited by hand",
            )
        yield from _fields(world, ref, path, fields, undeclared)


def _fields(
    world: Transaction, ref: str, path: str, fields: Mapping[str, object], undeclared: set[str]
) -> Iterator[Finding]:
    kind = kind_of(ref)
    for name in fields:
        declared = world.law.variable(kind, name)
        if declared is None:
            if name not in PROGRAM and name not in reading.KEPT.get(kind, {}) and name not in undeclared:
                yield _wrong(path, f"no rule declares {name}")
        elif not declared.invalid and (why := resetting.illegal(world, ref, declared)):
            yield _wrong(path, f"{name}: {why}", f"{_declaration(world.law, declared)} declares it")


def _declaration(law: Law, declared: Variable) -> str:
    """Where a variable is declared, as people find it."""
    ways = {True: ("collections", declared.of, "fields"), False: ("variables",)}
    way = ways[declared.of in law.declared.collections]
    return str(in_front(law, declared.rule, (*way, declared.name), "").where)


def posts(tree: GameTree, position: Position) -> Iterator[Finding]:
    """Files of posts and their comments."""
    for name in tree.ids("posts"):
        ref = f"posts/{name}"
        try:
            fields = tree.entity(ref)
            said = tree.comments(ref)
        except NomicError as wrong:
            yield from map(error, wrong.problems)
            continue
        path = tree.post_path(int(name), fields or {})
        if fields is not None and post_text(fields).encode() != tree.repository.file(tree.tree, path):
            yield _wrong(path, "the file is not in canonical form")
        if fields is not None and fields.get("kind") not in (*position.law.declared.posts, "none"):
            yield warning(
                Problem(f"no rule in force knows posts of the kind {fields.get('kind')}", Place(path))
            )
        if any(a["at"] > b["at"] for a, b in pairwise(said)):
            yield _wrong(comments_path(path), "the comments are not in the order of their times")


def index(tree: GameTree, position: Position) -> Iterator[Finding]:
    """The index of what is pending must agree with the posts."""
    kept = tree.entity("open") or {}
    numbers = sorted(int(name) for name in tree.ids("posts"))
    pending = [n for n in numbers if (tree.entity(f"posts/{n}") or {}).get("status") == "pending"]
    if kept.get("pending", []) != pending:
        yield _wrong(tree.path("open"), f"pending: must be {files.write_flow(pending)}")
    if numbers and int(kept.get("next", 0)) <= numbers[-1]:
        yield _wrong(tree.path("open"), f"next: must be above {numbers[-1]}")


def scenarios(tree: GameTree, position: Position) -> Iterator[Finding]:
    """Scenarios that the game keeps must be readable."""
    for name in tree.ids("scenarios"):
        path = tree.path(f"scenarios/{name}")
        try:
            files.read(tree.repository.file(tree.tree, path) or b"", path)
        except NomicError as wrong:
            yield from map(error, wrong.problems)
