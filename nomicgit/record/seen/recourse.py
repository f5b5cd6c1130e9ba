"""What to do about a commit that is no deed as it should be: that depends on who has it, and on the branch it lies on."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from contextlib import suppress
from enum import Enum, auto
from itertools import count

from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import HEADS, Upstream, back_to, home
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, commands, remedy
from nomicgit.law.ruleset import FILE
from nomicgit.record import journal, line
from nomicgit.record.line import brings_deeds
from nomicgit.record.outside import mending
from nomicgit.record.seen import arrivals, barred
from nomicgit.record.seen.known import everywhere, had, merged_away, missing, to_have_back
from nomicgit.record.seen.signatures import Signatures
from nomicgit.record.tree import RULESET, SCENARIOS, GameTree

SYNC = command("nomicgit", "sync")
AGAIN = remedy("nobody else has it; it is laid anew by:", SYNC)
TAKEN_OUT = remedy("nobody else has it; it is taken out by:", SYNC)
BY_HAND = remedy(
    "nobody else has it, and no clone signs it anew; it is taken out and set aside by:",
    SYNC,
    "then do it again yourself, where it is yours",
)
_OWN_BRANCH = re.compile(r"Merge (branch '[^'\n]*'(?! of )|pull request #)")
"""What Git, or a forge, writes of a merge of a branch into the one that everybody has."""
ACCEPT = remedy("then, in every clone:", command("nomicgit", "sync", "--accept"))


def _accept(out: Sequence[Commit]) -> str:
    """What is to be done in every clone once a branch is put back, which takes these deeds out."""
    who = sorted({line.actor_of(deed) for deed in out})
    if not who:
        return ACCEPT
    theirs = printable(" and ".join(who), 500)
    anew = f"then, in every clone; {theirs} most of all, whose clone lays anew what it had pushed with the merge:"
    return remedy(anew, command("nomicgit", "sync", "--accept"))


UNFOUNDED = remedy(
    "what the game begins with is at fault, and no mend goes back before it: clone the game anew from whoever has it as it was, "
    "or found one:",
    command("nomicgit", "new", "--help"),
)
NOBODY = "this game names nobody who may mend it"


def proposing(name: str, head: str, before: str) -> tuple[str, ...]:
    """The commands that keep what was written on the game's own branch, up to its head, after a commit, and propose it from another."""
    return (
        command("git", "branch", name, head),
        command("git", "reset", "--keep", before),
        command("nomicgit", "propose", "--branch", name),
    )


def remedy_of(
    repository: Repository,
    commits: Sequence[Commit],
    lawful: Commit | None,
    faulty: Set[str],
    *,
    sure: bool = False,
) -> str:
    """What mends a line, oldest first, of which these are at fault: ``lawful`` is the last commit before any of them, None where
    the founding is at fault. ``sure``: for who has been told to look at the clock first.
    """
    if lawful is None:
        return _refounded(repository, commits[0])
    recourse = Recourse(repository, sure=sure)
    after = [each for each in commits[commits.index(lawful) + 1 :] if each.oid in faulty]
    if not after:
        return recourse.mended_to(lawful.oid)
    if recourse.whose(after[0].oid) is not Whose.OWN:
        return recourse.for_all(after[0].oid, lawful.oid, after[0].parents[1:])
    again = all(journal.told(each.message) is not None for each in after)
    return recourse.remedy(after[0].oid, lawful.oid, after[0].parents[1:], again=again)


def _refounded(repository: Repository, founding: Commit) -> str:
    """What is to be done where the founding is at fault: no mend leads there. A program that is too old to read it is no fault of it."""
    try:
        _ = GameTree(repository, founding.tree).settings
    except Refused as newer:
        return newer.problems[0].mend
    except NomicError:
        pass
    return UNFOUNDED


def why_by_hand(repository: Repository, commit: Commit) -> str:
    """Why a deed is laid anew by no clone, since whoever did that would sign it: it had to be signed where it was done, and is
    not. "" where it may be.
    """
    entry = journal.told(commit.message)
    before = repository.commit(commit.parents[0])
    if entry is None or entry.sealed or GameTree(repository, before.tree).settings.signed != "required":
        return ""
    return Signatures(repository, None).wrong(before, entry, commit)


class Whose(Enum):
    """Who has a commit: this clone alone, others too, or nobody can tell, since this clone follows nothing."""

    OWN = auto()
    SHARED = auto()
    UNTOLD = auto()


class Recourse:
    """What a clone says about its commits, by how it stands to the branch that it follows: where that was just found, or
    else where it was when it was last remembered. ``sure``: for who has been told to look at the clock first.
    """

    def __init__(self, repository: Repository, there: str | None = None, *, sure: bool = False) -> None:
        self._repository, self._more = repository, ("--yes",) if sure else ()
        self._upstream: Upstream | None = None
        self._known: str | None = None
        self._here: str | None = None
        self._home = ""
        with suppress(Refused):  # of a detached head, which follows nothing
            branch = repository.branch.removeprefix(HEADS)
            upstream, self._here = Upstream.of(repository), repository.head()
            self._upstream = upstream
            self._known = there or (upstream.known() if upstream else None)
            self._home = "" if branch == (played := home(repository)) else played

    def mended_to(self, to: str) -> str:
        """The mend that takes back what came after a commit."""
        return mending.remedy_to(self._repository, to, *self._more)

    def whose(self, commit: str) -> Whose:
        """Who has a commit."""
        if self._known is None or self._here is None:
            return Whose.UNTOLD
        leads = self._repository.leads_to
        own = leads(commit, self._here) and not leads(commit, self._known)
        return Whose.OWN if own else Whose.SHARED

    def remedy(self, commit: str, before: str, merged: Sequence[str] = (), *, again: bool = False) -> str:
        """What to do about a commit: ``before`` is the one to go back to, ``merged`` the ends of the other lines that it
        merges, ``again`` whether it is a deed that can be laid anew, or a mend: what that goes back to, another is to go back to.
        """
        if self._home:
            return self._back_home()
        match self.whose(commit):
            case Whose.OWN if again:
                own_deed = self._repository.commit(commit)
                if (to := journal.goes_back_to(own_deed.message)) is not None:
                    return self.mended_to(to) if mending.may_do(self._repository, own_deed) else TAKEN_OUT
                return BY_HAND if why_by_hand(self._repository, own_deed) else AGAIN
            case Whose.OWN:
                own = self._own_end(before, merged)
                theirs = any(self.whose(end) is not Whose.OWN for end in merged)
                if not theirs and (name := self._branch_for(own)):  # what others wrote is theirs to propose
                    return remedy(
                        "nobody else has it; to propose what it writes:",
                        *proposing(name, str(self._here), own),
                    )
                return self._taken_back(commit, own)
            case Whose.SHARED:
                return self.for_all(commit, before, merged)
        mend = self.mended_to(before)
        if name := self._branch_for(before):
            if not mending.may(self._repository, before):
                mend = NOBODY
            return remedy(
                mend,
                "where nobody has pulled it yet, propose what it writes:",
                *proposing(name, str(self._here), before),
            )
        keep = command("git", "reset", "--keep", before)
        more = () if keep.strip() in commands(mend) else ("where nobody has pulled it yet:", keep)
        return remedy(mend, *more)

    def _taken_back(self, commit: str, own: str) -> str:
        """How an own commit is taken back, up to the one that keeps own deeds: where it was on the branch, and was taken back there,
        sync goes on without it by itself.
        """
        upstream, there, leads = self._upstream, self._known, self._repository.leads_to
        keep = command("git", "reset", "--keep", own)
        if upstream is None or there is None or not any(leads(commit, each) for each in everywhere(upstream)):
            return remedy("nobody else has it; take it back:", keep, SYNC)
        was = f"it was on {upstream.name}, and is there no more"
        seen = (*had(self._repository, upstream), *merged_away(self._repository, upstream, there)[0])
        if any(leads(commit, each) for each in seen):
            without = f"{was}; to go on without it, which lays your own deeds anew:"
            return remedy(without, command("nomicgit", "sync", "--accept"))
        return remedy(f"{was}; take it back:", keep, SYNC)

    def _back_home(self) -> str:
        """What to do on a branch that is not the game's: what is written there is to be proposed, and not taken back."""
        back = back_to(self._repository, self._home)
        return remedy(
            "this branch is a proposal's, and the game is played on another; go back to that:", back
        )

    def _branch_for(self, before: str) -> str:
        """A free name for a branch that keeps what came after a commit, where that writes rules and nothing else; else ""."""
        if self._here is None:
            return ""
        old, new = (self._repository.commit(each).tree for each in (before, self._here))
        try:
            paths = [path for path, _, _ in self._repository.changed(old, new)]
        except Refused:  # of more files than any proposal has
            return ""
        files = (FILE.fullmatch(path.rpartition("/")[2]) for path in paths if path.startswith(RULESET))
        slugs = [file[2] for file in files if file]
        if not slugs or not all(path.startswith((RULESET, SCENARIOS)) for path in paths):
            return ""
        names = (slugs[0] if n == 1 else f"{slugs[0]}-{n}" for n in count(1))
        return next(name for name in names if self._repository.resolve(HEADS + name) is None)

    def for_all(self, commit: str, before: str, merged: Sequence[str]) -> str:
        """What takes back a commit that others have too: a mend; but where the line that this clone has seen was merged and left out,
        that line is put back (on a forge, which bars that push, it is mended), and where nobody may mend, what was before is.
        """
        if self._home:
            return self._back_home()
        upstream, there = self._upstream, self._known
        if upstream is None or there is None:
            return self.mended_to(before)
        may = mending.may(self._repository, before)
        mended = may and barred.lives_on_a_forge(self._repository, before)
        end = "" if mended else self._pushed_end(upstream, commit, before, merged)
        if end:
            said = f"it leaves out the line that was there before; to have that back, up to the commit {end[:12]}"
            out = missing(self._repository, there, end)
            return remedy(to_have_back(self._repository, upstream, end, there, said), _accept(out))
        if may:
            return self.mended_to(before)
        said = "this game names nobody who may mend it; to have the branch back as it was"
        return remedy(to_have_back(self._repository, upstream, before, there, said), ACCEPT)

    def _pushed_end(self, upstream: Upstream, commit: str, before: str, merged: Sequence[str]) -> str:
        """The end of the line that the branch had before a merge by hand, where that has left out its deeds; "" where none is.
        Where it ends with another such merge, the branch stood before the first of them.
        """
        end = self._left_out(upstream, commit, before, merged)
        while end and (merge := self._merging(before, end)) is not None:
            before, *merged = merge.parents
            end = self._left_out(upstream, merge.oid, before, merged) or before
        return end

    def _merging(self, before: str, end: str) -> Commit | None:
        """The first merge by hand of two lines of play that stands on a line after a commit; None where none does."""
        from nomicgit.record.seen.apparent import forged  # here: few clones hold a merge by hand

        repository, first = self._repository, None
        new = {*repository.ids_beyond(before, end, "--first-parent")}
        for each in journal.standing(repository.log(end), lambda mend: not forged(repository, mend)):
            if each.oid not in new:
                break
            by_hand = journal.told(each.message) is None
            if by_hand and any(
                brings_deeds(repository, other, each.parents[0]) for other in each.parents[1:]
            ):
                first = each
        return first

    def _left_out(self, upstream: Upstream, commit: str, before: str, merged: Sequence[str]) -> str:
        """The end of the line that a merge by hand has left out, though the branch had it before; "" where none is.

        Whoever merges what is there makes their own line the first, and what was there another. That it was the first
        is known where the branch has stood on that alone; who has seen neither alone takes it from what Git writes of a merge.
        """
        leads, heads = self._repository.leads_to, everywhere(upstream)
        within = _OWN_BRANCH.match(self._repository.commit(commit).message) is not None
        for end in merged:
            if not brings_deeds(self._repository, end, before):
                continue
            if arrivals.unfit_beyond(self._repository, before, end):
                continue  # which nobody is to have back
            if any(leads(each, before) and not leads(each, end) for each in heads):
                continue
            if within and not any(leads(each, end) and not leads(each, before) for each in heads):
                continue
            return end
        return ""

    def _own_end(self, before: str, merged: Sequence[str]) -> str:
        """The end of the line that keeps own deeds: the first parent's, but where another has deeds and others have that one."""
        if self.whose(before) is Whose.SHARED:
            for end in merged:
                if self.whose(end) is Whose.OWN and brings_deeds(self._repository, end, before):
                    return end
        return before
