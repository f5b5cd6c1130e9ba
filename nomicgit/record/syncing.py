"""Bringing a clone and the branch that it follows together: fetch, lay own deeds anew, push, and try again.

Own deeds that do not hold what they make, as after a rebase by hand, are laid anew as well.
Nothing is half done: own deeds are laid in a scratch clone, the branch moves once, and a push that loses its race is
followed by another fetch. A deed keeps its id, so one that was pushed and not answered is not done twice.
Deeds that are refused now are set aside under ``refs/nomicgit/aside/ID``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from nomicgit.git import Commit, Raced, Repository
from nomicgit.git.remote import Remote, scratch
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused
from nomicgit.record import laying, line, replay
from nomicgit.record.known import had, look, missing
from nomicgit.record.laying import Laid, Parted
from nomicgit.record.strays import Stray, looked_through

TRIES = 5
ASIDE = "refs/nomicgit/aside/"


class Synced(NamedTuple):
    """What a sync has done: others' commits that came, own deeds laid anew, how many were pushed, and files left alone.

    ``strays`` are the commits there that are no deeds as they should be.
    """

    others: Sequence[Commit]
    laid: Sequence[Laid]
    pushed: int
    kept_edits: Sequence[str]
    strays: Sequence[Stray] = ()


class Standing(NamedTuple):
    """A clone beside what it follows ("" for nothing), as of the last fetch: commits on one side only, deeds set aside."""

    upstream: str
    unpushed: int
    unfetched: int
    aside: int


def standing(repository: Repository) -> Standing:
    """How a clone stands; nothing is fetched."""
    aside = len(repository.references(ASIDE))
    upstream = Upstream.of(repository)
    known, here = upstream.known() if upstream else None, repository.head()
    if upstream is None or known is None or here is None or known == here:
        return Standing(upstream.name if upstream else "", 0, 0, aside)
    apart = laying.parted(repository, known)
    return Standing(upstream.name, len(apart.own), len(apart.others), aside)


def sync(
    repository: Repository,
    upstream: Upstream,
    *,
    again: bool = False,
    accept: bool = False,
    dry: bool = False,
) -> Synced:
    """Bring a clone and what it follows together; ``again`` tries once more what was set aside, ``dry`` only looks.

    Refused, with nothing changed, where what was there before is there no more and nobody says ``accept``, or own commits
    are no deeds. Upon a commit there that is no deed, own ones are not done but set aside.
    """
    came: dict[str, Commit] = {}
    became: dict[str, Laid] = {}
    left: list[str] = []
    for _ in range(TRIES):
        repository.refuse_unfinished()
        there = upstream.fetch()
        here = repository.head()
        assert here is not None
        if there is None:
            raise Refused.of(
                f"there is no branch {upstream.name} yet", mend=f"begin it: git push {upstream.remote} HEAD"
            )
        gone = _gone(repository, upstream, there, accept=accept)
        apart = _own_alone(repository, laying.parted(repository, there), gone)
        laying.refuse_strays(repository, apart)
        came |= {commit.oid: commit for commit in apart.others}
        tried = _set_aside(repository) if again else ()
        head, stands = here, not (gone or apart.others) and replay.sound(repository, here, len(apart.own))
        astray = looked_through(repository, here if stands else there).strays if apart.others or tried else []
        if tried or not stands:
            upon = Parted(here, (), ()) if stands else apart
            head, laid = _laid(repository, replace(upon, own=(*upon.own, *tried)), astray)
            became |= {each.deed.id: each for each in laid}
        if dry:
            return Synced([*came.values()], [*became.values()], 0, (), astray)
        if head != here:
            left += repository.turn(head, expect=here, line="sync")
            _note_aside(repository, [*became.values()])
        upstream.remember(there)
        look(repository, accept=accept)
        pushed = len(laying.parted(repository, there).own)
        if pushed:
            try:
                upstream.push(head)
            except Raced:
                continue
            upstream.remember(head)
        return Synced([*came.values()], [*became.values()], pushed, left, astray)
    raise Raced.of(
        f"others are faster: {upstream.name} has moved {TRIES} times", mend="once more: nomicgit sync"
    )


def forget(repository: Repository) -> list[str]:
    """Let go of all that was set aside; gives the ids of the deeds."""
    refs = repository.references(ASIDE)
    for ref in refs:
        repository.point(ref, None)
    return [ref.removeprefix(ASIDE) for ref in refs]


def _gone(repository: Repository, upstream: Upstream, there: str, *, accept: bool) -> list[str]:
    """The heads that this clone has had from there and that are there no more: somebody has rewritten what was pushed.

    Refused where deeds are lost with them, but for those that are let go of.
    """
    gone = [each for each in had(repository, upstream) if not repository.leads_to(each, there)]
    for was in () if accept else gone:
        if lost := missing(repository, was, there):
            raise Refused.of(
                f"{upstream.name} has been rewritten: it was at {was[:12]} and lacks now {line.in_words(lost)}",
                mend=f"ask who did it; to have them back: git push --force-with-lease={upstream.branch}:{there} {upstream.remote} {was}:"
                f"{upstream.branch}; to go on without them: nomicgit sync --accept, which lays your own unpushed deeds anew",
            )
    return gone


def _own_alone(repository: Repository, apart: Parted, gone: Sequence[str]) -> Parted:
    """The same without the commits that were there and are gone: they are nobody's own."""
    return replace(
        apart,
        own=tuple(each for each in apart.own if not any(repository.leads_to(each.oid, was) for was in gone)),
    )


def _laid(repository: Repository, apart: Parted, astray: Sequence[Stray]) -> tuple[str, list[Laid]]:
    """Own deeds, laid anew: the new head, stored in this clone, and what became of each."""
    why_not = f"no deed is done upon the {astray[0]}" if astray else ""
    with TemporaryDirectory(prefix="nomicgit-") as folder:
        place = str(Path(folder) / "game.git")
        with scratch(repository, place, repository.branch.removeprefix("refs/heads/")) as bare:
            bare.point(bare.branch, apart.head)
            laid = list(laying.lay(bare, apart, why_not))
            head = bare.head()
        assert head is not None
        if head != apart.head and not Remote(repository.git_dir, place).fetch_commit(head):
            raise Refused.of("what was laid anew could not be stored", mend="look whether the disk is full")
    return head, laid


def _set_aside(repository: Repository) -> tuple[Commit, ...]:
    """The commits of the deeds that are set aside, oldest first."""
    commits = [repository.commit(oid) for oid in repository.references(ASIDE).values()]
    return tuple(sorted(commits, key=lambda commit: commit.author_time))


def _note_aside(repository: Repository, laid: Sequence[Laid]) -> None:
    for each in laid:
        ref = ASIDE + each.deed.id
        if each.commit is None:
            repository.point(ref, each.was)
        elif ref in repository.references(ASIDE):
            repository.point(ref, None)
