"""What a reader sees of the past: what a value was, at the pointer and by the keyboard, and what is new since they last came.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from support.served import CHROMIUM, Site, served
from support.sites import START, build, configured, played
from support.visiting import Comes

from nomicgit.ground import clock
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id

pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

MINES = """---
title: Mines
variables:
  gold: {of: player, type: integer, default: 0}
  rich: {of: player, type: boolean, derived: _rich}
collections:
  claims: {key: {prefix: c}, fields: {owner: player, depth: integer, gear: {type: map, keys: text, values: integer}}}
actions:
  mine:
    summary: Dig for gold
    with: {amount: {type: integer, min: -99}}
  stake:
    summary: Stake a claim
    with: {depth: {type: integer}}
---
Whoever digs has gold, and who has more than five is rich.

```starlark
def _rich(player):
    return get(player, "gold") > 5

def do_mine(actor, amount):
    if amount > 0:
        gain(actor, "gold", amount)
    else:
        lose(actor, "gold", -amount)

def do_stake(actor, depth):
    gear = {"oil": depth, "wick": 1}
    create("claims", owner=actor, depth=depth, gear=gear)
    put("claims/c1", gear=gear)
```
"""
FIELDS = "[...each.closest('[data-fields]').dataset.fields.split(' ')][each.cellIndex - 1]"
MARKED = f"""() => Object.fromEntries([...document.querySelectorAll("td.nomic-changed")].map(
    each => [each.parentNode.dataset.of + "." + {FIELDS}, each.dataset.was + " → " + each.innerText.trim()]))"""
ROWS = "() => [...document.querySelectorAll('tr.nomic-changed')].map(each => each.innerText.replace(/\\s+/g, ' '))"
FOCUSED = f"() => {{ const each = document.activeElement; return [each.parentNode.dataset.of, {FIELDS}]; }}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game in which people have dug for gold."""
    path = tmp_path_factory.mktemp("visits") / "game"
    path.mkdir()
    act = played(path, Ruleset.read({"1-core/10-mines.md": MINES}), time="live")
    for hour, amount in ((1, 3), (2, 4), (3, -2), (4, 8), (5, 1), (6, 2), (7, -9)):
        act(hour, "ben", "mine", amount=amount)
    act(8, "cy", "stake", depth=7)
    return path


def later(folder: Path, hour: float, who: str, action: str, **given: Any) -> None:
    """Somebody does something more."""
    at = START + int(hour * 3600)
    Game.open(folder).act(Deed(new_id(at), who, action, given, at))


def built(folder: Path, hour: int) -> Path:
    """The game's site as of an hour, where it stood before."""
    return build(configured(folder, at=clock.text(START + hour * 3600)), folder.parent / "site")


def in_git(folder: Path, ref: str, field: str) -> list[Any]:
    """What a value was after each commit that touched its file, oldest first, as Git has it."""
    git, path = ["git", "-C", str(folder)], f"game/state/{ref}.yml"
    log = subprocess.run(
        [*git, "log", "--reverse", "--format=%H", "--", path], capture_output=True, text=True, check=True
    )
    shown = [
        subprocess.run([*git, "show", f"{c}:{path}"], capture_output=True, text=True, check=True)
        for c in log.stdout.split()
    ]
    return [yaml.safe_load(each.stdout).get(field) for each in shown]


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    """Its site at the ninth hour, under a path."""
    with served(built(folder, 9).parent) as there:
        yield Site(there.folder, there.address + "site/")


@pytest.mark.parametrize("where", ["served", "folder"])
def test_what_a_value_was_is_told_at_the_pointer_and_by_the_keyboard(
    folder: Path, site: Site, visitor: Comes, where: str
) -> None:
    home, page = Site(site.folder / "site", site.address).home(where)
    guest = visitor(home)
    guest.open(f"players/{page}")
    row = guest.page.locator("tr[data-of='players/ben']").first
    was = in_git(folder, "players/ben", "gold")
    assert was[-5:] == [5, 13, 14, 16, 7]
    row.locator("td").first.hover()
    told = guest.page.locator(".nomic-past")
    told.wait_for()
    lines = told.locator("li").all_inner_texts()
    assert [line.split(",")[0] for line in lines] == [f"{a} → {b}" for a, b in pairwise(was)][::-1][:5]
    assert lines[0].endswith("2021-06-07 07:00 UTC, ben")
    assert told.locator("a", has_text="Mines").get_attribute("href") == f"{home}rules/mines/"
    for link in told.locator("a").all():
        place, _, anchor = (link.get_attribute("href") or "").removeprefix(home).partition("#")
        assert not anchor or f'id="{anchor}"' in (site.folder / "site" / place / "index.html").read_text()
    guest.page.keyboard.press("Escape")
    guest.page.locator("h1").hover()
    assert told.count() == 0
    first = guest.page.locator("td[tabindex='0']").first
    first.focus()
    assert guest.page.evaluate(FOCUSED) == ["players/ana", "gold"]
    guest.page.keyboard.press("ArrowDown")
    guest.page.keyboard.press("ArrowRight")
    assert guest.page.evaluate(FOCUSED) == ["players/ben", "rich"]
    told.locator("text=it follows from other values whenever one looks").wait_for()
    for key, field in (("Home", "gold"), ("End", "rich")):
        guest.page.keyboard.press(key)
        assert guest.page.evaluate(FOCUSED) == ["players/ben", field]
    told.locator("text=it follows from other values whenever one looks").wait_for()
    shell = row.locator("xpath=ancestor::*[@data-past]")
    shell.evaluate("each => { each.style.width = '6rem'; each.scrollLeft = 0; }")
    for key in ("Home", "End"):  # it must be scrolled into view, which takes what is told along
        guest.page.keyboard.press(key)
        guest.page.wait_for_timeout(200)
        assert told.count() == 1, key
    assert shell.evaluate("each => each.scrollLeft > 0")
    shell.evaluate("each => { each.style.width = ''; }")
    guest.page.keyboard.press("Tab")
    assert guest.page.evaluate("document.activeElement.textContent") == "1.1 Mines"
    guest.page.keyboard.press("Tab")
    assert told.count() == 0, "it goes with the focus"
    guest.page.evaluate(
        "document.querySelectorAll('article tr > :nth-child(2)').forEach(each => { each.hidden = true; })"
    )
    guest.page.locator("td[tabindex='0']:visible").first.wait_for()
    stops = guest.page.locator("td[tabindex='0']")
    assert stops.evaluate_all("all => all.map(each => each.cellIndex)") == [2] * stops.count(), (
        "hidden is none"
    )
    guest.open(f"gamestate/{page}")
    guest.page.locator("tr[data-of='claims/c1'] td").first.hover()
    told.wait_for()
    assert "All changes" in told.inner_text()
    assert guest.said == []


@pytest.fixture
def apart(folder: Path, site: Site, tmp_path: Path) -> Iterator[tuple[Path, Site]]:
    """The game and its site as they stood, in copies of a test's own."""
    own = Path(shutil.copytree(folder, tmp_path / "game"))
    shutil.copytree(site.folder / "site", tmp_path / "site")
    with served(tmp_path) as there:
        yield own, Site(there.folder, there.address + "site/")


def test_what_is_new_since_the_last_visit_is_marked_and_only_the_browser_knows(
    apart: tuple[Path, Site], visitor: Comes
) -> None:
    folder, site = apart
    guest, asked = visitor(site.address), list[str]()
    guest.page.clock.install(time=datetime.fromtimestamp(START + 9 * 3600, UTC))
    guest.page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    for uri in ("players/", "gamestate/", "me/ana/"):
        guest.open(uri)
        assert guest.page.locator(".nomic-changed, .nomic-news").count() == 0, "there was no visit before"
    later(folder, 9.5, "ben", "mine", amount=-5)
    later(folder, 9.6, "dee", "mine", amount=6)
    later(folder, 9.7, "dee", "stake", depth=2)
    built(folder, 10)
    guest.page.clock.set_system_time(datetime.fromtimestamp(START + 12 * 3600, UTC))
    for _ in "again":  # it stays while one looks around
        guest.open("players/")
        assert guest.page.evaluate(MARKED) == {
            "players/ben.gold": "7 → 2", "players/ben.rich": "yes → no", "players/dee.gold": "0 → 6", "players/dee.rich": "no → yes",
        }  # fmt: skip
    assert in_git(folder, "players/ben", "gold")[-2:] == [7, 2]
    assert "4 marked: new since your last visit" in guest.page.locator(".nomic-news").inner_text()
    guest.page.evaluate(
        "document.querySelectorAll('article tr > :nth-child(3)').forEach(each => { each.hidden = true; })"
    )
    assert guest.page.locator(".nomic-news").inner_text().endswith(" UTC, some in hidden columns: rich.")
    guest.open("gamestate/")
    assert guest.page.evaluate(MARKED) == {
        "claims/c1.gear": "oil: 7, wick: 1 → oil: 2\nwick: 1", "claims/c2.gear": " → oil: 2\nwick: 1",
        "claims/c2.owner": " → dee", "claims/c2.depth": " → 2",
    }  # fmt: skip
    guest.open("me/ana/")
    rows = guest.page.evaluate(ROWS)
    assert [row.split(" UTC ")[1].split()[:2] for row in rows] == [
        ["dee", "stake"],
        ["dee", "mine"],
        ["ben", "mine"],
    ]
    guest.page.clock.set_system_time(datetime.fromtimestamp(START + 14 * 3600, UTC))
    guest.open("players/")
    assert guest.page.locator(".nomic-changed").count() == 0, "one has seen it"
    assert all(each.startswith(f"GET {site.address}") and "?" not in each for each in asked)
    assert guest.said == []


def test_what_was_is_told_of_every_public_value_as_git_has_it(folder: Path, site: Site) -> None:
    count = 0
    schema = json.loads((site.folder / "site/api/schema.json").read_text())
    for file in (site.folder / "site/api/past").glob("*.json"):
        jsonschema.validate(json.loads(file.read_text()), schema)
        for ref, told in json.loads(file.read_text())["past"]["entities"].items():
            for field, changes in told["fields"].items():
                now = [None, *map(spelled, in_git(folder, ref, field))]
                assert [each["to"] for each in changes] == [b for a, b in pairwise(now) if a != b][::-1][
                    :5
                ], (ref, field)
                count += 1
    assert count == 9


def spelled(value: object) -> str:
    """A value as the site writes it."""
    if value is None:
        return "–"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {spelled(each)}" for key, each in value.items())
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
