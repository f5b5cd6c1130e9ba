"""Rules tried: every action asked for with arguments made from its declaration, views and the clock's functions called.

A defect is found so, which no look at the text shows; a refusal is none, but where the law always refuses. It is done in a
worker, in scratch games that nobody sees: one with ten fresh players, and the game as it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import Literal

from msgspec.structs import replace

from nomicgit.ground import deaths, purse
from nomicgit.ground.problems import NomicError, Place, Problem
from nomicgit.law import foreign
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook import lasting
from nomicgit.outlook.checks import shut
from nomicgit.outlook.checks.defaults import unfit_defaults
from nomicgit.outlook.checks.finding import Finding, error, warning
from nomicgit.outlook.checks.never import EVENT, LISTENER, Listening, Never, unheard
from nomicgit.outlook.checks.rules_played import actions_of, play
from nomicgit.outlook.checks.scratch import Endless
from nomicgit.outlook.checks.uncovered import Plain, Uncovered, Uncovering, unasked
from nomicgit.physics.deeds import trial
from nomicgit.physics.state.transaction import SECONDS, Transaction

MOST_TOLD = 20
_UNDECLARED = re.compile(r"^(no rule in force declares \S+ of [\w-]+)/[\w-]+")


def tried(
    world: Transaction,
    after: Ruleset,
    slugs: Collection[str],
    reads: dict[str, Uncovered] | None = None,
    within: int | None = None,
) -> list[Finding]:
    """The defects of some rules, under a ruleset that is not in force yet, and their actions that open for nobody.

    ``reads`` takes up what they get at of what is secret, by their slugs. ``within``: so many seconds of processor time are lent for it,
    and Late where they are too few. The world stays as it is.
    """
    if not slugs:
        return []

    def findings() -> tuple[list[tuple[Literal["error", "warning"], dict[str, object]]], list[Plain]]:
        by_file: dict[str, Uncovered] = {}
        some = [(each.level, each.problem.as_json()) for each in _findings(world, slugs, by_file)]
        return some, [
            (slug, *by_file[file].plain()) for slug in slugs if (file := after.by_slug[slug].file) in by_file
        ]

    before = world.mark()
    world.amend_law(after)
    try:
        plain, seen = lasting.traced(
            world, findings, "ways", 2 * SECONDS, within
        )  # so that it can mostly tell itself
    except deaths.Died as died:
        if within is not None and isinstance(died, deaths.Late):
            raise
        new = ", ".join(after.by_slug[slug].title for slug in slugs)
        if isinstance(died, deaths.Unlent) and purse.left_out(f"what breaks in {new}"):
            return []
        return [*map(error, died.problems), *_untried(world, slugs, ["all else that is new"])]
    except NomicError as wrong:
        return list(map(error, wrong.problems))
    finally:
        world.back(before)
    if reads is not None:
        reads |= {slug: Uncovered({*met}, {*shows}) for slug, met, shows in seen}
    return [Finding(level, _remedied(after, Problem.of_json(each))) for level, each in plain]


def in_force(world: Transaction) -> list[Finding]:
    """The defects of all rules in force, and their events that never happen; to be called
    in a worker. None where a declaration is malformed: they may follow from it.
    """
    findings = [] if world.law.problems else _findings(world, world.ruleset.by_slug, {}, new=False)
    known = (
        each for each in findings if each.level == "error" or each.problem.what.startswith((EVENT, LISTENER))
    )
    return [replace(each, problem=_remedied(world.ruleset, each.problem)) for each in known]


def _findings(
    world: Transaction, slugs: Collection[str], by_file: dict[str, Uncovered], *, new: bool = True
) -> list[Finding]:
    """What breaks in the scratch games; of what lies in other rules too, only where nothing lies in these.

    And what opens for nobody in any of them. ``by_file`` takes up what of what is secret is got at.
    """
    broken: dict[tuple[str, int], Problem] = {}
    unfit: dict[str, Problem] = {}
    done: set[str] = set()
    events: dict[str, Problem | None] = {}
    listeners: dict[Listening, Problem | None] = {}
    endless = Endless()
    closed: dict[str, Problem | None] = {}
    unfounded: list[
        Problem
    ] = []  # what a game that begins under this law would have, one that goes on may have already
    for game in (trial.fresh, trial.present):
        mark = world.mark()
        try:
            made = game(world)
            if game is trial.fresh:
                unfounded = [*unfit_defaults(made, slugs, of_law=True)]
            scratch = Uncovering.over(made, endless)
            scratch.by_file, scratch.unasked = by_file, unasked(made.law)
            scratch.defects, scratch.done, scratch.unfit = broken, done, unfit
            scratch.events, scratch.listeners = events, listeners
            before = scratch.mark()
            with suppress(NomicError):
                play(scratch, slugs)
            scratch.back(before)
            scratch.hear(slugs)
            reasons = shut.shut(made, actions_of(made, slugs), endless)
            closed |= {name: why if closed.get(name, why) else None for name, why in reasons.items()}
        except NomicError:
            continue
        finally:
            world.back(mark)
    files = {world.ruleset.by_slug[slug].file for slug in slugs}
    problems = [*broken.values(), *(problem for name, problem in unfit.items() if name not in done)]
    broke = [*_folded([each for each in problems if each.where.file in files] or problems)][:MOST_TOLD]
    broke += unfit_defaults(world, slugs, of_law=False)
    there = {each.where for each in unfit_defaults(world, slugs, of_law=True)} if unfounded else set()
    broke += [each for each in unfounded if each.where in there]
    still = {name: why for name, why in closed.items() if why and name not in done}
    return [
        *map(error, broke),
        *Never.of(still, events, listeners | unheard(world.law, slugs, listeners)).told(world.law, new=new),
        *_untried(world, slugs, endless.unasked),
    ]


def of_any(what: str) -> str:
    """What is said of a name that nobody declares, without whom it was asked of."""
    return _UNDECLARED.sub(r"\1", what)


def _folded(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Problems, those of one name that nobody declares as one for each file: the players of a scratch game are nobody's."""
    lines: dict[tuple[str, str, int], list[Problem]] = {}
    for n, each in enumerate(problems):
        what = of_any(each.what)
        lines.setdefault((each.where.file, what, 0 if what != each.what else n + 1), []).append(each)
    for (_, what, _), some in lines.items():
        first, *others = sorted(some, key=lambda each: each.where.line)
        more = ", ".join(str(each.where.line) for each in others)
        yield replace(
            first, what=f"{what}, here and in line{'s' * (len(others) > 1)} {more}" if more else what
        )


def _untried(world: Transaction, slugs: Collection[str], unasked: Collection[str]) -> Iterator[Finding]:
    """That some of it was not tried, or not in all ways, since something else ran on and on."""
    if unasked:
        names = ", ".join(sorted(unasked)[:MOST_TOLD]) + " …" * (len(unasked) > MOST_TOLD)
        placed = world.ruleset.by_slug[min(slugs)]
        what = f"not tried, or not in all ways, since something else runs on and on: {names}"
        yield warning(
            Problem(what, Place(placed.file, 1, 0, placed.title), "mend that first, and check again")
        )


def _remedied(after: Ruleset, problem: Problem) -> Problem:
    """A defect with what to write instead, as far as its words say it, and with the title of its rule."""
    placed = next((each for each in after.rules if each.file == problem.where.file), None)
    where = replace(problem.where, rule=problem.where.rule or (placed.title if placed else ""))
    return replace(problem, where=where, mend=problem.mend or foreign.remedy(problem.what))
