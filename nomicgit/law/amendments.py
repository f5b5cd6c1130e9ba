"""Changes of rules, carried out on a ruleset: adding, amending, renaming, moving and repealing.

A change is applied, or there is nothing to do, since it stands so already, or it is skipped with its reason.
Every change is pure and whole: a skipped one leaves the ruleset as it was. Source: ``docs/changes.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground import files
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.law import definitions, paths, prose, terms
from nomicgit.law.paths import keyed, same, was_so
from nomicgit.law.placing import Places
from nomicgit.law.prose import Outcome
from nomicgit.law.rules import Rule, title_problem, trimmed
from nomicgit.law.ruleset import Placed, Ruleset, Spot
from nomicgit.law.sentences import canonical
from nomicgit.law.shapes import Change, verb
from nomicgit.law.titles import slug_for, slugless
from nomicgit.law.variables import MISSING

Look = Callable[[Placed, str], str | None]  # what a path quoted in a rule's prose reads


class Amended(Struct, frozen=True):
    """What became of a change: the ruleset after it, why it was not applied, the rules that it touched."""

    ruleset: Ruleset
    outcome: Outcome
    reason: str = ""
    slugs: tuple[str, ...] = ()


class _Asked(Struct, frozen=True):
    """What a change is carried out on and with."""

    ruleset: Ruleset
    used: Collection[str]
    terms: Mapping[str, str] | None
    look: Look | None

    def applied(self, ruleset: Ruleset, *slugs: str) -> Amended:
        if ruleset == self.ruleset:
            return self.nothing("it stands so already", *slugs)
        return Amended(ruleset, "applied", "", slugs)

    def nothing(self, reason: str, *slugs: str) -> Amended:
        return Amended(self.ruleset, "nothing", reason, slugs)

    def skipped(self, reason: str, *slugs: str) -> Amended:
        return Amended(self.ruleset, "skipped", reason, slugs)

    def spot(self, given: Mapping[str, object], section: str | None) -> Spot:
        """Where a rule is put. Refused where the one above it is none; a neighbour may be gone."""
        under = given.get("under")
        return {
            "section": section, "under": None if under is None else self.ruleset.find(str(under), section=section).slug,
            "after": self._neighbour(given.get("after"), section), "before": self._neighbour(given.get("before"), section),
        }  # fmt: skip

    def _neighbour(self, name: object, section: str | None) -> str | None:
        try:
            return None if name is None else self.ruleset.find(str(name), section=section).slug
        except Refused:
            return None


def amend(
    ruleset: Ruleset,
    change: Change,
    used_slugs: Collection[str],
    *,
    terms: Mapping[str, str] | None = None,
    look: Look | None = None,
) -> Amended:
    """Carry out one change of rules.

    ``used_slugs`` are all that the game ever used; ``terms`` the terms in force, for the form ``terms``;
    ``look`` reads quotes, for better reasons.
    Forms: add-rule, amend, rename, move, repeal, status, terms.
    """
    asked = _Asked(ruleset, used_slugs, terms, look)
    [(form, value)] = change.items()
    carry = FORMS.get(form)
    if carry is None:
        return asked.skipped(f"{printable(form, 40)} is no change of rules")
    try:
        return carry(asked, value)
    except NomicError as wrong:
        first = wrong.problems[0]
        return asked.skipped(first.what + (f" ({first.mend})" if first.mend else ""))
    except files.Unwritable as wrong:
        return asked.skipped(f"that {wrong}")


# ---- the tree of rules


def _add_rule(asked: _Asked, given: Mapping[str, Any]) -> Amended:
    title, slug = given.get("title"), given.get("slug")
    if why := title_problem(title):
        return asked.skipped(why)
    if not slug and (why := slugless(str(title))):
        return asked.skipped(why)
    front, mechanics = dict(given.get("declares") or {}), _code(given.get("mechanics", ""))
    rule = Rule(
        slug or slug_for(str(title), ()), str(title), front, canonical(given.get("text", "")), mechanics
    )
    if why := _wrong(asked, rule):
        return asked.skipped(why)
    for each in asked.ruleset.rules:
        theirs = each.slug == slug if slug else each.slug.startswith(rule.slug)
        if theirs and _content(each.rule) == _content(rule):
            return asked.nothing(f"there is such a rule already: {each}", each.slug)
    used = {*asked.used, *asked.ruleset.by_slug}
    if slug and slug in used:
        return asked.skipped(f"the slug {slug} is, or was, another rule's; choose another, or leave it out")
    if not slug:
        rule = replace(rule, slug=slug_for(rule.title, used))
    spot = asked.spot(given, _section(given.get("section")))
    return asked.applied(asked.ruleset.add(rule, **spot), rule.slug)


def _code(text: str) -> str:
    return trimmed(text.replace("\r\n", "\n"))


def _wrong(asked: _Asked, rule: Rule) -> str:
    """Why a rule cannot stand as it was put together, or ""."""
    if "title" in rule.front:
        return "a title is no declaration; say it beside them, or by `rename`"
    why = definitions.unfinished(rule.mechanics)
    return why and f"the mechanics do not parse: {why}"


def _section(name: object) -> str | None:
    return None if name is None else "-".join(str(name).lower().split())


def _content(rule: Rule) -> tuple[str, str, str, str]:
    return rule.title, canonical(rule.prose), trimmed(rule.mechanics), keyed(rule.front)


def _rename(asked: _Asked, given: Mapping[str, Any]) -> Amended:
    placed = asked.ruleset.find(str(given["rule"]))
    if why := title_problem(given["to"]):
        return asked.skipped(why, placed.slug)
    return asked.applied(asked.ruleset.with_rule(replace(placed.rule, title=given["to"])), placed.slug)


def _move(asked: _Asked, given: Mapping[str, object]) -> Amended:
    placed = asked.ruleset.find(str(given["rule"]))
    section = _section(given.get("section"))
    if "under" in given and given["under"] is None and section is None:
        section = placed.section
    moved = asked.ruleset.move(placed.slug, **asked.spot(given, section))
    if _tree(moved) == _tree(asked.ruleset):
        return asked.nothing("it stands there already", placed.slug)
    return asked.applied(moved, placed.slug)


def _tree(ruleset: Ruleset) -> list[tuple[str, str, str | None]]:
    return [(each.slug, each.section, each.parent) for each in ruleset.rules]


def _repeal(asked: _Asked, name: object) -> Amended:
    if name not in asked.ruleset.by_slug and name in asked.used:
        return asked.nothing(f"the rule {name} is repealed already", str(name))
    placed = asked.ruleset.find(str(name))
    gone = tuple(each.slug for each in asked.ruleset.under(placed.slug))
    return asked.applied(asked.ruleset.remove(placed.slug), *gone)


def _status(asked: _Asked, given: Mapping[str, Any]) -> Amended:
    changed: list[Rule] = []
    slugs: list[str] = []
    for name, status in given.items():
        placed = asked.ruleset.find(str(name), section="special-case")
        slugs.append(placed.slug)
        if placed.section != "special-case":
            return asked.skipped(f"{placed} is no special case rule; only these become active or inactive")
        if placed.status != status:
            front = dict(placed.front) if "status" in placed.front else {"status": "", **placed.front}
            changed.append(replace(placed.rule, front={**front, "status": status}))
    return asked.applied(asked.ruleset.with_rule(*changed), *slugs)


def _terms(asked: _Asked, given: Mapping[str, Any]) -> Amended:
    rules = asked.ruleset.rules
    holders = {each.slug: said for each in rules if isinstance(said := each.front.get("terms"), dict)}
    if not holders:
        return asked.skipped("no rule declares the terms")
    declared = {role: str(word) for said in holders.values() for role, word in said.items()}
    new = terms.with_plural({str(k): " ".join(str(v).split()) for k, v in given.items()}, given)
    old = {**terms.BASE, **declared, **(asked.terms or {})}
    if all(old.get(role) == word for role, word in new.items()):
        return asked.nothing("these are the terms already")
    ruleset = asked.ruleset.with_terms(old, new)
    holding = [ruleset.by_slug[slug].rule for slug in holders]
    ruleset = ruleset.with_rule(
        *(replace(r, front={**r.front, "terms": {**declared, **new}}) for r in holding)
    )
    touched = [each.slug for each in ruleset.rules if each.rule != asked.ruleset.by_slug[each.slug].rule]
    return asked.applied(ruleset, *touched)


# ---- one rule


def _amend(asked: _Asked, given: Mapping[str, object]) -> Amended:
    placed = asked.ruleset.find(str(given["rule"]))
    what = verb(given)
    if what is None:
        return asked.skipped("it does not say what to amend", placed.slug)
    return _AMENDS[what](asked, placed, given)


def _in_prose(asked: _Asked, placed: Placed, given: Mapping[str, Any]) -> Amended:
    """What a quote names replaced, taken out or moved, or a passage put beside it."""
    text, whole, look = canonical(placed.prose), given.get("whole") is True, asked.look
    places = Places(*(given.get(key) for key in ("after", "before", "below", "above", "at")))
    reading = None if look is None else lambda path: look(placed, path)
    match verb(given):
        case _, "replace":
            edit = prose.replace(text, given["replace"], given["with"], whole=whole, look=reading)
        case _, "remove":
            edit = prose.remove(text, given["remove"], whole=whole, look=reading)
        case _, "move":
            edit = prose.move(text, given["move"], places, look=reading)
        case _:
            edit = prose.add(text, given["add"], places)
    if edit.outcome != "applied":
        return Amended(asked.ruleset, edit.outcome, edit.reason, (placed.slug,))
    return asked.applied(asked.ruleset.with_rule(replace(placed.rule, prose=edit.text)), placed.slug)


def _whole_text(asked: _Asked, placed: Placed, given: Mapping[str, Any]) -> Amended:
    """The whole prose, mechanics or declarations at once; what is not named stays."""
    old: dict[str, Any] = {
        "text": canonical(placed.prose), "mechanics": placed.mechanics, "declares": placed.front
    }  # fmt: skip
    new = {key: given[key] for key in old if key in given}
    if "text" in new:
        new["text"] = canonical(new["text"])
    if "mechanics" in new:
        new["mechanics"] = _code(new["mechanics"])
    if all(keyed(old[key]) == keyed(value) for key, value in new.items()):
        return asked.nothing("it says so already", placed.slug)
    was = given.get("was", {})
    for key, value in ({"text": was} if isinstance(was, str) else was).items():
        meant = was_so(old[key], value, code=key != "declares")
        if not meant and keyed(old[key]) != keyed(new.get(key)):
            return asked.skipped(f"its {key} has been changed meanwhile", placed.slug)
    old |= new
    rule = replace(placed.rule, prose=old["text"], mechanics=old["mechanics"], front=dict(old["declares"]))
    if why := _wrong(asked, rule):
        return asked.skipped(why, placed.slug)
    return asked.applied(asked.ruleset.with_rule(rule), placed.slug)


def _set(asked: _Asked, placed: Placed, given: Mapping[str, Any]) -> Amended:
    front: dict[str, Any] = dict(placed.front)
    was = given.get("was", {})
    for path, value in given["set"].items():
        parts = paths.segments(path)
        if parts[0] == "title":
            return asked.skipped("a title is changed by `rename`", placed.slug)
        old = paths.at(dict(placed.front), parts)
        if same(old, value):
            continue
        if path in was and not was_so(old, was[path]):
            return asked.skipped(f"{printable(path, 80)} has been changed meanwhile", placed.slug)
        front = paths.put(front, parts, value)
    return asked.applied(asked.ruleset.with_rule(replace(placed.rule, front=front)), placed.slug)


def _extend(asked: _Asked, placed: Placed, given: Mapping[str, Any]) -> Amended:
    """Items added to lists, or taken out of them; a mapping such as ``overrides`` gets them as keys."""
    front: dict[str, Any] = dict(placed.front)
    adds = "add" in given
    for path, items in given["add" if adds else "remove"].items():
        parts = paths.segments(path)
        old = paths.at(front, parts)
        if old is MISSING or old is None:
            old = []
        if isinstance(old, list):
            known = [keyed(item) for item in old]
            asked_for = [keyed(item) for item in items]
            added = [item for item in items if keyed(item) not in known] if adds else []
            new: Any = [item for item in old if adds or keyed(item) not in asked_for] + added
        elif isinstance(old, Mapping) and all(isinstance(item, str) for item in items):
            more = [item for item in items if item not in old] if adds else []
            new = {k: v for k, v in old.items() if adds or k not in items} | dict.fromkeys(more)
        else:
            return asked.skipped(f"{printable(path, 80)} is no list", placed.slug)
        if keyed(new) != keyed(old):
            front = paths.put(front, parts, new)
    return asked.applied(asked.ruleset.with_rule(replace(placed.rule, front=front)), placed.slug)


def _define(asked: _Asked, placed: Placed, given: Mapping[str, Any]) -> Amended:
    """Functions and constants put in, replaced or taken out, each by its name."""
    text, was = placed.mechanics, given.get("was", {})
    for name, value in given["set"].items():
        new = None if value is None else _code(value)
        if new is not None and [each.name for each in definitions.definitions(new)] != [name]:
            return asked.skipped(f"what is said for {printable(name, 80)} is not its definition", placed.slug)
        if new is not None and (why := definitions.unfinished(new)):
            return asked.skipped(f"{printable(name, 80)} does not parse: {why}", placed.slug)
        old = definitions.text_of(placed.mechanics, name)
        if old == new:
            continue
        if name in was and not was_so(old, was[name], code=True):
            return asked.skipped(f"{printable(name, 80)} has been changed meanwhile", placed.slug)
        text = trimmed(definitions.with_definition(text, name, new))
    return asked.applied(asked.ruleset.with_rule(replace(placed.rule, mechanics=text)), placed.slug)


def _rewrite(asked: _Asked, placed: Placed, given: Mapping[str, Any]) -> Amended:
    """Exact text in the mechanics replaced, which must stand there exactly once."""
    text, old, new = placed.mechanics, given["replace"].strip("\n"), given["with"].strip("\n")
    if (new and new in text and old not in text.replace(new, "")) or (not new and old not in text):
        return asked.nothing("it says so already", placed.slug)
    if text.count(old) != 1:
        times = f"stands there {text.count(old)} times" if old in text else "does not stand there"
        return asked.skipped(f"“{printable(old, 60)}” {times} in the mechanics", placed.slug)
    changed = trimmed(text.replace(old, new))
    if why := definitions.unfinished(changed):
        return asked.skipped(f"the mechanics would not parse: {why}", placed.slug)
    return asked.applied(asked.ruleset.with_rule(replace(placed.rule, mechanics=changed)), placed.slug)


FORMS: Mapping[str, Callable[[_Asked, Any], Amended]] = {
    "add-rule": _add_rule, "amend": _amend, "rename": _rename, "move": _move, "repeal": _repeal,
    "status": _status, "terms": _terms,
}  # fmt: skip
_AMENDS: Mapping[tuple[str, str], Callable[[_Asked, Placed, Mapping[str, Any]], Amended]] = {
    ("prose", "replace"): _in_prose, ("prose", "remove"): _in_prose, ("prose", "add"): _in_prose,
    ("prose", "move"): _in_prose, ("prose", "text"): _whole_text,
    ("declarations", "set"): _set, ("declarations", "add"): _extend, ("declarations", "remove"): _extend,
    ("mechanics", "set"): _define, ("mechanics", "replace"): _rewrite,
}  # fmt: skip
