"""What a branch brings to a matter: found, said back, and compared with what the matter holds already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from nomicgit.cli.deed import act
from nomicgit.cli.seat import Seat

if TYPE_CHECKING:
    from nomicgit.branches import Expressed
    from nomicgit.record.game import Game


def submit(seat: Seat, action: str, given: Mapping[str, Any], branch: str) -> int:
    """Submit a matter whose changes are those of a branch; what else is given goes with them, or before them."""
    from nomicgit import branches
    from nomicgit.cli.given import action_of

    game = seat.game()
    found = _found(game, branch)
    title, body = branches.first_words(game.repository, found.base, found.head)
    takes = action_of(game, action).parameters
    words = {key: text for key, text in (("title", title), ("body", body)) if text and key in takes}
    changes = [*found.changes, *given.get("changes", ())]
    return act(
        seat, action, words | dict(given) | {"changes": changes}, game=game, brings=_whole(found, changes)
    )


def update(seat: Seat, matter: str, branch: str) -> int:
    """Bring a matter up to its branch: nothing is done where that still says the same."""
    from nomicgit import branches
    from nomicgit.problems import Refused, printable

    game = seat.game()
    number = matter.removeprefix("posts/").lstrip("0")
    post = game.tree.entity(f"posts/{number}") if number.isascii() and number.isdigit() else None
    if post is None:
        raise Refused.of(f"there is no post {printable(matter, 60)}", mend="see: nomicgit posts")
    base, head = branches.ends(game.repository, branch, game.head.oid)
    if branches.still_gives(game.repository, post["changes"], base, head):
        return _unchanged(seat, number, post)
    found = branches.changes_of(game.repository, base, head)
    changes = [*found.changes, *(each for each in post["changes"] if not branches.of_branch(each))]
    found = _whole(found, changes)
    if found.hash == post.get("hash"):
        return _unchanged(seat, number, post)
    return act(seat, "edit-post", {"post": number, "changes": changes}, game=game, brings=found)


def _unchanged(seat: Seat, number: str, post: Mapping[str, Any]) -> int:
    import json

    if seat.as_json:
        click.echo(json.dumps({"post": int(number), "changed": False, "hash": post.get("hash")}))
    else:
        click.echo(
            f"post {number}: the branch still says the same; its changes, their hash and all votes stay"
        )
    return 0


def _found(game: Game, branch: str) -> Expressed:
    from nomicgit import branches

    base, head = branches.ends(game.repository, branch, game.head.oid)
    return branches.changes_of(game.repository, base, head)


def _whole(found: Expressed, changes: list[Any]) -> Expressed:
    """The branch with all changes that its matter brings, and the hash to which votes are bound."""
    from nomicgit.deeds.matters import content_hash

    return replace(found, changes=tuple(changes), hash=content_hash(changes))
