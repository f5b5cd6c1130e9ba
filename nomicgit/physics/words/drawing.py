"""Words for chance, in the open and in secret."""

from __future__ import annotations

from typing import Any

from nomicgit.ground.problems import Defect, Refused
from nomicgit.law.declarations import IN_SECRET
from nomicgit.law.variables import MISSING
from nomicgit.physics.deed import Draw
from nomicgit.physics.state import writing
from nomicgit.physics.state.transaction import Transaction


def roll(world: Transaction, sides: object) -> int:
    """A die in the open; 0 of zero sides or fewer."""
    return _roll(world, sides, secret=False)


def secretly_roll(world: Transaction, sides: object) -> int:
    """A die that only the emperor sees."""
    return _roll(world, sides, secret=True)


def dice(world: Transaction, n: object, sides: object) -> list[int]:
    """Several dice in the open."""
    return [_roll(world, sides, secret=False) for _ in range(_number(n, world.physics.bounds.dice))]


def secretly_dice(world: Transaction, n: object, sides: object) -> list[int]:
    """Several dice that only the emperor sees."""
    return [_roll(world, sides, secret=True) for _ in range(_number(n, world.physics.bounds.dice))]


def pick(world: Transaction, options: object) -> object:
    """One of a list, drawn in the open; None of none."""
    return _pick(world, options, secret=False)


def secretly_pick(world: Transaction, options: object) -> object:
    """One of a list; only the emperor sees the draw."""
    return _pick(world, options, secret=True)


def shuffle(world: Transaction, options: object) -> list[object]:
    """A list in a random order, drawn in the open."""
    return _shuffle(world, options, secret=False)


def secretly_shuffle(world: Transaction, options: object) -> list[object]:
    """A list in a random order that only the emperor sees drawn."""
    return _shuffle(world, options, secret=True)


def _number(n: object, most: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n > most:
        raise Refused.of(f"{n} dice are not rolled at once")
    return max(0, n)


def _roll(world: Transaction, sides: object, *, secret: bool) -> int:
    world.must_write()
    if isinstance(sides, bool) or not isinstance(sides, int):
        raise Defect.of(f"{sides!a} is no number of sides")
    if sides <= 0:
        return 0
    face = world.chance.die(sides, secret=secret, turn=_turn(world, secret=secret))
    world.draws.append(Draw(f"d{sides}", str(face), secret))
    return face


def _pick(world: Transaction, options: object, *, secret: bool) -> object:
    world.must_write()
    if not isinstance(options, list):
        raise Defect.of("pick takes a list")
    if len(options) < 2:
        return options[0] if options else None
    shown = [shown_option(world, option) for option in options]
    place = world.chance.choice(shown, secret=secret, turn=_turn(world, secret=secret))
    world.draws.append(Draw(f"one of {len(options)}", shown[place], secret))
    return options[place]


def _turn(world: Transaction, *, secret: bool) -> str:
    """What draws, and how often it has drawn in this term, this time counted: by that faces hang on a game's key."""
    secret |= world.hidden is True  # how often somebody has drawn in private is as secret as that they did
    name = IN_SECRET + world.drawing if secret else world.drawing
    if secret or world.store.secrecy.hides_key("drawn", name):
        world.store.look("a draw")
    if not world.context.keys:
        return name
    kept = writing.stored(world, "open", "drawn", {})
    before: Any = world.store.before("open", "drawn", 0)
    number = (0 if before is MISSING else before.get(name, 0)) + 1
    world.store.put("open", "drawn", dict(sorted({**kept, name: number}.items())))
    return f"{name} {number}"


def shown_option(world: Transaction, option: object) -> str:
    """A thing to choose as scenarios and journals write it: of a ref the id."""
    text = str(option)
    kind, _, rest = text.partition("/")
    return rest if kind in ("players", "posts", "rules") or kind in world.law.declared.collections else text


def _shuffle(world: Transaction, options: object, *, secret: bool) -> list[object]:
    if not isinstance(options, list):
        raise Defect.of("shuffle takes a list")
    rest, shuffled = list(options), []
    while rest:
        shuffled.append(_pick(world, rest, secret=secret))
        rest.remove(shuffled[-1])
    return shuffled
