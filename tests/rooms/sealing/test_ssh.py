"""Signatures of SSH keys: our verifier beside ``ssh-keygen -Y verify``, on good ones and on broken ones of every kind."""

from __future__ import annotations

import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256, sha512
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from nomicgit.ground.problems import Malformed
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey

TEXT = b"tree 4b825dc\n\nana: roll DICE6\n"
L = 2**252 + 27742317777372353535851937790883648493
KINDS = {
    "ed25519": ("-t", "ed25519"), "rsa": ("-t", "rsa", "-b", "2048"), "p256": ("-t", "ecdsa", "-b", "256"),
    "p384": ("-t", "ecdsa", "-b", "384"), "p521": ("-t", "ecdsa", "-b", "521"),
}  # fmt: skip


def string(content: bytes) -> bytes:
    return len(content).to_bytes(4) + content


def armoured(blob: bytes) -> str:
    text = b64encode(blob).decode()
    lines = (text[at : at + 70] for at in range(0, len(text), 70))
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def unarmoured(armour: str) -> bytes:
    return b64decode("".join(armour.splitlines()[1:-1]))


class Judge:
    """OpenSSH, asked whether a signature is Ana's."""

    def __init__(self, folder: Path, line: str) -> None:
        self.folder = folder
        (folder / "signers").write_text(f"ana {line}\n")

    def holds(self, text: bytes, armour: str, namespace: str = "git") -> bool:
        (self.folder / "signature").write_text(armour)
        done = subprocess.run(
            ["ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "ana", "-n", namespace, "-s", "signature"],
            cwd=self.folder, input=text, capture_output=True, check=False,
        )  # fmt: skip
        return done.returncode == 0


def made(folder: Path, kind: str) -> tuple[str, str]:
    """A key of a kind: its public line, and its signature of the text."""
    for words in (
        ["-q", *KINDS[kind], "-N", "", "-f", "key"],
        ["-Y", "sign", "-n", "git", "-f", "key", "text"],
    ):
        (folder / "text").write_bytes(TEXT)
        subprocess.run(["ssh-keygen", *words], cwd=folder, check=True, capture_output=True)
    return (folder / "key.pub").read_text(), (folder / "text.sig").read_text()


def broken(armour: str) -> Iterator[tuple[str, str]]:
    """A signature in forms in which it is none."""
    blob = unarmoured(armour)
    for at in (0, 30, len(blob) // 2, len(blob) - 1):
        yield f"a bit flipped at {at}", armoured(blob[:at] + bytes([blob[at] ^ 1]) + blob[at + 1 :])
    yield "cut off", armoured(blob[:-1])
    yield "something behind it", armoured(blob + b"\0")
    yield "another namespace", armoured(blob.replace(string(b"git"), string(b"gut"), 1))
    yield "another hash", armoured(blob.replace(string(b"sha512"), string(b"sha256"), 1))
    yield "no hash", armoured(blob.replace(string(b"sha512"), string(b"sha513"), 1))
    yield "the second version", armoured(blob[:9] + b"\2" + blob[10:])
    yield "no end", armour.replace("END", "AND")
    yield "nothing", ""
    yield "no base64", armour.replace("\n", "\n*", 1)


@pytest.mark.parametrize("kind", KINDS)
def test_ours_says_what_openssh_says(tmp_path: Path, kind: str) -> None:
    line, armour = made(tmp_path, kind)
    key, judge = PublicKey.read(line), Judge(tmp_path, line)
    assert key.line == " ".join(line.split()[:2])
    shown = subprocess.run(
        ["ssh-keygen", "-l", "-f", "key.pub"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert key.fingerprint == shown.stdout.split()[1]
    for text, namespace, holds in ((TEXT, "git", True), (TEXT + b"x", "git", False), (TEXT, "file", False)):
        assert ssh.signs([key], text, armour, namespace) is holds
        assert judge.holds(text, armour, namespace) is holds
    for what, wrong in broken(armour):
        assert not ssh.signs([key], TEXT, wrong, "git"), what
        assert not judge.holds(TEXT, wrong), what
    assert not ssh.signs([], TEXT, armour, "git")


def test_of_a_signature_there_is_one_form_only(tmp_path: Path) -> None:
    """OpenSSH takes some that we do not: other numbers that come to the same (an older one), a version 0, bytes in the reserved place."""
    line, armour = made(tmp_path, "ed25519")
    key, judge, blob = PublicKey.read(line), Judge(tmp_path, line), unarmoured(armour)
    begin = 10 + len(string(key.blob)) + len(string(b"git"))
    reserved = armoured(blob[:begin] + string(b"more") + blob[begin + 4 :])
    odd = armour.replace("\n", "\n\n", 2)
    s = int.from_bytes(blob[-32:], "little") + L
    malleated = armoured(blob[:-32] + s.to_bytes(32, "little"))
    nought = armoured(blob[:9] + b"\0" + blob[10:])
    for wrong in (reserved, odd, malleated, nought):
        assert not ssh.signs([key], TEXT, wrong, "git")
        assert wrong == malleated or judge.holds(TEXT, wrong)


@pytest.mark.parametrize("touched", [0, 1, 5])
def test_a_security_key_counts_where_it_was_touched(tmp_path: Path, touched: int) -> None:
    """The authenticator is software, and OpenSSH says that it speaks as one does."""
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    kind = b"sk-ssh-ed25519@openssh.com"
    blob = string(kind) + string(secret.public_key().public_bytes_raw()) + string(b"ssh:")
    line = f"{kind.decode()} {b64encode(blob).decode()}"
    signed = b"SSHSIG" + b"".join(map(string, (b"git", b"", b"sha512", sha512(TEXT).digest())))
    state = bytes([touched]) + (7).to_bytes(4)
    own = secret.sign(sha256(b"ssh:").digest() + state + sha256(signed).digest())
    whole = (1).to_bytes(4) + b"".join(
        map(string, (blob, b"git", b"", b"sha512", string(kind) + string(own) + state))
    )
    armour = armoured(b"SSHSIG" + whole)
    key = PublicKey.read(line)
    assert ssh.signs([key], TEXT, armour, "git") is bool(touched)
    if touched:
        assert Judge(tmp_path, line).holds(TEXT, armour)
    assert not ssh.signs([key], TEXT, armoured((b"SSHSIG" + whole)[:-1] + b"\x08"), "git")


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    line, _ = made(tmp_path, "ed25519")
    kind, text = line.split()[:2]
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "rsa", "-b", "1024", "-N", "", "-f", "small"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    small = (tmp_path / "small.pub").read_text()
    for wrong in (
        "",
        kind,
        f"ssh-rsa {text}",
        f"{kind} {text[:-4]}",
        f"{kind} {text}AAAA",
        f"{kind} *{text}",
        small,
        f"ssh-dss {text}",
    ):
        with pytest.raises(Malformed):
            PublicKey.read(wrong)
