"""Why a matter is failed is told: before it is, by what fails it, and of it ever after; in the law's words."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.parlour import Nomic, commands

from nomicgit.ground import clock
from nomicgit.record.game import Game
from nomicgit.site import home, posts
from nomicgit.site.onlooking import Look

FOUND = (
    *("--emperor", "ana", "--admin", "ben", "--practice", "--start", "2021-06-07T00:00:00Z"),
    *(each for who in ("ana", "ben", "cy", "dee", "eli") for each in ("--player", who)),
)
LATE = "2021-06-15T00:00:00Z"
POPULAR = "overdue: it has been pending for more than "
ALONE = "it has fewer than two valid votes after 48"
WHY = {
    "assassin": (True, POPULAR + "seven days"), "crypt": (True, POPULAR + "7 days"),
    "dungeon": (False, ALONE), "steam": (False, ALONE), "werewolf": (False, "it has no majority of two or more valid votes after 48 hours"),
}  # fmt: skip
"""Of each edition: whether a popular proposal is failed for its age, and how the law says why one is."""


@pytest.fixture
def nomic(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Nomic:
    """Run a command in a folder; it must end as told."""
    monkeypatch.chdir(tmp_path)
    return commands(capsys)


@pytest.mark.parametrize("edition", WHY)
@pytest.mark.slow
def test_why_a_matter_is_failed_for_its_age_is_told_wherever_it_is(nomic: Nomic, edition: str) -> None:
    popular, why = WHY[edition]
    nomic("new", "g", "--edition", edition, *FOUND)
    nomic("-C", "g", "--as", "cy", "propose", "--title", "Moonlight", "--tag", "Core")
    for voter in ("ben", "dee", "eli") if popular else ():
        nomic("-C", "g", "--as", voter, "vote", "1", "for")
    at = ("-C", "g", "--at", LATE)
    foretold = f"may be failed now: nomicgit resolve 1\n   {why}"
    assert foretold in nomic(*at, "status").out
    assert foretold.replace("   ", "") in nomic(*at, "posts", "1").out
    assert f"; {why}" in page("g", "home")
    assert f"Failed: {why}" in nomic(*at, "--as", "ben", "resolve", "1").out
    assert f"Failed: {why}" in nomic(*at, "posts", "1").out
    assert f"Failed: {why}" in page("g", "post")


def page(folder: str, what: str) -> str:
    """The first page of a game's site, or that of its first post, late."""
    with (game := Game.open(Path(folder))).repository:
        look = Look.at_time(game, clock.instant(LATE))
        return str((home.page(look) if what == "home" else posts.of_post(look, 1)).sections)
