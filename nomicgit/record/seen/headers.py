"""Headers: what a deed's commit says beside its message: whose it is, who signs it, what it merges.

They follow from the deed, so that one deed is one commit.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import TypedDict

from nomicgit.git import Commit, Repository
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, quoted
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.state.store import Store

LONGEST_SIGNATURE = 16_384  # bytes
_SIGNATURE = late(
    rb"gpgsig -----BEGIN (?P<of>PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----\n"
    rb"(?: (?:Version|Comment|Hash): [\x20-\x7e]{1,100}\n)*(?: \n)?"
    rb"(?P<body>(?: [A-Za-z0-9+/]{1,76}={0,2}\n)+)"
    rb"(?: =[A-Za-z0-9+/]{4}\n)?"
    rb" -----END (?P=of)-----"
)


class Signed(TypedDict):
    """Who is a commit's author and its committer, and when (seconds, UTC)."""

    author: str
    email: str
    at: int


def signed(deed: Deed) -> Signed:
    """Whose a deed's commit is."""
    name = "founder" if deed.action == Outside.FOUND else deed.actor or "clock"
    return {"author": name, "email": f"{name}@nomicgit.invalid", "at": deed.at}


_BY_NAME = {
    Outside.RESTORE, Outside.MEND, Outside.REHOUSE, Outside.NUMBER, Outside.SIGNERS, Outside.SIGNED,
    Outside.APPROVALS, Outside.RESTORERS,
}  # fmt: skip
"""Deeds that nobody records for another."""


def signers_of(deed: Deed, *, sealed: bool) -> tuple[str, ...]:
    """Whose key signs a deed: its player's, or that of the keeper, the steward or the clock, where one of these records it.

    Of several each may: the steward resolves in a player's name, too. ``sealed``: only who keeps the game's secrets can have
    made it.
    """
    if deed.action in _BY_NAME:
        return (str(deed.actor),)
    if deed.action == Outside.CLOCK:
        return ("clock", "keeper")
    if sealed or deed.action == Outside.OPEN or (deed.action == Outside.TERM and not deed.given["by"]):
        return ("keeper",)
    if deed.actor is None:
        return ("clock", "steward")
    return (deed.actor, "steward") if deed.origin is None else ("steward",)


def enacted_heads(outcome: Outcome, store: Store, repository: Repository, before: str) -> list[str]:
    """The heads of the branches whose matters a deed has enacted upon ``before``, as far as they are still there.

    They become further parents of its commit, so that Git takes these branches for merged. A branch that was
    moved meanwhile without saying anything else is named by the deed itself. Replay looks at first parents only.
    """
    heads: dict[str, None] = {}
    for matter in outcome.enacted:
        head = store.value(matter, "branch_head")
        if store.value(matter, "status") != "enacted" or not isinstance(head, str):
            continue
        moved = outcome.deed.branch
        if moved and moved != head and _moved(repository, store.value(matter, "changes"), before, moved):
            head = moved
        with suppress(Malformed):  # gone with its branch, and with the next pruning
            heads[repository.commit(head).oid] = None
    return list(heads)


def _moved(repository: Repository, changes: object, before: str, head: str) -> bool:
    from nomicgit.record.rebased import says_the_same  # here: few branches are moved before they are enacted

    return isinstance(changes, list) and says_the_same(repository, changes, before, head)


def misheaded(
    commit: Commit, stored: bytes, deed: Deed, message: str, committers: Collection[str] = ()
) -> Iterator[str]:
    """What is wrong with the headers of a deed's commit, whose message is this. ``stored``: the commit as Git keeps it.

    There may be a signature in the form in which Git writes one; then its committer may be one of these, with their address.
    Whose it is nobody looks at.
    """
    whose = signed(deed)
    if commit.author != whose["author"]:
        yield f"its author is {quoted(commit.author, 60)}, its deed is {whose['author']}'s"
        return
    head, _, body = stored.partition(b"\n\n")
    who = f"{whose['author']} <{whose['email']}> {whose['at']} +0000"
    wanted = [f"tree {commit.tree}", *(f"parent {parent}" for parent in commit.parents)]
    wanted += [f"author {who}", f"committer {who}"]
    lines = head.split(b"\n")
    rest = b"\n".join(lines[len(wanted) :])
    signs = _signs(rest)
    there = lines[: len(wanted)] if not rest or signs else lines
    may_be = [wanted[-1], *(f"committer {each} {whose['at']} +0000" for each in committers if signs)]
    if (said := there[-1].decode("utf-8", "replace")) in may_be:
        wanted[-1] = said
    for line, right in zip_longest(there, (each.encode() for each in wanted)):
        if line != right:
            rights = [right] if right != may_be[0].encode() else [each.encode() for each in may_be]
            yield f"its headers say {_shown(line)} where its deed makes {', or '.join(map(_shown, rights))}"
            return
    if commit.message == message and body != message.encode():
        yield "its message holds bytes that are no text"
    if b"\0" in body:
        yield "its message holds a NUL, where others stop to read"


def foreign(commit: Commit, heads: Sequence[str]) -> Iterator[str]:
    """What a deed's commit merges that is none of the heads of the branches which it enacts."""
    strange = next((each for each in commit.parents[1:] if each not in heads), None)
    if strange is not None:
        yield f"it merges {strange[:12]}, which its deed does not enact"


def _signs(lines: bytes) -> bool:
    signature = _SIGNATURE.fullmatch(lines) if len(lines) <= LONGEST_SIGNATURE else None
    if signature is None:
        return False
    body = signature["body"].replace(b"\n", b"").replace(b" ", b"")
    try:
        return b64encode(b64decode(body)) == body  # Pythons differ in what else they take
    except ValueError:
        return False


def _shown(line: bytes | None) -> str:
    return "nothing" if line is None else quoted(line.decode("utf-8", "replace"), 100)
