"""Dates are found anywhere in a text and never half-read; without a year they are near today."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from email.utils import format_datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.reading.dates import AHEAD_DAYS, DEFAULT_FORMATS, compile_format, parse_date

TODAY = date(2026, 3, 2)
SEOUL = ZoneInfo("Asia/Seoul")
DEFAULTS = [compile_format(text) for text in DEFAULT_FORMATS]
YEAR_FORMATS = [text for text in DEFAULT_FORMATS if "%Y" in text and "%b" not in text]


def parsed(text: str, *formats: str, today: date = TODAY) -> str | None:
    known = [compile_format(one) for one in formats] if formats else DEFAULTS
    return parse_date(text, known, today)


@pytest.mark.parametrize(
    "text",
    [
        "2024-02-16",
        "2024.02.16",
        "2024/02/16",
        "2024/2/16 09:30",
        "24.02.16",
        "24-02-16",
        "2024. 2. 16.",
        "2024. 2. 16. 오후 3:05",
        "2024.2.16.",
        "2024년 2월 16일",
        "[2024-02-16]",
        "등록일:2024-02-16 23:59:59 조회 12",
        "2024-02-16T09:00:00",
        "24. 2. 16.",
    ],
)
def test_the_usual_spellings_need_no_format(text: str) -> None:
    assert parsed(text) == "2024-02-16"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "어제",
        "2024-13-01",
        "2024-02-30",
        "2024-00-10",
        "12024-02-16",
        "2024-02-161",
        "0.0.0",
        "1.2",
    ],
)
def test_what_no_calendar_has_is_no_date(text: str) -> None:
    assert parsed(text) is None


def test_a_wrong_match_does_not_hide_a_right_one() -> None:
    assert parsed("2024-99-99 2024-02-16") == "2024-02-16"
    assert parsed("접수 2024.13.45. 등록 24.02.16") == "2024-02-16"


@pytest.mark.parametrize(
    ("text", "format_", "expected"),
    [
        ("03-02", "%m-%d", "2026-03-02"),
        ("03-03", "%m-%d", "2026-03-03"),
        ("06-02", "%m-%d", "2026-06-02"),
        ("06-03", "%m-%d", "2025-06-03"),
        ("12.31", "%m.%d", "2025-12-31"),
        ("02-29", "%m-%d", "2024-02-29"),
        ("02.09 00:10", "%m.%d %H:%M", "2026-02-09"),
        ("09:41", "%H:%M", "2026-03-02"),
        ("25:00", "%H:%M", None),
        ("20240216", "%Y%m%d", "2024-02-16"),
        ("2024021", "%Y%m%d", None),
        ("16/2/2024", "%d/%m/%Y", "2024-02-16"),
        ("5 2026.06", "%d %Y.%m", "2026-06-05"),
        ("99.12.31", "%y.%m.%d", "1999-12-31"),
    ],
)
def test_formats_of_an_entry(text: str, format_: str, expected: str | None) -> None:
    assert parsed(text, format_) == expected


def test_a_day_without_a_year_is_not_read_out_of_a_full_date() -> None:
    assert parsed("2022-09-23", "%m-%d") is None
    assert parsed("2022.09.23", "%m.%d", "%H:%M", "%Y.%m.%d") == "2022-09-23"
    assert parsed("09.23.2022", "%m.%d") is None
    assert parsed("2022. 09. 23", "%m. %d") is None


def test_a_time_beside_a_date_is_not_today() -> None:
    assert parsed("2022-09-23 15:58", "%H:%M", "%Y-%m-%d") == "2022-09-23"


def test_a_leap_day_across_a_skipped_leap_year_is_found() -> None:
    assert parsed("02-29", "%m-%d", today=date(2103, 5, 1)) == "2096-02-29"


@given(st.dates(date(1971, 1, 1), date(2199, 12, 31)), st.sampled_from(YEAR_FORMATS))
def test_what_a_full_format_writes_is_read_back(day: date, format_: str) -> None:
    text = format_.replace("%Y", f"{day:%Y}".zfill(4)).replace("%m", str(day.month))
    assert parsed(text.replace("%d", str(day.day))) == day.isoformat()


@given(st.dates(min_value=date(1920, 1, 1)), st.dates(min_value=date(1920, 1, 1)))
def test_without_a_year_no_date_is_further_ahead_than_three_months(day: date, today: date) -> None:
    found = parsed(f"{day.month}-{day.day}", "%m-%d", today=today)
    assert found is not None
    assert (date.fromisoformat(found) - today).days <= AHEAD_DAYS
    assert found[5:] == day.isoformat()[5:]


@given(st.text())
def test_any_text_gives_a_date_or_none(text: str) -> None:
    found = parsed(text)
    assert found is None or date.fromisoformat(found).isoformat() == found


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-02-09T15:00:00Z", "2026-02-10"),
        ("2026-02-09T14:59:59Z", "2026-02-09"),
        ("2026-02-09t15:00:00.123z", "2026-02-10"),
        ("2026-02-09T23:30+09:00", "2026-02-09"),
        ("2026-02-09T09:59:00-05:00", "2026-02-09"),
        ("2026-02-09T10:00:00-0500", "2026-02-10"),
        ("2026-02-10 00:30:00 +0900", "2026-02-10"),
        ("2026-02-09T23:30:00", "2026-02-09"),
        ("2026-02-09 23:30", "2026-02-09"),
        ("2026-02-09", "2026-02-09"),
        ("일시 2026-02-09 22:00-23:00", "2026-02-09"),
        ("2026-02-09 22:00:00-23:00:00", "2026-02-09"),
        ("2026-02-09T23:00:00+99:99", "2026-02-09"),
        ("Mon, 09 Feb 2026 15:00:00 GMT", "2026-02-10"),
        ("Mon, 09 Feb 2026 15:00:00 +0900", "2026-02-09"),
        ("Tue, 10 Feb 2026 00:10:00 KST", "2026-02-10"),
        ("9 Feb 26 10:00 EST", "2026-02-10"),
        ("09-Feb-2026 23:00:00", "2026-02-09"),
        ("9 february 2026", "2026-02-09"),
    ],
)
def test_an_instant_is_the_day_that_it_is_on_the_board(text: str, day: str) -> None:
    assert parse_date(text, DEFAULTS, TODAY, SEOUL) == day


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("2026-13-09T00:00:00Z", "iso8601"),
        ("2026-02-09T24:00:00Z", "iso8601"),
        ("12026-02-09", "iso8601"),
        ("2026-02-091", "iso8601"),
        ("30 Feb 2026 10:00:00 GMT", "rfc822"),
        ("9 Feb 10:30", "rfc822"),
        ("9 Fev 2026", "rfc822"),
        ("Mon, 09 Feb 2026 23:00:00 XYZ", "rfc822"),
        ("9999-12-31T23:00:00-10:00", "iso8601"),
    ],
)
def test_what_is_no_instant_is_none(text: str, format_: str) -> None:
    assert parse_date(text, [compile_format(format_)], TODAY, SEOUL) is None


@given(
    st.dates(date(1971, 1, 2), date(2199, 12, 1)),
    st.times(),
    st.integers(min_value=-12 * 60, max_value=14 * 60),
)
def test_both_ways_of_writing_an_instant_mean_its_day(
    utc_day: date, clock: time, minutes: int
) -> None:
    moment = datetime.combine(utc_day, clock.replace(microsecond=0), UTC)
    moment = moment.astimezone(timezone(timedelta(minutes=minutes)))
    day = moment.astimezone(SEOUL).date().isoformat()
    assert parse_date(moment.isoformat(), DEFAULTS, TODAY, SEOUL) == day
    assert parse_date(format_datetime(moment), DEFAULTS, TODAY, SEOUL) == day
