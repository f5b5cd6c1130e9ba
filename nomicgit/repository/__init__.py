"""The record: a game's Git repository, and the only importer of Git.

Reading and writing of single deeds is done here, without a Git library and mostly without a Git process;
the processes that are started never follow replacements or grafts and never ask for a password.
One thread uses one `Repository`.
"""

from nomicgit.repository.branch import Raced
from nomicgit.repository.objects import Commit
from nomicgit.repository.process import TooLarge
from nomicgit.repository.repository import Repository

__all__ = ["Commit", "Raced", "Repository", "TooLarge"]
