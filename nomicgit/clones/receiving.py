"""Receiving: what a repository that others push to lets in. On the game's branch that is nothing but lawful deeds.

Only what is new is replayed: up to which commits all was verified before, the repository keeps in a file, which may be
deleted at any time. Whatever is refused has changed nothing. What a push could tire or fill this machine with is looked
at first, by number and size.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.clones.others.building import building
from nomicgit.clones.others.misleading import misleading
from nomicgit.clones.others.unexpected import Unexpected
from nomicgit.git import Commit, Repository, names
from nomicgit.git.incoming import Move, Pushed, with_new_objects
from nomicgit.git.names import TAGS
from nomicgit.git.upstream import HEADS
from nomicgit.ground.kept import as_it_lies, write_over
from nomicgit.ground.problems import NomicError, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import journal, line
from nomicgit.record.seen import arrivals, attributes
from nomicgit.record.tree import KEYS
from nomicgit.replay.judging import judged
from nomicgit.replay.verifying import Fault, Verified, verify

MOST_REFS = 100
"""Branches and tags that one push moves."""
MOST_STANDING = 1000
"""Branches and tags that there are after it."""
MOST_COMMITS = 20_000
MOST_BYTES = 4 << 20
"""Of one commit, or of one folder as Git keeps it."""
MOST_BYTES_TOGETHER = 128 << 20
MOST_OF_FILE = 64 << 20
"""Bytes of a file, unpacked: a pack of a few kilobytes can hold a gigabyte of zeros."""
MOST_OF_FILES = 1 << 30
"""Bytes of all files together, unpacked."""
SHOWN = 5
BRANCHES = "nomicgit.branches"
"""The names that branches may have beside the game's, as a shell's patterns, with blanks between them: a setting of a repository."""
LAWFUL = "nomicgit/lawful"  # the commits up to which all was verified, the newest last
KEPT = 20
SYNC = remedy("in your clone, which lays your own deeds anew and pushes them:", command("nomicgit", "sync"))
AT_ONCE = remedy(
    "push fewer commits at once, then the rest:", command("git", "push", "origin", "COMMIT:BRANCH")
)


class LetIn(Struct, frozen=True):
    """What a push has brought to the game's branch: the deeds and other commits that are new there."""

    deeds: int = 0
    others: int = 0
    told: tuple[str, ...] = ()
    """What is let in, and told by whoever looks at the game."""
    beside: tuple[str, ...] = ()
    """Of that, which deeds have come to other branches than the game's."""


def receive(repository: Repository, pushed: Pushed, now: int) -> LetIn:
    """Let a push in, at a time (seconds, UTC), or refuse it whole."""
    _refuse_names(repository, pushed)
    _refuse_heavy(repository, pushed)
    came, beside = LetIn(), list[str]()
    with with_new_objects(repository, pushed) as scratch:
        _refuse_the_keepers(repository, scratch, pushed)
        for move in pushed.moves:
            if move.ref == repository.branch:
                came = _game_moved(repository, scratch, move, now)
            else:
                beside += _deeds_beside(repository, scratch, move)
    return replace(came, told=(*came.told, *beside), beside=tuple(beside))


def look_through(repository: Repository, now: int, progress: Callable[[int, int], None]) -> Verified | None:
    """Verify what a repository holds already, so that only what is new is replayed later; None where its branch is not there."""
    tip = repository.head()
    if tip is None:
        return None
    verified = verify(repository, tip, progress, now=now)
    if verified.sound:
        _note_lawful(repository, tip)
    return verified


# ---- what is looked at first


def _refuse_names(repository: Repository, pushed: Pushed) -> None:
    """Refuse too many references, those that no clone has as branches or tags, and those that read like others."""
    branch = repository.branch
    if len(pushed.moves) > MOST_REFS:
        raise Refused.of(
            f"it moves {len(pushed.moves)} branches and tags, more than {MOST_REFS}",
            mend="push fewer of them at once",
        )
    for move in pushed.moves:
        if not move.ref.startswith((HEADS, TAGS)):
            raise Refused.of(f"{printable(move.ref)} is neither a branch nor a tag", mend="push it as one")
    made = {move.ref for move in pushed.moves if move.new is not None}
    gone = {move.ref for move in pushed.moves if move.new is None}
    stood = {*repository.references(HEADS), *repository.references(TAGS)} - gone
    if made - stood and len(made | stood) > MOST_STANDING:
        raise Refused.of(
            f"{len(made | stood)} branches and tags would be here, more than {MOST_STANDING}",
            mend=remedy("take some away first:", command("git", "push", "origin", "--delete", "NAME")),
        )
    for ref in sorted(made - {branch}):
        if why := names.unlike_others(ref, branch, stood | made if ref not in stood else ()):
            raise Refused.of(f"{printable(ref)} {why}", mend="choose another name for it")
    _refuse_other_names(repository, made - stood - {branch})


def _refuse_other_names(repository: Repository, new: Collection[str]) -> None:
    """Refuse new branches of other names than the setting of this repository has; where the game has keys, orders, letters and
    shares are none of these.
    """
    allowed = (repository.config(BRANCHES) or "").split()
    for ref in sorted(ref.removeprefix(HEADS) for ref in new if ref.startswith(HEADS)) if allowed else ():
        if not any(fnmatchcase(ref, each) for each in allowed) and not _is_the_keepers(repository, ref):
            known = printable(" ".join(allowed), 200)
            raise Refused.of(
                f"no branch is called {printable(ref)} here",
                mend=f"give it a name like one of these: {known}",
            )


def _is_the_keepers(repository: Repository, name: str) -> bool:
    return _has_keys(repository) and name.partition("/")[0] in ("orders", "letters", "shares")


def _has_keys(repository: Repository) -> bool:
    tip = repository.head()
    return tip is not None and repository.entry(repository.commit(tip).tree, KEYS) is not None


def _refuse_heavy(repository: Repository, pushed: Pushed) -> None:
    """Refuse what would take too much memory to be looked at."""
    commits = together = unpacked = 0
    for kind, size in pushed.sizes(repository):
        most = MOST_OF_FILE if kind == "blob" else MOST_BYTES
        if size > most:
            name = "file" if kind == "blob" else kind
            raise Refused.of(f"it brings a {name} of {size} bytes, more than {most}", mend="leave it out")
        commits += kind == "commit"
        together += size if kind != "blob" else 0
        unpacked += size if kind == "blob" else 0
    if unpacked > MOST_OF_FILES:
        raise Refused.of(
            f"it brings files of {unpacked} bytes, more than {MOST_OF_FILES}", mend="leave them out"
        )
    if commits > MOST_COMMITS or together > MOST_BYTES_TOGETHER:
        raise Refused.of(
            f"it brings {commits} commits, and {together} bytes of commits and folders, more than is taken at once",
            mend=AT_ONCE,
        )


def _refuse_the_keepers(repository: Repository, scratch: Repository, pushed: Pushed) -> None:
    """In a game with keys: refuse what only its keeper may move, where the keeper has not signed that."""
    tip = repository.head()
    tree = repository.commit(tip).tree if tip else None
    if tree is None or repository.entry(tree, KEYS) is None:
        return
    from nomicgit.clones.secret import leave  # here: most games have no keys

    for move in pushed.moves:
        leave.refuse_without(repository, scratch, tree, move, pushed.words)


def _deeds_beside(repository: Repository, scratch: Repository, move: Move) -> Iterator[str]:
    """That deeds come to another branch than the game's, where nobody looks whether they are lawful."""
    tip = repository.head()
    if tip is None or move.new is None or not move.ref.startswith(HEADS):
        return
    with suppress(NomicError):  # a branch that cannot be read comes in as it is
        deeds = [each for each in scratch.beyond(tip, move.new) if journal.is_deed(each.message)]
        if deeds:
            game, name = repository.branch.removeprefix(HEADS), printable(move.ref.removeprefix(HEADS))
            what = f"the game is played on {game}, and on {name} lie deeds that it has not, which nobody looks at"
            yield f"{what}: {line.in_words(deeds[::-1])}"


# ---- the game's branch


def _game_moved(repository: Repository, scratch: Repository, move: Move, now: int) -> LetIn:
    """What comes to the game's branch. Refused where it is taken away or rewritten, or where anything new is not lawful."""
    if move.new is None:
        raise Refused.of("the game's branch cannot be taken away", mend="leave it where it is")
    _refuse_rewriting(scratch, move.old, move.new)
    if unfit := arrivals.unfit_beyond(scratch, move.old, move.new):
        oid, why = unfit
        who = arrivals.author_of(scratch, oid)
        raise Refused.of(f"the commit {oid[:12]} {who} {why}", mend=remedy("take it out; then,", SYNC))
    _refuse_heavy_branches(scratch, move.old, move.new)
    brought = attributes.changing(scratch, move.new)
    if brought and not (move.old and scratch.leads_to(brought.commit, move.old)):
        raise Refused.of(str(brought), mend=remedy(f"take it out of {attributes.FILE}; then,", SYNC))

    def is_new(each: Unexpected) -> bool:
        return not (move.old and scratch.leads_to(each.commit, move.old))

    builds = [*filter(is_new, building(scratch, move.new))]
    for each in builds:
        if each.refused:
            raise Refused.of(str(each), mend=remedy(f"take it out of {each.path}; then,", SYNC))
    known = _known_lawful(repository)
    newest_first = scratch.log(move.new)
    since = next((commit.oid for commit in newest_first if commit.oid in known), None)
    verified = verify(scratch, move.new, now=now, since=since)
    if not verified.sound:
        raise Refused(*_problems(scratch, move.new, verified))
    _note_lawful(repository, move.new)
    came = list(_after(scratch, move.new, move.old))
    deeds = sum(journal.is_deed(commit.message) for commit in came)
    misleads = filter(is_new, misleading(scratch, move.new))
    return LetIn(deeds, len(came) - deeds, tuple(str(each) for each in (*builds, *misleads)))


def _refuse_heavy_branches(scratch: Repository, old: str | None, new: str) -> None:
    """Refuse deeds that merge a branch which brings more than it may."""
    for commit in _after(scratch, new, old):
        for head in commit.parents[1:] if journal.is_deed(commit.message) else ():
            if heavy := arrivals.too_heavy(scratch, commit.parents[0], head):
                oid, why = heavy
                raise Refused.of(
                    f"the commit {commit.oid[:12]} merges a branch whose commit {oid[:12]} {why}",
                    mend=remedy(
                        "do it again without that branch:",
                        command("git", "reset", "--keep", f"{commit.oid}~1"),
                    ),
                )


def _after(scratch: Repository, new: str, old: str | None) -> Iterator[Commit]:
    """The commits of a line after an older one of it, newest first."""
    for commit in scratch.log(new):
        if commit.oid == old:
            return
        yield commit


def _refuse_rewriting(scratch: Repository, old: str | None, new: str) -> None:
    """Refuse what does not go on from where the game's branch is, by first parents: it would leave deeds out."""
    if old is None or any(commit.oid == old for commit in scratch.log(new)):
        return
    beside = scratch.leads_to(old, new)
    how = "puts another line in place of it, and merges what is here" if beside else "does not go on from it"
    raise Refused.of(f"the game is at {old[:12]}, and {new[:12]} {how}", mend=SYNC)


def _problems(scratch: Repository, tip: str, verified: Verified) -> Iterator[Problem]:
    """What is wrong, with whose it is, and what to do."""
    findings = [*verified.faults, *verified.doubts]
    for finding in findings[:SHOWN]:
        yield Problem(f"the commit {_in_words(scratch, finding)}")
    if len(findings) > SHOWN:
        yield Problem(f"and {len(findings) - SHOWN} more")
    whole = list(scratch.log(tip))[::-1]
    lawful = judged(whole, [(each.commit, each.what) for each in findings], ()).lawful
    strays = [each for each in findings if not journal.is_deed(scratch.commit(each.commit).message)]
    out: tuple[str, ...] = ()
    if strays and lawful:
        keep = command("git", "branch", "mine"), command("git", "reset", "--keep", lawful.oid)
        out = ("keep what you have in a branch of its own, and take it out:", *keep, "then,")
    yield Problem("nothing is let in", mend=remedy(*out, SYNC))


def _in_words(scratch: Repository, finding: Fault) -> str:
    """A finding, with who made the commit and which deed it tells of."""
    commit = scratch.commit(finding.commit)
    try:
        deed = f" ({line.deed_in_words(commit)})" if journal.is_deed(commit.message) else ""
    except NomicError:
        deed = ""
    return f"{commit.oid[:12]} {line.in_the_name(commit.author)}{deed}: {finding.what}"


def _known_lawful(repository: Repository) -> list[str]:
    try:
        with open(os.path.join(repository.git_dir, LAWFUL), encoding="ascii", opener=as_it_lies) as file:
            return file.read().split()
    except (OSError, UnicodeDecodeError):
        return []


def _note_lawful(repository: Repository, tip: str) -> None:
    """Note that all is lawful up to a commit, whatever becomes of the branch."""
    kept = [oid for oid in _known_lawful(repository) if oid != tip][1 - KEPT :]
    write_over(
        os.path.join(repository.git_dir, LAWFUL), "".join(f"{oid}\n" for oid in [*kept, tip]).encode("ascii")
    )
