"""The pages that seal say when letters come that answer an order: whose mailbox is new, until when, and who has none."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from support.sites import build, configured
from support.visiting import PRACTICE, nomic

from nomicgit.sealing import age

PLAYERS = ("ana", "ben", "cy", "dee", "eli")


def words(page: Path) -> str:
    """What a page says."""
    return " ".join(html.unescape(re.sub("<[^>]+>", "", page.read_text())).split())


@pytest.mark.slow
def test_whoever_seals_reads_there_when_an_answer_comes(tmp_path: Path) -> None:
    game, recipients = tmp_path / "game", [age.recipient(bytes([n] * 32)) for n in (1, 2)]
    everybody = [part for player in PLAYERS for part in ("--player", player)]
    nomic(
        "new",
        str(game),
        "--edition",
        "assassin",
        *everybody,
        *PRACTICE,
        "--emperor",
        "ana",
        "--orders",
        "every 6h",
    )

    def registered(name: str, recipient: str) -> None:
        nomic("-C", str(game), "letters", "--mailbox", recipient, "--as", name)

    registered("dee", recipients[0])
    key = game / ".git/nomicgit/key"
    text = key.read_text()
    key.unlink()
    registered("dee", recipients[1])
    registered("cy", recipients[1])
    build(configured(game), tmp_path / "first")
    for page in ("act", "act/note"):
        said = words(tmp_path / "first" / page / "index.html")
        assert "Orders are taken every 6h, counted from midnight UTC." in said
        assert (
            "To a first mailbox they come from the keeper's next round on. To one that takes its place they come 72 hours"
            in said
        )
        assert (
            "dee: letters come to the new mailbox once the keeper has seen it, as said above, and to the former one"
            in said
        )
        assert "cy: letters come to the new mailbox once the keeper has seen it, as said above" in said
        assert "No mailbox, and so no letter yet: ana, ben, eli" in said
    key.write_text(text)
    key.chmod(0o600)
    nomic("-C", str(game), "keep")
    build(configured(game), tmp_path / "then")
    said = words(tmp_path / "then/act/index.html")
    assert (
        "dee: letters come to the new mailbox from 2021-06-10 00:00 UTC on, and to the former one till then"
        in said
    )
    assert "cy: letters" not in said
