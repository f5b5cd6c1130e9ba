"""Which known word somebody may have meant: one that a slip or two of the pen lead to, or of which they wrote the beginning."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

SLIPS = 3  # letters, the last ones perhaps fewer, of which one may be a slip
LONGEST, MANY = 60, 200  # letters of a word, and words, that a law may have compared without an end
SHORT = 3  # letters of a beginning, or of a word of several


def nearest(word: str, known: Iterable[str], number: int = 1) -> list[str]:
    """The known words that somebody may have meant who wrote this one: the nearest, and never one that is far off. Of several as
    near those that come first, in a set by the alphabet.
    """
    known = sorted(known) if isinstance(known, set | frozenset) else known
    far = {each: _apart(_plain(word), _plain(each)) for each in known}
    least = min(far.values(), default=0)
    near = [each for each, slips in far.items() if slips == least <= _most(word)]
    return [each for each in near if least < 2 or _plain(each)[:1] == _plain(word)[:1]][:number]


def slipped(word: str, known: Collection[str]) -> str:
    """The question whether one of a few words was meant, where a law may ask it as often as it likes; "" of none."""
    near = nearest(word, known) if len(word) <= LONGEST and len(known) <= MANY else []
    return f"did you mean {near[0]}?" if near else ""


def _most(word: str) -> int:
    return (len(word) + SLIPS - 1) // SLIPS


def _plain(word: str) -> str:
    return word.casefold().replace("_", "-").replace(" ", "-")


@lru_cache(4096)
def _apart(word: str, other: str) -> int:
    """How many slips lie between two words: a letter more, less or another, or two that changed places."""
    if len(word) >= SHORT and (other.startswith(word) or word in other.split("-")):
        return 1 if word != other else 0
    if abs(len(word) - len(other)) > _most(word):
        return len(word) + len(other)
    above, last = list[int](), list(range(len(other) + 1))
    for row, letter in enumerate(word, 1):
        line = [row]
        for column, wanted in enumerate(other, 1):
            slips = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != wanted))
            swapped = min(row, column) > 1 and letter == other[column - 2] and word[row - 2] == wanted
            line.append(min(slips, above[column - 2] + 1) if swapped else slips)
        above, last = last, line
    return last[-1]
