"""GitHub, as the steward meets it: what is new there, and saying things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Self

from msgspec.structs import replace

from nomicgit.forge import barrier, environment, inspection, news, queries, threads
from nomicgit.forge.barrier import Barrier
from nomicgit.forge.bulk import PATIENCE, Pen
from nomicgit.forge.connection import Remote
from nomicgit.forge.inspection import Settings
from nomicgit.forge.wire import Wire
from nomicgit.ground.problems import Malformed, printable
from nomicgit.record.forms import forge_of
from nomicgit.steward.said import Result, Write
from nomicgit.steward.seen import Cursor, News, Person, Pull
from nomicgit.steward.trouble import Forbidden, Missing, Trouble

_DESCRIPTION = 140  # characters of a status that GitHub takes


class GitHub:
    """One repository on GitHub, seen with one token.

    ``repository`` is ``owner/name``; ``api`` and ``graphql`` are the addresses of the two interfaces (``graphql``
    None: ``api`` and ``/graphql``). ``wait`` sleeps so many seconds, ``now`` tells the time in seconds since 1970, ``waits`` is told
    before each wait what is waited for.
    Every method raises `Trouble` when the forge cannot be reached or refuses, after what can be tried again was.
    A context manager: leaving it closes the connection.
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
        waits: Callable[[str], None] = lambda _: None,
    ) -> None:
        if forge_of({"github": repository}) is None:
            raise Malformed.of(
                f"{printable(repository)} is not a repository on GitHub", mend="write it as OWNER/NAME"
            )
        wire = Wire(token, api, graphql or f"{api.rstrip('/')}/graphql", wait=wait, now=now, waits=waits)
        owner, _, name = repository.partition("/")
        self._remote = Remote(wire, owner, name)
        self._pen = Pen(self._remote)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._remote.wire.close()

    def news(self, cursor: Cursor | None, also: Iterable[int] = (), since: int = 0) -> News:
        """Every thread that changed since the cursor, whole; without a cursor, every open one, and what changed ``since`` then.

        ``also`` are numbers to be read in any case (what the record holds pending, when there is no cursor).
        Nothing new: two requests, both answered "not modified". Threads that changed within the last two
        seconds of the forge's clock are given again the next time.
        """
        return replace(news.news(self._remote, cursor, also, since), at=self._remote.wire.told)

    def whole(self, watch: Callable[[int, int], None]) -> News:
        """Every thread that there is, open or not, whole: a request for a hundred, and another for every fifty of them.

        ``watch`` is told how many of how many are read.
        """
        return news.whole(self._remote, watch)

    def pull(self, number: int) -> Pull:
        """One pull request with its whole thread. Raises Missing, or Forbidden."""
        read = threads.read(self._remote, [number])
        if why := read.denied.get(number):
            what = f"pull request {number} is not shown to this token: {printable(why, 200)}"
            raise Forbidden.with_status(what, 0, "give the token the permission that is missing")
        if not read.threads or not isinstance(read.threads[0], Pull):
            raise Missing.with_status(f"the forge shows no pull request {number}", 0, "check the number")
        return read.threads[0]

    def me(self) -> Person:
        """The account whose token this is. Known without a request once anything was read."""
        if self._remote.viewer is None:
            self._remote.ask(queries.WHO, {})
        if self._remote.viewer is None:
            raise Trouble.with_status("the forge does not tell whose token this is", 0, "check the token")
        return self._remote.viewer

    def settings(self) -> Settings:
        """How the repository is set up, as far as the token sees it."""
        return inspection.settings(self._remote)

    def lay(self, wanted: Barrier) -> bool:
        """Lay a ruleset that bars the branch, or say anew the one of its name; whether there was none."""
        return barrier.lay(self._remote, wanted)

    def lay_environment(self, branch: str) -> None:
        """Lay the steward's environment, or say anew that workflows of this branch have its secrets."""
        environment.lay(self._remote, branch)

    def write(self, writes: Sequence[Write]) -> list[Result]:
        """Write all these, in order, many in one request; a result for each, in the same order.

        One that the forge refuses does not stop the others. A label that does not exist is made. Where the
        answer was lost, what is idempotent is done again; a `Say` is `Outcome.UNKNOWN` then. Only where even
        the first request finds no forge at all is Trouble raised.
        """
        return self._pen.write(writes)

    def open_issue(self, title: str, body: str) -> str:
        """Open an issue; gives its node. Not idempotent."""
        answer = self._remote.wire.post(
            f"{self._remote.path}/issues", {"title": title, "body": body}, again=False
        )
        return str(answer.body.get("node_id") or "") if isinstance(answer.body, dict) else ""

    def status(self, sha: str, state: str, context: str, description: str, target: str = "") -> None:
        """Set a commit's status: ``error``, ``failure``, ``pending`` or ``success``; idempotent in effect.

        ``description`` is cut to the 140 characters that GitHub takes; ``target`` is an address, or empty. A limit is waited for
        as in all writing. Raises Limited.
        """
        short = description if len(description) <= _DESCRIPTION else description[: _DESCRIPTION - 1] + "…"
        body = {"state": state, "context": context, "description": short}
        body |= {"target_url": target} if target else {}
        wire = self._remote.wire
        before, wire.patience = wire.patience, PATIENCE
        try:
            wire.post(f"{self._remote.path}/statuses/{sha}", body, again=True)
        finally:
            wire.patience = before
