"""The settings of a game, ``game/game.yml``: what is no law, such as its name, its physics and where it lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nomicgit.ground import files
from nomicgit.ground.problems import Refused
from nomicgit.physics.numbers import NEWEST, physics_of
from nomicgit.record.tree import SETTINGS

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Settings:
    """``game/game.yml``. ``time`` is ``live``, or ``given`` in a practice game, which takes the times it is told."""

    name: str
    edition: str
    time: str = "live"
    dice: str = "local"
    forge: Mapping[str, Any] | None = None
    restore: Mapping[str, Any] | None = None
    physics: int = NEWEST.number
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_file(self) -> bytes:
        """The settings as their file."""
        known = {
            "format": FORMAT, "physics": self.physics, "name": self.name, "edition": self.edition, "time": self.time,
            "dice": self.dice, "forge": self.forge, "restore": self.restore,
        }  # fmt: skip
        return files.write(known | dict(self.more)).encode()


def settings_of(data: bytes) -> Settings:
    """The settings in a file. Refused where this program cannot play the game."""
    found = files.read(data, SETTINGS)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Refused.of(
            "this program does not know the game's format", file=SETTINGS, mend="use a newer nomicgit"
        )
    physics = physics_of(found.get("physics"), file=SETTINGS)
    known = {"format", "physics", "name", "edition", "time", "dice", "forge", "restore"}
    return Settings(
        str(found.get("name", "")), str(found.get("edition", "")), str(found.get("time", "live")), str(found.get("dice", "local")),
        found.get("forge"), found.get("restore"), physics.number, {k: v for k, v in found.items() if k not in known},
    )  # fmt: skip
