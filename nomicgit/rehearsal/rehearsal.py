"""Rehearsals: scenarios played in scratch games of their own. Source: ``docs/scenarios.md``.

A scenario is a YAML file that plays a piece of a game and says what must come out. Nothing touches the disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import field

from nomicgit import editions
from nomicgit.ground import clock, files
from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Defect, Malformed, NomicError, Place, Refused, printable
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.variables import Type
from nomicgit.physics.deed import Deed, Failure, Outcome
from nomicgit.physics.deeds import clockwork, petitions, units
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.physics import Physics
from nomicgit.physics.state import naming, reading, resetting
from nomicgit.physics.state.context import Chance, Context, History, Seeded
from nomicgit.physics.state.effects import State, differences
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal import noting
from nomicgit.rehearsal.earlier import Earlier
from nomicgit.rehearsal.expecting import among, compared, looked_up, meant
from nomicgit.rehearsal.fate import Rehearsed, unplayed
from nomicgit.rehearsal.nowhere import Words
from nomicgit.rehearsal.scenarios import STEP_KEYS, Path, check_form, line_of, verb_of
from nomicgit.rehearsal.scripted import Scripted, ScriptedDiceError
from nomicgit.rehearsal.staging import function_defaults, lay

ONE_VALUE: Mapping[str, str] = {
    "idle": "player", "unidle": "player", "pass-mantle": "player", "comment": "text", "vote": "icon",
    "resolve": "matter", "roll": "dice", "undo": "deed",
}  # fmt: skip
DEFAULT_START = "2021-06-07T00:00:00Z"
IDLE_FOR = 30 * 86_400


class Past(History, frozen=True):
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
        began, now = State(Earlier(store, mark), before), State(store, position.ruleset)
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
    name, lines = file, files.Lines()
    try:
        read, lines = files.read_with_lines(text, file)
        scenario = check_form(read, file, lines)
        name = str(scenario.get("name") or file)
        if rules is not None:
            scenario = {key: value for key, value in scenario.items() if key not in ("edition", "game")}
            at_hand = lambda _: (rules, NEWEST)  # noqa: E731
        played = Rehearsal(scenario, file, at_hand)
        failed = played.play()
        places = [Place(file, line_of(lines, path)) for path, _ in failed]
        noted = list(dict.fromkeys(played.noted))
        return Rehearsed(name, file, [failure for _, failure in failed], noted, places)
    except NomicError as error:
        return unplayed(name, file, error, lines)


class Rehearsal:
    """One scenario on its way."""

    def __init__(self, scenario: Mapping[str, Any], file: str, at_hand: AtHand | None) -> None:
        self.scenario, self.file = scenario, file
        self.seed = hashlib.sha256(str(scenario.get("name", "")).encode()).digest()
        self.start = clock.instant(str(scenario.get("start") or DEFAULT_START))
        self.past = Past()
        self.aliases: dict[str, dict[str, Any]] = {}
        self.told: dict[str, list[str]] = {}
        self.noted: list[str] = []
        self.begun = 0  # how long the log was when the deed of the step began
        self.at = self.start
        self.context = Context(self.past, secrets=True)
        self.position = self._found(*self._rules(at_hand))
        self.words = Words()
        self.words.take_up(self.world)

    def _rules(self, at_hand: AtHand | None) -> tuple[Ruleset, Physics]:
        edition = self.scenario.get("edition")
        try:
            if edition is not None:
                return editions.load(str(edition)), NEWEST
            if at_hand is not None:
                return at_hand(str(self.scenario.get("game") or ""))
        except NomicError as wrong:
            key = next((key for key in ("edition", "game") if self.scenario.get(key)), "")
            raise Malformed(*(each.of_part(key) if key else each for each in wrong.problems)) from wrong
        what = "the scenario names no edition, and there is no game at hand"
        raise Malformed.of(what, file=self.file, line=1, mend="write edition: NAME, or rehearse it in a game")

    @property
    def world(self) -> Transaction:
        """The game as it stands, to be looked at."""
        return Transaction(self.position, self.context, Seeded(self.seed, f"clock {self.at}"))

    def _found(self, ruleset: Ruleset, physics: Physics) -> Position:
        def listed(key: str) -> list[str]:
            return [str(name) for name in self.scenario.get(key) or []]

        emperor = self.scenario.get("emperor")
        if wrong := physics.law(ruleset).unreadable:
            raise Malformed(*wrong)
        founding = Founding(self.start, listed("players"), emperor, listed("admins"), listed("idle"))
        world = found(ruleset, founding, Seeded(self.seed, "founding"), self.context, physics)
        fresh = function_defaults(world)
        laid = lay(world, self.scenario.get("state") or {})
        for (ref, name), value in function_defaults(world).items():
            if (ref, name) not in laid and fresh.get((ref, name), value) == value:
                self._default(world, ref, name)
        self._note("founding", world.notes)
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

    def play(self) -> list[tuple[Path, str]]:
        """All failures, each with the keys that lead to where it stands; a step that could not be played ends the scenario."""
        for number, step in enumerate(self.scenario.get("steps") or [], 1):
            place = ("steps", number - 1)
            try:
                failures = self._step(number, step)
            except (NomicError, ScriptedDiceError) as error:
                failures = [((), str(error))]
            if failures:
                return [((*place, *path), f"step {number}: {failure}") for path, failure in failures]
        return []

    def _step(self, number: int, step: Mapping[str, Any]) -> list[tuple[Path, str]]:
        """Play a step. Its dice are of whatever is drawn in it; where they fit the deed alone, they are that one's."""
        self._time(step)
        self.position.store.forget()
        clocks, seeded = Seeded(self.seed, f"clock {self.at}"), Seeded(self.seed, f"step {number}")
        if "dice" not in step:
            return self._played(number, step, clocks, seeded)
        store, now = self.position.store, self.position.now
        heard, noted = {who: list(texts) for who, texts in self.told.items()}, list(self.noted)
        dice = Scripted(step["dice"], clocks)
        try:
            return self._played(number, step, dice, dice)
        except ScriptedDiceError as misfit:
            if verb_of(step) is None or not dice.of_clock:
                raise
            store.rollback(0)
            self.position.now, self.told, self.noted = now, heard, noted
            try:
                return self._played(number, step, clocks, Scripted(step["dice"], seeded))
            except ScriptedDiceError:
                raise misfit from None

    def _played(
        self, number: int, step: Mapping[str, Any], clocks: Chance, chance: Chance
    ) -> list[tuple[Path, str]]:
        self._clock(number, clocks)
        if isinstance(chance, Scripted):
            chance.come_to_deed(Seeded(self.seed, f"step {number}"))
        verb = verb_of(step)
        if verb is None:
            self._all_drawn(chance)
            return self._expect(number, step)
        refused = step.get("refused", False)
        try:
            self._deed(number, verb, step, chance)
        except Refused as error:
            self.position.store.forget()
            reason = "\n".join(problem.what for problem in error.problems)
            if not refused:
                return [((verb,), f"{verb} was refused: {error}{self._whom(step)}")]
            if isinstance(refused, str) and refused.casefold() not in str(error).casefold():
                return [(("refused",), f"{verb} was refused, but not with {refused!r}: {reason}")]
            if isinstance(error.__cause__, Defect) and "defective" not in str(refused):
                self._note(f"step {number}", [Failure(f"{verb} was refused: {error}")])
            return self._expect(number, step)
        if refused:
            done = noting.done(self.past.effected[f"step-{number}"])
            return [(("refused",), f"{verb} was not refused: {done}")]
        return self._expect(number, step)

    def _time(self, step: Mapping[str, object]) -> None:
        at = step.get("at")
        if at is None:
            return
        text = str(at)
        if clock.is_span(text):
            raise Malformed.of(f"{text} is how long, and not when", mend=f"so long after the start: +{text}")
        moment = clock.shift(self.start, clock.span(text)) if text.startswith("+") else clock.instant(text)
        if moment < self.at:
            raise Malformed.of(f"time runs back to {text}")
        self.at = moment

    def _clock(self, number: int, chance: Chance) -> None:
        """Let everything happen that falls due. The log of what the dice of the step may yet take back is kept."""
        world = Transaction(self.position, self.context, chance)
        failed = clockwork.catch_up(world, self.at)
        self._note(f"step {number}", [*failed, *world.notes])
        self._hear(world.messages)
        units.forget_transient(world)
        if not (isinstance(chance, Scripted) and chance.of_clock):
            world.store.forget()
        self.begun = len(world.store.log)
        self.position.now = self.at

    def _note(self, when: str, lines: Iterable[str]) -> None:
        self.noted += [f"{when}: {line}" for line in noting.failed(lines)]

    def _all_drawn(self, chance: Chance) -> None:
        if isinstance(chance, Scripted) and chance.left:
            raise ScriptedDiceError(f"these dice were not drawn: {', '.join(map(str, chance.left))}")

    def _hear(self, messages: Sequence[tuple[str, str]]) -> None:
        for player, text in messages:
            self.told.setdefault(player, []).insert(0, text)

    def _deed(self, number: int, verb: str, step: Mapping[str, Any], chance: Chance) -> Outcome:
        action, given = self._wording(verb, step)
        actor = None if step.get("by") is None else self._actor(str(step["by"]))
        outcome = self._decided(number, Deed(f"step-{number}", actor, action, given, self.at), chance)
        if actor is not None and verb == action:
            self._answered(number, actor, action, chance)
        self._all_drawn(chance)
        if step.get("as"):
            self.aliases[str(step["as"])] = {
                "deed": outcome.deed.id, "post": _made_post(self.world, outcome.result, self.begun), "result": outcome.result,
            }  # fmt: skip
        self.position.store.forget()
        return outcome

    def _decided(self, number: int, deed: Deed, chance: Chance) -> Outcome:
        before = self.position.ruleset
        outcome = self.position.decide(self.context, deed, chance)
        self._hear(outcome.messages)
        self._note(f"step {number}", outcome.notes)
        self.past.keep(deed, self.position, before, self.begun)
        return outcome

    def _answered(self, number: int, actor: str, verb: str, chance: Chance) -> None:
        """Where the law wants an answer to what a verb asked for, the first of the admins gives it who may."""
        petition = petitions.of(self.world, verb, actor)
        if petition is not None:
            answer, able = petition.answer, petitions.answerers(self.world, petition)
            admins = (who for who in able if self.world.store.value(f"players/{who}", "admin") is True)
            if (admin := next(admins, None)) is None:
                raise Refused.of(f"{answer} answers it, and no admin may do that now")
            answered = Deed(f"step-{number}-{answer}", admin, answer, petition.given, self.at)
            self._decided(number, answered, chance)

    def _actor(self, name: str) -> str:
        return naming.holder(self.position.store, name) or name

    def _whom(self, step: Mapping[str, Any]) -> str:
        """Which player may have been meant by who does a step, where nobody is called so; without a name it is the clock that does it."""
        name = str(step.get("by") or "")
        if not name:
            some = next(
                (naming.called(self.position.store, who) for who in reading.roster(self.world)), "NAME"
            )
            return f" (the step has no by: write who does it, as in by: {some.removeprefix('players/')})"
        if naming.holder(self.position.store, name) is not None:
            return ""
        return among(
            name, (naming.called(self.position.store, who) for who in self.position.store.ids("players"))
        )

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
        self._declared(action, {*STEP_KEYS, "act"} if action == verb else ())
        return action, self._named(action, given)

    def _declared(self, action: str, keys: Iterable[str]) -> None:
        """Refused for an action that no rule declares, where another one, or a key of steps, may have been meant."""
        actions = self.world.law.declared.actions
        near = [] if action in actions else nearest(action, {*keys, *actions})
        if near:
            what = f"no rule in force declares an action {printable(action, 60)}"
            raise Refused.of(what, mend=f"did you mean {near[0]}?")

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

    def _expect(self, number: int, step: Mapping[str, Any]) -> list[tuple[Path, str]]:
        failures: list[tuple[Path, str]] = []
        self.words.take_up(self.world)
        for path, wanted in (step.get("expect") or {}).items():
            world = self.world
            failure = compared(looked_up(world, path, self.aliases, self.told), wanted)
            self._note(f"step {number}", noting.broken(world, path))
            why = f"{failure}{meant(world, path)}" if failure else self.words.never(world, path, wanted)
            if why:
                failures.append((("expect", path), f"{path}: {why}"))
        return failures


def _made_post(world: Transaction, result: object, begun: int) -> str | None:
    if isinstance(result, str) and result.startswith("posts/"):
        return result.removeprefix("posts/")
    made = [
        change.ref
        for change in world.store.since(begun)
        if change.field == "created" and change.ref.startswith("posts/")
    ]
    return made[-1].removeprefix("posts/") if made else None
