"""Every rule that there ever was, by what became of it: those in force, those that rest, those that are gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from nomicgit.record.annals import Amendment
from nomicgit.site import markup, provenance
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Scribe

URI: Final = "rules/index.md"


def page(look: Look) -> Page:
    """All rules, each with who made it, how often it was amended, and what changed it last."""
    scribe = Scribe(look, URI)
    standing = look.world.ruleset.rules
    named = {
        "In force": [each.slug for each in standing if each.status == "active"],
        "Not in force": [each.slug for each in standing if each.status != "active"],
        "Repealed": [slug for slug in look.annals.amendments if slug not in look.world.ruleset.by_slug],
    }
    sections = tuple(
        Section(title.casefold().replace(" ", "-"), f"{title} ({len(slugs)})", _table(scribe, title, slugs))
        for title, slugs in named.items()
        if slugs
    )
    lead = markup.tag("p", "Every rule that there ever was, with who made it and what changed it last.")
    return Page(URI, "All rules", lead, sections, searched=False)


def _table(scribe: Scribe, title: str, slugs: Sequence[str]) -> Markup:
    """Rules, a row each."""
    gone = title == "Repealed"
    head = ["Rule", "Made by", "Made", "Amended", "Repealed by" if gone else "Last by", "When"]
    rows = (_row(scribe, slug, scribe.look.annals.amendments.get(slug, ())) for slug in slugs)
    return markup.table(head, rows, sortable=True, label=title)


def _row(scribe: Scribe, slug: str, history: Sequence[Amendment]) -> list[object]:
    """A rule; one that stands in the folder and is not recorded yet has no history."""
    if not history:
        return [scribe.rule(slug), *[markup.nothing()] * 5]
    times = sum(each.old is not None and each.new is not None for each in history)
    last = _deed(scribe, history[-1]) if len(history) > 1 else [markup.nothing()] * 2
    return [scribe.rule(slug), *_deed(scribe, history[0]), times, *last]


def _deed(scribe: Scribe, amendment: Amendment) -> Iterator[Markup]:
    """Why a deed changed a rule, and when."""
    yield provenance.cause(scribe, amendment.done)
    yield markup.moment(amendment.done.deed.at)
