"""Time in a game: instants, spans, and the calendar of the game's zone.

Files hold instants as texts such as ``2021-06-07T00:00:00Z``; between functions they are whole seconds
since 1970 in UTC. Nothing here asks what time it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import count

from msgspec import Struct

from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, printable
from nomicgit.ground.zones import zone

DAY = 86_400
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_EPOCH = date(1970, 1, 1).toordinal()
_EARLIEST = (date(1900, 1, 1).toordinal() - _EPOCH) * DAY
_LATEST = (date(9999, 12, 31).toordinal() - _EPOCH + 1) * DAY - 1
_INSTANT = late(r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)Z", re.ASCII)
_SPAN = late(
    r"([-+]?)(?=\d)(?:(\d{1,6})mo)?(?:(\d{1,6})w)?(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?",
    re.ASCII,
)
_LONG_SPAN = late(re.sub(r"\{1,\d\}", "{1,200}", _SPAN.pattern), re.ASCII)
_SPAN_WORDS = ("month", "week", "day", "hour", "minute", "second")
_DUE = late(
    rf"(?:([1-9]\d{{0,2}}) )?(?:hour ([0-5]\d)|(?:(day|{'|'.join(WEEKDAYS)})|month ([1-9]|[12]\d|3[01])) ([01]\d|2[0-3]):([0-5]\d))",
    re.ASCII,
)


@lru_cache(maxsize=4096)
def instant(text: str) -> int:
    """The instant of a text such as ``2021-06-07T00:00:00Z``, in seconds. Raises Malformed."""
    match = _INSTANT.fullmatch(text)
    try:
        if match is None or int(match[1]) < 1900:
            raise ValueError
        year, month, day, hour, minute, second = map(int, match.groups())
        days = date(year, month, day).toordinal() - _EPOCH
    except ValueError:
        mend = "write it as 2021-06-07T00:00:00Z, from the year 1900 on"
        raise Malformed.of(f"{printable(text)} is not a time", mend=mend) from None
    return days * DAY + hour * 3600 + minute * 60 + second


def text(at: int) -> str:
    """The text of an instant. Raises Malformed outside of the years 1900 to 9999."""
    _within(at)
    days, seconds = divmod(at, DAY)
    minutes, second = divmod(seconds, 60)
    return f"{date.fromordinal(_EPOCH + days).isoformat()}T{minutes // 60:02}:{minutes % 60:02}:{second:02}Z"


class Span(Struct, frozen=True):
    """A length of time: calendar months, and seconds that come on top; both may be negative."""

    months: int
    seconds: int


@lru_cache(maxsize=4096)
def span(text: str) -> Span:
    """The span of a text such as ``12h``, ``-3d`` or ``2d4h``: units mo w d h m s, the largest first.

    Raises Malformed.
    """
    sign, months, weeks, days, hours, minutes, seconds = _span_parts(text)
    total = weeks * 7 * DAY + days * DAY + hours * 3600 + minutes * 60 + seconds
    return Span(sign * months, sign * total)


def short_span(text: str) -> str:
    """The span that a text tells in words, ``2 hours``; "" of anything else."""
    parts = re.fullmatch(r"\s*(-?\d+)\s*(month|week|day|hour|minute|second)s?\s*", text, re.IGNORECASE)
    return f"{parts[1]}{'mo' if parts[2].casefold() == 'month' else parts[2][0].casefold()}" if parts else ""


def _recurring(every: str) -> str:
    """A recurring time as it should be written, where it is nearly so: ``day 6:00``, ``Monday 12:00``, ``2 hours``; else nothing."""
    whole = every.strip().casefold()
    if hours := re.fullmatch(r"(?:every\s+)?(\d+)\s+hours?", whole):
        return f"{hours[1]} hour 00"
    day = "|".join(("day", *WEEKDAYS))
    parts = re.fullmatch(rf"(\d+\s+)?({day})?(?:\s+at)?\s*(?:(\d{{1,2}}):(\d\d))?", whole)
    if parts is None or not (parts[2] or parts[3]):
        return ""
    meant = f"{parts[1] or ''}{parts[2] or 'day'} {int(parts[3] or 0):02}:{parts[4] or '00'}"
    return meant if _DUE.fullmatch(meant) else ""


def is_span(text: str) -> bool:
    """Whether a text is a span, without a sign before it."""
    return text[:1].isdigit() and _SPAN.fullmatch(text) is not None


def when(text: str) -> int | Span:
    """The time of a text: an instant, or ``+12h``, so long after something. Raises Malformed."""
    text = text.strip()
    if is_span(text):
        raise Malformed.of(f"{text} is how long, and not when", mend=f"so long after the last deed: +{text}")
    return span(text) if text.startswith("+") else instant(text)


def shift(at: int, by: Span) -> int:
    """The instant a span later: months first, which end no later than their month does, then seconds.

    Raises Malformed where that is outside of the years 1900 to 9999.
    """
    if by.months:
        days, seconds = divmod(at, DAY)
        day = date.fromordinal(_EPOCH + days)
        year, month = divmod(day.year * 12 + day.month - 1 + by.months, 12)
        if not 1900 <= year <= 9999:
            raise _beyond()
        first = date(year, month + 1, 1)
        last = 31 if month == 11 else (date(year, month + 2, 1) - first).days
        at = (first.toordinal() + min(day.day, last) - 1 - _EPOCH) * DAY + seconds
    return _within(at + by.seconds)


def negated(span: Span) -> Span:
    """The same span, backwards."""
    return Span(-span.months, -span.seconds)


def in_words(text: str) -> str:
    """A span as people say it: ``2d4h`` is ``2 days 4 hours``. Raises Malformed."""
    sign, *counts = _span_parts(text)
    said = [
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in zip(counts, _SPAN_WORDS, strict=True)
        if count
    ]
    return ("-" if sign < 0 and said else "") + (" ".join(said) or "no time")


class Calendar(Struct, frozen=True):
    """Where days, weeks, months and years begin: in a zone, and for weeks on a weekday.

    A period begins at its first local midnight, or where the clocks skip that, when they do.
    """

    zone: str = "UTC"
    """A name of the IANA time zone database."""
    week: str = "monday"
    """The first day of a week."""

    def __post_init__(self) -> None:
        """Raises Malformed for an unknown zone or weekday."""
        if self.zone != "UTC":
            zone(self.zone)
        if self.week not in WEEKDAYS:
            raise Malformed.of(f"{printable(self.week)} is not a weekday", mend="write monday to sunday")

    def start_of(self, unit: str, at: int) -> int:
        """When the day, week, month or year of an instant began. Raises Malformed for another unit."""
        return self._midnight(self._first_day(unit, self._begun_day(at)))

    def next_start(self, unit: str, at: int) -> int:
        """The first start of a unit after an instant. Raises Malformed for another unit."""
        return self._midnight(self._next_first_day(unit, self._first_day(unit, self._begun_day(at))))

    def date(self, at: int) -> str:
        """The local date, such as ``2021-06-07``."""
        return date.fromordinal(self._day(at)).isoformat()

    def weekday(self, at: int) -> str:
        """The local weekday, ``monday`` to ``sunday``."""
        return WEEKDAYS[(self._day(at) - 1) % 7]

    def next_due(self, every: str, after: int) -> int:
        """The first instant after another that is due: ``hour 30``, ``day 06:00``, ``monday 12:00``, ``month 1 00:00``.

        A number before it, ``2 monday 12:00``, lets only each n-th be due, counted from the beginning of the calendar: so every
        third month is the first of a quarter. Local time, but for hours, which are those of UTC. A day that a month lacks is
        its last. A time that the clocks skip is due as much later as they skip; one that they repeat, the first time.
        Raises Malformed for another form.
        """
        match = _DUE.fullmatch(every)
        if match is None:
            mend = "write it as hour 30, day 00:00, monday 12:00 or month 1 00:00, with 2 before it for every second one"
            meant = _recurring(every)
            raise Malformed.of(
                f"{printable(every)} is not a recurring time", mend=f"write {meant}" if meant else mend
            )
        nth = int(match[1] or 1)
        if match[2] is not None:
            step, past = nth * 3600, int(match[2]) * 60
            return _within((after - past) // step * step + step + past)
        minute = int(match[5]) * 60 + int(match[6])
        days = self._months(int(match[4]), nth, after) if match[4] else self._days(match[3], nth, after)
        return next(due for day in days if (due := self._local(day, minute)) > after)

    def _days(self, unit: str, nth: int, after: int) -> Iterator[int]:
        """Each n-th day, or such day of a week, from before an instant on."""
        if unit == "day":
            length, first = 1, 0
        else:
            length, first = 7, 1 + WEEKDAYS.index(unit)
        step = length * nth
        return count((self._day(after) - 1 - first) // step * step + first, step)

    def _months(self, day: int, nth: int, after: int) -> Iterator[int]:
        """A day of each n-th month, from before an instant on; the last of a month that is shorter."""
        now = date.fromordinal(self._day(after))
        for month in count((now.year * 12 + now.month - 2) // nth * nth, nth):
            year, of_year = divmod(month, 12)
            if year > date.max.year:
                raise _beyond()
            yield date(year, of_year + 1, min(day, _days_of(year, of_year + 1))).toordinal()

    def _day(self, at: int) -> int:
        """The local date of an instant, as an ordinal."""
        _within(at)
        if self.zone == "UTC":
            return at // DAY + _EPOCH
        try:
            return datetime.fromtimestamp(at, zone(self.zone)).toordinal()
        except (OverflowError, ValueError):
            raise _beyond() from None

    def _begun_day(self, at: int) -> int:
        """The last day whose start is not after an instant.

        It is not the local date where clocks go back over midnight, and the date with them.
        """
        day = self._day(at)
        if self.zone == "UTC":
            return day
        if self._midnight(day) > at:
            return day - 1
        return day + 1 if self._midnight(day + 1) <= at else day

    def _midnight(self, day: int) -> int:
        return self._local(day, 0)

    def _local(self, day: int, minute: int) -> int:
        """The instant of a local date and minute of the day."""
        if self.zone == "UTC":
            return _within((day - _EPOCH) * DAY + minute * 60)
        try:
            midnight = datetime.fromordinal(day).replace(tzinfo=zone(self.zone))
            return _within(int((midnight + timedelta(minutes=minute)).timestamp()))
        except (OverflowError, ValueError):
            raise _beyond() from None

    def _first_day(self, unit: str, day: int) -> int:
        """The first day of the unit in which a day lies."""
        match unit:
            case "day":
                return day
            case "week":
                return day - (day - 1 - WEEKDAYS.index(self.week)) % 7
            case "month":
                return date.fromordinal(day).replace(day=1).toordinal()
            case "year":
                return date.fromordinal(day).replace(month=1, day=1).toordinal()
            case _:
                raise Malformed.of(f"{printable(unit)} is not a unit", mend="write day, week, month or year")

    def _next_first_day(self, unit: str, first: int) -> int:
        """The first day of the unit that follows one which begins on ``first``."""
        days = {"day": 1, "week": 7, "month": 31, "year": 366}[unit]
        if first + days > date.max.toordinal():
            raise _beyond()
        following = first + days
        return following if unit in ("day", "week") else self._first_day(unit, following)


def _span_parts(text: str) -> list[int]:
    """The sign of a span, 1 or -1, and its counts of months, weeks, days, hours, minutes and seconds."""
    match = _SPAN.fullmatch(text)
    if match is None:
        if _LONG_SPAN.fullmatch(text):
            what = f"{printable(text, 60)} is not a span of time: it is too long"
            raise Malformed.of(what, mend="write at most six digits before a unit, nine before s")
        mend = "write it as +12h or +2d4h" if text.startswith("+") else "write it as 12h, -3d or 2d4h"
        raise Malformed.of(f"{printable(text)} is not a span of time", mend=mend)
    return [-1 if match[1] == "-" else 1, *(int(count or 0) for count in match.groups()[1:])]


def _days_of(year: int, month: int) -> int:
    """How many days a month has: the last one of a year, after which no year may come, has 31."""
    return 31 if month == 12 else (date(year, month + 1, 1) - date(year, month, 1)).days


def _within(at: int) -> int:
    if not _EARLIEST <= at <= _LATEST:
        raise _beyond()
    return at


def _beyond() -> Malformed:
    return Malformed.of("a time outside of the years 1900 to 9999", mend="keep within them")
