"""What ours says of a commit's signature is what Git says of it: asked after each test, of all that was judged in it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from nomicgit.git.signing import NAMESPACE
from nomicgit.sealing.ssh import PublicKey

_GOOD = re.compile(r'Good "git" signature for (\S+) with')

_TREE = re.compile(rb"tree [0-9a-f]{40}(?:[0-9a-f]{24})?\n")
"""How a commit begins; what is signed otherwise Git does not read."""

Signs = Callable[[Iterable[PublicKey], bytes, str, str], bool]


class Judged:
    """The signatures of commits that were judged in a test, by this process or one that it has forked, and what was said of each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._agreed = set[str]()  # rows that Git was asked of: it says the same of them ever after

    def noting(self, signs: Signs) -> Signs:
        """The same, which notes what it says."""

        def noted(keys: Iterable[PublicKey], text: bytes, armour: str, namespace: str) -> bool:
            keys = list(keys)
            said = signs(keys, text, armour, namespace)
            twice = b"\ngpgsig" in text.partition(b"\n\n")[0]  # Git reads the first, and ours takes neither
            if namespace == NAMESPACE and armour and keys and _TREE.match(text) and not (twice and not said):
                with self._path.open("a", encoding="ascii") as file:
                    file.write(json.dumps([[key.line for key in keys], text.hex(), armour, said]) + "\n")
            return said

        return noted

    def unlike_git(self) -> list[str]:
        """Of which commits Git says otherwise. What was noted is forgotten."""
        if not self._path.exists():
            return []
        rows = sorted({*self._path.read_text("ascii").splitlines()} - self._agreed)
        self._path.unlink()
        if not rows:
            return []
        noted = [json.loads(row) for row in rows]
        with TemporaryDirectory() as folder:
            git_says = _who_signed(
                Path(folder), [(bytes.fromhex(text), armour) for _, text, armour, _ in noted], noted
            )
        unlike = list[str]()
        for row, (keys, text, armour, said), who in zip(rows, noted, git_says, strict=True):
            if said == (who in keys):
                self._agreed.add(row)
            else:
                unlike.append(f"ours says {said}, Git {who!r}: {bytes.fromhex(text)!r} {armour}")
        return unlike


def _who_signed(
    folder: Path, commits: list[tuple[bytes, str]], noted: list[tuple[list[str], str, str, bool]]
) -> list[str]:
    """With which key each of these commits is signed, as Git says; "" where it is with none of those that were asked for."""
    lines = sorted({line for keys, *_ in noted for line in keys})
    names = {f"k{number}": line for number, line in enumerate(lines)}
    allowed = folder / "allowed"
    allowed.write_text("".join(f'{name} namespaces="git" {line}\n' for name, line in names.items()), "ascii")
    git = [
        "git",
        f"--git-dir={folder / 'git'}",
        "-c",
        "gpg.format=ssh",
        "-c",
        f"gpg.ssh.allowedSignersFile={allowed}",
    ]
    subprocess.run([*git, "init", "--quiet", "--bare"], check=True)
    oids = _written(git, folder, [_commit(body, armour) for body, armour in commits])
    good = [oid for oid, (*_, said) in zip(oids, noted, strict=True) if said]
    who = dict(zip(good, _all_good(git, good) or map(partial(_who, git), good), strict=True))
    return [names.get(who[oid] if oid in who else _who(git, oid), "") for oid in oids]


def _commit(body: bytes, armour: str) -> bytes:
    """A commit as Git keeps it."""
    head, _, message = body.partition(b"\n\n")
    return head + b"\ngpgsig " + armour.encode().rstrip(b"\n").replace(b"\n", b"\n ") + b"\n\n" + message


def _written(git: list[str], folder: Path, commits: list[bytes]) -> list[str]:
    """Commits, written into a repository at once; their ids."""
    files = [folder / f"commit-{number}" for number in range(len(commits))]
    for file, commit in zip(files, commits, strict=True):
        file.write_bytes(commit)
    made = [*git, "hash-object", "-w", "-t", "commit", "--literally", "--no-filters", "--stdin-paths"]
    paths = "".join(f"{file}\n" for file in files).encode()
    return subprocess.run(made, input=paths, capture_output=True, check=True).stdout.decode().split()


def _all_good(git: list[str], oids: list[str]) -> list[str]:
    """Whose signatures Git finds in commits, asked of all at once; nothing where it does not find all of them good."""
    if not oids:
        return []
    asked = subprocess.run([*git, "verify-commit", *oids], capture_output=True, text=True, check=False)
    who = _GOOD.findall(asked.stderr)
    return who if asked.returncode == 0 and len(who) == len(oids) else []


def _who(git: list[str], oid: str) -> str:
    """Whose signature Git finds in a commit to be good; "" where it finds none, or reads no commit."""
    asked = subprocess.run([*git, "verify-commit", oid], capture_output=True, text=True, check=False)
    who = _GOOD.match(asked.stderr)
    return who[1] if who and asked.returncode == 0 else ""
