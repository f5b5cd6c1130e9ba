"""Approving: after a loss so many admins, each by a signed deed of their own, name a player's keys anew.

The keys of those who may restore the game are never changed so: whatever admins do together, those can mend it.
"""

from __future__ import annotations

from typing import NamedTuple

from nomicgit.ground.problems import Refused, printable
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record.outside import restoring
from nomicgit.record.outside.helping import admins, needed
from nomicgit.record.settings import Settings
from nomicgit.record.signers import Listed, with_keys


class Approved(NamedTuple):
    """What an approval leads to: what is listed after it, and how many admins have approved the same, of how many who must."""

    listed: Listed
    have: int
    needed: int

    @property
    def done(self) -> bool:
        """Whether the player has these keys by it."""
        return self.have >= self.needed


def refuse_unentitled(settings: Settings, store: Store, deed: Deed) -> None:
    """Refuse an approval of whoever is no admin, and of keys that admins do not name."""
    if deed.actor not in admins(store):
        raise Refused.of(
            "only they themselves change a player's keys, or admins, or those who may restore the game",
            mend="name those: --by NAME",
        )
    player = deed.given["player"]
    if player in restoring.named(settings.restore)[0] or store.fields(f"players/{player}") is None:
        raise Refused.of(
            f"{printable(player)} may restore the game, or is no player: others who may restore it name those keys",
            mend="name those: --by NAME",
        )


def approved(listed: Listed, settings: Settings, store: Store, deed: Deed) -> Approved:
    """What an admin's approval of a player's keys leads to. Refused where they have approved just these already, or these
    cannot be.
    """
    player, lines, by = deed.given["player"], deed.given["keys"], str(deed.actor)
    done = with_keys(listed, player, lines)
    if (earlier := listed.approvals.get((player, by))) is not None and {*earlier} == {*lines}:
        raise Refused.of(f"{printable(by)} has approved these keys of {printable(player)} already")
    approvals, some = {**listed.approvals, (player, by): lines}, admins(store)
    have = sum(
        who == player and admin in some and {*keys} == {*lines} for (who, admin), keys in approvals.items()
    )
    enough = Approved(done, have, needed(settings, some))
    return enough if enough.done else enough._replace(listed=listed._replace(approvals=approvals))
