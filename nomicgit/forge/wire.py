"""Requests to GitHub and their answers: tried again where that is safe, within the limits that GitHub sets.

The only importer of the HTTP client. What went wrong is told as `Trouble`; a token never stands in a text.
"""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin, urlsplit

from msgspec import Struct
from msgspec.structs import replace

import nomicgit
from nomicgit.forge import body, lingering
from nomicgit.forge.lingering import Exchanges
from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed, printable
from nomicgit.steward.trouble import Away, Forbidden, Limited, Lost, Missing, Trouble

if TYPE_CHECKING:
    import ssl

    import httpx

VERSION = "2022-11-28"
ATTEMPTS = 5
PATIENCE = 15 * 60
"""Seconds for which a limit is waited for."""
TIMEOUT, REACHED = 30.0, 10.0
"""Seconds for which an answer is waited for, and until there is a way to the forge at all."""
LIMITED = "the forge takes no more requests now"
_UNNAMED = 60.0  # seconds: what GitHub asks us to wait where it names no time


class Answer(Struct, frozen=True):
    """One answer: its status, its decoded body (None where it has none) and its headers in lower case."""

    status: int
    body: Any  # decoded JSON of the forge: anything may be missing or null in it
    headers: Mapping[str, str]

    def at(self, otherwise: int) -> int:
        """The forge's clock when it answered, in seconds; ``otherwise`` where it does not tell."""
        return _date(self.headers.get("date", "")) or otherwise


class Ask(Struct, frozen=True):
    """One request. ``again``: whether it may be sent again although it was perhaps carried out. ``resource``: whose limit it is
    counted by, and in whose form it is answered, wherever it is sent on to.
    """

    method: str
    url: str
    again: bool
    headers: Mapping[str, str]
    content: bytes | None = None
    resource: str = "core"

    def __str__(self) -> str:
        return f"{self.method} {self.url}"


def checked(address: str) -> str:
    """An address that a token may be sent to: https, or this machine itself. Raises Malformed."""
    try:
        parts = urlsplit(address)
        own = parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost")
        if parts.hostname and (parts.scheme == "https" or own):
            return address.rstrip("/")
    except ValueError:
        pass
    what = f"{printable(address)} is no address that a token may be sent to"
    raise Malformed.of(what, mend="write it as https://HOST/PATH")


@cache
def _trusted(read: Callable[[], ssl.SSLContext]) -> ssl.SSLContext:
    """Whom this machine trusts: that takes long to read, and serves all connections of a process."""
    return read()


class Wire:
    """A connection to one forge with one token. ``wait`` sleeps so many seconds, ``now`` tells the time, ``waits`` is told what is
    waited for, and how long; ``patience``: for how many seconds at most a limit is waited for.
    """

    def __init__(
        self,
        token: str,
        api: str,
        graphql: str,
        *,
        wait: Callable[[float], None],
        now: Callable[[], int],
        waits: Callable[[str], None],
    ) -> None:
        import httpx  # here: it is slow to load, and comes with an extra of the program

        self._token, self.api, self.graphql = token, checked(api), checked(graphql)
        self.wait, self.now, self.waits, self.patience = wait, now, waits, PATIENCE
        self.told = 0  # by the forge's clock, when it answered last
        self._spent: dict[str, int] = {}  # resource → when its limit is reset, where nothing of it is left
        trusted = _trusted(httpx.create_ssl_context)
        patience = httpx.Timeout(TIMEOUT, connect=REACHED)
        client = httpx.Client(timeout=patience, headers=self._headers(), verify=trusted)
        self._client, self._exchanges = client, Exchanges()
        self.close = weakref.finalize(self, client.close)

    def _headers(self) -> dict[str, str]:
        return {
            "Authorization": f"Bearer {self._token}",
            "Accept": "application/vnd.github+json",
            "Accept-Encoding": body.CODING,
            "X-GitHub-Api-Version": VERSION,
            "User-Agent": f"nomicgit/{nomicgit.__version__}",
        }

    def get(self, path: str, query: Mapping[str, str | int] | None = None, *, mark: str = "") -> Answer:
        """Read ``path`` (or a whole address of the same forge); ``mark``: only if it changed since (304)."""
        asked = urlencode(query or {})
        url = self.address(path) + (f"?{asked}" if asked else "")
        return self.send(Ask("GET", url, True, {"If-None-Match": mark} if mark else {}))

    def post(self, path: str, body: Mapping[str, object], *, again: bool) -> Answer:
        """Write to ``path``."""
        return self.send(Ask("POST", self.address(path), again, _TYPE, json.dumps(body).encode()))

    def put(self, path: str, body: Mapping[str, object]) -> Answer:
        """Say anew what stands at ``path``."""
        return self.send(Ask("PUT", self.address(path), True, _TYPE, json.dumps(body).encode()))

    def ask(self, document: str, variables: Mapping[str, object], *, again: bool = True) -> Any:
        """Put a GraphQL query or mutation; its whole answer, ``data`` being a mapping, ``errors`` perhaps there.

        Raises Trouble where there is no data at all, and Lost where a mutation was perhaps carried out.
        """
        content = json.dumps({"query": document, "variables": variables}).encode()
        return self.send(Ask("POST", self.graphql, again, _TYPE, content, "graphql")).body

    def address(self, path: str) -> str:
        """The address of a path of the REST interface. Refuses to send the token anywhere else."""
        if path.startswith("/"):
            return self.api + path
        if urlsplit(path)[:2] != urlsplit(self.api)[:2]:
            raise Trouble.of(
                f"the forge at {self.api} sends us on to {printable(path)}, which is elsewhere",
                mend="check the address of the forge",
            )
        return path

    def send(self, ask: Ask) -> Answer:
        """Send a request until it is answered, waiting in between. Raises Trouble."""
        for attempt in range(ATTEMPTS):
            last = attempt == ATTEMPTS - 1
            self._hold(ask)
            try:
                answer = self._once(ask)
            except _Unanswered as error:
                if last or error.for_good or (error.perhaps_done and not ask.again):
                    raise self._unanswered(ask, error, attempt + 1) from None
                self._pause(ask, error.delay or 2**attempt, error.what)
                continue
            if not last and answer.status in _SENT_ON[ask.method]:
                ask = replace(ask, url=self.address(urljoin(ask.url, answer.headers.get("location", ""))))
                continue
            delay = self._limited(answer, attempt)
            if delay is None:
                return self._checked(ask, answer)
            if last:
                raise self._limit(ask, delay)
            self._pause(ask, delay, LIMITED)
        raise AssertionError("the last attempt returns or raises")

    def _once(self, ask: Ask) -> Answer:
        import httpx  # here: slow to load, and most commands ask no forge

        began = self.now()
        try:
            with self._exchanges.lent(), self._client.stream(
                ask.method, ask.url, headers=dict(ask.headers), content=ask.content,
                extensions={"trace": self._exchanges.trace},
            ) as got:  # fmt: skip
                headers = {key.lower(): value for key, value in got.headers.items()}
                coding = headers.get("content-encoding", "")
                content = body.whole(got.iter_raw(), coding, lambda: self.now() - began)
        except httpx.RequestError as error:
            if self._exchanges.over:
                why = f"it was not there whole within {lingering.LONGEST} seconds"
                raise _Unanswered(why, 0, perhaps_done=True, for_good=True) from None
            sent = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
            raise _Unanswered(_why(error), 0, perhaps_done=sent) from None
        except body.Boundless as error:
            raise _Unanswered(str(error), got.status_code, perhaps_done=True, for_good=True) from None
        answer = _answer(got.status_code, headers, content)
        if answer is None or answer.status >= 500 or _stumbled(answer):
            delay = _seconds(headers.get("retry-after", ""), self.now())
            raise _Unanswered(f"status {got.status_code}", got.status_code, perhaps_done=True, delay=delay)
        self._note(answer)
        return answer

    def _checked(self, ask: Ask, answer: Answer) -> Answer:
        if ask.resource == "graphql" and answer.status == 200:
            if isinstance(answer.body, dict) and isinstance(answer.body.get("data"), dict):
                return answer
            raise self._told(ask, answer.status, _kind(answer.body), _messages(answer.body))
        if answer.status in (200, 201, 202, 204, 304):
            return answer
        said = answer.body.get("message") if isinstance(answer.body, dict) else ""
        raise self._told(ask, answer.status, "", str(said or ""))

    def _told(self, ask: Ask, status: int, kind: str, said: str) -> Trouble:
        """The error for what the forge said."""
        what = f"{ask}: " + (f"status {status}" if status != 200 else kind or "an error")
        what += f", {self._safe(said)}" if said else ""
        if status == 401:
            return Forbidden.with_status(what, status, "the token is wrong or has expired: make a new one")
        if status == 403 or kind == "FORBIDDEN":
            return Forbidden.with_status(what, status, "give the token the permission that is missing")
        if status in (404, 410) or kind == "NOT_FOUND":
            return Missing.with_status(
                what, status, "check the name; a token sees only what it has permission for"
            )
        if status in (301, 302, 307, 308):
            mend = "use the repository's present name, if it was renamed; else the forge sends us about without end"
            return Trouble.with_status(what, status, mend)
        return Trouble.with_status(
            what, status, "see what the forge says; nothing was changed by this request"
        )

    def _unanswered(self, ask: Ask, error: _Unanswered, times: int) -> Trouble:
        tried = "once" if times == 1 else f"{times} times"
        what = f"{ask}: no answer ({error.what}; asked {tried})"
        if error.perhaps_done and not ask.again:
            return Lost.with_status(what, error.status, "look whether it was done before doing it again")
        kind = Trouble if error.perhaps_done else Away
        return kind.with_status(what, error.status, "try again later; nothing is lost by waiting")

    def _limited(self, answer: Answer, attempt: int) -> float | None:
        """How long to wait because a limit is reached; None where none is."""
        kind, said = _kind(answer.body), _messages(answer.body).lower()
        named = _seconds(answer.headers.get("retry-after", ""), answer.at(self.now()))
        spent = answer.headers.get("x-ratelimit-remaining") == "0"
        reached = answer.status == 429 or kind in ("RATE_LIMITED", "RATE_LIMIT")
        if answer.status == 403:
            reached = spent or bool(named) or "rate limit" in said or "abuse" in said
        if not reached:
            return None
        if named:
            return named
        reset = answer.headers.get("x-ratelimit-reset", "")
        if spent and reset.isdigit():
            return max(1, int(reset) - answer.at(self.now()) + 1)
        return _UNNAMED * (1 << attempt)

    def _note(self, answer: Answer) -> None:
        """Remember the forge's time, and a limit that is used up, so that no request is wasted on it."""
        self.told = answer.at(0)
        resource = answer.headers.get("x-ratelimit-resource", "")
        reset = answer.headers.get("x-ratelimit-reset", "")
        if answer.headers.get("x-ratelimit-remaining") == "0" and reset.isdigit() and resource:
            self._spent[resource] = self.now() + max(1, int(reset) - answer.at(self.now()) + 1)
        else:
            self._spent.pop(resource, None)

    def _hold(self, ask: Ask) -> None:
        until = self._spent.pop(ask.resource, 0)
        if until > self.now():
            self._pause(ask, until - self.now(), LIMITED)

    def _pause(self, ask: Ask, seconds: float, why: str) -> None:
        if seconds > self.patience:
            raise self._limit(ask, seconds)
        self.waits(f"{ask}: {why}; asked again in {seconds:.0f} s")
        self.wait(seconds)

    def _limit(self, ask: Ask, seconds: float) -> Limited:
        until = self.now() + round(seconds)
        error = Limited.with_status(
            f"{ask}: the forge takes no more requests before {clock.text(until)}",
            429,
            "try again then; what is outstanding is done by the next pass",
        )
        error.until = until
        return error

    def _safe(self, said: str) -> str:
        return printable(said.replace(self._token, "***") if self._token else said, 500)


_TYPE = {"Content-Type": "application/json"}
_SENT_ON = {"GET": (301, 302, 303, 307, 308), "POST": (307, 308), "PUT": (307, 308)}
"""By which answers a request is sent on, as it is where a repository was renamed; a write must not become a read on its way."""


class _Unanswered(Exception):
    """No answer, or one that says nothing: ``perhaps_done`` where the request may have been carried out. ``for_good``: asked
    again, it would be so again."""

    def __init__(
        self, what: str, status: int, *, perhaps_done: bool, delay: float = 0, for_good: bool = False
    ) -> None:
        super().__init__(what)
        self.what, self.status, self.perhaps_done, self.delay = what, status, perhaps_done, delay
        self.for_good = for_good


def _why(error: httpx.RequestError) -> str:
    """What became of a request that was not answered, as somebody says it who has no network."""
    import httpx  # here, as above

    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return "it cannot be reached"
    if isinstance(error, httpx.TimeoutException):
        return f"it did not answer within {TIMEOUT:.0f} seconds"
    return "the connection broke off"


def _answer(status: int, headers: Mapping[str, str], content: bytes) -> Answer | None:
    """The answer as we take it; None where its body is not what it should be."""
    if not content:
        return Answer(status, None, headers)
    try:
        return Answer(status, json.loads(content), headers)
    except (ValueError, RecursionError):
        return Answer(status, None, headers) if 300 <= status < 500 else None


def _errors(body: Any) -> list[Any]:
    errors = body.get("errors") if isinstance(body, dict) else None
    return [each for each in errors if isinstance(each, dict)] if isinstance(errors, list) else []


def _kind(body: Any) -> str:
    """What kind of error GraphQL tells of, where it gives no data for it."""
    if isinstance(body, dict) and isinstance(body.get("data"), dict):
        return ""
    return next((str(each["type"]) for each in _errors(body) if each.get("type")), "")


def _messages(body: Any) -> str:
    said = [str(each.get("message", "")) for each in _errors(body)]
    if isinstance(body, dict) and body.get("message"):
        said.insert(0, str(body["message"]))
    return "; ".join(said)


def _stumbled(answer: Answer) -> bool:
    """Whether GraphQL broke off by a fault of its own: no data, and an error without a kind that blames no one."""
    if answer.status != 200 or not isinstance(answer.body, dict) or "errors" not in answer.body:
        return False
    return not isinstance(answer.body.get("data"), dict) and any(
        "something went wrong" in str(each.get("message", "")).lower() for each in _errors(answer.body)
    )


def _seconds(named: str, now: int) -> float:
    """The seconds that a ``Retry-After`` names, as a number or a date; 0 where it names none."""
    if named.strip().isdigit():
        return max(1, int(named))
    at = _date(named)
    return max(1, at - now) if at else 0


def _date(text: str) -> int:
    try:
        return int(parsedate_to_datetime(text).timestamp())
    except ValueError:
        return 0
