"""age: what anybody encrypts to a key that is public, and its owner alone decrypts. By ``pyrage``, and nowhere else.

Errors never hold a text, nor another error that does: they are raised behind the handling of it.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress

import pyrage  # type: ignore[import-untyped]

from nomicgit.ground.problems import Refused, printable
from nomicgit.sealing import bech32

MAX_BYTES = 1 << 20
MAX_HEADER = 4096
"""Bytes of an age file's header, which is read in time that grows with their square; twenty recipients need 2,200."""

_PRIME = 2**255 - 19
_LOW = frozenset(
    {
        0,
        1,
        _PRIME - 1,
        325606250916557431795983626356110631294008115727848805560023387167927233504,
        39382357235489614581723060781553021112529911719440698176882885853963445705823,
    }
)
"""The points of low order (RFC 7748, section 6.1): nothing can be kept secret with them, and age ends the process on them."""

_MAGIC = b"age-encryption.org/v1\n"
_STANZA = b"\n-> X25519 "
_FENCE = b"-----%s AGE ENCRYPTED FILE-----"
_ARMOUR = re.compile(_FENCE % b"BEGIN" + rb"([A-Za-z0-9+/=\s>]*)" + _FENCE % b"END")


def identity(secret: bytes) -> str:
    """The secret key of 32 bytes as age writes it: ``AGE-SECRET-KEY-1…``."""
    return bech32.encoded("age-secret-key-", secret).upper()


def recipient(secret: bytes) -> str:
    """The public key of a secret of 32 bytes, ``age1…``: what is encrypted to it, its identity decrypts."""
    return str(pyrage.x25519.Identity.from_str(identity(secret)).to_public())


def recipient_of(identity: str) -> str:
    """The public key of an identity, as text. Raises Refused for what is none."""
    try:
        return str(pyrage.x25519.Identity.from_str(identity.strip()).to_public())
    except pyrage.IdentityError:
        pass
    raise Refused.of("this is no identity of age")


def is_recipient(text: str) -> bool:
    """Whether this is a public key of age's that can be encrypted to, in its one writing."""
    key = bech32.decoded("age", text)
    if key is None or len(key) != 32:
        return False
    return (int.from_bytes(key, "little") & (1 << 255) - 1) % _PRIME not in _LOW


def encrypted(text: bytes, recipients: Sequence[str], *, armour: bool) -> bytes:
    """The age file of a text, in armour of 64 columns where that is asked. Raises Refused for what is no recipient."""
    for each in recipients:
        if not is_recipient(each):
            raise Refused.of(f"{printable(each, 80)} is no public key of age", mend="it begins with age1")
    keys = [pyrage.x25519.Recipient.from_str(each) for each in recipients]
    return bytes(pyrage.encrypt(text, keys, armored=armour))


class Unreadable(Refused):
    """The refusal of what is broken, or for another identity."""


def decrypted(cipher: bytes, identity: str) -> bytes:
    """The text of an age file, or of the one armour that stands anywhere in a form.

    Fences, quoting, indentation, line ends and prose around the armour do not matter.
    Raises Refused for what is over 1 MiB, broken, or not for this identity.
    """
    if len(cipher) > MAX_BYTES:
        raise Refused.of("what is encrypted is larger than a MiB")
    file = cipher if cipher.startswith(_MAGIC) else _unarmoured(cipher)
    _refuse_headless(file)
    key = None
    with suppress(pyrage.IdentityError):
        key = pyrage.x25519.Identity.from_str(identity)
    if key is None:
        raise Refused.of("this is no identity of age", mend="it begins with AGE-SECRET-KEY-1")
    with suppress(pyrage.DecryptError):
        return bytes(pyrage.decrypt(file, [key]))
    raise Unreadable.of(
        "what is encrypted is broken, or for another key", mend="encrypt it anew, to the key of now"
    )


def refuse_unfit(form: bytes) -> None:
    """Refuse a form that holds no armour of age for the owner of a public key, which is all that can be told without theirs."""
    file = _unarmoured(form)
    _refuse_headless(file)
    if _STANZA not in file[: file.index(b"\n--- ")]:
        raise Refused.of("it is encrypted to no public key", mend="encrypt it to one that begins with age1")


def _refuse_headless(file: bytes) -> None:
    """Refuse a file without a header of age that is short enough to be read."""
    if not file.startswith(_MAGIC) or file.find(b"\n--- ", 0, MAX_HEADER) < 0:
        raise Refused.of("this is no file of age that could be read here", mend="encrypt it anew")


def _unarmoured(form: bytes) -> bytes:
    """The file that the one armour in a form holds."""
    bodies = _ARMOUR.findall(form)
    if len(bodies) != 1:
        what = "more than one" if bodies else "no"
        raise Refused.of(f"here is {what} armour of age", mend="hand in one, whole, from BEGIN to END")
    with suppress(binascii.Error):
        return b64decode(re.sub(rb"[\s>]", b"", bodies[0]), validate=True)
    raise Refused.of("the armour of age is broken", mend="hand it in whole, as it was made")
