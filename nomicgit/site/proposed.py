"""What a matter asks for, and what would become of that were it enacted now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgit.ground import files
from nomicgit.ground.problems import NomicError
from nomicgit.ground.wording import in_words
from nomicgit.law import paths
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import MISSING
from nomicgit.outlook.branches.shown import shown
from nomicgit.outlook.checks.collisions import told_of
from nomicgit.outlook.foreseen import enacted_now, of_checks, of_scenarios, of_values
from nomicgit.site import markup
from nomicgit.site.asked import Untold
from nomicgit.site.onlooking import Look
from nomicgit.site.scribe import Scribe

_RULE = re.compile(r"rule .*?((?: moves.*| is repealed, with its subrules)?)$")
_SIGNS = {"+": "ins", "-": "del"}
_FATES = {"skipped": "would be skipped", "nothing": "would have nothing to do"}


def asked_for(look: Look, ref: str, changes: object) -> Markup:
    """The changes of a matter that has changed nothing yet; of a pending one with those that would not be made, and why."""
    scribe = Scribe(look, f"{ref}.md")
    if look.world.store.value(ref, "status") != "pending":
        return proposed(scribe, changes, {})
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
        *(_capital(line) for line in of_values(foreseen)),
        *(_capital(line) for line in foreseen["meanwhile"]),
        *(_capital(line) for line in of_checks(foreseen)),
        *(_capital(line) for line in of_scenarios(foreseen, f"nomicgit try {ref.partition('/')[2]}")),
        *_collisions(look, ref),
    ])  # fmt: skip
    return markup.joined((proposed(scribe, changes, fates), notes))


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
            yield markup.tag("div", path, class_="nomic-gap")
            yield markup.tag("del", in_words(old))
            yield markup.tag("ins", in_words(new))
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


def _valued(scribe: Scribe, change: object) -> Iterator[tuple[str, object, object]]:
    """Each value that a pending matter would set, by its path, what it is now and what it would be; none where one is not public."""
    look, given = scribe.look, change.get("set") if isinstance(change, Mapping) else None
    if look.world.store.value(scribe.uri.removesuffix(".md"), "status") != "pending":
        return
    places = [str(path).split(".") for path in given] if isinstance(given, Mapping) else []
    declared = [look.world.law.variable(place[0], place[-1]) for place in places]
    if not isinstance(given, Mapping) or not all(each and each.tracked == "public" for each in declared):
        return
    for (kind, *name, field), (path, new) in zip(places, given.items(), strict=True):
        yield str(path), look.value("/".join((kind, ".".join(name))) if name else kind, field), new


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
