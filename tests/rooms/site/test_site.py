"""The site: what stands on the pages, what never does, and that MkDocs builds them without a warning."""

from __future__ import annotations

import html.entities
import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markupsafe import Markup
from support.depth import DEEP
from support.sites import HOSTILE, START, build, played, seen_pages

from nomicgit import editions
from nomicgit.ground.problems import Refused
from nomicgit.law.merging import DECLARATIONS
from nomicgit.law.ruleset import Ruleset
from nomicgit.record.game import Game
from nomicgit.site import acts, markup
from nomicgit.site.declared import declarations
from nomicgit.site.export import export
from nomicgit.site.onlooking import Look
from nomicgit.site.outline import bracketless
from nomicgit.site.page import Page, Section, document, root_of, url_of
from nomicgit.site.pages import time_of
from nomicgit.site.untrusted import LARGEST, annotated, rendered

SMALL = {
    "1-core/10-treasure.md": """---
title: Treasure
variables:
  map_place: {type: text, tracked: secret}
  gold: {of: player, type: integer, default: 5}
  hoard: {of: player, type: text, tracked: secret}
  mood: {type: text, default: calm}
  doubled: {of: player, type: integer, derived: doubled}
  broken: {type: integer, derived: broken}
limits:
  daily: {per: day, gap: 10h}
actions:
  dig: {summary: Dig, limit: daily, with: {where: text}}
---
Everybody has {{variables.gold.default}} gold and digs at most every {{limits.daily.gap}}.

# Not the page's own heading

```starlark
def doubled(player):
    return 2 * get(player, "gold")

def broken(game):
    return 1 // 0

def do_dig(actor, where):
    put("game", mood="dug")
```
""",
    "1-core/20-asleep.md": "---\ntitle: Asleep\nstatus: inactive\n---\nNothing here acts.\n\n<pre>\n",
}


OWN = re.compile(
    r"(\.\./)*assets/(book|compare|letters)\.js"
)  # what the site itself runs, at addresses of its own


class Seen(HTMLParser):
    """What stands in a page: ids, links, attributes, scripts, headings, text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.scripts: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tags.append("own-script" if tag == "script" and OWN.fullmatch(given.get("src", "")) else tag)
        self.handlers += [name for name in given if name.startswith("on")]
        if "id" in given:
            self.ids.add(given["id"])
        self.links += [given[name] for name in ("href", "src") if name in given]

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "script":
            self.scripts.append(data)
        self.text += data


@pytest.fixture(scope="module")
def crypt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of the crypt edition with some deeds, many of them hostile."""
    path = tmp_path_factory.mktemp("crypt")
    act = played(path, editions.load("crypt"))
    law = {"add-rule": {"title": "Moonlight", "text": f"The moon shines.\n\n{HOSTILE}\n\n# Loud\n\n<pre>"}}
    act(1, "cy", "propose", title="Moonlight", body="Adds a **rule**.", changes=[law])
    act(2, "ben", "vote", matter=1, icon="for", text="gladly")
    act(2, "dee", "vote", matter=1, icon="for")
    act(3, "eli", "explore", room="E3", name="Dusty <i>Hall</i>", description=HOSTILE)
    act(
        4,
        "dee",
        "propose",
        title=f"Loud {HOSTILE}",
        body=f"{HOSTILE}\n\n# Loud\n\n<pre>\n",
        changes=[{"repeal": "dormancy"}],
    )
    act(5, "eli", "vote", matter=2, icon="against", text=f"no {HOSTILE}")
    act(13, "ben", "resolve", matter=1)
    act(14, "dee", "roll", dice="2DICE6")
    return path


@pytest.fixture
def small(tmp_path: Path, git: Callable[..., str]) -> Path:
    """A game of a small ruleset, with secrets laid into its files."""
    act = played(tmp_path, Ruleset.read(SMALL))
    act(1, "ben", "dig", where="UNDER-THE-OAK")
    for name in ("game", "players/cy"):
        file = tmp_path / f"game/state/{name}.yml"
        field = "map_place" if name == "game" else "hoard"
        file.write_text(file.read_text() + f"{field}: XYZZY-{field}\n")
    rule = tmp_path / "game/ruleset/1-core/10-treasure.md"
    rule.write_text(rule.read_text().replace("summary: Dig,", "summary: Dig, private: [where],"))
    git("commit", "-qam", "laid by hand")
    return tmp_path


def config(path: Path, **more: Any) -> Path:
    """A configuration of MkDocs for a game, and where the site goes."""
    (path / "docs").mkdir(exist_ok=True)
    settings = {
        "site_name": "Site", "strict": True, "theme": {"name": "material", "font": False},
        "plugins": ["search", {"nomicgit": more}],
    }  # fmt: skip
    file = path / "mkdocs.yml"
    file.write_text(json.dumps(settings))
    return file


@pytest.fixture(scope="module")
def built(crypt: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Seen]:
    """Every page of the crypt's site, as built, by its address."""
    site = build(config(crypt), tmp_path_factory.mktemp("site"))
    return {file.relative_to(site).as_posix(): Seen(file.read_text()) for file in site.rglob("*.html")} | {
        "search": Seen(json.dumps(json.loads((site / "search/search_index.json").read_text())))
    }


# What stands on the pages.


@pytest.mark.slow
def test_home_tells_how_things_stand(crypt: Path) -> None:
    home = seen_pages(crypt)["index.md"]
    text = home.body.striptags()
    assert home.title == "The <b>Game</b>"
    for part in (
        "a game in which changing the rules is a move",
        "3. First Night",
        "Richardo von Nestor",
        "Quorum 3 votes",
        "5 active",
        "This is a practice game: its time stands still",
        "1 matter waits for votes. You could",
        "1 FOR 1 AGAINST",
        "it is not popular",
        "Hiatus none",
        "built from the commit",
    ):
        assert part in re.sub(r"\s+", " ", re.sub(r"(<[^>]*>)+", " ", home.body)), part
    assert not re.search(r"\b(ahead|leads|first) in\b|Ahead", text), (
        "no rule says which number wins, or which way"
    )
    assert "nomicgit actions" in text


@pytest.mark.slow
def test_home_offers_nothing_that_hiatus_forbids(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    before = seen_pages(tmp_path)["index.md"].body.striptags()
    assert "You could join or propose, or just read on." in before
    assert "Vote on what is pending: not now, no matter is pending" in before
    act(1, "cy", "dov", title="I win", body="Look.")
    home = seen_pages(tmp_path)["index.md"].body.striptags()
    assert "You could join or vote, or just read on." in home
    assert "Propose a change of the rules: not now, there is hiatus: a DoV is pending" in home
    assert "Vote on what is pending: nomicgit vote MATTER ICON" in home


@pytest.mark.slow
def test_a_map_is_shown_in_tables_in_tiles_and_in_histories(tmp_path: Path) -> None:
    front = """---
title: Chest
variables:
  chest: {type: map, keys: text, values: integer, default: {}}
  bag: {of: player, type: map, keys: player, values: {type: list, items: text}, default: {}}
actions:
  fill: {}
---
It is filled.

```starlark
def do_fill(actor):
    put("game", chest={"coal": 3, "iron": 0})
    put(actor, bag={"players/cy": ["oak", "fir"], "players/dee": []})
```
"""
    act = played(tmp_path, Ruleset.read({"1-core/10-chest.md": front}))
    empty = seen_pages(tmp_path)["gamestate.md"].body.striptags()
    assert re.search(r"chest\s+–", empty)
    act(1, "ben", "fill")
    found = {uri: " ".join(page.body.striptags().split()) for uri, page in seen_pages(tmp_path).items()}
    assert "chest coal: 3 iron: 0" in found["gamestate.md"]
    assert "bag cy: (oak, fir) dee: –" in found["players/ben.md"]
    assert "chest – coal: 3 iron: 0" in found["gamestate/game.md"]
    assert "bag – cy: (oak, fir) dee: –" in found["players/ben.md"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["</title><script>hit()</script>", pytest.param('"><img src=x onerror=hit()>', marks=DEEP)]
)
def test_what_roles_are_called_is_text(name: str, tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    change = {"amend": {"rule": "dynasties", "in": "declarations", "set": {"terms.emperor": name}}}
    act(1, "cy", "propose", title="Terms", body="", changes=[change])
    for voter in ("ben", "dee"):
        act(2, voter, "vote", matter=1, icon="for")
    act(14, "ben", "resolve", matter=1)
    site = build(config(tmp_path), tmp_path / "site")
    assert "hit()" in (site / "index.html").read_text()
    for file in site.rglob("*.html"):
        text = file.read_text()
        assert "<script>hit" not in text, file
        assert "<img src=x" not in text, file


@pytest.mark.slow
def test_the_ruleset_is_numbered_and_whole(crypt: Path) -> None:
    found = seen_pages(crypt)
    whole = found["ruleset.md"]
    rules = Game.open(crypt).ruleset.rules
    assert [s.name for s in whole.sections if s.level == 3] == [f"{p.number} {p.title}" for p in rules]
    assert {f"rules/{p.slug}.md" for p in rules} <= set(found)
    assert all(section.body.striptags() for section in whole.sections if section.level == 3)


def test_a_rule_has_its_quotes_filled_and_says_what_it_declares(small: Path) -> None:
    rule = seen_pages(small)["rules/treasure.md"]
    assert rule.title == "1.1 Treasure"
    assert "has 5 gold and digs at most every 10 hours." in rule.body
    text = rule.body.striptags()
    assert "gold of each player: integer, at first 5, public." in text
    assert "Limit daily: once in each day, at least 10 hours apart." in text
    assert "<details><summary>Mechanics</summary>" in rule.body
    assert "def do_dig(actor, where):" in rule.body.unescape()


def test_a_players_heading_is_none_of_the_page_s(small: Path) -> None:
    lead = seen_pages(small)["rules/treasure.md"].lead
    assert "<h4>Not the page's own heading</h4>" in lead
    assert not re.search(r"<h[123]", lead)


def test_an_inactive_rule_is_marked(small: Path) -> None:
    whole = seen_pages(small)["ruleset.md"].body
    assert "2 rules, 1 of them in force" in whole
    assert "nomic-off" in whole


def test_what_is_secret_is_shown_as_secret(small: Path) -> None:
    found = seen_pages(small)
    everything = "".join(page.title + page.body for page in found.values())
    assert "XYZZY" not in everything
    assert "UNDER-THE-OAK" not in everything
    assert 'nomic-secret">secret<' in found["gamestate.md"].body
    assert 'Secret: <a href="../rules/treasure/">hoard</a>.' in found["players.md"].body


def test_a_broken_value_is_told_and_breaks_no_page(small: Path) -> None:
    found = seen_pages(small)
    assert "cannot be told" in found["gamestate.md"].body
    assert ">10<" in found["players.md"].body


def test_a_ruleset_without_posts_or_votes_has_a_site(small: Path) -> None:
    found = seen_pages(small)
    assert "There is no post yet." in found["posts.md"].body
    assert "Nothing is pending." in found["index.md"].body
    assert "Quorum" not in found["index.md"].body


@pytest.mark.slow
def test_players_have_their_offices_and_variables(crypt: Path) -> None:
    page = seen_pages(crypt)["players.md"]
    active, idle = page.sections
    assert [
        row for row in ("ana", "ben", "cy", "dee", "eli") if f'href="../players/{row}/"' in active.body
    ] == [
        "ana",
        "ben",
        "cy",
        "dee",
        "eli",
    ]
    assert 'href="../players/fay/"' in idle.body
    assert "puissance" in active.body
    assert ">7<" in active.body
    assert "admin" in active.body


@pytest.mark.slow
def test_a_grid_is_drawn_as_cells(crypt: Path) -> None:
    page = seen_pages(crypt)["gamestate.md"]
    rooms = next(section for section in page.sections if section.id == "collection-rooms")
    grid = rooms.body.partition("</table>")[0]
    assert grid.count("<tr>") == 8
    assert grid.count("background-color:#") == 63
    assert "Crypt Entrance" in grid
    assert "Dusty &lt;i&gt;Hall&lt;/i&gt;" in grid


TOWN = """---
title: Town
collections:
  plots:
    key: {rows: [A, B], columns: [1, 2]}
    all: true
    fields:
      house: {type: choice, choices: [Inn, <b>Mill</b>], default: null}
      lit: {type: boolean, shown_as: "<*>"}
      owned: boolean
      note: text
      cellar: {type: choice, choices: [Wine], default: null, tracked: secret}
    founding: {A1: {house: Inn, lit: true}, A2: {owned: true, note: "said"}, B1: {house: <b>Mill</b>}, B2: {lit: true, cellar: Wine}}
---
There is a town.
"""


def test_a_cell_without_a_name_shows_what_stands_in_it(tmp_path: Path) -> None:
    played(tmp_path, Ruleset.read({"1-core/10-town.md": TOWN}))
    grid, _, after = seen_pages(tmp_path)["gamestate.md"].body.partition("</table>")
    assert "&lt;*&gt;: lit</p>" in after, "what a mark says stands below"
    cells = re.findall(r"<td[^>]*>(.*?)</td>", grid)
    assert [Markup(cell).striptags() for cell in cells] == ["", "Inn <*>", "A2", "<b>Mill</b>", "<*>"]


@pytest.mark.slow
def test_the_map_of_an_edition_shows_what_its_rule_says(tmp_path: Path) -> None:
    played(tmp_path, editions.load("assassin"))
    grid = seen_pages(tmp_path)["gamestate.md"].body.partition("Map of locations")[2].partition("</table>")[0]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", grid)[1:]
    shown = {f"{'ABCDEFGH'[n // 8]}{n % 8 + 1}": Markup(cell).striptags() for n, cell in enumerate(cells)}
    rule = next((tmp_path / "game/ruleset").rglob("*-position.md")).read_text()
    founding = dict(re.findall(r"^      ([A-H][1-8]): \{(.*)\}$", rule, re.MULTILINE))
    assert len(founding) == 12
    assert {name for name, cell in shown.items() if cell != name} == set(founding)
    for name, text in founding.items():
        building = re.search(r"building: ([\w ]+)", text)
        told = [building[1]] if building else []
        assert shown[name] == " ".join([*told, "@"] if "occupied: true" in text else told)


@pytest.mark.slow
def test_a_post_shows_tally_reasons_comments_and_changes(crypt: Path) -> None:
    found = seen_pages(crypt)
    one, two = found["posts/1.md"].body.unescape(), found["posts/2.md"].body.unescape()
    assert "enacted" in one
    assert "Adds a <strong>rule</strong>." in one
    assert "3 FOR" in one
    assert 'nomic-for">FOR</span>' in one
    assert "gladly" in one
    assert "FOR, as the author who has used no icon" in two
    assert "- {repeal: dormancy}" in two
    order = re.findall(r'href="\.\./posts/(\d)/"', found["posts.md"].body)
    assert order == ["2", "1"]


@pytest.mark.slow
def test_the_journal_tells_deeds_and_dice(crypt: Path) -> None:
    journal = seen_pages(crypt)["journal.md"].body
    assert journal.count("<tr>") == 10
    assert "<code>roll</code> dice: 2DICE6" in journal
    assert re.search(r"<li>d6 gave \d, \d\.</li>", journal), "two dice on one line"
    told = [" ".join(each.split()) for each in re.sub(r"<[^>]*>", " ", journal).split("2021-06-07 ")]
    assert any("vote 1. Moonlight FOR text: gladly" in each for each in told), (
        "a vote says on what it was cast"
    )
    assert any("resolve → 1. Moonlight enacted" in each for each in told), (
        "what was resolved stands there once"
    )
    assert any("the founding The game was founded. players:" in each for each in told)


@pytest.mark.slow
def test_actions_are_listed_with_their_rules(crypt: Path) -> None:
    actions = seen_pages(crypt)["actions.md"].body
    assert "<code>explore</code>" in actions
    assert 'href="../rules/lair-actions/"' in actions
    assert "Cost: 7 Puissance" in actions
    assert "<code>room</code>: one of the rooms" in actions
    assert "Limit: 1 in each day" in actions


RANGES = """---
title: Ranges
variables:
  mood: {of: player, type: integer, min: 1, max: 9, default: 3, unit: smiles}
  luck: {of: player, type: number, step: 0.5, default: 1}
  debt: {of: player, type: integer, below_zero: allow, max: 8, default: 1}
  gold: {of: player, type: integer, default: 5}
  speed: {type: integer, min: 2, default: 7, unit: km/h}
actions:
  roam:
    summary: Roam
    with:
      far: {type: integer, max: 6}
      quick: boolean
      to: {type: list, items: player}
      why: {type: text, default: ""}
---
All have a mood.

```starlark
def do_roam(actor, far, quick, to, why):
    put(actor, mood=2)
```
"""


def test_numbers_are_headed_by_their_range_and_unit(tmp_path: Path) -> None:
    act = played(tmp_path, Ruleset.read({"2-dynastic/10-ranges.md": RANGES}))
    act(1, "ana", "roam", far=2, quick=True, to=["ben"])
    found = {uri: str(page.body) for uri, page in seen_pages(tmp_path).items()}
    heads = re.findall(
        r'<th scope="col">(?:Player|(\w+)(?: <small class="nomic-range">([^<]*)</small>)?)</th>',
        found["players.md"],
    )
    named = {name: more for name, more in heads if name in ("mood", "luck", "debt", "gold")}
    assert named == {"mood": "1 to 9 smiles", "luck": "in steps of 0.5", "debt": "up to 8", "gold": ""}
    assert '<dt>mood <small class="nomic-range">1 to 9 smiles</small></dt>' in found["players/ana.md"]
    assert '>speed <small class="nomic-range">from 2 km/h</small></th>' in found["gamestate.md"]
    text = " ".join(re.sub(r"<[^>]*>", " ", found["actions.md"]).split())
    assert (
        "far : a whole number 0 to 6 quick : yes or no to : several, each one of the players why : a text; may be left out"
        in text
    )


@pytest.mark.slow
def test_what_nobody_may_do_now_is_told_beside_the_action_and_counted_apart(tmp_path: Path) -> None:
    played(tmp_path, editions.load("crypt"))
    look = Look.at_time(Game.open(tmp_path), START)
    names = look.world.law.declared.actions
    reasons = {
        name: re.sub(r"(\d)T(\d\d:\d\d):00Z", r"\1 \2 UTC", why) for name, why in look.closed().items()
    }
    pages = seen_pages(tmp_path)
    rows = re.findall(r"<tr>(?:(?!</tr>).)*</tr>", pages["actions.md"].body, re.DOTALL)
    rows = [Markup(row).striptags() for row in rows]
    sealed = {"tell"}
    for name in set(names) - sealed:
        row = next(row for row in rows if row.split()[0] == name)
        assert (f"Closed now: {reasons[name]}." if name in reasons else "") in row
        assert ("Closed now" in row) == (name in reasons), name
    many = len(set(reasons) - sealed)
    assert many > 3
    closed = pages["actions.md"].sections[-1]
    assert closed.title == "Closed now", "what one can do stands first"
    assert (
        f"{many} of these {len(names) - 1} actions are closed to everybody now, each for the" in closed.body
    )
    for name in set(reasons) - sealed:  # which stand under "Not in this game"
        why = re.escape(str(markup.escaped(reasons[name])))
        assert re.search(
            rf"<li>[^:]*<code>{name}</code>[^:]*: {why}", re.sub(r"</?time[^>]*>", "", closed.body)
        ), name
    offered = {"join", "propose", "vote", "cfj", "post"} & set(names)
    others = set(names) - offered - sealed
    told = f">{len(others - set(reasons))} actions</a>, and {len(others & set(reasons))} that are closed just now."
    assert told in pages["index.md"].body


STALL = """---
title: Stall
collections: {carts: {key: {prefix: c}, fields: {goods: text}}}
actions:
  build: {summary: Build a cart, with: {goods: text}}
  sell: {summary: Sell a cart, with: {cart: carts}}
  rouse: {summary: Wake somebody, with: {whom: player}}
  yawn: {summary: Yawn, idle: true}
---
Nobody sleeps here but those who are idle.

```starlark
def do_build(actor, goods):
    create("carts", goods=goods)

def do_sell(actor, cart):
    put(cart, goods="sold")

def do_rouse(actor, whom):
    refuse("they do not sleep")

def can_yawn(actor):
    return "" if actor == "players/fay" else "you are awake"

def do_yawn(actor):
    note("Yawn.")
```
"""


def test_open_is_what_somebody_can_do_with_something(tmp_path: Path) -> None:
    act = played(tmp_path, Ruleset.read({"1-core/10-stall.md": STALL}))
    everybody = ("ana", "ben", "cy", "dee", "eli", "fay")

    def refused(who: str, action: str, given: dict[str, str]) -> bool:
        try:
            act(1, who, action, **given)
        except Refused:
            return True
        return False

    def opens(*names: str) -> None:
        page = str(seen_pages(tmp_path)["actions.md"].body)
        rows = re.findall(r"<tr><th[^>]*><code>(\w+)</code></th>((?:(?!</tr>).)*)</tr>", page, re.DOTALL)
        assert {name for name, row in rows if "Closed now" not in row} == {*names}

    opens("build", "yawn")
    for who in everybody:
        assert all(refused(who, "rouse", {"whom": other}) for other in everybody)
        assert refused(who, "sell", {"cart": "c1"})
        assert refused(who, "yawn", {}) == (who != "fay"), "who is idle, and may"
    assert not refused("cy", "build", {"goods": "hay"})
    opens("build", "yawn", "sell")
    assert not refused("cy", "sell", {"cart": "c1"})


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_why_an_action_is_closed_is_said_of_those_whom_it_is_for(tmp_path: Path, edition: str) -> None:
    act = played(tmp_path, editions.load(edition))
    for row in re.findall(r"Closed now: [^<]*", acts.page(Look.at_time(Game.open(tmp_path), START)).body):
        assert not re.search(r"\byou\b|\byour\b|are no player", row), row
    reasons = Look.at_time(Game.open(tmp_path), START).closed()
    for action in Game.open(tmp_path).world().law.declared.actions.values():
        if action.by == ("player",) and not action.parameters and action.name in reasons:
            with pytest.raises(Refused) as refused:
                act(0, "ben", action.name)
            said = refused.value.problems[0].what
            assert reasons[action.name] in (said, said.replace("you ", "they ").replace("your ", "their "))


@pytest.mark.slow
def test_a_rule_tells_what_its_actions_cost(crypt: Path) -> None:
    assert "Cost: 7 Puissance." in seen_pages(crypt)["rules/lair-actions.md"].body


def test_a_live_game_is_looked_at_now_and_a_practice_game_at_its_last_deed(crypt: Path) -> None:
    game = Game.open(crypt)
    assert time_of(game, START + 10**8) == START + 14 * 3600


# Hostile texts.


@pytest.mark.slow
def test_no_markup_of_players_survives(crypt: Path) -> None:
    for page in seen_pages(crypt).values():
        seen = Seen(page.body)
        assert not {"script", "img", "base", "iframe", "i", "b"} & set(seen.tags), page.uri
        assert not seen.handlers, page.uri
        assert not [
            link
            for link in seen.links
            if ":" in link.split("/")[0] and not link.startswith(("http", "mailto"))
        ], page.uri


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("<script>alert(1)</script>", "<script"),
        ("<img src=x onerror=alert(1)>", "<img"),
        ("![x](https://evil.example/pixel.png)", "<img"),
        ("[x](javascript:alert(1))", "href"),
        ("[x](JaVaScRiPt&#58;alert(1))", "href"),
        ("[x](data:text/html,x)", "href"),
        ("[x](//evil.example/)", "href"),
        ("[x](../../rules/)", "href"),
        ('[x](https://example.org "<img src=x onerror=alert(1)>")', "<img"),
        ("<https://example.org/\"onclick=alert(1)//>", "href=\"https://example.org/\""),
        ("<!-- hidden --> seen", "<!--"),
        ('<div id="__config" class="md-nav">', "<div"),
        ("```js\" onload=\"x\nalert(1)\n```", "<code class"),
        ("# Top\n\nTop\n===", "<h1"),
        ("a\u202eb", "\u202e"),
    ],
)  # fmt: skip
def test_hostile_markdown_becomes_harmless(text: str, forbidden: str) -> None:
    assert forbidden not in rendered(text)


REPLACED = [
    0,
    0x0E,
    0x7F,
    0x61C,
    0x200B,
    0x200C,
    0x200D,
    0x200E,
    0x200F,
    0x2028,
    0x202E,
    0x2066,
    0xFEFF,
    0xE0041,
]


@pytest.mark.parametrize("code", REPLACED, ids=hex)
def test_what_nobody_sees_is_replaced_by_whatever_name_it_comes(code: int) -> None:
    names = [name for name, meant in html.entities.html5.items() if meant == chr(code) and name.endswith(";")]
    for text in (chr(code), f"&#{code};", f"&#x{code:X};", *(f"&{name}" for name in names)):
        assert rendered(f"one{text} two") == "<p>one\ufffd two</p>", text
        assert chr(code) not in html.unescape(bracketless(f"one{text} two")), "where tags are taken out"
    assert rendered(f"`&#{code};`") == f"<p><code>&amp;#{code};</code></p>", "in code it is what was typed"


@pytest.mark.parametrize("text", ["🧛\u200d♀\ufe0f", "می\u200cخواهم"])
def test_joiners_stay_where_they_shape_what_is_written(text: str) -> None:
    assert rendered(text) == f"<p>{text}</p>"


def test_nobody_writes_a_note_of_provenance_by_hand() -> None:
    note = {0: Markup("<sup>9</sup>")}
    assert annotated("one\n\ntwo &#xe000;0&#xe001; &#57344;0&#x0E001;", note).count("<sup>") == 1


def test_a_link_that_may_lead_nowhere_is_its_text() -> None:
    assert rendered("[on *we* go](javascript:alert(1)) [home](https://example.org)").count("<a ") == 1
    assert "<p>on <em>we</em> go <code>ftp://x</code> <a href=" in rendered(
        "[on *we* go](ftp://x) [home](https://example.org)"
    )
    assert "<p>js <code>javascript:alert(1)</code></p>" in rendered("[js](javascript:alert(1))")
    assert rendered("<ben@example.org>").startswith('<p><a href="mailto:ben@example.org"')


def test_foot_notes_stand_below_what_they_are_of() -> None:
    said = (
        rendered("Rain[^a], and snow[^b].\n\n[^a]: Wet, or so.\n[^b]: Cold").striptags().replace("\xa0", "")
    )
    assert said == "Rain[1], and snow[2]. Wet, or so. Cold"


PIECES = (
    '[{}]: {} "{}"',
    "[{}]:\n{}\n'{} {}'",
    "[^{}]: {} {}",
    "[^{0}] {1}\n\n[^{0}]: {2}\n\n[^{0}]: {3}",
    "[^{}]: {}\n    {}\n\n    {}",
    "[^{}]: {}\n\n    [^{}]: {}",
    "[^{}]: [^{}]: {}",
    "*[{}]: {} {}",
    '{} {}\n{{: .{} title="{}" }}',
    "<!-- {} {} -->",
    "---\n{}: {}\n---",
    '!!! note "{} {}"\n    {}',
    "??? {}\n    {}",
    '=== "{}"\n    {}',
    '--8<-- "{}"',
    ":{}: {}",
    "<details><summary>{}</summary>{} {}</details>",
    "<style>{}</style>",
    "<script>{} {}</script>",
    "| {} | {} |\n|---|---|\n| {} | {} | {} | {} |",
    "{} | {}\n-|-\n{} | {} | {}",
    "[](https://{}.example/{})",
    "[]({})",
    '[{}](x:{} "{} {}")',
    "[{}]({}/../{} '{}')",
    '![{}]({}.png "{}")',
    "![{}][{}]",
    "[{}][{}]",
    "[{}]",
    "```{} {}\n{}\n```",
    '``` {{ .{} title="{}" }}\n{}\n```',
    "~~~{}\n{} `{}\n~~~",
    "# {} {}",
    "{}\n---\n{}",
    "> {}\n> [{}]: {} ({})",
    "- {}\n  [{}]: {} '{}'",
    "1. {}\n\n    [{}]: {}",
    "    {} {}",
    "`{}` *{}* **{}** ~~{}~~",
    "<{}@{}.example>",
    "<https://{}.example/{}>",
    "<div hidden>{}</div>",
    "{}<br>{}  \n{}\\\n{}",
    "<{} title='{}'>",
    "<?{} {} ?>",
    "<![CDATA[{}]]>",
    "&{}; \\{}",
    "$${}$$ \\({}\\)",
    "[TOC]\n{}",
    "{}\n: {}",
    "{{{{ {} }}}} {{% {} %}}",
    "``{} ` {}``",
    "<a name=\"{}\" href='{}'>{}</a>",
    "[{}](<{} {}>)",
)
"""By each of these some Markdown keeps words to itself; a word of its own stands at each {}."""
MARKDOWN = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(("\n\n", "\n", " "))), max_size=8)


@given(pieces=MARKDOWN)
@example(pieces=[("![{}][{}]", "\n"), ('[{}]: {} "{}"', "\n\n")])
@example(pieces=[(piece, "\n\n") for piece in PIECES])
@example(pieces=[(piece, "\n") for piece in PIECES])
def test_every_word_of_a_text_is_on_its_page(pieces: list[tuple[str, str]]) -> None:
    number = count()
    text = "".join(piece.format(*(f"w{next(number)}x" for _ in range(6))) + end for piece, end in pieces)
    page = Seen(rendered(text))
    seen = f"{page.text} {' '.join(page.links)}"
    assert [word for word in re.findall(r"w\d+x", text) if word not in seen] == [], text


def test_ordinary_markdown_is_kept() -> None:
    html = rendered(
        "A *word*, [a link](https://example.org).\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```\nx < 1\n```\n"
    )
    for part in (
        "<em>word</em>",
        'href="https://example.org"',
        "<li>two</li>",
        '<td align="right">2</td>',
        "x &lt; 1",
    ):
        assert part in html
    assert "nofollow" in html


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "[a](" * 9_000,
        "# a\n" * 16_000,
        ">" * 60_000,
        "> - " * 16_000,
        "1. > " * 12_000,
        "x" * (LARGEST + 1),
    ],
)
def test_a_text_over_which_the_renderer_would_sit_for_long_is_shown_as_it_was_typed(text: str) -> None:
    """Its time grows with the square of some marks, and quotes and lists lie as deep in each other as the law may call."""
    shown = rendered(text)
    assert shown.startswith('<pre class="nomic-plain">')
    assert shown.striptags().split() == text.split()


def test_quotes_and_lists_lie_in_each_other_as_deep_as_anybody_writes_them() -> None:
    assert rendered("> - " * 30 + "deep").count("<blockquote>") == 30
    assert "plain" not in rendered("\n".join(f"{'>' * depth} {depth}" for depth in range(100)))


def test_an_element_escapes_its_parts_and_attributes() -> None:
    assert markup.tag("a", "<b>", href='"><script>') == '<a href="&#34;&gt;&lt;script&gt;">&lt;b&gt;</a>'
    assert markup.mark("<b>", '" onclick="x') == '<span class="nomic-mark nomic--onclick-x">&lt;b&gt;</span>'


# Words for declarations.


@pytest.mark.parametrize(
    ("front", "words"),
    [
        ({"terms": {"player": "Lord"}}, "The player: called Lord."),
        (
            {
                "actions": {
                    "howl": {
                        "by": "player",
                        "with": {"times": {"type": "integer", "min": 1, "max": 3}},
                        "private": True,
                    }
                }
            },
            "Action howl: howl. Open to players, with times (integer, at least 1, at most 3). In private.",
        ),
        (
            {
                "actions": {
                    "cfj": {
                        "with": {"secret": {"type": "boolean", "default": False}},
                        "private": "secret",
                        "opens": "never",
                    }
                }
            },
            "Action cfj: cfj. Open to players, with secret (boolean, may be left out). In private where secret is true. "
            "It stays so when the key is opened.",
        ),
        (
            {
                "actions": {
                    "ask": {
                        "with": {"of": "player", "word": "text"},
                        "private": ["word"],
                        "idle": True,
                        "tags": ["loud"],
                    }
                }
            },
            "Action ask: ask. Open to players, the idle among them, with of (player); word (text). Private: word. Tags: loud.",
        ),
        (
            {"variables": {"hp": {"of": "player", "type": "integer", "max": 9}}},
            "hp of each player: integer, at most 9, public.",
        ),
        (
            {
                "variables": {
                    "goods": {
                        "type": "map",
                        "keys": ["coal", "tin"],
                        "values": {"type": "integer", "min": 1},
                        "default": {"tin": 3},
                        "unit": "sacks",
                    }
                }
            },
            "goods of the game: map from one of coal, tin to integer (at least 1), at first tin 3, told in sacks, public.",
        ),
        (
            {
                "variables": {
                    "goods": {
                        "type": "map",
                        "keys": {"type": "choice", "choices": ["coal", "tin"]},
                        "values": "integer",
                    }
                }
            },
            "goods of the game: map from one of coal, tin to integer, public.",
        ),
        (
            {"variables": {"came": {"of": "player", "type": "datetime", "default": {"by": "_came"}}}},
            "came of each player: datetime, at first as _came says, public.",
        ),
        (
            {
                "collections": {
                    "lots": {
                        "key": "id",
                        "fields": {
                            "due": {"type": "integer", "unit": "%", "default": 5, "tracked": "secret"}
                        },
                    }
                }
            },
            "lots: a collection, each with due (integer, told in %, at first 5, secret).",
        ),
        (
            {
                "actions": {
                    "keep": {
                        "with": {
                            "some": {
                                "type": "list",
                                "items": {"type": "rule", "where": {"section": "dynastic"}},
                            }
                        }
                    }
                }
            },
            "Action keep: keep. Open to players, with some (list of rule (of the section dynastic)).",
        ),
        ({"variables": {"x": {"tracked": "secret", "type": "text"}}}, "x of the game: text, secret."),
        ({"catalogues": {"parts": {"saw": {}, "axe": {}}}}, "Catalogue parts: saw, axe."),
        (
            {"catalogues": {"parts": {}}},
            "Catalogue parts: no entry here, though other rules may add some.",
        ),
        ({"guards": {"dust": {"on": [{"tag": "power"}]}}}, "May refuse deeds: dust (on: tag power)."),
        (
            {"guards": {"part": {"on": ["propose", {"rule": "inventions"}], "attempt": True}}},
            "May refuse deeds: part (on: propose and rule inventions; attempt: yes).",
        ),
        ({"when": {"failed": ["_f", "_g"]}}, "When failed happens: _f, _g."),
        ({"overrides": ["quorum"]}, "Overrides quorum."),
        (
            {"posts": {"proposal": {"official": True, "votable": True}}},
            "Posts of the kind proposal are official and votable.",
        ),
        ({"views": {"tally": {"of": "matter"}}}, "To look at: tally (of: matter)."),
        ({"variables": {"x": 3}}, "variables x: 3"),
        ({"limits": {"x": {}}}, "limits x: {}"),
    ],
)
def test_declarations_in_words(front: dict[str, Any], words: str) -> None:
    assert [each.striptags() for each in declarations(front, DECLARATIONS)] == [words]


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_every_rule_of_every_edition_can_be_told(edition: str) -> None:
    for placed in editions.load(edition).rules:
        assert all(declarations(placed.front, DECLARATIONS)) if placed.front else True


HOOKS = ("guards", "filters", "settles", "schedules")


@pytest.mark.parametrize("edition", editions.names())
def test_no_word_of_what_a_hook_declares_is_lost_and_nothing_is_told_empty(edition: str) -> None:
    for placed in editions.load(edition).rules:
        sentences = [each.striptags() for each in declarations(placed.front, DECLARATIONS)]
        assert [each for each in sentences if re.search(r"[:,(] ?[.,;)]", each)] == [], placed.slug
        hooks = {key: placed.front[key] for key in HOOKS if key in placed.front}
        words = set(re.findall(r"[a-z]\w{3,}", json.dumps(hooks))) - {*HOOKS, "true", "false", "null"}
        spoken = " ".join(sentences)
        assert {word for word in words if word not in spoken} == set(), placed.slug


BOUNDS = ("min", "max", "step")


@pytest.mark.parametrize("edition", editions.names())
def test_no_bound_and_no_secrecy_of_an_action_is_lost(edition: str) -> None:
    seen = set()
    for placed in editions.load(edition).rules:
        actions: Any = placed.front.get("actions", {})
        for name, spec in actions.items():
            (told,) = (each.striptags() for each in declarations({"actions": {name: spec}}, DECLARATIONS))
            types = [each for each in (spec.get("with") or {}).values() if isinstance(each, dict)]
            bounds = [str(each[key]) for each in types for key in BOUNDS if key in each]
            assert [bound for bound in bounds if bound not in re.findall(r"\d+", told)] == [], name
            assert ("rivate" in told.partition("Open to ")[2]) == bool(spec.get("private")), name
            seen |= {what for what, there in (("bound", bounds), ("private", spec.get("private"))) if there}
    assert edition != "werewolf" or seen == {"bound", "private"}


# Addresses and files.


@pytest.mark.parametrize(
    ("uri", "url", "root"),
    [
        ("index.md", "", "./"),
        ("posts.md", "posts/", "../"),
        ("posts/1.md", "posts/1/", "../../"),
        ("rules/index.md", "rules/", "../"),
    ],
)
def test_addresses(uri: str, url: str, root: str) -> None:
    assert (url_of(uri), root_of(uri)) == (url, root)


def test_a_document_has_no_blank_line_after_its_front_matter() -> None:
    page = Page("a.md", 'A "title" \\', sections=(Section("s", "S", markup.block("one\n\n\ntwo")),))
    front, body = document(page).split("\n---\n\n")
    assert front == '---\ntitle: "A \\"title\\" \\\\"'
    assert "\n\n" not in body.rstrip("\n")
    assert "one\n&#10;&#10;two" in body or "one&#10;&#10;\ntwo" in body


@pytest.mark.slow
def test_export_writes_every_page(crypt: Path, tmp_path: Path) -> None:
    game = Game.open(crypt)
    many = export(game, tmp_path, time_of(game, 0))
    made = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    assert len(made) == many
    assert {uri for uri in made if uri.endswith(".md")} == set(seen_pages(crypt))
    assert {"assets/nomicgit.css", "assets/nomicgit.js", "api/rules.json", "feeds/posts.xml"} <= made
    assert (
        (tmp_path / "posts/1.md")
        .read_text()
        .startswith('---\ntitle: "1. Moonlight"\n---\n\n<div class="nomic"><h1>')
    )


# Through MkDocs.


def broken_links(found: Mapping[str, Seen]) -> Iterator[str]:
    """The links to nowhere within the site."""
    for name, seen in found.items():
        for link in seen.links if name.endswith(".html") and name != "404.html" else ():
            path, _, anchor = re.sub(r"\?[^#]*", "", link).partition("#")
            if re.match(r"[a-z]+:|/", path) or re.search(r"\.(css|js|png|svg|json|xml)$", path):
                continue
            target = posixpath.normpath(
                posixpath.join(posixpath.dirname(name), path or posixpath.basename(name))
            )
            target = posixpath.normpath(target + "/index.html") if not target.endswith(".html") else target
            if target not in found or (anchor and anchor != "__skip" and anchor not in found[target].ids):
                yield f"{name}: {link}"


@pytest.mark.slow
def test_the_built_site_has_all_pages_and_no_broken_link(crypt: Path, built: Mapping[str, Seen]) -> None:
    assert {url_of(uri) + "index.html" for uri in seen_pages(crypt)} <= set(built)
    assert list(broken_links(built)) == []


@pytest.mark.slow
def test_the_built_site_runs_nothing_of_players(built: Mapping[str, Seen]) -> None:
    for name, seen in built.items():
        assert not [script for script in seen.scripts if "alert(" in script], name
        assert not seen.handlers, name
        assert "base" not in seen.tags, name
        assert not [link for link in seen.links if link.lower().startswith(("javascript:", "data:", "//"))], (
            name
        )
    assert "alert" not in "".join(built["404.html"].scripts)


@pytest.mark.slow
def test_titles_and_tallies_stand_in_the_built_site(built: Mapping[str, Seen]) -> None:
    assert "Loud </title><script>alert(1)</script>" in built["posts/2/index.html"].text
    assert "1 AGAINST" in built["index.html"].text
    assert "1.4.1 Votes" in built["ruleset/index.html"].text


@pytest.mark.slow
def test_a_repository_without_a_game_says_so(tmp_path: Path, git: Callable[..., str]) -> None:
    git("init", "-q")
    site = build(config(tmp_path), tmp_path / "out")
    assert "There is no game in this repository yet." in (site / "index.html").read_text()


@pytest.mark.slow
def test_the_game_lies_beside_what_people_wrote(tmp_path: Path) -> None:
    played(tmp_path, Ruleset.read(SMALL))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text(
        "# Welcome\n\nTo the [game](play/index.md) and its [rules](play/ruleset.md).\n"
    )
    site = build(config(tmp_path, under="play", at="2021-06-08T00:00:00Z"), tmp_path / "out")
    assert "Welcome" in (site / "index.html").read_text()
    home = (site / "play/index.html").read_text()
    assert "2021-06-08 00:00 UTC" in home
    assert "Quorum" not in home


@pytest.mark.slow
def test_a_game_that_cannot_be_read_fails_the_build(small: Path, git: Callable[..., str]) -> None:
    (small / "game/game.yml").write_text("format: 99\n")
    git("commit", "-qam", "another format")
    with pytest.raises(Refused):
        Game.open(small)
    with pytest.raises(AssertionError, match="knows format 1, and not format 99"):
        build(config(small), small / "out")


def test_sections_are_sequences_of_words() -> None:
    names: Sequence[str] = [
        Section("a", markup.tag("a", "x < y"), markup.NOTHING).name,
        Section("b", "<b>", markup.NOTHING).name,
    ]
    assert names == ["x < y", "<b>"]
