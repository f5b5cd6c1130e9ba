"""The words of the game: what rules define, where they stand in other rules, and links from the one to the other.

A rule defines what it sets in italics or bold for the first time, what an item of a list says behind a colon, and what it
shortens in brackets; a rule's title of several words names that rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from markupsafe import Markup
from msgspec import Struct

from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.site import markup
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, rule_uri
from nomicgit.site.scribe import Scribe
from nomicgit.site.untrusted import rendered, within_texts

URI = "terms.md"
TERMS = "api/terms.json"
LONGEST = 40  # characters of a term
FEW = 3  # words of a term in front of a colon
TOLD = 240  # characters of what a tooltip tells
_MARKED = re.compile(r"(?<![*\w\\])(\*{1,2})(?=\S)([^*\n`{}\[\]<>]+?)(?<=\S)\1(?![*\w])")
_DEFINES = re.compile(
    r"""(?:^|[.!?]\s+)[ \t]*(?:(?:[-*+]|\d+[.)]|\#+)[ \t]+)?(?:(?:an?|the|to)\s+)?$  # it begins a sentence or an item
    |\b(?:is|are|be|becomes?|called|may|an?)\s+$  # or is what somebody or something is called""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADED = re.compile(
    r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+([A-Z][^\n:.;*`{}\[\]<>]*):[ ]+(?=[a-z@]|[A-Z]{2})", re.MULTILINE
)  # an item that says what something is, and not what it holds
_SHORT = re.compile(r"\((?:(?:an?|the) )?([A-Z]\w*[A-Z]\w*)\)")  # a declaration of victory (a DoV)
COMMON = frozenset(
    (
        "you she they them their can could may might must shall should will would who whom whose what which when where why how "
        "not one two three four five six seven eight nine ten day"
    ).split()
)  # words of everyday speech, which are no terms whatever a rule makes of them
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_GOES_ON = re.compile(r"(?:[,;:.!?]|\b(?:and|or))$")  # what stands apart from the next item as it is
_LISTED = re.compile(rf"{_ITEM.pattern}|[ \t]+\S")  # an item, or what goes on in one


class Term(Struct, frozen=True):
    """A word that a rule defines: how it is written, the sentence that says so, the rule, and the rules that use it."""

    name: str
    told: str
    rule: str
    used_in: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """The lasting address of the term on its page."""
        return "term-" + re.sub(r"[^a-z0-9]+", "-", self.name.casefold()).strip("-")


class Glossary:
    """The terms of a ruleset."""

    def __init__(self, ruleset: Ruleset, texts: Mapping[str, str]) -> None:
        self.titles = {
            p.title.casefold(): p.slug
            for p in ruleset.rules
            if " " in p.title and ruleset.unique_title(p.slug)
        }
        defined = _definitions(ruleset, texts)
        self._names = {*defined, *self.titles}
        self._pattern = _any_of([*defined, *self.titles])
        uses = self._uses(ruleset, texts)
        self.terms = {
            name: Term(word, sentence, rule, tuple(s for s in uses.get(name, ()) if s != rule))
            for name, (word, sentence, rule) in defined.items()
        }
        begins = {slug: (title, _begins(texts[slug])) for title, slug in self.titles.items()}
        self.begins = {
            slug: "" if _plainly(said) == _plainly(title) else said for slug, (title, said) in begins.items()
        }
        self.backlinks = {
            slug: [s for s in uses.get(title, ()) if s != slug] for title, slug in self.titles.items()
        }

    def _uses(self, ruleset: Ruleset, texts: Mapping[str, str]) -> Mapping[str, list[str]]:
        uses: dict[str, list[str]] = {}
        for placed in ruleset.rules if self._pattern else ():
            for hit in self._pattern.finditer(texts[placed.slug]) if self._pattern else ():
                name = self._meant(hit[0])
                if placed.slug not in uses.setdefault(name, []):
                    uses[name].append(placed.slug)
        return uses

    def _meant(self, text: str) -> str:
        """The name of which a text is a use, or the plural."""
        name = str(Markup(text).unescape()).casefold()  # noqa: S704 - only to undo escaping
        return name if name in self._names else name.removesuffix("s")

    def linked(self, scribe: Scribe, html: Markup, own: str, *, explained: bool = True) -> Markup:
        """Finished HTML of a rule with the first use of each term in a paragraph or item linked to where it is defined.

        ``explained``: with what it means; else a browser asks the site's data for that.
        """
        if self._pattern is None:
            return html
        seen: set[str] = set()

        def link(match: re.Match[str]) -> str:
            name = self._meant(match[0])
            term = self.terms.get(name)
            if name in seen or own == (term.rule if term else self.titles[name]):
                return match[0]
            seen.add(name)
            place = (URI, term.anchor) if term else (rule_uri(self.titles[name]),)
            meaning = term.told if term else self.begins[self.titles[name]]
            title = meaning or None if explained else None
            word = Markup(match[0])  # noqa: S704 - a piece of finished HTML
            return markup.tag("a", word, href=scribe.address(*place), class_="nomic-term", title=title)

        pattern = self._pattern
        return within_texts(html, lambda text: pattern.sub(link, text), seen.clear)


def _definitions(ruleset: Ruleset, texts: Mapping[str, str]) -> dict[str, tuple[str, str, str]]:
    """Each term as written, the sentence around it and its rule, by its name in small letters.

    What only quotes a word (*the word idle*) or names a field defines nothing.
    """
    defined: dict[str, tuple[str, str, str]] = {}
    for placed in ruleset.rules:
        prose = _CODE.sub(lambda code: " " * len(code[0]), texts[placed.slug])
        for word, at in sorted(
            (*_marked(prose), *_headed(prose), *_shortened(prose)), key=lambda each: each[1]
        ):
            name = word.casefold()
            fit = 2 < len(word) <= LONGEST and word[0].isalpha() and not COMMON.issuperset(name.split())
            if fit and name not in defined and _plainly(meaning := _sentence(prose, at)) != _plainly(word):
                defined[name] = word, meaning, placed.slug
    return defined


def _marked(prose: str) -> Iterator[tuple[str, int]]:
    """What stands in italics or bold where something is defined; a whole line of it is no word."""
    for hit in _MARKED.finditer(prose):
        before, after = prose[: hit.start()].rpartition("\n")[2], prose[hit.end() :].partition("\n")[0]
        whole = hit[2].endswith((".", "!", "?")) and not before.strip() and not after.strip()
        if _DEFINES.search(before) and not whole:
            yield hit[2].strip().rstrip(".:,;"), hit.start()


def _headed(prose: str) -> Iterator[tuple[str, int]]:
    """What an item says behind a colon; of several words that it says the same of, each."""
    for hit in _HEADED.finditer(prose):
        name = _SHORT.sub("", hit[1]).strip()
        words = [name] if " and " in name else name.split(", ")
        if all(len(word.split()) <= FEW for word in words):  # else it is a sentence
            yield from ((word, hit.start(1)) for word in words)


def _shortened(prose: str) -> Iterator[tuple[str, int]]:
    """What a rule shortens in brackets behind it."""
    return ((hit[1], hit.start()) for hit in _SHORT.finditer(prose))


def _sentence(prose: str, at: int) -> str:
    """The line of a place in a rule, and the list that it leads to, as one text."""
    line, *rest = prose[prose.rfind("\n", 0, at) + 1 :].split("\n")
    items = () if _ITEM.match(line) else takewhile(lambda each: not each.strip() or _LISTED.match(each), rest)
    parts = ((each, _ITEM.sub("", re.sub(r"[*_`<>\"]", "", each)).strip("# \t")) for each in (line, *items))
    plain, listed = "", False
    for each, part in parts:
        if part:
            item = bool(_ITEM.match(each))
            apart = " · " if item and listed and not _GOES_ON.search(plain) else " "
            plain, listed = plain + (apart if plain else "") + part, item or listed
    return plain if len(plain) <= TOLD else plain[: TOLD - 1] + "…"


def _plainly(text: str) -> str:
    """A text without what stands around its words, in small letters."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def _begins(prose: str) -> str:
    """The first line of a rule that says something, for whoever meets its title."""
    lines = (hit.start() for hit in re.finditer(r"^(?![#\s`~]).+", prose, re.MULTILINE))
    return next((_sentence(prose, at) for at in lines), "")


def _any_of(names: Sequence[str]) -> re.Pattern[str] | None:
    """What finds any of these names, the longest first, with the plural's s."""
    words = "|".join(re.escape(str(markup.escaped(name))) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![\w&#-])(?:{words})(?:s(?!\w))?(?![\w-])", re.IGNORECASE) if words else None


def glossary_of(look: Look) -> Glossary:
    """The terms of the rules in force, as they read now."""
    ruleset = look.world.ruleset
    return Glossary(ruleset, {placed.slug: look.rule_text(placed) for placed in ruleset.rules})


def files(look: Look) -> dict[str, str]:
    """What each term means, by the anchor of its place on the page of terms, and how a rule begins, by that of its place in the book."""
    glossary = glossary_of(look)
    meanings = {f"rule-{slug}": beginning for slug, beginning in glossary.begins.items() if beginning}
    meanings |= {term.anchor: term.told for term in reversed(glossary.terms.values())}
    return {TERMS: json.dumps({"format": 1, "terms": meanings}) + "\n"}


def page(look: Look, glossary: Glossary) -> Page:
    """All terms in order, with where each is defined and used."""
    scribe = Scribe(look, URI)
    terms = sorted(glossary.terms.values(), key=lambda term: term.name.casefold())
    sections = [
        Section(term.anchor, term.name[0].upper() + term.name[1:], markup.joined(_told(scribe, term)))
        for term in _once(terms)
    ]
    about = "The words that the rules define, each with the sentence that does so."
    return Page(
        URI,
        "Terms",
        markup.tag("p", about if terms else "No rule sets a word apart as one that it defines."),
        tuple(sections),
    )


def _once(terms: Sequence[Term]) -> Iterator[Term]:
    seen: set[str] = set()
    for term in terms:
        if term.anchor not in seen:
            seen.add(term.anchor)
            yield term


def _told(scribe: Scribe, term: Term) -> Iterator[Markup]:
    yield markup.tag("div", rendered(term.told))
    used = markup.joined((scribe.rule(slug) for slug in term.used_in), ", ")
    parts = [markup.joined(("Defined in ", scribe.rule(term.rule)))]
    if term.used_in:
        parts.append(markup.joined(("used in ", used)))
    yield markup.tag("p", markup.joined(parts, "; "), ".", class_="nomic-about")


def backlinks(scribe: Scribe, glossary: Glossary, placed: Placed) -> Markup:
    """What a rule defines and who uses it, and the rules that name this one."""
    lines = []
    for term in glossary.terms.values():
        if term.rule == placed.slug:
            users = markup.joined((scribe.rule(slug) for slug in term.used_in), ", ")
            link = scribe.link(term.name, URI, term.anchor)
            lines.append(markup.joined((link, ": used in ", users)) if term.used_in else link)
    named = glossary.backlinks.get(placed.slug)
    if named:
        lines.append(markup.joined(("This rule is named in ", markup.joined(map(scribe.rule, named), ", "))))
    return markup.listed(lines)
