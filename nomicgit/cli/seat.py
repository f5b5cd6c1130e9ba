"""Who sits at which game, and what follows from it."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgit.cli.vetted import vetted
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomicgit.record.game import Game
    from nomicgit.record.seen.strays import Stray
    from nomicgit.sealing.keys import Key

SOON = 300  # seconds between the clock and the last deed of which nothing is asked
KEY = "NOMICGIT_KEY"  # where the environment has a game's key


class Seat(Struct):
    """What somebody asked for: the folder of the game, who acts, when, whether only to try, how to answer, and whether
    the clock is right for sure."""

    path: str = "."
    player: str | None = None
    at: str | None = None
    dry_run: bool = False
    as_json: bool = False
    sure: bool = False

    def game(self) -> Game:
        """The game, as it stands at the head of its branch."""
        from nomicgit.record.game import Game  # here: faces know the seat too, and load no game

        game = Game.open(self.path, self.key())
        game.vet = vetted
        return game

    def game_to_look_at(self, *, law: bool = True) -> Game:
        """The same; which commit of it is no deed is told beside what is looked at, and, where that is the ``law`` or what hangs on
        it, that something is not verified.
        """
        import click

        from nomicgit.cli.terminal import clean
        from nomicgit.ground.remedies import below
        from nomicgit.record.seen.strays import has_strays, unverified

        game = self.game()
        if self.as_json:
            return game
        astray: Sequence[Stray] = ()
        if has_strays(game.repository, game.head.oid):
            from nomicgit.cli.terminal import progress
            from nomicgit.clones.others.vetting import advised  # here: few games hold one

            astray = advised(game.repository, game.head.oid, progress=progress).strays
        for stray in astray:
            what = clean(f"{stray}{below(stray.mend)}")
            click.echo(click.style(f"{stray.label}: ", fg="red") + what, err=True)
        new = unverified(game.repository, game.head.oid) if law and not astray else None
        if new is not None:
            click.echo(click.style(f"{new.what}{below(new.mend)}", fg="yellow"), err=True)
        return game

    def game_of_deed(self) -> Game:
        """The game in which a deed is done; one that is only tried is tried at home, on whatever branch this clone stands."""
        game = self.game()
        if not self.dry_run:
            return game
        from nomicgit.record.seen.strays import refuse_elsewhere  # here, as above

        home, branch = game.at_home()
        if branch is None:
            refuse_elsewhere(game.repository)
        return home

    @staticmethod
    def key() -> Key | None:
        """The game's key, where the environment has it; else it is the one that lies in the clone, if any. Refused where it is none."""
        said = os.environ.get(KEY)
        if not said:
            return None
        from nomicgit.sealing.keys import Key  # here: most games have no keys, and need none of what seals

        try:
            return Key.read(said)
        except Refused as error:
            raise Refused(error.problems[0].of_part(KEY)) from None

    def moment(self, game: Game) -> int:
        """The time of whatever is looked at now, in seconds."""
        return game.moment(int(time.time()), self.at)

    def moment_of_deed(self, game: Game) -> int:
        """The time of a deed that is done now. Refused upon a deed from the future, and where nobody is sure of the clock."""
        now = int(time.time())
        if game.settings.time != "given" and abs(now - game.last()) > SOON:
            self._ask(game, now)
        return game.moment(now, self.at)

    def _ask(self, game: Game, now: int) -> None:
        """Ask whether the clock is right, where a deed now would lie as far ahead as none has; refused where nobody can answer."""
        import click

        from nomicgit.clones.others import pace  # here: most deeds come soon after another

        pace.refuse_ahead(game, now)
        pause = None if self.sure or self.dry_run else pace.pause(game, now)
        if pause is None:
            return
        if (
            self.as_json
            or not sys.stdin.isatty()
            or not click.confirm(f"{pause}. Is the clock right?", err=True)
        ):
            raise Refused.of(str(pause), mend="set the clock right; if it is right, say so: --yes")

    def actor(self, game: Game) -> str:
        """The id of who acts: as asked for, else as this clone says; Refused where nobody is named."""
        name = self.named(game)
        if name is None:
            raise Refused.of(
                "who are you?",
                mend=remedy("say it each time, by --as NAME, or once:", command("nomicgit", "me", "NAME")),
            )
        return name

    def named(self, game: Game) -> str | None:
        """The id of who acts, None where nobody is named."""
        from nomicgit.git.signing import PLAYER  # here, as above

        name = self.player or game.repository.config(PLAYER)
        return None if name is None else game.tree.spelled(name)
