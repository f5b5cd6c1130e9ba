"""Keys: what is kept of them, what is published, and what they seal."""

from __future__ import annotations

import hmac
from base64 import b64decode, urlsafe_b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from support.sealing_errors import chain, tells

from nomicgit.ground.problems import Malformed, Refused
from nomicgit.sealing import age
from nomicgit.sealing.ciphers import Tampered
from nomicgit.sealing.keys import Key, Part, Public, Sealer, commitment, following, signed
from nomicgit.sealing.padding import padded, unpadded

GAME = "0123abcd" * 5
BYTES = bytes(range(64))
KEY = Key.made(BYTES)
SEALER = Sealer(KEY, GAME)
OPENED = Sealer(Key(KEY.main, None), GAME)


def test_a_key_is_kept_as_a_line() -> None:
    text = "nomicgit-key-1:" + urlsafe_b64encode(BYTES).decode().rstrip("=")
    assert KEY.text() == text
    assert Key.read(f" {text}\n") == KEY


@given(st.binary(min_size=64, max_size=64).filter(lambda made: made[:32] != made[32:]))
def test_every_key_is_read_as_it_was_written(made: bytes) -> None:
    key = Key.made(made)
    assert Key.read(key.text()) == key


@pytest.mark.parametrize(
    "slip",
    [
        lambda text: text[:0],
        lambda text: text.removeprefix("nomicgit-key-1:"),
        lambda text: text.replace("-1:", "-2:"),
        lambda text: text[:-1],
        lambda text: text + "A",
        lambda text: text[:-1] + "9",
        lambda text: text + "==",
        lambda text: text[:40] + " " + text[40:],
        lambda text: text[:40] + "é" + text[41:],
        lambda text: text[:40] + "+" + text[41:],
    ],
)
def test_a_misspelt_key_is_refused_and_not_told(slip: object) -> None:
    assert callable(slip)
    with pytest.raises(Refused) as refusal:
        Key.read(slip(KEY.text()))
    assert tells(refusal.value, KEY.text()[20:38]) == []
    assert chain(refusal.value) == [refusal.value]


def test_a_key_does_not_show_itself() -> None:
    for shown in (repr(KEY), str(KEY), repr(SEALER), f"{SEALER}"):
        assert "\\x01" not in shown
        assert KEY.text()[20:38] not in shown


@pytest.mark.slow
def test_what_is_no_key_is_refused() -> None:
    for entropy in (b"", BYTES[:63], BYTES + b"x", b"s" * 64):
        with pytest.raises(Refused):
            Key.made(entropy)
    with pytest.raises(Refused):
        Key(None, None)
    with pytest.raises(Refused):
        Key(b"short", None)


def test_half_a_key_cannot_be_kept_nor_sign() -> None:
    for use in (OPENED.key.text, lambda: OPENED.signature(b"text"), lambda: following(OPENED.key, GAME)):
        with pytest.raises(Refused, match="half"):
            use()
    assert (OPENED.has(Part.MAIN), OPENED.has(Part.NEVER)) == (True, False)
    assert (SEALER.has(Part.MAIN), SEALER.has(Part.NEVER)) == (True, True)
    never = Sealer(Key(None, KEY.never), GAME)
    assert never.signature(b"text") == SEALER.signature(b"text")
    with pytest.raises(Refused, match="half"):
        never.dice("open")


def test_the_following_key_hangs_on_what_is_never_opened_alone() -> None:
    after = following(KEY, GAME)
    assert after == following(Key(b"x" * 32, KEY.never), GAME)
    assert after != following(Key(KEY.main, b"x" * 32), GAME) != following(KEY, "other")
    halves = {KEY.main, KEY.never, after.main, after.never, following(after, GAME).main}
    assert len(halves) == 5


def test_the_public_half_commits_to_both_and_to_the_next() -> None:
    public = Public.of(KEY, GAME)
    assert public.main == sha256(BYTES[:32]).hexdigest() == commitment(BYTES[:32])
    assert public.never == sha256(BYTES[32:]).hexdigest()
    assert public.next == Public.of(following(KEY, GAME), GAME).main
    assert public.recipient == SEALER.recipient
    assert Public.read(public.as_file()) == public
    assert set(public.as_file()) == {"recipient", "signer", "main", "never", "next"}
    secret = [KEY.text(), BYTES.hex(), BYTES[:32].hex(), BYTES[32:].hex(), SEALER.identity]
    assert not any(each in text for text in public.as_file().values() for each in secret)


@pytest.mark.parametrize(
    "change",
    [
        {"main": None}, {"main": "00"}, {"never": "A" * 64}, {"next": "0" * 65}, {"recipient": "age1"}, {"recipient": 1},
        {"signer": "AAAA"}, {"signer": "A" * 44}, {"more": "x"}, {"signer": "A" * 42 + "B="},
    ],
)  # fmt: skip
def test_a_public_half_is_read_strictly(change: dict[str, object]) -> None:
    file = {
        name: text for name, text in (Public.of(KEY, GAME).as_file() | change).items() if text is not None
    }
    with pytest.raises(Malformed):
        Public.read(file)


def test_signatures_are_those_of_the_public_half() -> None:
    public, signature = Public.of(KEY, GAME), SEALER.signature(b"text")
    Ed25519PublicKey.from_public_bytes(b64decode(public.signer)).verify(b64decode(signature), b"text")
    assert public.signs(b"text", signature)
    assert not public.signs(b"texts", signature)
    for broken in ("", "é", signature[:-4], signature + "AAAA", signature.replace("=", "")):
        assert not public.signs(b"text", broken)
    assert not signed("", b"text", signature)


def test_what_the_sealer_encrypts_to_its_identity_decrypts() -> None:
    assert age.decrypted(age.encrypted(b"owl", [SEALER.recipient], armour=True), OPENED.identity) == b"owl"


@given(
    st.binary(max_size=3000),
    st.sampled_from(Part),
    st.sampled_from(["state", "deed"]),
    st.sampled_from([512, 1024, 8192]),
)
def test_what_is_sealed_opens_and_shows_its_step_alone(
    text: bytes, part: Part, purpose: str, step: int
) -> None:
    shut = SEALER.shut(part, purpose, "d1", text, step)
    assert shut == Sealer(KEY, GAME).shut(part, purpose, "d1", text, step)
    assert SEALER.opened(part, purpose, "d1", shut) == text
    assert len(shut) - 16 == -(-(len(text) + 4) // step) * step


def test_what_is_sealed_opens_nowhere_else() -> None:
    shut = SEALER.shut(Part.MAIN, "deed", "d1", b"owl", 512)
    assert OPENED.opened(Part.MAIN, "deed", "d1", shut) == b"owl"
    elsewhere = [
        (SEALER, Part.NEVER, "deed", "d1"),
        (SEALER, Part.MAIN, "state", "d1"),
        (SEALER, Part.MAIN, "deed", "d2"),
        (Sealer(KEY, "other"), Part.MAIN, "deed", "d1"),
        (Sealer(following(KEY, GAME), GAME), Part.MAIN, "deed", "d1"),
    ]
    for sealer, part, purpose, deed in elsewhere:
        with pytest.raises(Tampered):
            sealer.opened(part, purpose, deed, shut)
    with pytest.raises(Refused, match="half"):
        OPENED.opened(Part.NEVER, "deed", "d1", shut)
    for place in range(len(shut)):
        with pytest.raises(Tampered) as refusal:
            SEALER.opened(
                Part.MAIN, "deed", "d1", shut[:place] + bytes([shut[place] ^ 1]) + shut[place + 1 :]
            )
        assert tells(refusal.value, "owl") == []


def test_nothing_is_shut_for_another_purpose() -> None:
    with pytest.raises(ValueError, match="dice"):
        SEALER.shut(Part.MAIN, "dice", "d1", b"owl", 512)


def test_dice_hang_on_each_name_for_itself() -> None:
    assert SEALER.dice("open", "žlu") == hmac.digest(_dice_key(), b"\0\0\0\4open\0\0\0\4\xc5\xbelu", "sha256")
    drawn = [("a", "b"), ("ab",), ("ab", ""), ("", "ab"), ("b", "a"), ()]
    assert len({SEALER.dice(*names) for names in drawn}) == len(drawn)
    assert SEALER.dice("a") == OPENED.dice("a") != Sealer(KEY, "other").dice("a")


def _dice_key() -> bytes:
    """HKDF with one block, as RFC 5869 writes it down."""
    random = hmac.digest(GAME.encode(), BYTES[:32], "sha256")
    return hmac.digest(random, b"nomicgit/1/dice\x01", "sha256")


@given(st.binary(max_size=200), st.integers(1, 70))
def test_padding_is_taken_off_again(text: bytes, step: int) -> None:
    wide = padded(text, step)
    assert len(wide) % step == 0 < len(wide)
    assert wide.startswith(len(text).to_bytes(4) + text)
    assert len(wide) - len(text) - 4 < step
    assert unpadded(wide) == text


@pytest.mark.parametrize(
    "wide", [b"", b"\0\0\0", b"\0\0\0\5owl", b"\0\0\0\2owl", b"\xff\xff\xff\xffowl", b"\0\0\0\3owl\0\1"]
)
def test_what_is_not_padded_is_refused(wide: bytes) -> None:
    with pytest.raises(Malformed) as refusal:
        unpadded(wide)
    assert tells(refusal.value, "owl") == []
