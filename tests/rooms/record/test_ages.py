"""A deed costs what it touches: a vote and a post read and write as much in an old game as in a young one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
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


def collection_of(title: str) -> str:
    """The collection that a rule declares."""
    return f"{title.lower().replace(' ', '-')}-heaps"


def heaps(title: str) -> dict[str, object]:
    """A collection of which there is one thing from the start, and of which more may be made."""
    fields = {"size": "integer"}
    return {
        "collections": {
            collection_of(title): {"key": {"prefix": "h"}, "fields": fields, "founding": {"h1": {"size": 1}}}
        }
    }


def counts(small: Small, what: str) -> dict[str, int]:
    """How many were ever made of each collection, by the file of what is open or of what is used up."""
    made = yaml.safe_load(small.git("show", f"HEAD:game/state/{what}.yml")).get("made", {})
    return {str(kind): int(number) for kind, number in made.items()}


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
        small.enact(
            *({"add-rule": {"title": title, "text": "Words.", "declares": heaps(title)}} for title in titles)
        )
        assert len(counts(small, "open")) == age + 1  # its players are counted too
        small.enact(*({"repeal": title} for title in titles))
        assert {*counts(small, "open")} == {"players"}
        assert counts(small, "used") == dict.fromkeys((collection_of(title) for title in titles), 1)
        matter = small.do("cy", "propose", after=40 * DAY, title="Late", changes=[]).outcome.result
        vote = cost(small, reads, lambda s=small, m=matter: s.do("ana", "vote", matter=m, icon="for"))  # type: ignore[misc]
        post = cost(small, reads, lambda s=small: s.do("ben", "story", title="Story", body="Once."))  # type: ignore[misc]
        assert len(small.git("ls-tree", "-r", "--name-only", "HEAD", "game/posts").split()) > 20 * age
        assert len(small.git("show", "HEAD:game/state/used.yml").split()) > 20 * age
        costs.append((vote, post))
    assert costs[0] == costs[1] == costs[2]
    assert max(each.read for each in costs[0]) < 25


def test_a_collection_that_comes_again_goes_on_counting(tmp_path: Path) -> None:
    """What is gone is not called by its number again, be its collection gone as well meanwhile."""
    small = Small.found(tmp_path, small_law())
    made = "def do_pile(actor):\n    create('old-heaps', size=2)\n"
    rule = {
        "title": "Old",
        "text": "Words.",
        "declares": {**heaps("Old"), "actions": {"pile": {}}},
        "mechanics": made,
    }
    small.enact({"add-rule": rule})
    small.do("ana", "pile")
    small.enact({"repeal": "Old"})
    assert (counts(small, "open"), counts(small, "used")) == ({"players": 5}, {"old-heaps": 2})
    small.enact({"add-rule": {**rule, "title": "Old again"}})
    small.do("ana", "pile")
    files = small.git("ls-tree", "--name-only", "HEAD", "game/state/old-heaps/").split()
    assert [Path(file).stem for file in files] == ["h1", "h4"]  # h1 was laid down once more, as the third
    assert counts(small, "used") == {}
    assert small.faults() == {}
