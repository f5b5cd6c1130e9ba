"""Strays: commits that change the game and are no deed, such as a merge by hand. Seen without replaying anything.

What was looked at before is remembered in the clone's Git folder, and beside it up to which commit all was replayed, and
found to be what its deeds make; the file may be deleted at any time. What this clone has done itself upon that needs no look.

What is done on a branch that is not the game's goes astray too, and so nothing is done there. Which branch is the game's,
Git's own settings tell; where they do not, nothing is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git import Commit, Repository
from nomicgit.git.layout import remember, remembered, to_branch
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Problem, Refused
from nomicgit.ground.remedies import as_json, command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal
from nomicgit.record.line import before_of, in_the_name, in_words
from nomicgit.record.seen import faults
from nomicgit.record.tree import GameTree, game_at

FILE = faults.LOOKED_THROUGH
NEWEST = 2_000
"""Commits that a clone which has looked through none looks through: the others wait for verify, which it asks for."""
_NOTHING: dict[str, Any] = {"until": "", "strays": [], "mends": [], "replayed": ""}


_Wrong: TypeAlias = tuple[str, Commit, bool, bool]
"""What is wrong with a commit, the one to go back to, whether it founds a game over one, whether it can be laid anew."""


class Stray(Struct, frozen=True):
    """A commit that changes the game and is no deed, or not as one makes it, or founds another over it: whose, when
    (seconds, UTC), what it does.

    ``before`` is the commit to go back to, ``merged`` the ends of the other lines, where it merges any; ``founds``
    whether it founds a game over one, ``again`` whether it is a deed that can be laid anew, or a mend. ``mend`` is what is to be done
    about it, and about all strays after it.
    """

    commit: str
    by: str
    at: int
    what: str
    before: str
    merged: Sequence[str] = ()
    founds: bool = False
    again: bool = False
    mend: str = ""

    def __str__(self) -> str:
        return f"commit {self.commit[:12]} {in_the_name(self.by)}, {clock.text(self.at)}: {self.what}"

    @property
    def label(self) -> str:
        """What kind of stray it is."""
        if self.founds:
            return "another founding"
        return "no deed as it should be" if self.again else "no deed"

    @property
    def problem(self) -> Problem:
        """It as what is in the way of something, and what mends it."""
        return Problem(f"{self.label}: {self}", mend=self.mend)

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        facts = {"commit": self.commit, "by": self.by, "at": clock.text(self.at), "what": self.what}
        return facts | {"before": self.before} | as_json(self.mend)


class Looked(NamedTuple):
    """What was seen of a line, oldest first: the strays that stand, and the mends and restorings, which all should know of."""

    strays: list[Stray]
    mends: list[Commit]


def strays(
    repository: Repository, tip: str, since: str | None = None, *, there: str | None = None
) -> list[Stray]:
    """The strays up to a commit, oldest first: those after ``since`` where it leads there, else all since the founding.

    What a mend has set aside is none. What verify has found in this clone is among those since the founding. ``there``: up
    to where others have the branch; None: as the clone remembers it.
    """
    seen = _walked(repository, tip, since)[0].strays
    return _remedied(repository, seen if since else _with_verified(repository, tip, seen), there)


def has_strays(repository: Repository, tip: str) -> bool:
    """Whether there are any in a clone, which remembers how far it was looked through; what mends them, `vetting.advised` says."""
    return bool(looked_through(repository, tip).strays)


def looked_through(repository: Repository, tip: str, there: str | None = None) -> Looked:
    """What a clone holds; it remembers how far it was looked through, and what was seen by then. A new one is looked through from the
    newest `NEWEST` commits on, however old its game is: what lies before, only verify names.

    ``there``: where the branch that it follows was just found; None: where it was when it was last remembered.
    """
    folder = repository.git_dir
    since, before = _remembered(repository, folder)
    known, met = _walked(repository, tip, since, sound=not before.strays, most=None if since else NEWEST)
    if met:
        known = Looked(before.strays + known.strays, before.mends + known.mends)
    if since != tip:
        seen = [[each.commit, each.what, each.before, each.founds, each.again] for each in known.strays]
        mends = [mend.oid for mend in known.mends]
        _remember(folder, _kept(folder) | {"until": tip, "strays": seen, "mends": mends})
    stand = _with_verified(repository, tip, known.strays)
    wrong = {stray.commit for stray in stand}
    return Looked(
        _remedied(repository, stand, there), [mend for mend in known.mends if mend.oid not in wrong]
    )


def _with_verified(repository: Repository, tip: str, known: list[Stray]) -> list[Stray]:
    """The strays up to a commit, with what verify has found in this clone and nothing else sees, oldest first."""
    if not _noted(repository):
        return known
    more = _verified(repository, tip, {stray.commit for stray in known})
    places = {commit.oid: -place for place, commit in enumerate(repository.log(tip))}
    return sorted([*known, *more], key=lambda stray: places[stray.commit])


def _verified(repository: Repository, tip: str, seen: Collection[str]) -> Iterator[Stray]:
    """What verify has found at fault in this clone and nothing else sees, newest first; of that which stands."""
    known = {commit: what for commit, what in _noted(repository).items() if commit not in seen}
    for commit in _standing(repository, tip) if known else ():
        if commit.oid in known and (before := before_of(repository, commit)) is not None:
            what = f"verify has found of it: {known[commit.oid]}"
            yield _stray(commit, what, before, founds=False, again=journal.told(commit.message) is not None)


def _walked(
    repository: Repository, tip: str, since: str | None, *, sound: bool = True, most: int | None = None
) -> tuple[Looked, bool]:
    """What stands after ``since``, and whether it was met: where a mend goes back before it, all is looked through, or about as
    much as the ``most`` newest commits.

    What is done once more, word by word, has the time that it had: so nothing older than that is looked at for it.
    ``sound``: nothing is wrong up to ``since``.
    """
    _able(repository, tip)
    newest_first: list[Commit] = []
    founding: Commit | None = None
    older: Commit | None = None
    in_game: int | None = None  # how many came after the first founding: another one hides nothing
    at, ids, twice, met = 0, dict[str, str](), set[str](), False
    for commit in _standing(repository, tip):
        met = met or commit.oid == since
        if commit.author_time != at:
            if most is not None and len(newest_first) >= most:
                older = commit
            if met or older:
                break
            at, ids = commit.author_time, {}
        name = journal.deed_id(commit.message)
        twice |= {ids[name]} if name and name in ids else set()
        if met:
            continue
        ids[name] = commit.oid
        if journal.is_founding(commit.message) and game_at(repository, commit) is not None:
            in_game, founding = len(newest_first), commit
        newest_first.append(commit)
    looked, new = Looked([], []), newest_first[: None if met or older else in_game][::-1]
    if not new:
        return looked, met
    if met:
        founding = repository.commit(str(since)) if sound else None
    elif older is not None:
        founding = older
    from nomicgit.record.seen.apparent import amiss  # here: mostly a clone was looked through already
    from nomicgit.record.seen.signatures import Signatures

    signatures = Signatures(repository, founding)
    for commit in new:
        wrong: _Wrong | None = amiss(repository, commit, signatures)
        if wrong is None and commit.oid in twice:
            wrong = _repeated(repository, commit)
        signatures.take(commit, sound=wrong is None)
        if wrong is not None:
            looked.strays.append(_stray(commit, *wrong))
        elif takes_back(commit) is not None:
            looked.mends.append(commit)
    return looked, met


def _stray(commit: Commit, what: str, before: Commit, founds: bool, again: bool) -> Stray:
    merged = commit.parents[1:]
    return Stray(commit.oid, commit.author, commit.author_time, what, before.oid, merged, founds, again)


def _repeated(repository: Repository, commit: Commit) -> _Wrong | None:
    """A deed that stands on the line already: what it is laid upon is of the same time, back to where it was done."""
    name, before = journal.deed_id(commit.message), before_of(repository, commit)
    for earlier in repository.log(before.oid) if before is not None else ():
        if earlier.author_time != commit.author_time:
            break
        if before is not None and journal.deed_id(earlier.message) == name:
            return f"its deed {name} stands in the history already", before, False, True
    return None


def _noted(repository: Repository) -> Mapping[str, str]:
    """What verify has found in this clone, by the commits: mostly nothing, and no file says so."""
    return faults.noted(repository) if os.path.exists(f"{repository.git_dir}/{faults.FILE}") else {}


def told_aside(repository: Repository, tip: str) -> Iterator[tuple[Commit, str]]:
    """All commits of the line up to one, newest first, each with the mend that has set it aside; "" where it stands."""
    mends, until, by = _mends(repository), "", ""
    for commit in repository.log(tip):
        if commit.oid == until:
            until = by = ""
        yield commit, by
        to = None if by else journal.goes_back_to(commit.message)
        if to and mends(commit) and any(each.oid == to for each in repository.log(commit.oid)):
            until, by = to, commit.oid


def _standing(repository: Repository, tip: str) -> Iterator[Commit]:
    """What stands up to a commit, newest first."""
    return journal.standing(repository.log(tip), _mends(repository))


def _mends(repository: Repository) -> Callable[[Commit], bool]:
    """Whether a mend sets anything aside: one that is forged, or that verify has found at fault, does not."""
    wrong = _noted(repository)

    def sets_aside(mend: Commit) -> bool:
        from nomicgit.record.seen.apparent import forged  # here: few lines hold a mend

        return mend.oid not in wrong and not forged(repository, mend)

    return sets_aside


def takes_back(commit: Commit) -> Outside | None:
    """Whether a commit's deed mends the game, or restores the law; None where it does neither."""
    if Outside.MEND not in commit.message and Outside.RESTORE not in commit.message:
        return None
    entry = journal.told(commit.message)
    action = entry.deed.action if entry is not None else ""
    return Outside(action) if action in (Outside.MEND, Outside.RESTORE) else None


def _remedied(repository: Repository, known: Sequence[Stray], there: str | None = None) -> list[Stray]:
    """Strays, each with what mends it: of those that others have, and of own ones, the first says where to go back to."""
    if not known:
        return []
    from nomicgit.record.seen.apparent import MOST_MERGED  # here: few clones hold a stray
    from nomicgit.record.seen.arrivals import mend_of
    from nomicgit.record.seen.recourse import Recourse, Whose

    recourse, first, advised = Recourse(repository, there), dict[Whose, Stray](), list[Stray]()
    for stray in known:
        whose = recourse.whose(stray.commit)
        again = stray.again and whose is Whose.OWN
        to = stray if again else first.setdefault(whose, stray)
        if again and Whose.SHARED in first:
            theirs = first[Whose.SHARED].commit  # while that stands, nothing is laid anew
            mend = next(each.mend for each in advised if each.commit == theirs)
        elif len({*stray.merged}) >= MOST_MERGED:
            mend = mend_of(repository, stray.commit)  # which no mend takes away
        else:
            mend = recourse.remedy(stray.commit, to.before, to.merged, again=again)
        advised.append(replace(stray, mend=mend))
    return advised


def _able(repository: Repository, tip: str) -> None:
    """ModuleNotFoundError where a game requires signatures, and what judges them is not installed."""
    with suppress(NomicError):  # as above
        if GameTree(repository, repository.commit(tip).tree).settings.signed == "required":
            from nomicgit.sealing import ciphers  # noqa: F401 - here: most games ask for no signatures


def gone(repository: Repository, tip: str) -> Stray | None:
    """The commit that took the game away, where there was one and is none at a commit."""
    return next(reversed(strays(repository, tip)), None)


def follow(repository: Repository, before: str, commit: str, *, seen: bool = True) -> None:
    """Remember what this clone has just done itself, where all ``before`` it was looked through, or replayed; "" before a
    founding. ``seen``: looking would find nothing in it.
    """
    folder = repository.git_dir
    kept = _kept(folder) if before else _NOTHING
    looked = {"until": commit} if seen and kept["until"] == before else {}
    if looked or kept["replayed"] == before:
        _remember(folder, kept | looked | ({"replayed": commit} if kept["replayed"] == before else {}))


def replayed(repository: Repository) -> str:
    """The commit up to which this clone has replayed the game, and found it sound; "" where it has not, or that is forgotten.

    Nothing is done upon what lies beyond it: whoever can push may have laid a law there, or votes, that nobody has made.
    """
    return str(_kept(repository.git_dir)["replayed"])


def unverified(repository: Repository, head: str) -> Problem | None:
    """That this clone has not replayed all up to a head; None where it has."""
    until = replayed(repository)
    if until == head or (until and _plays_nothing(repository, until, head)):
        return None
    what = (
        "this clone has not verified yet what came since it last looked, the law with it"
        if until
        else "this clone has not verified this game yet, nor its law"
    )
    return Problem(what, mend=remedy("let it look:", command("nomicgit", "verify")))


def _plays_nothing(repository: Repository, until: str, head: str) -> bool:
    """Whether what came since a commit of the line is no deed, and leaves the game alone, as a commit of workflows does."""
    line = repository.log(head)
    since = [*takewhile(lambda each: each.oid != until and not journal.is_deed(each.message), line)]
    before = repository.commit(since[-1].parents[0]) if since and since[-1].parents else None
    if before is None or before.oid != until:
        return False
    return all(game_at(repository, each) == game_at(repository, before) for each in since)


def refuse_beyond(repository: Repository, head: str) -> None:
    """Refuse to use the game's key upon a head that this clone has not replayed: a law may lie there that tells secrets."""
    if replayed(repository) != head:
        raise Refused.of(
            "nothing is sealed or opened upon what this clone has not verified",
            mend=remedy("let it look:", command("nomicgit", "verify")),
        )


def note_replayed(repository: Repository, commit: str) -> None:
    """Remember that all was replayed up to a commit, and is sound."""
    folder = repository.git_dir
    _remember(folder, _kept(folder) | {"replayed": commit})


def _remembered(repository: Repository, folder: str) -> tuple[str | None, Looked]:
    """The commit up to which a clone was looked through, and what was seen; None where nothing is remembered."""
    try:
        kept = _kept(folder)
        strays = [
            _stray(repository.commit(oid), what, repository.commit(before), founds, again)
            for oid, what, before, founds, again in kept["strays"]
        ]
        return kept["until"] or None, Looked(strays, [repository.commit(oid) for oid in kept["mends"]])
    except (OSError, ValueError, NomicError):
        return None, Looked([], [])


def _kept(folder: str) -> dict[str, Any]:
    """What is remembered; nothing where what lies there is none of ours."""
    with suppress(ValueError):
        kept = json.loads(remembered(folder, FILE) or b"null")
        if isinstance(kept, dict) and kept.keys() == _NOTHING.keys():
            return kept
    return _NOTHING


def _remember(folder: str, kept: Mapping[str, object]) -> None:
    """Remember that; a clone that cannot be written to is looked through anew each time."""
    remember(folder, FILE, json.dumps(kept).encode())


class Elsewhere(Struct, frozen=True):
    """A branch with the same game as another, on which that is played; ``deeds`` lie on the one alone, oldest first.

    ``folder`` is that of another work tree which stands on ``home``, where one does; ``root`` that of this one, if it has any.
    """

    branch: str
    home: str
    deeds: Sequence[Commit]
    folder: str
    root: str | None

    def __str__(self) -> str:
        lost = f", as is what lies on {self.branch} alone: {in_words(self.deeds)}" if self.deeds else ""
        return (
            f"the game is played on the branch {self.home}: what is done on {self.branch} is lost to it{lost}"
        )

    @property
    def mend(self) -> str:
        """What to do about it."""
        done = command("git", "log", f"refs/heads/{self.home}..refs/heads/{self.branch}")
        there = command("cd", self.folder) if self.folder else to_branch(self.root, self.home)
        lost = ("which has the words of what was done here:", done) if self.deeds else ()
        return remedy("go back, and do it there:", there, *lost)


def elsewhere(repository: Repository) -> Elsewhere | None:
    """Where a clone stands on another branch than the game's; None where it does not, or where that cannot be told."""
    if not repository.has_other_branches():
        return None
    from nomicgit.git.upstream import (  # here: most clones have no other branch, and need no process of Git's
        HEADS,
        checked_out,
        home,
    )

    branch, there = repository.branch, home(repository)
    here, head = repository.head(), repository.resolve(HEADS + there) if there else None
    if here is None or head is None or branch == HEADS + there:
        return None
    own = [each for each in repository.beyond(head, here) if journal.told(each.message) is not None][::-1]
    if any(journal.is_founding(each.message) for each in own):
        return None  # another game than the one there, if any is
    return Elsewhere(branch.removeprefix(HEADS), there, own, checked_out(repository, there), repository.root)


def refuse_elsewhere(repository: Repository) -> None:
    """Refuse to do anything on a branch that is not the game's."""
    if (stands := elsewhere(repository)) is not None:
        raise Refused.of(str(stands), mend=stands.mend)
