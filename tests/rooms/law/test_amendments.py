"""Changes of rules, carried out on a ruleset."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.depth import examples

from nomicgit.law.amendments import Amended, amend
from nomicgit.law.paths import digest
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.shapes import malformed

VOTES = """\
---
title: Votes
limits:
  daily: {per: day, gap: 10h}
overrides: [tally]
---
A player may vote once.
A vote may be changed within {{limits.daily.gap}}.

```starlark
ICONS = ["for", "against"]

def quorum():
    return 3

# Who may vote.
def may_vote(player):
    return True
```
"""
RULES = Ruleset.read({
    "1-core/10-players.md": (
        "---\ntitle: Assassins\nterms: {player: Assassin, players: Assassins, emperor: Referee}\n---\n"
        "An Assassin plays; the {{terms.emperor}} (Referee) judges.\n"
    ),
    "1-core/20-votes.md": VOTES,
    "1-core/20-votes/10-icons.md": "---\ntitle: Icons\n---\nAn icon is a vote.\n",
    "2-dynastic/10-gear.md": "---\ntitle: Gear\n---\nGear is bought.\n",
    "3-special-case/10-favours.md": "---\ntitle: Favours\nrare: true\n---\nFavours are owed.\n",
})  # fmt: skip
TERMS = {"player": "Assassin", "players": "Assassins", "emperor": "Referee"}


def carried(change: dict[str, Any], rules: Ruleset = RULES, used: tuple[str, ...] = ()) -> Amended:
    assert malformed(change) == []
    return amend(rules, change, used, terms=TERMS)


def applied(change: dict[str, Any], rules: Ruleset = RULES, used: tuple[str, ...] = ()) -> Ruleset:
    """The ruleset after a change, which must be applied, and have nothing to do a second time."""
    found = carried(change, rules, used)
    assert (found.outcome, found.reason) == ("applied", "")
    assert found.ruleset != rules
    again = carried(change, found.ruleset, (*used, *rules.by_slug))
    assert (again.outcome, again.ruleset) == ("nothing", found.ruleset)
    return found.ruleset


def skipped(change: dict[str, Any], rules: Ruleset = RULES, used: tuple[str, ...] = ()) -> str:
    """The reason of a change that must be skipped."""
    found = carried(change, rules, used)
    assert (found.outcome, found.ruleset) == ("skipped", rules)
    return found.reason


def votes(**given: Any) -> dict[str, Any]:
    return {"amend": {"rule": "Votes", **given}}


def declared(**given: Any) -> dict[str, Any]:
    return votes(**{"in": "declarations"}, **given)


def coded(**given: Any) -> dict[str, Any]:
    return votes(**{"in": "mechanics"}, **given)


# ---- adding rules


def test_a_rule_is_added_at_the_end_of_the_dynastic_section() -> None:
    rules = applied({"add-rule": {"title": "Moonlight", "text": "The moon shines. It is bright."}})
    assert (rules.find("2.2").slug, rules.find("2.2").prose) == (
        "moonlight",
        "The moon shines.\nIt is bright.",
    )


def test_a_rule_is_added_with_declarations_and_mechanics_in_its_place() -> None:
    change = {
        "title": "Ties", "text": "A tie fails.", "under": "Votes", "before": "Icons",
        "declares": {"overrides": ["quorum"]}, "mechanics": "def quorum():\n    return 4\n",
    }  # fmt: skip
    placed = applied({"add-rule": change}).by_slug["ties"]
    assert (placed.number, placed.front) == ("1.2.1", {"overrides": ["quorum"]})
    assert placed.mechanics == "def quorum():\n    return 4"


def test_a_slug_that_was_ever_used_is_not_used_again() -> None:
    found = carried({"add-rule": {"title": "Gear", "text": "More."}}, used=("gear-2",))
    assert found.slugs == ("gear-3",)


def test_an_equal_rule_is_nothing_to_add() -> None:
    found = carried({"add-rule": {"title": "Gear", "text": "Gear  is bought."}})
    assert (found.outcome, found.reason) == ("nothing", "there is such a rule already: 2.1 Gear")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"title": "X", "slug": "gear"}, "the slug gear is, or was, another rule's"),
        ({"title": "X", "slug": "old"}, "the slug old is, or was, another rule's"),
        ({"title": "X", "under": "Gone"}, "no rule is called 'Gone'"),
        ({"title": "X", "section": "attic"}, "there is no section 'attic'"),
        ({"title": "X\nY"}, "the title must be one line"),
        ({"text": "A rule without a name."}, "the title is missing"),
        ({"title": "X", "text": "```starlark\nx = 1\n```"}, "the rule would not read back as it is meant"),
        ({"title": "X", "mechanics": "x = (1"}, "the mechanics do not parse: line 1: ( is not closed"),
        ({"title": "X", "declares": {"title": "Y"}}, "a title is no declaration"),
    ],
)
def test_a_rule_that_cannot_be_added_is_skipped(change: dict[str, Any], reason: str) -> None:
    assert skipped({"add-rule": change}, used=("old",)).startswith(reason)


def test_a_rule_whose_neighbour_is_gone_comes_last() -> None:
    rules = applied({"add-rule": {"title": "X", "section": "core", "after": "Gone"}})
    assert rules.by_slug["x"].number == "1.3"


# ---- the tree


def test_a_rule_is_renamed_and_keeps_its_slug() -> None:
    assert applied({"rename": {"rule": "votes", "to": "Ballots"}}).find("Ballots").slug == "votes"


def test_a_rule_moves() -> None:
    rules = applied({"move": {"rule": "Gear", "section": "core", "before": "Votes"}})
    assert [each.slug for each in rules.rules] == ["players", "gear", "votes", "icons", "favours"]


def test_under_null_means_the_top_level_of_the_section() -> None:
    assert applied({"move": {"rule": "Icons", "under": None}}).by_slug["icons"].number == "1.3"


def test_a_rule_cannot_move_under_itself() -> None:
    assert "under itself" in skipped({"move": {"rule": "Votes", "under": "Icons"}})


def test_a_repeal_takes_the_subrules_along() -> None:
    found = carried({"repeal": "core/Votes"})
    assert (found.slugs, sorted(found.ruleset.by_slug)) == (
        ("votes", "icons"),
        ["favours", "gear", "players"],
    )


def test_a_repealed_rule_is_nothing_to_repeal_and_an_unknown_one_is_skipped() -> None:
    assert carried({"repeal": "old"}, used=("old",)).outcome == "nothing"
    assert skipped({"repeal": "Gone"}).startswith("no rule is called")


def test_a_special_case_rule_becomes_active() -> None:
    assert applied({"status": {"Favours": "active"}}).by_slug["favours"].status == "active"


def test_no_other_rule_becomes_inactive_and_then_none_does() -> None:
    reason = skipped({"status": {"Favours": "active", "Votes": "inactive"}})
    assert reason == "1.2 Votes is no special case rule; only these become active or inactive"


def test_new_terms_reach_declarations_titles_and_prose() -> None:
    placed = applied({"terms": {"player": "Sailor"}}).by_slug["players"]
    assert placed.title == "Sailors"
    assert placed.prose == "A Sailor plays; the {{terms.emperor}} (Referee) judges."
    assert placed.front["terms"] == {"player": "Sailor", "players": "Sailors", "emperor": "Referee"}


# ---- prose


def test_prose_is_replaced() -> None:
    assert (
        applied(votes(replace="vote once", **{"with": "vote twice"}))
        .by_slug["votes"]
        .prose.startswith("A player may vote twice.\n")
    )


def test_prose_is_removed_added_and_moved() -> None:
    rules = applied(votes(add="Votes are public.", after="may vote once"))
    rules = applied(votes(move="Votes are public.", before="A player"), rules)
    assert rules.by_slug["votes"].prose.startswith("Votes are public.\nA player may vote once.\n")
    rules = applied(votes(remove="A player may vote once.", whole=True), rules)
    assert rules.by_slug["votes"].prose.startswith("Votes are public.\nA vote")


def test_a_quote_of_what_a_declaration_says_is_told_which() -> None:
    def look(placed: Placed, path: str) -> str | None:
        return "10 hours" if (placed.slug, path) == ("votes", "limits.daily.gap") else None

    found = amend(RULES, votes(replace="within 10 hours", **{"with": "in a day"}), (), look=look)
    assert found.reason.endswith("amend the declaration limits.daily.gap instead")


def test_prose_cannot_smuggle_in_mechanics() -> None:
    assert skipped(votes(add="```starlark\ndef cheat(): pass\n```")).startswith("a second block of mechanics")


def test_an_ambiguous_or_unknown_rule_is_skipped() -> None:
    rules = applied({"rename": {"rule": "gear", "to": "Votes"}})
    assert "2 rules are called 'Votes'" in skipped(votes(remove="A player"), rules)
    assert "no rule is called 'Boats'" in skipped({"amend": {"rule": "Boats", "text": "x"}})


def test_the_whole_text_is_replaced_and_what_is_not_named_stays() -> None:
    placed = applied(votes(text="All is new. Really.")).by_slug["votes"]
    assert (placed.prose, placed.mechanics) == ("All is new.\nReally.", RULES.by_slug["votes"].mechanics)


def test_whole_mechanics_and_declarations_are_replaced() -> None:
    placed = applied(votes(mechanics="A = 1\n", declares={"overrides": ["b"]})).by_slug["votes"]
    assert (placed.mechanics, placed.front) == ("A = 1", {"overrides": ["b"]})


def test_a_whole_text_that_was_another_is_skipped() -> None:
    old = RULES.by_slug["votes"].prose
    applied(votes(text="New.", was={"text": digest(old, code=True)}))
    assert (
        skipped(votes(text="New.", was={"text": "Something else."})) == "its text has been changed meanwhile"
    )


# ---- declarations


def test_a_declaration_is_set_made_and_taken_out() -> None:
    change = {"limits.daily.gap": "12h", "limits.weekly.per": "week", "overrides": None}
    front = applied(declared(set=change)).by_slug["votes"].front
    assert front == {"limits": {"daily": {"per": "day", "gap": "12h"}, "weekly": {"per": "week"}}}


def test_a_path_may_quote_a_key_and_count_in_a_list() -> None:
    front = applied(declared(set={'words."A. B".x': 1, "overrides.0": "count"})).by_slug["votes"].front
    assert (front["words"], front["overrides"]) == ({"A. B": {"x": 1}}, ["count"])


@pytest.mark.parametrize("was", ["10h", digest("10h")])
def test_a_declaration_is_set_where_it_is_as_it_was(was: str) -> None:
    applied(declared(set={"limits.daily.gap": "12h"}, was={"limits.daily.gap": was}))


def test_a_declaration_that_was_another_is_skipped() -> None:
    change = declared(set={"limits.daily.gap": "12h"}, was={"limits.daily.gap": "9h"})
    assert skipped(change) == "limits.daily.gap has been changed meanwhile"
    assert "changed meanwhile" in skipped(declared(set={"limits.daily": {}}, was={"limits.daily": None}))


def test_a_whole_mapping_is_known_by_its_hash() -> None:
    was = digest(RULES.by_slug["votes"].front["limits"])
    applied(declared(set={"limits": {}}, was={"limits": was}))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("title", "a title is changed by `rename`"),
        ("limits.daily.gap.x", "limits.daily.gap.x: what it is a part of has no parts"),
        ("overrides.7", "overrides.7: the list has 1 elements"),
        ("status", "`status` is neither active nor inactive"),
    ],
)
def test_a_declaration_that_cannot_be_set_is_skipped(path: str, reason: str) -> None:
    assert skipped(declared(set={path: "asleep"})).startswith(reason)


def test_lists_are_extended_and_shortened() -> None:
    rules = applied(declared(add={"overrides": ["tally", "count"], "new.list": [1]}))
    assert rules.by_slug["votes"].front["overrides"] == ["tally", "count"]
    rules = applied(declared(remove={"overrides": ["tally", "other"]}), rules)
    assert rules.by_slug["votes"].front["overrides"] == ["count"]


def test_what_is_no_list_is_not_extended() -> None:
    assert skipped(declared(add={"limits.daily.gap": ["x"]})) == "limits.daily.gap is no list"


# ---- mechanics


def test_a_function_is_replaced_taken_out_and_added() -> None:
    change = {
        "quorum": "def quorum():\n    return 5", "may_vote": None, "_late": "def _late(): return False",
    }  # fmt: skip
    mechanics = applied(coded(set=change)).by_slug["votes"].mechanics
    assert mechanics == (
        'ICONS = ["for", "against"]\n\ndef quorum():\n    return 5\n\ndef _late(): return False'
    )


def test_a_function_that_was_another_is_skipped() -> None:
    old = "# Who may vote.\ndef may_vote(player):\n    return True"
    applied(coded(set={"may_vote": None}, was={"may_vote": old}))
    applied(coded(set={"may_vote": None}, was={"may_vote": digest(old, code=True)}))
    assert skipped(coded(set={"may_vote": None}, was={"may_vote": "def may_vote(): pass"})) == (
        "may_vote has been changed meanwhile"
    )


@pytest.mark.parametrize("text", ["def other(): pass", "def quorum(): pass\nX = 1", "1 + 1"])
def test_what_is_set_must_be_the_one_definition(text: str) -> None:
    assert skipped(coded(set={"quorum": text})) == "what is said for quorum is not its definition"


def test_exact_text_in_mechanics_is_replaced() -> None:
    assert "return 4" in applied(coded(replace="return 3", **{"with": "return 4"})).by_slug["votes"].mechanics


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "reason"),
    [
        ("return 9", "“return 9” does not stand there in the mechanics"),
        ("return", "“return” stands there 2 times in the mechanics"),
        ("quorum()", "the mechanics would not parse: line 3: ( is not closed"),
    ],
)
def test_text_that_is_not_there_once_or_leaves_code_open_is_skipped(old: str, reason: str) -> None:
    assert skipped(coded(replace=old, **{"with": "x("})).startswith(reason)


KEYS = st.sampled_from(
    ["rule", "replace", "with", "add", "remove", "move", "in", "set", "was", "text", "after", "to"]
)
VALUES = st.sampled_from(
    ["Votes", "A player", "", "mechanics", "declarations", True, None, 3, ["x"], {"quorum": "x"}]
)


@pytest.mark.slow
@examples()
@given(
    st.sampled_from(["amend", "move", "rename", "add-rule", "repeal"]),
    st.dictionaries(KEYS, VALUES, max_size=5),
)
def test_a_well_formed_change_never_fails_otherwise_than_by_being_skipped(
    form: str, given: dict[str, Any]
) -> None:
    change = {form: {"rule": "Votes", **given}}
    if not malformed(change):
        found = amend(RULES, change, ())
        assert found.outcome in ("applied", "nothing", "skipped")
        assert (found.outcome == "applied") == (found.ruleset != RULES)
