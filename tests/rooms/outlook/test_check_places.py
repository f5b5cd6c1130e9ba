"""Whatever the check of a branch tells of a rule has that rule's file and a line in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from hostile.small import Small
from support.checking import checked
from support.places import ROOT

from nomicgit.outlook.checks import Finding

PATH = "game/ruleset/2-dynastic/73-moon.md"
MOON = """\
---
title: Moon
variables:
  phase: {type: integer, default: 0}
actions:
  wane: {}
---
It wanes.

```starlark
def do_wane(actor):
    put("game", phase=get("game", "phase") + 1)
```
"""
OF_RULES = {  # what a branch brings, what is told, and the line
    "a title that another rule has": (("title: Moon", "title: Hoard"), "is then the name of 2 rules", 2),
    "a title that reads like another": (("title: Moon", "title: H0ard"), "reads like that of another rule, “Hoard”", 2),
    "no text": ((MOON[MOON.index("It wanes") :], ""), "the rule “Moon” then has no text", 2),
    "no text of what declares much": (("---\ntitle: Moon\n", "---\nrare: true\n\ntitle: Moon\n"), "", 0),
    "a variable that no page shows": (("default: 0}", "default: 0, tracked: nowhere}"), "is an orphan variable", 4),
    "an action that is always refused": (("    put(", '    require(False, "dark")\n    put('), "opens for nobody", 12),
    "an event that nobody emits": (("actions:", "when: {full: _howl}\nactions:"), "no rule emits the event full", 5),
}  # fmt: skip
ELSEWHERE = {
    "checking.py": "commits, and what lies in the work tree",
    "defects.py": "the whole law, at a time",
    "authored.py": "words of which nobody knows where they lie",
    "shut.py": "a reason of the law's, to which its place is put",
    "rules_played.py": "how long it took",
    "put.py": "a value by its path",
    "looking_on.py": "what may surprise about a change that stands in no file",
    "uncovered.py": "nothing: of a function its place is asked",
    "remarks.py": "a change that stands in no file",
    "enactment.py": "changes by their numbers",
    "proposable.py": "other matters, and the branch as a whole",
}
"""Where problems without a place are made, and of what they tell."""


@pytest.fixture(scope="module")
def sky(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small.found(tmp_path_factory.mktemp("sky") / "game")


def unplaced(findings: list[Finding]) -> list[str]:
    return [str(each) for each in findings if not (each.problem.where.file and each.problem.where.line)]


@pytest.mark.slow
@pytest.mark.parametrize("case", OF_RULES)
def test_what_is_told_of_a_rule_has_its_file_and_line(sky: Small, case: str) -> None:
    (old, new), what, line = OF_RULES[case]
    assert old in MOON
    findings = checked(sky, PATH, MOON.replace(old, new))
    assert unplaced(findings) == []
    places = [
        (each.problem.where.file, each.problem.where.line) for each in findings if what in each.problem.what
    ]
    assert places == ([(PATH, line)] if what else [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "line", "what"),
    [
        ("  - {at: +1h, by: ana, ern: {n: 1}}", 6, "no rule in force declares an action ern"),
        ("  - {at: +1h, expect: {players.ana.gold: 3}}", 6, "11 is not 3"),
        ("rules: 3", 6, "is no key of a scenario"),
    ],
)
def test_a_scenario_that_fails_is_told_in_its_own_line(sky: Small, step: str, line: int, what: str) -> None:
    text = f"start: 2021-06-07T00:00:00Z\nplayers: [ana, ben]\nadmins: [ben]\nsteps:\n  - {{at: +1h, by: ana, earn: {{n: 1}}}}\n{step}\n"
    (sky.folder / "game/scenarios").mkdir(exist_ok=True)
    [one] = checked(sky, "game/scenarios/moon.yml", text)
    assert (one.problem.where.file, one.problem.where.line) == ("game/scenarios/moon.yml", line)
    assert "game/scenarios/" not in one.problem.what
    assert what in one.problem.what


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted((ROOT / "nomicgit" / "outlook" / "checks").glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        yield from ((path.name, node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def test_no_check_of_rules_makes_a_problem_without_a_line() -> None:
    without = set[str]()
    for name, call in _calls():
        called, given = ast.unparse(call.func), len(call.args) + len(call.keywords)
        starred = any(isinstance(each, ast.Starred) for each in call.args)
        if called == "in_rule" and not starred:
            assert given == 5, f"{name}:{call.lineno}: in_rule without a line"
        if (
            called == "Problem"
            and len(call.args) < 2
            and not any(each.arg == "where" for each in call.keywords)
        ):
            without.add(name)
    assert without == set(ELSEWHERE)
