"""A player's morning: what needs their vote, what became of their matters, what happened in the last day, what they may do now.

All of it is worked out when the site is built, for every active player; a browser only keeps who its reader is.
"""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from nomicgit.ground import clock
from nomicgit.ground.reasons import worded
from nomicgit.outlook.overview import Outlook
from nomicgit.outlook.today import Today
from nomicgit.physics.deeds.petitions import Petition
from nomicgit.physics.state import reading
from nomicgit.record.annals import Done, Moved
from nomicgit.site import acts, chronicle, letters, markup, matters, posts, private, traces
from nomicgit.site.asked import Untold
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Scribe, player_uri

URI = private.ME
DEEDS = 60  # in the last day
OWN = 10  # matters of a player


def uri_of(ref: str) -> str:
    """The page of a player's morning."""
    return player_uri(ref).replace("players/", "me/", 1)


def pages(look: Look) -> Iterator[Page]:
    """Who one is, then a page for each active player."""
    refs = reading.roster(look.world)
    yield _who(look, refs)
    for ref in refs:
        yield _morning(look, ref)


def data(look: Look) -> list[dict[str, object]]:
    """The mornings of all active players, as plain data."""
    days = ((look.name(ref), look.today(ref)) for ref in reading.roster(look.world))
    return [{"player": name, **today.as_json()} for name, today in days if isinstance(today, Today)]


def _who(look: Look, refs: list[str]) -> Page:
    scribe = Scribe(look, URI)
    about = markup.tag(
        "p", "What needs your vote, what became of your matters, what you may do now. Who are you? ",
        "This browser keeps it, and nobody else is told.",
    )  # fmt: skip
    lines = (scribe.link(look.name(ref), uri_of(ref)) for ref in refs)
    names = markup.tag(
        "div", markup.listed(lines) or markup.tag("p", "Nobody plays."), class_="nomic-who", id="who"
    )
    idle = [scribe.player(ref) for ref in reading.roster(look.world, idle=True) if ref not in refs]
    none = markup.tag("p", "Whoever is idle has no morning: ", markup.joined(idle, ", "), ".") if idle else ""
    waits = Section("waits", "What waits for whom", _inboxes(scribe, refs))
    return Page(URI, "My morning", markup.joined((about, names, none)), (waits,), listed=True, searched=False)


def _inboxes(scribe: Scribe, refs: list[str]) -> Markup:
    """What waits for each player: the matters that need their vote, and who needs their answer."""
    rows = []
    for ref in refs:
        today = scribe.look.today(ref)
        if isinstance(today, Today) and (today.votes or _askers(scribe.look, today)):
            votes = markup.joined(map(scribe.post, today.votes), ", ")
            askers = markup.joined((scribe.player(each.who) for each in _askers(scribe.look, today)), ", ")
            rows.append([scribe.link(scribe.look.name(ref), uri_of(ref)), votes, askers])
    if not rows:
        return markup.tag("p", "Nothing waits for anybody.")
    return markup.table(
        ["Player", "Needs their vote", "Waits for their answer"], rows, label="What waits for whom"
    )


def _askers(look: Look, today: Today) -> list[Petition]:
    """Those who wait for an answer that somebody may give now."""
    seen = look.outlook()
    petitions = seen.petitions if isinstance(seen, Outlook) else ()
    return [each for each in petitions if each.answer in today.opened]


def _morning(look: Look, ref: str) -> Page:
    scribe = Scribe(look, uri_of(ref))
    lead = markup.tag(
        "p", "As of ", markup.tag("span", markup.moment(look.at), class_="nomic-as-of"), ". ",
        scribe.link("All about this player", player_uri(ref)), ". ",
        scribe.link("I am somebody else", URI, "who"), ".", class_="nomic-about",
    )  # fmt: skip
    today = look.today(ref)
    if isinstance(today, Untold):
        why = markup.tag("p", f"What {look.name(ref)} may do is not told: {today.why}", class_="nomic-banner")
        sections = [*_lately(scribe, ref)]
        return Page(uri_of(ref), f"{look.name(ref)}’s morning", lead + why, tuple(sections), searched=False)
    sections = [
        Section("votes", f"Needs your vote ({len(today.votes)})", _wanted(scribe, today)),
        *_asking(scribe, today),
        *_lately(scribe, ref),
        Section("now", f"What you may do now ({len(today.opened)})", _open(scribe, today)),
    ]
    return Page(uri_of(ref), f"{look.name(ref)}’s morning", lead, tuple(sections), searched=False)


def _asking(scribe: Scribe, today: Today) -> Iterator[Section]:
    """Who waits for this player's answer."""
    askers = [acts.asked(scribe, each) for each in _askers(scribe.look, today)]
    if askers:
        yield Section("answers", f"Waits for your answer ({len(askers)})", markup.joined(askers))


def _wanted(scribe: Scribe, today: Today) -> Markup:
    """The cards of what needs somebody's vote."""
    seen = scribe.look.outlook()
    if not today.votes:
        return markup.tag("p", "Nothing.")
    if not isinstance(seen, Outlook):
        return markup.listed(map(scribe.post, today.votes))
    return markup.joined(matters.card(scribe, each) for each in seen.matters if each.number in today.votes)


def _lately(scribe: Scribe, ref: str) -> Iterator[Section]:
    """What became of a player's matters, what others and the clock changed for them, and what else happened in the last day."""
    look = scribe.look
    own = [
        number for number in look.posts() if posts.votable(look, f"posts/{number}") and _by(look, number, ref)
    ]
    if own:
        yield Section("own", "Your matters", posts.table(scribe, own[:OWN], of_one=True))
    since = look.at - clock.DAY
    moved = traces.noticed(_moved_by_others(look, ref, since))
    if moved:
        yield Section(
            "changed", "What changed for you in the last day", traces.table(scribe, moved, named=False)
        )
    others = [
        done for done in chronicle.latest(scribe, DEEDS) if done.deed.at >= since and _another(done, ref)
    ]
    rows = ([markup.moment(d.deed.at), chronicle.who(scribe, d), chronicle.told(scribe, d)] for d in others)
    table = markup.table(["When", "Who", "What"], rows, label="In the last day")
    happened = table if others else markup.tag("p", "Nothing.")
    yield Section("happened", "What others did in the last day", happened)


def _moved_by_others(look: Look, ref: str, since: int) -> list[Moved]:
    """What others and the clock changed of a player's values from a time on, since they are one."""
    moves = look.moves().get(ref, [])
    made = {each.done.place for each in moves if each.field == "name" and markup.empty(each.old)}
    late = (each for each in moves if each.done.deed.at >= since and each.done.place not in made)
    return [each for each in late if each.clock or _another(each.done, ref)]


def _by(look: Look, number: int, ref: str) -> bool:
    author = look.world.store.value(f"posts/{number}", "author")
    return author in (ref, ref.removeprefix("players/"))


def _another(done: Done, ref: str) -> bool:
    return done.deed.actor != ref.removeprefix("players/")


def _open(scribe: Scribe, today: Today) -> Markup:
    """The actions that are open to somebody, each with its ways; folded away, those that are not."""
    declared = scribe.look.world.law.declared.actions
    rows = (
        [
            markup.code(name),
            declared[name].summary,
            markup.joined(
                (acts.doing(scribe, declared[name]), *acts.spare(scribe, declared[name])), markup.BREAK
            ),
            scribe.rule(declared[name].rule),
        ]
        for name in today.opened
    )
    table = markup.table(["Action", "What it does", "How", "Rule"], rows, sortable=True, label="Open to you")
    reasons: dict[str, list[Markup]] = {}
    for name, why in today.barred.items():
        reasons.setdefault(worded(why), []).append(markup.code(name))
    if today.sealed:
        reasons[f"{acts.SEALED} whether these are open"] = [markup.code(name) for name in today.sealed]
    lines = markup.listed(
        markup.joined((markup.joined(names, ", "), ": ", markup.timed(why))) for why, names in reasons.items()
    )
    closed = (
        markup.folded(f"What you may not do now ({len(today.barred)})", lines) if lines else markup.NOTHING
    )
    shown = table if today.opened else markup.tag("p", "Nothing.")
    return markup.joined((shown, _in_private(scribe), closed))


def _in_private(scribe: Scribe) -> Markup:
    """Where it stands what somebody may do by what they alone are told."""
    if not private.keeps_secrets(scribe.look):
        return markup.NOTHING
    letter = scribe.link("your letter", letters.URI)
    return markup.tag(
        "p",
        "This is what everybody can see. What you may do in private, by what you alone are told, says ",
        letter,
        ".",
    )
