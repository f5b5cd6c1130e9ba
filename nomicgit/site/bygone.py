"""What was: the law and the gamestate after each enacted matter, revisions in force no more, rules that are gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from nomicgit.ground.problems import NomicError, Refused
from nomicgit.law import paths, rules
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.terms import quoted
from nomicgit.law.variables import MISSING
from nomicgit.physics.state.quoting import shown
from nomicgit.physics.state.reading import SINGLE_KINDS
from nomicgit.record.annals import UNTOLD, Amendment, Done
from nomicgit.site import markup, provenance, timelines
from nomicgit.site.differences import difference
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, root_of, rule_uri
from nomicgit.site.scribe import Scribe, commit_of, named, title_of
from nomicgit.site.untrusted import rendered

CHANGES = "law/index.md"
LAW = "api/law.json"  # the law of all times, as data
COMPARING = "assets/compare.js"  # which compares two of them
OWN = (*UNTOLD, "mailbox")  # what the program keeps beside the values, and says in its own words elsewhere
CALLED = ("players", "name")  # what a row of theirs is called anyway


def pages(look: Look) -> Iterator[Page]:
    """The changes of the law, the law after each of them, and the revisions that each replaced."""
    changed = turns(look)
    yield _changes(look, changed)
    yield from _as_of(look, changed)
    for slug, history in look.annals.amendments.items():
        current = history[-1]
        for each in history:
            if each.new is not None and each is not current:
                yield _version(look, slug, each, history)
        if slug not in look.world.ruleset.by_slug:
            yield _gone(look, slug, history)


def turns(look: Look) -> list[Done]:
    """The deeds that changed the law and have a post behind them, and those that ended dynasties' laws; oldest first."""
    touched = {each.done.place: each.done for history in look.annals.amendments.values() for each in history}
    return [done for _, done in sorted(touched.items())]


def law_uri(done: Done) -> str:
    """The page of the law as a deed left it."""
    return f"law/{done.source}.md" if done.source is not None else f"law/deed-{done.place}.md"


def link(scribe: Scribe, done: Done, text: object) -> Markup:
    """A link to the law as a deed left it."""
    return scribe.link(text, law_uri(done))


def _changes(look: Look, turns: list[Done]) -> Page:
    """Every change of the law, the latest first."""
    scribe, root = Scribe(look, CHANGES), root_of(CHANGES)
    compared = {"data_law": root + LAW}
    by_place: dict[int, list[str]] = {}
    for slug, history in look.annals.amendments.items():
        for each in history:
            by_place.setdefault(each.done.place, []).append(slug)
    minutes = Counter(done.deed.at // 60 for done in turns)
    rows = (
        [
            link(scribe, done, _when(done, minutes)),
            provenance.cause(scribe, done),
            _named(scribe, by_place[done.place]),
        ]
        for done in reversed(turns)
    )
    lead = markup.joined(
        (
            markup.tag(
                "p",
                "Each change of the law, the latest first. Its time leads to the whole law and the gamestate as they stood then. "
                "Where a browser runs the page's script, two of them are chosen above the list, and what differs stands side by side.",
            ),
            markup.table(["Law as of", "By", "Rules"], rows, label="Changes of the law", more=compared),
            markup.tag("script", src=root + COMPARING, defer=""),
        )
    )
    return Page(CHANGES, "Changes of the law", lead, searched=False)


def _when(done: Done, minutes: Mapping[int, int]) -> Markup:
    """By what a change of the law is told: its minute; where the law changed several times in that, by the deed too."""
    moment = markup.moment(done.deed.at)
    return markup.joined((moment, ", deed ", commit_of(done))) if minutes[done.deed.at // 60] > 1 else moment


def _named(scribe: Scribe, slugs: list[str]) -> Markup:
    if len(slugs) > 8:
        return markup.escaped(f"{len(slugs)} rules")
    return markup.joined((scribe.rule(slug) for slug in slugs), ", ")


# The law and the gamestate as of a deed.


def _as_of(look: Look, turns: list[Done]) -> Iterator[Page]:
    rows = _Rows(look, turns)
    before: Done | None = None
    following = [*turns[1:], None]
    seen = set()
    both = zip(look.annals.rulesets(turns), look.annals.states(turns), following, strict=True)
    for (done, ruleset), (_, state), after in both:
        rows.note(done)
        if law_uri(done) not in seen:
            seen.add(law_uri(done))
            yield _snapshot(look, rows, done, ruleset, state, (before, after))
        before = done


def _snapshot(
    look: Look,
    rows: _Rows,
    done: Done,
    ruleset: Ruleset,
    state: Mapping[str, Mapping[str, object]],
    around: tuple[Done | None, Done | None],
) -> Page:
    uri = law_uri(done)
    scribe = Scribe(look, uri)
    ways = [
        link(scribe, each, words)
        for each, words in zip(around, ("the law before it", "the law after it"), strict=True)
        if each
    ]
    banner = markup.tag(
        "div",
        markup.tag("strong", "This is history."),
        " The law and the gamestate as they stood from ",
        markup.moment(done.deed.at),
        " on, ",
        provenance.cause(scribe, done),
        ". ",
        scribe.link("The law now", "ruleset.md"),
        *(part for way in ways for part in (" · ", way)),
        class_="nomic-banner",
    )
    changed = [
        markup.joined((markup.tag("h3", scribe.rule(slug)), difference(each.old, each.new)))
        for slug, each in (look.annals.amended_by(done.source) if done.source is not None else ())
        if each.done is done
    ]
    sections = [Section("law", "The law", rows.law(scribe, ruleset)), *_state_sections(look, rows, state)]
    if changed and len(changed) <= 8:
        sections.insert(0, Section("changed", "What changed then", markup.joined(changed)))
    return Page(uri, rows.title(done), banner, tuple(sections), searched=False)


def _state_sections(look: Look, rows: _Rows, state: Mapping[str, Mapping[str, object]]) -> Iterator[Section]:
    kinds: dict[str, list[str]] = {}
    for ref in state:
        kinds.setdefault(ref.partition("/")[0], []).append(ref)
    for kind, refs in sorted(kinds.items(), key=lambda pair: pair[0] not in ("dynasty", "players", "game")):
        names = [
            name
            for name in dict.fromkeys(n for ref in refs for n in state[ref] if n not in OWN)
            if look.shown_then(kind, name)
            and (kind, name) != CALLED
            and not all(markup.empty(state[ref].get(name)) for ref in refs)
        ]
        if names:
            body = rows.state(kind, names, [(ref, state[ref]) for ref in sorted(refs)])
            yield Section(f"then-{kind}", kind.replace("_", " ").replace("-", " ").capitalize(), body, 3)


class _Rows:
    """Rows of the tables of the law and the gamestate then; most are the same on page after page."""

    def __init__(self, look: Look, turns: Sequence[Done]) -> None:
        self.look = look
        self._minutes = Counter(done.deed.at // 60 for done in turns)
        self.revisions: dict[str, int] = {}
        self._by_place: dict[int, list[tuple[str, int]]] = {}
        self._law: dict[tuple[str, str, str, int], Markup] = {}
        self._state: dict[str, dict[str, _Row]] = {}
        for slug, history in look.annals.amendments.items():
            for each in history:
                self._by_place.setdefault(each.done.place, []).append((slug, each.revision))

    def title(self, done: Done) -> str:
        """What the law of a time is called."""
        return f"The law as of {_when(done, self._minutes).striptags()}"

    def note(self, done: Done) -> None:
        """The revisions that a deed brought about."""
        self.revisions |= dict(self._by_place.get(done.place, ()))

    def law(self, scribe: Scribe, ruleset: Ruleset) -> Markup:
        """All rules of a time, each linked to its text of that time."""
        return markup.tag("ul", *(self._rule(scribe, placed) for placed in ruleset.rules), class_="nomic-law")

    def _rule(self, scribe: Scribe, placed: Placed) -> Markup:
        revision = self.revisions.get(placed.slug, 0)
        key = placed.slug, placed.number, placed.title, revision
        if key not in self._law:
            text = f"{placed.number} {placed.title}"
            history = self.look.annals.amendments.get(placed.slug, ())
            stands = not history or (history[-1].revision == revision)
            uri = rule_uri(placed.slug) if stands else provenance.version_uri(placed.slug, revision)
            depth = min(placed.number.count("."), 6)
            often = (
                markup.tag("small", provenance.amended(revision), class_="nomic-range") if revision else ""
            )
            self._law[key] = markup.tag(
                "li", scribe.link(text, uri), " ", often, class_=f"nomic-depth-{depth + 1}"
            )
        return self._law[key]

    def state(self, kind: str, names: list[str], entities: list[tuple[str, Mapping[str, Any]]]) -> Markup:
        """The stored values of some entities of a time; of the game and the dynasty, of which there is one, a line for each."""
        if kind in SINGLE_KINDS:
            [(_, fields)] = entities
            lines = ([name.replace("_", " "), markup.plain(fields.get(name))] for name in names)
            return markup.table(["Variable", "Value"], lines, label=f"{kind} then")
        before, columns = self._state.get(kind, {}), tuple(names)
        rows = {ref: _row(ref, columns, fields, before.get(ref)) for ref, fields in entities}
        self._state[kind], body = rows, [row for _, _, row in rows.values()]
        top = ("Player" if kind == "players" else named(names), *(name.replace("_", " ") for name in names))
        head = markup.tag("tr", *(markup.tag("th", name, scope="col") for name in top))
        whole = markup.tag("table", markup.tag("thead", head), markup.tag("tbody", *body))
        wide = len(top) > markup.WIDE
        quiet = _quiet(names, [fields for _, fields in entities]) if wide else ()
        return markup.tag(
            "div", whole, class_="nomic-table nomic-sortable" + " nomic-wide" * wide, tabindex="0", role="group",
            aria_label=f"{kind} then", data_quiet=" ".join(quiet) or None,
        )  # fmt: skip


_Row = tuple[Mapping[str, object], tuple[str, ...], Markup]
"""The fields of an entity, the columns, and the row that it has with these."""


def _row(ref: str, names: tuple[str, ...], fields: Mapping[str, object], before: _Row | None) -> _Row:
    """The row of an entity; the one before it where that shows the very same."""
    if before is not None and before[0] is fields and before[1] == names:
        return before
    cells = (markup.tag("td", markup.plain(fields.get(name))) for name in names)
    return fields, names, markup.tag("tr", markup.tag("th", _called(ref, fields), scope="row"), *cells)


def _quiet(names: Sequence[str], entities: Sequence[Mapping[str, object]]) -> list[str]:
    """The columns in which all had the same, or times, by their numbers; none where that is every column, or of one entity alone."""
    quiet = []
    for column, name in enumerate(names, 1):
        values = [fields.get(name) for fields in entities]
        if len(set(map(repr, values))) == 1 or all(markup.empty(v) or markup.is_time(v) for v in values):
            quiet.append(str(column))
    return quiet if len(quiet) < len(names) and len(entities) > 1 else []


# Texts that are in force no more.


def _version(look: Look, slug: str, each: Amendment, history: Sequence[Amendment]) -> Page:
    uri = provenance.version_uri(slug, each.revision)
    scribe, title = Scribe(look, uri), title_of(each.new or "", slug)
    after = history[each.revision + 1].done
    banner = markup.tag(
        "div",
        markup.tag("strong", "This is history."),
        f" Revision {each.revision} of this rule, in force from ",
        link(scribe, each.done, markup.moment(each.done.deed.at)),
        " until ",
        link(scribe, after, markup.moment(after.deed.at)),
        ". ",
        scribe.rule(slug),
        class_="nomic-banner",
    )
    front, prose, code = parted(each.new or "", slug)
    lead = markup.joined((banner, rendered(prose)))
    sections = [Section("became", "What became of it", difference(each.new, history[each.revision + 1].new))]
    if front or code:
        folds = [
            markup.folded(words, markup.block(text))
            for words, text in (("Declarations", front), ("Mechanics", code))
            if text
        ]
        sections.append(Section("mechanics", "How it was carried out", markup.joined(folds)))
    return Page(uri, f"{title}, revision {each.revision}", lead, tuple(sections), searched=False)


def _gone(look: Look, slug: str, history: Sequence[Amendment]) -> Page:
    uri = rule_uri(slug)
    scribe, last = Scribe(look, uri), history[-1]
    text = last.new if last.new is not None else (last.old or "")
    repealed = last.new is None
    sentences = (
        (
            " It was repealed ",
            markup.moment(last.done.deed.at),
            ", ",
            provenance.cause(scribe, last.done),
            ".",
        )
        if repealed
        else (" It was taken out of the folder, and stands in the record.",)
    )
    banner = markup.tag("div", markup.tag("strong", "This rule is gone."), *sentences, class_="nomic-banner")
    _, prose, _ = parted(text, slug)
    lead = markup.joined((banner, rendered(prose)))
    return Page(
        uri,
        title_of(text, slug) + (" (repealed)" if repealed else ""),
        lead,
        (Section("history", "History", timelines.of_rule(scribe, slug) + provenance.history(scribe, slug)),),
        searched=False,
    )


@lru_cache(maxsize=4096)
def parted(text: str, slug: str) -> tuple[str, str, str]:
    """A rule's text of a time: its front matter, its prose with quotes of its own declarations filled in, its mechanics."""
    try:
        rule = rules.parse(text, slug)
    except NomicError:
        return "", text, ""

    def read(path: str) -> str | None:
        head, _, rest = path.partition(".")
        if head == "terms":
            return rest
        try:
            value = paths.at(dict(rule.front), paths.segments(path))
        except Refused:
            return None
        return None if value is MISSING else shown(value)

    front = text.partition("\n---\n")[0].removeprefix("---\n")
    return front, quoted(rule.prose, read), rule.mechanics


def _called(ref: str, fields: Mapping[str, object]) -> str:
    """What an entity was called then: a player by name, anything else by its id."""
    kind, _, name = ref.partition("/")
    return str(fields.get("name") or name) if kind == "players" else name or ref
