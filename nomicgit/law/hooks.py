"""Hooks: what runs a function of a rule without being asked for by an action, each kind a value of its own, made by
itself from what a rule declares.

Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct

from nomicgit.ground.clock import Calendar, instant
from nomicgit.ground.problems import Malformed, Problem
from nomicgit.law.declaring import Author, Spec, flag, refuse_slash, underscored
from nomicgit.law.variables import kind_of_all


class Guard(Struct, frozen=True):
    """What may refuse deeds: it stands before the actions that ``on`` selects and ``besides`` does not.

    An ``attempt`` is asked last of all, and what it says ends the deed as done.
    """

    name: str
    rule: str
    function: str
    section: str
    on: Any
    besides: Any
    attempt: bool

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> Guard:
        if "on" not in o:
            what = f"guards.{name}.on: it does not say what it stands before"
            raise Malformed.of(what, mend="write on: all, or a list of actions")
        for chosen in (o["on"], o.get("except")):
            refuse_slash(f"guards.{name}", *(chosen if isinstance(chosen, list) else ()))
        return cls(
            *by.hook(name), by.section, o["on"], o.get("except", ()), flag(o, "attempt", f"guards.{name}")
        )


class Filter(Struct, frozen=True):
    """What changes what is written to a variable; ``whose`` it is, in the words of declarations: player, matter, …"""

    name: str
    rule: str
    function: str
    section: str
    whose: str
    variable: str

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> Filter:
        whose, variable = needed(o, "filters", name, "of", "variable")
        return cls(*by.hook(name), by.section, whose, underscored(variable))


class Settle(Struct, frozen=True):
    """What follows a unit, for each entity of which something has changed that it ``watches``, if the variable ``where``
    holds anything.
    """

    name: str
    rule: str
    function: str
    whose: str
    watches: tuple[str, ...]
    where: str

    @property
    def kind(self) -> str:
        """The kind of those entities."""
        return kind_of_all(self.whose)

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> Settle:
        (whose,) = needed(o, "settles", name, "of")
        watches = tuple(underscored(str(w)) for w in o.get("watches") or ())
        return cls(*by.hook(name), whose, watches, underscored(str(o.get("where", ""))))


class Recurring(Struct, frozen=True):
    """What happens by the clock, ``every`` so often."""

    name: str
    rule: str
    function: str
    every: str
    at_founding: bool


class Timed(Struct, frozen=True):
    """What happens to each entity ``at`` the time that its variable holds, if the variable ``where`` holds anything."""

    name: str
    rule: str
    function: str
    whose: str
    at: str
    where: str
    at_founding: bool

    @property
    def kind(self) -> str:
        """The kind of those entities."""
        return kind_of_all(self.whose)


Scheduled: TypeAlias = Recurring | Timed


def scheduled(by: Author, name: str, o: Spec) -> Scheduled:
    """A scheduled function as its rule declares it."""
    founding = flag(o, "at_founding", f"schedule.{name}", True)
    if "every" in o:
        if beside := [key for key in ("of", "at", "where") if key in o]:
            what = f"schedule.{name}: with every it happens for nobody in particular, and {' and '.join(beside)} would say nothing"
            mend = f"take {' and '.join(beside)} out, or write of and at in place of every"
            raise Malformed.of(what, mend=mend)
        try:
            Calendar().next_due(str(o["every"]), 0)
        except Malformed as error:
            raise Malformed(error.problems[0].of_part(f"schedule.{name}.every")) from error
        return Recurring(*by.hook(name), str(o["every"]), founding)
    if "of" not in o and "at" not in o:
        what = f"schedule.{name}: it does not say when"
        raise Malformed.of(what, mend="write every: day 06:00, or of and at")
    if "of" not in o:
        what = f"schedule.{name}: it does not say whose {o['at']} it waits for"
        raise Malformed.of(what, mend="write of: player beside it, or of what else it is")
    if "at" not in o:
        what = f"schedule.{name}: it does not say at which time of each {o['of']}"
        raise Malformed.of(what, mend="write at: and the name of a variable that holds a time")
    if _is_time(str(o["at"])):
        what = f"schedule.{name}: {o['at']} is a time itself, and at names a variable that holds one"
        mend = "write every: in place of of and at" if _is_recurring(str(o["at"])) else (
            "declare a variable of type: datetime, write its name, and put the time there")  # fmt: skip
        raise Malformed.of(what, mend=mend)
    at, where = underscored(str(o["at"])), underscored(str(o.get("where", "")))
    return Timed(*by.hook(name), str(o["of"]), at, where, founding)


def _is_time(at: str) -> bool:
    """Whether what names a variable is a time, written as people write one."""
    try:
        instant(at)
    except Malformed:
        return _is_recurring(at)
    return True


def _is_recurring(at: str) -> bool:
    try:
        Calendar().next_due(at, 0)
    except Malformed:
        return False
    return True


class Listener(Struct, frozen=True):
    """What hears of an event, whose name it has."""

    name: str
    rule: str
    function: str


class View(Struct, frozen=True):
    """What is worked out where somebody looks: of the game, or of each entity of a kind."""

    name: str
    rule: str
    function: str
    whose: str

    @classmethod
    def of(cls, by: Author, name: str, o: Spec) -> View:
        """A view as its rule declares it; its function has its own name."""
        plain = underscored(name)
        return cls(plain, by.slug, by.link(plain), str(o.get("of", "game")))


Hook: TypeAlias = Guard | Filter | Settle | Recurring | Timed | Listener | View
"""All that runs a function of a rule without being asked for by an action."""


def needed(o: Spec, key: str, name: str, *options: str) -> tuple[str, ...]:
    """Options that a declaration cannot do without; Malformed where one is missing."""
    missing = (each for each in options if each not in o)
    if wrong := [
        Problem(f"{key}.{name}.{each}: it is missing", mend=f"write {each}: under {name}") for each in missing
    ]:
        raise Malformed(*wrong)
    return tuple(str(o[each]) for each in options)
