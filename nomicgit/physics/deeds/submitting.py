"""What can be submitted: changes of a known form, whose mechanics parse. Source: ``docs/changes.md``.

Whether a change can be carried out is seen when it is enacted, on the law of that moment. What never can be, whatever
the law is by then, is refused here, where all matters come by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from nomicgit.ground import deaths, worker
from nomicgit.ground.problems import Place, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law import definitions, shapes
from nomicgit.law.unreadable import unreadable, unreadable_program
from nomicgit.physics.state.transaction import Transaction

TAME = 2_000
"""Characters of mechanics in all, which the parser reads without harm whatever they are: brackets in brackets do it none before
there are tens of thousands.
"""
MEND = remedy("see how the rules write theirs:", command("nomicgit", "rules", "RULE", "--mechanics"))


def refuse_formless(world: Transaction, given: Sequence[object]) -> None:
    """Refuse changes where one is of no known form, or brings mechanics that do not parse."""
    formless = {number: shapes.malformed(change) for number, change in enumerate(given, 1)}
    formed = [(f"change {n}", change) for n, change in enumerate(given, 1) if not formless[n]]
    wrong = [replace(each, where=Place(f"change {n}")) for n, some in formless.items() for each in some]
    try:
        wrong += unparsed(formed, trusted=world.context.trusted)
    except (
        deaths.Died
    ):  # where replay's own dies over them, they are taken to parse: they did when the deed was recorded
        if world.context.claims is None:
            raise
    if wrong:
        raise Refused(*wrong)


def unparsed(given: Sequence[tuple[str, Any]], *, trusted: bool = False) -> list[Problem]:
    """Why mechanics of well-formed changes, each with its place, do not parse.

    It is asked in a worker, for the parser knows no bounds, unless they are short, or it is ``trusted`` to end.
    """
    codes = [(place, code) for place, change in given for code in shapes.code(change)]
    if not codes:
        return []

    def asked() -> list[dict[str, object]]:
        return [
            dict(each.as_json()) for place, code in codes for each in _wrong(f"{place}, {code.where}", code)
        ]

    tame = trusted or sum(len(code.text) for _, code in codes) <= TAME
    problems = map(Problem.of_json, asked() if tame else worker.run(asked))
    return [replace(each, where=replace(each.where, column=0), mend=each.mend or MEND) for each in problems]


def _wrong(place: str, code: shapes.Code) -> Iterator[Problem]:
    if code.program:
        yield from unreadable_program(place, code.text)
        return
    problems = unreadable(place, code.text, 0, "")
    yield from problems
    names = [each.name for each in definitions.definitions(code.text)]
    if not problems and code.defines is not None and names != [code.defines]:
        name = printable(code.defines, 80)
        yield Problem(f"what is said for {name} is not its definition, and that alone", Place(place))
