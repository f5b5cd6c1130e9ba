"""Deeds outside the law that say the game's settings anew: where it lives on a forge, under which physics it is played.

Those who may restore the game may do them. Neither rules nor gamestate change, and nothing falls due in them; the forms
follow in the same commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from nomicgit.ground.problems import Defect, Malformed, Refused
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.numbers import physics_of
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.settings import Settings
from nomicgit.record.tree import SETTINGS, forms_of

Files = Mapping[str, bytes | None]
"""Files that a deed changes: their new bytes, None for those that go."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a deed that says settings anew has done, and the files that it changes beside what every deed does."""

    outcome: Outcome
    files: Files


def settle(position: Position, deed: Deed, settings: Settings) -> Settled:
    """Carry such a deed out on a position. Refused where it says nothing new, or what cannot be."""
    anew, what = SETTLING[Outside(deed.action)](settings, deed.given, position.ruleset)
    world = Transaction(position, Context(), Seeded(b"", deed.id))
    pipeline.arrive(world, deed)
    world.notes.append(f"{what}, by {', '.join(deed.given['by'])}.")
    return Settled(pipeline.outcome_of(world, deed), _files(position.ruleset, settings, anew))


def _rehoused(settings: Settings, given: Mapping[str, Any], ruleset: Ruleset) -> tuple[Settings, str]:
    from nomicgit.record.forms import forge_of  # here: a game seldom moves

    forge = given["forge"]
    place = forge_of(forge)
    if forge is not None and place is None:
        raise Refused.of("that is no place on a forge", file=SETTINGS, mend="name it: {github: OWNER/NAME}")
    if forge == settings.forge:
        raise Refused.of("the game lives there already, and so", file=SETTINGS)
    where = f"lives at {place.address}" if place else "lives on no forge"
    return replace(settings, forge=forge), f"The game {where}"


def _under_another_physics(
    settings: Settings, given: Mapping[str, object], ruleset: Ruleset
) -> tuple[Settings, str]:
    physics = physics_of(given["to"])
    if physics.number <= settings.physics:
        shown = f"the game is played under physics {settings.physics} already, and there is no way back to another"
        raise Refused.of(shown, file=SETTINGS)
    law = physics.law(ruleset)
    try:
        problems = law.problems
        law.compile()
    except (Defect, Malformed) as error:
        problems = (*law.problems, *error.problems)
    if problems:
        raise Refused(*dict.fromkeys(problems))
    return replace(settings, physics=physics.number), f"The game is played under physics {physics.number}"


SETTLING = {Outside.REHOUSE: _rehoused, Outside.NUMBER: _under_another_physics}


def _files(ruleset: Ruleset, before: Settings, after: Settings) -> Files:
    """The settings, and the forms that another place or another law makes otherwise."""
    old, new = (forms_of(physics_of(each.physics).law(ruleset), each.forge) for each in (before, after))
    changed = {path: new.get(path) for path in {*old, *new} if old.get(path) != new.get(path)}
    return {SETTINGS: after.as_file()} | changed
