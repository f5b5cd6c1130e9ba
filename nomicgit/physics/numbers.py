"""The physics that this program knows, by their numbers."""

from __future__ import annotations

from nomicgit.ground.problems import Refused, printable
from nomicgit.law.merging import DECLARATIONS
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.physics import Physics
from nomicgit.physics.state import deriving, describing, naming
from nomicgit.physics.words import WORDS, blog

ONE = Physics(
    1, WORDS, DECLARATIONS, lambda: blog.amending().FORMS, decide=pipeline.decide, identify=naming.identified,
    describe=describing.described, show=deriving.shown, bind=blog.bind,
    leave=pipeline.leave,
)  # fmt: skip
KNOWN = {1: ONE}
NEWEST = ONE


def physics_of(number: object, *, file: str = "") -> Physics:
    """The physics of a number. Refused where this program does not know it."""
    known = KNOWN.get(number) if isinstance(number, int) and not isinstance(number, bool) else None
    if known is None:
        shown = printable(str(number), 20)
        what = f"this program knows physics {', '.join(map(str, KNOWN))}, and not physics {shown}"
        raise Refused.of(what, file=file, mend=f"use a program that knows physics {shown}")
    return known
