"""The list of the program's guards is of this program: each stands where it says, and its tests are there."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support import parsed
from support.places import ROOT

from nomicgit import editions

if TYPE_CHECKING:
    from program_guards import Guard


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[Guard]:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import program_guards

    return program_guards.guards()


def test_every_guard_stands_in_its_file_once(listed: list[Guard]) -> None:
    assert len(listed) > 100
    assert [str(guard) for guard in listed if not guard.line()] == []


@pytest.mark.slow
def test_without_a_guard_a_file_is_still_a_program(listed: list[Guard]) -> None:
    trees = dict(parsed.trees().values())
    for guard in listed:
        part = around(trees[ROOT / guard.file], guard)
        without = part.replace(guard.old, guard.new)
        assert ast.dump(ast.parse(without)) != ast.dump(ast.parse(part)), guard


def around(tree: ast.Module, guard: Guard) -> str:
    """The parts of a module in whose lines a guard stands."""
    text, line = (ROOT / guard.file).read_text(encoding="utf-8"), guard.line()
    last = line + guard.old.count("\n")
    lines = [(first_of(node), node.end_lineno or node.lineno) for node in tree.body]
    there = [(first, end) for first, end in lines if first <= last and line <= end]
    part = "".join(text.splitlines(keepends=True)[there[0][0] - 1 : there[-1][1]])
    assert guard.old in part, guard
    return part


def first_of(node: ast.stmt) -> int:
    """The line in which it begins, with what decorates it."""
    above: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in above)])


def test_the_tests_that_must_notice_are_there(listed: list[Guard]) -> None:
    files = {test.partition("::")[0] for guard in listed for test in guard.tests}
    assert [file for file in files if not (ROOT / file).is_file()] == []


@pytest.mark.slow
def test_every_change_of_what_is_declared_changes_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import law_mutants

    for edition in editions.names():
        everything = list(law_mutants.declared(edition))
        assert len(everything) > 50
        for change in everything:
            text = (ROOT / "nomicgit" / "editions" / edition / change.path).read_bytes()
            assert text[change.start : change.end] != change.without, change
            assert text.count(b"\n", 0, change.start) + 1 == change.line
        argued = {(change.path, change.argued) for change in everything if change.argued}
        assert argued == {
            (path.relative_to(ROOT / "nomicgit" / "editions" / edition).as_posix(), why)
            for path in (ROOT / "nomicgit" / "editions" / edition).rglob("*.md")
            for _, why in law_mutants.ARGUED.findall(path.read_text(encoding="utf-8"))
        }
        assert len(law_mutants.drawn(everything, 9, "seed")) == 9
        assert law_mutants.drawn(everything, 9, "seed") == law_mutants.drawn(everything, 9, "seed")


def test_whatever_is_argued_for_is_a_must(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import mappings

    for edition in editions.names():
        musts = {(rule, str(m["must"])) for rule, each in mappings.sheet(edition).items() for m in each}
        assert set(mappings.arguments(edition)) <= musts
        assert len(mappings.arguments(edition)) < len(musts) / 8


def test_a_mapping_that_shows_nothing_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The tool itself: of two musts of one rule it tells the one whose scenario does not need the rule."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    import mappings

    (tmp_path / "steam.yml").write_text(
        "dynastic/Trading:\n  - {must: trade, by: [06-scavenge]}\n  - {must: conditions, by: [trade-conditional]}\n"
    )
    monkeypatch.setattr(mappings, "MUSTS", tmp_path)
    assert [must["must"] for _, must in mappings.idle("steam")] == ["trade"]
