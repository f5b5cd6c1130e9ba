"""Every scenario under ``tests/scenarios/EDITION`` comes out as it must.

Of those that change the law one for each must of the edition that no other shows; the rest with ``--hypothesis-profile=deep``.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.depth import DEEP
from support.musts import showing
from support.places import TESTS

from nomicgit import editions
from nomicgit.ground import files
from nomicgit.rehearsal import rehearsal

SCENARIOS = TESTS / "scenarios"
FILES = sorted(path.relative_to(SCENARIOS).as_posix() for path in SCENARIOS.glob("*/*.yml"))

OF_LAW = re.compile(r"\b(add-rule|amend|rename|move|repeal|status|terms|ascend):")
"""By what a scenario may bring about another law, which is then tried: that takes longer than all the rest."""


def cases(edition: str) -> list[Any]:
    """The scenarios of an edition: slow where they may change the law, and then tried in every profile where a must needs it;
    of the others five of six are slow, for they are many.
    """
    texts = {path.stem: path.read_text("utf-8") for path in sorted((SCENARIOS / edition).glob("*.yml"))}
    slow = {name for name, text in texts.items() if OF_LAW.search(text)}
    chosen = showing(edition, texts.keys(), texts.keys() - slow)
    marks = {name: [pytest.mark.slow] for number, name in enumerate(texts) if number % 6}
    marks |= {name: [pytest.mark.slow, *([] if name in chosen else [DEEP])] for name in slow}
    return [
        pytest.param(f"{edition}/{name}.yml", marks=marks.get(name, []), id=f"{edition}/{name}.yml")
        for name in texts
    ]


@pytest.mark.parametrize("file", [case for edition in editions.names() for case in cases(edition)])
def test_scenario(file: str) -> None:
    played = rehearsal.rehearse((SCENARIOS / file).read_bytes(), file)
    assert played.passed, f"{played.name}\n" + "\n".join(played.failures)


@pytest.mark.slow
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


@pytest.mark.slow
def test_no_two_scenarios_of_an_edition_have_one_name() -> None:
    """Chance is seeded by the name; and a name says the case."""
    seen: dict[tuple[str, str], str] = {}
    for file in FILES:
        scenario = files.read((SCENARIOS / file).read_bytes(), file)
        assert isinstance(scenario, dict)
        key = (file.partition("/")[0], str(scenario.get("name")))
        assert key not in seen, f"{file} is called like {seen[key]}"
        seen[key] = file
