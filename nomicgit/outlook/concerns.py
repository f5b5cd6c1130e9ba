"""What others have done that concerns a player: values of theirs that changed, what became of their posts and was said
under them, messages to them, what was said of their keys, and what of the law failed meanwhile.

From what everybody can see: what is private comes by letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct

from nomicgit.git import Commit
from nomicgit.ground import clock
from nomicgit.ground.problems import printable
from nomicgit.ground.wording import SHORT, in_words
from nomicgit.law.outside import Outside
from nomicgit.outlook import doings
from nomicgit.physics.deed import FAILED, Deed
from nomicgit.record import journal, visible
from nomicgit.record.annals import UNTOLD
from nomicgit.record.game import Game
from nomicgit.record.history import post_of
from nomicgit.record.strays import takes_back, told_aside
from nomicgit.record.tree import GameTree, ref_of

LOOKED = 200  # deeds that are looked through where nobody says from which on
LONG = 120  # characters of what somebody said
UNTOLD_AT_FIRST = (*UNTOLD, "mailbox", "name")
"""What whoever has just come on the roster need not be told of themselves."""
ENDS = {"enacted": "was enacted", "failed": "has failed"}
"""How it is told what became of a matter, by the status that it has then."""


class Concern(Struct, frozen=True):
    """A deed of somebody else's, and what of it concerns a player, in lines."""

    commit: str
    at: int
    by: str
    action: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        if self.action == Outside.SEALED:
            return f"sealed: {'; '.join(self.lines)}"
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
    """What concerns a player of what was done since their own last deed, oldest first; of what is sealed all that everybody
    can see of it.
    """
    deeds = list[Commit]()
    for commit, aside in islice(told_aside(game.repository, game.head.oid), LOOKED):
        if aside:
            continue
        entry = journal.told(commit.message)
        if entry and (entry.deed.actor == player or entry.deed.action == Outside.FOUND):
            break
        deeds += [] if takes_back(commit) else [commit]  # who looks at the game is told of these first
    return list(_concerning(game, deeds, player, sealed=True))


def since(game: Game, older: str, player: str) -> list[Concern]:
    """The same of what was done since a commit, of this history or of one that it has left, without the ends of matters:
    whoever asks from a commit on tells them to everybody.
    """
    base = game.repository.merge_base(older, game.head.oid)
    deeds = list[Commit]()
    for commit, aside in told_aside(game.repository, game.head.oid):
        if commit.oid == base:
            break
        deeds += [] if aside else [commit]
    return list(_concerning(game, deeds, player, ends=False))


def _concerning(
    game: Game, deeds: list[Commit], player: str, *, ends: bool = True, sealed: bool = False
) -> Iterator[Concern]:
    for commit in reversed(deeds):
        entry = journal.told(commit.message)
        if entry is None or entry.deed.actor == player or entry.deed.action == Outside.FOUND:
            continue
        if not commit.parents:  # where a shallow clone ends nobody sees what a deed has changed
            continue
        if takes_back(commit):  # concerns everybody; what it takes away may be broken, and is not read
            lines = tuple(journal.notes_of(commit.message))
        else:
            changed = _changed(game, commit, player, ends=ends)
            beside = (*_told(commit, player), *_keyed(commit, entry.deed, player), *_failed(commit))
            lines = tuple(dict.fromkeys((*changed, *beside)))  # a renamed post changes two files
        if sealed:
            lines += _public(game, commit, player)
        if lines:
            by = game.tree.called(entry.deed.actor) if entry.deed.actor else journal.unnamed(entry.deed)
            yield Concern(commit.oid, entry.deed.at, by, entry.deed.action, lines)


def _public(game: Game, commit: Commit, player: str) -> tuple[str, ...]:
    """What everybody can see that a sealed deed has changed, whose words do not tell it; a player's own values apart."""
    own = f"players.{player}."
    return tuple(line for line in visible.lines(game.repository, commit) if not line.startswith(own))


def _changed(game: Game, commit: Commit, player: str, *, ends: bool) -> Iterator[str]:
    """What of a player's values a deed changed, what it said under their posts, and what became of these."""
    old, new = (
        GameTree(game.repository, tree)
        for tree in (game.repository.commit(commit.parents[0]).tree, commit.tree)
    )
    for path, _, _ in game.repository.changed(old.tree, new.tree):
        post = post_of(path)
        if ref_of(path) == f"players/{player}":
            before, after = old.entity(f"players/{player}") or {}, new.entity(f"players/{player}") or {}
            if not before:
                has = {name: each for name, each in after.items() if name not in UNTOLD_AT_FIRST and each}
                yield f"you are on the roster now ({in_words(has, 2 * SHORT)})"
                continue
            for field in dict.fromkeys((*before, *after)):
                if field == "mailbox" and before.get(field) != after.get(field):
                    yield f"mailbox: {visible.mailbox(after.get(field))}"
                elif field not in UNTOLD and before.get(field) != after.get(field):
                    yield from doings.changed(field, before.get(field), after.get(field))
        elif post is not None:
            fields: Mapping[str, Any] = new.entity(post) or {}
            if str(fields.get("author")).rpartition("/")[2] != player:
                continue
            yours = f"your post {post.partition('/')[2]}, {printable(str(fields.get('title', '')), LONG)}"
            if path.endswith(".comments.yml"):
                yield from (f"on {yours}: {text}" for text in _said(old, new, post))
            elif ends and fields.get("status") in ENDS and (old.entity(post) or {}).get("status") not in ENDS:
                yield f"{yours}, {ENDS[fields['status']]}"


def _said(old: GameTree, new: GameTree, post: str) -> Iterator[str]:
    """What was said under a post."""
    more = new.comments(post)[len(old.comments(post)) :]
    return (printable(str(each["text"]), LONG) for each in more if each.get("text"))


def _keyed(commit: Commit, deed: Deed, player: str) -> Iterator[str]:
    """What somebody else has said of the keys with which a player signs."""
    if deed.action == Outside.SIGNERS and deed.given.get("player") == player:
        yield from journal.notes_of(commit.message)


def _failed(commit: Commit) -> Iterator[str]:
    """What of the law broke, or what of the clock did not happen: it concerns everybody, and a deed goes on without it."""
    return (note for note in journal.notes_of(commit.message) if any(said in note for said in FAILED))


def _told(commit: Commit, player: str) -> Iterator[str]:
    """The public messages to a player, as the journal has them."""
    begins = f"To {player}: "
    return (
        f"to you: {note.removeprefix(begins)}"
        for note in journal.notes_of(commit.message)
        if note.startswith(begins)
    )
