"""The history of a branch with the files that each commit touches, by one process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgit.git.layout import Layout
from nomicgit.git.process import environment, log, refuse_outage, stop
from nomicgit.ground.problems import Malformed
from nomicgit.ground.remedies import command, remedy

if TYPE_CHECKING:
    from typing import IO

_HOW = (
    "--first-parent",
    "-m",
    "--root",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
)
_CHUNK = 1 << 20
_NONE = "0" * 40


class Touched(Struct, frozen=True):
    """A file that a commit touches: its path, and the ids of its bytes before and after, None where it is not."""

    path: str
    before: str | None
    after: str | None


class Walked(Struct, frozen=True):
    """A commit: its id, its tree, its message, and the files in which it differs from its first parent."""

    oid: str
    tree: str
    message: str
    files: tuple[Touched, ...]


def walk_history(layout: Layout, tip: str, path: str = "") -> Iterator[Walked]:
    """The first-parent history of a commit, newest first; of a path only where it is touched, with it alone."""
    import os
    import subprocess  # here: slow to load, and few commands walk a whole history

    line = log(
        layout,
        *_HOW,
        "--format=%H%x00%T%x00%B%x00",
        "--end-of-options",
        tip,
        "--",
        *([path] if path else []),
    )
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment())
    assert process.stdout is not None
    try:
        yield from _commits(_tokens(process.stdout))
        refuse_outage(process.wait(), "")
        if process.returncode:
            raise Malformed.of(
                "git log ended before it had told the whole history",
                mend=remedy("look for damage:", command("git", "fsck", "--full")),
            )
    finally:
        stop(process, os.getpid())


def _tokens(stream: IO[bytes]) -> Iterator[str]:
    rest = b""
    while part := stream.read(_CHUNK):
        *whole, rest = (rest + part).split(b"\0")
        yield from (token.decode("utf-8", "replace") for token in whole)


def _commits(tokens: Iterator[str]) -> Iterator[Walked]:
    head: Sequence[str] = ()
    files: list[Touched] = []
    for token in tokens:
        line = token.lstrip("\n")
        if not line:
            continue
        if line[0] == ":":
            before, after = line.split(" ")[2:4]
            if (touched := next(tokens, None)) is None:
                return
            files.append(Touched(touched, _known(before), _known(after)))
            continue
        if head:
            yield Walked(head[0], head[1], head[2], tuple(files))
        tree, message = next(tokens, None), next(tokens, None)
        if tree is None or message is None:  # Git was ended
            return
        head, files = (line, tree, message), []
    if head:
        yield Walked(head[0], head[1], head[2], tuple(files))


def _known(oid: str) -> str | None:
    return None if oid == _NONE else oid
