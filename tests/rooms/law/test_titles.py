"""Titles of rules and of posts: short, and what they seem to be; one door for both."""

from __future__ import annotations

import unicodedata

import pytest
from hostile.small import Small

from nomicgit.ground.problems import Refused
from nomicgit.law.rules import title_problem
from nomicgit.law.titles import LONGEST

FINE = (
    "Haste",
    "[Core] Haste",
    "Ĝis la revido, Zoë",
    "Спешка и Haste",
    "月",
    "α-test",
    "🜏 x² + 1 µ",
    "T" * LONGEST,
)
WRONG = {
    "H\u0430ste": "two scripts",  # a Cyrillic a
    "H\u03bfpe": "two scripts",  # a Greek o
    "Ha\u200bste": "U+200B",
    "Ha\u202este": "U+202E",
    "Ha\u00adste": "U+00AD",
    "T" * (LONGEST + 1): "at most 256 letters",
}


@pytest.mark.parametrize("title", FINE)
def test_a_title_of_any_one_script_is_fine(title: str) -> None:
    assert title_problem(title) == ""


@pytest.mark.slow
def test_no_title_of_a_post_or_a_rule_is_too_long_or_seems_to_be_another(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    game = Small.found(tmp_path_factory.mktemp("titles") / "game")
    for title, why in WRONG.items():
        assert title_problem(title), title
        with pytest.raises(Refused, match=why.replace("+", r"\+")):
            game.do("cy", "story", title=title, body="x")
    game.do("cy", "story", title="\u2764\ufe0f Love", body="x")
    kept = str(game.value("posts/1 title"))
    assert [unicodedata.name(each) for each in kept[:2]] == ["HEAVY BLACK HEART", "SPACE"]
