"""``nomicgit setup``."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from nomicgit.cli.bodies import bell
from nomicgit.cli.bodies.keys import at_hand, fits, keyed
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.forge import apps, barrier, environment, setup
from nomicgit.forge.apps import App
from nomicgit.forge.barrier import Barrier
from nomicgit.forge.doctor import BRANCH
from nomicgit.forge.environment import Environment
from nomicgit.forge.inspection import KEY, Settings, Unseen
from nomicgit.ground.problems import NomicError, Place, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.game import Game
from nomicgit.record.secret.keyring import LAY_DOWN, note_unseen
from nomicgit.steward.trouble import Forbidden, Missing

BY_HAND = "import it: Settings → Rules → Rulesets → New ruleset → Import a ruleset"


def bar(seat: Seat, *, key: bool) -> int:
    game = seat.game()
    there = bell.place_of(game)
    text = _key(seat) if key else ""
    with bell.github(there.repository) as github:
        seen = github.settings()
        app = _app(seen)
        path = setup.WITHOUT_APP if app is None else setup.RULESET
        barred, wrong = barriers(game)
        if path not in barred:
            raise Refused(*wrong)
        for each in (each for each in wrong if each.where.file == path):
            click.echo(f"{click.style('wrong', fg='red')}: {clean(str(each))}", err=True)
        wanted = barrier.passing_by(barred[path], app)
        unlike = _unlike(seen, wanted, app)
        shut = seen.environment == Environment((BRANCH,))
        why = ""
        if not seat.dry_run:
            try:
                if unlike:
                    github.lay(wanted)
                if not shut:
                    github.lay_environment(BRANCH)
            except (Forbidden, Missing) as error:
                why = error.problems[0].what
    if text and seen.has_key is not False:
        known = (
            f"it is not to be seen: {seen.has_key.why}" if isinstance(seen.has_key, Unseen) else "it is there"
        )
        raise Refused.of(
            f"the key is shown until {environment.NAME} has it as {KEY}, and {known}",
            mend=remedy("to see it all the same:", command("nomicgit", "keys", "show", "--secret")),
        )
    if seat.as_json:
        said = {
            "repository": there.repository,
            "file": path,
            "ruleset": wanted,
            "differs": unlike,
            "environment": {"name": environment.NAME, "branches": [BRANCH], "differs": not shut},
            "why_not": why,
        } | ({"key": text} if text else {})
        click.echo(json.dumps(said | {"laid": bool(unlike) and not why and not seat.dry_run}))
    elif why:
        click.echo(json.dumps(wanted, indent=2))
        click.echo(f"{path} is not laid by this token: {clean(why)}\n{BY_HAND}", err=True)
    else:
        _say(path, unlike, app, shut=shut, dry_run=seat.dry_run, aside=bool(text))
        if text:
            click.echo(text)
            note_unseen(game.repository, None)
    return 1 if why else 0


def _key(seat: Seat) -> str:
    """The game's key as the steward is given it. Refused where it is not in this clone."""
    game = keyed(seat)
    key = at_hand(game)
    if key is None or not fits(game, key):
        raise Refused.of("the key of this game is not in this clone", mend=LAY_DOWN)
    return key.text()


def _app(seen: Settings) -> App | None:
    """The App that pushes for the steward. Refused where that is not to be seen, or it is none: a branch that is barred for the
    steward too would be worse than an open one.
    """
    if isinstance(seen.app, Unseen):
        raise Refused.of(
            f"it is not to be seen whether an App pushes for the steward: {seen.app.why}",
            mend=f"let the token read Variables; or {BY_HAND} ({setup.RULESET} with an App, else {setup.WITHOUT_APP})",
        )
    if seen.app is not None and (wrong := [*apps.amiss(seen.app)]):
        raise Refused(*wrong)
    if seen.app is not None and not seen.app.number:
        raise Refused.of(
            f"this is the token of {seen.app}, which is not to set up what bars others",
            mend="say it with an owner's token",
        )
    return seen.app


def _unlike(seen: Settings, wanted: Barrier, app: App | None) -> list[str]:
    """In what the ruleset that is laid differs from the one that is wanted."""
    if seen.barrier is None or isinstance(seen.barrier, Unseen):
        return ["it is not laid"]
    return list(barrier.differences(seen.barrier, wanted, app))


def _say(path: str, unlike: list[str], app: App | None, *, shut: bool, dry_run: bool, aside: bool) -> None:
    """Say what was done; ``aside``: not where another program reads."""
    by = (
        f"{app} passes by it"
        if app is not None
        else "it bars force pushes and the branch's deletion alone: there is no App"
    )
    if not unlike:
        click.echo(f"{path} is laid as it says; {by}", err=aside)
    elif dry_run:
        click.echo(f"{path} would be laid ({clean('; '.join(unlike))}); {by} (dry run)", err=aside)
    else:
        click.echo(click.style(f"{path} is laid", fg="green") + f"; {by}", err=aside)
    made = "is laid" if shut or not dry_run else "would be laid"
    click.echo(
        f"the environment {environment.NAME} {made}: its secrets are for workflows of {BRANCH} alone",
        err=aside,
    )
    click.echo("what stays open, and all else: nomicgit doctor", err=aside)


def barriers(game: Game) -> tuple[dict[str, Barrier], Sequence[Problem]]:
    """The rulesets that the game's files say, or, where there are none, those that come with the program; and what is wrong with
    those files that say none, or bar less than those.
    """
    barred, wrong = dict[str, Barrier](), list[Problem]()
    for path, own in setup.rulesets().items():
        try:
            data = game.repository.file(game.head.tree, path)
            barred[path] = own if data is None else _read(path, data)
            if less := "; ".join(barrier.weaker(barred[path], own)):
                what = f"it bars less than the one that comes with the program: {less}"
                wrong.append(Problem(what, Place(path), mend=_anew(path)))
        except NomicError as error:
            wrong += error.problems
    return barred, wrong


def _read(path: str, data: bytes) -> Barrier:
    try:
        barred = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Refused.of(f"it is no ruleset: {printable(str(error), 120)}", file=path, mend=BACK) from None
    rules = barred.get("rules") if isinstance(barred, dict) else None
    if not isinstance(rules, list) or not all(isinstance(each, dict) for each in rules):
        raise Refused.of("it is no ruleset: it has no list of rules", file=path, mend=BACK)
    return {**barred, "name": setup.ruleset()["name"]}


def _anew(path: str) -> str:
    """What has the program's own back in place of a file that its owners may change."""
    out, bring = command("git", "rm", "--quiet", "--", path), command("nomicgit", "doctor", "--mend")
    return remedy("to have the program's own back, and to commit it:", out, bring, command("git", "commit"))


BACK = "take the file away, and nomicgit doctor --mend brings the one that comes with the program"
