"""Edits of canonical prose: replacing, removing, adding and moving what a proposal quotes.

A quote is found by whole words. White space in it is free inside a block, a blank line in it meets only a
blank line; kinds of quotation marks and dashes do not count. It must stand in the prose exactly once. Every
edit is pure, gives canonical prose, and says whether it was applied, had nothing to do, or is skipped, and
why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from nomicgit.ground.problems import printable
from nomicgit.law.rules import fences
from nomicgit.law.sentences import HEADING, ITEM, canonical
from nomicgit.law.terms import QUOTE

Outcome = Literal["applied", "nothing", "skipped"]
Look = Callable[[str], str | None]  # what a quoted path reads
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """What became of an edit: the prose after it, and why where it was not applied."""

    text: str
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Places:
    """Where something is to stand, by quotes; the first that is found exactly once counts, in this order.

    ``after`` and ``before`` are beside the sentence, in its block; ``below`` and ``above`` beside the block.
    ``at`` (start or end) is the last resort.
    """

    after: str | None = None
    before: str | None = None
    below: str | None = None
    above: str | None = None
    at: str | None = None

    def quotes(self) -> list[tuple[str, str]]:
        """The places that are named, as (side, quote)."""
        sides = (("after", self.after), ("before", self.before), ("below", self.below), ("above", self.above))
        return [(side, quote) for side, quote in sides if quote is not None]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of canonical prose by offsets: where it starts, its words start, and it ends; and what it is
    in.
    """

    start: int
    words: int
    end: int
    block: int
    item: int  # the number of its item, -1 for none
    kind: str  # text, item, fence, row (of a table), quote, heading
    column: int


# ---- the four edits


def replace(text: str, quote: str, new: str, *, whole: bool = False, look: Look | None = None) -> Edit:
    """Put ``new`` where ``quote`` stands; ``whole``: only where the quote is whole sentences, items or rows.

    Nothing to do where ``new`` stands there already and the quote does not, or only inside of it.
    """
    if not new.strip():
        return remove(text, quote, whole=whole, look=look)
    hits, there = _hits(text, quote), _hits(text, new)
    if (
        there
        and not _read(text, quote, look)
        and all(any(a <= hit[0] and hit[1] <= b for a, b in there) for hit in hits)
    ):
        return Edit(text, "nothing", "it says so already")
    if why := _unfit(text, quote, hits, whole, look):
        return Edit(text, "skipped", why)
    start, end = _meant(text, *hits[0])
    first = _line(_lines(text), start)
    new = canonical(new) if _listed(new) else new.strip()
    if first.kind == "item" and start <= first.words:
        start = first.start + first.column if _listed(new) else first.words
        new = new.replace("\n", "\n" + " " * first.column)
    head, tail = _seams(text, start, end, new)
    return _done(text, canonical(text[:start] + head + new + tail + text[end:]))


def remove(text: str, quote: str, *, whole: bool = False, look: Look | None = None) -> Edit:
    """Take out what the quote says; nothing to do where it does not stand there."""
    hits = _hits(text, quote)
    if not hits and not _read(text, quote, look):
        return Edit(text, "nothing", f"{_said(quote)} does not stand there")
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
    spot, why = _spot(text, places)
    at = places.at or ("" if places.quotes() else "end")
    if spot is None and not at:
        return Edit(text, "skipped", why)
    lines = _lines(text)
    first, last = (lines[0].block, lines[0].block) if lines else (0, 0)
    if spot is not None:
        first, last = _line(lines, spot[1][0]).block - 1, _line(lines, spot[1][1] - 1).block + 1
    elif at == "end" and lines:
        first = last = lines[-1].block
    for hit in _hits(text, passage):
        if _line(lines, hit[1] - 1).block >= first and _line(lines, hit[0]).block <= last:
            return Edit(text, "nothing", "it says so already")
    if spot is not None:
        return _done(text, _beside(text, passage, *spot))
    return _done(text, canonical(f"{passage}\n\n{text}" if at == "start" else f"{text}\n\n{passage}"))


def move(text: str, quote: str, places: Places, *, look: Look | None = None) -> Edit:
    """Move whole sentences, items or rows elsewhere; nothing to do where they stand there already."""
    hits = _hits(text, quote)
    if why := _unfit(text, quote, hits, True, look):
        return Edit(text, "skipped", why)
    hit = _meant(text, *hits[0])
    rest = canonical(_without(text, *hit))
    spot, why = _spot(rest, places)
    if spot is None:
        return Edit(text, "skipped", why or "it is not said where to")
    piece = _piece(text, *hit, bare=_line(_lines(rest), spot[1][0]).item < 0)
    return _done(text, _beside(rest, canonical(piece), *spot))


def _done(old: str, new: str) -> Edit:
    return Edit(new, "applied") if new != old else Edit(old, "nothing", "it says so already")


# ---- finding quotes

_ALIKE = str.maketrans({
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
})  # fmt: skip
_WHITE = re.compile(r"[ \t\r\f\v\n]+")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_PARTING = re.compile(r"[ \t]*\n(?:[ \t]*\n)+[ \t]*")
_BLANKS = re.compile(r"[ \t]+")


@lru_cache(maxsize=512)
def _alike(text: str) -> str:
    """The text with one kind of quotation marks and dashes, every character in its place."""
    return text.translate(_ALIKE)


def _spans(text: str, quote: str) -> Iterator[Span]:
    """Where a quote without white space at its ends stands in a text, by whole words; spans may overlap."""
    plain, wanted = _alike(text), _alike(quote)
    words, gaps = _WHITE.split(wanted), [gap.count("\n") > 1 for gap in _WHITE.findall(wanted)]
    start = plain.find(words[0])
    while start >= 0:
        if not (quote[0].isalnum() and start and plain[start - 1].isalnum()):
            end = _end(plain, start + len(words[0]), words[1:], gaps)
            if end >= 0 and not (quote[-1].isalnum() and plain[end : end + 1].isalnum()):
                yield start, end
        start = plain.find(words[0], start + 1)


def _end(text: str, at: int, words: Sequence[str], gaps: Sequence[bool]) -> int:
    """Where words end that stand from an offset on, each behind its gap (True: a blank line); -1 where they do not."""
    for number, (word, parting) in enumerate(zip(words, gaps, strict=True)):
        gap = (_PARTING if parting else _LINE_END).match(text, at) or (
            None if parting else _BLANKS.match(text, at)
        )
        if gap is None:
            return -1
        at = gap.end()
        if (
            not parting and "\n" in gap[0] and text[at : at + 2] in ("> ", ">\t")
        ):  # the next line of a block quote
            inside = _end(text, at + 2 + len(word), words[number + 1 :], gaps[number + 1 :])
            if text.startswith(word, at + 2) and inside >= 0:
                return inside
        if not text.startswith(word, at):
            return -1
        at += len(word)
    return at


def _hits(text: str, quote: str) -> list[Span]:
    """Where a quote stands, as it is written or else in its canonical form."""
    for form in dict.fromkeys((quote.strip(), canonical(quote))):
        spans = list(_spans(text, form)) if form else []
        if spans:
            return spans
    return []


def _unfit(text: str, quote: str, hits: list[Span], whole: bool, look: Look | None) -> str:
    """Why the edit of a quote that stands at ``hits`` is not to be made, or ""."""
    if path := _read(text, quote, look):
        return f"{_said(quote)} falls into the quote {{{{{path}}}}}: {_instead(path)}"
    if not hits:
        return f"{_said(quote)} does not stand there" + (": it has been changed meanwhile" if whole else "")
    if len(hits) > 1:
        return f"{_said(quote)} stands there {len(hits)} times; quote more, so that it is found once"
    if whole and not _whole(text, *hits[0]):
        return f"what holds {_said(quote)} has been changed meanwhile"
    for quoted in re.finditer(QUOTE, text):
        (a, b), (start, end) = quoted.span(), hits[0]
        if start < b and a < end and not (start <= a and b <= end):
            path = quoted[0][2:-2].strip()
            return f"{_said(quote)} falls into the quote {quoted[0]}: {_instead(path)}"
    return ""


def _read(text: str, quote: str, look: Look | None) -> str:
    """The path of a declaration in which a quote falls that stands nowhere but on the page, or ""."""
    if look is None or _hits(text, quote):
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
    hits = _hits(page + text[last:], quote)
    return next((path for start, end, path in spans for a, b in hits if start < b and a < end), "")


def _instead(path: str) -> str:
    if path.split(".")[0] in ("terms", "game"):
        return f"write {{{{{path}}}}} there"
    return f"amend the declaration {path} instead"


def _said(quote: str) -> str:
    return f"“{printable(' '.join(quote.split()), 60)}”"


# ---- lines and blocks


@lru_cache(maxsize=256)
def _lines(text: str) -> tuple[_Line, ...]:
    """The lines of canonical prose that are not blank; blocks and items are numbered."""
    rows = text.split("\n")
    fenced = {n for fence in fences(rows) for n in range(fence.start, (fence.end or len(rows) - 1) + 1)}
    lines: list[_Line] = []
    offset = block = items = 0
    item, parted = -1, False
    for n, row in enumerate(rows):
        plain = row.lstrip(" ")
        if plain or n in fenced:
            if parted:
                block, item, parted = block + 1, -1, False
            kind, words = _kind(plain) if n not in fenced else ("fence", 0)
            if kind == "item":
                items, item = items + 1, items
            column = len(row) - len(plain)
            lines.append(_Line(offset, offset + column + words, offset + len(row), block, item, kind, column))
        else:
            parted = bool(lines)
        offset += len(row) + 1
    return tuple(lines)


def _kind(line: str) -> tuple[str, int]:
    """What kind of line this is, and after how many characters its words begin."""
    if mark := ITEM.match(line):
        return "item", mark.end()
    if mark := HEADING.match(line):
        return "heading", mark.end()
    if line[0] == ">":
        return "quote", 2
    return ("row", 0) if line[0] == "|" or line.count("|") > 1 else ("text", 0)


def _line(lines: tuple[_Line, ...], offset: int) -> _Line:
    """The line that an offset lies in, or the last one before it."""
    return next(each for each in reversed(lines) if each.start <= offset or each is lines[0])


def _whole(text: str, start: int, end: int) -> bool:
    """Whether a span covers whole lines of canonical prose: sentences, items, rows."""
    lines = _lines(text)
    first, last = _line(lines, start), _line(lines, end - 1)
    return start in (first.words, first.start + first.column, first.start) and end == last.end


def _meant(text: str, start: int, end: int) -> Span:
    """A hit without the mark of its item, where other sentences of the item need that."""
    lines = _lines(text)
    first, last = _line(lines, start), _line(lines, end - 1)
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
    lines = _lines(text)
    first, last = _line(lines, start), _line(lines, end - 1)
    if first.kind == "item" and not any(each.item == last.item and each.start > end for each in lines):
        start = first.words if bare and first.item == last.item else first.start
    rows = text[start:end].split("\n")
    return "\n".join(row.removeprefix(" " * first.column) for row in rows)


# ---- putting in


def _spot(text: str, places: Places) -> tuple[tuple[str, Span] | None, str]:
    """The first place that is found exactly once, with its side; else why there is none."""
    why = ""
    for side, quote in places.quotes():
        hits = _hits(text, quote)
        if len(hits) == 1:
            return (side, hits[0]), ""
        times = f"stands there {len(hits)} times" if hits else "does not stand there"
        why = why or f"the place is not found: {_said(quote)} {times}"
    return None, why


def _listed(passage: str) -> bool:
    return bool(ITEM.match(passage))


def _running(passage: str) -> bool:
    """Whether a canonical passage is sentences of one paragraph."""
    return "\n\n" not in passage and all(each.kind == "text" for each in _lines(passage))


def _seams(text: str, start: int, end: int, new: str) -> tuple[str, str]:
    """What parts a new passage from the sentences around it, where it is more than sentences itself."""
    lines = _lines(text)
    first, last = _line(lines, start), _line(lines, end - 1)
    if first.kind != "text" or not _whole(text, start, end) or _running(canonical(new)):
        return "", ""
    before = any(each.block == first.block and each.start < first.start for each in lines)
    after = any(each.block == last.block and each.start > last.start for each in lines)
    return "\n\n" if before else "", "\n\n" if after else ""


def _beside(text: str, passage: str, side: str, hit: Span) -> str:
    """The prose with a canonical passage put to a side of what stands at ``hit``."""
    lines = _lines(text)
    line = _line(lines, hit[1] - 1) if side in ("after", "below") else _line(lines, hit[0])
    if line.item >= 0 and _listed(passage):
        return _by_item(text, passage, side, line)
    if side in ("below", "above") or line.kind == "fence":
        return _by_block(text, passage, side, line)
    if line.kind in ("text", "item") and _running(passage):
        run = passage.replace("\n", " ")
        new = (line.end, f" {run}") if side == "after" else (line.words, f"{run} ")
    else:
        quote = line.kind == "quote" and not passage.startswith(">")
        rows = "\n".join("> " + row for row in passage.split("\n")) if quote else passage
        gap, rest = ("\n\n", "\n\n") if line.kind in ("text", "item") else ("\n", "")
        new = (line.end, gap + rows + rest) if side == "after" else (line.start, rest + rows + gap)
    return canonical(text[: new[0]] + new[1] + text[new[0] :])


def _by_item(text: str, passage: str, side: str, line: _Line) -> str:
    """Items put before or after the whole item, with all that it holds, of a line."""
    lines = _lines(text)
    head = next(each for each in lines if each.item == line.item)
    last = head
    for each in lines[lines.index(head) + 1 :]:
        if each.item != head.item and each.column <= head.column:
            break
        last = each
    rows = "\n".join(" " * head.column + row if row else "" for row in passage.split("\n"))
    if side in ("after", "below"):
        return canonical(f"{text[: last.end]}\n{rows}{text[last.end :]}")
    return canonical(f"{text[: head.start]}{rows}\n{text[head.start :]}")


def _by_block(text: str, passage: str, side: str, line: _Line) -> str:
    """A block of its own below or above the block of a line, set in as that where it is under an item."""
    block = [each for each in _lines(text) if each.block == line.block]
    column = block[0].column if block[0].item < 0 else 0
    rows = "\n".join(" " * column + row if row else "" for row in passage.split("\n"))
    if side in ("below", "after"):
        return canonical(f"{text[: block[-1].end]}\n\n{rows}\n\n{text[block[-1].end :]}")
    return canonical(f"{text[: block[0].start]}{rows}\n\n{text[block[0].start :]}")
