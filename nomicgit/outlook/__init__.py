"""The outlook of a game: what is pending, why, and when that can change if nobody votes."""

from __future__ import annotations

from nomicgit.outlook.ahead import CLOCKS, HORIZON, PROBES, Answer, Question, look_ahead
from nomicgit.outlook.seen import (
    Dynasty,
    Matter,
    Outlook,
    Vote,
    closed,
    openings,
    outlook,
    outlook_of,
    wants_vote,
)

__all__ = [
    "CLOCKS",
    "HORIZON",
    "PROBES",
    "Answer",
    "Dynasty",
    "Matter",
    "Outlook",
    "Question",
    "Vote",
    "closed",
    "look_ahead",
    "openings",
    "outlook",
    "outlook_of",
    "wants_vote",
]
