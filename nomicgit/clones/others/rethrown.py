"""Rethrown: deeds that a clone knows, and that come back with another outcome of chance, whichever way.

Whoever takes back what they have pushed, and does it again, throws other dice. A clone remembers what chance gave in deeds
that it has seen on the branch that it follows and that are there no more, or that a mend has set aside; it tells where one of
them stands again, by its id or by the one under which it is done again, and gives something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from nomicgit.clones.own import redone
from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NomicError, printable
from nomicgit.record import journal, keepsakes, line
from nomicgit.record.seen import known

SEEN, MET = "nomicgit/thrown", "nomicgit/rethrown"
MOST = 500  # deeds whose outcome is remembered, and such that came back
MOST_AGAIN = 5  # times that one is done again
_LONG = 200


class Rethrown(Struct, frozen=True):
    """A deed that came back: what it was called, its commits of then and of now, and what chance gave in each."""

    deed: str
    was: str
    now: str
    gave: str
    gives: str

    def __str__(self) -> str:
        return f"{self.deed} ({self.was[:12]}) gave {self.gave}, and gives {self.gives} now ({self.now[:12]})"

    def as_json(self) -> dict[str, str]:
        """Plain data."""
        return {
            "deed": self.deed,
            "was": self.was,
            "commit": self.now,
            "gave": self.gave,
            "gives": self.gives,
        }


def rethrown(
    repository: Repository,
    upstream: Upstream,
    here: str,
    there: str,
    own: Sequence[Commit],
    others: Sequence[Commit],
    *,
    dry: bool,
) -> list[Rethrown]:
    """Those of the commits of others, oldest first, with which a branch has come from where it meets ``here`` to ``there``, that gave
    something else before. What is gone of that branch, or was set aside, be it by ``own`` commits, is remembered, but where it
    is a ``dry`` run.
    """
    seen: dict[str, list[str]] = _kept(repository, SEEN, {})
    gone = list(_gone(repository, upstream, there))
    if gone and not others:  # Git has brought here what came in the place of these
        others = [*repository.beyond(gone[-1].oid, there)][::-1]
    for head, new in ((here, own), (there, others)):
        if new and new[0].parents:
            gone += redone.around(repository, head, new[0].parents[0]).aside
    for commit, entry in _thrown(gone):
        seen[entry.deed.id] = [commit.oid, _called(commit), _outcome(entry)]
    if not seen:
        return []
    again = {name: first for first in seen for name in _names(first)}
    came: list[Rethrown] = []
    for commit, entry in _thrown(others):
        first = again.get(entry.deed.id)
        if first is None:
            continue
        was, called, gave = seen[first]
        if called == _called(commit) and gave != _outcome(entry):
            came.append(Rethrown(called, was, commit.oid, gave, _outcome(entry)))
    if not dry:
        _keep(repository, SEEN, dict([*seen.items()][-MOST:]))
        earlier = [each for each in _kept(repository, MET, []) if each not in [new.as_json() for new in came]]
        _keep(repository, MET, [*earlier, *(each.as_json() for each in came)][-MOST:])
    return came


def met(repository: Repository, head: str, since: int) -> list[Rethrown]:
    """Those that came, stand up to a commit, and were done since a time (seconds, UTC)."""
    came = list[Rethrown]()
    for each in _kept(repository, MET, []):
        with suppress(NomicError, KeyError, TypeError):  # of another version, or thrown away by Git since
            now = repository.commit(each["commit"])
            if now.author_time >= since and repository.leads_to(now.oid, head):
                came.append(Rethrown(each["deed"], each["was"], now.oid, each["gave"], each["gives"]))
    return came


def _gone(repository: Repository, upstream: Upstream, there: str) -> Iterator[Commit]:
    """The deeds that were on a branch, as far as this clone has seen, and do not lead to where it is."""
    for head in known.seen(repository, upstream):
        with suppress(NomicError):  # what Git has thrown away since is known to nobody
            if not repository.leads_to(head, there):
                yield from [*repository.beyond(there, head)][::-1]


def _thrown(commits: Iterable[Commit]) -> Iterator[tuple[Commit, journal.Entry]]:
    """Those of some commits that tell of a deed in which chance has given something that all can see."""
    for commit in commits:
        entry = journal.told(commit.message) if "\nNomic-Dice: " in commit.message else None
        if entry is not None and entry.dice:
            yield commit, entry


def _called(commit: Commit) -> str:
    return line.deed_in_words(commit)


def _outcome(entry: journal.Entry) -> str:
    return printable(", ".join(entry.dice), _LONG)


def _names(name: str) -> Iterator[str]:
    """The id of a deed, and those under which it may be done again."""
    for _ in range(MOST_AGAIN):
        yield name
        name = redone.once_more(name, 0)


def _kept(repository: Repository, file: str, nothing: Any) -> Any:
    kept = keepsakes.kept(repository, file)
    return kept if isinstance(kept, type(nothing)) else nothing


def _keep(repository: Repository, file: str, value: object) -> None:
    with suppress(OSError):  # a clone that cannot be written to remembers nothing
        keepsakes.keep(repository, file, value)
