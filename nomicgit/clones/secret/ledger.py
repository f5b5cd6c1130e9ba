"""The ledger of letters: what sealed deeds have told whom, what became of whose orders, and who has left, up to a commit.

It lies in the clone of whoever has the key, sealed by that, so that a round opens only what is new. Where it does not lie
there, or another key has sealed it, or a mend has set deeds aside since, all is opened again, and comes out the same.
"""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, field

from nomicgit.git import Commit
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError
from nomicgit.physics.deeds.keyed import begins, in_effect
from nomicgit.record import journal, keepsakes
from nomicgit.record.game import Game
from nomicgit.record.secret import keyring, veil
from nomicgit.record.secret.veil import Behind
from nomicgit.record.tree import GameTree
from nomicgit.sealing.keys import Part, Sealer

FILE = "nomicgit/ledger"
"""In the folder of Git."""
STEP = 8 << 10  # bytes
MOST = 400_000
"""Letters of what somebody was told and ordered, the newest first: beyond that the oldest is left out of their letter."""
SHOWN = 1_000
"""Letters of an order's parameters, beyond which a letter leaves them out."""

Entries = dict[str, list[dict[str, Any]]]
"""What letters tell, oldest first, by player (id)."""


class Left(NamedTuple):
    """Who is no player any more: the deed by which they left, when, what its commit says in a line, the mailbox to which their
    letters went then ("" where they had none), and from when on (seconds, UTC) where their first one waited then.
    """

    deed: str
    at: str
    what: str
    recipient: str
    begins: int = 0


class Ledger(Struct):
    """What letters are written from, up to a commit. ``newest``: the time of the last sealed deed that stands; ``mended``: that of
    the last mend, after which letters may tell less.
    """

    tip: str = ""
    newest: str = ""
    mended: str = ""
    told: Entries = field(default_factory=dict)
    orders: Entries = field(default_factory=dict)
    left: dict[str, Left] = field(default_factory=dict)

    def enter(self, deeds: Sequence[Behind]) -> None:
        """Add what stands behind the veil of later deeds, oldest first."""
        messages, orders = defaultdict(list, self.told), defaultdict(list, self.orders)
        for behind in deeds:
            at, deed = clock.text(behind.deed.at), behind.deed
            self.newest = at
            for who, text in behind.messages:
                messages[who].append({"deed": deed.id, "at": at, "text": text})
            if (answer := answer_to(behind)) is not None:
                orders[str(deed.actor)].append(answer)
        self.told, self.orders = _bounded(messages), _bounded(orders)

    def of(self, player: str) -> dict[str, list[dict[str, Any]]]:
        """What the letter of a player (by id) tells."""
        return {"told": self.told.get(player, []), "orders": self.orders.get(player, [])}


def answer_to(behind: Behind) -> dict[str, Any] | None:
    """What a letter tells whoever it names of an order that became a deed, and of a private deed that nobody ordered (its
    ``nonce`` is ""), which whoever has the key did in their name; None of what everybody sees in the journal.
    """
    deed = behind.deed
    if deed.actor is None or (deed.nonce is None and not behind.private):
        return None
    return {
        "deed": deed.id, "at": clock.text(deed.at), "nonce": deed.nonce or "", "action": deed.action, "with": shown(deed.given),
        "refused": behind.refusal, "failures": list(behind.failures), "dice": list(behind.dice),
    }  # fmt: skip


def up_to_now(game: Game, sealer: Sealer) -> Ledger:
    """The ledger up to the last deed of a game; what of it is new is entered now."""
    ledger, new = _kept(game, sealer)
    if ledger.tip != game.head.oid:
        ledger.enter(list(_behind(game, sealer, new))[::-1])
        mends = (each.author_time for each in new if journal.goes_back_to(each.message) is not None)
        ledger.mended = max([ledger.mended, *map(clock.text, mends)])
        ledger.left = dict(_left(game, ledger))
        ledger.tip = game.head.oid
        _keep(game, sealer, ledger)
    return ledger


def fits(entries: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a letter has room for so much."""
    return sum(len(json.dumps(entry)) for entry in entries) <= MOST


def left_by(game: Game, player: str) -> Left | None:
    """How somebody (by id) has left; None where they play, or never did."""
    return dict(_left(game, Ledger(), player)).get(player) if player not in game.tree.ids("players") else None


def _kept(game: Game, sealer: Sealer) -> tuple[Ledger, list[Commit]]:
    """The ledger as it lies in this clone, with the commits that came since; an empty one, and all, where it is of no use."""
    ledger, new = _opened(game, sealer), list[Commit]()
    for commit in game.repository.log(game.head.oid):
        if ledger is not None and commit.oid == ledger.tip:
            return ledger, new
        if ledger is not None and journal.goes_back_to(commit.message) is not None:
            ledger = None
        new.append(commit)
    return Ledger(), new


def _opened(game: Game, sealer: Sealer) -> Ledger | None:
    shut = keepsakes.kept(game.repository, FILE)
    try:
        text = sealer.opened(Part.NEVER, "letters", game.terms[-1].since, base64.b64decode(str(shut)))
    except (NomicError, ValueError):
        return None
    plain = json.loads(text)
    return Ledger(**plain | {"left": {name: Left(*each) for name, each in plain["left"].items()}})


def _keep(game: Game, sealer: Sealer, ledger: Ledger) -> None:
    plain = json.dumps({name: getattr(ledger, name) for name in Ledger.__struct_fields__})
    shut = sealer.shut(Part.NEVER, "letters", game.terms[-1].since, plain.encode(), STEP)
    keepsakes.keep(game.repository, FILE, base64.b64encode(shut).decode())


def shown(given: Mapping[str, object]) -> dict[str, object]:
    """An order's parameters as a letter repeats them; none where they are long, for its owner knows them."""
    return dict(given) if len(json.dumps(given)) <= SHOWN else {}


def _bounded(entries: Entries) -> Entries:
    return {who: _newest(own) for who, own in entries.items()}


def _newest(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many of the newest as a letter has room for."""
    room, kept = MOST, list[dict[str, Any]]()
    for entry in reversed(entries):
        room -= len(json.dumps(entry))
        if room < 0:
            break
        kept.append(entry)
    return kept[::-1]


def _behind(game: Game, sealer: Sealer, commits: Sequence[Commit]) -> Iterator[Behind]:
    """What stands behind the veil of sealed deeds, the newest first: of this term, and of those whose keys were passed on."""
    terms = list(game.terms)
    sealers = {game.terms[-1].number: sealer}
    for key in keyring.earlier_keys(terms, sealer):
        sealers |= {term.number: Sealer(key, sealer.game) for term in terms if term.fits(key)}
    for commit in journal.standing(commits):
        entry = journal.told(commit.message)
        of_term = sealers.get(terms[-1].number)
        if of_term is None:
            return
        behind = veil.behind(entry, of_term) if entry is not None and entry.sealed else None
        if behind is not None:
            yield behind
        if entry is not None and entry.deed.id == terms[-1].since:
            terms.pop()
            if not terms:
                return


def _left(game: Game, ledger: Ledger, one: str = "") -> Iterator[tuple[str, Left]]:
    """Who has left, by id, and how: known already, or sought from the newest deed back. ``one``: nobody else is asked for."""
    names: Mapping[str, object] = (game.tree.entity("used") or {}).get("names", {})
    gone = (set(names) & {one} if one else set(names)).difference(game.tree.ids("players"))
    after: Commit | None = None
    for commit in journal.standing(game.repository.log(game.head.oid)) if gone else ():
        if commit.oid == ledger.tip:
            yield from ((name, ledger.left[name]) for name in gone & ledger.left.keys())
            gone -= ledger.left.keys()
        here = GameTree(game.repository, commit.tree)
        for name in gone.intersection(here.ids("players")) if after is not None else ():
            gone.discard(name)
            yield name, _leaving(after, here, name)
        after = commit
        if not gone:
            return


def _leaving(commit: Commit | None, before: GameTree, name: str) -> Left:
    """How somebody has left by a commit, in whose parent they play."""
    assert commit is not None
    entry = journal.told(commit.message)
    at = entry.deed.at if entry is not None else commit.author_time
    box = (before.entity(f"players/{name}") or {}).get("mailbox")
    recipient, begun = in_effect(box, at) if isinstance(box, Mapping) else "", 0
    if isinstance(box, Mapping) and not recipient:
        from_then = at if before.settings.time == "given" else begins(box)
        recipient, begun = (str(box["recipient"]), from_then) if from_then is not None else ("", 0)
    what = commit.message.partition("\n")[0]
    return Left(entry.deed.id if entry is not None else "", clock.text(at), what, recipient, begun)
