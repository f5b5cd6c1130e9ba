"""Letters: what each player may read, encrypted to their mailbox; all of one size, so that a length tells nothing.

Within the encryption stand the keeper's signature (64 bytes, of the mark and the text) and the deflated text, padded.
The signature is of the text itself: deflating differs between builds, and what was signed must be the same everywhere.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress

from nomicgit.ground.problems import Malformed, Refused
from nomicgit.sealing import age
from nomicgit.sealing.ciphers import Tampered
from nomicgit.sealing.keys import signed
from nomicgit.sealing.padding import padded, unpadded

STEP = 4 << 10  # bytes
MAX_TEXT = 16 << 20  # bytes
MARK = b"nomicgit/1/letter\n"
"""Stands before a letter's text where it is signed, so that the signature is good for nothing else."""
_SIGNATURE = 64  # bytes


def packed(
    letters: Mapping[str, bytes], mailboxes: Mapping[str, str], sign: Callable[[bytes], str]
) -> dict[str, bytes]:
    """The file of each player who has a mailbox, whose plain texts are of one size; who has none gets none.

    Raises Refused for a text over 16 MiB and, with the player's name, for what is no mailbox.
    """
    plain = {player: _signed(text, sign) for player, text in letters.items() if player in mailboxes}
    size = max((len(padded(each, STEP)) for each in plain.values()), default=STEP)
    files = {}
    for player, text in plain.items():
        if not age.is_recipient(mailboxes[player]):
            raise Refused.of("the mailbox is no public key of age").of_part(player)
        files[player] = age.encrypted(padded(text, size), [mailboxes[player]], armour=False)
    return files


def _signed(text: bytes, sign: Callable[[bytes], str]) -> bytes:
    if len(text) > MAX_TEXT:
        raise Refused.of("a letter is larger than 16 MiB")
    return b64decode(sign(MARK + text), validate=True) + zlib.compress(text, 9)


def unpacked(file: bytes, identity: str, signer: str) -> bytes:
    """The text of a letter. Raises `age.Unreadable`, and Tampered for what this signer (base64) has not written, or nobody."""
    plain = b""
    try:
        plain = unpadded(age.decrypted(file, identity))
    except age.Unreadable:
        raise
    except (Malformed, Refused):
        pass
    text = _inflated(plain[_SIGNATURE:])
    if text is None or not signed(signer, MARK + text, b64encode(plain[:_SIGNATURE]).decode()):
        raise Tampered.of("the letter is not as the keeper wrote it", mend="fetch the letters again")
    return text


def _inflated(deflated: bytes) -> bytes | None:
    """What was deflated; None where it is broken, unended, followed by something, or larger than a letter may be."""
    inflating = zlib.decompressobj()
    with suppress(zlib.error):
        text = inflating.decompress(deflated, MAX_TEXT + 1)
        if inflating.eof and not inflating.unused_data and len(text) <= MAX_TEXT:
            return text
    return None
