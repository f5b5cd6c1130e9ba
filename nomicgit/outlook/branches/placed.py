"""What a branch does to the tree of rules: rules that come, that go, and that stand elsewhere."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping
from typing import Any

from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.sentences import canonical
from nomicgit.law.shapes import Change
from nomicgit.law.titles import slug_for

Home = tuple[str, str | None]  # a section and the slug of the rule above, None at its top level


def arrivals(base: Ruleset, head: Ruleset, used: Collection[str]) -> list[Change]:
    """The additions and moves that make the tree of the base that of the head, parents first, in reading order.

    A place is said by what follows it, or is the end: so two rules that are added at one place stand in the
    order in which they were enacted.
    """
    unmoved = _unmoved(base, head)
    named = _named(head, base)
    made: list[Change] = []
    homes = _homes(head)
    for each in head.rules:
        siblings = homes[each.section, each.parent]
        at = siblings.index(each.slug)
        place: dict[str, Any] = {"section": each.section}
        if each.parent is not None:
            place["under"] = each.parent
        later = next((slug for slug in siblings[at + 1 :] if slug in unmoved), None)
        if later is not None:
            place["before"] = later
        if each.slug not in base.by_slug:
            made.append({"add-rule": _added(each, {*used, *base.by_slug}, named) | place})
        elif each.slug not in unmoved:
            if each.parent is None:
                place["under"] = None
            made.append({"move": {"rule": each.slug, **place}})
    return made


def departures(base: Ruleset, head: Ruleset) -> list[Change]:
    """The repeals, each of the topmost rule of those that go with it."""
    gone = {slug for slug in base.by_slug if slug not in head.by_slug}
    return [{"repeal": each.slug} for each in base.rules if each.slug in gone and each.parent not in gone]


def _homes(ruleset: Ruleset) -> dict[Home, list[str]]:
    homes: dict[Home, list[str]] = {}
    for each in ruleset.rules:
        homes.setdefault((each.section, each.parent), []).append(each.slug)
    return homes


def _unmoved(base: Ruleset, head: Ruleset) -> set[str]:
    """The rules that need not move: of each home the longest row that keeps its order."""
    unmoved: set[str] = set()
    before = _homes(base)
    for home, siblings in _homes(head).items():
        ranks = {slug: rank for rank, slug in enumerate(before.get(home, ()))}
        stayed = [slug for slug in siblings if slug in ranks]
        unmoved |= {stayed[n] for n in _rising([ranks[slug] for slug in stayed])}
    return unmoved


def _rising(ranks: list[int]) -> list[int]:
    """The places of a longest rising row of distinct numbers."""
    tails: list[int] = []
    ends: list[int] = []
    links: list[int] = []
    for n, rank in enumerate(ranks):
        at = bisect_left(tails, rank)
        tails[at : at + 1] = [rank]
        ends[at : at + 1] = [n]
        links.append(ends[at - 1] if at else -1)
    places, n = [], ends[-1] if ends else -1
    while n >= 0:
        places.append(n)
        n = links[n]
    return places[::-1]


def _named(head: Ruleset, base: Ruleset) -> set[str]:
    """The new rules under which others come to stand: these keep their slug."""
    return {each.parent for each in head.rules if each.parent is not None} - set(base.by_slug)


def _added(each: Placed, used: Collection[str], named: Collection[str]) -> dict[str, object]:
    rule: dict[str, Any] = {"title": each.title, "text": canonical(each.prose)}
    if each.slug in named or slug_for(each.title, used) != each.slug:
        rule["slug"] = each.slug
    more: Mapping[str, Any] = {"declares": dict(each.front), "mechanics": each.mechanics}
    return rule | {key: value for key, value in more.items() if value}
