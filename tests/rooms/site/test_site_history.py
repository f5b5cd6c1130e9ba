"""The site's memory: which matter wrote what, the law and the gamestate as they were, who did what, feeds and data."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
import yaml
from markupsafe import Markup
from msgspec.structs import replace
from support.sites import START, played, seen_pages

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset
from nomicgit.record.annals import Annals, clocks_of
from nomicgit.record.game import Game
from nomicgit.site import acts, posts
from nomicgit.site.differences import difference
from nomicgit.site.glossary import Glossary
from nomicgit.site.onlooking import Look
from nomicgit.site.opened import site_in
from nomicgit.site.page import Page, url_of
from nomicgit.site.pages import files_of, time_of
from nomicgit.site.proposed import asked_for

MOON = {"add-rule": {"title": "Moonlight", "text": "The moon shines.\n\nIt is silver."}}
SUN = {"amend": {"rule": "moonlight", "replace": "It is silver.", "with": "It is golden."}}


@pytest.fixture(scope="module")
def amended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which a rule was made by post 1, amended by post 2 and repealed rules by nobody; post 3 is pending."""
    path = tmp_path_factory.mktemp("amended")
    act = played(path, editions.load("crypt"))
    for number, (hour, change) in enumerate(((1, MOON), (20, SUN)), 1):
        act(hour, "cy", "propose", title=f"Change {number}", body="As said.", changes=[change])
        for voter in ("ben", "dee"):
            act(hour + 1, voter, "vote", matter=number, icon="for", text="")
        act(hour + 14, "ben", "resolve", matter=number)
    act(40, "eli", "explore", room="E3", name="Dusty Hall")
    act(41, "dee", "propose", title="Third", body="Later.", changes=[{"repeal": "moonlight"}])
    return path


def annals(path: Path) -> Annals:
    game = Game.open(path)
    return Annals.read(game.repository, game.head.oid)


# The annals.


def test_amendments_name_the_post_behind_them(amended: Path) -> None:
    history = annals(amended).amendments["moonlight"]
    assert [(each.revision, each.done.source, each.old is None) for each in history] == [
        (0, 1, True),
        (1, 2, False),
    ]


def test_closings_and_postings_are_deeds(amended: Path) -> None:
    found = annals(amended)
    assert {number: done.deed.action for number, done in found.closings.items()} == {
        1: "resolve",
        2: "resolve",
    }
    assert {number: done.deed.actor for number, done in found.postings.items()} == {
        1: "cy",
        2: "cy",
        3: "dee",
    }


def test_every_change_of_a_value_names_its_deed(amended: Path) -> None:
    found = [
        (m.old, m.new, m.done.deed.action)
        for m in annals(amended).moved()
        if m.ref == "rooms/E3" and m.field == "name"
    ]
    assert found == [(None, "Dusty Hall", "explore")]


@pytest.mark.parametrize(
    "text",
    [
        "made:\n  players: 10\nclocks:\n  dawn: 2021-06-08T00:00:00Z\n  dusk: 2021-06-08T12:00:00Z\nnext: 3\n",
        "clocks: {dawn: 2021-06-08T00:00:00Z}\nmade: {}\n",
        'made: {}\n"clocks":\n  dawn: 2021-06-08T00:00:00Z\n',
        "clocks:\n  dawn: 2021-06-08T00:00:00Z\n\n  dusk: 2021-06-08T12:00:00Z\n",
        "# by hand\nclocks:\n  # this one\n  dawn: 2021-06-08T00:00:00Z",
        "made:\n  clocks: 4\n",
        "next: 3\n",
    ],
)
def test_how_far_the_clocks_have_come_is_read_of_a_file_in_any_form(text: str) -> None:
    assert clocks_of(text) == yaml.load(text, yaml.BaseLoader).get("clocks")


def test_what_is_in_memory_of_a_deed_is_what_pages_ask_for(amended: Path) -> None:
    shown = annals(amended)
    paths = {each.path for done in shown.deeds for each in done.touched}
    assert paths
    assert all(path.startswith(("game/ruleset/", "game/state/")) for path in paths)
    assert "game/state/open.yml" not in paths
    before, _, after = [state for _, state in shown.states(shown.deeds)][-3:]
    assert before["players/ben"] is after["players/ben"]  # of whom nothing was written


def test_the_state_of_a_deed_is_that_before_later_ones(amended: Path) -> None:
    found = annals(amended)
    explored = next(done for done in found.deeds if done.deed.action == "explore")
    both = {done.place: state for done, state in found.states([found.deeds[explored.place - 2], explored])}
    assert "rooms/E3" not in both[explored.place - 1]
    assert both[explored.place]["rooms/E3"]["name"] == "Dusty Hall"


def test_the_ruleset_of_a_deed_is_that_before_later_ones(amended: Path) -> None:
    found = annals(amended)
    done = found.closings[1]
    [(_, ruleset)] = found.rulesets([done])
    assert ruleset.by_slug["moonlight"].prose.endswith("It is silver.")


@pytest.mark.slow
def test_a_dynasty_lasts_from_its_first_deed(amended: Path) -> None:
    [reign] = annals(amended).reigns
    assert (reign.number, reign.name, reign.emperors, reign.began.place, reign.ended) == (
        3,
        "First Night",
        ("ana",),
        1,
        None,
    )


# The pages.


@pytest.mark.slow
def test_a_sentence_leads_to_the_post_that_wrote_it(amended: Path) -> None:
    body = seen_pages(amended)["rules/moonlight.md"].lead
    sources = dict(re.findall(r"(shines|golden)\.<sup[^>]*><a href=\"\.\./\.\./posts/(\d+)/\"", body))
    assert sources == {"shines": "1", "golden": "2"}


@pytest.mark.slow
def test_a_rule_of_the_founding_has_no_notes(amended: Path) -> None:
    assert "<sup" not in seen_pages(amended)["rules/votes.md"].lead


@pytest.mark.slow
def test_a_rule_has_its_revision_and_history(amended: Path) -> None:
    body = seen_pages(amended)["rules/moonlight.md"].body
    assert ">amended once</a>" in body
    text = re.sub(r"\s+", " ", body.striptags())
    assert "Revision 1, amended" in text
    assert "Change 2" in text
    assert "3 FOR" in text


@pytest.mark.slow
def test_a_revision_that_was_has_a_page_of_its_own(amended: Path) -> None:
    page = seen_pages(amended)["rules/moonlight/0.md"]
    assert "It is silver." in page.lead
    assert "This is history." in page.lead
    assert "golden" in page.sections[0].body


@pytest.mark.slow
def test_the_law_as_of_a_post_leads_to_the_texts_of_then(amended: Path) -> None:
    page = seen_pages(amended)["law/1.md"]
    law = next(section.body for section in page.sections if section.id == "law")
    assert 'href="../../rules/moonlight/0/"' in law
    assert 'href="../../rules/votes/"' in law
    (players,) = (section.body for section in page.sections if section.id == "then-players")
    assert "data-quiet=" in players, "where all had the same, one sees it once one asks"
    assert 'href="#then-players"' in page.body, (
        "its table takes the place of the contents, so the ways stand above it"
    )
    later = str(seen_pages(amended)["law/2.md"].body)
    assert re.findall(r">([^<]+)</a> <small[^>]*>(amended [^<]+)<", later) == [
        ("2.9 Moonlight", "amended once")
    ]


@pytest.mark.slow
def test_a_repealed_rule_keeps_its_address(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    act(1, "cy", "propose", title="Off", body="", changes=[{"repeal": "dormancy"}])
    for voter in ("ben", "dee"):
        act(2, voter, "vote", matter=1, icon="for", text="")
    act(15, "ben", "resolve", matter=1)
    page = seen_pages(tmp_path)["rules/dormancy.md"]
    assert page.title.endswith("(repealed)")
    assert "This rule is gone." in page.lead


@pytest.mark.slow
def test_an_enacted_post_shows_the_difference_it_made(amended: Path) -> None:
    changes = next(s.body for s in seen_pages(amended)["posts/2.md"].sections if s.id == "changes")
    assert "<del>It is <b>silver</b>.</del> <ins>It is <b>golden</b>.</ins>" in changes
    assert 'href="../../law/2/"' in changes


@pytest.mark.slow
def test_an_enacted_post_tells_each_value_that_changed_as_the_state_has_it(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("steam"))
    before = yaml.safe_load((tmp_path / "game/state/players/dee.yml").read_text())
    changes: list[dict[str, object]] = [
        {"set": {"players.dee.coal": 9000}},
        {"rename-player": {"from": "eli", "to": "elias"}},
        {"repeal": "nonsuch"},
    ]
    act(1, "cy", "propose", title="Coal", body="As said.", changes=changes)
    for voter in ("ana", "ben", "dee", "eli"):
        act(2, voter, "vote", matter=1, icon="for", text="")
    act(60, "ben", "resolve", matter=1)
    state = yaml.safe_load((tmp_path / "game/state/players/dee.yml").read_text())
    assert state["coal"] < 9000, "it is capped"
    page = seen_pages(tmp_path)["posts/1.md"]
    told = next(s.body for s in page.sections if s.id == "changes").partition("<details")[0]
    rows = [Markup(row).striptags().split() for row in re.findall(r"<tr>.*?</tr>", told, re.DOTALL)]
    assert ["dee", "coal", str(before.get("coal", "–")), str(state["coal"])] in rows
    assert ["elias", "name", "eli", "elias"] in rows
    assert "nonsuch" in next(s.body for s in page.sections if s.id == "resolution")
    assert "What would change" not in page.body


@pytest.mark.slow
def test_a_colour_that_the_law_gives_is_shown(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("steam"))
    act(1, "cy", "post", title="Tea", body="Earl Grey.", commentary="With milk.")
    shown = seen_pages(tmp_path)
    counties = next(s.body for s in shown["gamestate.md"].sections if s.id == "collection-counties")
    named = re.findall(r'<span id="[^"]*"(?: style="([^"]*)")?>(\w+)</span>', counties)
    assert len(named) == 39
    assert [each for each in named if each[0]] == [("background-color:#CC0000;color:#fff", "Kent")]
    lead = shown["posts/1.md"].lead
    assert "With milk." in lead
    assert "With milk." not in lead.partition('class="nomic-body"')[2]


APART = (
    "article blockquote dd del details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 ins li ol p pre summary "
    "table tbody td text th thead tr ul"
)
"""What a browser sets apart, by the standard or by our style sheet."""


@pytest.mark.slow
def test_what_is_set_apart_stays_apart_without_its_tags(amended: Path) -> None:
    """A search shows texts without most of their tags."""
    some = APART.replace(" ", "|")
    glued = re.compile(rf"</(?:{some})>(?=[^\s<]|<[^/]).{{0,40}}|[^<]{{0,40}}[^\s>]<(?:{some})\b")
    found = [(uri, hit[0]) for uri, page in seen_pages(amended).items() for hit in glued.finditer(page.body)]
    assert found == []


@pytest.mark.slow
def test_a_pending_post_shows_what_it_asks_for(amended: Path) -> None:
    changes = next(s.body for s in seen_pages(amended)["posts/3.md"].sections if s.id == "changes")
    assert "Moonlight</a> is repealed" in changes


@pytest.mark.slow
def test_what_is_pending_is_searched_though_its_dynasty_is_over(
    amended: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts, "_finished", lambda _: 3)
    game = Game.open(amended)
    pages = {page.uri: page.searched for page in posts.pages(Look.at_time(game, time_of(game, 0)))}
    assert [pages[f"posts/{number}.md"] for number in (1, 2, 3)] == [False, False, True]


@pytest.mark.slow
def test_a_pending_post_shows_which_changes_would_be_skipped_and_why(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    changes = [
        {"repeal": "nonsuch"},
        {"add-rule": {"title": "Moon", "text": "It shines."}},
        {"repeal": "dormancy"},
    ]
    act(1, "cy", "propose", title="Much", body="As said.", tags=["Special Case"], changes=changes)
    act(1, "dee", "propose", title="Less", body="As said.", tags=["Special Case"], changes=changes[2:])
    command = [sys.executable, "-m", "nomicgit", "-C", str(tmp_path), "posts", "1"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    skipped = [line.strip() for line in told.splitlines() if "would be skipped" in line]
    assert [line.partition(" would")[0] for line in skipped] == ["change 1"]
    page = seen_pages(tmp_path)["posts/1.md"]
    shown = next(s.body for s in page.sections if s.id == "changes").partition("<details")[0]
    assert f"{skipped[0]}. It asks for:" in shown.unescape()
    assert "Change 3 would not be made after the pending post 2 (Less): nothing to do" in shown
    assert (
        "The pending post 2 (Less) would make none of its changes any more after it: nothing to do" in shown
    )
    assert "change 2" not in shown
    assert '<div class="nomic-off">rule nonsuch is repealed' in shown
    assert '<div class="nomic-gap">new rule moon' in shown.casefold()
    assert re.search(
        r'<div class="nomic-gap">rule <a href="../../rules/dormancy/">3\.\d+ Dormancy</a> is repealed', shown
    )
    said = "See [it](../2/), #2, @Dee, #77, @nobody, `#2`, a@dee."
    act(2, "dee", "comment", post=1, text=said)
    for voter in ("ana", "ben", "dee", "eli"):
        act(3, voter, "vote", matter=1, icon="against", text="")
    act(60, "ben", "resolve", matter=1)
    page = seen_pages(tmp_path)["posts/1.md"]
    failed, comments = (
        next(s.body for s in page.sections if s.id == each) for each in ("changes", "comments")
    )
    assert "failed" in Markup(page.body).striptags()
    assert "change 1 could not have been made when it was resolved: " in failed
    assert '<div class="nomic-off">rule nonsuch is repealed' in failed
    assert failed.count("nomic-off") == 1
    assert (
        'See it <code>../2/</code>, <a href="../../posts/2/">#2</a>, <a href="../../players/dee/">@Dee</a>, '
        "#77, @nobody, <code>#2</code>, a@dee." in comments
    )


@pytest.mark.slow
def test_a_pending_post_shows_the_values_of_declarations_that_it_would_change(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    [dormancy] = (tmp_path / "game/ruleset").rglob("*-dormancy.md")
    least = yaml.safe_load(dormancy.read_text().split("---")[1])["least"]
    change = {"amend": {"rule": "Dormancy", "in": "declarations", "set": {"least": 3, "spare": 7}}}
    act(
        1,
        "cy",
        "propose",
        title="Least",
        body="As said.",
        tags=["Special Case"],
        changes=[{"together": [change]}, {"set": {"players.cy.puissance": 4}}],
    )
    stored = yaml.safe_load((tmp_path / "game/state/players/cy.yml").read_text())["puissance"]
    page = seen_pages(tmp_path)["posts/1.md"]
    shown = next(s.body for s in page.sections if s.id == "changes").partition("<details")[0]
    assert f"<del>least: {least}</del> <ins>least: 3</ins> <ins>spare: 7</ins>" in shown
    assert f"cy</a>’s puissance</div> <del>{stored}</del> <ins>4</ins>" in shown
    card = re.search(r'nomic-verdict">(.*?)</p>', seen_pages(tmp_path)["index.md"].body)
    assert card is not None
    assert "from" in card[1]
    assert card[1] in next(s.body for s in page.sections if s.id == "votes"), "no less than its card says"
    assert 'href="../../rules/dormancy/"' in shown


@pytest.mark.slow
def test_who_votes_without_an_icon_or_under_another_name_is_told_so_and_linked(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    rename = [{"rename-player": {"from": "dee", "to": "didi"}}]
    act(1, "cy", "propose", title="Name", body="As said.", tags=["Core"], changes=rename)
    for voter in ("ben", "dee", "eli"):
        act(2, voter, "vote", matter=1, icon="for", text="")
    act(50, "ben", "resolve", matter=1)
    assert "name: didi" in (tmp_path / "game/state/players/dee.yml").read_text()
    act(51, "dee", "propose", title="Next", body="As said.", tags=["Core"], changes=[{"repeal": "dormancy"}])
    act(52, "dee", "post", title="Hello", body="No kind.")
    seen = seen_pages(tmp_path)
    card = next(s.body for s in seen["index.md"].sections if s.id == "pending")
    assert card.count('<a href="./players/dee/">didi</a>') == 2, "as the author, and as a voter"
    assert "(FOR, as the author who has used no icon)" in card
    assert "post by" in seen["posts.md"].body
    assert "none" not in Markup(seen["posts.md"].body).striptags()
    assert seen["posts/none/index.md"].title == "Other posts"


@pytest.mark.slow
def test_what_did_not_pass_is_not_tried(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    act(1, "cy", "propose", title="Much", body="As said.", changes=[{"repeal": "nonsuch"}])
    act(2, "cy", "vote", matter=1, icon="against", text="")
    look = Look.at_time(Game.open(tmp_path), START)
    assert "would be skipped" in asked_for(look, "posts/1", [{"repeal": "nonsuch"}])
    act(3, "ben", "resolve", matter=1)
    page = seen_pages(tmp_path)["posts/1.md"]
    assert "would be skipped" not in page.body
    assert next(s.title for s in page.sections if s.id == "changes") == "What it would have changed"


@pytest.mark.slow
def test_a_player_has_a_page_of_posts_votes_deeds_and_changes(amended: Path) -> None:
    page = seen_pages(amended)["players/eli.md"]
    assert {"has", "deeds", "changes"} <= {section.id for section in page.sections}
    assert "puissance" in page.body
    posts = next(s.body for s in seen_pages(amended)["players/cy.md"].sections if s.id == "posts")
    assert posts.count('href="../../posts/') == 2


@pytest.mark.slow
def test_a_player_called_index_has_a_page_of_their_own(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    act(1, "index", "join")
    waits = "index has asked to join, and waits for an answer by whoever is admin (ben): nomicgit act admit"
    assert waits in seen_pages(tmp_path)["index.md"].body.striptags()
    act(1, "ben", "admit", newcomer="index")
    assert "has asked to join" not in seen_pages(tmp_path)["index.md"].body.striptags()
    assert seen_pages(tmp_path)["players/index-.md"].title == "index"


@pytest.mark.slow
def test_the_journal_has_lasting_addresses(amended: Path) -> None:
    body = seen_pages(amended)["journal/1.md"].body
    assert 'id="deed-1"' in body
    assert 'href="../journal/1/#deed-1"' in seen_pages(amended)["journal.md"].body


def test_what_any_text_of_a_rule_kept_secret_is_never_shown(tmp_path: Path) -> None:
    old = "---\ntitle: Hoard\nvariables:\n  hoard: {of: player, type: text, tracked: secret}\n---\nText.\n"
    other = "---\ntitle: Other\nvariables:\n  gold: {of: player, type: integer}\n---\nText.\n"
    played(tmp_path, Ruleset.read({"1-core/10-hoard.md": old, "1-core/20-other.md": other}))
    look = Look.at_time(Game.open(tmp_path), 0)
    assert not look.shown_then("players", "hoard")
    assert not look.shown_then("rooms", "hoard")
    assert look.shown_then("players", "gold")
    assert look.shown_then("players", "silver_of_a_rule_long_gone")


@pytest.mark.slow
def test_terms_are_linked_where_they_are_used(amended: Path) -> None:
    found = seen_pages(amended)
    assert 'class="nomic-term"' in "".join(found[uri].lead for uri in found if uri.startswith("rules/"))
    assert found["terms.md"].sections


def listed(page: Page) -> dict[str, set[str]]:
    """The rules to which the list of all rules leads, by its sections."""
    rules = re.compile(r'<th scope="row"><a href="\.\./rules/([a-z0-9-]+)/"')
    return {section.id: set(rules.findall(section.body)) for section in page.sections}


@pytest.mark.slow
def test_every_rule_that_there_ever_was_is_listed_by_what_became_of_it(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    act(1, "cy", "propose", title="Off", body="", changes=[MOON, {"repeal": "dormancy"}])
    for voter in ("ben", "dee"):
        act(2, voter, "vote", matter=1, icon="for", text="")
    act(15, "ben", "resolve", matter=1)
    told = subprocess.run(
        ["git", "-C", str(tmp_path), "log", "--format=", "--name-only", "--", "game/ruleset"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    ever = {Path(each) for each in told if re.match(r"\d+-.*\.md$", Path(each).name)}
    standing = {each for each in ever if (tmp_path / each).exists()}
    rest = {each for each in standing if "\nstatus: inactive\n" in (tmp_path / each).read_text()}
    slugs = [
        {re.sub(r"^\d+-", "", each.stem) for each in some}
        for some in (standing - rest, rest, ever - standing)
    ]
    assert slugs[2] == {"dormancy"}
    assert listed(seen_pages(tmp_path)["rules/index.md"]) == dict(
        zip(("in-force", "not-in-force", "repealed"), slugs, strict=True)
    )


@pytest.mark.slow
def test_every_folder_of_pages_has_a_page_of_its_own(amended: Path) -> None:
    addresses = {url_of(uri) for uri in seen_pages(amended)}
    above = {f"{folder}/" for each in addresses for folder in map(str, Path(each).parents) if folder != "."}
    assert {"rules/", "law/", "posts/all/", "rules/votes/"} & above == {"rules/", "law/"}
    assert above - addresses == set()


@pytest.mark.slow
def test_a_term_is_linked_once_in_each_paragraph_and_item(amended: Path) -> None:
    (rule,) = (amended / "game/ruleset").rglob("*-votes.md")
    prose = rule.read_text().split("---\n")[2].partition("```")[0]
    blocks = [
        each for each in re.split(r"\n\s*\n|\n(?=- )", prose) if re.search(r"\bquorum\b", each, re.IGNORECASE)
    ]
    assert len(blocks) == 3
    linked = re.findall(
        r"<a [^>]*#term-quorum[^>]*>quorum</a>",
        str(seen_pages(amended)["rules/votes.md"].lead),
        re.IGNORECASE,
    )
    assert len(linked) == len(blocks)


@pytest.mark.slow
def test_a_term_s_sentence_goes_on_through_its_list(amended: Path) -> None:
    terms = seen_pages(amended)["terms.md"]
    told = {each.title: each.body.partition("</div>")[0] for each in terms.sections}
    popular = "A matter is popular if its FOR votes reach quorum, or it has been open for at least 48 hours"
    assert f"<p>{popular}" in told["Popular"]
    assert "or it is illegal, in which case it is never popular.</p>" in told["Unpopular"]
    assert "It is unpopular if" not in told["Popular"]
    assert not [name for name, text in told.items() if text.endswith((" if</p>", ":</p>"))]


@pytest.mark.parametrize(
    ("prose", "told"),
    [
        (
            "A *cat* has\n\n- paws,\n  four of them,\n- a tail.\n\nA dog barks.",
            "A cat has paws, four of them, a tail.",
        ),
        ("A *cat* has:\n1. paws\n2) a tail\nA dog barks.", "A cat has: paws · a tail"),
        ("- A *cat* purrs.\n- A dog barks.", "A cat purrs."),
        ("# A *cat*\n\nA dog barks.", "A cat"),
        ("A *cat* purrs.", "A cat purrs."),
    ],
)
def test_what_is_told_of_a_term(prose: str, told: str) -> None:
    ruleset = Ruleset.read({"1-core/10-cat.md": f"---\ntitle: Cat\n---\n{prose}\n"})
    assert Glossary(ruleset, {"cat": prose}).terms["cat"].told == told


def test_what_a_rule_only_quotes_or_everybody_says_is_no_term() -> None:
    prose = """*Quorum*: half of all.
- **Scout**, naming a Location.
- *who*: the *offerer*, or a number *equal* to the field *income*.
*Can* means being able to.
A matter is *popular* if all want it. Any player may take a *daily action*.
To *devastate* a room costs much. Whoever says the word *idle*, or *they*, is heard."""
    terms = Glossary(
        Ruleset.read({"1-core/10-words.md": f"---\ntitle: Words\n---\n{prose}\n"}), {"words": prose}
    ).terms
    assert list(terms) == ["quorum", "scout", "popular", "daily action", "devastate"]


def test_what_an_item_says_behind_a_colon_and_what_brackets_shorten_are_terms() -> None:
    prose = """Anybody may make a declaration of victory (a DoV), even at night (or late).
- Comment, post: the game's own.
- Effective vote comment (EVC): the one that counts.
- Dice: YDICEX are Y dice.
- Wood and Stone: two at once.
- Show: Acrobat, Bellringer.
- Of those of one kind, the last one: it holds.
- May: is permitted to.
*This sentence is an example.*
Here it ends: nothing follows."""
    terms = Glossary(
        Ruleset.read({"1-core/10-words.md": f"---\ntitle: Words\n---\n{prose}\n"}), {"words": prose}
    ).terms
    assert list(terms) == [
        "dov",
        "comment",
        "post",
        "effective vote comment",
        "evc",
        "dice",
        "wood and stone",
    ]
    assert terms["post"].told == "Comment, post: the game's own."


@pytest.mark.slow
def test_only_one_dynasty_is_under_way(amended: Path) -> None:
    found = seen_pages(amended)
    assert "under way" in found["dynasties.md"].body
    assert {"statistics", "posts"} <= {section.id for section in found["dynasties/3.md"].sections}


def test_differences_mark_words_within_a_sentence() -> None:
    assert difference("One.\nThe cat sat.", "One.\nThe dog sat.") == (
        '<div class="nomic-diff" tabindex="0" role="group" aria-label="What changed"><div>One.</div> '
        "<del>The <b>cat</b> sat.</del> <ins>The <b>dog</b> sat.</ins> </div> "
    )


def test_a_difference_escapes_what_players_wrote() -> None:
    assert "<script" not in difference("a <script>x</script> b", "a <script>y</script> b")


# Forms of the place where the game lives.


@pytest.mark.parametrize(
    ("forge", "file", "address"),
    [
        ({"github": "ana/attic"}, True, "https://github.com/ana/attic/issues/new?template=propose.yml"),
        ({"github": "ana/attic"}, False, None),
        ({"github": "//evil.example/x?"}, True, None),
        (None, True, None),
    ],
)
def test_an_action_has_a_form_where_there_is_one(
    tmp_path: Path, git: Callable[..., str], forge: dict[str, str] | None, file: bool, address: str | None
) -> None:
    played(tmp_path, editions.load("crypt"), forge=forge)
    if not file:
        git("rm", "-q", ".github/ISSUE_TEMPLATE/propose.yml")
        git("commit", "-qm", "a form less")
    look = Look.at_time(Game.open(tmp_path), 0)
    assert acts.form(look, look.world.law.declared.actions["propose"]) == address


# Feeds and data.


@pytest.fixture(scope="module")
def files(amended: Path) -> dict[str, str]:
    game = Game.open(amended)
    made = files_of(Look.at_time(game, time_of(game, 0)), "https://game.example/")
    return {uri: content for uri, content in made.items() if isinstance(content, str)}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game", "rules", "state", "matters", "mornings", "posts", "journal"])
def test_the_data_keep_to_their_schema(files: dict[str, str], name: str) -> None:
    schema, told = json.loads(files["api/schema.json"]), json.loads(files[f"api/{name}.json"])
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(told, schema)
    assert told[name]


def test_the_schema_refuses_what_it_does_not_know(files: dict[str, str]) -> None:
    told = json.loads(files["api/game.json"])
    told["game"]["at"] = "yesterday"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(told, json.loads(files["api/schema.json"]))


@pytest.mark.parametrize(("name", "count"), [("posts", 3), ("pending", 1), ("law", 3)])
def test_the_feeds_tell_the_same_in_both_forms(files: dict[str, str], name: str, count: int) -> None:
    atom = ElementTree.fromstring(files[f"feeds/{name}.xml"])
    space = "{http://www.w3.org/2005/Atom}"
    links = [entry.find(f"{space}link").get("href") for entry in atom.findall(f"{space}entry")]  # type: ignore[union-attr]
    items = json.loads(files[f"feeds/{name}.json"])["items"]
    assert links == [item["url"] for item in items]
    assert len(links) == count
    assert all(str(link).startswith("https://game.example/") for link in links)


# Kept from build to build.


@pytest.mark.slow
def test_what_was_made_before_is_read_again(amended: Path) -> None:
    with site_in(amended, 0, "")[0] as first:
        kept = amended / ".git/nomicgit-site.pages"
        before = kept.stat().st_mtime_ns
        with site_in(amended, 0, "")[0] as second:
            assert (first.leaves, first.files()) == (second.leaves, second.files())
            whole = [replace(page, about=page.description) for page in seen_pages(amended).values()]
        assert [first.page(each) for each in first.leaves.values()] == whole
        assert kept.stat().st_mtime_ns == before


@pytest.mark.slow
def test_another_address_makes_another_site(amended: Path) -> None:
    with site_in(amended, 0, "https://other.example/")[0] as made:
        assert "https://other.example/" in made.files()["feeds/posts.json"]


@pytest.mark.slow
def test_a_sheaf_is_read_while_another_takes_its_place(amended: Path) -> None:
    with site_in(amended, 0, "")[0] as first, site_in(amended, 0, "https://x.example/")[0]:
        assert first.page(first.leaves["index.md"]).title == "The <b>Game</b>"
