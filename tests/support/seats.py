"""A game in clones of one repository, a clone for each who plays: a deed is a command of the program in its actor's clone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, Recorded
from nomicgit.record.secret.keyring import key_at
from support.clones import Clone
from support.keyed import KeyedGame
from support.practice import Practice


class Seats:
    """The clones of a practice game of an edition; one is written to at a time, and is as far as the game is.

    It is looked at as random play looks at a game: with the key, where there is one.
    """

    def __init__(self, folder: Path, practice: Practice) -> None:
        self.folder, start = folder, practice.sealed
        self.keeper = self.last = str(start.emperor)
        self.ids: dict[str, str] = {}
        self.unshared, self.behind = False, set[str]()
        self._game: Game | None = None
        named = [word for name in start.players for word in ("--player", name)]
        named += [word for name in start.admins for word in ("--admin", name)]
        named += [word for name in start.idle for word in ("--idle", name)]
        begun = ["--practice", "--start", clock.text(start.at), "--emperor", self.keeper]
        here = Clone(folder)
        here.play("new", self.keeper, "--edition", practice.edition, *begun, *named)
        here.git("init", "--quiet", "--bare", "--initial-branch=main", "bare.git")
        self.clone(self.keeper).git("remote", "add", "origin", "../bare.git")
        self.clone(self.keeper).git("push", "--quiet", "--set-upstream", "origin", "main")
        self.clone(self.keeper).play("me", self.keeper)
        self.key = key_at(Game.open(folder / self.keeper).repository)

    def clone(self, name: str) -> Clone:
        """The clone of a player; who has none yet makes one, of what is shared."""
        if not (self.folder / name).is_dir():
            Clone(self.folder).git("clone", "--quiet", "bare.git", name)
            Clone(self.folder / name).play("me", name)
        return Clone(self.folder / name)

    def turn(self, name: str) -> Clone:
        """The clone of whoever is next: who was last has shared what they did, by a command, and it is fetched by plain Git."""
        if name != self.last:
            if self.unshared:
                self.clone(self.last).play("sync")
                self.behind = {folder.name for folder in self.folder.iterdir()} - {self.last}
            clone = self.clone(name)
            if name in self.behind:
                clone.git("pull", "--quiet", "--ff-only")
            self.behind -= {name}
            self.last, self.unshared, self._game = name, False, None
        return self.clone(name)

    # ---- looked at

    @property
    def game(self) -> Game:
        """The game, in the clone that is as far as it is."""
        if self._game is None:
            self._game = Game.open(self.folder / self.last)
            self._game.key = self.key
        return self._game

    def world(self) -> Transaction:
        return KeyedGame(self.game).world() if self.key else self.game.world()

    def looked_at(self, at: int) -> Transaction:
        game = self.game
        return KeyedGame(game).looked_at(at) if self.key else game.looked_at(at)

    def keeping(self) -> Any:
        return self.game.keeping()

    # ---- acted in

    def act(self, deed: Deed) -> Recorded:
        """Have the actor do a deed by a command, openly or as an order where that is asked for. Refused as the command refuses."""
        clone, at = self.turn(str(deed.actor)), ["--at", clock.text(deed.at), "--json"]
        words = [deed.action, *self._given(deed)]
        self._game = None
        ended, said = clone.tried("act", *words, *at)
        if ended == 1 and self.key and "nomicgit order" in said and deed.actor != self.keeper:
            return self._ordered(clone, words, deed)
        done = self._answer(ended, said, words)
        self.unshared = True
        self.ids[deed.id] = str(done["id"])
        return Recorded(str(done["commit"]), _noted(deed, done["notes"]))

    def _given(self, deed: Deed) -> list[str]:
        """The parameters of a deed, as words of a command: texts as they stand, all else in YAML's flow form."""
        action = self.game.law.declared.action(deed.action)
        kinds = action.parameters if action else {}
        words = []
        for name, value in deed.given.items():
            kind = kinds[name].kind if name in kinds else "any"
            value = self.ids.get(str(value), value) if kind == "deed" else value
            plain = isinstance(value, str) and kind == "text"
            words.append(f"{name}={value if plain else json.dumps(value)}")
        return words

    def _answer(self, ended: int, said: str, words: Sequence[str]) -> dict[str, Any]:
        """What a command answered. Refused where it was; anything but done and refused is a fault."""
        assert ended in (0, 1), f"{words}: {ended}\n{said}"
        if ended == 1:
            raise Refused.of(said.splitlines()[0], mend="")
        return cast("dict[str, Any]", json.loads(next(ln for ln in said.splitlines() if ln.startswith("{"))))

    def _ordered(self, clone: Clone, words: list[str], deed: Deed) -> Recorded:
        """Hand a deed in as an order, and have the keeper take it on a round."""
        ended, said = clone.tried("order", *words, "--yes", "--push", "--json")
        self._answer(ended, said, words)
        ended, said = self.turn(self.keeper).tried("keep", "--at", clock.text(deed.at), "--json")
        taken = self._answer(ended, said, words)["taken"]
        assert len(taken) == 1, said
        log = json.loads(self.clone(self.keeper).play("log", "--open", "--json", "--limit", "9"))
        self.unshared = True
        [told] = [each for each in log if each["commit"] == taken[0]]
        self.ids[deed.id] = told["id"]
        if told["opened"]["refused"]:
            raise Refused.of(told["opened"]["refused"], mend="")
        return Recorded(taken[0], _noted(deed, told["notes"]))


def _noted(deed: Deed, notes: Sequence[str]) -> Outcome:
    """What is asked of a deed done by a command: what the journal notes."""
    return Outcome(deed, None, notes, (), (), (), ())
