"""Deaths of processes in which mechanics run: how one came to its end, and whose doing that was.

What goes beyond a limit that we set, and what ends the process twice, is the mechanics' own: `Died`. Whatever else ends such a
process, or keeps it from beginning, is the machine's: `Outage`, of which nothing is recorded. It is a `Cut` where the work had begun.
"""

from __future__ import annotations

import contextlib
import signal

from msgspec import Struct

from nomicgit.ground.problems import NOTHING, Outage, Refused

SHORT = "the machine lends less memory than a game does (see `ulimit -a`)"
HURT = "the mechanics end their process, or use more memory or time than a game lends them"
SIMPLER = "make the mechanics smaller or simpler"

SPENT, PANICKED = 70, 71  # exit codes of a worker: memory or depth used up; the interpreter gave up
_CRASHES = frozenset(
    {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTRAP}
)
_RETRY = (
    f"{NOTHING}; try again, and if it happens again look whether memory is short or something ends processes"
)


class Died(Refused):
    """What was done in a worker has ended it, or has used up what it was lent; in which function of the law, where that was
    traced."""

    function: str = ""


class Late(Died):
    """It came to no end in the time that it was lent."""


class Stuck(Late):
    """One call of the law did not come back in the time that it was lent."""


class Unlent(Late):
    """The same, where it had less than it would have alone: a purse that it shares with others was nearly empty."""


class Cut(Outage):
    """What was done in a worker had begun, and what has ended it is not known to be its own doing."""


def died(how: type[Died] = Died) -> Died:
    """The refusal of what has ended a worker."""
    return how.of(HURT, mend=SIMPLER)


class Ended(Struct, frozen=True):
    """How a worker ended: its exit code (or the signal, negative), the seconds of processor time since it told something
    last and those that it was lent, whether it had begun with its work, whether we lost patience, and whether the machine has less
    memory than it was lent."""

    code: int
    seconds: float
    lent: int
    begun: bool
    waited: bool
    short: bool = False

    @property
    def crashed(self) -> bool:
        """Whether its work may have ended the process; if so, it does so again."""
        return self.begun and not self.short and hurt(self.code)

    @property
    def over(self) -> bool:
        """Whether its work took the time that it was lent, or that it has set itself by an alarm."""
        if self.waited or self.code == -signal.SIGXCPU:
            return self.begun and self.seconds > 0.8 * self.lent
        return self.begun and self.code == -signal.SIGPROF

    def error(self) -> Died | Outage:
        """What is to be said of it."""
        if self.crashed or self.over:
            return died(Stuck if self.code == -signal.SIGPROF else Late if self.over else Died)
        if self.short:
            why = SHORT
        elif self.waited:
            why = f"it came to no end, and got {self.seconds:.1f} s of the processor's time meanwhile"
        elif self.code < 0:
            why = by_signal(-self.code)
        else:
            why = f"it ended with exit code {self.code}" + ("" if self.begun else " before it had begun")
        return outage(why, Cut if self.begun else Outage)


def hurt(code: int) -> bool:
    """Whether a process ended as one does whose work has ended it."""
    return code in (SPENT, PANICKED) or -code in _CRASHES


def own_doing(number: int) -> bool:
    """Whether a signal ends a process for what it has done itself: a crash, or an alarm that was set."""
    return number in _CRASHES or number == signal.SIGPROF


def by_signal(number: int) -> str:
    """That a process was ended by a signal."""
    name = "unknown"
    with contextlib.suppress(ValueError):
        name = signal.Signals(number).name
    return f"something ended it (signal {number}, {name})"


def outage(why: str, kind: type[Outage] = Outage) -> Outage:
    """The machine has failed a process in which mechanics run."""
    return kind(f"the process in which mechanics are tried failed: {why}", _RETRY)


def unstarted(error: OSError | ValueError) -> Outage:
    """The machine lends no process in which mechanics could run."""
    why, where = (error.strerror, error.filename) if isinstance(error, OSError) else (error, None)
    return outage(f"it cannot be started: {why}" + (f" ({where})" if where else ""))
