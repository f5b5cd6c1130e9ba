"""Rehearsals: scenarios played in scratch games of their own. Source: ``docs/scenarios.md``.

A scenario is a YAML file that plays a piece of a game and says what must come out. Nothing touches the disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nomicgit import editions
from nomicgit.ground import clock, files
from nomicgit.ground.problems import Malformed, NomicError, Refused, printable
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.values import keep
from nomicgit.law.variables import MISSING, Type
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import acting, clockwork, petitions, units
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.physics import Physics
from nomicgit.physics.state import naming, reading, resetting, writing
from nomicgit.physics.state.context import Chance, Context, Seeded
from nomicgit.physics.state.effects import State, differences
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal.expecting import compared, looked_up
from nomicgit.rehearsal.scenarios import STEP_KEYS, check_form
from nomicgit.rehearsal.scripted import Scripted, ScriptedDiceError

ONE_VALUE: Mapping[str, str] = {
    "idle": "player", "unidle": "player", "pass-mantle": "player", "comment": "text", "vote": "icon",
    "resolve": "matter", "roll": "dice", "undo": "deed",
}  # fmt: skip
DEFAULT_START = "2021-06-07T00:00:00Z"
IDLE_FOR = 30 * 86_400


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What came of a scenario: its failures (none: it passed), each with its step."""

    name: str
    file: str
    failures: Sequence[str]

    @property
    def passed(self) -> bool:
        """Whether everything came out as it must."""
        return not self.failures


@dataclass(slots=True)
class Past:
    """The deeds of a rehearsal so far."""

    deeds: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    effected: dict[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)

    def deed(self, name: str) -> Mapping[str, object] | None:
        """An earlier step."""
        return self.deeds.get(name)

    def sealed(self, name: str) -> bool:
        """Whoever rehearses sees all."""
        return False

    def effects(self, name: str) -> Sequence[Mapping[str, object]] | None:
        """What an earlier step has done."""
        return self.effected.get(name)

    def keep(self, deed: Deed, position: Position, before: Ruleset, mark: int = 0) -> None:
        """Keep a deed, and what it has done since the log had a length, under an earlier ruleset."""
        self.deeds[deed.id] = {
            "actor": f"players/{deed.actor}" if deed.actor else None, "action": f"actions/{deed.action}",
            "with": dict(deed.given), "at": clock.text(deed.at),
        }  # fmt: skip
        store = position.store
        began, now = State(store.earlier(mark), before), State(store, position.ruleset)
        self.effected[deed.id] = differences(began, now, store.touched())


AtHand = Callable[[str], tuple[Ruleset, Physics]]


def rehearse(
    text: str | bytes,
    file: str = "",
    *,
    at_hand: AtHand | None = None,
    rules: Ruleset | None = None,
) -> Rehearsed:
    """Play one scenario. ``at_hand`` gives the ruleset and the physics of a game (its path, or "" for the one at hand).

    ``rules`` are played on whatever the scenario names.
    """
    name = file
    try:
        scenario = check_form(files.read(text, file), file)
        name = str(scenario.get("name") or file)
        if rules is not None:
            scenario = {key: value for key, value in scenario.items() if key not in ("edition", "game")}
            at_hand = lambda _: (rules, NEWEST)  # noqa: E731
        return Rehearsed(name, file, Rehearsal(scenario, file, at_hand).play())
    except NomicError as error:
        return Rehearsed(name, file, [str(problem) for problem in error.problems])


class Rehearsal:
    """One scenario on its way."""

    def __init__(self, scenario: Mapping[str, Any], file: str, at_hand: AtHand | None) -> None:
        self.scenario, self.file = scenario, file
        self.seed = hashlib.sha256(str(scenario.get("name", "")).encode()).digest()
        self.start = clock.instant(str(scenario.get("start") or DEFAULT_START))
        self.past = Past()
        self.aliases: dict[str, dict[str, Any]] = {}
        self.told: dict[str, list[str]] = {}
        self.at = self.start
        self.context = Context(self.past, secrets=True)
        self.position = self._found(*self._rules(at_hand))

    def _rules(self, at_hand: AtHand | None) -> tuple[Ruleset, Physics]:
        edition = self.scenario.get("edition")
        if edition is not None:
            return editions.load(str(edition)), NEWEST
        if at_hand is None:
            raise Malformed.of("the scenario names no edition, and there is no game at hand", file=self.file)
        return at_hand(str(self.scenario.get("game") or ""))

    @property
    def world(self) -> Transaction:
        """The game as it stands, to be looked at."""
        return Transaction(self.position, self.context, Seeded(self.seed, f"clock {self.at}"))

    def _found(self, ruleset: Ruleset, physics: Physics) -> Position:
        def listed(key: str) -> list[str]:
            return [str(name) for name in self.scenario.get(key) or []]

        emperor = self.scenario.get("emperor")
        founding = Founding(self.start, listed("players"), emperor, listed("admins"), listed("idle"))
        world = found(ruleset, founding, Seeded(self.seed, "founding"), self.context, physics)
        fresh = _function_defaults(world)
        laid = lay(world, self.scenario.get("state") or {})
        for (ref, name), value in _function_defaults(world).items():
            if (ref, name) not in laid and fresh.get((ref, name), value) == value:
                self._default(world, ref, name)
        world.store.forget()
        return world.position

    def _default(self, world: Transaction, ref: str, name: str) -> None:
        declared = world.law.variable(kind_of(ref), name)
        assert declared is not None
        if reading.is_idle(world, ref):
            world.now -= IDLE_FOR
        try:
            resetting.restart(world, ref, declared)
        finally:
            world.now = self.start

    def play(self) -> list[str]:
        """All failures; a step that could not be played ends the scenario."""
        failures: list[str] = []
        for number, step in enumerate(self.scenario.get("steps") or [], 1):
            try:
                failures += [f"step {number}: {failure}" for failure in self._step(number, step)]
            except (NomicError, ScriptedDiceError) as error:
                return [*failures, f"step {number}: {error}"]
            if failures:
                return failures
        return failures

    def _step(self, number: int, step: Mapping[str, Any]) -> list[str]:
        self._time(step)
        self._clock()
        verb = _verb(step)
        if verb is None:
            return self._expect(step.get("expect") or {})
        refused = step.get("refused", False)
        try:
            self._deed(number, verb, step)
        except Refused as error:
            reason = "\n".join(problem.what for problem in error.problems)
            if not refused:
                return [f"{verb} was refused: {error}"]
            if isinstance(refused, str) and refused.casefold() not in str(error).casefold():
                return [f"{verb} was refused, but not with {refused!r}: {reason}"]
            return self._expect(step.get("expect") or {})
        if refused:
            return [f"{verb} was not refused"]
        return self._expect(step.get("expect") or {})

    def _time(self, step: Mapping[str, object]) -> None:
        at = step.get("at")
        if at is None:
            return
        text = str(at)
        moment = clock.shift(self.start, clock.span(text)) if text.startswith("+") else clock.instant(text)
        if moment < self.at:
            raise Malformed.of(f"time runs back to {text}")
        self.at = moment

    def _clock(self) -> None:
        world = self.world
        clockwork.catch_up(world, self.at)
        self._hear(world.messages)
        units.forget_transient(world)
        world.store.forget()
        self.position.now = self.at

    def _hear(self, messages: Sequence[tuple[str, str]]) -> None:
        for player, text in messages:
            self.told.setdefault(player, []).insert(0, text)

    def _deed(self, number: int, verb: str, step: Mapping[str, Any]) -> Outcome:
        action, given = self._wording(verb, step)
        seeded = Seeded(self.seed, f"step {number}")
        chance = Scripted(step["dice"], seeded) if "dice" in step else seeded
        actor = None if step.get("by") is None else self._actor(str(step["by"]))
        outcome = self._decided(Deed(f"step-{number}", actor, action, given, self.at), chance)
        if actor is not None and verb == action:
            self._answered(number, actor, action, chance)
        if isinstance(chance, Scripted) and chance.left:
            raise ScriptedDiceError(f"these dice were not drawn: {', '.join(map(str, chance.left))}")
        if step.get("as"):
            self.aliases[str(step["as"])] = {
                "deed": outcome.deed.id, "post": _made_post(self.world, outcome.result), "result": outcome.result,
            }  # fmt: skip
        self.position.store.forget()
        return outcome

    def _decided(self, deed: Deed, chance: Chance) -> Outcome:
        before = self.position.ruleset
        outcome = self.position.decide(self.context, deed, chance)
        self._hear(outcome.messages)
        self.past.keep(deed, self.position, before)
        return outcome

    def _answered(self, number: int, actor: str, verb: str, chance: Chance) -> None:
        """Where the law wants an answer to what a verb asked for, the first of the admins gives it who may."""
        petition = petitions.of(self.world, verb, actor)
        if petition is not None:
            admin, answer = petitions.admin(self.world, petition), petition.answer
            self._decided(Deed(f"step-{number}-{answer}", admin, answer, petition.given, self.at), chance)

    def _actor(self, name: str) -> str:
        return naming.holder(self.position.store, name) or name

    def _wording(self, verb: str, step: Mapping[str, Any]) -> tuple[str, dict[str, object]]:
        value, given = step[verb], dict(step.get("with") or {})
        action = verb
        if verb == "act":
            action = str(value)
        elif verb == "set" and isinstance(value, Mapping) and set(value) != {"path", "value"}:
            [(path, new)] = value.items()
            given |= {"path": path, "value": new}
        elif verb == "tell" and isinstance(value, Mapping) and "act" in value:
            action, given = self._private(str(value["act"])), dict(value.get("with") or {})
        elif verb in ONE_VALUE:
            given[ONE_VALUE[verb]] = value
        elif isinstance(value, Mapping):
            given |= value
        for key in ("reason", "text"):
            if key in step:
                given[key] = step[key]
        if "on" in step:
            given["post" if verb == "comment" else "matter"] = step["on"]
        return action, self._named(action, given)

    def _private(self, action: str) -> str:
        declared = self.world.law.declared.actions.get(action)
        if declared is not None and not declared.private:
            raise Refused.of(f"{action} is no private action and cannot be ordered by a message")
        return action

    def _named(self, action: str, given: dict[str, Any]) -> dict[str, object]:
        """Parameters in which the names of earlier steps stand for what these made."""
        declared = self.world.law.declared.actions.get(action)
        kinds: Mapping[str, Type] = declared.parameters if declared else {}
        for key, value in given.items():
            kind = kinds.get(key.replace("-", "_"), Type("any")).kind
            alias = self.aliases.get(value) if isinstance(value, str) else None
            if alias is not None and kind in ("post", "matter"):
                given[key] = alias["post"]
            elif alias is not None and kind == "deed":
                given[key] = alias["deed"]
            elif key == "changes" and isinstance(value, list):
                given[key] = [self._undone(change) for change in value]
        return given

    def _undone(self, change: object) -> object:
        """A change in which the names of earlier steps stand for their deeds, within changes made together too."""
        if not isinstance(change, Mapping):
            return change
        if isinstance(change.get("together"), list):
            return {**change, "together": [self._undone(inner) for inner in change["together"]]}
        if str(change.get("undo")) in self.aliases:
            return {**change, "undo": self.aliases[str(change["undo"])]["deed"]}
        return change

    def _expect(self, expected: Mapping[str, object]) -> list[str]:
        failures = []
        for path, wanted in expected.items():
            value = looked_up(self.world, path, self.aliases, self.told)
            failure = compared(value, wanted)
            if failure:
                failures.append(f"{path}: {failure}")
        return failures


def _verb(step: Mapping[str, object]) -> str | None:
    verbs = [key for key in step if key not in STEP_KEYS]
    if len(verbs) > 1:
        raise Malformed.of(f"a step has one verb, not {' and '.join(map(printable, verbs))}")
    return verbs[0] if verbs else None


def _made_post(world: Transaction, result: object) -> str | None:
    if isinstance(result, str) and result.startswith("posts/"):
        return result.removeprefix("posts/")
    made = [
        change.ref
        for change in world.store.since(0)
        if change.field == "created" and change.ref.startswith("posts/")
    ]
    return made[-1].removeprefix("posts/") if made else None


def _function_defaults(world: Transaction) -> dict[tuple[str, str], object]:
    defaults = {}
    for kind, variables in world.law.by_kind.items():
        for variable in variables:
            if variable.type.default_by and not variable.derived:
                for ref in units.entities(world, kind):
                    if world.store.value(ref, variable.name) is not MISSING:
                        defaults[ref, variable.name] = world.store.value(ref, variable.name)
    return defaults


def lay(world: Transaction, state: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Lay values over a founded game as they stand; no rule reacts. Returns what was laid. Refused where unknown."""
    laid: set[tuple[str, str]] = set()
    for kind, entities in state.items():
        if kind in ("game", "dynasty"):
            _lay_fields(world, kind, kind, entities, laid)
            continue
        if kind != "players" and kind not in world.law.declared.collections:
            raise Refused.of(f"state: no rule in force declares {printable(kind, 60)}")
        for name, fields in (entities or {}).items():
            ref = f"{kind}/{naming.entity_id(world, kind, str(name))}"
            if not reading.exists(world, ref):
                _lay_entity(world, kind, str(name), fields or {})
            _lay_fields(world, ref, kind, fields or {}, laid)
    return laid


def _lay_entity(world: Transaction, kind: str, name: str, fields: Mapping[str, object]) -> None:
    collection = world.law.declared.collections.get(kind)
    if collection is None or collection.grid:
        raise Refused.of(f"state: there is no {printable(name, 60)} among the {kind}")
    made: dict[str, Any] = {}
    if isinstance(collection.key, Mapping) and "of" in collection.key:
        made = dict(zip(collection.key["of"], name.split("-"), strict=False))
    elif isinstance(collection.key, str):
        made = {collection.key: name}
    known = {k: v for k, v in fields.items() if k in made}
    writing.create(world, kind, name, **(made | known))


def _lay_fields(
    world: Transaction, ref: str, kind: str, fields: Mapping[str, object], laid: set[tuple[str, str]]
) -> None:
    for name, value in (fields or {}).items():
        plain = name.replace("-", "_")
        declared = world.law.variable(kind, plain)
        kept = declared.type if declared else reading.KEPT.get(kind, {}).get(plain)
        if kept is None or (declared is not None and declared.derived):
            raise Refused.of(f"state: {printable(name, 60)} of {ref} is not declared, or is derived")
        try:
            kept_value = keep(world, kept, value)
        except Refused as error:
            raise Refused.of(f"state: {ref} {name}: {error.problems[0].what}") from error
        if world.store.fields(ref) is None and "/" in ref:
            world.store.create(ref, {})
        world.store.put(ref, plain, kept_value)
        laid.add((ref, plain))


def open_to(world: Transaction, name: str) -> list[str]:
    """The names of the actions open to a player now, in alphabetical order."""
    return sorted(action for action, why in acting.open_actions(world, f"players/{name}").items() if not why)
