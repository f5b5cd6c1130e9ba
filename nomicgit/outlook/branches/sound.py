"""Whether the law that a branch makes can be law: its mechanics parsed, its names linked. In a worker, always."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator
from typing import Any

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError, Place, Problem
from nomicgit.law import rules
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.unreadable import unreadable
from nomicgit.outlook.branches import coded
from nomicgit.outlook.branches.touched import MOST_PROBLEMS
from nomicgit.physics.physics import Physics
from nomicgit.record.proof import words

RULES = "game/ruleset/"
_CLASH = re.compile(r"(?P<name>[\w-]+) is declared twice, here and in the rule (?P<rule>[\w-]+)")


def unsound(base: Ruleset, head: Ruleset, physics: Physics) -> list[Problem]:
    """What is wrong with the mechanics and declarations of a branch's rules, and was not before."""
    changed = _lawful_changes(base, head)
    if not changed:
        return []
    stray = list(itertools.islice((each for slug in changed for each in _stray(head, slug)), MOST_PROBLEMS))
    try:
        plain = worker.run(lambda: [as_plain(problem) for problem in _found(base, head, changed, physics)])
    except NomicError as wrong:
        return [*stray, *wrong.problems]
    problems = list(map(from_plain, plain))
    unread = {(each.where.file, each.where.line) for each in problems}
    loose = [
        each for each in stray if each.what != coded.LOOSE or (each.where.file, each.where.line) not in unread
    ]
    plain_lines = {(each.where.file, each.where.line) for each in problems if each.where.column}
    plainest = [
        each
        for each in problems
        if each.where.column or (each.where.file, each.where.line) not in plain_lines
    ]
    return list(dict.fromkeys([*loose, *plainest]))


def _lawful_changes(base: Ruleset, head: Ruleset) -> list[str]:
    """The slugs of the rules whose declarations, mechanics or place may make other law."""
    return [
        each.slug
        for each in head.rules
        if (old := base.by_slug.get(each.slug)) is None
        or (old.section, old.parent) != (each.section, each.parent)
        or (old.rule != each.rule and words(old)[2:] != words(each)[2:])
    ]


def _stray(head: Ruleset, slug: str) -> Iterator[Problem]:
    placed = head.by_slug[slug]
    return coded.wrong(placed.mechanics, placed.line, RULES + placed.path, placed.title)


def _found(base: Ruleset, head: Ruleset, changed: Collection[str], physics: Physics) -> Iterator[Problem]:
    for slug in changed:
        placed = head.by_slug[slug]
        if placed.mechanics:
            yield from unreadable(RULES + placed.path, placed.mechanics, placed.line, placed.title)
    problems = physics.law(head).problems
    if problems:
        known = {(each.what, each.where.rule) for each in physics.law(base).problems}
        new = (each for each in problems if (each.what, each.where.rule) not in known)
        yield from (_with_file(head, of_author(head, changed, each)) for each in new)


def of_author(ruleset: Ruleset, changed: Collection[str], problem: Problem) -> Problem:
    """A problem of a name that two rules declare, told of the one that is changed: the other's author did nothing."""
    clash = _CLASH.search(problem.what)
    titles = {each.title: each.slug for each in ruleset.rules}
    there = titles.get(problem.where.rule, problem.where.rule)
    if clash is None or clash["rule"] not in changed or there in changed or there not in ruleset.by_slug:
        return problem
    own = ruleset.by_slug[clash["rule"]]
    lines = rules.front_lines(ruleset.texts[own.path])
    line = next((n for path, n in lines.items() if len(path) == 2 and str(path[1]) == clash["name"]), 1)
    what = f"{problem.what[: clash.start('rule')]}{there}{problem.what[clash.end('rule') :]}"
    return Problem(what, Place(RULES + own.path, line, 0, own.title), problem.mend)


def _with_file(ruleset: Ruleset, problem: Problem) -> Problem:
    """A problem with the file of the rule that it names, and the line of what it is about in the front matter."""
    where = problem.where
    path = where.file.removeprefix(RULES)
    if path not in ruleset.texts:
        named = (each.path for each in ruleset.rules if where.rule and where.rule in (each.slug, each.title))
        path = next(named, "")
    if not path:
        return problem
    line = where.line or _line_of(problem.what, ruleset.texts[path])
    return Problem(problem.what, Place(RULES + path, line, where.column, where.rule), problem.mend)


def _line_of(what: str, text: str) -> int:
    """The line of the front matter that a problem speaks of: of the path that it begins with, or of a name in it."""
    lines = rules.front_lines(text)
    head = what.partition(": ")[0]
    paths = [
        path
        for path in lines
        if head == (dotted := ".".join(map(str, path))) or head.startswith(dotted + ".")
    ]
    said = set(re.findall(r"[\w-]+", what))
    paths = paths or [path for path in lines if len(path) > 1 and str(path[-1]) in said]
    return lines[max(paths, key=len)] if paths else 1


def as_plain(problem: Problem) -> dict[str, object]:
    """A problem as what a worker can give back."""
    return dict(problem.as_json())


def from_plain(plain: dict[str, Any]) -> Problem:
    """A problem that a worker gave back."""
    where = Place(plain.get("file", ""), plain.get("line", 0), plain.get("column", 0), plain.get("rule", ""))
    return Problem(plain["what"], where, plain.get("mend", ""))
