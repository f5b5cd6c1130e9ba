"""Carrying out structured changes on the ruleset and gamestate of the moment. Source: ``docs/changes.md``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from nomicgit import amendments, mechanics, paths, worker
from nomicgit.deeds import renaming, undoing, units
from nomicgit.gamestate import naming, quoting, reading, writing
from nomicgit.gamestate.store import kind_of
from nomicgit.gamestate.world import Exhausted, World
from nomicgit.problems import Defect, Malformed, NomicError, Problem, Refused, printable
from nomicgit.ruleset import Placed
from nomicgit.variables import MISSING

RULE_FORMS = frozenset({"add-rule", "amend", "rename", "move", "repeal", "status", "terms"})
NOTES = frozenset({"rule", "called", "section", "section_stated", "rule_unique", "names", "matter"})


# What a matter would change.


def changes(world: World, matter: Any) -> list[dict[str, Any]]:
    """The changes of a matter, each with what laws ask of it: ``rule``, ``called``, ``section``, and so on."""
    stored = reading.get(world, matter, "changes")
    written = writing.stored(world, str(matter), "called", {})
    title = re.sub(r"\s*\[[^\]]*\]\s*", " ", reading.get(world, matter, "title")).strip() or "Unnamed Rule"
    return [_described(world, _titled(change, title), written) | {"matter": matter} for change in stored]


def _titled(change: Mapping[str, Any], title: str) -> Mapping[str, Any]:
    """A rule that is added without a title takes the name of its matter."""
    rule = change.get("add-rule")
    if not isinstance(rule, Mapping) or "title" in rule:
        return change
    return {**change, "add-rule": {**rule, "title": title}}


def _described(world: World, change: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    called = {}
    for name in amendments.named(change):
        found = _lookup(world, name)
        called[name] = written.get(name) or (f"rules/{found.slug}" if found else None)
    target = _target(world, change, called)
    return {
        **change, "called": called, "rule": f"rules/{target.slug}" if target else None,
        "section": _section(change, target or _neighbour(world, change, called)), "section_stated": _stated(change, target, called),
        "rule_unique": _unique(world, change, target), "names": _players(world, change),
    }  # fmt: skip


def _lookup(world: World, name: str) -> Placed | None:
    try:
        return world.ruleset.by_slug.get(name.removeprefix("rules/")) or world.ruleset.find(name)
    except Refused:
        return None


def bind(world: World, matter: str) -> None:
    """Bind a matter to what its changes say now: their content hash, the rules that their names mean, their branch."""
    given = writing.stored(world, matter, "changes", [])
    called = {}
    for name in dict.fromkeys(name for change in given for name in amendments.named(change)):
        placed = _lookup(world, name)
        if placed is not None:
            called[name] = f"rules/{placed.slug}"
    world.store.put(matter, "called", called)
    world.store.put(matter, "hash", content_hash(given) if given else MISSING)
    world.store.put(matter, "branch_head", world.branch if given and world.branch else MISSING)


def content_hash(given: Sequence[Any]) -> str:
    """The content hash of changes: SHA-256 of their canonical JSON (sorted keys, no blanks, ASCII)."""
    return hashlib.sha256(json.dumps(given, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _main_name(change: Mapping[str, Any]) -> str | None:
    for form in ("amend", "rename", "move"):
        if form in change and isinstance(change[form], Mapping):
            return str(change[form].get("rule"))
    if "repeal" in change:
        return str(change["repeal"])
    if "status" in change and isinstance(change["status"], Mapping):
        return next(iter(change["status"]), None)
    if "add-rule" in change and isinstance(change["add-rule"], Mapping):
        under = change["add-rule"].get("under")
        return str(under) if under else None
    if "together" in change:
        return next((name for inner in change["together"] if (name := _main_name(inner))), None)
    return None


def _target(world: World, change: Mapping[str, Any], called: Mapping[str, str | None]) -> Placed | None:
    name = _main_name(change)
    ref = called.get(name) if name else None
    return world.ruleset.by_slug.get(ref.removeprefix("rules/")) if ref else None


def _neighbour(world: World, change: Mapping[str, Any], called: Mapping[str, str | None]) -> Placed | None:
    """The rule beside which a rule without a section of its own is to stand."""
    rule = change.get("add-rule")
    if not isinstance(rule, Mapping) or rule.get("section"):
        return None
    for key in ("after", "before"):
        ref = called.get(str(rule.get(key)))
        if ref:
            return world.ruleset.by_slug.get(ref.removeprefix("rules/"))
    return None


def _section(change: Mapping[str, Any], target: Placed | None) -> str | None:
    if target is not None:
        return target.section
    if "add-rule" in change:
        return str(change["add-rule"].get("section") or "dynastic")
    if "together" in change:
        return next((s for inner in change["together"] if (s := _section(inner, None))), None)
    return None


def _stated(change: Mapping[str, Any], target: Placed | None, called: Mapping[str, str | None]) -> bool:
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


def _unique(world: World, change: Mapping[str, Any], target: Placed | None) -> bool:
    """Whether the rule is named by its number, its slug, or a title that only it has."""
    name = _main_name(change)
    if target is None or name is None or "add-rule" in change:
        return False
    if name.removeprefix("rules/") == target.slug or re.fullmatch(r"\d+(\.\d+)*", name):
        return True
    return world.ruleset.unique_title(target.slug)


def _players(world: World, change: Mapping[str, Any]) -> list[str]:
    """The players whom a change names."""
    names: list[str] = []
    for path in change.get("set") or ():
        head, *rest = paths.segments(str(path))
        names += rest[:1] if head == "players" else rest[0].split("-") if rest else []
    for value in (change.get("set") or {}).values() if isinstance(change.get("set"), Mapping) else ():
        names += [value] if isinstance(value, str) else []
    if isinstance(change.get("player"), Mapping):
        names.append(str(change["player"].get("name")))
    if "run" in change:
        names += re.findall(r"players/([A-Za-z0-9_-]+)", str(change["run"]))
    for inner in change.get("together") or ():
        names += [ref.removeprefix("players/") for ref in _players(world, inner)]
    found = [naming.player_id(world, name) for name in names]
    return list(dict.fromkeys(f"players/{name}" for name in found if name))


# Carrying a change out.


def apply(world: World, change: Any, counting: Sequence[str] = ()) -> str:
    """Carry out one change, all or nothing: nothing, or why it was not made."""
    world.must_write()
    if not isinstance(change, Mapping):
        raise Defect.of("apply takes a change")
    if not isinstance(counting, list | tuple):
        raise Defect.of("apply counts a list of players")
    before, step = world.counting, world.steps[-1] if world.steps else None
    outer = step.matter if step else None
    world.counting = before | frozenset(counting)
    if step:
        step.matter = change.get("matter", outer)
    called = change.get("called") or {}
    written = {k: v for k, v in change.items() if k not in NOTES}
    plain = amendments.resolved(written, lambda name: str(called.get(name) or name).removeprefix("rules/"))
    try:
        if list(plain.values()) == [{}]:
            return ""
        wrong = amendments.malformed(plain)
        if wrong:
            return "; ".join(wrong)
        return _whole(world, plain, own_unit="called" in change)
    finally:
        world.counting = before
        if step:
            step.matter = outer


def _whole(world: World, change: Mapping[str, Any], *, own_unit: bool) -> str:
    mark, settled = len(world.store.log), world.settled
    try:
        if not world.trusted and brings_code(change):
            _try(world, change)
        return str(units.unit(world, lambda: _carry(world, change)) if own_unit else _carry(world, change))
    except Exhausted:
        raise
    except NomicError as error:
        world.store.rollback(mark)
        world.settled = min(settled, mark)
        return str(error.problems[0])


def _try(world: World, change: Mapping[str, Any]) -> None:
    """Carry out what brings new code in a worker first: nobody has enacted it yet. Died where that ends it.

    A death is evidence of the deed; replay takes it as given and risks nothing of its own.
    """
    name = hashlib.sha256(json.dumps(change, sort_keys=True).encode()).hexdigest()[:16]
    if world.told_evidence is not None:
        if name in world.told_evidence.get("died", ()):
            raise worker.Died.of(worker.HURT)
        return

    def whole() -> str:
        world.trusted = True
        world.chance = world.chance.scratch()
        return str(units.unit(world, lambda: _carry(world, change)))

    try:
        worker.run(whole)
    except worker.Died:
        world.evidence.setdefault("died", []).append(name)
        raise
    except Refused:
        return  # it is refused for real, with its place, when it is carried out here


def brings_code(change: Any) -> bool:
    """Whether a change brings mechanics, or declarations that might name some."""
    if isinstance(change, Mapping):
        return any(
            key in ("mechanics", "run") or (key == "in" and inner == "mechanics") or brings_code(inner)
            for key, inner in change.items()
        )  # fmt: skip
    return isinstance(change, list) and any(map(brings_code, change))


def _carry(world: World, change: Mapping[str, Any]) -> str:
    form = next(iter(change))
    if form in RULE_FORMS:
        return _rule_change(world, change)
    carry = FORMS.get(form)
    if carry is None:
        raise Refused.of(f"{printable(form, 60)} is no form of change")
    try:
        return carry(world, change[form])
    except Malformed as error:
        raise Refused(*error.problems) from error
    except Defect as error:
        first = error.problems[0]
        raise Refused(Problem(first.what, first.where, first.mend)) from error


def _rule_change(world: World, change: Mapping[str, Any]) -> str:
    used = writing.stored(world, "open", "slugs", [])
    found = amendments.amend(
        world.ruleset,
        change,
        {*used, *world.ruleset.by_slug},
        terms=world.law.declared.terms,
        look=_quoting(world),
    )
    if found.outcome == "skipped":
        raise Refused.of(found.reason)
    if found.outcome == "nothing":
        world.notes.append(f"One change had nothing to do: {found.reason}")
        return ""
    gone = sorted({*used, *(slug for slug in world.ruleset.by_slug if slug not in found.ruleset.by_slug)})
    if gone != used:
        world.store.put("open", "slugs", gone)
    world.amend_law(found.ruleset)
    if world.law.problems:
        raise Refused(*world.law.problems)
    if brings_code(change):
        touched = {
            f"game/ruleset/{found.ruleset.by_slug[slug].path}"
            for slug in found.slugs
            if slug in found.ruleset.by_slug
        }
        unknown = mechanics.undefined_names(world.law.linked, world.word_names, touched)
        if unknown:
            raise Refused(*unknown)
    return ""


def _quoting(world: World) -> Callable[[Placed, str], str | None]:
    return lambda placed, path: quoting.quote(world, placed, path)


def _set(world: World, given: Mapping[str, Any]) -> str:
    for path, value in given.items():
        set_path(world, paths.segments(str(path)), value)
    return ""


def set_path(world: World, parts: Sequence[str], value: Any) -> None:
    """Put a value at a path; a missing entity of a collection is made. Nothing is filtered out of reach."""
    head, *rest = parts
    if head in ("game", "dynasty") and rest:
        ref, rest = head, list(rest)
    elif len(rest) >= 1:
        ref, rest = f"{head}/{_entity(world, head, rest[0])}", list(rest[1:])
    else:
        raise Refused.of(f"{'.'.join(parts)}: that path names no value")
    if not rest:
        _set_whole(world, ref, value)
        return
    if not reading.exists(world, ref):
        _make(world, ref, {rest[0]: value} if len(rest) == 1 else {})
        if len(rest) == 1:
            return
    _set_field(world, ref, rest, value)


def _entity(world: World, kind: str, name: str) -> str:
    if kind == "players":
        found = naming.player_id(world, name)
        if found is None:
            raise Refused.of(f"there is no player {printable(name, 60)}")
        return found
    collection = world.law.declared.collections.get(kind)
    if collection is None and kind != "posts":
        raise Refused.of(f"no rule in force declares {printable(kind, 60)}")
    if collection is not None and collection.grid and name not in collection.grid:
        raise Refused.of(f"there is no {printable(name, 60)} among the {kind}")
    return name


def _set_whole(world: World, ref: str, value: Any) -> None:
    if value is None:
        writing.destroy(world, ref)
    elif not isinstance(value, Mapping):
        raise Refused.of(f"{ref}: a map of fields is needed")
    elif not reading.exists(world, ref):
        _make(world, ref, value)
    else:
        for field, inner in value.items():
            _set_field(world, ref, [str(field)], inner)


def _make(world: World, ref: str, fields: Mapping[str, Any]) -> None:
    kind, _, name = ref.partition("/")
    collection = world.law.declared.collections.get(kind)
    given = dict(fields)
    if collection is not None and isinstance(collection.key, Mapping) and "of" in collection.key:
        given = dict(zip(collection.key["of"], name.split("-"), strict=False)) | given
    elif collection is not None and isinstance(collection.key, str):
        given = {collection.key: name} | given
    writing.create(world, kind, name, **given)


def _set_field(world: World, ref: str, parts: Sequence[str], value: Any) -> None:
    field = parts[0].replace("-", "_") if world.law.variable(kind_of(ref), parts[0]) is None else parts[0]
    declared = world.law.variable(kind_of(ref), field)
    if declared is None and field not in reading.KEPT.get(kind_of(ref), {}):
        raise Refused.of(f"no rule in force declares {printable(field, 60)} of {ref}")
    if declared is not None and declared.derived:
        raise Refused.of(f"{field} is derived from other values and cannot be set")
    if len(parts) > 1:
        value = _inside(writing.stored(world, ref, field, {}), parts[1:], value, field)
    writing.write(world, ref, kind_of(ref), field, value)


def _inside(old: Any, parts: Sequence[str], value: Any, field: str) -> Any:
    if not isinstance(old, Mapping):
        raise Refused.of(f"{field} is no map")
    key, rest = parts[0], parts[1:]
    new = dict(old)
    if rest:
        new[key] = _inside(old.get(key, {}), rest, value, field)
    elif value is None:
        new.pop(key, None)
    else:
        new[key] = value
    return new


def _player(world: World, given: Mapping[str, Any]) -> str:
    ref = f"players/{_entity(world, 'players', str(given.get('name')))}"
    writing.write(world, ref, "players", "admin", given.get("admin"))
    return ""


def _bar(world: World, name: Any) -> str:
    found = naming.player_id(world, str(name))
    barred = reading.get(world, "game", "barred")
    if found is not None:
        writing.destroy(world, f"players/{found}")
    writing.write(world, "game", "game", "barred", sorted({*barred, found or str(name)}))
    return ""


def _scenario(world: World, given: Mapping[str, Any]) -> str:
    ref = f"scenarios/{naming.slug(str(given.get('name')))}"
    text = given.get("text")
    there = world.store.fields(ref) is not None
    if text is None:
        if there:
            world.store.destroy(ref)
        return ""
    if not there:
        world.store.create(ref, {})
    world.store.put(ref, "text", str(text).rstrip("\n") + "\n")
    return ""


def _uphold(world: World, text: Any) -> str:
    world.notes.append("Upheld: " + " ".join(str(text).split()))
    return ""


def _run(world: World, body: Any) -> str:
    perform(world, str(body), "the program of this change", {})
    return ""


def perform(world: World, body: str, path: str, given: Mapping[str, Any]) -> Any:
    """Run a text as a function's body; it sees the words and the public functions of the law."""
    law = world.law

    def lent(name: str) -> Callable[..., Any]:
        return lambda *arguments, **named: world.call(name, *arguments, law=law, **named)

    functions = {
        name: lent(name) for name in law.linked.functions if re.search(rf"\b{re.escape(name)}\b", body)
    }
    before, world.running = world.running, law
    try:
        return mechanics.program(body, functions, world, path, given)
    finally:
        world.running = before


def _together(world: World, inner: Sequence[Mapping[str, Any]]) -> str:
    for change in inner:
        why = _carry(world, change)
        if why:
            raise Refused.of(why)
    return ""


FORMS: Mapping[str, Callable[[World, Any], str]] = MappingProxyType({
    "set": _set, "player": _player, "rename-player": renaming.rename_player, "bar": _bar, "scenario": _scenario,
    "uphold": _uphold, "undo": undoing.undo, "run": _run, "together": _together,
})  # fmt: skip
