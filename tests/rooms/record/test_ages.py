"""A deed costs what it touches: a vote and a post read and write as much in an old game as in a young one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hostile.small import Small, small_law

from nomicgit.git.objects import Objects

DAY = 86_400
AGES = (5, 10, 25)
"""Deeds of a former month, twenty posts and twenty players who come and go in each: numbers of three digits in all games."""
PASSING = """---
title: Passing
variables:
  gone: {type: integer, default: 100}
actions:
  pass-by: {}
---
Some come, tell a story, and go.

```starlark
def do_pass_by(actor):
    for n in range(20):
        destroy(create("players", id="P%d" % (get("game", "gone") + n)))
        say("story", "Story", "Once upon a time.")
    put("game", gone=get("game", "gone") + 20)
```
"""


class Cost(NamedTuple):
    """How many objects a deed has read and written, and their bytes."""

    read: int
    read_bytes: int
    written: int
    written_bytes: int


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of all objects that are read from now on, at the one place where any is."""
    sizes: list[int] = []
    every = Objects._read_all

    def counted(self: Objects, oids: Iterable[str], limit: int | None = None) -> Iterator[Any]:
        for oid, stored in every(self, oids, limit):
            sizes.extend([len(stored[1])] if stored else [])
            yield oid, stored

    monkeypatch.setattr(Objects, "_read_all", counted)
    return sizes


def stored(small: Small) -> dict[str, int]:
    """The sizes of all objects of the repository, as Git tells them."""
    lines = small.git("cat-file", "--batch-all-objects", "--batch-check").splitlines()
    return {oid: int(size) for oid, _, size in map(str.split, lines)}


def cost(small: Small, reads: list[int], deed: Callable[[], object]) -> Cost:
    """What a deed costs."""
    before = stored(small)
    reads.clear()
    deed()
    written = [size for oid, size in stored(small).items() if oid not in before]
    return Cost(len(reads), sum(reads), len(written), sum(written))


@pytest.mark.slow
def test_a_vote_and_a_post_cost_the_same_at_every_age(tmp_path: Path, reads: list[int]) -> None:
    """Whatever was posted, whoever has left, however many rules were repealed: nothing of it is read or written again."""
    costs = []
    for age in AGES:
        law = small_law({"2-dynastic/30-passing.md": PASSING})
        small = Small.found(tmp_path / str(age), law)
        for _ in range(age):
            small.do("cy", "pass-by")
        titles = [f"Old {number}" for number in range(age)]
        small.enact(*({"add-rule": {"title": title, "text": "Words."}} for title in titles))
        small.enact(*({"repeal": title} for title in titles))
        matter = small.do("cy", "propose", after=40 * DAY, title="Late", changes=[]).outcome.result
        vote = cost(small, reads, lambda s=small, m=matter: s.do("ana", "vote", matter=m, icon="for"))  # type: ignore[misc]
        post = cost(small, reads, lambda s=small: s.do("ben", "story", title="Story", body="Once."))  # type: ignore[misc]
        assert len(small.git("ls-tree", "-r", "--name-only", "HEAD", "game/posts").split()) > 20 * age
        assert len(small.git("show", "HEAD:game/state/used.yml").split()) > 20 * age
        costs.append((vote, post))
    assert costs[0] == costs[1] == costs[2]
    assert max(each.read for each in costs[0]) < 25
