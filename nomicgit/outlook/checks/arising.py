"""What is newly wrong with the law after some changes: found by looking at it, and by trying what is new."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nomicgit.ground.problems import Place
from nomicgit.law.law import Law
from nomicgit.law.ruleset import FOLDER, Ruleset
from nomicgit.outlook.checks.checking import newly, said_of
from nomicgit.outlook.checks.finding import Finding, error
from nomicgit.outlook.checks.habits import LITERALS, in_prose
from nomicgit.outlook.checks.keyless import unkept
from nomicgit.outlook.checks.keys import KEY
from nomicgit.outlook.checks.named import UNDEFINED
from nomicgit.outlook.checks.prospective import open_to_all
from nomicgit.outlook.checks.slips import meant
from nomicgit.outlook.checks.taken_away import gathered
from nomicgit.outlook.checks.trying import tried
from nomicgit.outlook.checks.uncovered import Uncovered
from nomicgit.outlook.checks.unused import but_where_wrong
from nomicgit.physics.deed import RESTS
from nomicgit.physics.state.transaction import Transaction

_KEYLESS = re.compile(r"collections\.([\w-]+)(?:: it has no key|\.key: the collection has no field)")
_MISSED = re.compile(r'the map has no key "([\w-]+)"')
_LACKING = re.compile(rf"{UNDEFINED}(\w+)")
_UNDECLARED = re.compile(r"no rule in force declares (\w+) of ")
_UNPAID = re.compile(r"no rule in force declares the variable (\w+) of player, which [\w-]+ costs")
_WORKED_OUT = re.compile(rf"(\w+): {re.escape(LITERALS)}")
_TIMELESS = re.compile(r"schedule\.[\w-]+\.at: (\w+) is of type")
_NAME = re.compile(r"[^\W\d]\w*")


def new_in(before: Ruleset, after: Ruleset) -> list[str]:
    """The rules that are new, or whose declarations or mechanics are."""
    known = {each.slug: each.law for each in before.rules}
    return [each.slug for each in after.rules if known.get(each.slug) != each.law and each.status == "active"]


def found_and_tried(
    world: Transaction,
    after: Ruleset,
    drawn: Ruleset | None = None,
    reads: dict[str, Uncovered] | None = None,
    within: int | None = None,
) -> list[Finding]:
    """What the checks newly find in a ruleset, and what breaks in its new rules, or in those that lack what is gone: of one mistake
    one message.

    ``drawn`` are the rules with those changes, too, that would not be made: what others lack of these alone is not told.
    ``reads`` takes up what the new rules get at of what is secret, by their slugs. ``within``: so many seconds of processor time are
    lent for each trial, and Late where they are too few.
    """
    world, new = open_to_all(world), new_in(world.ruleset, after)
    law, slipped = meant(world.physics.law(after))
    dead = [] if world.context.secrets else unkept(law, new)
    findings, lacking = _of_itself(newly(world.ruleset, after, world.physics), world, drawn)
    findings += dead
    files = {each.problem.where.file for each in findings}
    new += [each.slug for each in after.rules if each.file in files and each.slug not in new]
    new = [each for each in new if after.by_slug[each].file not in lacking]
    if slipped and any(each.level == "error" for each in tried(world, after, new, within=within)):
        whats = {each.problem for each in slipped}
        findings = [error(each.problem) if each.problem in whats else each for each in findings]
    trials = _newly_tried(world, law.ruleset if slipped else after, new, reads, within)
    broken = [each for each in trials if not _in_prose(law, new, each)]
    return gathered(world.ruleset, after, beside(but_where_wrong(findings, broken), broken, after))


def _of_itself(
    findings: Sequence[Finding], world: Transaction, drawn: Ruleset | None
) -> tuple[list[Finding], set[str]]:
    """What is found with those changes as well that would not be made; and the files of which more is found without them."""
    if drawn is None or not findings:
        return list(findings), set()
    known = {said_of(each) for each in newly(world.ruleset, drawn, world.physics)}
    apart = [each for each in findings if said_of(each) not in known]
    return [each for each in findings if each not in apart], {each.problem.where.file for each in apart}


def waiting(world: Transaction, after: Ruleset, drawn: Ruleset | None) -> set[str]:
    """The files of the rules that lack what changes would bring which would not be made."""
    return _of_itself(newly(world.ruleset, after, world.physics), world, drawn)[1]


def followed(world: Transaction, after: Ruleset) -> list[Finding]:
    """What breaks in the new rules of a ruleset over slips alone, which are told: it does not in the rules as they were meant."""
    world, new = open_to_all(world), new_in(world.ruleset, after)
    law, slipped = meant(world.physics.law(after))
    if not slipped:
        return []
    known = {_line(each) for each in tried(world, law.ruleset, new)}
    return [each for each in tried(world, after, new) if _line(each) not in known]


def _newly_tried(
    world: Transaction,
    after: Ruleset,
    slugs: Sequence[str],
    reads: dict[str, Uncovered] | None,
    within: int | None,
) -> list[Finding]:
    """What breaks when some rules are tried, and of those that are amended does not break so as they are in force."""
    trials = tried(world, after, slugs, reads, within)
    amended = new_in(world.ruleset, after) if trials else ()
    there = [each for each in amended if each in world.ruleset.by_slug]
    known = {_broken(world.ruleset, each) for each in tried(world, world.ruleset, there, within=within)}
    return [each for each in trials if _broken(after, each) not in known]


def _broken(ruleset: Ruleset, finding: Finding) -> tuple[str, str, str, str]:
    """What a trial says of a rule and of what stands in a line of it, wherever that line is."""
    what, where = finding.problem.what.partition(", here and in line")[0], finding.problem.where
    return finding.level, what, where.rule, _written_at(ruleset, where)


def _written_at(ruleset: Ruleset, where: Place) -> str:
    """The line of a rule at a place, without the spaces around it; "" where there is none."""
    lines = ruleset.texts.get(where.file.removeprefix(FOLDER), "").split("\n")
    return "".join(lines[where.line - 1 : where.line]).strip()


def _in_prose(law: Law, new: Sequence[str], trial: Finding) -> bool:
    """Whether what breaks lacks a function that stands in a block of another language, which is told."""
    lacking = _LACKING.match(trial.problem.what)
    return lacking is not None and any(in_prose(law, slug, lacking[1]) for slug in new)


def beside(findings: Sequence[Finding], trials: Iterable[Finding], after: Ruleset) -> list[Finding]:
    """What is found by looking, an error where trying breaks on its line or over it; and what trying alone finds."""
    by_trial = {_line(each): each for each in trials}
    said = {_line(each) for each in findings if each.problem.where.line}
    followed = {
        line: [each for at, each in by_trial.items() if at == _line(line) or _follows(each, line, after)]
        for line in findings
    }
    looked = [
        error(each.problem) if any(trial.level == "error" for trial in followed[each]) else each
        for each in findings
    ]
    following = {trial for trials in followed.values() for trial in trials}
    return [*looked, *(each for line, each in by_trial.items() if line not in said and each not in following)]


def _follows(trial: Finding, looked: Finding, after: Ruleset) -> bool:
    """Whether what breaks does so over a collection whose key is told already, for want of a key that is told to be misnamed, or of a
    variable that is told to be declared nowhere, or in a line that reads a constant which is told to be none.
    """
    what, missed = trial.problem.what, _MISSED.match(trial.problem.what)
    if (lacking := _UNDECLARED.match(what)) and (unpaid := _UNPAID.match(looked.problem.what)):
        return lacking[1] == unpaid[1]
    if (
        constant := _WORKED_OUT.match(looked.problem.what)
    ) and trial.problem.where.file == looked.problem.where.file:
        return constant[1] in _NAME.findall(_written_at(after, trial.problem.where))
    if missed is not None:
        here = trial.problem.where.file == looked.problem.where.file
        return here and looked.problem.mend.startswith(f"write {missed[1]},") and KEY in looked.problem.what
    if timeless := _TIMELESS.match(looked.problem.what):
        return what.startswith(f"{timeless[1]}: ")
    keyless = _KEYLESS.match(looked.problem.what)
    return (
        keyless is not None
        and re.search(rf"\b(?:collection|one of the) {re.escape(keyless[1])}(?![\w-])", what) is not None
    )


def _line(finding: Finding) -> tuple[str, int]:
    return finding.problem.where.file, finding.problem.where.line


def unsaid(notes: Iterable[str], findings: Iterable[Finding]) -> list[str]:
    """The notes that tell of no hook whose defect is found."""
    whats = [each.problem.what for each in findings]
    return [note for note in notes if RESTS not in note or not any(what in note for what in whats)]
