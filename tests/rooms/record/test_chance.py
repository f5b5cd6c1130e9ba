"""Chance that is taken back: what hung on it hangs on it again, for the record tells its seed."""

from __future__ import annotations

from pathlib import Path

from hostile.small import Small

MECHANICS = """
def do_risk(actor):
    require(roll(6) > 3, "too low")

def do_ask(actor):
    put(actor, luck=1 if can("risk", actor) else 2)
"""
DECLARES = {
    "variables": {"luck": {"of": "player", "type": "integer"}},
    "actions": {"risk": {}, "ask": {}},
}


def test_a_question_that_throws_a_die_is_answered_again_as_it_was(tmp_path: Path) -> None:
    """The die is taken back, and what the action does hangs on it."""
    small = Small.found(tmp_path / "game")
    small.enact({"add-rule": {"title": "Risk", "text": "R.", "declares": DECLARES, "mechanics": MECHANICS}})
    answers = set()
    for _ in range(12):
        small.do("cy", "ask")
        answers.add((small.folder / "game/state/players/cy.yml").read_text())
        assert "Nomic-Seed: " in small.git("log", "-1", "--format=%B")
    assert len(answers) == 2
    assert small.verified().faults == []
    small.do("cy", "earn", n=1)
    assert "Nomic-Seed: " not in small.git("log", "-1", "--format=%B")
