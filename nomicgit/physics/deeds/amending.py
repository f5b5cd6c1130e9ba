"""Carrying out structured changes on the ruleset and gamestate of the moment. Source: ``docs/changes.md``."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from nomicgit.ground import deaths, worker
from nomicgit.ground.problems import (
    Bottomless,
    Defect,
    Exhausted,
    Malformed,
    NomicError,
    Problem,
    Refused,
    Starved,
    printable,
)
from nomicgit.law import amendments, mechanics, shapes
from nomicgit.law.declaring import why_no_id
from nomicgit.physics.deed import Failure
from nomicgit.physics.deeds import claiming, renaming, setting, undoing, units
from nomicgit.physics.deeds.claiming import Claim
from nomicgit.physics.deeds.matters import NOTES
from nomicgit.physics.physics import Form
from nomicgit.physics.state import naming, quoting, reading, writing
from nomicgit.physics.state.transaction import Transaction

IDLE = " had nothing to do: "  # between the name of a change and why, in the journal
IN_VAIN = "its program did nothing"
UNNUMBERED = "One change"  # that the law makes of itself
LEFT = 0.5  # seconds of the processor's time that a deed keeps for what is no change of a matter
ENOUGH = 1  # of them, taken by changes of a deed: where it was decided others may have had no time left
FOR_EVER = 1e9  # seconds
MOST_ENDED = 6  # changes of a deed that end their worker, each of which may take all that it is lent
ENOUGH_ENDED = f"{MOST_ENDED} changes before it end their process, or use more than they are lent, and no more that bring code are tried"
MOST_TOLD = 8  # reasons why one change is not made
UNTOLD = "it looked at what is secret, so that nobody is told why not"


def apply(world: Transaction, change: object, counting: Sequence[str] = ()) -> str:
    """Carry out one change, all or nothing: nothing, or why it was not made."""
    world.must_write()
    if not isinstance(change, Mapping):
        raise Defect.of("apply takes a change")
    if not isinstance(counting, list | tuple):
        raise Defect.of("apply counts a list of players")
    if "malformed" in change:
        return str(change["malformed"])
    before, step = (world.counting, world.changing), world.steps[-1] if world.steps else None
    outer = step.matter if step else None
    world.counting |= frozenset(counting)
    world.changing = f"Change {change['number']}" if "number" in change else UNNUMBERED
    if step:
        step.matter = change.get("matter", outer)
    plain = _plain(change)
    try:
        if list(plain.values()) == [{}]:
            return ""
        wrong = shapes.malformed(plain)
        if wrong:
            return "; ".join(each.what for each in wrong)
        return _whole(world, plain, own_unit="called" in change, within=bool(before[1]))
    finally:
        world.counting, world.changing = before
        if step:
            step.matter = outer


def carry(world: Transaction, change: Mapping[str, object]) -> None:
    """Carry out what a change says, if it is one, and nothing of what then follows from it; to be taken back by who asks."""
    plain = _plain(change)
    if "malformed" not in change and not shapes.malformed(plain):
        _carry(world, plain)


def _plain(change: Mapping[str, Any]) -> dict[str, object]:
    """What a change says, with the rules that it names as they are called now."""
    called = change.get("called") or {}
    written = {k: v for k, v in change.items() if k not in NOTES}
    return shapes.resolved(written, lambda name: str(called.get(name) or name).removeprefix("rules/"))


def _whole(world: Transaction, change: Mapping[str, object], *, own_unit: bool, within: bool) -> str:
    """The same; ``own_unit``: it is a change of a matter, ``within``: another change makes it."""
    store = world.store
    looked, store.looked = store.looked, False
    try:
        with world.savepoint():
            name = claiming.turn(world, _digest(change))
            if not world.context.trusted and (own_unit or brings_code(change)):
                _try(world, change, name)
            if own_unit:
                _alone(world, change, name)
            else:
                _noticed(world, change)
    except NomicError as error:
        if isinstance(error, Bottomless) and (within or not own_unit):
            raise
        why = "; ".join(each.sentence for each in error.answered().problems[:MOST_TOLD])
        return UNTOLD if _in_secret(world) and not store.bare else why  # the law may tell it to everybody
    finally:
        store.looked |= looked
    return ""


def _alone(world: Transaction, change: Mapping[str, object], name: str) -> None:
    """Carry out a change of a matter with fuel of its own, and with what time the deed can spare. Died where it spends that, or
    what settles after it: it is not made, and the others are.
    """
    began, until, took = time.process_time(), world.until, world.changing_took
    world.until = None if until is None else until - LEFT
    with world.fuelled():
        try:
            with world.claimed(), units.unit(world, alone=True):
                _noticed(world, change)
        except Exhausted as error:
            spent = took + time.process_time() - began
            own = world.fuel < 0 or isinstance(error, Starved) or spent >= ENOUGH
            if world.context.claims is not None or not own:
                raise  # another program counts otherwise, or what is no change of a matter has taken the deed's time
            claiming.claim(world, Claim.DIED, name)
            raise deaths.died() from None
        finally:
            world.until = until
            world.changing_took = took + time.process_time() - began


def _noticed(world: Transaction, change: Mapping[str, object]) -> None:
    """Carry a change out; where one of a matter has left no trace at all, that is told: but of what is secret it would tell what
    stands there.
    """
    before = _traces(world)
    _carry(world, change)
    if _traces(world) == before and world.changing != UNNUMBERED and not _in_secret(world):
        _idle(world, IN_VAIN if _runs(change) else "it stands so already")


def _runs(change: Mapping[str, Any]) -> bool:
    """Whether a change, or one that it brings together, is a program."""
    return "run" in change or any(map(_runs, change.get("together", ())))


def _in_secret(world: Transaction) -> bool:
    """Whether the change under way has looked at what is secret, and not everybody who hears of it may know that."""
    return world.store.looked and not world.store.closed and world.context.secrets


def _traces(world: Transaction) -> tuple[int, ...]:
    return len(world.store.log), len(world.notes), len(world.messages), len(world.draws)


def _idle(world: Transaction, reason: str) -> None:
    world.notes.append(Failure(f"{world.changing}{IDLE}{reason}"))


def _try(world: Transaction, change: Mapping[str, object], name: str) -> None:
    """Carry out what brings new code in a worker first: nobody has enacted it yet. Died where that ends it.

    A death is a claim of the deed, which replay tries again in a worker, and risks nothing of its own. So is fuel that a
    change has spent, and that too little time is left for it: what others of the deed have taken, replay measures too.
    """

    def whole() -> None:
        scratch = world.under(trusted=True)
        scratch.chance = world.chance.scratch()
        with units.unit(scratch):
            _carry(scratch, change)

    def timed() -> float:
        began = time.process_time()
        try:
            whole()
        except Starved:  # carried out, it would take that memory again
            return FOR_EVER
        except NomicError:  # it is refused for real, in its own words, when it is carried out here
            pass
        return time.process_time() - began

    if brings_code(change) and len(world.claims.get(Claim.DIED, ())) >= MOST_ENDED:
        raise Refused.of(ENOUGH_ENDED, mend="propose it without them")
    claimed = claiming.recorded(world, Claim.DIED, name)
    if claimed:
        if world.changing_took < ENOUGH:
            claiming.again(world, Claim.DIED, _called(world), whole)
        claiming.claim(world, Claim.DIED, name)
        raise deaths.died()
    if claimed is False or not brings_code(change):
        return
    try:
        took = worker.run(timed)
        if world.until is not None and time.process_time() + took > world.until - LEFT:
            raise deaths.died()
    except deaths.Died:
        claiming.claim(world, Claim.DIED, name)
        raise


def _digest(change: Mapping[str, object]) -> str:
    """What a change is called in claims, but for its turn."""
    return hashlib.sha256(json.dumps(change, sort_keys=True).encode()).hexdigest()[:16]


def _called(world: Transaction) -> str:
    """How people call the change under way."""
    matter = world.steps[-1].matter if world.steps else None
    return f"{world.changing} of {matter}" if matter else world.changing


def brings_code(change: object) -> bool:
    """Whether a change brings mechanics, or declarations that might name some."""
    if isinstance(change, Mapping):
        return any(
            key in ("mechanics", "run") or (key == "in" and inner == "mechanics") or brings_code(inner)
            for key, inner in change.items()
        )  # fmt: skip
    return isinstance(change, list) and any(map(brings_code, change))


def _carry(world: Transaction, change: Mapping[str, object]) -> None:
    form = next(iter(change))
    carry = world.physics.forms().get(form)
    if carry is None:
        raise Refused.of(f"{printable(form, 60)} is no form of change")
    try:
        carry(world, change[form])
    except Malformed as error:
        raise Refused(*error.problems) from error
    except Defect as error:
        first = error.problems[0]
        raise Refused(Problem(first.what, first.where, first.mend)) from error


def _amend(form: str, world: Transaction, given: object) -> None:
    """Carry out a change of rules."""
    change, used = {form: given}, {*writing.stored(world, "used", "slugs", []), *world.ruleset.by_slug}
    look, terms = partial(quoting.quote, world), world.law.declared.terms
    amended = amendments.amend(world.ruleset, change, used, terms=terms, look=look)
    if amended.outcome == "skipped":
        raise Refused.of(amended.reason)
    if amended.outcome == "nothing":
        _idle(world, amended.reason)
        return
    units.amend_law(world, amended.ruleset)
    if brings_code(change):
        touched = {
            world.ruleset.by_slug[slug].file for slug in amended.slugs if slug in world.ruleset.by_slug
        }
        unknown = mechanics.undefined_names(world.law.linked, world.language, touched)
        if unknown:
            raise Refused(*unknown)


def _player(world: Transaction, given: Mapping[str, object]) -> None:
    ref = f"players/{setting.entity(world, 'players', str(given.get('name')))}"
    writing.write(world, ref, "players", "admin", given.get("admin"))


def _bar(world: Transaction, name: object) -> None:
    player = naming.player_id(world, str(name))
    if player is None and why_no_id("players", str(name)):
        raise Refused.of(
            f"{printable(str(name), 60)} can be nobody's name: it is not of letters, digits and hyphens"
        )
    barred = reading.get(world, "game", "barred")
    if player is not None:
        writing.destroy(world, f"players/{player}")
    writing.write(world, "game", "game", "barred", sorted({*barred, player or str(name)}))


def _scenario(world: Transaction, given: Mapping[str, object]) -> None:
    ref = f"scenarios/{naming.slug(str(given.get('name')))}"
    text = given.get("text")
    there = world.store.fields(ref) is not None
    if text is None:
        if there:
            world.store.destroy(ref)
        return
    if not there:
        world.store.create(ref, {})
    world.store.put(ref, "text", str(text).rstrip("\n") + "\n")


def _uphold(world: Transaction, text: object) -> None:
    world.notes.append("Upheld: " + " ".join(str(text).split()))


def _run(world: Transaction, body: object) -> None:
    perform(world, str(body), "the program of this change", {})


def perform(world: Transaction, body: str, path: str, given: Mapping[str, object]) -> object:
    """Run a text as a function's body; it sees the words and the public functions of the law."""
    law = world.law

    def lent(name: str) -> Callable[..., object]:
        return lambda *arguments, **named: world.call_under(law, name, *arguments, **named)

    functions = {
        name: lent(name) for name in law.linked.functions if re.search(rf"\b{re.escape(name)}\b", body)
    }
    before, (world.running, world.calling) = (world.running, world.calling), (law, path)
    try:
        return mechanics.program(body, functions, world, path, given)
    finally:
        world.running, world.calling = before


def _together(world: Transaction, inner: Sequence[Mapping[str, object]]) -> None:
    for change in inner:
        _carry(world, change)


FORMS: Mapping[str, Form] = MappingProxyType({
    **{form: partial(_amend, form) for form in amendments.FORMS},
    "set": setting.set_values, "player": _player, "rename-player": renaming.rename_player, "bar": _bar, "scenario": _scenario,
    "uphold": _uphold, "undo": undoing.undo, "run": _run, "together": _together,
})  # fmt: skip
