"""Branches: what somebody wrote with Git becomes the changes of a proposal, or is refused with all its problems.

A branch is only a way to write changes. Its files are read as Git's objects, within budgets, never through
the file system, and nothing in them is run here. Source: ``docs/changes.md``.
"""

from __future__ import annotations

from nomicgit.branches.expressed import Expressed, changes_of, still_gives
from nomicgit.branches.proof import Carried, carry

__all__ = ["Carried", "Expressed", "carry", "changes_of", "still_gives"]
