"""A player's morning page: what needs their vote, what they may do, what became of their matters and what happened in the last day."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.served import CHROMIUM, served
from support.sites import START, broken_links, build, configured, played
from support.started import ran
from support.tables import Tables
from support.visiting import Comes

from nomicgit import editions
from nomicgit.physics.deed import Deed, Origin, Thread
from nomicgit.record.game import Game, new_id
from nomicgit.site import acts, home, mornings, posts
from nomicgit.site.onlooking import Look
from nomicgit.site.pages import time_of

FORGE = {"github": "owner/court"}
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
RULE = {"add-rule": {"title": "Moonlight", "text": "The moon shines."}}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which one matter came from a pull request, and another was enacted two days before."""
    folder = tmp_path_factory.mktemp("mornings")
    act = played(folder, editions.load("crypt"), forge=FORGE)
    act(1, "cy", "propose", title="Old", body="As said.", changes=[RULE])
    for voter in ("ben", "dee"):
        act(2, voter, "vote", matter=1, icon="for")
    act(20, "ben", "resolve", matter=1)
    at, origin = START + 72 * 3600, Origin(("pull-7",), thread=Thread("github", 7))
    Game.open(folder).act(Deed(new_id(at), "cy", "propose", {"title": "New", "body": "x"}, at, origin=origin))
    act(72, "gus", "join")
    act(73, "dee", "vote", matter=2, icon="for")
    act(74, "eli", "explore", room="E3", name="Dusty Hall", description="Dust.")
    return folder


@pytest.fixture(scope="module")
def site(game: Path) -> Path:
    """Its site, as built."""
    return build(configured(game), game / "site")


def said(game: Path, *words: str) -> Any:
    """What a command answers."""
    return json.loads(ran("nomicgit", "-C", game, *words, "--json").stdout)


@pytest.mark.slow
def test_the_mornings_are_what_the_commands_answer(game: Path, site: Path) -> None:
    mornings = {
        each["player"]: each for each in json.loads((site / "api/mornings.json").read_text())["mornings"]
    }
    assert set(mornings) == set(PLAYERS)
    for name, morning in mornings.items():
        rows = {row["name"]: row for row in said(game, "actions", "--as", name)["actions"]}
        assert {*morning["open"], *morning["closed"], *morning["sealed"]} == set(rows)
        assert set(morning["open"]) == {action for action, row in rows.items() if row["open"]}
        assert morning["wants_vote"] == said(game, "status", "--as", name)["wants_vote"]
    assert mornings["ben"]["wants_vote"] == [2]
    assert mornings["dee"]["wants_vote"] == [], "who has voted"


@pytest.mark.slow
def test_a_morning_tells_what_waits_what_became_of_matters_and_what_happened(site: Path) -> None:
    page = Tables(site / "me/cy/index.html")
    tables = {table.label: table for table in page.tables}
    assert [row[0] for row in tables["Posts"].rows] == ["2. New", "1. Old"]
    happened = tables["In the last day"].rows
    assert [row[1] for row in happened] == ["eli", "dee", "gus"], (
        "neither what cy did, nor what was done days ago"
    )
    assert {row[0] for row in tables["Open to you"].rows} >= {"propose", "vote"}
    assert "resolve" not in {row[0] for row in tables["Open to you"].rows}, "which is for an admin"


@pytest.mark.slow
def test_the_first_page_of_all_mornings_tells_what_waits_for_whom(game: Path, site: Path) -> None:
    (table,) = (each for each in Tables(site / "me/index.html").tables if each.label == "What waits for whom")
    rows = {row[0]: (row[1], row[2]) for row in table.rows}
    wanted = {name: said(game, "status", "--as", name)["wants_vote"] for name in PLAYERS}
    assert {name for name, numbers in wanted.items() if numbers} | {"ben"} == set(rows)
    assert rows["ben"] == ("2. New", "gus")
    assert {asker for name, (_, asker) in rows.items() if name != "ben"} == {""}
    answers = (site / "me/ben/index.html").read_text()
    assert "<code>/act admit newcomer=gus</code>" in answers
    assert "Waits for your answer (1)" in answers
    assert "Waits for your answer" not in (site / "me/dee/index.html").read_text()


@pytest.mark.slow
def test_a_card_leads_to_where_one_votes(site: Path) -> None:
    address = 'href="https://github.com/owner/court/issues/7"'
    pages = {
        uri: (site / uri).read_text() for uri in ("index.html", "me/ben/index.html", "posts/2/index.html")
    }
    assert [uri for uri, html in pages.items() if address not in html] == []
    assert "court/issues/" not in (site / "posts/1/index.html").read_text(), "which came from nowhere else"
    assert list(broken_links(site)) == []


def test_a_game_on_github_tells_people_without_git_first_how_they_play(tmp_path: Path) -> None:
    """Approve, ``:for:``, a form, ``/act``, and a vote on what has no thread there: all before any command line."""
    act = played(tmp_path, editions.load("crypt"), forge=FORGE)
    act(1, "cy", "propose", title="Old", body="As said.", changes=[RULE])
    game = Game.open(tmp_path)
    look = Look.at_time(game, time_of(game, 0))
    front, actions, post = home.page(look), acts.page(look), posts.of_post(look, 1)
    for text in (str(actions.lead), *(str(each.body) for each in front.sections if each.id == "act")):
        command = text.index("nomicgit ")
        for told in ("Approve is FOR", "<code>:for:</code>", "<code>/vote NUMBER for</code>"):
            assert 0 <= text.find(told) < command, (told, text)
    before = str(actions.lead).partition("nomicgit ")[0]
    for told in (
        "<code>/join</code>",
        "issues/new/choose",
        "<code>/act ACTION</code>",
        "own app shows no forms",
    ):
        assert told in before
    by_number = "<code>/vote 1 for</code> in any comment on GitHub, or in <a"
    address = "https://github.com/owner/court/issues/new?title=Vote%20on%20post%201&amp;body=%2Fvote%201%20"
    for text in (str(post.body), str(front.body)):
        assert by_number in text
        assert address in text


def test_a_morning_tells_what_others_changed_for_its_reader_and_not_what_they_did(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    act(1, "fay", "post", title="Please unidle me")
    act(2, "ben", "unidle", player="fay")
    act(3, "fay", "explore", room="E3", name="Dusty Hall", description="Dust.")
    game = Game.open(tmp_path)
    look = Look.at_time(game, time_of(game, 0))
    page = next(page for page in mornings.pages(look) if page.uri == "me/fay.md")
    (changed,) = (str(section.body) for section in page.sections if section.id == "changed")
    rows = re.findall(r"<tr>.*?</tr>", changed)[1:]
    assert [row for row in rows if "<code>unidle</code>" not in row] == []
    assert any("<td>idle</td>" in row for row in rows)
    assert look.world.store.value("players/fay", "puissance") == 7, "which exploring took, and they know"


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_browser_keeps_who_its_reader_is(site: Path, visitor: Comes) -> None:
    with served(site) as at:
        visit = visitor(at.address)
        visit.open("me/")
        visit.page.locator(".nomic-who a", has_text="dee").click()
        visit.page.wait_for_url("**/me/dee/")
        visit.page.goto(at.address)
        visit.page.locator("a", has_text="My morning").first.click()
        visit.page.wait_for_url("**/me/dee/")
        visit.page.locator("a", has_text="I am somebody else").click()
        visit.page.wait_for_url("**/me/#who")
        visit.page.locator(".nomic-who a", has_text="eli").click()
        visit.page.wait_for_url("**/me/eli/")
        other = visitor(at.address)
        other.page.goto(at.address + "me/")
        assert other.page.url == at.address + "me/", "another browser knows nobody"
        assert visit.said == other.said == []
