"""Files that stand beside a site's pages: which of them no browser runs anything of, whoever asks for them.

A page says what it may run; a file that a browser opens by itself says nothing. And whatever lies on the site may be asked for
as a script by a page, unless its ending makes a server call it a picture, a sound, a film or a table.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from xml.parsers import expat

ENDINGS = frozenset(".png .jpg .jpeg .gif .webp .avif .bmp .ico .mp3 .ogg .wav .flac .mp4 .webm .csv".split())
DRAWN = ".svg"
_SHAPES = frozenset(
    "svg g defs title desc path rect circle ellipse line polyline polygon text tspan marker symbol use clipPath mask pattern"
    " linearGradient radialGradient stop".split()
)
_LARGEST = 2_000_000  # bytes of a drawing


def inert(file: Path) -> bool:
    """Whether a file is a picture, a sound, a film or a table, and of a drawing whether it is nothing but shapes and words."""
    ending = file.suffix.lower()
    return ending in ENDINGS or (ending == DRAWN and _still(file))


def _still(file: Path) -> bool:
    """Whether a drawing in SVG holds shapes and words alone: no script, no style of others, no link but within it."""
    if file.stat().st_size > _LARGEST:
        return False
    moving: list[str] = []

    def element(name: str, attributes: Mapping[str, str]) -> None:
        links = (value for key, value in attributes.items() if key.rpartition(":")[2] == "href")
        runs = any(key.lower().startswith("on") for key in attributes)
        if name not in _SHAPES or runs or not all(link.startswith("#") for link in links):
            moving.append(name)

    parser = expat.ParserCreate()
    parser.StartElementHandler = element
    parser.StartDoctypeDeclHandler = lambda *_: moving.append("DOCTYPE")
    parser.ProcessingInstructionHandler = lambda *_: moving.append("instruction")
    try:
        parser.Parse(file.read_bytes(), True)
    except expat.ExpatError:
        return False
    return not moving
