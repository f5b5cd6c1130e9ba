"""Why the law refuses, as people say it: the label with which a reason of the law's begins is said as words. Pure."""

from __future__ import annotations

HIATUS = "hiatus: "
"""How the law's reasons begin where there is hiatus."""


def worded(reason: str) -> str:
    """A reason as a sentence says it: ``hiatus: a DoV is pending`` as ``there is hiatus: a DoV is pending``."""
    return f"there is {reason}" if reason.startswith(HIATUS) else reason
