"""Servers on loopback that hear what is announced: one of HTTP, one of SMTP."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_string, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Heard:
    """What was heard, oldest first; ``deaf``: whether HTTP refuses all of it."""

    web: str = ""
    mail: str = ""
    hooks: list[dict[str, Any]] = field(default_factory=list)
    mails: list[Any] = field(default_factory=list)
    deaf: bool = False


@contextmanager
def listening() -> Iterator[Heard]:
    """Both servers, for a while; ``web`` and ``mail`` are their addresses, as apprise writes them."""
    heard = Heard()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            said = self.rfile.read(int(self.headers["Content-Length"]))
            if not heard.deaf:
                heard.hooks.append(json.loads(said))
            self.send_response(503 if heard.deaf else 200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

    class Mail(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say("220 here")
            for raw in self.rfile:
                word = raw[:4].upper()
                if word == b"DATA":
                    self._say("354 go on")
                    lines = iter(self.rfile.readline, b".\r\n")
                    text = b"".join(lines).decode().replace("\r\n", "\n")
                    heard.mails.append(message_from_string(text, policy=policy.default))
                self._say("221 bye" if word == b"QUIT" else "250 well")
                if word == b"QUIT":
                    return

        def _say(self, line: str) -> None:
            self.wfile.write(line.encode() + b"\r\n")

    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Hook) as web,
        socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail) as mail,
    ):
        for server in (web, mail):
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        heard.web = f"json://hook:SECRET@127.0.0.1:{web.server_address[1]}/"
        heard.mail = (
            f"mailto://127.0.0.1:{mail.server_address[1]}?from=game@attic.example&to=ana@attic.example"
        )
        try:
            yield heard
        finally:
            web.shutdown()
            mail.shutdown()
