"""How a matter stands, as `status`, `posts` and the site's card say it: by whom it is resolved, and why not in sentences."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.parlour import commands
from support.sites import START, played, seen_pages

from nomicgit import editions
from nomicgit.record.game import Game
from nomicgit.site import acts
from nomicgit.site.onlooking import Look

NOWHERE = None
STEWARDS = {"github": "my-nomic/court", "resolve": "steward", "by": "ben"}
ADMINS = {"github": "my-nomic/court", "resolve": "admins"}


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forge", "how"),
    [
        (NOWHERE, "nomicgit resolve 1"),
        (STEWARDS, "the steward does that in its next pass"),
        (ADMINS, "an admin says so in any comment on GitHub: /fail 1"),
    ],
)
def test_it_is_said_who_resolves_a_matter_that_may_be(
    tmp_path: Path, forge: dict[str, str] | None, how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    act = played(tmp_path, editions.load("crypt"), forge=forge)
    act(1, "cy", "propose", title="Moonlight")
    for who in ("ana", "dee", "eli"):
        act(2, who, "vote", matter="1", icon="against")
    act(20, "dee", "propose", title="Sunburn")
    ask = commands(capsys, "-C", str(tmp_path))
    status, post = plain(ask("status").out), plain(ask("posts", "1").out)
    home = plain(seen_pages(tmp_path)["index.md"].body.striptags())
    assert f"may be failed now: {how}" in status
    assert f"may be failed now: {how}" in post
    assert f"May be failed now: {how}" in home
    headline, *rest = ask("status").out.splitlines()
    assert headline.startswith("The <b>Game</b>  ")
    assert any(line.startswith("no account on GitHub is known of ana") for line in rest) == (
        forge is not NOWHERE
    )
    assert headline.endswith("  https://github.com/my-nomic/court") == (forge is not NOWHERE)


@pytest.mark.slow
def test_that_there_is_hiatus_is_said_in_a_sentence_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    act = played(tmp_path, editions.load("crypt"), forge=ADMINS)
    act(1, "cy", "propose", title="Moonlight")
    act(2, "cy", "dov", title="I win", body="Look.")
    ask = commands(capsys, "-C", str(tmp_path))
    seen = seen_pages(tmp_path)
    shown = [plain(ask(*words).out) for words in (["status"], ["posts", "1"])]
    pages = [plain(seen[uri].body.striptags()) for uri in ("index.md", "posts/1.md", "me/cy.md")]
    for text in (*shown, *pages):
        said = text.partition("enactable")[0]  # then come the law's own words, as they are
        assert "there is hiatus: a DoV is pending" in said, text[:400]
        assert re.search(r"(?<!there is )hiatus: a DoV", said) is None
    told = ask("status", "--json").out
    assert '"why_not": "hiatus' not in told


@pytest.mark.slow
def test_no_label_is_shown_with_underscores(tmp_path: Path) -> None:
    """Of what is closed by the law, and of what an action takes: a comment on GitHub names it with hyphens."""
    for edition, said in (
        ("dungeon", "dungeon level: that trade is made on an"),
        ("crypt", "tracking-page: a text"),
    ):
        folder = tmp_path / edition
        played(folder, editions.load(edition), forge=ADMINS)
        text = plain(acts.page(Look.at_time(Game.open(folder), START)).body.striptags())
        assert said in text
        assert re.findall(r"\b[a-z]+_[a-z_]+\b", text) == []
