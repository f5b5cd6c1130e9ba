"""All rules of a game in their order: reading, numbering, naming, and moving them about.

The ruleset is a tree of files. A folder ``2-dynastic`` is the section ``dynastic`` with the number 2; in it
a file ``20-lair-actions.md`` is the rule with the slug ``lair-actions``, and the folder ``20-lair-actions``
holds its subrules. Prefixes give the order (ties go by slug), places in that order give the numbers that
people cite (2.3.1). Everything here is pure: an edit gives a new ruleset, in which untouched files keep
their very bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.ground.files import Value
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Ambiguous, Malformed, Place, Problem, Refused, printable, quoted
from nomicgit.law import rules, terms
from nomicgit.law.rules import Rule
from nomicgit.law.titles import plain, short

DEEPEST = 6  # levels of rules in rules
SECTIONS = {"core": 1, "dynastic": 2, "special-case": 3, "appendix": 4}
"""The numbers of sections in which there is no rule yet."""
INDEX = "index.md"
FOLDER = "game/ruleset/"

_FOLDER = late(r"([1-9]\d{0,5})-([a-z0-9]+(?:-[a-z0-9]+)*)")
FILE = late(r"(\d{1,6})-([a-z0-9]+(?:-[a-z0-9]+)*)\.md")


class Placed(Struct, frozen=True):
    """A rule in its place. ``parent`` is the slug of the rule it is a subrule of, None at a section's top
    level; ``path`` its file under the ruleset's folder; ``number`` what people cite, like 2.3.1.
    """

    rule: Rule
    section: str
    parent: str | None
    path: str
    number: str

    @property
    def slug(self) -> str:
        return self.rule.slug

    @property
    def title(self) -> str:
        return self.rule.title

    @property
    def front(self) -> Mapping[str, Value]:
        return self.rule.front

    @property
    def prose(self) -> str:
        return self.rule.prose

    @property
    def mechanics(self) -> str:
        return self.rule.mechanics

    @property
    def line(self) -> int:
        return self.rule.line

    @property
    def status(self) -> str:
        """active or inactive: as the rule says; a special case rule that says nothing is at its default."""
        default = self.default_status if self.section == "special-case" else "active"
        return str(self.front.get("status", default))

    @property
    def default_status(self) -> str:
        """What a special case rule is while nobody has decided: as it says, else inactive where rare, else active."""
        return str(
            self.front.get("default_status", "inactive" if self.front.get("rare") is True else "active")
        )

    @property
    def file(self) -> str:
        """Its file in a game's repository."""
        return FOLDER + self.path

    @property
    def stem(self) -> str:
        """The path without ``.md``: the folder of the subrules."""
        return self.path[:-3]

    @property
    def prefix(self) -> int:
        """The number that the file's name begins with."""
        return int(self.path.rpartition("/")[2].partition("-")[0])

    @property
    def acts(self) -> bool:
        """Whether it is more than prose."""
        return bool(self.mechanics or self.front)

    @property
    def law(self) -> tuple[object, ...]:
        """What it is, beside its prose and title."""
        return self.slug, self.section, self.parent, self.status, self.front, self.mechanics

    def __str__(self) -> str:
        return f"{self.number} {printable(self.title)}"


class Spot(TypedDict, total=False):
    """Where a rule is put: neighbours and parent by their slugs.

    A neighbour that is gone, or lies elsewhere, gives the end of the place.
    """

    section: str | None
    under: str | None
    after: str | None
    before: str | None


class Ruleset(Struct, frozen=True):
    """All rules in reading order, depth first. Equal where the files are equal."""

    texts: Mapping[str, str]  # every file by its path, those that nobody touched with their very bytes
    rules: tuple[Placed, ...]
    by_slug: Mapping[str, Placed]
    sections: tuple[tuple[int, str], ...]  # numbers and names, by number
    intros: Mapping[str, str]  # the sections' own words, by section

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.texts == other.texts

    __hash__ = None  # type: ignore[assignment]  # its files are a map

    @classmethod
    def read(cls, texts: Mapping[str, str], *, old: Ruleset | None = None) -> Ruleset:
        """Read all files of a ruleset, paths under its folder to texts; raises ``Malformed`` with all
        problems.

        Placed rules of ``old`` that are the same here are taken over as they are.
        """
        return _Reading(dict(texts), old).ruleset()

    def canonical(self) -> Ruleset:
        """The same rules, each file as the program writes it: so a later change shows as what it changes."""
        return Ruleset.read({**self.texts, **{each.path: rules.render(each.rule) for each in self.rules}})

    # ---- looking

    def find(self, name: str, *, section: str | None = None) -> Placed:
        """The rule that a person means: by slug, number, title or SECTION/TITLE; ``section`` goes first among
        equals. Raises ``Refused`` where there is none, or ``Ambiguous`` where there is more than one.
        """
        name = name.strip().removeprefix("rules/")
        meant = self.called(name)
        if len(meant) > 1 and section is not None:
            meant = [each for each in meant if each.section == section] or meant
        if len(meant) == 1:
            return meant[0]
        if not meant:
            raise Refused.of(
                f"no rule is called {quoted(name)}", mend="name it by its title, its number or its slug"
            )
        raise Ambiguous.of(f"{len(meant)} rules are called {quoted(name)}", mend=slugs_of(meant))

    def called(self, name: str) -> list[Placed]:
        """All rules of a slug, else of a number or title; of a title without its bracketed parts only where no full
        one fits.
        """
        if placed := self.by_slug.get(name):
            return [placed]
        head, _, rest = name.partition("/")
        within = head.strip().lower().replace(" ", "-")
        meant: list[Placed] = []
        if re.fullmatch(r"\d+(\.\d+)*\.?", name):
            meant = [each for each in self.rules if each.number == name.rstrip(".")]
        meant = meant or [each for each in self.rules if plain(each.title) == plain(name)]
        if not meant and any(within == section for _, section in self.sections):
            meant = [each for each in self.rules if each.section == within and _names(rest, each)]
        return meant or [each for each in self.rules if short(each.title) == short(name)]

    def lineage(self, slug: str) -> tuple[str, ...]:
        """The slugs of a rule and of the rules that it stands under."""
        slugs: list[str] = []
        at: str | None = slug
        while at is not None and at in self.by_slug:
            slugs.append(at)
            at = self.by_slug[at].parent
        return tuple(slugs)

    def children(self, slug: str) -> tuple[Placed, ...]:
        """The subrules directly under a rule."""
        return tuple(each for each in self.rules if each.parent == slug)

    def under(self, slug: str) -> tuple[Placed, ...]:
        """A rule and all its subrules, in reading order."""
        top = self.by_slug[slug]
        return tuple(each for each in self.rules if each is top or each.path.startswith(top.stem + "/"))

    def unique_title(self, slug: str) -> bool:
        """Whether no other rule bears this rule's title."""
        title = plain(self.by_slug[slug].title)
        return sum(plain(each.title) == title for each in self.rules) == 1

    def acts_as(self, other: Ruleset) -> bool:
        """Whether no more than prose and titles differ from another ruleset."""
        if self is other:
            return True
        return [each.law for each in self.rules if each.acts] == [
            each.law for each in other.rules if each.acts
        ]

    # ---- changing

    def with_rule(self, *changed: Rule | Placed) -> Ruleset:
        """The ruleset with the content of some rules replaced; a rule that is as it was keeps its file."""
        texts = dict(self.texts)
        for each in changed:
            rule = each.rule if isinstance(each, Placed) else each
            old = self.by_slug[rule.slug]
            if rule != old.rule:
                texts[old.path] = rules.render(rules.checked(rule))
        return self if texts == self.texts else Ruleset.read(texts, old=self)

    def add(self, rule: Rule, **spot: Unpack[Spot]) -> Ruleset:
        """The ruleset with one rule more; without a place at the end of the dynastic section."""
        if rule.slug in self.by_slug:
            raise Refused.of(f"there is a rule with the slug {rule.slug} already", mend="choose another slug")
        home = self._home(spot, "dynastic")
        return self._put({".md": rules.render(rules.checked(rule))}, rule.slug, home, spot)

    def move(self, slug: str, **spot: Unpack[Spot]) -> Ruleset:
        """The ruleset with a rule and its subrules elsewhere; without a place at the end of its section."""
        branch = self.under(slug)
        if spot.get("under") in [each.slug for each in branch]:
            raise Refused.of("a rule cannot be put under itself or its own subrule", rule=slug)
        files = {each.path[len(branch[0].stem) :]: self.texts[each.path] for each in branch}
        rest = self.remove(slug)
        return rest._put(files, slug, rest._home(spot, branch[0].section), spot)

    def remove(self, slug: str) -> Ruleset:
        """The ruleset without a rule and its subrules."""
        gone = {each.path for each in self.under(slug)}
        return Ruleset.read({path: text for path, text in self.texts.items() if path not in gone}, old=self)

    def with_terms(self, old: Mapping[str, str], new: Mapping[str, str]) -> Ruleset:
        """The ruleset with the old terms of player, players and emperor replaced in all titles and prose."""
        change = terms.replacing(old, new)
        texts = {
            path: change(text) if path.rpartition("/")[2] == INDEX else text
            for path, text in self.texts.items()
        }
        for placed in self.rules:
            rule = replace(placed.rule, title=change(placed.title), prose=change(placed.prose))
            if rule != placed.rule:
                texts[placed.path] = rules.render(rules.checked(rule))
        return Ruleset.read(texts, old=self)

    def _home(self, spot: Spot, default: str) -> str:
        """The folder of a place: under a rule, else at a section's top level, else where a neighbour is."""
        section = spot.get("section")
        if (under := spot.get("under")) is not None:
            if under not in self.by_slug:
                raise Refused.of(
                    f"no rule {printable(under)} to put it under", mend="name another, or a section"
                )
            return self.by_slug[under].stem
        if section is None:
            for slug in (spot.get("after"), spot.get("before")):
                if slug is not None and slug in self.by_slug:
                    return self.by_slug[slug].path.rpartition("/")[0]
        return self._folder(section or default)

    def _folder(self, section: str) -> str:
        for number, name in self.sections:
            if name == section:
                return f"{number}-{name}"
        number = SECTIONS.get(section, 0)
        if not number or any(number == taken for taken, _ in self.sections):
            names = ", ".join(name for _, name in self.sections)
            raise Refused.of(f"there is no section {quoted(section)}", mend=f"the sections are {names}")
        return f"{number}-{section}"

    def _put(self, branch: Mapping[str, str], slug: str, folder: str, spot: Spot) -> Ruleset:
        """Put a rule's files, by what follows its stem, into a folder, next to a neighbour or at the end."""
        if any(f"{folder}/{rest}".count("/") > DEEPEST for rest in branch):
            raise Refused.of(f"rules lie in rules deeper than {DEEPEST} levels", mend="move it up")
        siblings = [each for each in self.rules if each.path.rpartition("/")[0] == folder]
        after, before = spot.get("after"), spot.get("before")
        order = [each.slug for each in siblings]
        at = order.index(after) + 1 if after in order else [*order, before].index(before)
        low = siblings[at - 1].prefix if at else 0
        prefix = low + 10 if at == len(order) else (low + siblings[at].prefix) // 2
        texts = dict(self.texts)
        if prefix <= low or prefix > 999_999:
            prefix = 10 * (at + 1)
            for n, each in enumerate(siblings):
                for path in [each.path, *(sub.path for sub in self.under(each.slug)[1:])]:
                    del texts[path]
                stem = f"{folder}/{10 * (n + 1 + (n >= at))}-{each.slug}"
                texts |= {
                    stem + sub.path[len(each.stem) :]: self.texts[sub.path] for sub in self.under(each.slug)
                }
        texts |= {f"{folder}/{prefix}-{slug}{rest}": text for rest, text in branch.items()}
        return Ruleset.read(texts, old=self)


class _Reading(Struct):
    """One reading of a ruleset's files, gathering its problems; of each of the ``folders`` the prefix, slug and path of its rules."""

    texts: dict[str, str]
    old: Ruleset | None
    problems: list[Problem] = field(default_factory=list)
    folders: dict[str, list[tuple[int, str, str]]] = field(default_factory=dict)
    rules: list[Placed] = field(default_factory=list)
    by_slug: dict[str, Placed] = field(default_factory=dict)

    def ruleset(self) -> Ruleset:
        sections: dict[int, str] = {}
        twice: dict[str, str] = {}
        intros: dict[str, str] = {}
        for path in sorted(self.texts):
            folder, *names = path.split("/")
            numbered_folder = _FOLDER.fullmatch(folder)
            if not numbered_folder or not names:
                self._wrong(path, "a rule lies in no section", "put it into a folder such as 2-dynastic")
                continue
            number, slug = int(numbered_folder[1]), numbered_folder[2]
            if (other := sections.setdefault(number, slug)) != slug:
                twice.setdefault(
                    folder, f"two sections have the number {number}: {number}-{other} and {folder}"
                )
            if names == [INDEX]:
                intros[numbered_folder[2]] = self.texts[path]
            else:
                self._file(path, names)
        for folder, what in twice.items():
            self._wrong(f"{folder}/", what, "give one folder another number")
        if len(set(sections.values())) < len(sections):
            self._wrong("", "two folders are the same section", "put all rules of a section into one folder")
        numbered = tuple(sorted(sections.items()))
        for number, section in numbered:
            self._walk(f"{number}-{section}", section, None, str(number))
        if self.problems:
            raise Malformed(*self.problems)
        return Ruleset(self.texts, tuple(self.rules), self.by_slug, numbered, intros)

    def _wrong(self, path: str, what: str, mend: str) -> None:
        self.problems.append(Problem(what, Place(path), mend))

    def _file(self, path: str, names: Sequence[str]) -> None:
        named = FILE.fullmatch(names[-1])
        folder = path.rpartition("/")[0]
        if not named:
            self._wrong(path, "a bad file name", "call it NN-SLUG.md; what people read is `title:`")
        elif len(names) > DEEPEST:
            self._wrong(path, f"rules lie in rules deeper than {DEEPEST} levels", "move it up")
        elif len(names) > 1 and f"{folder}.md" not in self.texts:
            self._wrong(path, "a subrule whose parent is no rule", f"the parent would be {folder}.md")
        else:
            self.folders.setdefault(folder, []).append((int(named[1]), named[2], path))

    def _walk(self, folder: str, section: str, parent: str | None, number: str) -> None:
        for place, (_, slug, path) in enumerate(sorted(self.folders.get(folder, ())), 1):
            if slug in self.by_slug:
                self._wrong(path, f"the slug {slug} is taken by {self.by_slug[slug].path}", "choose another")
                continue
            old = self.old.by_slug.get(slug) if self.old else None
            rule = self._rule(slug, path, old)
            placed = Placed(rule, section, parent, path, f"{number}.{place}")
            if old is not None and old.rule is rule and old == placed:
                placed = old
            self.by_slug[slug] = placed
            self.rules.append(placed)
            self._walk(path[:-3], section, slug, placed.number)

    def _rule(self, slug: str, path: str, old: Placed | None) -> Rule:
        text = self.texts[path]
        if old is not None and self.old is not None and self.old.texts[old.path] == text:
            return old.rule
        try:
            return rules.parse(text, slug, path)
        except Malformed as wrong:
            self.problems.extend(wrong.problems)
            return Rule(slug, slug, {}, "", "")


def slugs_of(rules: Sequence[Placed]) -> str:
    """What to write to name one of several rules that are called alike: the slug, which is one rule's alone."""
    return "write " + " or ".join(f"{each.slug} for {each}" for each in rules)


def _names(name: str, placed: Placed) -> bool:
    return name.strip() == placed.slug or any(form(name) == form(placed.title) for form in (plain, short))
