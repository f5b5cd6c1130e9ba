"""Which keys count, who may restore the game, and what it asks of signatures, at each commit of a line: followed deed by deed.

What is at fault may have changed these by hand. So what counts stands in no file: it is what the founding says, and what
signed deeds have changed since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from nomicgit.git import Commit, Repository
from nomicgit.git.signing import NAMESPACE, parts
from nomicgit.ground.problems import NomicError, printable
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.outside import approving, restoring
from nomicgit.record.outside.misgiven import misgiven
from nomicgit.record.outside.settling import SAID, refuse_unentitled, said_anew
from nomicgit.record.settings import Settings
from nomicgit.record.signers import (
    Asked,
    Listed,
    Signers,
    Standing,
    approves,
    judged,
    listed_in,
    plays,
    signers_in,
    standing,
    with_keys,
)
from nomicgit.record.tree import GameTree
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey

_CHANGES = frozenset({*SAID, Outside.SIGNERS, Outside.MEND})


class Counting(NamedTuple):
    """What counts at a commit: the keys of each player, and the settings of a game with a founding, of which those that deeds have
    ``SAID`` since are followed.
    """

    settings: Settings | None
    keys: Signers

    @property
    def asked(self) -> str:
        """What the game asks of signatures."""
        return self.settings.signed if self.settings is not None else Asked.NO


class Followed:
    """What counts at each commit of a line, taken one after the other from the first. What is not as it should be changes nothing."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.at: dict[str, Counting] = {}
        self.now = Counting(None, {})

    @classmethod
    def along(cls, repository: Repository, commits: Sequence[Commit]) -> Followed:
        """A line that was followed to its end."""
        followed = cls(repository)
        for commit in commits:
            followed.take(commit)
        return followed

    def take(self, commit: Commit) -> None:
        """Go one commit on."""
        if not self.at:
            with suppress(NomicError):  # of a founding that is none
                settings = GameTree(self.repository, commit.tree).settings
                self.now = Counting(settings, signers_in(self.repository, commit.tree))
        elif self.now.settings is not None and any(action in commit.message for action in _CHANGES):
            entry = journal.told(commit.message)
            if entry is not None and entry.deed.action in _CHANGES:
                with suppress(NomicError):
                    self.now = self._after(self.now.settings, entry.deed, commit)
        self.at[commit.oid] = self.now
        self.before = commit.tree

    def _after(self, settings: Settings, deed: Deed, commit: Commit) -> Counting:
        """What counts after a deed that says something of it. Refused where it may not."""
        now, stored = self.now, self.repository.read(commit.oid)[1]
        if misgiven(deed.action, deed.given, deed.actor):
            return now
        if deed.action == Outside.MEND:
            then = self.at.get(deed.given["to"], now)
            restoring.allowed((then.settings or settings).restore, deed.given["by"])
            keys = _asked_of(deed, now, self.at)
            stands = keys is None or not judged(now.asked) or _signed(keys, stored)
            return then if stands else now
        tree = GameTree(self.repository, self.before)
        refuse_unentitled(settings, Store(tree), deed)
        there = partial(plays, self.repository, self.before, deed)
        if standing(deed, stored, now.keys, now.asked, plays=there).wrong:
            return now
        if deed.action in SAID:
            return now._replace(settings=said_anew(settings, deed))
        if approves(deed):
            listed = listed_in(self.repository, self.before)._replace(keys=now.keys)
            after = approving.approved(listed, settings, Store(tree), deed).listed
        else:
            after = with_keys(Listed(now.keys), deed.given["player"], deed.given["keys"])
        return now._replace(keys=after.keys)


def of_doer(repository: Repository, commits: Sequence[Commit], deed: Deed) -> Sequence[PublicKey] | None:
    """The keys of which one signs a mend upon a line, oldest first; None where nobody has to: it is believed."""
    followed = Followed.along(repository, commits)
    return _asked_of(deed, followed.now, followed.at)


def mend_standing(followed: Followed, deed: Deed, stored: bytes) -> Standing:
    """How a mend's commit upon a line that was followed so far is signed, as Git keeps it."""
    now = followed.now
    keys = _asked_of(deed, now, followed.at)
    if keys is None or not judged(now.asked):
        return Standing(None)
    if _signed(keys, stored):
        return Standing(True)
    name = printable(str(deed.actor), 60)
    return Standing(
        False,
        f"it is signed with no key of {name}" if parts(stored).signature else f"{name} has not signed it",
    )


def _asked_of(deed: Deed, now: Counting, at: Mapping[str, Counting]) -> Sequence[PublicKey] | None:
    """The keys of which one signs a mend: those that its doer has now, where the game asks for signatures now, or where
    they have one now and had one where it goes back to.
    """
    then = at.get(deed.given["to"], now)
    own = now.keys.get(str(deed.actor), ())
    return own if now.asked == Asked.REQUIRED or (own and then.keys.get(str(deed.actor))) else None


def _signed(keys: Sequence[PublicKey], stored: bytes) -> bool:
    return bool(keys) and ssh.signs(keys, *parts(stored), NAMESPACE)
