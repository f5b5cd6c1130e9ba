"""What a deed has done to the gamestate, in lines for people: what it made, and every value that it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nomicgit.ground import clock
from nomicgit.ground.wording import SHORT, in_words
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Outcome
from nomicgit.physics.state.store import kind_of

MOST = 24  # lines
BY_CHANCE = "for example, by dice that the deed throws anew"
"""What is said of a deed that was only tried, and drew."""

KEEPS = frozenset({"called", "hash", "branch_head", "made", "frozen"})
"""Fields that the program keeps of posts for itself."""


def lines(outcome: Outcome) -> Iterator[str]:
    """A line for each public thing that a deed made and each public value that it changed; of a great many, how many more.

    That something was done just now, as the time of the deed itself says, is left out.
    """
    now = clock.text(outcome.deed.at)
    effects = [e for e in outcome.effects if e["public"] and e["field"] not in KEEPS and e["new"] != now]
    every = [*_made(outcome, effects)]
    for each in effects:
        if each["ref"] not in outcome.made:
            every += changed(str(each["path"]), each["old"], each["new"])
    yield from every[:MOST]
    if len(every) > MOST:
        yield f"and {len(every) - MOST} more (all of them: --json)"


def rules(before: Ruleset, after: Ruleset) -> dict[str, list[str]]:
    """The titles of the rules that a deed added, amended and repealed; what is none of these is left out."""
    old, new = before.by_slug, after.by_slug
    slugs = {
        "added": [slug for slug in new if slug not in old],
        "amended": [slug for slug in new if slug in old and new[slug].rule != old[slug].rule],
        "repealed": [slug for slug in old if slug not in new],
    }
    return {
        change: [(old if change == "repealed" else new)[slug].title for slug in some]
        for change, some in slugs.items()
        if some
    }


def _made(outcome: Outcome, effects: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """What came into being, with its fields; a post has a page of its own, and whoever made it knows what it says."""
    for ref in outcome.made:
        if ref == outcome.result and kind_of(ref) == "posts":
            continue
        fields = {str(each["field"]): each["new"] for each in effects if each["ref"] == ref and each["new"]}
        said = f" ({in_words(fields, 2 * SHORT)})" if fields and kind_of(ref) != "posts" else ""
        yield f"made: {ref.replace('/', '.')}{said}"


def changed(path: str, old: object, new: object) -> Iterator[str]:
    """A changed value; of a map each name whose value changed."""
    if isinstance(old, Mapping | None) and isinstance(new, Mapping | None) and (old or new):
        before, after = old or {}, new or {}
        for name in dict.fromkeys((*before, *after)):
            if before.get(name) != after.get(name):
                yield from changed(f"{path}.{name}", before.get(name), after.get(name))
    elif isinstance(old, list | None) and isinstance(new, list | None) and (old or new):
        yield f"{path}: {_turned(old or [], new or [])}"
    else:
        yield f"{path}: {in_words(old)} → {in_words(new)}"


def _turned(old: Sequence[object], new: Sequence[object]) -> str:
    """What became of a list: all of it where it is short, else what came to it and what left it."""
    before, after = in_words(list(old), 10 * SHORT), in_words(list(new), 10 * SHORT)
    came, left = ([each for each in some if each not in others] for some, others in ((new, old), (old, new)))
    if max(len(before), len(after)) <= SHORT or not (came or left):
        return f"{in_words(list(old))} → {in_words(list(new))}"
    parts = (f"{word} {in_words(each)}" for word, each in (("with", came), ("without", left)) if each)
    return "now " + ", ".join(parts)
