"""Firefox as it is packaged, driven over the protocol that it brings itself (Marionette): lines of JSON behind their length."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.servers import port, running

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""How the protocol marks an element (W3C WebDriver)."""
ENTER = "\ue007"
PATIENCE = 60
"""Seconds in which something is there that is waited for."""


class Firefox:
    """A browser with one page."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel.makefile("rwb")
        self._said = 0
        self._read()
        self.ask("WebDriver:NewSession", capabilities={})
        self.ask("WebDriver:SetTimeouts", implicit=PATIENCE * 1000, script=PATIENCE * 1000)

    def _read(self) -> Any:
        size = b""
        while (each := self._channel.read(1)) != b":":
            size += each
        return json.loads(self._channel.read(int(size)))

    def ask(self, command: str, **given: Any) -> Any:
        """Say a command, and wait for what came of it."""
        self._said += 1
        text = json.dumps([0, self._said, command, given]).encode()
        self._channel.write(b"%d:%b" % (len(text), text))
        self._channel.flush()
        _, _, error, result = self._read()
        assert error is None, error
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def open(self, address: str) -> None:
        """Open a page, and wait until it is loaded."""
        self.ask("WebDriver:Navigate", url=address)

    def tells(self, script: str) -> Any:
        """What a function's body returns in the page; a promise is waited for."""
        body = f"const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, e => done('' + e))"
        return self.ask("WebDriver:ExecuteAsyncScript", script=body, args=[], newSandbox=True)

    def waits(self, selector: str) -> Any:
        """Wait until a selector finds something; gives what it is called here."""
        return self.ask("WebDriver:FindElement", using="css selector", value=selector)[ELEMENT]

    def types(self, selector: str, text: str) -> None:
        """Type into a control that a selector finds."""
        self.ask("WebDriver:ElementSendKeys", id=self.waits(selector), text=text)


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A Firefox without a window, whose profile lies in a folder; it reaches this machine alone."""
    at = port()
    folder.mkdir()
    settings = {"marionette.port": at, "network.dns.disabled": True}
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items())
    (folder / "user.js").write_text("".join(lines), "utf-8")
    told = ["sh", "-c", 'exec "$@" >&2', "sh", str(FIREFOX)]
    with (
        running(
            [*told, "--headless", "--no-remote", "--marionette", "--profile", str(folder)],
            "Listening on port",
        ),
        socket.create_connection(("127.0.0.1", at), timeout=PATIENCE) as channel,
    ):
        yield Firefox(channel)
