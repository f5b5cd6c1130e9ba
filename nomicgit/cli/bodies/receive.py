"""``nomicgit receive``."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, many, progress
from nomicgit.clones import receiving
from nomicgit.git import Repository
from nomicgit.git.incoming import Pushed, serve, unguarded
from nomicgit.ground import patience
from nomicgit.ground.problems import NomicError, Outage, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import pushes

MOST = 1 << 20  # bytes of what Git says of a push
PATIENCE = 600  # seconds
AT_ONCE = receiving.AT_ONCE


def receive(seat: Seat, *, install: Path | None, check: Path | None, branches: Sequence[str]) -> int:
    if check is not None:
        if install is not None or branches:
            raise click.UsageError("--check looks alone: leave --install and --branches out")
        return _check(seat, check)
    if install is not None:
        return _install(seat, install, branches)
    if branches:
        raise click.UsageError("--branches is said where the repository is made ready: --install BARE")
    if sys.stdin.isatty():
        raise Refused.of(
            "this is for Git to run, when somebody pushes",
            mend=remedy("see:", command("nomicgit", "receive", "--help")),
        )
    with Repository.open(seat.path) as repository:
        pushed, now = Pushed((), by=""), int(time.time())
        try:
            pushed = _read()
            pushes.refuse_much(repository, pushed, now)
            with patience.within(PATIENCE, AT_ONCE):
                came = receiving.receive(repository, pushed, now)
        except NomicError as error:
            pushes.note(repository, pushed, now, [str(problem) for problem in error.problems])
            raise
        except (Outage, OSError) as error:
            pushes.note(repository, pushed, now, [f"the machine failed: {error}"])
            raise
        pushes.note(repository, pushed, now, [], came.told)
    if seat.as_json:
        click.echo(json.dumps({"deeds": came.deeds, "others": came.others, "beside": list(came.beside)}))
    elif came.deeds or came.others:
        others = f", and {many(came.others, 'other commit')}" if came.others else ""
        click.echo(f"lawful: {many(came.deeds, 'new deed')}{others}")
    for said in () if seat.as_json else came.beside:
        click.echo(f"not the game's branch: {clean(said)}")
    return 0


def _check(seat: Seat, folder: Path) -> int:
    """Tell whether a bare repository asks about each push to it; 1 where it does not."""
    with Repository.open(folder) as repository:
        wrong = [*unguarded(repository)]
    if seat.as_json:
        click.echo(json.dumps({"guards": not wrong, "findings": [each.as_json() for each in wrong]}))
    else:
        for each in wrong:
            click.echo(f"{click.style('wrong', fg='red')}: {clean(str(each))}")
        if not wrong:
            click.echo(clean(f"{repository.git_dir} asks about each push to it"))
    return 1 if wrong else 0


def _read() -> Pushed:
    """What Git says of a push on standard input and in the environment."""
    said = sys.stdin.buffer.read(MOST + 1)
    if len(said) > MOST:
        raise Refused.of("it moves too many branches and tags", mend="push fewer of them at once")
    return Pushed.read(said, os.environ)


def _install(seat: Seat, folder: Path, branches: Sequence[str]) -> int:
    """Let each push to a bare repository be asked about, once all that it holds is verified."""
    with Repository.open(folder) as repository:
        verified = receiving.look_through(repository, int(time.time()), progress)
        if verified is not None and not verified.sound:
            raise Refused.of(
                f"this repository holds {many(len(verified.faults) + len(verified.doubts), 'commit')} found wanting",
                file=repository.git_dir,
                mend=remedy("see which, and what mends them:", command("nomicgit", "verify")),
            )
        serve(repository, [sys.executable, "-m", "nomicgit", "receive"])
        if branches:
            repository.set_config(receiving.BRANCHES, " ".join(branches))
        branch = repository.branch.removeprefix("refs/heads/")
    deeds = verified.deeds if verified else 0
    if seat.as_json:
        click.echo(json.dumps({"repository": repository.git_dir, "branch": branch, "deeds": deeds}))
        return 0
    click.echo(clean(f"{repository.git_dir} lets in lawful deeds alone on its branch {branch}"))
    click.echo(f"verified by now: {many(deeds, 'deed')}; each push is noted in {pushes.LOG}")
    return 0
