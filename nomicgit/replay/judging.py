"""Judging a replayed line: which faults stand, which a mend has set aside, and what mends the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import printable
from nomicgit.record import journal, line

Finding: TypeAlias = tuple[str, str]
"""A commit, and what is to be said of it."""


class Judged(Struct, frozen=True):
    """What a line comes to: the faults that stand, those that a mend has set aside, and the lawful deeds that one has, as far
    as they were replayed.

    ``gone`` are all commits that do not stand. ``lawful`` is the last commit to which a mend can go back, where
    anything that stands is at fault.
    """

    faults: Sequence[Finding]
    mended: Sequence[Finding]
    aside: Sequence[Finding]
    gone: Mapping[str, Commit]
    lawful: Commit | None


def judged(commits: Sequence[Commit], faults: Sequence[Finding], replayed: Collection[int]) -> Judged:
    """Judge a line since its founding, oldest first, by what replay found wrong; ``replayed`` are the places of what it looked at.

    A mend at fault, or to a commit that is not lawful, sets nothing aside.
    """
    whole = _Line(commits, {oid for oid, _ in faults})
    faults = [*faults, *whole.unsound]
    faulty = {oid for oid, _ in faults}
    gone = whole.gone()
    mended = [(oid, f"{what}; {_by(gone[oid])}") for oid, what in faults if oid in gone]
    deeds = (commits[place] for place in sorted(replayed) if journal.is_deed(commits[place].message))
    aside = [
        (deed.oid, f"{line.deed_in_words(deed)}, a lawful deed; {_by(gone[deed.oid])}")
        for deed in deeds
        if deed.oid in gone and deed.oid not in faulty
    ]
    standing = [(oid, what) for oid, what in faults if oid not in gone]
    since = faulty <= {commit.oid for commit in commits}  # else what lies before the founding is at fault
    return Judged(standing, mended, aside, gone, whole.lawful if since else None)


class _Line:
    """A line, on which each commit stands upon the one before it, or upon that to which it goes back."""

    def __init__(self, commits: Sequence[Commit], faulty: set[str]) -> None:
        self.commits, self.unsound = commits, list[Finding]()
        self.before: list[int] = []  # the place of what each stands upon
        self.wrong: list[int | None] = []  # the oldest at fault of itself and what it stands upon
        places = {commit.oid: place for place, commit in enumerate(commits)}
        for place, commit in enumerate(commits):
            whole = commit.oid not in faulty
            to = places.get(journal.goes_back_to(commit.message) or "") if whole else None
            if to is not None and (wrong := self.wrong[to]) is not None:
                what = f"it goes back to what was not lawful from {commits[wrong].oid[:12]} on"
                self.unsound.append((commit.oid, what))
                whole, to = False, None
            upon = place - 1 if to is None else to
            known = self.wrong[upon] if place else None
            self.before.append(upon)
            self.wrong.append(known if known is not None or whole else place)

    @property
    def lawful(self) -> Commit | None:
        """The last commit that stands before any fault; None where there is none, or no fault."""
        wrong = self.wrong[-1]
        return self.commits[self.before[wrong]] if wrong else None

    def gone(self) -> dict[str, Commit]:
        """What does not stand, each with the mend that has set it aside."""
        gone, place = dict[str, Commit](), len(self.commits) - 1
        while place >= 0:
            after = self.commits[self.before[place] + 1 : place]
            gone |= dict.fromkeys((commit.oid for commit in after), self.commits[place])
            place = self.before[place]
        return gone


def _by(mend: Commit) -> str:
    return f"set aside by the mend {mend.oid[:12]} of {printable(mend.author, 60)}"


def left_out(repository: Repository, whole: Sequence[Commit], since: str | None = None) -> Iterator[Finding]:
    """The merges that throw deeds away: so a history is rewritten, and others take it for a mere continuation.

    ``since``: those after this commit of the line alone.
    """
    for each in line.beside(repository, whole, since):
        if each.deeds:
            yield (
                each.merge.oid,
                f"this merge {line.in_the_name(each.merge.author)} leaves out {line.in_words(each.deeds)}",
            )
        for end in each.ends:
            yield (
                each.merge.oid,
                f"the clone is shallow: it merges {end.oid[:12]}, and nothing before that can be looked at",
            )
