"""On what conditions an action may be done, in words: who may, how often, what it costs."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgit.law.declarations import Action, Limit
from nomicgit.law.law import Law
from nomicgit.law.terms import quoted
from nomicgit.physics.state.quoting import of_law, shown


def called(who: str, terms: Mapping[str, str]) -> str:
    """Who may do something, in the words of the dynasty: a role, or a function that tells it."""
    if who in ("player", "emperor"):
        return terms.get(who) or who
    return who.rpartition("__")[2].strip("_").replace("_", " ")


def often(limit: Limit) -> str:
    """How often a limit allows what it limits."""
    gap = f", {limit.gap} apart" if limit.gap else ""
    return f"{'as often as the rule says' if limit.times_by else limit.times} in each {limit.per}{gap}"


def cost(law: Law, action: Action) -> str:
    """What doing an action takes, as its declaration tells people, with its quotes filled in; "" where it tells nothing."""
    if action.takes:
        takes = [(name.replace("_", " ").replace(".", " "), n) for name, n in action.takes.items()]
        said = [f"{n} {name}" if isinstance(n, int) else f"{name} as the rule says" for name, n in takes]
        return shown(said) or ""
    placed = law.ruleset.by_slug[action.rule]
    return quoted(str(action.attributes.get("cost") or ""), lambda path: of_law(law, placed, path))
