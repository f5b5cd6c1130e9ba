"""The course of a round with the key, the same whoever makes it and wherever orders come from. Source: ``docs/secrets.md``.

What waited for the key happens, mailboxes are seen, orders are put in their turns, decided and recorded, and letters report
what came of them. It knows neither a remote nor a forge: the keeper's round (``rounds``) and the steward's pass hand in what
came to them, and bring away what it gives.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from nomicgit.clones.secret import addresses
from nomicgit.clones.secret.addresses import Noted, Waiting
from nomicgit.clones.secret.lettering import Mail, May
from nomicgit.clones.secret.taking import HandedIn, Settled, settle
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record import journal
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.record.secret import ordering
from nomicgit.sealing.keys import Sealer

HOUR = 3600  # seconds
Came: TypeAlias = Recorded | Noted | Settled
"""What came of a round, one by one: the clock's deed, what was said of a mailbox, what became of an order."""


class Letters(NamedTuple):
    """Letters that were written anew: their commit, what tells them from others, and how many they are."""

    commit: str
    said: str
    written: int


def played(
    game: Game,
    orders: Callable[[], Iterable[HandedIn]],
    at: int,
    since: int,
    theirs: Callable[[Waiting], bool] | None = None,
) -> Iterator[Came]:
    """Play a round at a time that is no other's (seconds, UTC). ``orders``: what was handed in, asked for when their turn comes;
    ``since``: the time of the round before; ``theirs``: what else makes a first mailbox sure.
    """
    if (ran := let_the_clock_run(game, at)) is not None:
        yield ran
    yield from addresses.see(game, at, theirs)
    yield from settle(game, [*orders()], at, since)


def letters(game: Game, now: int, may: May, known: str) -> Letters | None:
    """All letters, where one says something new since those that ``known`` tells from others; None where none does."""
    sealer, mail = ordering.sealer_of(game), Mail.of(game, now)
    digest = said(mail, sealer)
    if digest is None or digest == known:
        return None
    return Letters(_written(mail, sealer, may), digest, len(mail.letters))


def waits_for_keeper(game: Game, at: int) -> bool:
    """Whether something has fallen due by the clock that only who has the key can let happen."""
    world = game.world()
    try:
        pipeline.come(world, Deed("looking", None, "look", at=max(at, game.last())))
    except NeedsKey:
        return True
    return world.waiting and not _lately(game, at)


def _lately(game: Game, at: int) -> bool:
    """Whether the clock was let run within the last hour: where nobody may know what is due, it is asked for in turns."""
    for commit in game.repository.log(game.head.oid):
        entry = journal.told(commit.message)
        if entry is not None and entry.deed.at < at - HOUR:
            return False
        if entry is not None and entry.deed.action == Outside.CLOCK:
            return True
    return False


def let_the_clock_run(game: Game, at: int) -> Recorded | None:
    """Let what waits for the keeper happen, as a deed; None where nothing may be waiting."""
    if not waits_for_keeper(game, at):
        return None
    return game.act(Deed(new_id(at), None, Outside.CLOCK, at=at))


def said(mail: Mail, sealer: Sealer) -> str | None:
    """What tells whether letters say something new, to nobody without the key; None where nobody has a mailbox.

    After every deed they do to whoever plays, since they may do something else. That time alone opens something to somebody is
    none: when letters were written anew would tell everybody that.
    """
    tip = None if all("left" in letter for letter in mail.letters.values()) else mail.game.head.oid
    state = [tip, sorted(mail.boxes.items()), sorted(mail.letters.items())]
    return sealer.dice("letters", json.dumps(state, sort_keys=True)).hex() if mail.letters else None


def _written(mail: Mail, sealer: Sealer, may: May) -> str:
    """All letters, as a commit that stands on nothing."""
    files = {f"{player}.age": content for player, content in mail.packed(sealer, may).items()}
    return mail.game.repository.lone(files, "Letters")
