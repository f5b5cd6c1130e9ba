"""The card of a pending matter: its tally, who voted how, what it waits for, and how one votes."""

from __future__ import annotations

from markupsafe import Markup

from nomicgit.ground import clock
from nomicgit.outlook.overview import Matter
from nomicgit.physics.state import naming
from nomicgit.record import forms
from nomicgit.site import acts, markup
from nomicgit.site.onlooking import Look
from nomicgit.site.scribe import Scribe, aged


def _besides(reason: str, icon: str) -> str:
    """What the reason of a vote says besides the icon, which stands before it."""
    head, rest = reason[: len(icon)], reason[len(icon) :]
    return rest.lstrip(",:; ") if head.casefold() == icon.casefold() and not rest[:1].isalnum() else reason


def card(scribe: Scribe, matter: Matter) -> Markup:
    """A pending matter: its tally, who voted how, what it waits for, and from when it can be resolved."""
    by = scribe.author(f"posts/{matter.number}")
    tally = markup.counted(dict(matter.tally) or None)
    about = markup.joined(
        (f"{scribe.look.kind(matter.kind)} by ", by, ", ", aged(scribe.look, matter.at), " · ", tally)
    )
    votes = markup.joined(
        (
            markup.tag(
                "span",
                scribe.player(naming.player_id(scribe.look.world, v.player) or v.player),
                *((" ", markup.mark(v.icon.upper(), v.icon)) if v.icon else ()),
                f" ({why})" if (why := _besides(v.reason, v.icon)) else "",
            )
            for v in matter.votes
        ),
        ", ",
    )
    marks = markup.joined((markup.mark(m.replace("_", "-")) for m in matter.marks), " ")
    parts = [
        markup.tag("h3", scribe.post(matter.number), " ", marks, id=f"pending-{matter.number}"),
        markup.tag("p", about, class_="nomic-about"),
        markup.tag("p", "Votes: ", votes) if matter.votes else markup.NOTHING,
        markup.tag("p", verdict(scribe, matter), class_="nomic-verdict"),
        markup.tag("p", "Vote: ", _voting(scribe.look, matter.number)),
    ]
    return markup.tag("article", *parts, class_="nomic-card")


def _voting(look: Look, number: int) -> Markup:
    """How one votes: where the matter lives on a forge, with a review or a comment; there by its number; by a command."""
    address = acts.thread(look, number)
    there = markup.tag("a", "on GitHub, with a review or a comment", href=address, rel="noopener")
    command = markup.code(f"nomicgit vote {number} for")
    by_number = acts.elsewhere(look, number)
    return markup.joined(filter(None, (there if address else by_number, command)), ", or ")


def _fails(scribe: Scribe, matter: Matter) -> Markup:
    """From when on a matter that would not be enacted may be failed; nothing where that is unseen."""
    at = matter.fail.earliest
    if at is None:
        return markup.joined(())
    when = "now" if matter.fail.now else markup.joined(("from ", _to_come(scribe.look, at)))
    return markup.joined(
        (
            " May be failed ",
            when,
            ": ",
            _resolving(scribe.look, matter, "fail"),
            _hands(scribe.look, matter),
            ".",
        )
    )


def _resolving(look: Look, matter: Matter, word: str) -> Markup:
    """How it is resolved that may be: by a command, on the forge by another or by nobody."""
    said, command = forms.resolved_by(look.game.settings.forge, matter.number, word)
    return markup.joined((said, markup.code(command) if command else markup.NOTHING))


def _hands(look: Look, matter: Matter) -> str:
    """By whom alone it is resolved, where somebody is to do that by a command."""
    command = forms.resolved_by(look.game.settings.forge, matter.number)[1]
    return f" ({matter.hands})" if command and matter.hands else ""


def verdict(scribe: Scribe, matter: Matter) -> Markup:
    """What may become of a matter, and when at the earliest; or why it would be undone."""
    if undone := scribe.look.undone(f"posts/{matter.number}"):
        return markup.joined((markup.tag("strong", undone), _fails(scribe, matter)))
    if matter.enact.now or matter.fail.now:
        ways = " or ".join(w for w, on in (("enacted", matter.enact.now), ("failed", matter.fail.now)) if on)
        word = {"enacted": "enact", "failed": "fail"}.get(ways, "resolve")
        why = markup.timed(f"; {matter.why_fail}.") if matter.why_fail else ""
        how = _resolving(scribe.look, matter, word)
        return markup.joined(
            (markup.tag("strong", f"May be {ways} now: "), how, _hands(scribe.look, matter), why)
        )
    if matter.waits_for is not None:
        return markup.joined(
            ("Waits for ", scribe.post(matter.waits_for), markup.timed(f": {matter.reason}."))
        )
    at = matter.earliest
    if at is None:
        known = matter.enact.known_until or matter.fail.known_until
        if not known:
            when = markup.escaped("Time alone does not let it be resolved")
        elif known <= scribe.look.at:
            when = markup.escaped("From when on it may be resolved is not seen from here")
        else:
            later = ", if nobody does anything; what comes later is not seen from here"
            when = markup.joined(("Not before ", markup.moment(known), later))
    else:
        what = "enacted" if matter.enact.earliest == at else "failed"
        when = markup.joined((f"May be {what} from ", _to_come(scribe.look, at), " if no vote changes"))
    why = (
        matter.enact.why_not
        if matter.enact.why_not == matter.fail.why_not
        else f"not enacted yet: {matter.enact.why_not}"
    )
    return markup.joined((when, markup.timed(f"; {why}.") if why else "."))


def _to_come(look: Look, at: int) -> Markup:
    """A time to come, and how long till then: told by the browser where time goes on."""
    return (
        markup.until(at) if look.live else markup.joined((markup.moment(at), f" (in {_left(at - look.at)})"))
    )


def _left(seconds: int) -> str:
    for length, unit in ((clock.DAY, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit}"
    return "less than two minutes" if seconds < 120 else f"{seconds // 60} minutes"
