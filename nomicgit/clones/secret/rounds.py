"""The keeper's round: fetch, let the clock run, take orders, push, write letters. Source: ``docs/secrets.md``.

It is what a steward does, over nothing but a Git remote: both play the same ``course``. Orders lie there on branches
``orders/…``, letters on ``letters``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from nomicgit.clones.others import vetting
from nomicgit.clones.resolving import Resolved, resolve
from nomicgit.clones.secret import addresses, awaited, course, inbox, leave
from nomicgit.clones.secret.addresses import Noted
from nomicgit.clones.secret.leave import LETTERS, ORDERS
from nomicgit.clones.secret.lettering import May
from nomicgit.clones.secret.taking import HandedIn, Settled
from nomicgit.clones.synced import Stopped, Synced
from nomicgit.clones.tending import then, together
from nomicgit.git import Repository
from nomicgit.git.incoming import Move
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.deeds.keyed import Judged
from nomicgit.record.game import Game, Recorded
from nomicgit.record.secret import ordering
from nomicgit.record.secret.keyring import terms_at
from nomicgit.record.signers import refuse_hand
from nomicgit.sealing.keys import Key, Sealer

_NOTED = "nomicgit/letters"


class Round(Struct):
    """What a round has done: its time (seconds, UTC), the clock's deed, orders that were taken,
    those that are none (by the name of their branch, with the reason), those that wait for tomorrow, or for the next time at
    which orders are taken, of how many of whom (by id) a day takes no more, how many are left for the next round, the mailboxes
    of which something was said, what was resolved, whether letters were written, what came, was pushed, and became of own deeds
    where the clone and what it follows were brought together, and of the orders that were taken those in the keeper's own name
    that were not made in this clone.
    """

    at: int = 0
    clock: str | None = None
    taken: list[str] = field(default_factory=list)
    unfit: dict[str, str] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    later: dict[str, str] = field(default_factory=dict)
    over: Counter[str] = field(default_factory=Counter)
    left: int = 0
    mailboxes: list[Noted] = field(default_factory=list)
    resolved: list[Resolved] = field(default_factory=list)
    letters: int = 0
    synced: Synced = field(default_factory=Synced)
    own: list[str] = field(default_factory=list)


def keep(
    repository: Repository,
    upstream: Upstream | None,
    when: Callable[[Game], int],
    may: May,
    key: Key | None = None,
    handed: Sequence[str] = (),
    mailboxes: Mapping[str, Judged] | None = None,
    admin: str | None = None,
    vet: Callable[[Repository, str], None] = vetting.refuse_unsound,
) -> Round:
    """Make a round. ``when``: at which time (seconds, UTC), once all is fetched. ``may``: what letters say that their players
    may do. ``upstream``: where others push to; None where
    all play in this clone. ``key``: the game's, where that is not the one in this clone. ``handed``: orders that came in
    another way than by a branch. ``mailboxes``: whose the keeper says that mailboxes are, by ``NAME=RECIPIENT``. ``admin``: in whose
    name matters are resolved; None: none. ``vet``: replays what is new, up to a head, and refuses what is at fault.
    """
    done = Round()
    done.synced = _together(repository, upstream, vet)
    game = Game.open(repository.root or repository.git_dir, key)
    ordering.sealer_of(game)
    refuse_hand(repository, game.tree, "keeper")
    since, now = game.last(), when(game)
    at = done.at = ordering.time_of_round(game, now)
    done.mailboxes += addresses.judge(game, mailboxes or {}, at)
    settled = []
    for each in course.played(game, lambda: _orders(game, upstream, handed, now, done), at, since):
        match each:
            case Recorded():
                done.clock = each.commit
            case Noted():
                done.mailboxes.append(each)
            case Settled() if _note(done, each, game):
                settled.append(each.order.name)
    done.resolved += resolve(game, admin, at) if admin is not None else ()
    if done.clock or done.taken or done.mailboxes or done.resolved:
        done.synced = then(done.synced, lambda: _together(repository, upstream, vet))
        became = {each.was: each.commit for each in done.synced.laid}  # where another clone was faster
        done.taken = [commit for each in done.taken if (commit := became.get(each, each)) is not None]
        done.own = [commit for each in done.own if (commit := became.get(each, each)) is not None]
    if upstream is not None:
        game = Game.open(repository.root or repository.git_dir, key)
        inbox.take_away(game, upstream, upstream.heads(ORDERS), settled)
        done.letters = deliver(game, upstream, now, may)
    return done


def _orders(
    game: Game, upstream: Upstream | None, handed: Sequence[str], now: int, done: Round
) -> Iterator[HandedIn]:
    """The orders of a round: those that came by hand, and those that lie at the remote; what is in their way is taken away."""
    yield from (HandedIn(f"--order {number}", text, at_once=True) for number, text in enumerate(handed, 1))
    if upstream is None:
        return
    there = inbox.in_the_way(upstream)
    inbox.take_away(game, upstream, there, there)
    done.unfit |= dict.fromkeys(there, "it lay in the way of orders, letters or shares, and is taken away")
    there, sealer = upstream.heads(ORDERS), ordering.sealer_of(game)
    lies = inbox.lying(game, upstream, there, lambda ref: _turn(sealer, now, ref), at=done.at)
    done.waiting, done.over = lies.over, lies.whose
    done.left = len(there) - len(lies.orders) - len(lies.over)
    yield from (HandedIn(ref, text, empty=lies.empty.get(ref, "")) for ref, text in lies.orders.items())


def _together(
    repository: Repository, upstream: Upstream | None, vet: Callable[[Repository, str], None]
) -> Synced:
    """Bring both together, and replay what is new. Refused upon one that is no
    deed, for what cannot be pushed, no letter may tell; and upon one that is not what its deed makes, which may be a law that
    tells secrets.
    """
    synced = together(repository, upstream)
    try:
        vet(repository, str(repository.head()))
    except Refused as wrong:
        raise Stopped.after(synced, wrong.problems) from wrong
    return synced


def _turn(sealer: Sealer, now: int, ref: str) -> bytes:
    return sealer.dice("branch", str(now), ref.encode("utf-8", "replace").hex())


def _note(done: Round, each: Settled, game: Game) -> bool:
    """Note what became of an order. Whether it has done its work, as one has that is none."""
    name = each.order.name
    lies = name.startswith(HEADS)
    if lies and each.until is not None:
        done.later[name] = clock.text(each.until)
        return False
    if lies and each.tomorrow:
        done.waiting.append(name)  # it lies there tomorrow, too
        done.over[inbox.whose(game, ordering.opened(game, each.order.armour))] += 1
        return False
    if each.taken is not None:
        done.taken.append(each.taken.recorded.commit)
        if each.taken.player == game.terms[-1].keeper and each.taken.nonce not in awaited.made(game):
            done.own.append(each.taken.recorded.commit)
    elif not each.twice:
        why = f"{each.why_not}; give it once more tomorrow" if each.tomorrow else each.why_not
        done.unfit[name] = printable(why, 200) if each.order.armour else _empty(each.order)
    return True


def _empty(order: HandedIn) -> str:
    return f"it holds no order: {order.empty or 'it is empty'}"


def deliver(game: Game, upstream: Upstream, now: int, may: May) -> int:
    """Write all letters anew where one says something new; how many were written."""
    noted = Path(game.repository.git_dir, _NOTED)
    there = upstream.heads(LETTERS).get(HEADS + LETTERS)
    digest, _, lay = noted.read_text().partition(" ") if noted.exists() else ("", "", "")
    new = course.letters(game, now, may, digest if lay == str(there) else "")
    if new is None:
        return 0
    move = Move(HEADS + LETTERS, there, new.commit)
    upstream.lay({move.ref: new.commit}, [leave.of(ordering.sealer_of(game), move)])
    noted.parent.mkdir(exist_ok=True)
    noted.write_text(f"{new.said} {new.commit}")
    return new.written


def fetched_letter(game: Game, upstream: Upstream, player: str) -> bytes | None:
    """A player's letter as it lies at a remote, empty where somebody has laid down what is none; None where nothing lies there,
    or letters for others alone.
    """
    commit = upstream.bring(HEADS + LETTERS)
    if commit is None:
        return None
    if not commit:  # Git takes none of it
        return b""
    repository = game.repository
    try:
        tree = repository.commit(commit).tree
        entry = repository.entry(tree, f"{player}.age")
        if entry is None:
            return None if all(name.endswith(".age") for name in repository.tree(tree)) else b""
        return repository.blob(entry[1])
    except NomicError:
        return b""


def refuse_former(game: Game, upstream: Upstream) -> None:
    """Refuse to hand in an order for a term that is over where this clone does not know that yet."""
    there = upstream.fetch()
    if there is None:
        return
    terms = terms_at(game.repository, game.repository.commit(there).tree)
    if terms and terms[-1].number > game.terms[-1].number:
        raise Refused.of(
            f"term {terms[-1].number} has begun, with another key, and this clone is in term {game.terms[-1].number}",
            mend=remedy("bring it up to date, and make the order anew:", command("nomicgit", "sync")),
        )
