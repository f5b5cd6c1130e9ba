"""What is filled in on the pages that seal, held to what decides the order later: examples, names and values in maps and lists.

What is typed in a browser is skipped where no Chromium is installed.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.depth import one_of
from support.served import CHROMIUM, served
from support.sites import build, configured
from support.visiting import PRACTICE, Comes, nomic

from nomicgit import editions
from nomicgit.ground.problems import NomicError
from nomicgit.physics.deeds import acting
from nomicgit.record.forms import entered
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.sealing.orders import Order
from nomicgit.site import controls, private
from nomicgit.site.onlooking import Look

pytest.importorskip("pyrage")
pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.slow

FIELD = re.compile(
    r'<(?:div|fieldset) class="nomic-field" data-name="([\w-]+)" data-reads="(\w+)"([^>]*)>(.*?)(?=<textarea|<input|<select|<fieldset)',
    re.DOTALL,
)
SUCH = re.compile(r' data-such="([^"]*)"')


def founded(folder: Path, edition: str) -> Path:
    """A game with a key."""
    everybody = [part for player in ("ana", "ben", "cy") for part in ("--player", player)]
    nomic("new", str(folder), "--edition", edition, "--keys", *everybody, *PRACTICE, "--emperor", "ana")
    return folder


@pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=one_of(2, number)) for number, each in enumerate(editions.names())]
)
def test_whatever_a_form_shows_as_an_example_is_taken_as_that_parameter(edition: str, tmp_path: Path) -> None:
    game = Game.open(founded(tmp_path / "game", edition))
    look = Look.at_time(game, game.last())
    shown = dict[tuple[str, str], str]()
    for action in look.world.law.declared.actions.values():
        page = next(each for each in private.pages(look) if each.uri == private.uri_of(action))
        whole = str(page.lead) + "".join(str(section.body) for section in page.sections)
        assert "JSON" not in whole, "of which nobody has told a player"
        for name, _, marks, head in FIELD.findall(whole):
            hint = re.search(r"Such as (.*?)\. *<", head)
            such = SUCH.search(marks)
            if hint or such:
                shown[action.name, name] = html.unescape((such or hint)[1])  # type: ignore[index]
            if hint and such:
                assert hint[1] == such[1]
            if name in action.parameters and (hint or such):
                value = entered.value(action.parameters[name], name, shown[action.name, name])
                assert acting.unfit(game.world(), action, "players/ana", name, value) == "", (
                    action.name,
                    name,
                )
    assert ("propose", "changes") in shown
    if edition == "steam":
        assert ("offer-trade", "sought") in shown
        assert shown["scavenge", "steal"] == "{ben: {coal: 1}}", "ana is the emperor, whom nobody robs"
        assert ("offer-trade", "condition") not in shown, "what its keys are, the declaration does not tell"


@pytest.mark.parametrize("edition", editions.names())
def test_a_form_lists_no_player_whom_the_rule_does_not_count(edition: str, tmp_path: Path) -> None:
    game = Game.open(founded(tmp_path / "game", edition))
    look, listed = Look.at_time(game, game.last()), 0
    for action in look.world.law.declared.actions.values():
        for name, kind in action.parameters.items():
            if kind.kind == "player" and not kind.which:
                for _, value in controls.options(look, kind):
                    listed += 1
                    why = acting.unfit(game.world(), action, "players/cy", name, value)
                    assert why == "", (action.name, name, value)
    assert listed


Typed = tuple[tuple[str, str, tuple[str, ...]], ...]
RULES: Typed = (
    ("ascend", "special_case", (
        "{the-traitor: active}", "{The Traitor: active}", "{the traitor: inactive}", "{the-traytor: active}", "{votes: active}",
        "{the-traitor: asleep}", "{rules/the-traitor: active}", "{special-case/The Traitor: active}",
    )),
)  # fmt: skip


def test_a_list_of_what_stands_there_from_the_founding_on_takes_nothing_else(tmp_path: Path) -> None:
    game = Game.open(founded(tmp_path / "game", "steam"))
    look = Look.at_time(game, game.last())
    page = next(each for each in private.pages(look) if each.uri == "act/pick-route.md")
    (marks,) = (marks for name, _, marks, _ in FIELD.findall(str(page.sections[0].body)) if name == "path")
    (taken,) = re.findall(r'data-takes="([^"]*)"', marks)
    counties = {file.stem for file in (tmp_path / "game/game/state/counties").glob("*.yml")}
    assert counties <= {*json.loads(html.unescape(taken))["each"]["of"]}
    assert "Kent" in json.loads(html.unescape(taken))["each"]["of"]


TYPED: Typed = (
    ("offer-trade", "sought", (
        "{coal: 3}", '{"coal": 3, ore: 1}', "{ coal : 3 }", "{coal: 3,}", "{'coal': 3}", "{koal: 3}", "{Coal: 3}", "{coal: lots}",
        "{coal: 0}",
        "{coal: 1.5}", "{coal: null}", "{coal: 3", "{coal: [1]}", "[coal]", "{coal:3}", "{coal: 3} x", "{coal: 1_000}", "{toString: 3}",
        "{coal: 3, coal: 4}", "{coal: 0x10}", "{}",
    )),
    ("scavenge", "steal", (
        "{ben: {coal: 1}}", "{Ben: {coal: 1}}", "{bin: {coal: 1}}", "{ben: {cole: 1}}", "{ben: 3}", "{ben: {coal: -1}}",
    )),
    ("offer-trade", "condition", (
        "{who: agreer, what: county, equal: Kent}", "{who: offerer, what: gems, at_least: 30}", "[who]", "who: agreer, what: gems",
        "{a: yes}", '{a: "yes"}', "{a: true, b: [1, null, -2.5], c: {d: x y}}", "{a: 2021-06-07}", "{a: it's}", "{a: 'it''s'}", "{2021: x}",
        "{true: x}", "{a: http://x/y}", r'{a: "b\n\"c"}', r'{a: "b\q"}', "{a: 12:30}", "{a: 3rd, b: 1e}", "{no: n}",
    )),
    ("set-treasury", "treasury", ("{coal: 0}", "{coal: -5}", "{gold: 1}")),
    ("ascend", "terms", ("{player: Miller, players: Millers}", "{captain: Miller}", "{player: 3}")),
)  # fmt: skip


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize(("edition", "typed"), [("steam", TYPED), ("crypt", RULES)], ids=["steam", "crypt"])
def test_what_a_page_seals_of_maps_is_what_the_action_takes(
    tmp_path: Path, visitor: Comes, edition: str, typed: Typed
) -> None:
    folder = founded(tmp_path / "game", edition)
    game = Game.open(folder)
    world, key = game.world(), ordering.sealer_of(game).identity
    with served(build(configured(folder), tmp_path / "site")) as there:
        guest = visitor(there.address)
        for name, parameter, texts in typed:
            guest.open(f"act/{name}/")
            page = guest.page
            page.locator("form [required]").evaluate_all(
                "all => all.forEach(each => { each.required = false; })"
            )
            page.get_by_label("You are").evaluate("each => { each.value = 'ana'; }")
            area = page.locator(f"[data-name={parameter}] textarea")
            action = world.law.declared.actions[name]
            for text in texts:
                area.fill(text)
                why = _refused(world, action, parameter, text)
                said = _sealed(page)
                if why:
                    assert said.startswith(f"It is not sealed: {parameter}: "), (text, why, said)
                    assert "JSON" not in said
                else:
                    assert "BEGIN AGE" in said, (text, said)
                    kept = Order.read(said, key).with_[parameter]
                    assert kept == entered.value(action.parameters[parameter], parameter, text), text
        assert guest.said == []


def _refused(world: Any, action: Any, parameter: str, text: str) -> str:
    """Why what somebody typed is none, as a clone and then the action take it."""
    try:
        value = entered.value(action.parameters[parameter], parameter, text)
    except NomicError as error:
        return error.problems[0].what
    return acting.unfit(world, action, "players/ana", parameter, value)


def _sealed(page: Any) -> str:
    """The order that a page shows, or why it shows none."""
    for _ in range(2):
        page.get_by_role("button", name="Seal").press("Enter")
        page.wait_for_function(
            "() => [...document.querySelectorAll('.nomic-sealed, .nomic-unsealed')].some(each => !each.hidden)"
        )
        if page.locator(".nomic-sealed").is_visible():
            return str(page.locator(".nomic-armour").input_value())
        said = str(page.locator(".nomic-unsealed").inner_text())
        if "Press Seal once more" not in said:
            return said
    return said
