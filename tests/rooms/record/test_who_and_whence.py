"""Who does a deed, and where it came in: the clock does no player's action, and nothing comes in on a forge that is not the game's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hostile.small import Small, small_law
from support.clones import Clone, settings

from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Account, Deed, Origin, Thread
from nomicgit.physics.deeds import pipeline
from nomicgit.record.game import Game, new_id
from nomicgit.record.outside import entitled, misgiven
from nomicgit.record.settings import Settings
from nomicgit.replay import replaying

OTHER = Account("gitlab", 7, "cy-there")


def done(small: Small, actor: str | None, action: str, origin: Origin | None = None, **given: object) -> str:
    """A deed as a program records it that asks nobody; its commit."""
    small.at += 60
    game = Game.open(small.folder)
    with game.repository:
        return game.act(Deed(new_id(small.at), actor, action, given, small.at, origin=origin)).commit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lives", "origin", "why"),
    [
        (None, Origin(("comment-5",)), "the game lives on none"),
        (None, Origin(account=Account("github", 7, "cy-there")), "the game lives on none"),
        (None, Origin(thread=Thread("github", 3)), "the game lives on none"),
        ({"github": "ana/attic"}, Origin(("comment-5",), OTHER), "on gitlab, and the game lives on github"),
        ({"github": "ana/attic"}, Origin(thread=Thread("gitlab", 3)), "on gitlab, and the game lives on github"),
        ({"github": "ana/attic"}, Origin(account=Account("resolve", 7, "x")), "on resolve"),
    ],
)  # fmt: skip
def test_what_comes_in_on_no_forge_of_the_game_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lives: dict[str, str] | None, origin: Origin, why: str
) -> None:
    small = Small.found(tmp_path / "game", forge=lives)
    with pytest.raises(Refused, match=why):
        done(small, "cy", "story", origin, title="T", body="B")
    with monkeypatch.context() as patched:
        patched.setattr(Settings, "misplaced", lambda *_: "")
        forged = done(small, "cy", "story", origin, title="T", body="B")
    assert list(small.faults()) == [forged]
    assert why in small.faults()[forged][0]


@pytest.mark.slow
def test_what_came_in_before_the_game_moved_away_stays_lawful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.found(tmp_path / "game", forge={"github": "ana/attic"}, restore={"by": ["ana"], "of": 1})
    origin = Origin(("comment-5",), Account("github", 7, "cy-there"))
    done(small, "cy", "earn", origin, n=1)
    small.at += 60
    entitled.rehouse(Game.open(small.folder), ["ana"], None, small.at)
    assert small.faults() == {}
    with monkeypatch.context() as patched:
        patched.setattr(Settings, "misplaced", lambda *_: "")
        forged = done(small, "cy", "earn", Origin(("comment-6",)), n=1)
    assert list(small.faults()) == [forged]


BELL = """---
title: Bell
actions: {ring: {by: anyone}}
---
Anybody may ring the bell.

```starlark
def do_ring(actor):
    note("It rings.")
```
"""


@pytest.mark.slow
def test_the_clock_does_nothing_that_players_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be it what anyone may do: it is named by each command, and a host does not let it in."""
    monkeypatch.setenv("NO_COLOR", "1")
    small = Small.found(
        tmp_path / "game", small_law({"2-dynastic/20-bell.md": BELL}), forge={"github": "ana/attic"}
    )
    small.do("stranger", "ring")
    here, game, good = Clone(tmp_path), Clone(small.folder), small.head()
    here.git("clone", "--quiet", "--bare", "game", "bare.git")
    here.play("receive", "--install", "bare.git")
    account = Origin(account=Account("github", 7, "x"))
    for action, origin in (("ring", None), (Outside.ACCOUNT, account)):
        with pytest.raises(Refused, match="the clock is no player"):
            done(small, None, action, origin)
        with monkeypatch.context() as patched:
            for place in (pipeline, misgiven, replaying):
                for name in ("unnamed", "misgiven"):
                    patched.setattr(place, name, lambda *_: "", raising=False)
            forged = done(small, None, action, origin)
        assert list(small.faults()) == [forged]
        assert "the clock is no player" in small.faults()[forged][0]
        (game.folder / ".git/nomicgit/strays").unlink()  # a clone takes what it has recorded itself for sound
        assert f"commit {forged[:12]} in the name of clock" in game.play("status", code=1)
        pushed = subprocess.run(
            ["git", "push", "../bare.git", "HEAD:main"],
            cwd=game.folder, env=settings(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert pushed.returncode == 1
        assert "the clock is no player" in pushed.stderr
        assert Clone(tmp_path / "bare.git").git("rev-parse", "main") == good
        game.git("reset", "--quiet", "--hard", good)


@pytest.mark.parametrize(
    ("action", "actor"), [(Outside.FOUND, "ana"), (Outside.CLOCK, "ana"), (Outside.MAILBOX, None)]
)
def test_each_deed_names_somebody_or_nobody(action: str, actor: str | None) -> None:
    assert misgiven.misgiven(action, {}, actor)
    assert misgiven.misgiven("vote", {}, None)
    assert not misgiven.misgiven("vote", {}, "ana")
    assert not misgiven.misgiven(Outside.CLOCK, {}, None)
