"""``nomicgit rehearse``."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from pathlib import Path

import click

from nomicgit import editions
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, tty
from nomicgit.clones.by_hand import edited
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.physics import Physics
from nomicgit.record.game import Game
from nomicgit.record.tree import RULESET
from nomicgit.rehearsal import rehearsal
from nomicgit.rehearsal.rehearsal import AtHand


def play(seat: Seat, files: tuple[Path, ...], edition: str | None) -> int:
    rules, at_hand = editions.load(edition) if edition else None, _at_hand(seat)
    results, began = [], time.perf_counter()
    for number, path in enumerate(files, 1):
        if len(files) > 1 and tty():
            click.echo(f"\r\033[K{number} of {len(files)}: {path.name}", nl=False, err=True)
        started = time.perf_counter()
        rehearsed = rehearsal.rehearse(path.read_bytes(), str(path), at_hand=at_hand, rules=rules)
        results.append((rehearsed, time.perf_counter() - started))
    if len(files) > 1 and tty():
        click.echo("\r\033[K", nl=False, err=True)
    passed = sum(result.passed for result, _ in results)
    if seat.as_json:
        click.echo(json.dumps([
            {"name": r.name, "file": r.file, "passed": r.passed, "failures": list(r.failures), "notes": list(r.notes),
             "lines": [place.line for place in r.places], "seconds": round(s, 4)}
            for r, s in results
        ]))  # fmt: skip
        return 0 if passed == len(results) else 1
    for result, seconds in results:
        mark = click.style("passed", fg="green") if result.passed else click.style("failed", fg="red")
        click.echo(f"{mark}  {seconds:5.2f} s  {clean(result.name)}")
        for failure in result.placed:
            click.echo(f"        {inline(failure)}")
        for note in result.notes:
            click.echo(f"        {click.style('warning', fg='yellow')}: {inline(note)}")
    if len(results) > 1:
        click.echo(f"{passed} of {len(results)} passed, {time.perf_counter() - began:.1f} s")
    return 0 if passed == len(results) else 1


def _at_hand(seat: Seat) -> AtHand:
    """The rules of the game at hand, or of one in another folder; each is read once, and what differs from it is said."""

    def rules(path: str) -> tuple[Ruleset, Physics]:
        game = Game.open(path) if path else seat.game()
        by_hand = edited(game.repository, game.head.tree)
        for file in by_hand.paths if by_hand else ():
            if file.startswith(RULESET):
                said = f"{file} differs from the commit that is rehearsed: commit it first"
                click.echo(click.style("warning", fg="yellow") + f": {inline(said)}", err=True)
        return game.ruleset, game.physics

    return lru_cache(maxsize=8)(rules)
