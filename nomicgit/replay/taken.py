"""Orders that were taken, as replay finds them: whether the keeper has kept to their turns. Source: ``docs/secrets.md``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from nomicgit.git import Commit
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record import journal
from nomicgit.record.secret import turns, veil
from nomicgit.record.secret.turns import Made, Turns
from nomicgit.sealing.keys import Sealer


class Round:
    """The orders of a round as they stand in the record, one after another.

    Some that no key at hand opens may be among them: what these could have brought about is no fault.
    """

    def __init__(self, sealer: Sealer, at: int) -> None:
        self._turns, self._hidden, self._last = Turns(sealer, at), 0, b""
        self._made: dict[str, Made] = {}

    @classmethod
    def before(cls, commits: Sequence[Commit], commit: Commit, sealer: Sealer, at: int) -> Self:
        """A round as it stands before a commit of a line."""
        entries = list[journal.Entry]()
        for each in commits[: commits.index(commit)][::-1]:
            entry = journal.told(each.message)
            if entry is None:
                continue
            if entry.deed.at != at or entry.deed.action in (Outside.MEND, Outside.TERM):
                break
            entries.append(entry)
        so_far = cls(sealer, at)
        for entry in reversed(entries):
            behind = veil.behind(entry, sealer) if entry.sealed else None
            if behind is not None and behind.deed.nonce is not None:
                so_far.out_of_turn(behind.deed)
            elif behind is None and entry.sealed:
                so_far.out_of_turn(None)
        return so_far

    def out_of_turn(self, deed: Deed | None) -> bool:
        """Whether the order that comes next is not the one whose turn it is; None: a deed that no key at hand opens."""
        if deed is None:
            self._hidden += 1
            return False
        assert deed.nonce is not None
        who, made = turns.key_of(deed.actor or ""), Made(deed.ordered_at, deed.nonce)
        later = (self._turns.of(who, more) for more in range(self._hidden + 1))
        turn = next((each for each in later if each >= self._last), None)
        self._turns.had(who)
        before, self._made[who] = self._made.get(who, made), made
        if turn is None or made < before:
            return True
        self._last = turn
        return False
