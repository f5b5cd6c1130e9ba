"""The steward, on the fake forge: what people do there becomes deeds, once, and they are told what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.doorstep import HOUR, Doorstep, doorstep


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


def test_a_pull_request_becomes_a_proposal_is_approved_enacted_and_merged(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight", body="It is dark.")
    door.run()
    assert (door.post(1)["title"], door.post(1)["author"], door.post(1)["status"]) == ("Moonlight", "cy", "pending")
    assert door.state(pull) == "pending"
    assert "Post 1 is pending" in door.report(pull)
    for who in ("dee", "eli", "fox"):
        door.review(who, pull)
    door.run()
    assert door.ballots(1) == [("dee", "for"), ("eli", "for"), ("fox", "for")]
    door.github.clock.advance(12 * HOUR)
    door.run()
    assert door.post(1)["status"] == "enacted"
    assert "moonlight" in door.game().ruleset.by_slug
    assert pull.merged
    assert door.state(pull) == "success"
    assert pull.labels == ["enacted"]
    assert door.faults() == []
