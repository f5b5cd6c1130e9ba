"""Checks of how words and functions are called, by looking: what lacks a value, hands one too many, or one of another kind,
breaks as soon as somebody gets there, and trying does not get everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from nomicgit.ground.nearness import nearest
from nomicgit.law.definitions import Token, definitions, text_of
from nomicgit.law.law import Law
from nomicgit.law.linking import PREFIX
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.calling import Amiss, Function, Takes, called, shown
from nomicgit.outlook.checks.finding import Finding, error, in_rule
from nomicgit.outlook.checks.handed import Call, literal
from nomicgit.outlook.checks.named import header_of
from nomicgit.outlook.checks.rewritten import Writing
from nomicgit.outlook.checks.wanted import (
    LIST,
    NUMBER,
    REF,
    RESULTS,
    SPAN,
    TEXT,
    TIME,
    WANTED,
    Wanted,
    kind_of,
    suits,
)
from nomicgit.physics.numbers import KNOWN, NEWEST

Said = tuple[str, str]  # what is wrong, what to write
ASTRAY: Mapping[str, str] = {
    TIME: 'write now(), or a time as "2021-06-07T12:00:00Z"', SPAN: "write it as \"12h\", of mo w d h m s",
    REF: 'write a reference there, such as actor, "game" or "players/NAME"', LIST: "write a list there: [a, b]",
    NUMBER: "write a number there",
}  # fmt: skip


def misused(law: Law) -> Iterator[Finding]:
    """Calls of words and functions that break whenever they are made."""
    for placed, line, _, (what, mend) in _amiss(law):
        yield error(in_rule(law, placed.slug, what, mend, line))


def disordered(law: Law) -> set[tuple[str, int]]:
    """The files and lines of calls that hand over something in another's place: what else is said of them follows from that."""
    return {(placed.file, line) for placed, line, astray, _ in _amiss(law) if astray}


def _amiss(law: Law) -> Iterator[tuple[Placed, int, bool, Said]]:
    """Each such call: its rule, its line, whether it hands over something in another's place, and what is said of it."""
    words, functions = _words(law.language.physics), _functions(law)
    for placed in law.active:
        own = _private(placed)
        names = {**functions, **own, **words}
        for function, call in called(placed.mechanics, frozenset(names)):
            at = _Call(law, placed, function, call, names[call.word])
            said = at.of_word() if call.word in words else at.of_function()
            if said is not None:
                yield placed, placed.line + 1 + placed.mechanics.count("\n", 0, call.at), *said


@cache
def _words(number: int) -> Mapping[str, Takes]:
    """What the words of a physics take."""
    words = KNOWN.get(number, NEWEST).words
    return {name: Takes.of_word(name, word) for name, word in words.items()}


def _functions(law: Law) -> Mapping[str, Takes]:
    """What the public functions of all rules take; not those that several define who take others."""
    there: dict[str, list[Takes]] = {}
    for placed in law.active:
        for name in law.scanned(placed).functions:
            there.setdefault(name, []).append(_of_definition(placed, name))
    same = {name: each[0] for name, each in there.items() if all(one[1:3] == each[0][1:3] for one in each)}
    return {name: takes for name, takes in same.items() if not name.startswith(PREFIX)}


def _private(placed: Placed) -> Mapping[str, Takes]:
    there = [each.name for each in definitions(placed.mechanics) if each.kind == "function"]
    return {name: _of_definition(placed, name) for name in there}


def _of_definition(placed: Placed, name: str) -> Takes:
    return Takes.of_function(header_of(text_of(placed.mechanics, name) or ""))


class _Call(NamedTuple):
    """A call in its function, and what is taken there."""

    law: Law
    placed: Placed
    function: Function
    call: Call
    takes: Takes

    @property
    def text(self) -> str:
        return self.placed.mechanics

    def of_function(self) -> tuple[bool, Said] | None:
        """What is amiss in the call of a function that mechanics define."""
        amiss, call = Amiss.of(self.takes, self.call), self.call
        if amiss.fits:
            return None
        if amiss.lacking:
            what = f"{call.word} is not handed {_and(amiss.lacking)}"
        elif amiss.beyond:
            what = f"{call.word} takes {_values(self.takes.most or 0)}, and is handed {len(call.given)}"
        else:
            what = f"{call.word} takes no {amiss.strange[0]}"
        return False, (what, f"write {self._as_defined(amiss)}, as its def takes it")

    def _as_defined(self, amiss: Amiss) -> str:
        """The call as a function's definition takes it: what it lacks by the names that it has there."""
        given = [shown(self.text, part) for part in self.call.given[: self.takes.most]]
        named = {name: shown(self.text, part) for name, part in self.call.named.items()}
        for name in amiss.strange:
            value = named.pop(name)
            close = nearest(name, [each for each in self.takes.names if each not in named])
            named |= {close[0]: value} if close else {}
        lacking = [name for name in amiss.lacking if name not in named]
        given += lacking if not named else [f"{name}={name}" for name in lacking]
        return (
            f"{self.call.word}({', '.join([*given, *(f'{name}={value}' for name, value in named.items())])})"
        )

    def of_word(self) -> tuple[bool, Said] | None:
        """What is amiss in the call of a word."""
        amiss, word, takes = Amiss.of(self.takes, self.call), self.call.word, self.takes
        writing = Writing(self.law, self.text, self.function, self.call, takes, amiss)
        wrong = self._wrong(writing)
        if wrong is not None and not amiss.beyond and not amiss.lacking:
            n, part = wrong
            wants = writing.wants(n)
            if self._is_uncalled(part):
                return True, (
                    f"{word} is handed {part[0][1]}, a word that is called",
                    self._called(part[0][1], wants),
                )
            what = f"{word} takes {wants.kind} as {wants.noun}, and is handed {shown(self.text, part)}"
            return True, (what, self._remedy(writing, part, wants))
        if amiss.fits:
            return None
        write = f"write {writing.written()}"
        if amiss.lacking:
            wanted = [WANTED[word][n].noun for n in writing.unfilled()]
            named = [f"{name}={shown(self.text, self.call.named[name])}" for name in amiss.strange]
            if wanted or not named:
                wanted = wanted or [WANTED[word][takes.positions.index(each)].noun for each in amiss.lacking]
                return bool(named) or wrong is not None, (f"{word} is not handed {_and(wanted)}", write)
            return True, (f"{word} takes no {amiss.strange[0]}", write)
        if amiss.beyond and takes.others:
            more = [shown(self.text, part) for part in self.call.given[-amiss.beyond :]]
            return True, (f"{word} takes all else by its name, and is handed {_and(more)} without one", write)
        if amiss.beyond:
            most = _values(takes.most or 0)
            one = ", or to one player alone tell(player, text)" if word == "note" else ""
            return True, (f"{word} takes {most}, and is handed {len(self.call.given)}", write + one)
        return True, (f"{word} takes no {amiss.strange[0]}", write)

    def _wrong(self, writing: Writing) -> tuple[int, Sequence[Token]] | None:
        """What is handed over in a place where something of another kind is wanted, with the number of the place."""
        positions, word = self.takes.positions, self.call.word
        placed = [*enumerate(self.call.given)]
        placed += [
            (positions.index(name), part) for name, part in self.call.named.items() if name in positions
        ]
        if any(part[0][1] in ("*", "**") for part in self.call.given):
            return None
        for n, part in placed:
            spare, wants = n < len(positions) and positions[n] not in self.takes.needed, writing.wants(n)
            if self._is_uncalled(part):
                return n, part
            named = wants.kind == REF and any(
                name == literal(part) for _, name in self.law.declared.variables
            )
            if named or not suits(part, wants, word, actor=writing.actor, spare=spare):
                return n, part
        return None

    def _is_uncalled(self, part: Sequence[Token]) -> bool:
        """Whether something that is handed over is a word that is not called."""
        name = part[0][1] if len(part) == 1 else ""
        return name in self.law.language.words and name not in self.function.own

    def _called(self, name: str, wants: Wanted) -> str:
        """What to write in place of a word that is handed over without its brackets."""
        if RESULTS.get(name) == LIST and wants.kind == REF:
            return f"write for each in {name}(): {self.call.word}(each, …)"
        return f"write {name}({', '.join(each.example for each in WANTED.get(name, ())[:1])})"

    def _remedy(self, writing: Writing, part: Sequence[Token], wants: Wanted) -> str:
        """What to write where something of another kind is handed over."""
        kind = kind_of(part, actor=writing.actor)
        if kind == LIST and wants.kind == REF:
            each = shown(self.text, part)
            rest = [shown(self.text, more) if more is not part else "each" for more in self.call.given]
            rest += [f"{name}={shown(self.text, more)}" for name, more in self.call.named.items()]
            return f"write for each in {each}: {self.call.word}({', '.join(rest)})"
        written = writing.written()
        if kind == TIME or (
            wants.kind == TIME and wants.example in written and kind == TEXT and len(self.call.given) == 1
        ):
            return ASTRAY.get(wants.kind, f"write {wants.example} there")
        return f"write {written}"


def _values(number: int) -> str:
    return "nothing" if not number else "one value" if number == 1 else f"{number} values"


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
