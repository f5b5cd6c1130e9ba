"""The card of a game: the picture that others show beside a link to its site. The single importer of Pillow."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib import resources

from PIL import Image, ImageDraw, ImageFont

from nomicgit.physics.state import reading
from nomicgit.site.markup import visible
from nomicgit.site.onlooking import Look

URI = "assets/card.png"
FONT = "assets/card.ttf"
WIDTH, HEIGHT, EDGE = 1200, 630, 80  # pixels, as those who show cards want them
LONGEST = 120  # characters of a name
LINES = 3
PAPER, INK, QUIET = "#283593", "#ffffff", "#c5cae9"


def drawn(look: Look) -> bytes:
    """The card as PNG: what the game is called, which dynasty it is in, and how much there is of it."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(picture)
    name = look.game.settings.name or "The game"
    title, small = _font(72), _font(34)
    at = EDGE
    for line in _lines(name, title):
        pen.text((EDGE, at), line, fill=INK, font=title)
        at += 92
    for place, line in enumerate(facts(look)):
        pen.text((EDGE, at + 30 + 54 * place), _cut(line, small), fill=QUIET, font=small)
    pen.text(
        (EDGE, HEIGHT - EDGE - 30), "A game of Nomic: its rules change as it is played.", fill=INK, font=small
    )
    stream = io.BytesIO()
    picture.quantize(32).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def facts(look: Look) -> Iterator[str]:
    """What the card says beneath the name, line by line."""
    reign = look.annals.reigns[-1] if look.annals.reigns else None
    if reign:
        yield f"Dynasty {reign.number}" + (f": {reign.name}" if reign.name else "")
    counts = (
        (len(reading.roster(look.world)), "player"),
        (len(look.world.ruleset.rules), "rule"),
        (len(look.posts()), "post"),
    )
    yield " · ".join(f"{many} {what}{'' if many == 1 else 's'}" for many, what in counts)


def _font(size: int) -> ImageFont.FreeTypeFont:
    """The card's own font in a size (pixels), laid out the same wherever it is built."""
    data = resources.files("nomicgit.site").joinpath(FONT).read_bytes()
    return ImageFont.truetype(io.BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


def _lines(name: str, font: ImageFont.FreeTypeFont) -> list[str]:
    """A name in as many lines as fit."""
    lines: list[str] = []
    for word in visible(" ".join(name.split()))[:LONGEST].split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= WIDTH - 2 * EDGE:
            lines[-1] = longer
        else:
            lines.append(word)
    return [_cut(line, font) for line in lines[:LINES]]


def _cut(line: str, font: ImageFont.FreeTypeFont) -> str:
    """A line that is no wider than the card."""
    kept = visible(" ".join(line.split()))[:LONGEST]
    while kept and font.getlength(kept) > WIDTH - 2 * EDGE:
        kept = kept[:-2] + "…"
    return kept
