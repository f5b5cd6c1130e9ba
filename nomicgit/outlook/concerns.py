"""What others have done that concerns a player: values of theirs that changed, what became of their posts and was said
under them, messages to them, what was said of their keys, which rules were changed without a vote, and what of the law failed
meanwhile.

From what everybody can see: what is private comes by letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct

from nomicgit.clones.others.unvoted import unvoted
from nomicgit.clones.own.as_seen import seen_at
from nomicgit.git import Commit
from nomicgit.ground import clock
from nomicgit.ground.kept import late
from nomicgit.ground.problems import printable
from nomicgit.ground.remedies import command
from nomicgit.ground.wording import SHORT, in_words
from nomicgit.law.outside import Outside
from nomicgit.outlook import doings
from nomicgit.physics.deed import FAILED, Deed, folded
from nomicgit.physics.state.store import Source, filed
from nomicgit.record import history, journal, visible
from nomicgit.record.annals import UNTOLD
from nomicgit.record.game import Game
from nomicgit.record.history import post_of
from nomicgit.record.seen.strays import takes_back, told_aside
from nomicgit.record.tree import GameTree, comments_path, ref_of

LOOKED = 200  # deeds that are looked through where nobody says from which on
LONG = 120  # characters of what somebody said
UNTOLD_AT_FIRST = (*UNTOLD, "mailbox", "name")
"""What whoever has just come on the roster need not be told of themselves."""
NOBODYS = (Outside.SEALED, Outside.CLOCK)
"""What is said of a deed that names nobody is all that is known of who has done what."""
ENDS = {"enacted": "was enacted", "failed": "has failed"}
"""How it is told what became of a matter, by the status that it has then."""
_UNMADE = late(r"Change [0-9]+ was not made: ")
"""How the law of each edition says it in the journal."""


class Concern(Struct, frozen=True):
    """A deed of somebody else's, or what the clock did before it, and what of that concerns a player, in lines."""

    commit: str
    at: int
    by: str
    action: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        who = self.by if self.action in NOBODYS else f"{self.by}: {self.action}"
        return f"{who}: {'; '.join(self.lines)}"

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
    can see of it. Where that was laid anew upon what others had done meanwhile, this came since as well.
    """
    deeds, seen = list[Commit](), ""
    for commit, aside in islice(told_aside(game.repository, game.head.oid), LOOKED):
        if commit.oid == seen:
            break
        if aside:
            continue
        entry = journal.told(commit.message)
        if entry and not seen and entry.deed.actor == player:
            seen = seen_at(game.repository, game.head.oid, commit) or ""
        if entry and (commit.oid == seen or entry.deed.action == Outside.FOUND):
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


def lines(some: Iterable[Concern]) -> Iterator[str]:
    """What concerns a player, one deed a line; what of the law broke at several deeds alike is told once."""
    alike: dict[object, list[Concern]] = {}
    for each in some:
        broke = all(any(said in line for said in FAILED) for line in each.lines)
        alike.setdefault(each.lines if broke else (each.commit, each.action), []).append(each)
    for first, *again in alike.values():
        more = f"{len(again)} times" if again[1:] else "once"
        yield str(first) + (f" (and {more} more since)" if again else "")


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
            notes, (before, after) = journal.notes_of(commit.message), _sides(game, commit)
            fell_due, between = 0, before  # how many lines tell what the clock did first
            if (came := history.clocked(game.repository, commit, entry)) is not None:
                fell_due, between = sum(bool(line.strip()) for line in came.said), came.world.store
                if first := _lines(game, commit, player, notes[:fell_due], (before, between), ends=ends):
                    yield Concern(commit.oid, entry.deed.at, journal.THE_CLOCK, Outside.CLOCK, first)
            lines = _lines(game, commit, player, notes[fell_due:], (between, after), ends=ends)
            lines += tuple(_keyed(commit, entry.deed, player))
            lines += (said,) if (said := unvoted(game.repository, commit)) else ()
        if sealed:
            lines += _public(game, commit, player)
        if lines:
            by = game.tree.called(entry.deed.actor) if entry.deed.actor else journal.unnamed(entry.deed)
            yield Concern(commit.oid, entry.deed.at, by, entry.deed.action, lines)


def _sides(game: Game, commit: Commit) -> tuple[Source, Source]:
    """The game before a deed and after it."""
    parent = game.repository.commit(commit.parents[0])
    return GameTree(game.repository, parent.tree), GameTree(game.repository, commit.tree)


def _lines(
    game: Game, commit: Commit, player: str, notes: list[str], sides: tuple[Source, Source], *, ends: bool
) -> tuple[str, ...]:
    """What of a part of a deed concerns a player: from one state of the game to another, as lines of its message tell."""
    changed = _changed(game, commit, player, *sides, notes, ends=ends)
    return tuple(
        dict.fromkeys((*changed, *_told(notes, player), *_failed(notes)))
    )  # a renamed post changes two files


def _public(game: Game, commit: Commit, player: str) -> tuple[str, ...]:
    """What everybody can see that a sealed deed has changed, whose words do not tell it; a player's own values apart."""
    own = f"players.{player}."
    return tuple(line for line in visible.lines(game.repository, commit) if not line.startswith(own))


def _changed(
    game: Game, commit: Commit, player: str, old: Source, new: Source, notes: list[str], *, ends: bool
) -> Iterator[str]:
    """What of a player's values became another in a deed, what was said under their posts, and what became of these."""
    parent = game.repository.commit(commit.parents[0])
    for path, _, _ in game.repository.changed(parent.tree, commit.tree):
        post = post_of(path)
        if ref_of(path) == f"players/{player}":
            before, after = (filed(side.entity(f"players/{player}") or {}) for side in (old, new))
            if before == after:  # the other part of the deed changed the file
                continue
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
            if not fields and (was := old.entity(post)) and not path.endswith(".comments.yml"):
                yield from _gone(commit, path, was, old.comments(post), player)
            if str(fields.get("author")).rpartition("/")[2] != player:
                continue
            yours = f"your post {post.partition('/')[2]}, {printable(str(fields.get('title', '')), LONG)}"
            if path.endswith(".comments.yml"):
                yield from (f"on {yours}: {text}" for text in _said(old, new, post))
            elif ends and fields.get("status") in ENDS and (old.entity(post) or {}).get("status") not in ENDS:
                unmade = _unmade(notes) if fields["status"] == "enacted" else ""
                yield f"{yours}, {ENDS[fields['status']]}{unmade}"


def _gone(
    commit: Commit, path: str, post: Mapping[str, Any], said: Iterable[Mapping[str, Any]], player: str
) -> Iterator[str]:
    """That a post which a player has written, or spoken under, was taken out with their words, and how these are read."""
    what = f"post {int(path.rpartition('/')[2].partition('-')[0])}, {printable(str(post.get('title', '')), LONG)}"

    def read(path: str) -> str:
        return command("git", "show", f"{commit.oid[:12]}^:{path}").strip()

    if str(post.get("author")).rpartition("/")[2] == player:
        yield f"your {what}, was taken out; to read it: {read(path)}"
    if any(each.get("by") == player for each in said):
        yield f"what you said under {what}, went with it; to read it: {read(comments_path(path))}"


def _unmade(notes: list[str]) -> str:
    """That changes of what a deed enacted were not made, and why, as its journal says."""
    unmade = [f"c{note[1:]}" for note in notes if _UNMADE.match(note)]
    return f", but {'; '.join(unmade)}" if unmade else ""


def _said(old: Source, new: Source, post: str) -> Iterator[str]:
    """What was said under a post."""
    more = new.comments(post)[len(old.comments(post)) :]
    return (printable(str(each["text"]), LONG) for each in more if each.get("text"))


def _keyed(commit: Commit, deed: Deed, player: str) -> Iterator[str]:
    """What somebody else has said of the keys with which a player signs."""
    if deed.action == Outside.SIGNERS and deed.given.get("player") == player:
        yield from journal.notes_of(commit.message)


def _failed(notes: list[str]) -> Iterator[str]:
    """What of the law broke, or what of the clock did not happen: it concerns everybody, and a deed goes on without it."""
    yield from folded([note for note in notes if any(said in note for said in FAILED)])


def _told(notes: list[str], player: str) -> Iterator[str]:
    """The public messages to a player, as the journal has them."""
    begins = f"To {player}: "
    return (f"to you: {note.removeprefix(begins)}" for note in notes if note.startswith(begins))
