"""Git: our reading and writing of a repository. It knows nothing of a game.

Reading and writing of single deeds is done here, without a Git library and mostly without a Git process;
the processes that are started never follow replacements or grafts and never ask for a password.
One thread uses one `Repository`.

Public: ``repository.Repository``, ``objects.Commit``, ``branch.Raced``, ``process.TooLarge``.
"""

from nomicgit.git.branch import Raced
from nomicgit.git.objects import Commit
from nomicgit.git.process import TooLarge
from nomicgit.git.repository import Repository

__all__ = ["Commit", "Raced", "Repository", "TooLarge"]
