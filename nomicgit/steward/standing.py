"""How the threads' posts stand at the end of a pass: what is reported of each, as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgit import branches, outlook
from nomicgit.checks.enactment import NOTHING, Matter, tried
from nomicgit.forge.seen import Pull
from nomicgit.gamestate import writing
from nomicgit.problems import NomicError
from nomicgit.record.tree import RULESET
from nomicgit.steward import marks, saying
from nomicgit.steward.advice import advice
from nomicgit.steward.escaping import escaped
from nomicgit.steward.report import report
from nomicgit.steward.table import Step, Table

MOST_TRIED = 20  # matters in one pass whose enactment is tried; the rest wait for the next
FLAGS = ("illegal", "vetoed", "self_killed")


def stands(table: Table, reports: Mapping[int, str]) -> Iterator[Step]:
    """A step for each post that has a thread: of the pending ones all, of the others those whose thread is new, or open.

    ``reports`` are what the open threads' reports hold, by the thread.
    """
    game, at = table.game, max(table.now, table.game.last())
    pending = table.pending()
    found = outlook.outlook(game, at) if pending else None
    seen = {matter.number: matter for matter in found.matters} if found else {}
    icons = list(saying.icons(table.actions))
    tries = _Tries(table, at)
    for thread in sorted({*pending, *table.threads, *reports}):
        found_post = table.post(thread)
        if found_post is None:
            continue
        number, post = found_post
        if told_of_edit := table.outvoted(thread):
            yield told_of_edit
        matter = seen.get(number)
        told = matter.as_json() | {"status": "pending"} if matter is not None else _resolved(number, post)
        more = {
            "hash": post.get("hash"), "changes": [line for change in post.get("changes", []) for line in branches.shown(change)],
            "does": tries.does(thread, number, post, reports.get(thread)) if matter is not None else "",
            "icons": icons, "pull": bool(post.get("branch_head")), "stays": _stays(table, thread, post),
        }  # fmt: skip
        yield {
            "stands": thread, "post": number, "status": str(post.get("status")), "marks": _marks(post),
            "merges": bool(post.get("branch_head")), "does": more["does"], "body": marks.reporting(report(told, more)),
        }  # fmt: skip


def _resolved(number: int, post: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "number": number, "kind": post.get("kind", ""), "title": post.get("title", ""), "status": str(post.get("status")),
        "marks": _marks(post), "report": post.get("report", ""),
    }  # fmt: skip


def _marks(post: Mapping[str, Any]) -> list[str]:
    return [flag for flag in FLAGS if post.get(flag) is True]


def _stays(table: Table, thread: int, post: Mapping[str, Any]) -> str:
    """That the branch has gone on to say something else than the post, where it has."""
    pull = table.threads.get(thread)
    if (
        not isinstance(pull, Pull)
        or post.get("status") != "pending"
        or table.same(post, pull.head_sha) is not False
    ):
        return ""
    head = str(post.get("branch_head", ""))[:10]
    return f"The branch has changed since, and that is not part of the post: it brings what stood at {head}."


class _Tries:
    """Trying what enactment would do: costly, so it is taken over from the report where nothing has changed."""

    def __init__(self, table: Table, at: int) -> None:
        self._table, self._at, self._left = table, at, MOST_TRIED
        law = table.game.repository.entry(table.game.head.tree, RULESET.rstrip("/"))
        self._law = law[1] if law else ""

    def does(self, thread: int, number: int, post: Mapping[str, Any], kept: str | None) -> str:
        """What enactment would do, for people; "" where there is nothing to say, or it is yet to be tried."""
        if not post.get("changes"):
            return ""
        key = marks.key_of(str(post.get("hash")), self._law)
        found = marks.part_kept(kept, key) if kept is not None else None
        if found is None and self._left > 0:
            self._left -= 1
            found = self._tried(number, post)
        return "" if found is None else marks.kept_part(found, key)

    def _tried(self, number: int, post: Mapping[str, Any]) -> str:
        world = self._table.game.looked_at(self._at)
        matter = Matter(post["title"], post["body"], post.get("tags", []), post["changes"], str(post["kind"]))
        try:
            writing.write(world, f"posts/{number}", "posts", "status", "failed")
            found = tried(world, matter)
        except NomicError as wrong:
            return f"What enactment would do cannot be tried: {escaped(str(wrong))}"
        after = advice(self._table.game.ruleset, self._table.game.tree, post["changes"], found)
        return "\n".join([*_said(found), *after]) or "It can be enacted as it is."


def _said(found: Mapping[str, Any]) -> Iterator[str]:
    for n, why in enumerate(found["made"], 1):
        if why:
            idle = why == NOTHING
            yield f"- Change {n} " + (
                "has nothing to do." if idle else f"would not be made now: {escaped(why)}."
            )
    for each in found["values"][:10]:
        yield f"- `{str(each['path']).replace('`', '')}` would change."
