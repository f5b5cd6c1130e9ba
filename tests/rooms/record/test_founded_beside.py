"""A game is founded in a repository that has commits of its own already: with keys as without."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.keyed import KEY

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret.custody import Keeper
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import verify

START = 1623024000
PLAYERS = ["ana", "ben", "cy", "dee", "eli"]


@pytest.mark.parametrize("keyed", [False, True], ids=["open", "with keys"])
def test_a_game_upon_other_commits_is_verified_with_the_key_and_without(tmp_path: Path, keyed: bool) -> None:
    here = tmp_path / "game"
    git = ["git", "-C", str(here), "-c", "user.name=n", "-c", "user.email=n@example.org"]
    Repository.init(str(here)).close()
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "before"], check=True)
    with Repository.open(str(here)) as repository:
        found_game(
            repository, editions.load("crypt").canonical(),
            Settings("Crypt", "crypt", dice="keeper" if keyed else "local"), Founding(START, PLAYERS, "ana", ["ben"], []),
            keeper=Keeper("ana", None, KEY) if keyed else None,
        )  # fmt: skip
    game = Game.open(str(here))
    game.key = KEY if keyed else None
    game.act(Deed(new_id(START + 60), "cy", "roll", {"dice": "DICE6"}, START + 60))
    assert game.head is not None
    for keys in ([], [KEY]):
        found = verify(game.repository, game.head.oid, keys=keys)
        assert (found.faults, found.deeds) == ([], 2)
