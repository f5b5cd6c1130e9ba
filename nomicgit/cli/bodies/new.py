"""``nomicgit new``: a game in a folder of its own, with all that stands beside it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
from msgspec.structs import replace

from nomicgit import editions
from nomicgit.cli.bodies import founded_files, place, status
from nomicgit.cli.bodies import keeper as keepers
from nomicgit.cli.bodies.around import game_around, said
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, read_as, tty
from nomicgit.git import Repository
from nomicgit.git.layout import layout_at
from nomicgit.ground import clock, deaths, watch, worker
from nomicgit.ground.missing import missing
from nomicgit.ground.problems import SHORT, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.declaring import PLAYER_NAME, player_names, why_no_id
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deeds.founding import Founding, refuse_heavy
from nomicgit.physics.numbers import NEWEST
from nomicgit.record import whose
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.outside import restoring
from nomicgit.record.settings import Settings

if TYPE_CHECKING:
    from nomicgit.record.secret.custody import Keeper

NO_PLAYER = "{0} may restore this game, and is no player: without a key in the game anybody is taken for them"
UNRESTORED = "nobody may restore this game, should its law stand in its own way, for good: --restore NAME names who may"

LEFT_OVER = "{0} is left of a founding here that was killed, and no game that anybody plays; to take it away: rm -r {1}"

UNKNOWN = "no account on GitHub is known of {0}, who can do nothing there until an owner says it: nomicgit {1}steward --know {2}=ID"
UNRESOLVED = "nobody is an admin, and by these rules an admin does: {}; --admin NAME names one"

STANDS_STILL = (
    "a practice game on GitHub is for trying that out: its time stands still until somebody moves it with --at in a clone, "
    "and it never becomes a live one"
)


class _Tried(Exception):
    """A founding that was only to be tried has come to its end: what it made is taken away."""


def found(
    seat: Seat, path: Path, edition: str, name: str, players: tuple[str, ...], idle: tuple[str, ...], emperor: str | None,
    admins: tuple[str, ...], practice: bool, start: str | None, restore: tuple[str, ...], restore_of: int,
    github: str | None, accounts: tuple[str, ...], resolves: str | None, keys: bool | None, keeper: str | None,
    orders: str | None,
) -> int:  # fmt: skip
    if start and not practice:
        raise click.UsageError("--start is for practice games: a live game begins when it begins")
    folder = Path(seat.path) / path
    at = read_as("--start", clock.instant, start) if start else int(time.time())
    founding = Founding(at, _named(players, "--player"), emperor, list(admins), list(idle))
    _refuse_twice((*players, *idle))
    ruleset, called = editions.load(edition).canonical(), name or folder.absolute().name
    for one in (emperor, *admins, keeper):
        if one is not None and one not in (*players, *idle):
            raise click.UsageError(f"{one} is none of the founding players: --player {one}")
    _readable(called)
    law = NEWEST.law(ruleset)
    refuse_heavy(law)  # before there is a folder, for a watch that ends this process would leave it
    secrets = editions.secrets_of(law)
    who = keepers.keeper_of(founding, secrets, keys=keys, named=keeper, github=github)
    if orders and who is None:
        raise click.UsageError("--orders is for a game with keys: another takes no orders")
    settings = Settings(
        called,
        Path(edition).name,
        time="given" if practice else "live",
        dice="keeper" if who else "local",
        forge=_forge(github, accounts, resolves, founding),
        restore=_restorers(restore or (() if seat.as_json else _asked(players)), restore_of),
        orders=read_as("--orders", loaded("founding_keys.taking"), orders) if who and orders else "",
    )
    around, left = game_around(folder), _left_over(folder)
    if seat.dry_run:
        _refuse_there(folder)
    with suppress(_Tried):
        with _room(folder) as room, Repository.init(room) as repository, _key(repository, who) as keeping:
            extra = _extra(room, settings, keys=who is not None)
            commit = found_game(repository, ruleset, settings, founding, extra=extra, keeper=keeping)
            if seat.dry_run:
                commit, halted = "", _halted(room, at)
                raise _Tried
        halted = _halted(folder, at)
    key_file = loaded("founding_keys.place")(folder) if who and not seat.dry_run else None
    if seat.as_json:
        plain = {"game": called, "path": str(folder), "commit": commit or None, "at": clock.text(at)}
        click.echo(
            json.dumps(
                plain
                | {
                    "dry_run": seat.dry_run,
                    "keeper": who,
                    "key": key_file,
                    "hiatus": halted,
                    "within": around and str(around),
                }
                | ({"left_over": [*map(str, left)]} if left else {})
            )
        )
        return 0
    begun = click.style(f"{called} has begun", fg="green") + f"  (commit {commit[:10]}, {clock.text(at)})"
    tried = click.style(f"{called} would begin", fg="yellow") + "  (dry run, nothing is recorded)"
    click.echo(tried if seat.dry_run else begun)
    if around is not None:
        click.echo(click.style(said(folder, around), fg="yellow"))
    for each in left:
        click.echo(click.style(LEFT_OVER.format(clean(str(each)), shlex.quote(str(each))), fg="yellow"))
    where = "" if str(path) == "." else f"-C {shlex.quote(str(folder))} "
    for line in (
        () if seat.dry_run and who else keepers.said(settings.edition, secrets, who, key_file, where, github)
    ):
        click.echo(click.style(line, fg="yellow"))
    if halted is not None:
        click.echo(click.style(halted, fg="yellow"))
    for line in _for_good(settings, founding, ruleset):
        click.echo(click.style(line, fg="yellow"))
    if not seat.dry_run:
        click.echo(f"next: nomicgit {where}me NAME, then: nomicgit {where}status")
    if unknown := whose.without_told(settings.forge, (*founding.players, *founding.idle)):
        click.echo(click.style(UNKNOWN.format(", ".join(unknown), where, unknown[0]), fg="yellow"))
    if github and practice:
        click.echo(click.style(STANDS_STILL, fg="yellow"))
    if github and not seat.dry_run:
        click.echo(f"to set {github} up: {folder / 'SETUP.md'}")
    return 0


def _refuse_there(folder: Path) -> None:
    """Refuse to try a founding in a repository that is there."""
    if layout_at(os.path.abspath(folder)) is not None:
        what = "a repository is there already, in which a founding is a commit: a try leaves nothing behind"
        mend = remedy("try it in a new folder:", command("nomicgit", "new", "FOLDER", "--dry-run"))
        raise Refused.of(what, file=str(folder), mend=mend)


def _for_good(settings: Settings, founding: Founding, ruleset: Ruleset) -> Iterator[str]:
    """What a game begins with that nobody may have meant: that nobody resolves, or restores it, or who is no player does."""
    if tasks := [] if founding.admins else _of_admins(ruleset):
        yield UNRESOLVED.format(", ".join(tasks))
    if settings.restore is None:
        yield UNRESTORED
    playing = {name.casefold() for name in (*founding.players, *founding.idle)}
    for name in restoring.named(settings.restore)[0]:
        if name.casefold() not in playing:
            yield NO_PLAYER.format(name)


def _of_admins(ruleset: Ruleset) -> list[str]:
    """The actions that are for admins alone."""
    return [each.name for each in NEWEST.law(ruleset).declared.actions.values() if each.by == ("admin",)]


def _halted(folder: Path, at: int) -> str | None:
    """That the game which has just begun is in hiatus by its own rules, and what may be done in it all the same."""
    with suppress(deaths.Died):  # the game is there, whatever its law does not come out of
        return worker.run(lambda: status.halted(Game.open(folder).looked_at(at)))
    return None


def _key(repository: Repository, who: str | None) -> AbstractContextManager[Keeper | None]:
    """The key with which a game is founded; none where nobody keeps secrets. Refused where what seals is not installed."""
    if who is None:
        return nullcontext()
    try:
        return cast("AbstractContextManager[Keeper]", loaded("founding_keys.kept")(repository, who))
    except ModuleNotFoundError as error:
        lacking = missing(error)
        if lacking is None:
            raise
        raise Refused(replace(lacking, mend=f"{lacking.mend}; or found it without keys: --no-keys")) from None


def _beside(folder: Path) -> str:
    """How the folder begins in which a game to be is made, behind which the number of its process stands."""
    return f".{folder.name}."


def _left_over(folder: Path) -> list[Path]:
    """What foundings in this place that were killed have left beside it: nobody knows of a game there."""
    begins = _beside(folder)
    there = sorted(folder.parent.iterdir()) if folder.parent.is_dir() else []
    ends = [(each, each.name.removeprefix(begins)) for each in there if each.name.startswith(begins)]
    return [
        each for each, number in ends if re.fullmatch("[1-9][0-9]{0,9}", number) and not _runs(int(number))
    ]


def _runs(process: int) -> bool:
    """Whether a process of this number runs, whoever's it is."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


ELSEWHERE = "name another place, in a folder in which you may write: nomicgit new FOLDER"


@contextmanager
def _room(folder: Path) -> Iterator[Path]:
    """Where a game to be is made: beside its folder, whose name it takes once it is whole, so that nobody finds half of one there,
    however it is stopped; in a folder that is there already, in it. What was made is taken away where no game comes to be.

    Refused where it holds anything and is no repository: nobody means to put a game among other files by accident.
    """
    if folder.exists() and not folder.is_dir():
        raise Refused.of("this is no folder", file=str(folder), mend=ELSEWHERE)
    made = [each for each in (folder, *folder.parents) if not each.exists()]
    ours = layout_at(os.path.abspath(folder)) is None
    if ours and not made and any(folder.iterdir()):
        mend = f"name a folder that is new or empty, or make this one a repository first: git init {shlex.quote(str(folder))}"
        raise Refused.of("the folder is not empty", file=str(folder), mend=mend)
    place = folder.with_name(f"{_beside(folder)}{os.getpid()}") if made else folder
    try:
        place.mkdir(parents=True, exist_ok=not made)
    except OSError as error:  # people know nothing of the folder beside
        if error.errno in SHORT:
            raise OSError(error.errno, error.strerror, str(folder)) from error
        why = (
            "the system keeps no folders of yours there"
            if isinstance(error, FileNotFoundError)
            else error.strerror
        )
        raise Refused.of(f"no folder can be made here: {why}", file=str(folder), mend=ELSEWHERE) from error
    try:
        yield place
        if made:
            place.rename(folder)
    except BaseException:
        if ours:
            watch.note("")
        for each in place.iterdir() if ours else ():
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        for each in (place, *made[1:]) if made else ():
            each.rmdir()
        raise


def _readable(name: str) -> None:
    """Refuses a name of a game that is no line that can be read."""
    if not name.strip():
        raise click.UsageError("--name: the name is blank; it must be one line that can be read")
    unseen = next((place for place, one in enumerate(name) if not one.isprintable()), None)
    if unseen is not None:
        what = f"U+{ord(name[unseen]):04X}, character {unseen + 1} of {len(name)}, cannot be seen"
        behind = f", behind {name[:unseen][-20:]!r}" if unseen else ""
        raise click.UsageError(
            f"--name: {what}{behind}; leave it out, for the name must be one line that can be read"
        )


def _named(players: tuple[str, ...], option: str) -> list[str]:
    """The founding players; refused where there is none, or a name is none."""
    for name in players:
        if PLAYER_NAME.fullmatch(name) is None:
            raise click.UsageError(f"{option} {name!r}: {player_names(name)}")
        if why := why_no_id("players", name):
            raise click.UsageError(f"{option}: {why}")
    if not players:
        raise click.UsageError(f"a game needs players: {option} NAME")
    return list(players)


def _refuse_twice(names: Sequence[str]) -> None:
    """Refuse a founding player who is named twice, whatever the capitals."""
    plain = [name.casefold() for name in names]
    for name in names:
        if plain.count(name.casefold()) > 1:
            raise click.UsageError(f"{name} is named twice: every founding player has a name of their own")


def _asked(players: tuple[str, ...]) -> tuple[str, ...]:
    """Who may restore the game, where somebody at a terminal can be asked; nobody else is."""
    if not (sys.stdin.isatty() and tty()):
        return ()
    who = f"Who may put the law back, should it stand in its own way ({', '.join(players)}; empty: nobody)"
    names = click.prompt(who, default="", show_default=False, err=True)
    return tuple(names.replace(",", " ").split())


def _restorers(names: tuple[str, ...], needed: int) -> dict[str, Any] | None:
    """Who may restore the game, and how many of them together; None where nobody may."""
    if not names and needed == 1:
        return None
    if len({name.casefold() for name in names}) < max(len(names), needed):
        raise click.UsageError(f"--restore-of {needed} needs so many different names: --restore NAME")
    _named(names, "--restore")
    return {"by": list(names), "of": needed}


def _forge(
    github: str | None, accounts: tuple[str, ...], resolves: str | None, founding: Founding
) -> dict[str, Any] | None:
    """Where the game lives on GitHub, who is who there, and who resolves; None where it lives in clones only."""
    if github is None:
        if accounts or resolves:
            raise click.UsageError("--account and --resolves are for games on GitHub: --github OWNER/REPO")
        return None
    players = (*founding.players, *founding.idle)
    forge = place.told(github, accounts=accounts, resolves=resolves, site=None, players=players)
    if wrong := whose.misnamed(forge, (), founding.admins):
        raise click.UsageError(f"--resolves: {wrong}; --admin NAME makes a founding admin")
    return forge


def _extra(root: Path, settings: Settings, *, keys: bool) -> dict[str, bytes]:
    """Files beside the game, for its site, its readers and its place; those that are there already stay."""
    wanted = founded_files.files(settings, keys=keys)
    return {path: data for path, data in wanted.items() if not (root / path).exists()}
