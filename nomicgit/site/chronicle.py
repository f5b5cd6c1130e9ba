"""The journal: every deed, with its dice and what it changed, on pages whose addresses last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from markupsafe import Markup

from nomicgit.ground import clock
from nomicgit.ground.problems import printable
from nomicgit.ground.wording import in_words
from nomicgit.law.outside import OWN, Outside
from nomicgit.law.variables import Type
from nomicgit.outlook import doings
from nomicgit.physics.deed import folded
from nomicgit.record import journal, visible
from nomicgit.record.annals import Done, Moved
from nomicgit.record.tree import ref_of
from nomicgit.site import dues, markup
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page
from nomicgit.site.scribe import ANY, JOURNAL_PAGE, Scribe, commit_of

URI = "journal.md"
SHORT = 80
HEADED, _PLAYER = ("dynasty", "emperor"), Type("player")  # who heads a dynasty, which no rule declares
APART = 2  # changes of one thing by one deed that stand in lines of their own
FEW, ALL = 3, 200  # changes of values that are told of a deed: in a list, and where it stands in order
ITSELF = ("matter", "post", "icon")  # parameters of which one need not say what they are
_DIE = re.compile(r"(d\d+) gave (\d+)\.")
WITHIN = ("title", "body", "changes")  # what stands on the page of the post that a deed made
KIND = "kind"  # what a parameter is called that is the kind of a post
KINDLESS = (KIND, "none")  # of a post that is of no kind
BY_CLOCK = "by the clock"
HEAD = ("Deed", "When", "Who", "What")


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
            "Each is one commit of the repository, by which commands name it, and what fell due by the clock until then came with it; ",
            "anyone with a clone can replay them all: ",
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
    name = markup.tag("span", commit_of(done), id=f"deed-{done.place}") if anchored else scribe.deed(done)
    return [
        name,
        markup.moment(done.deed.at),
        who(scribe, done),
        told(scribe, done, most=ALL if anchored else FEW),
    ]


def who(scribe: Scribe, done: Done) -> Markup:
    """Who did a deed, where that is not secret."""
    if done.deed.action == Outside.FOUND:
        return markup.escaped(called(done))
    if done.deed.action == Outside.SEALED:
        return markup.tag("em", "sealed")
    return scribe.player(done.deed.actor) if done.deed.actor else markup.escaped(journal.THE_CLOCK)


def latest(scribe: Scribe, most: int) -> Iterator[Done]:
    """The latest deeds, newest first."""
    return iter(scribe.look.annals.deeds[: -most - 1 : -1])


def told(scribe: Scribe, done: Done, *, most: int = FEW) -> Markup:
    """A deed in words: its action, what was given with it, each step, and the first changes of values. What is private stays so."""
    head = markup.tag("em", "sealed") if done.deed.action == Outside.SEALED else _asked(scribe, done)
    return markup.joined(
        (
            head,
            made(scribe, done),
            " ",
            markup.listed(_steps(scribe, done, most)),
        )
    )


def _law(scribe: Scribe, done: Done, most: int) -> Iterator[Markup]:
    """The rules that a deed added, amended and repealed; nothing of the founding, which made them all."""
    became: dict[str, list[str]] = {}
    for slug, each in () if done.deed.action == Outside.FOUND else scribe.look.annals.amended_in(done):
        word = "added" if each.old is None else "repealed" if each.new is None else "amended"
        became.setdefault(word, []).append(slug)
    for word, slugs in became.items():
        some = _first(scribe, done, list(map(scribe.rule, slugs)), most)
        yield markup.joined((f"rules {word}: ", markup.joined(some, ", ")))


def _first(scribe: Scribe, done: Done, every: Sequence[object], most: int) -> Iterator[object]:
    """The first of some, and the way to the others of a deed: one alone takes no more room than the way to it."""
    shown = every if len(every) <= most + 1 else every[:most]
    yield from shown
    if shown is not every:
        yield scribe.deed(done, f"and {len(every) - most} more")


def _asked(scribe: Scribe, done: Done) -> Markup:
    """The action of a deed, and what was given with it."""
    action = done.deed.action
    declared = scribe.look.world.law.declared.actions.get(action)
    hidden = declared.private if declared else False
    given = {} if hidden is True else done.deed.given
    apart = (*(hidden if isinstance(hidden, tuple) else ()), *(WITHIN if done.posted else ()))
    apart += ("recipient",) if action in (Outside.MAILBOX, Outside.ADDRESS) else ()
    kinds = declared.parameters if declared else {}
    closed = {str(number) for number, status in done.closed if status}  # which ``made`` tells
    shown = {k: v for k, v in given.items() if k not in apart and not markup.empty(v) and (k, v) != KINDLESS}
    plain = [
        _itself(scribe, name, shown[name]) for name in ITSELF if str(shown.get(name, "")) not in ("", *closed)
    ]
    named = [
        markup.joined((f"{name.replace('_', ' ')}: ", _given(scribe, _sort(kinds, name), value)))
        for name, value in shown.items()
        if name not in ITSELF
    ]
    return markup.joined([_action(action), *plain, markup.joined(named, "; ")], " ")


def _steps(scribe: Scribe, done: Done, most: int) -> Iterator[object]:
    """What fell due by the clock before a deed said and changed, and the dice that it threw; then the same of the deed."""
    due = scribe.look.dues().get(done.place)
    lines = due.lines if due else 0
    for step in _part(scribe, done, done.notes[:lines], most, clock=True):
        yield markup.joined((f"{BY_CLOCK}: ", step))
    yield from _law(scribe, done, most)
    yield from _part(scribe, done, done.notes[lines:], most, clock=False)
    if due is None and done.place in scribe.look.dues() and (done.notes or scribe.look.moved_by(done)):
        yield dues.mixed(scribe.look.game.repository, done)


def _part(scribe: Scribe, done: Done, notes: Sequence[str], most: int, *, clock: bool) -> Iterator[object]:
    """A part of a deed, the clock's or its own; of the dice those of one kind one after another on one line."""
    said = folded(notes)
    dice = [_DIE.fullmatch(note) for note in said]
    yield from (note for note, die in zip(said, dice, strict=True) if die is None)
    if done.deed.action != Outside.FOUND:
        yield from _first(scribe, done, list(_changes(scribe, done, by_clock=clock)), most)
    for kind, some in groupby(filter(None, dice), lambda die: die[1]):
        yield f"{kind} gave {', '.join(die[2] for die in some)}."


def _changes(scribe: Scribe, done: Done, *, by_clock: bool) -> Iterator[object]:
    """What a part of a deed made and took away, and each value that it changed, as far as everybody may see it.

    What changed for whoever did it stands first, then what changed for other players. That something was done just now is
    left out.
    """
    look = scribe.look
    whole: dict[tuple[str, str], dict[str, Mapping[str, object]]] = {}
    lines: list[object] = []
    doer = f"players/{done.deed.actor}"
    ordered = sorted(
        (each for each in look.moved_by(done) if each.clock is by_clock),
        key=lambda each: (each.ref != doer, not each.ref.startswith("players/")),
    )
    for ref, some in groupby(ordered, lambda each: each.ref):
        kind, _, name = ref.partition("/")
        moved = [each for each in some if each.new != clock.text(done.deed.at)]
        before, after = _stood(look, done, ref, by_clock=by_clock)
        if name and before is not after and not _of_itself(look, kind):
            word = "made" if after else "gone"
            values = {each.field: each.new if after else each.old for each in moved}
            whole.setdefault((word, kind), {})[name] = {
                k: v for k, v in values.items() if not markup.empty(v)
            }
        else:
            lines += _together(
                [line for each in moved for line in _one(scribe, each)], called_of(scribe, ref, "")
            )
    for (word, kind), entities in whole.items():
        alone = len(entities) == 1 and kind != "players"
        for name in entities if alone else ():
            yield whole_of(word, kind, name, entities[name])
        if not alone:
            names = (
                in_words(list(entities))
                if kind != "players"
                else markup.joined(map(scribe.player, entities), ", ")
            )
            yield markup.joined((f"{word}: ", _spoken(kind), " ", names))
    yield from lines


def _one(scribe: Scribe, each: Moved) -> Iterator[Markup]:
    """A changed value, of a map several, each as a line of its own."""
    if each.field == "mailbox":
        yield markup.joined((called_of(scribe, each.ref, each.field), ": ", visible.mailbox(each.new)))
    else:
        yield from changed(scribe, each.ref, each.field, each.old, each.new)


def _together(lines: Sequence[Markup], whose: Markup) -> Sequence[Markup]:
    """What one deed changed of one thing: more than a few changes stand in one line, behind whose they are."""
    if not whose or len(lines) <= APART or not all(line.startswith(whose) for line in lines):
        return lines
    return [markup.joined((lines[0], *(line[len(whose) :] for line in lines[1:])), "; ")]


def _stood(look: Look, done: Done, ref: str, *, by_clock: bool) -> tuple[bool, bool]:
    """Whether an entity was there before a part of a deed, the clock's or its own, and after it."""
    due, file = (
        look.dues().get(done.place),
        next((each for each in done.touched if ref_of(each.path) == ref), None),
    )
    made = due.made.get(ref) if due else None
    first = file.before is not None if file else made is not True
    between = first if made is None else made
    return (first, between) if by_clock else (between, file.after is not None if file else first)


def whole_of(word: str, kind: str, name: str, fields: Mapping[str, object]) -> str:
    """What came into being or went, with what it had: ``made: offers o1 (price: 4)``. What only repeats its name is left out."""
    had = (f"{_spoken(field)}: {said(value)}" for field, value in fields.items() if value != name)
    listed = "; ".join(had)
    return f"{word}: {_spoken(kind)} {name}" + (f" ({listed})" if listed else "")


def _of_itself(look: Look, kind: str) -> bool:
    """Whether the entities of a kind are there by a declaration, whatever was written of them."""
    declared = look.world.law.declared.collections.get(kind)
    return declared is not None and (bool(declared.source) or declared.attributes.get("all") is True)


def changed(scribe: Scribe, ref: str, field: str, old: object, new: object) -> Iterator[Markup]:
    """A changed value, as one says it; of a map each name whose value changed."""
    yield from _changed(scribe, called_of(scribe, ref, field), kind_of(scribe.look, ref, field), old, new)


def called_of(scribe: Scribe, ref: str, field: str) -> Markup:
    """What a value is called: of a player with their name, of an entity with its own."""
    kind, _, name = ref.partition("/")
    whose = scribe.player(ref) if kind == "players" else markup.escaped(name)
    spoken = _spoken(
        scribe.look.term(field) if (ref, field) == HEADED else field
    )  # that by the dynasty's own word
    return markup.joined((whose, "’s ", spoken) if name else (spoken,))


def kind_of(look: Look, ref: str, field: str) -> Type:
    """The type of a stored value, as the law of now declares it."""
    declared = look.world.law.variable(ref.partition("/")[0], field)
    return _PLAYER if (ref, field) == HEADED else declared.type if declared else ANY


def named(scribe: Scribe, kind: Type, value: object) -> Markup | None:
    """A stored value that is a player, or a list of them, by their names; None of any other."""
    if markup.empty(value):
        return None
    if kind.kind == "player":
        return scribe.player(value)
    if isinstance(value, list) and kind.items is not None and kind.items.kind == "player":
        return markup.joined(map(scribe.player, value), ", ")
    return None


def _changed(scribe: Scribe, head: Markup, kind: Type, old: object, new: object) -> Iterator[Markup]:
    if isinstance(old, Mapping | None) and isinstance(new, Mapping | None) and (old or new):
        before, after = old or {}, new or {}
        for name in dict.fromkeys((*before, *after)):
            if before.get(name) != after.get(name):
                of = (
                    scribe.player(name)
                    if kind.keys is not None and kind.keys.kind == "player"
                    else _spoken(name)
                )
                inner = markup.joined((head, " ", of))
                yield from _changed(scribe, inner, kind.values or ANY, before.get(name), after.get(name))
    elif markup.empty(old) and markup.empty(new):
        return
    elif isinstance(old, list) and isinstance(new, list) and named(scribe, kind, [*old, *new]) is None:
        yield markup.joined((head, *doings.changed("", old, new)))
    else:
        was, now = (named(scribe, kind, each) or said(each) for each in (old, new))
        yield markup.joined((head, ": ", was, " → ", now))


def _spoken(name: str) -> str:
    return _legible(name.replace("_", " "))


def said(value: object) -> str:
    """A value in a word or a few."""
    return "none" if markup.empty(value) else _legible(markup.line(markup.plain(value)))


def _legible(text: str) -> str:
    """A short text in which what nobody sees is marked as on all pages, and not written out as in a terminal."""
    return printable(markup.visible(text), SHORT)


def by(scribe: Scribe, done: Done) -> Markup:
    """Who did a deed, and what it was."""
    if done.deed.action in (Outside.FOUND, Outside.SEALED):
        return who(scribe, done)
    return markup.joined((who(scribe, done), ": ", _action(done.deed.action)))


def called(done: Done) -> str:
    """What a deed was, in a word or two."""
    return "the founding" if done.deed.action == Outside.FOUND else done.deed.action.removeprefix(OWN)


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


def _sort(kinds: Mapping[str, Type], name: str) -> str:
    """The type of a parameter; of the kind of a post, which is a text, its name."""
    return name if name == KIND else kinds.get(name, ANY).kind


def _given(scribe: Scribe, kind: str, value: object) -> object:
    """What was given with a deed, as a type of parameter has it."""
    match value:
        case {"sha256": _, "in": _}:
            return "(long)"
        case bool():
            return "yes" if value else "no"
        case str() if kind == "player":
            return scribe.player(value)
        case str() if kind == KIND:
            return _legible(scribe.look.kind(value))
        case str() if kind == "deed" and (done := scribe.look.deed(value)):
            return scribe.deed(done)
        case list() | Mapping():
            return printable(in_words(value, SHORT), SHORT)
    return _legible(" ".join(str(value).split()))


def rows(scribe: Scribe, deeds: Iterable[Done]) -> Markup:
    """Deeds as a short table."""
    return markup.table(
        ["Deed", "When", "What"],
        ([scribe.deed(done), markup.moment(done.deed.at), told(scribe, done)] for done in deeds),
        label="Deeds",
    )
