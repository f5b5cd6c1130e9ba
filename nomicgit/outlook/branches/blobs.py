"""The texts of the files that a branch brings: bytes within budgets, read once, line ends and marks put right."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from nomicgit.git import Repository, TooLarge
from nomicgit.ground.problems import Place, Problem
from nomicgit.outlook.branches.touched import MOST_PROBLEMS, Touched, enough

MOST_OF_FILE = 256 * 1024  # bytes
MOST_OF_ALL = 8 * 1024 * 1024

_POINTER = b"version https://git-lfs"
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Control characters, those that turn the direction of writing, and those that nobody sees at all."""


class Texts(Struct, frozen=True):
    """The branch's own texts by path (None: the file is taken out), and what is wrong with their bytes."""

    by_path: Mapping[str, str | None]
    problems: tuple[Problem, ...] = field(default_factory=tuple)


def texts_of(repository: Repository, files: Iterable[Touched]) -> Texts:
    """Read the new blobs of some files; one that cannot be read is told, and left out.

    Refused where too much is wrong with them.
    """
    by_path: dict[str, str | None] = {}
    problems: list[Problem] = []
    room = MOST_OF_ALL
    for each in files:
        if each.new is None:
            by_path[each.path] = None
            continue
        try:
            data = repository.blob(each.new, limit=min(MOST_OF_FILE, room))
        except TooLarge:
            large = (
                f"the file, or all files of the branch, are larger than a proposal's ({MOST_OF_FILE:,} bytes)"
            )
            problems.append(Problem(large, Place(each.path), "split it, or say less"))
            continue
        room -= len(data)
        text, wrong = _text(data, each.path)
        problems += wrong
        enough(problems)
        if text is not None:
            by_path[each.path] = text
    return Texts(by_path, tuple(problems))


def _text(data: bytes, path: str) -> tuple[str | None, list[Problem]]:
    """A file's text with line feeds alone and no byte order mark, and what is wrong with its characters."""
    if data.startswith(_POINTER):
        pointer = Problem(
            "this is a pointer to a file that is kept elsewhere", Place(path, 1), "put the text itself here"
        )
        return None, [pointer]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{data[error.start]:02x} is not UTF-8"
        return None, [Problem(what, Place(path, line), "save the file as UTF-8")]
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return text, list(itertools.islice(_unseen(text, path), MOST_PROBLEMS))


def _unseen(text: str, path: str) -> Iterator[Problem]:
    """The first character of each line that nobody sees."""
    for number, line in enumerate(text.split("\n"), 1) if _UNSEEN.search(text) else ():
        if hit := _UNSEEN.search(line):
            what = f"the character U+{ord(hit[0]):04X} cannot be seen, or turns the direction of writing"
            yield Problem(what, Place(path, number, hit.start() + 1), "take it out")
