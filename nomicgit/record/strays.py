"""Strays: commits that change the game and are no deed, such as a merge by hand. Seen without replaying anything.

A commit counts as a deed here where its message tells of one, its headers are those that the deed makes, and its time is
not before that of the deed before it: so what Git has rebased is seen. Whether it holds what that deed makes, verify tells.
What was looked at before is remembered in the clone's Git folder; the file may be deleted at any time.

What is done on a branch that is not the game's goes astray too, and so nothing is done there. Which branch is the game's,
Git's own settings tell; where they do not, nothing is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from nomicgit.git import Commit, Repository, trees
from nomicgit.git.objects import oid_of
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Problem, Refused
from nomicgit.ground.remedies import as_json, command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record import faults, journal
from nomicgit.record.headers import misheaded
from nomicgit.record.line import brings_deeds, in_the_name, in_words
from nomicgit.record.misgiven import misgiven
from nomicgit.record.tree import GAME, KEYS, SETTINGS, GameTree, forms_of, game_at

FILE = faults.LOOKED_THROUGH
MOST_MERGED = 100
"""Other lines that are looked through for deeds; what merges more is taken for what leaves some out."""
MEND = "mend:"  # before its commit, in the file
CHANGED = "it changes the game and is no deed"


@dataclass(frozen=True, slots=True)
class Stray:
    """A commit that changes the game and is no deed, or not as one makes it, or founds another over it: whose, when
    (seconds, UTC), what it does.

    ``before`` is the commit to go back to, ``merged`` the ends of the other lines, where it merges any; ``founds``
    whether it founds a game over one, ``again`` whether it is a deed that can be laid anew. ``mend`` is what is to be done
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


def strays_in(repository: Repository, tip: str) -> list[Stray]:
    """The same of a clone, which remembers how far it was looked through."""
    return looked_through(repository, tip).strays


def looked_through(repository: Repository, tip: str, there: str | None = None) -> Looked:
    """What a clone holds; it remembers how far it was looked through, and what was seen by then.

    ``there``: where the branch that it follows was just found; None: where it was when it was last remembered.
    """
    path = f"{repository.git_dir}/{FILE}"
    since, before = _remembered(repository, path)
    known, met = _walked(repository, tip, since)
    if met:
        known = Looked(before.strays + known.strays, before.mends + known.mends)
    if since != tip:
        mends = (MEND + mend.oid for mend in known.mends)
        _remember(path, [tip, *(stray.commit for stray in known.strays), *mends])
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
        if commit.oid in known and (before := _before(repository, commit)) is not None:
            again, merged = journal.told(commit.message) is not None, commit.parents[1:]
            what = f"verify has found of it: {known[commit.oid]}"
            yield Stray(commit.oid, commit.author, commit.author_time, what, before.oid, merged, again=again)


def _walked(repository: Repository, tip: str, since: str | None) -> tuple[Looked, bool]:
    """What stands after ``since``, and whether it was met: where a mend goes back before it, all is looked through.

    What is done once more, word by word, has the time that it had: so nothing older than that is looked at for it.
    """
    _able(repository, tip)
    newest_first: list[tuple[Commit, list[Stray]]] = []
    mends: list[Commit] = []
    in_game: int | None = None  # how many came after the first founding: another one hides nothing
    at, ids, met = 0, dict[str, int](), False
    for commit in _standing(repository, tip):
        met = met or commit.oid == since
        if commit.author_time != at:
            if met:
                break
            at, ids = commit.author_time, {}
        name = journal.deed_id(commit.message)
        if name and name in ids:
            again, wrong = newest_first[ids[name]]
            wrong += () if wrong else _repeated(repository, again)
        if met:
            continue
        ids[name] = len(newest_first)
        if journal.is_founding(commit.message) and game_at(repository, commit) is not None:
            in_game = len(newest_first)
        wrong = list(_stray(repository, commit))
        if takes_back(commit) is not None and not wrong:
            mends.append(commit)
        newest_first.append((commit, wrong))
    strays = [stray for _, wrong in newest_first[: None if met else in_game] for stray in wrong]
    return Looked(strays[::-1], mends[::-1]), met


def _repeated(repository: Repository, commit: Commit) -> Iterator[Stray]:
    """A deed that stands on the line already: what it is laid upon is of the same time, back to where it was done."""
    name, before = journal.deed_id(commit.message), _before(repository, commit)
    for earlier in repository.log(before.oid) if before is not None else ():
        if earlier.author_time != commit.author_time:
            return
        if name and journal.deed_id(earlier.message) == name:
            assert before is not None
            what, merged = f"its deed {name} stands in the history already", commit.parents[1:]
            yield Stray(commit.oid, commit.author, commit.author_time, what, before.oid, merged, again=True)
            return


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
    return lambda mend: mend.oid not in wrong and not forged(repository, mend)


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
    from nomicgit.record.arrivals import mend_of  # here: few clones hold a stray
    from nomicgit.record.recourse import Recourse, Whose

    recourse, first, advised = Recourse(repository, there), dict[Whose, Stray](), list[Stray]()
    for stray in known:
        whose = recourse.whose(stray.commit)
        again = stray.again and whose is Whose.OWN
        to = stray if again else first.setdefault(whose, stray)
        if len({*stray.merged}) >= MOST_MERGED:
            mend = mend_of(repository, stray.commit)  # which no mend takes away
        else:
            mend = recourse.remedy(stray.commit, to.before, to.merged, again=again)
        advised.append(replace(stray, mend=mend))
    return advised


def _before(repository: Repository, commit: Commit) -> Commit | None:
    return repository.commit(commit.parents[0]) if commit.parents else None


def _stray(repository: Repository, commit: Commit) -> Iterator[Stray]:
    before = _before(repository, commit)
    if before is None:
        return
    entry = journal.told(commit.message)
    what, founds, again = _left_out(repository, before, commit), False, False
    if entry is not None:
        last = last_game(repository, before) if entry.deed.action == Outside.FOUND else None
        if last is not None:
            what, before, founds = founded_over(last, before), last, True
        elif not what:
            what = forged(repository, commit)
            what = what or _misgiven(entry.deed)
            what = what or next(_missealed(repository, before, commit, entry), "")
            what = what or _beyond(repository, before, commit, entry.deed)
            again = not what
            what = what or _unsigned(repository, before.tree, entry, commit)
            what = what or next(_misdone(repository, before, commit, entry.deed), "")
    elif not what:
        what = CHANGED if game_at(repository, before) != game_at(repository, commit) else ""
        what = what or journal.misread(commit.message)
        with suppress(NomicError):  # a game that cannot be read was left so by another commit, which is named
            what = what or next(misformed(repository, before, commit), "")
    if what:
        merged = commit.parents[1:]
        yield Stray(commit.oid, commit.author, commit.author_time, what, before.oid, merged, founds, again)


def forged(repository: Repository, commit: Commit) -> str:
    """What is wrong with a deed of those who may restore the game, seen without replaying it: that they may not, or that a
    mend's tree is not what mending makes. "" where nothing is, or it is no such deed.
    """
    entry = journal.told(commit.message) if "physics/" in commit.message else None
    before = _before(repository, commit) if entry is not None else None
    if entry is None or before is None:
        return ""
    from nomicgit.record import forging  # here: few deeds are outside the law

    return forging.wrong(repository, before, commit, entry.deed)


def _misgiven(deed: Deed) -> str:
    """What is wrong with what a deed of the program's own is handed in with, or one that names nobody; "" where nothing is."""
    return misgiven(deed.action, deed.given, deed.actor) if "/" in deed.action or not deed.actor else ""


def _unsigned(repository: Repository, before: str, entry: journal.Entry, commit: Commit) -> str:
    """What is wrong with how a deed is signed, as the tree before it asks; of a mend that is seen with the rest of it."""
    with suppress(NomicError):  # settings that nobody can read are told of by what follows
        if entry.deed.action != Outside.SIGNERS and GameTree(repository, before).settings.signed == "no":
            return ""
    from nomicgit.record.signers import unsigned  # here: most games ask for no signatures

    return unsigned(repository, before, entry, commit)


def _able(repository: Repository, tip: str) -> None:
    """ModuleNotFoundError where a game requires signatures, and what judges them is not installed."""
    with suppress(NomicError):  # as above
        if GameTree(repository, repository.commit(tip).tree).settings.signed == "required":
            from nomicgit.sealing import ciphers  # noqa: F401 - here: most games ask for no signatures


def _misdone(repository: Repository, before: Commit, commit: Commit, deed: Deed) -> Iterator[str]:
    """What is wrong with a deed's commit, seen without replaying it: its headers, and its time."""
    if deed.at != commit.author_time:
        yield "its deed and its commit are not of one time"
    if len({*commit.parents}) < len(commit.parents):
        yield "it merges one commit twice, or the one before it"
    _, stored = repository.read(commit.oid)
    yield from misheaded(commit, stored, deed, commit.message)
    if len(commit.parents) > 1:
        from nomicgit.record import joined  # here: few deeds merge anything

        yield from joined.strange(repository, commit, deed)
    earlier = journal.told(before.message) if deed.action != Outside.MEND else None
    if earlier is not None and deed.at < earlier.deed.at == before.author_time:
        yield "it is dated before the deed before it"
    if earlier is not None and deed.id == earlier.deed.id:
        yield f"its deed {deed.id} stands in the history already"


def _missealed(repository: Repository, before: Commit, commit: Commit, entry: journal.Entry) -> Iterator[str]:
    """What anybody sees that is wrong with a deed which only the keeper does, that they have not signed it, or its form; and
    with any other that changes what is sealed, or the keys.
    """
    folder = KEYS.rpartition("/")[0]
    touches = repository.entry(before.tree, folder) != repository.entry(commit.tree, folder)
    if not (entry.sealed or entry.seeds or touches):
        return
    if not GameTree(repository, before.tree).has_keys:
        if entry.sealed:
            yield "it is sealed, and the game has no keys"
        return
    from nomicgit.record.secret import keyring, unsealed  # here: most games have no keys
    from nomicgit.record.secret.custody import Keeping

    keeping = Keeping(keyring.terms_at(repository, before.tree), None)
    yield from unsealed.unlike(repository, entry, commit, before, keeping)


_KEPT = {
    SETTINGS: (Outside.REHOUSE, Outside.NUMBER, Outside.SIGNED, Outside.APPROVALS),
    f"{GAME}signers": (Outside.SIGNERS,),
}
"""What the program keeps for itself, by its file, and the deeds that change it, beside a mend and a founding."""


def _beyond(repository: Repository, before: Commit, commit: Commit, deed: Deed) -> str:
    """That a deed changes what deeds of its kind never change, seen without replaying it; "" where it does not."""
    for path, deeds in _KEPT.items():
        may = deed.action in (Outside.MEND, Outside.FOUND, *deeds)
        if not may and repository.entry(before.tree, path) != repository.entry(commit.tree, path):
            return f"it changes {path}, and no deed of its kind does"
    return ""


def last_game(repository: Repository, tip: Commit) -> Commit | None:
    """The newest commit up to a tip at which there is a game; None where there never was one."""
    return next((each for each in repository.log(tip.oid) if game_at(repository, each) is not None), None)


def founded_over(last: Commit, before: Commit) -> str:
    """What is wrong with a founding upon ``before``, where ``last`` is the last commit with a game: that game goes on."""
    if last.oid == before.oid:
        return "it founds a game where one is already"
    return f"it founds a game over the one that was there until the commit {last.oid[:12]}"


def _left_out(repository: Repository, before: Commit, commit: Commit) -> str:
    """The deeds that a commit merges and leaves out, told; "" where there are none."""
    others = [*dict.fromkeys(commit.parents[1:])]
    if len(others) < MOST_MERGED and not any(brings_deeds(repository, other, before.oid) for other in others):
        return ""
    return "it merges another line of play, and leaves its deeds out"


def gone(repository: Repository, tip: str) -> Stray | None:
    """The commit that took the game away, where there was one and is none at a commit."""
    return next(reversed(strays(repository, tip)), None)


def misformed(repository: Repository, before: Commit, commit: Commit) -> Iterator[str]:
    """What is wrong with the forms after a commit that is no deed: it must leave them alone, or put them right."""
    from nomicgit.record.forms import FOLDER  # here: few commits are no deeds

    now, was = (repository.entry(each.tree, FOLDER.rstrip("/")) for each in (commit, before))
    if now == was:
        return
    tree = GameTree(repository, commit.tree)
    if not tree.settings.forge:
        return
    law = tree.physics.law(tree.ruleset())
    for path, data in sorted(forms_of(law, tree.settings.forge).items()):
        there = repository.entry(commit.tree, path)
        if there != repository.entry(before.tree, path) and there != (trees.FILE, oid_of("blob", data)):
            yield f"it changes the form {path} and is no deed"


def _remembered(repository: Repository, path: str) -> tuple[str | None, Looked]:
    """The commit up to which a clone was looked through, and what was seen; None where nothing is remembered."""
    try:
        with open(path, encoding="ascii") as file:
            since, *seen = file.read().split()
        mends = [repository.commit(each.removeprefix(MEND)) for each in seen if each.startswith(MEND)]
        commits = (repository.commit(each) for each in seen if not each.startswith(MEND))
        wrong = (list(_stray(repository, each)) or _repeated(repository, each) for each in commits)
        return since, Looked([stray for some in wrong for stray in some], mends)
    except (OSError, ValueError, NomicError):
        return None, Looked([], [])


def _remember(path: str, oids: Sequence[str]) -> None:
    """Write the file beside, then in its place; a clone that cannot be written to is looked through anew each time."""
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        beside = f"{path}.{os.getpid()}"
        with open(beside, "w", encoding="ascii") as file:
            file.write("\n".join(oids) + "\n")
        os.replace(beside, path)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A branch with the same game as another, on which that is played; ``deeds`` lie on the one alone, oldest first.

    ``folder`` is that of another work tree which stands on ``home``, where one does.
    """

    branch: str
    home: str
    deeds: Sequence[Commit]
    folder: str

    def __str__(self) -> str:
        lost = f", as is what lies on {self.branch} alone: {in_words(self.deeds)}" if self.deeds else ""
        return (
            f"the game is played on the branch {self.home}: what is done on {self.branch} is lost to it{lost}"
        )

    @property
    def mend(self) -> str:
        """What to do about it."""
        done = command("git", "log", f"refs/heads/{self.home}..refs/heads/{self.branch}")
        there = command("cd", self.folder) if self.folder else command("git", "switch", self.home)
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
    return Elsewhere(branch.removeprefix(HEADS), there, own, checked_out(repository, there))


def refuse_elsewhere(repository: Repository) -> None:
    """Refuse to do anything on a branch that is not the game's."""
    if (stands := elsewhere(repository)) is not None:
        raise Refused.of(str(stands), mend=stands.mend)
