"""Writing values and links of one page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError
from nomicgit.law import rules
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import ENTITIES, MISSING, Type, Variable
from nomicgit.physics.state import reading
from nomicgit.record.annals import Done, Reign
from nomicgit.site import markup
from nomicgit.site.asked import Untold
from nomicgit.site.colours import ground
from nomicgit.site.onlooking import Look
from nomicgit.site.page import root_of, rule_uri, url_of, within

DIGITS = 10  # of a commit, by which logs and pages tell it and commands take it
_REF = re.compile(r"[a-z][a-z0-9_-]*/[^/\s]+")


class Scribe(Struct, frozen=True):
    """Writes values and links as they stand on the page ``uri``."""

    look: Look
    uri: str

    def link(self, text: object, uri: str, anchor: str = "") -> Markup:
        """A link to another page of the site."""
        return markup.tag("a", text, href=self.address(uri, anchor))

    def address(self, uri: str, anchor: str = "") -> str:
        """The way from this page to another."""
        return root_of(self.uri) + url_of(uri) + (f"#{anchor}" if anchor else "")

    def player(self, ref: object) -> Markup:
        """A player, linked while they are on the roster."""
        if not isinstance(ref, str):
            return markup.tag("span", "nobody", class_="nomic-none")
        ref = ref if ref.startswith("players/") else f"players/{ref}"
        if self.look.world.store.fields(ref) is None:
            return markup.escaped(self.look.name(ref))
        return self.link(self.look.name(ref), player_uri(ref))

    def deed(self, done: Done, text: object = "") -> Markup:
        """A deed, linked to where the journal has it; by its commit, which commands take, where nothing else is said."""
        return self.link(text or commit_of(done), journal_uri(done.place), f"deed-{done.place}")

    def dated(self, done: Done) -> Markup:
        """A deed, by its time and its commit."""
        return markup.joined((self.deed(done, markup.moment(done.deed.at)), ", deed ", commit_of(done)))

    def reign(self, reign: Reign) -> Markup:
        """A dynasty."""
        return self.link(
            f"{reign.number}. {reign.name}" if reign.name else f"Dynasty {reign.number}",
            f"dynasties/{reign.number}.md",
        )

    def author(self, ref: str) -> Markup:
        """Who wrote a post: a player, the text that stands in a player's place, or the clock."""
        author = self.look.value(ref, "author")
        if isinstance(author, str) and not author.startswith("players/"):
            return markup.escaped(author)
        return self.player(author) if author else markup.escaped("the clock")

    def post(self, number: int | str, *, short: bool = False) -> Markup:
        """A post by number and title."""
        title = self.look.world.store.value(f"posts/{number}", "title")
        if title is MISSING:
            return markup.escaped(f"post {number}")
        return self.link(f"post {number}" if short else f"{number}. {title}", f"posts/{number}.md")

    def rule(self, slug: str) -> Markup:
        """A rule by number and title; of one that stands no more the page of what it was."""
        placed = self.look.world.ruleset.by_slug.get(slug)
        history = self.look.annals.amendments.get(slug)
        if placed is None and history:
            return self.link(title_of(history[-1].new or history[-1].old or "", slug), rule_uri(slug))
        return self.placed(placed) if placed else markup.escaped(slug)

    def placed(self, placed: Placed) -> Markup:
        """A rule by number and title."""
        return self.link(f"{placed.number} {placed.title}", rule_uri(placed.slug))

    def entity(self, ref: str) -> Markup:
        """Anything that a reference names."""
        kind, _, name = ref.partition("/")
        match kind:
            case "players":
                return self.player(ref)
            case "posts":
                return self.post(name)
            case "rules":
                return self.rule(name)
            case _ if kind in self.look.world.law.declared.collections:
                shown = self.look.world.law.declared.collections[kind].tracked == "public"
                there = shown and reading.exists(self.look.world, ref)
                return self.link(name, "gamestate.md", anchor_of(ref) if there else f"collection-{kind}")
        return markup.escaped(name or ref)

    def variable(self, ref: str, variable: Variable) -> Markup:
        """What a variable of an entity is, or that it is secret."""
        if variable.tracked != "public":
            return secret()
        value = self.look.value(ref, variable.name)
        shown = self.value(variable.type, value)
        return (
            markup.tag("span", shown, class_="nomic-colour", style=style, title=str(value))
            if (style := ground(value))
            else shown
        )

    def value(self, kind: Type, value: object, *, within: bool = False) -> Markup:
        """A value of a type as the law sees it; ``within`` another value, which must be told from its neighbours."""
        match value:
            case _ if markup.empty(value):
                return markup.nothing()
            case str() if kind.kind in ("datetime", "date"):
                return markup.moment(value)
            case str() if kind.kind == "mechanics":
                return markup.folded("mechanics", markup.code(value))
            case str() if kind.kind in ENTITIES or kind.kind in self.look.world.law.declared.collections:
                return self.entity(value)
            case str() if kind.kind != "any":
                return markup.escaped(value)
            case list():
                items = kind.items or ANY
                return markup.several((self.value(items, each, within=True) for each in value), within=within)
            case Mapping():
                return markup.paired(self._pairs(kind, value), within=within)
        return self._plain(value)

    def _pairs(self, kind: Type, value: Mapping[str, object]) -> Iterator[tuple[Markup, Markup]]:
        """The names and values of a map, or of a record, whose fields have names that need no type."""
        keys = kind.keys or ANY
        for name, each in value.items():
            inner = kind.values or ANY if kind.kind == "map" else kind.fields.get(name, ANY)
            head = self.value(keys, name) if kind.kind == "map" else markup.escaped(name)
            yield head, self.value(inner, each, within=True)

    def _plain(self, value: object) -> Markup:
        match value:
            case bool():
                return markup.escaped("yes" if value else "no")
            case str() if _REF.fullmatch(value) and reading.exists(self.look.world, value):
                return self.entity(value)
            case Untold():
                return untold(value)
        return markup.escaped(value)


ANY = Type("any")


def named(columns: Sequence[str]) -> str:
    """What heads the first column of a table, which names each row."""
    return "id" if "name" in columns else "name"


def untold(answer: Untold) -> Markup:
    """What stands in the place of what the law does not tell."""
    return markup.tag("span", "cannot be told", class_="nomic-none", title=answer.why)


def secret() -> Markup:
    """What stands in the place of a secret value."""
    return markup.mark("secret")


def kept_secret(scribe: Scribe, variables: Sequence[Variable]) -> Markup:
    """Which of some variables are secret, of whomever: that is no column. Each leads to its rule."""
    links = [
        scribe.link(each.name.replace("_", " "), rule_uri(each.rule))
        for each in variables
        if each.tracked != "public"
    ]
    return (
        markup.tag("p", "Secret: ", markup.joined(links, ", "), ".", class_="nomic-about")
        if links
        else markup.NOTHING
    )


JOURNAL_PAGE: Final = 100  # deeds on a page of the journal, the first ones first, so that addresses last


def commit_of(done: Done) -> Markup:
    """The commit of a deed, as short as logs tell it and commands take it."""
    return markup.code(done.commit[:DIGITS])


def journal_uri(place: int) -> str:
    """The page of the journal on which a deed stands."""
    return f"journal/{(place - 1) // JOURNAL_PAGE + 1}.md"


def player_uri(ref: str) -> str:
    """The page of a player."""
    return within("players", ref.removeprefix("players/"))


def anchor_of(ref: str) -> str:
    """An id on a page for an entity."""
    return re.sub(r"[^A-Za-z0-9-]", lambda match: f"_{ord(match[0]):x}_", ref.replace("/", "-", 1))


def aged(look: Look, at: str) -> Markup:
    """A time that was, and how long ago: told by the browser where time goes on, since a page is read long after it was made."""
    return markup.since(at) if look.live else markup.joined((markup.moment(at), f" ({_ago(look, at)})"))


def _ago(look: Look, at: str) -> str:
    """How long ago a time was, in the largest unit."""
    seconds = look.at - clock.instant(at)
    for length, unit in ((365 * clock.DAY, "year"), (clock.DAY, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= length:
            many = seconds // length
            return f"{many} {unit}{'s' if many > 1 else ''} ago"
    return "just now"


def title_of(text: str, slug: str) -> str:
    """A rule's title of a time."""
    try:
        return rules.parse(text, slug).title
    except NomicError:
        return slug
