"""Bringing a clone and the branch that it follows together: fetch, lay own deeds anew, push, and try again.

Own deeds that do not hold what they make, as after a rebase by hand, are laid anew as well.
Nothing is half done: own deeds are laid in a scratch clone, the branch moves once, and a push that loses its race is
followed by another fetch. A deed keeps its id, so one that was pushed and not answered is not done twice.
Deeds that are refused now are set aside under ``refs/nomicgit/aside/ID``, and so are own ones that Git has let fall.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.clones import refusals, relocation
from nomicgit.clones.apart import Parted, apart_from, parted
from nomicgit.clones.brought import left_out, refuse_in_the_way, touched
from nomicgit.clones.others import overwritten, pace, rethrown, unheld, vanished, vetting
from nomicgit.clones.others.rethrown import Rethrown
from nomicgit.clones.own import carried, fallen, heavy, laying, order, put_aside
from nomicgit.clones.own.laying import Laid
from nomicgit.clones.refusals import Why
from nomicgit.clones.scratch_clone import beside
from nomicgit.clones.synced import Stopped, Synced
from nomicgit.git import Commit, Raced, Repository
from nomicgit.git.upstream import Oversized, Untaken, Upstream
from nomicgit.ground.problems import Problem, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import journal, line
from nomicgit.record.seen import arrivals, attributes, faults, known
from nomicgit.record.seen.known import Lost, follow, let_go, lost, note_rewritten
from nomicgit.record.seen.strays import Looked, looked_through, note_replayed, replayed, told_aside
from nomicgit.replay import verifying

TRIES = 5


class _Tries(Struct):
    """What all tries of one sync have come to, and how far it went beyond that; whether this clone has moved by one."""

    came: dict[str, Commit] = field(default_factory=dict)
    became: dict[str, Laid] = field(default_factory=dict)
    fell: dict[str, Commit] = field(default_factory=dict)
    anyway: dict[str, Commit] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    dice: list[Rethrown] = field(default_factory=list)
    moved: bool = False

    def note(self, laid: Sequence[Laid]) -> None:
        """What became of own deeds in one more try: all is told from what it was before the first."""
        for each in laid:
            first = self.became.get(each.deed.id)
            if first is None or first.commit != each.was:
                self.became[each.deed.id] = each
                continue
            made = {old: each.made.get(new, new) for old, new in first.made.items()}
            made |= {old: new for old, new in each.made.items() if old not in first.made.values()}
            made = {old: new for old, new in made.items() if old != new}
            self.became[each.deed.id] = each._replace(was=first.was, made=made)

    def synced(self, looked: Looked) -> Synced:
        """So far, with what was looked through there."""
        mends = [each for each in looked.mends if each.oid in self.came]
        came, became, fell, anyway = (
            [*each.values()] for each in (self.came, self.became, self.fell, self.anyway)
        )
        return Synced(
            others=came, laid=became, fallen=fell, stood=anyway, kept_edits=self.left, strays=looked.strays, mends=mends,
            rethrown=self.dice,
        )  # fmt: skip


class _Met(NamedTuple):
    """How a clone at ``here`` and what it follows, at ``there``, have met, and lie apart: up to ``tip`` all stands, own deeds that
    may be, and others, ``anew``, are to be laid upon it. ``gone`` are the deeds that were there and are there no more, ``accepted``
    whether any were, which somebody lets go of.
    """

    here: str
    there: str
    apart: Parted
    tip: str
    anew: Sequence[Commit]
    gone: Sequence[Commit]
    accepted: bool


def sync(
    repository: Repository,
    upstream: Upstream,
    now: int,
    *,
    again: bool = False,
    named: Collection[str] | None = None,
    accept: bool = False,
    dry: bool = False,
    progress: vetting.Progress = lambda *_: None,
) -> Synced:
    """Bring a clone and what it follows together; ``again`` tries once more what was set aside (of
    ``named`` deeds, by their ids, those alone), ``dry`` only looks.

    What is there is looked at and replayed, as far as this clone has not done so yet; ``progress`` is told how far that has come. Refused,
    with nothing changed, where what was there before is there no more and nobody says ``accept``, own commits
    are no deeds, or a deed is dated after ``now`` (seconds, UTC). Upon a commit there that is no deed, or not what its deed
    makes, nothing moves either. Stopped where it is refused so after this clone has moved, and others were faster than its push.
    """
    here, sound, tries = repository.head(), replayed(repository), _Tries()
    try:
        return _brought_together(
            repository,
            upstream,
            now,
            tries,
            again=again,
            named=named,
            accept=accept,
            dry=dry,
            progress=progress,
        )
    except Refused as why:
        if not tries.moved:
            raise
        raise Stopped.after(tries.synced(Looked([], [])), why.problems) from why
    finally:
        if sound == here == repository.head():  # where nothing has moved, all is verified that was
            note_replayed(repository, sound)


def _brought_together(
    repository: Repository,
    upstream: Upstream,
    now: int,
    tries: _Tries,
    *,
    again: bool,
    named: Collection[str] | None,
    accept: bool,
    dry: bool,
    progress: vetting.Progress,
) -> Synced:
    for _ in range(TRIES):
        met = _met(repository, upstream, accept=accept, dry=dry, progress=progress)
        if not dry:
            relocation.note(upstream)
        here, there, apart = met.here, met.there, met.apart
        tries.came |= {commit.oid: commit for commit in apart.others}
        looked = _looked(repository, met, progress)
        if looked.strays:
            if not dry:
                _remember(upstream, there, accept=False)
                refusals.note(upstream, there, [Why(each.problem, each.commit) for each in looked.strays])
            return tries.synced(looked)
        _refuse_early(repository, upstream, met, now, dry=dry)
        mends = [each for each in looked.mends if each.oid in tries.came]
        gone = _let_fall(repository, upstream, met, mends, tries, dry=dry)
        tries.dice += rethrown.rethrown(
            repository, upstream, here, there, met.apart.own, apart.others, dry=dry
        )
        kept = (*put_aside.deeds(repository), *(tries.fell.values() if dry else ())) if again else ()
        tried = [
            each
            for each in dict.fromkeys(kept)
            if each.oid not in tries.anyway and (named is None or journal.deed_id(each.message) in named)
        ]
        head = here
        if tried or met.tip != here:
            upon = replace(apart, head=met.tip, own=tuple(met.anew))
            head, laid = _laid(repository, upon, tried, now)
            tries.note(laid)
            laid_upon = looked_through(repository, head, there)
            if laid_upon.strays:
                return replace(tries.synced(laid_upon), laid=())
        done = replace(
            tries.synced(looked),
            let_go=gone,
            left_out=left_out(repository, here, head, [*tries.came.values()]),
            attributes=attributes.changing(repository, head),
            taken_back=fallen.taken_back(repository, mends, head),
        )
        if dry:
            return done
        if head != here:
            with repository.locked():  # what another one is just laying down is nobody's edit
                if repository.head() != here:
                    raise Raced.of(
                        "another nomicgit is at work in this clone, and has moved it on meanwhile",
                        mend=remedy("once it has ended:", command("nomicgit", "sync")),
                    )
                refuse_in_the_way(repository, here, head, done.others, ("nomicgit", "sync"))
                attributes.refuse_edited(repository, touched(repository, here, head), here)
                tries.left += repository.turn(head, expect=here, line="sync")
            tries.moved = True
        laying.note_aside(repository, done.laid)
        _remember(upstream, there, accept=accept or met.accepted)
        refusals.note(upstream, there, ())
        own = parted(repository, there).own
        if own and relocation.left_behind(repository, upstream, there):
            return replace(done, kept_edits=tries.left, unsent=len(own))
        if own:
            try:
                upstream.push(head)
            except Oversized as refused:
                raise heavy.named(repository, own, refused) from None
            except Raced:
                continue
            upstream.remember(head)
        return replace(done, pushed=len(own), kept_edits=tries.left)
    raise Raced.of(
        f"others are faster: {upstream.name} has moved {TRIES} times",
        mend=remedy("once more:", command("nomicgit", "sync")),
    )


def _met(
    repository: Repository, upstream: Upstream, *, accept: bool, dry: bool, progress: vetting.Progress
) -> _Met:
    """How a clone and what it follows meet, once that is fetched. Refused where it cannot be followed, or own commits not be laid
    anew.
    """
    repository.refuse_unfinished()
    here = repository.head()
    assert here is not None
    there = _fetched(upstream, here, dry=dry, progress=progress)
    if there is None:
        raise vanished.refuse_none(upstream, dry=dry)
    _refuse_unheld(upstream, there, dry=dry)
    taken_out = arrivals.refuse_own(upstream, here, there)
    lacking = _lacking(repository, upstream, there, accept=accept, dry=dry)
    apart = apart_from(repository, upstream, there, (*taken_out, *([lacking.was] if lacking else ())))
    anew = {name for commit in apart.own for name in (commit.oid, journal.deed_id(commit.message))}
    gone = (
        [each for each in lacking.deeds if anew.isdisjoint((each.oid, journal.deed_id(each.message)))]
        if lacking
        else []
    )
    firm = _firm(repository, here, apart.own) if _lie_upon(apart.own, there) else 0
    tip = apart.own[firm - 1].oid if firm else there  # own deeds that stand may mend what lies there
    return _Met(here, there, apart, tip, apart.own[firm:], gone, lacking is not None)


def _lie_upon(own: Sequence[Commit], there: str) -> bool:
    """Whether own commits lie one upon another, and the first upon what is there."""
    return [each.parents[:1] for each in own] == [(oid,) for oid in (there, *(each.oid for each in own))][:-1]


def _firm(repository: Repository, here: str, own: Sequence[Commit]) -> int:
    """How many own deeds, from the oldest on, stand as they are: what verify has found counts too, but for what was mended since."""
    wrong = faults.noted(repository)  # with the game's key, which nobody needs here
    aside = {commit.oid for commit, by in islice(told_aside(repository, here), len(own)) if by}
    known = (place for place, each in enumerate(own) if each.oid in wrong and each.oid not in aside)
    return min(next(known, len(own)), verifying.holding(repository, here, len(own)))


def _looked(repository: Repository, met: _Met, progress: vetting.Progress) -> Looked:
    """What there is to see of the line that is to be followed, which is replayed. Refused where a replay alone finds a fault."""
    looked = looked_through(repository, met.tip, met.there)
    if repository.is_whole():  # upon what only a replay finds, no mend may lead
        upto = looked.strays[0].before if looked.strays else met.tip
        if wrong := vetting.at_fault(repository, upto, progress):
            looked = looked_through(repository, met.tip, met.there)
            if not looked.strays:
                raise Refused(*wrong)
    return looked


def _refuse_early(repository: Repository, upstream: Upstream, met: _Met, now: int, *, dry: bool) -> None:
    """Refuse to go on where a deed is dated after a clock."""
    if not (early := _ahead(repository, met.apart, met.tip, now)):
        return
    first = early[0]
    if not dry:
        _remember(upstream, met.there, accept=False)
        refusals.note(upstream, met.there, [Why(Problem(str(first), mend=first.mend), first.commit)])
    raise Refused.of(f"nothing is moved, and nothing is pushed: {first}", mend=first.mend)


def _let_fall(
    repository: Repository,
    upstream: Upstream,
    met: _Met,
    mends: Sequence[Commit],
    tries: _Tries,
    *,
    dry: bool,
) -> list[Commit]:
    """Set own deeds aside that stand nowhere any more, and keep those aside no longer that do stand. What else there was and is
    there no more.
    """
    own_gone = fallen.own_of(repository, met.gone, met.there)
    own = {journal.deed_id(each.message) for each in (*met.apart.own, *own_gone)}
    fell = fallen.fallen(repository, upstream, met.tip)  # an own mend goes out with it
    fell = [each for each in fell if journal.deed_id(each.message) not in own]
    tries.fell |= {each.oid: each for each in (*fell, *own_gone)}
    stood = fallen.stood(repository, met.tip, met.anew)
    tries.anyway |= {each.oid: each for each in (*stood, *fallen.repeating(repository, mends, met.tip))}
    if not dry:
        put_aside.keep(repository, tries.fell.values())
        fallen.let_stand(repository, tries.anyway.values())
    return [each for each in fallen.lacking(repository, met.gone, met.there) if each not in own_gone]


def _fetched(upstream: Upstream, here: str, *, dry: bool, progress: vetting.Progress) -> str | None:
    """Where the branch is found now. Refused, and remembered, where a commit on the way there is one that no clone takes in."""
    head: str | None = None
    try:
        try:
            head = upstream.fetch()
        except Untaken as untaken:
            head = untaken.head
            raise arrivals.refuse_untaken(upstream, here, untaken) from None
        if head is not None:
            arrivals.refuse_unfit(upstream, here, head, progress)
    except Refused as refused:
        if head is not None and not dry:
            refusals.note(upstream, head, map(Why, refused.problems))
        raise
    return head


def _refuse_unheld(upstream: Upstream, there: str, *, dry: bool) -> None:
    """Refuse to go on upon a commit which stands there, and which no clone takes in: Git alone has brought it here."""
    try:
        unheld.refuse_unheld(upstream, there)
    except Refused:
        if not dry:
            _remember(upstream, there, accept=False)
        raise


def _remember(upstream: Upstream, there: str, *, accept: bool) -> None:
    """Note where the branch was found, and that it was looked at."""
    upstream.remember(there)
    note_rewritten(upstream.repository, upstream, None)
    (let_go if accept else follow)(upstream.repository)


def _lacking(
    repository: Repository, upstream: Upstream, there: str, *, accept: bool, dry: bool
) -> Lost | None:
    """What this clone has had from there and that is there no more: somebody has rewritten what was pushed.

    Refused, but where it is let go of, or was before a sync that something else has stopped; which nobody can of the game itself.
    """
    lacking = lost(repository, upstream, there)
    if lacking is None:
        return None
    if accept and not dry:
        known.accept(repository, lacking)
    if lacking.founding or not (accept or known.accepted(repository, lacking)):
        note_rewritten(repository, upstream, there)
        what = f"{upstream.name} has been rewritten: it was at {lacking.was[:12]} and lacks now {line.in_words(lacking.deeds)}"
        raise Refused.of(what, mend=overwritten.mend_of(repository, lacking))
    return lacking


def _ahead(repository: Repository, apart: Parted, tip: str, now: int) -> list[pace.Future]:
    """The deeds up to a tip, or else the own ones, that are dated after a clock: whatever came upon one would be dated there."""
    own = {commit.oid for commit in apart.own}
    last = apart.own[-1].oid if apart.own else tip
    mine = (each for each in pace.ahead(repository, last, now) if each.commit in own)
    return pace.ahead(repository, tip, now) or list(mine)


def _laid(repository: Repository, apart: Parted, tried: Sequence[Commit], now: int) -> tuple[str, list[Laid]]:
    """Own deeds, laid anew, and those that are tried once more: the new head, stored in this clone, and what became of each."""
    if not apart.own and not tried and repository.is_whole():
        return apart.head, []
    key = laying.key_of(repository)
    with beside(repository, apart.head) as bare:
        deeds = order.in_order(repository, apart.head, tried, apart.own)
        apart = replace(apart, first=carried.as_first_done(repository, deeds))
        read, waits = put_aside.told(repository), put_aside.waiting(repository)
        laid = list(laying.lay(bare, apart, key, deeds, read, waits, now))
        head = bare.head()
    assert head is not None
    return head, laid
