"""Names in scenarios that nobody has: the one that may have been meant is told."""

from __future__ import annotations

import pytest

from nomicgit.rehearsal.rehearsal import rehearse

SCENE = "name: x\nedition: crypt\nplayers: [ana, ben, cy]\nemperor: ana\nsteps:\n  - "
MEANT = {
    "{by: bne, propose: {title: Moon}}": "ben",
    "{by: ben, act: pst, with: {title: x}}": "post",
    "{by: ben, pst: x}": "post",
    "{expect: {players.ben.puisance: 3}}": "puissance",
    "{expect: {players.bne.puissance: 3}}": "ben",
    "{expect: {told.bne: [x]}}": "ben",
    "{expect: {dynasty.nmber: 3}}": "number",
    "{expect: {palyers.ben.puissance: 3}}": "players.ben.puissance",
    "{expect: {players.ben.puisance: {absent: true}}}": "puissance",
    "{expect: {palyers.ben: {absent: true}}}": "players.ben",
    "{expect: {players/ben.puissance: 3}}": "players.ben.puissance",
    "{expect: {players.ben.puissance: {min: 10}}}": "at_least",
}


@pytest.mark.parametrize("step", MEANT)
def test_a_name_that_nobody_has_is_told_with_the_one_that_may_have_been_meant(step: str) -> None:
    (failure,) = rehearse(SCENE + step, "a.yml").explained
    assert f"did you mean {MEANT[step]}?" in failure


def test_what_a_step_or_a_state_lacks_is_named() -> None:
    (failure,) = rehearse(SCENE + "{act: post, with: {title: x, text: y}}", "a.yml").explained
    assert "the step has no by: write who does it, as in by: ana" in failure
    (failure,) = rehearse(SCENE + "{by: ben, act: post, to: B2}", "a.yml").explained
    assert "write with: {to: …}" in failure
    laid = SCENE.replace("steps:", "state: {players: {ben: {puisance: 3}}}\nsteps:")
    (failure,) = rehearse(laid + "{expect: {players.ben.puissance: 3}}", "a.yml").explained
    assert "did you mean puissance?" in failure


def test_a_cell_that_a_grid_has_not_is_told_wherever_it_is_looked_for() -> None:
    scene = SCENE.replace("crypt", "assassin")
    for cell, near in (("a1", " (did you mean A1?)"), ("Z9", "")):
        (failure,) = rehearse(
            scene + f"{{expect: {{locations.{cell}.x: {{absent: true}}}}}}", "a.yml"
        ).explained
        assert f"there is no {cell} among the locations, now or before{near}" in failure
    assert rehearse(scene + "{expect: {locations.Z9: {absent: true}}}", "a.yml").explained == []
    (failure,) = rehearse(scene + "{expect: {locations.a1.x: 3}}", "a.yml").explained
    assert "did you mean A1?" in failure


def test_where_the_names_are_right_nothing_else_is_offered() -> None:
    (failure,) = rehearse(SCENE + "{expect: {players.ben.puissance: 3}}", "a.yml").explained
    assert "did you mean" not in failure


def test_where_nothing_is_to_be_there_could_be_something() -> None:
    right = (
        "players.bne",
        "players.bne.puissance",
        "told.ben.0",
        "posts.0",
        "rules.Moon",
        "matters.p1",
        "dynasty.emperor.x",
    )
    for path in right:
        assert rehearse(SCENE + f"{{expect: {{{path}: {{absent: true}}}}}}", "a.yml").explained == []
    for path in ("game.moons", "moons.m1", "players.ben.moons.x"):
        (failure,) = rehearse(SCENE + f"{{expect: {{{path}: {{absent: true}}}}}}", "a.yml").explained
        assert "moons" in failure
        assert "now or before" in failure


@pytest.mark.parametrize("steps", ["", "steps:\n", "steps: []\n"])
def test_a_scenario_without_steps_is_none(steps: str) -> None:
    (failure,) = rehearse(SCENE.partition("steps")[0] + steps, "a.yml").explained
    assert "a scenario without steps tries nothing" in failure
