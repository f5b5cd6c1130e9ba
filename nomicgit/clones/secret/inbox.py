"""What lies at a plain remote for the keeper: orders on branches of their own, and what somebody has laid in their way.

Whoever can push lays there what they like, as much as they like: a round looks at so many branches, whose names choose nothing,
and takes away what is none. A branch that stands where these are to lie would keep Git from laying them: it goes too.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from nomicgit.clones.secret import leave, lettering
from nomicgit.clones.secret.leave import LETTERS, MOST, ORDER, ORDERS, SHARES
from nomicgit.git import Repository, TooLarge
from nomicgit.git.incoming import Move
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.physics.deeds import keyed
from nomicgit.physics.state import writing
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.record.secret.turns import Made
from nomicgit.sealing.orders import Order

ROUND = 100
"""Orders that are taken in one round."""
LOOKED = 5000
"""Branches at which a round looks for them."""
FETCHES = 100
"""Fetches of a round: what Git takes together comes together, and what is broken is sought by halves."""
TOGETHER = 500
"""Branches that are fetched at once."""
MOVED = 100
"""Branches that one push takes away: a host lets in no more."""


class Lying(NamedTuple):
    """What lies there for a round: the orders that it takes, and what is none, by the names of their branches; the branches of
    orders that are more than a day takes of their player; how many these are, by the player's id; and why branches hold none.
    """

    orders: dict[str, str]
    over: list[str]
    whose: Counter[str]
    empty: dict[str, str]


def lying(
    game: Game,
    upstream: Upstream,
    there: Mapping[str, str],
    turn: Callable[[str], bytes],
    *,
    at: int,
) -> Lying:
    """The orders that a round takes of those ``there``, and what is none: empty, or unfit; ``at``: its time (seconds, UTC).
    ``turn``: whose come first, where there are more than a round takes, hangs on no name that
    somebody has chosen; each player's own are taken in the order in which they were made.
    """
    refs = sorted(there, key=turn)[:LOOKED]
    texts, whys = dict[str, str](), dict[str, str]()
    for commits, came in _fetched(upstream, sorted({there[ref] for ref in refs})):
        for commit in commits:
            texts[commit], whys[commit] = (
                _order_of(game.repository, commit) if came else ("", "Git does not take what it holds")
            )
    looked = {ref: texts[there[ref]] for ref in refs if there[ref] in texts}
    keeping = game.keeping()
    assert keeping is not None, "only a game with keys has orders"
    world = lettering.open_world(game, keeping)
    fit, former, own = set[str](), set[str](), dict[str, list[tuple[Made, str]]]()
    for text in dict.fromkeys(looked.values()):
        order = _read(game, text)
        if order is None:
            continue
        fit.add(text)
        if _is_taken(world, order.nonce):
            former.add(text)
        else:
            own.setdefault(whose(game, order), []).append((ordering.made(order, at), text))
    in_room, over = dict[str, str](), dict[str, str]()
    next_of = dict[str, deque[str]]()
    for who, those in own.items():
        in_turn, room = [text for _, text in sorted(those)], _room_for(world, at, who)
        in_room |= dict.fromkeys(in_turn[:room], who)
        over |= dict.fromkeys(in_turn[room:], who)
        next_of[who] = deque(in_turn[:room])
    taken = {*sorted(former)[:ROUND]}  # these are refused, and take no place of another
    places = [in_room[text] for text in dict.fromkeys(looked.values()) if text in in_room][:ROUND]
    taken |= {next_of[who].popleft() for who in places}
    orders = {ref: text for ref, text in looked.items() if text not in fit or text in taken}
    empty = {ref: whys[there[ref]] for ref, text in orders.items() if not text}
    return Lying(orders, [ref for ref, text in looked.items() if text in over], Counter(over.values()), empty)


def whose(game: Game, order: Order) -> str:
    """Under what an order is counted: its player's id, or NOBODY."""
    who = game.tree.spelled(order.by)
    return who if who in game.tree.ids("players") else keyed.NOBODY


def _room_for(world: Transaction, at: int, who: str) -> int:
    """How many orders of a player (by id) are still taken on the day of a time (seconds, UTC)."""
    kept = keyed.taken_on(writing.stored(world, "open", "orders", {}), world.calendar.date(at))
    return max(0, keyed.A_DAY - int(kept.get(who, {"count": 0})["count"]))


def _is_taken(world: Transaction, nonce: str) -> bool:
    """Whether the order that this makes good once was taken already."""
    return nonce in writing.stored(world, "open", "orders", {}).get("nonces", {})


def _fetched(upstream: Upstream, commits: Sequence[str]) -> Iterator[tuple[Sequence[str], bool]]:
    """Fetch commits; of each part whether Git has taken it."""
    parts = [commits[at : at + TOGETHER] for at in range(0, len(commits), TOGETHER)]
    for _ in range(FETCHES):
        if not parts:
            return
        part = parts.pop()
        came = upstream.brings(part)
        if came or len(part) == 1:
            yield part, came
        else:
            parts += [part[: len(part) // 2], part[len(part) // 2 :]]


def _read(game: Game, text: str) -> Order | None:
    with suppress(Refused):
        return ordering.opened(game, text)
    return None


def _order_of(repository: Repository, commit: str) -> tuple[str, str]:
    """The order that a commit holds, and ""; or "" where it holds none, and why that is so."""
    try:
        entry = repository.entry(repository.commit(commit).tree, ORDER)
        if entry is None:
            return "", f"no file `{ORDER}` lies in it"
        text = repository.blob(entry[1], limit=MOST).decode("ascii", "replace")
    except TooLarge:
        return "", f"its file `{ORDER}` is larger than {MOST >> 10} KiB"
    except NomicError:
        return "", f"what it calls `{ORDER}` is no file"
    return text, "" if text else f"its file `{ORDER}` is empty"


def take_away(game: Game, upstream: Upstream, there: Mapping[str, str], refs: Collection[str]) -> None:
    """Take branches away that lie ``there``; another clone of the keeper's may take some of them away meanwhile."""
    sealer = ordering.sealer_of(game)
    moves = [Move(ref, there[ref], None) for ref in refs if ref in there]
    for at in range(0, len(moves), MOVED):
        part = moves[at : at + MOVED]
        while part:
            try:
                upstream.lay(
                    dict.fromkeys((move.ref for move in part), None),
                    [leave.of(sealer, move) for move in part],
                )
                break
            except Refused:
                lie = upstream.heads(*(move.ref.removeprefix(HEADS) for move in part))
                left = [move for move in part if move.ref in lie]
                if len(left) == len(part):
                    raise
                part = left


def in_the_way(upstream: Upstream) -> dict[str, str]:
    """The branches that keep Git from laying orders, letters or shares down, with where they stand."""
    there = upstream.heads(ORDERS.rstrip("/"), f"{LETTERS}/", f"{SHARES}/")
    return {ref: oid for ref, oid in there.items() if leave.is_in_the_way(ref)}


def untaken(upstream: Upstream) -> int:
    """How many orders lie at a remote."""
    return len(upstream.heads(ORDERS))


def hand_in(repository: Repository, upstream: Upstream, armour: str, name: str) -> str:
    """Lay an order down at a remote, on a branch of its own; gives its name."""
    ref = f"{HEADS}{ORDERS}{name}"
    try:
        upstream.lay({ref: repository.lone({ORDER: armour.encode()}, "Order")})
    except Refused:
        if HEADS + ORDERS.rstrip("/") not in in_the_way(upstream):
            raise
        raise Refused.of(
            "a branch `orders` lies where orders are handed in, so that none can be",
            mend="the keeper's next round takes it away: hand it in anew then",
        ) from None
    return ref
