"""What a matter asks for, and what would become of that were it enacted now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from nomicgit.ground import files
from nomicgit.ground.problems import NomicError
from nomicgit.law import paths
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import MISSING, Type
from nomicgit.outlook.branches.shown import shown
from nomicgit.outlook.broken_scenarios import of_scenario
from nomicgit.outlook.checks.collisions import told_of
from nomicgit.outlook.doings import BY_CHANCE
from nomicgit.outlook.foreseen import MOST, enacted_now
from nomicgit.physics.state import naming
from nomicgit.physics.state.store import SINGLE
from nomicgit.site import chronicle, markup
from nomicgit.site.asked import Untold
from nomicgit.site.onlooking import Look
from nomicgit.site.scribe import ANY, Scribe

_RULE = re.compile(r"rule .*?((?: moves.*| is repealed, with its subrules)?)$")
_SIGNS = {"+": "ins", "-": "del"}
GIFTS = "the law itself would also change "
_FATES = {"skipped": "would be skipped", "nothing": "would have nothing to do"}


def asked_for(look: Look, ref: str, changes: object) -> Markup:
    """The changes of a matter that has changed nothing; with those that would not be made, or could not have been, and why."""
    scribe = Scribe(look, f"{ref}.md")
    if look.world.store.value(ref, "status") != "pending":
        then = look.unmade(int(ref.partition("/")[2]))
        return proposed(
            scribe,
            changes,
            {n: f"could not have been made when it was resolved: {why}" for n, why in then.items()},
        )
    foreseen = look.foretold(ref)
    if isinstance(foreseen, Untold):
        return markup.joined(
            (proposed(scribe, changes, {}), markup.tag("p", f"Its changes cannot be tried: {foreseen.why}."))
        )
    fates = {
        each["change"]: f"{_FATES[each['outcome']]} if it were enacted now: {each['why']}"
        for each in foreseen["changes"]
        if each["outcome"] in _FATES
    }
    notes = markup.listed([
        *(f"Change {each['change']}: {remark}" for each in foreseen["changes"] for remark in each["remarks"]),
        *(f"{_capital(enacted_now(foreseen))}: {note}" for note in foreseen["law"]),
        *_values(scribe, foreseen),
        *(_capital(line) for line in foreseen["secrets"]),
        *(_capital(line) for line in foreseen["meanwhile"]),
        *_checked(scribe, foreseen),
        *_rehearsed(foreseen, ref.partition("/")[2]),
        *_collisions(look, ref),
    ])  # fmt: skip
    values = {each["change"]: each["values"] for each in foreseen["changes"]}
    return markup.joined((proposed(scribe, changes, fates, values), notes))


def _values(scribe: Scribe, foreseen: Mapping[str, Any]) -> Iterator[Markup]:
    """What else would come into being, go, and be changed, were a matter enacted now, as the journal will say it once it is."""
    now = enacted_now({**foreseen, "chance": False} if foreseen["dice"] else foreseen)
    come_and_gone = [line for each in foreseen["whole"] for line in _as_told(scribe, each)]
    lost = [
        markup.joined((_called(scribe, each["path"]), f" ({chronicle.said(each['old'])})"))
        for each in foreseen["lost"]
    ]
    gifts = [line for each in foreseen["gifts"] for line in _as_told(scribe, each)]
    dice = [f"{', '.join(foreseen['dice'])} ({BY_CHANCE})"] if foreseen["dice"] else []
    for said, some in (
        ("", come_and_gone),
        ("these values would go: ", lost),
        ("it would throw ", dice),
        (GIFTS, gifts),
    ):
        if some:
            left = f"; and {len(some) - MOST} more" if len(some) > MOST else ""
            yield markup.joined((f"{_capital(now)}, {said}", markup.joined(some[:MOST], "; "), left))


def _as_told(scribe: Scribe, value: Mapping[str, Any]) -> Iterator[object]:
    """What a forecast has of one value (``{path, old, new, how}``)."""
    kind, _, name = str(value["path"]).replace("/", ".", 1).partition(".")
    how = value["how"]
    if how in ("made", "gone"):
        fields = value["new"] if how == "made" else value["old"]
        yield chronicle.whole_of(
            how, kind, name, {each: of for each, of in fields.items() if not markup.empty(of)}
        )
    else:
        ref, field, *_ = _parted(value["path"])
        yield from chronicle.changed(scribe, ref, field, value["old"], value["new"])


def _called(scribe: Scribe, path: str) -> Markup:
    ref, field, *within = _parted(path)
    if (
        who := naming.player_id(scribe.look.world, ref.removeprefix("players/"))
        if ref.startswith("players/")
        else None
    ):
        ref = f"players/{who}"
    called = chronicle.called_of(scribe, ref, field)
    return markup.joined((called, *(key.replace("_", " ") for key in within)), " ")


def _parted(path: str) -> list[str]:
    """The entity, the value and the keys within it of which a path tells: ``players.ben.gold``, ``game.stock.coal``."""
    kind, *rest = paths.segments(path)
    ref = kind if kind in SINGLE else f"{kind}/{rest.pop(0)}"
    return [ref, *rest]


def _checked(scribe: Scribe, foreseen: Mapping[str, Any]) -> Iterator[Markup]:
    """What would be wrong with the rules, were a matter enacted now."""
    levels = {"error": "an error", "warning": "a warning"}
    some = foreseen["checks"]
    yield from (
        markup.escaped(f"The rules would have {levels[each['level']]}: {each['said']}")
        for each in some[:MOST]
    )
    if len(some) > MOST:
        yield markup.escaped(f"The rules would have {len(some) - MOST} more errors or warnings")


def _rehearsed(foreseen: Mapping[str, Any], number: str) -> Iterator[Markup]:
    """The scenarios that would fail, and how whoever has a clone tries those of which nobody knows."""
    yield from (markup.escaped(_capital(of_scenario(each))) for each in foreseen["scenarios"])
    if left := foreseen["unrehearsed"]:
        which = "One scenario was" if left == 1 else f"{left} scenarios were"
        yield markup.joined(
            (
                f"{which} not rehearsed, which takes long; in a clone it is done by ",
                markup.code(f"nomicgit try {number}"),
            )
        )


def _collisions(look: Look, ref: str) -> Iterator[str]:
    """What becomes of it and of other pending matters, whichever comes first."""
    tried = look.tried(ref)
    for each in () if isinstance(tried, Untold) else tried["pending"]:
        yield from map(_capital, told_of(each))


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]


def proposed(
    scribe: Scribe,
    changes: object,
    fates: Mapping[int, str],
    values: Mapping[int, Sequence[Mapping[str, Any]]] = MappingProxyType({}),
) -> Markup:
    """What changes would do, as a difference reads; ``fates`` says of some, by their numbers, why they would not, and ``values``
    of those that were tried what the values that they set were before them and would be after them."""
    rows: list[Markup] = []
    for number, change in enumerate(changes if isinstance(changes, list) else (), 1):
        fate = f"change {number} {fates[number]}" if number in fates else ""
        tried = {each["path"]: (each["old"], each["new"]) for each in values.get(number, ())}
        rows += _not_made(change, fate) if fate else _made(scribe, change, tried)
    return markup.tag(
        "div", *rows, class_="nomic-diff", tabindex="0", role="group", aria_label="What would change"
    )


def _made(scribe: Scribe, change: object, tried: Mapping[str, tuple[object, object]]) -> Iterator[Markup]:
    last = None
    for part in _parts(change):
        values = list(_valued(scribe, part, tried))
        for path, old, new in values:
            yield markup.tag("div", _called(scribe, path), class_="nomic-gap")
            yield from [] if old is None else [markup.tag("del", old)]
            yield markup.tag("ins", chronicle.said(new))
        if values:
            continue
        line, *lines = _lines(part)
        placed = _rule_of(scribe.look, part)
        head = _headed(scribe, placed, line)
        yield from [] if head == last else [markup.tag("div", head, class_="nomic-gap")]
        last = head
        yield from _declared(placed, part) if placed else ()
        for at, line in enumerate(lines) if not (placed and _sets(part)) else ():
            yield from _named_part(part, len(lines) - at)
            sign, text = (line[2:3], line[4:]) if line[2:3] in "+-~" and line[3:4] == " " else ("", line[2:])
            yield markup.tag(_SIGNS.get(sign, "div"), text)


def _named_part(change: object, left: int) -> Iterator[Markup]:
    """What the next of the lines of a new rule is a part of, where so many are left; its text and its mechanics stand last."""
    rule = change.get("add-rule") if isinstance(change, Mapping) else None
    if not isinstance(rule, Mapping):
        return
    text, code = (
        sum(bool(line.strip()) for line in str(rule.get(key) or "").split("\n"))
        for key in ("text", "mechanics")
    )
    for part, begins in (("text", text and text + code), ("mechanics", code)):
        if begins and left == begins:
            yield markup.tag("div", part, class_="nomic-gap")


def _valued(
    scribe: Scribe, change: object, tried: Mapping[str, tuple[object, object]]
) -> Iterator[tuple[str, str | None, object]]:
    """Each value that a matter would set, by its path, what it is before that, which of one that was not ``tried`` nobody asks, and
    what it would be, or what is asked for; none where one is not public.
    """
    given = change.get("set") if isinstance(change, Mapping) else None
    if not isinstance(given, Mapping):
        return
    rows = [row for path, said in given.items() for row in _rows(str(path), said, tried)]
    kinds = [_type(scribe.look, path) for path, *_ in rows]
    if None in kinds:
        return
    for (path, old, new), kind in zip(rows, kinds, strict=True):
        was = "none" if markup.empty(old) else markup.line(scribe.value(kind or ANY, old))
        yield path, was if path in tried else None, new


def _rows(
    path: str, said: object, tried: Mapping[str, tuple[object, object]]
) -> list[tuple[str, object, object]]:
    """The values that are set at a path, one or those of a whole entity: what they were and would be, as far as that was tried."""
    inner = [(each, *tried[each]) for each in tried if each == path or each.startswith(f"{path}.")]
    return inner or [(path, None, said)]


def _type(look: Look, path: str) -> Type | None:
    """The type of a public value, of what stands within a map any; None of what is not public, or no value."""
    ref, *inner = _parted(path) if paths.is_path(path) and "." in path else [""]
    declared = look.world.law.variable(ref.partition("/")[0], inner[0]) if inner else None
    if declared is None or declared.tracked != "public":
        return None
    return ANY if inner[1:] else declared.type


def _parts(change: object) -> Iterator[object]:
    """A change, or those that are made together."""
    together = change.get("together") if isinstance(change, Mapping) else None
    if not isinstance(together, list):
        yield change
        return
    for each in together:
        yield from _parts(each)


def _rule_of(look: Look, change: object) -> Placed | None:
    """The rule as it stands now that a change is about; None where it is about none, or none is found."""
    [(form, value)] = change.items() if isinstance(change, Mapping) and len(change) == 1 else [("", None)]
    name = value if form == "repeal" else value.get("rule") if isinstance(value, Mapping) else None
    try:
        return look.world.ruleset.find(name) if isinstance(name, str) else None
    except NomicError:
        return None


def _headed(scribe: Scribe, placed: Placed | None, line: str) -> Markup:
    """What a change is about; a rule by number and title, linked."""
    named = _RULE.match(line)
    if placed is None or named is None:
        return markup.escaped(line)
    return markup.joined(("rule ", scribe.placed(placed), named[1]))


def _sets(change: object) -> Mapping[str, object]:
    """The declarations that an amendment sets, by their paths."""
    amended = change.get("amend") if isinstance(change, Mapping) else None
    if not isinstance(amended, Mapping) or amended.get("in") != "declarations":
        return {}
    given = amended.get("set")
    return given if isinstance(given, Mapping) else {}


def _declared(placed: Placed, change: object) -> Iterator[Markup]:
    """Each declaration that is set: what stands there now, and what would."""
    for path, new in _sets(change).items():
        try:
            old = paths.at(dict(placed.front), paths.segments(path))
        except NomicError:
            old = MISSING
        if old is not MISSING:
            yield markup.tag("del", f"{path}: {files.write_flow(old)}")
        if new is not None:
            yield markup.tag("ins", f"{path}: {files.write_flow(new)}")


def _not_made(change: object, why: str) -> Iterator[Markup]:
    yield markup.tag("div", markup.mark("not made"), f" {why}. It asks for:", class_="nomic-gap")
    yield from (markup.tag("div", line.strip(), class_="nomic-off") for line in _lines(change))


def _lines(change: Any) -> list[str]:
    try:
        return list(shown(change))
    except (AttributeError, KeyError, TypeError, ValueError, NomicError):
        return [str(change)]
