"""What can go wrong between us and a forge. A token never stands in any of these texts."""

from __future__ import annotations

from nomicgit.problems import NomicError


class Trouble(NomicError):
    """The forge did not do what it was asked: at which address, what it said, what to do."""

    status = 0
    """The HTTP status it answered with; 0 where no answer came."""


class Limited(Trouble):
    """The forge takes no more requests before ``until``, which is longer than we wait."""

    until = 0


class Missing(Trouble):
    """What was asked for is not there, or the token may not see it (the forge tells these apart by neither)."""


class Forbidden(Trouble):
    """The token may not do this."""
