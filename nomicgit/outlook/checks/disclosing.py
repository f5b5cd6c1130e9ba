"""What changes have to do with what is secret: what they let out, and what they read of it, which no trial without a key shows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from nomicgit.ground.problems import NomicError
from nomicgit.law.declarations import overrides
from nomicgit.law.definitions import DEEPER, Token, code
from nomicgit.law.law import NOTHING_SECRET, Law
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import kind_of_all
from nomicgit.outlook.checks.aimed import emitting
from nomicgit.outlook.checks.hanging import hangs, heard, worded
from nomicgit.outlook.checks.uncovered import NOTHING, Uncovered, in_words
from nomicgit.physics.deeds import amending
from nomicgit.physics.state.transaction import Transaction

FORGOTTEN = "a secret is forgotten, since no rule declares it any more, and its past stays sealed"
SEALED = "sealed"
"""What becomes of a change that hangs on what is secret, and was not made where nothing secret is set."""
UNSEEN = "what comes of it is seen only when it is enacted"
BY_NAME = ("get", "was")
"""Words that are handed the name of the value that they give."""
_PATH = re.compile(r"[\w/.*-]+")
"""A text that names something, and is not there to be read."""


def programs(changes: Iterable[Mapping[str, Any]]) -> list[str]:
    """The programs that changes run once, as they are written."""
    texts = []
    for change in changes:
        if isinstance(change.get("run"), str):
            texts.append(str(change["run"]))
        texts += programs(change.get("together", ()))
    return texts


def met(world: Transaction, change: Mapping[str, Any], asks: set[str] | None = None) -> set[str]:
    """The secret variables and collections that a change itself meets, such as a program, however it names them, and not what follows
    from it. What it does is taken back. ``asks`` takes up what it asks that may be otherwise at another time.
    """
    world.store.met = set()
    with world.asking(), suppress(NomicError), heard(world, set() if asks is None else asks):
        world.refuel()
        world.parent_law = world.parent_law or world.law
        amending.carry(world, change)
    return in_words(world.store)


def run_by(world: Transaction, change: Mapping[str, Any]) -> tuple[dict[str, set[str]], str]:
    """The programs that a change runs, each with what is secret that it meets; and that what they do may differ at another time."""
    asks: set[str] = set()
    own = {text: met(world, {"run": text}, asks) for text in programs([change])}
    return own, hangs(asks.union(*map(worded, own)))


def of_changes(fates: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What changes set or read of what is secret, but for those programs of which that is told with their text; and of which nobody can
    say beforehand what becomes of them.
    """
    for each in fates:
        names = ", ".join(each["secret"])
        if each["outcome"] == SEALED:
            yield f"what becomes of change {each['change']} hangs on what is secret: {names}; that is seen only when it is enacted"
        elif names and not each["program"]:
            yield f"change {each['change']} sets or reads what is secret: {names}; {UNSEEN}"


def disclosed(
    before: Law, after: Law, run: Mapping[str, Collection[str]], uncovered: Mapping[str, Uncovered] = NOTHING
) -> Iterator[str]:
    """What one law keeps secret and the next does not, or lets more see; and which rules and programs meet or name what is secret.

    ``run``: programs, each with what is secret that was met when it was tried. ``uncovered``: the same of rules, by their slugs.
    """
    for key, was in before.declared.variables.items():
        now = after.declared.variables.get(key)
        kind = kind_of_all(was.of)
        if was.tracked != "secret" or (now is None and kind in before.secrecy.kinds):
            continue
        name = f"{kind}.{was.name}"
        if now is None:
            yield f"{FORGOTTEN}: {name}"
        elif now.tracked != "secret":
            yield f"a secret becomes public: {name}"
        elif {*now.seen_by} - {*was.seen_by}:
            yield f"a secret is shown to more: {name}, seen_by: {', '.join(now.seen_by)}"
    for kind in sorted(before.secrecy.kinds - after.secrecy.kinds):
        if kind in after.declared.collections:
            yield f"a secret becomes public: {kind}"
        else:
            yield f"{FORGOTTEN}: {kind}"
    yield from _unveiled(before, after)
    for text, seen in run.items():
        if names := _named(before, text) | {*seen}:
            yield f"its program reads what is secret: {', '.join(sorted(names))}; {UNSEEN}"
    stood = {placed.slug: placed.mechanics for placed in before.active}
    for placed in after.active:
        if placed.mechanics == stood.get(placed.slug):
            continue
        played = uncovered.get(placed.slug, Uncovered())
        if names := _named(after, placed.mechanics) | played.met:
            shows = (
                f", and writes where everybody sees it: {', '.join(sorted(played.shows))}"
                if played.shows
                else ""
            )
            yield f"the rule {placed.title} reads what is secret: {', '.join(sorted(names))}{shows}; {UNSEEN}, or done by it"
        elif line := _at_large(after, placed):
            yield f"the rule {placed.title} reads values by names that it works out (line {line}), which may be secret; {UNSEEN}"
    yield from _overheard(before, after)


def _unveiled(before: Law, after: Law) -> Iterator[str]:
    """The actions of which more is private under one law than under the next, or less."""
    for name, was in before.declared.actions.items():
        now = after.declared.actions.get(name)
        if now is None or now.private == was.private:
            continue
        if not now.private:
            yield f"an action is no longer private: {name}"
        elif not was.private:
            yield f"an action is private from then on: {name}"
        else:
            yield f"of an action something else is private from then on: {name}"


def _overheard(before: Law, after: Law) -> Iterator[str]:
    """The rules that from then on hear of what is done in private, or stand in for it, and could tell it to all."""
    private = {each.function: name for name, each in after.declared.actions.items() if each.private}
    events = {event: name for function, event in emitting(after) if (name := private.get(function))}
    stood = {placed.slug: (placed.mechanics, overrides(placed.rule)) for placed in before.active}
    for placed in after.active:
        if stood.get(placed.slug) == (placed.mechanics, overrides(placed.rule)):
            continue
        hooks = (each for event in events for each in after.declared.listeners.get(event, ()))
        heard = dict.fromkeys(
            f"{each.name}, of {events[each.name]}" for each in hooks if each.rule == placed.slug
        )
        if heard:
            yield f"the rule {placed.title} hears of what is done in private: {'; '.join(heard)}; {UNSEEN}, or done by it"
        if stands := [private[name] for name in overrides(placed.rule) if name in private]:
            yield f"the rule {placed.title} says what comes of what is done in private: {', '.join(stands)}; {UNSEEN}, or done by it"


def _at_large(law: Law, placed: Placed) -> int:
    """The line of a rule's file in which it reads values whose names do not stand there, where anything is secret; 0 for none."""
    if law.secrecy == NOTHING_SECRET:
        return 0
    tokens = code(placed.mechanics)
    for at, (_, word, offset) in enumerate(tokens):
        if word not in ("read", *BY_NAME) or [each[1] for each in tokens[at + 1 : at + 2]] != ["("]:
            continue
        if word == "read" or not _literal(tokens[at + 2 :]):
            return placed.line + placed.mechanics.count("\n", 0, offset) + 1
    return 0


def _literal(given: Sequence[Token]) -> bool:
    """Whether the second argument of a call, of which these tokens follow its bracket, is a text as it stands, or is none."""
    depth, second = 1, -1
    for at, (_, word, _) in enumerate(given):
        depth += DEEPER.get(word, 0)
        if depth == 1 and word == "," and second < 0:
            second = at + 1
        elif depth == 0 or (depth == 1 and word == "," and second >= 0):
            return second < 0 or (at == second + 1 and given[second][0] == "STRING")
    return True


def _named(law: Law, text: str) -> set[str]:
    """The secret variables and collections that mechanics name: in a text that is a name or a path, or as a named argument."""
    words = {*_words(text)}
    secret = {f"{kind}.{name}" for kind, name in law.secrecy.variables if name in words}
    return secret | (law.secrecy.kinds & words)


def _words(text: str) -> Iterator[str]:
    tokens = [token[:2] for token in code(text)]
    before, after = [("", ""), *tokens], [*tokens[1:], ("", "")]
    for (_, came), (kind, word), (_, comes) in zip(before, tokens, after, strict=False):
        inner = word.strip("\"'")
        if kind == "STRING" and _PATH.fullmatch(inner):
            yield from re.split(r"[/.]", inner)
        elif comes == "=" and came in ("(", ","):
            yield word
