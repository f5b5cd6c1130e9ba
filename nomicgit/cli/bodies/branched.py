"""What a branch brings to a matter: found, said back, and compared with what the matter holds already."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import click
from msgspec.structs import replace

from nomicgit.cli.bodies.deeds import act
from nomicgit.cli.bodies.given import action_of
from nomicgit.cli.seat import Seat
from nomicgit.clones.others.vetting import advised
from nomicgit.git.upstream import HEADS, back_to, home
from nomicgit.ground.problems import Malformed, NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.outlook import branches
from nomicgit.outlook.branches import Expressed
from nomicgit.physics.deeds.matters import content_hash
from nomicgit.record.game import Game

MATTER = "nomicgit.matter-"  # and a post's number: its branch, a setting of this clone's Git configuration


def submit(seat: Seat, action: str, given: Mapping[str, Any], branch: str) -> int:
    """Submit a matter whose changes are those of a branch; what else is given goes with them, or before them."""
    game = seat.game_of_deed()
    expressed = _found(seat, game, branch)
    _refuse_twice(game, branch, expressed.head)
    title, body = branches.first_words(game.repository, expressed.base, expressed.head)
    takes = action_of(game, action).parameters
    words = {key: text for key, text in (("title", title), ("body", body)) if text and key in takes}
    changes = [*expressed.changes, *given.get("changes", ())]
    whole = words | dict(given) | {"changes": changes}
    code = act(seat, action, whole, game=game, brings=_whole(expressed, changes))
    newest = str(int((game.tree.entity("open") or {}).get("next", 1)) - 1)
    if (game.tree.entity(f"posts/{newest}") or {}).get("branch_head") == expressed.head:
        _remember(game, newest, branch)
    return code


def _refuse_twice(game: Game, branch: str, head: str) -> None:
    """Refuse a branch that a pending matter brings already."""
    for number in (game.tree.entity("open") or {}).get("pending") or ():
        if (game.tree.entity(f"posts/{number}") or {}).get("branch_head") == head:
            raise Refused.of(
                f"post {number}, which is pending, brings this branch already",
                mend=remedy(
                    "bring it up to the branch:",
                    command(
                        "nomicgit", "propose", "--update", str(number), "--branch", printable(branch, 60)
                    ),
                ),
            )


def update(seat: Seat, matter: str, branch: str) -> int:
    """Bring a matter up to its branch: nothing is done where that still says the same."""
    game = seat.game_of_deed()
    number, post = _post(game, matter)
    if post is None:
        raise Refused.of(
            f"there is no post {printable(matter, 60)}", mend=remedy("see:", command("nomicgit", "posts"))
        )
    _refuse_upon(seat, game, branch)
    base, head = branches.ends(game.repository, branch, game.head.oid)
    if not seat.dry_run:
        _remember(game, number, branch)
    if branches.still_gives(game.repository, post["changes"], base, head):
        return _unchanged(seat, number, post)
    expressed = _changes(game, base, head)
    changes = [*expressed.changes, *(each for each in post["changes"] if not branches.of_branch(each))]
    expressed = _whole(expressed, changes)
    if expressed.hash == post.get("hash"):
        return _unchanged(seat, number, post)
    return act(seat, "edit-post", {"post": number, "changes": changes}, game=game, brings=expressed)


def resolve(seat: Seat, matter: str, outcome: str | None, branch: str | None) -> int:
    """Resolve a matter; where its branch was moved without saying anything else, its newest commit is merged.

    Refused where a branch is named that says something else.
    """
    game = seat.game_of_deed()
    given = {"matter": matter} | ({"as": outcome} if outcome else {})
    number, post = _post(game, matter)
    name = branch or game.repository.config(MATTER + number)
    if post is None or name is None:
        return act(seat, "resolve", given, game=game)
    head = _still(game, post, name)
    if head is None and branch is not None:
        raise Refused.of(
            f"the branch {printable(branch, 60)} does not say what post {number} does",
            mend=remedy(
                "bring the post up to it:",
                command("nomicgit", "propose", "--update", str(number), "--branch", printable(branch, 60)),
            ),
        )
    code = act(seat, "resolve", given, game=game, head=None if head == post.get("branch_head") else head)
    if (game.tree.entity(f"posts/{number}") or {}).get("status") != post.get("status"):
        game.repository.set_config(MATTER + number, None)
    return code


def _still(game: Game, post: Mapping[str, Any], branch: str) -> str | None:
    """The newest commit of a branch that says what a post does; None where it does not, or is gone."""
    with suppress(NomicError):
        base, head = branches.ends(game.repository, branch, game.head.oid)
        if head == post.get("branch_head") or branches.still_gives(
            game.repository, post.get("changes") or [], base, head
        ):
            return head
    return None


def _post(game: Game, matter: str) -> tuple[str, Mapping[str, Any] | None]:
    """The number that somebody means by a matter, and its post where there is one."""
    number = matter.removeprefix("posts/").lstrip("0")
    known = number.isascii() and number.isdigit()
    return number, game.tree.entity(f"posts/{number}") if known else None


def _remember(game: Game, number: str, branch: str) -> None:
    """Keep, in this clone alone, which of its branches a matter comes from."""
    if game.repository.config(MATTER + number) != branch:
        game.repository.set_config(MATTER + number, branch)


def _unchanged(seat: Seat, number: str, post: Mapping[str, Any]) -> int:
    if seat.as_json:
        click.echo(json.dumps({"post": int(number), "changed": False, "hash": post.get("hash")}))
    else:
        click.echo(
            f"post {number}: the branch still says the same; its changes, their hash and all votes stay"
        )
    return 0


def _found(seat: Seat, game: Game, branch: str) -> Expressed:
    _refuse_upon(seat, game, branch)
    base, head = branches.ends(game.repository, branch, game.head.oid)
    return _changes(game, base, head)


def _changes(game: Game, base: str, head: str) -> Expressed:
    """What a branch does. What is wrong with it is its own, and left so by no commit of the game."""
    try:
        return branches.changes_of(game.repository, base, head)
    except Malformed as error:
        raise Refused(*error.problems) from error


def _refuse_upon(seat: Seat, game: Game, branch: str) -> None:
    """Refuse a proposal's branch on which one stands: the deed would lie there, and not in the game. One that is tried lies nowhere."""
    if game.repository.branch != HEADS + branch:
        return
    there = home(game.repository)
    if there == branch:
        for stray in advised(game.repository, game.head.oid).strays:
            raise Refused.of(f"{branch} is the game's own branch, and {stray}", mend=stray.mend)
        raise Refused.of(
            f"{branch} is the game's own branch",
            mend=remedy(
                "write what is proposed on a branch of its own:", command("git", "switch", "--create", "NAME")
            ),
        )
    if seat.dry_run:
        return
    raise Refused.of(
        f"you stand on the proposal's branch {branch}, and deeds are done on the game's",
        mend=remedy("go back to it:", back_to(game.repository, there or "main")),
    )


def _whole(expressed: Expressed, changes: list[Any]) -> Expressed:
    """The branch with all changes that its matter brings, and the hash to which votes are bound."""
    return replace(expressed, changes=tuple(changes), hash=content_hash(changes))
