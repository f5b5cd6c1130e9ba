"""Ways to change the law, played with the actions that players use: submitted, voted for, waited for, resolved.

A way is an action that takes changes, be it of a matter to be voted on or of a decree that is done at once.
Source: A law that bricks itself, in ``docs/architecture.md``.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Struct, field

from nomicgit.ground.problems import Defect, Exhausted, NomicError, Problem
from nomicgit.law.declarations import Action
from nomicgit.law.shapes import Change
from nomicgit.law.variables import Type
from nomicgit.physics.deeds import acting, clockwork
from nomicgit.physics.deeds.wishes import Wish, Wishes, name_of
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import QUESTION, SECONDS, Transaction

HOUR = 3600
WAITS = (1, HOUR, *(days * 24 * HOUR + HOUR for days in (0.5, 1, 2, 3, 4, 5, 6.5, 7.5, 10, 14)))
MOST_OLDER = 40  # matters that are cleared away before a new one
MOST_RESOLVERS = 3  # who are asked to resolve each of them, and idle admins who are asked at all
IN_VAIN = 10  # enactments that are taken back, for which a way is given up
TAKEN_BACK = 50  # and acts that had written anything
TAGS = ("Core", "Dynastic", "Special Case", "Appendix", "Glossary")


class Played(Struct):
    """What playing has shown: by each way the wishes that came about, and where nothing did what of the law broke; and of ways
    that were given up, what used up all that it was lent whoever resolved.

    ``vain``: by each way what of a deed's fuel is spent on what was refused, where an enactment that was taken back costs its
    share too. Once it is all spent the way is given up: another try would meet the same, and cost as much again. ``wasted``: the
    seconds of the processor's time of acts that were long in vain, by all ways; half of them the acts after have less. ``late``:
    whether time or memory has ended anything.
    """

    came: dict[str, list[Wish]] = field(default_factory=dict)
    broke: dict[str, Problem] = field(default_factory=dict)
    spent: dict[str, Problem] = field(default_factory=dict)
    vain: Counter[str] = field(default_factory=Counter)
    wasted: float = 0
    late: bool = False

    def all_came(self) -> list[Wish]:
        """The wishes that came about, by whichever way."""
        return [wish for came in self.came.values() for wish in came]

    def kinds(self) -> set[str]:
        """What kinds of change came about."""
        return {wish.kind for wish in self.all_came()}

    def broken(self) -> dict[str, Problem]:
        """The ways by which nothing came about because the law itself is broken, each with how."""
        return {way: why for way, why in self.broke.items() if not self.came.get(way)}


def play(world: Transaction, starts: Sequence[int], wanted: Wishes, share: float = 1) -> Played:
    """Play the ways of a law, beginning at one of these times (seconds from now), until what is wanted has come about.

    Every way is tried as long as it may be the law that breaks on it. ``share``: of its time, which each act has.
    """
    world, played = world.under(tried=share), Played()
    for start in starts:
        with _later(world, world.now + start) as starting:
            for way in _ways(world):
                if not (played.came.get(way.name) and wanted.granted(played.all_came())):
                    _Game(world, way, starting, played).play(wanted)
        if wanted.granted(played.all_came()) and not played.broken():
            break
    played.late = world.late
    return played


def glimpse(world: Transaction, start: int, wanted: Wishes) -> Played:
    """What playing shows, beginning at a time (seconds from now), until anything that is wanted has come about by any way.

    A way is given up where the law uses up all that it is lent whoever resolves: it would again after every wait.
    """
    world, played = world.under(tried=1), Played()
    with _later(world, world.now + start) as starting:
        for way in _ways(world):
            _Game(world, way, starting, played, hasty=True).play(wanted)
            if played.all_came():
                break
    return played


@contextmanager
def _later(world: Transaction, at: int) -> Iterator[int]:
    """Let a time come, for all that is played within; where that does not go, each of them meets it by itself."""
    with world.asking():
        with suppress(NomicError), world.savepoint():
            _wait(world, at)
        yield at


def _wait(world: Transaction, at: int) -> None:
    world.refuel()
    clockwork.catch_up(world, at)
    world.now = world.cast_at = at
    world.parent_law = world.law


def _ways(world: Transaction) -> list[Action]:
    """The actions that take changes."""
    return [a for a in world.law.declared.actions.values() if {"change", "changes"} & {*a.parameters}]


class _InVain(Exception):
    """A way is given up, in whatever is done on it."""


class _Game(Struct):
    """A scratch game in which a way is played, beginning at a time; ``hasty``: it may be given up. ``refusals``: by matters,
    what those were told of late who may resolve, and could not.
    """

    world: Transaction
    way: Action
    at: int
    played: Played
    hasty: bool = False
    broke: Problem | None = None
    refusals: dict[str, list[NomicError]] = field(default_factory=dict)
    stays: tuple[int, float] = (-1, 0)  # the store's version, and the time, until which nothing is resolved

    def play(self, wanted: Wishes) -> None:
        """All wishes at once, the least of each in one change, as it is mostly allowed; then change by change; then each of
        them that has not come about for itself.
        """
        every = list(wanted.each())
        self._bring(every, [{"together": [change for wish in every for change in wish.least()]}])
        for asked in (every, *([wish] for wish in every)):
            came = self.played.all_came()
            if wanted.granted(came) and self.way.name not in self.played.broken():
                return
            if self.way.name in self.played.spent:
                return
            if any(wish not in came for wish in asked):
                self._bring(asked, [change for wish in asked for change in wish.changes])

    def _given_up(self) -> bool:
        return self.played.vain[self.way.name] >= self.world.physics.bounds.fuel

    def _bring(self, wanted: Sequence[Wish], changes: Sequence[Change]) -> None:
        """Bring wishes to enactment by these changes; with what is pending as it stands, then with that voted down first."""
        for clearing in (False, True):
            if self._given_up() or (clearing and not reading.find(self.world, "posts", status="pending")):
                return
            self.broke, came = None, list[Wish]()
            self.played.spent.pop(self.way.name, None)
            with self.world.asking():
                try:
                    came = self._came(wanted, changes, clearing=clearing)
                except _InVain:
                    self._is_spent()
                except NomicError as error:
                    self.note(error)
            if self.broke:
                self.played.broke[self.way.name] = self.broke
            self.played.came.setdefault(self.way.name, []).extend(came)
            if came:
                return

    def _came(self, wanted: Sequence[Wish], changes: Sequence[Change], *, clearing: bool) -> list[Wish]:
        """The wishes that come about by these changes within two weeks."""
        _wait(self.world, self.at)
        self._rouse()
        older = reading.find(self.world, "posts", status="pending")[:MOST_OLDER] if clearing else []
        matter = self._submitted(changes)
        if matter is None:
            return self._made(wanted)
        self._vote(matter, "for")
        for ref in older:
            self._vote(ref, "against")
        for wait in WAITS:
            _wait(self.world, self.at + int(wait))
            for ref in older:
                any(self._resolve(ref, resolver) for resolver in self._resolvers()[:MOST_RESOLVERS])
            if made := self._enacted(matter, wanted):
                return made
            if self._is_spent():
                break
        return []

    def _enacted(self, matter: str, wanted: Sequence[Wish]) -> list[Wish]:
        """The wishes that come about now by whoever may resolve a matter.

        What all of them were refused they would be again until something is written, or it is a time that the law has looked
        at; and an enactment that was taken back would be so whoever asks for it.
        """
        world, (version, until) = self.world, self.stays
        if world.store.version == version and world.now < until:
            return []
        with world.recording() as frame:
            for resolver in self._resolvers():
                amended = world.amended
                if self._resolve(matter, resolver) and (made := self._made(wanted)):
                    return made
                if world.amended > amended:
                    break
        later = (at for at in frame.whole().instants if at > world.now)
        self.stays = world.store.version, min(later, default=math.inf)
        return []

    def _is_spent(self) -> bool:
        """Whether the law used up all that it was lent over a matter, whoever resolved that, which is noted; forgets who tried."""
        tried, self.refusals = self.refusals, {}
        for refusals in tried.values():
            if all(isinstance(each, Exhausted) for each in refusals):
                self.played.spent[self.way.name] = refusals[0].problems[0]
                return True
        return False

    def note(self, error: NomicError) -> None:
        """Note that the law itself is broken, if it is that which stands in the way."""
        if isinstance(error, Defect | Exhausted) or isinstance(error.__cause__, Defect):
            self.broke = error.problems[0]

    def _made(self, wanted: Sequence[Wish]) -> list[Wish]:
        return [wish for wish in wanted if wish.came(self.world.ruleset)]

    def _submitted(self, changes: Sequence[Change]) -> str | None:
        """The matter with these changes; None where nobody can submit it, or where they are made at once."""
        extra: dict[str, Any] = {
            "title": name_of(self.world.ruleset), "tags": list(TAGS), "changes": list(changes),
            "change": {"together": list(changes)},
        }  # fmt: skip
        given = least(self.way) | {name: v for name, v in extra.items() if name in self.way.parameters}
        for author in reading.roster(self.world):
            before = len(self.world.store.log)
            if self._try(self.way.name, author, given):
                return next(reversed(self._posted(before)), None)
        return None

    def _posted(self, before: int) -> list[str]:
        """The posts that were made since the log had a length, and are there: nobody need know all the others."""
        store = self.world.store
        made = (change.ref for change in store.since(before) if change.field == "created")
        return [ref for ref in made if kind_of(ref) == "posts" and store.fields(ref) is not None]

    def _rouse(self) -> None:
        """Where no admin is active, idle ones come back: at once, or by asking for it first, as far as the law lets them."""
        for admin in self._idle_admins():
            if not self._comes_back(admin):
                self._ask(admin)
                self._comes_back(admin)

    def _comes_back(self, admin: str) -> bool:
        """Whether one of the actions makes an idle admin active; nothing is left of the others."""
        for action in self.world.law.declared.actions.values():
            before = self.world.mark()
            if self._try(action.name, admin, least(action) | _naming(action, admin)):
                if admin in reading.admins(self.world):
                    return True
                self.world.back(before)
        return False

    def _ask(self, admin: str) -> None:
        """Ask for every action by its name, in an entry or whatever else an idle admin may say."""
        actions = self.world.law.declared.actions
        for action in actions.values():
            required = {
                name for name, kind in action.parameters.items() if kind.kind == "text" and kind.required
            }
            texts = dict.fromkeys(required, " ".join(actions))
            before = self.world.mark()
            if texts and self._try(action.name, admin, least(action) | texts):
                if self._posted(before.log):
                    return
                self.world.back(before)

    def _idle_admins(self) -> list[str]:
        """The first of the admins where none is active."""
        if reading.admins(self.world):
            return []
        everybody = reading.roster(self.world, idle=True)
        return [player for player in everybody if reading.get(self.world, player, "admin")][:MOST_RESOLVERS]

    def _resolvers(self) -> list[str]:
        admins = reading.admins(self.world) or self._idle_admins()
        return list(dict.fromkeys([*admins, *reading.roster(self.world)]))

    def _vote(self, matter: str, icon: str) -> None:
        for voter in reading.roster(self.world):
            self._try("vote", voter, {"matter": matter, "icon": icon})

    def _resolve(self, matter: str, resolver: str) -> bool:
        refusal = self._refusal("resolve", resolver, {"matter": matter})
        if refusal is not None and self.hasty and not self._is_barred("resolve", resolver):
            self.refusals.setdefault(matter, []).append(refusal)
        return refusal is None

    def _is_barred(self, action: str, actor: str) -> bool:
        """Whether an action is not for somebody, whatever it is asked for, as far as the law comes to an answer."""
        declared = self.world.law.declared.actions.get(action)
        with suppress(NomicError):
            return declared is None or acting.who_bars(self.world, declared, actor) != ""
        return False

    def _try(self, action: str, actor: str, given: Mapping[str, object]) -> bool:
        return self._refusal(action, actor, given) is None

    def _refusal(self, action: str, actor: str, given: Mapping[str, object]) -> NomicError | None:
        """Why somebody may not do something, which may be what of the law breaks over it; None where it is done."""
        if self._given_up():
            raise _InVain
        world, vain, way = self.world, self.played.vain, self.way.name
        world.refuel(max(QUESTION, SECONDS - self.played.wasted / 2))
        began, full, law, amended, version = (
            time.process_time(),
            world.fuel,
            world.ruleset,
            world.amended,
            world.store.version,
        )
        try:
            acting.perform(world, action, actor, given)
        except NomicError as error:
            self.note(error)
            took = time.process_time() - began
            if took > QUESTION or isinstance(error, Exhausted):
                self.played.wasted += took
            vain[way] += full if isinstance(error, Exhausted) else full - world.fuel
            vain[way] += full // TAKEN_BACK * (world.store.version != version)
            return error
        finally:
            if world.ruleset is law and world.amended > amended:
                vain[way] += full // IN_VAIN
        return None


def _naming(action: Action, player: str) -> dict[str, str]:
    """A player for each parameter that names one."""
    return {name: player for name, kind in action.parameters.items() if kind.kind == "player"}


def least(action: Action) -> dict[str, Any]:
    """The least with which an action can be asked for: something for each parameter that must be given."""
    return {name: _something(kind) for name, kind in action.parameters.items() if kind.required}


def _something(kind: Type) -> object:
    return kind.choices[0] if kind.choices else kind.empty() or ("x" if kind.kind == "text" else kind.empty())
