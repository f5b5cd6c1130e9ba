"""What a clone knows: the deeds that it has seen on the branch that it follows. A history that lacks them is named.

The newest commit seen there is kept under ``refs/nomicgit/known/``, with all that leads to it. Own deeds that nobody
has been sent may be taken back without a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile

from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import NomicError
from nomicgit.record import journal, line

KNOWN = "refs/nomicgit/known/"


@dataclass(frozen=True, slots=True)
class Lost:
    """A branch that lacks deeds which this clone has seen there, oldest first: its name, where it was, and where it is."""

    branch: str
    was: str
    now: str
    deeds: Sequence[Commit]

    def __str__(self) -> str:
        return f"{self.branch} has been rewritten: it lacks {line.in_words(self.deeds)}"

    @property
    def mend(self) -> str:
        """What is to be done about it."""
        return (
            f"this clone keeps them, up to the commit {self.was[:12]}: ask who pushed, and whether others lack them too "
            f"(nomicgit verify --known {self.was[:12]}); where you all agree: nomicgit sync --accept"
        )

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        deeds = [commit.oid for commit in self.deeds]
        return {"branch": self.branch, "was": self.was, "now": self.now, "deeds": deeds, "mend": self.mend}


def missing(repository: Repository, known: str, tip: str) -> list[Commit]:
    """The deeds up to a commit that the line of another has not, oldest first.

    A deed that the first one had only beside its line, merged and left out, is there where it was done anew.
    """
    seen = set()
    for commit in repository.log(tip):
        if commit.oid == known:
            return []
        seen.add(commit.oid)
    own = takewhile(lambda commit: commit.oid not in seen, repository.log(known))
    lost = [commit for commit in own if journal.told(commit.message) is not None][::-1]
    line_of_known = {commit.oid for commit in lost}
    beside = [each for each in _deeds(repository, tip, known) if each[1].oid not in line_of_known]
    anew = {name for name, _ in _deeds(repository, known, tip)} if beside else set()
    return [commit for name, commit in beside if name not in anew][::-1] + lost


def _deeds(repository: Repository, base: str, tip: str) -> Iterator[tuple[str, Commit]]:
    """The deeds, by their ids, that lead to a commit and not to another, newest first."""
    for commit in repository.beyond(base, tip):
        if (entry := journal.told(commit.message)) is not None:
            yield entry.deed.id, commit


def had(repository: Repository, upstream: Upstream) -> list[str]:
    """What a clone has seen of the branch that it follows: where it was when it was last fetched, and when it was last looked at."""
    there = (upstream.known(), repository.references(KNOWN).get(KNOWN + upstream.name))
    return [commit for commit in dict.fromkeys(there) if commit is not None]


def look(repository: Repository, *, accept: bool = False) -> Lost | None:
    """What the branch that a clone follows has lost, as of the last fetch; where nothing, where it is now is remembered.

    ``accept``: what is lost is let go of.
    """
    upstream = Upstream.of(repository)
    now = upstream.known() if upstream else None
    if upstream is None or now is None:
        return None
    ref = KNOWN + upstream.name
    was = repository.references(KNOWN).get(ref)
    deeds = [] if accept or was is None else missing(repository, was, now)
    if was and deeds:
        return Lost(upstream.name, was, now, deeds)
    if was != now:
        with suppress(NomicError, OSError):  # a clone that cannot be written to remembers nothing
            repository.point(ref, now)
    return None
