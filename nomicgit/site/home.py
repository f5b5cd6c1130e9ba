"""The first page: what this is, how things stand, what is pending, what the players have, what one could do, what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from nomicgit.ground import clock, deaths
from nomicgit.outlook.overview import Dynasty, Outlook
from nomicgit.physics.state import reading
from nomicgit.site import acts, chronicle, markup, matters, players, scores
from nomicgit.site.asked import Untold
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Scribe, aged

URI = "index.md"
LATEST = 12
SHOWN = 10  # players
PRACTICE = "This is a practice game: its time stands still until somebody moves it on."
FIRST: tuple[str, ...] = ("join", "propose", "vote")  # what a newcomer comes for


def page(look: Look) -> Page:
    """The game at a glance."""
    scribe = Scribe(look, URI)
    seen = _seen(look)
    sections = (
        Section("now", "Now", markup.facts(_now(scribe, seen))),
        Section("pending", "Waiting for votes", _pending(scribe, seen)),
        Section("standings", "What the players have", _standings(scribe)),
        Section("act", "What you can do", _doing(scribe)),
        Section("latest", "What happened", _latest(scribe)),
        Section("built", "About this page", _built(look)),
    )
    return Page(URI, look.game.settings.name or "The game", _pitch(scribe, seen), sections, listed=True)


def _seen(look: Look) -> Outlook:
    """The outlook; where the law does not let it be told, what stands there without asking it."""
    seen = look.outlook()
    if isinstance(seen, Outlook):
        return seen
    fields: Mapping[str, Any] = look.world.store.fields("dynasty") or {}
    number, name, began = fields.get("number") or 0, fields.get("name") or "", fields.get("began") or ""
    dynasty = Dynasty(number, name, fields.get("emperor"), began, interregnum=False, terms={})
    active = tuple(look.name(ref) for ref in reading.roster(look.world))
    why = f"it cannot tell what is pending: {seen.why}"
    return Outlook("", "", not look.live, look.at, dynasty, None, "", None, active, (), (), (), (why,))


def empty() -> Page:
    """The only page of a repository without a game."""
    lead = markup.joined(
        (
            markup.tag("p", "There is no game in this repository yet."),
            markup.tag(
                "p",
                "Found one with ",
                markup.code("nomicgit new"),
                ": its ruleset, players, gamestate and posts then stand here.",
            ),
        )
    )
    return Page(URI, "No game yet", lead, listed=True)


def _pitch(scribe: Scribe, seen: Outlook) -> Markup:
    """What this is, for somebody who has never heard of it."""
    called = scribe.look.term("players")
    first = markup.tag(
        "p",
        markup.tag("strong", "This is a game of Nomic: a game in which changing the rules is a move."),
        class_="nomic-pitch",
    )
    named = (
        "The players propose changes"
        if called == "players"
        else f"The players, called {called} just now, propose changes"
    )
    second = markup.tag(
        "p",
        named,
        " to ",
        scribe.link("the rules", "ruleset.md"),
        ", everyone votes, and what passes is law from that moment on. ",
        "The rules also say what else one can do, and how one wins. Whoever wins leads the next round, called a ",
        scribe.link("dynasty", "dynasties.md"),
        ". ",
        _leader(scribe, seen),
    )
    practice = markup.tag("p", PRACTICE, class_="nomic-banner") if not scribe.look.live else markup.NOTHING
    return markup.joined((first, practice, second, markup.tag("p", _short(scribe, seen))))


def _short(scribe: Scribe, seen: Outlook) -> Markup:
    """What waits, and what a visitor could do now, in a sentence each."""
    look, many = scribe.look, len(seen.matters)
    waits = (
        _here(f"{many} matter{'s wait' if many > 1 else ' waits'}", "pending") if many else "Nothing waits"
    )
    offers = [name for name in FIRST if name in look.world.law.declared.actions and name not in look.closed()]
    offers = [name for name in offers if many or name != "vote"] or ["take part"]
    could = " or ".join([", ".join(offers[:-1]), offers[-1]] if len(offers) > 1 else offers)
    return markup.joined((waits, " for votes. You could ", _here(could, "act"), ", or just read on."))


def _here(text: str, anchor: str) -> Markup:
    return markup.tag("a", text, href=f"#{anchor}")


def _leader(scribe: Scribe, seen: Outlook) -> Markup:
    if not seen.dynasty.emperor:
        return markup.escaped("Nobody leads this one.")
    term = scribe.look.term("emperor")
    return markup.joined(
        (
            "This one is led by ",
            scribe.player(seen.dynasty.emperor),
            "" if term == "emperor" else f", who is called {term}",
            ".",
        )
    )


def _now(scribe: Scribe, seen: Outlook) -> Iterator[tuple[object, object]]:
    look, dynasty = scribe.look, seen.dynasty
    reigns = look.annals.reigns
    yield "Dynasty", scribe.reign(reigns[-1]) if reigns else str(dynasty.number)
    yield look.term("emperor"), scribe.player(dynasty.emperor)
    if dynasty.began:
        yield "Began", aged(look, dynasty.began)
    if dynasty.interregnum:
        yield "Interregnum", markup.mark("between two dynasties", "hiatus")
    if seen.hiatus is not None:
        why = seen.hiatus_reason or "yes"
        yield (
            "Hiatus",
            markup.joined((markup.mark("hiatus"), markup.timed(why)), " ") if seen.hiatus else "none",
        )
    if seen.quorum is not None:
        yield "Quorum", f"{seen.quorum} votes"
    yield "Players", scribe.link(f"{len(seen.active)} active", "players.md")
    yield "Rules", scribe.link(f"{len(look.world.ruleset.rules)}", "ruleset.md")


# What is pending.


def _pending(scribe: Scribe, seen: Outlook) -> Markup:
    broken = markup.joined(
        markup.tag("p", line, class_="nomic-banner")
        for line in (*_shut(scribe.look), *(f"The law is broken: {defect}" for defect in seen.defects))
    )
    broken = markup.joined((_waits(seen), broken, *(acts.asked(scribe, each) for each in seen.petitions)))
    if seen.matters:
        return markup.joined((broken, *(matters.card(scribe, matter) for matter in seen.matters)))
    waiting = scribe.look.pending()
    if waiting:
        return markup.joined((broken, markup.listed(map(scribe.post, waiting))))
    return markup.joined((broken, markup.tag("p", "Nothing is pending.")))


def _waits(seen: Outlook) -> Markup:
    """What fell due by the clock and waits for who has the game's key, and what only they can say."""
    lines: list[object] = [f"Sealed: only the keeper can say what {name} is." for name in seen.sealed]
    if seen.waits is not None:
        event, at = seen.waits
        said = " and waits for who keeps this game's key. These pages show the game as it was before that."
        lines.insert(
            0, markup.joined((markup.code(event), " fell due ", markup.moment(clock.text(at)), said))
        )
    return markup.joined(markup.tag("p", line, class_="nomic-banner") for line in lines)


def _shut(look: Look) -> Iterator[object]:
    """That no way to change the law is seen any more, or from when on, while there is time to mend it."""
    shut = look.shut_from()
    if isinstance(shut, Untold):
        yield f"Whether the law can still be changed is not told: {shut.why}"
    elif shut is not None and shut <= look.at:
        yield "No way to change the law is seen any more."
    elif shut is not None:
        when = markup.moment(clock.text(shut))
        yield markup.joined(("No way to change the law is seen from ", when, " on: change it before."))


# What the players have, what to do, what happened.


def _standings(scribe: Scribe) -> Markup:
    """The players with the numbers of this dynasty that tell one from another; which of them wins, if any, the rules say."""
    numbers, refs = scores.telling(scribe.look)
    everybody = scribe.link("All players", players.URI)
    if not numbers:
        return markup.tag("p", "No number of this dynasty tells one player from another yet. ", everybody)
    rows = ([players.name(scribe, ref), *(scribe.variable(ref, v) for v in numbers)] for ref in refs[:SHOWN])
    rules = markup.joined((scribe.rule(slug) for slug in dict.fromkeys(v.rule for v in numbers)), ", ")
    about = markup.tag(
        "p", "What these numbers are good for: see ", rules, ". ", everybody, class_="nomic-about"
    )
    head = ["Player", *map(scores.headed, numbers)]
    return markup.joined((markup.table(head, rows, sortable=True, label="What the players have"), about))


def _doing(scribe: Scribe) -> Markup:
    look = scribe.look
    declared = look.world.law.declared.actions
    lines: list[object] = [
        markup.joined(
            (
                "Read ",
                scribe.link("the rules", "ruleset.md"),
                ", or start with ",
                scribe.link("the words they define", "terms.md"),
                ".",
            )
        )
    ]
    offers = (
        ("join", "Join the game"),
        ("propose", "Propose a change of the rules"),
        ("vote", "Vote on what is pending"),
        ("cfj", "Call for judgement where something went wrong"),
        ("post", "Write a post"),
    )
    for name, words in offers:
        if name in declared:
            why = look.closed().get(name)
            way = markup.timed(f"not now, {why}") if why else acts.doing(scribe, declared[name])
            lines.append(markup.joined((f"{words}: ", way)))
    others = [action.name for action in acts.listed(look) if action.name not in dict(offers)]
    shut = sum(name in look.closed() for name in others)
    link = scribe.link(f"{len(others) - shut} actions", acts.URI)
    more = f", and {shut} that are closed just now." if shut else "."
    lines.append(markup.joined(("Everything else that the rules let one do: ", link, more)))
    folded = markup.folded("How one acts in a clone", acts.how(look))
    return markup.joined((acts.there(look), markup.listed(lines), folded))


def _latest(scribe: Scribe) -> Markup:
    """The latest deeds."""
    rows = (
        [markup.moment(done.deed.at), chronicle.who(scribe, done), chronicle.told(scribe, done)]
        for done in chronicle.latest(scribe, LATEST)
    )
    more = markup.tag("p", scribe.link("The journal", chronicle.URI), " tells everything.")
    return markup.joined((markup.table(["When", "Who", "What"], rows, label="Latest deeds"), more))


def _built(look: Look) -> Markup:
    """When the pages were made, and from what."""
    commit = look.game.head.oid
    when = markup.tag(
        "p",
        "As of ",
        markup.moment(look.at),
        ", built from the commit ",
        markup.code(commit[:12]),
        " of the game's repository.",
        class_="nomic-about",
    )
    due = [f"What fell due by then is not worked out: {look.due.why}."] if look.due else []
    more = [f"Not asked of the law: {name}, since {deaths.HURT}." for name in look.asking.deadly()]
    return markup.joined((when, markup.listed([*due, *more])))
