"""The branch elsewhere that this clone's branch follows: fetched from and pushed to with the player's own Git.

Other than a scratch clone's remote this one is reached as the player reaches it: by their settings, keys and prompts.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nomicgit.git import strictly
from nomicgit.git.branch import Past, Raced, is_ref
from nomicgit.git.lacking import Lacking
from nomicgit.git.layout import find, to_branch
from nomicgit.git.process import (
    AS_THEY_ARE,
    OBJECTS_AS_THEY_ARE,
    OF_A_HOOK,
    kind_of,
    no_git,
    refuse_outage,
    stale_lock,
)
from nomicgit.git.repository import FIRST, Repository
from nomicgit.git.staged import staged
from nomicgit.ground.problems import Outage, Refused, printable
from nomicgit.ground.remedies import command, remedy

UNTAKEN = "refs/nomicgit/untaken"  # where a fetched head lies until it was looked at
FETCHED = "refs/nomicgit/fetched"
"""Where the newest fetched head that Git takes is kept, so that no object of it is thrown away."""
_BEHIND = ("non-fast-forward", "fetch first", "cannot lock ref", "stale info", "failed to update ref")
_NO_ROOM = re.compile(r"No space left on device|Disk quota exceeded|Read-only file system")
_BROKEN = ("index-pack failed", "fsck error", "unpack-objects failed", "error: object ")
"""What Git says of objects that it does not take, since they are none as it makes them."""
_DAMAGED = re.compile(
    r"^(?!remote:).*(?:object file \S+ is empty|(?:loose|packed) object [0-9a-f]{40} \(stored in .*\) is corrupt)",
    re.MULTILINE,
)
"""What Git says of objects of this clone, which whoever pushed has nothing to do with."""
_TOO_MUCH = "pack exceeds maximum allowed size"
_DEAF = "does not support push options"
MOST_LINES = 100
SILENCE = 900
"""Seconds for which a host may say nothing over HTTP: longer than one takes to verify a push."""
_OURS = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false", "-c", "push.followTags=false",
         "-c", "push.recurseSubmodules=no", "-c", "fetch.prune=false",
         "-c", "http.lowSpeedLimit=1", "-c", f"http.lowSpeedTime={SILENCE}",
         *(word for setting in AS_THEY_ARE for word in ("-c", setting)))  # fmt: skip
"""What of a player's settings would run what anybody can push, or move more there or here than is asked for; and what stands
beside the objects and may say otherwise than they do; and nobody waits for ever."""
HEADS = "refs/heads/"


class Untaken(Refused):
    """Git does not take an object of what was fetched: which, and the head that has brought it."""

    head = object = ""


class Oversized(Refused):
    """What is pushed is more than the other side takes at once."""


class Upstream(NamedTuple):
    """A branch of a remote, and the reference that remembers where it stood when it was last fetched."""

    repository: Repository
    remote: str
    branch: str
    tracking: str

    @classmethod
    def of(cls, repository: Repository) -> Upstream | None:
        """What the branch follows; None where it follows nothing. Git is asked again once this clone's settings are others."""
        name, settings = repository.branch.removeprefix(HEADS), repository.settings_stand()
        stood, follows = repository.followed.get(name, (None, ("", "", "")))
        if stood == settings:
            return cls(repository, *follows)
        done = _git(repository, "for-each-ref", "--format=%(upstream:remotename)%00%(upstream:remoteref)%00%(upstream)",
                    HEADS + name)  # fmt: skip
        remote, _, rest = done.stdout.strip().partition("\0")
        branch, _, tracking = rest.partition("\0")
        if not (remote and branch and tracking):
            return None
        repository.followed[name] = settings, (remote, branch, tracking)
        return cls(repository, remote, branch, tracking)

    @classmethod
    def needed(cls, repository: Repository, for_what: str, mend: str) -> Upstream:
        """The same. Refused where it follows nothing: so nothing can be handed in, say, with what to do."""
        upstream = cls.of(repository)
        if upstream is None:
            what = f"this clone's branch follows no other, so nothing can be {for_what}"
            raise Refused.of(what, mend=mend)
        return upstream

    @property
    def name(self) -> str:
        """As people say it: ``origin/main``."""
        return self.tracking.removeprefix("refs/remotes/")

    def address(self) -> str:
        """Where it is pushed to, as Git takes what its settings say, an alias among them; "" where they say nothing."""
        done = _git(self.repository, "remote", "get-url", "--push", self.remote)
        return done.stdout.partition("\n")[0] if done.returncode == 0 else ""

    def known(self) -> str | None:
        """Where the branch stood when it was last fetched or pushed."""
        return self.repository.resolve(self.tracking)

    def past(self, since: int) -> tuple[list[Past], int]:
        """Where the branch has stood, oldest first, by Git's own log of it from so many bytes on; and how long that log is."""
        return self.repository.logged(self.tracking, since)

    def put_back(self, was: str, there: str) -> str:
        """The commands that have the branch, which is at ``there``, where it was.

        A pattern pushes it, as in ``staged``: what is pushed by its name goes astray where a tag there is called so too.
        """
        back = f"refs/nomicgit/back/{was[:12]}/"
        lease = f"--force-with-lease={self.branch}:{there}"
        return remedy(
            command("git", "update-ref", back + self.branch.removeprefix("refs/"), was),
            command("git", "push", lease, self.remote, f"{back}*:refs/*"),
        )

    def fetch(self) -> str | None:
        """Bring what is new there, and give its head; None where the branch is not there yet. `Untaken` where Git takes not all."""
        done = _git(self.repository, "-c", "fetch.fsckObjects=false", "fetch", "--quiet", "--no-tags",
                    "--no-recurse-submodules", "--no-write-fetch-head", "--refmap=", self.remote,
                    f"+{self.branch}:{UNTAKEN}")  # fmt: skip
        if done.returncode:
            if "couldn't find remote ref" in done.stderr:
                return None
            if _DAMAGED.search(done.stderr):
                raise Lacking.as_said(find(self.repository.git_dir), "`git fetch` failed", _said(done))
            if any(word in done.stderr for word in _BROKEN):
                raise _broken(self.name, _said(done))
            raise _failed("fetch", done)
        head = self.repository.resolve(UNTAKEN)
        assert head is not None
        done_with: dict[str, str | None] = {UNTAKEN: None}
        try:
            self._refuse_untaken(head)
            done_with[FETCHED] = head
        finally:
            self.repository.point_all(done_with)
        return head

    def _refuse_untaken(self, head: str) -> None:
        """Refuse a head of which Git does not take all, in every clone alike, and however often it was fetched before."""
        known = [each for each in (self.repository.head(), self.repository.resolve(FETCHED)) if each]
        bad = None if head in known else strictly.bad_object(find(self.repository.git_dir), head, known)
        if bad is None:
            return
        if not bad.object:
            raise _broken(self.name, bad.what)
        untaken = Untaken.of(bad.what)
        untaken.head, untaken.object = head, bad.object
        raise untaken

    def remember(self, head: str) -> None:
        """Note where the branch stands; what is remembered of branches beside which it cannot have stood goes."""
        if below := self.repository.references(f"{self.tracking}/"):
            self.repository.point_all(dict.fromkeys(below, None))
        self.repository.point(self.tracking, head)

    def heads(self, *prefixes: str) -> dict[str, str]:
        """The branches there whose names begin so, or so, with where they stand; each name whole."""
        begin = tuple(HEADS + prefix for prefix in prefixes)
        done = _git(
            self.repository, "ls-remote", "--quiet", "--refs", self.remote, *(f"{each}*" for each in begin)
        )
        if done.returncode:
            raise _failed("ls-remote", done)
        lines = (line.split("\t") for line in done.stdout.splitlines())
        return {ref: oid for oid, ref in lines if ref.startswith(begin)}

    def first(self) -> tuple[str, str] | None:
        """The branch that whoever clones from there gets, by its whole name, and where it stands; None where that is not said."""
        done = _git(self.repository, "ls-remote", "--quiet", "--symref", self.remote, "HEAD")
        said = dict(
            line.split("\t")[::-1] for line in done.stdout.splitlines() if not line.startswith("ref: ")
        )
        names = [line.split("\t")[0] for line in done.stdout.splitlines() if line.endswith("\tHEAD")]
        name = next((each.removeprefix("ref: ") for each in names if each.startswith(f"ref: {HEADS}")), "")
        at = said.get("HEAD", "")
        return (name, at) if at and is_ref(name) and printable(name) == name else None

    def cloned_on(self) -> str:
        """The branch that Git got there when it made this clone, by its whole name; "" where it has noted none."""
        path = f"{find(self.repository.git_dir).common}/refs/remotes/{self.remote}"
        try:
            with open(f"{path}/HEAD", encoding="utf-8", errors="replace") as file:
                name = file.read().strip().removeprefix(f"ref: refs/remotes/{self.remote}/")
        except OSError:
            return ""
        return HEADS + name if is_ref(HEADS + name) and printable(name) == name else ""

    def in_the_way(self) -> list[str]:
        """The branches that this clone remembers and that are there no more, where one stands now whose name begins with
        theirs, or theirs with its: no folder holds both, and a plain `git fetch` stops at them.
        """
        own = self.branch.removeprefix(HEADS)
        if not self.tracking.endswith(f"/{own}"):
            return []  # it is remembered under another name, and so may all be
        beside = self.tracking.removesuffix(own)
        kept = {name.removeprefix(beside) for name in self.repository.references(beside)}
        if not kept - {own, "HEAD"}:
            return []
        there = {name.removeprefix(HEADS) for name in self.heads("")}
        return sorted(
            name
            for name in kept - there - {"HEAD"}
            if any(f"{each}/".startswith(f"{name}/") or f"{name}/".startswith(f"{each}/") for each in there)
        )

    def bring(self, ref: str) -> str | None:
        """Fetch what a branch there holds, and remember nothing of it; its commit, None where there is none, "" where Git
        takes none of it.
        """
        there = self.heads(ref.removeprefix(HEADS)).get(ref)
        return None if there is None else there if self.brings([there]) else ""

    def brings(self, commits: Sequence[str]) -> bool:
        """Fetch commits at which branches there stand, and remember nothing of them; whether Git takes all of it."""
        done = _git(self.repository, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head",
                    "--refmap=", self.remote, *commits)  # fmt: skip
        if done.returncode and not any(word in done.stderr for word in _BROKEN):
            raise _failed("fetch", done)
        return not done.returncode

    def lay(self, branches: Mapping[str, str | None], words: Sequence[str] = ()) -> None:
        """Let branches there be commits, whatever they were; None takes one away. ``words``: what is said beside it, where the
        other side listens to any.
        """
        push = ("push", "--porcelain", "--no-verify")
        what = (
            self.remote,
            *(f"+{commit}:{ref}" if commit else f":{ref}" for ref, commit in branches.items()),
        )
        done = _git(self.repository, *push, *(f"--push-option={word}" for word in words), *what)
        if done.returncode and words and _DEAF in done.stderr:
            done = _git(self.repository, *push, *what)
        if done.returncode:
            raise _failed("push", done)

    def push(self, head: str) -> None:
        """Move the branch there on to a commit. Raced where somebody was faster; Oversized where it is too much;
        Refused, with the whole answer, else.
        """
        with staged(find(self.repository.git_dir), {self.branch: head}) as pattern:
            try:
                done = _git(self.repository, "push", "--porcelain", self.remote, pattern)
            except Outage as why:
                again = remedy(
                    "once that is mended, this tells, and sends what has not:", command("nomicgit", "sync")
                )
                what = f"{why.problem.what}; what was to be pushed may have reached {self.name} all the same"
                raise Outage(what, again) from why
        if done.returncode == 0:
            return
        if any(word in done.stdout + done.stderr for word in _BEHIND):
            raise Raced.of(
                f"{self.name} has moved meanwhile", mend=remedy("once more:", command("nomicgit", "sync"))
            )
        if _TOO_MUCH in done.stderr:
            raise Oversized(*_failed("push", done).problems)
        raise _failed("push", done)


def checked_out(repository: Repository, branch: str) -> str:
    """The folder of the work tree that stands on a branch; "" where none does."""
    return _git(repository, "for-each-ref", "--format=%(worktreepath)", HEADS + branch).stdout.strip()


def back_to(repository: Repository, branch: str) -> str:
    """The command that goes to a branch: into the work tree that stands on it, where another one does."""
    folder = checked_out(repository, branch)
    return command("cd", folder) if folder else to_branch(repository.root, branch)


def home(repository: Repository) -> str:
    """The name of the branch on which a clone's game lives; "" where that cannot be told.

    It is the one that follows the first branch of where the clone comes from; else the only one that follows any, the only
    one that there is, or the one that a new game begins with.
    """
    listed = _git(
        repository,
        "for-each-ref",
        "--format=%(refname)%00%(upstream)%00%(symref)",
        "refs/heads",
        "refs/remotes",
    )
    refs = [line.split("\0") for line in listed.stdout.splitlines()]
    follows = {name.removeprefix(HEADS): there for name, there, _ in refs if name.startswith(HEADS)}
    firsts = {to for _, _, to in refs if to}
    first = [name for name, there in follows.items() if there in firsts]
    following = [name for name, there in follows.items() if there]
    return next(
        (
            some[0]
            for some in (first, following, list(follows), [FIRST] if FIRST in follows else [])
            if len(some) == 1
        ),
        "",
    )


def _git(repository: Repository, *words: str) -> subprocess.CompletedProcess[str]:
    """Git as the player runs it, in the folder of this clone."""
    own = {key: value for key, value in os.environ.items() if key not in OF_A_HOOK} | OBJECTS_AS_THEY_ARE
    place = ["-C", repository.root] if repository.root else [f"--git-dir={repository.git_dir}"]
    try:
        done = subprocess.run(
            ["git", *place, *_OURS, *words], env=own | {"LC_ALL": "C"}, text=True, errors="surrogateescape", check=False,
            capture_output=True,
        )  # fmt: skip
    except FileNotFoundError:
        raise no_git() from None
    refuse_outage(done.returncode, done.stderr)
    return done


def _said(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line.removeprefix("remote:").strip() for line in (done.stderr + done.stdout).splitlines()]
    return "; ".join(printable(line, 500) for line in lines[:MOST_LINES] if line)


def _broken(name: str, said: str) -> Refused:
    return Refused.of(f"{name} holds what Git does not take: {said}", mend="ask who pushed it to take it out")


def _failed(what: str, done: subprocess.CompletedProcess[str]) -> Refused:
    said, again = _said(done), command("nomicgit", "sync")
    if "replace depth too high" in said:  # by a reference that puts an object in its own place
        first = "whoever can run Git in the repository itself shuts that door:"
        return Refused.of(
            f"`git {what}` failed: {said}",
            mend=remedy(
                first, command("git", "config", "core.useReplaceRefs", "false"), "then once more:", again
            ),
        )
    if any(_NO_ROOM.search(line) for line in done.stderr.splitlines() if line.startswith("remote:")):
        what = f"where the game lives nothing more can be written, and whoever owns that place must make room: {said}"
        kept = "nothing is lost, and what is not pushed waits in this clone; then once more:"
        return Refused.of(what, mend=remedy(kept, again))
    if lock := stale_lock(done.stderr, "then once more:", again):
        return Refused.of(f"`git {what}` failed: {said}", mend=lock)
    kind = kind_of(said)
    first = "mend what Git names, then once more:" if kind is Refused else "once there is a way there:"
    return kind.of(f"`git {what}` failed: {said}", mend=remedy(first, again))
