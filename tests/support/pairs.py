"""Two games that differ in one secret only, played alike: until the law lets the difference out nobody without the key sees it."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.law.variables import Type
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, Recorded
from nomicgit.record.secret import ordering, veil
from nomicgit.record.secret.unlocked import OpenTree
from nomicgit.sealing.keys import Part
from support.editions import PRACTICES
from support.keyed import KEY, KeyedGame
from support.onlooker import Glimpse, glimpses
from support.practice import Practising

Change = Callable[[Deed], Deed]


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two games parted before everyone's eyes: by which deed (an action, or what fell due before it), and in what."""

    edition: str
    action: str
    private: bool
    left: Glimpse | None
    right: Glimpse | None
    said: str = ""

    @property
    def where(self) -> list[str]:
        """In what the two commits differ; ``refused`` where one of them is none."""
        if self.left is None or self.right is None:
            return ["refused"]
        return self.left.apart(self.right)

    @property
    def is_lawful(self) -> bool:
        """Whether it may be the law that has let the difference out: a sealed deed says other sentences, or changes other
        values that everybody may see; or a public action is refused in one of the games.
        """
        if self.left is None or self.right is None:
            return not self.private
        allowed = {"sentences", "Nomic-Dice", "Nomic-Seed", *SIZES}
        names = {
            name
            for name in self.where
            if not name.startswith("game/state/") and not name.startswith("game/posts/")
        }
        return self.left.is_sealed and self.right.is_sealed and names <= allowed


SIZES = {"Nomic-Sealed", "game/sealed/state", "game/sealed/since"}
"""What differs where what is sealed takes another number of steps."""


def lay(game: Game, secrets: Mapping[str, Mapping[str, Value]], at: int, name: str) -> None:
    """Let entities have secret values, as of a sealed deed that stands for whatever brought them there."""
    keeping = game.keeping()
    assert keeping is not None
    tree = cast(OpenTree, keeping.tree(game.repository, game.head.tree))
    never = tree.vault.hidden[Part.NEVER]
    whole = {
        ref: {Part.MAIN: dict(fields), Part.NEVER: dict(never.get(ref, {}))}
        for ref, fields in secrets.items()
    }
    vault = tree.vault.after(name, whole)
    outcome = Outcome(
        Deed(name, None, Outside.SEALED, {}, at), None, [], [], [], [], [], sealed=True, hidden=True
    )
    text = veil.message(outcome, game.position().store, tree.vault.sealer, seeds=(), evidence={})
    parent = game.head.oid
    game._record(
        vault.sheets.files(), lambda made: veil.signed(text, tree.vault.sealer, made, parent), outcome
    )
    game._refresh()
    game.key = KEY


@dataclass
class Pair:
    """Two games in which the same deeds are tried; ``change`` makes a deed other in the right one, once."""

    edition: str
    left: KeyedGame
    right: KeyedGame
    change: Change | None = None
    changed: Deed | None = None
    parting: Parting | None = None
    tried: int = 0
    sealed: int = 0
    key: object = field(default=KEY)

    @classmethod
    def founded(cls, folder: Path, edition: str) -> Pair:
        """Two games with one founding."""
        left = KeyedGame.founded(folder / "left", edition, PRACTICES[edition].sealed)
        shutil.copytree(folder / "left", folder / "right")
        game = Game.open(folder / "right")
        game.key = KEY
        return cls(edition, left, KeyedGame(game))

    # What random play asks of a game.

    def world(self) -> Transaction:
        return self.left.world()

    def looked_at(self, at: int) -> Transaction:
        return self.left.looked_at(at)

    def act(self, deed: Deed) -> Recorded:
        """Try a deed in both, as an order where it is private; the outcome in the left one."""
        self.tried += 1
        action = self.left.game.law.declared.action(deed.action)
        private = action is not None and bool(action.hidden(deed.given))
        if private:
            deed = replace(deed, nonce=f"{self.tried:032x}")
        other = deed
        if private and self.change is not None and self.changed is None:
            other = self.change(deed)
            self.changed = other if other != deed else None
        before = [each.game.head.oid for each in (self.left, self.right)]
        mine, theirs = self._tried(self.left, deed), self._tried(self.right, other)
        if self.parting is None:
            self._compare(before, deed, mine, theirs, private=private)
        if isinstance(mine, Refused):
            raise mine
        return mine

    def _tried(self, game: KeyedGame, deed: Deed) -> Recorded | Refused:
        try:
            if deed.nonce is not None:
                return game.game.act(deed, decide=ordering.decided)
            return game.game.act(deed)
        except Refused as error:
            return error

    def _compare(
        self,
        before: list[str],
        deed: Deed,
        mine: Recorded | Refused,
        theirs: Recorded | Refused,
        *,
        private: bool,
    ) -> None:
        if isinstance(mine, Refused) or isinstance(theirs, Refused):
            if type(mine) is not type(theirs):
                self.parting = Parting(self.edition, deed.action, private, None, None, f"{mine} | {theirs}")
            return
        (left,), (right,) = (
            glimpses(Path(each.game.repository.git_dir).parent, oid)
            for each, oid in zip((self.left, self.right), before, strict=True)
        )
        self.sealed += left.is_sealed
        if left != right:
            self.parting = Parting(self.edition, deed.action, private, left, right)


# ---- what may be other in the right game


def other_parameter(pair: Pair, play: Practising) -> Change:
    """One parameter of a private deed has another value; a text one of the same length."""

    def change(deed: Deed) -> Deed:
        world = pair.world()
        action = world.law.declared.actions[deed.action]
        for name in play.random.sample(sorted(deed.given), len(deed.given)):
            for _ in range(8):
                value = _other(play, world, action.parameters[name], deed.given[name], name)
                if value != deed.given[name]:
                    return replace(deed, given={**deed.given, name: value})
        return deed

    return change


def _other(play: Practising, world: Transaction, kind: Type, value: Any, name: str) -> Any:
    if isinstance(value, str) and kind.kind == "text":
        return value[::-1] if value[::-1] != value else "z" * len(value)
    return play.value(world, kind, name)


def other_sender(pair: Pair, play: Practising) -> Change:
    """Somebody else does it."""

    def change(deed: Deed) -> Deed:
        others = [ref.partition("/")[2] for ref in reading.roster(pair.world())]
        return replace(deed, actor=play.random.choice([each for each in others if each != deed.actor]))

    return change


def nothing_at_all(pair: Pair, play: Practising) -> Change:
    """The order asks for nothing."""
    return lambda deed: replace(deed, action=ordering.BLANK, given={})


DIFFERENCES = (other_parameter, other_sender, nothing_at_all)


def other_value(pair: Pair, play: Practising) -> bool:
    """A secret value that is stored is another one in the right game; False where there is none to be had."""
    game, world = pair.left.game, pair.left.world()
    keeping = game.keeping()
    assert keeping is not None
    hidden = cast(OpenTree, keeping.tree(game.repository, game.head.tree)).vault.hidden[Part.MAIN]
    places = [(ref, name) for ref, fields in hidden.items() for name in fields]
    r = play.random
    for ref, name in r.sample(places, len(places)):
        variable = world.law.variable(ref.partition("/")[0], name)
        if variable is None:
            continue
        value = play.value(world, variable.type, name)
        value = value[::-1] if variable.type.kind == "text" else value
        if value != hidden[ref][name] and not variable.derived:
            at = max(game.last(), play.at)
            lay(pair.left.game, {ref: hidden[ref]}, at, f"laid-{ref.replace('/', '-')}")
            lay(pair.right.game, {ref: {**hidden[ref], name: value}}, at, f"laid-{ref.replace('/', '-')}")
            return True
    return False


def played(folder: Path, edition: str, seed: int, deeds: int) -> Pair:
    """A pair of games of so many deeds tried, or until they part; in what they differ hangs on the seed."""
    pair = Pair.founded(folder, edition)
    play = Practising(PRACTICES[edition], cast(Game, pair), seed)
    play.legal = lambda: None  # type: ignore[method-assign]
    r = random.Random(seed)
    after = r.randrange(deeds // 2)
    which = r.randrange(len(DIFFERENCES) + 1)
    for number in range(deeds):
        if number >= after and pair.changed is None:
            if which < len(DIFFERENCES):
                pair.change = DIFFERENCES[which](pair, play)
            elif other_value(pair, play):
                pair.changed = Deed("laid", None, "")
        play.one([])
        if pair.parting is not None:
            break
    return pair
