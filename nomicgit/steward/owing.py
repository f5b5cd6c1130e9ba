"""What is owed to people at the end of a pass: what was decided and not said yet, what came of what they asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nomicgit.git import Repository
from nomicgit.steward import marks, replying
from nomicgit.steward.answering import answer, wants_answer
from nomicgit.steward.decided import Decided
from nomicgit.steward.events import in_order
from nomicgit.steward.keeping import Left
from nomicgit.steward.past import VOTE, Past
from nomicgit.steward.replying import Reply
from nomicgit.steward.said import React
from nomicgit.steward.seen import Issue, Pull
from nomicgit.steward.steps import Done, Stands, Step, Told

Thread = Pull | Issue
SEEN = "EYES"
"""The reaction to a comment that was counted as a vote."""


def replies(
    clone: Repository,
    steps: Sequence[Step],
    threads: Sequence[Thread],
    left_so: Mapping[int, Left],
    decided: Decided,
    site: str,
) -> Iterator[Reply]:
    """What is to be written on each thread. ``left_so`` is how they were left before; ``site`` the game's."""
    seen = {thread.number: thread for thread in threads}
    stands = {step.thread: step for step in steps if isinstance(step, Stands)}
    tells: dict[int, list[Told]] = {}
    for step in steps:
        if isinstance(step, Told):
            tells.setdefault(step.thread, []).append(step)
    for number, thread in seen.items():
        # What stands was said, though the forge's answer to it may have been lost.
        decided.note_said(number, sorted(marks.marks_of(thread).told))
        new = tells.setdefault(number, [])
        keys = {key for tell in new for key in tell.keys}
        new += [
            tell for tell in decided.owed(number, marks.marks_of(thread).told) if keys.isdisjoint(tell.keys)
        ]
    answers = _answers(clone, threads, decided, site)
    proposed = {_head(seen.get(number), left_so.get(number)) for number in stands}
    for number in sorted({*seen, *tells, *stands}):
        read, before = seen.get(number), left_so.get(number)
        left = replying.left_of(read, before) if read is not None else before
        if left is None:
            continue  # its thread is gone from the forge
        keys_told = decided.answered(number) | (
            marks.marks_of(read).told if read is not None else frozenset()
        )
        made = replying.reply(
            number, left, read, tells=tells.get(number, ()), answers=answers.get(number, ()),
            stands=stands.get(number), keys_told=keys_told, site=site,
        )  # fmt: skip
        if number not in stands and left.head in proposed:
            made.status = None  # of the same commit it is told how the proposal stands that it brings
        made.writes += [React(node, SEEN) for node in _voted(read, steps)]
        yield made


def _head(read: Thread | None, left: Left | None) -> str:
    """The commit at which a pull request's branch stands, as far as that is known; else nothing."""
    if isinstance(read, Pull):
        return read.head_sha
    return left.head if left is not None else ""


def _voted(thread: Thread | None, steps: Sequence[Step]) -> list[str]:
    """The comments of a thread that have become votes in this pass: the report tells who voted how, and this that it was seen."""
    votes = {
        step.event for step in steps if isinstance(step, Done) and step.action == VOTE and not step.answer
    }
    nodes = {f"comment-{comment.id}": comment.node for comment in (thread.comments if thread else ())}
    events = (event for event in votes if event is not None)
    return sorted({node for each in events if (node := nodes.get("-".join(each.split("-")[:2])))})


def _answers(
    clone: Repository, threads: Sequence[Thread], decided: Decided, site: str
) -> dict[int, list[tuple[str, str]]]:
    """The answers to commands and forms that the record has used, and of which nobody was told yet, each with its key."""
    asking = [
        (thread, event) for thread in threads for event in in_order([thread]) if wants_answer(event, thread)
    ]
    answers: dict[int, list[tuple[str, str]]] = {}
    if not asking:
        return answers
    head = clone.head()
    assert head is not None
    past = Past.read(clone, head)
    for thread, event in asking:
        commit = past.answer_to(event.id, thread.at)
        key = f"{event.id}-did-{commit[:12]}" if commit else ""
        if commit and not decided.said(thread.number, key) and key not in marks.marks_of(thread).told:
            answers.setdefault(thread.number, []).append((key, answer(clone, commit, site)))
    return answers
