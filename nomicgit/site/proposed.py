"""What a matter asks for, and what would become of that were it enacted now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgit.ground import files
from nomicgit.ground.problems import NomicError
from nomicgit.law import paths
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import MISSING
from nomicgit.outlook.branches.shown import shown
from nomicgit.outlook.broken_scenarios import of_scenario
from nomicgit.outlook.checks.collisions import told_of
from nomicgit.outlook.doings import BY_CHANCE
from nomicgit.outlook.foreseen import MOST, enacted_now
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
        *(_capital(line) for line in foreseen["meanwhile"]),
        *_checked(scribe, foreseen),
        *_rehearsed(foreseen, ref.partition("/")[2]),
        *_collisions(look, ref),
    ])  # fmt: skip
    return markup.joined((proposed(scribe, changes, fates), notes))


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
        ref, field = _parted(value["path"])
        yield from chronicle.changed(scribe, ref, field, value["old"], value["new"])


def _called(scribe: Scribe, path: str) -> Markup:
    return chronicle.called_of(scribe, *_parted(path))


def _parted(path: str) -> tuple[str, str]:
    """The entity and the value of which a path tells: ``players.ben.gold``."""
    kind, *name, field = path.split(".")
    return "/".join(filter(None, (kind, ".".join(name)))), field


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


def proposed(scribe: Scribe, changes: object, fates: Mapping[int, str]) -> Markup:
    """What changes would do, as a difference reads; ``fates`` says of some, by their numbers, why they would not."""
    rows: list[Markup] = []
    for number, change in enumerate(changes if isinstance(changes, list) else (), 1):
        fate = f"change {number} {fates[number]}" if number in fates else ""
        rows += _not_made(change, fate) if fate else _made(scribe, change)
    return markup.tag(
        "div", *rows, class_="nomic-diff", tabindex="0", role="group", aria_label="What would change"
    )


def _made(scribe: Scribe, change: object) -> Iterator[Markup]:
    last = None
    for part in _parts(change):
        values = list(_valued(scribe, part))
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
        for line in lines if not (placed and _sets(part)) else ():
            yield markup.tag(_SIGNS.get(line.strip()[:1], "div"), line.strip().lstrip("+-~ "))


def _valued(scribe: Scribe, change: object) -> Iterator[tuple[str, str | None, object]]:
    """Each value that a matter would set, by its path, what it is now, which of one that pends no more nobody asks, and what it would
    be; none where one is not public.
    """
    look, given = scribe.look, change.get("set") if isinstance(change, Mapping) else None
    pending = look.world.store.value(scribe.uri.removesuffix(".md"), "status") == "pending"
    if not isinstance(given, Mapping):
        return
    declared = {
        str(path): look.world.law.variable(str(path).partition(".")[0], _parted(str(path))[1])
        for path in given
    }
    if not all(each and each.tracked == "public" for each in declared.values()):
        return
    for (path, variable), new in zip(declared.items(), given.values(), strict=True):
        old = look.value(*_parted(path)) if pending else None
        shown = (
            "none"
            if markup.empty(old)
            else markup.line(scribe.value(variable.type if variable else ANY, old))
        )
        yield path, shown if pending else None, new


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
