"""Rules: reading and writing one rule's file."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.depth import examples

from nomicgit.ground.problems import Malformed, Refused
from nomicgit.law import rules
from nomicgit.law.rules import Rule

LAIR = """\
---
title: Lair Actions
limits:
  daily: {per: day, gap: 10h}
---
Exploring costs 3 Puissance.

A room is explored once.

```starlark
def do_explore(actor):
    pass
```
"""


def test_a_rule_has_front_matter_prose_and_mechanics() -> None:
    rule = rules.parse(LAIR, "lair-actions")
    assert (rule.title, rule.front) == ("Lair Actions", {"limits": {"daily": {"per": "day", "gap": "10h"}}})
    assert rule.prose == "Exploring costs 3 Puissance.\n\nA room is explored once."
    assert rule.mechanics == "def do_explore(actor):\n    pass"


def test_the_line_is_that_before_the_first_line_of_the_mechanics() -> None:
    rule = rules.parse(LAIR.replace("```starlark\n", "```starlark\n\n\n"), "lair-actions")
    assert LAIR.split("\n")[rule.line - 2] == rule.mechanics.split("\n")[0]


def test_prose_may_stand_on_both_sides_of_the_mechanics() -> None:
    assert rules.parse(LAIR + "\nThe end.\n", "x").prose.endswith("explored once.\n\nThe end.")


def test_a_fence_of_another_language_is_prose() -> None:
    rule = rules.parse("---\ntitle: X\n---\n```text\n```starlark\n```\n", "x")
    assert (rule.mechanics, rule.prose) == ("", "```text\n```starlark\n```")


def test_a_byte_order_mark_and_carriage_returns_are_no_part_of_a_rule() -> None:
    assert rules.parse("\ufeff" + LAIR.replace("\n", "\r\n"), "x") == rules.parse(LAIR, "x")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("title: Lair Actions\n", "", "the title is missing"),
        ("Lair Actions", "12", "the title is no text but 12"),
        ("limits:", "status: asleep\nlimits:", "`status` is neither active nor inactive"),
        ("limits:", "rare: perhaps\nlimits:", "`rare` is neither true nor false"),
        ("    pass\n```\n", "    pass\n", "a fenced block is not closed"),
        ("Exploring", "```starlark\n```\nExploring", "a second block of mechanics"),
        ("```starlark", "  ```starlark", "the mechanics are indented"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(old: str, new: str, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        rules.parse(LAIR.replace(old, new), "lair-actions", "lair.md")


@pytest.mark.parametrize("key", ["titel", "Title", "tittle", "name"])
def test_a_title_under_another_key_is_told_where_it_stands(key: str) -> None:
    with pytest.raises(Malformed) as wrong:
        rules.parse(LAIR.replace("title:", f"{key}:"), "lair-actions", "lair.md")
    [only] = wrong.value.problems
    assert (only.where.line, only.mend) == (2, "write title, if that is meant")
    assert only.what.startswith(f"nobody knows the key {key}: ")


def test_all_problems_of_a_file_are_said_at_once_with_their_lines() -> None:
    text = LAIR.replace("limits:", "status: asleep\nlimits:").replace(
        "Exploring", "```starlark\n```\nExploring"
    )
    with pytest.raises(Malformed) as wrong:
        rules.parse(text, "lair-actions", "lair.md")
    assert [problem.where.line for problem in wrong.value.problems] == [3, 13]


def test_front_matter_must_be_a_mapping() -> None:
    with pytest.raises(Malformed, match="no mapping"):
        rules.parse("---\n- title\n---\n", "x")


def test_prose_cannot_smuggle_in_mechanics() -> None:
    with pytest.raises(Refused, match="second block"):
        rules.checked(Rule("x", "X", {}, "Good.\n\n```starlark\nbad = 1\n```", "good = 1"))
    with pytest.raises(Refused, match="read back"):
        rules.checked(Rule("x", "X", {}, "Good.\n\n```starlark\nbad = 1\n```", ""))


def test_an_open_fence_in_prose_is_refused() -> None:
    with pytest.raises(Refused, match="not closed"):
        rules.checked(Rule("x", "X", {}, "~~~", "good = 1"))


def test_mechanics_cannot_smuggle_in_prose() -> None:
    rule = Rule("x", "X", {}, "Prose.", 'DOC = """\n```\n"""')
    assert rules.checked(rule) == rule


def test_a_title_in_the_declarations_is_refused() -> None:
    with pytest.raises(Refused):
        rules.checked(Rule("x", "X", {"title": "Y"}, "", ""))


def test_front_lines_tell_where_a_key_stands() -> None:
    assert rules.front_lines(LAIR)["limits", "daily"] == 4


texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], include_characters=" \n`~-#"))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | texts,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc_", min_size=1), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@examples()
@given(texts, st.dictionaries(st.sampled_from(["limits", "on", "terms", "when"]), values), texts, texts)
def test_a_rule_reads_back_as_it_was_written_or_is_refused(
    title: str, front: dict[str, object], prose: str, mechanics: str
) -> None:
    rule = Rule("x", title, front, rules.trimmed(prose), rules.trimmed(mechanics))  # type: ignore[arg-type]
    try:
        found = rules.checked(rule)
    except Refused:
        return
    assert found == rule
    assert rules.render(found) == rules.render(rule)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["A word.", "- item", "", "```text", "```", "def f(): pass", "---"])))
def test_parsing_what_was_rendered_changes_nothing(lines: list[str]) -> None:
    try:
        rule = rules.parse("---\ntitle: X\n---\n" + "\n".join(lines), "x")
    except Malformed:
        return
    assert rules.parse(rules.render(rule), "x") == rule
