"""Deeds outside the law: those that the program itself carries out, written ``physics/NAME``.

A deed in the record is replayed by the name of its action. No name of the law holds a slash, so none of the law's
actions is ever taken for one of these.
"""

from __future__ import annotations

from enum import StrEnum

from nomicgit.ground.problems import Malformed


class Outside(StrEnum):
    """The names of the program's own deeds, as the record tells them."""

    FOUND = "physics/found"
    RESTORE = "physics/restore"
    REHOUSE = "physics/rehouse"
    NUMBER = "physics/number"
    """Another physics, by its number."""
    ACCOUNT = "physics/account"
    """A player's account on a forge becomes known."""


def refuse_slash(where: str, *names: object) -> None:
    """Malformed where a name that a rule declares, or reaches for, in its front matter holds a slash."""
    for name in names:
        if isinstance(name, str) and "/" in name:
            what = f"{where}.{name}: a name of the law holds no slash; the program's own deeds do, and no law reaches them"
            raise Malformed.of(what, mend="choose another name")
