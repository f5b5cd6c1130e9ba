"""Canonical prose, and edits by quotes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.depth import examples

from nomicgit.law import prose
from nomicgit.law.placing import Places
from nomicgit.law.sentences import canonical, sentences

RULE = """\
A room costs 3 Puissance.
The “Lord” pays it within {{limits.daily.gap}}.

- A hall is free.
  Its owner says so.
    - A small hall is not.
- A vault costs double.

| Room | Cost |
|------|------|
| hall | none |

> Build wisely.

Nobody pays twice."""


def edited(edit: prose.Edit) -> str:
    assert edit.outcome == "applied", edit.reason
    return edit.text


# ---- the canonical form


def test_every_sentence_has_a_line() -> None:
    assert (
        canonical("One is\nhere. Two  is there! Is three? Yes…\n")
        == "One is here.\nTwo is there!\nIs three?\nYes…"
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "See e.g. Rule 3, i.e. Votes.",
        "Mr. Holmes meets Dr. Watson.",
        "Let it be N. Then N counts.",
        "It is No. 5 of ten.",
        "He asked “why?” and left.",
        "Write `a. B` there.",
        "It is {{game.motto. Yes}} here.",
        "It costs 3. - 2 is not enough.",
        "He said it. # Not a heading.",
        "That is all. 1. is no item.",
    ],
)
def test_these_are_one_sentence(sentence: str) -> None:
    assert sentences(sentence) == [sentence]


@pytest.mark.parametrize(
    "text",
    [
        "He said “no.”|Then he left.",
        "It is done.)|“Really?”|Yes.",
        "It costs 3.|5 is too much.",
        "No.|It is not.",
        "It is **bold.**|It ends.",
        "Quote it.|{{terms.players}} read it.",
    ],
)
def test_these_are_several_sentences(text: str) -> None:
    assert sentences(text.replace("|", " ")) == text.split("|")


def test_blocks_are_parted_by_one_blank_line() -> None:
    assert canonical("# Head\nText.\n\n\n> Quote.\nMore.\n***\nEnd.") == (
        "# Head\n\nText.\n\n> Quote.\n\nMore.\n\n***\n\nEnd."
    )


def test_items_are_marked_alike_and_nested_by_four() -> None:
    assert canonical("It is:\n* one. Really.\n  * inner\n    goes on\n* two\n\n\n* three") == (
        "It is:\n\n- one. Really.\n    - inner goes on\n- two\n- three"
    ).replace("one. Really.", "one.\n  Really.")


def test_numbered_items_all_begin_with_one() -> None:
    assert canonical("1) a\n2) b\n\n- c") == "1. a\n1. b\n\n- c"


def test_a_number_in_running_text_begins_no_list() -> None:
    assert canonical("It was in\n1984. That was so.") == "It was in 1984.\nThat was so."


def test_a_paragraph_of_an_item_stays_in_it() -> None:
    assert canonical("- a\n\n  More of it. And more.\n- b") == "- a\n\n    More of it.\n    And more.\n\n- b"


def test_tables_and_fences_stay_line_by_line() -> None:
    text = "a | b\n--|--\n1. x | 2. Y\n\n```text\n  A. B.\n\n\n# C\n```"
    assert canonical(text) == text


def test_an_underlined_heading_becomes_one_with_signs() -> None:
    assert canonical("Head\n====\nText") == "# Head\n\nText"


MARKS = """a The foo. Bar! - * + 1. 5. 1984. # ## > | a|b --- *** === ``` ~~~ `x. y` {{a. b}} e.g. A. …
”Q.” (Z.) [r]: _ --|-- :- . No. **b.**"""
SCRAPS = st.lists(
    st.sampled_from(MARKS.split()) | st.sampled_from(["\n", "\n\n", "\n    ", "\n  "]), max_size=16
)


def words(text: str) -> list[str]:
    """The words of a text, but for what numbers an item, or might: behind other words on a line it numbers none."""
    return re.findall(r"[^\W_]+", re.sub(r"\b\d{1,9}[.)](?=\s+\S)", "", text))


@pytest.mark.slow
@examples()
@given(SCRAPS.map(" ".join))
def test_the_canonical_form_of_canonical_prose_is_itself(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)


@pytest.mark.slow
@examples()
@given(st.lists(st.text("aB1.!?()\"'’“” \n", min_size=1)).map("".join))
def test_no_word_is_lost_or_made(text: str) -> None:
    assert words(canonical(text)) == words(text)


# ---- replace


def test_a_quote_is_replaced() -> None:
    assert edited(prose.replace(RULE, "3 Puissance", "4 Puissance")) == RULE.replace("3 P", "4 P")


def test_white_space_and_kinds_of_quotation_marks_do_not_count() -> None:
    text = edited(prose.replace(RULE, 'costs  3\nPuissance. The "Lord" pays', "is free; a Lord pays"))
    assert text.startswith("A room is free; a Lord pays it within")


def test_a_blank_line_in_a_quote_meets_only_a_blank_line() -> None:
    assert prose.replace(RULE, "Puissance.\n\nThe “Lord”", "x").outcome == "skipped"
    assert prose.replace(RULE, "wisely.\n\nNobody pays", "badly.\n\nAll pay").outcome == "applied"
    assert prose.replace(RULE, "wisely. Nobody pays", "x").outcome == "skipped"


def test_only_whole_words_are_met() -> None:
    assert prose.replace("Roomy rooms.", "room", "hall").outcome == "skipped"


def test_a_quote_that_stands_there_several_times_is_skipped() -> None:
    edit = prose.replace(RULE, "costs", "takes")
    assert (edit.outcome, edit.reason) == (
        "skipped",
        "“costs” stands there 2 times; quote more, so that it is found once",
    )


def test_a_quote_that_is_gone_is_skipped() -> None:
    assert (
        prose.replace(RULE, "A room costs 9", "Rooms cost 9").reason
        == "“A room costs 9” does not stand there"
    )


def test_what_stands_there_already_is_nothing_to_do() -> None:
    once = edited(prose.replace("A. Zoo. Be.", "Zoo.", "Zoo. Bee."))
    assert prose.replace(once, "Zoo.", "Zoo. Bee.").outcome == "nothing"


def test_whole_sentences_may_be_demanded() -> None:
    assert (
        prose.replace(RULE, "A room costs 3 Puissance.", "Rooms are free.", whole=True).outcome == "applied"
    )
    assert "changed meanwhile" in prose.replace(RULE, "A room costs 3", "Rooms cost 4", whole=True).reason
    assert "changed meanwhile" in prose.replace(RULE, "A room costs 5 Puissance.", "x", whole=True).reason


def test_a_quote_that_falls_into_a_quoted_declaration_is_told_which_to_amend() -> None:
    edit = prose.replace(RULE, "within {{limits", "x")
    assert edit.reason.endswith("amend the declaration limits.daily.gap instead")
    edit = prose.replace(RULE, "pays it within 10 hours.", "x", look={"limits.daily.gap": "10 hours"}.get)
    assert edit.reason.endswith("amend the declaration limits.daily.gap instead")


def test_a_sentence_with_a_quoted_declaration_is_replaced_as_a_whole() -> None:
    edit = prose.replace(RULE, "pays it within {{limits.daily.gap}}.", "pays.")
    assert "The “Lord” pays.\n" in edited(edit)


def test_a_sentence_replaced_by_a_list_does_not_swallow_the_next() -> None:
    assert edited(prose.replace("Aa. Bb. Cc.", "Bb.", "- x\n- y", whole=False)).startswith("Aa.")
    text = canonical("Aa. Bb. Cc.")
    assert edited(prose.replace(text, "Bb.", "- x\n- y", whole=True)) == "Aa.\n\n- x\n- y\n\nCc."


def test_an_item_is_replaced_by_items() -> None:
    text = edited(
        prose.replace(RULE, "A small hall is not.", "- Small ones cost.\n- Tiny ones too.", whole=True)
    )
    assert "    - Small ones cost.\n    - Tiny ones too.\n- A vault" in text


# ---- remove


def test_a_sentence_is_removed() -> None:
    assert edited(prose.remove(RULE, "A room costs 3 Puissance.")).startswith("The “Lord”")


def test_a_removed_item_leaves_no_mark_behind() -> None:
    assert edited(prose.remove(RULE, "A vault costs double.")) == RULE.replace(
        "- A vault costs double.\n", ""
    )


def test_an_item_keeps_what_is_not_removed() -> None:
    assert "- Its owner says so.\n    - A small" in edited(prose.remove(RULE, "A hall is free."))


def test_the_mark_of_an_item_stays_where_more_of_it_stays() -> None:
    assert "\n\n- Its owner says so.\n    - A small" in edited(prose.remove(RULE, "- A hall is free."))
    assert "\n\n- It is.\n  Its owner" in edited(prose.replace(RULE, "- A hall is free.", "It is."))


def test_a_row_is_removed() -> None:
    assert edited(prose.remove(RULE, "| hall | none |")) == RULE.replace("| hall | none |\n", "")


def test_an_absent_quote_is_nothing_to_remove() -> None:
    assert prose.remove(RULE, "A cellar").outcome == "nothing"


# ---- add


@pytest.mark.parametrize(
    ("places", "lines"),
    [
        (Places(after="3 Puissance"), ["A room costs 3 Puissance.", "So it is.", "The “Lord” pays"]),
        (Places(before="A vault"), ["- So it is.", "  A vault costs double."]),
        (Places(below="A vault"), ["- A vault costs double.", "", "So it is.", "", "| Room | Cost |"]),
        (Places(above="Build"), ["| hall | none |", "", "So it is.", "", "> Build wisely."]),
        (Places(after="Build"), ["> Build wisely.", "> So it is."]),
        (Places(after="gone", below="twice"), ["Nobody pays twice.", "", "So it is."]),
        (Places(after="costs", at="start"), ["So it is.", "", "A room costs 3 Puissance."]),
        (Places(at="end"), ["Nobody pays twice.", "", "So it is."]),
        (Places(), ["Nobody pays twice.", "", "So it is."]),
    ],
)  # fmt: skip
def test_a_passage_is_put_where_it_is_said(places: Places, lines: list[str]) -> None:
    added = prose.add(RULE, "So it is.", places)
    assert "\n".join(lines) in edited(added)
    assert prose.add(added.text, "So it is.", places).outcome == "nothing"


def test_an_item_is_put_beside_a_whole_item() -> None:
    text = edited(prose.add(RULE, "- A cellar is dark.", Places(after="A hall is free.")))
    assert "    - A small hall is not.\n- A cellar is dark.\n- A vault" in text


def test_a_row_is_put_beside_a_row() -> None:
    assert "| hall | none |\n| den | 2 |\n" in edited(
        prose.add(RULE, "| den | 2 |", Places(after="| hall | none |"))
    )


def test_a_passage_whose_places_are_gone_is_skipped() -> None:
    edit = prose.add(RULE, "So it is.", Places(after="gone", before="costs"))
    assert (edit.outcome, edit.reason) == ("skipped", "the place is not found: “gone” does not stand there")


def test_the_first_passage_of_an_empty_rule() -> None:
    assert edited(prose.add("", "Aa. Bb.")) == "Aa.\nBb."


# ---- move


def test_a_sentence_moves() -> None:
    text = edited(prose.move(RULE, "Nobody pays twice.", Places(before="A room costs")))
    assert text.startswith("Nobody pays twice.\nA room costs 3 Puissance.\n")
    assert text.endswith("> Build wisely.")


def test_an_item_moves_with_its_mark() -> None:
    text = edited(prose.move(RULE, "A vault costs double.", Places(before="A hall is free.")))
    assert "- A vault costs double.\n- A hall is free." in text


def test_an_item_that_moves_into_a_paragraph_becomes_a_sentence() -> None:
    text = edited(prose.move(RULE, "A vault costs double.", Places(after="3 Puissance.")))
    assert "3 Puissance.\nA vault costs double.\nThe “Lord”" in text


def test_what_stands_there_already_does_not_move() -> None:
    assert prose.move(RULE, "A room costs 3 Puissance.", Places(before="The “Lord”")).outcome == "nothing"


def test_nothing_moves_where_its_place_or_a_whole_sentence_is_missing() -> None:
    assert prose.move(RULE, "Nobody pays twice.", Places(after="gone")).outcome == "skipped"
    assert prose.move(RULE, "Nobody pays", Places(after="3 Puissance.")).outcome == "skipped"
    assert prose.move(RULE, "Nobody pays twice.", Places(after="Nobody pays")).outcome == "skipped"


UNITS = st.lists(
    st.sampled_from(["Aa bb.", "Cc dd.", "Ee ff.", "Gg hh.", "\n\n", "\n\n- ", "\n\n> "]), min_size=1
)


@pytest.mark.slow
@examples()
@given(
    UNITS,
    st.sampled_from(["Aa bb.", "Cc dd."]),
    st.sampled_from(["Xx yy.", "Aa bb. Xx yy.", "- xx\n- yy", ""]),
)
def test_an_edit_made_twice_changes_nothing_more(units: list[str], quote: str, new: str) -> None:
    text = canonical(" ".join(units))
    places = Places(after="Ee ff.", below="Gg hh.", at="end")
    edits: list[Callable[[str], prose.Edit]] = [
        lambda old: prose.replace(old, quote, new, whole=True),
        lambda old: prose.add(old, new, places),
        lambda old: prose.move(old, quote, places),
        lambda old: prose.remove(old, quote, whole=True),
    ]
    for edit in edits:
        once = edit(text)
        assert once.text == canonical(once.text)
        assert edit(once.text).outcome != "applied"
        assert (once.outcome == "applied") == (once.text != text)
