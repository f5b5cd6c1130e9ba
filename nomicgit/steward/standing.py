"""How the threads' posts stand at the end of a pass: what is reported of each, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from nomicgit.ground.escaping import escaped
from nomicgit.law.shapes import Change
from nomicgit.outlook import branches, doomed, foreseen, overview
from nomicgit.record.tree import RULESET, SCENARIOS
from nomicgit.steward import marks, saying
from nomicgit.steward.advice import Queue, advice, of_rules, waiting
from nomicgit.steward.report import report
from nomicgit.steward.seen import Pull
from nomicgit.steward.steps import Stands, Told
from nomicgit.steward.strayed import strayed
from nomicgit.steward.table import Table

SOUND = "All of its changes can be made, after what is pending before it too."
MOST_TRIED = 5  # matters in one pass, each of which takes a quarter of a second of the processor


def stands(table: Table, reports: Mapping[int, str]) -> Iterator[Stands | Told]:
    """A step for each post that has a thread: of the pending ones all, of the others those whose thread is new, or open.

    ``reports`` are what the open threads' reports hold, by the thread.
    """
    game, at = table.game, max(table.now, table.game.last())
    pending = table.pending()
    seen_now = overview.outlook(game, at) if pending else None
    seen = {matter.number: matter for matter in seen_now.matters} if seen_now else {}
    icons = list(saying.icons(table.actions))
    advised = _Advice(table, at)
    for thread in sorted({*pending, *table.threads, *reports}):
        found_post = table.post(thread)
        if found_post is None or found_post[1].get("status") is None:
            continue  # what nobody votes on is answered, and done with
        number, post = found_post
        if told_of_edit := table.outvoted(thread):
            yield told_of_edit
        matter = seen.get(number)
        plain = (
            matter.as_json() | {"status": "pending"}
            if matter is not None
            else _resolved(number, post, table.game.law.declared.post_called)
        )
        more = {
            "hash": post.get("hash"), "changes": [line for change in post.get("changes", []) for line in branches.shown(change)],
            "does": advised.on(number, post, reports.get(thread)) if matter is not None else "",
            "icons": icons, "pull": bool(post.get("branch_head")), "stays": _stays(table, thread, post),
        }  # fmt: skip
        body, merges = marks.reporting(report(plain, more)), bool(post.get("branch_head"))
        other = _brings_other(table, thread, number, post)
        yield Stands(
            thread, number, str(post.get("status")), tuple(_marks(post)), merges, str(more["does"]), body, other,
        )  # fmt: skip
        if isinstance(pull := table.threads.get(thread), Pull):
            for tell in strayed(pull, number, post, table.branch, other=other):
                if step := table.tells(thread, tell):
                    yield step


def _resolved(number: int, post: Mapping[str, Any], called: Callable[[str], str]) -> dict[str, Any]:
    return {
        "number": number, "called": called(str(post.get("kind", ""))), "title": post.get("title", ""), "status": str(post.get("status")),
        "marks": _marks(post), "report": post.get("report", ""),
    }  # fmt: skip


def _marks(post: Mapping[str, Any]) -> list[str]:
    return [flag for flag in doomed.MARKS if post.get(flag) is True]


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


def _brings_other(table: Table, thread: int, number: int, post: Mapping[str, Any]) -> bool:
    """Whether the branch stands where nobody has voted on it: at something else than what the post brings, or brought."""
    head = table.head_of(thread)
    if head is None or head == post.get("branch_head") or not post.get("branch_head"):
        return False
    if post.get("status") == "pending":
        return table.same(post, head) is False
    return head != table.past.merged.get(number)  # what anybody else merged was not enacted


class _Advice:
    """The advice on each matter: it is taken over from its report where neither the matter nor the rules have changed."""

    def __init__(self, table: Table, at: int) -> None:
        game = table.game
        law = [game.repository.entry(game.head.tree, path.rstrip("/")) for path in (RULESET, SCENARIOS)]
        self._law = " ".join(each[1] for each in law if each)
        opened = game.tree.entity("open") or {}
        posts = [(number, game.tree.entity(f"posts/{number}") or {}) for number in opened.get("pending", [])]
        self._queue = Queue(game.ruleset, waiting(posts), (game.tree.entity("used") or {}).get("slugs", []))
        self._game = game
        self._look, self._left = partial(game.looked_at, at), MOST_TRIED

    def on(self, number: int, post: Mapping[str, Any], kept: str | None) -> str:
        """The advice on a matter, with the key of what it was made from; "" where it changes nothing.

        Of many new matters a few are tried in each pass, the others in the next ones.
        """
        if not post.get("changes"):
            return ""
        read, tried = (marks.key_of(str(post.get("hash")), self._law + how) for how in ("", " tried"))
        for key in (tried, *([] if self._left else [read])):
            if kept is not None and (advised := marks.part_kept(kept, key)) is not None:
                return marks.kept_part(advised, key)
        key = tried if self._left else read
        said = [*advice(self._queue, number, post["changes"]), *self._tried(number, post["changes"])]
        return marks.kept_part("\n".join(said) or SOUND, key)

    def _tried(self, number: int, changes: Sequence[Change]) -> Iterator[str]:
        """What only trying it tells: of changes that are not of rules, and of the law after it."""
        if not self._left:
            return
        self._left -= 1
        fates = foreseen.foreseen(self._game, self._look(), f"posts/{number}")
        rest = [fate for fate in fates["changes"] if not of_rules([changes[fate["change"] - 1]])]
        yield from (f"- {escaped(line)}." for line in foreseen.lines({**fates, "changes": rest}))
