"""Each rule of each edition that is not core is repealed in turn, and the game goes on: matters are resolved, the rest plays."""

from __future__ import annotations

from typing import Any

import pytest
from support.depth import one_of
from support.editions import TABLES
from support.repealing import watched

from nomicgit import editions

pytestmark = pytest.mark.slow


def repealed(edition: str) -> list[Any]:
    """The rules of an edition that are not core: in every profile one of twelve, and all that say what words of others mean."""
    slugs = [placed.slug for placed in editions.load(edition).rules if placed.section != "core"]
    return [
        pytest.param(
            edition,
            slug,
            id=f"{edition}-{slug}",
            marks=() if slug in TABLES[edition].words else one_of(12, number),
        )
        for number, slug in enumerate(slugs)
    ]


REPEALED = [each for edition in editions.names() for each in repealed(edition)]
MOON = {"add-rule": {"title": "Moon", "text": "It shines."}}


@pytest.mark.parametrize("edition", editions.names())
def test_at_the_table_everything_is_played(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = TABLES[edition]
    played = watched(monkeypatch, table, *table.played_on(""))
    assert (played.failures, played.defective) == ([], [])


@pytest.mark.parametrize(("edition", "slug"), REPEALED)
def test_a_repealed_rule_leaves_a_game_and_the_rest_playing(
    edition: str, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TABLES[edition]
    steps = [
        *table.enact("p1", 0, {"repeal": slug}),
        *table.played_on(slug),
        *table.enact("p2", table.later, MOON),
        {"at": f"+{table.later + 13}h", "by": "cy", "vote": "for", "on": "p2", "refused": True},
        {"expect": {"actions.cy": {"contains": "propose"}, "rules.Moon.text": "It shines."}},
        {"by": "cy", "propose": {"title": "Sun"}, "expect": {"actions.cy": {"contains": "cfj"}}},
    ]
    played = watched(monkeypatch, table, *steps)
    assert played.failures == []
    assert slug not in played.position.ruleset.by_slug
    assert played.defective == [] or slug in table.words
