"""What becomes of pull requests: proposals, edits of them, and proposals that are given up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from nomicgit.ground.problems import NomicError, printable
from nomicgit.steward import marks, saying
from nomicgit.steward.asking import Do, Look, Tell, do, not_own, player, stranger
from nomicgit.steward.events import Event, head_id, stands_since
from nomicgit.steward.proposing import brings, words_of
from nomicgit.steward.report import fate
from nomicgit.steward.seen import Pull
from nomicgit.steward.voting import ballot

NOT_PROPOSED = (
    "this is no proposal: {}\nPush what mends it; or, where it only came too early, comment /propose."
)
FOR = "for-"
"""How the key begins of what is told of a pull request for another branch; once it is for the game's, it is proposed."""
ELSEWHERE = "this is no proposal: it is for the branch {base}. Set it to {branch} (Edit, beside its title), and it becomes one."
NOT_TAKEN = (
    "{} has edited this pull request after you. So what it says now is not your word, and post {post} stays as it was. "
    "Edit it yourself, so that it says what you mean."
)
CLOSED_BY_ANOTHER = (
    "closing somebody else's pull request is no move in this game: post {post} is pending all the same, and votes here count. "
    "Open it again, so that everybody sees that."
)
BRANCH_GONE = (
    "your branch is gone, deleted or renamed, and with it this was closed. What was proposed is kept: post {post} is pending all "
    "the same, and votes here count. To give it up, vote against it here; to show it as open, restore the branch and open it again."
)
NOTHING_LEFT = (
    "your branch has nothing that the game has not, and with that this was closed; it cannot be opened again. What was proposed is "
    "kept: post {post} is pending all the same, and votes here count. To give it up, vote against it here."
)
GIVEN_UP = "post {post} is given up, for its author has voted against it, and opening this again does not take that back."
SELF_KILLED = "self_killed"


def proposed(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    assert event.who is not None
    if look.post(pull.number) is not None or pull.state != "open":
        return None
    if pull.draft:
        return Tell(
            (_asked(event, "draft"),),
            "this is a draft, and waits. Mark it as ready, and it becomes a proposal.",
            refusal=False,
        )
    actor = look.player(event.who)
    if actor is None:
        return stranger(look, event)
    if pull.base_ref != look.branch:
        key = _asked(event, FOR + marks.key_of(pull.base_ref))
        text = ELSEWHERE.format(base=printable(pull.base_ref, 60), branch=look.branch)
        return Tell((key,), text, event.who)
    keys = tuple(dict.fromkeys((event.id, head_id(pull.number, pull.head_sha))))
    try:
        words = words_of(pull)
        takes = look.actions["propose"].parameters if "propose" in look.actions else {}
        given = words.matter(look.changes(pull.head_sha, words.block), takes)
    except NomicError as wrong:
        return Tell(keys, NOT_PROPOSED.replace("{}", str(wrong)), event.who)
    at = max(event.at, stands_since(pull))  # who asks for it to be proposed asked for what stood there then
    return do(
        look,
        replace(event, at=at),
        actor,
        "propose",
        given,
        events=keys,
        branch=pull.head_sha,
        thread=True,
        proof=words.proof,
        else_=NOT_PROPOSED,
    )


def _asked(event: Event, key: str) -> str:
    """The key of what is told once of how a pull request stands; whoever asks for it to be proposed is answered each time."""
    return event.key if event.spoken else key


def pushed(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    its_post = look.post(pull.number)
    if its_post is None:
        return proposed(look, event, pull) if look.told(pull.number, f"pull-{pull.number}") else None
    number, post = its_post
    if post.get("status") != "pending" or look.same(post, pull.head_sha):
        return None
    if pull.state != "open" and look.holds(pull.head_sha):
        return None  # its closing is answered
    if (other := pull.foreign_head or pull.foreign_body) is not None:
        return not_own(event, other, NOT_TAKEN.replace("{post}", str(number)))
    changes = look.changes(pull.head_sha, words_of(pull).block)
    if brings(post, changes):
        return None
    return _edit(look, event, number, {"changes": changes}, branch=pull.head_sha)


def reworded(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    its_post = look.post(pull.number)
    if its_post is None or its_post[1].get("status") != "pending":
        return None
    number, post = its_post
    words = words_of(pull)
    given: dict[str, Any] = {}
    if words.title != post.get("title"):
        given["title"] = words.title
    if words.body != post.get("body"):
        given["body"] = words.body
    said_anew = words.block and not brings(post, words.block) and look.same(post, pull.head_sha) is not False
    other = pull.foreign_title if "title" in given else None
    if said_anew or "body" in given:
        other = pull.foreign_body or other
    if other is not None:
        return not_own(event, other, NOT_TAKEN.replace("{post}", str(number)))
    branch = None
    if said_anew:
        changes = look.changes(pull.head_sha, words.block)
        if not brings(post, changes):
            given["changes"], branch = changes, pull.head_sha
    return _edit(look, event, number, given, branch=branch) if given else None


def _edit(
    look: Look, event: Event, number: int, given: Mapping[str, Any], branch: str | None
) -> Do | Tell | None:
    actor = player(look, event)
    if actor is None:
        return None
    stays = f"\nPost {number} stays as it was, and so do the votes on it. To propose something else, open a new pull request."
    if "edit-post" not in look.actions:
        return Tell((event.key,), "no rule lets anybody edit a post." + stays, event.who)
    return do(
        look,
        event,
        actor,
        "edit-post",
        {"post": str(number), **given},
        branch=branch,
        else_="the edit is refused: {}" + stays,
    )


def closed(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    """The author who closes a pull request gives the proposal up, where the law lets authors do so by a vote against it."""
    its_post, actor = look.post(pull.number), player(look, event)
    if its_post is None or its_post[1].get("status") != "pending":
        return None
    number, post = its_post
    if actor is None or post.get("author") != actor:
        return Tell((event.id,), CLOSED_BY_ANOTHER.replace("{post}", str(number)), event.who)
    if pull.branch_gone:
        return Tell((event.id,), BRANCH_GONE.replace("{post}", str(number)), event.who)
    if look.holds(pull.head_sha):
        return Tell((event.id,), NOTHING_LEFT.replace("{post}", str(number)), event.who)
    icons = saying.icons(look.actions)
    if post.get(SELF_KILLED) is True:
        return None
    if "against" not in icons or not look.declares(SELF_KILLED):
        text = f"closing a pull request is no move in this game: post {number} is pending all the same."
        return Tell((event.key,), text, event.who)
    return do(look, event, actor, "vote", ballot(look, number, "against", ""))


def reopened(look: Look, event: Event, pull: Pull) -> Tell | None:
    """Whoever opens a pull request again whose proposal is resolved, or given up."""
    its_post = look.post(pull.number)
    if its_post is None:
        return None
    number, post = its_post
    if post.get("status") != "pending":
        why = f"post {number} {fate(str(post.get('status')))}, and opening this again changes nothing."
    elif post.get(SELF_KILLED) is True:
        why = GIVEN_UP.replace("{post}", str(number))
    else:
        return None
    return Tell((event.id,), f"{why} To propose it anew, open a new pull request.", event.who)
