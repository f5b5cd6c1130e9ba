"""Every scenario under ``tests/scenarios/EDITION`` comes out as it must."""

from __future__ import annotations

import pytest
from support.places import TESTS

from nomicgit import editions
from nomicgit.ground import files
from nomicgit.rehearsal import rehearsal

SCENARIOS = TESTS / "scenarios"
FILES = sorted(path.relative_to(SCENARIOS).as_posix() for path in SCENARIOS.glob("*/*.yml"))


@pytest.mark.parametrize("file", FILES)
def test_scenario(file: str) -> None:
    played = rehearsal.rehearse((SCENARIOS / file).read_bytes(), file)
    assert played.passed, f"{played.name}\n" + "\n".join(played.failures)


def test_a_scenario_lies_in_the_folder_of_its_edition() -> None:
    elsewhere = []
    for file in FILES:
        scenario = files.read((SCENARIOS / file).read_bytes(), file)
        assert isinstance(scenario, dict)
        if scenario.get("edition") != file.partition("/")[0]:
            elsewhere.append(file)
    assert elsewhere == []


def test_every_edition_has_scenarios() -> None:
    assert sorted({file.partition("/")[0] for file in FILES}) == editions.names()


def test_no_two_scenarios_of_an_edition_have_one_name() -> None:
    """Chance is seeded by the name; and a name says the case."""
    seen: dict[tuple[str, str], str] = {}
    for file in FILES:
        scenario = files.read((SCENARIOS / file).read_bytes(), file)
        assert isinstance(scenario, dict)
        key = (file.partition("/")[0], str(scenario.get("name")))
        assert key not in seen, f"{file} is called like {seen[key]}"
        seen[key] = file
