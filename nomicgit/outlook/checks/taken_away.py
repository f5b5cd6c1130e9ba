"""Definitions that changes take away while other rules go on asking for them: one finding for each, and not one for each call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from nomicgit.ground.problems import Place, Problem
from nomicgit.ground.wording import in_words
from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import definitions
from nomicgit.law.ruleset import FOLDER, Ruleset
from nomicgit.outlook.checks.finding import Finding, error, warning

_LACKING = re.compile(r"no rule in force (?:defines|declares) (.+?), (which the mechanics call|for which )")
_OF = re.compile(r"^(the variable \S+) of \w+$")
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
            what = _OF.sub(r"\1", said[1]), "call" if said[2] == _CALL else "ask for"
            lacking.setdefault(what, {})[rule] = None
            breaks |= {what} if each.level == "error" else set()
        else:
            rest.append(each)
    missing = (
        (error if what in breaks else warning)(_taken(*what, list(rules), _where(before, after, what[0])))
        for what, rules in lacking.items()
    )
    return [*missing, *rest]


def _where(before: Ruleset, after: Ruleset, name: str) -> Place:
    """The file of the rule that has what is gone no more, as it is now, or as it was where the whole rule is gone."""
    word = underscored(name.rpartition(" ")[2])
    for placed in before.rules:
        now = after.by_slug.get(placed.slug)
        if now is not None and now.law == placed.law:
            continue
        defined = (each.name for each in definitions(placed.mechanics))
        if word in {*defined, *_keys(placed.front)}:
            return Place((now or placed).file, 0, 0, placed.title)
    return Place()


def _keys(value: object) -> Iterator[str]:
    """All names under which anything is declared, as mechanics spell them."""
    for key, inner in value.items() if isinstance(value, Mapping) else ():
        yield underscored(str(key))
        yield from _keys(inner)


def _taken(name: str, verb: str, rules: list[str], where: Place) -> Problem:
    whose = "1 rule" if len(rules) == 1 else f"{len(rules)} rules"
    verb = verb.replace("call", "calls").replace("ask", "asks") if len(rules) == 1 else verb
    return Problem(f"it takes away {name}, which {whose} {verb}: {in_words(rules, MOST)}", where)
