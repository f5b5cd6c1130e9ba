"""The fake as a server on loopback: one port for REST, GraphQL and Git. It logs every request and can be made to fail."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

from fakegithub import cgi, graph, permissions, rest, webhooks
from fakegithub.contract import Contract, Exchange
from fakegithub.shapes import Shapes
from fakegithub.things import Account, Comment, Refusal, Repo, Review, Thread
from fakegithub.world import START, World


@dataclass(frozen=True, slots=True)
class Request:
    """One request that came in, and the status it was answered with; ``kind`` is rest, graphql or git."""

    kind: str
    method: str
    path: str
    query: str
    who: str
    headers: Mapping[str, str]
    body: bytes
    status: int

    def __str__(self) -> str:
        return f"{self.method} {self.path}{'?' if self.query else ''}{self.query} → {self.status}"


@dataclass(slots=True)
class Fault:
    """What goes wrong with the next ``times`` requests that match, after ``after`` that go well.

    ``status`` is answered instead of the truth, with what is ``said`` or with this whole ``body`` (JSON or bytes, or the
    pieces of one that perhaps has no end); 0 breaks the connection. ``lost``: the deed is done all the same.
    """

    status: int
    match: str = ""
    times: int = 1
    after: int = 0
    lost: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    said: str = "injected"
    body: Any = None

    def strikes(self, request: str) -> bool:
        """Whether it strikes this request, given as method, blank, path, blank, body."""
        if self.times <= 0 or self.match not in request:
            return False
        if self.after > 0:
            self.after -= 1
            return False
        self.times -= 1
        return True


class FakeGitHub(World):
    """A GitHub of one's own, in a folder, on a port of this machine. Leaving it checks that the contract was kept.

    ``url`` is the address of the REST interface and of Git (``url/owner/name.git``), ``graphql`` that of GraphQL.
    ``log`` is what was asked; ``faults`` what goes wrong; ``page`` the most things that one page holds;
    ``scopes`` what a classic token may, None for any other token; ``between`` is called after every
    request; ``limits`` are told as they stand: by resource, core or graphql, what remains and until when.
    """

    def __init__(self, root: Path, repository: str = "nomic-club/game", *, at: int = START) -> None:
        super().__init__(root, repository, at=at)
        self.log: list[Request] = []
        self.faults: list[Fault] = []
        self.page = 100
        self.scopes: str | None = None
        self.limits: dict[str, tuple[int, int]] = {}
        self.between: Callable[[], object] | None = None
        self.contract = Contract()
        self._lock = threading.RLock()
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.graphql = f"{self.url}/graphql"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if error is None:
            self.contract.kept()

    def wait(self, seconds: float) -> None:
        """A client's waiting: the clock moves on, nobody sleeps."""
        self.clock.advance(round(seconds))

    def time(self) -> int:
        """A client's clock."""
        return self.clock.now

    def git_url(self, repo: Repo | None = None, who: Account | None = None) -> str:
        """Where Git finds a repository (by default the game's own), with somebody's token in it."""
        found = f"{self.url}/{(repo or self.repo).full_name}.git"
        return found.replace("://", f"://x-access-token:{self.token(who)}@") if who else found

    def fail(self, status: int, match: str = "", **how: Any) -> Fault:
        """Make the next requests that match (method, path and body are searched) go wrong. See `Fault`."""
        fault = Fault(status, match, **how)
        self.faults.append(fault)
        return fault

    def payload(
        self,
        action: str,
        thread: Thread,
        *,
        sender: Account,
        comment: Comment | None = None,
        review: Review | None = None,
    ) -> dict[str, Any]:
        """The payload of an event, as a workflow finds it in the file that GITHUB_EVENT_PATH names."""
        return webhooks.payload(
            Shapes(self, self.url), action, thread, sender=sender, comment=comment, review=review
        )

    def asked(self, *kinds: str) -> list[Request]:
        """The requests of these kinds (rest, graphql, git), by default of the two interfaces, since `forget`."""
        return [each for each in self.log if each.kind in (kinds or ("rest", "graphql"))]

    def forget(self) -> None:
        """Begin a new log."""
        self.log.clear()

    def handle(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> cgi.Answer | None:
        """Answer one request; None breaks the connection."""
        path, query = urlsplit(target).path, urlsplit(target).query
        path = path.replace("/repositories/1/", f"/repos/{self.repo.full_name}/", 1)  # as it is sent on
        kind = "git" if ".git/" in path else "graphql" if path == "/graphql" else "rest"
        token = cgi.token_of(headers.get("authorization", ""))
        who = self.tokens.get(token)
        with self._lock:
            self.notice()
            self.grant = self.grants.get(token)
            seen = f"{method} {path} {body.decode('utf-8', 'replace')}"
            fault = next((each for each in self.faults if each.strikes(seen)), None)
            found: cgi.Answer | None = None
            if fault is None or fault.lost:
                answers = self._git if kind == "git" else self._api
                found = answers(method, path, query, headers, body, who)
            if fault is not None:
                found = self._struck(fault)
            login = who.login if who else ""
            if self.between is not None:
                self.between()
            self.log.append(
                Request(kind, method, path, query, login, headers, body, found.status if found else 0)
            )
            return found

    def _struck(self, fault: Fault) -> cgi.Answer | None:
        if fault.status == 0:
            return None
        told = {"message": fault.said, "documentation_url": "https://docs.github.com/rest"}
        whole = fault.body if fault.body is not None else told
        headers = [*self._headers({}), *fault.headers.items()]
        if isinstance(whole, Iterator):
            return cgi.Answer(fault.status, headers, b"", whole)
        body = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
        return cgi.Answer(fault.status, headers, body)

    def _headers(self, more: Mapping[str, str]) -> list[tuple[str, str]]:
        date = formatdate(self.clock.now, usegmt=True)
        return [("Date", date), ("Content-Type", "application/json; charset=utf-8"), *more.items()]

    def _git(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes, who: Account | None
    ) -> cgi.Answer:
        full_name = path.lstrip("/").partition(".git/")[0]
        repo = self.repository(full_name)
        if repo is None or not self._shown(who):
            return cgi.Answer(404, [], b"Repository not found.")
        if cgi.is_push(path, query):
            if who is None:
                return cgi.Answer(401, [("WWW-Authenticate", 'Basic realm="GitHub"')], b"")
            permitted = permissions.may(self.grant, "write", "contents")
            if not permitted or not (repo.owner is who or (repo is self.repo and self.may(who, "write"))):
                return cgi.Answer(403, [], f"Permission to {full_name}.git denied to {who.login}.".encode())
        path = path.replace(full_name, repo.full_name, 1)
        done = cgi.serve(
            self.root, method, path, query, headers, body, str(who.id) if who else "", self.grant
        )
        if who is not None and path.endswith("/git-receive-pack"):
            self.pushed(repo, who)
        return done

    def _shown(self, who: Account | None) -> bool:
        return not self.private or self.may(who, "read")

    def _api(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes, who: Account | None
    ) -> cgi.Answer:
        more: dict[str, str] = {}
        asked: Any = None
        try:
            if not self._shown(who):
                raise Refusal(404, "Not Found")
            asked = json.loads(body) if body else None
            if path == "/graphql":
                status, found = 200, graph.answer(self, who, asked or {}, self.page)
            else:
                call = rest.Call(
                    self, who, method, path, dict(parse_qsl(query)), asked, headers, self.url, self.page
                )
                permissions.check(self.grant, method, path)
                status, found, more = rest.answer(call)
        except Refusal as refusal:
            status = refusal.status
            found = {
                "message": refusal.said,
                "documentation_url": "https://docs.github.com/rest",
                "status": str(status),
            }
        if self.scopes is not None:
            more["X-OAuth-Scopes"] = self.scopes
        resource = "graphql" if path == "/graphql" else "core"
        if resource in self.limits:
            left, reset = map(str, self.limits[resource])
            more |= {
                "X-RateLimit-Resource": resource,
                "X-RateLimit-Remaining": left,
                "X-RateLimit-Reset": reset,
            }
        content = b"" if found is None else json.dumps(found).encode()
        self.contract.check(Exchange(method, path, query, asked, status, found))
        return cgi.Answer(status, self._headers(more), content)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, forge: FakeGitHub) -> None:
        self.forge = forge
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error of the server's."""
        import sys

        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _serve(self) -> None:
        assert isinstance(self.server, _Server)
        headers = {name.lower(): value for name, value in self.headers.items()}
        found = self.server.forge.handle(self.command, self.path, headers, self._body(headers))
        if found is None:
            self.close_connection = True
            return
        self.send_response_only(found.status)
        for name, value in found.headers:
            self.send_header(name, value)
        if found.pieces is not None:
            self.close_connection = True
            self.end_headers()
            self.wfile.writelines(found.pieces)
            return
        self.send_header("Content-Length", str(len(found.body)))
        self.end_headers()
        self.wfile.write(found.body)

    def _body(self, headers: Mapping[str, str]) -> bytes:
        if headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(headers.get("content-length", 0)))
        whole = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            whole += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return whole

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self._serve
        raise AttributeError(name)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed: the log is the fake's."""
