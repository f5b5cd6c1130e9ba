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
CHANGED = (
    "your {icon} does not count: what is proposed here was pushed or edited after it, or may have been. "
    "Look again at what stands here now{where}, and vote anew."
)
NO_MORE = (
    "your {icon} does not count: it was for something else than what post {post} brings now, or may have been. "
    "Look at it again{brought}, and vote anew."
)
BRINGS_OTHER = (
    "your {icon} does not count yet: this pull request shows something else{where} than post {post} brings. "
    "The post brings what stood at {stood}. "
    "Look at that, and vote on just that by the post's number: /vote {post} {icon}"
)
NO_THREAD = 0
"""The number of no thread."""
WITHDRAWING = ("withdraw", "withdrawn")


def ballot(look: Look, number: int, icon: str, text: str) -> dict[str, Any]:
    given = {"matter": str(number), "icon": icon, "text": text}
    takes = look.actions["vote"].parameters
    return {key: value for key, value in given.items() if key in takes and value != ""}


def reviewed(look: Look, event: Event) -> Do | Tell | None:
    """A review that approves, or requests changes; one that only comments is read as a comment is."""
    icon = STATES.get(event.state) if event.state is not None else None
    if icon is None or icon not in saying.icons(look.actions):
        return None
    return vote(look, event, Vote(icon, event.text.strip()))


def named(look: Look, event: Event, rest: str) -> Do | Tell | None:
    """A vote that names its matter, which may have no thread: ``12 for``, and what else is said. ``#12`` may mean a thread."""
    name, *cast = rest.split(maxsplit=1)
    number = int(name.lstrip("#"))
    said = saying.said(f"/vote {''.join(cast)}", saying.icons(look.actions))
    if not isinstance(said, Vote):
        raise Refused.of("a vote names one matter, and one icon", mend=f"/vote {number} for")
    if name.startswith("#") and (there := look.post(number)) is not None and there[0] != number:
        other = look.numbered(number)
        if other is not None and other[1].get("status") is not None:
            what = f"nobody can tell whether {name} is the matter that stands there, post {there[0]}, or post {number}"
            raise Refused.of(what, mend=f"/vote {there[0]} {said.icon}, or /vote {number} {said.icon}")
        number = there[0]
    return vote(look, event, said, number)


def vote(look: Look, event: Event, vote: Vote, matter: int | None = None) -> Do | Tell | None:
    """What becomes of a vote, on the ``matter`` that it names, else on that of the thread."""
    actor = player(look, event)
    if actor is None:
        return stranger(look, event)
    its_post = look.post(event.number) if matter is None else look.numbered(matter)
    if (why := _in_the_way(look, event, its_post, matter)) is not None:
        head = look.head_of(event.number) if matter is None else None
        words = {"icon": vote.icon.upper(), "where": f" ({head})" if head is not None else ""}
        if its_post is not None:
            stood = its_post[1].get("branch_head")
            words |= {
                "post": str(its_post[0]),
                "stood": str(stood),
                "brought": f" ({stood})" if stood else "",
            }
        return Tell((event.key,), why.format(**words), event.who)
    assert its_post is not None
    number = its_post[0]
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


def _in_the_way(
    look: Look, event: Event, its_post: tuple[int, Mapping[str, Any]] | None, matter: int | None
) -> str | None:
    """Why a vote is none, or was not for what the post brings: a review is for the commit that it looked at, any other vote for
    what its author surely saw. None where nothing is in its way."""
    if its_post is None and matter is not None:
        return f"this is no vote: there is no post {matter}."
    if its_post is None:
        return CHANGED if event.early else NO_MATTER
    number, post = its_post
    if matter is not None:  # who names a post means just what it brings, whatever a branch shows
        cast_for_it = event.at >= max(look.content_at(NO_THREAD, number), instant(str(post["at"])))
        return None if cast_for_it else NO_MORE
    looked_at = event.commit if event.what is What.REVIEWED else None
    if looked_at is not None and (same := look.same(post, looked_at)) is not None:
        return None if same else NO_MORE
    if event.what is What.REVIEWED and looked_at is None and post.get("branch_head"):
        return NO_MORE
    if event.at <= look.content_at(event.number, number):
        return NO_MORE
    return BRINGS_OTHER if looked_at is None and look.shows_other(event.number, post) else None


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
    if event.foreign is not None:
        known = icon is not None or "withdraw-vote" in look.actions
        stays = "only you withdraw it" if known else "no rule knows votes that are withdrawn"
        return not_own(event, event.foreign, f"{{}} has dismissed your review. Your vote stays: {stays}.")
    if icon is not None:
        return do(look, event, actor, "vote", ballot(look, its_post[0], icon, ""))
    if "withdraw-vote" in look.actions:
        return do(look, event, actor, "withdraw-vote", {"matter": str(its_post[0])})
    text = "your review was dismissed, but no rule knows votes that are withdrawn: yours stays. To change it, vote anew."
    return Tell((event.key,), text, event.who)
