"""The program's own deeds, forged with parameters that they never have: each is named as a fault, and none is a defect."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hostile.forging import Forger
from hostile.small import START, Small
from support.clones import FEW, Clone, game_in_clones
from support.depth import one_of
from support.ids import named

from nomicgit.ground import clock
from nomicgit.law.outside import Outside
from nomicgit.record.outside.misgiven import PARAMETERS

WRONG: tuple[object, ...] = (
    None,
    1,
    -1,
    1.5,
    True,
    "",
    "x",
    [],
    [1],
    ["eve"],
    [["ana"]],
    {},
    {"ana": 1},
    "0" * 40,
)
RIGHT: dict[str, object] = {
    "players": ["ana"], "idle": [], "emperor": None, "admins": ["ana"], "dynasty": "", "number": 1,
    "to": "0" * 40, "by": ["ana"], "forge": None, "recipient": "age1", "keeper": "ana", "signer": "x", "main": "x", "never": "x",
    "next": "x", "term": 1, "key": "x", "player": "ana", "keys": ["x"], "is": "seen",
}  # fmt: skip


def forged(action: str, given: dict[str, object]) -> str:
    """The message of such a deed by Ana."""
    told = [f"Nomic-Action: {action}", "Nomic-By: ana", f"Nomic-At: {clock.text(START + 600)}"]
    told += [f"Nomic-With: {json.dumps(given)}", f"Nomic-Id: {named('forged')}"]
    return f"ana: {action}\n\n" + "\n".join(told) + "\n"


def test_every_kind_is_known() -> None:
    assert set(PARAMETERS) == set(Outside)


@pytest.mark.slow
@pytest.mark.parametrize(
    "action", [pytest.param(each, marks=one_of(3, number)) for number, each in enumerate(sorted(Outside))]
)
def test_wrong_parameters_are_named(tmp_path: Path, action: str) -> None:
    small = Small.found(tmp_path / "game", restore={"by": ["ana"], "of": 1})
    small.do("cy", "earn", n=3)
    right: dict[str, object] = {name: RIGHT[name] for name in PARAMETERS[action]}
    tried: list[dict[str, object]] = [right | {"more": 1}, {}]
    tried += [{key: value for key, value in right.items() if key != name} for name in right]
    tried += [right | {name: value} for name in right for value in WRONG]
    head = Forger(small).commits()[-1]
    for given in tried:
        forger = Forger(small)
        bad = forger.forge(
            head, parents=(head.oid,), message=forged(action, given), author="ana", email="ana@nomicgit.invalid",
            author_time=START + 600,
        )  # fmt: skip
        faults = small.faults(bad.oid)
        assert set(faults) == {bad.oid}, given
        for what in faults[bad.oid]:
            assert "Error" not in what, given


@pytest.mark.slow
def test_a_restored_law_is_told_by_sync_and_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    before = ana.head
    change = "{add-rule: {title: Bees, text: Bees hum.}}"
    ana.play("propose", "--title", "Bees", "--change", change)
    for voter in ("ana", "ben", "cy"):
        ana.tried("--as", voter, "vote", "1", "for")
    ana.play("--as", "ben", "--at", "+100h", "resolve", "1")
    ana.play("sync")
    ben.play("sync")
    ana.play("restore", before, "--by", "ana")
    ana.play("sync")
    said = ben.play("sync")
    told = f"law restored: commit {ana.head[:12]} by ana"
    assert told in said
    assert before[:12] in said
    assert told in ben.play("status")
    plain = json.loads(ben.play("status", "--json"))
    assert [each["commit"] for each in plain["restored"]] == [ana.head]
    assert plain["mends"] == []


@pytest.mark.parametrize(
    "name", ["nobody", "Physics", "the-clock", "clock", "STEWARD", "sealed", "keeper", "the_clock"]
)
def test_what_the_record_calls_something_else_names_no_player(tmp_path: Path, name: str) -> None:
    here = Clone(tmp_path)
    start = ("new", "x", "--edition", "crypt", "--practice", "--player", "ana", "--admin", "ana")
    assert "the record calls so" in here.play(*start, "--player", name, code=2)
    here.play(*start)
    game = Clone(tmp_path / "x")
    before = game.head
    for way in (("--as", name, "join"), ("--as", name, "post", "Hello")):
        game.play(*way, code=1)
    assert "the record calls so" in game.play("--as", name, "join", code=1)
    assert game.head == before
    assert Clone(tmp_path / "x").git("status", "--porcelain") == ""
