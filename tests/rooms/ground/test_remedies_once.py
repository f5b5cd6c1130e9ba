"""One remedy for several things that are wrong is told once, below the last of them."""

from __future__ import annotations

from nomicgit.ground.remedies import command, once, remedy

SYNC, SEE = (remedy(words, command("nomicgit", name)) for words, name in (("do:", "sync"), ("see:", "log")))


def test_commands_that_are_the_same_of_several_in_a_row_stand_with_the_last() -> None:
    assert once([SYNC, SYNC, SEE, SYNC]) == ["", SYNC, SEE, SYNC]
    assert once([SYNC, SYNC, SYNC]) == ["", "", SYNC]
    assert once([]) == []


def test_words_stay_with_each_for_they_stand_in_its_line() -> None:
    assert once(["write x", "write x", ""]) == ["write x", "write x", ""]
