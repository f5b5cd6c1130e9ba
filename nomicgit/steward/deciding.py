"""What an event asks for: a deed, or that somebody is told something, or nothing. It decides; others do."""

from __future__ import annotations

from nomicgit.ground.problems import NomicError, printable
from nomicgit.record import forms
from nomicgit.steward import saying
from nomicgit.steward.asking import Do, HandIn, Look, Tell, Thread, in_words, not_own, welcome
from nomicgit.steward.asks import MOST
from nomicgit.steward.commanding import heard, opened
from nomicgit.steward.events import Event, What
from nomicgit.steward.pulls import closed, proposed, pushed, reopened, reworded
from nomicgit.steward.saying import Vote
from nomicgit.steward.seen import Pull, ReviewState
from nomicgit.steward.voting import dismissed, reviewed

NOT_OWN = (
    "{} has edited this after you. So it is not your word, and counts for nothing. "
    "Edit it yourself, so that it says what you mean, or say it anew."
)

NOT_OWN_NOW = (
    "{} has edited this after it was done. That changes nothing: what you said stands in the record as it was. "
    "Say anew, in a comment or a form of its own, what you mean otherwise."
)

TOO_MANY = (
    f"the first {MOST} commands and votes of a text are read, and here are more. "
    "From this on nothing was done: {}\nSay the rest in a comment of its own."
)

DONE_BEFORE = (
    "you have edited this after it was done, and that changes nothing. "
    "If you mean something else now, say it anew, in a comment or a form of its own."
)


def decide(look: Look, event: Event, thread: Thread) -> Do | Tell | HandIn | None:
    """What an event asks for; nothing where somebody else has edited what it says, and then its author is told."""
    if event.who is None or event.who.bot:
        return None
    wish = _asked(look, event, thread)
    if wish is None and event.what in (What.SAID, What.OPENED) and thread.state == "open":
        wish = welcome(look, event)
    if event.foreign is None or event.what is What.DISMISSED:
        return wish
    if not isinstance(wish, Do) and look.player(event.who) is None:
        return wish
    if wish is None and event.what is What.OPENED and isinstance(thread, Pull):
        return None  # it is proposed already; its words have events of their own
    return not_own(event, event.foreign, NOT_OWN)


def _asked(look: Look, event: Event, thread: Thread) -> Do | Tell | HandIn | None:
    if event.beyond:
        return Tell(
            (event.key,), TOO_MANY.replace("{}", printable(event.text.partition("\n")[0], 80)), event.who
        )
    try:
        match event.what:
            case What.OPENED:
                return (
                    proposed(look, event, thread) if isinstance(thread, Pull) else opened(look, event, thread)
                )
            case What.PUSHED if isinstance(thread, Pull):
                return pushed(look, event, thread)
            case What.REWORDED if isinstance(thread, Pull):
                return reworded(look, event, thread)
            case What.REVIEWED if event.state is not ReviewState.COMMENTED:
                return reviewed(look, event)
            case What.DISMISSED:
                return dismissed(look, event)
            case What.SAID | What.REVIEWED:
                return heard(look, event, thread)
            case What.CLOSED if isinstance(thread, Pull):
                return closed(look, event, thread)
            case What.REOPENED if isinstance(thread, Pull):
                return reopened(look, event, thread)
    except NomicError as wrong:
        return Tell((event.key,), in_words(look, wrong), event.who)
    return None


ONCE = (What.DISMISSED, What.CLOSED, What.REOPENED)
"""What somebody does at one moment, and means for how things stand then."""


def for_good(event: Event, thread: Thread) -> bool:
    """Whether it is decided once and for good what it asks for, though that be nothing: what people say, and what they do at one
    moment. Else it shows how a pull request stands, and may ask for something once things are otherwise."""
    return event.spoken or event.what in ONCE or (event.what is What.OPENED and not isinstance(thread, Pull))


def edited_since(look: Look, event: Event, at: int) -> Tell | None:
    """What the author is told of a command, a form or a vote that was done at an instant as it stood then and was edited since,
    by them or by somebody else."""
    if event.who is None or event.who.bot or event.edited <= at:
        return None
    if event.foreign is not None:
        return not_own(event, event.foreign, NOT_OWN_NOW)
    try:
        asked = saying.said(event.text, saying.icons(look.actions)) or forms.named(event.text)
    except NomicError:
        asked = event.text
    actor = look.player(event.who)
    if asked is None or actor is None:
        return None
    its_post = look.post(event.number)
    if isinstance(asked, Vote) and (its_post is None or look.ballot(actor, its_post[0]) == asked.icon):
        return None
    return Tell((event.key,), DONE_BEFORE, event.who)
