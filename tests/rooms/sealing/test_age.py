"""age: held to the programs age and age-keygen, to BIP-173, and to what means harm."""

from __future__ import annotations

import subprocess
import time
from base64 import b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sealing_errors import tells

from nomicgit.ground.problems import Refused
from nomicgit.sealing import age, bech32

SECRET = bytes(range(32))
MINE = age.identity(SECRET)
TO_ME = age.recipient(SECRET)
OTHER = age.identity(b"o" * 32)


def program(*command: str, given: bytes) -> bytes:
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    file = tmp_path / "key"
    file.write_text(MINE + "\n")
    return str(file)


@pytest.mark.parametrize(
    "secret", [bytes(32), b"\xff" * 32, SECRET, bytes(31) + b"\x01", b"\x01" + bytes(31)]
)
def test_keys_are_those_of_age_keygen(secret: bytes) -> None:
    public = program("age-keygen", "-y", given=age.identity(secret).encode())
    assert age.recipient(secret) == public.decode().strip()


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("a", "", "a12uel5l"),
        (
            "abcdef",
            "00443214c74254b635cf84653a56d7c675be77df",
            "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
        ),
    ],
)
def test_bech32_is_that_of_its_vectors(name: str, content: str, text: str) -> None:
    """BIP-173."""
    assert bech32.encoded(name, bytes.fromhex(content)) == text
    assert bech32.decoded(name, text) == bytes.fromhex(content)


@pytest.mark.slow
@given(st.binary(max_size=50), st.data())
def test_bech32_reads_what_it_writes_and_notices_a_slip(content: bytes, data: st.DataObject) -> None:
    text = bech32.encoded("age", content)
    assert bech32.decoded("age", text) == content
    place = data.draw(st.integers(4, len(text) - 1))
    letter = data.draw(st.sampled_from("qpzry9x8gf2tvdw0s3jn54khce6mua7lbB1 "))
    slip = text[:place] + letter + text[place + 1 :]
    assert slip == text or bech32.decoded("age", slip) is None


@pytest.mark.parametrize("armour", [False, True])
def test_the_program_age_decrypts_what_is_encrypted(key_file: str, armour: bool) -> None:
    cipher = age.encrypted(b"owl" * 999, [age.recipient(b"o" * 32), TO_ME], armour=armour)
    assert program("age", "-d", "-i", key_file, given=cipher) == b"owl" * 999
    if armour:
        assert {len(line) for line in cipher.splitlines()[1:-2]} == {64}


@pytest.mark.parametrize("options", [[], ["-a"]])
def test_what_the_program_age_encrypts_is_decrypted(options: list[str]) -> None:
    cipher = program("age", "-r", TO_ME, *options, given=b"owl" * 999)
    assert age.decrypted(cipher, MINE) == b"owl" * 999


ARMOUR = age.encrypted(b"owl", [TO_ME], armour=True)


@pytest.mark.parametrize(
    "form",
    [
        ARMOUR.replace(b"\n", b"\r\n"),
        b"```text\n" + ARMOUR + b"```\n",
        b"\n\n \n" + ARMOUR,
        b"### Sealed order\n\n" + ARMOUR + b"\nThank you -- ben",
        b"".join(b"    " + line + b"\n" for line in ARMOUR.splitlines()),
        b"".join(b"> " + line + b"\n" for line in ARMOUR.splitlines()),
        ARMOUR.replace(b"\n", b" "),
        ARMOUR.rstrip(b"\n"),
        "žluť\n".encode() + ARMOUR + b"\xff",
    ],
)
def test_armour_is_found_in_any_form(form: bytes) -> None:
    assert age.decrypted(form, MINE) == b"owl"


def test_one_form_holds_one_armour() -> None:
    with pytest.raises(Refused, match="more than one"):
        age.decrypted(ARMOUR + ARMOUR, MINE)


@pytest.mark.parametrize(
    "cipher",
    [b"", b"owl", ARMOUR[:200], ARMOUR.replace(b"YWdl", b"YWd!", 1), ARMOUR.replace(b"YWdl", b"YWdm", 1), b"age-encryption.org/v1\nowl"],
)  # fmt: skip
def test_what_is_no_file_of_age_is_refused(cipher: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        age.decrypted(cipher, MINE)
    assert tells(refusal.value, "owl", "YWd") == []


@pytest.mark.parametrize("cipher", [ARMOUR, program("age", "-r", TO_ME, given=b"owl")])
def test_nobody_else_decrypts(cipher: bytes) -> None:
    with pytest.raises(Refused, match="for another key"):
        age.decrypted(cipher, OTHER)
    for wrong in ("", "AGE-SECRET-KEY-1", MINE[:-1], TO_ME):
        with pytest.raises(Refused, match="no identity") as refusal:
            age.decrypted(cipher, wrong)
        assert tells(refusal.value, MINE[:-1]) == []


def test_every_byte_counts() -> None:
    cipher = program("age", "-r", TO_ME, given=b"owl")
    for place in range(len(cipher)):
        changed = cipher[:place] + bytes([cipher[place] ^ 1]) + cipher[place + 1 :]
        with pytest.raises(Refused) as refusal:
            age.decrypted(changed, MINE)
        assert tells(refusal.value, "owl") == []
    for length in range(len(cipher)):
        with pytest.raises(Refused):
            age.decrypted(cipher[:length], MINE)


STANZA = (
    b"-> X25519 TEiF0ypqr+bpvcqXNyCVJpL7OuwPdVwPL7KQEbFDOCc\nEmECAEcKN+n/Vs9SbWiV+Hu0r+E8R77DdWYyd83nw7U\n"
)
MAC = b"--- Vn+54jqiiUCE+WZcEVY3f1sqHjlu/z1LCQ/T7Xm7qI0\n"


def armoured(file: bytes) -> bytes:
    return b"-----BEGIN AGE ENCRYPTED FILE-----\n" + b64encode(file) + b"\n-----END AGE ENCRYPTED FILE-----\n"


@pytest.mark.parametrize(
    "bomb",
    [
        b"A" * (1 << 21),
        b"age-encryption.org/v1\n" + STANZA * 9000 + MAC,
        armoured(b"age-encryption.org/v1\n" + STANZA * 4000 + MAC),
        b"age-encryption.org/v1\n-> X25519" + b" a" * 400_000 + b"\n\n" + MAC,
        b"-----BEGIN AGE ENCRYPTED FILE-----" * 30_000,
        (b"-----BEGIN AGE ENCRYPTED FILE-----" + b"A" * 1000) * 900,
    ],
    ids=["large", "stanzas", "armoured", "arguments", "fences", "unended"],
)
def test_what_is_meant_to_take_long_is_refused_at_once(bomb: bytes) -> None:
    began = time.process_time()
    with pytest.raises(Refused):
        age.decrypted(bomb, MINE)
    assert time.process_time() - began < 1


def test_a_file_of_more_than_a_mib_is_not_read() -> None:
    with pytest.raises(Refused, match="larger than a MiB"):
        age.decrypted(age.encrypted(bytes(1 << 20), [TO_ME], armour=False), MINE)


@pytest.mark.parametrize("share", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_a_share_that_keeps_nothing_secret_is_refused(share: bytes) -> None:
    first, second, rest = program("age", "-r", TO_ME, given=b"owl").split(b"\n", 2)
    stanza = b"-> X25519 " + b64encode(share).rstrip(b"=")
    assert second.startswith(b"-> X25519 ")
    with pytest.raises(Refused, match="broken"):
        age.decrypted(b"\n".join([first, stanza, rest]), MINE)


def test_a_long_text_is_no_public_key_at_once() -> None:
    began = time.process_time()
    assert not age.is_recipient("age1" + "7" * (1 << 20))
    assert time.process_time() - began < 1


P = 2**255 - 19
LOW = [0, 1, P - 1, P, P + 1, 2**255, 2**255 + 1, 2**255 + P - 1, 2**255 + P,
       325606250916557431795983626356110631294008115727848805560023387167927233504,
       39382357235489614581723060781553021112529911719440698176882885853963445705823]  # fmt: skip


@pytest.mark.parametrize("point", LOW)
def test_a_key_that_keeps_nothing_secret_is_refused(point: int) -> None:
    """It would end the process, and everybody's letters with it."""
    mailbox = bech32.encoded("age", point.to_bytes(32, "little"))
    assert not age.is_recipient(mailbox)
    with pytest.raises(Refused, match="no public key"):
        age.encrypted(b"owl", [TO_ME, mailbox], armour=False)


@pytest.mark.parametrize(
    "text", ["", "age1", TO_ME.upper(), TO_ME + " ", TO_ME[:-1] + "q", bech32.encoded("age", b"x" * 31), MINE, "age1é", "ssh-ed25519 AAAA"]
)  # fmt: skip
def test_what_is_no_public_key_is_refused(text: str) -> None:
    assert not age.is_recipient(text)
    with pytest.raises(Refused, match="no public key"):
        age.encrypted(b"owl", [text], armour=False)


@given(st.binary(min_size=32, max_size=32))
def test_every_secret_has_a_public_key(secret: bytes) -> None:
    assert age.is_recipient(age.recipient(secret))
