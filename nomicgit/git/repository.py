"""A game's Git repository, the one face that Git shows to other rooms: objects, branch, work tree and settings stand behind it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Self

from nomicgit.git import trees
from nomicgit.git.ancestry import SHARED, Ancestry
from nomicgit.git.branch import Branch, Lock, Past, is_ref, raced
from nomicgit.git.layout import TRUE, Layout, check_kind, find, layout_at, settings_of
from nomicgit.git.objects import LAST_SECOND, Commit, Entry, Objects, check_oid, parse_commit, shown
from nomicgit.git.process import command, raw_commits, run, try_run
from nomicgit.git.signing import HANDS, KEY, PLAYER, signed
from nomicgit.ground import remedies, watch
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, NomicError, Refused, printable, quoted

if TYPE_CHECKING:
    from pathlib import Path

    from nomicgit.git.worktree import WorkTree

FIRST = "main"
"""The branch that a new repository begins with."""
_UNFINISHED = {"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert"}
_BY_HAND = 100  # commits of a log that are read one by one, before Git is asked for the rest
_AT_ONCE, _BYTES_AT_ONCE = 200, 1_000_000  # of the rest, so that a commit's parent is mostly at hand
_KEY = late(r"nomicgit\.[a-z][a-zA-Z0-9-]*")
_UNFIT = late(r"[\x00-\x1f\x7f<>]")
_SHOWN = 20  # files with local edits that are named
_NEW = {"core.fsync": "all", "transfer.fsckObjects": "true"}


class Repository(Ancestry):
    """One clone of a game. Use it in a ``with``, or `close` it: that stops the process that reads packs."""

    def __init__(self, layout: Layout) -> None:
        self.root = layout.root  # the work tree; None where there is none
        self.git_dir = layout.git_dir
        self._layout = layout
        self._config: dict[str, str] | None = None
        self.followed: dict[str, tuple[object, tuple[str, str, str]]] = {}
        """What a branch was found to follow, and the settings' file as of then."""
        check_kind(self._settings(), self._layout)
        if self.config("core.bare") in TRUE and layout.git_dir == layout.common:
            self.root, self._layout = None, Layout(None, layout.git_dir, layout.common)
        self._lasts = self.config("core.fsync") != "none"  # a scratch clone does not
        self._objects = Objects(self._layout, lasts=self._lasts)
        self._lock = Lock(f"{layout.common}/nomicgit.lock")
        logs = self.config("core.logallrefupdates") or ("false" if self.root is None else "true")
        self._branch = Branch(
            self._layout, self._lock, keeps_log=logs in (*TRUE, "always"), lasts=self._lasts
        )

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """The repository that holds this folder; `Refused` if there is none, or no such folder."""
        return cls(find(path))

    @classmethod
    def init(cls, path: Path | str, branch: str = FIRST) -> Self:
        """The repository of exactly this folder, made if there is none."""
        layout = layout_at(os.path.abspath(path))
        if layout is not None:
            return cls(layout)
        if not is_ref(f"refs/heads/{branch}"):
            raise Refused.of(f"{quoted(branch)} cannot be a branch", mend="choose another name, such as main")
        run(["git", "init", "--quiet", "--object-format=sha1", f"--initial-branch={branch}", "--", str(path)])
        made = cls.open(path)
        for key, value in _NEW.items():
            made._set(key, value)
        return made

    def close(self) -> None:
        """Stop the reading process, if one runs; a closed repository can be used again."""
        self._objects.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Objects

    def read(self, oid: str) -> tuple[str, bytes]:
        """Kind and bytes of an object; `Lacking` if missing or damaged, `Refused` over 64 MiB."""
        return self._objects.read(oid)

    def blob(self, oid: str, *, limit: int | None = None) -> bytes:
        """The bytes of a file; `TooLarge`, and nothing unpacked, over ``limit`` (None: 64 MiB)."""
        return self._objects.blob(oid, limit)

    def blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """The bytes of many files, by id; several times faster than one by one."""
        return self._objects.blobs(oids)

    def tree(self, oid: str, *, limit: int | None = None) -> Mapping[str, Entry]:
        """What lies directly in a folder: name to mode ("100644", a folder "40000") and id; read only."""
        return self._objects.tree(oid, limit)

    def commit(self, oid: str, *, limit: int | None = None) -> Commit:
        """A commit by its id."""
        return self._objects.commit(oid, limit)

    def ahead(self, commits: Iterable[str]) -> None:
        """Read some hundred commits that are asked for next, which together is far faster."""
        self._objects.ahead(commits)

    def entry(self, tree: str, path: str) -> Entry | None:
        """Mode and id of what lies at a path."""
        return trees.entry(self._objects, tree, path)

    def file(self, tree: str, path: str) -> bytes | None:
        """The bytes of a file; None where there is none, `Malformed` for a symbolic link."""
        oid = trees.file_oid(self._objects, tree, path)
        return None if oid is None else self._objects.blob(oid)

    def walk(self, tree: str, prefix: str = "") -> Iterator[tuple[str, str]]:
        """Full path and id of every file under a folder, in Git's order."""
        return trees.walk(self._objects, tree, prefix)

    def changed(
        self, old: str | None, new: str | None, most: int = trees.MOST_FILES
    ) -> Iterator[tuple[str, Entry | None, Entry | None]]:
        """Every path, folders apart, that differs between two trees, with its entry in each; `Refused` over ``most``."""
        return trees.changed(self._objects, old, new, most)

    def write(self, kind: str, data: bytes) -> str:
        """Store an object and give its id."""
        return self._objects.write(kind, data)

    def together(self) -> AbstractContextManager[None]:
        """Store the objects of a deed together, at the end of this or when a commit is appended."""
        return self._objects.together()

    def tree_with(self, base: str | None, changes: Mapping[str, trees.Content]) -> str:
        """Store a tree: ``base`` with files put, or taken out (None); give its id."""
        return trees.tree_with(self._objects, base, changes, write=True)

    def tree_id(self, base: str | None, changes: Mapping[str, trees.Content]) -> str:
        """The id that `tree_with` would give; nothing is stored."""
        return trees.tree_with(self._objects, base, changes, write=False)

    # The branch

    @property
    def branch(self) -> str:
        """The full name of the branch that HEAD names; `Refused` where HEAD is detached."""
        return self._branch.name()

    def refuse_unfinished(self) -> None:
        """Refuse where something that was begun with Git waits for its end."""
        for mark, what in _UNFINISHED.items():
            if os.path.exists(f"{self.git_dir}/{mark}"):
                raise Refused.of(
                    f"a {what} is under way, and what it makes is no deed",
                    file=self.git_dir,
                    mend=remedies.remedy(
                        "break it off:",
                        remedies.command("git", what, "--abort"),
                        remedies.command("nomicgit", "sync"),
                    ),
                )

    def has_other_branches(self) -> bool:
        """Whether this clone has branches beside the one that HEAD names."""
        return self._branch.has_others(self._branch.name())

    def head(self) -> str | None:
        """The commit at the tip of the branch; None before the first."""
        return self._branch.at(self._branch.name())

    def logged(self, ref: str, since: int) -> tuple[list[Past], int]:
        """Where a reference has stood, oldest first, by Git's own log of it from so many bytes on; and how long that log is."""
        return self._branch.logged(ref, since)

    def locked(self) -> AbstractContextManager[None]:
        """Keep everyone else's deeds out; put in order what a holder left behind who died.

        Taking it again in the same `Repository` is free; in a second one of the same clone it waits forever.
        """
        return self._lock.held(self._recover)

    def append(
        self,
        *,
        tree: str,
        parents: Sequence[str],
        message: str,
        author: str,
        email: str,
        at: int,
        expect: str | None,
        signers: Sequence[str] = (),
        committer: tuple[str, str] | None = None,
    ) -> str:
        """Store a commit and move the branch to it from ``expect`` (None: the branch must not exist yet).

        It is signed where this clone has a key of one of its signers (else: of its author). The committer, with an address, is
        the author where nobody else is said. ``at`` is in seconds since 1970,
        UTC. `Raced` where the branch is elsewhere; nothing has changed then.
        """
        who = _signature(author, email, at)
        by = who if committer is None else _signature(*committer, at)
        body = _commit_body(tree, parents, who, message, by)
        if (key := self.key_of(signers or (author,))) is not None:
            body = signed(body, key)
        if expect is not None and list(parents[:1]) != [expect]:
            raise Refused.of(
                "a new commit must have the old one as its first parent", mend="give it as parents[0]"
            )
        with self.locked():
            branch = self._branch.name()
            now = self._branch.at(branch)
            if now != expect:
                raise raced(branch, now, expect)
            self.refuse_unfinished()
            self._objects.stored_tree(tree)
            for parent in parents:
                self._objects.commit(parent)
            oid = self._objects.lay("commit", body)
            self._objects.store()
            subject = message.strip().split("\n", 1)[0]
            self._lock.note(expect or "-", oid)
            self._branch.move(branch, new=oid, expect=expect, line=f"{who}\tcommit: {subject}")
            if self._lasts:
                watch.note(oid)
            return oid

    def lone(self, files: Mapping[str, bytes], message: str) -> str:
        """Store a commit of these files that stands on nothing, by nobody and of no time, and give its id."""
        with self._objects.together():
            tree = trees.tree_with(self._objects, None, files, write=True)
            nobody = _signature("nobody", "nobody@nomicgit.invalid", 0)
            return self._objects.write("commit", _commit_body(tree, (), nobody, message, nobody))

    def turn(self, new: str, *, expect: str, line: str) -> list[str]:
        """Move the branch to a commit that stands already, and bring the work tree along; ``line`` is for the reflog.

        `Raced` where the branch is not at ``expect``, `Refused` where files have local edits that it would touch; nothing
        has changed then. Gives the files that were left alone, since somebody edited them meanwhile.
        """
        old, tree = self.commit(expect).tree, self.commit(new).tree
        touched: dict[str, bytes | None] = {path: None for path, _, _ in self.changed(old, tree)}
        with self.locked():
            branch = self._branch.name()
            now = self._branch.at(branch)
            if now != expect:
                raise raced(branch, now, expect)
            self.refuse_edited(touched, old, but=tree)
            self._lock.note(expect, new)
            self._branch.move(branch, new=new, expect=expect, line=f"nomicgit <nomicgit> 0 +0000\t{line}")
            return self.bring_along(old, tree, touched)

    def point(self, ref: str, commit: str | None) -> None:
        """Let a reference point at a commit; None takes it away. The game's own branch is moved by deeds, and by `turn`."""
        self.point_all({ref: commit})

    def point_all(self, commits: Mapping[str, str | None]) -> None:
        """The same of several, all or none. Git is asked only where one does not stand so already."""
        lines = []
        for ref, commit in commits.items():
            if not is_ref(ref):
                raise Refused.of(f"{quoted(ref)} cannot be a reference")
            if commit is not None:
                check_oid(commit)
            with suppress(Malformed):  # it names another, or nothing
                if ref.startswith(SHARED) and self._branch.at(ref) == commit:
                    continue
            lines.append(f"delete {ref}\n" if commit is None else f"update {ref} {commit}\n")
        if lines:
            run(command(self._layout, "update-ref", "--stdin"), given="".join(lines).encode())

    def log(self, tip: str, *, first_parent: bool = True) -> Iterator[Commit]:
        """The commits that lead to ``tip``, newest first; ends where a shallow clone does."""
        check_oid(tip)
        following = tip
        if first_parent:
            for _ in range(_BY_HAND):
                commit = self._objects.commit(following)
                yield commit
                if not commit.parents:
                    return
                following = commit.parents[0]
        for some in _together(raw_commits(self._layout, following, first_parent=first_parent)):
            for oid, body in some:
                self._objects.keep_commit(oid, body)
            ends = self._objects.ends()
            for oid, body in some:
                yield shown(parse_commit(oid, body), ends)

    def cut_off(self, commit: Commit) -> bool:
        """Whether a shallow clone ends at this commit though its history goes on."""
        return commit.oid in self._objects.ends()

    def is_whole(self) -> bool:
        """Whether this clone has all of its history."""
        return not self._objects.ends()

    # The work tree

    def ignores(self, folder: str) -> bool:
        """Whether Git leaves a folder of the work tree, there or to come, out of what it looks at, as .gitignore says."""
        asked = ("--no-literal-pathspecs", "check-ignore", "--quiet", "--", f"{folder}/")
        return try_run(command(self._layout, *asked)).returncode == 0

    def local_edits(self, paths: Iterable[str], tree: str) -> list[str]:
        """Which of these files differ in the work tree from ``tree``; none where there is no work tree."""
        if self.root is None:
            return []
        return self._work_tree().edits(paths, tree)

    def unlike_in_index(self, paths: Collection[str], tree: str) -> list[str]:
        """Which of these files the next commit would make otherwise than ``tree`` has them, whatever lies in the work tree."""
        if self.root is None or not paths:
            return []
        line = command(
            self._layout, "diff-index", "--cached", "--name-only", "-z", "--no-renames", tree, "--"
        )
        return [os.fsdecode(path) for path in run([*line, *paths]).split(b"\0") if path]

    def local_edits_under(self, folder: str, tree: str) -> list[str]:
        """The same of all files that ``tree`` has in a folder, however many: what the index knows to lie there is not read."""
        if self.root is None:
            return []
        line = command(self._layout, "diff-index", "--name-only", "-z", "--no-renames", tree, "--", folder)
        paths = [os.fsdecode(path) for path in run(line).split(b"\0") if path]
        return self.local_edits([path for path in paths if self.entry(tree, path)], tree)

    def left_out(self, folder: str) -> Collection[str]:
        """The files of a folder that are not laid down, since the work tree is sparse."""
        if self.root is None or self.config("core.sparsecheckout") not in TRUE:
            return ()
        git, *words = command(self._layout, "ls-files", "-t", "-z", "--", folder)
        rows = run([git, "-C", self.root, *words]).split(b"\0")  # elsewhere it looks there what lies
        return {os.fsdecode(row[2:]) for row in rows if row.startswith(b"S ")}

    def refuse_edited(self, paths: Iterable[str], tree: str, *, but: str | None = None) -> None:
        """Refused where one of these files differs in the work tree from ``tree``; and from what ``but`` has there, where that is told."""
        edits = self.local_edits(paths, tree)
        if edits and but is not None:
            edits = self.local_edits(edits, but)
        if not edits:
            return
        if self.config("core.sparsecheckout") in TRUE:
            what, mend = (
                "this work tree is sparse, and lacks or changes",
                remedies.remedy("lay all files down:", remedies.command("git", "sparse-checkout", "disable")),
            )
        else:
            what = "these files have local edits"
            mend = remedies.remedy(
                "put them aside; should Git find none, it turns line ends: clone anew with -c core.autocrlf=false",
                remedies.command("git", "stash"),
            )
        shown = ", ".join(printable(path, 80) for path in edits[:_SHOWN])
        more = f", and {len(edits) - _SHOWN} more" if len(edits) > _SHOWN else ""
        raise Refused.of(f"{what}: {shown}{more}", mend=mend)

    def in_the_way(self, path: str, tree: str) -> str:
        """What lies in the work tree where ``tree`` has nothing and a file is to come: its path, or that of a file which
        stands for one of its folders; "" where nothing does.
        """
        if self.root is None or not self.local_edits([path], tree):
            return ""
        names = path.split("/")
        for n in range(1, len(names)):
            folder = "/".join(names[:n])
            if os.path.islink(f"{self.root}/{folder}") or os.path.isfile(f"{self.root}/{folder}"):
                return "" if self.entry(tree, folder) else folder
        return path

    def misnamed(self, old: str | None, new: str, paths: Iterable[str]) -> str:
        """Why some clone cannot hold what a tree has at one of these paths, and had not before; "" where each can."""
        return trees.misnamed(self._objects, old, new, paths)

    def unfit(self, tree: str, path: str) -> str:
        """Why the work tree cannot hold a file of a tree; "" where it can."""
        return trees.misfit(self._objects, tree, path, folds=self._folds())

    def _folds(self) -> bool:
        return self.config("core.ignorecase") in TRUE

    def bring_along(self, old: str | None, new: str, changes: Iterable[str]) -> list[str]:
        """Write the touched files of the tree ``new`` into the work tree and the index, where there is one.

        Files that are neither as in ``old`` nor as in ``new`` are left alone and named in the answer.
        """
        if self.root is None:
            return []
        with self.locked():
            left = self._work_tree().bring(old, new, changes)
            self._lock.done()
        return left

    # Settings

    def config(self, key: str) -> str | None:
        """A setting of this clone by its full name, all in small letters (``nomicgit.me``)."""
        return self._settings().get(key)

    def settings_stand(self) -> tuple[int, int, int]:
        """What tells the file of this clone's settings from any that was there before it."""
        file = os.stat(f"{self._layout.common}/config")
        return file.st_ino, file.st_mtime_ns, file.st_size

    def _settings(self) -> dict[str, str]:
        if self._config is None:
            self._config = settings_of(self._layout)
        return self._config

    def key_of(self, signers: Sequence[str]) -> str | None:
        """The file of the key with which this clone signs for the first of these for whom it does; None where it does for none."""
        name = self.signs_for(signers)
        return None if name is None else self.config(HANDS.get(name, KEY))

    def signs_for(self, signers: Sequence[str]) -> str | None:
        """The first of these for whom this clone signs; None where it does for none."""
        player = self.config(PLAYER)
        here = (name for name in signers if name in HANDS or name == player)
        return next((name for name in here if self.config(HANDS.get(name, KEY))), None)

    def set_config(self, key: str, value: str | None) -> None:
        """Set one of our own settings of this clone; None takes it out."""
        if not _KEY.fullmatch(key) or (value is not None and not value.isprintable()):
            raise Refused.of(
                f"{printable(key)} cannot be set to {quoted(value or '')}",
                mend="the name must be like nomicgit.me, the value one line",
            )
        self._set(key, value)

    def _set(self, key: str, value: str | None) -> None:
        how = ["--unset-all", key] if value is None else ["--replace-all", "--", key, value]
        self._config = None
        if value is not None or self.config(key.lower()) is not None:
            run(["git", "config", f"--file={self._layout.common}/config", *how])
        self._config = None

    def _work_tree(self) -> WorkTree:
        from nomicgit.git.worktree import WorkTree  # here, because reading commands never need it

        return WorkTree(self._layout, self._objects, self._lock, folds=self._folds())

    def _recover(self, note: list[str]) -> None:
        """Put in order what a holder of the lock left behind who died: Git's locks, and the work tree."""
        with suppress(
            NomicError, OSError
        ):  # what cannot be put in order shows in `git status`, and blocks nobody
            branch = self._branch.name()
            self._branch.clear_stale(branch)
            now = self._branch.at(branch)
            if self.root is None or now is None or now not in note[1:]:
                return
            old = None if note[0] == "-" else self.commit(note[0]).tree
            new = self.commit(now).tree
            self._work_tree().bring(old, new, [path for path, _, _ in self.changed(old, new)])


def _together(bodies: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    """Commits as they are stored, many at a time where they are as short as deeds are."""
    some: list[tuple[str, bytes]] = []
    size = 0
    for oid, body in bodies:
        some.append((oid, body))
        size += len(body)
        if len(some) == _AT_ONCE or size > _BYTES_AT_ONCE:
            yield some
            some, size = [], 0
    yield some


def _signature(name: str, email: str, at: int) -> str:
    for text in (name, email):
        if _UNFIT.search(text) or text != text.strip():
            raise Refused.of(
                f"{quoted(text)} cannot be an author", mend="leave out <, > and control characters"
            )
    if not name:
        raise Refused.of("a commit needs an author", mend="name who does this")
    if isinstance(at, bool) or not isinstance(at, int) or not 0 <= at <= LAST_SECOND:
        raise Malformed.of(f"{at!r} is no time of a commit", mend="give whole seconds since 1970, UTC")
    return f"{name} <{email}> {at} +0000"


def _commit_body(tree: str, parents: Sequence[str], who: str, message: str, by: str) -> bytes:
    for oid in (tree, *parents):
        check_oid(oid)
    if "\0" in message or not message.strip():
        raise Refused.of("a commit's message must say something, and hold no NUL", mend="give it a subject")
    head = [f"tree {tree}", *(f"parent {parent}" for parent in parents), f"author {who}", f"committer {by}"]
    try:
        return "\n".join([*head, "", message if message.endswith("\n") else message + "\n"]).encode()
    except UnicodeEncodeError:
        raise Malformed.of(
            "the message or the author is no Unicode text", mend="leave out lone surrogates"
        ) from None
