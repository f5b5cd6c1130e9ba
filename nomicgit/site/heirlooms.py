"""What is worth keeping of a dynasty: how it was won, what happened when, the rules that it made, what was most talked of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from nomicgit.record.annals import Done, Moved, Reign
from nomicgit.site import markup, posts, provenance, scores
from nomicgit.site.onlooking import Look
from nomicgit.site.scribe import Scribe
from nomicgit.site.timelines import Mark, drawn

FIRST = 5  # posts that were most talked of
LANES = 4  # of what became of players
_WORD = re.compile(r"[A-Za-z][A-Za-z' -]{0,23}")


def within(reign: Reign, done: Done) -> bool:
    """Whether a deed was done in a dynasty; the one that begins the next was not."""
    return reign.began.place <= done.place and (reign.ended is None or done.place < reign.ended.place)


def won(scribe: Scribe, reign: Reign) -> Markup:
    """Who won a dynasty and by what, with how it was voted; nothing of one that lasts."""
    if reign.ended is None or reign.heir is None:
        return markup.NOTHING
    won = victory(scribe.look, reign)
    victor = won[0] if won else reign.heir
    parts: list[object] = [markup.tag("strong", scribe.player(victor)), " won it"]
    crowned = won[1] if won else _crowned(scribe.look, reign)
    if crowned is not None and crowned.place != reign.ended.place:
        parts += [
            " by ",
            provenance.cause(scribe, crowned),
            ", ",
            scribe.deed(crowned, markup.moment(crowned.deed.at)),
        ]
    elif any(status == "enacted" for _, status in reign.ended.closed):  # it is won and over by one deed
        parts += [" by ", provenance.cause(scribe, reign.ended)]
    parts += ["; ", *_passed_on(scribe, reign)] if victor != reign.heir else [", and"]
    parts += [" began the next dynasty ", scribe.deed(reign.ended, markup.moment(reign.ended.deed.at))]
    if reign.ended.posted:
        parts += [": ", markup.joined(map(scribe.post, reign.ended.posted), ", ")]
    return markup.tag("p", *parts, ".")


def _passed_on(scribe: Scribe, reign: Reign) -> Iterator[object]:
    """Who came to lead in the place of whoever won, and by what."""
    yield scribe.player(str(reign.heir))
    if passed := _crowned(scribe.look, reign):
        yield from (", who came to lead by ", provenance.cause(scribe, passed), ",")


def victory(look: Look, reign: Reign) -> tuple[str, Done] | None:
    """Who came to lead by the very deed with which the interregnum of a dynasty began, and that deed; None where none began in it."""
    moves = look.moves().get("dynasty", ())
    begun = [each.done for each in moves if each.field == "interregnum" and each.new is True]
    ends = next((done for done in reversed(begun) if within(reign, done) and done is not reign.began), None)
    led = [each.new for each in moves if each.field == "emperor" and each.done is ends]
    return (str(led[-1]), ends) if ends is not None and led else None


def _crowned(look: Look, reign: Reign) -> Done | None:
    """The deed by which whoever leads the next dynasty came to do so."""
    changed = [
        each.done
        for each in look.moves().get("dynasty", ())
        if each.field == "emperor" and each.new == reign.heir and reign.began.place < each.done.place
    ]
    return next((done for done in reversed(changed) if within(reign, done)), None)


def rules(scribe: Scribe, reign: Reign) -> Markup:
    """The rules that were made in a dynasty, by what, and what became of them; those of the founding are nobody's."""
    head = ["Rule", "Made by", "When", "Became of it"]
    return markup.table(head, some, label="Rules") if (some := list(_made(scribe, reign))) else markup.NOTHING


def _made(scribe: Scribe, reign: Reign) -> Iterator[Sequence[object]]:
    for slug, history in scribe.look.annals.amendments.items():
        first, last = history[0].done, history[-1]
        if first.place == 1 or not within(reign, first):
            continue
        stands = slug in scribe.look.world.ruleset.by_slug
        became = "repealed" if not stands else "amended" if last.revision else "as it was made"
        yield (
            scribe.rule(slug),
            provenance.cause(scribe, first),
            markup.moment(first.deed.at),
            markup.mark(became),
        )


def talk(scribe: Scribe, numbers: Sequence[int]) -> Markup:
    """The posts of which people said most."""
    said = {number: scribe.look.talk(f"posts/{number}") for number in numbers}
    most = sorted((number for number in numbers if said[number]), key=lambda number: (-said[number], number))
    rows = (
        [
            scribe.post(number),
            scribe.author(f"posts/{number}"),
            str(said[number]),
            _votes(scribe.look, number),
        ]
        for number in most[:FIRST]
    )
    return (
        markup.table(["Post", "By", "Comments", "Votes"], rows, label="Most talked of")
        if most
        else markup.NOTHING
    )


def _votes(look: Look, number: int) -> Markup:
    ref = f"posts/{number}"
    return posts.tally(look, ref) if posts.votable(look, ref) else markup.nothing()


def over_time(scribe: Scribe, reign: Reign) -> Markup:
    """What was enacted in a dynasty, what became of its players, and how it ended; the same as a table."""
    marks = [*_enacted(scribe, reign), *_fates(scribe, reign)]
    if reign.ended:
        marks.append(_mark(scribe, reign.ended, "ended", "The next dynasty began"))
    if len(marks) < 2:
        return markup.NOTHING
    end = reign.ended.deed.at if reign.ended else scribe.look.at
    rows = (
        [markup.moment(each.at), each.lane, markup.tag("a", each.text, href=each.href)]
        for each in sorted(marks, key=lambda mark: mark.at)
    )
    table = markup.table(["When", "What", "Deed"], rows, label="What happened")
    return drawn("What happened in this dynasty", marks, (reign.began.deed.at, end), table)


def _mark(scribe: Scribe, done: Done, lane: str, text: str) -> Mark:
    link = str(scribe.deed(done))
    return Mark(done.deed.at, lane, text, link.partition('href="')[2].partition('"')[0])


def _enacted(scribe: Scribe, reign: Reign) -> Iterator[Mark]:
    """What was enacted in a dynasty; what is enacted by the deed that begins the next one was enacted in this."""
    last = reign.ended.place if reign.ended else len(scribe.look.annals.deeds)
    for number, done in scribe.look.annals.closings.items():
        if reign.began.place < done.place <= last and (number, "enacted") in done.closed:
            title = scribe.look.world.store.value(f"posts/{number}", "title")
            yield Mark(done.deed.at, "enacted", f"{number}. {title}", scribe.address(f"posts/{number}.md"))


def _fates(scribe: Scribe, reign: Reign) -> Iterator[Mark]:
    """Each time that a player became something else, by the values of this dynasty that say so in a word."""
    look = scribe.look
    declared = {variable.name: scores.section(look, variable) for variable in look.variables("players")}
    by_field: dict[str, list[Moved]] = {}
    for ref, some in look.moves().items():
        for each in some if ref.startswith("players/") else ():
            dynastic = declared.get(each.field, "dynastic") == "dynastic"
            if dynastic and each.old is not None and within(reign, each.done) and _in_a_word(each.new):
                by_field.setdefault(each.field, []).append(each)
    for field, changes in sorted(by_field.items(), key=lambda pair: len(pair[1]))[:LANES]:
        for each in changes:
            words = f"{look.name(each.ref)}: {markup.line(markup.plain(each.new))}"
            yield _mark(scribe, each.done, field.replace("_", " "), words)


def _in_a_word(value: object) -> bool:
    return isinstance(value, bool) or (isinstance(value, str) and _WORD.fullmatch(value) is not None)
