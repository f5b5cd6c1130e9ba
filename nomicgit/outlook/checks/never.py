"""What never happens by a rule, as trying it shows: its actions open for nobody, and the clock's functions refuse each time.

It is a warning where the rule does anything else or is in force, and an error where nothing of a new one ever works.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground.problems import Problem
from nomicgit.law.definitions import code
from nomicgit.law.hooks import Scheduled, Timed
from nomicgit.law.law import Law
from nomicgit.outlook.checks import shut
from nomicgit.outlook.checks.finding import Finding, error, warning

NOTHING = "; so nothing of this rule ever works"
EVENT = "the event "
KEPT = frozenset(
    {"title", "status", "variables", "collections", "catalogues", "limits", "actions", "schedule"}
)
"""Keys of a rule that does nothing but by its actions and the clock."""


class Never(Struct, frozen=True):
    """Why some actions open for nobody, and why some events of the clock never happen, each by its name."""

    actions: Mapping[str, Problem]
    events: Mapping[str, Problem]

    def told(self, law: Law, *, new: bool) -> Iterator[Finding]:
        """Each in its own line of the mechanics, or where it is declared; ``new``: these rules are in force nowhere yet."""
        idle = {slug for slug in law.ruleset.by_slug if new and self._is_all_of(law, slug)}
        rules = [law.declared.actions[name].rule for name in self.actions]
        rules += [law.declared.schedule[name].rule for name in self.events]
        problems = [*shut.told(law, self.actions), *_events(law, self.events)]
        for slug, problem in zip(rules, problems, strict=True):
            yield error(replace(problem, what=problem.what + NOTHING)) if slug in idle else warning(problem)

    def _is_all_of(self, law: Law, slug: str) -> bool:
        """Whether a rule does nothing but this, and has nothing of which anybody else makes something."""
        declared, placed = law.declared, law.ruleset.by_slug[slug]
        actions = {name for name, each in declared.actions.items() if each.rule == slug}
        clock = {name: each for name, each in declared.schedule.items() if each.rule == slug}
        events = {name for name, each in clock.items() if not _of_nothing(law, slug, each)}
        if not (actions or events) or not (actions <= self.actions.keys() and events <= self.events.keys()):
            return False
        variables = [each for each in declared.variables.values() if each.rule == slug]
        if not KEPT.issuperset(placed.front) or any(each.by_hand or each.derived for each in variables):
            return False
        own = {*law.scanned(placed).functions, *(each.name for each in variables)}
        others = (word for each in law.active if each.slug != slug for _, word, _ in code(each.mechanics))
        return own.isdisjoint(word.strip("\"'").replace("-", "_") for word in others)


def _of_nothing(law: Law, slug: str, event: Scheduled) -> bool:
    """Whether an event is of what the actions of its own rule alone would make."""
    of = law.declared.collections.get(event.kind) if isinstance(event, Timed) else None
    return of is not None and of.rule == slug and not (of.founding or of.source)


def _events(law: Law, reasons: Mapping[str, Problem]) -> Iterator[Problem]:
    for name, reason in reasons.items():
        place = law.declared_at(law.declared.schedule[name].rule, "schedule", name)
        where = replace(reason.where, rule=reason.where.rule or place.rule) if reason.where.line else place
        yield Problem(f"{EVENT}{name} never happens: {reason.what}", where, reason.mend)
