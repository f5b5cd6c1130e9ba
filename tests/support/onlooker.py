"""Whoever has no key: all that they can get of a recorded game, read with Git alone, deed by deed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FORMAT = "%x01%an <%ae> %at|%cn <%ce> %ct%n%B%x02"
SEALED = ("game/sealed/state", "game/sealed/since")
_HEX = re.compile(r"\b[0-9a-f]{40}\b")
_IDS = re.compile(r"^index .*\n|(?<=@@)[^@\n]+$", re.MULTILINE)
"""Ids of blobs, and what Git repeats beside the place of a change for whoever reads it."""
_LINE = re.compile(r"^([-+][^-+ ]\S*) (\S+) (\S+)$", re.MULTILINE)


def git(folder: Path | str, *args: str, given: bytes = b"") -> str:
    """What Git says; bytes that are no text are shown as such."""
    done = subprocess.run(["git", *args], cwd=folder, input=given, capture_output=True, check=True)
    return done.stdout.decode("utf-8", "backslashreplace")


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A commit as whoever has no key sees it: who and when, its message, what it changes in which files.

    What is sealed has given way to its length, and so have signatures; ids of commits and blobs are left out, since they
    hang on what is sealed.
    """

    who: str
    message: str
    changes: dict[str, str]

    @property
    def is_sealed(self) -> bool:
        """Whether it is a sealed deed."""
        return "\nNomic-Sealed: " in self.message

    def line(self, trailer: str) -> str:
        """What a trailer says, or nothing."""
        return next((line for line in self.message.split("\n") if line.startswith(f"Nomic-{trailer}: ")), "")

    def apart(self, other: Glimpse) -> list[str]:
        """In what two of them differ: ``who``, trailers and the rest of the message by name, and paths."""
        said = ["who"] if self.who != other.who else []
        ours, theirs = self.message.split("\n"), other.message.split("\n")
        said += sorted({_name(line) for line in {*ours} ^ {*theirs}}) or (["order"] if ours != theirs else [])
        paths = {*self.changes} | {*other.changes}
        return said + sorted(path for path in paths if self.changes.get(path) != other.changes.get(path))


def _name(line: str) -> str:
    return line.partition(":")[0] if line.startswith("Nomic-") else "sentences"


def glimpses(folder: Path, since: str = "") -> list[Glimpse]:
    """The whole record, oldest first, or what came after a commit."""
    span = [f"{since}..HEAD"] if since else ["HEAD"]
    text = git(
        folder,
        "log",
        "--reverse",
        "--first-parent",
        "--no-renames",
        "-p",
        "-U0",
        "--text",
        f"--format={FORMAT}",
        *span,
    )
    return [_glimpse(each) for each in text.split("\x01")[1:]]


def _glimpse(text: str) -> Glimpse:
    told, _, patch = text.partition("\x02")
    who, _, message = told.partition("\n")
    changes = {}
    for each in re.split(r"^diff --git a/", patch, flags=re.MULTILINE)[1:]:
        path = each.partition(" b/")[0]
        body = _IDS.sub("", each)
        changes[path] = _LINE.sub(_length, body) if path in SEALED else body
    return Glimpse(who, _HEX.sub("ID", _message(message)), changes)


def _message(text: str) -> str:
    lines = []
    for line in text.rstrip("\n").split("\n"):
        name, _, value = line.partition(": ")
        if name in ("Nomic-Sealed", "Nomic-Keeper"):
            line = f"{name}: " + " ".join(f"<{len(part)}>" for part in value.split(" "))
        lines.append(line)
    return "\n".join(lines)


def _length(match: re.Match[str]) -> str:
    return f"{match[1]} <{len(match[2])}> <{len(match[3])}>"


def everything(folder: Path) -> Iterator[tuple[str, str]]:
    """Every object that Git has, and every file beside them that tells of the game: a name, and what it holds."""
    listed = git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    for line in listed.splitlines():
        oid, kind = line.split()
        held = subprocess.run(
            ["git", "cat-file", kind, oid], cwd=folder, capture_output=True, check=True
        ).stdout
        yield f"{kind} {oid}", held.decode("utf-8", "backslashreplace")
