"""What a physics is: all that the program does with a deed, as one value with a number.

``game/game.yml`` names the number. What a physics means never changes: a new word, or another bound, is another number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from inspect import Signature, signature
from typing import Any

from msgspec import Struct, field

from nomicgit.ground.problems import Defect, Malformed
from nomicgit.law.law import Law, law_of
from nomicgit.law.linking import Language
from nomicgit.law.merging import Declarations
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Outcome


class Word(Struct, frozen=True):
    """A word of the mechanics. Its function takes the transaction first.

    ``names``: how many of its first arguments are references or names, and so texts. ``roster``: it counts players as the
    file that uses it does, which it is told as ``view``. ``large``: what it gives crosses to the law as text.
    """

    call: Callable[..., Any]
    names: int = 0
    roster: bool = False
    large: bool = False


class Lent(dict[str, Callable[..., Any]]):
    """The words as a transaction, their ``world``, lends them to the law; each is made when it is first asked for."""

    def __init__(self, words: Mapping[str, Word], world: object) -> None:
        super().__init__()
        self.words, self.world = words, world

    def __missing__(self, name: str) -> Callable[..., object]:
        word = self[name] = _Word(name, self.words[name], self.world)
        return word


class _Word:
    """A word as the law calls it: what the law hands in wrongly is a defect of the law."""

    __slots__ = ("call", "name", "names", "world")

    def __init__(self, name: str, word: Word, world: object) -> None:
        self.name, self.call, self.names, self.world = name, word.call, word.names, world

    def __call__(self, *arguments: object, **named: object) -> object:
        for given in arguments[: self.names]:
            if not isinstance(given, str):
                raise Defect.of(f"{self.name}: {given!a} is no reference or name")
        try:
            return self.call(self.world, *arguments, **named)
        except Malformed as error:
            raise Defect(*error.problems) from error

    @property
    def __signature__(self) -> Signature:
        return signature(partial(self.call, self.world))


class Bounds(Struct, frozen=True):
    """How much a deed may do. ``fuel``: about as many words, for a deed, for each event of the clock and for each change of a
    matter; replay, where fuel decides nothing, gives ``replayed`` times as much. ``rounds`` of settles in a unit. An event of
    the clock may fall due ``at_once`` times at one instant; the events of one function happen ``turns`` times in a deed,
    which is 27 years of days, and take ``spent`` of fuel in all; all of them rest once the deed has ``said`` so many bytes,
    and it says twice that at most. Calls of the law by words nest ``nesting`` deep; so many ``dice`` are rolled at once. A
    post takes so many ``comments``, and of their texts and icons so many ``letters`` beyond the ``short`` ones, so that its
    file can be read.
    """

    fuel: int = 1_000_000
    replayed: int = 10
    rounds: int = 100
    at_once: int = 100
    turns: int = 10_000
    spent: int = 10_000_000
    said: int = 1_000_000
    nesting: int = 64
    dice: int = 10_000
    comments: int = 20_000
    letters: int = 1_000_000
    short: int = 100


Form = Callable[..., None]
"""How a form of change is carried out on a transaction, with what stands under it. It raises Refused where it cannot be."""


class Physics(Struct, frozen=True, eq=False, dict=True):
    """One physics. What the modules of this package would have to call above themselves is handed in.

    ``forms`` gives the forms of change, which load when the first is carried out. ``decide`` is the order of a deed;
    ``bind`` binds a matter to the changes that were written into it.
    """

    number: int
    words: Mapping[str, Word]
    declarations: Declarations
    forms: Callable[[], Mapping[str, Form]]
    decide: Callable[..., Outcome]
    identify: Callable[..., str]
    describe: Callable[..., Mapping[str, Any]]
    show: Callable[..., object]
    bind: Callable[..., None]
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
