"""What may surprise about a change that is made: the names that it gives, and those that lead elsewhere after it.

Titles of rules need not be unique, and a name may lead to no rule yet: nothing of this is refused, all of it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from nomicgit.ground.characters import as_read
from nomicgit.ground.problems import Place, Problem, printable, quoted
from nomicgit.law.rules import front_lines
from nomicgit.law.ruleset import Placed, Ruleset, slugs_of
from nomicgit.law.titles import plain, short

TEXT = "in a change `text: …` gives it one, in a file what stands below the second line of ---"


def remarks(
    change: Mapping[str, Any], before: Ruleset, after: Ruleset, strangers: Iterable[str]
) -> Iterator[Problem]:
    """What to say of one change as it was written, with the rules before and after it; where it is of a rule, with its title's line.

    ``strangers`` are the names that it bars and that no player bore before it.
    """
    yield from _untitled(change, before, after)
    yield from _wordless(before, after)
    yield from _names(before, after)
    yield from _alike(before, after)
    yield from _beside(change, before, after)
    for name in strangers:
        yield Problem(f"no player is called {printable(name, 60)}: the name alone is barred")


def _of_rule(rules: Ruleset, placed: Placed, what: str, mend: str = "") -> Problem:
    line = front_lines(rules.texts[placed.path]).get(("title",), 1)
    return Problem(what, Place(placed.file, line, 0, placed.title), mend)


def _untitled(change: Mapping[str, Any], before: Ruleset, after: Ruleset) -> Iterator[Problem]:
    """The rules that come without a title, and what they are called then."""
    titles = [str(rule.get("title") or "").strip() for rule in given(change, "add-rule")]
    for placed in after.rules if "" in titles else ():
        if placed.slug not in before.by_slug and placed.title not in titles:
            what = f"the new rule has no title, and is called “{printable(placed.title, 80)}” then; its slug is {placed.slug}"
            yield _of_rule(after, placed, what)


def _wordless(before: Ruleset, after: Ruleset) -> Iterator[Problem]:
    """The rules that say nothing then, and are new or said something before."""
    for placed in after.rules:
        bore = before.by_slug.get(placed.slug)
        if not placed.prose and not placed.mechanics and (bore is None or bore.prose or bore.mechanics):
            what = f"the rule “{printable(placed.title, 80)}” then has no text"
            yield _of_rule(after, placed, what, TEXT)


def _names(before: Ruleset, after: Ruleset) -> Iterator[Problem]:
    """The titles that do not lead to their rule any more, or lead to others beside it, and did not before."""
    said: set[tuple[str, ...]] = set()
    for name, meant in _called(before, after).items():
        called, bore = after.called(name), before.by_slug.get(meant.slug)
        as_before = bore is not None and short(bore.title) == short(meant.title)
        same = as_before and [each.slug for each in called] == [each.slug for each in before.called(name)]
        slugs = tuple(each.slug for each in called)
        if same or slugs == (meant.slug,) or slugs in said:
            continue
        said.add(slugs)
        shown = f"“{printable(name, 80)}”"
        newest = next((each for each in [*called, meant] if _renamed(before, each)), meant)
        if len(called) > 1:
            what = f"{shown} is then the name of {len(called)} rules: {slugs_of(called)}"
            yield _of_rule(after, newest, what, "another title keeps them apart")
        else:
            what = f"{shown} then names another rule: {slugs_of([*called, meant])}"
            yield _of_rule(after, newest, what)


def _alike(before: Ruleset, after: Ruleset) -> Iterator[Problem]:
    """The new titles that read like another rule's and are not it, such as one with a 1 in the place of an l."""
    for placed in (each for each in after.rules if _renamed(before, each)):
        reads = as_read(plain(placed.title))
        for other in after.rules:
            if plain(other.title) != plain(placed.title) and as_read(plain(other.title)) == reads:
                what = f"the title “{printable(placed.title, 80)}” reads like that of another rule, “{printable(other.title, 80)}”"
                yield _of_rule(after, placed, what, "another title keeps them apart")
                break


def _renamed(before: Ruleset, placed: Placed) -> bool:
    """Whether a rule is new, or is called otherwise than before."""
    return placed.slug not in before.by_slug or before.by_slug[placed.slug].title != placed.title


def _called(before: Ruleset, after: Ruleset) -> dict[str, Placed]:
    """What people may write for a rule, by the rule that they mean: all titles, and what was enough of one before."""
    names = {plain(each.title): (each.title, each) for each in after.rules}
    for each in before.rules:
        still = after.by_slug.get(each.slug)
        if still is None or (still.title, still.section) != (each.title, each.section):
            continue
        for name in (short(each.title), f"{each.section}/{each.title}"):
            if plain(name) != plain(each.title) and before.called(name) == [each]:
                names[plain(name)] = (name, still)
    return dict(names.values())


def _beside(change: Mapping[str, Any], before: Ruleset, after: Ruleset) -> Iterator[Problem]:
    """The neighbours that are not there, so that a rule stands at the end of its place instead."""
    places = (place for form in ("add-rule", "move") for place in given(change, form))
    for name in [place[side] for place in places for side in ("after", "before") if place.get(side)]:
        if not before.called(str(name)) and not after.called(str(name)):
            what = f"no rule is called {quoted(str(name), 60)} to stand beside: the end of the place is taken"
            yield Problem(what)


def given(change: Mapping[str, Any], form: str) -> Iterator[Any]:
    """What is given to a form wherever it stands in a change."""
    for each in change.get("together", ()):
        yield from given(each, form)
    if form in change:
        yield change[form]
