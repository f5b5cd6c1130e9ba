"""What came of what somebody asked for, from the record: so the same is said whenever it is said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.ground.escaping import escaped
from nomicgit.ground.problems import NomicError
from nomicgit.ground.wording import in_words
from nomicgit.physics.state.effects import Effect
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.history import parts
from nomicgit.record.tree import GameTree
from nomicgit.steward import saying
from nomicgit.steward.events import Event, What
from nomicgit.steward.past import JOINING
from nomicgit.steward.saying import Command
from nomicgit.steward.seen import Issue, Pull

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SHOWN = 8  # effects
KEPT = frozenset({"uses", "forge", "made"})
"""Fields that the program keeps for itself."""
SHORT = 60  # letters of a value that is shown


def wants_answer(event: Event, thread: Pull | Issue) -> bool:
    """Whether what came of an event is said by itself: of commands and forms; votes stand in the report."""
    if event.what is What.OPENED:
        return isinstance(thread, Issue)
    if not event.spoken:
        return False
    try:
        return isinstance(saying.said(event.text, ()), Command)
    except NomicError:
        return False


def answer(repository: Repository, commit: str, site: str = "") -> str:
    """What a deed has done: who did it, what happened, the dice, and where it stands. Whoever asked is on the thread;
    whoever joins is told where on the ``site`` they find what waits for them.
    """
    answered = repository.commit(commit)
    entry = journal.parse(answered.message, commit)
    tree = GameTree(repository, answered.tree)
    who = escaped(journal.doer(entry.deed, Store(tree)))
    lines = [f"{who}: **{escaped(entry.deed.action)}** is done, as `{commit[:10]}`."]
    lines += [f"- {escaped(line, 600)}" for line in _sentences(answered.message)]
    first, own = parts(repository, answered, entry)
    lines += [f"- {line}" for line in _told(own, tree, clock.text(entry.deed.at))]
    lines += [f"- by {journal.THE_CLOCK}: {line}" for line in _told(first, tree)]
    if entry.deed.action in JOINING and site:
        lines.append(f"- the rules: <{site}ruleset/>, and each morning what waits for you: <{site}me/>")
    return "\n".join(lines)


def _sentences(message: str) -> list[str]:
    """What the message says for people: between its subject and its trailers."""
    before = message.rstrip("\n").rpartition("\n\n")[0]
    return [line for line in before.split("\n")[1:] if line.strip()]


def _told(effects: Sequence[Effect], tree: GameTree, at: str = "") -> Iterator[str]:
    """What was changed, but for that it was done at the instant ``at``, which is no news to whoever did it."""
    lines = [line for each in effects if each["new"] != at for line in _effect(each, tree)]
    yield from (escaped(line, 300) for line in lines[:SHOWN])
    if len(lines) > SHOWN:
        yield f"and {len(lines) - SHOWN} more"


def _effect(each: Mapping[str, Any], tree: GameTree) -> Iterator[str]:
    """What changed in the gamestate: a field in a sentence, what came or went on one line."""
    kind, _, name = str(each["ref"]).partition("/")
    field = str(each["field"])
    if kind in ("posts", "rules", "scenarios") or field in KEPT:
        return
    whose = tree.called(name) if kind == "players" else name or f"the {kind}"
    if field == "destroyed":
        had = {key: value for key, value in each["old"].items() if key not in KEPT and _tells(value, name)}
        yield f"{whose} is none of the {kind} any more" + (f" ({in_words(had, 2 * SHORT)})" if had else "")
        return
    made = field == "created"
    if made:
        yield f"{whose} is one of the {kind} now"
    for called, new in sorted(each["new"].items()) if made else [(field, each["new"])]:
        old = None if made else each["old"]
        news = called not in KEPT and new != old and (_tells(new, name) or not made)
        if news and all(len(_short(value)) <= SHORT for value in (old, new)):
            yield _changed(whose, called.replace("_", " "), old, new)


def _tells(value: Any, name: str) -> bool:
    """Whether a value of what comes or goes tells anything: nothing, an instant and its own name do not."""
    instant = isinstance(value, str) and _INSTANT.fullmatch(value)
    return bool(value) and value != name and not instant


def _changed(whose: str, field: str, old: Any, new: Any) -> str:
    """That a field has another value, in a sentence; one that is true or not says what somebody, or something, is."""
    if isinstance(new, bool):
        still = " any more" if old is True else " now"
        return f"{whose} is {'' if new else 'not '}{field}{' now' if new else still}"
    was = "" if old is None else f" (it was {_short(old)})"
    return f"{whose}'s {field} is {_short(new)} now{was}"


def _short(value: Any) -> str:
    """A value in a sentence."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "yes", False: "no"}[value]
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
