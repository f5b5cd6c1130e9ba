"""What can be wrong: a problem has a place, says what is wrong and what to do about it.

Every refusal and error that a person reads is printed from these values; nothing here prints.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground import remedies
from nomicgit.ground.characters import is_seen


class Place(Struct, frozen=True):
    """Where a problem lies. Lines and columns count from 1; 0 and "" mean unknown."""

    file: str = ""
    line: int = 0
    column: int = 0
    rule: str = ""

    def __str__(self) -> str:
        spot = self.file + (f":{self.line}" if self.line else "") + (f":{self.column}" if self.column else "")
        rule = f"rule {printable(self.rule)}" if self.rule else ""
        return ", ".join(part for part in (spot, rule) if part)


class Problem(Struct, frozen=True):
    """One thing that is wrong: what, where, and (``mend``) what to do about it: words, or a remedy with commands."""

    what: str
    where: Place = Place()
    mend: str = ""

    def __str__(self) -> str:
        place = str(self.where)
        return (f"{place}: " if place else "") + self.what + remedies.beside(self.mend)

    @property
    def sentence(self) -> str:
        """The end of a sentence: the words first, then where it lies and what to do."""
        where = self.where
        spot = str(replace(where, rule=""))
        place = ", ".join(filter(None, (where.rule and f"rule {printable(where.rule)}", spot)))
        inline = "" if remedies.commands(self.mend) else self.mend
        beside = "; ".join(filter(None, (place, inline)))
        return self.what + (f" ({beside})" if beside else "") + ("" if inline else remedies.below(self.mend))

    def of_part(self, part: str) -> Problem:
        """The problem of a whole of which this is a part's."""
        return replace(self, what=f"{part}: {self.what}")

    @classmethod
    def of_json(cls, plain: Mapping[str, Any]) -> Self:
        """The problem that plain data tells."""
        spot = Place(
            plain.get("file", ""), plain.get("line", 0), plain.get("column", 0), plain.get("rule", "")
        )
        return cls(plain["what"], spot, plain.get("mend", ""))

    def as_json(self) -> dict[str, object]:
        """The problem as plain data, for ``--json``."""
        plain: dict[str, object] = {"what": self.what}
        for key in ("file", "line", "column", "rule"):
            if getattr(self.where, key):
                plain[key] = getattr(self.where, key)
        return plain | (remedies.as_json(self.mend) if self.mend else {})


class NomicError(Exception):
    """The base of all errors that people are told of: one or more problems, and what else is to be known beside them."""

    beside: tuple[Problem, ...] = ()

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    @classmethod
    def of(
        cls, what: str, *, file: str = "", line: int = 0, column: int = 0, rule: str = "", mend: str = ""
    ) -> Self:
        """An error of a single problem."""
        return cls(Problem(what, Place(file, line, column, rule), mend))

    def answered(self) -> Self:
        """The same, as what the law answers; raised again where what it was lent is spent, for then it has not answered."""
        if isinstance(self, Exhausted):
            raise self
        return self


class Malformed(NomicError):
    """A file or an input does not have the form that it must have."""


class Refused(NomicError):
    """The law, or physics, refuses a deed; nothing has changed."""

    def of_part(self, part: str) -> Self:
        """The refusal of a whole of which this is a part's: for the same kind of reason."""
        return type(self)(*(problem.of_part(part) for problem in self.problems[:1]))


class Exhausted(Refused):
    """The law has used up what it was lent of fuel, time or memory: the whole deed is refused, or the event rests."""


class Starved(Exhausted):
    """What it was lent of memory would not do, or it ends the process in which it runs."""


class Bottomless(Refused):
    """The law calls itself deeper than a physics lets it. Within the law nothing answers that: what goes on would branch on and on."""


class Ambiguous(Refused):
    """A name that means several things."""


class Defect(NomicError):
    """The law's own code is broken: an undefined name, a wrong type, a missing key."""


class Unforeseen(Defect):
    """The program itself came to grief over what the law did: told as a defect of the rule, so that the game goes on.

    Its cause is what was raised. Its words are the same with every Python, for they may stand in the journal.
    """


class Unreached(NomicError):
    """What is asked lies beyond a network, and there is no way to it from here: it has not heard of it, and nothing has changed."""


class NoAnswer(Exception):
    """What ends a deed and is no answer of the law: whatever takes a NomicError for one lets it pass."""


NOTHING = "nothing is recorded"
"""How the remedy begins of a failure before anything was recorded."""
recorded: str = ""
"""The commit that this command has recorded last; "" for none."""


class Outage(NoAnswer):
    """The machine failed, and nothing is known of what was asked: nothing is recorded, and nobody is blamed."""

    def __init__(self, what: str, mend: str) -> None:
        super().__init__(what)
        self.problem = Problem(what, mend=mend)


_WANTS = ("EAGAIN", "EDQUOT", "EFBIG", "EIO", "EMFILE", "ENFILE", "ENOLCK", "ENOMEM", "ENOSPC", "EROFS")
SHORT = frozenset(getattr(errno, name) for name in _WANTS)
"""What the system says where the machine does not give what is needed: the numbers of its errors."""


def unforeseen(error: BaseException, what: str) -> BaseException:
    """The same error, where people are told of it or it is the machine's; of any other it is Unforeseen, in doing ``what``."""
    known = isinstance(error, NomicError | NoAnswer | OSError | MemoryError | RecursionError)
    if known or not isinstance(error, Exception):
        return error
    stumble = Unforeseen.of(
        f"the program cannot {what}, and does not know why",
        mend="write it in another way, and report this to the makers of NomicGit",
    )
    stumble.__cause__ = error
    return stumble


@contextmanager
def foreseeing(what: str) -> Iterator[None]:
    """What is raised within is at worst Unforeseen."""
    try:
        yield
    except Exception as error:
        raised = unforeseen(error, what)
        raise raised from raised.__cause__


def quoted(text: str, limit: int = 200) -> str:
    """The same between quotation marks."""
    shown = printable(text, limit)
    mark = '"' if "'" in shown and '"' not in shown else "'"
    return f"{mark}{shown}{mark}"


def printable(text: str, limit: int = 200) -> str:
    """A text of a player, fit to stand in a message: on one line, without control or invisible characters."""
    plain = text.isascii() and text.isprintable()
    shown = text if plain else "".join(c if is_seen(c) else f"\\u{ord(c):04x}" for c in text)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def in_a_line(said: str, most: int = 500) -> str:
    """What another program said in some lines, as one of so many letters at most."""
    return printable("; ".join(line.strip() for line in said.splitlines() if line.strip()), most)
