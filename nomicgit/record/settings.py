"""The settings of a game, ``game/game.yml``: what is no law, such as its name, its physics and where it lives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from nomicgit.ground import files
from nomicgit.physics.numbers import NEWEST

if TYPE_CHECKING:
    from nomicgit.physics.deed import Origin

FORMAT = 1
FORGES = ("github",)
"""The forges on which a game can live, as its settings name them."""


class Settings(Struct, frozen=True):
    """``game/game.yml``. ``time`` is ``live``, or ``given`` in a practice game, which takes the times it is told.
    ``signed``: whether deeds are, which stands there where it is asked for; so do ``orders``: when rounds take orders, such
    as ``every 6h``, and ``approvals``: how many admins together name a player's keys (0: more than half of them).
    """

    name: str
    edition: str
    time: str = "live"
    dice: str = "local"
    forge: Mapping[str, Any] | None = None
    restore: Mapping[str, Any] | None = None
    physics: int = NEWEST.number
    signed: str = "no"
    orders: str = ""
    approvals: int = 0
    more: Mapping[str, Any] = field(default_factory=dict)

    def misplaced(self, origin: Origin) -> str:
        """What is wrong with where a deed says that it came in: on the forge where the game lives; "" where nothing is."""
        lives = next((name for name in FORGES if name in (self.forge or {})), None)
        if lives is None:
            return "it says that it came in on a forge, and the game lives on none"
        named = [each.forge for each in (origin.account, origin.thread) if each is not None]
        strange = next((name for name in named if name != lives), None)
        return f"it says that it came in on {strange}, and the game lives on {lives}" if strange else ""

    def as_file(self) -> bytes:
        """The settings as their file."""
        known = {
            "format": FORMAT, "physics": self.physics, "name": self.name, "edition": self.edition, "time": self.time,
            "dice": self.dice, "forge": self.forge, "restore": self.restore,
        }  # fmt: skip
        asked: dict[str, object] = {} if self.signed == "no" else {"signed": self.signed}
        asked |= {"orders": self.orders} if self.orders else {}
        asked |= {"approvals": self.approvals} if self.approvals else {}
        return files.write(known | asked | dict(self.more)).encode()
