"""Where the words of a rule come from: its revisions, and which matter wrote each sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from markupsafe import Markup

from nomicgit.ground.problems import NomicError
from nomicgit.law import rules
from nomicgit.record.annals import Amendment, Done
from nomicgit.site import markup
from nomicgit.site.chronicle import by
from nomicgit.site.differences import difference
from nomicgit.site.onlooking import Look
from nomicgit.site.page import rule_uri
from nomicgit.site.scribe import Scribe


def prose_of(text: str, slug: str) -> list[str]:
    """The lines of a rule's prose."""
    try:
        return rules.parse(text, slug).prose.split("\n")
    except NomicError:
        return []


def writers(history: Sequence[Amendment], slug: str) -> list[Done]:
    """For each line of a rule's prose the deed that wrote it as it stands."""
    lines: list[str] = []
    owners: list[Done] = []
    for each in history:
        new = prose_of(each.new or "", slug)
        match, by = SequenceMatcher(None, lines, new, autojunk=False), [each.done] * len(new)
        for old, now, size in match.get_matching_blocks():
            by[now : now + size] = owners[old : old + size]
        lines, owners = new, by
    return owners


def notes(scribe: Scribe, slug: str) -> Mapping[int, Markup]:
    """A note at each line that a matter wrote: a link to it. What stands since the founding has none."""
    history, now = scribe.look.annals.amendments.get(slug, ()), scribe.look.world.ruleset.by_slug[slug]
    notes = {}
    recorded = bool(history) and history[-1].new == scribe.look.world.ruleset.texts[now.path]
    for place, done in enumerate(writers(history, slug)) if recorded and _amended(history) else ():
        source = done.source
        if source is not None:
            at = markup.moment(done.deed.at).striptags()
            link = markup.tag(
                "a", str(source), href=scribe.address(f"posts/{source}.md"), title=f"Written by post {source}, {at}",
                aria_label=f"written by post {source}",
            )  # fmt: skip
            notes[place] = markup.tag("sup", link, class_="nomic-source")
    return notes


def _amended(history: Sequence[Amendment]) -> bool:
    return len(history) > 1 or any(each.done.source is not None for each in history)


def history(scribe: Scribe, slug: str) -> Markup:
    """Every amendment of a rule, the latest first: when, by which matter, with which tally, and what it changed."""
    amendments = scribe.look.annals.amendments.get(slug, ())
    items = [_told(scribe, slug, each, current=each is amendments[-1]) for each in reversed(amendments)]
    return markup.tag("ol", *items, reversed="", class_="nomic-history") if items else markup.NOTHING


def _told(scribe: Scribe, slug: str, each: Amendment, *, current: bool) -> Markup:
    done, what = each.done, "repealed" if each.new is None else "made" if each.old is None else "amended"
    name = f"Revision {each.revision}"
    shown = name if each.new is None or current else scribe.link(name, version_uri(slug, each.revision))
    parts = [
        markup.joined((markup.tag("strong", shown), ", ", what)),
        markup.moment(done.deed.at),
        markup.joined((cause(scribe, done), " (deed ", scribe.deed(done), ")")),
    ]
    changed = (
        markup.folded("What changed", difference(each.old, each.new))
        if each.old is not None and each.new is not None
        else ""
    )
    return markup.tag(
        "li", markup.tag("p", markup.joined(parts, " · ")), changed, id=f"revision-{each.revision}"
    )


def cause(scribe: Scribe, done: Done) -> Markup:
    """Why a deed changed the law: the matter with its tally, or the deed itself."""
    if done.source is None:
        return by(scribe, done)
    tally = scribe.look.view("tally", f"posts/{done.source}") if done.closed else None
    votes = markup.joined((" ", markup.counted(tally))) if tally else ""
    return markup.joined((scribe.post(done.source), votes))


def version_uri(slug: str, revision: int) -> str:
    """The page of a revision that is in force no more."""
    return f"{rule_uri(slug).removesuffix('.md')}/{revision}.md"


def amended(revision: int) -> str:
    """How often a rule was amended that has come to a revision, which is no first one."""
    return "amended once" if revision == 1 else f"amended {revision} times"


def revision_of(look: Look, slug: str) -> int:
    """The revision of a rule that stands now."""
    history = look.annals.amendments.get(slug)
    return history[-1].revision if history else 0
