"""The forge, asked again for the evidence of deeds: whether what somebody did there still stands there, and is theirs.

The record stands whatever the forge says now: this shows who changed there what the record tells of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git import Repository
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record import journal
from nomicgit.record.tree import GameTree
from nomicgit.steward.doorbell import FORGE, Doorbell
from nomicgit.steward.events import Event, What, in_order
from nomicgit.steward.seen import Issue, News, Person, Pull

PASSING = ("-head-", "-words-")
"""What ids have in them that tell how a pull request stood: another push, or another word, and there is another."""


class Otherwise(Struct, frozen=True):
    """A deed of which the forge says something else now. ``others``: it is somebody else's word, and never was the player's."""

    commit: str
    event: str
    what: str
    others: bool = False

    def __str__(self) -> str:
        return f"{self.commit[:12]}: {self.event} {self.what}"


class AskedAgain(Struct, frozen=True):
    """What came of it: the deeds that were asked about, those of which something else is so now, and the threads that the
    forge did not give, of which nothing is known.
    """

    deeds: int
    otherwise: tuple[Otherwise, ...]
    unread: tuple[int, ...]


def compare(repository: Repository, tip: str, doorbell: Doorbell, news: News) -> AskedAgain:
    """Hold the deeds up to a commit against all that the forge shows; those from before the game came there not."""
    threads: tuple[Pull | Issue, ...] = (*news.pulls, *news.issues)
    events = {event.id: event for event in in_order(map(_as_anybody, threads))}
    gone = {
        event.id.removesuffix("-dismissed"): event
        for event in events.values()
        if event.what is What.DISMISSED
    }
    accounts = _accounts(GameTree(repository, repository.commit(tip).tree), doorbell)
    otherwise: list[Otherwise] = []
    deeds = 0
    for commit, deed in _of_forge(repository, tip):
        deeds += 1
        for name in deed.origin.events if deed.origin is not None else ():
            whose = accounts.get(deed.actor or "")
            if (what := _what(name, deed, events.get(name), gone.get(name), whose)) is not None:
                otherwise.append(Otherwise(commit, name, *what))
    return AskedAgain(deeds, tuple(otherwise), news.unread)


def _as_anybody(thread: Pull | Issue) -> Pull | Issue:
    """A thread with the comments of whoever asks among the others."""
    return replace(thread, comments=tuple(replace(each, ours=False) for each in thread.comments))


def _of_forge(repository: Repository, tip: str) -> Iterator[tuple[str, Deed]]:
    """The deeds that came from the forge where the game lives now, the newest first."""
    for commit in repository.log(tip):
        entry = journal.told(commit.message)
        if entry is None:
            continue
        if entry.deed.action == Outside.REHOUSE:
            return
        if entry.deed.origin is not None and entry.deed.origin.events:
            yield commit.oid, entry.deed


def _accounts(tree: GameTree, doorbell: Doorbell) -> dict[str, int]:
    """The accounts of all who ever played, by their names in the record."""
    accounts = dict(doorbell.players)
    used = (tree.entity("used") or {}).get("accounts") or {}
    kept_of = dict(used) | {
        name: (tree.entity(f"players/{name}") or {}).get("forge") for name in tree.ids("players")
    }
    for name, kept in kept_of.items():
        if isinstance(kept, Mapping) and isinstance(kept.get(FORGE), int):
            accounts[name] = kept[FORGE]
    return accounts


def _what(
    name: str, deed: Deed, event: Event | None, dismissed: Event | None, whose: int | None
) -> tuple[str, bool] | None:
    """What is otherwise now than when a deed came of an event, and whether it is somebody else's word; None where nothing is."""
    if event is None:
        return None if any(part in name for part in PASSING) else ("is there no more", False)
    if event.who is not None and whose is not None and event.who.id != whose:
        return f"is {_called(event.who)}'s, not {deed.actor}'s", True
    if event.foreign is not None:
        return f"was edited by {_called(event.foreign.by)}", False
    if dismissed is not None:
        return (
            f"was dismissed by {_called(dismissed.foreign.by if dismissed.foreign else dismissed.who)}",
            False,
        )
    if event.edited > (deed.at if deed.cast_at is None else deed.cast_at):
        return "was edited by its author", False
    return None


def _called(person: Person | None) -> str:
    return person.login if person is not None else "somebody whose account is gone"
