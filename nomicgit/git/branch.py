"""The branch of a game: what it points at, its move from one commit to the next by compare-and-swap, and the lock around it."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from nomicgit.git.layout import Layout, to_branch
from nomicgit.git.objects import OID, fill
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, NomicError, Refused, quoted
from nomicgit.ground.remedies import command, remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


NOBODY = "0" * 40
_PACKED = 41  # letters before a name in the list of packed references: an id and a blank
_REF = late(r"refs(?:/(?!\.)[^\x00-\x20\x7f~^:?*\[\\/]+)+")

_LOGGED = late(
    rb"^(?P<was>[0-9a-f]{40}) (?!0{40})(?P<now>[0-9a-f]{40}) [^\t\n]*(?P<push>\tupdate by push)?",
    re.MULTILINE,
)
_COMMITTED = late(rb"[0-9a-f]{40} ([0-9a-f]{40}) [^\t]*\tcommit: ")


class Raced(NomicError):
    """The branch has moved since it was read: read again and decide again; nothing has changed."""


class Rebasing(Refused):
    """A rebase of a branch is under way ("" where Git does not say of which), so that HEAD names none."""

    branch = ""


class Past(NamedTuple):
    """A commit at which a reference has stood, whether this clone has pushed it there, and where it stood before (zeros: nowhere)."""

    commit: str
    pushed: bool
    before: str


def is_ref(name: str) -> bool:
    """Whether this can be the full name of a reference, and a path below the Git folder."""
    bad = ".." in name or "@{" in name or ".lock/" in name or name.endswith((".lock", "."))
    return bool(_REF.fullmatch(name)) and not bad


class Branch:
    """The branches of a repository, and the one that HEAD names."""

    def __init__(self, layout: Layout, lock: Lock, *, keeps_log: bool, lasts: bool) -> None:
        self._root, self._git_dir = layout.root, layout.git_dir
        self._common = layout.common
        self._lock = lock
        self._keeps_log = keeps_log
        self._lasts = lasts

    def name(self) -> str:
        """The full name of the branch that HEAD names; `Refused` where HEAD is a bare commit."""
        head = f"{self._git_dir}/HEAD"
        with open(head, encoding="utf-8", errors="replace") as file:
            text = file.read().strip()
        if OID.fullmatch(text):
            if (rebased := self._rebased()) is not None:
                rebasing = Rebasing.of(
                    "a rebase is under way, and a rebase makes deeds that nobody did",
                    file=head,
                    mend=remedy(
                        "break it off:", command("git", "rebase", "--abort"), command("nomicgit", "sync")
                    ),
                )
                rebasing.branch = rebased
                raise rebasing
            raise Refused.of(
                "HEAD is detached: no branch is checked out",
                file=head,
                mend=remedy("go back to the game's branch, for example:", to_branch(self._root, "main")),
            )
        name = text.removeprefix("ref:").strip()
        if not text.startswith("ref:") or not name.startswith("refs/heads/") or not is_ref(name):
            raise Malformed.of(
                "HEAD names no branch",
                file=head,
                mend=remedy(
                    "name one, for example:", command("git", "symbolic-ref", "HEAD", "refs/heads/main")
                ),
            )
        return name

    def _rebased(self) -> str | None:
        """The full name of the branch that is being rebased, "" where Git does not say it; None where none is."""
        for folder in ("rebase-merge", "rebase-apply"):
            if os.path.isdir(f"{self._git_dir}/{folder}"):
                try:
                    with open(
                        f"{self._git_dir}/{folder}/head-name", encoding="utf-8", errors="replace"
                    ) as file:
                        name = file.read().strip()
                except FileNotFoundError:
                    return ""
                return name if is_ref(name) else ""
        return None

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
                f"this reference holds no commit but {quoted(text, 60)}",
                file=path,
                mend=remedy(
                    "see where it stood, and set it again:",
                    command("git", "reflog", name),
                    command("git", "update-ref", name, "COMMIT"),
                ),
            )
        return text

    def below(self, under: str) -> dict[str, str] | None:
        """The references below a prefix that ends with a slash, by name, sorted, with their commits; None where one of them is not
        as Git alone lays it.
        """
        names = set[str]()
        for folder, _, files in os.walk(f"{self._common}/{under}"):
            names.update(os.path.join(folder, each)[len(self._common) + 1 :] for each in files)
        with (
            suppress(FileNotFoundError),
            open(f"{self._common}/packed-refs", encoding="utf-8", errors="replace") as file,
        ):
            names.update(name for line in file if (name := line[_PACKED:].rstrip("\n")).startswith(under))
        try:
            stand = {name: self.at(name) for name in sorted(names) if not name.endswith(".lock")}
        except (Malformed, OSError):
            return None
        plain = {name: oid for name, oid in stand.items() if oid is not None and is_ref(name)}
        return plain if len(plain) == len(stand) else None

    def logged(self, name: str, since: int) -> tuple[list[Past], int]:
        """Where a reference has stood, oldest first, by Git's log of it from so many bytes on; and how long the log is."""
        try:
            with open(f"{self._common}/logs/{name}", "rb") as file:
                whole = file.read()
        except OSError:
            return [], 0
        lines = _LOGGED.finditer(whole, min(since, len(whole)))
        return [
            Past(line["now"].decode(), line["push"] is not None, line["was"].decode()) for line in lines
        ], len(whole)

    def committed(self, most: int) -> list[str]:
        """The commits that were made here, the latest first, by so many of the last lines of Git's log of HEAD."""
        with suppress(OSError), open(f"{self._git_dir}/logs/HEAD", "rb") as file:
            lines = file.read().rstrip(b"\n").split(b"\n")[-most:]
            made = (_COMMITTED.match(line) for line in reversed(lines))
            return [line[1].decode() for line in made if line]
        return []

    def move(self, name: str, *, new: str, expect: str | None, line: str) -> None:
        """Let a branch point at ``new`` if it points at ``expect``, or `Raced`. Call it holding the lock.

        ``line`` is the reflog's: who, when and what.
        """
        path = f"{self._common}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fresh = f"{path}.lock"
        file = self._lock.take_git_lock(fresh)
        try:
            fill(file, new.encode() + b"\n", sync=self._lasts)
            now = self.at(name)
            if now != expect:
                raise raced(name, now, expect)
            self._log(name, f"{expect or NOBODY} {new} {line}\n".encode())
            os.rename(fresh, path)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(fresh)
            raise
        if self._lasts:
            _sync_folder(os.path.dirname(path))

    def clear_stale(self, name: str) -> None:
        """Take away the lock files that a holder who died may have left on this branch and on the index."""
        self._lock.clear_stale(f"{self._common}/{name}.lock")
        self._lock.clear_stale(f"{self._git_dir}/index.lock")

    def has_others(self, name: str) -> bool:
        """Whether there are branches beside one, told without asking Git."""
        heads = f"{self._common}/refs/heads"
        loose = (os.path.join(folder, each) for folder, _, files in os.walk(heads) for each in files)
        if any(path != f"{self._common}/{name}" and not path.endswith(".lock") for path in loose):
            return True
        try:
            with open(f"{self._common}/packed-refs", "rb") as file:
                packed = file.read()
        except FileNotFoundError:
            return False
        return any(each != name.encode() for each in re.findall(rb" (refs/heads/[^\n]+)", packed))

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
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that waits for no folder
            raise
    finally:
        os.close(folder)


_BUSY = "busy"
_TURNS = 100  # of waiting for another Git command,
_TURN = 0.01  # of so many seconds each: Git holds these locks for milliseconds


class Lock:
    """The lock of one repository; taking it again while holding it is free."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = -1
        self._depth = 0
        self._since = 0  # when the lock was taken, in nanoseconds, by the file system's clock
        self._crashed = False
        self._note: list[str] = []

    @contextmanager
    def held(self, recover: Callable[[list[str]], None]) -> Iterator[None]:
        """Hold the lock; ``recover`` is called with the note of a holder that died."""
        if self._depth == 0:
            self._take(recover)
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            if self._depth == 0:
                self._give(clean=not self._note)
            raise
        self._depth -= 1
        if self._depth == 0:
            self._give(clean=True)

    def note(self, old: str, new: str) -> None:
        """Write into the note what is about to be moved; it stays until `done`.

        A move that fails may have happened all the same (the disk is full, and says so late); then whoever
        holds the lock next puts the work tree in order.
        """
        self._note = [*(self._note or [old]), new]
        self._write_note()

    def done(self) -> None:
        """All that the note tells is done."""
        self._note = []
        self._write_note()

    def take_git_lock(self, path: str) -> int:
        """Make Git's own lock file and open it; a stale one is taken away, a live one waited for."""
        for turn in range(_TURNS + 1):
            try:
                return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            except FileExistsError:
                if self._crashed or turn == _TURNS - 1:
                    self.clear_stale(path)
                if not self._crashed or turn:
                    time.sleep(_TURN)
        raise Refused.of(
            "another Git command holds this lock", file=path, mend="let it end; if none runs, delete the file"
        )

    def clear_stale(self, path: str) -> None:
        """Delete a lock file of Git that is older than our holding of the lock."""
        with suppress(FileNotFoundError):
            age = self._since - os.stat(path).st_mtime_ns
            if age > 0 or (age == 0 and self._crashed):
                os.unlink(path)

    def _take(self, recover: Callable[[list[str]], None]) -> None:
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            left = os.pread(file, 65536, 0).decode("ascii", "replace").split()
            self._file, self._note, self._crashed = file, left[1:], bool(left)
            self._write_note()  # the same note, so that a crash while recovering is recovered from too
            self._since = os.fstat(file).st_mtime_ns
            if left:
                self._depth = 1
                recover(left[1:])
                self.done()
        except BaseException:
            self._file = -1
            os.close(file)
            raise
        finally:
            self._depth = 0

    def _give(self, *, clean: bool) -> None:
        file, self._file = self._file, -1
        try:
            if clean:
                os.ftruncate(file, 0)
        finally:
            os.close(file)

    def _write_note(self) -> None:
        note = " ".join([_BUSY, *self._note]).encode("ascii")
        size = os.pwrite(self._file, note, 0)
        os.ftruncate(self._file, size)
