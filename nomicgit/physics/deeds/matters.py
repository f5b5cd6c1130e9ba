"""What a matter would change: its changes with what laws ask of them, bound to a hash. Source: ``docs/changes.md``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from nomicgit.ground.problems import Defect, Problem, Refused
from nomicgit.law import paths, shapes
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import MISSING
from nomicgit.physics.deeds import submitting
from nomicgit.physics.state import naming, reading, writing
from nomicgit.physics.state.transaction import Transaction

NOTES = frozenset({"number", "rule", "called", "section", "section_stated", "rule_unique", "names", "matter"})
TITLE_OF_NEW = "title_of_new_rule"  # the law's function that says it, where there is one
UNNAMED = "Unnamed Rule"
UNTOLD: Mapping[str, Any] = {
    "called": {}, "rule": None, "section": None, "section_stated": False, "rule_unique": False, "names": [],
}  # fmt: skip


def changes(world: Transaction, matter: object) -> list[dict[str, object]]:
    """The changes of a matter, each with what laws ask of it: ``number`` (from 1), ``rule``, ``called``, and so on.

    Of one that is none the law sees only why, under ``malformed``, and ``apply`` tells it.
    """
    stored = reading.get(world, matter, "changes")
    written = writing.stored(world, str(matter), "called", {})
    title = _title_of_new(world, matter) if any(map(_nameless, stored)) else ""
    described = [
        {"malformed": "; ".join(each.what for each in wrong), **UNTOLD}
        if (wrong := shapes.malformed(change))
        else _described(world, _titled(change, title), written)
        for change in stored
    ]
    return [each | {"matter": matter, "number": number} for number, each in enumerate(described, 1)]


def _title_of_new(world: Transaction, matter: object) -> str:
    """What a rule is called that a matter adds without a title: as the law says, else as the matter is, less what stands in brackets."""
    said = world.ask(TITLE_OF_NEW, matter)
    if said is not None and not isinstance(said, str):
        raise Defect(
            world.law.place(Problem(f"{TITLE_OF_NEW} answers no text, and should give a title"), TITLE_OF_NEW)
        )
    own = re.sub(r"\s*\[[^\]]*\]\s*", " ", str(reading.get(world, matter, "title")))
    return (said or own).strip() or UNNAMED


def _nameless(change: object) -> bool:
    """Whether a change adds a rule without a title, or with a blank one."""
    if not isinstance(change, Mapping):
        return False
    together, rule = change.get("together"), change.get("add-rule")
    if isinstance(together, list):
        return any(map(_nameless, together))
    return isinstance(rule, Mapping) and not str(rule.get("title") or "").strip()


def _titled(change: Mapping[str, Any], title: str) -> Mapping[str, object]:
    """A change in which each rule that is added without a title has this one."""
    if not _nameless(change):
        return change
    if "together" in change:
        return {**change, "together": [_titled(inner, title) for inner in change["together"]]}
    return {**change, "add-rule": {**change["add-rule"], "title": title}}


def _described(
    world: Transaction, change: Mapping[str, Any], written: Mapping[str, Any]
) -> dict[str, object]:
    called = {}
    for name in shapes.named(change):
        placed = _lookup(world, name)
        called[name] = written.get(name) or (f"rules/{placed.slug}" if placed else None)
    target = _placed(world, called.get(_main_name(change)))
    return {
        **change, "called": called, "rule": f"rules/{target.slug}" if target else None,
        "section": _section(change, target or _neighbour(world, change, called)), "section_stated": _stated(change, target, called),
        "rule_unique": _unique(world, change, target), "names": _players(world, change),
    }  # fmt: skip


def _lookup(world: Transaction, name: str) -> Placed | None:
    try:
        return world.ruleset.by_slug.get(name.removeprefix("rules/")) or world.ruleset.find(name)
    except Refused:
        return None


def bind(world: Transaction, matter: str) -> None:
    """Bind a matter to what its changes say now: their content hash, the rules that their names mean, their branch.

    Refused where one of them is no form of change at all.
    """
    given = writing.stored(world, matter, "changes", [])
    submitting.refuse_formless(world, given)
    called = {}
    for name in dict.fromkeys(name for change in given for name in shapes.named(change)):
        placed = _lookup(world, name)
        if placed is not None:
            called[name] = f"rules/{placed.slug}"
    world.store.put(matter, "called", called)
    world.store.put(matter, "hash", content_hash(given) if given else MISSING)
    world.store.put(matter, "branch_head", world.branch if given and world.branch else MISSING)


def content_hash(given: Sequence[object]) -> str:
    """The content hash of changes: SHA-256 of their canonical JSON (sorted keys, no blanks, ASCII)."""
    return hashlib.sha256(json.dumps(given, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _main_name(change: Mapping[str, Any]) -> str:
    """The name of the rule that a change is of, "" where it is of none."""
    [(form, value)] = change.items()
    match form:
        case "amend" | "rename" | "move":
            return str(value["rule"])
        case "repeal":
            return str(value)
        case "status":
            return str(next(iter(value)))
        case "add-rule":
            return str(value.get("under") or "")
        case "together":
            return next(filter(None, map(_main_name, value)), "")
    return ""


def _placed(world: Transaction, ref: str | None) -> Placed | None:
    return world.ruleset.by_slug.get(ref.removeprefix("rules/")) if ref else None


def _neighbour(
    world: Transaction, change: Mapping[str, object], called: Mapping[str, str | None]
) -> Placed | None:
    """The rule beside which a rule without a section of its own is to stand."""
    rule = change.get("add-rule")
    if not isinstance(rule, Mapping) or rule.get("section"):
        return None
    refs = [called.get(str(rule.get(key))) for key in ("after", "before")]
    return _placed(world, refs[0] or refs[1])


def _section(change: Mapping[str, Any], target: Placed | None) -> str | None:
    if target is not None:
        return target.section
    if "add-rule" in change:
        return str(change["add-rule"].get("section") or "dynastic")
    if "together" in change:
        return next((s for inner in change["together"] if (s := _section(inner, None))), None)
    return None


def _stated(change: Mapping[str, object], target: Placed | None, called: Mapping[str, str | None]) -> bool:
    """Whether the section is stated with the change, and rightly."""
    section = _section(change, target)
    inner = next(iter(change.values()), None)
    if isinstance(inner, Mapping) and "section" in inner and ("add-rule" in change or "move" not in change):
        return bool(inner["section"] == section)
    return any(
        "/" in name and name.split("/")[0].strip().lower() == section
        for name in called
        if not name.startswith("rules/")
    )


def _unique(world: Transaction, change: Mapping[str, object], target: Placed | None) -> bool:
    """Whether the rule is named by its number, its slug, or a title that only it has."""
    name = _main_name(change)
    if target is None or "add-rule" in change:
        return False
    if name.removeprefix("rules/") == target.slug or re.fullmatch(r"\d+(\.\d+)*", name):
        return True
    return world.ruleset.unique_title(target.slug)


def _players(world: Transaction, change: Mapping[str, Any]) -> list[str]:
    """The players whom a change names."""
    names: list[str] = []
    setting = change.get("set", {})
    for path in setting:
        head, *rest = paths.segments(str(path))
        names += rest[:1] if head == "players" else rest[0].split("-") if rest else []
    names += [value for value in setting.values() if isinstance(value, str)]
    if "player" in change:
        names.append(str(change["player"]["name"]))
    if "run" in change:
        names += re.findall(r"players/([A-Za-z0-9_-]+)", str(change["run"]))
    for inner in change.get("together") or ():
        names += [ref.removeprefix("players/") for ref in _players(world, inner)]
    players = [naming.player_id(world, name) for name in names]
    return list(dict.fromkeys(f"players/{name}" for name in players if name))
