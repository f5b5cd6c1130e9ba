"""The game's branch, and a clone that follows another: renamed here or there, it would make two games of one.

Which one is the game's says the place that a clone follows: the branch that whoever clones the game gets there. What is not said
there is remembered: the one on which this clone came to the game.
"""

from __future__ import annotations

from hashlib import sha256

from nomicgit.git import Repository
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground.problems import Problem
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import keepsakes

FIRST = "nomicgit/first"


def renamed(repository: Repository) -> Problem | None:
    """That a clone follows another branch than the game's, as far as it has heard; nobody is asked."""
    upstream = Upstream.of(repository)
    if upstream is None:
        return None
    game = _remembered(upstream) or upstream.cloned_on()
    return _problem(upstream, game) if game not in (None, "", upstream.branch) else None


def asked(upstream: Upstream, *, dry: bool) -> Problem | None:
    """The same, asked there; and remembered, but in a ``dry`` run."""
    game = called(upstream) or _still_there(upstream) or upstream.branch
    if not dry:
        note(upstream, game)
    return _problem(upstream, game) if game != upstream.branch else None


def called(upstream: Upstream) -> str:
    """The whole name of the branch that whoever clones from there gets, where it has this game; "" where that is not said, or it
    has not.
    """
    first = upstream.first()
    if first is None:
        return ""
    branch, there = first
    return branch if branch == upstream.branch or _has_the_game(upstream, there) else ""


def note(upstream: Upstream, game: str) -> None:
    """Remember the game's branch, at the address that is followed now."""
    if _remembered(upstream) != game:
        keepsakes.keep(upstream.repository, FIRST, {"address": _hashed(upstream), "branch": game})


def follow(upstream: Upstream, game: str) -> tuple[str, ...]:
    """The commands by which a clone follows the game's branch from now on, with all that was done in it."""
    repository = upstream.repository
    here, name = repository.branch.removeprefix(HEADS), game.removeprefix(HEADS)
    is_free = here != name and repository.resolve(game) is None
    return (
        command("git", "fetch", upstream.remote),
        *([command("git", "branch", "-m", here, name)] if is_free else []),
        command("git", "branch", "-u", f"{upstream.remote}/{name}"),
        command("git", "remote", "set-head", upstream.remote, name),
        command("nomicgit", "sync"),
    )


def _problem(upstream: Upstream, game: str) -> Problem:
    name = game.removeprefix(HEADS)
    return Problem(
        f"at {upstream.remote} the game is played on the branch {name}, which whoever clones it gets there, and this clone follows "
        f"{upstream.name}: two games come of that",
        mend=remedy(
            "follow the game's, with all that was done here (or, where all of you mean the other one, let it be the first one "
            "there: on GitHub the default branch, in a bare repository its HEAD):",
            *follow(upstream, game),
        ),
    )


def _still_there(upstream: Upstream) -> str:
    """The branch on which this clone came to the game, while it stands there."""
    game = _remembered(upstream) or upstream.cloned_on()
    if not game or game == upstream.branch:
        return ""
    there = upstream.heads(game.removeprefix(HEADS)).get(game)
    return game if there is not None and _has_the_game(upstream, there) else ""


def _has_the_game(upstream: Upstream, there: str) -> bool:
    """Whether a commit there has anything in common with what this clone has."""
    repository, here = upstream.repository, upstream.repository.head()
    return (
        here is not None
        and (repository.resolve(there) is not None or upstream.brings([there]))
        and repository.merge_base(here, there) is not None
    )


def _remembered(upstream: Upstream) -> str:
    kept = keepsakes.kept(upstream.repository, FIRST)
    return kept["branch"] if isinstance(kept, dict) and kept.get("address") == _hashed(upstream) else ""


def _hashed(upstream: Upstream) -> str:
    return sha256(upstream.address().encode("utf-8", "surrogateescape")).hexdigest()
