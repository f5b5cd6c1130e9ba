"""A push that has come in and is not let in yet: what it moves, and its objects, which lie apart until then.

Git runs the hook ``pre-receive`` of the repository that is pushed to, tells it on standard input what moves, and in its
environment where the new objects lie and what else the pusher has said.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec import Struct

from nomicgit.git.branch import NOBODY
from nomicgit.git.process import run
from nomicgit.git.remote import scratch
from nomicgit.git.repository import Repository
from nomicgit.ground.problems import Malformed, Place, Problem, Refused
from nomicgit.ground.remedies import command, remedy

MOST_BYTES = 64 << 20  # of a pack that is pushed
MOST_WORDS = 1000
HOOK = "hooks/pre-receive"
MARK = "# This hook is nomicgit's."
_SETTINGS = {
    "core.bigFileThreshold": "16m",  # what is larger Git never holds in memory
    "core.fsync": "all",
    "core.logAllRefUpdates": "true",
    "receive.fsckObjects": "true",
    "receive.maxInputSize": str(MOST_BYTES),
    "receive.advertisePushOptions": "true",
}
_LINE = re.compile(rb"([0-9a-f]{40}) ([0-9a-f]{40}) ([^\x00-\x20\x7f]+)")


class Move(NamedTuple):
    """What a push would do to a reference: where it was, and where it would be (None: it is not there)."""

    ref: str
    old: str | None
    new: str | None


class Pushed(Struct, frozen=True):
    """A push: what it moves, the folder of its objects ("" where it brings none), what its pusher has said beside, and who
    that is, as far as the server tells.
    """

    moves: tuple[Move, ...]
    objects: str = ""
    words: tuple[str, ...] = ()
    by: str = ""

    @classmethod
    def read(cls, said: bytes, variables: Mapping[str, str]) -> Pushed:
        """What Git tells the hook. Malformed where it is not what Git tells one."""
        many = variables.get("GIT_PUSH_OPTION_COUNT", "0")
        count = min(int(many), MOST_WORDS) if many.isdecimal() else 0
        words = tuple(variables.get(f"GIT_PUSH_OPTION_{n}", "") for n in range(count))
        named = (variables.get(name) for name in ("GL_USER", "REMOTE_USER", "USER"))
        by = next((name for name in named if name), "")
        moves = tuple(_move(line) for line in said.splitlines())
        objects = variables.get("GIT_QUARANTINE_PATH", "")
        if not moves or (not objects and any(move.new for move in moves)):
            raise _not_asked()
        return cls(moves, objects, words, by)

    @property
    def weight(self) -> int:
        """The bytes that it brings, packed as they came."""
        files = (path for path in Path(self.objects).rglob("*") if path.is_file()) if self.objects else ()
        return sum(path.stat().st_size for path in files)

    def sizes(self, repository: Repository) -> Iterator[tuple[str, int]]:
        """Kind and size of each object that is new to a repository; none of them is unpacked."""
        if not self.objects:
            return
        line = (f"--git-dir={repository.git_dir}", "cat-file", "--batch-all-objects", "--unordered",
                "--batch-check=%(objecttype) %(objectsize)")  # fmt: skip
        for row in run(["git", *line], objects=self.objects).decode("ascii").splitlines():
            kind, _, size = row.partition(" ")
            yield kind, int(size)


def _move(line: bytes) -> Move:
    match = _LINE.fullmatch(line)
    if match is None:
        raise _not_asked()
    old, new, ref = (each.decode("utf-8", "surrogateescape") for each in match.groups())
    return Move(ref, None if old == NOBODY else old, None if new == NOBODY else new)


def _not_asked() -> Malformed:
    """Another hook asks, such as ``update``, or somebody: then nothing is known of a push, or its objects are in already."""
    return Malformed.of(
        "this is not what Git tells the hook pre-receive, in which alone a push can be refused whole",
        mend=remedy(
            "let that hook run it, as this makes one:", command("nomicgit", "receive", "--install", "BARE")
        ),
    )


@contextmanager
def with_new_objects(repository: Repository, pushed: Pushed) -> Iterator[Repository]:
    """A scratch clone that has the objects of a repository and those of a push to it. Nothing that is done there stays."""
    with TemporaryDirectory(prefix="nomicgit-") as folder:
        name = repository.branch.removeprefix("refs/heads/")
        with scratch(repository, Path(folder, "pushed.git"), name, pushed.objects) as bare:
            yield bare


def unguarded(repository: Repository) -> Iterator[Problem]:
    """Why a bare repository does not ask about each push to it, or takes objects that are none as Git makes them."""
    install = remedy(
        "make it ready once more:", command("nomicgit", "receive", "--install", repository.git_dir)
    )
    hook = Path(repository.git_dir, HOOK)
    if elsewhere := repository.config("core.hookspath"):
        yield Problem(
            f"Git runs the hooks in {elsewhere}, and not this one: core.hooksPath", Place(str(hook)), install
        )
    if not hook.is_file():
        yield Problem("there is no hook: every push comes in", Place(str(hook)), install)
        return
    if MARK not in (text := hook.read_text(errors="replace")):
        yield Problem(
            "it is not nomicgit's: whether it asks about a push it alone says", Place(str(hook)), install
        )
    elif (program := _program_of(text)) and shutil.which(program) is None:
        what = f"it runs a program that is not there, {program}: no push comes in"
        yield Problem(what, Place(str(hook)), install)
    if not os.access(hook, os.X_OK):
        on = remedy("let Git run it:", command("chmod", "+x", str(hook)))
        yield Problem("Git does not run it: every push comes in", Place(str(hook)), on)
    for key, value in _SETTINGS.items():
        if (repository.config(key.lower()) or "").lower() != value.lower():
            yield Problem(f"{key} is not {value}", Place(f"{repository.git_dir}/config"), install)


def _program_of(hook: str) -> str:
    """The program that a hook of ours runs."""
    line = next((line for line in hook.splitlines() if line.startswith("exec ")), "")
    return next(iter(shlex.split(line)[1:]), "")


def serve(repository: Repository, receiver: list[str]) -> None:
    """Have a bare repository ask a command about each push to it, and take no object that is none as Git makes them.

    Refused where it has a work tree, or a hook of its own.
    """
    if repository.root is not None:
        raise Refused.of(
            "only a bare repository is pushed to",
            file=repository.git_dir,
            mend=remedy("make one:", command("git", "clone", "--bare", "GAME", "game.git")),
        )
    if elsewhere := repository.config("core.hookspath"):
        raise Refused.of(
            f"the hooks of this repository lie in {elsewhere}",
            file=f"{repository.git_dir}/config",
            mend=remedy(
                "take core.hooksPath out, or let the hook pre-receive there run:",
                command("nomicgit", "receive"),
            ),
        )
    hook = Path(repository.git_dir, HOOK)
    if hook.exists() and MARK not in hook.read_text(errors="replace"):
        raise Refused.of(
            "there is a hook already",
            file=str(hook),
            mend=remedy("move it away, or let it run:", command("nomicgit", "receive")),
        )
    for key, value in _SETTINGS.items():
        run(["git", "config", f"--file={repository.git_dir}/config", "--replace-all", key, value])
    hook.parent.mkdir(exist_ok=True)
    fresh = hook.with_suffix(".new")
    fresh.write_text(f"#!/bin/sh\n{MARK}\nexec {shlex.join(receiver)}\n")
    fresh.chmod(0o755)
    fresh.replace(hook)
