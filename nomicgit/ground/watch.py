"""A watch over a command: what the law does not come out of ends the process in which it runs, and the watch goes on.

How long the law may take is looked at between its steps; within one native operation nobody can look. So a command runs
in a child. Before the law is called the child notes which function that is, where the parent sees it, and sets an alarm
and a bound on memory. Where that function ends the child, the command begins anew, and does not call it again from that
call on: it is *deadly* now, and whoever calls it is told. A deed does nothing outside the process before the law has had
its say, so nothing is half done; and what it has recorded then the child notes too, so that nothing is done twice.

A worker can be traced in the same way: where it dies, its parent knows in which function of the law.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import resource
import signal
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import count
from types import MappingProxyType
from typing import Final, NoReturn, TypeVar

from nomicgit.ground import deaths, problems, worker
from nomicgit.ground.problems import Outage, Starved

GRACE: Final = 1.0  # seconds of processor time beyond what the law is lent, before its process is ended
MEMORY: Final = 1024 * 1024 * 1024  # bytes for the law; replay has more
DEATHS: Final = 8  # children that end, before the law is asked nothing at all
PATIENCE: Final = 0.5  # seconds that an interrupted child has to come out of the law by itself
EVERYTHING: Final = "*"
TURNS: Final = 5  # of waiting, between two looks at what a child holds
INTERRUPTED: Final = 130  # exit code
_SLATE: Final = 256  # bytes for the function that is called; behind them stands which of its calls that is, when a look has
_CALL: Final = struct.Struct("Q")  # begun, and what is recorded
_BEGAN: Final = struct.Struct("d")
_LOOKED: Final = _SLATE + _CALL.size  # where it stands when a look has begun
_RECORDED: Final = slice(_LOOKED + _BEGAN.size, _LOOKED + _BEGAN.size + 40)
T = TypeVar("T")

deadly: Mapping[str, int] = MappingProxyType({})
"""The functions of the law that have ended a child of this command, each with the number of that call among its calls: what
comes before it did no harm. With EVERYTHING among them, all."""
looked: float = 0.0
"""The seconds of processor time for which children of this command have looked that have ended over it."""


class _Trace:
    """What a worker holds: the slate, and the functions that it is in, each of which has ``lent`` seconds, or with None until it
    should be back.
    """

    def __init__(self, slate: mmap.mmap, lent: float | None = None) -> None:
        self.slate, self._lent = slate, lent
        self.within: list[tuple[bytes, int]] = []
        self.calls: Counter[bytes] = Counter()

    def begin(self, until: float | None) -> None:
        """The law is called from outside: until which processor time of the process it should be back."""
        lent = self._lent
        if until is not None and lent is None:
            lent = max(0.0, until - time.process_time()) + GRACE
        signal.setitimer(signal.ITIMER_PROF, lent or 0)

    def end(self) -> None:
        """Nothing of the law runs any more."""
        signal.setitimer(signal.ITIMER_PROF, 0)


class _Post(_Trace):
    """What the child of a command holds: also what it has to set back when it leaves the law."""

    def __init__(self, slate: mmap.mmap) -> None:
        super().__init__(slate)
        self.memory = resource.getrlimit(resource.RLIMIT_AS)
        self.lent, mapped = self.memory, worker.mapped()
        if mapped is not None and set(self.memory) == {resource.RLIM_INFINITY}:  # another's bound stays
            self.lent = (mapped + MEMORY, resource.RLIM_INFINITY)
        self.short = not worker.has(MEMORY)
        deepest = resource.getrlimit(resource.RLIMIT_STACK)[1]
        if deepest != resource.RLIM_INFINITY and deepest < worker.STACK:
            raise OSError(errno.EPERM, worker.LIMITED)
        resource.setrlimit(resource.RLIMIT_STACK, (worker.STACK, deepest))
        self.errors, self.silent = os.dup(2), os.open(os.devnull, os.O_WRONLY)

    def begin(self, until: float | None) -> None:
        """The same, of a command."""
        sys.stderr.flush()
        os.dup2(self.silent, 2)  # the interpreter's last words are for those who made it
        self._bound(self.lent)
        super().begin(until)

    def end(self) -> None:
        """Nothing of the law runs any more."""
        super().end()
        self._bound(self.memory)
        os.dup2(self.errors, 2)

    def _bound(self, memory: tuple[int, int]) -> None:
        """Bound the memory of this process, where the system lets one say how much it has already."""
        if self.lent != self.memory:
            resource.setrlimit(resource.RLIMIT_AS, memory)


_post: _Trace | None = None


def enter(function: str, until: float | None) -> None:
    """The law is called: by which function, and until which processor time of the process it should be back."""
    if _post is None:
        return
    name = _name(function)
    if not _post.within:
        _post.begin(until)
    _post.calls[name] += 1
    _post.within.append((name, _post.calls[name]))
    _note_call(_post.slate, name, _post.calls[name])


def bars(function: str) -> bool:
    """Whether a function, or a file, is not called any more: with this call, or an earlier one, it has ended a child."""
    if EVERYTHING in deadly:
        return True
    call = deadly.get(function)
    return call is not None and (_post is None or _post.calls[_name(function)] + 1 >= call)


def note(commit: str) -> None:
    """A commit is recorded: whatever goes wrong from now on, it stands. "" where what was recorded is taken away again."""
    problems.recorded = commit
    if _post is not None:
        _post.slate[_RECORDED] = commit.encode().ljust(_RECORDED.stop - _RECORDED.start, b"\0")


def starved() -> Starved | Outage:
    """The law has used its memory up; where it had less than a game lends it, that is the machine's failure."""
    if isinstance(_post, _Post) and _post.short:
        return deaths.outage(deaths.SHORT)
    return Starved.of(deaths.HURT, mend=deaths.SIMPLER)


def leave() -> None:
    """The law has come back."""
    if _post is None:
        return
    _post.within.pop()
    name, call = _post.within[-1] if _post.within else (b"", 0)
    _note_call(_post.slate, name, call)
    if not name:
        _post.end()


def looking() -> float:
    """A look begins. Gives the seconds that this command has looked already, in this child and in those that have ended over it."""
    if _post is None:
        return looked
    if not _began(_post.slate):
        _BEGAN.pack_into(_post.slate, _LOOKED, time.process_time())
    return looked + time.process_time() - _began(_post.slate)


def traced(
    work: Callable[[], T],
    lent: float | None = None,
    *,
    processor: int | None,
    wall: float,
    memory: int | None = None,
) -> T:
    """What ``work`` gives (plain JSON), done in a worker, each call of the law within so many seconds of processor time, or with
    None within what the deed under way has been lent, if anything.

    Where it dies, Died tells the function of the law.
    """
    slate = _slate()

    def noted() -> T:
        global _post
        slate[0], _post = 0, _Trace(slate, lent)
        return work()

    try:
        return worker.run(noted, processor=processor, wall=wall, memory=memory)
    except deaths.Died as died:
        died.function = _function(slate)
        raise


def _slate() -> mmap.mmap:
    return mmap.mmap(-1, _RECORDED.stop)


def _function(slate: mmap.mmap) -> str:
    return slate[:_SLATE].partition(b"\0")[0].decode("utf-8", "replace")


def _call(slate: mmap.mmap) -> int:
    call: int = _CALL.unpack_from(slate, _SLATE)[0]
    return call


def _name(function: str) -> bytes:
    return function.encode("utf-8", "replace")[: _SLATE - 1]


def _note_call(slate: mmap.mmap, name: bytes, call: int) -> None:
    slate[: len(name) + 1] = name + b"\0"
    _CALL.pack_into(slate, _SLATE, call)


def _began(slate: mmap.mmap) -> float:
    began: float = _BEGAN.unpack_from(slate, _LOOKED)[0]
    return began


def _off() -> None:
    """Nobody watches a process that begins here: a worker has limits of its own."""
    global _post
    _post = None


def over(failed: Callable[[BaseException], int]) -> None:
    """Watch over the rest of this program. Returns in a child only; the parent ends as the last child does.

    ``failed`` tells what a child that was ended cannot tell any more, and gives the exit code.
    """
    global _post, deadly, looked
    os.register_at_fork(after_in_child=_off)
    slate, spooled = _slate(), _spooled()
    suspects, ended = set[str](), dict[str, int]()
    while True:
        if spooled:
            os.lseek(0, 0, os.SEEK_SET)
        before, child = worker.spent(), os.fork()
        if child == 0:
            deadly, _post = MappingProxyType(ended), _Post(slate)
            return
        code, interrupted = _Parent(child, slate).waited()
        function, call = _function(slate), _call(slate)
        problems.recorded = slate[_RECORDED].rstrip(b"\0").decode()
        if began := _began(slate):
            looked += max(0.0, worker.spent() - before - began)
        slate[:] = bytes(len(slate))
        if interrupted:
            os._exit(INTERRUPTED if code >= 0 else failed(KeyboardInterrupt()))
        if problems.recorded or not function or not deaths.own_doing(-code) or EVERYTHING in ended:
            _end(code, failed)
        if code == -signal.SIGPROF or function in suspects:
            everything = function in ended or len(ended) == DEATHS
            ended |= {EVERYTHING: 0} if everything else {function: call}
        suspects.add(function)


def _spooled() -> bool:
    """Keep what is handed in, where some is asked for (``-``): a second child reads it again."""
    if not any(each == "-" or each.endswith("=-") for each in sys.argv[1:]):
        return False
    import tempfile  # here: little is handed in so

    with tempfile.TemporaryFile() as file:
        try:
            file.write(sys.stdin.buffer.read())
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)
        file.flush()
        os.dup2(file.fileno(), 0)
    return True


def _end(code: int, failed: Callable[[BaseException], int]) -> NoReturn:
    """End as the child did."""
    if code >= 0:
        os._exit(code)
    if code == -signal.SIGKILL or deaths.own_doing(-code):
        os._exit(failed(deaths.outage(deaths.by_signal(-code))))
    os.kill(os.getpid(), -code)
    os._exit(128 - code)


class _Parent:
    """The parent of a child: it waits, and passes on what it is told to end with."""

    def __init__(self, child: int, slate: mmap.mmap) -> None:
        self._child, self._slate, self._interrupted = child, slate, False

    def waited(self) -> tuple[int, bool]:
        """How the child ended, its exit code, or the signal, negative; and whether somebody has interrupted it."""
        hears = {
            signal.SIGINT: self._interrupt, signal.SIGALRM: self._lose_patience,
            signal.SIGTERM: self._pass_on, signal.SIGHUP: self._pass_on,
        }  # fmt: skip
        before = {number: signal.signal(number, heard) for number, heard in hears.items()}
        try:
            status = self._ended()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, heard in before.items():
                signal.signal(number, heard)
        return os.waitstatus_to_exitcode(status), self._interrupted

    def _ended(self) -> int:
        """The child's status, once it has ended; it is ended where the law holds too much memory, and the system bounds none."""
        held = worker.seen_from_outside(self._child, MEMORY)
        for turn in count(1):
            ended, status = os.waitpid(self._child, 0 if held is None else os.WNOHANG)
            if ended:
                return status
            if held is not None and not turn % TURNS and self._slate[0] and held.too_much():
                self._pass_on(signal.SIGPROF, None)
            time.sleep(worker.LOOK / TURNS)
        raise AssertionError("it counts on")

    def _interrupt(self, number: int, frame: object) -> None:
        """A terminal tells all its processes; whoever tells the parent alone means the child too."""
        if not self._interrupted:
            self._interrupted = True
            self._pass_on(number, frame)
            signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)

    def _lose_patience(self, number: int, frame: object) -> None:
        if self._slate[0]:  # it is still in the law, and so nothing is being written
            self._pass_on(signal.SIGKILL, frame)

    def _pass_on(self, number: int, frame: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._child, number)
