"""What is new in a game since a commit, from what everybody can see: matters, their ends, dynasties, times that come near."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nomicgit.ground import clock
from nomicgit.ground.problems import printable
from nomicgit.outlook.overview import Matter, outlook
from nomicgit.outlook.voters import wants_vote
from nomicgit.physics.state.deriving import RESOLVED
from nomicgit.record.game import Game
from nomicgit.record.tree import GameTree

SOON = 24 * 3600  # seconds before a matter may be resolved at which that is news
LONG = 120  # characters of a title


class News(NamedTuple):
    """One thing that is new, and a key by which it is known to be told."""

    key: str
    line: str


def since(game: Game, before: GameTree) -> Iterator[News]:
    """What has happened between an earlier tree of the game and its head."""
    after = GameTree(game.repository, game.head.tree)
    (first, pending), (end, _) = _open(before), _open(after)
    for number in range(first, end):
        post = after.entity(f"posts/{number}") or {}
        if post.get("status") is not None:
            by = f" by {after.called(str(post['author']))}" if post.get("author") else ""
            yield News(f"new-{number}", f"New: {_named(game, number, post)}{by}")
    for number in sorted({*pending, *range(first, end)}):
        post = after.entity(f"posts/{number}") or {}
        if post.get("status") in RESOLVED:
            yield News(
                f"{post['status']}-{number}",
                f"{str(post['status']).capitalize()}: {_named(game, number, post)}",
            )
    reigns = [(tree.entity("dynasty") or {}) for tree in (before, after)]
    if reigns[0].get("number") != reigns[1].get("number"):
        name = printable(str(reigns[1].get("name") or ""), LONG)
        yield News(
            f"dynasty-{reigns[1].get('number')}",
            f"Dynasty {reigns[1].get('number')} has begun" + (f": {name}" if name else ""),
        )


def coming(game: Game, at: int, player: str | None) -> Iterator[News]:
    """What comes near: matters that may be resolved now, or soon; and what needs the vote of somebody."""
    for matter in outlook(game, at, votes=False).matters:
        yield from _due(matter, at)
    for number in wants_vote(game.looked_at(at), player) if player else ():
        post = game.tree.entity(f"posts/{number}") or {}
        yield News(
            f"vote-{number}",
            f"{game.tree.called(str(player))}, this needs your vote: {_named(game, number, post)}",
        )


def _due(matter: Matter, at: int) -> Iterator[News]:
    for how, answer in (("enacted", matter.enact), ("failed", matter.fail)):
        due = answer.earliest
        if due is not None and due - at <= SOON:
            when = "now" if answer.now else f"from {clock.text(due)} on, if no vote changes"
            yield News(
                f"due-{matter.number}-{how}",
                f"May be {how} {when}: {_titled(matter.number, matter.called, matter.title)}",
            )


def _named(game: Game, number: int, post: Mapping[str, object]) -> str:
    kind = game.law.declared.post_called(str(post.get("kind", "")))
    return _titled(number, kind, str(post.get("title", "")))


def _titled(number: int, kind: str, title: str) -> str:
    return f"{printable(kind, LONG)} {number}, {printable(title, LONG)}"


def _open(tree: GameTree) -> tuple[int, list[int]]:
    """The number of the next post, and those of what is pending."""
    kept = tree.entity("open") or {}
    return int(kept.get("next", 1)), list(kept.get("pending", []))
