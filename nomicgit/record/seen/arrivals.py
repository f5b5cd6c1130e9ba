"""Arrivals: commits that were fetched, looked at before anything else looks through them.

What no clone can take in is named, with whoever made it, and nothing moves: a commit that is none as Git makes them, a
folder that is none, names that Git refuses or that are one where capitals do not count, symbolic links beside the game,
which lead whoever reads or writes through them elsewhere, more files than anybody lays down, at once or bit by bit, or whatever
else Git does not take. No mend takes such a commit away, for it would stay in the history that everybody walks: the branch is put back to
where it was before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from itertools import takewhile

from nomicgit.git import Repository, strictly
from nomicgit.git.layout import find
from nomicgit.git.objects import Entry
from nomicgit.git.trees import LINK, MODULE
from nomicgit.git.upstream import Untaken, Upstream
from nomicgit.ground.problems import Malformed, NomicError, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import journal, line
from nomicgit.record.seen import barred, burden, known
from nomicgit.record.tree import GAME

MOST_PATHS = 100_000
"""Files and folders that one commit may lay down, change or take away, and that may lie beside the game."""
MOST_BYTES = 1 << 30
"""Bytes that the files of one commit may have, and all those that lie beside the game, each counted as often as it lies there."""
MOST_OF_BRANCH = 8 << 20
"""Bytes, unpacked, of all files that the whole history of a proposal's branch may bring: enacted, it becomes a part of the game's."""
MOST_PARENTS = 100
"""Commits that one commit may come after, be it one several times."""
MOST_OF_COMMIT = 4 << 20
"""Bytes that a commit may have itself."""
UNTAKEN = "holds what Git does not take"
UNREADABLE = "was pushed so that nobody can read it"
_ENCODING = re.compile(rb"\nencoding ([^\n]*)")
_READ_AS_IT_STANDS = re.compile(
    "utf-?8|(us-)?ascii|iso[-_]?8859-?[0-9]{1,2}|latin-?[0-9]{1,2}|(cp|windows-)125[0-9]|koi8-[ru]|euc-(jp|kr|tw)",
    re.IGNORECASE,
)
"""Encodings in which whatever is ASCII stays that: so a deed's lines are read by all or by nobody."""
_AUTHOR = re.compile(rb"^author ([^<>\n]*?) ?<", re.MULTILINE)


def refuse_unfit(
    upstream: Upstream, here: str, there: str, progress: Callable[[int, int], None] = lambda *_: None
) -> None:
    """Refuse a head that was fetched where a commit on the way to it, which ``here`` has not, is one that no clone takes in.
    ``progress`` is told how many were looked at, and of how many.
    """
    if unfit := unfit_beyond(upstream.repository, here, there, progress=progress):
        raise _refusal(upstream, here, there, *unfit)


def refuse_untaken(upstream: Upstream, here: str, untaken: Untaken) -> Refused:
    """The refusal of a head that Git does not take: the commit that has brought what it refuses is named, as of any other."""
    repository, there = upstream.repository, untaken.head
    if unfit := unfit_beyond(repository, here, there):
        return _refusal(upstream, here, there, *unfit)
    bad = repository.first_with(untaken.object, here, there)
    return _refusal(upstream, here, there, bad, f"{UNTAKEN}: {untaken.problems[0].what}")


def refuse_own(upstream: Upstream, here: str, there: str) -> tuple[str, ...]:
    """Refuse to push where an own commit, or one that an own one merges, is one that others do not take in.

    One that was fetched, and has been taken out there since, is nobody's own: gives the heads that were there and hold such.
    """
    repository, gone, theirs = upstream.repository, list[str](), set[str]()
    while unfit := unfit_beyond(repository, there, here, theirs) or next(
        (each for each in unfit_of(repository, here, there) if each[0] not in theirs), None
    ):
        firsts = repository.ids_beyond(there, here, "--first-parent")
        own = unfit[0] if unfit[0] in firsts else _merging(repository, unfit[0], firsts)
        if not (stood := fetched_with(upstream, own)):
            raise _refusal_of_own(repository, own, firsts, *unfit)
        gone += stood
        theirs.update(oid for head in stood for oid in repository.ids_beyond(there, head))
    return tuple(gone)


def fetched_with(upstream: Upstream, oid: str) -> list[str]:
    """Where the branch that a clone follows has stood, as far as a commit lies there."""
    heads = list[str]()
    for head in known.stood(upstream.repository, upstream):
        with suppress(NomicError):  # what Git has thrown away since is known to nobody
            heads += [head] if upstream.repository.leads_to(oid, head) else []
    return heads


def _merging(repository: Repository, oid: str, firsts: Sequence[str]) -> str:
    """The first commit of a line that a commit leads to."""
    return next(each for each in firsts if repository.leads_to(oid, each))


def _refusal_of_own(repository: Repository, own: str, firsts: Sequence[str], oid: str, why: str) -> Refused:
    if own == oid:
        what = f"your own commit {oid[:12]}"
        mend = ["change that commit:", command("git", "rebase", "--interactive", f"{oid}~1")]
    else:
        what = f"your own commit {own[:12]} merges the commit {oid[:12]} {author_of(repository, oid)}, which"
        with_it = map(repository.commit, firsts[firsts.index(own) :])
        deeds = [each for each in with_it if journal.told(each.message) is not None]
        again = f", and do again what goes with it: {line.in_words(deeds)}" if deeds else ""
        mend = [f"go back to before the merge{again}:", command("git", "reset", "--keep", f"{own}^1")]
    return Refused.of(
        f"{what} {why}; nothing is moved, and nothing is pushed",
        mend=remedy(*mend, "then:", command("nomicgit", "sync")),
    )


def refuse_brought(repository: Repository, head: str, tip: str) -> None:
    """Refuse a branch on which, before its head or at it, stands a commit that no clone takes in."""
    if unfit := unfit_to_merge(repository, head, tip):
        oid, why = unfit
        raise Refused.of(
            f"the branch holds the commit {oid[:12]} {author_of(repository, oid)}, which {why}",
            mend=remedy(
                "take it out of the branch's history, too; on the branch:",
                command("git", "rebase", "--interactive", f"{oid}~1"),
            ),
        )


def unfit_to_merge(repository: Repository, head: str, tip: str) -> tuple[str, str] | None:
    """The first commit on the way to a branch's head, which ``tip`` has not, that no clone takes in, or Git does not; and why.
    Where all that it brings is too much for what the game's history is to hold, that with its largest file.
    """
    if unfit := unfit_beyond(repository, tip, head) or too_heavy(repository, tip, head):
        return unfit
    if bad := strictly.bad_object(find(repository.git_dir), head, (tip,)):
        oid = repository.first_with(bad.object, tip, head) if bad.object else head
        return oid, f"{UNTAKEN}: {bad.what}"
    return None


def too_heavy(repository: Repository, tip: str, head: str) -> tuple[str, str] | None:
    """Of a branch that brings more than it may, the first commit that has its largest file, and how much there is of what."""
    files = repository.brought(tip, head)
    together = sum(size for size, _, _ in files)
    if together <= MOST_OF_BRANCH:
        return None
    size, oid, path = files[0]
    largest = f"lays down {printable(path, 80)}, of {size} bytes the largest of its files"
    return repository.first_with(oid, tip, head), (
        f"{largest}: all together they have {together}, more than {MOST_OF_BRANCH}, and would stay in the game's history"
    )


def unfit_of(repository: Repository, tip: str, since: str | None = None) -> Iterator[tuple[str, str]]:
    """The commits up to a tip, deeds of its line apart, that not every clone takes in, and why; ``since``: of those alone
    that this one has not.

    Symbolic links, and names that are one where capitals do not count, are told only while they stand.
    """
    if not repository.is_whole():
        return  # which is a fault of its own
    oids = repository.ids_beyond(since, tip, "--topo-order")
    new = {*oids}
    of_line = takewhile(lambda commit: commit.oid in new, repository.log(tip))
    deeds = {commit.oid for commit in of_line if journal.is_deed(commit.message)}
    if since is not None and new == deeds:
        return  # whose commits are held to what they make
    tree = repository.commit(tip).tree
    long, named = dict(_too_long(repository, oids)), set[str]()
    for oid in oids:
        if why := long.get(oid) or ("" if oid in deeds else _laid(repository, oid, tree)[1]):
            named.add(oid)
            yield oid, why
    if bad := strictly.bad_object(find(repository.git_dir), tip, (since,) if since else ()):
        oid = repository.first_with(bad.object, since, tip) if bad.object else tip
        if oid not in named:
            yield oid, f"{UNTAKEN}: {bad.what}"


def unreadable(repository: Repository, tip: str) -> Iterator[Problem]:
    """The commit up to a tip from which on its line cannot be read, with what takes it out; nothing where all can."""
    bad: tuple[str, str] | None = None
    for oid in reversed(repository.ids_beyond(None, tip, "--first-parent")):
        why = _laid(repository, oid)[1]
        if why.startswith(UNREADABLE):
            bad = oid, why
        elif bad:
            break
    if bad:
        oid, why = bad
        what = f"the commit {oid[:12]} {author_of(repository, oid)} {why}"
        yield Problem(what, mend=mend_of(repository, oid, stuck=True))


def _too_long(repository: Repository, oids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Those of some commits that tire whoever reads them, and why."""
    sizes = repository.sizes(oids) if oids else {}
    for oid in oids:
        if sizes.get(oid, 0) > MOST_OF_COMMIT:
            yield oid, f"is a commit of {sizes[oid]} bytes, more than {MOST_OF_COMMIT}"


def mend_of(repository: Repository, oid: str, *, stuck: bool = False) -> str:
    """What takes a commit out that this clone has: for all, where others have it too. ``stuck``: not even sync can read it."""
    with suppress(Refused):  # of a detached head, which follows nothing
        upstream = Upstream.of(repository)
        there = known.last_found(upstream) if upstream else None
        if upstream is not None and there is not None:
            if repository.leads_to(oid, there):
                return mend_for_all(upstream, there, oid)
            if not stuck and fetched_with(upstream, oid):
                gone = f"it was on {upstream.name}, and is there no more; your own deeds are laid anew without it:"
                return remedy(gone, command("nomicgit", "sync"))
    return remedy("take it out:", command("git", "reset", "--keep", f"{oid}~1"))


def mend_for_all(upstream: Upstream, there: str, oid: str) -> str:
    """What takes a commit out that stands on a branch which is at ``there``, and what goes with it."""
    return _mend(upstream, None, there, oid)


def unfit_beyond(
    repository: Repository,
    here: str | None,
    there: str,
    but: Container[str] = (),
    progress: Callable[[int, int], None] = lambda *_: None,
) -> tuple[str, str] | None:
    """The first commit on the way to a head, which ``here`` has not (None: it has nothing), that no clone takes in, and why;
    ``but`` for some.
    """
    laid: dict[str, Counter[str]] = {}
    oids = [oid for oid in repository.ids_beyond(here, there, "--topo-order") if oid not in but]
    if long := next(_too_long(repository, oids), None):
        return long
    for place, oid in enumerate(oids, 1):
        laid[oid], why = _laid(repository, oid)
        progress(len(oids) if why else place, len(oids))
        if why:
            return oid, why
    sizes = repository.sizes(dict.fromkeys(file for files in laid.values() for file in files)) if laid else {}
    for oid, files in laid.items():
        size = sum(sizes.get(file, 0) * times for file, times in files.items())
        if size > MOST_BYTES:
            return oid, f"lays down {size} bytes, more than {MOST_BYTES}"
    heavy = burden.overladen(repository, here, oids, burden.Load(MOST_PATHS, MOST_BYTES))
    if heavy is None:
        return None
    oid, load = heavy
    if load.paths > MOST_PATHS:
        return oid, f"has {load.paths} files and folders lie beside the game, more than {MOST_PATHS}"
    return oid, f"has {load.size} bytes lie beside the game, more than {MOST_BYTES}"


def unfit(repository: Repository, oid: str, stands: str) -> str:
    """Why not every clone takes a commit in, as far as what it has brought stands in a tree; "" where each does."""
    return _laid(repository, oid, stands)[1]


def _refusal(upstream: Upstream, here: str, there: str, oid: str, why: str) -> Refused:
    who = author_of(upstream.repository, oid)
    return Refused.of(
        f"the commit {oid[:12]} {who}, which was pushed to {upstream.name}, {why}; nothing is moved",
        mend=_mend(upstream, here, there, oid),
    )


def _laid(repository: Repository, oid: str, stands: str = "") -> tuple[Counter[str], str]:
    """The files that a commit lays down, by their ids, with how often; and why no clone takes it in, "" where it can.

    ``stands``: the tree in which its names are looked for, where that is not its own.
    """
    files: Counter[str] = Counter()
    try:
        commit = repository.commit(oid)
        if len(commit.parents) > MOST_PARENTS:
            return files, f"merges {len(commit.parents) - 1} commits, more than {MOST_PARENTS - 1}"
        if odd := _oddly_encoded(repository, oid):
            return files, f"says that its message is written in {odd}: so Git shows what does not stand there"
        before = repository.commit(commit.parents[0]).tree if commit.parents else None
        added = list[str]()
        for path, old, new in repository.changed(before, commit.tree, MOST_PATHS):
            if new is not None and new[0] != MODULE:
                files[new[1]] += 1
            added += [path] if old is None else []
            if _is_link_beside(path, new) and (not stands or repository.entry(stands, path) == new):
                return files, f"lays down a symbolic link, {printable(path, 80)}, which can lead anywhere"
        if why := repository.misnamed(before, stands or commit.tree, added):
            return files, f"lays down what not every clone holds: {why}"
    except Malformed as error:
        return files, f"{UNREADABLE}: {error.problems[0].what}"
    except Refused as error:
        return files, f"lays down what no clone holds: {error.problems[0].what}"
    return files, ""


def _is_link_beside(path: str, entry: Entry | None) -> bool:
    """Whether a symbolic link is laid down beside the game; one in it changes the game, and is named and mended as that."""
    return entry is not None and entry[0] == LINK and not f"{path}/".startswith(GAME)


def _oddly_encoded(repository: Repository, oid: str) -> str:
    """The encoding that a commit names for its message, where that makes other words of ASCII; else ""."""
    named = _ENCODING.search(repository.read(oid)[1].partition(b"\n\n")[0])
    encoding = named[1].decode("ascii", "replace") if named else "utf-8"
    return "" if _READ_AS_IT_STANDS.fullmatch(encoding) else printable(encoding, 60)


def author_of(repository: Repository, oid: str) -> str:
    """In whose name a commit is, by what stands in it, whatever else is wrong with it."""
    try:
        author = _AUTHOR.search(repository.read(oid)[1].partition(b"\n\n")[0])
    except NomicError:
        author = None
    return line.in_the_name(author[1].decode("utf-8", "replace") if author else "")


def _mend(upstream: Upstream, here: str | None, there: str, bad: str) -> str:
    """What to write to take a commit out for all, and what goes with it."""
    repository = upstream.repository
    firsts = repository.ids_beyond(here, there, "--first-parent")
    brought = next(place for place, each in enumerate(firsts) if repository.leads_to(bad, each))
    before = repository.resolve(f"{firsts[brought]}^1")
    if before is None:
        return "ask who pushed it: it begins another history"
    with_it = []
    for each in firsts[brought:]:
        try:
            commit = repository.commit(each)
        except Malformed:
            continue
        with_it += [commit] if journal.told(commit.message) is not None else []
    lost = f"; that takes out {line.in_words(with_it)}, to be done again" if with_it else ""
    put_back = barred.put_back(upstream, before, there)
    return remedy(
        f"no mend takes it away; put the branch back{lost}:",
        put_back,
        "then, in every clone:",
        command("nomicgit", "sync"),
    )
