"""What no file or commit can hold is refused where it is written, in its unit: nothing is found out when it is recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile.small import Small, small_law
from language import tiny

from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.ground.problems import Malformed, Refused
from nomicgit.physics import numbers
from nomicgit.record.seen.arrivals import unfit_beyond

DAY = 86_400
FILE, COMMIT = (
    1 << 20,
    4 << 20,
)  # bytes: what a file of the state may have, and what a clone takes in of a commit
HEAP = """\
---
title: Heap
variables:
  one: {type: text, default: ""}
  two: {type: text, default: ""}
  three: {type: text, default: ""}
actions:
  heap: {with: {n: {type: integer}}}
  speak: {with: {text: text, times: {type: integer, default: 1}}}
schedule:
  first: {every: hour 30}
  second: {every: day 12:00}
---
It grows.

```starlark
def do_heap(actor, n):
    put("game", one="\\u00e9" * n, two="\\u00e9" * n)

def do_speak(actor, text, times):
    for i in range(times):
        comment("posts/1", text)

def schedule_first():
    %s

def schedule_second():
    %s
```
"""
GROW = 'put("game", **{v: get("game", v) + "\\u00e9" * 60000 for v in ("one", "two", "three")})'


def heaped(folder: Path, first: str = "pass", second: str = "pass") -> Small:
    return Small.found(folder, small_law({"2-dynastic/20-heap.md": HEAP % (first, second)}))


def sizes(small: Small) -> Iterator[int]:
    """The bytes of each file at the head, as Git tells them."""
    return (int(line.split()[3]) for line in small.git("ls-tree", "-r", "-l", "HEAD").splitlines())


def test_an_event_that_fills_a_file_does_not_happen_and_the_game_goes_on(tmp_path: Path) -> None:
    small = heaped(tmp_path / "game", GROW)
    notes = small.do("cy", "earn", n=1, after=DAY // 4).outcome.notes
    assert any("did not happen" in note and "more than its file can" in note for note in notes), notes
    assert len(str(small.value("game one"))) == 120_000
    assert small.do("cy", "earn", n=1).commit
    assert max(sizes(small)) <= FILE
    assert small.faults() == {}


def test_a_change_that_fills_a_file_is_skipped_and_the_rest_is_made(tmp_path: Path) -> None:
    small = heaped(tmp_path / "game")
    full = {"run": 'put("game", one="\\u00e9" * 262144, two="\\u00e9" * 262144)'}
    notes = small.enact(full, {"set": {"players.cy.gold": 50}}).outcome.notes
    assert any("Skipped" in note and "more than its file can" in note for note in notes), notes
    assert (small.value("game one"), small.value("players/cy gold")) == ("", 50)
    assert small.faults() == {}


def test_a_deed_that_fills_a_file_is_refused(tmp_path: Path) -> None:
    small = heaped(tmp_path / "game")
    small.do("cy", "heap", n=250_000)
    assert FILE - 100_000 < max(sizes(small)) <= FILE
    with pytest.raises(Refused, match="more than its file can"):
        small.do("cy", "heap", n=262_144)


def test_a_post_takes_so_many_comments_and_long_ones_only_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(comments=4, letters=100, short=10))
    small = heaped(tmp_path / "game")
    small.do("cy", "story", title="T", body="")
    small.do("cy", "speak", text="x" * 60)
    with pytest.raises(Refused, match="longer than its file can"):
        small.do("cy", "speak", text="x" * 61)
    small.do("dee", "speak", text="x" * 10, times=3)
    with pytest.raises(Refused, match="takes no more"):
        small.do("dee", "speak", text="x")


@pytest.mark.slow
def test_a_post_with_all_the_comments_that_it_takes_can_be_read() -> None:
    """At the worst each letter is written as two escapes; what else stands in a line is shorter than 200 bytes."""
    bounds = numbers.NEWEST.bounds
    line = files.log_line({"at": "x" * 30, "by": "x" * 39, "icon": "\U000e0041" * bounds.short, "text": ""})
    longest = bounds.comments * len(line.encode()) + 12 * bounds.letters
    assert len(files.read_log(line * (longest // len(line)))) > bounds.comments
    with pytest.raises(Malformed, match="longer than"):
        files.read_log(line * (2 * longest // len(line)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "tells", ["[roll(999999999999999) for i in range(500)]", 'pick(["x" * 40000, "y" * 40000])']
)
def test_what_events_tell_in_one_deed_fits_into_a_commit_and_the_rest_comes_with_the_next(
    tmp_path: Path, tells: str
) -> None:
    small = heaped(tmp_path / "game", tells, tells)
    before = small.head()
    late = small.do("cy", "earn", n=1, after=5 * DAY)
    assert any("more to say than one deed can" in note for note in late.outcome.notes), late.outcome.notes
    assert 400_000 < int(small.git("cat-file", "-s", late.commit)) < COMMIT // 2
    with Repository.open(small.folder) as repository:
        assert not unfit_beyond(repository, before, late.commit)
    again = small.do("cy", "earn", n=1)
    assert int(small.git("cat-file", "-s", again.commit)) > 400_000
    assert small.faults() == {}
