"""The fake's bare repositories: real Git, and what follows on the forge from a push."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

NONE = "0" * 40

_PROTECT = """#!/bin/sh
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


def found(path: Path) -> None:
    """A bare repository as a forge has it: checks what is pushed, keeps its own refs to itself."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(path)], check=True)
    settle(path)


def settle(path: Path) -> None:
    """The settings of a forge."""
    for setting in (
        "http.receivepack=true",
        "receive.fsckObjects=true",
        "receive.hideRefs=refs/pull",
        "uploadpack.allowAnySHA1InWant=true",
        "gc.auto=0",
        "maintenance.auto=false",
    ):
        key, _, value = setting.partition("=")
        git(path, "config", key, value)
    (path / "protected").write_text("", encoding="utf-8")
    hook = path / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(_PROTECT, encoding="utf-8")
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
) -> str:
    """A commit on a branch (``parent`` empty: a first one) that writes these files, or (None) deletes them."""
    index = path / "index.fake"
    index.unlink(missing_ok=True)
    env = {
        "GIT_INDEX_FILE": str(index),
        "GIT_AUTHOR_DATE": f"{at} +0000",
        "GIT_COMMITTER_DATE": f"{at} +0000",
    }
    if parent:
        git(path, "read-tree", parent, env=env)
    for name, text in files.items():
        if text is None:
            git(path, "update-index", "--force-remove", "--", name, env=env)
            continue
        data = text.encode() if isinstance(text, str) else text
        blob = git(path, "hash-object", "-w", "--stdin", given=data)
        git(path, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}", env=env)
    tree = git(path, "write-tree", env=env)
    made = git(
        path, "commit-tree", tree, *(["-p", parent] if parent else []), given=message.encode(), env=env
    )
    git(path, "update-ref", f"refs/heads/{branch}", made)
    return made


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
