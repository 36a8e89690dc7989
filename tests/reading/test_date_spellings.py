"""Each spelling of a date is read as the day that it means, or refused with the reason.

The board is in Seoul; it is 10:00 there on Wednesday, 25 November 2026.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.reading.date_formats import DEFAULT_FORMATS, FURTHER_FORMATS, compile_format
from uring.reading.dates import DateReading, read_date

SEOUL = ZoneInfo("Asia/Seoul")
NOW = datetime(2026, 11, 25, 10, 0, tzinfo=SEOUL)
TODAY, DAY, NEXT = "2026-11-25", "2026-11-24", "2026-11-26"
EVERY = [compile_format(name) for name in (*DEFAULT_FORMATS, *FURTHER_FORMATS)]


def wide(text: str) -> str:
    """The text with digits, dots and brackets as wide as a Chinese character."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def read(text: str, *formats: str, now: date = NOW, zone: str = "Asia/Seoul") -> DateReading:
    known = [compile_format(name) for name in formats or DEFAULT_FORMATS]
    return read_date(text, known, NOW.date(), ZoneInfo(zone), now)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026年11月24日", DAY),
        ("2026年11月24日 (火)", DAY),
        ("2026年 11月 4日(水) 10:00", "2026-11-04"),
        ("発表日: 2026年11月24日", DAY),
        ("November 24, 2026", DAY),
        ("Nov 24, 2026", DAY),
        ("Nov. 24, 2026", DAY),
        ("NOV 24 2026", DAY),
        ("Tuesday, November 24th, 2026", DAY),
        ("Nov 24 (Tue), 2026", DAY),
        ("Sept. 3, 2026", "2026-09-03"),
        ("24 Nov 2026", DAY),
        ("24 November, 2026", DAY),
        ("24. November 2026", DAY),
        ("24-Nov-2026", DAY),
        ("1st May 2026", "2026-05-01"),
        ("Posted on 24 Nov 2026 by the office", DAY),
        ("2026. 11. 24. (화) 오후 3:05", DAY),
        ("2026년 11월 24일 화요일", DAY),
        ("2026.11.24(Tue) 14:00", DAY),
        ("작성일 2026.11.24 조회 12", DAY),
        ("관리자 | 26.11.24 | 조회 1,204", DAY),
        (wide("2026.11.24"), DAY),
        ("2026.11.24 ㈫", DAY),
        ("2026.11.24 15:00 HIT 12", DAY),
        ("2026-11-24 23:00 by Kim", DAY),
    ],
)
def test_usual_spellings_need_no_format(text: str, day: str) -> None:
    assert read(text) == (day, (), "")


@pytest.mark.parametrize(
    ("text", "format_", "day"),
    [
        ("26/11/24", "%y/%m/%d", DAY),
        ("24.11.2026", "%d.%m.%Y", DAY),
        ("Di, 24.11.2026 14:00", "%d.%m.%Y", DAY),
        ("11/24/2026", "%m/%d/%Y", DAY),
        ("24.11.26", "%d.%m.%y", DAY),
        ("11월 24일 (화)", "%m월 %d일", DAY),
        ("11월24일(화요일)", "%m월 %d일", DAY),
        ("(화) 11월 24일", "%m월 %d일", DAY),
        ("11月24日", "%m月 %d日", DAY),
        ("Nov 24", "%b %d", DAY),
        ("24 November", "%d %B", DAY),
        ("Tue, 24 Nov", "%a, %d %b", DAY),
        ("Nov 24 10:30", "%b %d", DAY),
        ("2026 Nov 24", "%Y %b %d", DAY),
        ("Tue Nov 24 20:00:00 2026", "%b %d %H:%M:%S %Y", DAY),
        ("Tue Nov 24 20:00:00 UTC 2026", "%b %d %H:%M:%S %Z %Y", TODAY),
        ("20261124T200000Z", "%Y%m%d", TODAY),
        ("1795532399", "unix", DAY),
        ("1795532400", "unix", TODAY),
        ("1795532400.25", "unix", TODAY),
        ("1795532399999", "unix_ms", DAY),
        ("/Date(1795532400000+0900)/", "unix_ms", TODAY),
        ("11-26", "%m-%d", NEXT),
        ("12-03", "%m-%d", "2026-12-03"),
        ("02-25", "%m-%d", "2027-02-25"),
        ("02-26", "%m-%d", "2026-02-26"),
        ("12. 31", "%m. %d", "2026-12-31"),
        ("02-29", "%m-%d", "2024-02-29"),
    ],
)
def test_an_entry_names_the_other_spellings(text: str, format_: str, day: str) -> None:
    assert read(text, format_) == (day, (), "")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("방금", TODAY),
        ("방금 전", TODAY),
        ("just now", TODAY),
        ("30초 전", TODAY),
        ("5분 전", TODAY),
        ("10시간 전", TODAY),
        ("11시간 전", DAY),
        ("관리자 · 11시간 전 · 조회 3", DAY),
        ("2 hours ago", TODAY),
        ("about 11 hours ago", DAY),
        ("an hour ago", TODAY),
        ("1일 2시간 전", DAY),
        ("1 day, 11 hours ago", "2026-11-23"),
        ("1d ago", DAY),
        ("Updated 11 hrs. ago", DAY),
        ("11시간전", DAY),
        ("3일 전", "2026-11-22"),
        ("3日前", "2026-11-22"),
        ("3天前", "2026-11-22"),
        ("5小时前", TODAY),
        ("오늘 09:12", TODAY),
        ("어제", DAY),
        ("yesterday", DAY),
        ("Yesterday at 23:01", DAY),
        ("昨天 23:01", DAY),
        ("昨日", DAY),
        ("그제", "2026-11-23"),
        ("the day before yesterday", "2026-11-23"),
        ("前天", "2026-11-23"),
    ],
)
def test_a_relative_text_counts_from_the_check(text: str, day: str) -> None:
    assert read(text, "ago").day == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("令和8年11月24日", DAY),
        (wide("作成日 令和8年11月24日(火)"), DAY),
        ("令和元年5月1日", "2019-05-01"),
        ("平成30年11月24日", "2018-11-24"),
        ("平成30.11.24", "2018-11-24"),
        ("昭和64年1月7日", "1989-01-07"),
        ("民國115年11月24日", DAY),
        ("中華民國 115-11-24", DAY),
        ("ROC 115-11-24", DAY),
        ("단기 4359년 11월 24일", DAY),
        ("พ.ศ. 2569-11-24", DAY),
    ],
)
def test_a_named_era_is_converted(text: str, day: str) -> None:
    assert read(text) == (day, (), "")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-24 20:00 GMT+7", DAY),
        ("2026-11-24 22:00 GMT+7", TODAY),
        ("2026-11-24T20:00:00 UTC+09:00", DAY),
        ("2026-11-24 20:00 UTC+9", DAY),
        ("2026-11-24 16:00 UTC", TODAY),
        ("2026.11.24 08:00 UTC-8", TODAY),
        ("2026-11-24 20:21 America/Los_Angeles", TODAY),
        ("2026-07-24 07:59 America/Los_Angeles", "2026-07-24"),
        ("2026-07-24 08:00 America/Los_Angeles", "2026-07-25"),
        ("2026-11-24 20:21 Asia/Seoul", DAY),
        ("2026-11-24 23:59 KST", DAY),
        ("2026-11-24 (KST)", DAY),
        ("Nov 24, 2026, 8:00 PM PST", TODAY),
        ("Nov 24, 2026 6:00 a.m. PST", DAY),
        ("2026년 11월 24일(화) 오후 8:00 GMT", TODAY),
        ("Tue, 24 Nov 2026 20:00:00 GMT+0000 (Coordinated Universal Time)", TODAY),
        ("20:00 GMT, 24 Nov 2026", TODAY),
        ("24/Nov/2026:20:00:00 +0000", TODAY),
        ("Tuesday, 24-Nov-26 20:00:00 GMT", TODAY),
        ("2026-11-24 20:00:00+00", TODAY),
        ("2026-11-24 20:00 +0000", TODAY),
        ("2026-11-24 20:00 -0500", TODAY),
        ("2026-11-24 20:00 -05:00", TODAY),
        ("2026-11-24 20:00-22:00", DAY),
        ("2026-11-24 20:00 - 22:00", DAY),
        ("2026-11-24 24:00 KST", DAY),
        ("2026-11-24 24:00 UTC", TODAY),
        ("2026-11-25 01:00 AEDT", DAY),
    ],
)
def test_a_zone_behind_a_time_moves_the_day(text: str, day: str) -> None:
    assert read(text) == (day, (), "")


def test_the_boards_own_zone_has_its_own_name() -> None:
    """CST is Shanghai's on a board in Shanghai."""
    assert read("2026-11-24 23:00 CST", zone="Asia/Shanghai").day == DAY
    assert read("Tue, 24 Nov 2026 23:00:00 CST", zone="Asia/Shanghai").day == DAY
    assert read("Tue, 24 Nov 2026 23:00:00 CST").day == TODAY


@pytest.mark.parametrize(
    ("text", "format_", "reason"),
    [
        ("R08.11.25", "%y.%m.%d", "begins with a letter"),
        ("H30.11.25", "%y.%m.%d", "begins with a letter"),
        ("R8/11/25", "%y/%m/%d", "begins with a letter"),
        ("R8年11月25日", "%Y年 %m月 %d日", "begins with a letter"),
        ("S 64.01.07", "%y.%m.%d", "begins with a letter"),
        ("平成32年1月1日", "%Y年 %m月 %d日", "not a year of that era"),
        ("令和八年11月25日", "%m月 %d日", "names another calendar"),
        ("2569-11-25", "%Y-%m-%d", "another calendar"),
        ("25/11/2569", "%d/%m/%Y", "another calendar"),
        ("1448-05-14", "%Y-%m-%d", "another calendar"),
        ("1405/09/04", "%Y/%m/%d", "another calendar"),
        ("14 May 1448 AH", "rfc822", "names another calendar"),
        ("9999-12-31", "iso8601", "another calendar"),
        ("2026-11-24 20:00 CST", "%Y-%m-%d", "no certain one"),
        ("2026-11-24 20:00 IST", "%Y-%m-%d", "no certain one"),
        ("2026-11-24 20:00 BST", "iso8601", "no certain one"),
        ("2026-11-24 20:00 GMT+25", "iso8601", "not a time zone"),
        ("2026-11-24 20:00 Asia/Soul", "iso8601", "not a time zone"),
        ("Tue, 24 Nov 2026 20:00:00 XYZ", "rfc822", "no certain one"),
        ("23:00 PST", "%H:%M", "another zone"),
        ("2주 전", "ago", "no single day"),
        ("3 months ago", "ago", "no single day"),
        ("2년 전", "ago", "no single day"),
    ],
)
def test_an_uncertain_date_is_refused_with_its_reason(text: str, format_: str, reason: str) -> None:
    found = read(text, format_)
    assert found.day is None
    assert reason in found.reason


@pytest.mark.parametrize(
    "text",
    [
        "115-11-25",
        "115.11.25",
        "115/11/25",
        "2026",
        "11월",
        "3시간 후",
        "in 3 hours",
        "D-3",
        "1.5시간 전",
        "1.5MB",
        "11.24%",
        "지난주",
        "2026-11-31",
        "Nov 31, 2026",
        "Decade 24, 2026",
        "99/99/99",
        "010-1234-5678",
        "02-2123-4567",
        "1,795,532,400",
        "17955324001",
        "0",
    ],
)
def test_no_format_reads_another_text(text: str) -> None:
    assert read_date(text, EVERY, NOW.date(), SEOUL, NOW).day is None


@pytest.mark.parametrize(
    ("text", "format_"),
    [
        ("2021년 11월 25일", "%m월 %d일"),
        ("2021年11月25日", "%m月 %d日"),
        ("民國110年11月25日", "%m月 %d日"),
        ("Nov 24, 2021", "%b %d"),
        ("Nov 24 '21", "%b %d"),
        ("24 Nov 21", "%d %b"),
        ("2021/11/24", "%m/%d"),
        ("11/24/21", "%m/%d"),
        ("2026.11.24", "%y.%m.%d"),
        ("24.11.2026", "%y.%m.%d"),
        ("Nov 24, 10:30", "%b %d, %y"),
        ("平30.11.24", "%y.%m.%d"),
        ("令08.11.24", "%y.%m.%d"),
    ],
)
def test_no_day_is_read_out_of_a_longer_date(text: str, format_: str) -> None:
    assert read(text, format_).day is None


def test_a_text_in_hours_needs_the_time_of_the_check() -> None:
    """The day alone is enough where the text cannot mean the day before."""
    found = read("3시간 전", "ago", now=NOW.date())
    assert (found.day, set(found.others)) == (None, {DAY, TODAY, "2026-11-23"})
    assert "time of the check is unknown" in found.reason
    assert read("방금", "ago", now=NOW.date()).day == TODAY
    assert read("어제 23:01", "ago", now=NOW.date()).day == DAY


@given(st.integers(0, 40 * 24 * 60))
def test_a_relative_text_fits_the_day_that_it_had_before(minutes: int) -> None:
    """However a site cuts or rounds its units, the stored day stays among the days that fit."""
    posted = datetime.fromtimestamp(NOW.timestamp() - minutes * 60, SEOUL).date().isoformat()
    units = (("분", 1), ("시간", 60), ("일", 1440), ("주", 10080), ("개월", 43200))
    for name, size in units:
        for number in {minutes // size, round(minutes / size)}:
            if 0 < number < 10_000:
                found = read(f"{number}{name} 전", "ago")
                assert posted in (found.day, *found.others)


@given(st.text(alphabet="0123456789./-: 년월일年月日전agohrnovRH令和GMT+Z,'", max_size=60))
def test_any_text_gives_a_believable_date_or_none(text: str) -> None:
    found = read_date(text, EVERY, NOW.date(), SEOUL, NOW)
    assert found.day is None or 1900 <= date.fromisoformat(found.day).year <= 2199
