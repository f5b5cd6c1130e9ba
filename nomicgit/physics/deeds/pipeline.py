"""From a deed to its outcome, and that a way to change the law stays open. Source: A deed, in ``docs/architecture.md``."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused
from nomicgit.law.declaring import refuse_id
from nomicgit.law.law import NOTHING_SECRET
from nomicgit.law.outside import OWN, Outside, unnamed
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.variables import MISSING, Variable
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import acting, claiming, clockwork, units
from nomicgit.physics.deeds.claiming import Claim
from nomicgit.physics.state import naming, reading
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import PROGRAMS, NeedsKey, kind_of
from nomicgit.physics.state.transaction import Savepoint, Transaction

HANGS = "something on which this hangs"


def decide(position: Position, context: Context, deed: Deed, chance: Chance) -> Outcome:
    """Carry a deed out on a position, or raise Refused and leave that as it was.

    What fell due by the clock happens first, in the same deed.
    """
    world = begun(position, context, chance)
    store = world.store
    with world.savepoint():
        failed = come(world, deed)
        world.hidden, world.never = False, False  # what the clock did is not what the deed does
        law, before = world.ruleset, world.mark()
        by_clock = effects(world, made=born(world)) if before.log else []
        actor = _actor(world, deed)
        known = deed.action == Outside.ACCOUNT and deed.origin is not None
        world.drawing = f"{deed.action} {deed.actor or '-'}"
        try:
            result = None if known else _performed(world, deed, actor)
        except Refused as refused:
            # A law that met a secret may have refused in words of its own.
            if store.needed and not isinstance(refused, NeedsKey):
                raise NeedsKey.of_what(HANGS) from refused
            raise
        if deed.proof is not None or deed.origin is not None:
            _came_in(world, deed, actor, result)
        world.physics.leave(world, law, before)
        units.forget_transient(world)
        units.keepable(world)
        if store.needed:
            raise NeedsKey.of_what(HANGS)  # whoever met it may have caught it
        world.never |= store.never
        if world.never:
            _binds_nobody(world, before)
        if deed.branch is not None and not _takes_branch(world, before):
            deed = replace(deed, branch=None)
    outcome = outcome_of(world, deed, result, failed)
    return replace(outcome, hidden=_unseen(world, deed), never=world.never, by_clock=by_clock)


def begun(position: Position, context: Context, chance: Chance) -> Transaction:
    """A transaction for a deed, which has looked at nothing yet."""
    store = position.store
    store.secrecy, store.looked, store.never, store.needed = NOTHING_SECRET, False, False, False
    return Transaction(position, context, chance)


def _performed(world: Transaction, deed: Deed, actor: str | None) -> object:
    """Carry out a deed's action, which may be one of the program's own in a game with keys."""
    if deed.nonce is None and not deed.action.startswith(OWN):
        return acting.perform(world, deed.action, actor, deed.given)
    if deed.action == Outside.CLOCK and not world.context.keys:
        return None  # what fell due has happened by now
    from nomicgit.physics.deeds import keyed  # here: most games have no keys

    if deed.nonce is not None:
        keyed.take_order(world, deed, actor)
        if deed.action == keyed.BLANK:
            return None
    if deed.action not in keyed.DEEDS:
        return acting.perform(world, deed.action, actor, deed.given)
    keyed.carry_out(world, deed, actor)
    return None


def _came_in(world: Transaction, deed: Deed, actor: str | None, result: object) -> None:
    """Write down where a deed came in, and when it was signed."""
    from nomicgit.physics.deeds import origins  # here: most deeds are done in a clone

    if deed.proof is not None and deed.nonce is None:
        origins.use_up(world, deed, deed.proof)
    if deed.origin is not None:
        origins.leave(world, deed.origin, actor, result)


def _unseen(world: Transaction, deed: Deed) -> bool | frozenset[str]:
    """What of a deed nobody else may see; its parameters as they were given."""
    hidden, action = world.hidden, (world.parent_law or world.law).declared.action(deed.action)
    if isinstance(hidden, bool) or action is None:
        return hidden
    return frozenset(name for name in deed.given if acting.plainly(action, name) in hidden)


def _binds_nobody(world: Transaction, before: Savepoint) -> None:
    """Refused where anything of the game would hang on a deed that is never opened, and that nobody can ever check."""
    never = world.store.secrecy.never
    for change in world.store.since(before.log):
        kind = kind_of(change.ref)
        own = (kind, change.field) in never or change.field == "uses"
        kept = kind == "posts" or (kind in PROGRAMS and change.field != "drawn")
        if not own and not kept:
            raise Refused.of(
                f"what is never opened, or hangs on that, changes nothing but posts, and this would change {change.field} of {change.ref}",
                mend="let the rule not look at what is never opened, or write there only what is never opened too",
            )


def _takes_branch(world: Transaction, before: Savepoint) -> bool:
    """Whether anything hangs on the branch that a deed names: a matter is bound to it, or one is enacted that came by a branch.

    Else its record names none, so that one deed has one message.
    """
    bound = any(change.field == "branch_head" for change in world.store.since(before.log))
    return bound or any(
        world.store.value(closing.matter, "branch_head") is not MISSING for closing in world.closings
    )


def _actor(world: Transaction, deed: Deed) -> str | None:
    """Who does it. Refused for a name that is, or was, that of somebody with another id, and for one that nobody can have."""
    if deed.actor is None:
        if wrong := unnamed(deed.action, None):
            raise Refused.of(wrong)
        return None
    who = naming.holder(world.store, deed.actor)
    if who is None:
        refuse_id("players", deed.actor)
    if who not in (None, deed.actor):
        raise Refused.of(
            f"{deed.actor} is, or was, a name of {naming.called(world.store, str(who))}, whose id is {who}"
        )
    return f"players/{deed.actor}"


def outcome_of(world: Transaction, deed: Deed, result: object = None, first: Sequence[str] = ()) -> Outcome:
    """What a transaction has done for a deed, which is now done; ``first`` are lines that come before its own."""
    world.position.now = world.now
    made = born(world)
    return Outcome(
        deed, result, [*first, *world.notes], list(world.messages), list(world.draws),
        effects(world, made=made), world.store.touched(), [closing.matter for closing in world.closings],
        dict(world.claims), made, world.store.looked and world.context.keys,
    )  # fmt: skip


def born(world: Transaction, since: int = 0) -> list[str]:
    """The refs of what the deed made that is still there, but of collections that are secret, or were laid from the first.

    ``since``: by what came after the log was so long.
    """
    collections = world.law.declared.collections
    refs: dict[str, None] = {}
    for ref in (change.ref for change in world.store.since(since) if change.field == "created"):
        declared = collections.get(kind_of(ref))
        seen = declared is None or (declared.tracked == "public" and not declared.grid)
        if world.store.fields(ref) is not None and seen:
            refs[ref] = None
    return [*refs]


def effects(world: Transaction, *, made: Container[str] = (), since: int = 0) -> list[dict[str, Any]]:
    """The net effects of the deed so far, values in the form of files; fields that only the program keeps left out.

    ``made``: of what came into being, that whose fields are told too. ``since``: of what came after the log was so long.
    """
    first: dict[tuple[str, str], object] = {}
    for change in world.store.since(since):
        kind = kind_of(change.ref)
        if kind in PROGRAMS or change.field in ("made", "frozen"):
            continue
        if change.field == "destroyed":  # sorted: one read from its file has another order
            was = dict(sorted(change.old.items()))
        elif change.field == "created":
            fields = world.store.fields(change.ref) if change.ref in made else None
            was = dict.fromkeys(fields or ())
        else:
            was = {} if change.field == "comments" else {change.field: change.old}
        for field in was:
            if field != "made":
                first.setdefault((change.ref, field), was[field])
    net = []
    for (ref, field), old in first.items():
        new = world.store.value(ref, field)
        declared = world.law.variable(kind_of(ref), field)
        if old is MISSING and declared is not None:
            old = _stood(world, ref, declared)
        old, new = (None if v is MISSING else v for v in (old, new))
        if old != new:
            secret = declared is not None and (declared.tracked != "public" or declared.transient)
            effect = {
                "ref": ref,
                "field": field,
                "path": f"{_path(world, ref)}.{field}",
                "old": old,
                "new": new,
            }
            net.append(effect | {"public": not secret and field != "uses"})
    return net


def _stood(world: Transaction, ref: str, declared: Variable) -> Value:
    """What an entity had where nothing was stored: a cell of a grid, by the law before the deed, for it keeps that."""
    law, kind = world.parent_law, kind_of(ref)
    was = law.variable(kind, declared.name) if law is not None and law.declared.cells(kind) else None
    return reading.start(world, ref, declared) if law is None or was is None else reading.given(law, ref, was)


def _path(world: Transaction, ref: str) -> str:
    """Where an entity stands, as people say it: a player by the name of now."""
    kind, slash, name = ref.partition("/")
    return f"{kind}{slash and '.'}{naming.called(world.store, name) if kind == 'players' else name}"


def come(world: Transaction, deed: Deed) -> list[str]:
    """Let the time of a deed come, and what falls due by then happen; a line for each event that failed."""
    world.keeping = not world.context.keys or deed.action == Outside.CLOCK
    failed = clockwork.catch_up(world, deed.at) if world.law.declared.schedule else []
    arrive(world, deed)
    return failed


def arrive(world: Transaction, deed: Deed) -> None:
    """Let the time of a deed come, and nothing happen."""
    world.now = deed.at
    world.cast_at = deed.at if deed.cast_at is None else deed.cast_at
    world.parent_law, world.branch, world.deed = world.law, deed.branch, deed.id


def leave(world: Transaction, law: Ruleset, before: Savepoint) -> None:
    """Undo the enactment of a law that leaves no way to change the law; refuse whatever else makes one.

    Looked at is what has happened since the deed had come as far as ``before``, under the ruleset ``law``.
    What changes the gamestate alone is the players' own affair: a roster without an admin is no law.
    The finding is a claim of the deed, which replay tries again.
    """
    if world.context.trusted or world.ruleset is law:
        return
    from nomicgit.physics.deeds import (
        trial,
        wishes,
    )  # here: most deeds change no law, and both take long to load

    if world.ruleset.acts_as(law):
        return
    name = wishes.name_of(world.ruleset)
    claimed = claiming.reason(world, Claim.BRICKED, name, trial.BRICKED)
    why = trial.bricks(world, law, before) if claimed is None else claimed
    if not why:
        return
    if claimed:
        matters = ", ".join(closing.matter for closing in world.closings[before.closings :])
        again = partial(trial.differs, world, law, before, claimed)
        claiming.again(world, Claim.BRICKED, matters, again, before.log)
    claiming.claim(world, Claim.BRICKED, name if why == trial.BRICKED else f"{name} {why}")
    if len(world.closings) == before.closings:
        raise Refused.of(why)
    trial.undo_enactment(world, world.closings[before.closings], why)
