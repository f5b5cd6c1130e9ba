"""The journal: every deed, with its dice and what it changed, on pages whose addresses last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from markupsafe import Markup

from nomicgit.ground.problems import printable
from nomicgit.ground.wording import in_words
from nomicgit.law.outside import OWN, Outside
from nomicgit.record.annals import Done
from nomicgit.site import markup
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page
from nomicgit.site.scribe import ANY, JOURNAL_PAGE, Scribe

URI = "journal.md"
SHORT = 80
ITSELF = ("matter", "post", "icon")  # parameters of which one need not say what they are
_DIE = re.compile(r"(d\d+) gave \d+\.")
WITHIN = ("title", "body", "changes")  # what stands on the page of the post that a deed made
HEAD = ("Deed", "When", "Who", "What", "Commit")


def pages(look: Look) -> Iterator[Page]:
    """The latest deeds, newest first; then every deed, a hundred to a page, in order."""
    deeds, scribe = look.annals.deeds, Scribe(look, URI)
    numbers = range(1, (len(deeds) - 1) // JOURNAL_PAGE + 2)
    others = markup.joined(
        (scribe.link(_span(number, len(deeds)), f"journal/{number}.md") for number in reversed(numbers)),
        " · ",
    )
    about = f"Everything that anyone did in this game, the latest {min(len(deeds), JOURNAL_PAGE)} of {len(deeds)} deeds first. "
    lead = (
        markup.tag(
            "p",
            about,
            "Each is one commit of the repository; anyone with a clone can replay them all: ",
            markup.code("nomicgit verify"),
            ".",
        ),
        markup.table(
            HEAD, [row(scribe, done) for done in deeds[: -JOURNAL_PAGE - 1 : -1]], label="The latest deeds"
        ),
        markup.tag("p", "All deeds, in order: ", others, "."),
    )
    yield Page(URI, "Journal", markup.joined(lead), listed=True, searched=False)
    for number in numbers:
        yield _chunk(look, number)


def _span(number: int, most: int) -> str:
    return f"{(number - 1) * JOURNAL_PAGE + 1}–{min(number * JOURNAL_PAGE, most)}"


def _chunk(look: Look, number: int) -> Page:
    uri = f"journal/{number}.md"
    scribe, deeds = Scribe(look, uri), look.annals.deeds
    some = deeds[(number - 1) * JOURNAL_PAGE : number * JOURNAL_PAGE]
    around = [
        scribe.link(words, f"journal/{other}.md")
        for words, other in (("Earlier deeds", number - 1), ("Later deeds", number + 1))
        if 0 < other <= (len(deeds) - 1) // JOURNAL_PAGE + 1
    ]
    lead = markup.joined(
        (
            markup.tag(
                "p", markup.joined([*around, scribe.link("The journal", URI)], " · "), class_="nomic-about"
            ),
            markup.table(HEAD, [row(scribe, done, anchored=True) for done in some], label="Deeds in order"),
        )
    )
    title = f"Deeds {_span(number, len(deeds))}"
    return Page(uri, title, lead, searched=False)


def row(scribe: Scribe, done: Done, *, anchored: bool = False) -> list[object]:
    """A deed as a row of the journal."""
    name = (
        markup.tag("span", str(done.place), id=f"deed-{done.place}")
        if anchored
        else scribe.deed(done, str(done.place))
    )
    return [
        name,
        markup.moment(done.deed.at),
        who(scribe, done),
        told(scribe, done),
        markup.code(done.commit[:10]),
    ]


def who(scribe: Scribe, done: Done) -> Markup:
    """Who did a deed, where that is not secret."""
    if done.deed.action == Outside.SEALED:
        return markup.tag("em", "sealed")
    return scribe.player(done.deed.actor) if done.deed.actor else markup.escaped("the clock")


def latest(scribe: Scribe, most: int) -> Iterator[Done]:
    """The latest deeds, newest first."""
    return iter(scribe.look.annals.deeds[: -most - 1 : -1])


def told(scribe: Scribe, done: Done) -> Markup:
    """A deed in words: its action, what was given with it, and each step. What is private stays so."""
    action = done.deed.action
    if action == Outside.SEALED:
        return markup.joined((markup.tag("em", "sealed"), made(scribe, done), markup.listed(done.notes)))
    declared = scribe.look.world.law.declared.actions.get(action)
    hidden = declared.private if declared else False
    given = {} if hidden is True else done.deed.given
    apart = (*(hidden if isinstance(hidden, tuple) else ()), *(WITHIN if done.posted else ()))
    kinds = declared.parameters if declared else {}
    closed = {str(number) for number, status in done.closed if status}  # which ``made`` tells
    shown = {k: v for k, v in given.items() if k not in apart and not markup.empty(v)}
    plain = [
        _itself(scribe, name, shown[name]) for name in ITSELF if str(shown.get(name, "")) not in ("", *closed)
    ]
    named = [
        markup.joined((f"{name.replace('_', ' ')}: ", _given(scribe, kinds.get(name, ANY).kind, value)))
        for name, value in shown.items()
        if name not in ITSELF
    ]
    head = markup.joined([_action(action), *plain, markup.joined(named, "; ")], " ")
    return markup.joined((head, made(scribe, done), markup.listed(_gathered(done.notes))))


def _gathered(notes: Iterable[str]) -> Iterator[str]:
    """What a deed said; dice of one kind that were rolled one after another on one line."""
    for die, some in groupby(notes, lambda note: hit[1] if (hit := _DIE.fullmatch(note)) else None):
        if die is None:
            yield from some
        else:
            results = (note.removeprefix(f"{die} gave ").removesuffix(".") for note in some)
            yield f"{die} gave {', '.join(results)}."


def _action(action: str) -> Markup:
    """What was done; what the program itself does is told in words."""
    if action == Outside.FOUND:
        return markup.escaped("The game was founded.")
    return markup.code(action.removeprefix(OWN))


def made(scribe: Scribe, done: Done) -> Markup:
    """What became of posts by a deed."""
    parts = [markup.joined((" → ", scribe.post(number))) for number in done.posted]
    parts += [
        markup.joined((" → ", scribe.post(number), " ", markup.mark(status)))
        for number, status in done.closed
        if status
    ]
    return markup.joined(parts)


def _itself(scribe: Scribe, name: str, value: object) -> Markup:
    """A post, or a vote, which says by itself what it is."""
    return markup.mark(str(value).upper(), str(value)) if name == "icon" else scribe.post(str(value))


def _given(scribe: Scribe, kind: str, value: object) -> object:
    """What was given with a deed, as a type of parameter has it."""
    match value:
        case {"sha256": _, "in": _}:
            return "(long)"
        case bool():
            return "yes" if value else "no"
        case str() if kind == "player":
            return scribe.player(value)
        case str() if kind == "deed" and (done := scribe.look.deed(value)):
            return scribe.deed(done)
        case list() | Mapping():
            return printable(in_words(value, SHORT), SHORT)
    return printable(" ".join(str(value).split()), SHORT)


def rows(scribe: Scribe, deeds: Iterable[Done]) -> Markup:
    """Deeds as a short table."""
    return markup.table(
        ["Deed", "When", "What"],
        (
            [scribe.deed(done, str(done.place)), markup.moment(done.deed.at), told(scribe, done)]
            for done in deeds
        ),
        label="Deeds",
    )
