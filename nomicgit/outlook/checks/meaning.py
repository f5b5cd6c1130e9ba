"""A law without what is declared wrongly in it, so that this hides nothing else that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from nomicgit.law.law import Law
from nomicgit.law.misdeclared import INSTEAD, Path, lying

MOST_ROUNDS = 12  # in which more comes up, behind what was wrong
BARE: Final = frozenset("variables actions posts views".split())
"""What can be declared without any options: so it stays there, for what others say of it."""
TYPED: Final = frozenset(("with", "fields"))  # what stands there has a type


def meant(law: Law) -> tuple[Law, frozenset[str]]:
    """A law without what is declared wrongly, and the names of that; its problems are all those that come up.

    What is declared wrongly is left out, and the rest looked at again, as often as more comes up.
    """
    tables, unsure = law.declared, set[str]()
    problems = list(tables.problems)
    mended = {placed.slug: placed for placed in law.ruleset.rules}
    for _ in range(MOST_ROUNDS):
        if not tables.wrong:
            break
        for slug, paths in tables.wrong.items():
            rule = mended[slug].rule
            unsure |= {name for path in paths for name in _names(rule.front, path)}
            mended[slug] = replace(mended[slug], rule=replace(rule, front=_front_without(rule.front, paths)))
        tables = law.merged(replace(law.ruleset, rules=tuple(mended.values())))
        said = {(each.what, each.where.rule) for each in problems}
        problems += [each for each in tables.problems if (each.what, each.where.rule) not in said]
    if tables is law.declared:
        return law, frozenset()
    tables.problems = sorted(problems, key=lambda each: (each.where.file, each.where.line))
    return Law(law.ruleset, law.language, law.declarations, tables), frozenset(unsure)


def _names(front: Mapping[str, Any], path: Path) -> Iterator[str]:
    """The names of what is declared wrongly at a path, and of what is named there: nobody knows what they are meant to be."""
    yield from map(str, path[1:2])
    value = lying(front, path)
    yield from map(str, value if isinstance(value, list | Mapping) else ())


def _front_without(front: Mapping[str, Any], wrong: Iterable[Path]) -> dict[str, Any]:
    """A front matter without what lies at some paths."""
    made = dict(front)
    for path in wrong:
        made = _without(made, path, ())
    return made


def _without(given: Any, path: Sequence[str | int], before: Path) -> Any:
    """The same value without what lies at a path in it; ``before`` is the path on which it lies itself."""
    if isinstance(given, list) and isinstance(path[0], int):
        return [
            each if n != path[0] else _without(each, path[1:], (*before, n)) if path[1:] else {}
            for n, each in enumerate(given)
        ]
    if not isinstance(given, Mapping) or (path[0] not in given and path[0] not in INSTEAD):
        return given
    [name, *further] = path
    made, here = dict(given), (*before, name)
    if further:
        made[name] = _without(made.get(name), further, here)
    elif name in INSTEAD and len(here) > 2:
        made[name] = INSTEAD[str(name)]
    elif len(here) > 2 and here[-2] in TYPED:
        made[name] = "any"
    elif len(here) == 2 and here[0] in BARE and made[name]:
        made[name] = {}
    else:
        del made[name]
    return made
