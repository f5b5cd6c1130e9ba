"""``nomicgit steward``."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import click

from nomicgit.cli.bodies import bell, place
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, many
from nomicgit.clones.others import pace
from nomicgit.ground.escaping import lines_escaped, logged
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Account, Deed, Origin
from nomicgit.physics.state.store import Store
from nomicgit.record import whose
from nomicgit.record.game import Game, new_id
from nomicgit.record.journal import LOGIN, MOST_OF_LOGIN
from nomicgit.steward.doorbell import FORGE, doorbell
from nomicgit.steward.passing import Passed, Steward

IN_THE_WAY = "**Something is in the way of the game:**"


def carry(
    seat: Seat, known: tuple[str, ...], accounts: bool, output: str | None, summary: Path | None
) -> int:
    if known and accounts:
        raise click.UsageError("--know records accounts, --accounts tells them: say one of them")
    for option, given in (("--output", output), ("--summary", summary)):
        if given is not None and (known or accounts):
            raise click.UsageError(f"{option} tells of a pass: leave it out beside --know and --accounts")
    game = seat.game()
    bell.place_of(game)
    if accounts:
        return _who_is_who(seat, game)
    if known:
        return _know(seat, game, known)
    name = doorbell(game.settings.forge).repository
    with bell.github(name) as forge:
        steward = Steward(
            game.repository,
            bell.address(name),
            forge,
            lambda: int(time.time()),
            bell.token(),
            seat.dry_run,
            game.key,
            loaded("announce.addresses")() if os.environ.get("NOMICGIT_ANNOUNCE") else (),
        )
        passed = steward.run()
    if output is not None:
        with open(output, "a", encoding="utf-8") as file:
            file.write(
                f"moved={'true' if (passed.deeds or passed.letters) and not seat.dry_run else 'false'}\n"
            )
    if summary is not None and passed.problems:
        with summary.open("a", encoding="utf-8") as added:
            added.write(
                "\n".join((IN_THE_WAY, "", *(f"- {lines_escaped(each)}" for each in passed.problems), ""))
            )
    return _said(seat, passed)


def _said(seat: Seat, passed: Passed) -> int:
    """What a pass did, in a log that obeys no command in it. 1 where something was in the way."""
    if seat.as_json:
        click.echo(json.dumps(passed.as_json(), ensure_ascii=True))
        return 1 if passed.problems else 0
    for deed in passed.deeds:
        what = deed.event or (f"resolve post {deed.resolve}" if deed.resolve else "with the key")
        click.echo(logged(f"{what}: {deed.by or 'somebody'} {deed.action}, commit {deed.deed[:10]}"))
    for telling in passed.told:
        click.echo(logged(f"{telling.event or ''}: told: {telling.text}"))
    for line in passed.passed_over:
        click.echo(logged(f"passed over: {line}"))
    for problem in passed.problems:
        click.echo(logged(f"in the way: {problem}"), err=True)
    for which, each in enumerate(passed.announced, 1):
        if each.why_not:
            click.echo(logged(f"announcements: address {which}: {each.why_not}"), err=True)
        elif each.lines:
            click.echo(f"announcements: address {which}: {many(len(each.lines), 'line')}")
    news = "nothing new" if passed.nothing_new else "read what is new"
    if passed.busy:
        news = "another steward is at work"
    if passed.stopped:
        news = "the game was changed by what is no deed, so nothing is decided"
    click.echo(
        f"{news}; {many(len(passed.deeds), 'deed')}, {many(passed.written, 'writing')}"
        + (", dry run" if seat.dry_run else "")
    )
    return 1 if passed.problems else 0


def _who_is_who(seat: Seat, game: Game) -> int:
    """Tell whose account each is."""
    everybody = whose.everybody(Store(game.tree), game.settings.forge)
    if seat.as_json:
        click.echo(json.dumps([each.as_json() for each in everybody]))
        return 0
    for each in everybody:
        click.echo(clean(str(each)))
    return 0


def _know(seat: Seat, game: Game, known: tuple[str, ...]) -> int:
    """Record accounts, a deed each; they reach the forge with the next push. All are judged before the first is recorded."""
    pace.refuse_ahead(game, int(time.time()))
    wanted = dict(_meant(game, each) for each in known)
    if len(wanted) < len(known) or len({account.id for account in wanted.values()}) < len(wanted):
        raise click.UsageError("an account is one player's, and a player's is one account: say each once")
    everybody = whose.everybody(Store(game.tree), game.settings.forge)
    held = {each.player: each.number for each in everybody}
    logins = {each.player: each.login for each in everybody}
    said = [word for each in known for word in ("--know", each)]
    for account in wanted.values():
        if holder := whose.holder({name: held[name] for name in held if name not in wanted}, account.id):
            raise Refused.of(
                f"the account {account.id} is {holder}'s already",
                mend=remedy(
                    f"say in the same command which is {holder}'s:",
                    command("nomicgit", "steward", *said, "--know", f"{holder}=ID"),
                ),
            )
    new = {
        who: account
        for who, account in wanted.items()
        if held.get(who) != account.id or account.login not in ("", logins[who])
    }
    for player, account in whose.in_turn(held, new):
        _record(seat, game, player, account)
    if seat.as_json:
        known_now = [
            {
                "player": who,
                "account": each.id,
                "login": each.login,
                "before": held[who] or None,
                "new": who in new,
            }
            for who, each in wanted.items()
        ]
        click.echo(json.dumps({"known": known_now, "dry_run": seat.dry_run}))
        return 0
    for player, account in wanted.items():
        before = held[player] if held[player] != account.id else 0
        click.echo(
            clean(f"{player}'s account on the forge is number {account.id}")
            + ("" if player in new else " already")
            + (f" ({before} before)" if before else "")
            + (" (dry run)" if seat.dry_run and player in new else "")
        )
    if new and not seat.dry_run:
        click.echo("not pushed yet: nomicgit sync")
    return 0


def _meant(game: Game, known: str) -> tuple[str, Account]:
    """Whose account ``NAME=ID[:LOGIN]`` says which to be."""
    name, rest = place.of_account("--know", known)
    written, _, login = rest.partition(":")
    number = place.numbered("--know", name, written)
    if len(login) > MOST_OF_LOGIN:
        raise click.UsageError(f"the login of {name} has {len(login)} letters, and at most {MOST_OF_LOGIN}")
    if not LOGIN.fullmatch(login):
        raise click.UsageError(f"{login!r} is no login on a forge: letters, digits and - _ . [ ] make one up")
    player = game.tree.spelled(name)
    if game.tree.entity(f"players/{player}") is None:
        raise Refused.of(f"there is no player {player}", mend=remedy("see:", command("nomicgit", "status")))
    return game.tree.called(player), Account(FORGE, number, login)


def _record(seat: Seat, game: Game, player: str, account: Account) -> None:
    at = seat.moment(game)
    deed = Deed(
        new_id(at), game.tree.spelled(player), Outside.ACCOUNT, {}, at, origin=Origin(account=account)
    )
    if not seat.dry_run:
        game.act(deed)
