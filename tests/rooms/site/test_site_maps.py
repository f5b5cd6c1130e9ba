"""Maps and charts: a grid's cells lead to what stands there and show who is where; what only colours and names is no column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup
from support.served import CHROMIUM, Site, served
from support.sites import Linked, Player, build, configured, played, seen_pages
from support.tables import Tables
from support.visiting import Comes

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset
from nomicgit.site import charts

TOWN = """---
title: Town
variables:
  home: {of: player, type: squares}
  haunt: {of: player, type: squares, tracked: nowhere}
collections:
  squares:
    key: {columns: [A, B], rows: [1, 2]}
    all: true
    founding: {A1: {name: Well}, B2: {name: Mill}}
    fields:
      name: text
      tint: {type: text, derived: _tint}
      label: {type: text, derived: _label}
      echo: {type: text, derived: _echo}
  carts:
    key: {prefix: c}
    fields: {at: squares, goods: text}
actions:
  move: {summary: Move, with: {to: squares}}
  park: {summary: Park, with: {at: squares}}
---
Everybody lives somewhere.

```starlark
def _tint(square):
    return "#CCCC00" if get(square, "name") else ""

def _label(square):
    return get(square, "name") + "!" if get(square, "name") else ""

def _echo(square):
    return get(square, "name") * 2

def do_move(actor, to):
    put(actor, home=to, haunt="A2")

def do_park(actor, at):
    create("carts", at=at, goods="hay")
```
"""


def town(folder: Path) -> str:
    """The gamestate's page of a game in which ana lives in A1, cy in B1, and a cart stands at B1."""
    act = played(folder, Ruleset.read({"1-core/10-town.md": TOWN}))
    act(1, "ana", "move", to="A1")
    act(2, "cy", "move", to="B1")
    act(3, "ana", "park", at="B1")
    return str(seen_pages(folder)["gamestate.md"].body)


def test_a_map_shows_who_is_where_and_leads_to_what_stands_there(tmp_path: Path) -> None:
    html = town(tmp_path)
    (tmp_path / "page.html").write_text(html)
    tables = {table.label: table for table in Tables(tmp_path / "page.html").tables}
    assert tables["Map of squares"].rows == [["1", "Well! ana", "B1 cy c1"], ["2", "A2", "Mill!"]]
    cell = re.search(r"<td[^>]*>(?:(?!<td).)*Well!.*?</td>", html)
    assert cell is not None
    assert 'href="#squares-A1"' in cell[0]
    assert "background-color:#CCCC00" in cell[0]
    ids = Linked(html).ids
    assert all(ids.count(f"squares-{name}") == 1 for name in ("A1", "A2", "B1", "B2")), "each place, once"
    assert 'gamestate/#squares-B1">B1</a>' in html, "and what names a place leads there"


def test_the_journal_tells_what_a_deed_changed_and_made(tmp_path: Path) -> None:
    town(tmp_path)
    pages = seen_pages(tmp_path)
    (tmp_path / "page.html").write_text(str(pages["journal/1.md"].body))
    assert [row[2:4] for row in Tables(tmp_path / "page.html").tables[0].rows][1:] == [
        ["ana", "move to: A1 ana’s home: none → A1"],
        ["cy", "move to: B1 cy’s home: none → B1"],
        ["ana", "park at: B1 made: carts c1 (at: B1; goods: hay)"],
    ], "and not where they haunt, which is not tracked"
    for short in ("index.md", "journal.md", "me/ben.md", "players/ana.md"):
        assert "made: carts c1 (at: B1; goods: hay)" in pages[short].body, short
    assert ">the founding<" in pages["journal.md"].body


def test_what_only_colours_and_names_is_no_column(tmp_path: Path) -> None:
    html = town(tmp_path)
    (tmp_path / "page.html").write_text(html)
    squares = next(table for table in Tables(tmp_path / "page.html").tables if table.label == "squares")
    assert squares.head == ["id", "name", "echo"]
    assert [row[0] for row in squares.rows] == ["A1", "B2"]
    named = re.search(r'<span id="squares-A1" style="background-color:#CCCC00[^>]*>A1</span>(.*?)</th>', html)
    assert named is not None
    assert "Well!" in named[1], "the label stands behind the name"


ISLANDS = """---
title: Islands
variables:
  home: {of: player, type: islands, default: Ay}
  gold: {of: player, type: integer}
  route: {of: player, type: list, items: islands}
collections:
  islands:
    from: islands
    fields:
      ferries: {type: list, items: islands}
      tint: text
  tours:
    from: tours
    fields: {stops: {type: list, items: islands}, seats: {type: list, items: text}}
  parades:
    from: parades
    fields: {stops: {type: list, items: islands}, bands: boolean}
catalogues:
  tours:
    Long: {stops: [Ay, Bee, Sea]}
    Back: {stops: [Sea, Bee]}
    Odd: {stops: [Ay, Dee]}
  parades: {Spring: {}, Fall: {}}
  islands:
    Ay: {ferries: [Bee]}
    Bee: {ferries: [Ay, Sea], tint: "#CCCC00"}
    Sea: {ferries: [Dee]}
    Dee: {ferries: []}
    Rock: {ferries: []}
actions:
  sail: {summary: Sail, with: {to: islands}}
  plan: {summary: Plan, with: {route: {type: list, items: islands}}}
  earn: {summary: Earn, with: {gold: integer}}
---
Ferries go both ways.

```starlark
def do_sail(actor, to):
    put(actor, home=to)

def do_plan(actor, route):
    put(actor, route=route)

def do_earn(actor, gold):
    put(actor, gold=get(actor, "gold") + gold)
```
"""


def islands(folder: Path) -> Player:
    """A game on islands, in which everybody but cy stays where they began."""
    act = played(folder, Ruleset.read({"2-dynastic/10-islands.md": ISLANDS}))
    act(1, "cy", "sail", to="Dee")
    return act


def test_places_that_know_their_neighbours_are_drawn(tmp_path: Path) -> None:
    islands(tmp_path)(2, "ben", "plan", route=["Dee", "Sea", "Bee"])
    html = str(seen_pages(tmp_path)["gamestate.md"].body)
    picture = html.partition('aria-label="Map of islands"')[2].partition("</svg>")[0]
    spots = dict(re.findall(r'href="#islands-(\w+)"><circle cx="(\d+)"', picture))
    assert set(spots) == {"Ay", "Bee", "Sea", "Dee", "Rock"}
    assert picture.count("<line") == 3, "Ay to Bee once, though both name the other"
    row = [int(spots[name]) for name in ("Ay", "Bee", "Sea", "Dee")]
    assert row in (sorted(row), sorted(row, reverse=True)), "as one sails from one to the next"
    assert "fill:#CCCC00" in picture.partition("#islands-Bee")[2].partition("</a>")[0]
    assert ">cy</text>" in picture.partition("#islands-Dee")[2]
    assert ">ana, ben, 2 more</text>" in picture
    assert all(f'id="islands-{name}"' in html for name in spots), "each leads to its row"
    heights = dict(re.findall(r'href="#islands-(\w+)"><circle cx="\d+" cy="(\d+)"', picture))
    lines = re.findall(r'<path d="(M[^"]+)"[^>]*></path><path', picture)
    assert len(lines) == 3, "Long, Back and ben's: from Ay to Dee no ferry goes"
    for line, places in zip(
        lines, ("Ay Bee Bee Sea".split(), ["Sea", "Bee"], "Dee Sea Sea Bee".split()), strict=True
    ):
        points = [(float(x), float(y)) for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", line)]
        for (x, y), place in zip(points, places, strict=True):
            assert abs(x - int(spots[place])) + abs(y - int(heights[place])) < 14, (
                "it leads from place to place"
            )
    below = re.sub(r"<[^>]+>", "", html.partition("Map of islands")[2].partition("</p>")[0])
    assert below.endswith(
        "Lines, the stops of tours: \xa0Long, \xa0Back Lines, the route of players: \xa0ben"
    )
    assert '<p>Nothing is kept of any of them yet: <span id="parades-Spring">Spring</span>, ' in html


@pytest.fixture(scope="module")
def archipelago(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site of a game on thirty islands more, which lie in a row."""
    folder = tmp_path_factory.mktemp("archipelago")
    more = (f"    Isle-{n}: {{ferries: [Isle-{n + 1}]}}\n" for n in range(10, 40))
    played(
        folder,
        Ruleset.read(
            {"2-dynastic/10-islands.md": ISLANDS.replace("actions:\n", "".join(more) + "actions:\n")}
        ),
    )
    with served(build(configured(folder), folder / "site")) as found:
        yield found


OVER = """each => { const box = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(box.x + 2, box.y + box.height / 2)); }"""


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_row_to_which_one_is_led_is_shown_whatever_was_sought(archipelago: Site, visitor: Comes) -> None:
    guest, sought = visitor(archipelago.address), "gamestate/?islands.find=nowhere"
    guest.open(sought)
    row = guest.page.locator("#islands-Isle-20")
    link = guest.page.locator(".nomic-map a[href='#islands-Isle-20']")
    for _ in "again":  # also where the address names the row already
        assert not row.is_visible()
        link.click()
        row.wait_for()
        assert guest.page.url.endswith("gamestate/#islands-Isle-20")
        guest.page.wait_for_function(f"({OVER})(document.querySelector(':target'))")  # no head lies over it
        guest.page.get_by_label("Find").first.fill("nowhere")
    guest.open("")
    guest.open(f"{sought}#islands-Isle-20")
    row.wait_for()
    assert row.evaluate(OVER)
    assert guest.said == []


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_a_map_begins_and_ends_with_its_places_and_shows_that_it_goes_on(
    archipelago: Site, visitor: Comes
) -> None:
    guest = visitor(archipelago.address)
    guest.page.set_viewport_size({"width": 390, "height": 844})
    guest.open("gamestate/")
    shell = guest.page.locator(".nomic-map")
    drawn = """each => {
        const there = each.getBoundingClientRect();
        const boxes = [...each.querySelectorAll("text")].map(one => one.getBoundingClientRect());
        const ends = Math.max(...boxes.map(box => box.right));
        return [Math.min(...boxes.map(box => box.left)) - there.left, there.left + each.scrollWidth - ends];
    }"""
    before, after = shell.evaluate(drawn)
    assert (0 <= before < 30, 0 <= after < 30) == (True, True)
    assert shell.evaluate("each => each.scrollWidth > each.clientWidth")
    assert "gradient" in shell.evaluate("each => getComputedStyle(each).backgroundImage")


def test_everybodys_numbers_are_drawn_in_one_chart(tmp_path: Path) -> None:
    act = islands(tmp_path)
    for hour, who, gold in ((2, "ana", 5), (3, "ben", 2), (4, "ana", 3)):
        act(hour, who, "earn", gold=gold)
    page = next(
        section for section in seen_pages(tmp_path)["players.md"].sections if section.id == "over-time"
    )
    lines = re.findall(r'<path d="([^"]+)"[^>]*></path><text[^>]*>([^<]+)</text>', str(page.body))
    assert [name for _, name in lines] == ["ana 8", "ben 2", "cy, dee, eli 0"], (
        "those who went alike have one line"
    )
    assert [path.count("V") for path, _ in lines] == [3, 2, 1], "a step for each change, and one to now"
    (tmp_path / "page.html").write_text(str(page.body))
    table = Tables(tmp_path / "page.html").tables[0]
    assert [row[1:] for row in table.rows[:3]] == [
        ["0", "5", "5", "8"],
        ["0", "0", "2", "2"],
        ["0", "0", "0", "0"],
    ]


COAL = {
    "title": "Coal",
    "text": "Whoever digs has coal.",
    "declares": {
        "variables": {"coal": {"of": "player", "type": "integer", "default": 3}},
        "actions": {"dig": {"with": {"much": "integer"}}},
    },
    "mechanics": 'def do_dig(actor, much):\n    gain(actor, "coal", much)\n',
}


def test_a_number_is_drawn_from_when_there_was_one(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    act(1, "cy", "propose", title="Coal", body="", changes=[{"add-rule": COAL}])
    for voter in ("ben", "dee", "eli"):
        act(2, voter, "vote", matter=1, icon="for")
    act(30, "ben", "resolve", matter=1)
    act(40, "cy", "dig", much=2)
    act(45, "gus", "join")
    act(46, "ben", "admit", newcomer="gus")
    act(50, "ben", "dig", much=1)
    act(60, "cy", "dig", much=5)
    page = next(each for each in seen_pages(tmp_path)["players.md"].sections if each.id == "over-time")
    drawn = next(each for each in str(page.body).split("</figure>") if "coal over time" in each)
    (tmp_path / "page.html").write_text(drawn)
    (table,) = Tables(tmp_path / "page.html").tables
    assert table.head[1] == "2021-06-08 06:00 UTC", "when the rule was made"
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["cy"] == ["3", "5", "5", "5", "10"]
    assert rows["gus"] == ["–", "–", "3", "3", "3"]
    paths = re.findall(r'<path d="M([\d.]+) [^"]+"[^>]*></path><text[^>]*>([^<]+)</text>', drawn)
    begins = {name: float(x) for x, names in paths for name in re.findall("[a-z]+", names)}
    assert begins["cy"] == begins["ben"] == charts.EDGE
    assert begins["gus"] > charts.EDGE


def test_a_chart_has_a_gap_where_there_was_no_such_number(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))

    def enact(hour: float, matter: int, change: dict[str, object]) -> None:
        act(hour, "cy", "propose", title="Coal", body="", changes=[change])
        for voter in ("ben", "dee", "eli"):
            act(hour + 1, voter, "vote", matter=matter, icon="for")
        act(hour + 29, "ben", "resolve", matter=matter)

    enact(1, 1, {"add-rule": COAL})
    for hour, much in ((40, 2), (41, 1), (42, 3)):
        act(hour, "cy", "dig", much=much)
    enact(50, 2, {"repeal": "coal"})
    enact(100, 3, {"add-rule": COAL})
    act(140, "cy", "dig", much=4)
    pages = seen_pages(tmp_path)
    charted = next(each for each in pages["players.md"].sections if each.id == "over-time")
    drawn = next(each for each in str(charted.body).split("</figure>") if "coal over time" in each)
    (tmp_path / "page.html").write_text(drawn)
    (table,) = Tables(tmp_path / "page.html").tables
    rows = {row[0]: row[1:] for row in table.rows}
    assert (rows["cy"], rows["dee"]) == (
        ["3", "5", "6", "9", "–", "3", "7"],
        ["3", "3", "3", "3", "–", "3", "3"],
    )
    own = next(each for each in pages["players/cy.md"].sections if each.id == "over-time")
    for path in re.findall(r'<path d="([^"]*)"', drawn + str(own.body).partition("coal over time")[2]):
        assert re.fullmatch(
            r"(M[\d.]+ [\d.]+)(H[\d.]+V[\d.]+)*H[\d.]+M([\d.]+ [\d.]+)(H[\d.]+V[\d.]+)+", path
        ), "two parts"


def test_what_changed_at_one_time_only_is_named_and_not_drawn(tmp_path: Path) -> None:
    numbers = ("gold", "silver", "tin", "iron", "lead", "zinc")
    declared = "".join(f"  {name}: {{of: player, type: integer}}\n" for name in numbers[1:])
    mining = "".join(f"    gain(actor, '{name}', gold)\n" for name in numbers[1:])
    law = ISLANDS.replace("collections:\n", f"{declared}collections:\n", 1)
    law = law.replace("  earn: {summary", "  mine: {summary: Dig, with: {gold: integer}}\n  earn: {summary")
    law = law.replace("def do_earn", f"def do_mine(actor, gold):\n{mining}\ndef do_earn")
    act = played(tmp_path, Ruleset.read({"2-dynastic/10-islands.md": law}))
    act(1, "ana", "earn", gold=3)
    act(2, "ben", "mine", gold=3)
    act(3, "ana", "mine", gold=3)
    for who in ("cy", "dee", "eli"):
        act(4, who, "mine", gold=3)
    (drawn,) = [
        str(each.body) for each in seen_pages(tmp_path)["players.md"].sections if each.id == "over-time"
    ]
    assert re.findall(r"<figcaption>(\w+) over time", drawn) == [*numbers[1:]], "alike as all are now"
    assert "Changed at one time only: gold." in drawn


def test_twelve_lines_are_told_apart() -> None:
    series = [(f"p{place}", [(0, 0.0), (9, float(place))]) for place in range(12)]
    looks = re.findall(
        r'<g class="(nomic-line-\d)"><path d="[^"]*"(?: stroke-dasharray="([^"]*)")?>',
        charts.lines("gold", series, ("a", "b"), Markup("")),
    )
    assert len(set(looks)) == 12, looks


def test_a_name_has_one_look_in_every_chart() -> None:
    went = {"rise": [(0, 0.0), (9, 3.0)], "fall": [(0, 3.0), (9, 0.0)]}
    seen: dict[str, set[str]] = {"cy": set(), "dee": set()}
    for ana, ben, cy, dee in (
        ("rise", "rise", "fall", "rise"),
        ("fall", "rise", "fall", "rise"),
        *[("rise", "fall") * 2],
    ):
        series = [
            ("ana", went[ana]),
            ("ben", went[ben]),
            ("cy", [*went[cy], (12, 5.0)]),
            ("dee", [*went[dee], (12, 7.0)]),
        ]
        drawn = charts.lines("gold", series, ("a", "b"), Markup(""))
        for look, name in re.findall(
            r'<g class="(nomic-line-\d)">(?:(?!<g ).)*?<text[^>]*>(\w+) [57]</text>', drawn
        ):
            seen[name].add(look)
    assert seen == {"cy": {"nomic-line-2"}, "dee": {"nomic-line-3"}}


def test_bars_are_drawn_where_one_is_longer_than_another() -> None:
    assert charts.bars("Votes by icon", [("AGAINST", 1.0)]).striptags() == "Votes by icon: AGAINST 1."
    alike = charts.bars("Votes by icon", [("AGAINST", 1.0), ("FOR", 1.0)])
    assert alike.striptags() == "Votes by icon: AGAINST 1, FOR 1."
    assert charts.bars("Votes by icon", [("AGAINST", 1.0), ("FOR", 2.0)]).count("<rect") == 2


def test_a_number_that_hardly_changed_is_no_chart(tmp_path: Path) -> None:
    act = islands(tmp_path)
    for hour, who, gold in ((2, "ana", 5), (3, "ben", 2), (4, "ana", 3), (5, "ana", 1), (6, "ben", 0)):
        act(hour, who, "earn", gold=gold)
    act(50, "cy", "sail", to="Bee")
    pages = seen_pages(tmp_path)
    assert [section.id for section in pages["players/ben.md"].sections].count("over-time") == 0, "0 and 2"
    (drawn,) = [str(each.body) for each in pages["players/ana.md"].sections if each.id == "over-time"]
    path = re.search(r'<path d="([^"]+)" class="nomic-line"', drawn)
    assert path is not None
    steps = [float(x) for x in re.findall(r"H([\d.]+)V", path[1])]
    assert len(steps) == 4, "three deeds, and now"
    assert max(steps[:-1]) < steps[-1] / 3, "the line goes on until now, two days after"


def test_a_chart_s_table_has_a_column_for_each_minute_in_which_a_number_changed(tmp_path: Path) -> None:
    act = islands(tmp_path)
    for second, gold in ((0, 5), (20, 2), (40, 3)):
        act(2 + second / 3600, "ana", "earn", gold=gold)
    for hour, who, gold in ((3, "ben", 2), (4, "ana", 1)):
        act(hour, who, "earn", gold=gold)
    (drawn,) = [
        str(each.body) for each in seen_pages(tmp_path)["players.md"].sections if each.id == "over-time"
    ]
    heads = [re.sub("<.*?>", "", each) for each in re.findall(r'<th scope="col">(.*?)</th>', drawn)]
    assert [head[-9:] for head in heads] == ["Player", "00:00 UTC", "02:00 UTC", "03:00 UTC", "04:00 UTC"]
    ana = re.search(r"ana.*?</tr>", drawn.partition("<tbody>")[2], re.DOTALL)
    assert ana is not None
    assert re.findall(r"<td>(\d+)</td>", ana[0]) == ["0", "10", "10", "11"]


def test_what_stayed_far_above_nought_is_seen_to_change() -> None:
    drawn = charts.line("coal", [(0, 190.0), (10, 200.0), (20, 198.0), (30, 193.0)], ("a", "b"))
    assert "190" in drawn.striptags()
    levels = [float(y) for y in re.findall(r"V([\d.]+)", drawn)]
    assert max(levels) - min(levels) > charts.HEIGHT / 3
    assert ">0<" in charts.line("coal", [(0, 1.0), (10, 9.0), (20, 4.0), (30, 3.0)], ("a", "b"))


RING = """---
title: Ring
collections:
  isles:
    from: isles
    north: Dun
    west: Carn
    fields: {neighbours: {type: list, items: isles}}
catalogues:
  isles:
    Arran-of-the-Long-Sands: {neighbours: [Bute-of-the-Long-Sands, Carn, Dun]}
    Bute-of-the-Long-Sands: {neighbours: [Carn, East]}
    Carn: {neighbours: []}
    Dun: {neighbours: []}
    East: {neighbours: []}
---
Isles lie in the sea.
"""


def test_a_picture_lies_as_the_law_says_and_no_name_covers_another(tmp_path: Path) -> None:
    played(tmp_path, Ruleset.read({"1-core/10-ring.md": RING}))
    html = str(seen_pages(tmp_path)["gamestate.md"].body)
    spots = {
        name: (int(x), int(y))
        for x, y, name in re.findall(
            r'<circle cx="(\d+)" cy="(\d+)"[^>]*></circle><text[^>]*>([\w-]+)<', html
        )
    }
    assert spots["Dun"][1] == min(y for _, y in spots.values())
    assert spots["Dun"][1] < spots["East"][1]
    assert spots["Carn"][0] == min(x for x, _ in spots.values())
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}
    boxes = [
        (int(x) - shift[anchor] * 7 * len(name), int(y), 7 * len(name))
        for name, x, y, anchor in (
            (m[4], m[1], m[2], m[3])
            for m in re.finditer(r'<text x="(\d+)" y="(\d+)" text-anchor="(\w+)">([\w-]+)<', html)
        )
    ]
    assert len(boxes) == len(spots) == 5
    for n, (x, y, wide) in enumerate(boxes):
        for ox, oy, other in boxes[:n]:
            assert abs(y - oy) >= 12 or x + wide <= ox or ox + other <= x
