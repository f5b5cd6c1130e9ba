"""Own deeds that have fallen: done in this clone, and on no line any more, as one that a rebase has skipped or a mend set aside.

Git's own log of where this clone has stood still has them. ``sync`` keeps them under ``refs/nomicgit/aside/ID``, beside
those that were refused; what somebody has let go of is not told again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from nomicgit.clones.own import put_aside
from nomicgit.clones.own.redone import once_more
from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record import journal
from nomicgit.record.outside import restoring
from nomicgit.record.seen import known
from nomicgit.record.seen.strays import told_aside
from nomicgit.record.tree import GameTree

OWNERS = frozenset(
    {
        Outside.REHOUSE,
        Outside.RESTORE,
        Outside.NUMBER,
        Outside.SIGNED,
        Outside.APPROVALS,
        Outside.RESTORERS,
        Outside.SIGNERS,
        Outside.ACCOUNT,
    }
)

_SAID = frozenset({Outside.REHOUSE, Outside.NUMBER, Outside.SIGNED, Outside.APPROVALS, Outside.RESTORERS})
"""What says settings of the game anew."""


def fallen(
    repository: Repository, upstream: Upstream | None = None, there: str | None = None
) -> list[Commit]:
    """The own deeds that stand neither on this clone's line nor on that of the branch that it follows, and lie nowhere aside (of
    one that was just found ``there``, and is to be followed, those that do not stand there); oldest first: those that a merge by
    hand or a mend has set aside there, those that nobody was sent, and those that this clone itself has pushed away. What others
    have pushed away is not among them, and neither is anything in a clone that follows nothing.
    """
    upstream = upstream or Upstream.of(repository)
    here, followed = repository.head(), there is not None
    there = there or (upstream.known() if upstream else None)
    if upstream is None or here is None or there is None:
        return []
    settled = put_aside.settled(repository)
    done = {name: each for name, each in done_here(repository).items() if name not in settled}
    ahead = not followed and repository.leads_to(there, here)  # what is here goes there next
    lie = set[str]()  # on a line, be it as they were done again after a forced push
    for head in dict.fromkeys((there,) if followed else (here,) if ahead else (here, there)):
        for name, stands in borne(repository, head, done.keys()).items():
            if stands:
                del done[name]
            lie.add(name)
    heads = known.everywhere(upstream) if done else ()
    leads = repository.leads_to

    def others_took(each: Commit) -> bool:
        lay = any(leads(each.oid, head) for head in heads)
        return lay and not known.took_away(upstream, each.oid)

    def fell(each: Commit) -> bool:
        name = journal.deed_id(each.message)
        on_a_line = name in lie or leads(each.oid, here) or leads(each.oid, there)
        if _of_owners(each):  # what a mend has set aside of these, somebody meant to
            done_since = same_outside(repository, each, here) or same_outside(repository, each, there)
            return not (on_a_line or done_since or others_took(each))
        return on_a_line or not others_took(each)

    return [*filter(fell, done.values())]


def done_here(repository: Repository) -> dict[str, Commit]:
    """The deeds that this clone has done itself, by their ids, oldest first, as far as Git's log of it goes back: those of players,
    those that it has sealed for them among these, and those by which the game's settings or accounts are said anew.
    """
    deeds: dict[str, Commit] = {}
    for commit in (*repository.committed(), *reversed(put_aside.redone(repository))):
        entry = journal.told(commit.message)
        if entry is None:
            continue
        players = "/" not in entry.deed.action or entry.deed.action == Outside.SEALED
        if players or _of_owners(commit):
            deeds.setdefault(entry.deed.id, commit)
    return dict(reversed(deeds.items()))


def _of_owners(commit: Commit) -> bool:
    """Whether a deed says the game's settings, keys or accounts anew, or restores its law: only somebody themselves does it again."""
    entry = journal.told(commit.message)
    return entry is not None and entry.deed.action in OWNERS


def own_of(repository: Repository, deeds: Sequence[Commit], there: str) -> list[Commit]:
    """Those of some deeds that this clone has done, and that do not stand up to ``there``."""
    own = done_here(repository) if deeds else {}
    return lacking(repository, [each for each in deeds if journal.deed_id(each.message) in own], there)


def lacking(repository: Repository, deeds: Sequence[Commit], there: str) -> list[Commit]:
    """Those of some deeds that do not stand up to ``there``, be it as they were laid anew."""
    stand = standing(repository, there, [journal.deed_id(each.message) for each in deeds])
    return [each for each in deeds if journal.deed_id(each.message) not in stand]


def stood(repository: Repository, there: str, own: Iterable[Commit]) -> list[Commit]:
    """What is set aside and stands up to a commit all the same, or is among those own ones that come after it: done once more
    it would stand twice. So does one outside the law where somebody has done the same since, or it is so already.
    """
    kept = {
        ref.removeprefix(put_aside.ASIDE): repository.commit(oid)
        for ref, oid in repository.references(put_aside.ASIDE).items()
    }
    stand, mine = standing(repository, there, kept), list(own) if kept else []
    stand |= {journal.deed_id(each.message) for each in mine}
    tip = mine[-1].oid if mine else there
    return [
        each
        for name, each in kept.items()
        if name in stand
        or same_outside(repository, each, there, mine) is not None
        or so_already(repository, each, tip)
    ]


def so_already(repository: Repository, aside: Commit, there: str) -> bool:
    """Whether the game's settings at a commit are already what a deed was to say, whoever or whatever made them so."""
    entry = journal.told(aside.message)
    if entry is None or entry.deed.action not in _SAID:
        return False
    settings, given = GameTree(repository, repository.commit(there).tree).settings, entry.deed.given
    match entry.deed.action:
        case Outside.REHOUSE:
            return bool(settings.forge == given["forge"])
        case Outside.NUMBER:
            return bool(settings.physics >= given["to"])
        case Outside.SIGNED:
            return bool(settings.signed == given["to"])
        case Outside.RESTORERS:
            return restoring.named(settings.restore) == restoring.named(given["restore"])
    return bool(settings.approvals == given["to"])


def taken_back(repository: Repository, mends: Iterable[Commit], there: str) -> list[Commit]:
    """The deeds of an owner that this clone has done, and some mends have set aside: those are not done again by themselves."""
    over = _over(repository, mends)
    own = {name for name, each in done_here(repository).items() if _of_owners(each)} if over else set[str]()
    stand = standing(repository, there, own)
    laid = (repository.commit(oid) for oid in over) if own else ()
    return [each for each in laid if (name := journal.deed_id(each.message)) in own and name not in stand]


def repeating(repository: Repository, mends: Iterable[Commit], there: str) -> list[Commit]:
    """The deeds that this clone has done again, and some mends have set aside, where the one that each repeats stands up to a commit:
    done once more it would stand twice.
    """
    over = _over(repository, mends)
    held = borne(repository, there, done_here(repository)) if over else {}
    again = {name for name, stands in held.items() if stands not in ("", name)}
    laid = (repository.commit(oid) for oid in over) if again else ()
    return [each for each in laid if journal.deed_id(each.message) in again]


def _over(repository: Repository, mends: Iterable[Commit]) -> set[str]:
    """The commits that some mends have set aside."""
    goals = [(mend.oid, to) for mend in mends if (to := journal.goes_back_to(mend.message))]
    return {oid for mend, to in goals for oid in repository.ids_beyond(to, mend)}


def same_outside(
    repository: Repository, aside: Commit, there: str, more: Iterable[Commit] = ()
) -> Commit | None:
    """The deed by which somebody has done since, up to a commit or in these ``more``, what one outside the law was to do; None
    where nobody has, or the law knows the deed.
    """
    entry = journal.told(aside.message)
    if entry is None or "/" not in entry.deed.action:
        return None
    meant, new = _meant(entry.deed), {*repository.ids_beyond(aside.oid, there)}
    since = (each for each, by in told_aside(repository, there) if not by and each.oid in new)
    for each in (*more, *since) if new or more else ():
        other = journal.told(each.message) if entry.deed.action in each.message else None
        if other is not None and _meant(other.deed) == meant:
            return each
    return None


def _meant(deed: Deed) -> object:
    """What a deed outside the law says, whoever may say it; of a player's account and keys, whose they are too."""
    if deed.action in (Outside.ACCOUNT, Outside.SIGNERS):
        account = deed.origin.account if deed.origin is not None else None
        return deed.action, deed.actor, deed.given, account
    return deed.action, {name: value for name, value in deed.given.items() if name != "by"}


def aside(repository: Repository) -> list[Commit]:
    """All that is set aside or has fallen, in the order in which it was done."""
    return [*put_aside.in_order(repository), *fallen(repository)]


def let_stand(repository: Repository, deeds: Iterable[Commit]) -> None:
    """Keep deeds aside no longer: they stand. One of an owner's stands by another, so its own id is not looked for any more."""
    for each in deeds:
        name = journal.deed_id(each.message)
        put_aside.keep_no_longer(repository, [name])
        if _of_owners(each):
            put_aside.let_go(repository, [name])


def forget(repository: Repository, deeds: Iterable[Commit]) -> None:
    """Let go of deeds that are set aside or have fallen."""
    names = [journal.deed_id(each.message) for each in deeds]
    put_aside.let_go(repository, names)
    put_aside.keep_no_longer(repository, names)


def standing(repository: Repository, head: str, names: Collection[str]) -> set[str]:
    """Those of some deeds, by their ids, that stand on a line, be it as the one that they repeat."""
    return {name for name, stands in borne(repository, head, names).items() if stands}


def borne(repository: Repository, head: str, names: Collection[str]) -> dict[str, str]:
    """Those of some deeds, by their ids, that a line holds, and under which id each stands, or "" where a mend has set it aside:
    wherever, for what is no deed may have any date, and lie upon them.

    One that was done again stands too where the one that it repeats does, which a mend of a mend has brought back.
    """
    seen, wanted, met = dict[str, str](), {*names}, {*names}
    for commit, by in told_aside(repository, head) if names else ():
        name = repeat = journal.deed_id(commit.message)
        if name in wanted:
            seen[name] = ""
        met.add(name)
        while name and not by and repeat in met:
            if repeat in wanted:
                seen[repeat] = name
                wanted.remove(repeat)
            repeat = once_more(repeat, commit.author_time)
        if not wanted:
            break
    return seen
