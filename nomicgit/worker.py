"""A worker: mechanics that nobody has enacted yet run in a process of their own, within limits.

Some inputs end the interpreter's process, or never return from one native operation. In a worker that is a
clear refusal: it has an address space, processor time and a clock of its own, and gives back plain JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

from nomicgit.problems import NomicError, Problem, Refused

MEMORY = 512 * 1024 * 1024
PROCESSOR = 5
WALL = 30.0
ANSWER = 4 * 1024 * 1024
HURT = "the mechanics end their process, or use more memory or time than a game lends them"


class Died(Refused):
    """The worker came to an end without an answer."""


def run(work: Callable[[], Any]) -> Any:
    """What ``work`` returns (plain JSON), done in a worker. What it raises of ours is raised; its death is Died."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _work(work, writer)
    os.close(writer)
    try:
        answer = _read(reader, time.monotonic() + WALL)
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return _answered(answer)


def _answered(answer: bytes | None) -> Any:
    if answer is None:
        raise Died.of(HURT, mend="make the mechanics smaller or simpler")
    told = json.loads(answer)
    if "problems" in told:
        raise Refused(*(Problem(what) for what in told["problems"]))
    return told["value"]


def _work(work: Callable[[], Any], writer: int) -> None:
    """The child: it never returns."""
    code = 1
    try:
        _limit()
        try:
            told: dict[str, Any] = {"value": work()}
        except NomicError as error:
            told = {"problems": [str(problem) for problem in error.problems]}
        _write(writer, json.dumps(told).encode())
        code = 0
    finally:
        os._exit(code)


def _limit() -> None:
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    with open("/proc/self/statm", encoding="ascii") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + PROCESSOR, used + PROCESSOR + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _write(writer: int, data: bytes) -> None:
    if len(data) > ANSWER:
        raise Refused.of("the answer of the worker is too large")
    framed = len(data).to_bytes(8, "big") + data
    for part in _parts(framed):
        os.write(writer, part)


def _parts(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), 65_536):
        yield data[at : at + 65_536]


def _read(reader: int, until: float) -> bytes | None:
    found = b""
    while len(found) < 8 or len(found) < 8 + int.from_bytes(found[:8], "big"):
        ready, _, _ = select.select([reader], [], [], max(0.0, until - time.monotonic()))
        part = os.read(reader, 65_536) if ready else b""
        if not part or len(found) > ANSWER + 65_536:
            return None
        found += part
    return found[8:]
