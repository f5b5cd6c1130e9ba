"""What a program asks that may be otherwise at its enactment: the time, who enacts it, what was said, dice.

What it does when it is tried need not be what it does then, and whoever votes on it is told so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from nomicgit.law.definitions import code
from nomicgit.physics.state.transaction import Transaction

TIME, WHO, BEFORE, SAID, DICE = (
    "the time",
    "who enacts it",
    "what is changed before it",
    "votes and comments",
    "dice",
)
_ALL: Final = (TIME, WHO, BEFORE, SAID, DICE)
_WORDS: Final = MappingProxyType({
    **dict.fromkeys(("now", "cast_at", "elapsed", "start_of"), TIME),
    **dict.fromkeys(("deed", "asked"), WHO),
    "changed": BEFORE,
    **dict.fromkeys(("comments", "votes", "ballots", "entries"), SAID),
    **{how + word: DICE for word in ("roll", "dice", "pick", "shuffle") for how in ("", "secretly_")},
})  # fmt: skip


@contextmanager
def heard(world: Transaction, asks: set[str]) -> Iterator[None]:
    """Take up what is asked meanwhile, by whatever it is asked."""
    thrown = world.thrown
    try:
        with world.recording() as frame:
            yield
    finally:
        looked = frame.whole()
        if looked.clocked or looked.instants or looked.times:
            asks.add(TIME)
        if looked.passing:
            asks.add(WHO)
        if any(field == "comments" for _, field in looked.reads):
            asks.add(SAID)
        if world.thrown > thrown:
            asks.add(DICE)


def worded(program: str) -> set[str]:
    """What a program asks by the words that stand in it, be it that it does not come to them when it is tried."""
    return {_WORDS[word] for kind, word, _ in code(program) if kind == "NAME" and word in _WORDS}


def hangs(asks: Collection[str]) -> str:
    """That what a program does may differ at its enactment; "" where it asks nothing of that kind."""
    named = [each for each in _ALL if each in asks]
    some = " and ".join(filter(None, [", ".join(named[:-1]), *named[-1:]]))
    return some and f"its program asks {some}: what it does may differ then"
