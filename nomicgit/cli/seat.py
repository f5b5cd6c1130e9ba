"""Who sits at which game: the options that every command shares, and what follows from them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from nomicgit.record.game import Game

PLAYER = "nomicgit.player"  # who plays at this clone: a setting of its Git configuration
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Seat:
    """What somebody asked for: the folder of the game, who acts, when, whether only to try, and how to answer."""

    path: str = "."
    player: str | None = None
    at: str | None = None
    dry_run: bool = False
    as_json: bool = False

    def game(self) -> Game:
        """The game, as it stands at the head of its branch."""
        from nomicgit.record.game import Game

        return Game.open(self.path)

    def moment(self, game: Game) -> int:
        """The time of whatever is done or looked at now, in seconds.

        In a practice game that is the time of the last deed, until ``--at`` moves it on.
        """
        from nomicgit.ground import clock

        if self.at is None:
            return game.last() if game.settings.time == "given" else game.time(int(time.time()), None)
        text = self.at.strip()
        at = clock.shift(game.last(), clock.span(text)) if text.startswith("+") else clock.instant(text)
        return game.time(int(time.time()), at)

    def actor(self, game: Game) -> str:
        """The id of who acts: as asked for, else as this clone says; Refused where nobody is named."""
        from nomicgit.ground.problems import Refused

        name = self.named(game)
        if name is None:
            raise Refused.of("who are you?", mend="say it once: nomicgit me NAME; or each time: --as NAME")
        return name

    def named(self, game: Game) -> str | None:
        """The id of who acts, None where nobody is named."""
        name = self.player or game.repository.config(PLAYER)
        return None if name is None else spelled(game, name)


def spelled(game: Game, name: str) -> str:
    """A player's name with its own capitals; a newcomer's as given. Refused where it can be none."""
    from nomicgit.ground.problems import Refused, printable
    from nomicgit.physics.state.naming import PLAYER_NAME

    if PLAYER_NAME.fullmatch(name) is None:
        mend = "up to 39 ASCII letters and digits, with single hyphens or underscores between"
        raise Refused.of(f"{printable(name, 60)!r} is no name of a player", mend=mend)
    if game.repository.file(game.tree.tree, game.tree.path(f"players/{name}")) is not None:
        return name
    folded = name.casefold()
    return next((known for known in game.tree.ids("players") if known.casefold() == folded), name)


def _noted(field: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that puts an option's value into the seat."""

    def note(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        if value not in (None, False):
            setattr(ctx.ensure_object(Seat), field, value)

    return note


def _option(field: str, *names: str, **more: Any) -> Callable[[F], F]:
    return click.option(*names, f"seat_{field}", expose_value=False, callback=_noted(field), **more)


in_folder = _option(
    "path", "-C", metavar="PATH", help="The folder of the game, or one in it; else the current one."
)
acting_as = _option("player", "--as", metavar="NAME", help="Who acts; else as said by `nomicgit me`.")
at_time = _option(
    "at",
    "--at",
    metavar="TIME",
    help="When, in practice games: 2021-06-07T01:00:00Z, or +12h after the last deed.",
)
trying_out = _option("dry_run", "--dry-run", is_flag=True, help="Say what would happen; record nothing.")
json_option = _option("as_json", "--json", is_flag=True, help="Answer in JSON.")

pass_seat = click.make_pass_decorator(Seat, ensure=True)


def looking(command: Callable[..., int]) -> Callable[..., int]:
    """The options of a command that looks at a game."""
    return pass_seat(in_folder(acting_as(at_time(json_option(command)))))


def playing(command: Callable[..., int]) -> Callable[..., int]:
    """The options of a command that acts in a game."""
    return pass_seat(in_folder(acting_as(at_time(trying_out(json_option(command))))))


def clean(text: str) -> str:
    """A text of a player, of several lines, fit for a terminal: nothing in it moves the cursor or hides."""
    from nomicgit.ground.problems import printable

    return "\n".join(printable(line, 1_000_000) for line in text.split("\n"))


def from_source(text: str) -> str:
    """A text; of ``@FILE`` what the file holds, of ``-`` what comes in, and ``@@`` is an @ at a text's beginning.

    UsageError where it cannot be read.
    """
    if text == "-":
        return sys.stdin.read()
    if not text.startswith("@") or text.startswith("@@"):
        return text[1:] if text.startswith("@@") else text
    try:
        with open(text[1:], encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        mend = "a text that begins with @ is written @@"
        raise click.UsageError(f"{text[1:]!r} cannot be read ({error}); {mend}") from error


def many(count: int, one: str, more: str = "") -> str:
    """A number of things: ``1 deed``, ``2 deeds``."""
    return f"{count} {one if count == 1 else more or one + 's'}"


def tty() -> bool:
    """Whether somebody watches what goes to the error stream."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def colour() -> bool | None:
    """No colour where NO_COLOR asks for none; else (None) as the stream can."""
    return False if os.environ.get("NO_COLOR") else None
