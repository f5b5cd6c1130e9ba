"""Declarations under which nothing would be legal are refused, with their place and what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hostile.small import HOARD, Small, small_law

from nomicgit.git import Repository
from nomicgit.outlook.checks import Checked, check_game, check_ruleset

RULE = "---\ntitle: Lamps\n{declares}\n---\nWords.\n"
LAMPS = "game/ruleset/2-dynastic/20-lamps.md"

FAULTY: dict[str, tuple[str, str]] = {
    "a variable": ("variables:\n  n: {of: player, type: integer, min: 5, max: 2}", "5 is above the max 2"),
    "a variable below nothing": ("variables:\n  n: {type: integer, max: -1}", "-1 is below 0"),
    "a variable that begins too high": (
        "variables:\n  n: {type: integer, max: -1, below_zero: allow}",
        "without a default it begins as 0, and 0 is above -1",
    ),
    "a list": ("variables:\n  n: {type: list, min: 3, max: 1, default: [1, 2, 3]}", "3 is above the max 1"),
    "a list that begins too short": ("variables:\n  n: {type: list, min: 2}", "it holds at least 2"),
    "the items of a list": (
        "variables:\n  n: {type: list, items: {type: number, min: 5, max: 2}}",
        "5 is above the max 2",
    ),
    "a field": (
        "collections:\n  lamps: {key: {prefix: l}, fields: {n: {type: integer, min: 5, max: 2}}}",
        "5 is above the max 2",
    ),
    "a parameter": (
        "actions:\n  light: {with: {n: {type: integer, min: 5, max: 2}}}",
        "5 is above the max 2",
    ),
    "a limit": ("limits:\n  rarely: {per: day, times: -1}", "-1 is below 0"),
    "a default beyond": ("variables:\n  n: {type: integer, max: 3, default: 4}", "4 is above 3"),
    "a default below": ("variables:\n  n: {type: integer, min: 3, default: 2}", "2 is below 3"),
    "a default that is no choice": (
        "variables:\n  n: {type: choice, choices: [dim, bright], default: red}",
        "red must be one of dim, bright",
    ),
    "a default of a list": (
        "variables:\n  n: {type: set, items: {type: choice, choices: [dim]}, default: [red]}",
        "red must be one of dim",
    ),
    "a default of a parameter": (
        "actions:\n  light: {with: {n: {type: integer, max: 3, default: 4}}}",
        "4 is above 3",
    ),
    "no choices": ("variables:\n  n: {type: choice, choices: []}", "a choice needs choices"),
    "no choices of items": ("variables:\n  n: {type: list, items: {choices: []}}", "a choice needs choices"),
}


@pytest.mark.parametrize(("declares", "what"), FAULTY.values(), ids=FAULTY.keys())
def test_a_declaration_under_which_nothing_is_legal_is_told_with_its_place(declares: str, what: str) -> None:
    law = small_law({LAMPS.removeprefix("game/ruleset/"): RULE.format(declares=declares)})
    wrong = [each.problem for each in check_ruleset(law).findings if each.level == "error"]
    assert {(each.where.file, each.where.line, each.where.rule) for each in wrong} == {(LAMPS, 4, "Lamps")}
    [told] = [each for each in wrong if what in each.what]
    assert told.mend or "write" in told.what


def test_all_that_a_limit_cannot_be_is_told_at_once() -> None:
    declares = "limits:\n  rarely: {per: dya, times: x, gap: soon}"
    law = small_law({LAMPS.removeprefix("game/ruleset/"): RULE.format(declares=declares)})
    wrong = [each.problem for each in check_ruleset(law).findings if each.level == "error"]
    assert {each.what.split(":")[0]: each.mend for each in wrong} == {
        "limits.rarely.per": "write per: day",
        "limits.rarely.times": "write times: 2",
        "limits.rarely.gap": "write gap: 10h, or gap: 2d4h",
    }


SOUND = """variables:
  a: {type: integer, min: 5, max: 5}
  b: {type: integer, min: -5, max: -1, default: -2}
  c: {type: list, items: player, min: 0, max: 3}
  d: {type: choice, choices: [dim], default: null}
  e: {type: list, items: {type: text, normal: _trim}, default: [x]}
limits:
  never: {per: day, times: 0}"""


def test_a_declaration_under_which_something_is_legal_is_none_the_worse() -> None:
    code = "\n```starlark\ndef _trim(text):\n    return text.strip()\n```\n"
    law = small_law({LAMPS.removeprefix("game/ruleset/"): RULE.format(declares=SOUND) + code})
    assert [each for each in check_ruleset(law).findings if each.level == "error"] == []


def test_no_proposal_brings_one(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    variables = {"lamps": {"of": "player", "type": "integer", "min": 5, "max": 2}}
    (note,) = small.enact(
        {"add-rule": {"title": "Lamps", "text": "Words.", "declares": {"variables": variables}}}
    ).outcome.notes
    assert "variables.lamps.min: 5 is above the max 2" in note
    assert "lamps.md" not in small.git("ls-tree", "-r", "--name-only", "HEAD")


def checked(small: Small, gold: str) -> Checked:
    """What the check finds where somebody has written gold otherwise into the rule by hand, and committed that."""
    path = next(small.folder.glob("game/ruleset/2-dynastic/*-hoard.md"))
    written = "{of: player, type: integer, min: 0, default: 10}"
    assert written in HOARD
    path.write_text(path.read_text().replace(written, gold))
    small.git("-c", "user.name=ana", "-c", "user.email=ana@localhost", "commit", "-qam", "gold")
    with Repository.open(small.folder) as repository:
        return check_game(repository, small.head())


def of_gold(found: Checked) -> list[Any]:
    """The errors that name it."""
    return [each.problem for each in found.findings if each.level == "error" and "gold" in each.problem.what]


@pytest.mark.slow
def test_the_check_of_a_game_names_the_declaration_and_not_each_value_of_it(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    small.do("cy", "earn", n=1)
    (wrong,) = of_gold(checked(small, "{of: player, type: integer, min: 5, max: 2}"))
    assert wrong.where.file.endswith("-hoard.md")
    line = (small.folder / wrong.where.file).read_text().splitlines()[wrong.where.line - 1]
    assert (line.strip().startswith("gold:"), wrong.where.rule) == (True, "Hoard")


@pytest.mark.slow
def test_the_check_of_a_value_that_is_not_legal_names_its_declaration(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    small.do("cy", "earn", n=1)
    wrong = of_gold(checked(small, "{of: player, type: integer, min: 50, default: 60}"))
    assert "game/state/players/cy.yml" in [each.where.file for each in wrong]
    assert all("-hoard.md:" in each.mend and "Hoard" in each.mend for each in wrong)
