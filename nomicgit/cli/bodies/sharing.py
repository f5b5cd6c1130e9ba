"""``nomicgit keys share`` and ``join``: a key in several hands. What they need is seldom needed, and slow to load."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from nomicgit.cli.bodies import mailboxes
from nomicgit.cli.bodies.keys import ask, at_hand, fits, keyed, laid, looked, read
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, many
from nomicgit.clones.secret import handouts
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Problem, Refused
from nomicgit.ground.remedies import below, command, remedy
from nomicgit.record.game import Game
from nomicgit.record.secret.keyring import LAY_DOWN, note_unseen
from nomicgit.sealing.shares import joined, missing, shares

WORDS = 59  # of a share
ASK = (
    "say how many shares are the key, and of how many, or whose they are (--to NAME); or ask for those that were handed out, "
    "anew (--anew), or for yours (--mine)"
)


def share(
    seat: Seat, needed: int | None, count: int | None, to: tuple[str, ...], mine: bool, anew: bool, sure: bool
) -> int:
    if (needed is None) != (mine != anew) or (mine and anew):
        raise click.UsageError(ASK)
    if (needed is None and to) or (needed is not None and (count is None) == (not to)):
        raise click.UsageError(ASK)
    game = keyed(seat)
    if mine:
        return _mine(seat, game)
    if needed is None:
        last = handouts.handed(game)
        if last is None:
            raise Refused.of(
                "this clone has handed out no shares that could be written anew",
                mend=remedy(
                    "say whose they are, by --to for each:",
                    command("nomicgit", "keys", "share", "NEEDED", "--to", "NAME"),
                ),
            )
        handouts.refuse_former(game, seat.named(game))
        for line in _waiting(seat, game, [*last.to]):
            click.echo(line, err=True)
        void = "shares make a key only with those that were written together, so each that was read before is worth nothing then"
        ask(seat, void, "Write all of them anew?", sure=sure)
        return _hand_out(seat, game, last.needed, [*last.to])
    if count is None:
        return _hand_out(seat, game, needed, to)
    key = at_hand(game)
    if key is None or not fits(game, key):
        raise Refused.of("the key of the present term is not in this clone", mend=LAY_DOWN)
    written = shares(key, needed, count)
    ask(seat, f"whoever reads {needed} of these shares has the key", "Show them?", sure=sure)
    note_unseen(game.repository, None)
    if seat.as_json:
        click.echo(json.dumps({"needed": needed, "shares": written}))
        return 0
    for words in written:
        click.echo(words)
    said = f"{many(count, 'share')}, a line each; any {needed} of them are the key: nomicgit keys join"
    click.echo(said, err=True)
    return 0


def _hand_out(seat: Seat, game: Game, needed: int, to: Sequence[str]) -> int:
    names = list(dict.fromkeys(map(game.tree.spelled, to)))
    handouts.refuse_former(game, seat.named(game))
    looked(game)
    handouts.hand_out(game, _upstream(game), needed, names, seat.moment(game), seat.named(game))
    note_unseen(game.repository, None)
    if seat.as_json:
        click.echo(json.dumps({"needed": needed, "to": names}))
        return 0
    called = ", ".join(map(game.tree.called, names))
    click.echo(
        f"{many(len(names), 'share')} handed out, each sealed to a mailbox: {called}; any {needed} of them are the key"
    )
    click.echo("each reads their own, and lets go of an older one: nomicgit keys share --mine")
    for line in _waiting(seat, game, names):
        click.echo(line)
    return 0


def _waiting(seat: Seat, game: Game, players: Sequence[str]) -> Iterator[str]:
    """Which of some players (by id) have a new mailbox that waits, so that their share goes to the former one, and what ends that."""
    for player in players:
        box = mailboxes.Box.of(game, player)
        if box is not None and box.former and box.waits(seat.moment(game)):
            mend = remedy(
                "it counts at once where you say that it is theirs:",
                mailboxes.at_once(game, player, box.recipient),
            )
            yield click.style("mailbox: ", fg="yellow") + clean(
                f"{game.tree.called(player)}'s new one waits, and their share is sealed to the former one till then{below(mend)}"
            )


def _mine(seat: Seat, game: Game) -> int:
    player = seat.actor(game)
    mailboxes.refuse_other(game, player)
    try:
        share = handouts.own(game, _upstream(game), player, mailboxes.identity(game, player))
    except handouts.Unopened:
        box = mailboxes.Box.of(game, player)
        if box is None or box.recipient != mailboxes.own(game, player) or not box.waits(seat.moment(game)):
            raise
        raise Refused.of(
            f"the share that lies there is sealed to your former mailbox: letters and shares go to this one {box.when}",
            mend=remedy(
                "the keeper lets it count at once, and hands shares out anew then:",
                mailboxes.at_once(game, player, box.recipient),
                command(*handouts.ANEW),
            ),
        ) from None
    term, to = share.term, [game.tree.called(each) for each in share.to]
    by = "" if share.by == "-" else game.tree.called(share.by)
    row = {"share": share.words, "term": term, "at": share.at, "by": by or None, "to": to}
    click.echo(json.dumps(row) if seat.as_json else share.words)
    whose = f"in {by}'s name" if by else "by the steward"
    said = f"handed out {share.at} {whose}, of the key of term {term}, to {', '.join(to)}; any {share.needed} are the key"
    click.echo(clean(said), err=True)
    if term != game.terms[-1].number:
        kept = f"the keeper of term {term} has handed this share out, of a key of theirs"
        click.echo(f"{kept}; the game is in term {game.terms[-1].number}", err=True)
    return 0


def _upstream(game: Game) -> Upstream:
    mend = remedy(
        "give shares to each of them yourself:",
        command("nomicgit", "keys", "share", "NEEDED", "COUNT"),
    )
    return Upstream.needed(game.repository, "handed out or fetched", mend)


class Outdated(NamedTuple):
    """Why shares that were handed out from this clone must be written anew, why it cannot be told whether they lie there
    still ("": it can), and whether it was for another keeper that they were, so that this is over here.
    """

    anew: Sequence[str]
    unknown: str
    over: bool = False

    @classmethod
    def of(cls, game: Game, at: int) -> Outdated:
        """As of a time (seconds, UTC)."""
        if handouts.is_over(game):
            return cls([], "", over=True)
        reasons, upstream = [*handouts.outdated(game, at)], Upstream.of(game.repository)
        if upstream is not None and handouts.handed(game) is not None:
            try:
                reasons += filter(None, [handouts.gone(game, upstream)])
            except Refused as error:
                return cls(reasons, error.problems[0].what)
        return cls(reasons, "")

    @classmethod
    def seen(cls, game: Game, at: int) -> Outdated:
        """As of a time (seconds, UTC), by what this clone has: where they were handed out is not asked."""
        return cls([*handouts.outdated(game, at)], "")

    @property
    def problem(self) -> Problem | None:
        """What is to be mended; None where nothing is."""
        what = f"shares that were handed out must be written anew, since {'; '.join(self.anew)}"
        return Problem(what, mend=remedy("in this clone:", command(*handouts.ANEW))) if self.anew else None

    def lines(self) -> Iterator[str]:
        """The same for people."""
        if self.over:
            yield "shares: those that were handed out from here were so for another keeper, and that is over"
        if self.unknown:
            yield click.style("shares: ", fg="yellow") + clean(
                f"whether those that were handed out lie there still cannot be told now: {self.unknown}"
            )
        if self.anew:
            yield click.style("shares: ", fg="yellow") + clean(
                f"those that were handed out must be written anew, since {'; '.join(self.anew)}: {' '.join(handouts.ANEW)}"
            )


def outdated(game: Game, at: int) -> Outdated:
    """What is to be done about shares that were handed out from this clone, at a time (seconds, UTC)."""
    return Outdated.of(game, at)


def seen(game: Game, at: int) -> Outdated:
    """The same, as far as this clone can tell without asking anywhere."""
    return Outdated.seen(game, at)


def join(seat: Seat, file: str) -> int:
    game = keyed(seat)
    words = _asked() if file == "-" and sys.stdin.isatty() else _lines(read(file))
    return laid(seat, game, joined(words))


def _asked() -> list[str]:
    """Shares as somebody types or pastes them, one after the other, of which nothing is shown, until they are enough."""
    click.echo(
        f"Give the shares one by one, in any order: {WORDS} words each. Nothing of them is shown.", err=True
    )
    words: list[str] = []
    while not words or missing(words):
        more = f", {missing(words)} more wanted" if words else ""
        given = click.prompt(f"Share {len(words) + 1}{more}", hide_input=True, err=True)
        try:
            missing([*words, given])
        except Refused as error:
            click.echo(f"{error.problems[0]}; give it once more", err=True)
            continue
        if given.split() in [each.split() for each in words]:
            click.echo("that one is here already; give another", err=True)
            continue
        words.append(given)
    return words


def _lines(text: str) -> list[str]:
    """The shares in a text: one a line, or whole ones however a terminal has broken their lines."""
    lines = [line for line in text.splitlines() if line.strip()]
    words = text.split()
    if all(len(line.split()) == WORDS for line in lines) or len(words) % WORDS:
        return lines
    return [" ".join(words[n : n + WORDS]) for n in range(0, len(words), WORDS)]
