"""Checks: everything that is wrong with a game as it stands, all at once.

A check is a function of one signature; adding one is a function and a line in a list.
"""

from __future__ import annotations

from nomicgit.checks.checking import Checked, check_game, check_ruleset
from nomicgit.checks.finding import Finding

__all__ = ["Checked", "Finding", "check_game", "check_ruleset"]
