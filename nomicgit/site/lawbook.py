"""The ruleset: all of it on one page, and a page for every rule with its history."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from nomicgit.ground import files
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Placed
from nomicgit.record.forms.conditions import cost
from nomicgit.site import bygone, markup, provenance, register, timelines
from nomicgit.site.chronicle import by
from nomicgit.site.declared import declarations
from nomicgit.site.glossary import TERMS, Glossary, backlinks
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, root_of, rule_uri
from nomicgit.site.scribe import Scribe
from nomicgit.site.untrusted import annotated, rendered

WHOLE = "ruleset.md"
SCRIPT = "assets/book.js"  # what is nicer about it with a script


def pages(look: Look, glossary: Glossary) -> Iterator[Page]:
    """The whole ruleset first, then each rule."""
    yield whole(look, glossary)
    for placed in look.world.ruleset.rules:
        yield of_rule(look, glossary, placed)


def whole(look: Look, glossary: Glossary) -> Page:
    """Every rule on one page: who wrote its sentences in the margin, its terms linked, its number to cite."""
    scribe, root, sections = Scribe(look, WHOLE), root_of(WHOLE), list[Section]()
    ruleset = look.world.ruleset
    for number, name in ruleset.sections:
        title = f"{number} {section_title(name)}"
        sections.append(Section(f"section-{number}", title, intro(look, name)))
        for placed in ruleset.rules:
            if placed.section == name:
                marks = (*status_mark(placed), *_amended(look, placed), _cited(look, placed))
                heading = markup.joined((scribe.placed(placed), *marks))
                label = f"{placed.number} {placed.title}"
                text = annotated(look.rule_text(placed), provenance.notes(scribe, placed.slug))
                linked = glossary.linked(scribe, text, placed.slug, explained=False)
                body = markup.tag("div", linked, class_=_shade(placed))
                under = max(placed.number.count(".") - 1, 0)
                sections.append(Section(f"rule-{placed.slug}", heading, body, 3, label, under))
    active = sum(placed.status == "active" for placed in ruleset.rules)
    others = markup.joined(
        (
            scribe.link("the words that they define", "terms.md"),
            ", ",
            scribe.link("how they became so", bygone.CHANGES),
            " and ",
            scribe.link("every rule that there ever was", register.URI),
        )
    )
    lead = markup.tag(
        "p",
        f"{len(ruleset.rules)} rules, {_in_force(active, len(ruleset.rules))}. ",
        _latest(scribe),
        "Each heading leads to the rule's own page, ",
        "the mark behind it is its place here, to cite it; a number in the margin leads to the post that wrote the sentence. ",
        "See also ",
        others,
        ".",
        class_="nomic-book",
        data_terms=root + TERMS,
    )
    lead += _contents(sections) + markup.tag("script", src=root + SCRIPT, defer="")
    return Page(WHOLE, "Ruleset", lead, tuple(sections), listed=True, searched=False)


def _contents(sections: Sequence[Section]) -> Markup:
    """What stands on the page, folded away, where the theme has no place for it beside the text: on a phone, and in print."""
    parts = []
    for place, section in enumerate(sections):
        if section.level == 2:
            rules = itertools.takewhile(lambda each: each.level > 2, sections[place + 1 :])
            parts.append(_entry(section) + markup.listed(map(_entry, rules)))
    whole = markup.folded("Contents", markup.listed(parts))
    return markup.tag("div", whole, class_="nomic-contents", data_search_exclude="")


def _entry(section: Section) -> Markup:
    return markup.tag("a", section.name, href=f"#{section.id}")


def _in_force(active: int, every: int) -> str:
    return "all in force" if active == every else f"{active} of them in force"


def _latest(scribe: Scribe) -> Markup:
    """Which change of the law was the latest; nothing where it stands as it was founded."""
    last = {slug: each[-1].done for slug, each in scribe.look.annals.amendments.items() if each}
    done = max(last.values(), key=lambda each: each.place, default=None)
    if done is None or done.deed.action == Outside.FOUND:
        return markup.NOTHING
    rules = markup.joined(
        (scribe.rule(slug) for slug, each in last.items() if each.place == done.place), ", "
    )
    cause = by(scribe, done) if done.source is None else scribe.post(done.source)
    at = markup.moment(done.deed.at)
    return markup.joined(("The latest change, of ", rules, ", came by ", cause, ", ", at, ". "))


def _amended(look: Look, placed: Placed) -> Iterator[object]:
    """How often a rule was amended; nothing of one that stands as it was made."""
    if revision := provenance.revision_of(look, placed.slug):
        yield " "
        yield markup.tag("small", provenance.amended(revision), class_="nomic-range")
        yield " "


def _cited(look: Look, placed: Placed) -> Markup:
    """The mark by which a rule is cited: its number, its revision, and its place on the page."""
    name = f"Rule {placed.number}/{provenance.revision_of(look, placed.slug)}"
    return markup.tag(
        "a", "§", href=f"#rule-{placed.slug}", class_="nomic-cite", title=f"Cite {name}", aria_label=f"Cite {name}"
    )  # fmt: skip


def _shade(placed: Placed) -> str:
    depth = min(placed.number.count("."), 6)
    return f"nomic-rule nomic-depth-{depth}" + ("" if placed.status == "active" else " nomic-off")


def of_rule(look: Look, glossary: Glossary, placed: Placed) -> Page:
    """A rule: what it says, declares and carries out, what it defines, and how it became so."""
    uri = rule_uri(placed.slug)
    scribe = Scribe(look, uri)
    below = look.world.ruleset.children(placed.slug)
    law = look.world.law
    costs = {a.name: cost(law, a) for a in law.declared.actions.values() if a.rule == placed.slug}
    declares = declarations(placed.front, law.declarations, costs)
    all_sections = (
        Section("subrules", "Subrules", markup.listed(scribe.placed(each) for each in below)),
        Section("declares", "What it declares", markup.listed(declares)),
        Section("mechanics", "How it is carried out", markup.joined(_as_written(placed))),
        Section("words", "Words", backlinks(scribe, glossary, placed)),
        Section(
            "history",
            "History",
            timelines.of_rule(scribe, placed.slug) + provenance.history(scribe, placed.slug),
        ),
    )
    text = annotated(look.rule_text(placed), provenance.notes(scribe, placed.slug))
    lead = markup.joined((_place(look, scribe, placed), glossary.linked(scribe, text, placed.slug)))
    return Page(
        uri,
        f"{placed.number} {placed.title}",
        lead,
        tuple(section for section in all_sections if section.body),
        about=markup.line(rendered(look.rule_text(placed))),
    )


def _place(look: Look, scribe: Scribe, placed: Placed) -> Markup:
    """Where a rule stands, whether it is in force, its revision, and the rules before and after it."""
    rules = look.world.ruleset.rules
    at, revision = rules.index(placed), provenance.revision_of(look, placed.slug)
    parts: list[object] = [scribe.link(section_title(placed.section), WHOLE, f"rule-{placed.slug}")]
    if placed.parent:
        parts.append(markup.joined(("under ", scribe.rule(placed.parent))))
    parts.append(markup.mark(placed.status))
    address = scribe.address(rule_uri(placed.slug)) + "#history"
    parts.append(
        markup.tag(
            "a",
            provenance.amended(revision) if revision else "as it was made",
            href=address,
        )
    )
    if at:
        parts.append(markup.joined(("before it ", scribe.placed(rules[at - 1]))))
    if at + 1 < len(rules):
        parts.append(markup.joined(("after it ", scribe.placed(rules[at + 1]))))
    around = {"data_search_exclude": ""}  # or whoever searches for a rule finds its neighbours
    return markup.tag("p", markup.joined(parts, " · "), class_="nomic-about", **around)


def _as_written(placed: Placed) -> Iterator[Markup]:
    if placed.mechanics:
        yield markup.folded("Mechanics", markup.block(placed.mechanics))
    if placed.front:
        yield markup.folded(
            "Declarations as written",
            markup.unsearched(markup.block(files.write(dict(placed.front)).rstrip("\n"))),
        )


def intro(look: Look, section: str) -> Markup:
    """A section's own words."""
    text = look.world.ruleset.intros.get(section, "")
    return markup.tag("div", rendered(text), class_="nomic-rule") if text.strip() else markup.NOTHING


def status_mark(placed: Placed) -> list[object]:
    """A mark on a rule that is not in force."""
    return [] if placed.status == "active" else [" ", markup.mark(placed.status)]


def section_title(name: str) -> str:
    """A section's name as a title."""
    return name.replace("-", " ").capitalize()
