"""Letters: each player reads theirs, sizes tell nothing, and the keeper has signed them."""

from __future__ import annotations

import subprocess
import time
import zlib
from base64 import b64decode
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from support.sealing_errors import chain, tells

from nomicgit.ground.problems import Refused
from nomicgit.sealing import age
from nomicgit.sealing.ciphers import Tampered
from nomicgit.sealing.keys import Key, Public, Sealer, following
from nomicgit.sealing.letters import packed, unpacked

KEY = Key.made(bytes(range(64)))
KEEPER = Sealer(KEY, "f00d")
SIGNER = Public.of(KEY, "f00d").signer
SECRETS = {name: name.encode() * 8 for name in ("anna", "benn", "cyyy")}
MAILBOXES = {name: age.recipient(secret) for name, secret in SECRETS.items()}
NOISE = b"".join(zlib.crc32(str(n).encode()).to_bytes(4) for n in range(3000))
LETTERS = {"anna": b'{"told": ["owl"]}', "benn": b"", "cyyy": NOISE, "dora": b"no mailbox"}


def decrypted(file: bytes, name: str, folder: Path) -> bytes:
    """What the program age reads in a file."""
    key = folder / "key"
    key.write_text(age.identity(SECRETS[name]))
    return subprocess.run(["age", "-d", "-i", str(key)], input=file, capture_output=True, check=True).stdout


def test_whoever_has_a_mailbox_reads_their_letter(tmp_path: Path) -> None:
    files = packed(LETTERS, MAILBOXES, KEEPER.signature)
    assert set(files) == {"anna", "benn", "cyyy"}
    for name, file in files.items():
        assert unpacked(file, age.identity(SECRETS[name]), SIGNER) == LETTERS[name]
    plain = {name: decrypted(file, name, tmp_path) for name, file in files.items()}
    assert {len(each) for each in plain.values()} == {
        (len(zlib.compress(NOISE, 9)) + 68 + 4095) // 4096 * 4096
    }
    body = plain["anna"][4 : 4 + int.from_bytes(plain["anna"][:4])]
    assert zlib.decompress(body[64:]) == LETTERS["anna"]
    public = Ed25519PublicKey.from_public_bytes(b64decode(SIGNER))
    public.verify(body[:64], b"nomicgit/1/letter\n" + LETTERS["anna"])


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(list(SECRETS)), st.integers(0, 9000).map(lambda size: Random(size).randbytes(size))
    )
)
def test_letters_are_read_as_they_were_written(letters: dict[str, bytes]) -> None:
    files = packed(letters, MAILBOXES, KEEPER.signature)
    assert {
        name: unpacked(file, age.identity(SECRETS[name]), SIGNER) for name, file in files.items()
    } == letters


def test_nobody_else_reads_a_letter() -> None:
    file = packed(LETTERS, MAILBOXES, KEEPER.signature)["anna"]
    with pytest.raises(Refused, match="another key") as refusal:
        unpacked(file, age.identity(SECRETS["benn"]), SIGNER)
    assert tells(refusal.value, "owl") == []


def forged(body: bytes) -> bytes:
    plain = len(body).to_bytes(4, "big") + body
    return age.encrypted(plain + bytes(-len(plain) % 4096), [MAILBOXES["anna"]], armour=False)


def test_a_letter_that_the_keeper_has_not_signed_is_refused() -> None:
    text = b'{"told": ["owl"]}'
    mine = b64decode(KEEPER.signature(b"nomicgit/1/letter\n" + text))
    good, deflated = mine + zlib.compress(text), zlib.compress(text)
    assert unpacked(forged(good), age.identity(SECRETS["anna"]), SIGNER) == text
    bodies = [
        b"", mine, b"owl", deflated, mine + text, mine + deflated[:-1], mine + deflated + b"owl", mine + zlib.compress(b"owl"),
        b64decode(KEEPER.signature(text)) + deflated,
        b64decode(Sealer(following(KEY, "f00d"), "f00d").signature(b"nomicgit/1/letter\n" + text)) + deflated,
    ]  # fmt: skip
    files = [*map(forged, bodies), age.encrypted(good, [MAILBOXES["anna"]], armour=False)]
    for file in files:
        with pytest.raises(Tampered) as refusal:
            unpacked(file, age.identity(SECRETS["anna"]), SIGNER)
        assert tells(refusal.value, "owl") == []
        assert chain(refusal.value) == [refusal.value]


@pytest.mark.slow
def test_a_letter_that_grows_without_end_is_refused() -> None:
    bomb = zlib.compress(bytes(500 << 20))
    began = time.process_time()
    with pytest.raises(Tampered):
        unpacked(forged(bytes(64) + bomb), age.identity(SECRETS["anna"]), SIGNER)
    assert time.process_time() - began < 1
    with pytest.raises(Refused, match="16 MiB"):
        packed({"anna": bytes((16 << 20) + 1)}, MAILBOXES, KEEPER.signature)


def test_what_is_no_mailbox_is_named_by_its_player() -> None:
    with pytest.raises(Refused, match=r"^benn: "):
        packed(LETTERS, MAILBOXES | {"benn": "age1nothing"}, KEEPER.signature)
