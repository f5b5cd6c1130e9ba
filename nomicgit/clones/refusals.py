"""Refusals: why a clone's last sync has moved nothing, remembered for whoever looks later.

It counts until a sync goes on, the branch was found elsewhere, this clone has taken in what it speaks of, or that is no
longer at fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from nomicgit.clones.others import pace
from nomicgit.git import Repository
from nomicgit.git.upstream import FETCHED, Upstream
from nomicgit.ground.problems import NomicError, Problem
from nomicgit.record import keepsakes
from nomicgit.record.seen.strays import strays

FILE = "nomicgit/refused"


class Why(NamedTuple):
    """Why nothing was moved, and the commit of which that may become otherwise; "" where it cannot."""

    problem: Problem
    commit: str = ""


def note(upstream: Upstream, there: str, whys: Iterable[Why]) -> None:
    """Remember why nothing was moved, and where the branch was found ("" for nowhere); nothing where all went on."""
    repository = upstream.repository
    plain = [{"what": each.what, "mend": each.mend, "commit": commit} for each, commit in whys]
    fetched = repository.resolve(FETCHED)
    places = {"head": there, "fetched": fetched, "known": upstream.known(), "whys": plain}
    keepsakes.keep(repository, FILE, places if plain else None)


def noted(repository: Repository, now: int) -> list[Problem]:
    """Why the last sync has moved nothing, as far as it counts at a time (seconds, UTC); empty where it went on."""
    kept = keepsakes.kept(repository, FILE)
    if kept is None:
        return []
    counts: list[Problem] = []
    with suppress(
        TypeError, KeyError, NomicError
    ):  # another version wrote it, or what it speaks of is there no more
        if _stands(repository, kept["head"], kept["fetched"], kept["known"]):
            of_commits = any(each["commit"] for each in kept["whys"])
            wrong = {"", *(_wrong(repository, kept["head"], now) if of_commits else ())}
            whys = (each for each in kept["whys"] if each["commit"] in wrong)
            counts = [Problem(str(each["what"]), mend=str(each["mend"])) for each in whys]
    if not counts:
        keepsakes.keep(repository, FILE, None)
    return counts


def _stands(repository: Repository, head: str, fetched: str | None, known: str | None) -> bool:
    """Whether the branch is, as far as this clone knows, where it was refused, and was not taken in since."""
    upstream, here = Upstream.of(repository), repository.head()
    if upstream is None or here is None or upstream.known() not in (head, known):
        return False
    return repository.resolve(FETCHED) == fetched and not (head and repository.leads_to(head, here))


def _wrong(repository: Repository, head: str, now: int) -> Iterator[str]:
    yield from (each.commit for each in strays(repository, head))
    with suppress(NomicError):  # of a game that cannot be read, which is a stray's doing
        yield from (each.commit for each in pace.ahead(repository, head, now))
