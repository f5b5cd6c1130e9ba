"""What the steward keeps between passes, beside the game: how far it has read, and how it left each open thread.

Only an optimisation, under a reference of its own: without it all is read again, and nothing is done twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from nomicgit.git import Repository
from nomicgit.ground.problems import Malformed
from nomicgit.steward.seen import Cursor

REF = "refs/nomicgit/steward"
FILE = "kept.json"
LARGEST = 8 * 1024 * 1024
NEVER = -1


class Left(Struct, frozen=True):
    """How a thread was left: its node, whether it is a pull request's and its head, its report's comment and the digest of that,
    its labels, the status set last (``SHA STATE``), the costly part of its report, whether something waits there (an order to be
    taken, a status to be set), and where its report is shown; whether it was locked."""

    node: str
    pull: bool
    head: str = ""
    open: bool = True
    report: str = ""
    digest: str = ""
    labels: tuple[str, ...] = ()
    status: str = ""
    does: str = ""
    waits: bool = False
    page: str = ""
    locked: bool = False


class Kept(Struct, frozen=True):
    """All that is kept. ``claimed``: since when a pass is writing on the forge; 0: none is. ``sound``: the commit up to
    which nothing but deeds has changed the game. ``alarm``: the node of the issue which says that the game has stopped, and
    the digest of what it says; empty where none stands. ``said``: what tells the letters that were written last from
    others. ``since``: where the cursor was lost, from when on what has changed is read, open or not, until a pass has said
    everything again; NEVER: every post's thread, for nothing was ever decided; 0: the cursor tells.
    """

    cursor: Cursor | None = None
    threads: Mapping[int, Left] = field(default_factory=dict)
    claimed: int = 0
    sound: str = ""
    alarm: str = ""
    said: str = ""
    since: int = 0

    def waiting(self) -> list[int]:
        """The threads that are read again since something waits there."""
        return [number for number, left in self.threads.items() if left.waits]

    def as_bytes(self) -> bytes:
        """As a file."""
        threads = {str(number): asdict(left) for number, left in sorted(self.threads.items())}
        plain = {
            "cursor": self.cursor.as_json() if self.cursor else None,
            "threads": threads,
            "claimed": self.claimed,
            "sound": self.sound,
            "alarm": self.alarm,
            "said": self.said,
            "since": self.since,
        }
        return json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def of(cls, data: bytes) -> Kept:
        """From a file; nothing for one that has not its form."""
        try:
            plain = json.loads(data)
            threads = {int(number): _left(left) for number, left in plain["threads"].items()}
            words = (str(plain["sound"]), str(plain["alarm"]), str(plain["said"]))
            return cls(
                Cursor.of_json(plain["cursor"]), threads, int(plain["claimed"]), *words, int(plain["since"])
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return cls()


def _left(plain: Mapping[str, Any]) -> Left:
    left = Left(**{**plain, "labels": tuple(map(str, plain["labels"]))})
    if not all(
        isinstance(each, str)
        for each in (left.node, left.head, left.report, left.digest, left.status, left.does, left.page)
    ):
        raise ValueError("a thread has not its form")
    return left


def load(repository: Repository, at: str | None) -> Kept:
    """What a commit of the reference keeps; nothing where there is none, or none that can be read."""
    if at is None:
        return Kept()
    try:
        entry = repository.entry(repository.commit(at).tree, FILE)
        return Kept.of(repository.blob(entry[1], limit=LARGEST)) if entry else Kept()
    except Malformed:
        return Kept()


def write(repository: Repository, kept: Kept, now: int) -> str:
    """A commit that keeps this, without parents: what was kept before is worth nothing."""
    tree = repository.tree_with(None, {FILE: kept.as_bytes()})
    who = f"steward <steward@nomicgit.invalid> {now} +0000"
    body = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nWhat the steward keeps between passes; it may be deleted.\n"
    return repository.write("commit", body.encode())
