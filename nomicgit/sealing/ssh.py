"""SSH keys and their signatures, as OpenSSH writes them (PROTOCOL.sshsig, PROTOCOL.u2f; RFC 4253, 5656, 8332, 8709).

Taken are Ed25519, RSA from 2048 bits, ECDSA, and security keys that were touched. What OpenSSH ignores, such as bytes in a
reserved place, is refused: a signature has one form. One of ECDSA has a twin, which anybody makes of it by arithmetic (s
becomes the curve's order less s); OpenSSH signs with either, so both are taken.
"""

from __future__ import annotations

import binascii
import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct

from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, quoted

RSA_LEAST, RSA_MOST = 2048, 16_384  # bits
LONGEST = 16_384  # letters of a key, or of a signature
TOUCHED = 0x01
_SK = "sk-"
_OPENSSH = "@openssh.com"
_CURVES = {"nistp256": 65, "nistp384": 97, "nistp521": 133}
"""The curves, with the bytes of a point on each."""
_HASHES = {"sha256", "sha512"}
_RSA_HASHES = {"rsa-sha2-256": "sha256", "rsa-sha2-512": "sha512"}
_KINDS = {
    "ssh-ed25519", "ssh-rsa", *(f"ecdsa-sha2-{curve}" for curve in _CURVES),
    f"sk-ssh-ed25519{_OPENSSH}", f"sk-ecdsa-sha2-nistp256{_OPENSSH}",
}  # fmt: skip
_ARMOUR = late(
    r"-----BEGIN SSH SIGNATURE-----\n((?:[A-Za-z0-9+/]{1,76}\n)*[A-Za-z0-9+/]{1,76}={0,2}\n)-----END SSH SIGNATURE-----\n?"
)


class _Unread(ValueError):
    """Bytes that are not what they must be."""


class _Parts:
    """Bytes that are read part by part, as SSH lays them out."""

    def __init__(self, content: bytes) -> None:
        self._rest = content

    def take(self, many: int) -> bytes:
        """So many bytes."""
        if len(self._rest) < many:
            raise _Unread
        part, self._rest = self._rest[:many], self._rest[many:]
        return part

    def number(self) -> int:
        """A number of four bytes."""
        return int.from_bytes(self.take(4))

    def text(self) -> bytes:
        """A string: its length, and so many bytes."""
        return self.take(self.number())

    def name(self) -> str:
        """A string in ASCII."""
        return self.text().decode("ascii")

    def large(self) -> int:
        """A positive number of any length, written in the shortest way (mpint)."""
        content = self.text()
        if (
            not content
            or content[0] & 0x80
            or (content[0] == 0 and len(content) > 1 and not content[1] & 0x80)
        ):
            raise _Unread
        return int.from_bytes(content)

    def end(self) -> None:
        """Nothing follows."""
        if self._rest:
            raise _Unread


class PublicKey(Struct, frozen=True):
    """A public key: its kind, its numbers or its point, and what a security key calls whom it signs for."""

    kind: str
    point: bytes = b""
    exponent: int = 0
    modulus: int = 0
    application: bytes = b""
    blob: bytes = b""

    @classmethod
    def read(cls, line: str) -> PublicKey:
        """The key in a line of a ``.pub`` file, whose comment does not count. Malformed for what is none that is taken."""
        words = line.split()
        kind, text = (*words[:2], "", "")[:2]
        if kind not in _KINDS:
            raise _malformed(f"{quoted(kind, 40)} is no kind of key that signs deeds")
        with suppress(ValueError):
            blob = b64decode(text, validate=True)
            if len(text) <= LONGEST and b64encode(blob).decode() == text:
                return _key(blob, kind)
        raise _malformed(f"this is no key of the kind {kind}, or an RSA key of less than {RSA_LEAST} bits")

    @property
    def line(self) -> str:
        """The key as it stands in a line, without a comment."""
        return f"{self.kind} {b64encode(self.blob).decode()}"

    @property
    def fingerprint(self) -> str:
        """What ``ssh-keygen -l`` calls it."""
        return "SHA256:" + b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip("=")


def _malformed(what: str) -> Malformed:
    return Malformed.of(
        what, mend="give a public key of Ed25519, RSA, ECDSA or a security key: ssh-keygen -t ed25519"
    )


def _key(blob: bytes, kind: str) -> PublicKey:
    parts = _Parts(blob)
    if parts.name() != kind:
        raise _Unread
    plain = kind.removeprefix(_SK).removesuffix(_OPENSSH)
    point, exponent, modulus, application = b"", 0, 0, b""
    if plain == "ssh-rsa":
        exponent, modulus = parts.large(), parts.large()
        if not RSA_LEAST <= modulus.bit_length() <= RSA_MOST or exponent < 3 or not exponent & 1:
            raise _Unread
    elif plain == "ssh-ed25519":
        point = parts.text()
        if len(point) != 32:
            raise _Unread
    else:
        curve, point = parts.name(), parts.text()
        if plain != f"ecdsa-sha2-{curve}" or len(point) != _CURVES.get(curve) or point[0] != 4:
            raise _Unread
    if kind.startswith(_SK):
        application = parts.text()
    parts.end()
    return PublicKey(kind, point, exponent, modulus, application, blob)


def needed() -> None:
    """ModuleNotFoundError where what judges signatures is not installed: from there nobody brings any into a game."""
    from nomicgit.sealing import ciphers  # noqa: F401 - here: to name a key needs none of it


def able() -> bool:
    """Whether signatures can be judged here."""
    try:
        needed()
    except ModuleNotFoundError:
        return False
    return True


def signs(keys: Iterable[PublicKey], text: bytes, armour: str, namespace: str) -> bool:
    """Whether a signature, as ``ssh-keygen -Y sign`` writes it, is one of these keys' of a text, for a purpose."""
    match = _ARMOUR.fullmatch(armour) if len(armour) <= 2 * LONGEST else None
    if match is None:
        return False
    try:
        blob = b64decode(match[1].replace("\n", ""), validate=True)
        if b64encode(blob).decode() != match[1].replace("\n", ""):
            return False
        return _signs(_Parts(blob), {key.blob: key for key in keys}, text, namespace)
    except (ValueError, binascii.Error):
        return False


def _signs(parts: _Parts, keys: dict[bytes, PublicKey], text: bytes, namespace: str) -> bool:
    if parts.take(6) != b"SSHSIG" or parts.number() != 1:
        return False
    key, said, reserved, hashed = keys.get(parts.text()), parts.text(), parts.text(), parts.name()
    signature = parts.text()
    parts.end()
    if key is None or said != namespace.encode() or reserved or hashed not in _HASHES:
        return False
    digest = hashlib.new(hashed, text).digest()
    fields = (said, b"", hashed.encode(), digest)
    signed = b"SSHSIG" + b"".join(len(each).to_bytes(4) + each for each in fields)
    return _is_of(key, _Parts(signature), signed)


def _is_of(key: PublicKey, parts: _Parts, signed: bytes) -> bool:
    """Whether a signature, without what is around it, is a key's of these bytes."""
    from nomicgit.sealing import ciphers  # here: to name a key needs none of it

    kind, signature = parts.name(), parts.text()
    if key.kind == "ssh-rsa":
        parts.end()
        return kind in _RSA_HASHES and ciphers.signs_by_rsa(
            key.exponent, key.modulus, signed, signature, _RSA_HASHES[kind]
        )
    if kind != key.kind:
        return False
    if key.kind.startswith(_SK):
        flags, counter = parts.take(1), parts.take(4)
        if not flags[0] & TOUCHED:
            return False
        application, message = (hashlib.sha256(each).digest() for each in (key.application, signed))
        signed = application + flags + counter + message
    parts.end()
    if len(key.point) == 32:
        return ciphers.signs(key.point, signed, signature)
    numbers = _Parts(signature)
    r, s = numbers.large(), numbers.large()
    numbers.end()
    return ciphers.signs_by_ecdsa(key.point, signed, r, s)
