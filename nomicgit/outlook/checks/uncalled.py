"""Checks of functions that would be found by their names alone, and that nothing declares: nobody ever calls them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from nomicgit.law import formed
from nomicgit.law.definitions import code, text_of
from nomicgit.law.hooks import Timed
from nomicgit.law.law import Law
from nomicgit.law.linking import PREFIX, written
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.finding import Finding, in_front, in_rule, misspelt, warning
from nomicgit.outlook.checks.handed import names_under
from nomicgit.outlook.checks.named import named, near

OPENING = "can_"


def uncalled(law: Law) -> Iterator[Finding]:
    """Functions called as those of a declaration are, where neither a declaration nor any mechanics name them."""
    wanted = {written(each.function) for each in named(law) if each.function}
    lacking = [each.function for each in named(law) if each.function and not law.has(each.function)]
    kinds = {kind.prefix: (key, kind.one) for key, kind in law.declarations.items() if kind.prefix}
    for placed in law.active:
        for name, line in law.scanned(placed).functions.items():
            prefix = next((each for each in (*kinds, OPENING) if name.startswith(each)), "")
            key, one = kinds.get(prefix, ("actions", "action"))
            own = name.removeprefix(prefix)
            if not prefix or not own or name in wanted or own in names_under(law, key):
                continue
            if _mentioned(law, name) or near(name, lacking):
                continue  # what nobody defines, and may have been meant to be this, is told
            doing = "do_" + own
            if prefix == OPENING and law.has(doing) and not _mentioned(law, doing):
                continue  # that nobody calls that is told
            what = f"nobody calls {name}: no {one} is declared as {own}"
            meant = _meant(law, prefix, own)
            mend = meant or _declared(placed, key, own)
            yield misspelt(in_rule(law, placed.slug, what, mend, line), meant)


def never_due(law: Law) -> Iterator[Finding]:
    """Functions at a time that no mechanics set but their own: it is never due, whatever waits for it."""
    for hook in law.declared.schedule.values():
        if not isinstance(hook, Timed):
            continue
        variable, collection = law.variable(hook.kind, hook.at), law.declared.collections.get(hook.kind)
        if variable is None or (collection is not None and (collection.founding or collection.source)):
            continue
        begins = (
            variable.derived
            or variable.by_hand
            or variable.type.default_by
            or variable.type.empty() is not None
        )
        if begins or any(_says(_without(placed, written(hook.function)), hook.at) for placed in law.active):
            continue
        itself = any(_says(placed.mechanics, hook.at) for placed in law.active)
        what = f"nothing{f' but {written(hook.function)} itself' if itself else ''} sets {hook.at} of {hook.kind}: {hook.name}"
        at = f'{hook.at}=later(now(), "1d")'
        if collection is not None:
            what, mend = f"{what} never happens", f'set it where one is made: create("{hook.kind}", …, {at})'
        else:
            whose = f'"{hook.kind}"' if hook.kind in ("game", "dynasty") else "ref"
            what, mend = (
                f"{what} happens only once a change does",
                f"set it where that begins: put({whose}, {at})",
            )
        yield warning(in_front(law, hook.rule, ("schedule", hook.name), what, mend))


def _without(placed: Placed, function: str) -> str:
    """The mechanics of a rule without a function, which runs when it is due."""
    text = text_of(placed.mechanics, function)
    return placed.mechanics.replace(text, "", 1) if text else placed.mechanics


def _says(mechanics: str, name: str) -> bool:
    """Whether mechanics hold a name, as a word or as a text."""
    return any(word.strip("\"'").replace("-", "_") == name for _, word, _ in code(mechanics))


def _meant(law: Law, prefix: str, own: str) -> str:
    """How what says when an action is open is to be called, where an action is called nearly as its name says."""
    declared = (each.opening.removeprefix(OPENING) for each in law.declared.actions.values())
    close = near(own, declared) if prefix == OPENING else ""
    return close.replace("write ", f"write {OPENING}", 1)


def _declared(placed: Placed, key: str, own: str) -> str:
    """What to declare."""
    form = "{}" if key == "actions" else formed.NAMES[key]
    return f"write {own}: {form} under {key}" if placed.front.get(key) else f"write {key}: {{{own}: {form}}}"


def _mentioned(law: Law, name: str) -> bool:
    """Whether any mechanics in force name a function otherwise than to define it, or any rule's declarations do."""
    for placed in law.active:
        words = ["", *(word for _, word, _ in code(placed.mechanics))]
        if any(word in (name, PREFIX + name) and before != "def" for before, word in pairwise(words)):
            return True
    return any(name in _words(placed.front) for placed in law.ruleset.rules)


def _words(value: object) -> Iterator[str]:
    """All names and texts in a declaration."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _words(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _words(inner)
    elif isinstance(value, str):
        yield value
