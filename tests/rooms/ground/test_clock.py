"""Time: instants, spans, and the calendar of a zone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicgit.ground import clock
from nomicgit.ground.clock import Calendar, Span, in_words, instant, negated, shift, span
from nomicgit.ground.problems import Malformed

UNITS = ("day", "week", "month", "year")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "America/Sao_Paulo", "Pacific/Apia")
INSTANTS = st.integers(instant("1950-01-01T00:00:00Z"), instant("2080-01-01T00:00:00Z"))


def test_an_instant_is_seconds_since_1970() -> None:
    assert instant("1970-01-02T00:00:01Z") == 86_401
    assert instant("1969-12-31T23:59:59Z") == -1


@pytest.mark.slow
@given(st.integers(instant("1900-01-01T00:00:00Z"), instant("9999-12-31T23:59:59Z")))
def test_an_instant_is_read_as_it_was_written(at: int) -> None:
    assert instant(clock.text(at)) == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2021-06-07",
        "2021-06-07T00:00:00",
        "2021-06-07 00:00:00Z",
        "2021-06-07T00:00:00+00:00",
        "2021-06-07T00:00:00.5Z",
        "2021-06-07t00:00:00z",
        "2021-6-7T00:00:00Z",
        "2021-02-29T00:00:00Z",
        "2021-13-01T00:00:00Z",
        "2021-06-07T24:00:00Z",
        "2021-06-07T23:59:60Z",
        "1899-12-31T23:59:59Z",
        "0000-01-01T00:00:00Z",
        "٢٠٢١-06-07T00:00:00Z",
        "2021-06-07T00:00:00Z\n",
    ],
)
def test_not_an_instant(text: str) -> None:
    with pytest.raises(Malformed, match="is not a time"):
        instant(text)


@pytest.mark.parametrize("at", ["1900-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_no_text_outside_of_the_years(at: str) -> None:
    step = -1 if at.startswith("19") else 1
    with pytest.raises(Malformed, match="outside"):
        clock.text(instant(at) + step)


@pytest.mark.parametrize(
    ("text", "months", "seconds"),
    [
        ("12h", 0, 43_200),
        ("-3d", 0, -259_200),
        ("+90m", 0, 5_400),
        ("2d4h", 0, 187_200),
        ("1h30m", 0, 5_400),
        ("45s", 0, 45),
        ("2w", 0, 1_209_600),
        ("1mo", 1, 0),
        ("-1mo1d", -1, -86_400),
        ("1mo1m", 1, 60),
        ("0h", 0, 0),
    ],
)
def test_spans(text: str, months: int, seconds: int) -> None:
    assert span(text) == Span(months, seconds)


@pytest.mark.parametrize(
    "text",
    ["", "+", "h", "12", "1.5h", "4h2d", "1h1h", "1y", "1H", " 1h", "1h ", "1h\n", "--1h", "١h", "9999999d"],
)
def test_not_a_span(text: str) -> None:
    with pytest.raises(Malformed, match="is not a span"):
        span(text)


@pytest.mark.parametrize(
    ("start", "by", "end"),
    [
        ("2021-01-31T10:00:00Z", "1mo", "2021-02-28T10:00:00Z"),
        ("2020-01-31T10:00:00Z", "1mo", "2020-02-29T10:00:00Z"),
        ("2020-03-31T10:00:00Z", "-1mo", "2020-02-29T10:00:00Z"),
        ("2021-12-15T00:00:00Z", "1mo", "2022-01-15T00:00:00Z"),
        ("2021-01-15T00:00:00Z", "-13mo", "2019-12-15T00:00:00Z"),
        ("2021-01-31T10:00:00Z", "1mo1d", "2021-03-01T10:00:00Z"),
        ("2021-06-07T00:00:00Z", "-1s", "2021-06-06T23:59:59Z"),
    ],
)
def test_shifting(start: str, by: str, end: str) -> None:
    assert clock.text(shift(instant(start), span(by))) == end


@pytest.mark.parametrize("by", ["999999mo", "-999999mo", "999999w9d", "-999999d"])
def test_no_shift_leaves_the_years(by: str) -> None:
    with pytest.raises(Malformed, match="outside"):
        shift(instant("2021-06-07T00:00:00Z"), span(by) if by != "999999w9d" else span("999999w"))


def test_a_span_of_seconds_is_undone_by_its_negation() -> None:
    assert shift(shift(1_000_000, span("2d4h")), negated(span("2d4h"))) == 1_000_000
    assert negated(Span(2, -5)) == Span(-2, 5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10h", "10 hours"),
        ("1d", "1 day"),
        ("90m", "90 minutes"),
        ("2d4h", "2 days 4 hours"),
        ("1mo", "1 month"),
        ("+1w", "1 week"),
        ("-3d", "-3 days"),
        ("0h", "no time"),
    ],
)
def test_spans_in_words(text: str, words: str) -> None:
    assert in_words(text) == words


@pytest.mark.parametrize(
    ("unit", "start", "following"),
    [
        ("day", "2021-06-09T00:00:00Z", "2021-06-10T00:00:00Z"),
        ("week", "2021-06-07T00:00:00Z", "2021-06-14T00:00:00Z"),
        ("month", "2021-06-01T00:00:00Z", "2021-07-01T00:00:00Z"),
        ("year", "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z"),
    ],
)
def test_periods_in_utc(unit: str, start: str, following: str) -> None:
    at = instant("2021-06-09T15:00:00Z")  # a Wednesday
    assert clock.text(Calendar().start_of(unit, at)) == start
    assert clock.text(Calendar().next_start(unit, at)) == following
    assert Calendar().start_of(unit, instant(start)) == instant(start)
    assert Calendar().next_start(unit, instant(start)) == instant(following)


def test_a_week_may_begin_on_another_day() -> None:
    at = instant("2021-06-09T15:00:00Z")
    assert clock.text(Calendar(week="sunday").start_of("week", at)) == "2021-06-06T00:00:00Z"
    assert clock.text(Calendar(week="thursday").start_of("week", at)) == "2021-06-03T00:00:00Z"


def test_a_day_is_23_or_25_hours_long_when_the_clocks_change() -> None:
    berlin = Calendar("Europe/Berlin")
    for noon, hours in [
        ("2021-03-28T12:00:00Z", 23),
        ("2021-10-31T12:00:00Z", 25),
        ("2021-06-07T12:00:00Z", 24),
    ]:
        at = instant(noon)
        assert berlin.next_start("day", at) - berlin.start_of("day", at) == hours * 3600


def test_a_day_whose_midnight_is_skipped_begins_at_the_skip() -> None:
    calendar = Calendar("America/Sao_Paulo")
    assert clock.text(calendar.start_of("day", instant("2018-11-04T12:00:00Z"))) == "2018-11-04T03:00:00Z"


def test_a_day_begins_once_though_its_midnight_comes_twice() -> None:
    calendar = Calendar("America/St_Johns")  # back from 00:01 to 23:01
    first = instant("2010-11-07T02:30:00Z")
    for minute in range(0, 120, 10):
        assert calendar.start_of("day", first + minute * 60) == first
        assert calendar.next_start("day", first + minute * 60) > first + 23 * 3600


@settings(max_examples=60, deadline=None)
@given(INSTANTS, st.sampled_from(UNITS), st.sampled_from(ZONES))
def test_an_instant_lies_in_its_period(at: int, unit: str, zone: str) -> None:
    calendar = Calendar(zone)
    start, following = calendar.start_of(unit, at), calendar.next_start(unit, at)
    assert start <= at < following
    assert calendar.start_of(unit, start) == start
    assert calendar.start_of(unit, following - 1) == start
    assert calendar.next_start(unit, start) == following


def test_local_dates_and_weekdays() -> None:
    at = instant("2021-06-06T23:00:00Z")
    assert (Calendar().date(at), Calendar().weekday(at)) == ("2021-06-06", "sunday")
    berlin = Calendar("Europe/Berlin")
    assert (berlin.date(at), berlin.weekday(at)) == ("2021-06-07", "monday")


@pytest.mark.parametrize(
    ("zone", "every", "after", "due"),
    [
        ("UTC", "day 12:00", "2021-06-07T11:59:59Z", "2021-06-07T12:00:00Z"),
        ("UTC", "day 12:00", "2021-06-07T12:00:00Z", "2021-06-08T12:00:00Z"),
        ("UTC", "monday 00:00", "2021-06-07T00:00:00Z", "2021-06-14T00:00:00Z"),
        ("UTC", "thursday 12:00", "2021-06-07T00:00:00Z", "2021-06-10T12:00:00Z"),
        ("UTC", "sunday 23:59", "2021-06-07T00:00:00Z", "2021-06-13T23:59:00Z"),
        ("Europe/Berlin", "day 12:00", "2021-03-27T12:00:00Z", "2021-03-28T10:00:00Z"),
        ("Europe/Berlin", "day 02:30", "2021-03-28T00:00:00Z", "2021-03-28T01:30:00Z"),
        ("Europe/Berlin", "day 02:30", "2021-10-30T12:00:00Z", "2021-10-31T00:30:00Z"),
        ("Europe/Berlin", "day 02:30", "2021-10-31T00:30:00Z", "2021-11-01T01:30:00Z"),
        ("America/New_York", "monday 20:00", "2021-06-07T12:00:00Z", "2021-06-08T00:00:00Z"),
        ("UTC", "hour 30", "2021-06-07T00:30:00Z", "2021-06-07T01:30:00Z"),
        ("Asia/Kathmandu", "hour 30", "2021-06-07T00:00:00Z", "2021-06-07T00:30:00Z"),
        ("UTC", "6 hour 00", "2021-06-07T00:00:00Z", "2021-06-07T06:00:00Z"),
        ("UTC", "month 1 00:00", "2021-06-01T00:00:00Z", "2021-07-01T00:00:00Z"),
        ("UTC", "month 31 12:00", "2021-01-31T12:00:00Z", "2021-02-28T12:00:00Z"),
        ("UTC", "month 30 12:00", "2024-02-01T00:00:00Z", "2024-02-29T12:00:00Z"),
        ("UTC", "3 month 1 00:00", "2021-06-07T00:00:00Z", "2021-07-01T00:00:00Z"),
        ("UTC", "12 month 1 00:00", "2021-06-07T00:00:00Z", "2022-01-01T00:00:00Z"),
        ("UTC", "2 monday 12:00", "2021-06-14T12:00:00Z", "2021-06-28T12:00:00Z"),
        ("UTC", "2 sunday 12:00", "2021-06-07T00:00:00Z", "2021-06-20T12:00:00Z"),
        ("UTC", "3 day 12:00", "2021-06-07T00:00:00Z", "2021-06-08T12:00:00Z"),
        ("Europe/Berlin", "month 1 00:00", "2021-06-07T00:00:00Z", "2021-06-30T22:00:00Z"),
        ("Europe/Berlin", "month 1 00:00", "2021-06-30T22:30:00Z", "2021-07-31T22:00:00Z"),
    ],
)
def test_what_is_due_next(zone: str, every: str, after: str, due: str) -> None:
    assert clock.text(Calendar(zone).next_due(every, instant(after))) == due


@settings(max_examples=60, deadline=None)
@given(
    INSTANTS,
    st.sampled_from(
        [
            "day 00:00",
            "day 02:30",
            "friday 23:59",
            "5 hour 59",
            "7 day 02:30",
            "month 31 00:00",
            "2 friday 00:00",
        ]
    ),
    st.sampled_from(ZONES),
)
def test_due_times_come_one_after_another(after: int, every: str, zone: str) -> None:
    calendar = Calendar(zone)
    first = calendar.next_due(every, after)
    assert after < first
    assert calendar.next_due(every, first - 1) == first


@pytest.mark.parametrize(
    "every",
    [
        "",
        "day",
        "day 24:00",
        "day 1:00",
        "Monday 12:00",
        "month 12:00",
        "day 12:00 ",
        "hour 60",
        "hour 1:00",
        "month 32 00:00",
        "month 0 00:00",
        "0 day 00:00",
        "2 month 00:00",
    ],
)
def test_not_a_recurring_time(every: str) -> None:
    with pytest.raises(Malformed, match="is not a recurring time"):
        Calendar().next_due(every, 0)


@pytest.mark.parametrize(
    "zone",
    ["", "Nowhere", "Europe", "europe/berlin", "localtime", "../etc/passwd", "/etc/passwd", "a\0b", "ü"],
)
def test_not_a_zone(zone: str) -> None:
    with pytest.raises(Malformed, match="is not a time zone"):
        Calendar(zone)


def test_not_a_weekday_nor_a_unit() -> None:
    with pytest.raises(Malformed, match="is not a weekday"):
        Calendar(week="Montag")
    with pytest.raises(Malformed, match="is not a unit"):
        Calendar().start_of("fortnight", 0)
    with pytest.raises(Malformed, match="is not a unit"):
        Calendar().next_start("fortnight", 0)


@pytest.mark.parametrize("text", ["9999999h", "+9999999h", "-1234567d", "1d1234567890s"])
def test_a_span_that_is_too_long_is_told_as_that(text: str) -> None:
    with pytest.raises(Malformed, match="it is too long"):
        span(text)
