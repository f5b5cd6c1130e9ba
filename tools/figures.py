"""What is measured: how long something takes, against what, and which bar it must meet. See docs/performance.md."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured: ours and, where there is one, what it is measured against; seconds, unless ``unit`` says more.

    ``bar`` is for the ratio, or where nothing stands against it for ours: at most, in deeds a second at least.
    """

    name: str
    ours: float
    against: float | None = None
    bar: float | None = None
    unit: str = "s"
    runs: int = 1
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over theirs."""
        return None if self.against is None else self.ours / self.against

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        if self.bar is None:
            return None
        if self.ratio is not None:
            return self.ratio <= self.bar
        return self.ours >= self.bar if self.more else self.ours <= self.bar

    @property
    def more(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")


def timed(work: Callable[[], object]) -> float:
    """The seconds that something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def spent(work: Callable[[], object]) -> float:
    """The seconds of processor time that something takes, its workers' with it: neighbours count less."""
    began = processor()
    work()
    return processor() - began


def processor() -> float:
    """The processor time of this process so far, its ended workers' with it (seconds)."""
    whose = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in whose)


def median(times: Sequence[float]) -> float:
    """The median."""
    return statistics.median(times)


def line(figure: Figure) -> str:
    """A figure as a row of the table."""
    ours = shown(figure.ours, figure.unit)
    against = "" if figure.against is None else shown(figure.against, figure.unit)
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
    bar = ""
    if figure.bar is not None:
        limit = f"{figure.bar:g}" if figure.ratio is not None else shown(figure.bar, figure.unit)
        sign = "≥" if figure.ratio is None and figure.more else "≤"
        bar = f"{sign} {limit}, {'met' if figure.met else 'MISSED'}"
    return f"| {figure.name}{f' ({figure.note})' if figure.note else ''} | {ours} | {against} | {ratio} | {bar} |"


def shown(value: float, unit: str) -> str:
    """A value with its unit."""
    if unit != "s":
        return f"{value:,.0f} {unit}"
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"
