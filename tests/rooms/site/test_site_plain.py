"""Pages in plain words: kinds of posts by what people call them, no column of secrets, no change of nothing, why there is hiatus."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.places import ROOT
from support.sites import Player, played, seen_pages
from support.tables import Tables

from nomicgit.ground import clock
from nomicgit.law.ruleset import Ruleset
from nomicgit.record.game import Game
from nomicgit.site.astray import finding_its_site
from nomicgit.site.onlooking import Look
from nomicgit.site.pages import assets
from nomicgit.site.scribe import aged

RULE = """---
title: Quiet Hours
posts: {qq: {official: true, votable: true, called: quiet question}, talk: {official: false}}
variables:
  hat: {of: player, type: text}
  bid: {of: player, type: integer, tracked: secret}
  coat: {of: player, type: list, items: text, default: null}
collections:
  chests: {key: {prefix: c}, fields: {lid: text, holds: {type: text, tracked: secret}}}
views: {hiatus: {of: game}}
actions:
  ask: {summary: Ask, with: {title: text}}
  dress: {summary: Dress, with: {hat: text}}
  fill: {summary: Fill a chest}
  sort: {summary: Say what a post is, with: {post: post, kind: text}}
---
It is quiet. By the *Long Night* nobody speaks.

```starlark
def do_ask(actor, title):
    say("qq", title, "", author=actor)

def do_dress(actor, hat):
    put(actor, hat=hat, coat=[])

def do_fill(actor):
    create("chests", lid="oak")

def do_sort(actor, post, kind):
    put(post, kind=kind)

def hiatus():
    return True

def hiatus_reason():
    return "hiatus: the bells are silent"
```
"""
OTHER = """---
title: Long Walks
---
# Of walks

Whoever walks in Quiet Hours goes softly.
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The bodies of the pages of such a game by their places."""
    folder = tmp_path_factory.mktemp("quiet")
    act: Player = played(
        folder, Ruleset.read({"1-core/10-quiet-hours.md": RULE, "1-core/20-walks.md": OTHER})
    )
    act(1, "ana", "ask", title="Who rings?")
    act(2, "cy", "dress", hat="red")
    act(3, "cy", "fill")
    act(4, "ana", "sort", post=1, kind="qq")
    return {uri: str(page.body) for uri, page in seen_pages(folder).items()}


def test_a_kind_of_post_is_called_what_people_call_it(pages: dict[str, str]) -> None:
    for uri in ("posts.md", "posts/1.md", "posts/all/index.md", "index.md", "journal/1.md", "players/ana.md"):
        assert "quiet question" in pages[uri], uri
        assert not re.search(r"\bqq\b", re.sub(r"<[^>]*>", " ", pages[uri])), uri


def test_what_is_secret_of_everybody_is_no_column(pages: dict[str, str], tmp_path: Path) -> None:
    for uri, name in (("players.md", "bid"), ("players/cy.md", "bid"), ("gamestate.md", "holds")):
        (tmp_path / "page.html").write_text(pages[uri])
        page = Tables(tmp_path / "page.html")
        assert name not in [head for table in page.tables for head in table.head]
        assert f"Secret: {name}." in page.paragraphs, uri


def test_a_change_from_nothing_to_nothing_is_none(pages: dict[str, str]) -> None:
    assert "red" in pages["players/cy.md"]
    for uri in ("players/cy.md", "journal/1.md"):
        assert "coat" not in pages[uri].partition('id="changes"')[2], uri
        assert "none → none" not in pages[uri]


def test_the_gamestate_says_why_there_is_hiatus(pages: dict[str, str]) -> None:
    assert "yes: the bells are silent" in pages["gamestate.md"]


def test_a_rules_title_tells_how_that_rule_begins(pages: dict[str, str]) -> None:
    (title,) = re.findall(r'class="nomic-term" title="([^"]*)">Quiet Hours<', pages["rules/walks.md"])
    assert title.startswith("It is quiet.")


def test_the_page_for_what_is_not_found_leads_on() -> None:
    theme = "<!doctype html><html><head></head><body><h1>404</h1></body></html>"
    page = finding_its_site(theme, "https://example.org/court/", "", [("Posts &amp; more", "posts/")])
    assert '<a href="/court/posts/">Posts &amp; more</a>' in page.partition("</h1>")[2]


def test_scripts_are_served_without_what_they_say_to_whoever_reads_their_source() -> None:
    sources = ROOT / "nomicgit/site"
    scripts = {uri: text for uri, text in assets().items() if uri.endswith(".js")}
    assert len(scripts) > 2
    for uri, text in scripts.items():
        lines = (sources / uri).read_text().splitlines()
        assert "`" not in re.sub(r"/\^?\S*`\S*/|//.*", "", "\n".join(lines)), (
            f"{uri}: no text of several lines"
        )
        assert text.splitlines() == [line.lstrip() for line in lines if not line.lstrip().startswith("//")], (
            uri
        )


@pytest.mark.slow
def test_how_long_ago_something_was_is_told_in_its_largest_unit(tmp_path: Path) -> None:
    began = "2021-06-07T00:00:00Z"
    played(tmp_path, Ruleset.read({"1-core/20-walks.md": OTHER}))
    for seconds, told in (
        (59, "just now"),
        (60, "1 minute ago"),
        (7200, "2 hours ago"),
        (364 * 86400, "364 days ago"),
        (800 * 86400, "2 years ago"),
    ):
        look = Look.at_time(Game.open(tmp_path), clock.instant(began) + seconds)
        assert aged(look, began).striptags() == f"2021-06-07 00:00 UTC ({told})"
