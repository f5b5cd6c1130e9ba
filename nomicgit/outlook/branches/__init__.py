"""Branches: what somebody wrote with Git becomes the changes of a proposal, or is refused with all its problems.

A branch is only a way to write changes. Its files are read as Git's objects, within budgets, never through
the file system, and nothing in them is run here. Source: ``docs/changes.md``.
"""

from __future__ import annotations

from nomicgit.outlook.branches.ends import ends, first_words, range_ends
from nomicgit.outlook.branches.expressed import Expressed, changes_of, still_gives
from nomicgit.outlook.branches.shown import shown
from nomicgit.record.proof import of_branch

__all__ = [
    "Expressed",
    "changes_of",
    "ends",
    "first_words",
    "of_branch",
    "range_ends",
    "shown",
    "still_gives",
]
