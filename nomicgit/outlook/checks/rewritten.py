"""Calls as their author would have written them: what is handed over in the places where it belongs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from nomicgit.ground.nearness import nearest
from nomicgit.law.definitions import DEEPER, Token
from nomicgit.law.law import Law
from nomicgit.outlook.checks.calling import Amiss, Function, Takes, shown
from nomicgit.outlook.checks.habits import SINGLE
from nomicgit.outlook.checks.handed import Call, literal
from nomicgit.outlook.checks.wanted import (
    LIST,
    NUMBER,
    REF,
    SPAN,
    TEXT,
    VARIABLE,
    WANTED,
    Wanted,
    is_number_in_quotes,
    kind_of,
    suits,
    suits_well,
)

MOST = 5  # values whose order is tried
_DICE = re.compile(r"(\d*)d(\d+)", re.IGNORECASE)
_SPAN = re.compile(r"(-?\d+)\s*(mo|w|d|h|m|s)[a-z]*", re.IGNORECASE)
Part = Sequence[Token]
_ASKING = re.compile(r"(\w+)\s*(==|=|!=|<=|>=|<|>)\s*(\w+)")


class Writing(NamedTuple):
    """A call of a word in its function, what the word takes, and what is amiss."""

    law: Law
    text: str
    function: Function
    call: Call
    takes: Takes
    amiss: Amiss

    @property
    def actor(self) -> bool:
        """Whether whoever acts is called ``actor`` there."""
        first = [word for _, word, _ in self.function.tokens[3:4]]
        return first == ["actor"]

    def wants(self, n: int) -> Wanted:
        """What the word wants in a place; anything where it takes any number."""
        wants = WANTED[self.call.word]
        return wants[n] if n < len(wants) else Wanted("a value", "", "x")

    def written(self) -> str:
        """The call as it would do, as far as that can be seen; with examples for what it lacks."""
        if dice := self._dice():
            return dice
        if searched := self._searched():
            return searched
        if self.takes.others and self.amiss.beyond:
            return self._paired()
        values = self._values()
        if self.wants(0).kind == LIST and len(values) > 1 == len(self.takes.positions):
            return self._whole([f"[{', '.join(self._shown(each) for each in values)}]"])
        if self._gives_variable():
            name = self.amiss.strange[0]
            return self._whole(
                [*map(self._shown, self.call.given), f'"{name}"', self._shown(self.call.named[name])]
            )
        if (
            self.amiss.beyond
            and self.takes.positions
            and self.wants(len(self.takes.positions) - 1).kind == TEXT
        ):
            first = len(self.takes.positions) - 1
            rest = self.call.given[first:]
            joined = f'"{" ".join(["%s"] * len(rest))}" % ({", ".join(map(self._shown, rest))})'
            return self._whole([*map(self._shown, self.call.given[:first]), joined])
        return self._ordered(values[:MOST])

    def _dice(self) -> str:
        """What is written for dice: ``roll("2d6")``, ``roll(2, 6)``."""
        word, given = self.call.word, self.call.given
        if not word.endswith("roll"):
            return ""
        several = word.replace("roll", "dice")
        if len(given) == 2 and given[0][0][1] in ("-", "0") and len(given[0]) < 3:
            return self._within(*map(self._shown, given))
        if len(given) == 2:
            return f"total({several}({self._shown(given[0])}, {self._shown(given[1])}))"
        if given and (sides := _DICE.fullmatch(literal(given[0]))):
            many = sides[1] not in ("", "1")
            return f"total({several}({sides[1]}, {sides[2]}))" if many else f"{word}({sides[2]})"
        return ""

    def _within(self, least: str, most: str) -> str:
        """A die from a number below one to another, as other languages draw it: ``randint(-3, 3)``."""
        below = least.removeprefix("-").strip()
        if below == "0":
            return f"{self.call.word}({most} + 1) - 1"
        sides = f"2 * {most}" if below == most else f"{most} + {below}"
        return f"{self.call.word}({sides} + 1) - {below} - 1"

    def _searched(self) -> str:
        """What is written for what is asked of each that is found: ``find("trees", "fruit > 1")``."""
        given = self.call.given
        named = literal(given[0]) if self.call.word == "get" and len(given) == 1 else ""
        if named == "players":
            return "players()"
        if named in self.law.declared.collections:
            return f'find("{named}")'
        asks = _ASKING.fullmatch(literal(given[1])) if self.call.word == "find" and len(given) == 2 else None
        if asks is None:
            return ""
        name, sign, value = asks.groups()
        kind = self._shown(given[0])
        if sign in ("=", "=="):
            return f"find({kind}, {name}={value})"
        return f'[each for each in find({kind}) if get(each, "{name}") {sign} {value}]'

    def _gives_variable(self) -> bool:
        """Whether a variable is named as put names it, where its name stands in quotes: ``gain(actor, coins=1)``."""
        n = len(self.call.given)
        return (
            len(self.amiss.strange) == 1
            and len(self.amiss.lacking) == 2
            and self.wants(n).kind == VARIABLE
            and any(name == self.amiss.strange[0] for _, name in self.law.declared.variables)
        )

    def _near(self, name: str) -> str:
        """The name that was meant, of those by which a word is handed something."""
        close = nearest(name, self.takes.names)
        return close[0] if close and close[0] not in self.call.named else ""

    def _paired(self) -> str:
        """A call with what it hands over without a name under one."""
        base = len(self.takes.needed)
        kept, more = [*map(self._shown, self.call.given[:base])], self.call.given[base:]
        if self.call.word in ("do", "can"):
            action = self.law.declared.actions.get(literal(self.call.given[0]))
            names = [
                each
                for each in (action.parameters if action else ())
                if action and each in action.own and each not in self.call.named
            ]
            pairs = [
                f"{name}={self._shown(part)}"
                for name, part in zip([*names, *["…"] * len(more)], more, strict=False)
            ]
        else:
            pairs = [*self._pairs(more)]
        return self._whole([*kept, *pairs])

    def _pairs(self, more: Sequence[Part]) -> Iterator[str]:
        rest = list(more)
        while rest:
            part = rest.pop(0)
            name = literal(part) or (part[0][1] if len(part) == 1 and part[0][0] == "NAME" else "")
            if part[0][1] == "{":
                yield from self._entries(part) or ["name=…"]
            elif name and name.isidentifier() and rest and rest[0][0][1] != "{":
                yield f"{name}={self._shown(rest.pop(0))}"
            elif name and name.isidentifier():
                known = name in self.function.own and not literal(part)
                yield f"{name}={name}" if known else f"{name}=…"
            else:
                yield "name=…"

    def _entries(self, part: Part) -> list[str]:
        """The entries of a map that is written out, as what is handed over by its name."""
        depth, entries = 0, [list[Token]()]
        for token in part[1:-1]:
            depth += DEEPER.get(token[1], 0)
            if token[1] == "," and not depth:
                entries.append([])
            else:
                entries[-1].append(token)
        pairs = [(literal(each[:1]), each[2:]) for each in entries if len(each) > 2 and each[1][1] == ":"]
        sound = pairs and len(pairs) == len([each for each in entries if each])
        return (
            [f"{name}={self._shown(value)}" for name, value in pairs]
            if sound and all(n.isidentifier() for n, _ in pairs)
            else []
        )

    def unfilled(self) -> list[int]:
        """The places that a call leaves out, what it hands over being where it suits best."""
        placed = self._placed(self._values()[:MOST])
        named = {self.takes.positions.index(name) for name in self.call.named if name in self.takes.positions}
        return [n for n in range(len(self.takes.needed)) if n not in placed and n not in named]

    def _placed(self, values: Sequence[Part]) -> Mapping[int, Part]:
        """The values in the places that suit them best."""
        most = self.takes.most if self.takes.most is not None else MOST
        many = max(len(self.takes.needed), min(len(values), most))
        named = {self.takes.positions.index(name) for name in self.call.named if name in self.takes.positions}
        free = [n for n in range(max(many, len(self.takes.positions))) if n not in named][
            : max(many - len(named), 0)
        ]
        ways = permutations(free, min(len(values), len(free)))
        best = min(ways, key=lambda places: self._cost(values, places), default=())
        return dict(zip(best, values, strict=False))

    def _values(self) -> list[Part]:
        """What a call hands over, by a name that is not taken, too."""
        return [
            *self.call.given,
            *(self.call.named[name] for name in self.amiss.strange if not self._near(name)),
        ]

    def _ordered(self, values: Sequence[Part]) -> str:
        """The values in the places that suit them best, those that are left out as examples."""
        placed = self._placed(values)
        named = {name for name in self.call.named if name in self.takes.positions}
        last = max([*placed, len(self.takes.needed) - 1, -1])
        there = [
            n
            for n in range(last + 1)
            if self.takes.positions[n : n + 1] == () or self.takes.positions[n] not in named
        ]
        return self._whole([self._fixed(n, placed.get(n)) for n in there])

    def _cost(self, values: Sequence[Part], places: Sequence[int]) -> tuple[int, int, int]:
        """How badly values suit some places, how many changed theirs with another, and how far all of them were moved."""
        word = self.call.word
        misfits = sum(
            not suits_well(part, self.wants(n), word, actor=self.actor)
            for part, n in zip(values, places, strict=False)
        )
        turned = sum(a > b for n, a in enumerate(places) for b in places[n + 1 :])
        return misfits, turned, sum(abs(place - n) for n, place in enumerate(places))

    def _fixed(self, n: int, part: Part | None) -> str:
        """What stands in a place: what was handed over as it should be written, else an example."""
        wants = self.wants(n)
        if part is None:
            if wants.kind == REF and wants.example == "actor" and not self.actor:
                return self._reference()
            return self._own_variable() if wants.kind == VARIABLE else wants.example
        written = self._shown(part)
        if wants.kind == NUMBER and is_number_in_quotes(part):
            return written[1:-1]
        if wants.kind == SPAN and (said := _SPAN.fullmatch(literal(part))):
            return f'"{said[1]}{said[2].lower()}"'
        spare = n >= len(self.takes.needed)
        if suits(part, wants, self.call.word, actor=self.actor, spare=spare):
            return written
        if wants.kind == SPAN and part[-1][0] == "NUMBER":
            return f'"{_long(written)}"'
        if wants.kind == TEXT and kind_of(part, self.actor) == NUMBER:
            return f"str({written})"
        return wants.example

    def _reference(self) -> str:
        """A reference where nobody acts: what there is one of, if the variable is of that, or what the function is handed."""
        names = {literal(part) for part in self._values()}
        of = {each.of for each in self.law.declared.variables.values() if each.name in names}
        if len(of) == 1 and (one := next(iter(of))) in SINGLE:
            return f'"{one}"'
        kind, first, _ = self.function.tokens[3] if len(self.function.tokens) > 3 else ("", "", 0)
        return first if kind == "NAME" else "ref"

    def _own_variable(self) -> str:
        """A variable of which the function's rule speaks, as an example."""
        counts = any(wants.kind == NUMBER for wants in WANTED[self.call.word])
        names = [
            each.name
            for each in self.law.declared.variables.values()
            if f'"{each.name}"' in self.text and (not counts or each.type.kind in ("integer", "number"))
        ]
        return f'"{names[0]}"' if names else '"coins"'

    def _whole(self, values: Sequence[str]) -> str:
        """The call with these values, and what it hands over by a name that is taken."""
        kept: list[str] = []
        for name, part in self.call.named.items():
            meant = self._near(name) if name in self.amiss.strange else name
            kept += [f"{meant}={self._shown(part)}"] if meant else []
        return f"{self.call.word}({', '.join([*values, *kept])})"

    def _shown(self, part: Part) -> str:
        return shown(self.text, part)


def _long(number: str) -> str:
    """The span that a bare number seems to mean: of many, seconds, as other languages count, else days."""
    seconds = int(number) if number.isdecimal() else 0
    for unit, length in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= length and seconds % length == 0:
            return f"{seconds // length}{unit}"
    return f"{number}d"
