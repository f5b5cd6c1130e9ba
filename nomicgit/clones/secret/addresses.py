"""Mailboxes as the keeper sees them: which ones wait, and which of them are their players' for sure.

Whoever can push can register one in another's name, and date that as early as the last deed allows. So a mailbox waits from
when the keeper has seen it, which a sealed deed tells everybody; in those hours its player, or the keeper, can say no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from nomicgit.git import Commit
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.keyed import Judged, begins
from nomicgit.record import journal
from nomicgit.record.game import Game, new_id
from nomicgit.record.signers import Asked, plays, signers_in, standing

LATELY = 7 * 86_400
"""Seconds after its registering in which the keeper can still say that a mailbox is its player's, though another has pushed it
out.
"""


class Waiting(NamedTuple):
    """A mailbox that waits: its player (id), its public key, whether it takes the place of another, from when on letters go there
    (seconds, UTC; None: the keeper has yet to see it), and who else (by id) has the same one.
    """

    player: str
    recipient: str
    replaces: bool
    begins: int | None
    others: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """By which the keeper means this one, and no other that is registered meanwhile."""
        return f"{self.player}={self.recipient}"


class Noted(NamedTuple):
    """What a round has said of a mailbox, and by which commit."""

    box: Waiting
    judged: Judged
    commit: str


def registered(game: Game) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The players (by id) who have a mailbox, as the game has it, be it that it waits."""
    for name in game.tree.ids("players"):
        kept = (game.tree.entity(f"players/{name}") or {}).get("mailbox")
        if isinstance(kept, Mapping):
            yield name, kept


def waiting(game: Game, now: int) -> list[Waiting]:
    """The mailboxes to which no letter goes yet at a time (seconds, UTC)."""
    known = dict(registered(game))
    boxes = (
        Waiting(name, str(kept["recipient"]), bool(kept["before"]), begins(kept), tuple(
            other for other, its in known.items() if other != name and its["recipient"] == kept["recipient"]
        ))
        for name, kept in known.items()
        if "before" in kept
    )  # fmt: skip
    return [box for box in boxes if box.begins is None or box.begins > now]


def judge(game: Game, words: Mapping[str, Judged], at: int) -> Iterator[Noted]:
    """Say whose the mailboxes are that the keeper names (``NAME=RECIPIENT``). One that another has
    pushed out can be said to be its player's all the same. Refused, and nothing done, where one neither waits nor did.
    """
    there = {(box.player, box.recipient): box for box in waiting(game, at)}
    meant = {}
    for word, judged in words.items():
        name, _, recipient = word.partition("=")
        player = game.tree.spelled(name)
        box = there.get((player, recipient))
        if box is None and judged == Judged.THEIRS and _pushed_out(game, player, recipient, at):
            box = Waiting(player, recipient, replaces=False, begins=None)
        if box is None:
            raise Refused.of(
                f"no mailbox {printable(word, 120)} waits, nor was one registered lately that could be confirmed; "
                "so nothing is said of any mailbox, and no round is made",
                mend=remedy("name one that does, as the round tells it:", command("nomicgit", "keep")),
            )
        meant[box] = judged
    for box, judged in meant.items():
        yield _noted(game, box, judged, at)


def _pushed_out(game: Game, player: str, recipient: str, at: int) -> bool:
    """Whether a mailbox was registered lately in a player's name, and neither waits nor counts since another was."""
    if any((who, kept["recipient"]) == (player, recipient) for who, kept in registered(game)):
        return False
    for commit in journal.standing(game.repository.log(game.head.oid)):
        entry = journal.told(commit.message)
        if entry is None:
            continue
        if entry.deed.at < at - LATELY:
            return False
        if (entry.deed.action, entry.deed.actor, entry.deed.given.get("recipient")) == (
            Outside.MAILBOX,
            player,
            recipient,
        ):
            return True
    return False


def was_registered(game: Game, player: str, recipient: str) -> bool:
    """Whether a mailbox was ever registered in a player's name (by id), be it that it does not count any more."""
    for commit in game.repository.log(game.head.oid):
        entry = journal.told(commit.message) if recipient in commit.message else None
        if entry is not None and (entry.deed.action, entry.deed.actor) == (Outside.MAILBOX, player):
            return True
    return False


def see(game: Game, at: int, theirs: Callable[[Waiting], bool] | None = None) -> Iterator[Noted]:
    """Say of mailboxes that nobody with the key has seen that their time runs; of those that are their players' for sure that
    letters go there at once. ``theirs``: what else makes a first one sure. Nothing is said of one in the keeper's own name that is
    not sure: its time never runs, for who makes rounds by a timer reads in no round that they should say no.
    """
    for box in waiting(game, at):
        if box.begins is None:
            first = not box.replaces
            sure = first and ((theirs is not None and theirs(box)) or _is_theirs(game, box))
            if sure or not keepers_own(game, box.player):
                yield _noted(game, box, Judged.THEIRS if sure else Judged.SEEN, at)


def keepers_own(game: Game, player: str) -> bool:
    """Whether a player (by id) is who keeps the key, whose word alone lets a mailbox in their name count that need not be theirs."""
    return player == game.terms[-1].keeper


def vouch(game: Game, player: str, at: int) -> None:
    """Say that the mailbox which waits for a player is theirs, where one does: who has the key has registered it."""
    for box in waiting(game, at):
        if box.player == player:
            _noted(game, box, Judged.THEIRS, at)


def _noted(game: Game, box: Waiting, judged: Judged, at: int) -> Noted:
    given = {"player": box.player, "recipient": box.recipient, "is": str(judged)}
    done = game.act(Deed(new_id(at), game.terms[-1].keeper, Outside.ADDRESS, given, at))
    return Noted(box, judged, done.commit)


def _is_theirs(game: Game, box: Waiting) -> bool:
    """Whether a first mailbox is its player's for sure: in practice anybody's word is good, but for who keeps the key, and reads
    all; else where the game takes no deed that is not signed, for elsewhere whoever is first to name a key is believed.
    """
    if in_practice(game):
        return not keepers_own(game, box.player)
    commit = _registering(game, box) if waits_for_no_first(game, box.player) else None
    return commit is not None and _is_signed(game, commit)


def in_practice(game: Game) -> bool:
    """Whether a game is for practice."""
    return game.settings.time == "given"


def waits_for_no_first(game: Game, player: str = "") -> bool:
    """Whether a player's first mailbox (they by id; else anybody's but the keeper's) is theirs as soon as the keeper has seen it."""
    if in_practice(game):
        return not keepers_own(game, player)
    return game.settings.signed == Asked.REQUIRED


def _registering(game: Game, box: Waiting) -> Commit | None:
    """The commit by which a mailbox was registered."""
    for commit in journal.standing(game.repository.log(game.head.oid)):
        entry = journal.told(commit.message)
        if entry is not None and (entry.deed.action, entry.deed.actor) == (Outside.MAILBOX, box.player):
            return commit if entry.deed.given.get("recipient") == box.recipient else None
    return None


def _is_signed(game: Game, commit: Commit) -> bool:
    """Whether a deed is signed with a key that stood in the game before it, where it had to be."""
    entry, repository = journal.told(commit.message), game.repository
    if entry is None or not commit.parents:
        return False
    before = repository.commit(commit.parents[0]).tree
    deed, there, stored = entry.deed, signers_in(repository, before), repository.read(commit.oid)[1]
    by = standing(deed, stored, there, Asked.REQUIRED, plays=lambda: plays(repository, before, deed))
    return by.signed is True
