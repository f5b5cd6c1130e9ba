"""From a branch to changes: what each kind of difference is said as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.branching import HOME, RULES, VOTES, Desk, Files, rule

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.shapes import malformed
from nomicgit.outlook.branches import shown, still_gives
from nomicgit.outlook.branches.expressed import unsaid
from nomicgit.outlook.branches.sides import Sides
from nomicgit.physics.deeds.matters import content_hash
from nomicgit.physics.numbers import NEWEST
from nomicgit.record.proof import same_law

VOTES_AT, GEAR_AT, TEA_AT, MOON_AT = (
    "1-core/10-votes.md",
    "2-dynastic/10-gear.md",
    "2-dynastic/20-tea.md",
    "2-dynastic/30-moon.md",
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "rules")


def amend(slug: str, **body: Any) -> dict[str, Any]:
    return {"amend": {"rule": slug, **body}}


def proven(desk: Desk, files: Files) -> list[Any]:
    """The changes of a branch: well formed, and carried out they give just its rules."""
    found = desk.says(files)
    assert [why for change in found.changes for why in malformed(change)] == []
    assert found.hash == content_hash(found.changes)
    done = desk.enacted(found)
    assert done.whole
    assert same_law(done.ruleset, desk.ruleset(files))
    return list(found.changes)


# ---- prose


def test_a_sentence_that_is_replaced_is_quoted_whole(desk: Desk) -> None:
    files = {TEA_AT: rule(TEA_AT, ("drunk", "brewed"))}
    assert proven(desk, files) == [
        amend("tea", replace="Tea is drunk.", **{"with": "Tea is brewed."}, whole=True)
    ]


def test_a_sentence_that_goes(desk: Desk) -> None:
    files = {VOTES_AT: rule(VOTES_AT, ("\nIt counts at once.", ""))}
    assert proven(desk, files) == [amend("votes", remove="It counts at once.", whole=True)]


def test_a_sentence_that_comes_has_two_places(desk: Desk) -> None:
    files = {VOTES_AT: rule(VOTES_AT, ("once.\nA vote", "once.\nNobody votes twice.\nA vote"))}
    assert proven(desk, files) == [
        amend(
            "votes", add="Nobody votes twice.", after="A player may vote once.",
            before="A vote may be changed within {{limits.daily.gap}}.",
        )
    ]  # fmt: skip


def test_a_sentence_that_moves_is_one_change(desk: Desk) -> None:
    files = {
        VOTES_AT: rule(
            VOTES_AT, ("\nIt counts at once.", ""), ("A player may", "It counts at once.\nA player may")
        )
    }
    assert proven(desk, files) == [
        amend("votes", move="It counts at once.", before="A player may vote once.")
    ]


def test_a_block_of_its_own_stands_below_another(desk: Desk) -> None:
    files = {TEA_AT: RULES[TEA_AT] + "\nMilk comes last.\n"}
    assert proven(desk, files) == [amend("tea", add="Milk comes last.", below="Tea is drunk.")]


def test_an_item_of_a_list(desk: Desk) -> None:
    files = {GEAR_AT: rule(GEAR_AT, ("- A coat.", "- A cane.\n- A coat."))}
    assert proven(desk, files) == [amend("gear", add="- A cane.", after="- A hat.", before="- A coat.")]


def test_sentences_beside_one_that_stands_twice_are_taken_with_it(tmp_path: Path) -> None:
    desk = Desk(
        tmp_path, {"2-dynastic/10-howl.md": "---\ntitle: Howl\n---\nHowl.\nOnce.\nSleep.\n\nEat.\nOnce.\n"}
    )
    [change] = desk.changes(
        {"2-dynastic/10-howl.md": "---\ntitle: Howl\n---\nHowl.\nTwice.\nSleep.\n\nEat.\nOnce.\n"}
    )
    assert change["amend"]["replace"].split("\n") in (["Howl.", "Once."], ["Once.", "Sleep."])


def test_prose_that_was_empty(tmp_path: Path) -> None:
    desk = Desk(tmp_path, {"2-dynastic/10-howl.md": "---\ntitle: Howl\n---\n"})
    assert desk.changes({"2-dynastic/10-howl.md": "---\ntitle: Howl\n---\nHowl.\n"}) == [
        amend("howl", add="Howl.")
    ]


# ---- declarations


def test_a_leaf_is_set_with_what_it_was(desk: Desk) -> None:
    files = {VOTES_AT: rule(VOTES_AT, ("gap: 10h", "gap: 12h"))}
    wanted = {"set": {"limits.daily.gap": "12h"}, "was": {"limits.daily.gap": "10h"}}
    assert proven(desk, files) == [amend("votes", **{"in": "declarations"}, **wanted)]


def test_lists_that_only_gain_or_lose_are_added_to(desk: Desk) -> None:
    files = {VOTES_AT: rule(VOTES_AT, ("[tally]", "[quorum]"))}
    [change] = proven(desk, files)
    assert change["together"] == [
        amend("votes", **{"in": "declarations"}, remove={"overrides": ["tally"]}),
        amend("votes", **{"in": "declarations"}, add={"overrides": ["quorum"]}),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("overrides: [tally]\n", ""),
        ("overrides: [tally]\n", "overrides: [tally]\ncatalogues: {odd: {a.b: {}, 'say \"x\"': {of: player}}}\n"),
        ("overrides: [tally]\n", "overrides: {tally: null, quorum: null}\n"),
        ("limits:\n  daily: {per: day, gap: 10h}\n", "limits:\n  daily: {per: day}\n"),
        ("overrides: [tally]\n", "overrides: null\n"),
        ("overrides: [tally]\n", "overrides: [tally]\nempty: {}\n"),
        ("type: boolean", "type: boolean, default: null"),
        ("overrides: [tally]\n", "overrides: [tally]\ncatalogues: {odd: {x: {y: [1, 1.0, {z: null}]}}}\n"),
    ],
)  # fmt: skip
def test_front_matter_of_every_shape(desk: Desk, old: str, new: str) -> None:
    proven(desk, {VOTES_AT: rule(VOTES_AT, (old, new))})


# ---- mechanics


def test_functions_come_go_and_change_one_by_one(desk: Desk) -> None:
    files = {VOTES_AT: rule(VOTES_AT, ("return 3", "return 4"), ('ICONS = ["for", "against"]\n\n', ""))}
    [change] = proven(desk, files)
    body = change["amend"]
    assert body["set"] == {"ICONS": None, "quorum": "def quorum():\n    return 4"}
    assert set(body["was"]) == {"ICONS", "quorum"}


def test_a_comment_that_belongs_to_no_function_is_said_with_the_whole(desk: Desk) -> None:
    found = desk.says({VOTES_AT: rule(VOTES_AT, ("ICONS =", "# Here are icons.\n\nICONS ="))})
    assert [set(change["amend"]) for change in found.changes] == [{"rule", "mechanics", "was"}]
    assert found.told == ("the mechanics of the rule votes could only be said as a whole",)


def test_all_edits_of_one_rule_are_made_together(desk: Desk) -> None:
    files = {
        VOTES_AT: rule(
            VOTES_AT, ("title: Votes", "title: Ballots"), ("return 3", "return 4"), ("at once", "later")
        )
    }
    [change] = proven(desk, files)
    assert [next(iter(part)) for part in change["together"]] == ["rename", "amend", "amend"]


# ---- the tree of rules


def test_new_rules_with_their_subrules_parents_first(desk: Desk) -> None:
    files = {
        "2-dynastic/15-sun/10-noon.md": "---\ntitle: Noon\n---\nHigh.\n",
        "2-dynastic/15-sun.md": "---\ntitle: Sun\n---\n",
    }
    assert proven(desk, files) == [
        {
            "add-rule": {
                "title": "Sun",
                "text": "",
                "slug": "sun",
                "section": "dynastic",
                "before": "tea",
            }
        },
        {"add-rule": {"title": "Noon", "text": "High.", "section": "dynastic", "under": "sun"}},
    ]


def test_a_rule_that_moves(desk: Desk) -> None:
    files = {GEAR_AT: None, "2-dynastic/40-gear.md": RULES[GEAR_AT]}
    assert proven(desk, files) == [{"move": {"rule": "gear", "section": "dynastic", "under": None}}]


def test_a_rule_that_goes_takes_its_subrules_along_last(desk: Desk) -> None:
    files = {VOTES_AT: None, "1-core/10-votes/10-icons.md": None, TEA_AT: rule(TEA_AT, ("drunk", "hot"))}
    assert [next(iter(change)) for change in proven(desk, files)] == ["amend", "repeal"]


def test_a_function_that_goes_to_another_rule_goes_in_one_change(desk: Desk) -> None:
    files = {
        GEAR_AT: RULES[GEAR_AT] + "\n```starlark\ndef quorum():\n    return 3\n```\n",
        VOTES_AT: rule(VOTES_AT, ("def quorum():\n    return 3\n\n", "")),
    }
    [change] = proven(desk, files)
    assert [part["amend"]["rule"] for part in change["together"]] == ["votes", "gear"]


def test_the_status_of_a_special_case_rule(desk: Desk) -> None:
    path = "3-special-case/10-favours.md"
    assert proven(desk, {path: rule(path, ("rare: true", "rare: true\nstatus: active"))}) == [
        {"status": {"favours": "active"}}
    ]


@pytest.mark.slow
def test_prefixes_that_keep_the_order_line_ends_style_and_flow_are_no_change(desk: Desk) -> None:
    loose = "\ufeff" + VOTES.replace(
        "daily: {per: day, gap: 10h}", "daily:\n    gap: '10h'\n    per: \"day\""
    )
    files = {
        VOTES_AT: loose.replace("once.\nA vote", "once. A\nvote").replace("\n", "\r\n"),
        TEA_AT: None,
        "2-dynastic/25-tea.md": RULES[TEA_AT],
    }
    with pytest.raises(Refused, match="this branch changes no rule"):
        desk.says(files)


def test_a_slug_that_the_title_does_not_give_is_written_out(desk: Desk) -> None:
    [change] = proven(desk, {"2-dynastic/40-howling.md": "---\ntitle: Night\n---\nHowl.\n"})
    assert change["add-rule"]["slug"] == "howling"


# ---- scenarios, comments, moved bases


def test_scenarios_are_brought_and_taken_out(desk: Desk) -> None:
    home = "game/scenarios/moon.yml"
    head = desk.commit(desk.base, {home: "name: Moon\nsteps: []\n"})
    assert still_gives(
        desk.repository, [{"scenario": {"name": "moon", "text": "name: Moon\nsteps: []\n"}}], desk.base, head
    )
    assert still_gives(desk.repository, [{"scenario": {"name": "moon", "text": None}}], head, desk.base)


def test_comments_in_front_matter_are_told_to_be_lost(desk: Desk) -> None:
    found = desk.says(
        {
            VOTES_AT: rule(
                VOTES_AT, ("overrides: [tally]", "overrides: [tally]  # of course"), ("return 3", "return 4")
            )
        }
    )
    assert found.told == (
        "game/ruleset/1-core/10-votes.md:7: the comment “# of course” in the front matter is not kept",
    )


def test_a_branch_on_a_new_base_still_gives_the_same(desk: Desk) -> None:
    edit = {TEA_AT: rule(TEA_AT, ("drunk", "brewed"))}
    found = desk.says(edit)
    onward = desk.commit(desk.base, {HOME + MOON_AT: rule(MOON_AT, ("shines", "glows"))})
    rebased = desk.commit(onward, {HOME + path: text for path, text in edit.items()})
    assert still_gives(desk.repository, found.changes, onward, rebased)
    more = desk.commit(rebased, {HOME + GEAR_AT: rule(GEAR_AT, ("worn", "torn"))})
    assert not still_gives(desk.repository, found.changes, onward, more)


def test_an_evil_merge_hides_nothing(desk: Desk) -> None:
    """What a merge commit alone brings is in no difference to either parent, and is seen all the same."""
    found = desk.says({TEA_AT: rule(TEA_AT, ("drunk", "brewed"))})
    side = desk.commit(desk.base, {})
    tree = desk.repository.tree_with(
        desk.repository.commit(found.head).tree, {"game/state/game.yml": b"{}\n"}
    )
    body = f"tree {tree}\nparent {found.head}\nparent {side}\nauthor T <t@e> 0 +0000\ncommitter T <t@e> 0 +0000\n\nevil\n"
    merge = desk.repository.write("commit", body.encode())
    with pytest.raises(Exception, match="a branch does not touch the gamestate"):
        from_base(desk.repository, desk.base, merge)


def from_base(repository: Repository, base: str, head: str) -> object:
    from nomicgit.outlook.branches import changes_of

    return changes_of(repository, base, head)


# ---- two proposals


BOTH = [
    (VOTES_AT, ("may vote once", "may vote twice"), ("may be changed", "may be withdrawn")),
    (
        VOTES_AT,
        ("voted: {", "howled: {of: player}\n  voted: {"),
        ("voted: {", "slept: {of: player}\n  voted: {"),
    ),
    (VOTES_AT, ("[tally]", "[tally, quorum]"), ("[tally]", "[tally, veto]")),
    (VOTES_AT, ("return 3", "return 4"), ("return True", "return False")),
    (GEAR_AT, ("- A hat.", "- A wig.\n- A hat."), ("- A coat.", "- A coat.\n- A cane.")),
]
SEEN = [
    ("vote twice", "be withdrawn"),
    ("howled", "slept"),
    ("quorum", "veto"),
    ("return 4", "False"),
    ("wig", "cane"),
]


@pytest.mark.parametrize(
    ("path", "one", "other", "seen"), [(*both, seen) for both, seen in zip(BOTH, SEEN, strict=True)]
)
def test_two_proposals_on_neighbours_are_both_enacted(
    desk: Desk, path: str, one: tuple[str, str], other: tuple[str, str], seen: tuple[str, str]
) -> None:
    first, second = desk.says({path: rule(path, one)}), desk.says({path: rule(path, other)})
    for pair in ((first, second), (second, first)):
        done = desk.enacted(*pair)
        assert done.whole
        assert all(words in done.ruleset.texts[path] for words in seen)


@pytest.mark.parametrize("prefix", [15, 40])
def test_two_rules_at_one_place_stand_in_the_order_of_enactment(desk: Desk, prefix: int) -> None:
    both = [
        desk.says({f"2-dynastic/{prefix}-sun.md": f"---\ntitle: Sun\n---\nIt {verb}.\n"})
        for verb in ("burns", "sets")
    ]
    for first, second in (both, both[::-1]):
        done = desk.enacted(first, second)
        assert done.whole
        found = [each for each in done.ruleset.rules if each.title == "Sun"]
        assert [each.slug for each in found] == ["sun", "sun-2"]
        assert found[0].prose == first.changes[0]["add-rule"]["text"]


def test_an_equal_edit_has_nothing_to_do_the_second_time(desk: Desk) -> None:
    files = {
        VOTES_AT: rule(VOTES_AT, ("return 3", "return 4"), ("at once", "later"), ("gap: 10h", "gap: 9h"))
    }
    once, twice = desk.enacted(desk.says(files)), desk.enacted(desk.says(files), desk.says(files))
    assert twice.whole
    assert twice.ruleset == once.ruleset


def test_an_edit_of_what_has_been_changed_meanwhile_is_skipped_whole(desk: Desk) -> None:
    first = desk.says({VOTES_AT: rule(VOTES_AT, ("return 3", "return 4"))})
    second = desk.says({VOTES_AT: rule(VOTES_AT, ("return 3", "return 5"), ("at once", "later"))})
    done = desk.enacted(first, second)
    assert [why.split(" ", 1)[1] for why in done.whys if why] == ["has been changed meanwhile"]
    assert "at once" in done.ruleset.texts[VOTES_AT]


def test_changes_are_shown_for_people(desk: Desk) -> None:
    [change] = desk.changes(
        {VOTES_AT: rule(VOTES_AT, ("title: Votes", "title: Ballots"), ("at once", "later"))}
    )
    assert list(shown(change)) == [
        "rule votes",
        "  + title: Ballots",
        "  - It counts at once.",
        "  + It counts later.",
    ]


def _plain(title: str, text: str) -> str:
    return f"---\ntitle: {title}\n---\n{text}\n"


def test_what_cannot_be_said_as_changes_is_told_with_the_files_of_its_rules() -> None:
    old = {
        "1-core/10-tea.md": _plain("Tea", "A player may brew."),
        "1-core/20-moon.md": _plain("Moon", "It shines."),
    }
    new = old | {
        "1-core/10-tea.md": _plain("Tea", "A player may pour."),
        "1-core/30-sun.md": _plain("Sun", "It burns."),
    }
    both = Sides(Ruleset.read(old), Ruleset.read(new), {}, frozenset(), NEWEST)
    first = list(unsaid(both, []))
    assert [each.where.file for each in first] == [
        "game/ruleset/1-core/10-tea.md",
        "game/ruleset/1-core/30-sun.md",
    ]
    turned = {"1-core/10-moon.md": old["1-core/20-moon.md"], "1-core/20-tea.md": old["1-core/10-tea.md"]}
    [order] = unsaid(Sides(Ruleset.read(old), Ruleset.read(turned), {}, frozenset(), NEWEST), [])
    assert order.where.file == "game/ruleset/1-core/10-moon.md"
