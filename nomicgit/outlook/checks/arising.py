"""What is newly wrong with the law after some changes: found by looking at it, and by trying what is new."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.checks.checking import newly_found
from nomicgit.outlook.checks.finding import Finding, error
from nomicgit.outlook.checks.keyless import unkept
from nomicgit.outlook.checks.prospective import open_to_all
from nomicgit.outlook.checks.slips import meant
from nomicgit.outlook.checks.trying import tried
from nomicgit.physics.state.transaction import Transaction

RESTS = "is defective and rests"


def new_in(before: Ruleset, after: Ruleset) -> list[str]:
    """The rules that are new, or whose declarations or mechanics are."""
    known = {each.slug: each.law for each in before.rules}
    return [each.slug for each in after.rules if known.get(each.slug) != each.law and each.status == "active"]


def found_and_tried(world: Transaction, after: Ruleset) -> list[Finding]:
    """What the checks newly find in a ruleset, and what breaks in its new rules: of one mistake one message."""
    world, new = open_to_all(world), new_in(world.ruleset, after)
    law, slipped = meant(world.physics.law(after))
    dead = [] if world.context.secrets else unkept(law, new)
    findings = [*newly_found(world.ruleset, after, world.physics), *dead]
    if slipped and any(each.level == "error" for each in tried(world, after, new)):
        whats = {each.problem for each in slipped}
        findings = [error(each.problem) if each.problem in whats else each for each in findings]
    return beside(findings, tried(world, law.ruleset if slipped else after, new))


def beside(findings: Sequence[Finding], trials: Iterable[Finding]) -> list[Finding]:
    """What is found by looking, an error where trying breaks on its line; and what trying alone finds."""
    by_trial = {_line(each): each for each in trials}
    said = {_line(each) for each in findings if each.problem.where.line}
    looked = [
        error(each.problem) if (at := by_trial.get(_line(each))) and at.level == "error" else each
        for each in findings
    ]
    return [*looked, *(each for line, each in by_trial.items() if line not in said)]


def _line(finding: Finding) -> tuple[str, int]:
    return finding.problem.where.file, finding.problem.where.line


def unsaid(notes: Iterable[str], findings: Iterable[Finding]) -> list[str]:
    """The notes that tell of no hook whose defect is found."""
    whats = [each.problem.what for each in findings]
    return [note for note in notes if RESTS not in note or not any(what in note for what in whats)]
