"""Keys of players, deeds that are signed with them or with others, and what Git and the program say of these."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from nomicgit.git import Repository
from nomicgit.replay.verifying import verify
from support.clones import FEW, Clone, laid, settings


def keys_beside(folder: Path, *names: str) -> None:
    """SSH keys in a folder, each by its name."""
    for name in names:
        line = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "somebody", "-f", str(folder / name)]
        subprocess.run(line, check=True)


NAMES = ("ana", "ben", "cy")


def with_keys_beside(folder: Path, *more: str, rules: Mapping[str, str] | None = FEW) -> str:
    """A practice game in a folder, founded with these options and few rules, or with dungeon (None); beside it a key of each
    player, and one more. What is said.
    """
    keys_beside(folder, *NAMES, "new")
    players = [word for name in NAMES for word in ("--player", name)]
    start = ("--practice", "--start", "2021-06-07T00:00:00Z")
    edition = laid(rules, folder / "edition") if rules else "dungeon"
    return Clone(folder).play("new", "game", "--edition", edition, *start, *players, *more)


def sits(game: Clone, name: str, key: str = "") -> None:
    """Somebody plays here from now on, and signs with a key."""
    game.play("me", name, *(["--key", f"../{key}"] if key else []))


def faults(game: Clone) -> list[str]:
    """What verify finds at fault, oldest first."""
    with Repository.open(game.folder) as repository:
        return [each.what for each in verify(repository, game.head).faults]


def git_says(game: Clone, commit: str) -> bool:
    """Whether Git itself takes a commit for one that is signed by somebody whom the game's file names."""
    named = ["-c", "gpg.format=ssh", "-c", "gpg.ssh.allowedSignersFile=game/signers"]
    line = ["git", *named, "verify-commit", commit]
    return (
        subprocess.run(line, cwd=game.folder, env=settings(), capture_output=True, check=False).returncode
        == 0
    )


def forge_says(repository: Path, folder: Path, accounts: dict[str, str], commit: str = "HEAD") -> str:
    """What a forge shows of a commit, by its own rule: verified where the key with which it is signed and the committer's address
    are of one account. ``accounts``: the address of each, with the file of its key; ``folder``: where Git's list of them may lie.
    """
    listed = [
        f'{address} namespaces="git" {(folder / f"{key}.pub").read_text()}'
        for address, key in accounts.items()
    ]
    (folder / "accounts").write_text("".join(listed))
    named = ["-c", "gpg.format=ssh", "-c", f"gpg.ssh.allowedSignersFile={folder / 'accounts'}"]
    line = ["git", *named, "log", "-1", "--format=%G?%n%GS%n%ce%n%cn", commit]
    done = subprocess.run(line, cwd=repository, env=settings(), capture_output=True, text=True, check=True)
    how, whose, address, name = done.stdout.splitlines()
    return f"verified: {name}" if (how, whose) == ("G", address) else "unverified"


def rewound(game: Clone, to: str) -> None:
    """A clone stands at another commit."""
    game.git("reset", "--quiet", "--hard", to)


def bare_and_armour(stored: bytes) -> tuple[bytes, str]:
    """A commit without its signature, and that, as Git's own documents lay them out."""
    head, message = stored.split(b"\n\n", 1)
    first, _, rest = head.partition(b"\ngpgsig ")
    return first + b"\n\n" + message, rest.replace(b"\n ", b"\n").decode() + "\n"


def resigned(game: Clone, key: str, *after: str) -> None:
    """The newest deed as somebody signs it with another key ("": with none), and upon it the deeds of some commits, signed with
    the one more: as a program would write them that does not ask what it writes upon.
    """
    _resigned(game, "HEAD", key)
    for commit in after:
        _resigned(game, commit, "new", upon=game.head)


def _resigned(game: Clone, commit: str, key: str, upon: str = "") -> None:
    stored = subprocess.run(
        ["git", "cat-file", "commit", commit], cwd=game.folder, capture_output=True, check=True
    ).stdout
    body, _ = bare_and_armour(stored)
    if upon:
        body = re.sub(rb"(?m)^parent .*$", f"parent {upon}".encode(), body, count=1)
    if key:
        line = ["ssh-keygen", "-Y", "sign", "-n", "git", "-f", f"../{key}"]
        armour = subprocess.run(line, cwd=game.folder, input=body, capture_output=True, check=True).stdout
        head, message = body.split(b"\n\n", 1)
        body = head + b"\ngpgsig " + armour.strip().replace(b"\n", b"\n ") + b"\n\n" + message
    line = ["git", "hash-object", "-w", "-t", "commit", "--stdin"]
    made = subprocess.run(line, cwd=game.folder, input=body, capture_output=True, check=True).stdout
    rewound(game, made.decode().strip())
