"""The finished pages of a site in a file, of which one at a time is in memory.

A line of JSON for each page and for each feed, picture and file of data, one that says where the others begin, and where that
one does.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Self

from markupsafe import Markup

from nomicgit.site.page import Page, Section

_END = 21  # bytes: the place of the last line but one, as a number, and a line feed


class Leaf(NamedTuple):
    """What is known of a page without reading it. ``hash`` is of all that it shows."""

    uri: str
    title: str
    listed: bool
    searched: bool
    hash: str
    place: int
    about: str


class Sheaf:
    """Pages by their places in the site, in order; read while the file lasts, even when another took its name."""

    def __init__(self, stream: BinaryIO, leaves: Iterable[Leaf], files: Mapping[str, int]) -> None:
        self.leaves: Mapping[str, Leaf] = {leaf.uri: leaf for leaf in leaves}
        self._stream, self._files = stream, files

    @classmethod
    def of(cls, *pages: Page) -> Self:
        """A sheaf that lies in no file."""
        stream = io.BytesIO()
        _put(stream, "", pages, {})
        return cls._read(stream, "")

    @classmethod
    def read(cls, file: Path, key: str) -> Self | None:
        """The sheaf in a file; None where there is none, or that of another site."""
        with suppress(OSError):
            stream = file.open("rb")
            with suppress(ValueError, TypeError):
                return cls._read(stream, key)
            stream.close()
        return None

    @classmethod
    def _read(cls, stream: BinaryIO, key: str) -> Self:
        stream.seek(-_END, io.SEEK_END)
        written, leaves, files = _line(stream, int(stream.read(_END)))
        if written != key:
            raise ValueError(written)
        return cls(stream, (Leaf(*leaf) for leaf in leaves), files)

    def page(self, leaf: Leaf) -> Page:
        """The whole page."""
        lead, parts = _line(self._stream, leaf.place)
        sections = (
            Section(name, Markup(head) if finished else head, Markup(body), level, label, under)  # noqa: S704 - finished when it was written
            for name, finished, head, body, level, label, under in parts
        )
        begins = Markup(lead)  # noqa: S704 - finished when it was written
        return Page(leaf.uri, leaf.title, begins, tuple(sections), leaf.listed, leaf.searched, leaf.about)

    def files(self) -> dict[str, str | bytes]:
        """Feeds, data and pictures by their places in the site."""
        lines = ((uri, _line(self._stream, place)) for uri, place in self._files.items())
        return {uri: said if isinstance(said, str) else base64.b64decode(said[0]) for uri, said in lines}

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write(file: Path, key: str, pages: Iterable[Page], files: Mapping[str, str | bytes]) -> None:
    """Put pages into a file as they are made."""
    with file.open("wb") as stream:
        _put(stream, key, pages, files)


def _put(stream: BinaryIO, key: str, pages: Iterable[Page], files: Mapping[str, str | bytes]) -> None:
    leaves = []
    for page in pages:
        place, line = stream.tell(), json.dumps([page.lead, [_told(each) for each in page.sections]]).encode()
        about = page.description
        digest = hashlib.blake2b(line + about.encode(errors="replace"), digest_size=16).hexdigest()
        leaves.append(Leaf(page.uri, page.title, page.listed, page.searched, digest, place, about))
        stream.write(line + b"\n")
    others = dict[str, int]()
    for uri, content in files.items():
        others[uri] = stream.tell()
        said = content if isinstance(content, str) else [base64.b64encode(content).decode()]
        stream.write(json.dumps(said).encode() + b"\n")
    place = stream.tell()
    stream.write(json.dumps([key, leaves, others]).encode() + f"\n{place:020}\n".encode())


def _told(each: Section) -> list[object]:
    return [
        each.id,
        isinstance(each.title, Markup),
        each.title,
        each.body,
        each.level,
        each.label,
        each.under,
    ]


def _line(stream: BinaryIO, place: int) -> Any:
    stream.seek(place)
    return json.loads(stream.readline())
