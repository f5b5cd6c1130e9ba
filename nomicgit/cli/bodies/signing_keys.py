"""``nomicgit signers``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.git import Repository
from nomicgit.git.signing import KEY, PLAYER
from nomicgit.ground import clock
from nomicgit.ground.problems import Problem, Refused, printable
from nomicgit.ground.remedies import below, command, remedy
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.record.outside import entitled, helping
from nomicgit.record.signers import listed_in, public_in, signers_in
from nomicgit.record.tree import GameTree
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey


def signers(
    seat: Seat,
    *,
    add: Sequence[Path | str],
    drop: Sequence[str],
    address: str | None,
    whose: str | None,
    asked: str | None,
    approvals: int | None,
    by: Sequence[str],
) -> int:
    game = seat.game()
    if asked is not None or approvals is not None:
        ssh.needed()
        if add or drop or address is not None or (asked is not None and approvals is not None):
            raise click.UsageError(
                "--deeds and --approvals say what the game asks, --add, --drop and --address whose keys are which: one at a time"
            )
        who, at = by or (seat.actor(game),), seat.moment_of_deed(game)
        if asked is not None:
            return _said(seat, entitled.under_signatures(game, who, asked, at))
        assert approvals is not None
        return _said(seat, entitled.under_approvals(game, who, approvals, at))
    if not add and not drop and address is None:
        return _list(seat, game)
    ssh.needed()
    actor = seat.actor(game) if not whose or not by else ""
    player = game.tree.spelled(whose) if whose else actor
    own = [key.line for key in signers_in(game.repository, game.head.tree).get(player, ())]
    kept = [line for line in own if PublicKey.read(line).fingerprint not in drop]
    if len(own) - len(kept) != len(set(drop)):
        raise Refused.of(
            f"{printable(player)} has no such key",
            mend=remedy("see their fingerprints:", command("nomicgit", "signers")),
        )
    new = (PublicKey.read(each) if isinstance(each, str) else public_in(str(each)) for each in add)
    kept += [key.line for key in new if key.line not in kept]
    return _said(seat, entitled.give_keys(game, player, kept, actor, by, seat.moment_of_deed(game), address))


def bring(seat: Seat, named: str) -> None:
    """Somebody who joins brings the key with which they sign: it stands in the game from before they ask."""
    ssh.needed()
    file = Path(named)
    game, key = seat.game(), public_in(str(file))
    name = seat.actor(game)
    if game.tree.entity(f"players/{name}") is not None:
        raise Refused.of(
            f"{printable(name)} plays here already",
            mend=remedy("add a key to yours:", command("nomicgit", "signers", "--add", "FILE")),
        )
    at = seat.moment_of_deed(game)
    game.tried(Deed(new_id(at), name, "join", {}, at))
    if seat.dry_run:
        return
    for setting, value in ((PLAYER, name), (KEY, str(file.resolve()))):
        game.repository.set_config(setting, value)
    if key not in signers_in(game.repository, game.head.tree).get(name, ()):
        recorded = entitled.give_keys(game, name, [key.line], name, (), at)
        if not seat.as_json:
            _said(seat, recorded)


def _list(seat: Seat, game: Game) -> int:
    keys, approvals, addresses = listed_in(game.repository, game.head.tree)
    needed = helping.needed(game.settings, helping.admins(Store(game.tree)))
    if seat.as_json:
        wrong = [each.as_json() for each in _doubtful(game)]
        plain = {
            name: [{"key": key.line, "fingerprint": key.fingerprint} for key in some]
            for name, some in keys.items()
        }
        waiting = [
            {"player": player, "keys": lines, "by": admin} for (player, admin), lines in approvals.items()
        ]
        said = {
            "deeds": game.settings.signed, "signers": plain, "addresses": dict(addresses), "approvals": waiting, "needed": needed,
            "doubtful": wrong, "without_key": _without_key(game),
        }  # fmt: skip
        click.echo(json.dumps(said))
        return 0
    click.echo(f"signed deeds: {game.settings.signed}")
    for name, some in keys.items():
        for key in some:
            click.echo(clean(f"{game.tree.called(name)}  {key.fingerprint}  {key.kind}"))
    for name, address in addresses.items():
        click.echo(clean(f"{game.tree.called(name)} commits as {address}"))
    for (player, admin), lines in approvals.items():
        prints = " and ".join(PublicKey.read(line).fingerprint for line in lines) or "no key"
        who, whose = game.tree.called(admin), game.tree.called(player)
        click.echo(clean(f"{who} approves for {whose}: {prints}  ({needed} admins must)"))
    _warn(game)
    return 0


def _doubtful(game: Game) -> list[Problem]:
    return _doubtful_at(game.repository, game.head.tree)


def _doubtful_at(repository: Repository, oid: str) -> list[Problem]:
    tree = GameTree(repository, oid)
    return [*helping.doubtful(tree.settings, Store(tree), signers_in(repository, oid))]


def _without_key(game: Game) -> list[str]:
    signs = [name for name, some in signers_in(game.repository, game.head.tree).items() if some]
    return helping.without_key(game.settings, Store(game.tree), signs)


def _warn(game: Game, known: Sequence[str] = ()) -> None:
    """Tell who is locked out of the game, or soon may be, where that is not known already."""
    for each in _doubtful(game):
        if each.what in known:
            continue
        click.echo(click.style("note: ", fg="yellow") + clean(f"{each.what}{below(each.mend)}"))


def _said(seat: Seat, recorded: Recorded) -> int:
    deed = recorded.outcome.deed
    if seat.as_json:
        wrong = [each.as_json() for each in _doubtful(seat.game())]
        said = {**deed.given, "at": clock.text(deed.at), "commit": recorded.commit}
        click.echo(json.dumps(said | {"doubtful": wrong}))
    else:
        click.echo(
            f"{clean(recorded.outcome.notes[0])}  (commit {recorded.commit[:10]}, {clock.text(deed.at)})"
        )
        game = seat.game()
        before = game.repository.commit(game.repository.commit(recorded.commit).parents[0])
        _warn(game, [each.what for each in _doubtful_at(game.repository, before.tree)])
    return 0
