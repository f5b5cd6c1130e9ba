"""A branch that somebody has rewritten: what is to be done about the deeds that it lacks, told alike by every command."""

from __future__ import annotations

from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import line
from nomicgit.record.seen import arrivals, barred
from nomicgit.record.seen.known import Lost, missing, to_have_back
from nomicgit.record.seen.strays import Stray, strays


def mend_of(repository: Repository, lost: Lost) -> str:
    """What is to be done about deeds that a branch lacks. What is no deed nobody puts back, nor what stood upon it; but what stood
    there before it, unless it is a merge, of which the other line may be the one that is there now.
    """
    upstream, was, there = Upstream.of(repository), lost.was, lost.now
    if lost.founding and upstream is not None:
        ask = "what stands there is another game: ask who did it; to have this one back"
        return remedy(to_have_back(repository, upstream, was, there, ask), "to play that one, clone it anew")
    mended = strays(repository, was, repository.merge_base(was, there))
    untaken = arrivals.unfit_beyond(repository, there, was)
    why = f"{_named(mended[0])}, and is mended by this; " if mended else ""
    if untaken:
        by = arrivals.author_of(repository, untaken[0])
        why = f"what was there held the commit {untaken[0][:12]} {by}, which {untaken[1]}, and is mended by this; "
    without = f"{why}to go on without them, which lays your own unpushed deeds anew, and sets aside pushed ones of yours:"
    accept_it = remedy(without, command("nomicgit", "sync", "--accept"))
    stood = mended[0].before if mended else was
    undone = mended and (mended[0].merged or not missing(repository, stood, there))
    if untaken or undone or upstream is None:
        return accept_it
    head = repository.head()
    if not mended and head is not None and repository.leads_to(there, head):
        return to_have_back(
            repository,
            upstream,
            stood,
            there,
            "your clone has all that is there: ask who did it; to have them back",
        )
    them = f"what stood there before {mended[0].commit[:12]}" if mended else "them"
    if takes_out := missing(repository, there, stood):
        again = f"putting it back would take out what was pushed since ({line.in_words(takes_out)}): ask who did it, and,"
        return remedy(
            accept_it,
            f"{again} once that is done, each of you does what of theirs it lacks once more:",
            command("nomicgit", "sync", "--again"),
        )
    back = to_have_back(repository, upstream, stood, there, f"ask who did it; to have {them} back")
    return remedy(accept_it, back) if barred.bars(repository, stood, there) else remedy(back, accept_it)


def _named(stray: Stray) -> str:
    return f"the commit {stray.commit[:12]} {line.in_the_name(stray.by)}, which was there, is {stray.label}"
