"""What an edition must do, rule by rule, and what shows it: every must names scenarios or tests that exist, or is conduct.

``tests/musts/EDITION.yml`` maps SECTION/TITLE to a list of ``{must: TEXT, by: [NAME, …]}``. A name is a scenario of the
edition, or ``test_FILE::test_NAME`` for what no scenario can show; ``by: conduct`` is for what is shown to people and
enforced by nobody.
"""

from __future__ import annotations

import ast
from functools import cache

import pytest
from support.musts import entries, sheet
from support.places import TESTS

from nomicgit import editions
from nomicgit.law.titles import plain

SHEETS = sorted(path.stem for path in (TESTS / "musts").glob("*.yml"))


@cache
def the_tests() -> frozenset[str]:
    return frozenset(
        f"{path.stem}::{node.name}"
        for path in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def shown(edition: str, name: str) -> bool:
    return (TESTS / "scenarios" / edition / f"{name}.yml").is_file() or name in the_tests()


@pytest.mark.parametrize("edition", SHEETS)
def test_every_must_says_by_what_it_is_shown(edition: str) -> None:
    wrong = [
        f"{rule}: {entry.get('must', entry)}"
        for rule, entry in entries(edition)
        if set(entry) != {"must", "by"}
        or not entry["by"]
        or not (entry["by"] == "conduct" or isinstance(entry["by"], list))
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("edition", SHEETS)
def test_what_shows_a_must_exists(edition: str) -> None:
    wrong = [
        f"{rule}: {entry['must']}: {name}"
        for rule, entry in entries(edition)
        for name in ([] if entry["by"] == "conduct" else entry["by"])
        if not shown(edition, str(name))
    ]
    assert wrong == []


@pytest.mark.parametrize("edition", SHEETS)
def test_the_rules_of_the_sheet_are_the_editions(edition: str) -> None:
    """SECTION/TITLE, or SECTION/PARENT/TITLE where a title stands twice in a section; or a section's own words."""
    ruleset = editions.load(edition)
    titles = {f"{section}/{section.replace('-', ' ')}" for section in ruleset.intros}
    for placed in ruleset.rules:
        parent = f"{plain(ruleset.by_slug[placed.parent].title)}/" if placed.parent else ""
        titles |= {
            f"{placed.section}/{plain(placed.title)}",
            f"{placed.section}/{parent}{plain(placed.title)}",
        }
    unknown = [rule for rule in sheet(edition) if not _known(rule, titles)]
    assert unknown == []


def _known(rule: str, titles: set[str]) -> bool:
    section, _, title = rule.partition("/")
    return f"{section}/{'/'.join(plain(part) for part in title.split('/'))}" in titles


def test_every_edition_has_a_sheet() -> None:
    assert editions.names() == SHEETS
