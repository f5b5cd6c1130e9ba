"""The words as a transaction lends them to the law."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import Signature, signature
from typing import Any

from nomicgit.ground.problems import Defect, Malformed
from nomicgit.physics.physics import Word
from nomicgit.physics.state.transaction import Transaction


class Lent(dict[str, Callable[..., Any]]):
    """The words by their names, each made when it is first asked for."""

    def __init__(self, world: Transaction) -> None:
        super().__init__()
        self.world = world

    def __missing__(self, name: str) -> Callable[..., object]:
        word = self[name] = _Word(self.world, name, self.world.physics.words[name])
        return word


class _Word:
    """A word as the law calls it: what the law hands in wrongly is a defect of the law."""

    __slots__ = ("name", "names", "word", "world")

    def __init__(self, world: Transaction, name: str, word: Word) -> None:
        self.world, self.name, self.word, self.names = world, name, word.call, word.names

    def __call__(self, *arguments: object, **named: object) -> object:
        for given in arguments[: self.names]:
            if not isinstance(given, str):
                raise Defect.of(f"{self.name}: {given!r} is no reference or name")
        try:
            return self.word(self.world, *arguments, **named)
        except Malformed as error:
            raise Defect(*error.problems) from error

    @property
    def __signature__(self) -> Signature:
        return signature(partial(self.word, self.world))
