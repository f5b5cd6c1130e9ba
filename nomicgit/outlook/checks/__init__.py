"""Checks: everything that is wrong with a game as it stands, or with a branch that is to change it, all at once.

A check is a function of one signature; adding one is a function and a line in a list.
"""

from __future__ import annotations

from nomicgit.outlook.checks.checking import Checked, check_game, check_ruleset
from nomicgit.outlook.checks.enactment import foretold
from nomicgit.outlook.checks.finding import Finding
from nomicgit.outlook.checks.forecast import Prospects, prospects
from nomicgit.outlook.checks.proposable import BranchChecked, check_branch
from nomicgit.outlook.checks.prospective import ANY_LAW, for_the_keeper

__all__ = [
    "ANY_LAW",
    "BranchChecked",
    "Checked",
    "Finding",
    "Prospects",
    "check_branch",
    "check_game",
    "check_ruleset",
    "for_the_keeper",
    "foretold",
    "prospects",
]
