"""What the forge does not take: which of a pass's deeds it is, and what is set aside so that the rest is played on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from nomicgit.git import Repository
from nomicgit.git.refused import in_words as refused_in_words
from nomicgit.git.remote import Rejected
from nomicgit.record.tree import RULESET, SCENARIOS
from nomicgit.steward.steps import Done, Step

MOST = 20
"""What is set aside in one pass: each costs another look at all that is new."""


class Aside(Struct):
    """What the forge has refused, with its reasons: the deeds of events and the resolutions of posts by their ids, and
    the histories of branches by their heads.
    """

    deeds: dict[str, str] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)

    def blame(
        self, clone: Repository, steps: Sequence[Step], push: Callable[[str], None], why: Rejected
    ) -> list[Done]:
        """Push the deeds before the first one that the forge does not take, and set that one aside; gives those pushed.

        A deed that merges a branch is done without that first: only the branch's history is left aside then.
        The refusal is raised again where it is for no deed's sake: for who pushes, or for what branch it is.
        """
        deeds = [step for step in steps if isinstance(step, Done)]
        pushed, refused = 0, len(deeds)
        while refused - pushed > 1:
            middle = (pushed + refused) // 2
            try:
                push(deeds[middle - 1].deed)
                pushed = middle
            except Rejected as sooner:
                refused, why = middle, sooner
        of_deed = pushed or why.of_content
        if not deeds or not of_deed or len(self.deeds) + len(self.branches) >= MOST:
            raise why
        self._note(clone, deeds[pushed], refused_in_words(why.lines, (RULESET, SCENARIOS)))
        return deeds[:pushed]

    def _note(self, clone: Repository, done: Done, why: str) -> None:
        merged = clone.commit(done.deed).parents[1:]
        if merged:
            self.branches |= dict.fromkeys(merged, why)
        else:
            self.deeds[done.source] = why
