"""What is to be written on a thread, so that it shows how things stand. Pure: from how it is to how it should be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.ground.escaping import called, leading_home, lines_escaped
from nomicgit.steward import marks
from nomicgit.steward.events import is_of_issue
from nomicgit.steward.keeping import Left
from nomicgit.steward.said import Close, Kind, Label, Outcome, React, Result, Reword, Say, Unlabel, Write
from nomicgit.steward.seen import Issue, Pull
from nomicgit.steward.steps import Stands, Told

LABELS = ("pending", "enacted", "failed", "illegal", "vetoed", "self-killed")
"""The labels that the steward puts on and takes off; all others are nobody's but the owner's."""
CONTEXT = "nomicgit"
LONGEST = 60_000
"""Letters of a comment; the forge takes a few more."""
_STATES = {"pending": "pending", "enacted": "success", "failed": "failure"}


class Status(Struct, frozen=True):
    """A commit status to be set; ``mark`` is how it is remembered."""

    sha: str
    state: str
    description: str

    @property
    def mark(self) -> str:
        """As it is kept."""
        return f"{self.sha} {self.state}"


class Reply(Struct):
    """What is written on one thread, and how that leaves it."""

    number: int
    left: Left
    writes: list[Write] = field(default_factory=list)
    status: Status | None = None


def left_of(thread: Pull | Issue, before: Left | None) -> Left:
    """How a thread that was just read stands."""
    marked = marks.marks_of(thread)
    report = marked.report
    return Left(
        node=thread.node,
        pull=isinstance(thread, Pull),
        head=thread.head_sha if isinstance(thread, Pull) else "",
        open=thread.state == "open",
        report=report.node if report else "",
        digest=marks.key_of(plain(report.body)) if report else "",
        page=report.url if report else "",
        labels=thread.labels,
        status=before.status if before else "",
        does=before.does if before else "",
        locked=thread.locked,
    )


def plain(body: str) -> str:
    """A comment's text as it was sent: the forge may turn its line ends."""
    return body.replace("\r\n", "\n").strip()


def reply(
    number: int,
    left: Left,
    thread: Pull | Issue | None,
    *,
    tells: Sequence[Told],
    answers: Sequence[tuple[str, str]],
    stands: Stands | None,
    keys_told: Iterable[str],
    site: str = "",
) -> Reply:
    """What is to be written on a thread. ``thread`` is None where nothing new was read of it.

    ``tells`` are what must be told; ``answers`` are pairs of an event's id and a finished text; ``stands`` is how its
    post stands, if it has one; ``keys_told`` are those told before. ``site``: the game's, to
    which addresses may lead.
    """
    made = Reply(number, left)
    said = [(tell.keys, _told(tell, site)) for tell in tells] + [((key,), text) for key, text in answers]
    made.writes += [Say(left.node, body) for body in _comments(said)]
    if stands is not None and (thread is not None or not left.locked):
        _reported(made, stands)
        _labelled(made, stands)
    _closed(made, left, stands, {*keys_told, *(key for keys, _ in said for key in keys)}, tells)
    made.status = _status(made.left, thread, stands, {*keys_told, *(key for keys, _ in said for key in keys)})
    return made


def _comments(said: Sequence[tuple[Sequence[str], str]]) -> Iterator[str]:
    """What is told, in as few comments as hold it."""
    keys: list[str] = []
    texts: list[str] = []
    for its_keys, text in said:
        short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
        if texts and sum(map(len, (*keys, *texts, *its_keys, short))) + 3 * len(texts) > LONGEST:
            yield marks.telling("\n\n".join(texts), keys)
            keys, texts = [], []
        keys += its_keys
        texts.append(short)
    if texts:
        yield marks.telling("\n\n".join(texts), keys)


def _told(tell: Told, site: str) -> str:
    whom = " ".join(called(login) for login in tell.whom)
    return (f"{whom}: " if whom else "") + leading_home(lines_escaped(tell.text), site)


def _reported(reply: Reply, stands: Stands) -> None:
    body, left = stands.body, reply.left
    digest = marks.key_of(plain(body))
    if digest == left.digest and left.report:
        pass
    elif left.report:
        reply.writes.append(Reword(left.report, body))
    else:
        reply.writes.append(Say(left.node, body))
    reply.left = replace(left, digest=digest, does=stands.does)


def _labelled(reply: Reply, stands: Stands) -> None:
    wanted = [
        name for name in (stands.status, *(mark.replace("_", "-") for mark in stands.marks)) if name in LABELS
    ]
    have = [name for name in reply.left.labels if name.casefold() in LABELS]
    reply.writes += [Label(reply.left.node, name) for name in wanted if name not in have]
    reply.writes += [Unlabel(reply.left.node, name) for name in have if name not in wanted]
    others = [name for name in reply.left.labels if name not in have]
    reply.left = replace(reply.left, labels=(*others, *wanted))


def _closed(
    reply: Reply,
    before: Left,
    stands: Stands | None,
    keys_told: set[str],
    tells: Sequence[Told],
) -> None:
    """Close what is done with. An enacted branch is left to the forge for one pass: it finds out that it is merged."""
    left = reply.left
    if not left.open:
        return
    resolved = stands is not None and stands.status not in ("pending", "None")
    if left.pull:
        just_merged = resolved and stands is not None and stands.status == "enacted" and stands.merges
        if not resolved or (just_merged and "enacted" not in before.labels):
            return
        reply.writes.append(Close(left.node, Kind.PULL))
    else:
        answered = any(is_of_issue(reply.number, key) for key in keys_told)
        if not (resolved or (answered and (stands is None or stands.status != "pending"))):
            return
        refused = any(tell.refused and is_of_issue(reply.number, tell.keys[0]) for tell in tells)
        reply.writes.append(Close(left.node, Kind.NOT_PLANNED if refused else Kind.DONE))
    reply.left = replace(left, open=False)


def _status(
    left: Left, thread: Pull | Issue | None, stands: Stands | None, keys_told: set[str]
) -> Status | None:
    """The status of a pull request's head, where it is another than was set: it keeps the Merge button shut."""
    if not left.pull:
        return None
    sha = left.head
    if stands is not None:
        word = str(stands.status)
        status = Status(sha, _STATES.get(word, "error"), f"post {stands.post}: {word}")
        if stands.other:
            status = Status(
                sha, "failure", f"post {stands.post} ({word}) brings something else than this commit"
            )
    elif isinstance(thread, Pull) and thread.state == "open":
        waits = thread.draft or not keys_told
        status = Status(
            sha, "pending" if waits else "failure", "a draft waits" if waits else "this is no proposal"
        )
    else:
        return None
    return status if status.mark != left.status else None


def said_in(reply: Reply, results: Sequence[Result]) -> Iterator[str]:
    """The keys of what was said, or what the forge will never let be said; where a thread is locked it may yet."""
    last = (Outcome.DONE,) if reply.left.locked else (Outcome.DONE, Outcome.REFUSED)
    for result in results:
        if isinstance(result.write, Say) and result.outcome in last:
            yield from marks.keys_in(result.write.body)


def gone(results: Sequence[Result]) -> bool:
    """Whether a thread was deleted, or moved elsewhere."""
    return any(each.outcome is Outcome.GONE and isinstance(each.write, Say | Close) for each in results)


def _lost(result: Result, *, locked: bool) -> bool:
    """Whether a comment cannot be reworded any more: it is deleted, or whoever spoke for the game wrote it, and another does now.
    In a locked thread it may be yet.
    """
    return result.outcome is Outcome.GONE or (result.outcome is Outcome.REFUSED and not locked)


def passed_over(reply: Reply, result: Result) -> str:
    """What is told of a writing that the forge did not take for a reason that nobody need look into; else nothing."""
    thread, write = f"thread {reply.number}", result.write
    match result.outcome:
        case Outcome.GONE if isinstance(write, Reword):
            return f"{thread}: the report was deleted, and is said anew by the next pass"
        case Outcome.REFUSED if isinstance(write, Reword) and _lost(result, locked=reply.left.locked):
            return (
                f"{thread}: the report is not ours to reword, and is said anew by the next pass: {result.why}"
            )
        case Outcome.GONE if isinstance(write, React):
            return f"{thread}: a vote that is counted was deleted there"
        case Outcome.GONE:
            return f"{thread} is deleted, or moved elsewhere"
        case Outcome.REFUSED if isinstance(write, Label | Unlabel):
            return f"{thread} does without the label {write.name}: {result.why}"
        case Outcome.REFUSED if reply.left.locked:
            return f"{thread} is locked: what is to be said there is said once it is open again"
    return ""


def after(reply: Reply, results: Sequence[Result]) -> Left:
    """How a thread is left once its writes are done; a new report's comment is remembered."""
    said = [
        result
        for result in results
        if isinstance(result.write, Say) and result.write.body.startswith("<!-- nomicgit report -->")
    ]
    left = reply.left
    if said and said[0].done:
        left = replace(left, report=said[0].node, page=said[0].url)
    if any(isinstance(each.write, Reword) and _lost(each, locked=left.locked) for each in results):
        left = replace(left, report="", digest="")
    return left
