"""The way of what somebody does on GitHub, as a picture: from the thread to the record and back. Pure."""

from __future__ import annotations

import html
from collections.abc import Iterator

WIDTH, HIGH, LOW, GAP, EDGE = 150, 104, 92, 34, 14
LINE = 17
INK, QUIET, PAPER, BOX, STRONG = "#1f2328", "#59636e", "#ffffff", "#f6f8fa", "#283593"
STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Somebody acts", ("a form, a comment,", "a review,", "a pull request")),
    ("GitHub rings", ("each event only", "wakes the steward,", "and so does a timer")),
    ("The steward reads", ("all that is new,", "in the order of", "GitHub's clock")),
    ("The law decides", ("each is a deed,", "or is refused", "by a rule's name")),
    ("One push", ("the deeds, and why", "others were refused;", "all of it or nothing")),
)
BACK = (
    (
        0,
        1,
        "An answer on the thread",
        ("what came of it, or the rule that", "refuses it; the tally; a status"),
    ),
    (2, 2, "The site", ("the rules,", "what is pending,", "what waits for whom")),
    (3, 4, "The record", ("one commit a deed: any clone replays it", "and verifies it without GitHub")),
)
"""What comes of the push: below which steps it stands, from the first to the last, and what it says."""


def drawn() -> str:
    """The picture, as SVG."""
    wide = 2 * EDGE + len(STEPS) * WIDTH + (len(STEPS) - 1) * GAP
    high = 2 * EDGE + HIGH + LOW + 2 * GAP
    described = " → ".join(name for name, _ in STEPS) + "; then " + ", ".join(each[2] for each in BACK)
    body = "\n".join((*_forth(), *_back()))
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img" aria-label="{html.escape(described)}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="{QUIET}"/></marker></defs>
<rect width="{wide}" height="{high}" fill="{PAPER}"/>
<g font-family="sans-serif" font-size="12.5" fill="{QUIET}">
{body}
</g>
</svg>
"""  # noqa: E501


def _forth() -> Iterator[str]:
    for place, (name, lines) in enumerate(STEPS):
        left = _left(place)
        yield from _box((left, EDGE, WIDTH, HIGH), name, lines)
        if place:
            yield _arrow(left - GAP, EDGE + HIGH // 2, left, EDGE + HIGH // 2)


def _back() -> Iterator[str]:
    top, middle = EDGE + HIGH + 2 * GAP, EDGE + HIGH + GAP
    end = _left(len(STEPS) - 1) + WIDTH // 2
    begin = (_left(0) + _left(1) + WIDTH) // 2
    yield f'<path d="M{end} {EDGE + HIGH}V{middle}H{begin}" fill="none" stroke="{QUIET}"/>'
    for first, last, name, lines in BACK:
        left, wide = _left(first), _left(last) + WIDTH - _left(first)
        yield from _box((left, top, wide, LOW), name, lines)
        yield _arrow(left + wide // 2, middle, left + wide // 2, top)


def _left(place: int) -> int:
    return EDGE + place * (WIDTH + GAP)


def _box(place: tuple[int, int, int, int], name: str, lines: tuple[str, ...]) -> Iterator[str]:
    left, top, wide, high = place
    yield f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" rx="6" fill="{BOX}" stroke="{STRONG}"/>'
    middle = left + wide // 2
    yield (
        f'<text x="{middle}" y="{top + 26}" text-anchor="middle" font-weight="bold" fill="{INK}">{html.escape(name)}</text>'
    )
    for row, line in enumerate(lines):
        below = top + 48 + row * LINE
        yield f'<text x="{middle}" y="{below}" text-anchor="middle">{html.escape(line)}</text>'


def _arrow(x: int, y: int, to_x: int, to_y: int) -> str:
    return f'<path d="M{x} {y}L{to_x} {to_y}" stroke="{QUIET}" marker-end="url(#tip)"/>'
