"""Maps: a grid's cells lead to what stands there and show who is where; what only colours and names is no column."""

from __future__ import annotations

import re
from pathlib import Path

from support.sites import Linked, played, seen_pages
from support.tables import Tables

from nomicgit.law.ruleset import Ruleset

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


def test_what_only_colours_and_names_is_no_column(tmp_path: Path) -> None:
    html = town(tmp_path)
    (tmp_path / "page.html").write_text(html)
    squares = next(table for table in Tables(tmp_path / "page.html").tables if table.label == "squares")
    assert squares.head == ["id", "name", "echo"]
    assert [row[0] for row in squares.rows] == ["A1", "B2"]
    named = re.search(r'<span id="squares-A1" style="background-color:#CCCC00[^>]*>A1</span>(.*?)</th>', html)
    assert named is not None
    assert "Well!" in named[1], "the label stands behind the name"
