"""The log of pushes to a repository: each is noted, and what one who pushes may bring in a day is counted by it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO, cast

from nomicgit.git import Repository
from nomicgit.git.incoming import Pushed
from nomicgit.ground import clock
from nomicgit.ground.kept import as_it_lies
from nomicgit.ground.problems import Refused, printable

LOG = "nomicgit/receive.log"
LONGEST = 4 << 20  # bytes; then another is begun
KEPT = 9
"""Those before it that are kept, so that nobody makes it forget by pushing on and on."""
SHOWN = 20
DAY = 86_400  # seconds
MOST_OF_A_DAY = 256 << 20
"""Bytes that one who pushes may bring in a day, where the server says who that is."""
_LET_IN = '"refused": []'


def note(
    repository: Repository, pushed: Pushed, now: int, problems: Sequence[str], beside: Sequence[str] = ()
) -> None:
    """Note a push at a time (seconds, UTC): who, what it moves, what it brings, what it was refused for, and what of it is told."""
    path = Path(repository.git_dir, LOG)
    path.parent.mkdir(exist_ok=True)
    if os.path.lexists(path) and path.lstat().st_size > LONGEST:
        for number in range(KEPT - 1, -1, -1):
            if os.path.lexists(older := _older(path, number)):
                older.replace(_older(path, number + 1))
    moves = [[printable(move.ref), move.old, move.new] for move in pushed.moves[:SHOWN]]
    line = {
        "at": clock.text(now), "by": printable(pushed.by, 100), "references": len(pushed.moves), "bytes": pushed.weight,
        "moves": moves, "refused": [printable(problem, 1000) for problem in problems],
        "told": [printable(each, 1000) for each in beside],
    }  # fmt: skip
    with _opened(path, "a") as file:
        file.write(json.dumps(line) + "\n")


def refuse_much(repository: Repository, pushed: Pushed, now: int) -> None:
    """Refuse a push of somebody who has brought as much by then (seconds, UTC) as one may in a day."""
    since, by, weight = clock.text(now - DAY), printable(pushed.by, 100), pushed.weight
    if not by or not weight:
        return
    brought = sum(
        size for who, at, size in _let_in(Path(repository.git_dir, LOG)) if who == by and at > since
    )
    if brought + weight > MOST_OF_A_DAY:
        raise Refused.of(
            f"{by} has pushed {brought >> 20} MiB in a day, and one may push {MOST_OF_A_DAY >> 20} MiB",
            mend="push it tomorrow, or leave out what is large",
        )


def _let_in(log: Path) -> Iterator[tuple[str, str, int]]:
    """Of the pushes that were let in: whose, when, and their bytes."""
    for path in filter(os.path.lexists, (_older(log, number) for number in range(KEPT + 1))):
        with _opened(path, "r") as file:
            rows = file.read().splitlines()
        for row in rows:
            if _LET_IN in row:
                with suppress(ValueError, KeyError):  # a row that was cut off stops nobody
                    said = json.loads(row)
                    yield said["by"], said["at"], said["bytes"]


def _opened(path: Path, how: str) -> TextIO:
    """The log, or an older one. Refused where something else lies in its place: without it nothing is counted."""
    try:
        return cast("TextIO", open(path, how, encoding="ascii", opener=as_it_lies))
    except OSError as wrong:
        what = "pushes are noted in a plain file, and this is none, or cannot be opened"
        raise Refused.of(
            what, file=str(path), mend="let whoever keeps this repository take it away"
        ) from wrong


def _older(path: Path, number: int) -> Path:
    return path.with_suffix(f".log.{number}") if number else path
