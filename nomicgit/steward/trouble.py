"""What can go wrong between us and a forge. A token never stands in any of these texts."""

from __future__ import annotations

from typing import Self

from nomicgit.ground.problems import NomicError, Unreached


class Trouble(NomicError):
    """The forge did not do what it was asked: at which address, what it said, what to do.

    ``status`` is the HTTP status it answered with; 0 where no answer came.
    """

    status = 0

    @classmethod
    def with_status(cls, what: str, status: int, mend: str) -> Self:
        """An error of a single problem with its status."""
        error = cls.of(what, mend=mend)
        error.status = status
        return error


class Away(Trouble, Unreached):
    """There is no way to the forge from here."""


class Limited(Trouble):
    """The forge takes no more requests before ``until`` (seconds since 1970), longer than we wait."""

    until = 0


class Lost(Trouble):
    """The answer was lost, and the request was perhaps carried out: look before doing it again."""


class Missing(Trouble):
    """What was asked for is not there, or the token may not see it: the forge does not tell which."""


class Forbidden(Trouble):
    """The token may not do this."""
