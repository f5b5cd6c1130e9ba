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
}


@pytest.mark.parametrize("step", MEANT)
def test_a_name_that_nobody_has_is_told_with_the_one_that_may_have_been_meant(step: str) -> None:
    (failure,) = rehearse(SCENE + step, "a.yml").explained
    assert f"did you mean {MEANT[step]}?" in failure


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
