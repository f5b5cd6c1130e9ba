"""A worker: mechanics that nobody has enacted yet run in a process of their own, within limits.

Some inputs end the interpreter's process, or never return from one native operation. In a worker that is a
clear refusal: it has an address space, processor time and a clock of its own, and gives back plain JSON.

How a worker came to its end tells whose doing that was (``deaths``). A stack is as deep everywhere, and who uses memory up must
have had all that we lend: where the machine lends less, that is its failure.
"""

from __future__ import annotations

import errno
import faulthandler
import gc
import json
import mmap
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from nomicgit.ground import purse
from nomicgit.ground.deaths import (
    PANICKED,
    SPENT,
    Cut,
    Ended,
    Late,
    Stuck,
    Unlent,
    died,
    hurt,
    outage,
    unstarted,
)
from nomicgit.ground.problems import NomicError, Outage, Problem, Refused, Starved, printable

if TYPE_CHECKING:
    from nomicgit.ground.held import Held

MEMORY = 512 * 1024 * 1024
PROCESSOR = 5
WALL = 60.0
LOOK = 0.1  # seconds
MORE_MEMORY = 2048 * 1024 * 1024
STACK = 8 * 1024 * 1024
STEP = 60  # seconds of processor time for one step of a stream
PATIENCE = 600.0  # seconds of waiting for it
ANSWER = 4 * 1024 * 1024
LIMITED = "it may not have as much memory and time as a game lends it (see `ulimit -a`)"

Told = Mapping[str, Any]
T = TypeVar("T")
_writers: list[int] = []  # the pipes of the workers in which this process stands, the innermost last


class Broken(RuntimeError):
    """The program itself has a defect, which showed in a worker; its text is the traceback there."""


def run(
    work: Callable[[], T],
    *,
    processor: int | None = None,
    wall: float | None = None,
    memory: int | None = None,
) -> T:
    """What ``work`` returns (plain JSON), done in a worker within so many seconds of processor and of waiting, and bytes.

    None: as mechanics that are to be enacted have. What it raises of ours is raised; its death is Died, or Outage.
    Tuples come back as lists.
    """
    own = PROCESSOR if processor is None else processor
    limits = purse.lent(own), MEMORY if memory is None else memory
    patience = WALL if wall is None else wall
    answer = _tried(work, *limits, patience)
    if isinstance(answer, Ended) and answer.crashed:
        answer = _tried(work, *limits, patience)
    if isinstance(answer, Ended):
        error = answer.error()
        late = isinstance(error, Late) and not isinstance(error, Stuck)
        raise died(Unlent) if late and limits[0] < own else error
    value: T = answer["value"]
    return value


def _tried(work: Callable[[], object], processor: int, memory: int, patience: float) -> Told | Ended:
    lent = min(processor, _highest(resource.RLIMIT_CPU) - 1)

    def once() -> Iterator[object]:
        yield work()

    before = spent()
    worker = _Worker(once, memory, processor, lent)
    try:
        return worker.told(patience) or worker.end()
    finally:
        worker.end()
        purse.pay(spent() - before)


def spent() -> float:
    """The seconds of processor time of all processes that this one has started and that have ended."""
    return sum(os.times()[2:4])


def stream(work: Callable[[int], Iterator[T]]) -> Iterator[T]:
    """What ``work`` yields (plain JSON), one after the other, done in a worker with more memory, and with time for
    each of them. ``work`` is told how many were given already: it begins anew behind these where it crashed.

    Died where one of them ends the worker, or lets wait too long. The worker begins at once, and goes on as far as
    what it has found fits into the pipe.
    """
    streamed = _streamed(work)
    next(streamed)  # from here on the worker is ended and waited for, whatever becomes of the stream
    return streamed


def _streamed(work: Callable[[int], Iterator[object]]) -> Iterator[Any]:
    given, crashed = 0, -1
    worker = _streaming(work, given)
    try:
        yield
        while True:
            answer = worker.told(PATIENCE)
            if answer is None:
                ended = worker.end()
                if not ended.crashed or crashed == given:
                    raise ended.error()
                crashed, worker = given, _streaming(work, given)
            elif "end" in answer:
                return
            else:
                given += 1
                yield answer["value"]
    finally:
        worker.end()


def _streaming(work: Callable[[int], Iterator[object]], given: int) -> _Worker:
    return _Worker(lambda: _step_by_step(work(given)), MORE_MEMORY, None, STEP)


# ---- seen from the parent


def has(memory: int) -> bool:
    """Whether the machine lends this process so many bytes more, as far as it says so."""
    try:
        mmap.mmap(-1, memory, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        return False
    return True


class _Worker:
    """A process that does some work, and the pipe through which it tells what it finds."""

    def __init__(
        self, work: Callable[[], Iterator[object]], memory: int, processor: int | None, lent: int
    ) -> None:
        self._lent, self._memory = lent, memory
        self._rest = b""
        self._cpu = 0.0
        self._begun = self._waited = self._gone = self._outgrown = False
        self._ended: Ended | None = None
        try:
            self._reader, writer = os.pipe()
            try:
                self._pid = os.fork()
            except OSError:
                os.close(self._reader)
                os.close(writer)
                raise
        except OSError as error:
            raise unstarted(error) from error
        if self._pid == 0:
            os.close(self._reader)
            _be_worker(work, memory, processor, writer)
        os.close(writer)
        self._held = seen_from_outside(self._pid, memory)

    def told(self, patience: float) -> Told | None:
        """What it tells next, once it has begun; None where it tells nothing more, or not within so many seconds."""
        until = time.monotonic() + patience
        while (answer := self._read(until)) is not None:
            self._cpu = answer["cpu"]
            if "problems" in answer:
                raise Refused(*map(Problem.of_json, answer["problems"]))
            if "outage" in answer:
                kind = Cut if answer.get("cut") else Outage
                raise kind(answer["outage"], answer["mend"])
            if "broken" in answer:
                raise Broken(answer["broken"])
            if "begun" not in answer:
                return answer
            self._begun = True
        return None

    def _read(self, until: float) -> Told | None:
        while len(self._rest) < 8 or len(self._rest) < 8 + int.from_bytes(self._rest[:8], "big"):
            ready = self._ready(until)
            part = os.read(self._reader, 65_536) if ready else b""
            self._rest += part
            if not part:
                self._waited, self._gone = not ready and not self._outgrown, ready
                return None
        size = 8 + int.from_bytes(self._rest[:8], "big")
        answer: Told = json.loads(self._rest[8:size])
        self._rest = self._rest[size:]
        return answer

    def _ready(self, until: float) -> bool:
        """Whether it tells something in time, and before it holds too much memory."""
        held = self._held
        while True:
            left = max(0.0, until - time.monotonic())
            step = left if held is None else min(left, LOOK)
            if select.select([self._reader], [], [], step)[0]:
                return True
            self._outgrown = held is not None and held.too_much()
            if step == left or self._outgrown:
                return False

    def end(self) -> Ended:
        """End it, where it has not ended by itself, and tell how it did."""
        if self._ended is None:
            os.close(self._reader)
            if not self._gone:
                os.kill(self._pid, signal.SIGKILL)
            _, status, usage = os.wait4(self._pid, 0)
            seconds = usage.ru_utime + usage.ru_stime - self._cpu
            code = SPENT if self._outgrown else os.waitstatus_to_exitcode(status)
            short = (
                hurt(code) and not _writers and not has(self._memory)
            )  # in a worker our own limit leaves less
            self._ended = Ended(code, seconds, self._lent, self._begun, self._waited, short)
        return self._ended


# ---- seen from the child


def _be_worker(work: Callable[[], Iterator[object]], memory: int, processor: int | None, writer: int) -> None:
    """The child: it never returns."""
    code = 1
    try:
        if _writers:
            os.close(_writers[-1])  # or nobody would see that the worker around this one ends
        _writers.append(writer)
        purse.close()
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever interrupts it has not crashed it
        if _limited(memory, processor):
            code = _worked(work)
    finally:
        os._exit(code)


def _worked(work: Callable[[], Iterator[object]]) -> int:
    """Do the work, and tell what it gives or what has ended it, as far as that can be told; gives the exit code."""
    _tell(begun=True)  # whatever happens from now on is the work's
    try:
        for each in work():
            _tell(value=each)
        _tell(end=True)
    except (MemoryError, RecursionError, Starved):
        return SPENT
    except NomicError as error:
        _tell(problems=[problem.as_json() for problem in error.problems])
    except Outage as error:
        _tell(outage=error.problem.what, mend=error.problem.mend, cut=isinstance(error, Cut))
    except OSError as error:
        if error.errno == errno.ENOMEM:
            return SPENT
        _tell_outage(str(error))
    except Exception as error:
        import traceback  # here: nobody needs it while nothing is broken

        _tell(broken="".join(traceback.format_exception(error)))
    except BaseException:
        return PANICKED  # the interpreter's own panic
    return 0


def _limited(memory: int, processor: int | None) -> bool:
    """Set the limits, or tell that it does not go."""
    try:
        _limit_memory(memory)
        if processor is not None:
            _limit_processor(processor)
    except (OSError, ValueError) as error:
        _tell_outage(f"it cannot set its limits: {error}")
        return False
    return True


def _limit_memory(most: int) -> None:
    gc.freeze()  # what the parent holds is not gone through again: that would copy every page of it
    faulthandler.disable()  # its death is expected, and told as a refusal
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    _cap(resource.RLIMIT_CORE, 0, 0)
    _cap(resource.RLIMIT_STACK, STACK, STACK)
    if (held := mapped()) is not None:
        _cap(resource.RLIMIT_AS, held + most, held + most)


def mapped() -> int | None:
    """The bytes that this process has mapped.

    None where that is not told, or cannot be bounded: macOS takes no such limit.
    """
    if sys.platform != "linux":
        return None
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def seen_from_outside(pid: int, memory: int) -> Held | None:
    """A process that may use so many bytes, where it cannot be bounded: who waits for it looks what it holds, each LOOK seconds."""
    if sys.platform == "linux":
        return None
    from nomicgit.ground.held import Held  # here: where the system bounds memory nobody needs it

    return Held(pid, memory)


def _limit_processor(seconds: int) -> None:
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 1
    _cap(resource.RLIMIT_CPU, used + seconds, used + seconds + 1)


def _cap(what: int, soft: int, hard: int) -> None:
    """Set a limit. Within another worker its lower one stays; a lower one from elsewhere is none that a game lends.

    Where the system kills at the hard limit, the soft one stays below it: else nobody could tell whose doing that was.
    """
    highest = _highest(what)
    if highest < hard and len(_writers) == 1:
        raise OSError(errno.EPERM, LIMITED)
    resource.setrlimit(what, (min(soft, highest - (hard - soft)), min(hard, highest)))


def _step_by_step(steps: Iterator[object]) -> Iterator[object]:
    """The same, with processor time for each step."""
    while True:
        used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + 1
        least = min(used + STEP, _highest(resource.RLIMIT_CPU) - 1)
        resource.setrlimit(resource.RLIMIT_CPU, (least, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        try:
            step = next(steps)
        except StopIteration:
            return
        yield step


def _highest(what: int) -> int:
    """How far a limit can be set up."""
    highest = resource.getrlimit(what)[1]
    return sys.maxsize if highest == resource.RLIM_INFINITY else highest


def _tell_outage(why: str) -> None:
    problem = outage(why).problem
    _tell(outage=problem.what, mend=problem.mend)


def _most(answer: object) -> str:
    """Where in an answer most of it lies: the names that lead there, and what stands there for a name."""
    way: list[str] = []
    while isinstance(answer, Mapping | list | tuple) and answer:
        parts = answer.items() if isinstance(answer, Mapping) else enumerate(answer, 1)
        name, answer = max(parts, key=lambda part: len(json.dumps(part[1])))
        way.append(str(name))
        if isinstance(answer, Mapping):
            way += [str(answer[key]) for key in ("path", "view", "title") if isinstance(answer.get(key), str)]
    return printable(" ".join(way), 200)


def _tell(**answer: object) -> None:
    data = json.dumps({**answer, "cpu": sum(os.times()[:4])}).encode()
    if len(data) > ANSWER:
        raise Refused.of(
            f"what it comes to is too much to be told: {len(data)} bytes, most of it in {_most(answer)}"
        )
    framed = memoryview(len(data).to_bytes(8, "big") + data)
    while framed:
        framed = framed[os.write(_writers[-1], framed[:65_536]) :]
