"""Edits of canonical prose: replacing, removing, adding and moving what a proposal quotes.

A quote (`quotes`) must stand in the prose exactly once; what is put beside it goes by `placing`. Every edit is pure, gives
canonical prose, and says whether it was applied, had nothing to do, or is skipped, and why.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from nomicgit.law.placing import Places, is_listed, is_running, put_beside, spot_of
from nomicgit.law.quotes import Span, hits_of, in_marks, is_whole, line_at, lines_of
from nomicgit.law.sentences import ITEM, canonical
from nomicgit.law.terms import QUOTE

Outcome = Literal["applied", "nothing", "skipped"]
Look = Callable[[str], str | None]  # what a quoted path reads


class Edit(Struct, frozen=True):
    """What became of an edit: the prose after it, and why where it was not applied."""

    text: str
    outcome: Outcome
    reason: str = ""


# ---- the four edits


def replace(text: str, quote: str, new: str, *, whole: bool = False, look: Look | None = None) -> Edit:
    """Put ``new`` where ``quote`` stands; ``whole``: only where the quote is whole sentences, items or rows.

    Nothing to do where ``new`` stands there already and the quote does not, or only inside of it.
    """
    if not new.strip():
        return remove(text, quote, whole=whole, look=look)
    hits, there = hits_of(text, quote), hits_of(text, new)
    if (
        there
        and not _read(text, quote, look)
        and all(any(a <= hit[0] and hit[1] <= b for a, b in there) for hit in hits)
    ):
        return Edit(text, "nothing", "it says so already")
    if why := _unfit(text, quote, hits, whole, look):
        return Edit(text, "skipped", why)
    start, end = _meant(text, *hits[0])
    first = line_at(lines_of(text), start)
    new = canonical(new) if is_listed(new) else new.strip()
    if first.kind == "item" and start <= first.words:
        start = first.start + first.column if is_listed(new) else first.words
        new = new.replace("\n", "\n" + " " * first.column)
    head, tail = _seams(text, start, end, new)
    return _done(text, canonical(text[:start] + head + new + tail + text[end:]))


def remove(text: str, quote: str, *, whole: bool = False, look: Look | None = None) -> Edit:
    """Take out what the quote says; nothing to do where it does not stand there."""
    hits = hits_of(text, quote)
    if not hits and not _read(text, quote, look):
        return Edit(text, "nothing", f"{in_marks(quote)} does not stand there")
    if why := _unfit(text, quote, hits, whole, look):
        return Edit(text, "skipped", why)
    return _done(text, canonical(_without(text, *_meant(text, *hits[0]))))


def add(text: str, passage: str, places: Places | None = None) -> Edit:
    """Put a passage next to a sentence or a block; without a place it becomes a paragraph at the end.

    Nothing to do where the passage stands in that block, or beside it, already.
    """
    places = places or Places()
    passage = canonical(passage)
    if not passage:
        return Edit(text, "nothing", "there is nothing to add")
    spot, why = spot_of(text, places)
    at = places.at or ("" if places.quotes() else "end")
    if spot is None and not at:
        return Edit(text, "skipped", why)
    lines = lines_of(text)
    first, last = (lines[0].block, lines[0].block) if lines else (0, 0)
    if spot is not None:
        first, last = line_at(lines, spot[1][0]).block - 1, line_at(lines, spot[1][1] - 1).block + 1
    elif at == "end" and lines:
        first = last = lines[-1].block
    for hit in hits_of(text, passage):
        if line_at(lines, hit[1] - 1).block >= first and line_at(lines, hit[0]).block <= last:
            return Edit(text, "nothing", "it says so already")
    if spot is not None:
        return _done(text, put_beside(text, passage, *spot))
    return _done(text, canonical(f"{passage}\n\n{text}" if at == "start" else f"{text}\n\n{passage}"))


def move(text: str, quote: str, places: Places, *, look: Look | None = None) -> Edit:
    """Move whole sentences, items or rows elsewhere; nothing to do where they stand there already."""
    hits = hits_of(text, quote)
    if why := _unfit(text, quote, hits, True, look):
        return Edit(text, "skipped", why)
    hit = _meant(text, *hits[0])
    rest = canonical(_without(text, *hit))
    spot, why = spot_of(rest, places)
    if spot is None:
        return Edit(text, "skipped", why or "it is not said where to")
    piece = _piece(text, *hit, bare=line_at(lines_of(rest), spot[1][0]).item < 0)
    return _done(text, put_beside(rest, canonical(piece), *spot))


def _done(old: str, new: str) -> Edit:
    return Edit(new, "applied") if new != old else Edit(old, "nothing", "it says so already")


def _unfit(text: str, quote: str, hits: list[Span], whole: bool, look: Look | None) -> str:
    """Why the edit of a quote that stands at ``hits`` is not to be made, or ""."""
    if path := _read(text, quote, look):
        return f"{in_marks(quote)} falls into the quote {{{{{path}}}}}: {_instead(path)}"
    if not hits:
        return f"{in_marks(quote)} does not stand there" + (
            ": it has been changed meanwhile" if whole else ""
        )
    if len(hits) > 1:
        return f"{in_marks(quote)} stands there {len(hits)} times; quote more, so that it is found once"
    if whole and not is_whole(text, *hits[0]):
        return f"what holds {in_marks(quote)} has been changed meanwhile"
    for quoted in re.finditer(QUOTE, text):
        (a, b), (start, end) = quoted.span(), hits[0]
        if start < b and a < end and not (start <= a and b <= end):
            path = quoted[0][2:-2].strip()
            return f"{in_marks(quote)} falls into the quote {quoted[0]}: {_instead(path)}"
    return ""


def _read(text: str, quote: str, look: Look | None) -> str:
    """The path of a declaration in which a quote falls that stands nowhere but on the page, or ""."""
    if look is None or hits_of(text, quote):
        return ""
    page, last = "", 0
    spans: list[tuple[int, int, str]] = []
    for quoted in re.finditer(QUOTE, text):
        path = quoted[0][2:-2].strip()
        page += text[last : quoted.start()]
        began = len(page)
        page += look(path) or quoted[0]
        spans.append((began, len(page), path))
        last = quoted.end()
    hits = hits_of(page + text[last:], quote)
    return next((path for start, end, path in spans for a, b in hits if start < b and a < end), "")


def _instead(path: str) -> str:
    if path.split(".")[0] in ("terms", "game"):
        return f"write {{{{{path}}}}} there"
    return f"amend the declaration {path} instead"


# ---- what a hit means


def _meant(text: str, start: int, end: int) -> Span:
    """A hit without the mark of its item, where other sentences of the item need that."""
    lines = lines_of(text)
    first, last = line_at(lines, start), line_at(lines, end - 1)
    goes_on = any(each.item == last.item and each.start > end for each in lines)
    return (max(start, first.words) if first.kind == "item" and goes_on else start), end


def _without(text: str, start: int, end: int) -> str:
    """The text without a span, and without the mark of an item or quote that it leaves empty."""
    head, tail = text[:start], text[end:]
    if head[-1:] == " " and tail[:1] in (".", ",", ";", ":", "!", "?", ")", ""):
        head = head[:-1] if head.rpartition("\n")[2].strip() else head
    before, after = head.rpartition("\n"), tail.partition("\n")
    left = (before[2] + after[0]).strip()
    if left in ("", "-", "1.", ">"):
        following = after[2]
        set_in = following.startswith(" " * (len(before[2]) or 1))
        if left in ("-", "1.") and set_in and not ITEM.match(following.lstrip()):
            return before[0] + before[1] + before[2] + following.lstrip()
        return before[0] + before[1] + following
    return head + tail


def _piece(text: str, start: int, end: int, *, bare: bool) -> str:
    """The passage of a span that is to move: a whole item with its mark, unless that is to be ``bare``."""
    lines = lines_of(text)
    first, last = line_at(lines, start), line_at(lines, end - 1)
    if first.kind == "item" and not any(each.item == last.item and each.start > end for each in lines):
        start = first.words if bare and first.item == last.item else first.start
    rows = text[start:end].split("\n")
    return "\n".join(row.removeprefix(" " * first.column) for row in rows)


# ---- putting in


def _seams(text: str, start: int, end: int, new: str) -> tuple[str, str]:
    """What parts a new passage from the sentences around it, where it is more than sentences itself."""
    lines = lines_of(text)
    first, last = line_at(lines, start), line_at(lines, end - 1)
    if first.kind != "text" or not is_whole(text, start, end) or is_running(canonical(new)):
        return "", ""
    before = any(each.block == first.block and each.start < first.start for each in lines)
    after = any(each.block == last.block and each.start > last.start for each in lines)
    return "\n\n" if before else "", "\n\n" if after else ""
