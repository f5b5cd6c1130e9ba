"""From a branch to changes. Source: From a branch, in ``docs/changes.md``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.ground.problems import Malformed, Place, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.ruleset import Placed
from nomicgit.law.shapes import Change
from nomicgit.outlook.branches.anchored import Patience
from nomicgit.outlook.branches.edited import Edits, edited
from nomicgit.outlook.branches.joint import joined
from nomicgit.outlook.branches.placed import arrivals, departures
from nomicgit.outlook.branches.shown import shown
from nomicgit.outlook.branches.sides import Sides, sides
from nomicgit.outlook.branches.sound import unsound
from nomicgit.physics.deeds.matters import content_hash
from nomicgit.record.proof import alike, carry, gives, of_branch, same_words
from nomicgit.record.tree import RULESET

MOST_TRIED = 16_000_000  # characters of prose that edits are tried on, over all rules
MOST_COMMENTS = 20  # of one file that are told to be lost


class Expressed(Struct, frozen=True):
    """A branch as changes, in order, with their content hash; both commits; and what its author should know."""

    base: str
    head: str
    changes: tuple[Change, ...]
    hash: str
    told: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The changes for people, what the author should know, and the hash to which votes are bound."""
        for change in self.changes:
            yield from shown(change)
        yield from (f"note: {line}" for line in self.told)
        yield f"content hash {self.hash}"

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "base": self.base, "head": self.head, "hash": self.hash, "changes": list(self.changes), "told": list(self.told)
        }  # fmt: skip


def changes_of(repository: Repository, base_commit: str, head_commit: str) -> Expressed:
    """What a branch does, from its base to its head.

    Malformed, with all problems at once, where it cannot become changes: each with its file and line and what
    to do. Refused where it does nothing, brings more than any proposal needs, or cannot be said.
    """
    both = sides(repository, base_commit, head_commit)
    if problems := list(_problems(both)):
        raise Malformed(*problems)
    changes, edits = _changes(both)
    if not changes:
        raise Refused.of(
            "this branch changes no rule",
            mend=remedy(
                "reflowed lines, YAML's style and file prefixes are no change; what is not committed yet is not on it:",
                command("git", "status"),
            ),
        )
    if not gives(both.base, changes, both.head, both.used):
        raise Refused(*unsaid(both, changes))
    return Expressed(
        base_commit, head_commit, tuple(changes), content_hash(changes), tuple(_told(both, edits))
    )


def still_gives(
    repository: Repository, changes: Sequence[Change], base_commit: str, head_commit: str
) -> bool:
    """Whether changes that a matter holds already make of a base just what a branch has at its head.

    So a branch may be moved onto a new base, or tidied, and nothing has changed for those who voted.
    """
    both = sides(repository, base_commit, head_commit)
    mine = [change for change in changes if of_branch(change)]
    said = {each["scenario"]["name"]: each["scenario"]["text"] for each in mine if "scenario" in each}
    return said == dict(both.scenarios) and gives(both.base, mine, both.head, both.used)


def _problems(both: Sides) -> Iterator[Problem]:
    yield from unsound(both.base, both.head, both.physics)
    sections = {each.path.partition("/")[0]: each.section for each in both.base.rules}
    for each in both.head.rules:
        folder = each.path.partition("/")[0]
        if folder not in sections and each.section not in sections.values():
            what = f"{folder} is a section that the game does not have, and a proposal brings none"
            mend = f"move the file into one of {', '.join(sections)}"
            yield Problem(what, Place(RULESET + each.path, 0, 0, each.title), mend)
    for each in both.head.rules:
        if each.slug not in both.base.by_slug and each.slug in both.used:
            what = f"the slug {each.slug} was another rule's, and stays with it"
            yield Problem(what, Place(RULESET + each.path, 0, 0, each.title), "give the file another name")


def unsaid(both: Sides, changes: Sequence[Change]) -> Iterator[Problem]:
    """That a branch cannot be said as changes, with the rules that they make otherwise than it has them."""
    made = carry(both.base, changes, both.used).ruleset
    rules = [each for each in both.head.rules if not alike(made.by_slug.get(each.slug), each)]
    rules += [each for each in made.rules if each.slug not in both.head.by_slug]
    order = (b for a, b in zip(made.rules, both.head.rules, strict=False) if a.slug != b.slug)
    places = [Place(each.file, rule=each.title) for each in rules or islice(order, 1)]
    for place in places or [Place()]:
        what = "what this branch does cannot be said as changes, one after the other"
        yield Problem(what, place, "propose it in two branches: first what moves, then what is edited")


def _changes(both: Sides) -> tuple[list[Change], list[Edits]]:
    """Additions and moves, edits rule by rule, repeals, scenarios; and the edits by themselves."""
    base, head = both.base, both.head
    patience = Patience(MOST_TRIED)
    edits = [
        edited(base.by_slug[each.slug], each, patience)
        for each in head.rules
        if each.slug in base.by_slug and not same_words(base.by_slug[each.slug], each)
    ]
    come, gone = arrivals(base, head, both.used), departures(base, head)
    order = [each.slug for each in head.rules]
    new = [slug for slug in order if slug not in base.by_slug]
    slugs = [_moved(change) or new.pop(0) for change in come]
    slugs += [each.slug for each in edits] + [str(change["repeal"]) for change in gone]
    changes = [*come, *map(_together, edits), *gone]
    changes = joined(base, head, changes, slugs)
    changes += [{"scenario": {"name": name, "text": text}} for name, text in sorted(both.scenarios.items())]
    return changes, edits


def _moved(change: Change) -> str:
    return str(change["move"]["rule"]) if "move" in change else ""


def _together(edits: Edits) -> Change:
    return edits.changes[0] if len(edits.changes) == 1 else {"together": list(edits.changes)}


def _told(both: Sides, edits: Collection[Edits]) -> Iterator[str]:
    for each in edits:
        if each.whole:
            yield f"the {' and '.join(each.whole)} of the rule {each.slug} could only be said as a whole"
    touched = {each.slug for each in edits}
    for placed in both.head.rules:
        if placed.slug in touched or placed.slug not in both.base.by_slug:
            yield from _lost_comments(placed, both.head.texts[placed.path])


def _lost_comments(placed: Placed, text: str) -> Iterator[str]:
    """The comments in a rule's front matter: the program writes it anew, and keeps none."""
    parts = files.split(text.removeprefix("\ufeff"), placed.path)
    lines = parts.front.split("\n")
    marked = [n for n, line in enumerate(lines) if re.search(r"(?:^|\s)#", line)]
    whole = files.read(parts.front)
    for n in marked[:MOST_COMMENTS]:
        comment = re.search(r"(?:^|\s)#.*", lines[n])
        assert comment is not None
        without = [*lines[:n], lines[n][: comment.start()], *lines[n + 1 :]]
        try:
            same = files.read("\n".join(without)) == whole
        except Malformed:
            same = False
        if same:
            where = f"{RULESET}{placed.path}:{parts.front_line + n}"
            yield f"{where}: the comment “{printable(comment[0].strip(), 60)}” in the front matter is not kept"
