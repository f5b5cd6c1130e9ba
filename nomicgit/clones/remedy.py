"""Carrying a mend out: what the game is to go back to is replayed first, and must be lawful."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import NamedTuple, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.clones.apart import Parted, apart_from
from nomicgit.clones.brought import refuse_in_the_way
from nomicgit.clones.others import overwritten
from nomicgit.clones.others.vetting import unsound
from nomicgit.clones.own import laying
from nomicgit.clones.own.laying import Laid
from nomicgit.clones.scratch_clone import beside
from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal, line
from nomicgit.record.game import Game, Recorded, new_id, record
from nomicgit.record.outside import counting, mending, restoring
from nomicgit.record.outside.mending import Mended
from nomicgit.record.seen.known import accepted, look
from nomicgit.record.seen.strays import looked_through, refuse_elsewhere, told_aside
from nomicgit.record.signers import refuse_without
from nomicgit.replay.verifying import verify

Progress: TypeAlias = Callable[[int, int], None]


class Carried(NamedTuple):
    """A mend that stands in the record, and what became of the own deeds that nobody else had, which are done after it."""

    recorded: Recorded
    laid: Sequence[Laid]


class Remedy(Struct, frozen=True):
    """A mend that can be carried out: the line of the game as it was last fetched, and the game as it was at the commit
    that it goes back to, looked at ``now`` (seconds, UTC). ``own`` are the commits of this clone alone, which is at ``here``.

    What it takes away is never laid into the folder.
    """

    here: str
    own: Sequence[Commit]
    commits: Sequence[Commit]
    game: Game
    now: int

    @classmethod
    def to(cls, repository: Repository, name: str, now: int, progress: Progress = lambda *_: None) -> Self:
        """The mend to a commit. Refused where that is not on the line, or not lawful; ``now``: seconds, UTC."""
        refuse_elsewhere(repository)
        here, to, follows = repository.head(), repository.resolve(name), Upstream.of(repository)
        if to is None or here is None:
            raise Refused.of(
                f"there is no commit {printable(name, 60)}",
                mend=remedy(
                    *(
                        ("where others have it, fetch it first:", command("nomicgit", "sync"))
                        if follows
                        else ()
                    ),
                    "see:" if not follows else "else see:",
                    command("git", "log", "--first-parent"),
                ),
            )
        head, own = _upon(repository, here, to)
        commits = line.since_founding(repository, head)
        if all(commit.oid != to for commit in commits):
            raise Refused.of(
                f"the commit {to[:12]} is not on the line of this game",
                mend=remedy("choose one of these:", command("git", "log", "--first-parent")),
            )
        verified = verify(repository, to, progress, now=now)
        if verified.faults:
            first = verified.faults[0]
            raise Refused.of(f"the game up to {to[:12]} is not lawful: {first}", mend=verified.remedy)
        return cls(here, own, commits, Game(repository, repository.commit(to)), now)

    def tried(self, by: Sequence[str], at: int) -> Mended:
        """What the mend would do; nothing is recorded."""
        return mending.mend(self.game.repository, self.commits, self._deed(by, at), write=False)

    def record(self, by: Sequence[str], at: int, *, sure: bool = False) -> Carried:
        """Carry the mend out and record it as one commit. Raced where the branch has moved since; refused where it is needless,
        and nobody is ``sure`` of it.
        """
        repository, head, deed = self.game.repository, self.commits[-1], self._deed(by, at)
        self.refuse_needless(deed, sure=sure)
        if (keys := counting.of_doer(repository, self.commits, deed)) is not None:
            refuse_without(repository, (str(deed.actor),), keys)
        with beside(repository, head.oid) as bare:
            mended = mending.mend(bare, self.commits, deed, write=False)
            text = journal.message(mended.outcome, Store(self.game.tree), evidence={})
            recorded = record(
                bare,
                head,
                lambda: mending.mend(bare, self.commits, deed, write=True).tree,
                (),
                lambda _: text,
                mended.outcome,
            )
            apart = Parted(recorded.commit, tuple(self.own), ())
            anew = laying.lay(bare, apart, laying.key_of(repository))
            laid = [
                each for each in anew if each.deed.action != Outside.MEND or each.waits
            ]  # this one goes before it
            end = bare.head()
        assert end is not None
        then = ("nomicgit", "mend", "--to", self.game.head.oid)
        refuse_in_the_way(repository, self.here, end, self.commits, then)
        left = repository.turn(end, expect=self.here, line="mend")
        laying.note_aside(repository, laid)
        return Carried(replace(recorded, kept_edits=left), laid)

    def refuse_needless(self, deed: Deed, *, sure: bool = False) -> None:
        """Refuse a mend where nothing is wrong since the commit that it goes back to: always where another goes back there and nothing
        has come since, and where lawful deeds alone would be set aside, unless somebody is ``sure``.
        """
        repository, to, head = self.game.repository, self.game.head.oid, self.commits[-1].oid
        if looked_through(repository, head).strays or unsound(
            repository, head, to, now=self.now, unjudged=True
        ):
            return
        last = mending.mend(repository, self.commits, deed, write=False).aside[-1]
        if journal.goes_back_to(last.message) == to:
            raise Refused.of(f"the game is again as it was then already, by the mend {last.oid[:12]}")
        after = {*repository.ids_beyond(to, head, "--first-parent")}
        stand = (each for each, aside in told_aside(repository, head) if each.oid in after and not aside)
        since = takewhile(
            lambda each: journal.goes_back_to(each.message) != to, stand
        )  # that went back there
        lawful = [each for each in since if journal.told(each.message) is not None][::-1]
        if not sure:
            names = (word for name in deed.given["by"] for word in ("--by", name))
            raise Refused.of(
                f"nothing is wrong since the commit {to[:12]}, and this would set aside {line.in_words(lawful)}",
                mend=remedy("if that is meant:", command("nomicgit", "mend", "--to", to, *names, "--yes")),
            )

    def _deed(self, by: Sequence[str], at: int) -> Deed:
        names = restoring.spelled(self.game.settings.restore, by, self.game.tree)
        given = {"to": self.game.head.oid, "by": names}
        return Deed(new_id(at), next(iter(names), None), Outside.MEND, given, max(at, self.game.last()))


def _upon(repository: Repository, here: str, to: str) -> tuple[str, Sequence[Commit]]:
    """The head that is mended, and the commits of this clone alone: what others have as last fetched, where they are further, or
    where something stands there that a mend to a commit would set aside. Else that is to set own ones aside.

    Refused where that has been rewritten.
    """
    upstream = Upstream.of(repository)
    there = upstream.known() if upstream else None
    if upstream is None or there is None:
        return here, ()
    if repository.leads_to(there, here):
        with suppress(Refused):  # own ones that cannot be laid anew are set aside with the rest
            if _sets_aside_there(repository, there, here, to):
                return there, apart_from(repository, upstream, there).own
        return here, ()
    if (lacking := look(repository)) and not accepted(repository, lacking):
        raise Refused.of(str(lacking), mend=overwritten.mend_of(repository, lacking))
    return there, apart_from(repository, upstream, there).own


def _sets_aside_there(repository: Repository, there: str, here: str, to: str) -> bool:
    """Whether of what others have up to ``there`` anything stands on an own line that a mend to a commit would set aside; that is no
    mend to there as well.
    """
    if not repository.leads_to(to, there):
        return False
    theirs = {*repository.ids_beyond(to, there, "--first-parent")}
    line = takewhile(lambda lies: lies[0].oid != to, told_aside(repository, here))
    stand = (each for each, by in line if not by and each.oid in theirs)
    return any(
        mending.sets_aside(repository, each) and journal.goes_back_to(each.message) != to for each in stand
    )
