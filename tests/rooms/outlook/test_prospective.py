"""What would become of pending matters: heavy laws among them neither keep anybody waiting nor hide what the others bring."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small

from nomicgit.cli import main
from nomicgit.ground import purse
from nomicgit.outlook import foreseen
from nomicgit.outlook.checks import colliding, forecast
from nomicgit.outlook.checks.collisions import told_of
from nomicgit.outlook.checks.enactment import foretold
from nomicgit.outlook.checks.prospective import prospect
from nomicgit.outlook.checks.voted import Matter, as_the_law_has_it
from nomicgit.physics.deeds import trial
from nomicgit.physics.deeds.trial import BRICKED
from nomicgit.physics.state.store import Source, Store
from nomicgit.record.game import Game


class Counted(Source):
    """A game with one moth, that counts how often its moths are listed."""

    asked = 0

    def entity(self, ref: str) -> dict[str, Any] | None:
        return {"made": 7} if ref == "moths/m7" else None

    def ids(self, kind: str) -> list[str]:
        self.asked += 1
        return ["m7", "moth"]

    def comments(self, ref: str) -> list[Any]:
        return []


HEAVY = 'for i in range(20000):\n        ("ab" * 5000).replace("a", "bb")\n    return ""'
SHUT, OPEN = 'return "no"', 'return ""'


def brings(title: str, body: str) -> dict[str, Any]:
    """The change that adds a rule whose guard stands before every action."""
    code = f"def guard_g(actor, action, given):\n    {body}"
    declares = {"guards": {"g": {"on": "all"}}}
    return {"add-rule": {"title": title, "text": "Words.", "declares": declares, "mechanics": code}}


@pytest.mark.slow
def test_heavy_laws_are_bounded_together_and_what_was_not_tried_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two heavy laws, one that would not be enacted, and more matters than are tried."""
    lent, most = 5, 3
    monkeypatch.setattr(forecast, "TOGETHER", lent)
    monkeypatch.setattr(forecast, "MOST", most)
    small = Small.found(tmp_path / "game")
    for number, body in enumerate((HEAVY, HEAVY, SHUT, OPEN, OPEN), 1):
        small.do("cy", "propose", title=f"Law {number}", changes=[brings(f"Law {number}", body)])
    before = sum(os.times()[2:4])
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), "status", "--json"])
    assert ended.value.code == 0
    assert sum(os.times()[2:4]) - before < lent + most + 2
    status = json.loads(capsys.readouterr().out)
    assert status["not_enacted"] == {"3": f"it would not be enacted: {BRICKED}"}
    assert status["not_tried"] == [1, 2, 4, 5]
    monkeypatch.setattr(forecast, "MOST", 0)
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), "status"])
    line = "not tried whether they would be enacted: 1, 2, 3, 4, 5 (nomicgit try NUMBER, for each)"
    assert line in capsys.readouterr().out.splitlines()


@pytest.mark.slow
def test_a_matter_that_takes_too_long_is_named_beside_others_and_hides_nothing_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AT_ONCE", "ONE"):
        monkeypatch.setattr(colliding, name, 1)
    small = Small.found(tmp_path / "game")
    heavy = "x = 'ab' * 5000\nfor i in range(20000):\n    x.replace('a', 'bb')"
    say = [{"set": {"players.cy.admin": True}}]
    for title, changes in (
        ("Heavy", [{"run": heavy}]),
        ("One", say),
        ("Two", [*say, {"set": {"players.dee.admin": True}}]),
    ):
        small.do("cy", "propose", title=title, changes=changes)
    told, spent = [], []
    for _ in range(2):
        before = sum(os.times()[2:4])
        with pytest.raises(SystemExit):
            main(["-C", str(small.folder), "posts", "3"])
        told.append(capsys.readouterr().out)
        spent.append(sum(os.times()[2:4]) - before)
    assert told[0] == told[1]
    assert "with 1 it could not be tried together: 1 takes too long" in told[0]
    assert "the pending post 2 (One) would make none of its changes any more after it" in told[0]
    assert "cannot be tried" not in told[0]
    assert spent[1] < spent[0] - 1, "what took too long is not tried again"


@pytest.mark.slow
def test_one_answer_takes_no_longer_than_it_may_names_what_it_left_out_and_is_remembered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purse, "ANSWER", 1)
    monkeypatch.setattr(foreseen, "MUCH", 1)
    small = Small.found(tmp_path / "game")
    for title, body in (("Law", HEAVY), ("Quick", OPEN)):
        small.do("cy", "propose", title=title, changes=[brings(title, body)])
    told, spent = [], []
    for words in (("try", "1"), ("try", "1"), ("try", "1", "--json"), ("try", "2")):
        before = sum(os.times()[2:4])
        with pytest.raises(SystemExit):
            main(["-C", str(small.folder), *words])
        told.append(capsys.readouterr().out)
        spent.append(sum(os.times()[2:4]) - before)
    assert told[0] == told[1]
    assert "not tried: whether the law could still be changed after it, what breaks in Law" in told[0]
    assert told[0].splitlines()[-1].startswith("it takes too long to be tried whole; as far as it was, ")
    assert "not tried" not in told[3]
    assert json.loads(told[2])["untried"]
    assert max(spent) < 10, "each part has its own five to forty seconds else"
    assert spent[1] < 1, "what is remembered is not tried again"


@pytest.mark.slow
def test_a_trial_that_is_too_long_is_told_as_that_beforehand_and_where_it_is_enacted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no finding that the law could not be changed: another machine may find the time."""
    small = Small.found(tmp_path / "game")
    small.do("cy", "propose", title="Law", changes=[brings("Law", HEAVY)])
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="1", icon="for")
    monkeypatch.setattr(trial, "PROCESSOR", 1)
    foretold = prospect(Game.open(small.folder).world(), "posts/1", 1).undone
    assert foretold == f"on a machine as slow as this one is now it would not be enacted: {trial.TOO_LONG}"
    done = small.do("ben", "resolve", matter="1").outcome
    assert f"Not enacted: {trial.TOO_LONG}." in done.notes
    assert BRICKED not in str(done.notes)


@pytest.mark.slow
def test_those_who_listen_when_it_is_tried_are_those_who_listen_when_it_is_enacted(tmp_path: Path) -> None:
    """A new rule hears nothing of its own beginning, so that it is made as far as its changes go, and undone as a whole."""
    small = Small.found(tmp_path / "game")
    listens = {
        "title": "Evil", "text": "Words.", "declares": {"when": {"begins": "_b", "deed": "_b"}},
        "mechanics": 'def _b():\n    emit("deed")',
    }  # fmt: skip
    hears = {"rule": "play", "in": "mechanics", "replace": "why = apply(change)"}
    changes = [
        {"add-rule": listens},
        {"amend": hears | {"with": 'why = apply(change)\n        emit("deed")'}},
    ]
    small.do("cy", "propose", title="Law", changes=changes)
    seen = prospect(Game.open(small.folder).world(), "posts/1")
    assert seen.undone == f"it would not be enacted: {BRICKED}"
    assert seen.unmade == ""
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="1", icon="for")
    assert small.do("ben", "resolve", matter="1").outcome.notes == [f"Not enacted: {BRICKED}."]
    after = forecast.prospects(Game.open(small.folder).world())
    assert (after.undone, after.untried) == ({}, []), "it is illegal, and is settled"


def test_what_is_made_in_numbers_costs_no_more_the_more_there_is_of_it() -> None:
    """A law that makes two hundred of something every few hours is tried like any other."""
    game = Counted()
    store = Store(game)
    assert store.highest("moths") == 7
    for number in range(8, 400):
        store.create(f"moths/m{number}", {"made": number})
        assert store.highest("moths") == number
    assert game.asked == 2, "once for the numbers, once for the spellings"
    store.destroy("moths/m399")
    assert store.highest("moths") == 398
    store.rollback(0)
    assert store.highest("moths") == 7
    store.create("moths/x1000", {"made": 8})
    assert store.highest("moths") == 1000


def test_whoever_resolves_without_saying_how_enacts_what_all_are_for_as_it_is_foretold(
    tmp_path: Path,
) -> None:
    """No parameter of this law's says as what a matter is resolved."""
    small = Small.found(tmp_path / "game")
    change = {"set": {"players.dee.gold": 20}}
    matter = Matter(title="Pay", body="", tags=(), changes=(change,))
    foretold = as_the_law_has_it(Game.open(small.folder).world(), matter, "cy")
    assert (foretold["refused"], foretold["enacted"], foretold["notes"]) == ("", True, [])
    assert small.enact(change).outcome.notes == []
    assert small.value("posts/1 status") == "enacted"


def test_a_matter_that_another_takes_back_is_told_to_be_gone_after_it(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    small.do("cy", "propose", title="Gift", changes=[{"set": {"players.cy.gold": 50}}])
    deed = small.git("log", "-1", "--format=%(trailers:key=Nomic-Id,valueonly)").strip()
    small.do("ana", "propose", title="Undo", changes=[{"undo": deed}])
    [pending] = foretold(Game.open(small.folder).world(), "posts/2", beside=True)["pending"]
    said = list(told_of(pending))
    assert said == ["the pending post 1 (Gift) would make none of its changes any more after it: it is gone"]
    for voter in ("ana", "cy"):
        small.do(voter, "vote", matter="2", icon="for")
    small.do("ben", "resolve", matter="2")
    assert small.git("ls-tree", "-r", "--name-only", "HEAD:game/posts").count("-gift.md") == 0
