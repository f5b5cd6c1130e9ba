"""What a physics is: all that the program does with a deed, as one value with a number.

``game/game.yml`` names the number. What a physics means never changes: a new word, or another bound, is another number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from nomicgit.law.law import Law, law_of
from nomicgit.law.linking import Language
from nomicgit.law.merging import Declarations
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Outcome


class Word(NamedTuple):
    """A word of the mechanics. Its function takes the transaction first.

    ``names``: how many of its first arguments are references or names, and so texts. ``roster``: it counts players as the
    file that uses it does, which it is told as ``view``. ``large``: what it gives crosses to the law as text.
    """

    call: Callable[..., Any]
    names: int = 0
    roster: bool = False
    large: bool = False


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a deed may do. ``fuel``: about as many words, for a deed and for each event of the clock; replay, where fuel
    decides nothing, gives ``replayed`` times as much. ``rounds`` of settles in a unit. An event of the clock may fall due
    ``at_once`` times at one instant; the events of one function happen ``turns`` times in a deed, which is 27 years of
    days, and take ``spent`` of fuel in all. Calls of the law by words nest ``nesting`` deep; so many ``dice``
    are rolled at once.
    """

    fuel: int = 1_000_000
    replayed: int = 10
    rounds: int = 100
    at_once: int = 100
    turns: int = 10_000
    spent: int = 10_000_000
    nesting: int = 64
    dice: int = 10_000


Form = Callable[..., str]
"""How a form of change is carried out on a transaction, with what stands under it: nothing, or why it is not. It may raise Refused."""


@dataclass(frozen=True, eq=False)
class Physics:
    """One physics. What the modules of this package would have to call above themselves is handed in.

    ``forms`` gives the forms of change, which load when the first is carried out. ``decide`` is the order of a deed.
    """

    number: int
    words: Mapping[str, Word]
    declarations: Declarations
    forms: Callable[[], Mapping[str, Form]]
    decide: Callable[..., Outcome]
    identify: Callable[..., str]
    describe: Callable[..., Mapping[str, Any]]
    show: Callable[..., object]
    lend: Callable[..., Mapping[str, Callable[..., Any]]]
    leave: Callable[..., None]
    bounds: Bounds = field(default_factory=Bounds)

    @cached_property
    def language(self) -> Language:
        """Its words, as linking and compiling ask for them."""
        rosters = frozenset(name for name, word in self.words.items() if word.roster)
        large = frozenset(name for name, word in self.words.items() if word.large)
        return Language(self.number, frozenset(self.words), rosters, large, self.bounds.nesting)

    def law(self, ruleset: Ruleset) -> Law:
        """A ruleset as law under this physics."""
        return law_of(ruleset, self.language, self.declarations)
