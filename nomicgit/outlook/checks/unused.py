"""Checks of what a rule has and nothing in the law uses: a limit that binds nobody, a variable, a function of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import DEEPER, code, definitions
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Placed
from nomicgit.law.terms import QUOTE
from nomicgit.outlook.checks.finding import Finding, in_front, in_rule, warning
from nomicgit.outlook.checks.handed import calls, literal
from nomicgit.outlook.checks.named import near
from nomicgit.outlook.checks.takings import texts_in

_WORD = re.compile(r"[\w-]+")
LIMITING = frozenset({"use", "may_use", "used"})


UNUSED = re.compile(
    r"no action names the limit |nothing in the rules reads or writes |nobody calls \w+, and other rules cannot"
)


def but_where_wrong(findings: Iterable[Finding], broken: Iterable[Finding]) -> list[Finding]:
    """Findings without what nothing uses in rules in which something is wrong: what is to use it may be just that."""
    files = {each.problem.where.file for each in broken if each.level == "error"}
    return [
        each
        for each in findings
        if each.problem.where.file not in files or not UNUSED.match(each.problem.what)
    ]


def unused(law: Law) -> Iterator[Finding]:
    """Limits, variables and functions of a rule's own that nothing uses."""
    words = {placed.slug: frozenset(_words(law, placed)) for placed in law.ruleset.rules}
    known = frozenset[str]().union(*words.values())
    handed = {underscored(name) for placed in law.ruleset.rules for name in _handed(law, placed)}
    begun = tuple(
        each for each in known if len(each) > 1 and each.endswith("_")
    )  # names that are put together
    lacking = {
        each.rule
        for each in law.declared.actions.values()
        if each.limit and each.limit not in law.declared.limits
    }
    bound = {underscored(each) for each in _limited(law)}
    strange = handed - {name for _, name in law.declared.variables}
    for limit in law.declared.limits.values():
        own = law.ruleset.by_slug[limit.rule].section == "dynastic" and limit.rule not in lacking
        if own and underscored(limit.name) not in (handed if "" in bound else bound):
            what = f"no action names the limit {limit.name}: it binds nobody"
            mend = f"write limit: {limit.name} under the action that it is to bind, or take it out"
            yield warning(in_front(law, limit.rule, ("limits", limit.name), what, mend))
    for variable in law.declared.variables.values():
        if (
            not (variable.derived or variable.by_hand)
            and variable.of not in law.declared.collections
            and variable.name not in handed
            and not variable.name.startswith(begun)
            and law.ruleset.by_slug[variable.rule].mechanics
            and not near(variable.name, strange)  # what may be meant by another that nobody declares
        ):
            what = f"nothing in the rules reads or writes {variable.name}: it stays as it is"
            mend = f'use it, with get(ref, "{variable.name}") and put(ref, {variable.name}=…) say, or take it out'
            yield warning(in_front(law, variable.rule, ("variables", variable.name), what, mend))
    for placed in law.active:
        for each in definitions(placed.mechanics):
            own = each.kind == "function" and each.name.startswith("_")
            if own and each.name not in words[placed.slug] and not near(each.name, words[placed.slug]):
                line = placed.line + 1 + each.start
                what = f"nobody calls {each.name}, and other rules cannot: it does nothing"
                yield warning(in_rule(law, placed.slug, what, "call it, or take it out", line))


@lru_cache(maxsize=1024)
def _used(text: str) -> frozenset[str]:
    """All names by which some mechanics use anything."""
    names, before = set[str](), ""
    for kind, word, _ in code(text):
        if kind == "STRING":
            names.update(map(underscored, _WORD.findall(word)))
        elif kind == "NAME" and before != "def":
            names |= {word, word.removesuffix("_")}
        before = word
    return frozenset(names)


def _limited(law: Law) -> Iterator[str]:
    """The limits that actions, guards, mechanics and quotes in prose name; "" where one is worked out."""
    for placed in law.ruleset.rules:
        yield from (
            literal(each.given[0]) if each.given else "" for each in calls(placed.mechanics, LIMITING)
        )
        yield from _under("limit", placed.front)
        yield from (word for quote in re.findall(QUOTE, placed.prose) for word in _WORD.findall(quote))


def _under(key: str, part: object) -> Iterator[str]:
    """The texts that stand anywhere in some declarations under a key."""
    if isinstance(part, Mapping):
        for name, inner in part.items():
            yield from (text for text in texts_in(inner) if text) if name == key else _under(key, inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from _under(key, inner)


def _handed(law: Law, placed: Placed) -> Iterator[str]:
    """The names by which a rule may use a variable or a limit: a text holds them, or they stand before ``=`` between brackets; a name
    of a function's own, and what else is declared by the same name, use none.
    """
    depth = 0
    plain = [token for token in code(placed.mechanics) if token[0] != "COMMENT"]
    for (kind, word, _), (_, after, _) in zip(plain, [*plain[1:], ("", "", 0)], strict=False):
        depth += DEEPER.get(word, 0)
        if kind == "STRING":
            yield from _WORD.findall(word)
        elif kind == "NAME" and depth and after == "=":
            yield from (word, word.removesuffix("_"))
    for quote in re.findall(QUOTE, placed.prose):
        yield from _WORD.findall(quote)
    for key, spec in placed.front.items():
        names = key in law.declarations and isinstance(spec, Mapping)
        for text in texts_in(list(spec.values()) if names and isinstance(spec, Mapping) else spec):
            yield from _WORD.findall(text)


def _words(law: Law, placed: Placed) -> Iterator[str]:
    """All names by which a rule uses anything, as mechanics spell them: those that it only declares or defines are none."""
    yield from _used(placed.mechanics)
    for quote in re.findall(QUOTE, placed.prose):
        yield from map(underscored, _WORD.findall(quote))
    for key, spec in placed.front.items():
        named = key in ("limits", "variables")
        for text in texts_in(list(spec.values()) if named and isinstance(spec, Mapping) else spec):
            yield from map(underscored, _WORD.findall(text))
