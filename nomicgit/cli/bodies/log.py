"""``nomicgit log``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import inline
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.ground.wording import in_words
from nomicgit.law.outside import Outside
from nomicgit.outlook import meant
from nomicgit.physics.deed import folded
from nomicgit.physics.state import naming
from nomicgit.record import journal, visible
from nomicgit.record.game import Game
from nomicgit.record.seen.strays import told_aside

if TYPE_CHECKING:
    from nomicgit.cli.bodies.unveiling import Unveiling

MOST_RULES = 8  # titles of a line


def tell(seat: Seat, limit: int, by: str | None, action: str | None, opened: bool) -> int:
    game = seat.game_to_look_at(law=False)
    who = None if by is None else game.tree.called(game.tree.spelled(by))
    unveiling = loaded("unveiling.unveiling")(game) if opened else None
    deeds = (
        row for row in _rows(game, unveiling)
        if who in (None, _of(row, "by")) and action in (None, _of(row, "action"))
    )  # fmt: skip
    rows = list(islice(deeds, limit or None))
    if not rows:
        _refuse_unknown(game, by, action, unveiling)
    if seat.as_json:
        click.echo(json.dumps(rows))
        return 0
    if not rows:
        asked = [f"{how} {inline(name)}" for how, name in (("by", by), ("of the action", action)) if name]
        click.echo(f"no deed is {' and '.join(asked)}")
    for row in rows:
        click.echo(f"{click.style(str(row['at']), fg='cyan')}  {_head(row)}")
        for line in (
            *_rules(row["rules"]),
            *folded(row["notes"]),
            *row["changes"],
            *_opened(row["opened"] or {}),
        ):
            click.echo(f"    {inline(str(line))}")
        if row["set_aside"]:
            click.echo(
                click.style(f"    set aside by {str(row['set_aside'])[:10]}: it stands no more", fg="yellow")
            )
        click.echo(click.style(f"    {row['id']}  commit {str(row['commit'])[:10]}", dim=True))
    if any(row["action"] == Outside.SEALED and not row["opened"] for row in rows):
        click.echo(click.style(visible.READERS, dim=True))
    return 0


def _rules(became: dict[str, list[str]]) -> Iterator[str]:
    """What became of the law by a deed, a line for what was added, amended and repealed."""
    for word, titles in became.items():
        more = [f"and {len(titles) - MOST_RULES} more"] if len(titles) > MOST_RULES else []
        yield f"rules {word}: {', '.join([*titles[:MOST_RULES], *more])}"


def _refuse_unknown(game: Game, by: str | None, action: str | None, unveiling: Unveiling | None) -> None:
    """Refuse a name under which nobody has played or done anything, and an action that is none; with near names."""
    world, rows = game.looked_at(game.last()), list(_rows(game, unveiling))
    if by is not None and naming.holder(world.store, by) is None:
        who = game.tree.called(game.tree.spelled(by))
        if who not in [_of(row, "by") for row in rows]:
            raise Refused.of(
                f"nobody is called {printable(by, 60)}, or was",
                mend=meant.player(world, by) or remedy("see:", command("nomicgit", "state", "players")),
            )
    done = dict.fromkeys(str(_of(row, "action")) for row in rows)
    if action is not None and action not in {**world.law.declared.actions, **done}:
        near = meant.asked(meant.near(action, {**world.law.declared.actions, **done}))
        what = f"no deed is of the action {printable(action, 60)}, and no rule in force declares one"
        raise Refused.of(what, mend=near or remedy("see:", command("nomicgit", "actions")))


def _of(row: dict[str, Any], name: str) -> object:
    """What a deed is, behind its veil where that was opened."""
    return (row["opened"] or row)[name]


def _head(row: dict[str, Any]) -> str:
    """What everybody can know of a deed, on a line."""
    sealed = click.style("sealed", italic=True)
    if row["action"] == Outside.SEALED:
        return sealed
    if row["action"] == Outside.FOUND:
        given = row["with"]
        players = in_words([*given["players"], *given["idle"]], 200)
        return inline(
            f"the game was founded: {players}" + (f"; {given['emperor']} leads" if given["emperor"] else "")
        )
    return inline(str(row["subject"])) + (f"  (what of it is private is {sealed})" if row["sealed"] else "")


def _opened(behind: dict[str, Any]) -> Iterator[str]:
    """Lines of what only the key opens."""
    if not behind:
        return
    given = f" {in_words(behind['with'], 200)}" if behind["with"] else ""
    yield f"opened: {behind['by'] or 'the clock'}: {behind['action']}{given}"
    if behind["refused"]:
        yield f"refused: {behind['refused']}"
    yield from (f"told {each['player']}: {each['text']}" for each in behind["told"])


def _rows(game: Game, unveiling: Unveiling | None) -> Iterator[dict[str, Any]]:
    """The deeds of a game, newest first."""
    called = cache(game.tree.called)
    for commit, aside in told_aside(game.repository, game.head.oid):
        entry = journal.told(commit.message)
        if entry is None:
            continue
        deed = entry.deed
        yield {
            "id": deed.id, "at": clock.text(deed.at), "by": deed.actor and called(deed.actor), "action": deed.action,
            "with": dict(deed.given),
            "subject": commit.message.partition("\n")[0], "notes": journal.notes_of(commit.message),
            "changes": visible.lines(game.repository, commit), "rules": visible.amended(game.repository, commit),
            "dice": entry.dice, "commit": commit.oid, "set_aside": aside or None, "sealed": bool(entry.sealed),
            "opened": unveiling.behind(entry, called) if unveiling and entry.sealed else None,
        }  # fmt: skip
