"""Folders as Git stores them: looked up, walked, compared, and made anew from a few changed files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count
from unicodedata import normalize

from nomicgit.git.objects import Entry, Objects, oid_of
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, Refused, printable, quoted

FILE = "100644"
FOLDER = "40000"
LINK, MODULE, PROGRAM = "120000", "160000", "100755"
LINKED = "link "  # stands before the id of what a link says
A_FOLDER = "a folder"  # stands for the id of a folder, or of a submodule's
_FILES = frozenset({FILE, "100664", "100755"})  # what reads as an ordinary file
MOST_FILES = 1_000_000  # files and folders in one walk: a few objects can claim billions
_MOST_DEEP = 64
_NAME = late(r"[A-Za-z0-9._-]{1,255}")
_GIT_NAMES = frozenset({".git", ".gitmodules"})  # Git obeys these
_GITS = frozenset({".git", "git~1"})  # what some file system takes for its folder
_UNSEEN = late(
    "[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]"
)  # some file systems leave these out of a name
_LONGEST, _FURTHEST = 255, 4_000  # bytes of a name, and of a path

Content = bytes | Entry | None
"""A file's bytes, a whole file or folder that is stored already, or nothing."""
_Nest = dict[str, "Content | _Nest"]


def check_path(path: str) -> None:
    """Refuse a path that some file system, or Git, could take for another."""
    for name in path.split("/"):
        if not _NAME.fullmatch(name) or not name.strip(".") or name.rstrip(".").lower() in _GIT_NAMES:
            raise Refused.of(
                f"{quoted(name)} cannot be a name of a file or folder",
                file=printable(path),
                mend="use letters A to Z, digits, dots, hyphens, underscores; .git and .gitmodules are Git's",
            )


def refused(path: str) -> str:
    """Why Git checks no path out that reads like this; "" where it does."""
    for name in path.split("/"):
        parts = (part.partition(":")[0].rstrip(". ").lower() for part in name.split("\\"))
        if any(part in _GITS for part in parts) or folded(name) == ".git" or not name.rstrip(". "):
            return f"{quoted(name, 60)} is a name that Git refuses"
    return ""


def folded(name: str) -> str:
    """A name as a file system takes it to which capitals, unseen characters and ways to write a letter do not count."""
    if name.isascii():  # most are
        return name.casefold()
    return normalize("NFC", _UNSEEN.sub("", name)).casefold()


def misnamed(objects: Objects, old: str | None, new: str, paths: Iterable[str]) -> str:
    """Why some clone cannot hold what a tree has at the first of these paths for which that is so, and had not before; else ""."""
    alike: dict[str, Mapping[str, str]] = {}
    for path in paths:
        if why := refused(path):
            return f"{printable(path, 80)}: {why}"
        within = ""
        for name in path.split("/"):
            if old is None or entry(objects, old, within + name) is None:
                if within not in alike:
                    alike[within] = _alike(objects, new, within)
                if other := alike[within].get(name):
                    return f"{printable(path, 80)}: {_one_name(name, other)}"
            within += f"{name}/"
    return ""


def _one_name(name: str, other: str) -> str:
    """That two names are one to some clones: by their capitals, or by how their letters are written, which nobody sees."""
    if name.casefold() == other.casefold():
        return f"{printable(name, 60)} and {printable(other, 60)} are one name where capitals do not count"
    both = f"{name[:60]!a} and {other[:60]!a}"
    return f"{both} are one name where it does not count how letters are written"


def _alike(objects: Objects, tree: str, within: str) -> dict[str, str]:
    """The names in a folder that fold into one with another, each with that other."""
    there = entry(objects, tree, within.rstrip("/"))
    known, alike = dict[str, str](), dict[str, str]()
    for name in objects.tree(there[1]) if there is not None and there[0] == FOLDER else ():
        other = known.setdefault(folded(name), name)
        if other != name:
            alike |= {name: other, other: name}
    return alike


def unfit(path: str) -> str:
    """Why no folder holds a file of this path that a tree has; "" where one can."""
    if why := refused(path):
        return why
    for name in path.split("/"):
        try:
            long = len(name.encode())
        except UnicodeEncodeError:
            return f"{quoted(name, 60)} is no text"
        if long > _LONGEST:
            return f"a name of {long} bytes is longer than file systems take"
    if len(path.encode()) > _FURTHEST:
        return "the path is longer than file systems take"
    return ""


def misfit(objects: Objects, tree: str | None, path: str, *, folds: bool) -> str:
    """Why no folder holds a file of a tree, or not where capitals do not count (``folds``); "" where it does."""
    return unfit(path) or (twin(objects, tree, path) if folds and tree is not None else "")


def twin(objects: Objects, tree: str, path: str) -> str:
    """Why a file has no place of its own where capitals do not count; "" where it has: of such names the last one has it."""
    within = ""
    for name in path.split("/"):
        there = entry(objects, tree, within.rstrip("/"))
        names = objects.tree(there[1]) if there is not None and there[0] == FOLDER else {}
        other = max((each for each in names if each.lower() == name.lower()), default=name)
        if other != name:
            return (
                f"{printable(name, 60)} and {printable(other, 60)} differ in capitals only, and are one here"
            )
        within += f"{name}/"
    return ""


def entry(objects: Objects, tree: str, path: str) -> Entry | None:
    """Mode and id of what lies at a path; the path "" is the tree itself."""
    here: Entry = (FOLDER, tree)
    for name in path.split("/") if path else ():
        if here[0] != FOLDER:
            return None
        below = objects.tree(here[1]).get(name)
        if below is None:
            return None
        here = below
    return here


def file_oid(objects: Objects, tree: str, path: str) -> str | None:
    """The id of a file; None where no file lies, `Malformed` where it is a symbolic link or a submodule."""
    there = entry(objects, tree, path)
    if there is None or there[0] == FOLDER:
        return None
    _check_mode(path, there[0])
    return there[1]


def lies_as(entry: Entry | None) -> bool:
    """Whether an entry of a tree lies at its own path: a folder does not, but what is in it."""
    return entry is not None and entry[0] != FOLDER


def known_as(entry: Entry | None) -> str | None:
    """How what a tree has at a path is known when it lies there: a file by its id, a link by its target's."""
    if entry is None:
        return None
    if entry[0] in (FOLDER, MODULE):
        return A_FOLDER
    return (LINKED if entry[0] == LINK else "") + entry[1]


def lies_so(lies: str | None, entry: Entry | None) -> bool:
    """Whether what lies at a path is what a tree has there; the folder of a submodule, or an empty one, may be missing."""
    known = known_as(entry)
    return lies == known or (lies is None and known == A_FOLDER)


def below(path: str, stored: Mapping[str, Entry | None]) -> bool:
    """Whether a path lies below one at which a tree has no folder: then nothing of the tree lies there."""
    parts = path.split("/")
    return any(lies_as(stored.get("/".join(parts[:n]))) for n in range(1, len(parts)))


def mode_of(entry: Entry) -> int:
    """The mode of an entry as the index has it, which knows four."""
    return int(entry[0] if entry[0] in (LINK, MODULE, PROGRAM) else FILE, 8)


def walk(objects: Objects, tree: str, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Path and id of every file under a folder, in Git's order; `Malformed` at a link or a submodule."""
    start = entry(objects, tree, prefix.rstrip("/"))
    if start is None or start[0] != FOLDER:
        return
    for path, old, _ in changed(objects, start[1], None):
        full = f"{prefix.rstrip('/')}/{path}" if prefix else path
        assert old is not None
        _check_mode(full, old[0])
        yield full, old[1]


def changed(
    objects: Objects, old: str | None, new: str | None, most: int = MOST_FILES
) -> Iterator[tuple[str, Entry | None, Entry | None]]:
    """Every path, folders apart, that two trees hold differently: path, entry in old, entry in new.

    `Refused` where there are more than ``most``, folders counted.
    """
    return _changed(objects, old, new, "", count(most, -1))


def _changed(
    objects: Objects, old: str | None, new: str | None, within: str, left: count[int]
) -> Iterator[tuple[str, Entry | None, Entry | None]]:
    if old == new:
        return
    if within.count("/") > _MOST_DEEP:
        raise _bomb(within)
    before = objects.tree(old) if old else {}
    after = objects.tree(new) if new else {}
    for name in before if not after else dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        if next(left) <= 0:
            raise _bomb(within)
        path = within + name
        was_folder, was_file = _apart(was)
        now_folder, now_file = _apart(now)
        if was_file or now_file:
            yield path, was_file, now_file
        if was_folder or now_folder:
            yield from _changed(objects, was_folder, now_folder, path + "/", left)


def tree_with(objects: Objects, base: str | None, changes: Mapping[str, Content], *, write: bool) -> str:
    """The id of a tree with files put or (None) taken out; empty folders go. Only touched trees are made.

    An entry takes the place of whatever lies there.
    """
    nest: _Nest = {}
    for path, content in changes.items():
        _place(nest, path, content)
    with objects.together():
        made = _made(objects, base, nest, "", write=write)
        return made if made is not None else _stored(objects, {}, write=write)


def _place(nest: _Nest, path: str, content: Content) -> None:
    if isinstance(content, bytes):  # what is stored already, or goes, may have any name
        check_path(path)
    *folders, name = path.split("/")
    if len(folders) > _MOST_DEEP:
        raise Refused.of(f"more than {_MOST_DEEP} folders deep", file=path, mend="use a shorter path")
    for folder in folders:
        below = nest.setdefault(folder, {})
        if not isinstance(below, dict):
            raise _both(path)
        nest = below
    if name in nest:
        raise _both(path)
    nest[name] = content


def _made(objects: Objects, base: str | None, nest: _Nest, within: str, *, write: bool) -> str | None:
    """The id of a folder with changes made; None if nothing is left in it."""
    look = objects.stored_tree if write else objects.tree
    entries = dict(look(base)) if base else {}
    more, added = False, list[str]()
    for name, change in nest.items():
        was = entries.get(name)
        if was and not isinstance(change, tuple) and isinstance(change, dict) != (was[0] == FOLDER):
            raise _both(within + name)
        now = _changed_entry(objects, was, change, within + name, write=write)
        if now is None:
            entries.pop(name, None)
            continue
        more = more or was is None
        if was is None and not isinstance(change, tuple):  # what is stored already goes back wherever it was
            added.append(name)
        entries[name] = now
    if more:
        _check_twins(entries, added, within)
        entries = dict(sorted(entries.items(), key=_git_order))
    return _stored(objects, entries, write=write) if entries else None


def _changed_entry(
    objects: Objects, was: Entry | None, change: Content | _Nest, path: str, *, write: bool
) -> Entry | None:
    if change is None or isinstance(change, tuple):
        return change
    if isinstance(change, bytes):
        return FILE, objects.lay("blob", change) if write else oid_of("blob", change)
    made = _made(objects, was[1] if was else None, change, path + "/", write=write)
    return (FOLDER, made) if made is not None else None


def _stored(objects: Objects, entries: dict[str, Entry], *, write: bool) -> str:
    body = b"".join(_entry_bytes(name, mode, oid) for name, (mode, oid) in entries.items())
    oid = objects.lay("tree", body) if write else oid_of("tree", body)
    objects.keep_tree(oid, entries, stored=write)
    return oid


@lru_cache(maxsize=8192)
def _entry_bytes(name: str, mode: str, oid: str) -> bytes:
    """An entry as a tree holds it; most of a folder's are as they were."""
    return b"%s %s\0%s" % (mode.encode(), name.encode("utf-8", "surrogateescape"), bytes.fromhex(oid))


def _git_order(item: tuple[str, Entry]) -> bytes:
    """Git sorts bytes, a folder as if its name ended in a slash."""
    name, (mode, _) = item
    return name.encode("utf-8", "surrogateescape") + (b"/" if mode == FOLDER else b"")


def _check_twins(names: Iterable[str], added: Iterable[str], within: str) -> None:
    """Refuse an added name that differs from another in capitals only."""
    known: dict[str, set[str]] = {}
    for name in names:
        known.setdefault(name.lower(), set()).add(name)
    for name in added:
        for twin in known[name.lower()] - {name}:
            raise Refused.of(
                f"{name} and {printable(twin)} differ in capitals only, and are one file on many machines",
                file=within + name,
                mend="choose another name",
            )


def _apart(there: Entry | None) -> tuple[str | None, Entry | None]:
    """An entry as a folder's id, or as anything else."""
    if there is None:
        return None, None
    return (there[1], None) if there[0] == FOLDER else (None, there)


def _check_mode(path: str, mode: str) -> None:
    if mode not in _FILES:
        what = {"120000": "a symbolic link", "160000": "a submodule"}.get(
            mode, f"of the unknown mode {printable(mode)}"
        )
        raise Malformed.of(
            f"this is {what}, not a file", file=printable(path), mend="put a plain file in its place"
        )


def _both(path: str) -> Refused:
    return Refused.of("this would be a file and a folder", file=path, mend="take one of them out first")


def _bomb(path: str) -> Refused:
    return Refused.of(
        f"there are too many files, or more than {_MOST_DEEP} folders deep",
        file=printable(path),
        mend="no game is that large; do not use the branch that brought this",
    )
