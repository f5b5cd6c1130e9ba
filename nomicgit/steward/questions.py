"""What is only asked on a thread, and answered there: what one can say, how the votes stand, how the game stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from nomicgit.ground import clock
from nomicgit.ground.problems import printable
from nomicgit.outlook.overview import Matter, Outlook
from nomicgit.steward import saying
from nomicgit.steward.asking import Look
from nomicgit.steward.events import Event
from nomicgit.steward.report import fate

MOST = 8
"""Matters that are told one by one; the site has all."""


def _help(look: Look, event: Event) -> str:
    icons = ", ".join(f":{icon}:" for icon in saying.icons(look.actions))
    matter = look.post(event.number) is not None
    lines = [
        "what you can say, at the beginning of a line, in any comment:",
        *(
            [
                f"{icons}: your vote on this matter, with your reasons behind it or below; the last one counts, a 👍 does not"
            ]
            if matter
            else []
        ),
        "/act NAME key=value …: an action of the law's; each has a form, too, under Issues, New issue",
        "/vote 12 for: your vote on post 12, wherever it stands, also where it has no thread here",
        "/enact, /fail, /resolve: for admins, where the matter stands, or with its number: /enact 12",
        "/propose: for the author of a pull request that came too early",
        "/tally: how the votes stand here; /status: how the game stands, and what needs your vote",
        "/join or /join NAME: to become a player",
        f"What you may do now, and what waits for you: {look.site}me/",
    ]
    return "\n".join(lines)


def _tally(look: Look, event: Event) -> str:
    its_post = look.post(event.number)
    if its_post is None:
        return (
            "there is nothing here to vote on. /status names what is pending; /vote 12 for votes on post 12."
        )
    number, post = its_post
    if post.get("status") != "pending":
        return f"post {number} {fate(str(post.get('status')))}; its votes are counted."
    matter = next((each for each in look.outlook().matters if each.number == number), None)
    votes = _votes(matter) if matter is not None else "no votes yet"
    return f"post {number} is pending: {votes}. The report on this page has every vote and its reason."


def _status(look: Look, event: Event) -> str:
    seen = look.outlook()
    return "\n".join([_lead(seen), *_pending(seen), *_yours(look, event), f"All of it: {look.site}"])


def _lead(seen: Outlook) -> str:
    dynasty = seen.dynasty
    theme = f", {printable(dynasty.name, 100)}" if dynasty.name else ""
    lead = f"{dynasty.terms['emperor']} {dynasty.emperor}" if dynasty.emperor else "a metadynasty"
    why = f": {printable(seen.hiatus_reason, 200)}" if seen.hiatus_reason else ""
    return f"dynasty {dynasty.number}{theme}; {lead}." + (f" There is hiatus{why}." if seen.hiatus else "")


def _pending(seen: Outlook) -> Iterator[str]:
    if not seen.matters:
        yield "Nothing is pending."
    for matter in seen.matters[:MOST]:
        yield f"Post {matter.number}, {printable(matter.title, 60)}: {_votes(matter)}; {when(matter)}."
    if len(seen.matters) > MOST:
        yield f"And {len(seen.matters) - MOST} more."


def _votes(matter: Matter) -> str:
    counted = (f"{count} {icon.upper()}" for icon, count in matter.tally.items() if count)
    return ", ".join(counted) or "no votes yet"


def when(matter: Matter) -> str:
    """From when a matter may be resolved, as the votes stand."""
    if matter.waits_for is not None:
        return f"it waits for post {matter.waits_for}"
    for word, answer in (("enacted", matter.enact), ("failed", matter.fail)):
        if answer.now:
            return f"it may be {word} now"
    if matter.earliest is None:
        return "time alone does not resolve it"
    word = "enacted" if matter.enact.earliest == matter.earliest else "failed"
    return f"it may be {word} from {clock.text(matter.earliest)} on, if no vote changes"


def _yours(look: Look, event: Event) -> Iterator[str]:
    assert event.who is not None
    player = look.player(event.who)
    if player is not None:
        wanted = ", ".join(f"post {number}" for number in look.wants_vote(player))
        how = " Say it under the matter, or anywhere by its number: /vote 12 for." if wanted else ""
        yield f"What needs your vote: {wanted or 'nothing'}.{how}"


QUESTIONS: Mapping[str, Callable[[Look, Event], str]] = {"help": _help, "status": _status, "tally": _tally}
"""What only asks, by its word."""
