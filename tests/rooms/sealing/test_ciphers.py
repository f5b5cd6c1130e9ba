"""Ciphers: the published vectors, and each by a second way to compute it."""

from __future__ import annotations

import hmac
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR
from cryptography.hazmat.primitives.cmac import CMAC
from hypothesis import given
from hypothesis import strategies as st
from support.sealing_errors import chain

from nomicgit.sealing import ciphers
from nomicgit.sealing.ciphers import Tampered

KEY = bytes(range(64))
TEXTS = st.binary(max_size=200)
PLACES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=4)


def _doubled(block: bytes) -> bytes:
    number = int.from_bytes(block) << 1
    return ((number ^ 0x87 if number >> 128 else number) & (1 << 128) - 1).to_bytes(16)


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


def _cmac(key: bytes, text: bytes) -> bytes:
    mac = CMAC(AES(key))
    mac.update(text)
    return mac.finalize()


def siv(key: bytes, text: bytes, *place: bytes) -> bytes:
    """AES-SIV as RFC 5297 writes it down, of CMAC and counter mode."""
    mine, theirs = key[: len(key) // 2], key[len(key) // 2 :]
    block = _cmac(mine, bytes(16))
    for each in place:
        block = _xor(_doubled(block), _cmac(mine, each))
    whole = len(text) >= 16
    end = text[-16:] if whole else text + b"\x80" + bytes(15 - len(text))
    last = text[:-16] * whole + _xor(end, block if whole else _doubled(block))
    start = _cmac(mine, last)
    counter = int.from_bytes(start) & ~(1 << 63 | 1 << 31)
    encryptor = Cipher(AES(theirs), CTR(counter.to_bytes(16))).encryptor()
    return start + encryptor.update(text) + encryptor.finalize()


def hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """HKDF-SHA256 as RFC 5869 writes it down."""
    random = hmac.digest(salt or bytes(32), secret, sha256)
    blocks = [b""]
    while sum(map(len, blocks)) < length:
        blocks.append(hmac.digest(random, blocks[-1] + info + bytes([len(blocks)]), sha256))
    return b"".join(blocks)[:length]


def test_the_second_ways_give_the_published_vectors() -> None:
    """RFC 5297, A.2; RFC 5869, A.1 and A.3."""
    key = bytes.fromhex("7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f")
    place = (
        "00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100",
        "102030405060708090a0",
        "09f911029d74e35bd84156c5635688c0",
    )
    text = b"this is some plaintext to encrypt using SIV-AES"
    assert siv(key, text, *map(bytes.fromhex, place)).hex() == (
        "7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17"
        "dba77ceb094fa663b7a3f748ba8af829ea64ad544a272e9c485b62a3fd5c0d"
    )
    salt, info = bytes(range(13)), bytes(range(0xF0, 0xFA))
    assert hkdf(b"\x0b" * 22, salt, info, 42).hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )
    assert hkdf(b"\x0b" * 22, b"", b"", 42).hex() == (
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    )


def test_what_is_shut_is_the_published_vector() -> None:
    """RFC 5297, A.1, whose associated data are ASCII."""
    key = bytes.fromhex("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    text = bytes.fromhex("112233445566778899aabbccddee")
    place = bytes(range(0x10, 0x28)).decode()
    shut = ciphers.shut(key, text, place)
    assert shut.hex() == "85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c"
    assert ciphers.opened(key, shut, place) == text


@given(TEXTS.filter(bool), PLACES)
def test_what_is_shut_is_aes_siv_with_each_place_for_itself(text: bytes, place: list[str]) -> None:
    assert ciphers.shut(KEY, text, *place) == siv(KEY, text, *(each.encode() for each in place))


@pytest.mark.parametrize(("purpose", "length"), [("identity", 32), ("dice", 32), ("state", 64), ("deed", 64)])
def test_what_is_derived_is_hkdf_of_game_and_purpose(purpose: str, length: int) -> None:
    own = hkdf(b"k" * 32, b"f00d", f"nomicgit/1/{purpose}".encode(), length)
    assert ciphers.derived(b"k" * 32, purpose, "f00d") == own


@given(st.binary(min_size=1, max_size=80), st.data())
def test_whatever_is_changed_does_not_open(text: bytes, data: st.DataObject) -> None:
    shut = ciphers.shut(KEY, text, "deed", "game", "1")
    place = data.draw(st.integers(0, len(shut) - 1))
    changed = bytearray(shut)
    changed[place] ^= data.draw(st.integers(1, 255))
    for broken in (bytes(changed), shut[:place], shut + b"\0"):
        with pytest.raises(Tampered) as refusal:
            ciphers.opened(KEY, broken, "deed", "game", "1")
        assert chain(refusal.value) == [refusal.value]


@pytest.mark.parametrize(
    "place", [("deed", "game", "2"), ("state", "game", "1"), ("deed", "other", "1"), ("deed", "game1"), ("deedgame", "1"), ()]
)  # fmt: skip
def test_nothing_opens_in_another_place(place: tuple[str, ...]) -> None:
    shut = ciphers.shut(KEY, b"text", "deed", "game", "1")
    with pytest.raises(Tampered):
        ciphers.opened(KEY, shut, *place)


@pytest.mark.parametrize(
    ("secret", "public", "text", "signature"),
    [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ],
)
def test_signatures_are_the_published_ones(secret: str, public: str, text: str, signature: str) -> None:
    """RFC 8032, 7.1, tests 1 and 2."""
    key, content = bytes.fromhex(secret), bytes.fromhex(text)
    assert ciphers.signer(key).hex() == public
    assert ciphers.signature(key, content).hex() == signature
    assert ciphers.signs(bytes.fromhex(public), content, bytes.fromhex(signature))
    assert not ciphers.signs(bytes.fromhex(public), content + b"!", bytes.fromhex(signature))
    assert not ciphers.signs(bytes.fromhex(public), content, bytes.fromhex(signature)[:-1])
    assert not ciphers.signs(b"short", content, bytes.fromhex(signature))
