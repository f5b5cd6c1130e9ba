"""Signatures of commits by SSH keys, where Git keeps them: in the header ``gpgsig``, which they do not cover."""

from __future__ import annotations

from typing import NamedTuple

from nomicgit.ground.kept import late
from nomicgit.ground.problems import Refused, in_a_line
from nomicgit.ground.remedies import command, remedy

PLAYER, KEY = "nomicgit.player", "nomicgit.key"
"""Who plays at a clone, and the file of the key with which their commits are signed: settings of its Git configuration."""
HANDS = {name: f"nomicgit.{name}key" for name in ("clock", "keeper", "steward")}
"""What is no player and records deeds, and the settings that hold the files of the keys with which a clone signs these."""
NAMESPACE = "git"
_HEADER = late(rb"(?<=\n)gpgsig ([^\n]*(?:\n [^\n]*)*)\n")


class Parts(NamedTuple):
    """A commit's bytes without its signature, which are what that signs; and the signature, "" where there is none."""

    body: bytes
    signature: str


def parts(stored: bytes) -> Parts:
    """A commit as Git keeps it, and the signature apart."""
    head, _, message = stored.partition(b"\n\n")
    match = _HEADER.search(head + b"\n")
    if match is None:
        return Parts(stored, "")
    bare = (head + b"\n")[: match.start()] + (head + b"\n")[match.end() :]
    signature = match[1].replace(b"\n ", b"\n").decode("ascii", "replace") + "\n"
    return Parts(bare + b"\n" + message, signature)


def signed(body: bytes, key: str) -> bytes:
    """A commit's bytes with a signature by a key."""
    head, _, message = body.partition(b"\n\n")
    return head + b"\ngpgsig " + signature(body, key).replace(b"\n", b"\n ") + b"\n\n" + message


def signature(body: bytes, key: str, namespace: str = NAMESPACE) -> bytes:
    """A signature by the key in a file, or by the agent where that holds the secret half of it."""
    import subprocess  # here: few commands sign

    line = ["ssh-keygen", "-Y", "sign", "-n", namespace, "-f", key]
    try:
        done = subprocess.run(line, input=body, capture_output=True, check=False)
    except FileNotFoundError:
        raise Refused.of(
            "the program `ssh-keygen` is not installed", mend="install OpenSSH 8.2 or newer"
        ) from None
    if done.returncode:
        said = in_a_line(done.stderr.decode("utf-8", "replace"), 300)
        raise Refused.of(
            f"your key does not sign: {said}",
            file=key,
            mend=remedy("name another one:", command("nomicgit", "me", "NAME", "--key", "FILE")),
        )
    return done.stdout.strip()
