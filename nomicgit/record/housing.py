"""Rehouse: a deed outside the law. It says anew where the game lives on a forge, and how it is played there.

Those who may restore the game may do it. Neither law nor gamestate change, and nothing falls due in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nomicgit.deeds import pipeline
from nomicgit.deeds.chance import Seeded
from nomicgit.deeds.pipeline import Deed, Outcome
from nomicgit.gamestate.context import Context
from nomicgit.gamestate.position import Position
from nomicgit.gamestate.transaction import Transaction
from nomicgit.law import Law
from nomicgit.problems import Refused
from nomicgit.record.tree import SETTINGS, forms_of

if TYPE_CHECKING:
    from nomicgit.record.game import Settings


def rehouse(position: Position, deed: Deed) -> Outcome:
    """Carry a rehousing out on a position."""
    from nomicgit.forms import forge_of

    place = forge_of(deed.given["forge"])
    world = Transaction(position, Context(), Seeded(b"", deed.id))
    pipeline.arrive(world, deed)
    names = ", ".join(deed.given["by"])
    where = f"lives at {place.address}" if place else "lives on no forge"
    world.notes.insert(0, f"The game {where}, by {names}.")
    return pipeline.outcome_of(world, deed)


def files_of(settings: Settings, forge: Mapping[str, Any] | None, law: Law) -> dict[str, bytes | None]:
    """The files that a rehousing changes: the settings, and the forms.

    Refused where ``forge`` names no place, or says what the settings say already.
    """
    from nomicgit.forms import forge_of

    if forge is not None and forge_of(forge) is None:
        raise Refused.of("that is no place on a forge", file=SETTINGS, mend="name it: {github: OWNER/NAME}")
    if forge == settings.forge:
        raise Refused.of("the game lives there already, and so", file=SETTINGS)
    old, new = forms_of(law, settings.forge), forms_of(law, forge)
    changed = {path: new.get(path) for path in {*old, *new} if old.get(path) != new.get(path)}
    return {SETTINGS: replace(settings, forge=forge).as_file()} | changed
