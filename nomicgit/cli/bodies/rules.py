"""``nomicgit rules``."""

from __future__ import annotations

import json

import click

from nomicgit.cli.bodies import declared
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import inline, many, marked
from nomicgit.ground.problems import Refused, quoted
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.outlook import meant
from nomicgit.physics.state.quoting import filled


def tell(seat: Seat, name: str | None, mechanics: bool) -> int:
    game = seat.game_to_look_at()
    if name is None:
        return _tree(seat, game.ruleset)
    if near := meant.rule(game.ruleset, name):
        raise Refused.of(f"no rule is called {quoted(name)}", mend=near)
    placed = game.ruleset.find(name)

    world = game.looked_at(seat.moment(game))
    text, declares = filled(world, placed), list(declared.lines(placed.front, world.law.declarations))
    if seat.as_json:
        more = {
            "text": text,
            "declares": dict(placed.front),
            "in_words": declares,
            "mechanics": placed.mechanics,
        }
        click.echo(json.dumps(row(placed) | more))
        return 0
    click.echo(click.style(str(placed), bold=True) + f"  ({placed.section}, {placed.status}; {placed.slug})")
    click.echo(f"\n{marked(text)}")
    if declares:
        click.echo(click.style("\ndeclares", bold=True))
        for line in declares:
            click.echo(f"  {inline(line)}")
    if placed.mechanics and mechanics:
        click.echo(
            click.style("\nmechanics", bold=True)
            + f"  (game/ruleset/{placed.path}:{placed.line})\n{marked(placed.mechanics)}"
        )
    elif placed.mechanics:
        lines = placed.mechanics.count("\n") + 1
        click.echo(f"\nmechanics: {many(lines, 'line')}, see --mechanics")
    return 0


def row(placed: Placed) -> dict[str, object]:
    """A rule in the list, as plain data."""
    return {
        "number": placed.number, "title": placed.title, "slug": placed.slug, "section": placed.section, "parent": placed.parent,
        "status": placed.status, "path": f"game/ruleset/{placed.path}",
    }  # fmt: skip


def _tree(seat: Seat, ruleset: Ruleset) -> int:
    if seat.as_json:
        click.echo(json.dumps([row(placed) for placed in ruleset.rules]))
        return 0
    for number, section in ruleset.sections:
        click.echo(click.style(f"{number}  {section}", bold=True))
        for placed in ruleset.rules:
            if placed.section == section:
                line = f"{'  ' * placed.number.count('.')}{placed}"
                off = placed.status == "inactive"
                click.echo(click.style(f"{line}  (inactive)", dim=True) if off else line)
    return 0
