"""``nomicgit keys``: whose the keys of a game are, and the one in this clone."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from nomicgit.cli.face import loaded
from nomicgit.cli.seat import KEY, Seat
from nomicgit.cli.terminal import inline
from nomicgit.cli.vetted import vetted
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import below, command, remedy
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.record.secret.keyring import (
    LAY_DOWN,
    Term,
    forget_key,
    is_unseen,
    keep_key,
    key_at,
    key_path,
    note_unseen,
    of_now,
)
from nomicgit.sealing.keys import Key

STEWARD = "the steward"


def show(seat: Seat, secret: bool, sure: bool) -> int:
    game = keyed(seat)
    if secret:
        return _show_secret(seat, game, sure=sure)
    key = at_hand(game)
    since = _begun(game)
    shares = loaded("sharing.outdated")(game, seat.moment(game))
    if seat.as_json:
        terms = [_row(game, term, key, since.get(term.since)) for term in game.terms]
        where = {"here": fits(game, key), "file": _file(game, key)}
        click.echo(json.dumps({"terms": terms, **where, "shares": shares._asdict()}))
        return 0
    for term in game.terms:
        began = since.get(term.since)
        opened = "opened: everybody can read what it sealed" if term.opened else "not opened"
        when = f"since {clock.text(began)}" if began is not None else "since a commit that this clone lacks"
        click.echo(f"term {term.number}  kept by {_keeper(game, term)}, {when}; {opened}")
        click.echo(f"  its dice hang on the key{_salted(game, term)}")
    click.echo(_where(game, key))
    for line in shares.lines():
        click.echo(line)
    return 0


def _salted(game: Game, term: Term) -> str:
    """On what the dice of a term hang beside its key."""
    mends = f", and on how often the game was mended ({term.mends})" if term.mends else ""
    if term.salt:
        return f", and on the deed {term.salt}, which its keeper could not foresee{mends}"
    if term is game.terms[-1]:
        return " alone, until another player than its keeper does something in the open"
    return " alone: no other player than its keeper did anything in the open"


def _where(game: Game, key: Key | None) -> str:
    """Whether the present term's key is at hand, and what to do where it is not."""
    if key is None:
        return lacking(game)
    if not fits(game, key):
        return f"the key at hand is not of term {game.terms[-1].number}; {LAY_DOWN}"
    return f"its key is at hand: {_file(game, key) or KEY}"


def lacking(game: Game) -> str:
    """That the key is not in this clone, who hands it on, and how it comes here."""
    how = f"its key is not in this clone{ordering.handing_on(game)} ({KEY} works too)"
    return f"{how}{below(ordering.how_it_comes(game))}"


def _show_secret(seat: Seat, game: Game, *, sure: bool) -> int:
    key = at_hand(game)
    if key is None:
        raise Refused.of("no key lies in this clone", mend=LAY_DOWN)
    ask(seat, "whoever reads this key can read all secrets of the game", "Show it?", sure=sure)
    click.echo(json.dumps({"key": key.text()}) if seat.as_json else key.text())
    note_unseen(game.repository, None)
    return 0


def lay_down(seat: Seat, file: str) -> int:
    game = keyed(seat)
    return laid(seat, game, Key.read(read(file, "The game's key")))


def laid(seat: Seat, game: Game, key: Key) -> int:
    """Lay a key down in this clone, or the one that follows from it. Refused where that is not the present term's."""
    key = of_now(game.terms, key)
    if not fits(game, key):
        earlier = next((term.number for term in game.terms if term.fits(key)), None)
        what = f"this is the key of term {earlier}" if earlier else "this is no key of this game"
        raise Refused.of(
            f"{what}; the game is in term {game.terms[-1].number}",
            mend=remedy(
                "ask its keeper, whom this names, for the key of now, or for shares of that:",
                command("nomicgit", "keys", "show"),
            ),
        )
    keep_key(game.repository, key)
    path = str(key_path(game.repository))
    if seat.as_json:
        click.echo(json.dumps({"term": game.terms[-1].number, "file": path}))
        return 0
    click.echo(click.style("the key is laid down", fg="green") + f": {path}")
    click.echo("Whoever can read that file can read all secrets of the game.")
    return 0


def forget(seat: Seat, sure: bool) -> int:
    game = keyed(seat)
    path = key_path(game.repository)
    if not path.exists():
        raise Refused.of("no key lies in this clone")
    key = key_at(game.repository)
    if key is not None and is_unseen(game.repository, key):
        raise Refused.of(
            "this clone has made that key and shown it to nobody: it stands nowhere else",
            mend=remedy(
                "show it, and hand it on or keep it; then it is taken out:",
                command("nomicgit", "keys", "show", "--secret", "--yes"),
                command("nomicgit", "keys", "forget", "--yes"),
            ),
        )
    what = "without its key nobody reads a secret of the game any more, nor does what needs one"
    ask(seat, what, "Is it kept elsewhere, and to be taken out here?", sure=sure)
    forget_key(game.repository)
    click.echo(
        json.dumps({"forgotten": str(path)}) if seat.as_json else f"the key is no more in this clone: {path}"
    )
    return 0


def keyed(seat: Seat) -> Game:
    """The game. Refused where it has no keys."""
    game = seat.game()
    if not game.terms:
        raise Refused.of(
            "this game has no keys, and keeps no secrets",
            mend=remedy("a game gets them at its founding:", command("nomicgit", "new", "--help")),
        )
    return game


def at_hand(game: Game) -> Key | None:
    return game.key or key_at(game.repository)


def looked(game: Game) -> None:
    """Replay what is new, before the key is used upon it or anything sealed to it. Refused where any of it is at fault."""
    vetted(game.repository, game.head.oid)


def fits(game: Game, key: Key | None) -> bool:
    """Whether somebody has the whole key of the present term."""
    return key is not None and game.terms[-1].fits(key)


def _file(game: Game, key: Key | None) -> str | None:
    """Where the key lies that is at hand; None where there is none, or the environment has it."""
    return str(key_path(game.repository)) if key is not None and game.key is None else None


def _keeper(game: Game, term: Term) -> str:
    return STEWARD if term.keeper is None else game.tree.called(term.keeper)


def _begun(game: Game) -> dict[str, int]:
    """The times of the deeds with which terms began."""
    wanted, begun = {term.since for term in game.terms}, dict[str, int]()
    for commit in game.repository.log(game.head.oid):
        entry = journal.told(commit.message)
        if entry is not None and entry.deed.id in wanted:
            begun[entry.deed.id] = entry.deed.at
        if len(begun) == len(wanted):
            break
    return begun


def _row(game: Game, term: Term, key: Key | None, began: int | None) -> dict[str, object]:
    return {
        "term": term.number, "keeper": term.keeper and game.tree.called(term.keeper), "since": term.since,
        "at": None if began is None else clock.text(began), "opened": term.opened is not None,
        "here": key is not None and term.fits(key), "recipient": term.public.recipient, "salt": term.salt or None,
    }  # fmt: skip


def read(file: str, secret: str = "") -> str:
    """What a file holds, or what comes in; somebody at a terminal is asked, and nothing of it shown."""
    if file == "-":
        return (
            str(click.prompt(secret, hide_input=True, err=True))
            if secret and sys.stdin.isatty()
            else sys.stdin.read()
        )
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{file!r} cannot be read ({type(error).__name__})") from None


def ask(seat: Seat, what: str, question: str, *, sure: bool) -> None:
    """Ask whether that is meant; refused where nobody can answer."""
    if sure:
        return
    if seat.as_json or not sys.stdin.isatty():
        raise Refused.of(what, mend="if that is meant, say so: --yes")
    click.confirm(inline(f"{what[0].upper()}{what[1:]}. {question}"), abort=True, err=True)
