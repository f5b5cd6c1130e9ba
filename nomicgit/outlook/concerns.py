"""What others have done that concerns a player: values of theirs that changed, comments on their posts, messages to them.

From what everybody can see: what is private comes by letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from nomicgit.git import Commit
from nomicgit.ground import clock
from nomicgit.ground.problems import printable
from nomicgit.law.outside import Outside
from nomicgit.outlook import doings
from nomicgit.record import journal
from nomicgit.record.annals import UNTOLD, ref_of
from nomicgit.record.game import Game
from nomicgit.record.history import post_of
from nomicgit.record.strays import told_aside
from nomicgit.record.tree import GameTree

LOOKED = 200  # deeds that are looked through where nobody says from which on
LONG = 120  # characters of what somebody said


@dataclass(frozen=True, slots=True)
class Concern:
    """A deed of somebody else's, and what of it concerns a player, in lines."""

    commit: str
    at: int
    by: str
    action: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.by}: {self.action}: {'; '.join(self.lines)}"

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        at = clock.text(self.at)
        return {
            "commit": self.commit,
            "at": at,
            "by": self.by,
            "action": self.action,
            "what": list(self.lines),
        }


def since_own(game: Game, player: str) -> list[Concern]:
    """What concerns a player of what was done since their own last deed, oldest first."""
    deeds = list[Commit]()
    for commit, aside in islice(told_aside(game.repository, game.head.oid), LOOKED):
        if aside:
            continue
        entry = journal.told(commit.message)
        if entry and (entry.deed.actor == player or entry.deed.action == Outside.FOUND):
            break
        deeds.append(commit)
    return list(_concerning(game, deeds, player))


def since(game: Game, older: str, player: str) -> list[Concern]:
    """The same of what was done since a commit, of this history or of one that it has left."""
    base = game.repository.merge_base(older, game.head.oid)
    deeds = list[Commit]()
    for commit, aside in told_aside(game.repository, game.head.oid):
        if commit.oid == base:
            break
        deeds += [] if aside else [commit]
    return list(_concerning(game, deeds, player))


def _concerning(game: Game, deeds: list[Commit], player: str) -> Iterator[Concern]:
    for commit in reversed(deeds):
        entry = journal.told(commit.message)
        if entry is None or entry.deed.actor == player or entry.deed.action == Outside.FOUND:
            continue
        lines = (*_changed(game, commit, player), *_told(commit, player))
        if lines:
            by = game.tree.called(entry.deed.actor) if entry.deed.actor else "the clock"
            yield Concern(commit.oid, entry.deed.at, by, entry.deed.action, lines)


def _changed(game: Game, commit: Commit, player: str) -> Iterator[str]:
    """What of a player's values a deed changed, and what it said under their posts."""
    old, new = (
        GameTree(game.repository, tree)
        for tree in (game.repository.commit(commit.parents[0]).tree, commit.tree)
    )
    for path, _, _ in game.repository.changed(old.tree, new.tree):
        post = post_of(path)
        if ref_of(path) == f"players/{player}":
            before, after = old.entity(f"players/{player}") or {}, new.entity(f"players/{player}") or {}
            for field in dict.fromkeys((*before, *after)):
                if field not in UNTOLD and before.get(field) != after.get(field):
                    yield from doings.changed(field, before.get(field), after.get(field))
        elif path.endswith(".comments.yml") and post is not None:
            yield from _said(old, new, post, player)


def _said(old: GameTree, new: GameTree, post: str, player: str) -> Iterator[str]:
    """What was said under a post that is a player's own."""
    fields: Mapping[str, Any] = new.entity(post) or {}
    if str(fields.get("author")).rpartition("/")[2] != player:
        return
    for each in new.comments(post)[len(old.comments(post)) :]:
        if each.get("text"):
            title = printable(str(fields.get("title", "")), LONG)
            yield f"on your post {post.partition('/')[2]}, {title}: {printable(str(each['text']), LONG)}"


def _told(commit: Commit, player: str) -> Iterator[str]:
    """The public messages to a player, as the journal has them."""
    begins = f"To {player}: "
    return (
        f"to you: {note.removeprefix(begins)}"
        for note in journal.notes_of(commit.message)
        if note.startswith(begins)
    )
