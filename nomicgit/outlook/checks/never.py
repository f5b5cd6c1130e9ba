"""What never happens by a rule, as trying it shows: its actions open for nobody, and what the clock brings, or what hears of an
event, refuses each time.

It is a warning where the rule does anything else or is in force, and an error where nothing of a new one ever works.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground.problems import Problem
from nomicgit.law.definitions import code
from nomicgit.law.hooks import Listener, Scheduled, Timed
from nomicgit.law.law import Law
from nomicgit.law.linking import written
from nomicgit.outlook.checks import shut
from nomicgit.outlook.checks.aimed import emitted
from nomicgit.outlook.checks.finding import Finding, error, warning
from nomicgit.physics.deeds import acting

NOTHING = "; so nothing of this rule ever works"
EVENT, LISTENER = "the event ", "whatever emits "
KEPT = frozenset("title status variables collections catalogues limits actions schedule when guards".split())
"""Keys of a rule that does nothing but by its actions, the clock, what it hears of, and guards of its own actions."""
Listening = tuple[str, str]
"""An event, and the function that hears of it."""


class Hearing(shut.Watched):
    """A scratch game that keeps why what hears of an event always refuses (None: it does not)."""

    listeners: dict[Listening, Problem | None]

    def call_under(self, law: Law, function: str, /, *arguments: object, **named: object) -> object:
        """Call a function of a law; of one that hears of an event, keep why it always refuses."""
        self.alone = None
        try:
            return super().call_under(law, function, *arguments, **named)
        finally:
            for each in _listeners(law):
                if each.function == function:
                    self._heard(law, each, self.alone)

    def _heard(self, law: Law, listener: Listener, refusal: Problem | None) -> None:
        key = listener.name, listener.function
        if refusal and shut.heeds(law, listener.function, shut.handed(law, listener.function), refusal):
            refusal = shut.certain(law, listener.function, refusal)
        self.listeners[key] = refusal if self.listeners.get(key, refusal) else None


class Never(Struct, frozen=True):
    """Why some actions open for nobody, why some events of the clock never happen, each by its name, and why what hears of some
    event always refuses.
    """

    actions: Mapping[str, Problem]
    events: Mapping[str, Problem]
    listeners: Mapping[Listening, Problem]

    @classmethod
    def of(
        cls,
        actions: Mapping[str, Problem],
        events: Mapping[str, Problem | None],
        listeners: Mapping[Listening, Problem | None],
    ) -> Never:
        """Of those of which it is known: None for what happens, or may, and for what does not always refuse."""
        return cls(
            actions,
            {each: why for each, why in events.items() if why},
            {each: why for each, why in listeners.items() if why},
        )

    def told(self, law: Law, *, new: bool) -> Iterator[Finding]:
        """Each in its own line of the mechanics, or where it is declared; ``new``: these rules are in force nowhere yet."""
        idle = {slug for slug in law.ruleset.by_slug if new and self._is_all_of(law, slug)}
        rules = [law.declared.actions[name].rule for name in self.actions]
        rules += [law.declared.schedule[name].rule for name in self.events]
        listeners = {(each.name, each.function): each.rule for each in _listeners(law)}
        rules += [listeners[each] for each in self.listeners]
        problems = [*shut.told(law, self.actions), *_events(law, self.events), *self._heard(law, listeners)]
        for slug, problem in zip(rules, problems, strict=True):
            yield error(replace(problem, what=problem.what + NOTHING)) if slug in idle else warning(problem)

    def _is_all_of(self, law: Law, slug: str) -> bool:
        """Whether a rule does nothing but this, and has nothing of which anybody else makes something."""
        declared, placed = law.declared, law.ruleset.by_slug[slug]
        actions = {name for name, each in declared.actions.items() if each.rule == slug}
        clock = {name: each for name, each in declared.schedule.items() if each.rule == slug}
        events = {name for name, each in clock.items() if not _of_nothing(law, slug, each)}
        heard = {(each.name, each.function) for each in _listeners(law) if each.rule == slug}
        never = (
            self.actions.keys() >= actions and self.events.keys() >= events and self.listeners.keys() >= heard
        )
        if not (never and (actions or events or heard)):
            return False
        others = [each for each in declared.actions.values() if each.rule != slug]
        guards = [each for each in declared.guards.values() if each.rule == slug]
        if any(acting.chosen(guard, action) for guard in guards for action in others):
            return False
        variables = [each for each in declared.variables.values() if each.rule == slug]
        if not KEPT.issuperset(placed.front) or any(each.by_hand or each.derived for each in variables):
            return False
        own = {*law.scanned(placed).functions, *(each.name for each in variables)}
        words = (word for each in law.active if each.slug != slug for _, word, _ in code(each.mechanics))
        return own.isdisjoint(word.strip("\"'").replace("-", "_") for word in words)

    def _heard(self, law: Law, rules: Mapping[Listening, str]) -> Iterator[Problem]:
        for (event, function), reason in self.listeners.items():
            place = law.declared_at(rules[event, function], "when", event)
            where = (
                replace(reason.where, rule=reason.where.rule or place.rule) if reason.where.line else place
            )
            what = f"{LISTENER}{event} is refused, since {written(function)} always refuses: {reason.what}"
            yield Problem(what, where, reason.mend)


def unheard(law: Law, slugs: Collection[str], heard: Container[Listening]) -> dict[Listening, Problem]:
    """Why those of some rules always refuse that hear of what is emitted, and did not when it was tried."""
    made, never = emitted(law), dict[Listening, Problem]()
    for each in _listeners(law):
        key = each.name, each.function
        if each.rule in slugs and key not in heard and not made.isdisjoint({"", each.name}):
            place = shut.always(law, each.function)
            never |= {key: Problem(shut.COMES_TO, place)} if place is not None else {}
    return never


def _listeners(law: Law) -> Iterator[Listener]:
    return chain.from_iterable(law.declared.listeners.values())


def _of_nothing(law: Law, slug: str, event: Scheduled) -> bool:
    """Whether an event is of what the actions of its own rule alone would make."""
    of = law.declared.collections.get(event.kind) if isinstance(event, Timed) else None
    return of is not None and of.rule == slug and not (of.founding or of.source)


def _events(law: Law, reasons: Mapping[str, Problem]) -> Iterator[Problem]:
    for name, reason in reasons.items():
        place = law.declared_at(law.declared.schedule[name].rule, "schedule", name)
        where = replace(reason.where, rule=reason.where.rule or place.rule) if reason.where.line else place
        yield Problem(f"{EVENT}{name} never happens: {reason.what}", where, reason.mend)
