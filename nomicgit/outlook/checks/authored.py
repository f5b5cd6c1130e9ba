"""The rules of a branch as their author has them: what is found in canonical files is told in the author's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from nomicgit.ground.problems import Place, Problem
from nomicgit.law.rules import front_lines
from nomicgit.law.ruleset import FOLDER, Placed, Ruleset
from nomicgit.law.shapes import Change
from nomicgit.outlook.branches.meanwhile import Brought
from nomicgit.outlook.checks.finding import Finding
from nomicgit.record.proof import carry, same_words

_PLACE = re.compile(rf"({re.escape(FOLDER)}[\w./-]+\.md)(?::(\d+)(?::\d+)?)?")
_BEHIND = re.compile(
    rf" \((?:rule (?P<rule>.+?), )?{_PLACE.pattern}(?:; (?P<mend>.*?))?\)(?=;|\n|$)", re.DOTALL
)


def as_problem(words: str) -> Problem:
    """What words say, with the first place that stands behind them, and what is to be done about it."""
    named = _BEHIND.search(words)
    if named is None:
        return Problem(words)
    place = Place(named[2], int(named[3] or 0), 0, named["rule"] or "")
    return Problem(words[: named.start()] + words[named.end() :], place, named["mend"] or "")


class Authored:
    """The rules after a branch's enactment; ``lines`` are the same rules with the text that their author has of them.

    A rule that has become another than its author's, since the game has gone on, stays as it is.
    ``drawn`` are the rules as the branch's changes would make them were nothing in their way: what is not made has a
    place too. Without a branch they are ``of_files`` of nobody's.
    """

    drawn: Ruleset

    def __init__(self, after: Ruleset, head: Ruleset, drawn: Ruleset) -> None:
        own_texts = {each.path: head.texts[own.path] for each, own in _like(after, head)}
        self.lines = Ruleset.read({**after.texts, **own_texts}, old=after)
        self.of_files = True
        self.drawn = drawn
        self.files: dict[str, str] = {}
        self.first: dict[
            str, int
        ] = {}  # of rules of which a change gives the mechanics: the line before them
        self._lines: dict[str, Callable[[], Mapping[int, int]]] = {}
        for rules in (drawn, after):
            for each, own in _like(rules, head):
                self.files[each.file] = own.file
                self._lines[each.file] = partial(_by_line, each, own, rules, head)

    @classmethod
    def of(
        cls, brought: Brought | None, before: Ruleset, changes: Iterable[Change], after: Ruleset
    ) -> Authored:
        """The rules after some changes, those of a branch or, without one, of nobody's files."""
        changes = tuple(changes)
        drawn = carry(before, changes, ()).ruleset
        if brought is None:
            nobodys, texts = cls(after, after, drawn), set(_mechanics(changes))
            nobodys.of_files = False
            nobodys.first = {each.file: each.line for each in after.rules if each.mechanics.strip() in texts}
            return nobodys
        return cls(after, brought.head, drawn)

    def own(self, finding: Finding) -> Finding:
        """What is found in ``lines``, in the author's file."""
        where = finding.problem.where
        file = self.files.get(where.file, where.file)
        return replace(finding, problem=replace(finding.problem, where=replace(where, file=file)))

    def placed(self, problem: Problem) -> Problem:
        """A problem of a canonical file, in the author's: the same line, or the first where they have none like it."""
        where = problem.where
        if where.file not in self.files:
            return problem
        line = self._lines[where.file]().get(where.line) or 1
        return replace(problem, where=replace(where, file=self.files[where.file], line=line))

    def remark(self, plain: Mapping[str, Any]) -> str:
        """What may surprise about a change, with its place where its author has it in a file."""
        problem = Problem.of_json(plain)
        return self.placed(problem if self.of_files else replace(problem, where=Place())).sentence

    def told(self, words: str) -> str:
        """Words that name places in canonical files, with the author's places."""
        return _PLACE.sub(self._place, words)

    def of_scenarios(self, failed: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Scenarios that fail, each failure with the author's places."""
        return [{**each, "failures": list(map(self.told, each["failures"]))} for each in failed]

    def _place(self, named: re.Match[str]) -> str:
        if named[1] not in self.files:
            return named[0]
        line = self._lines[named[1]]().get(int(named[2] or 0))
        place = self.files[named[1]] + (f":{line}" if line else "")
        within = (line or 0) - self.first.get(named[1], line or 0)
        return f"{place}, line {within} of its mechanics" if within > 0 else place

    def of_check(self, finding: Finding) -> dict[str, str]:
        """What is found: its ``level``, and in words (``said``)."""
        said = str(finding.problem)
        return {"level": finding.level, "said": self.told(said) if self.first else said}


def _mechanics(changes: Iterable[Change]) -> Iterator[str]:
    """The mechanics that changes give whole."""
    for change in changes:
        yield from _mechanics(change.get("together") or ())
        for what in change.values():
            if isinstance(what, Mapping) and isinstance(what.get("mechanics"), str):
                yield what["mechanics"].strip()


def _like(rules: Ruleset, head: Ruleset) -> list[tuple[Placed, Placed]]:
    """The rules that say what their author's do, each with that."""
    owned = ((each, head.by_slug[each.slug]) for each in rules.rules if each.slug in head.by_slug)
    return [(each, own) for each, own in owned if same_words(each, own)]


def _by_line(canonical: Placed, own: Placed, after: Ruleset, head: Ruleset) -> Mapping[int, int]:
    """The author's lines of those of a canonical file that declare or carry out."""
    theirs = front_lines(head.texts[own.path])
    lines = {
        n: theirs[path] for path, n in front_lines(after.texts[canonical.path]).items() if path in theirs
    }
    if canonical.mechanics == own.mechanics:
        lines |= {canonical.line + n: own.line + n for n in range(1, canonical.mechanics.count("\n") + 2)}
    return lines
