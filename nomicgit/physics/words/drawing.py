"""Words for chance, in the open and in secret."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from nomicgit.ground.problems import Defect, Refused
from nomicgit.law.law import IN_SECRET
from nomicgit.law.variables import MISSING
from nomicgit.physics.deed import Draw
from nomicgit.physics.state import writing
from nomicgit.physics.state.transaction import Transaction


class Drawing(Struct, frozen=True):
    """How results are drawn: in the open, or so that only the emperor sees them."""

    secret: bool

    def roll(self, world: Transaction, sides: object) -> int:
        """A die; 0 of zero sides or fewer."""
        world.must_write()
        if isinstance(sides, bool) or not isinstance(sides, int):
            raise Defect.of(f"{sides!a} is no number of sides")
        if sides <= 0:
            return 0
        face = world.chance.die(sides, secret=self.secret, turn=self._turn(world))
        self._note(world, f"d{sides}", str(face))
        return face

    def dice(self, world: Transaction, n: object, sides: object) -> list[int]:
        """Several dice."""
        if isinstance(n, bool) or not isinstance(n, int) or n > world.physics.bounds.dice:
            raise Refused.of(f"{n} dice are not rolled at once")
        return [self.roll(world, sides) for _ in range(n)]

    def pick(self, world: Transaction, options: object) -> object:
        """One of a list; None of none."""
        world.must_write()
        if not isinstance(options, list):
            raise Defect.of("pick takes a list")
        if len(options) < 2:
            return options[0] if options else None
        shown = [shown_option(world, option) for option in options]
        place = world.chance.choice(shown, secret=self.secret, turn=self._turn(world))
        self._note(world, f"one of {len(options)}", shown[place])
        return options[place]

    def shuffle(self, world: Transaction, options: object) -> list[object]:
        """A list in a random order."""
        if not isinstance(options, list):
            raise Defect.of("shuffle takes a list")
        rest, shuffled = list(options), []
        while rest:
            shuffled.append(self.pick(world, rest))
            rest.remove(shuffled[-1])
        return shuffled

    def _note(self, world: Transaction, what: str, result: str) -> None:
        """Keep a result: the journal says it in a sentence, and once more for whoever replays it."""
        world.written(2 * f"{what} gave {result}.")
        world.thrown += 1
        world.draws.append(Draw(what, result, self.secret, world.caller))

    def _turn(self, world: Transaction) -> str:
        """What draws, and how often it has drawn in this term, this time counted: by that faces hang on a game's key."""
        # how often somebody has drawn in private is as secret as that they did
        secret = self.secret or world.hidden is True
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


OPENLY, SECRETLY = Drawing(secret=False), Drawing(secret=True)


def shown_option(world: Transaction, option: object) -> str:
    """A thing to choose as scenarios and journals write it: of a ref the id."""
    text = str(option)
    kind, _, rest = text.partition("/")
    return rest if kind in ("players", "posts", "rules") or kind in world.law.declared.collections else text
