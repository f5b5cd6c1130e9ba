"""What a commit does beside the game that nobody expects: which, in whose name it is, and what mends it."""

from __future__ import annotations

from msgspec import Struct

from nomicgit.ground.remedies import as_json
from nomicgit.record import line


class Unexpected(Struct, frozen=True):
    """A commit, in whose name it is, what it does, in words that go on from there, and what is to be done about it."""

    commit: str
    by: str
    what: str
    mend: str

    def __str__(self) -> str:
        return f"the commit {self.commit[:12]} {line.in_the_name(self.by)} {self.what}"

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"commit": self.commit, "by": self.by, "what": self.what} | as_json(self.mend)
