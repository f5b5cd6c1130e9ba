"""Names that go from one rule to another: changes that only together leave no name defined twice.

A change is not made where it would leave a function, or a declaration, in two rules. So where a rule takes
over what another gives up, both stand in one ``together``, and what goes is said before what comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from nomicgit.law.definitions import definitions
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.shapes import Change

Name = tuple[str, str]  # the table of declarations, or "" for a function, and the name


def joined(base: Ruleset, head: Ruleset, changes: Sequence[Change], slugs: Sequence[str]) -> list[Change]:
    """The changes, those that hand names over put into one; ``slugs`` are the rules that each is about."""
    which: dict[str, int] = {}
    for n, slug in enumerate(slugs):
        gone = [each.slug for each in base.under(slug)] if "repeal" in changes[n] else [slug]
        which |= dict.fromkeys(gone, n)
    before, after = _owners(base, which), _owners(head, which)
    handed = [
        name
        for name in after
        if after[name] - before.get(name, set()) and before.get(name, set()) - after[name]
    ]
    inside = sorted({which[slug] for name in handed for slug in before[name] ^ after[name]})
    if not inside:
        return list(changes)
    parts = [part for n in inside for part in _parts(changes[n])]
    goes, comes = [p for p in parts if _takes_out(p)], [p for p in parts if not _takes_out(p)]
    whole: Change = {"together": [*goes, *comes]}
    last = inside[-1]
    return [*(each for n, each in enumerate(changes[:last]) if n not in inside), whole, *changes[last + 1 :]]


def _owners(ruleset: Ruleset, slugs: Iterable[str]) -> dict[Name, set[str]]:
    """The rules among these in which each name stands."""
    owners: dict[Name, set[str]] = {}
    for slug in slugs:
        if slug in ruleset.by_slug:
            for name in _names(ruleset.by_slug[slug]):
                owners.setdefault(name, set()).add(slug)
    return owners


def _names(placed: Placed) -> Iterator[Name]:
    for each in definitions(placed.mechanics):
        if each.kind == "function" and not each.name.startswith("_"):
            yield "", each.name
    for table, entries in placed.front.items():
        if isinstance(entries, Mapping):
            yield from ((table, str(name)) for name in entries)


def _parts(change: Change) -> Iterable[Change]:
    for part in change.get("together", [change]):
        yield from _halves(part)


def _halves(change: Change) -> Iterator[Change]:
    """A change of definitions or declarations as two: what goes, and what comes."""
    given = change.get("amend")
    if not isinstance(given, Mapping) or "set" not in given:
        yield change
        return
    for goes in (True, False):
        some = {path: value for path, value in given["set"].items() if (value is None) == goes}
        if some:
            was = {path: given["was"][path] for path in some}
            yield {"amend": {**given, "set": some, "was": was}}


def _takes_out(change: Change) -> bool:
    given = change.get("amend")
    return "repeal" in change or (
        isinstance(given, Mapping)
        and "set" in given
        and all(value is None for value in given["set"].values())
    )
