"""Definitions that changes take away while other rules go on asking for them: one finding for each, and not one for each call."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nomicgit.ground.problems import Problem
from nomicgit.ground.wording import in_words
from nomicgit.law.ruleset import FOLDER, Ruleset
from nomicgit.outlook.checks.finding import Finding, error, warning

_LACKING = re.compile(r"no rule in force (?:defines|declares) (.+?), (which the mechanics call|for which )")
_CALL = "which the mechanics call"
MOST = 120  # letters of the rules that are named


def gathered(before: Ruleset, after: Ruleset, findings: Iterable[Finding]) -> list[Finding]:
    """What is newly found in a ruleset, with what its rules lack through the changes alone told once for each name: as an error
    where one of the places breaks.
    """
    as_they_were = {
        FOLDER + placed.path: placed.title
        for placed in after.rules
        if (old := before.by_slug.get(placed.slug)) and old.mechanics == placed.mechanics
    }
    rest: list[Finding] = []
    lacking: dict[tuple[str, str], dict[str, None]] = {}
    breaks: set[tuple[str, str]] = set()
    for each in findings:
        said, rule = _LACKING.match(each.problem.what), as_they_were.get(each.problem.where.file)
        if said and rule is not None:
            what = said[1], "call" if said[2] == _CALL else "ask for"
            lacking.setdefault(what, {})[rule] = None
            breaks |= {what} if each.level == "error" else set()
        else:
            rest.append(each)
    missing = (
        (error if what in breaks else warning)(_taken(*what, list(rules))) for what, rules in lacking.items()
    )
    return [*missing, *rest]


def _taken(name: str, verb: str, rules: list[str]) -> Problem:
    whose = "1 rule" if len(rules) == 1 else f"{len(rules)} rules"
    verb = verb.replace("call", "calls").replace("ask", "asks") if len(rules) == 1 else verb
    return Problem(f"it takes away {name}, which {whose} {verb}: {in_words(rules, MOST)}")
