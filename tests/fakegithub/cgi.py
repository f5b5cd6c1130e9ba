"""Git over HTTP: ``git http-backend`` for the bare repositories, with GitHub's rule of who may push."""

from __future__ import annotations

import base64
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fakegithub.permissions import Grant, may


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back: status, headers, bytes; or, instead of these, the pieces of what perhaps has no end."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    pieces: Iterator[bytes] | None = None


def token_of(header: str) -> str:
    """The token in an Authorization header, as a bearer's or as the password that Git sends."""
    kind, _, rest = header.partition(" ")
    if kind.lower() == "basic":
        _, _, password = base64.b64decode(rest).decode("utf-8", "replace").partition(":")
        return password
    return rest


def is_push(path: str, query: str) -> bool:
    """Whether a request begins, or makes, a push."""
    return path.endswith("/git-receive-pack") or "service=git-receive-pack" in query


def serve(
    root: Path,
    method: str,
    path: str,
    query: str,
    headers: Mapping[str, str],
    body: bytes,
    pusher: str,
    grant: Grant | None = None,
) -> Answer:
    """Hand a request to Git and take its answer. ``grant``: what the pusher's token may."""
    given = {
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REQUEST_METHOD": method,
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
        "GIT_PROTOCOL": headers.get("git-protocol", ""),
        "REMOTE_USER": pusher,
        "FAKE_PUSHER": pusher,
        "FAKE_WORKFLOWS": "may" if may(grant, "write", "workflows") else "may not",
        "REMOTE_ADDR": "127.0.0.1",
    }
    done = subprocess.run(
        ["git", "http-backend"], input=body, capture_output=True, check=False, env=os.environ | given
    )
    head, _, rest = done.stdout.partition(b"\r\n\r\n")
    named = [line.decode("latin-1").partition(": ") for line in head.split(b"\r\n") if b": " in line]
    status = next((value for name, _, value in named if name.lower() == "status"), "200 OK")
    kept = [(name, value) for name, _, value in named if name.lower() != "status"]
    return Answer(int(status.split()[0]), kept, rest)
