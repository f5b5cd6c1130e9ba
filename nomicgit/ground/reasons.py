"""Why the law refuses: its reason as it is taken from the law, one line, and as people say it, its label as words. Pure."""

from __future__ import annotations

from nomicgit.ground.kept import late

HIATUS = "hiatus: "
"""How the law's reasons begin where there is hiatus."""

LONGEST = 2000  # letters of a reason
CUT = f"… (cut off here: a reason has at most {LONGEST} letters)"
"""How a reason ends that was too long."""


def taken(reason: str) -> str:
    """A reason as it is taken from the law: one line, whatever it says, for each line of a message is the program's; cut off
    where it is too long.
    """
    return cut(" ".join(reason.split()) if reason.splitlines() != [reason] else reason)


_LABEL = late(r"[a-z]+(?:_[a-z]+)+(?=: )")
"""A label of several words, which the law's names tie together."""


def cut(reason: str) -> str:
    """A reason, cut off where it is too long."""
    return reason[:LONGEST] + CUT if len(reason) > LONGEST else reason


def worded(reason: str) -> str:
    """A reason as a sentence says it: ``hiatus: a DoV is pending`` as ``there is hiatus: a DoV is pending``, and of a label such
    as ``dungeon_level: …`` the words.
    """
    if reason.startswith(HIATUS):
        return f"there is {reason}"
    return label[0].replace("_", " ") + reason[label.end() :] if (label := _LABEL.match(reason)) else reason
