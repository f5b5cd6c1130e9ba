"""Doubts in words: which claim of a deed replay does not confirm, and what it has spared or cost."""

from __future__ import annotations

from nomicgit.ground.problems import printable
from nomicgit.physics.state.claims import Claim, Doubt

DOUBTS = {
    Claim.DIED: "it says that the mechanics of {} end their process, and here they do not; not made was",
    Claim.EXHAUSTED: "it says that the event {} spent its fuel, and here it needs less than half; put off was",
    Claim.RESTED: "it says that events took too long and rested from {} on, and here they take less than half; put off was",
    Claim.BRICKED: "it says that {} leaves no way to change the law, and here one is left; undone was",
}
"""What is said of a claim that is not confirmed; after it comes what it has spared, or cost."""


def in_words(doubt: Doubt) -> str:
    """A doubted claim, and what it has spared or cost."""
    of = printable(doubt.of, 100)
    return f"{DOUBTS[doubt.claim].format(of)}: {'; '.join(doubt.spared) or 'what cannot be told here'}"
