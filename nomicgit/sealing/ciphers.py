"""Keys that are derived, bytes that are shut, texts that are signed: by ``cryptography``, and nowhere else."""

from __future__ import annotations

from contextlib import suppress

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from nomicgit.ground.problems import Refused

SHUTTING = ("state", "since", "deed", "letters")
"""The purposes whose keys shut bytes: AES-SIV with 256 bits takes two keys of 32 bytes each."""


class Tampered(Refused):
    """What was sealed does not open: it was changed, stands in another place, or was sealed with another key."""


def derived(secret: bytes, purpose: str, game: str) -> bytes:
    """The key for a purpose in a game (the id of its founding deed), by HKDF-SHA256 (RFC 5869).

    Of 32 bytes; for the purposes ``state`` and ``deed`` of 64.
    """
    length = 64 if purpose in SHUTTING else 32
    return HKDF(SHA256(), length, game.encode(), f"nomicgit/1/{purpose}".encode()).derive(secret)


def shut(key: bytes, text: bytes, *place: str) -> bytes:
    """A text that is shut by AES-SIV (RFC 5297) and opens only in this place: the same each time it is made."""
    return AESSIV(key).encrypt(text, [each.encode() for each in place])


def opened(key: bytes, shut: bytes, *place: str) -> bytes:
    """The text that was shut in this place. Raises Tampered."""
    with suppress(InvalidTag):
        return AESSIV(key).decrypt(shut, [each.encode() for each in place])
    why = "it was changed, stands where it was not written, or was sealed with another key"
    raise Tampered.of(f"what is sealed here does not open: {why}")


def signature(secret: bytes, text: bytes) -> bytes:
    """The Ed25519 signature (RFC 8032) of a text, 64 bytes, by a secret of 32."""
    return Ed25519PrivateKey.from_private_bytes(secret).sign(text)


def signs(public: bytes, text: bytes, signature: bytes) -> bool:
    """Whether a signature is the text's, by this public key of 32 bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def signs_by_rsa(exponent: int, modulus: int, text: bytes, signature: bytes, hashed: str) -> bool:
    """Whether a signature (RSASSA-PKCS1-v1_5, by ``sha256`` or ``sha512``) is the text's, by the public key of these numbers."""
    if len(signature) != (modulus.bit_length() + 7) // 8:
        return False
    try:
        key = rsa.RSAPublicNumbers(exponent, modulus).public_key()
        key.verify(signature, text, PKCS1v15(), {"sha256": SHA256(), "sha512": SHA512()}[hashed])
    except (InvalidSignature, ValueError):
        return False
    return True


def signs_by_ecdsa(point: bytes, text: bytes, r: int, s: int) -> bool:
    """Whether two numbers are the ECDSA signature of a text, by the public key that is this uncompressed point of a curve."""
    curves = {65: (ec.SECP256R1(), SHA256()), 97: (ec.SECP384R1(), SHA384()), 133: (ec.SECP521R1(), SHA512())}
    curve, hashed = curves[len(point)]
    try:
        key = ec.EllipticCurvePublicKey.from_encoded_point(curve, point)
        key.verify(encode_dss_signature(r, s), text, ec.ECDSA(hashed))
    except (InvalidSignature, ValueError):
        return False
    return True


def signer(secret: bytes) -> bytes:
    """The public key, 32 bytes, of who signs with this secret."""
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
