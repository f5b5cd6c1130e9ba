"""The fake's bare repositories: real Git, and what follows on the forge from a push."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

NONE = "0" * 40

_PROTECT = """#!/bin/sh
[ -s protected ] || exit 0
[ -n "$FAKE_PUSHER" ] || FAKE_PUSHER=$FAKE_BY_PATH
while read -r name who; do
    if [ "$1" = "$name" ] && ! printf ' %s ' "$who" | grep -q " $FAKE_PUSHER "; then
        echo "GH006: Protected branch update failed for $1." >&2
        exit 1
    fi
done < protected
"""


def git(path: Path, *args: str, given: bytes = b"", env: Mapping[str, str] | None = None) -> str:
    """Run Git in a bare repository; its output without the last line feed."""
    done = subprocess.run(
        ["git", "--git-dir", str(path), *args],
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **(env or {})},
    )
    if done.returncode:
        raise RuntimeError(f"git {' '.join(args)}: {done.stderr.decode()}")
    return done.stdout.decode().rstrip("\n")


_SETTINGS = """[http]
    receivepack = true
[receive]
    autogc = false
    fsckObjects = true
    hideRefs = refs/pull
    procReceiveRefs = refs/heads
    procReceiveRefs = refs/nomicgit
[uploadpack]
    allowAnySHA1InWant = true
[gc]
    auto = 0
[maintenance]
    auto = false
"""


def found(path: Path) -> None:
    """A bare repository as a forge has it: checks what is pushed, keeps its own refs to itself."""
    subprocess.run(["git", "init", "-q", "--bare", "--template=", "-b", "main", str(path)], check=True)
    with (path / "config").open("a", encoding="utf-8") as config:
        config.write(_SETTINGS)
    (path / "protected").write_text("", encoding="utf-8")
    refusing = f'#!/bin/sh\nexec "{sys.executable}" -I -S "{Path(__file__).with_name("refusing.py")}"\n'
    (path / "hooks").mkdir(exist_ok=True)
    for name, text in {"update": _PROTECT, "proc-receive": refusing}.items():
        hook = path / "hooks" / name
        hook.write_text(text, encoding="utf-8")
        hook.chmod(0o755)


def clone(source: Path, target: Path) -> None:
    """A fork: a bare repository of its own with all branches of the source."""
    found(target)
    git(target, "fetch", "-q", str(source), "+refs/heads/*:refs/heads/*")


def heads(path: Path) -> dict[str, str]:
    """The branches and where they stand."""
    listed = git(path, "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", "refs/heads/")
    return {name: sha for sha, _, name in (line.partition(" ") for line in listed.splitlines())}


def gained(path: Path, old: str, new: str) -> set[str]:
    """The commits that became reachable when a branch moved from ``old`` (or nothing) to ``new``."""
    if new == NONE:
        return set()
    return set(git(path, "rev-list", new, *([f"^{old}"] if old != NONE else [])).split())


def forced(path: Path, old: str, new: str) -> bool:
    """Whether moving from ``old`` to ``new`` leaves commits behind."""
    return bool(git(path, "rev-list", "-1", old, f"^{new}"))


def commit(
    path: Path, branch: str, parent: str, files: Mapping[str, str | bytes | None], message: str, at: int
) -> None:
    """A commit on a branch (``parent`` empty: a first one) that writes these files, or (None) deletes them."""
    said = message.encode()
    stream = f"commit refs/heads/{branch}\ncommitter Tester <tester@example.org> {at} +0000\n".encode()
    stream += b"data %d\n%s\n" % (len(said), said) + (f"from {parent}\n".encode() if parent else b"")
    for name, text in files.items():
        quoted = '"' + "".join(f"\\{byte:03o}" for byte in name.encode()) + '"'
        if text is None:
            stream += f"D {quoted}\n".encode()
            continue
        data = text.encode() if isinstance(text, str) else text
        stream += f"M 100644 inline {quoted}\ndata {len(data)}\n".encode() + data + b"\n"
    git(path, "fast-import", "--quiet", "--force", given=stream + b"done\n")


def share(path: Path, others: Iterable[Path]) -> None:
    """Let a repository find the objects of others, as a forge does within a network of forks."""
    info = path / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text("".join(f"{other / 'objects'}\n" for other in others), encoding="utf-8")


def name(path: Path, ref: str, sha: str) -> None:
    """Let a ref name a commit that is there."""
    file = path / ref
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{sha}\n", encoding="utf-8")


def fetch(path: Path, source: Path, refs: Iterable[tuple[str, str]]) -> None:
    """Take refs over from another repository on this disk."""
    git(path, "fetch", "-q", str(source), *(f"+{theirs}:{ours}" for theirs, ours in refs))


def merged(path: Path, base: str, head: str) -> str | None:
    """The tree of a merge by Git; None where the two conflict."""
    done = subprocess.run(
        ["git", "--git-dir", str(path), "merge-tree", "--write-tree", base, head],
        capture_output=True,
        check=False,
    )
    return done.stdout.decode().split("\n")[0] if done.returncode == 0 else None


def merge_commit(path: Path, tree: str, base: str, head: str, message: str, at: int) -> str:
    """A merge commit, which no ref names yet."""
    env = {"GIT_AUTHOR_DATE": f"{at} +0000", "GIT_COMMITTER_DATE": f"{at} +0000"}
    return git(path, "commit-tree", tree, "-p", base, "-p", head, given=message.encode(), env=env)
