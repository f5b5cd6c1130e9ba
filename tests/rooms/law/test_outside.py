"""The names of the program's own deeds: no rule can take one, wherever it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hostile.small import HOARD, Small, small_law
from msgspec.structs import replace
from support.clones import Clone
from support.depth import one_of
from support.parlour import TEA, parlour
from support.signing import keys_beside, sits

from nomicgit.clones.remedy import Remedy
from nomicgit.ground.problems import Refused
from nomicgit.law.merging import DECLARATIONS
from nomicgit.law.outside import Outside
from nomicgit.outlook.checks import check_ruleset
from nomicgit.physics import numbers
from nomicgit.physics.deed import Account, Deed, Origin
from nomicgit.record.game import Game, new_id
from nomicgit.record.outside import entitled

WHAT = "a name of the law holds no slash"
REACHING = (
    {"actions": {Outside.RESTORE: {"by": "anyone"}}},
    {"actions": {"plain": {"by": [Outside.RESTORE]}}},
    {"guards": {"plain": {"on": [Outside.FOUND]}}},
    {"guards": {"plain": {"on": "all", "except": [Outside.RESTORE]}}},
    {"overrides": [Outside.ACCOUNT]},
    {"overrides": {Outside.REHOUSE: {"with": {"x": "integer"}}}},
    {"protected": [Outside.NUMBER]},
    {"when": {Outside.RESTORE: ["heard"]}},
    *(
        {key: {"a/b": {}}}
        for key in DECLARATIONS
        if key not in ("terms", "clock", "numbers", "when", "counts")
    ),
)
"""All that a rule can declare under names, and all by which it reaches for deeds."""


@pytest.mark.parametrize(
    ("form", "declares"),
    [
        pytest.param(form, each, id=f"{form}-{each}", marks=one_of(2, number + of))
        for of, form in enumerate(("add-rule", "amend"))
        for number, each in enumerate(REACHING)
    ],
)
def test_a_change_that_declares_it_is_not_made(tmp_path: Path, declares: dict[str, Any], form: str) -> None:
    small = Small.found(tmp_path / "game")
    changes = {
        "add-rule": {"title": "News", "text": "Words.", "declares": declares},
        "amend": {"rule": "hoard", "declares": declares, "mechanics": "", "text": "Words."},
    }
    rules = small.git("rev-parse", "HEAD:game/ruleset")
    notes = small.enact({form: changes[form]}).outcome.notes
    assert any(WHAT in note for note in notes), notes
    assert small.git("rev-parse", "HEAD:game/ruleset") == rules
    assert small.verified().faults == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=one_of(4, number)) for number, each in enumerate(sorted(Outside))]
)
def test_a_branch_that_declares_it_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    game = parlour(tmp_path, capsys)
    game.branch("taken", TEA, "actions: {brew: {}}", f"actions:\n  {name}: {{}}\n  brew: {{}}")
    found = game.nomic("check", "taken", "--json", code=1).json
    [finding] = [each for each in found["findings"] if WHAT in each["what"]]
    text = game.git("show", f"taken:{finding['file']}")
    assert text.split("\n")[finding["line"] - 1] == f"  {name}: {{}}"
    assert finding["mend"] == "choose another name"


@pytest.mark.parametrize("name", sorted(Outside))
def test_the_check_of_a_ruleset_names_rule_line_and_remedy(name: str) -> None:
    text = HOARD.lstrip("\n").replace("actions:\n", f"actions:\n  {name}: {{}}\n")
    ruleset = small_law({"2-dynastic/10-hoard.md": text})
    [found] = [f for f in check_ruleset(ruleset).findings if WHAT in f.problem.what]
    assert (found.level, found.problem.where.rule) == ("error", "Hoard")
    assert text.split("\n")[found.problem.where.line - 1] == f"  {name}: {{}}"
    assert found.problem.mend == "choose another name"


@pytest.mark.parametrize("name", sorted(Outside))
def test_nobody_founds_a_game_with_it(tmp_path: Path, name: str) -> None:
    text = HOARD.lstrip("\n").replace("actions:\n", f"actions:\n  {name}: {{}}\n")
    with pytest.raises(Refused, match=WHAT):
        Small.found(tmp_path / "game", small_law({"2-dynastic/10-hoard.md": text}))


OF_KEYS = {Outside.CLOCK, Outside.MAILBOX, Outside.ADDRESS, Outside.TERM, Outside.OPEN, Outside.SEALED}
"""The deeds of games with keys alone (``tests/rooms/clones/test_rounds.py``)."""


@pytest.mark.slow
def test_the_record_knows_no_other_deeds_that_no_rule_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every kind of deed outside the law is done once; the names in the record are those of the table."""
    small = Small.found(tmp_path / "game", restore={"by": ["ana"], "of": 1})
    names = ("found", "restore", "mend", "rehouse", "number", "account", "physics")
    declares: dict[str, Any] = {"actions": {name: {} for name in names}}
    mechanics = "\n".join(f"def do_{name.replace('.', '_')}(actor):\n    note('Done.')" for name in names)
    small.enact({"add-rule": {"title": "Names", "text": "W.", "declares": declares, "mechanics": mechanics}})
    for name in names:
        small.do("cy", name)
    small.enact({"repeal": "hoard"})
    lawful = {"propose", "vote", "resolve", *names}
    game = Game.open(small.folder)
    entitled.restore(game, ["ana"], small.git("rev-list", "--max-parents=0", "HEAD").strip(), small.at + 60)
    entitled.rehouse(game, ["ana"], {"github": "ana/game"}, small.at + 120)
    monkeypatch.setitem(numbers.KNOWN, 2, replace(numbers.ONE, number=2))
    entitled.under_physics(game, ["ana"], 2, small.at + 150)
    origin = Origin(account=Account("github", 7, "ana-on-it"))
    game.act(Deed(new_id(small.at + 180), "ana", Outside.ACCOUNT, {}, small.at + 180, origin=origin))
    Remedy.to(game.repository, "HEAD~1", small.at + 3600).record(["ana"], small.at + 185, sure=True)
    keys_beside(tmp_path, "ana")
    sits(Clone(small.folder), "ana", "ana")
    game = Game.open(small.folder)
    public = " ".join((tmp_path / "ana.pub").read_text(encoding="utf-8").split()[:2])
    entitled.give_keys(game, "ana", [public], "ana", [], small.at + 190)
    entitled.under_signatures(game, ["ana"], "asked", small.at + 200)
    entitled.under_approvals(game, ["ana"], 2, small.at + 210)
    entitled.restored_by(game, ["ana"], ["ana", "ben"], 1, small.at + 220)
    told = small.git("log", "--format=%(trailers:key=Nomic-Action,valueonly,separator=%x2C)").split()
    assert set(told) - lawful == set(Outside) - OF_KEYS
    assert small.verified().faults == []
