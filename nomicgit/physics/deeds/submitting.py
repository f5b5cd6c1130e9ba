"""What can be submitted: changes of a known form, whose mechanics parse. Source: ``docs/changes.md``.

Whether a change can be carried out is seen when it is enacted, on the law of that moment. What never can be, whatever
the law is by then, is refused here, where all matters come by.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from nomicgit.ground import worker
from nomicgit.ground.problems import Place, Problem, Refused, printable
from nomicgit.law import definitions, mechanics, shapes
from nomicgit.physics.state.transaction import Transaction

MEND = "see how the rules write theirs: nomicgit rules RULE --mechanics"


def refuse_formless(world: Transaction, given: Sequence[object]) -> None:
    """Refuse changes where one is of no known form, or brings mechanics that do not parse."""
    formless = {number: shapes.malformed(change) for number, change in enumerate(given, 1)}
    formed = [(number, change) for number, change in enumerate(given, 1) if not formless[number]]
    wrong = [replace(each, where=Place(f"change {n}")) for n, some in formless.items() for each in some]
    wrong += _unparsed(world, formed)
    if wrong:
        raise Refused(*wrong)


def _unparsed(world: Transaction, given: Sequence[tuple[int, Any]]) -> list[Problem]:
    """Why mechanics of changes, each with its number, do not parse: asked in a worker, for the parser knows no bounds.

    Where replay's own worker dies over them, they are taken to parse: they did where the deed was recorded.
    """
    codes = [(number, code) for number, change in given for code in shapes.code(change)]
    if not codes:
        return []

    def asked() -> list[tuple[str, str, int]]:
        return [(p.what, p.where.file, p.where.line) for n, code in codes for p in _wrong(n, code)]

    try:
        wrong = asked() if world.context.trusted else worker.run(asked)
    except worker.Died:
        if world.context.claims is None:
            raise
        return []
    return [Problem(what, Place(file, line), MEND) for what, file, line in wrong]


def _wrong(number: int, code: shapes.Code) -> Iterator[Problem]:
    place = f"change {number}, {code.where}"
    if code.program:
        yield from mechanics.unreadable_program(place, code.text)
        return
    unreadable = mechanics.unreadable(place, code.text, 0, "")
    yield from unreadable
    names = [each.name for each in definitions.definitions(code.text)]
    if not unreadable and code.defines is not None and names != [code.defines]:
        name = printable(code.defines, 80)
        yield Problem(f"what is said for {name} is not its definition, and that alone", Place(place))
