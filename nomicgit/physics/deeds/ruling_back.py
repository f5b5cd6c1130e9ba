"""Taking back what a deed did to rules, where they still stand as it left them. Source: ``docs/changes.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from nomicgit.law import rules
from nomicgit.law.ruleset import Placed, Ruleset, Spot
from nomicgit.law.variables import MISSING
from nomicgit.physics.state.effects import Effect, place

PARTS = ("title", "prose", "mechanics")


def rules_back(ruleset: Ruleset, effects: Sequence[Effect]) -> tuple[Ruleset, list[str]]:
    """The ruleset without what these effects on rules say, and what was left, since it stands otherwise by now.

    Those that came go first, subrules before what they stand under; those that went come back in reading order.
    """
    left: list[str] = []
    by_field: dict[str, list[Effect]] = {}
    for effect in effects:
        by_field.setdefault(str(effect["field"]), []).append(effect)
    ruleset = _gone(ruleset, by_field.get("created", []), left)
    ruleset = _come(ruleset, by_field.get("destroyed", []), left)
    for effect in by_field.get("place", []):
        ruleset = _placed_back(ruleset, effect, left)
    for effect in by_field.get("text", []):
        ruleset = _text_back(ruleset, effect, left)
    return ruleset, left


def _slug(effect: Effect) -> str:
    return str(effect["ref"]).removeprefix("rules/")


def _gone(ruleset: Ruleset, made: Sequence[Effect], left: list[str]) -> Ruleset:
    order = {each.slug: n for n, each in enumerate(ruleset.rules)}
    for effect in sorted(made, key=lambda each: -order.get(_slug(each), 0)):
        slug, new = _slug(effect), _mapping(effect["new"])
        placed = ruleset.by_slug.get(slug)
        if placed is None:
            continue
        if ruleset.texts[placed.path] != new["text"] or ruleset.children(slug):
            left.append(f"the rule {placed.title}")
        else:
            ruleset = ruleset.remove(slug)
    return ruleset


def _come(ruleset: Ruleset, went: Sequence[Effect], left: list[str]) -> Ruleset:
    waiting = list(went)
    while waiting:  # a rule waits for the one that it stands under, or behind
        slugs = {_slug(each) for each in waiting}
        ready = [each for each in waiting if not slugs & set(_mapping(each["old"])["place"][1:])]
        for effect in ready or waiting:
            ruleset = _one_back(ruleset, _slug(effect), _mapping(effect["old"]), left)
        waiting = [each for each in waiting if each not in ready] if ready else []
    return ruleset


def _one_back(ruleset: Ruleset, slug: str, old: Mapping[str, Any], left: list[str]) -> Ruleset:
    rule = rules.parse(old["text"], slug)
    spot = None if slug in ruleset.by_slug else _spot(ruleset, *old["place"])
    if spot is None:
        left.append(f"the rule {rule.title}")
        return ruleset
    return _with_text(ruleset.add(rule, **spot), slug, old["text"])


def _spot(ruleset: Ruleset, section: str, under: str | None, after: str | None) -> Spot | None:
    """Behind a rule, or before the first one of a place; None where the one above it is gone."""
    if under is not None and under not in ruleset.by_slug:
        return None
    there = [each.slug for each in ruleset.rules if (each.section, each.parent) == (section, under)]
    return {
        "section": section,
        "under": under,
        "after": after,
        "before": None if after is not None or not there else there[0],
    }


def _with_text(ruleset: Ruleset, slug: str, text: str) -> Ruleset:
    return Ruleset.read(dict(ruleset.texts) | {ruleset.by_slug[slug].path: text}, old=ruleset)


def _placed_back(ruleset: Ruleset, effect: Effect, left: list[str]) -> Ruleset:
    slug, old, new = _slug(effect), _listed(effect["old"]), _listed(effect["new"])
    placed = ruleset.by_slug.get(slug)
    if placed is None:
        return ruleset
    now = place(ruleset, slug, [each.slug for each in ruleset.rules])
    if now == old:
        return ruleset
    spot = _spot(ruleset, *old)
    if now != new or spot is None:
        left.append(f"the place of the rule {placed.title}")
        return ruleset
    return ruleset.move(slug, **spot)


def _text_back(ruleset: Ruleset, effect: Effect, left: list[str]) -> Ruleset:
    slug, old, new = _slug(effect), str(effect["old"]), str(effect["new"])
    placed = ruleset.by_slug.get(slug)
    if placed is None:
        left.append(f"the rule {slug}")
        return ruleset
    if ruleset.texts[placed.path] == new:
        return _with_text(ruleset, slug, old)
    return _parts_back(ruleset, placed, rules.parse(old, slug), rules.parse(new, slug), left)


def _parts_back(
    ruleset: Ruleset, placed: Placed, old: rules.Rule, new: rules.Rule, left: list[str]
) -> Ruleset:
    """Take back the parts of a rule that nobody has changed since: title, prose, mechanics, and what it declares, by key."""
    now, back = placed.rule, {}
    for part in PARTS:
        was, made = getattr(old, part), getattr(new, part)
        if was != made and getattr(now, part) == made:
            back[part] = was
        elif was != made:
            left.append(f"the {part} of the rule {now.title}")
    front = dict(now.front)
    for key in {**old.front, **new.front}:
        was, made = old.front.get(key, MISSING), new.front.get(key, MISSING)
        if was != made and now.front.get(key, MISSING) == made:
            front = {k: v for k, v in front.items() if k != key} | ({} if was is MISSING else {key: was})
        elif was != made:
            left.append(f"{key} of the rule {now.title}")
    return ruleset.with_rule(replace(now, front=front, **back))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) else []
