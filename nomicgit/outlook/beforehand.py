"""A pending matter tried before anybody votes on it: all that its enactment would do now, and what stands against that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from nomicgit.ground import purse
from nomicgit.ground.problems import NomicError
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook import foreseen
from nomicgit.outlook.checks.collisions import told_of
from nomicgit.outlook.checks.differing import RuleDiffers, differing
from nomicgit.outlook.checks.disclosing import SEALED
from nomicgit.outlook.checks.enactment import pending_tried
from nomicgit.outlook.checks.rehearsed import kept
from nomicgit.outlook.foreseen import Foreseen
from nomicgit.physics.state import reading
from nomicgit.record.game import Game

EMPTY: Mapping[str, Any] = {
    "values": [], "actions": [], "views": [], "pending": [], "chance": False, "programs": [], "posts": [], "secrets": [],
}  # fmt: skip


class Attempt(Struct, frozen=True):
    """What became of a matter that was tried; ``enactment`` is plain data, empty where its changes cannot be tried."""

    number: int
    title: str
    fates: Foreseen
    rules: tuple[RuleDiffers, ...] = ()
    enactment: Mapping[str, Any] = field(default_factory=dict)
    brings: tuple[str, ...] = ()  # scenarios, by their names

    @property
    def verdict(self) -> str:
        """``whole``, ``part`` or ``nothing`` of it would be done, or it is ``sealed``: that hangs on what is secret. Or it would be
        ``undone``, or is ``untried``: it cannot be.
        """
        outcomes = [each["outcome"] for each in self.fates["changes"]]
        if not self.enactment:
            return "untried"
        if self.fates["undone"]:
            return "undone"
        if SEALED in outcomes:
            return SEALED
        if "applied" not in outcomes:
            return "nothing" if outcomes else "whole"
        return "whole" if set(outcomes) == {"applied"} else "part"

    def warnings(self) -> Iterator[str]:
        """What whoever votes on it needs to know beside what it would change."""
        yield from foreseen.lines({**self.fates, "whole": (), "secrets": ()})  # they are told before
        for each in self.enactment.get("pending", ()):
            yield from told_of(each)

    def as_json(self) -> dict[str, Any]:
        """Plain data, its keys always the same."""
        tried = {key: self.enactment.get(key, empty) for key, empty in EMPTY.items()}
        said = {
            "title": self.title,
            "verdict": self.verdict,
            "rules": [each.as_json() for each in self.rules],
            "brings": list(self.brings),
        }
        return {**self.fates, **said, **tried, "chance": self.fates["chance"] or tried["chance"]}


def attempt(game: Game, ref: str, at: int, by: str | None = None) -> Attempt:
    """A pending matter, tried as though it were enacted at a time, in seconds, by who asks (an id) if they may."""
    world = game.looked_at(at)
    number, title = int(ref.partition("/")[2]), str(reading.get(world, ref, "title"))

    def tried() -> dict[str, Any]:
        done = pending_tried(game.looked_at(at), ref, by, foreseen.recalled(game))
        texts = done["texts"]
        stood = {path: text for path, text in game.ruleset.texts.items() if path not in texts}
        new = {path: text for path, text in texts.items() if game.ruleset.texts.get(path) != text}
        return done | {"texts": {**new, **dict.fromkeys(stood)}}  # it may be remembered: the least that tells

    with purse.shared():
        fates = foreseen.foreseen(game, world, ref, by=by, whole=True)
        try:
            done = foreseen.remembered(game, f"tried {ref} {by}", world, tried)
        except NomicError:
            return Attempt(number, title, fates)  # why is among its fates
    fates = {**fates, "untried": [*fates["untried"], *done.pop("untried")]}
    texts = {**game.ruleset.texts, **done.pop("texts")}
    after = Ruleset.read({path: text for path, text in texts.items() if text is not None}, old=game.ruleset)
    done |= {"programs": [*done["programs"]], "secrets": fates["secrets"]}
    old = kept(world)
    brings = tuple(name for name, text in done["scenarios"].items() if old.get(name) != text)
    return Attempt(number, title, fates, differing(game.ruleset, after), done, brings)
