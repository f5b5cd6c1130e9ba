"""What a clone knows: the deeds that it has seen on the branch that it follows. A history that lacks them is named.

The newest commit seen there is kept under ``refs/nomicgit/known/``, with all that leads to it; what was fetched since the
last look, Git's own log of the branch tells. Own deeds that nobody
has been sent may be taken back without a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import takewhile

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.git.branch import Past
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Malformed, NomicError, Outage
from nomicgit.ground.remedies import as_json, remedy
from nomicgit.record import journal, keepsakes, line
from nomicgit.record.seen import barred
from nomicgit.record.seen.anew import not_anew

KNOWN = "refs/nomicgit/known/"
REWRITTEN = "refs/nomicgit/rewritten/"  # where the branch was when sync refused to follow it
ACCEPTED = "nomicgit/accepted"  # the commits of the deeds that are let go of as soon as a sync goes on
FILE = "nomicgit/fetched"  # how far Git's own log of the branch was looked at
MOST = 100  # places at which the branch was fetched since


class Lost(Struct, frozen=True):
    """A branch that lacks deeds which this clone has seen there, oldest first: its name, where it was, and where it is."""

    branch: str
    was: str
    now: str
    deeds: Sequence[Commit]
    founding: bool = False
    """Whether the very founding is gone: what stands there now is another game, which nobody follows by letting go."""

    def __str__(self) -> str:
        return f"{self.branch} has been rewritten: it lacks {line.in_words(self.deeds)}"

    def as_json(self, mend: str) -> dict[str, object]:
        """Plain data; ``mend`` is what is to be done about it."""
        deeds = [commit.oid for commit in self.deeds]
        return {"branch": self.branch, "was": self.was, "now": self.now, "deeds": deeds} | as_json(mend)


def missing(repository: Repository, known: str, tip: str) -> list[Commit]:
    """The deeds up to a commit that the line of another has not, oldest first; none where a shallow clone cannot tell.

    A deed is there where it was done anew, under its id: also one that the first had only beside its line, merged and left out.
    """
    seen, cut = set(), False
    for commit in repository.log(tip):
        if commit.oid == known:
            return []
        seen.add(commit.oid)
        cut = repository.cut_off(commit)
    if cut and not any(commit.oid in seen for commit in repository.log(known)):
        return []
    own = takewhile(lambda commit: commit.oid not in seen, repository.log(known))
    lost = [commit for commit in own if journal.told(commit.message) is not None][::-1]
    line_of_known = {commit.oid for commit in lost}
    beside = [each for each in _deeds(repository, tip, known) if each[1].oid not in line_of_known]
    done = dict(_deeds(repository, known, tip)) if beside or lost else {}
    return [commit for name, commit in beside if name not in done][::-1] + not_anew(repository, lost, done)


def _deeds(repository: Repository, base: str, tip: str) -> Iterator[tuple[str, Commit]]:
    """The deeds, by their ids, that lead to a commit and not to another, newest first."""
    for commit in repository.beyond(base, tip):
        if (entry := journal.told(commit.message)) is not None:
            yield entry.deed.id, commit


def had(repository: Repository, upstream: Upstream) -> list[str]:
    """What a clone has seen of the branch that it follows: where it was when it was last looked at, wherever Git has
    fetched it since, and where it is.
    """
    past = [each.commit for each in _past(repository, upstream) if not each.pushed]
    return _heads(repository, upstream, past)


def seen(repository: Repository, upstream: Upstream) -> list[str]:
    """The same, with where this clone has pushed the branch since, and where it was when sync refused to follow it."""
    past = [each.commit for each in _past(repository, upstream)]
    refused = repository.resolve(REWRITTEN + upstream.name)
    return _heads(repository, upstream, [*past, *([refused] if refused is not None else [])])


def stood(repository: Repository, upstream: Upstream) -> list[str]:
    """Wherever a clone can tell that the branch which it follows has stood, looked at since or not; but what it has pushed itself."""
    past = upstream.past(0)[0][-MOST:]
    first = [each.before for each in past[:1] if each.before.strip("0")]
    return _heads(repository, upstream, [*first, *(each.commit for each in past if not each.pushed)])


def everywhere(upstream: Upstream) -> list[str]:
    """Wherever Git's log of the branch has it, fetched or pushed by this clone; but what Git has thrown away since."""
    past = upstream.past(0)[0][-MOST:]
    first = [each.before for each in past[:1] if each.before.strip("0")]
    heads = dict.fromkeys([*first, *(each.commit for each in past)])
    return [each for each in heads if upstream.repository.resolve(each) is not None]


def was_there(repository: Repository, commit: Commit) -> bool:
    """Whether a commit has lain on the branch that a clone follows, as far as Git's log of it tells."""
    upstream = Upstream.of(repository)
    return upstream is not None and any(_leads(repository, commit.oid, head) for head in everywhere(upstream))


def took_away(upstream: Upstream, oid: str) -> bool:
    """Whether this clone itself has pushed the branch from where a commit lay on it to where it does not, by Git's log of the branch."""
    past, repository = upstream.past(0)[0][-MOST:], upstream.repository
    lay = [place for place, each in enumerate(past) if _leads(repository, oid, each.commit)]
    return bool(lay) and any(each.pushed for each in past[lay[-1] + 1 :][:1])


def _leads(repository: Repository, oid: str, head: str) -> bool:
    return repository.resolve(head) is not None and repository.leads_to(oid, head)


def merged_away(repository: Repository, upstream: Upstream, now: str) -> tuple[list[str], dict[str, Commit]]:
    """Where this clone has pushed the branch with a merge by hand of what stands there still, and the branch, which is at ``now``,
    is no more; and the deeds that have come there so alone, by their commits' ids, oldest first: they are this clone's own.
    """
    past, heads, own = upstream.past(0)[0][-MOST:], list[str](), dict[str, Commit]()
    for head, _, _ in (each for each in past if each.pushed):
        with suppress(NomicError):  # what Git has thrown away since is known to nobody
            firsts = [repository.commit(oid) for oid in repository.ids_beyond(now, head, "--first-parent")]
            merges = [each for each in firsts if _merges(repository, each, now)]
            if merges:
                without = [
                    each for each in everywhere(upstream) if not repository.leads_to(merges[-1].oid, each)
                ]
                heads.append(head)
                own |= {
                    each.oid: each
                    for each in firsts
                    if journal.told(each.message) is not None
                    and not any(repository.leads_to(each.oid, other) for other in without)
                }
    return heads, own


def _merges(repository: Repository, commit: Commit, now: str) -> bool:
    """Whether a commit is no deed, and merges what leads to another, be it by way of other such merges."""
    return _by_hand(commit) and any(_leads_by_merges(repository, end, now) for end in commit.parents[1:])


def _leads_by_merges(repository: Repository, end: str, now: str) -> bool:
    """Whether a commit leads to another, or merges by hand what does so."""
    beyond = {*repository.ids_beyond(now, end)}
    merges = (each for each in map(repository.commit, beyond) if _by_hand(each))
    return not beyond or any(len(each.parents) > 1 and not beyond.issuperset(each.parents) for each in merges)


def _by_hand(commit: Commit) -> bool:
    return journal.told(commit.message) is None


def lost(repository: Repository, upstream: Upstream, now: str) -> Lost | None:
    """What a branch that is at ``now`` lacks of all that a clone has seen there; None where it lacks nothing.

    What this clone has pushed away itself is no loss, and neither is what a merge by hand has left beside the line: that is a
    commit which is no deed, and told as one.
    """
    past: list[str] = []
    for commit, pushed, _ in _past(repository, upstream):
        past = [*([] if pushed else past), commit]
    lacking: dict[str, list[Commit]] = {}
    for was in _heads(repository, upstream, past):
        with suppress(Malformed):  # what Git has thrown away since is known to nobody
            if not repository.leads_to(was, now) and (deeds := missing(repository, was, now)):
                lacking[was] = deeds
    if not lacking:
        return None
    each = {deed.oid: deed for deeds in lacking.values() for deed in deeds}
    was = max(lacking, key=lambda was: len(lacking[was]))
    gone = any(
        _founds_it(repository, deed) and not repository.leads_to(deed.oid, now) for deed in each.values()
    )
    return Lost(upstream.name, was, now, [*each.values()], gone)


def _founds_it(repository: Repository, commit: Commit) -> bool:
    """Whether a commit founds the game, and is none that pretends to found it once more."""
    if not journal.is_founding(commit.message):
        return False
    before = (each for parent in commit.parents[:1] for each in repository.log(parent))
    return not any(journal.is_founding(each.message) for each in before)


def to_have_back(repository: Repository, upstream: Upstream, was: str, there: str, said: str) -> str:
    """What has a branch, which is at ``there``, where it was, with which deeds that takes out of it; ``said`` stands before."""
    out = missing(repository, there, was)
    dropped = f" (which takes out what was pushed since: {line.in_words(out)})" if out else ""
    return remedy(f"{said}{dropped}:", barred.put_back(upstream, was, there))


def note_rewritten(repository: Repository, upstream: Upstream, there: str | None) -> None:
    """Note where a branch was when sync refused to follow it; None where it is followed again."""
    ref = REWRITTEN + upstream.name
    with suppress(NomicError, Outage, OSError):  # as below
        if repository.resolve(ref) != there:
            repository.point(ref, there)


def last_found(upstream: Upstream) -> str | None:
    """Where a branch was when it was fetched last, be it that sync refused to follow it there."""
    return upstream.repository.resolve(REWRITTEN + upstream.name) or upstream.known()


def _past(repository: Repository, upstream: Upstream) -> list[Past]:
    return upstream.past(_looked(repository))[0][-MOST:]


def _heads(repository: Repository, upstream: Upstream, past: Sequence[str]) -> list[str]:
    there = (repository.resolve(KNOWN + upstream.name), *past, upstream.known())
    return [commit for commit in dict.fromkeys(there) if commit is not None]


def look(repository: Repository) -> Lost | None:
    """What the branch that a clone follows has lost, as of the last fetch; where nothing, where it is now is remembered. Not where it
    has been rewritten and all stands there anew: ``sync``, which follows it, has yet to tell of other dice.
    """
    return _look(repository, accept=False, follows=False)


def follow(repository: Repository) -> None:
    """Remember where the branch that a clone follows is now, where it lacks nothing."""
    _look(repository, accept=False, follows=True)


def accept(repository: Repository, lacking: Lost) -> None:
    """Remember that deeds are to be let go of: until a sync has gone on without them nothing is, and nobody says it twice."""
    with suppress(OSError):  # as below
        keepsakes.keep(repository, ACCEPTED, [each.oid for each in lacking.deeds])


def accepted(repository: Repository, lacking: Lost) -> bool:
    """Whether somebody has said so already of all that a branch lacks."""
    kept = keepsakes.kept(repository, ACCEPTED) or ()
    return not lacking.founding and {each.oid for each in lacking.deeds}.issubset(map(str, kept))


def let_go(repository: Repository) -> Lost | None:
    """The same, and where the branch is now is remembered whatever it lacks, but for another game's; gives what was let go of."""
    lacking = _look(repository, accept=True, follows=True)
    return None if lacking is not None and lacking.founding else lacking


def _look(repository: Repository, *, accept: bool, follows: bool) -> Lost | None:
    upstream = Upstream.of(repository)
    refused = repository.resolve(REWRITTEN + upstream.name) if upstream else None
    now = (
        (upstream.known() or refused) if upstream else None
    )  # which Git has forgotten where the branch was gone for a while
    if upstream is None or now is None:
        return None
    lacking = lost(repository, upstream, now)
    refused = refused if lacking is None else None
    if refused is not None:
        lacking = lost(repository, upstream, refused)
    accept = accept and not (lacking is not None and lacking.founding)
    if accept and refused is not None:
        now = refused
        upstream.remember(now)
    if lacking is None and not accept and not repository.is_whole():
        return None  # what lies before its ends may tell otherwise, once it is here
    if not follows and _rewritten(repository, upstream, now):
        return lacking
    if lacking is None or accept:
        note_rewritten(repository, upstream, None)
        with suppress(NomicError, Outage, OSError):  # a clone that cannot be written to remembers nothing
            _remember(repository, upstream, now)
            keepsakes.keep(repository, ACCEPTED, None)
    return lacking


def _rewritten(repository: Repository, upstream: Upstream, now: str) -> bool:
    """Whether a branch was last looked at where nothing leads to where it is now."""
    was = repository.resolve(KNOWN + upstream.name)
    return was is not None and not repository.leads_to(was, now)


def _remember(repository: Repository, upstream: Upstream, now: str) -> None:
    repository.point(KNOWN + upstream.name, now)
    _, size = upstream.past(0)
    if size != _looked(repository):
        keepsakes.keep(repository, FILE, size)


def _looked(repository: Repository) -> int:
    """How many bytes of Git's log of the branch were looked at."""
    return keepsakes.kept(repository, FILE) or 0
