"""How the forms that seal are filled in by whoever sits before them: lists, times, and where they are led when something is refused.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.browsing import AXE, JUDGED, PHONE
from support.served import CHROMIUM, served
from support.sites import build, configured
from support.visiting import PRACTICE, Comes, nomic

from nomicgit.physics.deeds import acting
from nomicgit.record.forms import entered
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.sealing.orders import Order

pytest.importorskip("pyrage")
pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

RULE = """\
---
title: Fields
collections:
  lamps: {key: id}
actions:
  gather:
    private: true
    with:
      who: {type: list, items: player, default: []}
      what: {type: list, items: {type: choice, choices: [coal, "tin, raw", "3"]}, default: []}
      many: {type: list, items: {type: integer, min: 1}, default: []}
      words: {type: list, items: text, default: []}
      days: {type: list, items: date, default: []}
      goods: {type: map, keys: {type: choice, choices: [coal, tin]}, values: {type: integer, min: 0}, default: {}}
      last: {type: map, keys: player, values: datetime, default: {}}
      lore: {type: text, default: ""}
      tale: {type: text, default: ""}
      saga: {type: text, default: ""}
      when: {type: datetime, default: null}
      day: {type: date, default: null}
      tint: {type: list, items: text, default: [red, blue]}
      crew: {type: set, items: player, default: [ana]}
      dues: {type: map, keys: text, values: integer, default: {tin: 3}}
      till: {type: datetime, default: "2021-07-01T00:00:00Z"}
      mood: {type: any, default: {by: _mood}}
      loud: {type: boolean, default: false}
---
Whoever gathers says what.

```starlark
def do_gather(actor, who, what, many, words, days, goods, last, lore, tale, saga, when, day, tint, crew, dues, till, mood, loud):
    note("It is done.")

def _mood():
    return "calm"
```
"""
SEEN = """each => { const box = each.getBoundingClientRect(); return box.bottom > 48 && box.top < innerHeight && box.height > 0; }"""
"""Whether some of it is on the screen, below the page's head."""


class Fields(NamedTuple):
    game: Path
    home: str


@pytest.fixture(scope="module")
def fields(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fields]:
    scratch = tmp_path_factory.mktemp("fields")
    law, game = scratch / "law/2-dynastic", scratch / "game"
    law.mkdir(parents=True)
    (law / "10-fields.md").write_text(RULE)
    everybody = [part for player in ("ana", "ben", "dee") for part in ("--player", player)]
    nomic("new", str(game), "--edition", str(law.parent), "--keys", *everybody, *PRACTICE, "--emperor", "ana")
    with served(build(configured(game), scratch / "site")) as site:
        yield Fields(game, site.address)


def opened(page: Any, fields: Fields) -> Any:
    page.goto(f"{fields.home}act/gather/")
    page.get_by_label("You are").select_option("ben")
    return page


def press(page: Any) -> tuple[str, Any]:
    """Press Seal: what is refused, or nothing, and what was sealed."""
    page.get_by_role("button", name="Seal", exact=True).press("Enter")
    page.locator(".nomic-sealed:visible, [role=alert]:visible").first.wait_for()
    if page.locator("[role=alert]").is_visible():
        return str(page.locator("[role=alert]").inner_text()), None
    return "", str(page.locator(".nomic-armour").input_value())


def given(fields: Fields, armour: str) -> Any:
    return Order.read(armour, ordering.sealer_of(Game.open(fields.game)).identity).with_


@pytest.mark.parametrize(
    "screen", [{"viewport": {"width": 1280, "height": 720}}, PHONE], ids=["desk", "phone"]
)
def test_whoever_is_refused_is_led_to_the_field_and_sees_why(
    fields: Fields, chromium: Any, screen: Any
) -> None:
    context = chromium.new_context(**screen)
    page = opened(context.new_page(), fields)
    note = page.locator("[role=alert]")
    for name, text in (("what", "gold"), ("when", "2021-06-31T05:00:00Z"), ("goods", "{coal: -1}")):
        control = page.locator(f"[data-name={name}] :is(input, textarea)").first
        control.fill(text)
        why, _ = press(page)
        assert why.startswith(f"It is not sealed: {name}: ")
        assert control.evaluate("each => each === document.activeElement")
        assert control.get_attribute("aria-invalid") == "true"
        assert control.evaluate(
            "each => document.getElementById(each.getAttribute('aria-describedby')).innerText"
        ) == (why)
        assert control.evaluate(SEEN)
        assert note.evaluate(SEEN)
        page.evaluate(AXE)
        assert page.evaluate(JUDGED)["violations"] == []
        control.fill("")
        assert note.is_hidden()
        assert page.locator("[aria-invalid], [aria-describedby=order-refused]").count() == 0
    page.get_by_label("You are").focus()
    page.evaluate("scrollTo(0, 0)")
    seal = page.get_by_role("button", name="Seal", exact=True)
    page.locator("form.nomic-order").evaluate("form => form.requestSubmit()")
    note.wait_for(state="visible")
    assert "Press Seal once more" in note.inner_text()
    assert note.evaluate(SEEN)
    assert seal.evaluate("each => each === document.activeElement"), "which is what is pressed once more"
    assert seal.evaluate(SEEN)
    page.keyboard.press("Enter")
    page.locator(".nomic-armour").wait_for()
    context.close()


def test_arrows_choose_from_a_list_and_only_the_button_adds(fields: Fields, visitor: Comes) -> None:
    page = opened(visitor(fields.home).page, fields)
    lines = page.locator("[data-name=who] textarea")
    page.get_by_label("One to add to who").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert lines.input_value() == ""
    why, _ = press(page)
    assert why.startswith("It is not sealed: who: dee is chosen beneath it, and not added; press Add")
    page.get_by_label("One to add to who").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert lines.input_value() == "dee\n"
    why, armour = press(page)
    assert given(fields, armour) == {"who": ["dee"]}


LISTS: tuple[tuple[str, str, object], ...] = (
    ("who", "ben\ndee", ["ben", "dee"]),
    ("who", "[ben, dee]", ["ben", "dee"]),
    ("who", " [ben,\n dee] ", ["ben", "dee"]),
    ("who", "ben, dee", ["ben", "dee"]),
    ("who", "ben, cy", None),
    ("what", "coal, tin, raw", None),
    ("what", "coal\ntin, raw", ["coal", "tin, raw"]),
    ("what", '[coal, "tin, raw", "3"]', ["coal", "tin, raw", "3"]),
    ("many", "1, 2\n3", [1, 2, 3]),
    ("many", "[1, 2]", [1, 2]),
    ("many", "[0]", None),
    ("many", "0", None),
    ("words", "Hello, you\nAll", ["Hello, you", "All"]),
    ("words", "[Hello, you]", ["Hello", "you"]),
    ("words", "[1]", None),
    ("days", "2021-06-30\n2021-02-28", ["2021-06-30", "2021-02-28"]),
    ("days", "[2021-06-30]", ["2021-06-30"]),
    ("days", "2021-06-31", None),
)


def test_a_list_is_taken_by_lines_by_commas_and_in_brackets(fields: Fields, visitor: Comes) -> None:
    guest = visitor(fields.home)
    page = opened(guest.page, fields)
    game = Game.open(fields.game)
    gather = game.world().law.declared.actions["gather"]
    for name, text, meant in LISTS:
        area = page.locator(f"[data-name={name}] textarea")
        area.fill(text)
        why, armour = press(page)
        if meant is None:
            assert why.startswith(f"It is not sealed: {name}: "), text
        else:
            assert why == "", text
            assert given(fields, armour) == {name: meant}
            assert acting.unfit(game.world(), gather, "players/ben", name, meant) == ""
        area.fill("")
    page.locator("[data-name=goods] textarea").fill("{coal: -1}")
    assert press(page)[0] == "It is not sealed: goods: coal: -1 is below 0. An example: {coal: 0}."
    assert guest.said == []


def test_what_is_meant_by_a_field_that_is_left_empty_is_told(fields: Fields, visitor: Comes) -> None:
    page = opened(visitor(fields.home).page, fields)
    for name, meant in (
        ("tint", ": [red, blue]."), ("crew", ": [ana]."), ("dues", ": {tin: 3}."), ("till", ": 2021-07-01T00:00:00Z."),
        ("mood", ", the rule says what is meant."), ("loud", ": no."),
    ):  # fmt: skip
        assert f"If you leave it empty{meant}" in page.locator(f"[data-name={name}]").inner_text()
    for name in ("who", "goods", "when", "day", "lore"):
        assert "leave it empty" not in page.locator(f"[data-name={name}]").inner_text(), "which means nothing"


TIMES = (
    "2021-06-30T23:59:59Z", "2021-06-31T05:00:00Z", "2021-06-30T25:00:00Z", "2021-06-30T24:00:00Z", "2021-06-30T05:60:00Z",
    "2021-06-30T05:00:60Z", "2021-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "2021-13-01T00:00:00Z", "1899-12-31T00:00:00Z",
    "1900-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2021-06-3:T05:00:00Z", "0000-01-01T00:00:00Z",
)  # fmt: skip


def test_a_time_is_sealed_where_the_action_takes_it(fields: Fields, visitor: Comes) -> None:
    page = opened(visitor(fields.home).page, fields)
    page.locator("form [pattern]").evaluate_all("all => all.forEach(each => each.removeAttribute('pattern'))")
    game = Game.open(fields.game)
    gather = game.world().law.declared.actions["gather"]
    for name, text in (
        *(("when", each) for each in TIMES),
        *(("last", f"{{ben: {each}}}") for each in TIMES[:7]),
    ):
        control = page.locator(f"[data-name={name}] :is(input, textarea)")
        control.fill(text)
        why, armour = press(page)
        value = entered.value(gather.parameters[name], name, text)
        refused = acting.unfit(game.world(), gather, "players/ben", name, value)
        assert bool(why) == bool(refused), (text, why, refused)
        assert why or given(fields, armour) == {name: value}
        control.fill("")
    day = page.locator("[data-name=day] input")
    for text in ("1899-12-31", "2021-06-30"):
        day.fill(text)
        why, armour = press(page)
        assert bool(why) == bool(acting.unfit(game.world(), gather, "players/ben", "day", text))
    assert given(fields, armour) == {"day": "2021-06-30"}
