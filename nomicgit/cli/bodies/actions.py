"""``nomicgit actions``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from nomicgit.cli.bodies import status
from nomicgit.cli.bodies.example import Example, example, lines
from nomicgit.cli.bodies.given import action_of
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import inline
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.reasons import LONGEST, worded
from nomicgit.ground.remedies import command, remedy
from nomicgit.ground.wording import in_words
from nomicgit.law.declarations import Action
from nomicgit.law.law import Law
from nomicgit.law.variables import Type
from nomicgit.outlook import allowed, meant
from nomicgit.outlook.ahead import Answer
from nomicgit.outlook.openings import openings
from nomicgit.physics.deeds import acting
from nomicgit.physics.state import naming
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.forms.conditions import cost
from nomicgit.record.forms.fields import choices
from nomicgit.record.game import Game
from nomicgit.record.secret.told import Told

ONLY_THE_KEEPER = "sealed: only the keeper can say whether these are open; hand them in as an order"
BY_KEY = "  the dice of this game fall by its key: what throws them, or meets a secret, is handed in as an order too"
UNREAD = "  your letter tells more of what is private, and none was read here: nomicgit letters"
LONG = 200  # letters of a reason where several actions are listed; that of one stands whole
MOST = 200  # letters of the choices that a parameter leaves
MOST_ENTRIES = 800  # the same of the entries of a catalogue


def tell(seat: Seat, name: str | None, player: str | None) -> int:
    game = seat.game_to_look_at()
    who = game.tree.spelled(player) if player else seat.actor(game)
    only = action_of(game, name).name if name else None
    world = game.looked_at(seat.moment(game), _told(game, who))
    if player and naming.player_id(world, who) is None:
        near = meant.player(world, player)
        raise Refused.of(
            f"there is no player {printable(player, 60)}",
            mend=near or remedy("see:", command("nomicgit", "state", "players")),
        )
    halted = world.halted  # as of now: what may be done later is looked for further ahead
    declared = {key: action for key, action in world.law.declared.actions.items() if only in (None, key)}
    answers = openings(world, who, declared.values())
    unkept = {key for key, action in declared.items() if acting.sealed(world, action) is not None}
    shown = _example(seat, game, declared[only], who) if only is not None else None
    if (
        only is not None
        and shown is not None
        and shown.done
        and not shown.ordered
        and not answers[only].sealed
    ):
        answers = {only: Answer("")}  # with nothing given it may be refused all the same
    if seat.as_json:
        rows = [
            _row(action, answers[key], world.law)
            | {"unkept": key in unkept}
            | (shown.as_json() if shown is not None else {})
            for key, action in declared.items()
        ]
        click.echo(json.dumps({"player": game.tree.called(who), "actions": rows}))
        return 0
    if halted is not None:
        click.echo(click.style(status.waiting(*halted), fg="yellow"))
    rest = [(action, answers[key]) for key, action in declared.items() if key not in unkept]
    opened = [action for action, answer in rest if answer.now]
    most = LONG if only is None else LONGEST
    _print(opened, answers, world.law, most, f"open to {game.tree.called(who)}")
    if game.terms and who != game.terms[-1].keeper:
        click.echo(BY_KEY)
        unsure = any(action.always_private and (answer.now or answer.sealed) for action, answer in rest)
        if unsure and _told(game, who) is None:
            click.echo(UNREAD)
    _print([action for action, answer in rest if answer.sealed], answers, world.law, most, ONLY_THE_KEEPER)
    _print(
        [action for action, answer in rest if not (answer.now or answer.sealed)],
        answers,
        world.law,
        most,
        "not open",
    )
    _print_unkept([action for key, action in declared.items() if key in unkept])
    if only is not None:
        for line in _parameters(declared[only], world):
            click.echo(f"    {inline(line)}")
    if only is not None:
        by = world.ruleset.by_slug[declared[only].rule]
        click.echo(f"  its rule: {inline(by.title)} ({command('nomicgit', 'rules', by.slug).strip()})")
        if declared[only].instead and not (answers[only].now or answers[only].sealed):
            click.echo(f"  what anybody can do: {inline(declared[only].instead)}")
    if shown is not None and only not in unkept:
        assert only is not None
        why = answers[only].why_not
        known = bool(why) and all(line.endswith(f": {why}") for line in shown.now)  # it is said above
        for line in lines(shown._replace(now=()) if known else shown):
            click.echo(f"  {inline(line)}")
    return 0


def _example(seat: Seat, game: Game, action: Action, who: str) -> Example:
    return example(game, game.looked_at(seat.moment(game)), action, who)


def _told(game: Game, player: str) -> Told | None:
    """What a letter in this clone tells somebody of the secrets of a game with keys."""
    if not game.terms:
        return None
    letter: Told | None = loaded("letters.told")(game, player)
    return letter


def _parameters(action: Action, world: Transaction) -> Iterator[str]:
    """A line for each parameter, and for each field of a record: type, choices, range, and what it is where it is not given."""
    for name, kind in action.parameters.items():
        yield from _taking(name.replace("_", "-"), kind, world)


def _taking(name: str, kind: Type, world: Transaction, deep: int = 0) -> Iterator[str]:
    law, given = world.law, "" if kind.required else f", else {_default(kind)}"
    yield f"{'  ' * deep}{name}: {_type(kind, law)}{_there(kind, world)}{given}"
    for field, inner in _record(kind).items():
        yield from _taking(field, inner, world, deep + 1)
    if kind.kind == "entry" and (rows := law.declared.catalogues.get(kind.catalogue)):
        yield f"{'  ' * deep}  action: one of {in_words(list(map(_with, rows, rows.values())), MOST_ENTRIES)}"


def _there(kind: Type, world: Transaction) -> str:
    """The players, pending matters, or entities of a collection that there are for a type to take; "" of any other type."""
    if kind.kind in ("player", "matter"):
        there = allowed.listed(world, kind, MOST)
        return f" ({in_words(list(there), MOST)})" if there else " (there is none)"
    if kind.kind in world.law.declared.collections and not choices(kind, world.law.declared):
        there = allowed.listed(world, kind, MOST)
        return (
            ""
            if there is None
            else f": {in_words(list(there), MOST)}"
            if there
            else ", of which there is none"
        )
    return ""


def _default(kind: Type) -> str:
    """What a parameter is where it is not given."""
    if kind.default_by:
        return "as the rules say"
    match kind.empty():
        case bool(yes):
            return "true" if yes else "false"
        case None:
            return "nobody" if kind.kind == "player" else "nothing"
        case value:
            return in_words(value)


def _with(name: str, row: object) -> str:
    """An entry of a catalogue as the word that is typed, with the names of what is typed beside it."""
    details = row.get("with") if isinstance(row, Mapping) else None
    return f"{name} (with {' and '.join(details)})" if details else name


def _record(kind: Type) -> Mapping[str, Type]:
    """The fields of a record, or of each of those in a list, a set or a map."""
    inside = next((each for each in (kind.items, kind.values) if each is not None), None)
    return kind.fields or (_record(inside) if inside is not None else {})


def _type(kind: Type, law: Law) -> str:
    """A type in words, as far as it tells what may be typed."""
    options = choices(kind, law.declared)
    said = f"one of {in_words(list(options), MOST)}" if options else kind.kind
    if kind.kind == "boolean":
        return "true or false"
    if kind.kind == "any":
        return "any value"
    if kind.kind in law.declared.collections and not options:
        return f"one of the {kind.kind} (nomicgit state {kind.kind})"
    if kind.kind == "entry":
        return "{action: ACTION}, and in the same braces what that takes"
    if kind.kind == "map":
        parts = (_type(each, law) if each else "any" for each in (kind.keys, kind.values))
        return f"map of {' to '.join(parts)}"
    said += f" of {_type(kind.items, law)}" if kind.items else ""
    said += f", at least {kind.minimum}" if kind.minimum is not None else ""
    return said + (f", at most {kind.maximum}" if kind.maximum is not None else "")


def _print_unkept(actions: list[Action]) -> None:
    """What this game always refuses, apart from what may open one day."""
    if not actions:
        return
    click.echo(click.style("not in this game", bold=True))
    click.echo("  These are private, and this game has no keys, so nothing secret can be kept in it.")
    for action in actions:
        click.echo(f"  {action.name}{_signature(action)}  {inline(action.summary)}".rstrip())


def _row(action: Action, answer: Answer, law: Law) -> dict[str, Any]:
    parameters = [
        {"name": name.replace("_", "-"), **_plain(kind)} for name, kind in action.parameters.items()
    ]
    return {
        "name": action.name, "summary": action.summary, "rule": action.rule, "open": answer.now, "sealed": answer.sealed,
        "private": action.always_private, "why_not": answer.why_not, "earliest": answer.as_json()["earliest"],
        "cost": cost(law, action), "with": parameters,
    }  # fmt: skip


def _plain(kind: Type) -> dict[str, Any]:
    """A type as plain data; of a record, and of what holds some, each field too."""
    fields = [{"name": name, **_plain(inner)} for name, inner in _record(kind).items()]
    default = {} if kind.required or kind.default_by else {"default": kind.empty()}
    return (
        {"type": kind.kind, "required": kind.required, "choices": list(kind.choices)}
        | default
        | ({"fields": fields} if fields else {})
    )


def _print(actions: list[Action], answers: dict[str, Answer], law: Law, most: int, title: str) -> None:
    if not actions:
        return
    click.echo(click.style(title, bold=True))
    for action in actions:
        answer = answers[action.name]
        name = click.style(action.name, fg="green" if answer.now else None)
        click.echo(f"  {name}{_signature(action)}  {inline(action.summary)}{_secretly(action)}".rstrip())
        if price := cost(law, action):
            click.echo(f"      cost: {inline(price)}")
        if not answer.now and not answer.sealed:
            known = answer.earliest is not None and clock.text(answer.earliest) not in answer.why_not
            click.echo(
                f"      {printable(worded(answer.why_not), most)}"
                + (f"; from {clock.text(answer.earliest or 0)}" if known else "")
            )


def _secretly(action: Action) -> str:
    """How an action is done of which something is private."""
    match action.private:
        case str(condition):
            return f"  (with {condition.replace('_', '-')}: in private, as an order)"
        case True:
            return "  (in private, as an order)"
        case tuple(names):
            return f"  ({', '.join(name.replace('_', '-') for name in names)} in private, as an order)"
    return ""


def _signature(action: Action) -> str:
    names = [(name.replace("_", "-"), kind) for name, kind in action.parameters.items()]
    said = [(name if kind.required else f"[{name}]") for name, kind in names]
    return "".join(f" {each}" for each in said)
