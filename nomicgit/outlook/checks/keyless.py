"""Checks of new rules in a game without keys, where nothing can be kept secret: what they keep so is dead."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from nomicgit.law.law import Law
from nomicgit.outlook.checks.finding import Finding, in_front, in_rule, warning
from nomicgit.outlook.checks.handed import calls

NO_KEYS = "and this game has no keys"
TELLS = f"tell sends a private message, {NO_KEYS}: whoever does this is refused, and by the clock it does not happen"
PLAINLY = "write tell(player, text, public=True) where nothing in it is secret, or found the game with keys"
SECRETLY = f"is secret, {NO_KEYS}: it stays empty, and whoever writes it is refused"
OPENLY = "found the game with keys; where nothing in it is secret, take tracked: secret out"
IN_PRIVATE = f"is done in private, {NO_KEYS}: it is refused"
BEFORE_ALL = "found the game with keys; where nothing in it is secret, take private out"


def unkept(law: Law, slugs: Collection[str]) -> Iterator[Finding]:
    """What some rules tell in private, keep secret or let be done in private; a secret draw is made all the same."""
    for placed in law.active:
        for call in calls(placed.mechanics, frozenset({"tell"})) if placed.slug in slugs else ():
            if "public" not in call.named:
                line = placed.line + 1 + placed.mechanics.count("\n", 0, call.at)
                yield warning(in_rule(law, placed.slug, TELLS, PLAINLY, line))
    declared = law.declared
    for variable in declared.variables.values():
        if variable.rule in slugs and variable.tracked == "secret":
            yield _secret(law, variable.rule, ("variables", variable.name))
    for collection in declared.collections.values():
        if collection.rule in slugs and collection.tracked == "secret":
            yield _secret(law, collection.rule, ("collections", collection.name))
    for action in declared.actions.values():
        if action.rule in slugs and action.private and not isinstance(action.private, tuple):
            path = ("actions", action.name)
            yield warning(in_front(law, action.rule, path, f"{action.name} {IN_PRIVATE}", BEFORE_ALL))


def _secret(law: Law, slug: str, path: tuple[str, str]) -> Finding:
    return warning(in_front(law, slug, path, f"{path[-1]} {SECRETLY}", OPENLY))
