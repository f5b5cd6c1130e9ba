"""A dynasty through the forge with slips of every kind mixed in at random, by seed.

At the end the record verifies, nobody was met with silence, nothing was said twice, and nothing comes back by itself.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from fakegithub.gitside import git
from support.depth import is_deep
from support.doorstep import HOUR, Doorstep, doorstep
from support.slips import Slips

from nomicgit.steward import decided, marks

MOST, FEW = 8, 3
"""Slips, and what else people do, between two steps of the dynasty: in the deep profile, and else."""
ASKS = re.compile(r"(?:/(?!join\b)[a-z]|:(?:for|against):|DEFERENTIAL|@somebody :|vote for)")


def known(door: Doorstep) -> set[str]:
    """All that was decided, or became a deed, by Git alone."""
    path = door.github.repo.path
    names = git(path, "ls-tree", "--name-only", decided.REF).split()
    keys = {key for name in names for key in json.loads(git(path, "show", f"{decided.REF}:{name}"))["told"]}
    deeds = git(path, "log", "--format=%B", "main")
    return keys | set(re.findall(r"(?:comment|issue|pull)-[0-9]+(?:-review-[0-9]+)?", deeds))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One game; in the deep profile a dozen, with more between two steps."""
    if "seed" in metafunc.fixturenames:
        deep = is_deep(metafunc.config)
        games = [(seed, MOST) for seed in range(1, 13)] if deep else [(3, FEW)]
        metafunc.parametrize(("seed", "most"), games)


def astray(door: Doorstep) -> set[tuple[int, str]]:
    """What must have been told of pull requests that are open, and whose posts are pending: thread, and how the key begins."""
    game = door.game()
    posts = [game.tree.entity(f"posts/{number}") or {} for number in game.tree.ids("posts")]
    pending = {
        post["forge"]["github"] for post in posts if post.get("status") == "pending" and post.get("forge")
    }
    pulls = [each for each in door.github.pulls() if each.state == "open" and each.number in pending]
    drafts = {(each.number, "draft-again") for each in pulls if each.draft}
    return drafts | {(each.number, "base-") for each in pulls if each.base_ref != "main"}


@pytest.mark.slow
def test_slips_of_every_kind_leave_a_game_that_holds(tmp_path: Path, seed: int, most: int) -> None:
    """In the deep profile by HTTP, where a pass may be cut off in Git's own requests too."""
    with doorstep(tmp_path, http=most == MOST, resolve="admins", restore={"by": ["ben"], "of": 1}) as door:
        play = Slips(door, seed, tmp_path)
        play.propose()
        for step in play.dynasty():
            for _ in range(play.dice.randrange(2, most)):
                play.one()
            step()
            play.pass_()
        assert play.reign() == (2, "dee")
        play.the_rest()
        assert play.left() == []
        play.pass_()
        play.clear()
        for thread in door.github.threads.values():
            door.github.lock(thread, locked=False)
        door.github.clock.advance(HOUR)
        for _ in range(3):
            play.pass_()
        assert door.faults() == []
        answered = known(door)
        for comment in play.comments():
            if ASKS.match(comment.body) and not comment.author.deleted:
                name = f"comment-{comment.id}"
                stranger = rf"(?:stranger|waits)-{comment.author.id}"
                assert any(re.fullmatch(rf"{stranger}|(?:aside-)?{name}(-.*)?", key) for key in answered), (
                    comment
                )
        told = Counter((number, key) for number, body in play.said for key in marks.keys_in(body))
        assert [each for each, times in told.items() if times > 1] == []
        for number, key in astray(door):
            assert any(thread == number and each.startswith(key) for thread, each in told), (number, key)
        deeds, said = door.deeds(), len(told)
        play.answers_deleted()
        play.cursor_lost()
        for _ in range(2):
            play.pass_()
        assert door.deeds() == deeds
        again = Counter((number, key) for number, body in play.said for key in marks.keys_in(body))
        assert len(again) == sum(again.values()) == said
