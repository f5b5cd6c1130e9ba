"""``nomicgit mend``."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import takewhile

import click

from nomicgit.cli.bodies.became import became, plain
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import inline, many, progress
from nomicgit.clones.remedy import Remedy
from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.game import AHEAD, Game
from nomicgit.record.line import before_of
from nomicgit.record.seen.strays import Stray, looked_through
from nomicgit.replay.verifying import verify


def mend(seat: Seat, to: str, by: tuple[str, ...]) -> int:
    with Repository.open(seat.path) as repository:
        way = Remedy.to(repository, to, int(time.time()), progress)
        names, at = by or (seat.actor(way.game),), seat.moment_of_deed(way.game)
        tried = way.tried(names, at)
        wrong = looked_through(repository, way.commits[-1].oid).strays
        words = ["--to", to, *(word for name in by for word in ("--by", name)), "--yes"]
        surely = command("nomicgit", "mend", *words)
        _sure_of_the_clock(seat, way.game, tried.aside, surely)
        lawful, rather = _needless(repository, str(tried.outcome.deed.given["to"]), wrong, tried.aside)
        carried = None if seat.dry_run else way.record(names, at, sure=seat.sure)
        if carried is None:
            way.refuse_needless(tried.outcome.deed, sure=seat.sure)
        follows = Upstream.of(repository) is not None
    outcome = carried.recorded.outcome if carried else tried.outcome
    deed, commit = outcome.deed, carried.recorded.commit if carried else None
    laid = carried.laid if carried else ()
    if seat.as_json:
        answer = {
            "action": deed.action,
            "to": deed.given["to"],
            "by": deed.given["by"],
            "at": clock.text(deed.at),
        }
        aside = [
            {"commit": each.oid, "by": each.author, "subject": each.message.partition("\n")[0]}
            for each in tried.aside
        ]
        more = {"commit": commit, "dry_run": commit is None, "aside": aside, "notes": list(outcome.notes)}
        needless = {"needless": [each.oid for each in lawful], "rather": rather}
        click.echo(json.dumps(answer | more | needless | {"laid": [plain(each) for each in laid]}))
        return 0
    said = f"mended to {deed.given['to'][:10]}, {many(len(tried.aside), 'commit')} set aside"
    where = f"commit {commit[:10]}" if commit else "dry run, nothing is recorded"
    click.echo(click.style(said, fg="green" if commit else "yellow") + f"  ({where}, {clock.text(deed.at)})")
    if lawful:
        click.echo(
            f"  {many(len(lawful), 'commit')} of these stood before anything went wrong; to leave what they did as it is:"
        )
        click.echo(f"  {command('nomicgit', 'mend', '--to', rather)}")
    left = carried.recorded.kept_edits if carried else ()
    for line in (*outcome.notes, *(f"left as it lies in the folder: {path}" for path in left)):
        click.echo(f"  {inline(line)}")
    for each in laid:
        click.echo(became(each))
    if commit and follows:
        click.echo("not pushed yet: nomicgit sync")
    return 0


def _sure_of_the_clock(seat: Seat, game: Game, aside: Sequence[Commit], surely: str) -> None:
    """Refuse to set aside what is dated ahead of this clock, where nobody has said that the clock is right: one that is behind makes
    honest deeds look so. ``surely``: the command line that says it.
    """
    now = int(time.time())
    early = [each for each in aside if each.author_time > now + AHEAD]
    if early and game.settings.time != "given" and not seat.sure:
        what = f"{many(len(early), 'commit that', 'commits that')} it sets aside {'is' if len(early) == 1 else 'are'} dated ahead of"
        raise Refused.of(
            f"{what} this clock, which says {clock.text(now)}",
            mend=remedy("set the clock right; if it is right:", surely),
        )


def _needless(
    repository: Repository, to: str, wrong: Sequence[Stray], aside: Sequence[Commit]
) -> tuple[Sequence[Commit], str]:
    """What is set aside though it is lawful and stood before anything went wrong, and the commit to mend to instead, to which a
    mend may go back; none where nothing strayed.
    """
    if not wrong:
        return (), ""
    stood = [*takewhile(lambda commit: commit.oid != wrong[0].commit, aside)]
    if not stood:
        return (), wrong[0].before
    faulty = {fault.commit for fault in verify(repository, wrong[0].before, since=to, unjudged=True).faults}
    lawful = [*takewhile(lambda commit: commit.oid not in faulty, stood)]
    first = stood[len(lawful) :]
    before = before_of(repository, first[0]) if first else None
    return lawful, before.oid if before is not None else wrong[0].before
