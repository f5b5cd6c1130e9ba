"""The dynasties: a list, and a page for each with who led and who won it, what was enacted, and how people voted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from nomicgit.record.annals import Reign
from nomicgit.site import bygone, charts, heirlooms, markup, posts
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, ways_to
from nomicgit.site.scribe import Scribe

URI = "dynasties.md"


def pages(look: Look) -> Iterator[Page]:
    """All dynasties, the latest first; then each."""
    scribe, reigns = Scribe(look, URI), look.annals.reigns
    rows = (
        [
            scribe.reign(reign),
            _led(scribe, reign),
            markup.moment(reign.began.deed.at),
            _end(reign),
            _winner(scribe, reign),
        ]
        for reign in reversed(reigns)
    )
    lead = markup.joined(
        (
            markup.tag(
                "p",
                "A dynasty is one round of the game. ",
                f"Whoever wins it leads the next as its {look.term('emperor')}, and begins it with new rules.",
            ),
            markup.table(
                ["Dynasty", "Led by", "Began", "Ended", "Won by"],
                rows,
                label="Dynasties",
            ),
        )
    )
    yield Page(URI, "Dynasties", lead, listed=True)
    for reign in reigns:
        yield _page(look, reign)


def _led(scribe: Scribe, reign: Reign) -> Markup:
    """Who led it; where the lead was passed on, one after another."""
    return markup.joined(map(scribe.player, reign.emperors), ", then ") or markup.nothing()


def _end(reign: Reign) -> Markup:
    return markup.moment(reign.ended.deed.at) if reign.ended else markup.mark("under way")


def _winner(scribe: Scribe, reign: Reign) -> Markup:
    won = heirlooms.victory(scribe.look, reign)
    victor = won[0] if won else reign.heir
    return scribe.player(victor) if victor else markup.nothing()


def _numbers(look: Look, reign: Reign) -> list[int]:
    """The posts of a dynasty that still stand, newest first."""
    last = reign.ended.place if reign.ended else len(look.annals.deeds) + 1
    made = {number for number, done in look.annals.postings.items() if reign.began.place <= done.place < last}
    return [number for number in look.posts() if number in made]


def _page(look: Look, reign: Reign) -> Page:
    uri = f"dynasties/{reign.number}.md"
    scribe, numbers = Scribe(look, uri), _numbers(look, reign)
    about = [
        ("Led by", _led(scribe, reign)), ("Began", scribe.deed(reign.began, markup.moment(reign.began.deed.at))),
        ("Ended", scribe.deed(reign.ended, _end(reign)) if reign.ended else _end(reign)), ("Won by", _winner(scribe, reign)),
        ("Posts", str(len(numbers))), ("Deeds", str(_deeds(look, reign))),
    ]  # fmt: skip
    sections = [
        Section("won", "How it was won", heirlooms.won(scribe, reign)),
        Section("time", "What happened", heirlooms.over_time(scribe, reign)),
        Section("rules", "The rules that it made", heirlooms.rules(scribe, reign)),
        Section("talk", "Most talked of", heirlooms.talk(scribe, numbers)),
        Section("statistics", "Statistics", markup.joined(_statistics(look, numbers))),
    ]
    law = _final(scribe, reign)
    if law:
        sections.append(Section("law", "Its last law and gamestate", law))
    sections.append(
        Section("posts", "Posts", posts.table(scribe, numbers) if numbers else markup.tag("p", "None."))
    )
    title = f"Dynasty {reign.number}" + (f": {reign.name}" if reign.name else "")
    there = tuple(section for section in sections if section.body)
    return Page(uri, title, markup.facts(about) + ways_to(there), there, searched=reign.ended is None)


def _deeds(look: Look, reign: Reign) -> int:
    return (reign.ended.place if reign.ended else len(look.annals.deeds) + 1) - reign.began.place


def _final(scribe: Scribe, reign: Reign) -> Markup:
    """The way to the last law of a dynasty that is over: that which its last change left."""
    if reign.ended is None:
        return markup.NOTHING
    changed = [
        each.done
        for history in scribe.look.annals.amendments.values()
        for each in history
        if each.done.place < reign.ended.place
    ]
    last = max(changed, key=lambda done: done.place)
    there = f"{scribe.address(bygone.CHANGES)}?from={reign.began.place}&to={last.place}"
    return markup.tag(
        "p",
        bygone.link(
            scribe, last, "The whole law and the gamestate at the last change of the law in this dynasty"
        ),
        ", and ",
        markup.tag("a", "all that this dynasty changed of the law", href=there),
        ", side by side.",
    )


def _statistics(look: Look, numbers: Sequence[int]) -> Iterator[Markup]:
    kinds: dict[str, dict[str, int]] = {}
    voted: dict[str, float] = {}
    wrote: dict[str, float] = {}
    for number in numbers:
        ref = f"posts/{number}"
        kind, status = (str(look.world.store.value(ref, field) or "") for field in ("kind", "status"))
        author = look.world.store.value(ref, "author")
        if posts.votable(look, ref):
            kinds.setdefault(kind, {}).setdefault(status, 0)
            kinds[kind][status] += 1
            if isinstance(author, str):
                wrote[look.name(author)] = wrote.get(look.name(author), 0) + 1
        for by in {str(entry["by"]) for entry in look.comments(ref) if entry["icon"] and entry["by"]}:
            voted[look.name(by)] = voted.get(look.name(by), 0) + 1
    for kind, counts in kinds.items():
        yield charts.bars(f"What became of each {look.kind(kind)}", _sorted(counts))
    yield charts.bars("Matters brought", _sorted(wrote))
    yield charts.bars("Matters voted on", _sorted(voted))


def _sorted(counts: dict[str, int] | dict[str, float]) -> list[tuple[str, float]]:
    return sorted(
        ((name, float(count)) for name, count in counts.items()), key=lambda pair: (-pair[1], pair[0])
    )
