"""`uring add` proposes the date that the rows show, or says why it cannot and ends with exit 1."""

import json
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from uring_local.cli import main

URL = "https://www.rail.example.ac.kr/board/list.do?b=7"
TITLES = (
    "갈대숲 둘레길 보수 공사 안내",
    "겨울 물새 관찰 모임 신청",
    "늪지 생태 사진전 작품 공모",
    "둑길 야간 조명 교체 일정",
    "수초 제거 자원봉사자 모집",
    "탐조대 이용 시간 변경 알림",
    "개울 정화 활동 결과 보고",
)
TODAY = datetime.now(ZoneInfo("Asia/Seoul")).date()
DAYS = [TODAY - timedelta(days=back) for back in (1, 2, 4, 6, 9, 24, 30)]
WANTED = [day.isoformat() for day in DAYS]
LONG = [date(2026, month, 1).strftime("%B") for month in range(1, 13)]
Show = Callable[[date], str]


def stamp(day: date) -> int:
    return int(
        datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo("Asia/Seoul")).timestamp()
    )


def page(body: str) -> str:
    menu = "".join(f'<li><a href="/menu/{n}">학과 소개와 연혁 {n}</a></li>' for n in range(9))
    return f"<html><head><title>공지 | 뜸부기학과</title></head><ul>{menu}</ul>{body}</html>"


def links() -> list[tuple[str, str, int]]:
    return [(title, f"v.do?b=7&no={9000 - 37 * n * n - n}", n) for n, title in enumerate(TITLES)]


def table(show: Show, *, before: str = "", name: str = ' class="day"') -> str:
    rows = "".join(
        f'<tr><td>{70 - n}</td><td class="s"><a href="{href}">{title}</a></td>{before}'
        f"<td{name}>{show(day)}</td><td>{n * 7 + 3}</td></tr>"
        for day, (title, href, n) in zip(DAYS, links(), strict=True)
    )
    return page(f'<table class="list"><tbody>{rows}</tbody></table>')


def cards(show: Show) -> str:
    """Items whose row is in braces: the link, then what a case shows."""
    rows = "".join(
        f"<li>{show(day).format(link=f'<a href={json.dumps(href)}>{title}</a>', n=n)}</li>"
        for day, (title, href, n) in zip(DAYS, links(), strict=True)
    )
    return page(f'<ul class="news">{rows}</ul>')


def add(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str
) -> tuple[int, dict[str, Any]]:
    saved = tmp_path / "page.html"
    saved.write_text(html, encoding="utf-8")
    config = str(tmp_path / "sitemap.json")
    code = main(["add", URL, "--page", str(saved), "--config", config, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("show", "formats"),
    [
        (lambda day: f"{day:%y/%m/%d}", ["%y/%m/%d"]),
        (lambda day: f"{day:%y.%m.%d}", None),
        (lambda day: f"{day.year}年{day.month}月{day.day}日", None),
        (lambda day: f"令和{day.year - 2018}年{day.month}月{day.day}日", None),
        (lambda day: f"{day:%d.%m.%Y}", ["%d.%m.%Y"]),
        (lambda day: f"{day:%d/%m/%Y}", ["%d/%m/%Y"]),
        (lambda day: f"{day:%m/%d/%Y}", ["%m/%d/%Y"]),
        (lambda day: f"{day:%d.%m.%y}", ["%d.%m.%y"]),
        (lambda day: f"{LONG[day.month - 1]} {day.day}, {day.year}", None),
        (lambda day: f"{day.day} {LONG[day.month - 1][:3]} {day.year}", None),
        (lambda day: f"{LONG[day.month - 1][:3]} {day.day}", ["%b %d"]),
        (
            lambda day: f"{day.month}월 {day.day}일 ({'월화수목금토일'[day.weekday()]})",
            ["%m월 %d일"],
        ),
        (lambda day: f"{day.month}月{day.day}日", ["%m月 %d日"]),
        (lambda day: f"{(TODAY - day).days}일 전", ["ago"]),
        (lambda day: f"{(TODAY - day).days} days ago", ["ago"]),
        (lambda day: f"{day:%Y.%m.%d} ({'월화수목금토일'[day.weekday()]})", None),
    ],
)
def test_a_column_of_dates_in_any_spelling(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], show: Show, formats: list[str] | None
) -> None:
    code, answer = add(tmp_path, capsys, table(show))
    assert [item["date"] for item in answer["items"]] == WANTED
    assert (code, answer["advice"]) == (0, [])
    wanted = {"select": "td.day", "formats": formats} if formats else "td.day"
    assert answer["entry"]["fields"]["date"] == wanted


def test_relative_texts_that_become_dates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def show(day: date) -> str:
        back = (TODAY - day).days
        return "어제" if back == 1 else f"{back}일 전" if back < 5 else f"{day:%Y.%m.%d}"

    code, answer = add(tmp_path, capsys, table(show))
    assert (code, [item["date"] for item in answer["items"]]) == (0, WANTED)
    assert answer["entry"]["fields"]["date"]["formats"] == ["%Y. %m. %d", "ago"]


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        (
            table(lambda day: f'<span data-time="{stamp(day)}">-</span>'),
            {"select": "td.day span", "attribute": "data-time", "formats": ["unix"]},
        ),
        (
            table(lambda day: f'<i data-created="{stamp(day)}000"></i>'),
            {"select": "td.day i", "attribute": "data-created", "formats": ["unix_ms"]},
        ),
        (
            table(lambda day: f'<b title="{day} 10:31">{(TODAY - day).days}일 전</b>'),
            {"select": "td.day b", "attribute": "title"},
        ),
        (
            table(lambda day: f'<time datetime="{day}T01:00:00Z">{day:%m.%d}</time>'),
            {"select": "td.day time", "attribute": "datetime"},
        ),
        (cards(lambda day: "{link}<p>작성일 " + f"{day:%Y.%m.%d}" + " 조회 {n}</p>"), "p"),
        (cards(lambda day: "{link}<p class=m>관리자 | " + f"{day} | {{n}}</p>"), "p.m"),
        (
            cards(
                lambda day: "{link}<span>관리자</span>" + f"<span>{day}</span><span>{{n}}</span>"
            ),
            "span:nth-of-type(2)",
        ),
        (
            table(lambda day: f"{day}", before="<td>2026.11.01 ~ 2026.11.30</td>", name=""),
            "td:nth-child(4)",
        ),
        (
            table(lambda day: f"{day}", before="<td>2026.11.01 ~ 11.30</td>", name=""),
            "td:nth-child(4)",
        ),
        (
            cards(lambda day: "{link}<em>2026.11.01~2026.11.30</em>" + f"<i>{day:%y.%m.%d}</i>"),
            "i",
        ),
        (
            cards(lambda day: "{link}<em>1/3</em>" + f"<p>등록 {day:%Y.%m.%d} 조회 {{n}}</p>"),
            "p",
        ),
    ],
)
def test_a_date_in_an_attribute_a_sentence_or_beside_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str, rule: dict[str, Any] | str
) -> None:
    code, answer = add(tmp_path, capsys, html)
    assert [item["date"] for item in answer["items"]] == WANTED
    assert (code, answer["entry"]["fields"]["date"]) == (0, rule)


@pytest.mark.parametrize(
    ("show", "reason"),
    [
        (lambda day: f"0{day.day % 9 + 1}/03/2026", "no row tells"),
        (lambda day: f"0{day.day % 9 + 1}.03.2026", "no row tells"),
        (lambda day: f"R{day.year - 2018:02d}.{day:%m.%d}", "begins with a letter"),
        (lambda day: f"{day.year - 1911}-{day:%m-%d}", "year of another calendar"),
        (lambda day: f"{day.day}/{day.month}/{day.year + 543}", "year of another calendar"),
        (lambda _: "2026.11.01 ~ 2026.11.30", "is a period, not a day"),
        (lambda day: f"{day.day % 5 + 1}주 전", "names no single day"),
        (lambda day: f"{day:%Y/%m월/%d}" if DAYS.index(day) % 2 else f"{day}", "no format reads"),
        (lambda day: f"{day}" if DAYS.index(day) % 2 else f"{day:%Y/%m월/%d}", "no format reads"),
    ],
)
def test_dates_that_cannot_be_read_are_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], show: Show, reason: str
) -> None:
    code, answer = add(tmp_path, capsys, table(show))
    assert code == 1
    assert "date" not in answer["entry"]["fields"]
    assert reason in " ".join(answer["reasons"])


@pytest.mark.parametrize(
    "html",
    [
        table(lambda _: "관리자"),
        table(lambda day: f"{day.day % 4 + 1}/{day.day % 7 + 1}" if day.day % 2 else "-"),
        cards(lambda _: "{link}<i>조회 {n}</i>").replace("안내</a>", "안내 (2026.11.30까지)</a>"),
    ],
)
def test_a_list_without_dates_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str
) -> None:
    code, answer = add(tmp_path, capsys, html)
    assert (code, {item["date"] for item in answer["items"]}) == (0, {None})


def test_a_feed_whose_dates_are_unreadable_is_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = "".join(
        f"<item><guid>n{n}</guid><title>{title}</title><link>https://rail.example.ac.kr/{n}</link>"
        f"<pubDate>le 24 novembre 2026</pubDate></item>"
        for title, _, n in links()
    )
    feed = f'<rss version="2.0"><channel><title>공지</title>{items}</channel></rss>'
    code, answer = add(tmp_path, capsys, feed)
    assert code == 1
    assert "'le 24 novembre 2026' is read in no item" in " ".join(answer["advice"])
