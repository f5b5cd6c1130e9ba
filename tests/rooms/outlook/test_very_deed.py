"""What is told of a pending matter before it is enacted, held to what the deed then records: by Git, byte for byte."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.depth import one_of
from support.editions import PRACTICES
from support.practice import founded

from nomicgit.ground import clock
from nomicgit.outlook.beforehand import attempt
from nomicgit.outlook.checks import prospects
from nomicgit.physics.deed import Deed
from nomicgit.physics.state import reading
from nomicgit.record.game import Game, new_id

HOUR = 3600
SEEN = """\
m = deed()["matter"]
all = [now(), cast_at(), deed(), asked("as"), asked("matter"), comments(m), votes(m), ballots(m), changed(), players(), read(m)]
say("none", "Seen {number}", str(all))
"""
"""A program that writes down all that can be asked in the deed that runs it."""
ASKED = (
    'deed()["with"]["as"] == None', 'deed()["actor"] == "players/{admin}"', 'now() >= "{at}"', 'now() > "{at}"',
    'get(deed()["matter"], "status") == "enacted"', "len(votes(deed()['matter'])) == {votes}",
    'find("posts", status="failed") == []', "len(changed()) > 1", 'asked("as", "none") == None', 'emperor() == None',
)  # fmt: skip


def asked(game: Game, who: str, action: str, at: int, **given: Any) -> Any:
    """Do a deed, and what it gave; None where it is refused."""
    return game.act(Deed(new_id(at), who, action, given, at)).outcome.result


def git(game: Game, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(game.repository.git_dir), *words], capture_output=True, check=True
    )
    return done.stdout.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition",
    [
        pytest.param(each, marks=one_of(5, n))
        for n, each in enumerate(("steam", "crypt", "dungeon", "werewolf", "assassin"))
    ],
)
def test_what_is_told_before_is_what_is_recorded_then(tmp_path: Path, edition: str) -> None:
    game, some = founded(tmp_path, edition, PRACTICES[edition].real), random.Random(edition)
    world = game.world()
    everyone = [ref.partition("/")[2] for ref in reading.roster(world)]
    admins = [ref.partition("/")[2] for ref in reading.admins(world)]
    began = game.last()
    matters = []
    for number in range(3):
        at, admin = began + some.choice((49, 60)) * HOUR + number, some.choice(admins)
        matters.append((at, admin))
    for number, (at, admin) in enumerate(matters, 1):
        when = {"at": clock.text(at), "admin": admin, "votes": len(everyone)}
        condition = some.choice(ASKED).format(**when)
        change = {"run": f'if {condition}:\n    put("players/{everyone[-1]}", admin={number % 2 == 1})'}
        changes = [change, {"run": SEEN.format(number=number)}, {"run": "pass"}]
        asked(game, everyone[number], "propose", began, title=f"Odd {number}", changes=changes)
    pending = [ref.partition("/")[2] for ref in reading.find(game.world(), "posts", status="pending")]
    for matter in pending:
        for voter in everyone:
            asked(game, voter, "vote", began, matter=matter, icon="for")
    last = began
    for number, (matter, (at, admin)) in enumerate(zip(pending, matters, strict=True), 1):
        at = last = max(at, last)
        tried = attempt(game, f"posts/{matter}", at, admin).as_json()
        status = prospects(game.looked_at(at), by=admin)
        before = game.head.oid
        asked(game, admin, "resolve", at, matter=matter)
        files = git(game, "diff", "--name-only", before, game.head.oid).split()
        post = next(each for each in tried["posts"] if each["title"] == f"Seen {number}")
        assert any(post["text"] in git(game, "show", f"{game.head.oid}:{path}") for path in files)
        told = {each["path"]: each["new"] for each in tried["values"] if each["path"].endswith(".admin")}
        diff = git(game, "diff", before, game.head.oid, "--", "game/state")
        assert bool(told) == ("admin:" in "".join(line for line in diff.splitlines() if line[:1] in "+-"))
        made = [each["outcome"] for each in tried["changes"]]
        assert made == ["applied" if told else "nothing", "applied", "nothing"]
        assert (
            "changes would not be made now: its program did nothing when it was tried"
            in status.unmade[int(matter)]
        )
        assert "the time" in status.hanging[int(matter)][-1]
