"""A worker: mechanics that nobody has enacted yet run in a process of their own, within limits.

Some inputs end the interpreter's process, or never return from one native operation. In a worker that is a
clear refusal: it has an address space, processor time and a clock of its own, and gives back plain JSON.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from nomicgit.problems import NomicError, Problem, Refused

MEMORY = 512 * 1024 * 1024
PROCESSOR = 5
WALL = 30.0
MORE_MEMORY = 2048 * 1024 * 1024
PATIENCE = 120.0  # seconds for one step of a stream
ANSWER = 4 * 1024 * 1024
HURT = "the mechanics end their process, or use more memory or time than a game lends them"


class Died(Refused):
    """The worker came to an end without an answer."""


def died() -> Died:
    """The refusal of what has ended a worker."""
    return Died.of(HURT, mend="make the mechanics smaller or simpler")


def run(
    work: Callable[[], Any],
    *,
    processor: int | None = None,
    wall: float | None = None,
    memory: int | None = None,
) -> Any:
    """What ``work`` returns (plain JSON), done in a worker within so many seconds of processor and of waiting, and bytes.

    None: as mechanics that are to be enacted have. What it raises of ours is raised; its death is Died.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        limits = PROCESSOR if processor is None else processor, MEMORY if memory is None else memory
        _work(work, writer, *limits)
    os.close(writer)
    try:
        answer = _read(reader, time.monotonic() + (WALL if wall is None else wall))
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return _answered(answer)


def stream(work: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    """What ``work`` yields (plain JSON), one after the other, done in a worker with more memory and no bound of its
    own on processor time; it ends early where the worker dies, or lets wait too long for one of them.

    The worker begins at once, and goes on as far as what it has found fits into the pipe.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _work_on(work, writer)
    os.close(writer)
    found = _streamed(reader, child)
    next(found)  # from here on the worker is ended and waited for, whatever becomes of the stream
    return found


def _streamed(reader: int, child: int) -> Iterator[Any]:
    try:
        yield
        rest = b""
        while (answer := _read(reader, time.monotonic() + PATIENCE, rest)) is not None:
            size = 8 + int.from_bytes(answer[:8], "big")
            yield json.loads(answer[8:size])
            rest = answer[size:]
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _answered(answer: bytes | None) -> Any:
    if answer is None:
        raise died()
    told = json.loads(answer[8:])
    if "problems" in told:
        raise Refused(*(Problem(what) for what in told["problems"]))
    return told["value"]


def _work(work: Callable[[], Any], writer: int, processor: int, memory: int) -> None:
    """The child: it never returns."""
    code = 1
    try:
        _limit(processor, memory)
        try:
            told: dict[str, Any] = {"value": work()}
        except NomicError as error:
            told = {"problems": [str(problem) for problem in error.problems]}
        _write(writer, json.dumps(told).encode())
        code = 0
    finally:
        os._exit(code)


def _work_on(work: Callable[[], Iterator[Any]], writer: int) -> None:
    """The child of a stream: it never returns."""
    code = 1
    try:
        _limit_memory(MORE_MEMORY)
        for each in work():
            _write(writer, json.dumps(each).encode())
        code = 0
    finally:
        os._exit(code)


def _limit_memory(most: int) -> None:
    gc.freeze()  # what the parent holds is not gone through again: that would copy every page of it
    faulthandler.disable()  # its death is expected, and told as a refusal
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    _cap(resource.RLIMIT_CORE, 0, 0)
    if sys.platform != "linux":
        return  # no other system tells what a process has mapped, and macOS takes no such limit: see docs/trust.md
    with open("/proc/self/statm", encoding="ascii") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    _cap(resource.RLIMIT_AS, mapped + most, mapped + most)


def _cap(what: int, soft: int, hard: int) -> None:
    """Set a limit, or leave the lower one of a worker in which this one was started."""
    highest = resource.getrlimit(what)[1]
    if highest != resource.RLIM_INFINITY:
        soft, hard = min(soft, highest), min(hard, highest)
    resource.setrlimit(what, (soft, hard))


def _limit(processor: int, memory: int) -> None:
    _limit_memory(memory)
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 1
    _cap(resource.RLIMIT_CPU, used + processor, used + processor + 1)


def _write(writer: int, data: bytes) -> None:
    if len(data) > ANSWER:
        raise Refused.of("the answer of the worker is too large")
    framed = len(data).to_bytes(8, "big") + data
    for part in _parts(framed):
        os.write(writer, part)


def _parts(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), 65_536):
        yield data[at : at + 65_536]


def _read(reader: int, until: float, found: bytes = b"") -> bytes | None:
    """A whole answer with its length before it, and what came after it; None where none comes."""
    while len(found) < 8 or len(found) < 8 + int.from_bytes(found[:8], "big"):
        ready, _, _ = select.select([reader], [], [], max(0.0, until - time.monotonic()))
        part = os.read(reader, 65_536) if ready else b""
        if not part or len(found) > ANSWER + 65_536:
            return None
        found += part
    return found
