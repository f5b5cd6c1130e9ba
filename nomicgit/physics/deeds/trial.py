"""A law must leave a way to change it: tried in a worker, in scratch games that nobody sees.

After a deed that changed the law somebody must still be able to bring a proposal, or a call for judgement, that
repeals a rule to enactment: with ten fresh players and with those of now, soon and in some weeks, if they could before.
Source: A law that bricks itself, in ``docs/architecture.md``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.variables import Type
from nomicgit.physics.deeds import acting, clockwork, units
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.state import reading, writing
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Closing, Savepoint, Transaction

_Game = Callable[[Transaction], Transaction]

HOUR = 3600
SPANS = tuple(tuple(day * 24 * HOUR for day in days) for days in ((0, 4, 8, 15), (45, 49, 53, 60)))
"""Soon, and later: when somebody begins to change the law, in seconds from now."""

WAITS = (1, HOUR, *(days * 24 * HOUR + HOUR for days in (0.5, 1, 2, 3, 4, 5, 6.5, 7.5, 10, 14)))
MOST_TARGETS = 3
PROCESSOR, WALL = 20, 300.0
"""Seconds: a sound law of a large game on a slow machine must not look like a broken one."""
FRESH = tuple(f"p{n}" for n in range(10))
ON_TRIAL = Context(secrets=True, trusted=True)
BRICKED = "after it no rule could ever be repealed again, by proposal or call for judgement"


def changed(before: Ruleset, after: Ruleset) -> bool:
    """Whether more than prose and titles differ."""
    if before is after:
        return False
    return [_law(p) for p in before.rules if _acts(p)] != [_law(p) for p in after.rules if _acts(p)]


def _acts(placed: Placed) -> bool:
    """Whether a rule is more than prose."""
    return bool(placed.mechanics or placed.rule.front)


def _law(placed: Placed) -> tuple[object, ...]:
    return placed.slug, placed.section, placed.parent, placed.status, placed.rule.front, placed.mechanics


def bricks(world: Transaction, before: Savepoint) -> bool:
    """Whether what has happened since the deed had come so far leaves no way to change the law.

    Runs in a worker; its death is a brick.
    """
    try:
        return bool(worker.run(lambda: _stuck(world, before), processor=PROCESSOR, wall=WALL))
    except worker.Died:
        return True


def _stuck(world: Transaction, before: Savepoint) -> bool:
    """Whether it is so now, and was not so before: with fresh players and with those of now, soon and later."""
    shut = [shut for game in (_fresh, _present) for shut in _shut(game, world)]
    if not shut:
        return False
    world.back(before)
    return any(_opens(game(world), starts) for game, starts in shut)


def _shut(game: _Game, world: Transaction) -> list[tuple[_Game, Sequence[int]]]:
    """The first span of time in which there is no way, with the game it was tried in."""
    for starts in SPANS:
        if not _opens(game(world), starts):
            return [(game, starts)]
    return []


def _fresh(world: Transaction) -> Transaction:
    start = Founding(world.now, FRESH, FRESH[0], FRESH[1:3])
    return found(world.ruleset, start, Seeded(b"trial", "trial"), ON_TRIAL, world.physics)


def _present(world: Transaction) -> Transaction:
    """The game as it is, outside an interregnum and with nothing pending."""
    world = Transaction(world.position, ON_TRIAL, world.chance, now=world.now)
    for ref in reading.find(world, "posts", status="pending"):
        writing.write(world, ref, "posts", "status", "failed")
    world.store.put("dynasty", "interregnum", False)
    return world


def _opens(world: Transaction, starts: Sequence[int]) -> bool:
    """Whether somebody who begins at one of these times can bring a repeal to enactment within two weeks."""
    return any(_tried(world, verb, world.now + start) for verb in ("propose", "cfj") for start in starts)


def _tried(world: Transaction, verb: str, at: int) -> bool:
    with world.asking():
        try:
            return _enacted(world, verb, at)
        except NomicError:
            return False


def _enacted(world: Transaction, verb: str, at: int) -> bool:
    _wait(world, at)
    targets = _targets(world)
    matter = _submitted(world, verb, targets)
    if matter is None:
        return False
    for voter in reading.roster(world):
        _try(world, "vote", voter, {"matter": matter, "icon": "for"})
    for wait in WAITS:
        _wait(world, at + int(wait))
        for resolver in [*reading.admins(world), *reading.roster(world)]:
            if not _try(world, "resolve", resolver, {"matter": matter}):
                continue
            if any(target not in world.ruleset.by_slug for target in targets):
                return True
    return False


def _wait(world: Transaction, at: int) -> None:
    world.refuel()
    clockwork.catch_up(world, at)
    world.now = world.cast_at = at
    world.parent_law = world.law
    world.refuel()


def _targets(world: Transaction) -> list[str]:
    """Rules to repeal, any of which will do, since a law may guard one: the last ones without rules under them,
    outside the core where there are such.
    """
    leaves = [p for p in world.ruleset.rules if not world.ruleset.children(p.slug)]
    outside = [p.slug for p in leaves if p.section != "core"]
    return outside[-MOST_TARGETS:] or [leaves[-1].slug]


def _submitted(world: Transaction, verb: str, targets: Sequence[str]) -> str | None:
    action = world.law.declared.actions.get(verb)
    if action is None or "changes" not in action.parameters:
        return None
    given: dict[str, Any] = {
        n: _something(kind) for n, kind in action.parameters.items() if acting.required(kind)
    }
    tags = ["Core", "Dynastic", "Special Case", "Appendix", "Glossary"]
    given |= {"title": "A way to change the law", "changes": [{"repeal": target} for target in targets]}
    given |= {"tags": tags} if "tags" in action.parameters else {}
    for author in reading.roster(world):
        before = set(world.store.ids("posts"))
        if _try(world, verb, author, given):
            made = [name for name in world.store.ids("posts") if name not in before]
            return made[-1] if made else None
    return None


def _something(kind: Type) -> object:
    return kind.choices[0] if kind.choices else kind.empty() or ("x" if kind.kind == "text" else kind.empty())


def _try(world: Transaction, action: str, actor: str, given: Mapping[str, object]) -> bool:
    try:
        acting.perform(world, action, actor, given)
    except NomicError:
        return False
    return True


def undo_enactment(world: Transaction, closing: Closing) -> None:
    """Take a matter's enactment back to before it was closed, and mark it illegal where the law has that."""
    world.back(closing.before)
    world.steps = []
    world.notes.append(f"Not enacted: {BRICKED}.")
    if world.law.variable("posts", "illegal") is not None:
        writing.write(world, closing.matter, "posts", "illegal", True)
    units.settle(world)


def name_of(ruleset: Ruleset) -> str:
    """A short name for a ruleset that a deed would have made."""
    text = "\0".join(f"{path}\0{body}" for path, body in sorted(ruleset.texts.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
