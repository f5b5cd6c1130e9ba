"""Writing on the forge, some at a time: between two portions the pass says anew that the writing is its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from nomicgit.steward.said import Outcome, Result, Write
from nomicgit.steward.trouble import Trouble

PORTION = 80
"""What is written before that is said anew: as much as GitHub takes in a minute."""
NOT_OURS = "another pass writes here"


class Forge(Protocol):
    """What writing needs of a forge."""

    def write(self, writes: Sequence[Write]) -> list[Result]:
        """Write all these."""


def written(forge: Forge, writes: Sequence[Write], holds: Callable[[], bool]) -> list[Result]:
    """Write all these; a result for each. Where it does not hold any more that the writing is ours, and where the forge can do no
    more for now, the rest is put off: another pass says it. Raises Trouble where the forge is not even there at first.
    """
    results: list[Result] = []
    why = ""
    while not why and len(results) < len(writes):
        portion = writes[len(results) : len(results) + PORTION]
        if results and not holds():
            why = NOT_OURS
            break
        try:
            done = forge.write(portion)
        except Trouble as trouble:
            if not results:
                raise
            why = str(trouble)
            break
        results += done
        why = next((each.why for each in done if each.outcome is Outcome.PUT_OFF), "")
    return results + [Result(each, Outcome.PUT_OFF, why) for each in writes[len(results) :]]
