"""Pull requests that have gone astray from what they proposed, and what their authors are told, once. Pure.

It is seen in how one stands: a draft again, for another branch, somewhere else than what was enacted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgit.ground.problems import printable
from nomicgit.steward import marks
from nomicgit.steward.asking import Tell
from nomicgit.steward.seen import Pull

DRAFT = (
    "this is marked as a draft again, and that takes nothing back: post {post} is pending all the same, and votes here count. "
    "Mark it as ready, so that everybody sees that."
)
OTHER_BASE = (
    "this is for the branch {base} now, and not for {branch}. That takes nothing back: post {post} is pending all the same, and "
    "votes here count. Set it to {branch} again: else it is closed once the post is enacted, and not shown as merged."
)
NOT_MERGED = (
    "post {post} is enacted, and brought what stood at {stood}. {why}: so this is closed, and not shown as merged. "
    "The law is the same. What else you propose is a new pull request."
)
MOVED = "Your branch stands at something else now, which is no part of it"
RETARGETED = "This is for the branch {base}"


def strayed(pull: Pull, number: int, post: Mapping[str, Any], branch: str, *, other: bool) -> Iterator[Tell]:
    """What is told of a pull request and its post. ``branch``: the game's; ``other``: its own brings something else than the post."""
    if pull.state != "open":
        return
    status, retargeted = post.get("status"), pull.base_ref != branch
    words = {"post": str(number), "base": printable(pull.base_ref, 60), "branch": branch}
    if status == "pending" and pull.draft:
        yield Tell(("draft-again",), DRAFT.format(**words), pull.author, refusal=False)
    if status == "pending" and retargeted:
        key = f"base-{marks.key_of(pull.base_ref)}"
        yield Tell((key,), OTHER_BASE.format(**words), pull.author, refusal=False)
    if status == "enacted" and post.get("branch_head") and (other or retargeted):
        why = (MOVED if other else RETARGETED).format(**words)
        text = NOT_MERGED.format(stood=str(post["branch_head"])[:10], why=why, **words)
        yield Tell(("closed-unmerged",), text, pull.author, refusal=False)
