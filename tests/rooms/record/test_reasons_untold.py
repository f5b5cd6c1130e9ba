"""Why a change was not made may tell a secret: nobody is told it where the change looked at one, the law first of all."""

from __future__ import annotations

import subprocess
from pathlib import Path

from support.keyed import KEY, KeyedGame

from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.game import new_id
from nomicgit.replay.verifying import verify

START = 1623024000
PLAYERS = ["ana", "ben", "cy", "dee", "eli"]
GIVES = 'put("players/ben", target="players/eli")'
REFUSES = 'refuse("LEAK " + str(get("players/ben", "tar" + "get")))'
BREAKS = '{}["LEAK " + get("players/ben", "tar" + "get")]'


def test_why_a_change_was_not_made_is_not_told_where_it_looked_at_a_secret(tmp_path: Path) -> None:
    kept = KeyedGame.founded(tmp_path / "game", "assassin", Founding(START, PLAYERS, "ana", ["ben"], []))

    def act(hour: float, who: str, action: str, **given: object) -> None:
        at = START + int(hour * 3600)
        kept.act(Deed(new_id(at), who, action, given, at))

    changes = [{"run": GIVES}, {"run": REFUSES}, {"run": BREAKS}, {"set": {"players.nobody.points": 3}}]
    act(1, "cy", "propose", title="Many", changes=changes)
    for voter in ("ana", "ben", "dee"):
        act(2, voter, "vote", matter=1, icon="for")
    act(14, "ben", "resolve", matter=1)
    said = subprocess.run(
        ["git", "-C", str(tmp_path / "game"), "log", "-1", "--format=%B"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "Change 2 was not made: it looked at what is secret" in said
    assert "Change 3 was not made: it looked at what is secret" in said
    assert "nobody" in said, "what met no secret is told"
    assert "LEAK" not in said
    assert "players/eli" not in said
    game = kept.game
    assert game.head is not None
    for keys in ([], [KEY]):
        assert not verify(game.repository, game.head.oid, keys=keys).faults
