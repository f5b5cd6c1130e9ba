"""Git's objects: read by our own hand where they lie loose, through one Git process where they are packed.

Objects are written loose, and synced before they get their names; those of a scratch clone in packs.
No replacement or graft is ever followed.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from hashlib import sha1
from io import FileIO
from threading import Thread

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git import process
from nomicgit.git.lacking import Lacking, fetched_anew
from nomicgit.git.layout import Layout
from nomicgit.git.process import Answer, Batch, TooLarge
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, quoted
from nomicgit.ground.remedies import command, remedy

KINDS = frozenset({"blob", "tree", "commit", "tag"})
OID = late(r"[0-9a-f]{40}")
FIRST_SECOND, LAST_SECOND = -2_208_988_800, 253_402_300_799
"""Of the years 1900 and 9999, counted from 1970."""
_OTHER = "its bytes do not have this id"
_MOST_TREES = 5_000  # kept unpacked in memory: some ten megabytes
_MOST_COMMITS, _LONGEST = 500, 16_384  # of a log, kept as they are stored; bytes of one
_HEADER, _START = late(rb"(?:blob|tree|commit|tag) (0|[1-9][0-9]{0,18})"), 512
"""What a loose object begins with, and bytes of its file in which all of that lies, however it is packed."""
_AUTHOR = late(rb"author (.*?) ?<([^<>]*)> (-?\d+) [+-]\d{4}")

Entry = tuple[str, str]  # mode as Git stores it ("100644", "40000") and id


class Commit(Struct, frozen=True, dict=True):
    """A commit, as it is stored."""

    oid: str
    tree: str
    parents: tuple[str, ...]
    author: str
    email: str
    author_time: int  # seconds since 1970, UTC
    message: str


class Objects:
    """The objects of a repository. ``lasts``: what is stored outlives a power failure."""

    def __init__(self, layout: Layout, *, lasts: bool) -> None:
        self._folder = f"{layout.common}/objects"
        self._layout = layout
        self._laid = Laid(lasts=lasts)
        self._held = process.held.get(layout.common)
        self._depth = 0
        self._trees: dict[str, dict[str, Entry]] = {}
        self._worked_out: dict[str, dict[str, Entry]] = {}
        self._commits: dict[str, bytes] = {}

    @cached_property
    def _batch(self) -> Batch:
        """Whoever reads what is packed."""
        return Batch(self._layout)

    def read(self, oid: str, limit: int | None = None) -> tuple[str, bytes]:
        """Kind and bytes; `Lacking` where it is missing or damaged, `TooLarge` over the limit."""
        return self._whole(oid, self._there(oid, limit))

    def blob(self, oid: str, limit: int | None = None) -> bytes:
        """The bytes of a file."""
        return _of_kind(oid, self.read(oid, limit), "blob")

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """The bytes of many files, by id; packed ones are asked for together, which is far faster."""
        stored = self._read_all(oids)
        return {oid: _of_kind(oid, self._whole(oid, each), "blob") for oid, each in stored}

    def commit(self, oid: str, limit: int | None = None) -> Commit:
        """A commit by its id; `Malformed` where this clone has none of that id, or it is none as Git makes them."""
        stored = self._there(oid, limit)
        if stored is None:
            raise Malformed.of(f"the Git object {oid} is missing", mend=fetched_anew(self._layout))
        return shown(parse_commit(oid, _of_kind(oid, stored, "commit")), self.ends())

    def ends(self) -> frozenset[str]:
        """The commits at which a shallow clone ends; none where it has all."""
        try:
            with open(f"{self._layout.common}/shallow", encoding="ascii") as file:
                return frozenset(file.read().split())
        except FileNotFoundError:
            return frozenset()

    def tree(self, oid: str, limit: int | None = None) -> Mapping[str, Entry]:
        """What lies directly in a folder, by name, in Git's order; not to be changed.

        Of trees whose id was only worked out too: that spares replay the reading of what it has just made.
        """
        known = self._worked_out.get(oid)
        return known if known is not None else self.stored_tree(oid, limit)

    def stored_tree(self, oid: str, limit: int | None = None) -> Mapping[str, Entry]:
        """The same, of stored trees only, so that what is built upon them is whole."""
        known = self._trees.get(oid)
        if known is None:
            known = parse_tree(oid, _of_kind(oid, self.read(oid, limit), "tree"))
            self.keep_tree(oid, known, stored=True)
        return known

    def keep_tree(self, oid: str, entries: dict[str, Entry], *, stored: bool) -> None:
        """Remember a tree."""
        kept = self._trees if stored else self._worked_out
        if len(kept) >= _MOST_TREES:
            kept.clear()
        kept[oid] = entries

    def keep_commit(self, oid: str, body: bytes) -> None:
        """Remember a commit of a log as it is stored: who walks one asks for it again, and for its parent."""
        if len(body) <= _LONGEST and oid_of("commit", body) == oid:
            while len(self._commits) >= _MOST_COMMITS:
                del self._commits[next(iter(self._commits))]
            self._commits[oid] = body

    def ahead(self, oids: Iterable[str]) -> None:
        """Read commits that are asked for next, together, and remember them."""
        for oid, answer in self._read_all(oids):
            if answer is not None and answer[0] == "commit":
                self.keep_commit(oid, answer[1])

    def write(self, kind: str, body: bytes) -> str:
        """Store an object, on the disk when this returns, and give its id."""
        with self.together():
            return self.lay(kind, body)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let all objects that are laid meanwhile be stored at its end, waiting once for the disk; none if it fails.

        Within another, what is laid waits for the end of that one, or for `store`.
        """
        self._depth += 1
        try:
            yield
            if self._depth == 1:
                self._settle()
        except BaseException:
            self._laid.forget()
            if self._held is not None:
                self._held.forget()
            self._trees.clear()  # some of them were not stored after all
            raise
        finally:
            self._depth -= 1

    def store(self) -> None:
        """Store what is laid, on the disk when this returns."""
        with self.together():
            self._settle()

    def _settle(self) -> None:
        self._laid.settle()
        if self._held is not None:
            self._held.settle()

    def lay(self, kind: str, body: bytes) -> str:
        """Write an object that is stored when `together` ends, and give its id."""
        if kind not in KINDS:
            raise Malformed.of(
                f"there is no kind of Git object named {quoted(kind)}", mend=f"one of {sorted(KINDS)}"
            )
        oid = oid_of(kind, body)
        _check_size(oid, len(body))
        if self._held is not None and self._held.here:
            if oid not in self._held:
                self._held.lay(oid, (kind, body))
            return oid
        folder = f"{self._folder}/{oid[:2]}"
        path = f"{folder}/{oid[2:]}"
        if path not in self._laid and not _freshen(path):
            beside = f"{folder}/tmp_obj_{os.urandom(8).hex()}"  # noqa: S108 - the prefix that Git's own loose objects have
            packed = zlib.compress(b"%s %d\0%s" % (kind.encode(), len(body), body), 1)
            try:
                self._laid.lay(path, beside, packed)
            except FileNotFoundError:
                os.makedirs(folder, exist_ok=True)
                self._laid.lay(path, beside, packed)
        return oid

    def close(self) -> None:
        """Stop the reading process, if one runs, and write what is held."""
        if self._held is not None:
            self._held.write()
        if "_batch" in self.__dict__:
            self._batch.close()

    def _there(self, oid: str, limit: int | None) -> Answer:
        """Kind and bytes of an object; None where it is missing."""
        if (body := self._commits.get(oid)) is not None:
            _check_size(oid, len(body), limit)
            return "commit", body
        return next(self._read_all((oid,), limit))[1]

    def _whole(self, oid: str, answer: Answer) -> tuple[str, bytes]:
        if answer is None:
            raise self._lacking(oid, "is missing")
        return answer

    def _lacking(self, oid: str, what: str, file: str = "") -> Lacking:
        return Lacking.of(self._layout, f"the Git object {oid} {what}", file)

    def _read_all(self, oids: Iterable[str], limit: int | None = None) -> Iterator[tuple[str, Answer]]:
        """Kind and bytes of objects, the loose ones first, checked against their ids; None for one that is missing."""
        packed: list[str] = []
        for oid in dict.fromkeys(oids):
            check_oid(oid)
            loose = self._loose(oid, limit)
            if loose is None:
                packed.append(oid)
            else:
                yield oid, loose
        for oid, answer in self._batch.ask(packed, limit) if packed else ():
            if answer is not None and oid_of(*answer) != oid:
                raise self._lacking(oid, f"is damaged: {_OTHER}")
            yield oid, answer

    def _loose(self, oid: str, limit: int | None) -> tuple[str, bytes] | None:
        if self._held is not None and (held := self._held.get(oid)) is not None:
            _check_size(oid, len(held[1]), limit)
            return held
        path = f"{self._folder}/{oid[:2]}/{oid[2:]}"
        try:
            with open(path, "rb", buffering=0) as file:
                _check_size(oid, os.fstat(file.fileno()).st_size)
                stored = _unpacked(oid, file.readall(), limit)
                if oid_of(*stored) != oid:
                    raise _Damage(_OTHER)
                return stored
        except FileNotFoundError:
            return None
        except _Damage as damage:
            raise self._lacking(oid, f"is damaged: {damage}", path) from None

    def loose_size(self, oid: str) -> int | None:
        """How many bytes a loose object has, as it says itself; None where none lies here that says so."""
        if self._held is not None and (held := self._held.get(oid)) is not None:
            return len(held[1])
        with suppress(OSError, zlib.error), open(f"{self._folder}/{oid[:2]}/{oid[2:]}", "rb") as file:
            head = zlib.decompressobj().decompress(file.read(_START), 64).partition(b"\0")
            if head[1] and (said := _HEADER.fullmatch(head[0])):
                return int(said[1])
        return None


def shown(commit: Commit, ends: Collection[str]) -> Commit:
    """A commit as Git shows it: where a shallow clone ends, at one of these, it has no parents, for they are not there."""
    return replace(commit, parents=()) if commit.oid in ends else commit


def _check_size(oid: str, size: int, limit: int | None = None) -> None:
    limit = process.MOST_BYTES if limit is None else limit
    if size > limit:
        raise TooLarge.of_object(oid, size, limit)


class Misshapen(Malformed):
    """An object that is none as Git makes them, though it has its id: somebody has made it so."""


class _Damage(Exception):
    """A loose object that is not as it was written."""


def _of_kind(oid: str, stored: tuple[str, bytes], kind: str) -> bytes:
    if stored[0] != kind:
        raise _wrong(oid, f"is a {stored[0]}, not a {kind}")
    return stored[1]


def oid_of(kind: str, body: bytes) -> str:
    """The id that Git gives to an object."""
    return sha1(b"%s %d\0%s" % (kind.encode(), len(body), body), usedforsecurity=False).hexdigest()


def oid_of_file(file: FileIO, size: int) -> str:
    """The id that a file would have, however large it is."""
    seal = sha1(b"blob %d\0" % size, usedforsecurity=False)
    while part := file.read(1 << 20):
        seal.update(part)
    return seal.hexdigest()


def check_oid(oid: str) -> None:
    """Refuse what is no full object id."""
    if not OID.fullmatch(oid):
        raise Malformed.of(f"{quoted(oid)} is no id of a Git object", mend="give all 40 hexadecimal digits")


def fill(file: int, content: bytes, *, sync: bool = True) -> None:
    """Write all of the bytes to an open file, sync it and close it."""
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]
        if sync:
            os.fsync(file)
    finally:
        os.close(file)


def _freshen(path: str) -> bool:
    """Whether an object is there; if so its time is set, so that a `git gc` at this moment spares it."""
    try:
        if not os.stat(path).st_size:  # left by a power failure under a Git that does not sync
            return False
        os.utime(path)
    except FileNotFoundError:
        return False
    except PermissionError:
        return True
    return True


def _unpacked(oid: str, packed: bytes, limit: int | None) -> tuple[str, bytes]:
    """Kind and bytes of a loose object; never unpacks more than its header admits to."""
    inflater = zlib.decompressobj()
    try:
        start = inflater.decompress(packed, 64)
        head, zero, body = start.partition(b"\0")
        kind, _, digits = head.decode("ascii", "replace").partition(" ")
        if not zero or kind not in KINDS or not re.fullmatch("0|[1-9][0-9]{0,18}", digits):
            raise _Damage("it has no proper header")
        _check_size(oid, int(digits), limit)
        body += inflater.decompress(inflater.unconsumed_tail, int(digits) - len(body) + 1)
    except (zlib.error, ValueError):
        raise _Damage("it does not unpack") from None
    if len(body) != int(digits) or not inflater.eof or inflater.unused_data:
        raise _Damage("it has not the size that its header tells")
    return kind, body


def parse_tree(oid: str, body: bytes) -> dict[str, Entry]:
    """The entries of a stored tree; names that are not UTF-8 keep their bytes as surrogates."""
    entries: dict[str, Entry] = {}
    at = count = 0
    try:
        while at < len(body):
            space = body.index(b" ", at)
            zero = body.index(b"\0", space)
            name = body[space + 1 : zero].decode("utf-8", "surrogateescape")
            entries[name] = (body[at:space].decode("ascii"), body[zero + 1 : zero + 21].hex())
            at = zero + 21
            count += 1
    except ValueError:
        raise _wrong(oid, "is damaged: it is no tree") from None
    if at != len(body) or len(entries) != count:
        raise _wrong(oid, "is damaged: an entry is cut off, or a name stands twice")
    return entries


def parse_commit(oid: str, body: bytes) -> Commit:
    """A stored commit."""
    head, _, message = body.partition(b"\n\n")
    lines = head.split(b"\n")
    parents: list[str] = []
    for line in lines[1:]:
        if not line.startswith(b"parent "):
            break
        parents.append(line[7:].decode("ascii", "replace"))
    author = _AUTHOR.fullmatch(lines[len(parents) + 1]) if len(lines) > len(parents) + 1 else None
    tree = lines[0].removeprefix(b"tree ").decode("ascii", "replace")
    if author is None or not all(OID.fullmatch(each) for each in (tree, *parents)):
        raise _wrong(oid, "is damaged: it is no commit")
    name, email, time = author.groups()
    return Commit(oid, tree, tuple(parents), _text(name), _text(email), _instant(time), _text(message))


def _instant(digits: bytes) -> int:
    """The time that a commit tells, or the nearest one that there is: Git stores any number."""
    return min(max(int(digits[:20]), FIRST_SECOND), LAST_SECOND)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _wrong(oid: str, what: str) -> Misshapen:
    mend = remedy(
        "look for damage, and fetch the object from another clone:", command("git", "fsck", "--full")
    )
    return Misshapen.of(f"the Git object {oid} {what}", mend=mend)


_MOST_FILES = 128  # laid down at once: each is open meanwhile
_MOST_THREADS = 4  # more take longer to start than they save on a quick disk


class Laid:
    """New files that are written, and not yet in their places. ``lasts``: they are waited for before they get there."""

    def __init__(self, *, lasts: bool) -> None:
        self._lasts = lasts
        self._open: dict[str, tuple[int, str]] = {}  # the open file and where it lies, by its place

    def __contains__(self, place: str) -> bool:
        return place in self._open

    def lay(self, place: str, beside: str, content: bytes) -> None:
        """Write a file beside its place; it is moved there by `settle`."""
        if len(self._open) >= _MOST_FILES:
            self.settle()
        file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o444)
        self._open[place] = file, beside
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(file, rest) :]

    def settle(self) -> None:
        """Have all files on the disk, and then in their places; where that fails none of the rest is left."""
        laid, self._open = self._open, {}
        files = [file for file, _ in laid.values()]
        try:
            if self._lasts:
                _sync(files)
            for place in list(laid):
                os.rename(laid[place][1], place)
                del laid[place]
        finally:
            for file in files:
                os.close(file)
            for _, beside in laid.values():
                with suppress(FileNotFoundError):
                    os.unlink(beside)

    def forget(self) -> None:
        """Take away what was laid down."""
        laid, self._open = self._open, {}
        for file, beside in laid.values():
            os.close(file)
            os.unlink(beside)


def _sync(files: list[int]) -> None:
    """Wait until these open files are on the disk; waiting for them at the same time, they share its turns."""
    wrong: list[OSError] = []

    def wait(turn: int) -> None:
        try:
            for file in files[turn::_MOST_THREADS]:
                os.fsync(file)
        except OSError as error:
            wrong.append(error)

    threads = [_aside(wait, turn) for turn in range(1, min(len(files), _MOST_THREADS))]
    wait(0)
    for thread in threads:
        if thread is not None:
            thread.join()
    if wrong:
        raise wrong[0]


def _aside(work: Callable[[int], None], turn: int) -> Thread | None:
    """The thread in which some work is done; where the machine lends none, it is done at once."""
    thread = Thread(target=work, args=(turn,))
    try:
        thread.start()
    except RuntimeError:
        work(turn)
        return None
    return thread
