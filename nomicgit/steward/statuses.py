"""Setting the statuses of commits, one by one, until the forge takes no more of them for now."""

from __future__ import annotations

from typing import Protocol

from msgspec.structs import replace

from nomicgit.steward.keeping import Left
from nomicgit.steward.replying import CONTEXT, Reply
from nomicgit.steward.trouble import Limited, Trouble


class Forge(Protocol):
    """What setting a status needs of a forge."""

    def status(self, sha: str, state: str, context: str, description: str, target: str = "") -> None:
        """Set a commit's status."""


class Statuses:
    """The statuses that one pass sets. ``problems`` is told what goes wrong, of a limit once."""

    def __init__(self, forge: Forge, problems: list[str]) -> None:
        self._forge, self._problems, self._limited = forge, problems, False

    def set(self, reply: Reply, left: Left) -> Left:
        """Set that of a thread's commit, where it is another than before; gives how the thread is left, which is read again where
        the forge takes no more now. One that cannot be set is tried again."""
        status = reply.status
        if status is None:
            return left
        if self._limited:
            return replace(left, waits=True)
        try:
            self._forge.status(status.sha, status.state, CONTEXT, status.description, left.page)
        except Trouble as trouble:
            self._problems.append(str(trouble))
            self._limited = isinstance(trouble, Limited)
            return replace(left, waits=left.waits or self._limited)
        return replace(left, status=status.mark)
