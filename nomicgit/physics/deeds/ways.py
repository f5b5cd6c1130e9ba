"""Ways to change the law, played with the actions that players use: submitted, voted for, waited for, resolved.

A way is an action that takes changes, be it of a matter to be voted on or of a decree that is done at once.
Source: A law that bricks itself, in ``docs/architecture.md``.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from msgspec import Struct, field

from nomicgit.ground.problems import Defect, Exhausted, NomicError, Problem
from nomicgit.law.declarations import Action
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.shapes import Change
from nomicgit.law.variables import Type
from nomicgit.physics.deeds import acting, clockwork
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction

HOUR = 3600
WAITS = (1, HOUR, *(days * 24 * HOUR + HOUR for days in (0.5, 1, 2, 3, 4, 5, 6.5, 7.5, 10, 14)))
MOST_TARGETS = 3
MOST_OLDER = 40  # matters that are cleared away before a new one
MOST_RESOLVERS = 3  # who are asked to resolve each of them, and idle admins who are asked at all
IN_VAIN = 10  # enactments that are taken back, for which a way is given up
TAKEN_BACK = 50  # and acts that had written anything
TAGS = ("Core", "Dynastic", "Special Case", "Appendix", "Glossary")


class Wish(Struct, frozen=True):
    """A kind of change that somebody may want of the law, and whether a ruleset shows that it has been made.

    Where it ``needs_all`` of its changes, none of them will do alone; else any does.
    """

    kind: str
    changes: Sequence[Change]
    came: Callable[[Ruleset], bool]
    needs_all: bool = False

    def least(self) -> Sequence[Change]:
        """As few of its changes as will do."""
        return self.changes if self.needs_all else self.changes[-1:]


class Wishes(Struct, frozen=True):
    """What is wanted of a law: that what has just been enacted is taken back; or else everything that is ``other``."""

    back: Wish | None
    other: Sequence[Wish]

    def each(self) -> Iterator[Wish]:
        """All of them, the taking back last: what it takes away may bar the others."""
        yield from self.other
        yield from (self.back,) if self.back else ()

    def granted(self, came: Sequence[Wish]) -> bool:
        """Whether the law can still be changed where these have come about."""
        return (self.back is not None and self.back in came) or all(wish in came for wish in self.other)


class Played(Struct):
    """What playing has shown: by each way the wishes that came about, and where nothing did what of the law broke; and of ways
    that were given up, what used up all that it was lent whoever resolved.

    ``vain``: by each way what of a deed's fuel is spent on what was refused, where an enactment that was taken back costs its
    share too. Once it is all spent the way is given up: another try would meet the same, and cost as much again.
    """

    came: dict[str, list[Wish]] = field(default_factory=dict)
    broke: dict[str, Problem] = field(default_factory=dict)
    spent: dict[str, Problem] = field(default_factory=dict)
    vain: Counter[str] = field(default_factory=Counter)

    def all_came(self) -> list[Wish]:
        """The wishes that came about, by whichever way."""
        return [wish for came in self.came.values() for wish in came]

    def kinds(self) -> set[str]:
        """What kinds of change came about."""
        return {wish.kind for wish in self.all_came()}

    def broken(self) -> dict[str, Problem]:
        """The ways by which nothing came about because the law itself is broken, each with how."""
        return {way: why for way, why in self.broke.items() if not self.came.get(way)}


def wishes(before: Ruleset, after: Ruleset) -> Wishes:
    """What somebody may want of the law after it became what it is: this taken back, another rule out, a new one in."""
    touched = [
        placed
        for placed in after.rules
        if placed.acts and ((old := before.by_slug.get(placed.slug)) is None or old.law != placed.law)
    ]
    spared = {placed.slug for placed in touched}
    return Wishes(_taken_back(before, after, touched), [_repealed(after, spared), *_added(after)])


def _taken_back(before: Ruleset, after: Ruleset, touched: Sequence[Placed]) -> Wish | None:
    """What was there stands again where it stood, what is new is repealed, and what was there says what it said.

    No change names a rule that one before it takes away: what was there leaves a new rule before that is repealed, and
    what is new goes with the new rule above it.
    """
    if not touched:
        return None
    olds = [before.by_slug[placed.slug] for placed in touched if placed.slug in before.by_slug]
    new = [placed.slug for placed in touched if placed.slug not in before.by_slug]
    changes: list[Change] = [_back(old) for old in olds if _place(old) != _place(after.by_slug[old.slug])]
    changes += [{"repeal": slug} for slug in new if not {*after.lineage(slug)[1:]} & {*new}]
    for old in olds:
        whole = {"text": old.prose, "mechanics": old.mechanics, "declares": dict(old.front)}
        changes.append({"amend": {"rule": old.slug, **whole}})

    def came(ruleset: Ruleset) -> bool:
        there = ruleset.by_slug
        return not any(slug in there for slug in new) and all(
            old.slug in there
            and (there[old.slug].front, there[old.slug].mechanics) == (old.front, old.mechanics)
            for old in olds
        )

    return Wish("taken back", changes, came, needs_all=True)


def _place(placed: Placed) -> tuple[str, str | None]:
    return placed.section, placed.parent


def _back(old: Placed) -> Change:
    """A rule is put where it was: under the rule that it stood under, or to the top of its section."""
    where = {"section": old.section} if old.parent is None else {"under": old.parent}
    return {"move": {"rule": old.slug, **where}}


def _repealed(after: Ruleset, spared: set[str]) -> Wish:
    """Another rule goes, any of which will do, since a law may guard one: the last ones that are more than prose and
    have no rules under them, outside the core where there are such.
    """
    leaves = [p for p in after.rules if not after.children(p.slug) and p.acts] or list(after.rules)
    others = [p for p in leaves if p.slug not in spared] or leaves
    targets = [p.slug for p in others if p.section != "core"][-MOST_TARGETS:] or [others[-1].slug]
    return Wish(
        "repealed",
        [{"repeal": slug} for slug in targets],
        lambda ruleset: any(slug not in ruleset.by_slug for slug in targets),
    )


def _added(after: Ruleset) -> Iterator[Wish]:
    """A new rule with mechanics comes, in one section or another; its name is none that a law could foresee."""
    title = name_of(after)
    code = f"def way_{title}():\n    return 1"
    rule = {"title": title, "text": "There is a way.", "mechanics": code}
    yield Wish(
        "added",
        [{"add-rule": rule | {"section": "core"}}, {"add-rule": rule}],
        lambda ruleset: any(p.title == title and p.mechanics.strip() == code for p in ruleset.rules),
    )


def name_of(ruleset: Ruleset) -> str:
    """A short name for a ruleset that a deed would have made."""
    text = "\0".join(f"{path}\0{body}" for path, body in sorted(ruleset.texts.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def play(world: Transaction, starts: Sequence[int], wanted: Wishes) -> Played:
    """Play the ways of a law, beginning at one of these times (seconds from now), until what is wanted has come about.

    Every way is tried as long as it may be the law that breaks on it.
    """
    played = Played()
    for start in starts:
        with _later(world, world.now + start) as starting:
            for way in _ways(world):
                if not (played.came.get(way.name) and wanted.granted(played.all_came())):
                    _Game(world, way, starting, played).play(wanted)
        if wanted.granted(played.all_came()) and not played.broken():
            break
    return played


def glimpse(world: Transaction, start: int, wanted: Wishes) -> Played:
    """What playing shows, beginning at a time (seconds from now), until anything that is wanted has come about by any way.

    A way is given up where the law uses up all that it is lent whoever resolves: it would again after every wait.
    """
    played = Played()
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
            if self._given_up():
                break
            _wait(self.world, self.at + int(wait))
            for ref in older:
                any(self._resolve(ref, resolver) for resolver in self._resolvers()[:MOST_RESOLVERS])
            if made := self._enacted(matter, wanted):
                return made
            if self.hasty and (spent := self._spent()):
                self.played.spent[self.way.name] = spent
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

    def _spent(self) -> Problem | None:
        """What of the law used up all that it was lent, where it did so over a matter whoever resolved that; forgets who tried."""
        tried, self.refusals = self.refusals, {}
        for refusals in tried.values():
            if all(isinstance(each, Exhausted) for each in refusals):
                return refusals[0].problems[0]
        return None

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
            before = set(self.world.store.ids("posts"))
            if self._try(self.way.name, author, given):
                made = [name for name in self.world.store.ids("posts") if name not in before]
                return f"posts/{made[-1]}" if made else None
        return None

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
            posts = len(self.world.store.ids("posts"))
            if texts and self._try(action.name, admin, least(action) | texts):
                if len(self.world.store.ids("posts")) > posts:
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
        world, vain, way = self.world, self.played.vain, self.way.name
        world.refuel(tried=True)
        full, law, amended, version = world.fuel, world.ruleset, world.amended, world.store.version
        try:
            acting.perform(world, action, actor, given)
        except NomicError as error:
            self.note(error)
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
