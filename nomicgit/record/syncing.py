"""Bringing a clone and the branch that it follows together: fetch, lay own deeds anew, push, and try again.

Own deeds that do not hold what they make, as after a rebase by hand, are laid anew as well.
Nothing is half done: own deeds are laid in a scratch clone, the branch moves once, and a push that loses its race is
followed by another fetch. A deed keeps its id, so one that was pushed and not answered is not done twice.
Deeds that are refused now are set aside under ``refs/nomicgit/aside/ID``, and so are own ones that Git has let fall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from nomicgit.git import Commit, Raced, Repository
from nomicgit.git.layout import find
from nomicgit.git.objects import Entry
from nomicgit.git.remote import Remote, compact, scratch
from nomicgit.git.upstream import Oversized, Untaken, Upstream
from nomicgit.ground.problems import NOTHING, Malformed, Outage, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import (
    arrivals,
    attributes,
    carried,
    fallen,
    faults,
    heavy,
    journal,
    laying,
    line,
    overwritten,
    pace,
    refusals,
    replay,
    unheld,
    vetting,
)
from nomicgit.record.attributes import Attributed
from nomicgit.record.known import (
    Lost,
    had,
    let_go,
    look,
    lost,
    merged_away,
    note_rewritten,
    stood,
)
from nomicgit.record.laying import Laid, Parted
from nomicgit.record.refusals import Why
from nomicgit.record.strays import Stray, looked_through, note_replayed, replayed

TRIES = 5
SHOWN = 20


class Synced(NamedTuple):
    """What a sync has done: others' commits that came, own deeds laid anew, how many were pushed, and files left alone.

    ``strays`` are the commits there that are no deeds as they should be: upon them nothing moves, and nothing is pushed.
    ``let_go`` are the deeds that were there, are there no more, and are let go of; ``fallen`` are own ones which are on no line any
    more, and are set aside, ``stood`` those that were set aside and stand all the same; ``left_out`` says of files that
    came why they cannot lie in the folder; ``attributes`` let Git change the game's files. ``mends`` are those that came, and
    restorings of the law, of which nothing is wrong.
    """

    others: Sequence[Commit]
    laid: Sequence[Laid]
    pushed: int
    kept_edits: Sequence[str]
    strays: Sequence[Stray] = ()
    let_go: Sequence[Commit] = ()
    left_out: Sequence[str] = ()
    attributes: Attributed | None = None
    mends: Sequence[Commit] = ()
    fallen: Sequence[Commit] = ()
    stood: Sequence[Commit] = ()


class Standing(NamedTuple):
    """A clone beside what it follows ("" for nothing), as of the last fetch: commits on one side only, deeds set aside; and
    whether it has all of the history.
    """

    upstream: str
    unpushed: int
    unfetched: int
    aside: int
    whole: bool


def standing(repository: Repository) -> Standing:
    """How a clone stands; nothing is fetched."""
    aside, whole = len(repository.references(fallen.ASIDE)), repository.is_whole()
    upstream = Upstream.of(repository)
    known, here = upstream.known() if upstream else None, repository.head()
    if upstream is None or known is None or here is None or known == here:
        return Standing(upstream.name if upstream else "", 0, 0, aside, whole)
    try:
        apart = laying.parted(repository, known)
        own = _never_fetched(repository, upstream, apart.own)
    except Malformed:
        arrivals.refuse_unfit(upstream, here, known)
        raise
    return Standing(upstream.name, own, len(apart.others), aside, whole)


def _never_fetched(repository: Repository, upstream: Upstream, own: Sequence[Commit]) -> int:
    """How many of these commits, oldest first, come after the last one at which the branch has stood elsewhere."""
    heads = {*stood(repository, upstream)} if own else ()
    fetched = (place for place, commit in enumerate(own, 1) if commit.oid in heads)
    return len(own) - max(fetched, default=0)


def sync(
    repository: Repository,
    upstream: Upstream,
    now: int,
    *,
    again: bool = False,
    accept: bool = False,
    dry: bool = False,
    progress: vetting.Progress = lambda *_: None,
) -> Synced:
    """Bring a clone and what it follows together; ``again`` tries once more what was set aside, ``dry`` only looks.

    What is there is replayed, as far as this clone has not done so yet; ``progress`` is told how far that has come. Refused,
    with nothing changed, where what was there before is there no more and nobody says ``accept``, own commits
    are no deeds, or a deed is dated after ``now`` (seconds, UTC). Upon a commit there that is no deed, or not what its deed
    makes, nothing moves either.
    """
    came: dict[str, Commit] = {}
    became: dict[str, Laid] = {}
    left: list[str] = []
    fell: dict[str, Commit] = {}
    anyway: dict[str, Commit] = {}
    for _ in range(TRIES):
        repository.refuse_unfinished()
        here = repository.head()
        assert here is not None
        there = _fetched(upstream, here, dry=dry)
        if there is None:
            raise Refused.of(
                f"there is no branch {upstream.name} yet",
                mend=remedy(
                    "begin it:",
                    command("git", "push", upstream.remote, f"{repository.branch}:{upstream.branch}"),
                ),
            )
        _refuse_unheld(upstream, there, dry=dry)
        taken_out = arrivals.refuse_own(upstream, here, there)
        lacking = _lacking(repository, upstream, there, accept=accept)
        apart = apart_from(repository, upstream, there, taken_out)
        came |= {commit.oid: commit for commit in apart.others}
        anew = {commit.oid for commit in apart.own}
        gone = [deed for deed in lacking.deeds if deed.oid not in anew] if lacking else []
        behind = bool(apart.gone or apart.others)
        wrong_here = faults.noted(repository)  # with the game's key, which nobody needs here
        stands = not (behind or any(each.oid in wrong_here for each in apart.own))
        stands = stands and replay.sound(repository, here, len(apart.own))
        tip = here if stands else there  # own deeds that stand may mend what lies there
        looked = looked_through(repository, tip, there)
        if repository.is_whole():  # upon what only a replay finds, no mend may lead
            upto = looked.strays[0].before if looked.strays else tip
            wrong = vetting.at_fault(repository, upto, progress)
            looked = looked_through(repository, tip, there) if wrong else looked
            if wrong and not looked.strays:
                raise Refused(*wrong)
        mends = [mend for mend in looked.mends if mend.oid in came]
        if astray := looked.strays:
            if not dry:
                # else whoever is told to mend would be told to accept, and never come to the mend
                _remember(upstream, there, accept=accept)
                refusals.note(upstream, there, [Why(each.problem, each.commit) for each in astray])
            return Synced([*came.values()], (), 0, (), astray, mends=mends)
        if early := _ahead(repository, apart, tip, now):
            if not dry:
                _remember(upstream, there, accept=False)
                refusals.note(
                    upstream, there, [Why(Problem(str(early[0]), mend=early[0].mend), early[0].commit)]
                )
            raise Refused.of(f"nothing is moved, and nothing is pushed: {early[0]}", mend=early[0].mend)
        own_gone = fallen.own_of(repository, gone, there)
        fell |= {each.oid: each for each in (*fallen.fallen(repository, upstream), *own_gone)}
        gone = [each for each in fallen.lacking(repository, gone, there) if each not in own_gone]
        if not dry:
            fallen.set_aside(repository, fell.values())
        anyway |= {each.oid: each for each in fallen.stood(repository, there, apart.own)}
        if not dry:
            fallen.let_stand(repository, anyway.values())
        tried = [each for each in _set_aside(repository) if each.oid not in anyway] if again else []
        head = here
        if tried or not stands:
            upon = Parted(here, (), ()) if stands else apart
            head, laid = _laid(repository, upon, tried, here)
            became |= {each.deed.id: each for each in laid}
            if astray := looked_through(repository, head, there).strays:
                return Synced(
                    [*came.values()],
                    (),
                    0,
                    (),
                    astray,
                    mends=mends,
                    fallen=[*fell.values()],
                    stood=[*anyway.values()],
                )
        out = left_out(repository, here, head, [*came.values()])
        brought = attributes.changing(repository, head)
        if dry:
            return Synced(
                [*came.values()],
                [*became.values()],
                0,
                (),
                (),
                gone,
                out,
                brought,
                mends,
                [*fell.values()],
                [*anyway.values()],
            )
        if head != here:
            refuse_in_the_way(repository, here, head, [*came.values()], ("nomicgit", "sync"))
            attributes.refuse_edited(repository, touched(repository, here, head), here)
            left += repository.turn(head, expect=here, line="sync")
            note_aside(repository, [*became.values()])
        _remember(upstream, there, accept=accept)
        refusals.note(upstream, there, ())
        own = laying.parted(repository, there).own
        if pushed := len(own):
            try:
                upstream.push(head)
            except Oversized as refused:
                raise heavy.named(repository, own, refused) from None
            except Raced:
                continue
            upstream.remember(head)
        return Synced(
            [*came.values()],
            [*became.values()],
            pushed,
            left,
            (),
            gone,
            out,
            brought,
            mends,
            [*fell.values()],
            [*anyway.values()],
        )
    raise Raced.of(
        f"others are faster: {upstream.name} has moved {TRIES} times",
        mend=remedy("once more:", command("nomicgit", "sync")),
    )


def _fetched(upstream: Upstream, here: str, *, dry: bool) -> str | None:
    """Where the branch is found now. Refused, and remembered, where a commit on the way there is one that no clone takes in."""
    head: str | None = None
    try:
        try:
            head = upstream.fetch()
        except Untaken as untaken:
            head = untaken.head
            raise arrivals.refuse_untaken(upstream, here, untaken) from None
        if head is not None:
            arrivals.refuse_unfit(upstream, here, head)
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
    (let_go if accept else look)(upstream.repository)


def _lacking(repository: Repository, upstream: Upstream, there: str, *, accept: bool) -> Lost | None:
    """What this clone has had from there and that is there no more: somebody has rewritten what was pushed.

    Refused, but where it is let go of.
    """
    lacking = lost(repository, upstream, there)
    if lacking is not None and not accept:
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


def apart_from(
    repository: Repository, upstream: Upstream, there: str, taken_out: Sequence[str] = ()
) -> Parted:
    """How this clone lies apart from a head that it follows. What was there and is gone is nobody's own, ``taken_out`` too; but
    deeds are that this clone has brought there by a merge which was taken back.

    Refused where own commits cannot be laid anew.
    """
    apart, leads = laying.parted(repository, there), repository.leads_to
    gone = tuple(each for each in had(repository, upstream) if not leads(each, there))
    gone = tuple(each for each in gone if any(leads(own.oid, each) for own in apart.own))  # of this line
    gone = tuple(dict.fromkeys((*gone, *taken_out)))
    heads, mine = list[str](), set[str]()
    if gone or any(len(each.parents) > 1 for each in apart.own):
        heads, mine = merged_away(repository, upstream, there)
    was_there = dict.fromkeys((*gone, *heads))
    own = (
        each
        for each in apart.own
        if each.oid in mine or not any(repository.leads_to(each.oid, was) for was in was_there)
    )
    apart = replace(apart, own=tuple(own), gone=gone)
    laying.refuse_strays(repository, apart)
    return apart


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
    """Refuse a head that brings files where others lie in the folder that were never recorded, such as ignored ones.

    ``commits`` may have brought them; ``then`` is the command to give once more.
    """
    before, after = (repository.commit(oid).tree for oid in (here, head))
    brought = {
        path: new for path, old, new in repository.changed(before, after) if old is None and new is not None
    }
    met = [(path, lies) for path in brought if (lies := repository.in_the_way(path, before))]
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


def _laid(
    repository: Repository, apart: Parted, tried: Sequence[Commit], here: str
) -> tuple[str, list[Laid]]:
    """Own deeds, laid anew, and those that are tried once more: the new head, stored in this clone, and what became of each."""
    key = laying.key_of(repository)
    with beside(repository, apart.head) as bare:
        apart = replace(apart, first=carried.as_first_done(repository, (*apart.own, *tried)))
        laid = list(laying.lay(bare, apart, key, tried, here))
        head = bare.head()
    assert head is not None
    return head, laid


@contextmanager
def beside(repository: Repository, head: str) -> Iterator[Repository]:
    """A scratch clone whose branch stands at a head; what is done upon it is stored in this clone."""
    with TemporaryDirectory(prefix="nomicgit-") as folder:
        place = str(Path(folder) / "game.git")
        with scratch(repository, place, repository.branch.removeprefix("refs/heads/")) as bare:
            bare.point(bare.branch, head)
            note_replayed(bare, replayed(repository))
            yield bare
            made, sound = bare.head(), replayed(bare)
            compact(find(bare.git_dir))
        assert made is not None
        if made != head and not Remote(repository.git_dir, place).fetch_commit(made):
            raise Outage(
                "what was laid anew could not be stored",
                f"{NOTHING}; look whether the disk is full, and try again",
            )
        note_replayed(repository, sound)


def _set_aside(repository: Repository) -> tuple[Commit, ...]:
    """The commits of the deeds that are set aside, in the order in which they were done."""
    head = repository.head()
    assert head is not None
    done: dict[Commit, tuple[int, int]] = {}
    for oid in repository.references(fallen.ASIDE).values():
        times = [each.author_time for each in repository.beyond(head, oid)]
        commit = repository.commit(oid)
        done[commit] = max(times, default=commit.author_time), len(times)
    return tuple(sorted(done, key=done.__getitem__))


def note_aside(repository: Repository, laid: Sequence[Laid]) -> None:
    """Keep the deeds that were not done again, and let go of those that were, be it under another id."""
    for each in laid:
        name = journal.deed_id(repository.commit(each.was).message)
        ref = fallen.ASIDE + name
        if each.commit is not None and each.deed.id != name:
            fallen.let_go(repository, [name])
        if each.aside:
            repository.point(ref, each.was)
        elif ref in repository.references(fallen.ASIDE):
            repository.point(ref, None)
