"""A corpus of signatures, good and broken: what ours takes OpenSSH takes too, and what OpenSSH takes beyond that is listed here."""

from __future__ import annotations

import subprocess
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256, sha512
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from rooms.sealing.test_ssh import KINDS, TEXT, Judge, armoured, made, string, unarmoured

from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey

LAX = {
    "an empty line within", "lines of 120 letters", "one line", "two of them", "words behind it", "version 0",
    "the reserved place holds something", f"the namespace {b'git' + bytes(1)!r}", f"the hash {b'sha512' + bytes(1)!r}",
    "s grown by the order", "zeros before r", "not touched", "verified and not touched", "CRLF",
}  # fmt: skip
"""What one OpenSSH or another takes of these and we do not: an older one `s grown by the order`, a newer one `CRLF`."""
ORDERS = {
    "p256": 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    "ed25519": 2**252 + 27742317777372353535851937790883648493,
}

Case = tuple[str, bool, str]
"""What it is, whether it must be taken, and the armour."""


def mpint(number: int) -> bytes:
    return string(number.to_bytes(number.bit_length() // 8 + 1) if number else b"")


def parts(blob: bytes) -> list[bytes]:
    """The strings of which something is made."""
    some = []
    while blob:
        size = int.from_bytes(blob[:4])
        some.append(blob[4 : 4 + size])
        blob = blob[4 + size :]
    return some


def whole(
    key: bytes,
    inner: bytes,
    *,
    namespace: bytes = b"git",
    reserved: bytes = b"",
    hashed: bytes = b"sha512",
    version: int = 1,
) -> str:
    """A signature as it is handed over, made of its parts."""
    return armoured(
        b"SSHSIG" + version.to_bytes(4) + b"".join(map(string, (key, namespace, reserved, hashed, inner)))
    )


def odd_armour(armour: str) -> Iterator[Case]:
    """One and the same signature, written otherwise."""
    first, *lines, last = armour.splitlines()
    text = "".join(lines)
    for many in (20, 120, len(text)):
        cut = [text[at : at + many] for at in range(0, len(text), many)]
        name = "one line" if many == len(text) else f"lines of {many} letters"
        yield name, many == 20, "\n".join([first, *cut, last, ""])
    yield "ends with no line", True, armour.removesuffix("\n")
    yield "CRLF", False, armour.replace("\n", "\r\n")
    yield "blanks behind each line", False, armour.replace("\n", " \n")
    yield "an empty line within", False, armour.replace("\n", "\n\n", 2)
    yield "words before it", False, f"signed:\n{armour}"
    yield "words behind it", False, f"{armour}so be it\n"
    yield "two of them", False, armour * 2
    yield "a header within", False, armour.replace("\n", "\nComment: mine\n\n", 1)
    yield "no beginning", False, armour.replace("BEGIN", "BEGUN")
    yield "small letters", False, armour.replace("SSH SIGNATURE", "ssh signature")
    yield "PGP's armour", False, armour.replace("SSH SIGNATURE", "PGP SIGNATURE")
    yield "no padding, or one too much", False, armour.replace(last, "=\n" + last)
    yield "a NUL within", False, armour.replace("\n", "\n\0", 1)


def odd_parts(armour: str, other: bytes) -> Iterator[Case]:
    """A signature whose parts say something else; ``other`` is another key."""
    key, namespace, _, hashed, inner = parts(unarmoured(armour)[10:])
    assert (namespace, hashed) == (b"git", b"sha512")
    kind, mark = parts(inner)[:2] if not inner.startswith(b"\0\0\0\x1ask") else (b"", b"")
    yield "as it was", True, whole(key, inner)
    yield "another key is named", False, whole(other, inner)
    for name in (b"", b"file", b"git\0", b"Git", b"git@openssh.com", b"nomicgit-order"):
        yield f"the namespace {name!r}", False, whole(key, inner, namespace=name)
    for name in (b"", b"sha1", b"sha256", b"sha384", b"SHA512", b"sha512\0", b"md5"):
        yield f"the hash {name!r}", False, whole(key, inner, hashed=name)
    yield "the reserved place holds something", False, whole(key, inner, reserved=b"x")
    for version in (0, 2, 2**32 - 1):
        yield f"version {version}", False, whole(key, inner, version=version)
    if mark:
        for name in (
            b"",
            b"ssh-rsa",
            b"ssh-dss",
            b"ssh-ed25519-cert-v01@openssh.com",
            b"ecdsa-sha2-nistp521",
            kind + b"x",
        ):
            if name != kind:
                yield f"the kind {name!r}", False, whole(key, string(name) + string(mark))
        for what, wrong in (
            ("none", b""),
            ("short", mark[:-1]),
            ("long", mark + b"\0"),
            ("before", b"\0" + mark),
        ):
            yield f"numbers: {what}", False, whole(key, string(kind) + string(wrong))
        yield "something behind the numbers", False, whole(key, inner + b"\0\0\0\0")
        yield "zeros", False, whole(key, string(kind) + string(bytes(len(mark))))


def of_ecdsa(armour: str) -> Iterator[Case]:
    """The twin that anybody can make of such a signature is one; nothing else with these numbers is."""
    key, _, _, _, inner = parts(unarmoured(armour)[10:])
    kind, mark = parts(inner)
    r, s = (int.from_bytes(each) for each in parts(mark))
    n = ORDERS["p256"]

    def of(one: bytes, other: bytes) -> str:
        return whole(key, string(kind) + string(one + other))

    yield "its twin", True, of(mpint(r), mpint(n - s))
    yield "no s", False, of(mpint(r), mpint(0))
    yield "no r", False, of(mpint(0), mpint(s))
    yield "r grown by the order", False, of(mpint(r + n), mpint(s))
    yield "an s below zero", False, of(mpint(r), string((2**264 - s).to_bytes(33)))
    yield "zeros before r", False, of(string(b"\0\0" + r.to_bytes(32)), mpint(s))
    yield "one number", False, whole(key, string(kind) + string(mpint(r)))
    yield "three", False, of(mpint(r) + mpint(s), mpint(s))


def of_ed25519(armour: str) -> Iterator[Case]:
    key, _, _, _, inner = parts(unarmoured(armour)[10:])
    kind, mark = parts(inner)
    grown = int.from_bytes(mark[32:], "little") + ORDERS["ed25519"]
    yield (
        "s grown by the order",
        False,
        whole(key, string(kind) + string(mark[:32] + grown.to_bytes(32, "little"))),
    )
    for point in (bytes(32), (1).to_bytes(32, "little"), b"\xff" * 32):
        yield f"the point {point[:1].hex()}", False, whole(key, string(kind) + string(point + bytes(32)))


def of_rsa(armour: str, folder: Path) -> Iterator[Case]:
    key, _, _, _, inner = parts(unarmoured(armour)[10:])
    _, mark = parts(inner)
    modulus = int.from_bytes(parts(key)[2])
    yield "told as of SHA-256", False, whole(key, string(b"rsa-sha2-256") + string(mark))
    grown = int.from_bytes(mark) + modulus
    yield "grown by the modulus", False, whole(key, string(b"rsa-sha2-512") + string(grown.to_bytes(257)))
    yield "one", False, whole(key, string(b"rsa-sha2-512") + string((1).to_bytes(256)))


def judged(line: str, folder: Path, cases: Iterator[Case]) -> None:
    key, judge, lax = PublicKey.read(line), Judge(folder, line), set[str]()
    for what, right, armour in cases:
        ours, theirs = ssh.signs([key], TEXT, armour, "git"), judge.holds(TEXT, armour)
        assert ours is right, what
        assert theirs or not ours, what
        if theirs and not ours:
            lax.add(what)
    assert lax <= LAX


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_what_openssh_refuses_ours_refuses(tmp_path: Path, kind: str) -> None:
    line, armour = made(tmp_path, kind)
    (tmp_path / "other").mkdir()
    other = PublicKey.read(made(tmp_path / "other", "ed25519")[0]).blob
    judged(line, tmp_path, odd_armour(armour))
    judged(line, tmp_path, odd_parts(armour, other))
    if kind == "p256":
        judged(line, tmp_path, of_ecdsa(armour))
    if kind == "ed25519":
        judged(line, tmp_path, of_ed25519(armour))
    if kind == "rsa":
        judged(line, tmp_path, of_rsa(armour, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("hashed", ["sha256", "sha512"])
def test_both_hashes_are_taken(tmp_path: Path, kind: str, hashed: str) -> None:
    line, _ = made(tmp_path, kind)
    words = ["-Y", "sign", "-n", "git", "-O", f"hashalg={hashed}", "-f", "key", "text"]
    (tmp_path / "text.sig").unlink()
    subprocess.run(["ssh-keygen", *words], cwd=tmp_path, check=True, capture_output=True)
    armour = (tmp_path / "text.sig").read_text()
    assert parts(unarmoured(armour)[10:])[3] == hashed.encode()
    judged(line, tmp_path, iter([("good", True, armour)]))


FLAGS = {
    "not touched": 0,
    "touched": 1,
    "verified and not touched": 4,
    "touched, verified": 5,
    "all flags": 0xFF,
}


@pytest.mark.slow
@pytest.mark.parametrize("curve", [False, True])
def test_security_keys_of_both_kinds_count_where_they_were_touched(tmp_path: Path, curve: bool) -> None:
    """The authenticator is software, and OpenSSH says that it speaks as one does."""
    edwards, weier = (
        Ed25519PrivateKey.from_private_bytes(bytes(range(32))),
        ec.derive_private_key(7, ec.SECP256R1()),
    )
    if curve:
        kind = b"sk-ecdsa-sha2-nistp256@openssh.com"
        point = weier.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        blob = string(kind) + string(b"nistp256") + string(point) + string(b"ssh:")
    else:
        kind = b"sk-ssh-ed25519@openssh.com"
        blob = string(kind) + string(edwards.public_key().public_bytes_raw()) + string(b"ssh:")
    signed = b"SSHSIG" + b"".join(map(string, (b"git", b"", b"sha512", sha512(TEXT).digest())))

    def of(flags: int, *, application: bytes = b"ssh:", told: int | None = None, more: bytes = b"") -> str:
        state = bytes([flags]) + (7).to_bytes(4)
        message = sha256(application).digest() + state + sha256(signed).digest()
        numbers = decode_dss_signature(weier.sign(message, ec.ECDSA(SHA256())))
        mark = b"".join(map(mpint, numbers)) if curve else edwards.sign(message)
        shown = state if told is None else bytes([told]) + state[1:]
        return whole(blob, string(kind) + string(mark) + shown + more)

    def cases() -> Iterator[Case]:
        for what, flags in FLAGS.items():
            yield what, bool(flags & 1), of(flags)
        yield "told as touched, and was not", False, of(0, told=1)
        yield "for another application", False, of(1, application=b"ssh:other")
        yield "more behind it", False, of(1, more=b"\0")
        yield "no counter", False, whole(blob, parts(unarmoured(of(1))[10:])[4][:-4])
        plain = string(kind.removeprefix(b"sk-").removesuffix(b"@openssh.com"))
        yield (
            "as of no security key",
            False,
            whole(blob, plain + parts(unarmoured(of(1))[10:])[4][4 + len(kind) :]),
        )

    judged(f"{kind.decode()} {b64encode(blob).decode()}", tmp_path, cases())
