"""What the record tells of the forge: which events were used, by which deeds, and what was taken in when."""

from __future__ import annotations

import re

from msgspec import Struct, field

from nomicgit.clones.resolving import RESOLVE
from nomicgit.git import Repository
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record import journal

EDIT, VOTE = "edit-post", "vote"
SLACK = 3600  # seconds by which the clocks of the forge and of whoever runs the steward may differ
JOINING = ("join", Outside.ACCOUNT)
"""The deeds with which an account becomes a player's; others only tell its new login."""

_TOLD = re.compile(rf"^Nomic-(?:Evidence: |Action: (?:{EDIT}|{VOTE})$)", re.MULTILINE)


class Past(Struct):
    """The deeds that came from a forge. Instants are the forge's own, of the events, not of their deeds.

    ``used``: the newest deed that answers an event, its time and its commit. ``begun``: when a thread became a post. ``edited``: when
    other changes of a post were taken in last, by its number. ``voted``: when a player voted last on a post.
    ``known``: since when an account is a player's. ``merged``: the head of a branch that the resolution of a post merged, though
    it is another than that which was proposed.
    """

    used: dict[str, tuple[int, str]] = field(default_factory=dict)
    begun: dict[int, int] = field(default_factory=dict)
    edited: dict[int, int] = field(default_factory=dict)
    voted: dict[tuple[str, int], int] = field(default_factory=dict)
    known: dict[int, int] = field(default_factory=dict)
    merged: dict[int, str] = field(default_factory=dict)

    @classmethod
    def read(cls, repository: Repository, tip: str) -> Past:
        """The past up to a commit; what merely reads like a founding hides nothing."""
        past = cls()
        for commit in repository.log(tip):
            text = commit.message
            if _TOLD.search(text):
                entry = journal.told(text)
                if entry is not None:
                    past.note(entry.deed, commit.oid)
        return past

    def note(self, deed: Deed, commit: str) -> None:
        """Take in one deed; in whatever order they come, the newest counts, of accounts the first."""
        at = deed.at if deed.cast_at is None else deed.cast_at
        if deed.action == EDIT and deed.given.get("changes") is not None:
            number = _post(deed.given.get("post"))
            self.edited[number] = max(at, self.edited.get(number, 0))
        if deed.action == VOTE and deed.actor is not None:
            ballot = deed.actor, _post(deed.given.get("matter"))
            self.voted[ballot] = max(at, self.voted.get(ballot, 0))
        if deed.action == RESOLVE and deed.branch is not None:
            self.merged[_post(deed.given.get("matter"))] = deed.branch
        if deed.origin is None:
            return
        for event in deed.origin.events:
            self.used[event] = max((at, commit), self.used.get(event, (0, "")))
        if deed.origin.thread is not None:
            number = deed.origin.thread.number
            self.begun[number] = max(at, self.begun.get(number, 0))
        if deed.origin.account is not None and deed.action in JOINING:
            account = deed.origin.account.id
            self.known[account] = min(at, self.known.get(account, at))

    def answer_to(self, event: str, begun: int) -> str | None:
        """The commit of the deed that answers an event of a thread that began at this instant; None where none does.

        Numbers begin anew where a game moves to another repository: what is older than the thread is another's.
        """
        at, commit = self.used.get(event, (0, ""))
        return commit if commit and at + SLACK >= begun else None

    def is_of(self, thread: int, begun: int) -> bool:
        """Whether the record's thread of this number is the one that began at this instant."""
        return self.begun.get(thread, begun) + SLACK >= begun

    def voted_at(self, player: str, post: int) -> int:
        """When a player voted last on a post; 0 for one who has not."""
        return self.voted.get((player, post), 0)

    def content_at(self, thread: int, post: int) -> int:
        """Since when a thread's post says what it says; 0 where the record does not tell."""
        return max(self.begun.get(thread, 0), self.edited.get(post, 0))


def _post(named: object) -> int:
    """The number of a post as a deed names it; 0 for what is none."""
    number = str(named).removeprefix("posts/").lstrip("0")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
