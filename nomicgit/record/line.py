"""The line of a game: the first parents of its branch. Its deeds are those of the game, and no others.

What a commit merges stands beside the line and brings no deeds: a proposal's branch has none of its own. Where it
has some all the same, they were deeds of the game once, or in another copy of it, and the merge has thrown them away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal
from nomicgit.record.tree import game_at

SHOWN = 5
NAMED = "in the name of"


class Beside(Struct, frozen=True):
    """What a commit of a line merges that is not on the line: its deeds, and the commits at which a shallow clone ends."""

    merge: Commit
    deeds: tuple[Commit, ...]
    ends: tuple[Commit, ...]


def before_of(repository: Repository, commit: Commit) -> Commit | None:
    """The commit before another on the line; None where none is."""
    return repository.commit(commit.parents[0]) if commit.parents else None


def in_the_name(author: str) -> str:
    """Whose a commit says that it is. Whoever makes a commit writes that, as they please."""
    return f"{NAMED} {printable(author, 60) or 'nobody'}"


def actor_of(commit: Commit) -> str:
    """Who did a deed."""
    return journal.parse(commit.message).deed.actor or "the clock"


def deed_in_words(commit: Commit) -> str:
    """Who did what; of what was done in private, that it is sealed."""
    deed = journal.parse(commit.message).deed
    if deed.action == Outside.SEALED:
        return journal.unnamed(deed)
    return printable(f"{actor_of(commit)}: {journal.parse(commit.message).deed.action}", 80)


def in_words(deeds: Sequence[Commit]) -> str:
    """How many deeds there are, and some of them: who did what, and in which commit."""
    shown = [f"{deed_in_words(commit)} ({commit.oid[:12]})" for commit in deeds[:SHOWN]]
    more = f", and {len(deeds) - SHOWN} more" if len(deeds) > SHOWN else ""
    return f"{len(deeds)} deed{'s' if len(deeds) > 1 else ''}: {', '.join(shown)}{more}"


def founded(repository: Repository, line: Sequence[Commit]) -> int | None:
    """The place of the first founding of a game in a line (oldest first); None where none is founded.

    What founds a game again hides nothing that was before it.
    """
    foundings = (
        place
        for place, commit in enumerate(line)
        if journal.is_founding(commit.message) and game_at(repository, commit) is not None
    )
    return next(foundings, None)


def since_founding(repository: Repository, tip: str) -> list[Commit]:
    """The line of a game from its first founding up to a commit, oldest first; all of it where none is founded."""
    whole = list(repository.log(tip))[::-1]
    return whole[founded(repository, whole) or 0 :]


def beside(repository: Repository, line: Sequence[Commit], since: str | None = None) -> Iterator[Beside]:
    """What stands beside a whole line (oldest first), by the commits that merge it, where there are deeds or ends.

    Only what the line does not have is walked, and what one commit has merged no later one merges again. ``since``: what
    the commits after this one of the line merge, alone.
    """
    seen = {commit.oid for commit in line}
    start = next((place for place, commit in enumerate(line, 1) if commit.oid == since), 0)
    if since is not None and any(len(commit.parents) > 1 for commit in line[start:]):
        seen.update(repository.ids_beyond(None, since))
    for commit in line[start:]:
        if len(commit.parents) > 1:
            brought = list(_brought(repository, commit.parents[1:], seen))
            deeds = tuple(each for each in brought if journal.told(each.message) is not None)
            ends = tuple(each for each in brought if repository.cut_off(each))
            if deeds or ends:
                yield Beside(commit, deeds, ends)


def _brought(repository: Repository, heads: Sequence[str], seen: set[str]) -> Iterator[Commit]:
    """The commits that lead to these heads and were not seen before, which are seen now."""
    todo = list(heads)
    while todo:
        oid = todo.pop()
        if oid in seen:
            continue
        seen.add(oid)
        commit = repository.commit(oid)
        yield commit
        todo += commit.parents


def brings_deeds(repository: Repository, head: str, tip: str) -> bool:
    """Whether there are deeds on the way to ``head`` that ``tip`` has not: then it cannot be merged."""
    return _own_deed(repository, head, tip) is not None


def refuse_deeds(repository: Repository, head: str, tip: str) -> None:
    """Refuse a branch that brings deeds along: merged, it would seem to leave them out."""
    deed = _own_deed(repository, head, tip)
    if deed is not None:
        raise Refused.of(
            f"the branch holds deeds that the game has not, such as {in_words([deed]).partition(': ')[2]}",
            mend=remedy(
                "move what is yours onto the game's branch:",
                command("git", "rebase", "--onto", "refs/heads/main", deed.oid, "BRANCH"),
            ),
        )


def _own_deed(repository: Repository, head: str, tip: str) -> Commit | None:
    """The newest deed on the way to ``head`` that ``tip`` has not."""
    own = (each for each in repository.beyond(tip, head) if journal.told(each.message) is not None)
    return next(own, None)
