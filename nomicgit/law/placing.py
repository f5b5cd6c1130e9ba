"""Putting a passage of prose next to what a quote names: beside its sentence, its item or its block."""

from __future__ import annotations

from msgspec import Struct

from nomicgit.law.quotes import Line, Span, hits_of, in_marks, line_at, lines_of
from nomicgit.law.sentences import ITEM, canonical


class Places(Struct, frozen=True):
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


def spot_of(text: str, places: Places) -> tuple[tuple[str, Span] | None, str]:
    """The first place that is found exactly once, with its side; else why there is none."""
    why = ""
    for side, quote in places.quotes():
        hits = hits_of(text, quote)
        if len(hits) == 1:
            return (side, hits[0]), ""
        times = f"stands there {len(hits)} times" if hits else "does not stand there"
        why = why or f"the place is not found: {in_marks(quote)} {times}"
    return None, why


def is_listed(passage: str) -> bool:
    """Whether a passage begins as an item."""
    return bool(ITEM.match(passage))


def is_running(passage: str) -> bool:
    """Whether a canonical passage is sentences of one paragraph."""
    return "\n\n" not in passage and all(each.kind == "text" for each in lines_of(passage))


def put_beside(text: str, passage: str, side: str, hit: Span) -> str:
    """The prose with a canonical passage put to a side of what stands at ``hit``."""
    lines = lines_of(text)
    line = line_at(lines, hit[1] - 1) if side in ("after", "below") else line_at(lines, hit[0])
    if line.item >= 0 and is_listed(passage):
        return _by_item(text, passage, side, line)
    if side in ("below", "above") or line.kind == "fence":
        return _by_block(text, passage, side, line)
    if line.kind in ("text", "item") and is_running(passage):
        run = passage.replace("\n", " ")
        new = (line.end, f" {run}") if side == "after" else (line.words, f"{run} ")
    else:
        quote = line.kind == "quote" and not passage.startswith(">")
        rows = "\n".join("> " + row for row in passage.split("\n")) if quote else passage
        gap, rest = ("\n\n", "\n\n") if line.kind in ("text", "item") else ("\n", "")
        new = (line.end, gap + rows + rest) if side == "after" else (line.start, rest + rows + gap)
    return canonical(text[: new[0]] + new[1] + text[new[0] :])


def _by_item(text: str, passage: str, side: str, line: Line) -> str:
    """Items put before or after the whole item, with all that it holds, of a line."""
    lines = lines_of(text)
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


def _by_block(text: str, passage: str, side: str, line: Line) -> str:
    """A block of its own below or above the block of a line, set in as that where it is under an item."""
    block = [each for each in lines_of(text) if each.block == line.block]
    column = block[0].column if block[0].item < 0 else 0
    rows = "\n".join(" " * column + row if row else "" for row in passage.split("\n"))
    if side in ("below", "after"):
        return canonical(f"{text[: block[-1].end]}\n\n{rows}\n\n{text[block[-1].end :]}")
    return canonical(f"{text[: block[0].start]}{rows}\n\n{text[block[0].start :]}")
