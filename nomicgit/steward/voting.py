"""What becomes of reviews and of comments that vote: votes on what was looked at, and on nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.clock import instant
from nomicgit.ground.problems import Refused
from nomicgit.steward import saying
from nomicgit.steward.asking import Do, Look, Tell, do, not_own, player, stranger
from nomicgit.steward.events import Event, What
from nomicgit.steward.saying import Vote
from nomicgit.steward.seen import ReviewState

STATES = {ReviewState.APPROVED: "for", ReviewState.CHANGES_REQUESTED: "against"}
"""What the two opinions of a review mean, where the law has such icons."""
NO_MATTER = (
    "this is no vote: there is nothing here to vote on (yet). "
    "A matter that stands elsewhere, or on no thread at all, is named by its post's number: /vote 12 for"
)
NO_THREAD = 0
"""The number of no thread."""
WITHDRAWING = ("withdraw", "withdrawn")


def ballot(look: Look, number: int, icon: str, text: str) -> dict[str, Any]:
    given = {"matter": str(number), "icon": icon, "text": text}
    takes = look.actions["vote"].parameters
    return {key: value for key, value in given.items() if key in takes and value != ""}


def reviewed(look: Look, event: Event) -> Do | Tell | None:
    icons = saying.icons(look.actions)
    if event.state is ReviewState.COMMENTED:
        said = saying.said(event.text, icons)
        return vote(look, event, said) if isinstance(said, Vote) else None
    icon = STATES.get(event.state) if event.state is not None else None
    if icon is None or icon not in icons:
        return None
    return vote(look, event, Vote(icon, event.text.strip()))


def named(look: Look, event: Event, rest: str) -> Do | Tell | None:
    """A vote that names its matter, which may have no thread: ``12 for``, and what else is said."""
    number, *cast = rest.split(maxsplit=1)
    said = saying.said(f"/vote {''.join(cast)}", saying.icons(look.actions))
    if not isinstance(said, Vote):
        raise Refused.of("a vote names one matter, and one icon", mend=f"/vote {number} for")
    return vote(look, event, said, int(number))


def vote(look: Look, event: Event, vote: Vote, matter: int | None = None) -> Do | Tell | None:
    """What becomes of a vote, on the ``matter`` that it names, else on that of the thread."""
    actor = player(look, event)
    if actor is None:
        return stranger(look, event)
    its_post = look.post(event.number) if matter is None else look.numbered(matter)
    if its_post is None:
        why = NO_MATTER if matter is None else f"this is no vote: there is no post {matter}."
        return Tell((event.key,), why, event.who)
    number, post = its_post
    same = (
        _of_this_content(look, event, number, post) if matter is None else _since(look, event, number, post)
    )
    if not same:
        text = (
            f"your {vote.icon.upper()} does not count: it was for something else than what post {number} brings now. "
            "Look at it again, and vote anew."
        )
        return Tell((event.key,), text, event.who)
    if event.at < look.voted_at(actor, number):
        text = f"{vote.icon.upper()} was seen late, after a newer vote of yours, which counts."
        return Tell((event.key,), text, refusal=False)
    return do(
        look,
        event,
        actor,
        "vote",
        ballot(look, number, vote.icon, vote.text),
        answer=matter is not None,
        else_="your vote is refused: {}",
    )


def _of_this_content(look: Look, event: Event, number: int, post: Mapping[str, Any]) -> bool:
    """Whether a vote was for what the post brings: by the commit that a review looked at, else by its time."""
    if event.what is What.REVIEWED:
        same = look.same(post, event.commit) if event.commit is not None else None
        if same is not None:
            return same
        if event.commit is None and post.get("branch_head"):
            return False
    return event.at >= look.content_at(event.number, number)


def _since(look: Look, event: Event, number: int, post: Mapping[str, Any]) -> bool:
    """Whether a post that a vote names said what it says when the vote was cast."""
    return event.at >= max(look.content_at(NO_THREAD, number), instant(str(post["at"])))


def dismissed(look: Look, event: Event) -> Do | Tell | None:
    """A vote that is withdrawn, where the law knows that: by an icon, or an action, of that name."""
    its_post, actor = look.post(event.number), player(look, event)
    icons = saying.icons(look.actions)
    if (
        its_post is None
        or actor is None
        or its_post[1].get("status") != "pending"
        or STATES.get(event.state or ReviewState.COMMENTED) is None
    ):
        return None
    icon = next((icon for icon in icons if icon in WITHDRAWING), None)
    if event.foreign is not None and (icon is not None or "withdraw-vote" in look.actions):
        return not_own(
            event, event.foreign, "{} has dismissed your review. Your vote stays: only you withdraw it."
        )
    if icon is not None:
        return do(look, event, actor, "vote", ballot(look, its_post[0], icon, ""))
    if "withdraw-vote" in look.actions:
        return do(look, event, actor, "withdraw-vote", {"matter": str(its_post[0])})
    text = "your review was dismissed, but no rule knows votes that are withdrawn: yours stays. To change it, vote anew."
    return Tell((event.key,), text, event.who)
