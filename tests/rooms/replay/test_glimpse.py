"""What is seen of a deed at a glance is what its message says when it is read whole."""

from __future__ import annotations

import pytest
from support.ids import named

from nomicgit.record import journal
from nomicgit.replay.glimpse import glimpse

NAME = named("x")
PLAIN = (
    "ana: roll DICE6\n\nNomic-Action: roll\nNomic-By: ana\nNomic-At: 2021-06-07T00:01:00Z\n"
    f"Nomic-Id: {NAME}\n"
)
EVIDENCE = 'Nomic-Evidence: {"events": ["comment-7"]}\n'


@pytest.mark.parametrize(
    ("text", "events"), [(PLAIN, ()), (PLAIN + EVIDENCE, ("comment-7",)), (PLAIN + "Nomic-Seed: 00\n", ())]
)
def test_a_glimpse_tells_what_the_whole_tells(text: str, events: tuple[str, ...]) -> None:
    deed = journal.parse(text).deed
    assert (deed.id, deed.at, tuple(deed.origin.events) if deed.origin else ()) == (NAME, 1623024060, events)
    seen = glimpse(text, sound=True)
    assert seen is not None
    assert (seen.id, seen.at, tuple(seen.events)) == (NAME, 1623024060, events)


@pytest.mark.parametrize(
    "text",
    ["ana: hello\n", PLAIN.replace("2021-06-07T", "soon"), PLAIN.replace("Nomic-At", "Nomic-On"), "Nomic-Id"],
)
def test_of_what_tells_of_no_deed_nothing_is_seen(text: str) -> None:
    assert glimpse(text, sound=True) is None


@pytest.mark.parametrize("wrong", ["Nomic-With: []", "Nomic-Seed: zz", "Nomic-Branch: main", "Nomic-By: eve"])
def test_what_only_pretends_to_be_a_deed_is_none_at_a_glance_where_it_was_set_aside(wrong: str) -> None:
    text = PLAIN + wrong + "\n"
    assert journal.told(text) is None
    assert glimpse(text, sound=False) is None
    seen = glimpse(PLAIN, sound=False)
    assert seen is not None
    assert seen.id == NAME
