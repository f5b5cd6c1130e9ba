"""Checks of the mechanics: their names, and, in a worker, whether they load."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from nomicgit.ground import worker
from nomicgit.ground.problems import NomicError, Place, Problem
from nomicgit.law import foreign
from nomicgit.law import mechanics as language
from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import tokens
from nomicgit.law.law import Law
from nomicgit.law.linking import BUILTINS, PREFIX
from nomicgit.outlook.checks.answerable import unhanded
from nomicgit.outlook.checks.finding import Finding, error, in_rule, misspelt
from nomicgit.outlook.checks.named import UNDEFINED, near, untaken


def names(law: Law) -> Iterator[Finding]:
    """Functions defined twice, named like words, or overriding with other parameters; calls of what nobody defines."""
    for problem in law.linked.problems:
        yield error(problem)
    missing = set(law.linked.missing)
    for placed in law.active:
        for name in sorted(missing & law.scanned(placed).calls):
            what = f"no rule in force defines {name}, which the mechanics call"
            line = placed.line + 1 + placed.mechanics.count("\n", 0, called_at(placed.mechanics, name))
            right = meant(law, name)
            mend = right or ("" if name.startswith(PREFIX) else f"write a function {name}, or call another")
            yield misspelt(in_rule(law, placed.slug, what, mend, line), right)


def called_at(text: str, name: str) -> int:
    """Where some mechanics first call a function."""
    plain = [token for token in tokens(text) if token[0] != "COMMENT"]
    return next((at for (_, word, at), (_, after, _) in pairwise(plain) if (word, after) == (name, "(")), 0)


def meant(law: Law, name: str) -> str:
    """What may have been meant by a name that nobody defines, as a remedy."""
    if name.startswith(PREFIX):
        return ""
    if name in law.declared.actions:
        return f'write do("{name}", actor) and what it takes, name=value, for the action {name}'
    known = [*law.language.words, *sorted(law.linked.functions), *sorted(BUILTINS)]
    return foreign.unknown(name) or near(name, known)


def loading(law: Law) -> Iterator[Finding]:
    """Whether the mechanics parse and load, and read no name that nobody defines; tried in a worker."""
    try:
        plain = worker.run(
            lambda: [problem.as_json() for problem in language.undefined_names(law.linked, law.language)]
        )
    except NomicError as wrong:
        yield from map(error, wrong.problems)
        return
    titles = {placed.file: placed.title for placed in law.active}
    variables = {underscored(name) for _, name in law.declared.variables}
    said = {
        (file, f"{UNDEFINED}{name}") for file, name in (*untaken(law), *unhanded(law))
    }  # where its function begins
    for problem in map(Problem.of_json, plain):
        if (problem.where.file, problem.what) in said:
            continue
        where = replace(problem.where, rule=titles.get(problem.where.file, ""))
        name = problem.what.removeprefix(UNDEFINED)
        if name in variables:
            problem = replace(problem, mend=f'write "{name}" in quotes where the variable is meant')
        elif _emitted(law, problem.where):
            problem = replace(problem, mend=f'write emit("{name}"): an event is named by a text')
        elif name in _choices(law) or _behind(law, problem.where, len(name)).startswith(":"):
            problem = replace(problem, mend=f'write "{name}", in quotes')
        elif word := _of_table(law, name):
            problem = replace(problem, mend=f'write {word}("{name}")')
        yield error(replace(problem, where=where))


def _emitted(law: Law, where: Place) -> bool:
    """Whether a name stands where the event that is emitted does."""
    placed = next((each for each in law.active if each.file == where.file), None)
    lines = law.ruleset.texts[placed.path].split("\n") if placed is not None else []
    before = lines[where.line - 1][: where.column - 1] if 0 < where.line <= len(lines) else ""
    return before.rstrip().endswith("emit(")


def _choices(law: Law) -> set[str]:
    """What variables and parameters, and the parts of them, may be one of."""
    kinds = [each.type for each in law.declared.variables.values()]
    kinds += [kind for action in law.declared.actions.values() for kind in action.parameters.values()]
    parts = [part for kind in kinds for part in (kind, kind.items, kind.values) if part is not None]
    return {str(choice) for part in parts for choice in part.choices}


def _behind(law: Law, where: Place, letters: int) -> str:
    """What stands behind a name of so many letters in its line, where that is a key of a map: ``{who: …}``."""
    placed = next((each for each in law.active if each.file == where.file), None)
    lines = law.ruleset.texts[placed.path].split("\n") if placed is not None else []
    line = lines[where.line - 1] if 0 < where.line <= len(lines) else ""
    in_map = line[: where.column - 1].rstrip().endswith(("{", ","))
    return line[where.column - 1 + letters :].lstrip() if in_map else ""


def _of_table(law: Law, name: str) -> str:
    """The word by which the mechanics reach a catalogue or a collection; nothing for another name."""
    if name in law.declared.catalogues:
        return "catalogue"
    return "find" if name in law.declared.collections else ""
