"""Headers: what a deed's commit says beside its message. They follow from the deed, so that one deed is one commit."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from nomicgit.git import Commit
from nomicgit.ground.problems import printable
from nomicgit.physics.deed import Deed
from nomicgit.record.journal import signed

LONGEST_SIGNATURE = 16_384  # bytes
_SIGNATURE = re.compile(
    rb"gpgsig -----BEGIN (?P<of>PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----\n"
    rb"(?: (?:Version|Comment|Hash): [\x20-\x7e]{1,100}\n)*(?: \n)?"
    rb"(?P<body>(?: [A-Za-z0-9+/]{1,76}={0,2}\n)+)"
    rb"(?: =[A-Za-z0-9+/]{4}\n)?"
    rb" -----END (?P=of)-----"
)


def misheaded(commit: Commit, stored: bytes, deed: Deed, message: str) -> Iterator[str]:
    """What is wrong with the headers of a deed's commit, whose message is this. ``stored``: the commit as Git keeps it.

    There may be a signature in the form in which Git writes one. Whose it is nobody looks at.
    """
    whose = signed(deed)
    if commit.author != whose["author"]:
        yield f"its author is {printable(commit.author, 60)!r}, its deed is {whose['author']}'s"
        return
    head, _, body = stored.partition(b"\n\n")
    who = f"{whose['author']} <{whose['email']}> {whose['at']} +0000"
    wanted = [f"tree {commit.tree}", *(f"parent {parent}" for parent in commit.parents)]
    wanted += [f"author {who}", f"committer {who}"]
    lines = head.split(b"\n")
    rest = b"\n".join(lines[len(wanted) :])
    there = lines[: len(wanted)] if not rest or _signs(rest) else lines
    for line, right in zip_longest(there, (each.encode() for each in wanted)):
        if line != right:
            yield f"its headers say {_shown(line)} where its deed makes {_shown(right)}"
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
    try:
        binascii.a2b_base64(signature["body"].replace(b"\n", b"").replace(b" ", b""), strict_mode=True)
    except binascii.Error:
        return False
    return True


def _shown(line: bytes | None) -> str:
    return "nothing" if line is None else repr(printable(line.decode("utf-8", "replace"), 100))
