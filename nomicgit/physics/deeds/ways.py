"""A way to change the law stays open: whatever closes it is not enacted. Source: A law that bricks itself, in ``docs/architecture.md``."""

from __future__ import annotations

from nomicgit.ground.problems import Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.state.transaction import Savepoint, Transaction


def leave(world: Transaction, law: Ruleset, before: Savepoint) -> None:
    """Undo the enactment of a law that leaves no way to change the law; refuse whatever else makes one.

    Looked at is what has happened since the deed had come as far as ``before``, under the ruleset ``law``.
    What changes the gamestate alone is the players' own affair: a roster without an admin is no law.
    The finding is evidence of the deed; replay takes it as given.
    """
    if world.context.trusted or world.ruleset is law:
        return
    from nomicgit.physics.deeds import trial  # here: most deeds change no law, and a trial takes long to load

    if not trial.changed(law, world.ruleset):
        return
    name, told = trial.name_of(world.ruleset), world.context.claims
    if not (trial.bricks(world, before) if told is None else name in told.get("bricked", ())):
        return
    world.claims.setdefault("bricked", []).append(name)
    if len(world.closings) == before.closings:
        raise Refused.of(trial.BRICKED)
    trial.undo_enactment(world, world.closings[before.closings])
