"""One pass of the steward: read what is new, let deeds come of it, push once, and say what became of it.

It may be cut off anywhere, run twice, run late, or run beside another: events that were used stand in the deeds that
they became, and what was told in the steward's own comments. Only a pass that has said everything moves the cursor.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.git import Raced, Repository
from nomicgit.git.remote import Denied, Rejected, Remote, scratch
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.outlook.announcing import Address, Announced
from nomicgit.record.game import Game
from nomicgit.steward import (
    alarm,
    announced,
    decided,
    gathering,
    keeping,
    marks,
    owing,
    portions,
    replying,
    statuses,
)
from nomicgit.steward.aside import Aside
from nomicgit.steward.asking import EVERYWHERE
from nomicgit.steward.decided import Decided
from nomicgit.steward.doorbell import FORGE, Doorbell, doorbell
from nomicgit.steward.keeping import REF, Kept
from nomicgit.steward.lookout import amiss, refuse_clock, unsigned
from nomicgit.steward.playing import Asked, play
from nomicgit.steward.replying import Reply
from nomicgit.steward.said import Outcome, Result
from nomicgit.steward.seen import Cursor, Issue, Pull
from nomicgit.steward.steps import Done, Heard, Hitch, Letters, Step, Told
from nomicgit.steward.trouble import Trouble

if TYPE_CHECKING:
    from nomicgit.sealing.keys import Key

RACES = 5
CLAIM = 300
"""Seconds for which a portion of a pass's writing has the forge to itself: one that dies within is waited for so long."""
LETTERS = "refs/heads/letters"
Thread = Pull | Issue


class Forge(alarm.Forge, statuses.Forge, Protocol):
    """What the steward needs of a forge."""


class Passed(Struct):
    """What a pass has done: the commits of its deeds, what was refused or went wrong, how much it wrote.

    ``letters``: they were written anew. ``announced``: what was told where the game is heard of.
    ``busy``: another steward is at work, and nothing was done. ``stopped``: somebody has changed the game by a commit
    that is no deed, and nothing is decided until that is put right. ``passed_over``: what of the forge was as it should not
    be, and in nobody's way.
    """

    head: str = ""
    deeds: list[Done] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    written: int = 0
    nothing_new: bool = False
    busy: bool = False
    stopped: bool = False
    letters: bool = False
    announced: list[Announced] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "head": self.head, "deeds": [each.as_json() for each in self.deeds], "told": [each.as_json() for each in self.told],
            "problems": self.problems, "written": self.written, "nothing_new": self.nothing_new, "busy": self.busy, "stopped": self.stopped,
            "letters": self.letters, "announced": [each.as_json() for each in self.announced],
            "passed_over": self.passed_over,
        }  # fmt: skip


class Steward(Struct, frozen=True):
    """A game's steward: the clone at hand, the address of the game's repository, the forge, and the clock.

    ``dry_run``: nothing is pushed and nothing is said. ``key``: that of a game which keeps secrets, where it is at hand.
    ``heard``: where the game is heard of.
    """

    repository: Repository
    address: str
    forge: Forge
    now: Callable[[], int]
    token: str = ""
    dry_run: bool = False
    key: Key | None = None
    heard: Sequence[Address] = ()

    __repr__ = object.__repr__  # the token is a secret, and so are addresses

    def run(self) -> Passed:
        """One pass. Trouble, or Refused, where the forge or the repository cannot be reached."""
        branch = self.repository.branch
        with tempfile.TemporaryDirectory(prefix="nomicgit-steward-") as folder:
            clone = scratch(self.repository, Path(folder) / "clone.git", branch.removeprefix("refs/heads/"))
            with clone:
                return _Pass(self, clone, branch).run()


class _Pass:
    """A pass under way, in its scratch clone."""

    def __init__(self, steward: Steward, clone: Repository, branch: str) -> None:
        self.steward, self.clone, self.branch = steward, clone, branch
        self.remote = Remote(clone.git_dir, steward.address, token=steward.token)
        self.passed = Passed()
        self.head: str | None = None
        self.kept_at: str | None = None
        self.claims: str | None = None
        self.claimed = 0
        self.decided_at: str | None = None
        self.wordless = False  # the forge does not take the words of what was decided
        self.aside = Aside()
        self.pushed: list[Done] = []
        self.letters: Letters | None = None
        self.waiting: set[int] = set()

    def run(self) -> Passed:
        """All of it; where somebody else was faster, all of it again."""
        for _ in range(RACES):
            self.passed = Passed()
            try:
                passed = self._once()
            except Raced:
                continue
            except Rejected as why:
                return self._barred(why)
            except Denied as why:
                return self._denied(why)
            if not (passed.busy or passed.stopped or self.steward.dry_run):
                self._announce()
            return passed
        raise Refused.of(
            "the game's branch moves faster than the steward", mend="let one steward run at a time"
        )

    def _once(self) -> Passed:
        self.remote.fetch(self.branch, "refs/nomicgit/*")
        self.kept_at, self.decided_at = self.clone.resolve(REF), self.clone.resolve(decided.REF)
        kept = keeping.load(self.clone, self.kept_at)
        ours = self.claims is not None and self.claims == self.kept_at
        if not ours and 0 <= self.steward.now() - kept.claimed < CLAIM:
            self.passed.busy = True
            return self.passed
        self.head = self.clone.head()
        if kept.sound and not self._has(kept.sound):
            self.remote.fetch_commit(kept.sound)  # what a forced push took out, where it can still be had
        if self.head is not None and (wrong := amiss(self.clone, self.head, kept.sound, self.steward.now())):
            return self._stopped(kept, wrong)
        if problems := unsigned(Game.open(self.clone.git_dir), keeps=self.steward.key is not None):
            return self._stopped(kept, problems)
        if kept.alarm and not alarm.is_barred(kept) and not self.steward.dry_run:
            kept = self._alarmed(kept, [])
        if kept.cursor is None and not kept.since:
            kept = replace(kept, since=self._decided_last() or keeping.NEVER)
        bell, standing = self._bell(every=kept.since == keeping.NEVER)
        began = self.steward.now()
        unknown = [number for number in standing if number not in kept.threads]
        news = self.steward.forge.news(kept.cursor, [*unknown, *kept.waiting()], max(kept.since, 0))
        refuse_clock(self.steward.now(), news.at)
        if not (kept.alarm or self.steward.dry_run) and (
            said := alarm.said_before(self.steward.forge, news.issues)
        ):
            kept = self._alarmed(replace(kept, alarm=said), [])  # it may write again, or this is Denied anew
        threads: list[Thread] = [*news.pulls, *news.issues]
        self.passed.nothing_new = news.nothing_new
        self.passed.passed_over = list(gathering.passed_over(bell, news))
        begun = {thread.number: thread.at for thread in threads}
        known = Decided(self.clone, self.decided_at, begun, began)
        steps = self._played(bell, threads, kept, known)
        self.passed.problems += gathering.denied(news)
        if not self.steward.dry_run:
            tells = known.note(steps, wordless=self.wordless)
            replies = list(owing.replies(self.clone, steps, threads, kept.threads, known, bell.site))
            needs = any(reply.writes or reply.status for reply in replies)
            then = alarm.lifted(kept) if self.passed.deeds else kept
            try:
                self._push(self.passed.head, then, known, needs=needs or tells)
            except Rejected as why:
                return self._without(steps, kept, why, tells=tells)
            kept = then
            try:
                self._say(replies, kept, news.cursor, known)
            except Trouble as trouble:
                self._keep(replace(kept, claimed=0), known)  # nobody needs to wait for a pass that has ended
                self.passed.problems.append(str(trouble))
        return self.passed

    def _stopped(self, kept: Kept, problems: list[str]) -> Passed:
        """Nothing is decided, and everybody is told why."""
        self.passed.stopped, self.passed.problems = True, problems
        if not self.steward.dry_run and alarm.is_new(kept, problems):
            refuse_clock(self.steward.now(), self.steward.forge.news(kept.cursor).at)
            self._alarmed(kept, problems)
        return self.passed

    def _barred(self, why: Rejected) -> Passed:
        """The forge takes no deed at all, and everybody is told why. Raised again where it takes nothing else either."""
        problems = alarm.refused_push(why)
        kept, self.letters = keeping.load(self.clone, self.kept_at), None
        self.passed = Passed(self.head or "", deeds=[*self.pushed], problems=problems)
        if alarm.is_new(kept, problems, barred=True):
            try:
                self._alarmed(kept, problems, barred=True)
            except Rejected:
                raise why from None
        return self.passed

    def _denied(self, why: Denied) -> Passed:
        """The steward may write nothing into the repository, what it keeps neither: that is said in an issue, as far as it may
        write one, and which it has said already, the forge tells.
        """
        problems, self.letters = alarm.denied_writing(why), None
        kept = keeping.load(self.clone, self.kept_at)
        refused = alarm.ring_once(self.steward.forge, kept, problems)
        self.passed = Passed(self.head or "", problems=[*problems, *refused])
        return self.passed

    def _alarmed(self, kept: Kept, problems: Sequence[str], *, barred: bool = False) -> Kept:
        """Say on the forge that the game has stopped, or goes on; what cannot be said is said by the next pass."""
        assert self.head is not None
        self._push(self.head, kept, needs=True)
        kept, refused = alarm.ring(self.steward.forge, kept, problems, barred=barred)
        self.passed.problems += refused
        kept = replace(kept, claimed=0)
        self._send({REF: keeping.write(self.clone, kept, self.steward.now())}, None)
        return kept

    def _without(self, steps: Sequence[Step], kept: Kept, why: Rejected, *, tells: bool) -> Passed:
        """All of it again, without what the forge does not take: the words of what was decided, else a deed."""
        if tells and why.of_content and not self.wordless:
            self.wordless = True
        else:
            self.pushed += self.aside.blame(self.clone, steps, lambda deed: self._push(deed, kept), why)
        return self._once()

    def _decided_last(self) -> int:
        """When a pass that decided something read the forge last: what is said later is new, whatever became of the cursor; 0:
        none has."""
        return self.clone.commit(self.decided_at).author_time if self.decided_at else 0

    def _bell(self, *, every: bool = False) -> tuple[Doorbell, list[int]]:
        """The settings, and the threads of what is pending; of ``every`` post there is, where nobody knows any more what was said."""
        game = Game.open(self.clone.git_dir)
        numbers = game.tree.ids("posts") if every else (game.tree.entity("open") or {}).get("pending", [])
        places = [(game.tree.entity(f"posts/{number}") or {}).get("forge") for number in numbers]
        threads = [
            kept[FORGE] for kept in places if isinstance(kept, Mapping) and isinstance(kept.get(FORGE), int)
        ]
        return doorbell(game.settings.forge), threads

    def _played(self, bell: Doorbell, threads: Sequence[Thread], kept: Kept, known: Decided) -> list[Step]:
        """Decide on the head as it is there."""
        keys = {thread.number: marks.marks_of(thread).told | known.keys(thread.number) for thread in threads}
        keys[EVERYWHERE] = known.keys(EVERYWHERE)
        reports = {number: left.does for number, left in kept.threads.items()}
        for thread in threads:
            report = marks.marks_of(thread).report
            if report is not None:
                reports[thread.number] = report.body
        self._fetch_heads(threads)
        asked = Asked(
            bell,
            threads,
            keys,
            reports,
            self.steward.now(),
            self.aside.deeds,
            self.aside.branches,
            self.steward.key,
            kept.said,
        )
        steps = play(self.clone, asked)
        self.passed.head = self.clone.head() or ""
        self.passed.deeds = [*self.pushed, *(step for step in steps if isinstance(step, Done))]
        self.passed.told = [step for step in steps if isinstance(step, Told)]
        self.passed.problems = [step.problem for step in steps if isinstance(step, Hitch)]
        self.letters = next((step for step in steps if isinstance(step, Letters)), None)
        answered = {step.thread for step in self.passed.told}
        self.waiting = {step.thread for step in steps if isinstance(step, Heard) and step.waits} - answered
        self.passed.letters = self.letters is not None
        return steps

    def _push(self, deed: str, kept: Kept, known: Decided | None = None, *, needs: bool = False) -> None:
        """Push the deeds up to this one, and with them what was decided beside them and the claim that the writing is this
        pass's: all, or nothing.

        ``needs``: there is something to write, or to be known, whether there are deeds or not.
        """
        new: dict[str, str] = {self.branch: deed} if deed != self.head else {}
        if self.letters is not None and deed == self.passed.head:
            new[LETTERS] = self.letters.letters
        if not new and not needs:
            return
        self.claimed = self.steward.now()
        new[REF] = keeping.write(self.clone, replace(kept, claimed=self.claimed), self.claimed)
        self._send(new, known)
        self.head, self.claims = deed, new[REF]

    def _send(self, new: dict[str, str], known: Decided | None) -> None:
        """Push, in one, and with it what was decided."""
        if known is not None and (page := known.write()) is not None:
            new[decided.REF] = page
        was = {self.branch: self.head, REF: self.kept_at, decided.REF: self.decided_at}
        if LETTERS in new:
            was[LETTERS] = self.remote.heads([LETTERS]).get(LETTERS)
        self.remote.push(new, {ref: was[ref] for ref in new})
        self.kept_at = new.get(REF, self.kept_at)
        self.decided_at = new.get(decided.REF, self.decided_at)

    def _fetch_heads(self, threads: Sequence[Thread]) -> None:
        """The branches of the pull requests that are new, and of all that is pending; and what reviews looked at."""
        _, pending = self._bell()
        pulls = [thread for thread in threads if isinstance(thread, Pull)]
        wanted = {pull.number for pull in pulls if pull.state == "open"} | set(pending)
        self.remote.fetch_some([f"refs/pull/{number}/head" for number in sorted(wanted)])
        for commit in gathering.looked_at(pulls):
            if not self._has(commit):
                self.remote.fetch_commit(commit)

    def _has(self, oid: str) -> bool:
        try:
            self.clone.commit(oid)
        except NomicError:
            return False
        return True

    # ---- what is said

    def _say(self, replies: Sequence[Reply], kept: Kept, cursor: Cursor, known: Decided) -> None:
        """Write it all, and give the claim up. The cursor moves only where everything was said."""
        writes = [write for each in replies for write in each.writes]
        results = portions.written(self.steward.forge, writes, lambda: self._holds(kept))
        self.passed.written = sum(result.done for result in results)
        left = dict(kept.threads)
        setting = statuses.Statuses(self.steward.forge, self.passed.problems)
        at = 0
        for each in replies:
            mine = results[at : at + len(each.writes)]
            at += len(each.writes)
            self._tell(each, mine)
            after = replace(replying.after(each, mine), waits=each.number in self.waiting)
            left[each.number] = setting.set(each, after)
            known.note_said(each.number, replying.said_in(each, mine))
            if replying.gone(mine):
                del left[each.number]
        whole = all(result.outcome not in (Outcome.UNKNOWN, Outcome.PUT_OFF) for result in results)
        threads = {
            number: each
            for number, each in left.items()
            if each.open or (each.waits and number not in self.waiting)
        }
        said = kept.said if self.letters is None else self.letters.said
        left_so = Kept(cursor, threads, alarm=kept.alarm, said=said) if whole else replace(kept, claimed=0)
        left_so = replace(left_so, sound=self.passed.head)
        if self.claims or left_so != kept:
            self._keep(left_so, known)

    def _holds(self, kept: Kept) -> bool:
        """Say anew that the writing is this pass's, before others take it for dead; False where another writes by now."""
        now = self.steward.now()
        if now - self.claimed < CLAIM // 5:
            return True
        try:
            self._send({REF: keeping.write(self.clone, replace(kept, claimed=now), now)}, None)
        except NomicError:
            return False
        self.claims, self.claimed = self.kept_at, now
        return True

    def _tell(self, reply: Reply, results: Sequence[Result]) -> None:
        """What was not written, and why: what is in nobody's way is passed over in a line."""
        for each in results:
            if each.done:
                continue
            if line := replying.passed_over(reply, each):
                self.passed.passed_over += [] if line in self.passed.passed_over else [line]
            else:
                self.passed.problems.append(f"{type(each.write).__name__}: {each.why}")

    def _keep(self, kept: Kept, known: Decided) -> None:
        """Move the cursor; that it was moved by another pass meanwhile is no harm."""
        commit = keeping.write(self.clone, kept, self.steward.now())
        try:
            self._send({REF: commit}, known)
        except NomicError as wrong:
            self.passed.problems.append(f"what is kept between passes could not be kept: {wrong}")

    def _announce(self) -> None:
        """Tell what is new where the game is heard of; the deeds stand, whatever becomes of that."""
        try:
            self.passed.announced = announced.announce(
                self.clone, self.remote, self.steward.now(), self.steward.heard
            )
        except NomicError as wrong:
            self.passed.problems.append(f"what is new could not be announced: {wrong}")
