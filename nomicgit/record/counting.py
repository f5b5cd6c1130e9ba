"""Which keys count, and what the game asks of signatures, at each commit of a line: followed deed by deed.

A mend goes back behind what is at fault, and that may have changed the keys by hand. So what counts for its doer stands in
no file: it is what the founding says, and what signed deeds have changed since.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from nomicgit.git import Commit, Repository
from nomicgit.git.signing import NAMESPACE, parts
from nomicgit.ground.problems import NomicError, printable
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record import journal, restoring
from nomicgit.record.misgiven import misgiven
from nomicgit.record.settings import Settings
from nomicgit.record.settling import refuse_unentitled
from nomicgit.record.signers import Asked, Signers, Standing, judged, signers_in, standing, with_keys
from nomicgit.record.tree import GameTree
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey

_SAID = (Outside.SIGNERS, Outside.SIGNED, Outside.MEND)


class Counting(NamedTuple):
    """What counts at a commit: what the game asks, and the keys of each player."""

    asked: str
    keys: Signers


def of_doer(repository: Repository, commits: Sequence[Commit], deed: Deed) -> Sequence[PublicKey] | None:
    """The keys of which one signs a mend upon a line, oldest first; None where nobody has to: it is believed."""
    at = _followed(repository, commits)
    return _asked_of(deed, at[commits[-1].oid], at)


def mend_standing(repository: Repository, commits: Sequence[Commit], deed: Deed, stored: bytes) -> Standing:
    """How a mend's commit upon a line is signed, as Git keeps it."""
    at = _followed(repository, commits)
    now = at[commits[-1].oid]
    keys = _asked_of(deed, now, at)
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


def _followed(repository: Repository, commits: Sequence[Commit]) -> Mapping[str, Counting]:
    """What counts at each commit of a line, oldest first. What is not as it should be changes nothing."""
    first = GameTree(repository, commits[0].tree)
    settings, counts = first.settings, Counting(first.settings.signed, signers_in(repository, first.tree))
    at: dict[str, Counting] = {}
    for commit in commits:
        said = any(action in commit.message for action in _SAID) and at
        entry = journal.told(commit.message) if said else None
        if entry is not None and entry.deed.action in _SAID:
            with suppress(NomicError):
                counts = _after(settings, counts, at, entry.deed, repository.read(commit.oid)[1])
        at[commit.oid] = counts
    return at


def _after(
    settings: Settings, now: Counting, at: Mapping[str, Counting], deed: Deed, stored: bytes
) -> Counting:
    """What counts after a deed that says something of it. Refused where it may not."""
    if misgiven(deed.action, deed.given, deed.actor):
        return now
    if deed.action == Outside.MEND:
        restoring.allowed(settings.restore, deed.given["by"])
        keys = _asked_of(deed, now, at)
        return (
            at.get(deed.given["to"], now)
            if keys is None or not judged(now.asked) or _signed(keys, stored)
            else now
        )
    refuse_unentitled(settings, deed)
    if standing(deed, stored, now.keys, now.asked, plays=lambda: True).wrong:
        return now
    if deed.action == Outside.SIGNED:
        return now._replace(asked=str(deed.given["to"]))
    player, lines = deed.given["player"], deed.given["keys"]
    with_keys(now.keys, player, lines)  # refused for what it may not name
    return now._replace(keys={**now.keys, player: [PublicKey.read(line) for line in lines]})
