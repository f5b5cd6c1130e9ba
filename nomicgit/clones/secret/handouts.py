"""Shares of a game's key that are handed out, on a branch without history: each encrypted to its player's mailbox, with the
keeper's signature within, since whoever can push can lay down what they have made up, or a share of their own in another's place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from nomicgit.clones.secret import leave, lettering
from nomicgit.git.incoming import Move
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed, NomicError, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import keepsakes
from nomicgit.record.game import Game
from nomicgit.record.secret.ordering import sealer_of
from nomicgit.sealing import age
from nomicgit.sealing.keys import signed
from nomicgit.sealing.padding import padded, unpadded
from nomicgit.sealing.shares import shares

BRANCH: Final = HEADS + leave.SHARES
STEP = 1024  # bytes
MARK = "nomicgit/1/share\n"
"""Stands before what is signed, so that the signature is good for nothing else."""
ANEW = ("nomicgit", "keys", "share", "--anew")


class Handed(NamedTuple):
    """Shares as this clone has handed them out: of which term's key, how many are that key, the mailbox to which each
    player's (by id) is sealed, and the commit in which they lie.
    """

    term: int
    needed: int
    to: Mapping[str, str]
    commit: str


def hand_out(
    game: Game, upstream: Upstream, needed: int, players: Sequence[str], now: int, by: str | None
) -> None:
    """Lay a share of the key of now down for each of these players (by id), in place of those that lay there; any ``needed``
    of them are the key. Each says when, in whose name (an id; None: the keeper's), and to whom all of them went. Refused where
    one has no mailbox at that time (seconds, UTC).
    """
    boxes = lettering.mailboxes(game, now)
    if without := [game.tree.called(each) for each in players if each not in boxes]:
        raise Refused.of(
            f"no mailbox of {', '.join(without)} is known to the game, or it waits still",
            mend=remedy(
                "they register one, and sync; the keeper's next round tells how it counts at once:",
                command("nomicgit", "letters", "--register"),
                "or hand them to others:",
                command("nomicgit", "keys", "share", "NEEDED", "--to", "NAME"),
            ),
        )
    sealer = sealer_of(game)
    written = shares(sealer.key, needed, len(players))
    said = f"{clock.text(now)} {by or game.terms[-1].keeper or '-'} {needed} {' '.join(players)}"
    texts = {player: f"{words}\n{said}" for player, words in zip(players, written, strict=True)}
    files = {
        f"{player}.age": age.encrypted(
            padded(f"{sealer.signature(_over(player, text))}\n{text}".encode(), STEP),
            [boxes[player]],
            armour=False,
        )
        for player, text in texts.items()
    }
    move = Move(BRANCH, upstream.heads(leave.SHARES).get(BRANCH), game.repository.lone(files, "Shares"))
    upstream.lay({BRANCH: move.new}, [leave.of(sealer, move)])
    to = {player: boxes[player] for player in players}
    keepsakes.keep(game.repository, keepsakes.SHARES, [game.terms[-1].number, needed, to, move.new])


def _over(player: str, text: str) -> bytes:
    return f"{MARK}{player}\n{text}".encode()


def handed(game: Game) -> Handed | None:
    """The shares that this clone has handed out last; None where it remembers none."""
    match keepsakes.kept(game.repository, keepsakes.SHARES):
        case [int(term), int(needed), dict(to), str(commit)]:
            return Handed(term, needed, to, commit)
    return None


def is_over(game: Game) -> bool:
    """Whether the shares that this clone has handed out last were so for another keeper than the one of now, so that nothing is to be
    done about them here: only the keeper of the present term hands any out.
    """
    last = handed(game)
    return last is not None and _keeper_in(game, last.term) != game.terms[-1].keeper


def _keeper_in(game: Game, term: int) -> str | None:
    return next((each.keeper for each in game.terms if each.number == term), game.terms[-1].keeper)


def refuse_former(game: Game, who: str | None) -> None:
    """Refuse to hand out shares in the name of somebody (by id) who does not keep the key now."""
    keeper = game.terms[-1].keeper
    if who is not None and keeper is not None and who != keeper:
        raise Refused.of(
            f"{game.tree.called(keeper)} keeps the key of this term, and nobody else hands out shares of it",
            mend=remedy(
                "whoever has laid down their own copy of it takes that out:",
                command("nomicgit", "keys", "forget"),
            ),
        )


def outdated(game: Game, now: int) -> Iterator[str]:
    """Why the shares that this clone has handed out are to be handed out anew at a time (seconds, UTC), a reason each."""
    last = handed(game)
    if last is None or is_over(game):
        return
    if last.term != game.terms[-1].number:
        yield f"they are of the key of term {last.term}, and the game is in term {game.terms[-1].number}"
    boxes = lettering.mailboxes(game, now)
    for player, recipient in last.to.items():
        if boxes.get(player) != recipient:
            has = "has another mailbox" if player in boxes else "has no mailbox"
            yield f"{game.tree.called(player)} {has} now"


def gone(game: Game, upstream: Upstream) -> str:
    """That the shares which this clone has handed out lie there no more, and what does; "" where they do, or it has none."""
    last = handed(game)
    there = upstream.heads(leave.SHARES).get(BRANCH)
    if last is None or is_over(game) or there == last.commit:
        return ""
    return "they lie there no more" if there is None else "others, or what is none, lie in their place"


class Unopened(Refused):
    """The refusal of a share that is sealed to another mailbox than the one that is asked."""


class Own(NamedTuple):
    """A share that somebody was handed: its words, of which term's key, and what its keeper has signed of how it was handed out: when
    (a time as it is written), in whose name, how many are the key, and to whom all of them went (by ids).
    """

    words: str
    term: int
    at: str
    by: str
    needed: str
    to: Sequence[str]


def own(game: Game, upstream: Upstream, player: str, identity: str) -> Own:
    """The share that lies there for a player (by id). Refused where none does,
    where what lies there is none, where their mailbox does not open it (Unopened), or where no keeper has signed it for them.
    """
    commit = upstream.bring(BRANCH)
    if commit is None:
        raise Refused.of("no share of the key lies there for you, nor for anybody")
    try:
        tree = game.repository.commit(commit).tree if commit else None
        handed_to = {name.removesuffix(".age") for name in game.repository.tree(tree)} if tree else set()
        file = game.repository.file(tree, f"{player}.age") if tree else None
    except NomicError:
        handed_to, file = set(), None
    players = handed_to & {*game.tree.ids("players")}
    if not players:
        raise Refused.of(
            "what lies where shares are handed out is none: somebody has laid it there in their place",
            mend=remedy("tell the keeper, who hands them out anew:", command(*ANEW)),
        )
    if file is None:
        who = ", ".join(map(game.tree.called, sorted(players)))
        raise Refused.of(f"shares of the key lie there for {who}, and none for you")
    try:
        plain = age.decrypted(file, identity)
    except age.Unreadable:
        raise Unopened.of(
            "the share that lies there is sealed to another mailbox than this clone's, or is broken",
            mend=remedy("the keeper hands shares out anew:", command(*ANEW)),
        ) from None
    text = ""
    with suppress(Malformed):
        text = unpadded(plain).decode("utf-8", "replace")
    signature, _, text = text.partition("\n")
    of = [term for term in game.terms if signed(term.public.signer, _over(player, text), signature)]
    words, _, said = text.partition("\n")
    if not of:
        raise Refused.of(
            "the share that lies there for you is not as the keeper wrote it: somebody has made it up, or it is another's",
            mend=remedy(
                "keep the one that you have, and bring this clone up to date:",
                command("nomicgit", "sync"),
                "if it says so still, tell the keeper, who hands them out anew:",
                command(*ANEW),
            ),
        )
    at, by, needed, *to = said.split() if said else ("-", "-", "-")  # which no keeper leaves out
    return Own(words, max(term.number for term in of), at, by, needed, to)
