"""GitHub, as the steward meets it: what is new, and saying things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from nomicgit.forge.said import Result, Write
from nomicgit.forge.seen import Cursor, News, Person, Pull


class GitHub:
    """One repository on GitHub, seen with one token.

    ``repository`` is ``owner/name``; ``api`` and ``graphql`` are the addresses of the two interfaces (``graphql``
    None: ``api`` and ``/graphql``). ``wait`` sleeps so many seconds, ``now`` tells the time in seconds since 1970.
    Every method raises `Trouble` when the forge cannot be reached or refuses, after what can be tried again was.
    """

    def __init__(
        self,
        repository: str,
        token: str,
        *,
        api: str = "https://api.github.com",
        graphql: str | None = None,
        wait: Callable[[float], None],
        now: Callable[[], int],
    ) -> None: ...

    def news(self, cursor: Cursor | None, also: Iterable[int] = ()) -> News:
        """Every thread that changed since the cursor, whole; without a cursor, every open one.

        ``also`` are numbers to be read in any case (what the record holds pending, when there is no cursor).
        Nothing new: two requests, both answered "not modified". Threads that changed within the last two
        seconds of the forge's clock are given again the next time.
        """
        raise NotImplementedError

    def pull(self, number: int) -> Pull:
        """One pull request with its whole thread. Raises Missing."""
        raise NotImplementedError

    def me(self) -> Person:
        """The account whose token this is. Known without a request once anything was read or written."""
        raise NotImplementedError

    def write(self, writes: Sequence[Write]) -> list[Result]:
        """Write all these, in order, many in one request; a result for each, in the same order.

        One that the forge refuses does not stop the others. A label that does not exist is made. Where the
        answer was lost, what is idempotent is done again; a `Say` is `Outcome.UNKNOWN` then.
        """
        raise NotImplementedError

    def status(self, sha: str, state: str, context: str, description: str, target: str = "") -> None:
        """Set a commit's status: ``error``, ``failure``, ``pending`` or ``success``; idempotent in effect.

        ``description`` is cut to the 140 characters that GitHub takes; ``target`` is an address, or empty.
        """
        raise NotImplementedError
