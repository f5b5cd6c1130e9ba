"""What came of what somebody asked for, from the record: so the same is said whenever it is said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgit.git import Commit, Repository
from nomicgit.ground.escaping import escaped
from nomicgit.ground.problems import NomicError
from nomicgit.physics.state.store import WHOLE, Store
from nomicgit.record import journal
from nomicgit.record.history import effects_of
from nomicgit.record.tree import GameTree
from nomicgit.steward import saying
from nomicgit.steward.events import Event, What
from nomicgit.steward.past import JOINING
from nomicgit.steward.saying import Command
from nomicgit.steward.seen import Issue, Pull

SHOWN = 8  # effects
SHORT = 60  # letters of a value that is shown


def wants_answer(event: Event, thread: Pull | Issue) -> bool:
    """Whether what came of an event is said by itself: of commands and forms; votes stand in the report."""
    if event.what is What.OPENED:
        return isinstance(thread, Issue)
    if event.what is not What.SAID:
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
    lines += [f"- {line}" for line in _effects(repository, answered, tree)]
    if entry.deed.action in JOINING and site:
        lines.append(f"- the rules: <{site}ruleset/>, and each morning what waits for you: <{site}me/>")
    return "\n".join(lines)


def _sentences(message: str) -> list[str]:
    """What the message says for people: between its subject and its trailers."""
    before = message.rstrip("\n").rpartition("\n\n")[0]
    return [line for line in before.split("\n")[1:] if line.strip()]


def _effects(repository: Repository, commit: Commit, tree: GameTree) -> Iterator[str]:
    effects = [each for each in _fields(effects_of(repository, commit)) if _shown(each)]
    for each in effects[:SHOWN]:
        kind, _, name = str(each["ref"]).partition("/")
        whose = tree.called(name) if kind == "players" else name or f"the {kind}"
        field = str(each["field"]).replace("_", " ")
        was = "" if each["old"] is None else f" (it was {_short(each['old'])})"
        yield escaped(f"{whose}'s {field} is {_short(each['new'])} now{was}", 300)
    if len(effects) > SHOWN:
        yield f"and {len(effects) - SHOWN} more"


def _fields(effects: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The fields of the gamestate that changed, those of what came or went too."""
    for each in effects:
        if each["ref"].startswith(("posts/", "rules/", "scenarios/")):
            continue
        old, new = (
            each[key] if each["field"] in WHOLE else {each["field"]: each[key]} for key in ("old", "new")
        )
        for field in sorted({*(old or {}), *(new or {})}):
            yield {
                "ref": each["ref"],
                "field": field,
                "old": (old or {}).get(field),
                "new": (new or {}).get(field),
            }


def _shown(effect: Mapping[str, Any]) -> bool:
    telling = effect["field"] not in ("uses", "forge", "made")
    return telling and all(len(_short(effect[key])) <= SHORT for key in ("old", "new"))


def _short(value: Any) -> str:
    """A value in a sentence."""
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "yes", False: "no"}[value]
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
