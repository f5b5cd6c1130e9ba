"""The secrets of a game in a pass: what needs the key is decided with it, sealed orders are taken, letters written.

A table keeps the key for itself. What leaves it says that an order came, and nothing of what it says, nor what came of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from nomicgit.clones.secret import addresses, course
from nomicgit.clones.secret.addresses import Noted
from nomicgit.clones.secret.taking import HandedIn, Settled
from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.outlook.openings import in_private
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record.game import Game, Recorded
from nomicgit.record.secret import ordering
from nomicgit.sealing.keys import Key
from nomicgit.steward.asking import HandIn
from nomicgit.steward.events import Event
from nomicgit.steward.steps import Done, Hitch, Letters, Step, Told

RECEIVED = "received, sealed. What comes of it, your letter tells, which the game's site shows you."
REFUSED = "this is refused, for a reason that hangs on a secret"
BROKEN = (
    "something secret could not be done, and what was in the way is not told here, for all can read it: "
    "the keeper sees it in a clone, at their next round"
)
SEALED = "sealed"
"""As what every deed is told that came of an order."""


class Secrets:
    """The game of a scratch clone, with its key. ``since``: the time of its last deed when the pass began; ``said``: what
    the letters were that were written last.
    """

    def __init__(self, repository: Repository, key: Key, *, since: int, said: str) -> None:
        self._repository, self._key, self._since, self._said = repository, key, since, said
        self._orders: list[tuple[Event, HandIn]] = []
        self._vouched: set[tuple[str | None, object]] = set()

    def game(self) -> Game:
        """The game as it stands now. Refused where the key is not the one of its term."""
        game = Game.open(self._repository.git_dir, self._key)
        ordering.sealer_of(game)
        return game

    def act(self, deed: Deed, unmerged: frozenset[str]) -> Recorded:
        """Carry out what needs the key: perhaps for what fell due alone, perhaps itself.

        Refused without a reason where that may tell a secret.
        """
        game = self.game()
        if course.let_the_clock_run(game, deed.at) is not None:
            with suppress(NeedsKey):
                return self._unmerging(Game.open(self._repository.git_dir), unmerged).act(deed)
        with suppress(Exception):  # whatever it says may tell a secret
            return self._unmerging(game, unmerged).act(deed)
        raise Refused.of(REFUSED)

    @staticmethod
    def _unmerging(game: Game, heads: frozenset[str]) -> Game:
        game.unmerged = heads
        return game

    def vouch(self, deed: Deed) -> None:
        """Keep in mind a mailbox that came by its player's own account in this pass: no other deed can say so of itself."""
        self._vouched.add((deed.actor, deed.given["recipient"]))

    def hand_in(self, event: Event, order: HandIn) -> None:
        """Keep an order until all that is open is done."""
        self._orders.append((event, order))

    def orders(self, now: int) -> Iterator[Step]:
        """What waited for the key happens, and orders are taken; where that breaks off, the rest waits."""
        try:
            yield from self._ordered(now)
        except Exception:  # whatever it says may tell a secret
            yield Hitch(BROKEN)

    def letters(self, now: int) -> Iterator[Step]:
        """All letters are written anew where one says something new."""
        try:
            new = course.letters(self.game(), now, in_private, self._said)
            if new is not None:
                yield Letters(new.commit, new.said)
        except Refused:
            return  # it is told already that the key is another
        except Exception:  # as above
            yield Hitch(BROKEN)

    def _ordered(self, now: int) -> Iterator[Step]:
        try:
            game = self.game()
        except Refused as wrong:
            yield Hitch(f"nothing secret is done in this pass: {wrong}")
            return
        at = ordering.time_of_round(game, now)
        events = {event.id: event for event, _ in self._orders}
        handed = [HandedIn(event.id, order.armour, order.player) for event, order in self._orders]
        for each in course.played(game, lambda: handed, at, self._since, self._is_vouched):
            match each:
                case Recorded() | Noted():
                    yield Done(each.commit, None, SEALED)
                case Settled(until=None, tomorrow=False):  # else it waits, and is read again
                    if each.taken is not None:
                        yield Done(each.taken.recorded.commit, None, SEALED)
                    event = events[each.order.name]
                    yield Told(event.number, (event.key,), RECEIVED)

    def _is_vouched(self, box: addresses.Waiting) -> bool:
        return (box.player, box.recipient) in self._vouched
