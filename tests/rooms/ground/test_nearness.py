"""A slip of the pen leads back to the word that was meant, and nothing that is far off is ever proposed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from nomicgit.ground.nearness import nearest

WORDS = (
    "propose",
    "resolve",
    "rehouse",
    "post",
    "roll",
    "vote",
    "favours",
    "correct-typo",
    "announce",
    "actions",
)


@pytest.mark.parametrize("word", WORDS)
def test_one_slip_leads_back(word: str) -> None:
    slips = {word[:n] + word[n + 1 :] for n in range(len(word))}
    slips |= {f"{word[:n]}x{word[n:]}" for n in range(len(word) + 1)}
    slips |= {f"{word[:n]}x{word[n + 1 :]}" for n in range(len(word))}
    slips |= {word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in range(len(word) - 1)}
    assert {tuple(nearest(slip, WORDS)) for slip in slips} == {(word,)}


def test_a_beginning_or_one_word_of_several_will_do() -> None:
    assert nearest("Announ", WORDS) == ["announce"]
    assert nearest("typo", WORDS) == ["correct-typo"]
    assert nearest("Correct Tpyo", WORDS) == ["correct-typo"]
    assert nearest("vot", ("vote", "voter", "veto"), 3) == ["vote", "voter"]


@pytest.mark.parametrize("word", ["qqqq", "flurb", "zorro", "#1", "", "x", "amount", "shopkeeper", "resent"])
def test_what_is_far_off_is_not_proposed(word: str) -> None:
    assert nearest(word, (*WORDS, "count"), 3) == []


def test_of_a_near_and_a_farther_word_the_near_one_is_proposed_alone() -> None:
    assert nearest("propse", WORDS, 3) == ["propose"]
    assert nearest("rool", WORDS, 3) == ["roll"]


def test_of_several_as_near_the_same_is_meant_whatever_order_a_set_has() -> None:
    """The order of a set hangs on where Python's hashes begin, which differs from one start to the next."""
    words = [f"{letter}eason" for letter in "rlptv"]
    for turn in range(len(words)):
        assert nearest("season", {*words[turn:], *words[:turn]}, 5) == nearest("season", sorted(words), 5)
    program = "from nomicgit.ground.nearness import nearest; print(nearest('season', {'reason', 'lesson', 'treason', 'seasan'}))"
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "0123"
    }
    assert len(said) == 1
