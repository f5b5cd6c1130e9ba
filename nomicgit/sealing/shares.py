"""Shares of a key, as SLIP-39 has them: so many of so many lists of words are the key, fewer tell nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from shamir_mnemonic import MnemonicError, combine_mnemonics, generate_mnemonics  # type: ignore[import-untyped]
from shamir_mnemonic.share import Share  # type: ignore[import-untyped]
from shamir_mnemonic.wordlist import WORD_INDEX_MAP  # type: ignore[import-untyped]

from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.sealing.keys import SIZE, Key, Part

MAX_SHARES = 16
WORDS = 59  # of a share of 64 bytes
TOGETHER = remedy(
    "take shares that were written together; who is not sure reads theirs anew:",
    command("nomicgit", "keys", "share", "--mine"),
)
SPELT = "compare it, word by word, with the share as it was written"
_EXPONENT = 0
"""Of the iterations that slow down a guess of a passphrase; there is none."""


def shares(key: Key, threshold: int, count: int) -> list[str]:
    """So many shares of 59 words each, of which so many (the threshold) are the key. Raises Refused."""
    if not 2 <= threshold <= count <= MAX_SHARES:
        raise Refused.of(
            f"{threshold} of {count} shares cannot be the key: from 2 up to {MAX_SHARES} shares are wanted, "
            "and 2 or more of these, up to all, are the key",
            mend=remedy("for example any 3 of 5:", command("nomicgit", "keys", "share", "3", "5")),
        )
    secret = key.half(Part.MAIN) + key.half(Part.NEVER)
    [group] = generate_mnemonics(1, [(threshold, count)], secret, iteration_exponent=_EXPONENT)
    return list(group)


def joined(words: Sequence[str]) -> Key:
    """The key of which these are shares; more than are needed do no harm. Raises Refused, without a word of them."""
    read = _of_one_key(words)
    if missing := _missing(read):
        here = "here is 1 share" if len(read) == 1 else f"here are {len(read)} different shares"
        raise Refused.of(
            f"{here}, and the key needs {len(read) + missing}",
            mend=f"ask for {missing} more of those who hold one, and join all of them at once",
        )
    if key := _key(read):
        return key
    for left_out, made_up in enumerate(read):  # one too many says which it is
        if not _missing(rest := [*read[:left_out], *read[left_out + 1 :]]) and _key(rest):
            number = next(n for n, each in enumerate(words, 1) if _read(n, each) == made_up)
            raise Refused.of(
                f"share {number} is not of the key that the others are: it was made up",
                mend="leave it out, and join the others; tell the keeper whose it is",
            )
    raise Refused.of("these shares are not of one key, or one of them was made up", mend=TOGETHER)


def _key(read: Sequence[Share]) -> Key | None:
    """The key of which as many of these as it needs are shares; None where they are of none."""
    with suppress(MnemonicError):
        return Key.made(combine_mnemonics([share.mnemonic() for share in read[: read[0].member_threshold]]))
    return None


def missing(words: Sequence[str]) -> int:
    """How many shares more it takes to have the key of which these are some. Raises Refused where they are not of one."""
    return _missing(_of_one_key(words))


def _missing(read: Sequence[Share]) -> int:
    return max(0, int(read[0].member_threshold) - len(read))


def _of_one_key(words: Sequence[str]) -> list[Share]:
    """The different shares among these."""
    if not words:
        raise Refused.of("here is no share", mend="give as many as make the key, each on a line of its own")
    listed = [_read(number, each) for number, each in enumerate(words, 1)]
    sets = [(share.common_parameters(), share.member_threshold) for share in listed]
    for number, each in enumerate(sets[1:], 2):
        if each != sets[0]:
            raise Refused.of(
                f"shares 1 and {number} are not of one key, or were written at different times", mend=TOGETHER
            )
    return list(dict.fromkeys(listed))


def _read(number: int, words: str) -> Share:
    """One share; its errors say which it is, and where."""
    listed = words.lower().split()
    for place, word in enumerate(listed, 1):
        if word not in WORD_INDEX_MAP:
            raise Refused.of(
                f"word {place} of share {number} is misspelt: shares have no such word", mend=SPELT
            )
    if len(listed) != WORDS:
        mend = "give each share whole, on a line of its own"
        raise Refused.of(f"share {number} has {len(listed)} words; one has {WORDS}", mend=mend)
    share = None
    with suppress(MnemonicError):
        share = Share.from_mnemonic(" ".join(listed))
    if share is None:
        raise Refused.of(f"share {number} is misspelt: its last words do not fit the others", mend=SPELT)
    if share.group_count != 1 or share.iteration_exponent != _EXPONENT or len(share.value) != 2 * SIZE:
        raise Refused.of(f"share {number} is not of a key of this program", mend=TOGETHER)
    return share
