"""A pending matter in words: how it stands, what may become of it, and when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from nomicgit.cli.terminal import inline
from nomicgit.ground import clock
from nomicgit.ground.problems import printable
from nomicgit.outlook.overview import Matter
from nomicgit.record import forms

LONG = 200  # letters of a title where several stand; its own page has it whole


def lines(matter: Matter, now: int, undone: str, forge: Mapping[str, Any] | None) -> Iterator[str]:
    head = click.style(f"{matter.number}  {printable(matter.title, LONG)}", bold=True)
    old = f"{span(matter.age)} old" if matter.age >= 0 else f"dated {span(-matter.age)} ahead"
    yield f"{head}  ({inline(matter.called)} by {matter.author or 'nobody'}, {old})"
    tally = ", ".join(
        f"{count} {icon.upper()}"
        for icon, count in matter.tally.items()
        if count or icon in ("for", "against")
    )
    state = [w for w, on in (("popular", matter.popular), ("unpopular", matter.unpopular)) if on] + list(
        matter.marks
    )
    own = f"; quorum {matter.quorum}" if matter.quorum is not None else ""
    yield f"   {tally or 'no tally'}{own}" + (f"; {', '.join(state).replace('_', '-')}" if state else "")
    for vote in matter.votes:
        yield f"     {vote.player}: {inline(vote.reason or vote.icon.upper())}"
    yield f"   {verdict(matter, now, undone, forge)}"


def verdict(matter: Matter, now: int, undone: str, forge: Mapping[str, Any] | None) -> str:
    """What may become of a matter, and when at the earliest; or why it would be undone. ``forge``: of the game's settings."""
    if undone:
        return click.style(inline(undone), fg="red") + _fails(matter, now, forge)
    if matter.enact.now or matter.fail.now:
        ways = " or ".join(w for w, on in (("enacted", matter.enact.now), ("failed", matter.fail.now)) if on)
        why = f"\n   {inline(matter.why_fail)}" if matter.why_fail else ""
        word = {"enacted": "enact", "failed": "fail"}.get(ways, "resolve")
        return click.style(f"may be {ways} now", fg="green") + f": {_resolving(matter, forge, word, why)}"
    why = f"not enacted: {matter.enact.why_not}; not failed: {matter.fail.why_not}"
    said = inline(why if matter.enact.why_not != matter.fail.why_not else matter.enact.why_not)
    if matter.waits_for is not None:
        return f"waits for {matter.waits_for}: {said}"
    return f"{said}\n   {_when(matter, now)}"


def _fails(matter: Matter, now: int, forge: Mapping[str, Any] | None) -> str:
    """From when on a matter that would not be enacted may be failed, on a line of its own; nothing where that is unseen."""
    at = matter.fail.earliest
    if at is None:
        return ""
    when = "now" if matter.fail.now else f"from {clock.text(at)} (in {span(at - now)})"
    return f"\n   may be failed {when}: {_resolving(matter, forge, 'fail')}"


def _resolving(matter: Matter, forge: Mapping[str, Any] | None, word: str, why: str = "") -> str:
    """How it is resolved that may be, why, and by whom alone, where somebody is to do that."""
    said, command = forms.resolved_by(forge, matter.number, word)
    hands = f"\n   {inline(matter.hands)}" if command and matter.hands else ""
    return f"{said}{command}{why}{hands}"


def _when(matter: Matter, now: int) -> str:
    at = matter.earliest
    if at is None:
        until = matter.enact.known_until or matter.fail.known_until
        if not until:
            return "time alone does not change that"
        if until <= now:
            return "from when on it may be is not seen from here"
        return (
            f"not before {clock.text(until)}, if nobody does anything; what comes later is not seen from here"
        )
    what = "enacted" if matter.enact.earliest == at else "failed"
    return (
        click.style(f"may be {what} from {clock.text(at)}", fg="yellow")
        + f" (in {span(at - now)}), if no vote changes"
    )


def span(seconds: int) -> str:
    """A length of time in its two largest units."""
    if seconds < 60:
        return f"{seconds} s"
    units = (("d", 86_400), ("h", 3600), ("min", 60))
    parts = []
    for unit, size in units:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2])
