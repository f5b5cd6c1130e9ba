"""A player's letter as it came to this clone with the last sync, and how much of it nobody has read here yet."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from nomicgit.clones.secret import comparing, lettering, rounds
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.record.game import Game
from nomicgit.sealing import age

CAME = "nomicgit/letter-came-"  # in the folder of Git, with a player: their letter, sealed as it was written


def bring(game: Game, player: str) -> None:
    """Bring a player's letter from where this clone pulls from, still sealed; where none can be had, all stays as it is."""
    upstream = Upstream.of(game.repository)
    with suppress(Refused):  # then `nomicgit letters` says why
        content = rounds.fetched_letter(game, upstream, player) if upstream is not None else None
        if content is not None:
            place = Path(game.repository.git_dir, f"{CAME}{player}")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)


def count(game: Game, player: str, identity: str) -> int:
    """How many lines of the letter that came were never shown to its player here; none where it does not open.

    PutBack where a newer one came before.
    """
    came = Path(game.repository.git_dir, f"{CAME}{player}")
    if not came.exists():
        return 0
    try:
        letter = lettering.unpacked(game, player, came.read_bytes(), identity)
    except lettering.PutBack:
        raise
    except (
        NomicError,
        age.Unreadable,
    ):  # of another term, or for another mailbox: `nomicgit letters` says so
        return 0
    read = comparing.known(game, player)
    lines = comparing.lines_of(letter)
    return sum(each not in read[part] for part in comparing.PARTS for each in dict.fromkeys(lines[part]))
