"""A game of assassin that keeps secrets, at a bare remote: the keeper's clone, a player's, and rounds between them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nomicgit.clones import syncing
from nomicgit.clones.secret import addresses, inbox, lettering, rounds
from nomicgit.clones.synced import Synced
from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.outlook.openings import in_private
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.keyed import Judged
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret.keyring import keep_key
from nomicgit.sealing import age
from nomicgit.sealing.orders import Order
from support.editions import PRACTICES
from support.keyed import KEY, KeyedGame

MAILBOX = bytes(range(32))
HOUR = 3600


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *words], check=True, capture_output=True, text=True
    ).stdout


class Table:
    """A bare remote, the keeper's clone, and a player's."""

    def __init__(self, folder: Path, restore: dict[str, Any] | None = None) -> None:
        self.bare, self.keeper, self.player = (folder / name for name in ("bare.git", "keeper", "player"))
        self.start = PRACTICES["assassin"].sealed
        KeyedGame.founded(self.keeper, "assassin", self.start, restore)
        git(folder, "init", "-q", "--bare", "-b", "main", str(self.bare))
        git(self.keeper, "remote", "add", "origin", str(self.bare))
        git(self.keeper, "push", "-q", "-u", "origin", "main")
        git(folder, "clone", "-q", str(self.bare), str(self.player))
        keep_key(Repository.open(self.keeper), KEY)
        self.at = self.start.at

    def game(self, folder: Path) -> Game:
        return Game.open(str(folder))

    def sync(self, folder: Path) -> Synced:
        repository = Repository.open(folder)
        upstream = Upstream.of(repository)
        assert upstream is not None
        return syncing.sync(repository, upstream, int(time.time()))

    def do(self, folder: Path, actor: str, action: str, given: dict[str, Any]) -> Any:
        self.at += HOUR
        return self.game(folder).act(Deed(new_id(self.at), actor, action, given, self.at))

    def forged(self, change: Callable[[Path], object]) -> str:
        """A deed of cy's, well formed and pushed, whose commit changes what ``change`` does to the files, too; its commit."""
        self.sync(self.player)
        self.do(self.player, "cy", "post", {"kind": "none", "title": "Hi"})
        change(self.player)
        git(self.player, "add", "-A")
        tree, (_, rest) = (
            git(self.player, "write-tree").strip(),
            git(self.player, "cat-file", "commit", "HEAD").split("\n", 1),
        )
        commit = subprocess.run(
            ["git", "-C", str(self.player), "hash-object", "-t", "commit", "-w", "--stdin"],
            input=f"tree {tree}\n{rest}", check=True, capture_output=True, text=True,
        ).stdout.strip()  # fmt: skip
        git(self.player, "reset", "-q", "--hard", commit)
        git(self.player, "push", "-q", "origin", "main")
        return commit

    def order(self, actor: str, action: str, given: dict[str, Any], nonce: str, **other: Any) -> str:
        game = self.game(self.player)
        term = game.terms[-1]
        facts: dict[str, Any] = {"game": game.terms[0].since, "term": term.number, "at": self.at} | other
        return Order(by=actor, action=action, with_=given, nonce=nonce, **facts).armoured(
            term.public.recipient
        )

    def hand_in(self, armour: str, name: str) -> None:
        repository = Repository.open(self.player)
        upstream = Upstream.of(repository)
        assert upstream is not None
        inbox.hand_in(repository, upstream, armour, name)

    def round(self, *theirs: str, **said: Judged) -> rounds.Round:
        """A round in which the keeper says that the mailboxes of some players which wait are theirs, or what else."""
        self.at += HOUR
        repository, said = Repository.open(self.keeper), dict.fromkeys(theirs, Judged.THEIRS) | said
        boxes = {box.player: box.word for box in addresses.waiting(self.game(self.player), self.at)}
        words = {boxes[name]: judged for name, judged in said.items()}
        return rounds.keep(
            repository, Upstream.of(repository), lambda _: self.at, in_private, mailboxes=words
        )

    def letter(self, player: str) -> dict[str, Any]:
        game = self.game(self.player)
        upstream = Upstream.of(game.repository)
        assert upstream is not None
        file = rounds.fetched_letter(game, upstream, player)
        assert file is not None
        return lettering.unpacked(game, player, file, age.identity(MAILBOX))
