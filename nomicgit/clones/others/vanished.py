"""A branch that a clone follows and that is there no more: somebody has taken it away, and it is put back from a clone.

Whoever has seen the most of it puts it back; others' clones then bring what is theirs by themselves.
"""

from __future__ import annotations

from nomicgit.clones import refusals, relocation
from nomicgit.clones.refusals import Why
from nomicgit.git import Repository
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import journal, line
from nomicgit.record.seen import known

MOST = 50  # branches in the way that are named


def refuse_none(upstream: Upstream, *, dry: bool) -> Refused:
    """The refusal where there is no branch: that it is gone, where this clone has known it there, which is remembered; else how it
    is begun.
    """
    repository, was = upstream.repository, _newest(upstream)
    if was is None or not relocation.is_followed(upstream):
        push = command("git", "push", upstream.remote, f"{repository.branch}:{upstream.branch}")
        return Refused.of(f"there is no branch {upstream.name} yet", mend=remedy("begin it:", push))
    way = _in_the_way(upstream)
    first = (
        ("branches stand where it is to stand; take them away, which whoever laid them there can do again:",
         command("git", "push", upstream.remote, *(f":{each}" for each in way)), "then put it back,")
        if way
        else ()
    )  # fmt: skip
    gone = Refused.of(
        f"the branch {upstream.name} is gone there: it stood at {_in_words(repository, was)}; nothing is moved",
        mend=remedy(
            "ask who took it away, and who of you has seen the most of it: that clone puts it back;",
            *first,
            "in this one that is:",
            upstream.put_back(was, ""),
            "then, in every clone:",
            command("nomicgit", "sync"),
        ),
    )
    if not dry:
        refusals.note(upstream, "", map(Why, gone.problems))
    return gone


def _newest(upstream: Upstream) -> str | None:
    """The newest commit that this clone knows of a branch; None where it has known none there."""
    repository, last = upstream.repository, upstream.known()
    looked = repository.resolve(known.KNOWN + upstream.name)
    if last is None or looked is None:
        return last or looked
    return looked if repository.leads_to(last, looked) else last


def _in_words(repository: Repository, oid: str) -> str:
    commit = repository.commit(oid)
    is_deed = journal.told(commit.message) is not None
    what = line.deed_in_words(commit) if is_deed else f"a commit {line.in_the_name(commit.author)}"
    return f"{oid[:12]} ({what}, {clock.text(commit.author_time)})"


def _in_the_way(upstream: Upstream) -> list[str]:
    """The branches there beside which Git lays none down that is called as this one."""
    branch = upstream.branch
    names = sorted(
        each for each in upstream.heads("") if each.startswith(f"{branch}/") or branch.startswith(f"{each}/")
    )
    return [name for name in names if name.startswith(HEADS) and printable(name) == name][:MOST]
