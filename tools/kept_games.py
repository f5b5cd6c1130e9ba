"""Games that keep secrets, beside the same games that keep none: what sealing costs."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from figures import spent
from tables import START, run

from nomicgit import editions
from nomicgit.clones.secret import addresses
from nomicgit.clones.secret.lettering import Mail, May
from nomicgit.git import Repository
from nomicgit.outlook.openings import in_private
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret.custody import Keeper
from nomicgit.record.secret.ordering import sealer_of
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import verify
from nomicgit.sealing import age
from nomicgit.sealing.keys import Key

TWELVE = ("ana", "ben", "cy", "dee", "eli", "fay", "gus", "hal", "ivy", "jo", "kim", "leo")
WORDS = "Whoever holds the lantern shall not see the stair. "


class KeptGame:
    """A game of assassins, with a key or without, in which people write."""

    def __init__(self, folder: Path, *, keys: bool, players: tuple[str, ...] = TWELVE) -> None:
        self.folder, self.at, self.players = folder, START, players
        self.key = Key.made(os.urandom(64)) if keys else None
        founding = Founding(START, players, "ana", ["ben"])
        settings = Settings("Kept", "assassin", time="given", dice="keeper" if keys else "local")
        with Repository.init(folder) as repository:
            keeper = None if self.key is None else Keeper("ana", None, self.key)
            found_game(repository, editions.load("assassin").canonical(), settings, founding, keeper=keeper)
        self.game = Game.open(folder)
        self.game.key = self.key
        self.act("ana", "post", title="A place to write", body="Here.")

    def act(self, actor: str, action: str, /, **given: Any) -> float:
        """Do a deed; the seconds of the processor's time that it takes: what it waits for the disk hangs on no key."""
        self.at += 60
        deed = Deed(new_id(self.at), actor, action, given, self.at)
        return spent(lambda: self.game.act(deed))

    def said(self, number: int) -> float:
        """Say something in the open."""
        return self.act(self.players[number % len(self.players)], "post", title=f"Word {number}", body=WORDS)

    def told(self, number: int) -> float:
        """Say as much to one other in private."""
        who, other = (self.players[n % len(self.players)] for n in (number, number + 1))
        return self.act(who, "tell", to=other, text=f"Word {number}: {WORDS}")

    def verified(self) -> float:
        """The seconds that verification with the key takes."""
        head = self.game.repository.head()
        assert head is not None
        began = time.perf_counter()
        verdict = verify(self.game.repository, head, keys=[self.key] if self.key else [])
        taken = time.perf_counter() - began
        assert not verdict.faults, verdict.faults
        assert not verdict.sealed, verdict.sealed
        return taken

    def size(self) -> int:
        """The bytes of all that it holds, packed as Git packs when it is told to take its time."""
        run("git", "repack", "-adfq", "--window=50", cwd=self.folder)
        return sum(pack.stat().st_size for pack in (self.folder / ".git/objects/pack").glob("*.pack"))

    def mailboxes(self) -> None:
        """Give everybody a mailbox."""
        for name in self.players:
            self.act(name, "physics/mailbox", recipient=age.recipient(os.urandom(32)))
            addresses.vouch(self.game, name, self.at)

    def letters(self, may: May = in_private) -> float:
        """The seconds that writing everybody's letter takes."""
        began = time.perf_counter()
        files: Mapping[str, bytes] = Mail.of(self.game, self.at).packed(sealer_of(self.game), may)
        taken = time.perf_counter() - began
        assert len(files) == len(self.players)
        return taken
