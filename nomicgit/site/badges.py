"""How the votes on a matter stand, as a picture that other sites may show: in an ``img``, or in a frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from nomicgit.site import posts
from nomicgit.site.markup import tag
from nomicgit.site.onlooking import Look

WIDE = 7.3  # pixels of a letter
TITLE = 40  # characters


def files(look: Look) -> dict[str, str]:
    """The picture of every post that people vote on, by its place in the site."""
    numbers = (number for number in look.posts() if posts.votable(look, f"posts/{number}"))
    return {f"posts/{number}/{posts.BADGE}": f"{_drawn(list(_parts(look, number)))}\n" for number in numbers}


def _parts(look: Look, number: int) -> Iterator[str]:
    """What the picture says, part by part: the post, its tally, what became of it."""
    title = str(look.world.store.value(f"posts/{number}", "title") or "")
    yield f"{number}. {title if len(title) <= TITLE else title[: TITLE - 1] + '…'}"
    counts = look.view("tally", f"posts/{number}")
    if isinstance(counts, Mapping):
        yield " ".join(f"{n} {icon}" for place, (icon, n) in enumerate(counts.items()) if n or place < 2)
    status = look.world.store.value(f"posts/{number}", "status")
    if isinstance(status, str):
        yield status


def _drawn(parts: list[str]) -> Markup:
    """Parts beside each other, the first on dark ground."""
    ends = [0.0]
    for part in parts:
        ends.append(ends[-1] + WIDE * len(part) + 16)
    boxes = []
    for place, part in enumerate(parts):
        left, wide = ends[place], ends[place + 1] - ends[place]
        ground = "#283593" if place == 0 else "#424242"
        boxes.append(tag("rect", x=f"{left:.1f}", width=f"{wide:.1f}", height="24", fill=ground))
        boxes.append(
            tag("text", part, x=f"{left + 8:.1f}", y="16", fill="#fff", textLength=f"{wide - 16:.1f}")
        )
    return tag(
        "svg", tag("title", " · ".join(parts)), *boxes, xmlns="http://www.w3.org/2000/svg", width=f"{ends[-1]:.1f}",
        height="24", role="img", font_family="DejaVu Sans Mono, Menlo, Consolas, monospace", font_size="12",
    )  # fmt: skip
