"""A character that turns the direction of writing looks alike wherever a page tells of a comment."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sites import played, seen_pages

from nomicgit import editions


@pytest.mark.slow
def test_what_turns_writing_is_marked_alike_on_all_pages(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    act(1, "cy", "post", title="Moonlight")
    act(2, "cy", "comment", post="1", text="\u202eabc")
    pages = seen_pages(tmp_path)
    for uri in ("posts/1.md", "journal.md", "journal/1.md", "me/ana.md"):
        body = str(pages[uri].body)
        assert "\ufffdabc" in body, uri
        assert "u202e" not in body, uri
