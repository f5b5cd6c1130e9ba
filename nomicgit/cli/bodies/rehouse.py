"""``nomicgit rehouse``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

from nomicgit.cli.bodies import bell, place
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.state.store import Store
from nomicgit.record import whose
from nomicgit.record.game import Game
from nomicgit.record.outside import entitled
from nomicgit.record.tree import GameTree

NEXT = "next: nomicgit doctor --mend, commit, nomicgit sync; then follow SETUP.md"
GONE = {"by": "who resolves", "site": "where the site stands", "comments": "which comments count"}


def rehouse(
    seat: Seat, github: str | None, away: bool, accounts: tuple[str, ...], resolves: str | None, no_resolves: bool,
    forget: tuple[str, ...], site: str | None, no_site: bool, by: tuple[str, ...],
) -> int:  # fmt: skip
    if (github is None) != away:
        raise click.UsageError(f"say either --github {_here(seat)}, or --away")
    for said, no, option in ((resolves, no_resolves, "resolves"), (site, no_site, "site")):
        if said is not None and no:
            raise click.UsageError(f"say either --{option} or --no-{option}")
    if away and (accounts or resolves or no_resolves or forget or site or no_site):
        raise click.UsageError(
            "--away says all that is to be said: where a game lives on no forge, nothing stands of any"
        )
    numbers = [place.numbered("--account", *place.of_account("--account", each)) for each in accounts]
    game = seat.game()
    players = {game.tree.called(name) for name in game.tree.ids("players")} | {*game.tree.ids("players")}
    for name in (*(each.partition("=")[0] for each in accounts), resolves):
        if name is not None and place.spelled(name, players) is None:
            raise Refused.of(
                f"{printable(name, 60)} is no player",
                mend=remedy("see:", command("nomicgit", "state", "players")),
            )
    before = game.settings.forge or {}
    forge = None
    if github is not None:
        _refuse_known(game, accounts, numbers)
        kept = _kept(before, forget, resolver=not no_resolves, site=not no_site)
        forge = place.told(
            github, accounts=accounts, resolves=resolves, site=site, players=players, kept=kept
        )
    who, at = by or (seat.actor(game),), seat.moment_of_deed(game)
    commit = None
    if seat.dry_run:
        outcome = entitled.rehousing(game, who, forge, at)
    else:
        recorded = entitled.rehouse(game, who, forge, at)
        outcome, commit = recorded.outcome, recorded.commit
    unknown = whose.without(Store(game.tree), forge)
    once = _once(game, unknown) if forge and not before else {}
    deed = outcome.deed
    if seat.as_json:
        moved = {"forge": forge, "by": deed.given["by"], "at": clock.text(deed.at), "commit": commit}
        click.echo(
            json.dumps(moved | {"dry_run": seat.dry_run, "without_account": unknown, "known_before": once})
        )
        return 0
    where = f"commit {commit[:10]}" if commit else "dry run, nothing is recorded"
    click.echo(f"{clean(outcome.notes[0])}  ({where}, {clock.text(deed.at)})")
    for line in (*_gone(before, forge or {}), *_unknown(unknown, once, github or "", who)):
        click.echo(clean(line))
    if not forge:
        click.echo(
            "what README.md, mkdocs.yml and SETUP.md say of GitHub, and all of .github, is yours to take out"
        )
    follow = [*(_followed(game, before, github) if github else _stays(game))]
    then = [NEXT] if forge else []
    # who follows the place where it lived is told there that it has moved
    for line in (*then, *follow) if _followed_remote(game)[1] else (*follow, *then):
        click.echo(line)
    return 0


def _here(seat: Seat) -> str:
    """Where a game may be said to live: where it does already, whatever else is said anew."""
    with suppress(NomicError):  # that there is no game here is told once the line is right
        if there := (seat.game().settings.forge or {}).get("github"):
            return f"{there}, where the game lives already, or another OWNER/REPO"
    return "OWNER/REPO"


def _followed(game: Game, before: Mapping[str, Any], github: str) -> Iterator[str]:
    """How clones follow a game to another place once its settings tell of it: by their own settings."""
    if before.get("github") != github:
        (remote, known), address = _followed_remote(game), bell.address(github)
        branch = game.repository.branch.removeprefix(HEADS)
        begin = command("git", "push", "--set-upstream", remote, branch)
        if known:
            follow = command("git", "remote", "set-url", remote, address)
            yield remedy(
                "then here, and in every clone:", follow, "then, where it is empty there, once:", begin
            )
        else:
            add = command("git", "remote", "add", remote, address)
            yield remedy("so that this clone can push there, which is empty:", add, begin)


def _stays(game: Game) -> Iterator[str]:
    """How clones follow a game that lives on no forge: where they have, until somebody says another place."""
    (remote, known), branch = _followed_remote(game), game.repository.branch.removeprefix(HEADS)
    if known:
        yield remedy(
            "clones go on following the place that they follow now; to follow another, here and in every clone:",
            command("git", "remote", "set-url", remote, "ADDRESS"),
            "then, where it is empty there, once:",
            command("git", "push", "--set-upstream", remote, branch),
        )


def _followed_remote(game: Game) -> tuple[str, bool]:
    """What a clone follows, or is to follow, and whether it has an address."""
    upstream = Upstream.of(game.repository)
    remote = upstream.remote if upstream else "origin"
    return remote, game.repository.config(f"remote.{remote}.url") is not None


def _once(game: Game, unknown: Sequence[str]) -> dict[str, int]:
    """The accounts of players of whom none is known, as the settings told them before the game lived on no forge."""
    repository = game.repository
    for commit in repository.log(game.head.oid):
        if Outside.REHOUSE in commit.message and commit.parents:
            earlier = GameTree(repository, repository.commit(commit.parents[0]).tree).settings.forge
            numbers = {name.casefold(): number for name, number in whose.told_in(earlier).items()}
            if numbers:
                return {name: numbers[name.casefold()] for name in unknown if name.casefold() in numbers}
    return {}


def _unknown(
    unknown: Sequence[str], once: Mapping[str, int], github: str, by: Sequence[str]
) -> Iterator[str]:
    """Of whom no account is known where the game lives from now on, and of whom one was before it lived nowhere."""
    if once:
        words = [word for name, number in once.items() for word in ("--account", f"{name}={number}")]
        who = [word for name in by for word in ("--by", name)]
        yield remedy(
            f"known before the game lived on no forge, and not any more: {', '.join(once)}; to say it again:",
            command("nomicgit", "rehouse", "--github", github, *words, *who),
        )
    if left := [name for name in unknown if name not in once]:
        yield f"no account on GitHub is known of {', '.join(left)}, who can do nothing there: nomicgit steward --know NAME=ID"


def _kept(
    before: Mapping[str, Any], forget: tuple[str, ...], *, resolver: bool, site: bool
) -> dict[str, Any]:
    """What stays of how the game lived, where nothing else is said of it. Refused where somebody's account is not there."""
    accounts = whose.told_in(before)
    gone = {place.spelled(name, accounts) for name in forget}
    for name in forget:
        if place.spelled(name, accounts) is None:
            raise Refused.of(
                f"the settings tell no account of {printable(name, 60)}",
                mend=remedy("see:", command("nomicgit", "steward", "--accounts")),
            )
    goes = {"players"} | (set() if site else {"site"}) | (set() if resolver else {"by", "resolve"})
    left = {name: number for name, number in accounts.items() if name not in gone}
    return {key: value for key, value in before.items() if key not in goes} | (
        {"players": left} if left else {}
    )


def _refuse_known(game: Game, accounts: tuple[str, ...], numbers: Sequence[int]) -> None:
    """Refuse an account of whose another is known by a deed: the settings would tell it in vain."""
    everybody = whose.everybody(Store(game.tree), game.settings.forge)
    known, held = (
        {each.player for each in everybody if each.by_deed},
        {each.player: each.number for each in everybody},
    )
    for name, number in zip((each.partition("=")[0] for each in accounts), numbers, strict=True):
        player = game.tree.called(game.tree.spelled(name))
        if player in known and held[player] == number:
            raise Refused.of(
                f"{printable(name, 60)}'s account is number {number} already, by a deed: nothing is to be said of it",
                mend="leave its --account out",
            )
        if player in known:
            holder = whose.holder({each: held[each] for each in held if each != player}, number)
            both = f"say another by a deed, and in the same command which is {holder}'s, who has this one:"
            theirs = ("--know", f"{holder}=ID") if holder else ()
            say = command("nomicgit", "steward", "--know", f"{printable(name, 60)}={number}", *theirs)
            raise Refused.of(
                f"{printable(name, 60)}'s account is known by a deed, which goes before the settings",
                mend=remedy(both if holder else "say another by a deed:", say),
            )


def _gone(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What the settings do not tell any more."""
    accounts, left = whose.told_in(before), whose.told_in(after)
    yield from (f"gone: {name}'s account, {number}" for name, number in accounts.items() if name not in left)
    for key, what in GONE.items():
        if key in before and key not in after:
            yield f"gone: {what}, {printable(str(before[key]), 100)}"
