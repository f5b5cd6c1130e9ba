"""Whose words an edited pull request holds: each of its title, its text and its block of changes may be somebody else's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from nomicgit.physics.deeds.matters import content_hash
from nomicgit.steward import pulls
from nomicgit.steward.asking import Do, Look, Tell
from nomicgit.steward.events import Event, What
from nomicgit.steward.seen import Edit, Person, Pull

CY, OLGA = Person(1, "Cy"), Person(2, "Olga")
BLOCK = "```changes\n- repeal: Moonlight\n```"
ASKED = Pull(
    7, "N", "Moonlight", "It is good.", CY, 5, 5, None, None, merged=False, state="open", draft=False, head_sha="c0ffee",
    head_ref="moonlight", head_repository="cy/court", base_ref="main", base_sha="main",
)  # fmt: skip
POST = {
    "status": "pending",
    "title": "Moonlight",
    "body": "It is good.",
    "author": "cy",
    "hash": content_hash([{"repeal": "x"}]),
}
EVENT = Event("pull-7-edited-9", 9, 7, What.REWORDED, CY)


def look(*, same: bool = True, holds: bool = False) -> Look:
    """What the table shows of a game in which post 1 came from thread 7, and cy is Cy."""
    return cast(
        "Look",
        SimpleNamespace(
            post={7: (1, POST)}.get,
            same=lambda *_: same,
            holds=lambda _: holds,
            changes=lambda _, block: list(block) or [{"repeal": "branch"}],
            player=lambda who: {1: "cy"}.get(who.id),
            since=lambda _: 0,
            news_of=lambda _: None,
            actions={"edit-post": None},
        ),
    )


def decided(pull: Pull, by: Person, **more: Any) -> Do | Tell | None:
    """What becomes of it where its title and its text, as far as they differ, were put there by somebody."""
    retitled = Edit(9, by) if pull.title != ASKED.title else None
    edited = Edit(9, by) if pull.body != ASKED.body else None
    return pulls.reworded(look(**more), EVENT, replace(pull, retitled=retitled, edited=edited))


@pytest.mark.parametrize(
    "words", [{"title": "Darkness"}, {"body": "It is bad."}, {"body": f"It is good.\n\n{BLOCK}"}]
)
def test_what_somebody_else_wrote_edits_no_post(words: dict[str, str]) -> None:
    told = decided(replace(ASKED, **words), OLGA)
    assert isinstance(told, Tell)
    assert "Olga has edited this pull request after you" in told.text
    assert told.whom == CY


@pytest.mark.parametrize(
    "words", [{"title": "Darkness"}, {"body": "It is bad."}, {"body": f"It is good.\n\n{BLOCK}"}]
)
def test_what_the_author_wrote_does(words: dict[str, str]) -> None:
    made = decided(replace(ASKED, **words), CY)
    assert isinstance(made, Do)
    given = {"changes": [{"repeal": "Moonlight"}]} if "changes" in words.get("body", "") else words
    assert made.given == {"post": "1", **given}


def test_an_authors_title_beside_somebody_elses_text_waits() -> None:
    both = replace(ASKED, title="Darkness", body="It is bad.", retitled=Edit(9, CY), edited=Edit(9, OLGA))
    assert isinstance(pulls.reworded(look(), EVENT, both), Tell)
    other = replace(both, retitled=Edit(9, OLGA), edited=Edit(9, CY))
    assert isinstance(pulls.reworded(look(), EVENT, other), Tell)


def test_a_block_said_anew_on_a_branch_that_has_moved_is_the_branchs_to_change() -> None:
    assert decided(replace(ASKED, body=f"It is good.\n\n{BLOCK}"), CY, same=False) is None


def test_a_push_that_changes_nothing_is_no_edit() -> None:
    assert pulls.pushed(look(same=True), EVENT, ASKED) is None
    assert isinstance(pulls.pushed(look(same=False), EVENT, ASKED), Do)
