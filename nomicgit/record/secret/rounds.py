"""The keeper's round: fetch, let the clock run, take orders, push, write letters. Source: ``docs/secrets.md``.

It is what a steward does, over nothing but a Git remote. Orders lie there on branches ``orders/…``, letters on ``letters``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nomicgit.git import Repository
from nomicgit.git.incoming import Move
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.deeds.keyed import Judged
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record import journal, syncing
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.record.secret import addresses, leave, lettering, ordering
from nomicgit.record.secret.addresses import Noted
from nomicgit.record.secret.keyring import terms_at
from nomicgit.record.secret.leave import LETTERS, MOST, ORDER, ORDERS
from nomicgit.record.secret.taking import HandedIn, settle
from nomicgit.record.signers import refuse_hand
from nomicgit.sealing.keys import Key, Sealer

HOUR = 3600  # seconds
ROUND = 100
"""Orders that are taken in one round."""
_NOTED = "nomicgit/letters"


@dataclass(slots=True)
class Round:
    """What a round has done: its time (seconds, UTC), deeds of others that came, the clock's deed, orders that were taken,
    those that are none (by the name of their branch, with the reason), those that wait for tomorrow, or for the next time at
    which orders are taken, the mailboxes of which something was said, whether letters were written, and what sync has pushed.
    """

    at: int = 0
    came: int = 0
    clock: str | None = None
    taken: list[str] = field(default_factory=list)
    unfit: dict[str, str] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    later: dict[str, str] = field(default_factory=dict)
    mailboxes: list[Noted] = field(default_factory=list)
    letters: int = 0
    pushed: int = 0


def keep(
    repository: Repository,
    upstream: Upstream | None,
    when: Callable[[Game], int],
    key: Key | None = None,
    handed: Sequence[str] = (),
    mailboxes: Mapping[str, Judged] | None = None,
) -> Round:
    """Make a round. ``when``: at which time (seconds, UTC), once all is fetched. ``upstream``: where others push to; None where
    all play in this clone. ``key``: the game's, where that is not the one in this clone. ``handed``: orders that came in
    another way than by a branch. ``mailboxes``: whose the keeper says that mailboxes are, by ``NAME=RECIPIENT``.
    """
    done = Round()
    if upstream is not None:
        synced = syncing.sync(repository, upstream, int(time.time()))
        done.came, done.pushed = len(synced.others), synced.pushed
    game = Game.open(repository.root or repository.git_dir, key)
    ordering.sealer_of(game)
    refuse_hand(repository, game.tree, "keeper")
    since, now = game.last(), when(game)
    at = done.at = ordering.time_of_round(game, now)
    done.mailboxes += addresses.judge(game, mailboxes or {}, at)
    if (ran := let_the_clock_run(game, at)) is not None:
        done.clock = ran.commit
    done.mailboxes += addresses.see(game, at)
    sealer = ordering.sealer_of(game)
    lying = (
        dict(
            _lying(
                upstream, lambda ref: sealer.dice("branch", str(now), ref.encode("utf-8", "replace").hex())
            )
        )
        if upstream is not None
        else {}
    )
    by_hand = (HandedIn(f"--order {number}", text, at_once=True) for number, text in enumerate(handed, 1))
    orders = [*by_hand, *(HandedIn(ref, text) for ref, text in lying.items())]
    settled = list(_take(game, orders, at, since, done))
    if upstream is not None and (done.clock or done.taken or done.mailboxes):
        done.pushed += syncing.sync(repository, upstream, int(time.time())).pushed
    if upstream is not None:
        there = upstream.heads(ORDERS)
        for move in (Move(ref, there[ref], None) for ref in settled if ref in there):
            upstream.lay(move.ref, None, leave.of(sealer, move))
        done.letters = deliver(Game.open(repository.root or repository.git_dir, key), upstream, now)
    return done


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


def _lying(upstream: Upstream, turn: Callable[[str], bytes]) -> Iterator[tuple[str, str]]:
    """The orders that lie at a remote, by the names of their branches; what is none is empty. ``turn``: who comes first, where
    there are more than a round looks at, hangs on no name that somebody has chosen.
    """
    for ref in sorted(upstream.heads(ORDERS), key=turn)[:ROUND]:
        commit = upstream.bring(ref)
        if commit is not None:
            yield ref, _order_of(upstream.repository, commit)


def _order_of(repository: Repository, commit: str) -> str:
    """The order that a commit holds; empty where it holds none."""
    try:
        entry = repository.entry(repository.commit(commit).tree, ORDER) if commit else None
        text = repository.blob(entry[1], limit=MOST) if entry is not None else b""
    except NomicError:
        text = b""
    return text.decode("ascii", "replace")


def _take(game: Game, orders: Sequence[HandedIn], at: int, since: int, done: Round) -> Iterator[str]:
    """Take what lies there, and what came in another way; gives those that have done their work, those of what is no order too."""
    for each in settle(game, orders, at, since):
        name = each.order.name
        lies = name.startswith(HEADS)
        if lies and each.until is not None:
            done.later[name] = clock.text(each.until)
            continue
        if lies and each.tomorrow:
            done.waiting.append(name)  # it lies there tomorrow, too
            continue
        if each.taken is not None:
            done.taken.append(each.taken.recorded.commit)
        elif not each.twice:
            done.unfit[name] = printable(each.why_not, 200) if each.order.armour else "it holds no order"
        yield name


def deliver(game: Game, upstream: Upstream, now: int) -> int:
    """Write all letters anew where one says something new; how many were written."""
    noted = Path(game.repository.git_dir, _NOTED)
    there = upstream.heads(LETTERS).get(HEADS + LETTERS)
    sealer, mail = ordering.sealer_of(game), lettering.Mail.of(game, now)
    digest = said(mail, sealer)
    if digest is None or (noted.exists() and noted.read_text() == f"{digest} {there}"):
        return 0
    commit = written(game.repository, mail, sealer)
    move = Move(HEADS + LETTERS, there, commit)
    upstream.lay(move.ref, commit, leave.of(sealer, move))
    noted.parent.mkdir(exist_ok=True)
    noted.write_text(f"{digest} {commit}")
    return len(mail.texts)


def said(mail: lettering.Mail, sealer: Sealer) -> str | None:
    """What tells whether letters say something new, to nobody without the key; None where nobody has a mailbox."""
    texts = {player: text.decode() for player, text in mail.texts.items()}
    state = json.dumps([sorted(mail.boxes.items()), sorted(texts.items())])
    return sealer.dice("letters", state).hex() if texts else None


def written(repository: Repository, mail: lettering.Mail, sealer: Sealer) -> str:
    """All letters, as a commit that stands on nothing."""
    files = {f"{player}.age": content for player, content in mail.packed(sealer).items()}
    return repository.lone(files, "Letters")


def fetched_letter(game: Game, upstream: Upstream, player: str) -> bytes | None:
    """A player's letter as it lies at a remote; None where none does."""
    commit = upstream.bring(HEADS + LETTERS)
    if not commit:  # nor where somebody has laid down what Git takes for none
        return None
    return game.repository.file(game.repository.commit(commit).tree, f"{player}.age")


def refuse_former(game: Game, upstream: Upstream) -> None:
    """Refuse to hand in an order for a term that is over where this clone does not know that yet."""
    there = upstream.fetch()
    if there is None:
        return
    terms = terms_at(game.repository, game.repository.commit(there).tree)
    if terms and terms[-1].number > game.terms[-1].number:
        raise Refused.of(
            f"term {terms[-1].number} has begun, with another key, and this clone is in term {game.terms[-1].number}",
            mend="bring it up to date, and make the order anew: nomicgit sync",
        )


def untaken(upstream: Upstream) -> int:
    """How many orders lie at a remote."""
    return len(upstream.heads(ORDERS))


def hand_in(repository: Repository, upstream: Upstream, armour: str, name: str) -> str:
    """Lay an order down at a remote, on a branch of its own; gives its name."""
    ref = f"{HEADS}{ORDERS}{name}"
    upstream.lay(ref, repository.lone({ORDER: armour.encode()}, "Order"))
    return ref
