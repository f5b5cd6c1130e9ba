"""Running the checks, over a ruleset or over a whole game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.clones.by_hand import edited
from nomicgit.clones.others.building import building
from nomicgit.clones.others.misleading import misleading
from nomicgit.clones.others.unheld import unheld
from nomicgit.clones.others.vetting import advised
from nomicgit.git import Repository
from nomicgit.git.lacking import SHALLOW, the_rest
from nomicgit.ground.kept import Kept
from nomicgit.ground.problems import NomicError, Problem
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.law import Law
from nomicgit.law.linking import Language
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.branches.sound import of_author
from nomicgit.outlook.checks import (
    aimed,
    answerable,
    conjoined,
    defects,
    fitting,
    gone,
    habits,
    handed,
    keys,
    law,
    meaning,
    mechanics,
    misused,
    named,
    owned,
    ranges,
    references,
    shadowing,
    slips,
    spelled,
    state,
    taken_away,
    takings,
    uncalled,
    unequal,
    unlike,
    unused,
)
from nomicgit.outlook.checks.finding import Finding, error, warning
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.physics import Physics
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.record.game import Game
from nomicgit.record.seen import attributes
from nomicgit.record.seen.blame import left_so
from nomicgit.record.seen.strays import strays, unverified
from nomicgit.record.tree import GAME, GameTree

LAW: tuple[Callable[[Law], Iterator[Finding]], ...] = (
    law.declarations, keys.outdented, keys.keys, keys.slips, keys.names, fitting.fitting, named.functions, named.signatures,
    answerable.answering, answerable.opening, answerable.refusing,
    law.types, law.collections, law.keyed, law.hooks, named.limits, named.seers,
    law.quotes, law.terms, law.replaced, law.orphans,
    aimed.kinds, aimed.guards, aimed.events, aimed.overridden, aimed.protected, aimed.shielded, aimed.costs,
    mechanics.names, habits.habits, habits.fenced, misused.misused,
    handed.handed, handed.swapped, spelled.spelled, spelled.valued, spelled.turned,
    ranges.amounts, ranges.requirements, ranges.conditions, takings.unhad, gone.used_afterwards, uncalled.uncalled, uncalled.never_due,
    shadowing.shadowing, references.compared, references.built, unequal.unequal, unequal.always, conjoined.conjoined, unlike.unlike,
    owned.owned, owned.summed, owned.hiding,
)  # fmt: skip
ITSELF = (law.declarations, law.types, named.functions, keys.outdented, keys.keys)
"""Checks of what stands in a declaration itself: what they find follows from nothing else that is wrong with it."""
HANDED = (
    handed.handed, handed.swapped, spelled.spelled, spelled.valued, ranges.amounts, ranges.requirements,
)  # fmt: skip
"""Checks of what stands in a place of a call: of what stands in another's place they know nothing."""
STATE: tuple[Callable[[GameTree, Position], Iterator[Finding]], ...] = (
    state.layout, state.entities, state.posts, state.index, state.scenarios,
)  # fmt: skip

_WORD = re.compile(r"[\w-]+")
_FOUND = Kept[tuple[frozenset[tuple[str, str]], Language], tuple[Finding, ...]](8)
"""What is wrong with each of the last laws: with that in force, and as some that is pending would have it."""


class Checked(Struct, frozen=True):
    """What the checks found, errors first, and how much they looked at."""

    findings: tuple[Finding, ...]
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether there is no error; warnings are no errors."""
        return not any(finding.level == "error" for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "sound": self.sound,
            "findings": [f.as_json() for f in self.findings],
            "counts": dict(self.counts),
        }


def check_ruleset(ruleset: Ruleset, physics: Physics = NEWEST) -> Checked:
    """Check a ruleset alone, without any gamestate."""
    return _checked(_found(ruleset, physics), {"rules": len(ruleset.rules)})


def _found(ruleset: Ruleset, physics: Physics) -> Sequence[Finding]:
    """What is wrong with a law, which is looked through once."""
    key = frozenset(ruleset.texts.items()), physics.language
    return _FOUND.get(key, lambda: tuple(_of_law(physics.law(ruleset))))


def _of_law(in_force: Law) -> list[Finding]:
    """What is wrong with a law; of a slip of the pen that alone, as an error where anything breaks over it."""
    as_meant, slipped = slips.meant(in_force)
    findings = _looked(as_meant)
    slipped = slips.untold(slipped, findings)
    if slipped:
        left = {each.problem for each in findings}
        broken = [each for each in _looked(in_force) if each.level == "error" and each.problem not in left]
        findings += [error(each.problem) for each in slipped] if broken else slipped
    return findings


def _looked(in_force: Law) -> list[Finding]:
    """What looking at a law finds; what does not load is told only of lines of which nothing plainer is said, and what nothing
    uses only of rules in which nothing is wrong.
    """
    undeclared, (in_force, unsure) = keys.undeclared(in_force), meaning.meant(in_force)
    wrong = undeclared | unsure
    astray = misused.disordered(in_force)
    findings = [
        f
        for check in LAW
        for f in check(in_force)
        if (check in ITSELF or not _of(wrong, f)) and not (check in HANDED and _at(f) in astray)
    ]
    said = {_at(f) for f in findings if f.level == "error"}
    findings += [f for f in mechanics.loading(in_force) if _at(f) not in said]
    return unused.but_where_wrong([*findings, *unused.unused(in_force)], findings)


def _at(finding: Finding) -> tuple[str, int]:
    return finding.problem.where.file, finding.problem.where.line


def _of(names: Set[str], finding: Finding) -> bool:
    """Whether a finding speaks of something by one of these names: it follows from how that is declared."""
    return not names.isdisjoint(_WORD.findall(finding.problem.what))


def newly_found(before: Ruleset, after: Ruleset, physics: Physics) -> list[Finding]:
    """What the checks find in a ruleset and did not find in the one before it."""
    return taken_away.gathered(before, after, newly(before, after, physics))


def newly(before: Ruleset, after: Ruleset, physics: Physics) -> list[Finding]:
    """The same, with one finding for each place that lacks what is gone."""
    if not (there := check_ruleset(after, physics).findings):
        return []  # of most laws there is nothing to tell: then nobody looks through the one before
    known = set(map(said_of, _found(before, physics)))
    laws = {each.slug: each.law for each in before.rules}
    changed = {each.slug for each in after.rules if laws.get(each.slug) != each.law}
    return [
        replace(each, problem=of_author(after, changed, each.problem))
        for each in there
        if said_of(each) not in known
    ]


def said_of(finding: Finding) -> tuple[str, str, str]:
    """What a finding says of a rule, wherever it stands there."""
    return finding.level, finding.problem.what, finding.problem.where.rule


def check_game(repository: Repository, commit: str, at: int | None = None) -> Checked:
    """Check a game as it stands at a commit, and what of its law breaks at a time in seconds (None: its last deed's)."""
    tree = GameTree(repository, repository.commit(commit).tree)
    findings: list[Finding] = []
    try:
        position = Position(Store(tree), tree.ruleset(), tree.physics, now=0)
    except NomicError as wrong:
        unread = _recorded(repository, commit, [error(problem) for problem in wrong.problems])
        return _checked([*_strays(repository, commit), *unread], {})
    findings += _recorded(repository, commit, [f for look in STATE for f in look(tree, position)])
    findings += _beside(
        _found(position.ruleset, tree.physics),
        list(defects.broken(Game(repository, repository.commit(commit)), at)),
    )
    findings += _strays(repository, commit)
    findings += [] if repository.is_whole() else [warning(Problem(SHALLOW, mend=the_rest()))]
    if there := unheld(repository, commit):
        findings.append(error(Problem(str(there), mend=there.mend)))
    builds = [each for each in building(repository, commit) if not (there and there.includes(each))]
    findings += [
        warning(Problem(str(each), mend=each.mend)) for each in (*builds, *misleading(repository, commit))
    ]
    if brought := attributes.changing(repository, commit):
        findings.append(warning(Problem(str(brought), mend=brought.mend)))
    if commit == repository.head():
        findings += _edited(repository, tree.tree)
        findings += [warning(new)] if (new := unverified(repository, commit)) is not None else []
    counts = {
        "rules": len(position.ruleset.rules),
        "players": len(list(tree.ids("players"))),
        "posts": len(list(tree.ids("posts"))),
    }
    return _checked(findings, counts)


def _beside(looked: Sequence[Finding], broke: Sequence[Finding]) -> list[Finding]:
    """What is found by looking, an error where something breaks on its line; and what breaks elsewhere."""

    broken = {_at(each) for each in broke if each.level == "error" and each.problem.where.line}
    said = {_at(each) for each in looked if each.problem.where.line}
    return [
        *(error(each.problem) if _at(each) in broken else each for each in looked),
        *(each for each in broke if _at(each) not in said),
    ]


def _strays(repository: Repository, commit: str) -> Iterator[Finding]:
    own = commit == repository.head()  # of which alone a clone remembers how far it has looked
    seen = advised(repository, commit).strays if own else strays(repository, commit)
    return (error(Problem(str(stray), mend=stray.mend)) for stray in seen)


def _recorded(repository: Repository, commit: str, findings: Sequence[Finding]) -> Iterator[Finding]:
    """What is wrong with files of the record, with the commits that left them so: nobody edits a line of those by hand."""
    wrong = [each for each in findings if each.level == "error" and each.problem.where.file.startswith(GAME)]
    yield from map(error, left_so(repository, commit, [each.problem.where.file for each in wrong]))
    for each in findings:
        edits = each in wrong and each.problem.where.line
        yield replace(each, problem=replace(each.problem, mend="")) if edits else each


def _edited(repository: Repository, tree: str) -> Iterator[Finding]:
    """What lies otherwise in the work tree: it is not what was looked at."""
    if lies := edited(repository, tree):
        what = f"not looked at, since it differs from the record: {lies.named}"
        yield warning(
            Problem(
                what,
                mend=remedy(
                    "commit it on a branch of its own, then:", command("nomicgit", "check", "BRANCH")
                ),
            )
        )


def _checked(findings: Sequence[Finding], counts: Mapping[str, int]) -> Checked:
    unique = dict.fromkeys(findings)
    return Checked(
        tuple(sorted(unique, key=lambda f: (f.level != "error", str(f.problem.where), f.problem.what))),
        counts,
    )
