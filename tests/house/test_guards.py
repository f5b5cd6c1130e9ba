"""The list of the program's guards is of this program: each stands where it says, and its tests are there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from support.places import ROOT

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


def test_without_a_guard_a_file_is_still_a_program(listed: list[Guard]) -> None:
    for guard in listed:
        text = (ROOT / guard.file).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(text.replace(guard.old, guard.new))) != ast.dump(ast.parse(text)), guard


def test_the_tests_that_must_notice_are_there(listed: list[Guard]) -> None:
    files = {test.partition("::")[0] for guard in listed for test in guard.tests}
    assert [file for file in files if not (ROOT / file).is_file()] == []
