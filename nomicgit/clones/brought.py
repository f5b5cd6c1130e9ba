"""The files that a head brings into a clone's folder: what cannot lie there, and what is in their way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from nomicgit.git import Commit, Repository
from nomicgit.git.objects import Entry
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import line

SHOWN = 20


def left_out(repository: Repository, here: str, head: str, commits: Sequence[Commit]) -> list[str]:
    """What of a head no folder holds, and ``here`` has not: which commit has brought it, and why it cannot lie there."""
    before, after = (repository.commit(oid).tree for oid in (here, head))
    return [
        f"{printable(path, 80)}, {_brought(repository, commits, path, new)}: {why}"
        for path, _, new in repository.changed(before, after)
        if new is not None and (why := repository.unfit(after, path))
    ]


def touched(repository: Repository, here: str, head: str) -> list[str]:
    """The files in which one head differs from another."""
    before, after = (repository.commit(oid).tree for oid in (here, head))
    return [path for path, _, _ in repository.changed(before, after)]


def refuse_in_the_way(
    repository: Repository, here: str, head: str, commits: Sequence[Commit], then: Sequence[str]
) -> None:
    """Refuse a head that brings files where others lie in the folder that were never recorded, such as ignored ones; one that lies
    there as it comes is in nobody's way.

    ``commits`` may have brought them; ``then`` is the command to give once more.
    """
    before, after = (repository.commit(oid).tree for oid in (here, head))
    brought = {
        path: new for path, old, new in repository.changed(before, after) if old is None and new is not None
    }
    met = [(path, lies) for path in brought if (lies := repository.in_the_way(path, before))]
    unlike = {*repository.local_edits([path for path, _ in met], after)} if met else set[str]()
    met = [(path, lies) for path, lies in met if path in unlike]
    if not met:
        return
    brings = [
        f"{printable(path, 80)}, {_brought(repository, commits, path, brought[path])}"
        for path, _ in met[:SHOWN]
    ]
    more = f"; and {len(met) - SHOWN} more" if len(met) > SHOWN else ""
    lying = islice(dict.fromkeys(lies for _, lies in met), SHOWN)
    moves = [command("cd", repository.root)] if repository.root else []
    moves += [command("mv", "-i", "--", lies, f"{lies}.mine") for lies in lying]
    raise Refused.of(
        f"files that you have never recorded lie where recorded ones come: {'; '.join(brings)}{more}; nothing is moved",
        mend=remedy("move yours away:", *moves, "then:", command(*then)),
    )


def _brought(repository: Repository, commits: Sequence[Commit], path: str, entry: Entry) -> str:
    """Which of these commits, oldest first, has brought what lies at a path: whatever time it tells."""
    by = next((each for each in commits if repository.entry(each.tree, path) == entry), None)
    return f"of the commit {by.oid[:12]} {line.in_the_name(by.author)}" if by else "of a commit of your own"
