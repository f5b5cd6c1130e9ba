"""Writing in bulk: many small mutations in one request, each with a result of its own, at the pace that GitHub sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from nomicgit.forge import queries
from nomicgit.forge.connection import Fault, Remote
from nomicgit.forge.queries import Mutation
from nomicgit.ground.problems import printable
from nomicgit.steward.said import (
    Close,
    Kind,
    Label,
    Outcome,
    Pin,
    React,
    Reopen,
    Result,
    Reword,
    Say,
    Unlabel,
    Unpin,
    Write,
)
from nomicgit.steward.trouble import Limited, Lost, Trouble

BATCH = 20
"""Mutations in one request: GitHub carries them out one after another, and breaks off after ten seconds."""

PACES = ((60, 80), (3600, 500))
"""How many new comments and labels GitHub takes in so many seconds."""

PATIENCE = 60
"""Seconds for which a limit is waited for in writing: longer, and another pass would take this one for dead."""

_AT_FAULT = (200, 400, 413, 422)
"""What the forge answers where one writing makes it refuse the whole request."""

_FIRM = ("FORBIDDEN", "INSUFFICIENT_SCOPES", "NOT_FOUND", "UNPROCESSABLE")
"""The kinds of answers by which the forge refuses a writing for good. Whatever else it says of one, it has stumbled."""

_TOO_SOON = "submitted too quickly"
"""What GitHub says of a new comment, as if it were at fault, where its own limit of new comments is reached."""

COLOUR = "6e7781"
"""Of a label that did not exist: GitHub's own grey."""


class Pen(Struct):
    """What writes: it knows the repository's labels, and when it created what."""

    remote: Remote
    _labels: dict[str, str] | None = None  # by name in lower case, as GitHub compares them
    _node: str = ""
    _created: list[int] = field(default_factory=list)

    def write(self, writes: Sequence[Write]) -> list[Result]:
        """Write all these, in order; a result for each, in the same order. See `GitHub.write`."""
        wire = self.remote.wire
        patience, wire.patience = wire.patience, PATIENCE
        try:
            return self._written(writes)
        finally:
            wire.patience = patience

    def _written(self, writes: Sequence[Write]) -> list[Result]:
        results: list[Result] = []
        while len(results) < len(writes):
            batch = writes[len(results) : len(results) + BATCH]
            try:
                batch = self._paced(batch)
                self._label(batch)
                results += self._batch(batch)
            except Trouble as error:
                if not results and not isinstance(error, Limited):
                    raise
                return results + _later(writes[len(results) :], error)
        return results

    def _batch(self, batch: Sequence[Write]) -> list[Result]:
        """One request; where its answer is lost, one more with those that can be done twice.

        Raises Trouble where none of it was done.
        """
        try:
            return self._send(batch, again=not any(isinstance(each, Say) for each in batch))
        except Lost as error:
            return self._after_loss(batch, error)
        except Trouble as error:
            if error.status not in _AT_FAULT:
                raise
            if len(batch) == 1:
                return [Result(batch[0], Outcome.REFUSED, str(error))]
        middle = len(batch) // 2
        return self._batch(batch[:middle]) + self._batch(batch[middle:])

    def _after_loss(self, batch: Sequence[Write], error: Lost) -> list[Result]:
        twice = [each for each in batch if not isinstance(each, Say)]
        try:
            rest = self._send(twice, again=True) if twice else []
        except Trouble as worse:
            rest = _later(twice, worse)
        done = iter(rest)
        return [
            Result(each, Outcome.UNKNOWN, str(error)) if isinstance(each, Say) else next(done)
            for each in batch
        ]

    def _send(self, batch: Sequence[Write], *, again: bool) -> list[Result]:
        labels = self._labels or {}
        moot = [isinstance(each, Unlabel) and each.name.lower() not in labels for each in batch]
        sent = [each for each, needless in zip(batch, moot, strict=True) if not needless]
        done = iter(self._put(sent, labels, again=again) if sent else ())
        return [
            Result(each, Outcome.DONE) if needless else next(done)
            for each, needless in zip(batch, moot, strict=True)
        ]

    def _put(self, sent: Sequence[Write], labels: Mapping[str, str], *, again: bool) -> list[Result]:
        asked = [_mutation(each, labels) for each in sent]
        document = queries.mutations([kind for kind, _ in asked])
        variables = {f"i{k}": given for k, (_, given) in enumerate(asked)}
        self._created += [self.remote.wire.now()] * sum(isinstance(each, Say) for each in sent)
        reply = self.remote.ask(document, variables, again=again)
        return [
            _result(each, reply.data.get(f"w{k}"), _about(reply.faults, k)) for k, each in enumerate(sent)
        ]

    def _paced(self, batch: Sequence[Write]) -> Sequence[Write]:
        """As many of these as the pace allows now, waiting until it allows the first. Raises Limited."""
        wire = self.remote.wire
        while True:
            now = wire.now()
            self._created = [at for at in self._created if at > now - PACES[-1][0]]
            room, until = BATCH, now
            for span, most in PACES:
                within = [at for at in self._created if at > now - span]
                if most - len(within) < room:
                    room, until = most - len(within), within[0] + span if within else now
            first = next((k for k, each in enumerate(batch) if isinstance(each, Say)), len(batch))
            if room > 0 or first > 0:
                return _cut(batch, room)
            if until - now > PATIENCE:
                raise _put_off(until)
            wire.wait(until - now)

    def _label(self, batch: Sequence[Write]) -> None:
        """Know the labels that are asked for; make those that are missing."""
        names = {each.name for each in batch if isinstance(each, Label | Unlabel)}
        if not names:
            return
        if self._labels is None:
            self._labels = self._read_labels()
        wanted = {each.name.lower(): each.name for each in reversed(batch) if isinstance(each, Label)}
        missing = [name for lower, name in sorted(wanted.items()) if lower not in self._labels]
        if missing:
            self._make(missing)

    def _read_labels(self) -> dict[str, str]:
        ids: dict[str, str] = {}
        after: str | None = None
        while True:
            repository = self.remote.query(queries.LABELS, after=after).repository
            self._node = str(repository.get("id") or "")
            page = repository.get("labels") or {}
            ids |= {each["name"].lower(): each["id"] for each in page.get("nodes") or () if each}
            info = page.get("pageInfo") or {}
            if not info.get("hasNextPage"):
                return ids
            after = info.get("endCursor")

    def _make(self, names: Sequence[str]) -> None:
        """Make labels, one request for all; one that cannot be made is refused where it is used."""
        assert self._labels is not None
        given = {"repositoryId": self._node, "color": COLOUR}
        document = queries.mutations([Mutation.MAKE_LABEL] * len(names))
        variables = {f"i{k}": given | {"name": name} for k, name in enumerate(names)}
        reply = self.remote.ask(document, variables)  # made twice is refused, and read anew
        for k, name in enumerate(names):
            label = (reply.data.get(f"w{k}") or {}).get("label") or {}
            if label.get("id"):
                self._labels[name.lower()] = str(label["id"])
        if reply.faults:
            self._labels = self._read_labels()


def _mutation(write: Write, labels: Mapping[str, str]) -> tuple[Mutation, dict[str, object]]:
    """The mutation of a writing, and its input."""
    match write:
        case Say(subject, body):
            return Mutation.SAY, {"subjectId": subject, "body": body}
        case Reword(comment, body):
            return Mutation.REWORD, {"id": comment, "body": body}
        case Label(subject, name):
            return Mutation.LABEL, {"labelableId": subject, "labelIds": [labels.get(name.lower(), name)]}
        case Unlabel(subject, name):
            return Mutation.UNLABEL, {"labelableId": subject, "labelIds": [labels.get(name.lower(), name)]}
        case Close(subject, Kind.PULL):
            return Mutation.CLOSE_PULL, {"pullRequestId": subject}
        case Close(subject, kind):
            reason = "COMPLETED" if kind is Kind.DONE else "NOT_PLANNED"
            return Mutation.CLOSE_ISSUE, {"issueId": subject, "stateReason": reason}
        case Reopen(subject, Kind.PULL):
            return Mutation.REOPEN_PULL, {"pullRequestId": subject}
        case Reopen(subject, _):
            return Mutation.REOPEN_ISSUE, {"issueId": subject}
        case React(subject, content):
            return Mutation.REACT, {"subjectId": subject, "content": content}
        case Pin(subject):
            return Mutation.PIN, {"issueId": subject}
        case Unpin(subject):
            return Mutation.UNPIN, {"issueId": subject}


def _about(faults: Iterable[Fault], k: int) -> list[Fault]:
    return [fault for fault in faults if fault.path[:1] == (f"w{k}",)]


def _result(write: Write, given: object, faults: Sequence[Fault]) -> Result:
    if not isinstance(given, Mapping) or faults:
        said = "; ".join(printable(fault.said) for fault in faults) or "the forge gave no answer for it"
        return Result(write, _undone(write, faults), said)
    edge = given.get("commentEdge")
    node = edge.get("node") if isinstance(edge, Mapping) else None
    made = {key: str(node.get(key) or "") for key in ("id", "url")} if isinstance(node, Mapping) else {}
    return Result(write, Outcome.DONE, node=made.get("id", ""), url=made.get("url", ""))


def _undone(write: Write, faults: Sequence[Fault]) -> Outcome:
    """What became of a writing that the forge has not told to be done."""
    if any(_TOO_SOON in fault.said for fault in faults):
        return Outcome.PUT_OFF
    if not any(fault.kind in _FIRM for fault in faults):
        return Outcome.UNKNOWN if isinstance(write, Say) else Outcome.PUT_OFF
    gone = not isinstance(write, Label | Unlabel) and any(fault.kind == "NOT_FOUND" for fault in faults)
    return Outcome.GONE if gone else Outcome.REFUSED


def _later(writes: Sequence[Write], error: Trouble) -> list[Result]:
    return [Result(each, Outcome.PUT_OFF, str(error)) for each in writes]


def _cut(batch: Sequence[Write], room: int) -> Sequence[Write]:
    """The batch up to the first comment for which there is no room."""
    for k, each in enumerate(batch):
        if isinstance(each, Say):
            if room <= 0:
                return batch[:k]
            room -= 1
    return batch


def _put_off(until: int) -> Limited:
    error = Limited.with_status("no more comments can be written for now", 0, "the next pass writes the rest")
    error.until = until
    return error
