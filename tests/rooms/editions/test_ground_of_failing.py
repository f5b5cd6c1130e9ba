"""A call for judgment that changes nothing is failed for that, as the rule says; and it is said who alone may do so."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.parlour import commands
from support.sites import played, seen_pages

from nomicgit import editions

pytestmark = pytest.mark.slow
WHY = {
    "assassin": "it specifies no change, so any admin may fail it at any time",
    "crypt": "it specifies no change, so any admin may fail it",
    "dungeon": "it changes neither ruleset nor gamestate, so any admin may fail it at any time",
    "steam": "it changes neither ruleset nor gamestate, so any admin may fail it at any time",
}


@pytest.mark.parametrize("edition", WHY)
def test_a_call_without_changes_is_failed_for_that_and_by_whom_is_said(
    tmp_path: Path, edition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    act = played(tmp_path, editions.load(edition))
    act(1, "cy", "cfj", title="Moonlight")
    status = commands(capsys, "-C", str(tmp_path))("status").out
    told = f"   may be failed now: nomicgit resolve 1\n   {WHY[edition]}\n   only ben may do that\n"
    assert told in status
    pages = seen_pages(tmp_path)
    for uri in ("index.md", "posts/1.md"):
        said = " ".join(pages[uri].body.striptags().split())
        assert f"May be failed now: nomicgit resolve 1 (only ben may do that); {WHY[edition]}." in said
    act(2, "ben", "resolve", matter="1")
    log = commands(capsys, "-C", str(tmp_path))("log").out
    assert f"Failed: {WHY[edition]}\n" in log
