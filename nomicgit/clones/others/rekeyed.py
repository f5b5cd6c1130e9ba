"""Keys that a player gained or lost by what others did, or by a deed in their name that no key of theirs has signed.

It is told until they sign a deed with a key that they had before, or that this clone signs with for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.git.signing import NAMESPACE, PLAYER, parts
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, printable
from nomicgit.ground.remedies import as_json, command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal
from nomicgit.record.outside import mending
from nomicgit.record.seen.strays import told_aside
from nomicgit.record.signers import Signers, public_in, signers_in
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey

LOOKED = 1000  # commits, the newest


class Rekeyed(Struct, frozen=True):
    """The keys that a player gained and lost by a commit, by their fingerprints: whose it is, and when (seconds, UTC).

    ``mend`` is what takes it back.
    """

    player: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    commit: str
    by: str
    at: int
    mend: str

    def __str__(self) -> str:
        both = (("gained", self.gained), ("lost", self.lost))
        what = " and ".join(f"{how} the key {', '.join(keys)}" for how, keys in both if keys)
        return (
            f"{printable(self.player, 60)} {what}, by {printable(self.by, 60)} (commit {self.commit[:12]}, {clock.text(self.at)}), "
            "and has signed nothing since with a key of before"
        )

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        plain: dict[str, object] = {
            "player": self.player,
            "gained": list(self.gained),
            "lost": list(self.lost),
        }
        plain |= {"commit": self.commit, "by": self.by, "at": clock.text(self.at)}
        return plain | as_json(self.mend)


def rekeyed(repository: Repository, tip: str, player: str | None = None) -> list[Rekeyed]:
    """Whose keys others have changed, oldest first, of those who have not signed since: of a player, lately; of all (None), ever.

    None where signatures cannot be judged here.
    """
    if not ssh.able():
        return []
    later: list[Commit] = []
    seen: list[Rekeyed] = []
    for commit, aside in islice(told_aside(repository, tip), LOOKED if player else None):
        if aside:
            continue
        seen += _by(repository, commit, later, player)
        later.append(commit)
    return seen[::-1]


def _by(
    repository: Repository, commit: Commit, later: Sequence[Commit], only: str | None
) -> Iterator[Rekeyed]:
    """What a commit has changed of keys, where whose they are has not signed anything ``later``."""
    entry = journal.told(commit.message) if "Nomic-Action: physics/" in commit.message else None
    if entry is None or entry.deed.action not in (Outside.SIGNERS, Outside.MEND) or not commit.parents:
        return
    before = repository.commit(commit.parents[0])
    old, new = (_keys(repository, each) for each in (before, commit))
    named = sorted({*old, *new}) if only is None else [only]
    if entry.deed.action == Outside.MEND:  # what somebody wrote there by hand was nobody's
        taken_back = _changed_since(repository, before, journal.goes_back_to(commit.message))
        named = [player for player in named if player in taken_back]
    for player in named:
        had, has = old.get(player, ()), new.get(player, ())
        gained = tuple(key.fingerprint for key in has if key not in had)
        lost = tuple(key.fingerprint for key in had if key not in has)
        known = [*had, *_own(repository, player)]
        if not known and repository.config(PLAYER) != player:
            known = [*has]  # nobody else can tell which is theirs
        if (gained or lost) and not any(
            _signed(repository, each, player, known) for each in (commit, *later)
        ):
            by = entry.deed.actor or "nobody"
            yield Rekeyed(player, gained, lost, commit.oid, by, entry.deed.at, _mend(repository, before))


def _changed_since(repository: Repository, tip: Commit, to: str | None) -> set[object]:
    """Whose keys deeds have changed on a branch since a commit."""
    since = takewhile(lambda each: each.oid != to, repository.log(tip.oid))
    entries = (journal.told(each.message) for each in since if Outside.SIGNERS in each.message)
    return {
        each.deed.given.get("player")
        for each in entries
        if each is not None and each.deed.action == Outside.SIGNERS
    }


def _mend(repository: Repository, before: Commit) -> str:
    try:
        return mending.remedy_to(repository, before.oid, "--yes")  # of nothing that is no lawful deed
    except NomicError:  # settings that somebody wrote by hand, which are named as that
        return remedy("ask what stands:", command("nomicgit", "verify"))


def _keys(repository: Repository, commit: Commit) -> Signers:
    try:
        return signers_in(repository, commit.tree)
    except NomicError:  # what somebody wrote there by hand, which is named as that
        return {}


def _own(repository: Repository, player: str) -> Sequence[PublicKey]:
    """The key with which this clone signs for a player, where it does."""
    file = repository.key_of((player,))
    try:
        return [public_in(file)] if file else []
    except (OSError, NomicError):
        return []


def _signed(repository: Repository, commit: Commit, player: str, keys: Sequence[PublicKey]) -> bool:
    """Whether a commit is a deed of a player, signed with one of these keys."""
    entry = journal.told(commit.message) if commit.author == player else None
    if entry is None or entry.deed.actor != player:
        return False
    body, signature = parts(repository.read(commit.oid)[1])
    return bool(signature) and ssh.signs(keys, body, signature, NAMESPACE)
