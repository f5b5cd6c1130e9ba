"""The branch of a game: what it points at, and its move from one commit to the next by compare-and-swap."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from nomicgit.git.objects import OID, fill
from nomicgit.ground.problems import Malformed, NomicError, Refused, printable

if TYPE_CHECKING:
    from nomicgit.git.layout import Layout
    from nomicgit.git.lock import Lock

NOBODY = "0" * 40
_REF = re.compile(r"refs(?:/(?!\.)[^\x00-\x20\x7f~^:?*\[\\/]+)+")


class Raced(NomicError):
    """The branch has moved since it was read: read again and decide again; nothing has changed."""


def is_ref(name: str) -> bool:
    """Whether this can be the full name of a reference, and a path below the Git folder."""
    bad = ".." in name or "@{" in name or ".lock/" in name or name.endswith((".lock", "."))
    return bool(_REF.fullmatch(name)) and not bad


class Branch:
    """The branches of a repository, and the one that HEAD names."""

    def __init__(self, layout: Layout, lock: Lock, *, keeps_log: bool) -> None:
        self._git_dir = layout.git_dir
        self._common = layout.common
        self._lock = lock
        self._keeps_log = keeps_log

    def name(self) -> str:
        """The full name of the branch that HEAD names; `Refused` where HEAD is a bare commit."""
        head = f"{self._git_dir}/HEAD"
        with open(head, encoding="utf-8", errors="replace") as file:
            text = file.read().strip()
        if OID.fullmatch(text):
            raise Refused.of(
                "HEAD is detached: no branch is checked out",
                file=head,
                mend="go back to the game's branch, for example with `git switch main`",
            )
        name = text.removeprefix("ref:").strip()
        if not text.startswith("ref:") or not name.startswith("refs/heads/") or not is_ref(name):
            raise Malformed.of(
                "HEAD names no branch", file=head, mend="name one: `git symbolic-ref HEAD refs/heads/main`"
            )
        return name

    def at(self, name: str) -> str | None:
        """The commit that a reference points at; None where there is none."""
        path = f"{self._common}/{name}"
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read().strip()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return self._packed(name)
        if not OID.fullmatch(text):
            raise Malformed.of(
                f"this reference holds no commit but {printable(text, 60)!r}",
                file=path,
                mend=f"look into `git reflog {name}` and set it with `git update-ref`",
            )
        return text

    def move(self, name: str, *, new: str, expect: str | None, line: str) -> None:
        """Let a branch point at ``new`` if it points at ``expect``, or `Raced`. Call it holding the lock.

        ``line`` is the reflog's: who, when and what.
        """
        path = f"{self._common}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fresh = f"{path}.lock"
        file = self._lock.take_git_lock(fresh)
        try:
            fill(file, new.encode() + b"\n")
            now = self.at(name)
            if now != expect:
                raise raced(name, now, expect)
            self._log(name, f"{expect or NOBODY} {new} {line}\n".encode())
            os.rename(fresh, path)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(fresh)
            raise
        _sync_folder(os.path.dirname(path))

    def clear_stale(self, name: str) -> None:
        """Take away the lock files that a holder who died may have left on this branch and on the index."""
        self._lock.clear_stale(f"{self._common}/{name}.lock")
        self._lock.clear_stale(f"{self._git_dir}/index.lock")

    def _packed(self, name: str) -> str | None:
        try:
            with open(f"{self._common}/packed-refs", "rb") as file:
                packed = b"\n" + file.read()
        except FileNotFoundError:
            return None
        end = packed.find(b" " + name.encode() + b"\n")
        oid = packed[max(end - 40, 0) : end].decode("ascii", "replace") if end >= 0 else ""
        return oid if OID.fullmatch(oid) and packed[end - 41 : end - 40] == b"\n" else None

    def _log(self, name: str, line: bytes) -> None:
        """Add to the logs that Git keeps of the branch and of HEAD, where it keeps them."""
        for path in (f"{self._common}/logs/{name}", f"{self._git_dir}/logs/HEAD"):
            with suppress(FileNotFoundError):
                if self._keeps_log and not os.path.exists(path):
                    os.makedirs(os.path.dirname(path), exist_ok=True)
                make = os.O_CREAT if self._keeps_log else 0
                file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | make, 0o666)
                fill(file, line, sync=False)


def raced(name: str, now: str | None, expect: str | None) -> Raced:
    """The error of a lost race."""
    return Raced.of(
        f"the branch is at {now or 'no commit'}, not at {expect or 'no commit'}: somebody was faster",
        file=name,
        mend="read again and try again",
    )


def _sync_folder(path: str) -> None:
    """Make a rename last: a deed that was told as done outlives a power failure."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
