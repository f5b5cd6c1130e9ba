"""What everybody can hold a game with keys to, without any: that its keeper signed, and that what is sealed has its form."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Malformed
from nomicgit.law.outside import Outside
from nomicgit.record import journal
from nomicgit.record.secret import veil
from nomicgit.record.secret.custody import Given, Keeping
from nomicgit.record.secret.keyring import salted, written
from nomicgit.record.secret.vault import MOST, STEPS, Sheet, Sheets
from nomicgit.record.seen import joined
from nomicgit.record.seen.headers import misheaded
from nomicgit.record.signers import committers
from nomicgit.record.tree import KEYS, GameTree
from nomicgit.sealing.keys import Part, Sealer

OF_KEYS = frozenset({Outside.FOUND, Outside.TERM, Outside.OPEN})
"""The deeds that change the file of keys."""
NONCE = 16  # bytes that sealing adds


def unlike(
    repository: Repository, entry: journal.Entry, commit: Commit, before: Commit | None, keeping: Keeping
) -> Iterator[str]:
    """What anybody sees that is wrong with a deed of a game with keys."""
    if entry.deed.action == Outside.MEND:
        return
    if entry.sealed or entry.seeds or entry.deed.action in (Outside.FOUND, Outside.OPEN):
        yield from _unsigned(commit, keeping)
    try:
        there = Sheets.at(repository, commit.tree)
        if before is not None and entry.deed.action not in OF_KEYS:
            was = Sheets.at(repository, before.tree)
            yield from _misshaped(there, was, entry)
            if not _kept(repository, entry, commit, before, keeping):
                yield f"it changes {KEYS}, which its deed does not"
        if entry.sealed:
            _sized(Sheet.of(f"{entry.deed.id} {entry.sealed}", "Nomic-Sealed"), "deed")
    except Malformed as error:
        yield str(error.problems[0])


def _kept(
    repository: Repository, entry: journal.Entry, commit: Commit, before: Commit, keeping: Keeping
) -> bool:
    """Whether the file of keys is as a deed leaves it that is not about keys: as it was, or with that deed as the term's salt."""
    there = repository.file(commit.tree, KEYS)
    if there == repository.file(before.tree, KEYS):
        return True
    if entry.sealed or entry.seeds:
        return False
    return there == written(salted(keeping.terms, entry.deed, GameTree(repository, before.tree)))


def _unsigned(commit: Commit, keeping: Keeping) -> Iterator[str]:
    parent = (*commit.parents, "")[0]  # of a founding, too: other commits may stand before the game
    try:
        signed = veil.holds(commit.message, keeping.term.public, commit.tree, parent)
    except Malformed as error:
        yield error.problems[0].what
        return
    if not signed:
        yield "the signature of the keeper is not theirs, or is of something else"


def _misshaped(there: Sheets, was: Sheets, entry: journal.Entry) -> Iterator[str]:
    if not entry.sealed:
        if there != was:
            yield "it changes what is sealed, and is no sealed deed"
        return
    if len(was.since) + 1 >= MOST:
        right = there.state.deed == entry.deed.id and not there.since
    else:
        right = (there.state, there.since[:-1]) == (was.state, was.since) and len(there.since) > len(
            was.since
        )
        right = right and there.since[-1].deed == entry.deed.id
    if not right:
        yield "what is sealed has not the form that a sealed deed gives it"
        return
    _sized(there.since[-1], "since") if there.since else _sized(there.state, "state")


def _sized(sheet: Sheet, purpose: str) -> None:
    """Malformed where a sealed part has not one of the sizes that it may have."""
    for part in Part:
        if (len(sheet.part(part)) - NONCE) % STEPS[purpose][part] or len(sheet.part(part)) <= NONCE:
            raise Malformed.of("a sealed part has not one of the sizes that it may have")


def given_of(
    repository: Repository, entry: journal.Entry, commit: Commit, sealer: Sealer | None
) -> Given | None:
    """What stands sealed in a commit, where a part of it is to be taken as it stands; None where all can be made again."""
    if sealer is not None and sealer.has(Part.NEVER):
        return None
    mark = veil.unsigned(commit.message)[1] if entry.sealed or entry.seeds else ""
    return Given(Sheets.at(repository, commit.tree), entry.sealed, mark)


def misdressed(
    repository: Repository, entry: journal.Entry, commit: Commit, before: Commit | None
) -> Iterator[str]:
    """What is wrong with the headers of a deed that no key at hand opens, and with what it merges: nobody has signed that."""
    _, stored = repository.read(commit.oid)
    by = (
        committers(repository, before.tree, entry.deed, sealed=bool(entry.sealed))
        if before is not None
        else ()
    )
    yield from misheaded(commit, stored, entry.deed, commit.message, by)
    if before is not None:
        yield from joined.strange(repository, commit, entry.deed)
