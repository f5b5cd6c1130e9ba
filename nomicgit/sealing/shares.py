"""Shares of a key, as SLIP-39 has them: so many of so many lists of words are the key, fewer tell nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from shamir_mnemonic import MnemonicError, combine_mnemonics, generate_mnemonics  # type: ignore[import-untyped]
from shamir_mnemonic.share import Share  # type: ignore[import-untyped]
from shamir_mnemonic.wordlist import WORD_INDEX_MAP  # type: ignore[import-untyped]

from nomicgit.ground.problems import Refused
from nomicgit.sealing.keys import SIZE, Key, Part

MAX_SHARES = 16
WORDS = 59  # of a share of 64 bytes
_EXPONENT = 0
"""Of the iterations that slow down a guess of a passphrase; there is none."""


def shares(key: Key, threshold: int, count: int) -> list[str]:
    """So many shares of 59 words each, of which so many (the threshold) are the key. Raises Refused."""
    if not 2 <= threshold <= count <= MAX_SHARES:
        raise Refused.of(
            f"{threshold} of {count} shares cannot be the key: from 2 up to {MAX_SHARES} shares are wanted, "
            "and 2 or more of these, up to all, are the key",
            mend="for example any 3 of 5: nomicgit keys share 3 5",
        )
    secret = key.half(Part.MAIN) + key.half(Part.NEVER)
    [group] = generate_mnemonics(1, [(threshold, count)], secret, iteration_exponent=_EXPONENT)
    return list(group)


def joined(words: Sequence[str]) -> Key:
    """The key of which these are shares; more than are needed do no harm. Raises Refused, without a word of them."""
    read = list(dict.fromkeys(_read(number, each) for number, each in enumerate(words, 1)))
    if len({(share.common_parameters(), share.member_threshold) for share in read}) > 1:
        raise Refused.of("these shares are not of one key", mend="join those that were written together")
    needed = read[0].member_threshold if read else 2
    if len(read) < needed:
        here = "here is 1 share" if len(read) == 1 else f"here are {len(read)} different shares"
        raise Refused.of(f"{here}, and the key needs {needed}")
    with suppress(MnemonicError):
        return Key.made(combine_mnemonics([share.mnemonic() for share in read[:needed]]))
    raise Refused.of("these shares are not of one key, or one of them was made up")


def _read(number: int, words: str) -> Share:
    """One share; its errors say which it is, and where."""
    listed = words.lower().split()
    for place, word in enumerate(listed, 1):
        if word not in WORD_INDEX_MAP:
            raise Refused.of(f"word {place} of share {number} is misspelt: shares have no such word")
    if len(listed) != WORDS:
        raise Refused.of(f"share {number} has {len(listed)} words; one has {WORDS}")
    share = None
    with suppress(MnemonicError):
        share = Share.from_mnemonic(" ".join(listed))
    if share is None:
        raise Refused.of(f"share {number} is misspelt: its last words do not fit the others")
    if share.group_count != 1 or share.iteration_exponent != _EXPONENT or len(share.value) != 2 * SIZE:
        raise Refused.of(f"share {number} is not of a key of this program")
    return share
