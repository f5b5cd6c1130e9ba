"""What an event asks for: a deed, or that somebody is told something, or nothing. It decides; others do."""

from __future__ import annotations

from nomicgit.forge.seen import Pull
from nomicgit.ground.problems import NomicError
from nomicgit.steward.asking import Do, Look, Tell, Thread
from nomicgit.steward.commanding import filled_in, heard
from nomicgit.steward.events import Event, What
from nomicgit.steward.pulls import closed, proposed, pushed, reworded
from nomicgit.steward.voting import dismissed, reviewed


def decide(look: Look, event: Event, thread: Thread) -> Do | Tell | None:
    """What an event asks for."""
    if event.who is None or event.who.bot:
        return None
    try:
        match event.what:
            case What.OPENED:
                return proposed(look, event, thread) if isinstance(thread, Pull) else filled_in(look, event)
            case What.PUSHED if isinstance(thread, Pull):
                return pushed(look, event, thread)
            case What.REWORDED if isinstance(thread, Pull):
                return reworded(look, event, thread)
            case What.REVIEWED:
                return reviewed(look, event)
            case What.DISMISSED:
                return dismissed(look, event)
            case What.SAID:
                return heard(look, event, thread)
            case What.CLOSED if isinstance(thread, Pull):
                return closed(look, event, thread)
    except NomicError as wrong:
        return Tell((event.id,), str(wrong), event.who)
    return None
