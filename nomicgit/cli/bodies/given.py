"""Deeds with what people type, ``key=value``, as the values that parameters take: ``nomicgit act``, ``set``, ``ascend``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from nomicgit.cli.bodies.deeds import act
from nomicgit.cli.bodies.written import misshapen
from nomicgit.cli.contents import MODULES
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import from_source
from nomicgit.ground import files
from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Malformed, NomicError, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law import paths
from nomicgit.law.declarations import Action
from nomicgit.outlook import meant
from nomicgit.outlook.meant import type_at
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.forms import entered
from nomicgit.record.game import Game
from nomicgit.record.proof import carry

LINE = 500
"""How many characters of what was typed are written out again as a line to copy."""


def do(seat: Seat, name: str | None, given: tuple[str, ...]) -> int:
    if name is None:
        raise click.UsageError("say which action; what there is to do is told by: nomicgit actions")
    game = seat.game_of_deed()
    return act(seat, name, typed(game, name, given), game=game)


def as_action(seat: Seat, words: Sequence[str], options: Sequence[str]) -> str:
    """The line that does the action that is called like the first of some words, with options of the program; "" where no game
    is at hand that has it.
    """
    name, *given = words
    try:
        actions = seat.game().law.declared.actions
    except (NomicError, OSError):
        return ""
    return (
        command("nomicgit", "act", name, *_named(actions[name], given), *options) if name in actions else ""
    )


def near_actions(seat: Seat, name: str) -> list[str]:
    """The actions that are called nearly so, and that no command does; none where no game is at hand."""
    try:
        actions = seat.game().law.declared.actions
    except (NomicError, OSError):
        return []
    return [each for each in nearest(name, actions, 3) if each not in MODULES]


def _named(action: Action, words: Sequence[str]) -> list[str]:
    """Words of a line as ``key=value``: those without a key belong to the parameters that are not named, in their order; one that
    is a parameter's name lacks its value.
    """
    keys = [name.replace("_", "-") for name in action.parameters]
    words = [_with_equals(word, keys) for word in words]
    named = {word.partition("=")[0] for word in words}
    left = (key for key in keys if key not in named)
    return [
        word if "=" in word else f"{word}={word.upper()}" if word in keys else f"{next(left, 'KEY')}={word}"
        for word in words
        if word[:1] != "-"
    ]


def _with_equals(word: str, keys: Sequence[str]) -> str:
    """A word as it is meant: what stands behind a parameter's name and a colon is given to it."""
    key, colon, rest = word.partition(":")
    return f"{key}={rest}" if colon and rest and key in keys else word


def set_variable(seat: Seat, path: str, value: str) -> int:
    game = seat.game_of_deed()
    action = action_of(game, "set")
    _refuse_undeclared(game, game.looked_at(seat.moment(game)), path)
    return act(seat, action.name, _aimed(game, action, {entered.PATH: path, entered.VALUE: value}), game=game)


def _refuse_undeclared(game: Game, world: Transaction, path: str) -> None:
    """Refuse a path to what no rule in force declares, with near names."""
    if type_at(game.law, path) is not None or not paths.is_path(path):
        return
    kind, *rest = paths.segments(path)
    kinds = (*meant.SINGLE, "players", "posts", *game.law.declared.collections)
    place = 0 if kind not in kinds else 1 if kind in meant.SINGLE else 2
    if len(rest) < place:
        raise Refused.of(
            f"{printable(path, 60)} names no variable", mend="name one: players.NAME.VARIABLE, game.VARIABLE"
        )
    what = f"no rule in force declares {printable([kind, *rest][place], 60)}" + (
        f" of {kind}" if place else ""
    )
    raise Refused.of(what, mend=meant.path(world, path) or remedy("see:", command("nomicgit", "state")))


def ascend(seat: Seat, theme: str | None, more: tuple[str, ...]) -> int:
    game = seat.game_of_deed()
    pairs = (theme, *more) if theme is not None and _is_pair(theme) else more
    said = {"theme": from_source(theme)} if theme is not None and not _is_pair(theme) else {}
    return act(seat, "ascend", said | typed(game, "ascend", pairs), game=game)


def _is_pair(text: str) -> bool:
    key, equals, _ = text.partition("=")
    return bool(equals) and key.replace("-", "").replace("_", "").isalnum() and " " not in key


def action_of(game: Game, name: str) -> Action:
    """The action of a name. Refused, with near names, where no rule in force declares it."""
    actions = game.law.declared.actions
    if name in actions:
        return actions[name]
    what = f"no rule in force declares an action {printable(name, 60)}"
    if bringing := [*_bringing(game, name)]:
        numbers = [number for number, _ in bringing]
        posts = " and ".join(f"post {number}, {printable(title, 60)}," for number, title in bringing)
        mend = remedy(
            f"{posts} would bring it, once enacted; see what that does:",
            *(command("nomicgit", "try", n) for n in numbers),
        )
        raise Refused.of(what, mend=mend)
    near = nearest(name, actions, 3)
    mend = f"did you mean {' or '.join(near)}? See" if near else "see"
    raise Refused.of(what, mend=remedy(f"{mend}:", command("nomicgit", "actions")))


def _bringing(game: Game, name: str) -> Iterator[tuple[str, str]]:
    """The pending matters, by number and title, whose changes of rules would declare an action of a name."""
    used = (game.tree.entity("used") or {}).get("slugs", ())
    for number in (game.tree.entity("open") or {}).get("pending", ()):
        post = game.tree.entity(f"posts/{number}") or {}
        changes = post.get("changes") or ()
        after = carry(game.ruleset, changes, used).ruleset if changes else game.ruleset
        if after is not game.ruleset and name in game.physics.law(after).declared.actions:
            yield str(number), str(post.get("title", ""))


def typed(game: Game, action: str, pairs: Iterable[str]) -> dict[str, Any]:
    """The parameters of an action. UsageError for what is no ``key=value``."""
    declared = action_of(game, action)
    texts: dict[str, str] = {}
    pairs = list(pairs)
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            known = ", ".join(name.replace("_", "-") for name in declared.parameters) or "nothing"
            short = sum(map(len, pairs)) <= LINE
            line = (
                command("nomicgit", "act", action, *_named(declared, pairs))
                if declared.parameters and short
                else ""
            )
            meant = f"; write:\n{line}" if line else ""
            raise click.UsageError(f"{printable(pair, 80)!r} is no key=value; {action} takes {known}{meant}")
        if key in texts:
            raise click.UsageError(f"{key} is given twice")
        texts[key] = text
    return _aimed(game, declared, texts)


def _aimed(game: Game, action: Action, texts: Mapping[str, str]) -> dict[str, Any]:
    """What is typed for each parameter as its value; what is put at a path is of the type that is declared there."""
    action = entered.aimed(action, texts.get(entered.PATH), lambda path: type_at(game.law, path))
    given: dict[str, Any] = {}
    wrong: list[Problem] = []
    for key, text in texts.items():
        try:
            given[key] = entered.value(action.parameters.get(key.replace("-", "_")), key, from_source(text))
        except Malformed as unread:
            if key == "changes" and isinstance(unread, files.Unquoted):
                wrong += misshapen(unread, key)
            else:
                wrong += unread.problems
    if wrong:
        raise Malformed(*wrong)
    return given
