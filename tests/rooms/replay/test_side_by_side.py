"""A long history is replayed in shares, one for each processor, and none of them waits for another."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile.small import Small

from nomicgit.replay.replaying import Replay, Step


@pytest.mark.slow
def test_the_shares_of_a_long_history_are_replayed_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.found(tmp_path / "game")
    for _ in range(20):
        small.do("cy", "earn", n=1)
    waiting, done = os.pipe()
    replayed = Replay.steps

    def steps(self: Replay, start: int = 0) -> Iterator[Step]:
        """More is found of each commit than half a pipe holds, and of the first share's last one once the second has ended."""
        for number, (faults, doubts, sealed, by_key) in enumerate(replayed(self, start), start):
            if start == 0 and number == 9:
                met = select.select([waiting], [], [], 60)[0]
                faults += [] if met else ["the second share has not ended"]
            if number == 20:
                os.write(done, b".")
            yield [*faults, "x" * 40_000], doubts, sealed, by_key

    monkeypatch.setattr(Replay, "steps", steps)
    monkeypatch.setattr("nomicgit.replay.verifying.SHARE", 10)
    monkeypatch.setattr("nomicgit.replay.verifying._processors", lambda: 2)
    found = [fault.what for fault in small.verified().faults]
    os.close(waiting)
    os.close(done)
    assert found == ["x" * 40_000] * 21
