"""A branch that a clone follows and that is there no more: renamed there, it is followed; taken away, it is put back from a clone.

Whoever has seen the most of it puts it back; others' clones then bring what is theirs by themselves.
"""

from __future__ import annotations

from nomicgit.clones import refusals, relocation
from nomicgit.clones.others import renamed
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
    stood = f"it stood at {_in_words(repository, was)}; nothing is moved"
    other = renamed.called(upstream)
    if other and not dry:
        renamed.note(upstream, other)
    gone = _goes_on(upstream, was, stood, other) if other else _put_back(upstream, was, stood)
    if not dry:
        refusals.note(upstream, "", map(Why, gone.problems))
    return gone


def _goes_on(upstream: Upstream, was: str, stood: str, other: str) -> Refused:
    """That the game goes on under another name, and how this clone follows it there; where that has less than this clone has known,
    how the branch is put back, too.
    """
    name = other.removeprefix(HEADS)
    there = upstream.first()
    whole = there is not None and upstream.repository.leads_to(was, there[1])
    back = ("or, where that has come about by mistake, put it back:", upstream.put_back(was, ""))
    return Refused.of(
        f"the branch {upstream.name} is gone there, and the game goes on there on the branch {name}"
        + (
            f", with all that was on it: {stood}"
            if whole
            else f", which lacks something of what was on it: {stood}"
        ),
        mend=remedy(
            "follow it, in every clone; all that was done in this one comes along:",
            *renamed.follow(upstream, other),
            *(() if whole else back),
        ),
    )


def _put_back(upstream: Upstream, was: str, stood: str) -> Refused:
    """That it is gone, and how this clone puts it back."""
    way = _in_the_way(upstream)
    first = (
        ("branches stand where it is to stand; take them away, which whoever laid them there can do again:",
         command("git", "push", upstream.remote, *(f":{each}" for each in way)), "then put it back,")
        if way
        else ()
    )  # fmt: skip
    return Refused.of(
        f"the branch {upstream.name} is gone there: {stood}",
        mend=remedy(
            "ask who took it away, and who of you has seen the most of it: that clone puts it back;",
            *first,
            "in this one that is:",
            upstream.put_back(was, ""),
            "then, in every clone:",
            command("nomicgit", "sync"),
        ),
    )


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
