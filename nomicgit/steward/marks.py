"""The marks by which the steward knows its own comments again: hidden in them, and believed in nobody else's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from nomicgit.steward.seen import Comment, Issue, Pull

_MARK = "<!-- nomicgit "
_TOLD = re.compile(r"<!-- nomicgit told ([a-z0-9][a-z0-9 -]*) -->")
_REPORT = re.compile(r"\A<!-- nomicgit report -->\n")
_PART = re.compile(r"<!-- nomicgit does ([0-9a-f]{12}) -->\n(.*?)\n<!-- nomicgit end -->", re.DOTALL)


class Marks(Struct, frozen=True):
    """What the steward has said on a thread already: the keys of what it told, and its report's comment."""

    told: frozenset[str]
    report: Comment | None


def is_marked(text: str) -> bool:
    """Whether the steward has marked a text as its own: whose token it speaks by may say other things too."""
    return _MARK in text


def marks_of(thread: Pull | Issue) -> Marks:
    """The marks in the steward's own comments on a thread; the first report is the report."""
    ours = [comment for comment in thread.comments if comment.ours]
    keys = {key for comment in ours for key in keys_in(comment.body)}
    report = next((comment for comment in ours if _REPORT.match(comment.body.replace("\r\n", "\n"))), None)
    return Marks(frozenset(keys), report)


def keys_in(body: str) -> Iterator[str]:
    """The keys of what a comment tells."""
    return (key for match in _TOLD.finditer(body) for key in match[1].split())


def telling(text: str, keys: Iterable[str]) -> str:
    """A comment that tells something, with the keys by which it is known to be told."""
    return f"{text}\n\n<!-- nomicgit told {' '.join(keys)} -->"


def reporting(text: str) -> str:
    """A report's comment."""
    return f"<!-- nomicgit report -->\n{text}"


def kept_part(text: str, key: str) -> str:
    """A part of a report that is costly to make, with the key of what it was made from."""
    return f"<!-- nomicgit does {key} -->\n{text}\n<!-- nomicgit end -->"


def part_kept(body: str, key: str) -> str | None:
    """The costly part of a report as it stands, where it was made from the same; None where it was not."""
    match = _PART.search(body.replace("\r\n", "\n"))
    return match[2] if match and match[1] == key else None


def key_of(*parts: str) -> str:
    """A short key for what something was made from."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
