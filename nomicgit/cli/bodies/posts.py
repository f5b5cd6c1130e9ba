"""``nomicgit posts``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from nomicgit.cli.bodies.verdicts import LONG, verdict
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import TRYING, inline, marked, waited
from nomicgit.ground import clock, files
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.reasons import taken
from nomicgit.outlook import foreseen, meant, overview
from nomicgit.outlook.overview import Matter
from nomicgit.physics.state import deriving, naming, reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import annals
from nomicgit.record.game import Game
from nomicgit.rehearsal.expecting import bare

COLOURS = {"pending": "yellow", "enacted": "green", "failed": "red"}


def tell(seat: Seat, number: str | None, limit: int, kind: str | None, pending: bool) -> int:
    game = seat.game_to_look_at(law=False)
    world = game.looked_at(seat.moment(game))
    if number is not None:
        return _one(seat, game, world, number)
    refs = reading.find(world, "posts", **({"status": "pending"} if pending else {}))[::-1]
    rows: list[dict[str, Any]] = []
    for ref in refs:
        if limit and len(rows) >= limit:
            break
        if kind in (None, world.store.value(ref, "kind")):
            rows.append(_row(world, ref))
    if kind is not None and not rows:
        _refuse_unknown(world, kind)
    if seat.as_json:
        click.echo(json.dumps(rows))
        return 0
    if not rows:
        click.echo("there is no such post" if kind or pending else "there are no posts yet")
    for row in rows:
        status = click.style(row["status"] or "", fg=COLOURS.get(row["status"] or ""))
        title, author = printable(row["title"], LONG), inline(row["author"] or "nobody")
        click.echo(f"{row['number']:5}  {row['at'][:10]}  {_kind(row)}  {title}  ({author})  {status}")
    return 0


def _kind(row: dict[str, Any]) -> str:
    """What a post is, for people: one of no kind is an entry."""
    return "entry" if row["kind"] == "none" else str(row["kind"])


def _refuse_unknown(world: Transaction, kind: str) -> None:
    """Refused where no rule in force has a kind of post, and the kinds that there are."""
    kinds = ["none", *world.law.declared.posts]
    if kind not in kinds:
        near = meant.asked(meant.near(kind, kinds[1:])) or f"there are {', '.join(kinds)}"
        raise Refused.of(f"there is no kind of post {printable(kind, 60)}", mend=near)


def _row(world: Transaction, ref: str) -> dict[str, Any]:
    value = {
        name: reading.get(world, ref, name) for name in ("kind", "title", "author", "at", "status", "tags")
    }
    return {"number": int(ref.partition("/")[2])} | value | {"author": bare(world, value["author"])}


def _one(seat: Seat, game: Game, world: Transaction, number: str) -> int:
    ref = f"posts/{meant.numbered(world, number)}"
    views: dict[str, Any] = {}
    for name in ("tally", "reasons"):
        try:
            views[name] = (
                bare(world, deriving.view(world, name, ref)) if reading.get(world, ref, "votable") else None
            )
        except NomicError:
            views[name] = None
    if views["reasons"]:
        views["reasons"] = {who: taken(str(why)) for who, why in views["reasons"].items()}
    comments = [
        {**said, "by": bare(world, said["by"]), "guest": _is_guest(world, said["by"])}
        for said in reading.comments(world, ref)
    ]
    row = _row(world, ref)
    row |= {
        "body": reading.get(world, ref, "body"), "changes": reading.get(world, ref, "changes"), "comments": comments, **views,
        "guest": _is_guest(world, reading.get(world, ref, "author")),
        "resolved": _resolved(game, ref) if row["status"] in deriving.RESOLVED else None,
    }  # fmt: skip
    ahead = row["status"] == "pending" and row["changes"]
    pending = row["status"] == "pending" and reading.get(world, ref, "votable")
    matter = overview.matter_of(game.looked_at(seat.moment(game)), ref) if pending else None
    row["outlook"] = matter.as_json() if matter else None
    with waited(TRYING):
        row["foreseen"] = (
            foreseen.foreseen(game, world, ref, by=seat.named(game), beside=True) if ahead else None
        )
    if seat.as_json:
        click.echo(json.dumps(row))
        return 0
    stands = _stands(matter, seat.moment(game), row["foreseen"], game.settings.forge) if matter else ""
    for line in _page(row, stands):
        click.echo(line)
    return 0


def _is_guest(world: Transaction, by: object) -> bool:
    """Whether who said something was no player."""
    return isinstance(by, str) and naming.is_guest(world.store, by.removeprefix("players/"))


def _stands(matter: Matter, at: int, ahead: foreseen.Foreseen | None, forge: Mapping[str, Any] | None) -> str:
    """From when on a pending matter may be resolved, or why not."""
    said = verdict(matter, at, ahead["undone"] if ahead else "", forge)
    return "\n" + "\n".join(line.strip() for line in said.split("\n"))


def _resolved(game: Game, ref: str) -> dict[str, Any] | None:
    """The deed that resolved a post, and what the journal says of it; None where the record tells of none."""
    fields = game.tree.entity(ref)
    path = game.tree.post_path(int(ref.partition("/")[2]), fields) if fields else ""
    done = annals.closing(game.repository, game.head.oid, path) if path else None
    if done is None:
        return None
    return {
        "id": done.deed.id, "by": done.deed.actor and game.tree.called(done.deed.actor),
        "at": clock.text(done.deed.at), "commit": done.commit, "notes": list(done.notes),
    }  # fmt: skip


def _page(row: dict[str, Any], stands: str) -> Iterator[str]:
    """A post for people; ``stands``: from when on a pending one may be resolved, or why not."""
    status = f", {click.style(row['status'], fg=COLOURS.get(row['status']))}" if row["status"] else ""
    tags = f", {inline(', '.join(row['tags']))}" if row["tags"] else ""
    yield click.style(f"{row['number']}  {inline(row['title'])}", bold=True)
    guest = " (a guest)" if row["guest"] else ""
    yield f"{_kind(row)} by {inline(row['author'] or 'nobody')}{guest}, {row['at']}{status}{tags}"
    if row["body"]:
        yield f"\n{marked(row['body'])}"
    if row["changes"]:
        yield click.style("\nchanges", bold=True)
        yield marked(files.write(row["changes"]).rstrip("\n"))
    for line in foreseen.lines(row["foreseen"]) if row["foreseen"] else ():
        yield click.style(inline(line), fg="yellow")
    if row["resolved"]:
        done = row["resolved"]
        yield f"\n{row['status']} by {inline(done['by'] or 'the clock')}, {done['at']}"
        yield from (f"  {inline(note)}" for note in done["notes"])
    if row["tally"]:
        yield "\ntally: " + ", ".join(f"{count} {icon.upper()}" for icon, count in row["tally"].items())
        yield from (f"  {inline(who)}: {inline(why)}" for who, why in (row["reasons"] or {}).items())
    if stands:
        yield stands
    for said in row["comments"]:
        icon = click.style(f" {said['icon'].upper()}", bold=True) if said["icon"] else ""
        guest = " (a guest)" if said["guest"] else ""
        yield f"\n{inline(said['by'] or 'nobody')}{guest}, {said['at']}{icon}" + (
            f"\n{marked(said['text'])}" if said["text"] else ""
        )
