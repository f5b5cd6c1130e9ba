"""The report on a matter: one comment, kept up to date. Pure: from plain data to Markdown.

It says nothing that changes by itself from minute to minute, so that it is only reworded when something has happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nomicgit.ground.escaping import escaped, fenced

MOST_VOTES = 200
MOST_LINES = 60


def report(matter: Mapping[str, Any], more: Mapping[str, Any]) -> str:
    """The report on a matter. ``matter`` is one of the outlook as JSON, or of a resolved one number, status and report.

    ``more``: ``hash``, ``changes`` (lines), ``does`` (finished Markdown), ``icons``, ``pull`` (whether it has a
    branch) and ``stays`` (why the branch says something else, or "").
    """
    parts = [_head(matter), *_when(matter), *_votes(matter), *_what(more), *_how(matter, more)]
    return "\n\n".join(part for part in parts if part)


def fate(status: str) -> str:
    """What has become of a matter, as a sentence says it: ``has failed``."""
    return "has failed" if status == "failed" else f"is {status}"


def _head(matter: Mapping[str, Any]) -> str:
    word = escaped(fate(str(matter["status"])))
    marks = ", ".join(escaped(mark.replace("_", "-")) for mark in matter.get("marks", ()))
    tail = f" ({marks})" if marks else ""
    body = f"\n\n{escaped(matter['report'])}" if matter.get("report") else ""
    return f"**Post {int(matter['number'])} {word}{tail}.** {escaped(str(matter['called']))}: {escaped(str(matter['title']))}{body}"


def _when(matter: Mapping[str, Any]) -> Iterator[str]:
    if matter["status"] != "pending":
        return
    tally = ", ".join(
        f"{int(count)} {escaped(icon.upper())}" for icon, count in matter["tally"].items() if count
    )
    quorum = f"; quorum is {int(matter['quorum'])}" if matter.get("quorum") is not None else ""
    yield f"**{tally or 'No votes yet'}**{quorum}."
    verdict, waits = matter["verdict"], matter.get("waits_for")
    if waits:
        yield f"It waits in the queue for post {int(waits)}."
        return
    if verdict["outcome"] in ("enact", "fail"):
        yield f"Now: {escaped(verdict['reason'])}."
        return
    for word, key in (("enacted", "enact"), ("failed", "fail")):
        answer = matter[key]
        if answer.get("earliest"):
            why = f" (now not: {escaped(answer['why_not'])})" if answer.get("why_not") else ""
            yield f"As the votes stand it can be {word} from **{answer['earliest']}** on{why}."
    if not matter.get("earliest") and verdict["reason"]:
        yield f"It cannot be resolved as the votes stand: {escaped(verdict['reason'])}."


def _votes(matter: Mapping[str, Any]) -> Iterator[str]:
    votes: Sequence[Mapping[str, Any]] = matter.get("votes", ())
    if not votes:
        return
    rows = [
        f"| {escaped(str(vote['player']))} | {escaped(str(vote['icon']).upper() or '—')} | {escaped(str(vote['reason']))} |"
        for vote in votes[:MOST_VOTES]
    ]
    more = [f"| … | | and {len(votes) - MOST_VOTES} more |"] if len(votes) > MOST_VOTES else []
    yield "\n".join(["| Who | Cast | Counts |", "| --- | --- | --- |", *rows, *more])


def _what(more: Mapping[str, Any]) -> Iterator[str]:
    lines: Sequence[str] = more["changes"]
    if lines:
        cut = [
            *lines[:MOST_LINES],
            *([f"… and {len(lines) - MOST_LINES} lines more"] if len(lines) > MOST_LINES else []),
        ]
        yield "<details><summary>What it changes</summary>\n\n" + fenced("\n".join(cut)) + "\n\n</details>"
    if more["does"]:
        yield str(more["does"])


def _how(matter: Mapping[str, Any], more: Mapping[str, Any]) -> Iterator[str]:
    if more["stays"]:
        yield escaped(str(more["stays"]))
    if matter["status"] != "pending":
        return
    if more["icons"]:
        icons = ", ".join(f"`:{icon}:`" for icon in more["icons"])
        by = "a review (approve, request changes) or " if more["pull"] else ""
        yield f"Vote by {by}a comment with one of {icons} at the beginning of a line."
    if more["hash"]:
        yield f"Votes are for the content `{str(more['hash'])[:16]}`, whatever commit holds it."
