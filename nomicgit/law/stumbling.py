"""What the interpreter stumbles over, as people say it: at which place of the law, and what to do.

It is told from the interpreter's own texts.
"""

from __future__ import annotations

import re

from nomicgit.ground import watch
from nomicgit.ground.deaths import SIMPLER
from nomicgit.ground.problems import Defect, NomicError, Place, Problem, printable
from nomicgit.law import foreign
from nomicgit.law.linking import written

PANIC = "PanicException"  # as the interpreter calls it, which does not lend it to anybody
PRELUDE = "the words"
"""The file, of no rule, in which the words are lent to the law."""
_AT = r"(?m)^ *--> (?P<file>.+):(?P<line>\d+):(?P<column>\d+)$"
_CALL = r"(?m)^  \* (?P<file>.+):(?P<line>\d+), in "
_ERROR = r"(?m)^error: (?P<what>.*)$"


def panicked(error: BaseException) -> BaseException:
    """What is told where the interpreter gives up: that memory is out is no defect of the law's, but its hunger."""
    if type(error).__name__ != PANIC:
        return error
    if "memory" in str(error):
        return watch.starved()
    return Defect.of(f"the interpreter gives up over this: {printable(str(error))}", mend=SIMPLER)


def told(raised: BaseException | None, text: str) -> BaseException:
    place = _place(text)
    if isinstance(raised, NomicError):
        if raised.problems and not raised.problems[0].where.file:
            first = raised.problems[0]
            raised.problems = (Problem(first.what, place, first.mend), *raised.problems[1:])
            raised.args = (str(raised.problems[0]),)
        return raised
    if raised is not None:
        return raised
    said = re.search(_ERROR, text)
    return Defect(foreign.breaking(written(said["what"] if said else text.strip().split("\n")[0]), place))


def _place(text: str) -> Place:
    """Where an error lies: its own place, or that of the last call before the words."""
    places = list(re.finditer(_AT, text))
    spot = places[-1] if places else None
    if spot and spot["file"] == PRELUDE:
        calls = [call for call in re.finditer(_CALL, text) if call["file"] != PRELUDE]
        return Place(calls[-1]["file"], int(calls[-1]["line"])) if calls else Place()
    return Place(spot["file"], int(spot["line"]), int(spot["column"])) if spot else Place()


def unread(error: Exception, text: str) -> Problem:
    """Why a text cannot be read, as people say it."""
    said = re.search(_ERROR, str(error))
    what = said["what"] if said else str(error).strip().split("\n")[0]
    return foreign.plainly(Problem(written(what), _place(str(error))), text)
