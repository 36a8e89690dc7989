"""`uring try` on entries that are wrong: each is named with what was seen and the likely remedy."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from uring_local.cli import main

ENTRY: dict[str, Any] = {
    "id": "snipe",
    "name": "도요새학과",
    "url": "https://snipe.example.ac.kr/list.do",
    "rows": "table.list tbody tr",
    "fields": {
        "id": {"select": "td.subject a", "attribute": "href", "parameter": "no"},
        "title": "td.subject a",
        "date": "td.day",
        "link": "td.subject a",
    },
    "pinned": ["tr.top"],
}
DAYS = ("2026-03-04", "2026-03-02", "2026-02-27", "2026-02-20")
TITLES = ("갯벌 생태 강좌 안내", "썰물 시간표 게시", "조개 표본 정리 봉사", "둑 위 산책 금지 구간")


def board(dates: tuple[str, ...] = DAYS) -> str:
    rows = "".join(
        f'<tr><td class="num">{number}</td><td class="subject"><a href="/view.do?no={key}">{title}'
        f'</a></td><td class="day">{day}</td></tr>'
        for number, key, title, day in zip(
            (44, 43, 42, 41), (910, 905, 893, 870), TITLES, dates, strict=True
        )
    )
    menu = "".join(f'<li><a href="/m/{n}">사이트 메뉴 {n}</a></li>' for n in range(6))
    return f'<ul>{menu}</ul><table class="list"><tbody>{rows}</tbody></table>'


def tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str, **keys: Any
) -> tuple[int, list[str]]:
    """Exit code and advice for the entry with other keys, fields merged."""
    entry = deepcopy(ENTRY) | keys
    entry["fields"] = ENTRY["fields"] | keys.get("fields", {})
    config, page = tmp_path / "sitemap.json", tmp_path / "page.html"
    config.write_text(json.dumps({"sources": [entry]}), encoding="utf-8")
    page.write_text(html, encoding="utf-8")
    code = main(["try", "snipe", "--config", str(config), "--page", str(page), "--json"])
    return code, json.loads(capsys.readouterr().out)["advice"]


def test_a_right_entry_needs_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tried(tmp_path, capsys, board()) == (0, [])


def test_rows_that_match_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (advice,) = tried(tmp_path, capsys, board(), rows="table.board-table tbody tr")
    assert code == 1
    assert "nothing in the page matches 'table.board-table tbody tr'" in advice
    assert "4 rows with links, 4 with a date" in advice
    assert 'write "rows": "table.list tbody tr"' in advice


@pytest.mark.parametrize("field", ["id", "title", "link"])
def test_a_field_that_matches_in_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], field: str
) -> None:
    rule = {"select": "td.title a", "attribute": "href"} if field == "id" else "td.title a"
    code, (advice,) = tried(tmp_path, capsys, board(), fields={field: rule})
    assert code == 1
    assert f"{field}: 'td.title a' matches in none of 4 rows" in advice
    assert "'td.subject a'" in advice
    assert f"correct fields.{field}.select" in advice


@pytest.mark.parametrize(
    ("dates", "formats"),
    [
        (("3월 4일", "3월 2일", "2월 27일", "2월 20일"), ["%m월 %d일"]),
        (("04.03.2026", "02.03.2026", "27.02.2026", "20.02.2026"), ["%d.%m.%Y"]),
        (("20260304", "20260302", "20260227", "20260220"), ["%Y%m%d"]),
    ],
)
def test_a_format_that_fits_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], dates: tuple[str, ...], formats: list[str]
) -> None:
    code, (advice,) = tried(tmp_path, capsys, board(dates))
    assert code == 1
    assert f"'td.day' reads {dates[0]!r}, {dates[1]!r}, {dates[2]!r}" in advice
    assert f'write "formats": {json.dumps(formats, ensure_ascii=False)}' in advice
    fields = {"date": {"select": "td.day", "formats": formats}}
    assert tried(tmp_path, capsys, board(dates), fields=fields) == (0, [])


def test_a_date_that_is_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where the rule is optional, and no row would be skipped for it."""
    for rule in ("td.num", {"select": "td.when", "optional": True}):
        code, (advice,) = tried(tmp_path, capsys, board(), fields={"date": rule})
        assert code == 1
        assert "'2026-03-04'" in advice
        assert 'write "date": "td.day"' in advice


def test_a_date_that_nothing_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, (advice,) = tried(tmp_path, capsys, board(("오늘", "어제", "그제", "지난주")))
    assert code == 1
    assert "'오늘', '어제', '그제', which no format fits" in advice
    assert "leave fields.date out" in advice


def test_an_id_that_is_the_display_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every row is read well, and every notice looks new after the next one."""
    code, (advice,) = tried(tmp_path, capsys, board(), fields={"id": "td.num"})
    assert code == 1
    assert "id: 44, 43, 42 … are the numbers that the list shows" in advice
    rule = {"select": "td.subject a", "attribute": "href", "parameter": "no"}
    assert f'write "id": {json.dumps(rule)}' in advice


def test_numbers_in_the_list_that_do_not_count_down_are_no_display_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some boards show the real id."""
    html = board().replace(">43<", ">37<")
    assert tried(tmp_path, capsys, html, fields={"id": "td.num"}) == (0, [])


@pytest.mark.parametrize(
    ("html", "says"),
    [
        ('<div class="app"></div><script src="/a.js"></script>', "scripts fill the list in"),
        ("<table class=list><tbody></tbody></table>", "an empty list, or another page"),
    ],
)
def test_a_page_without_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], html: str, says: str
) -> None:
    code, (advice,) = tried(tmp_path, capsys, html)
    assert code == 1
    assert says in advice


def test_what_stands_there_instead_is_said_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A login page is suspect by its own name; advice on selectors would mislead."""
    code, advice = tried(tmp_path, capsys, '<form><input type="password"></form>')
    assert (code, advice) == (1, [])


def test_people_see_it_below_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tried(tmp_path, capsys, board(), fields={"id": "td.num"})
    config, page = str(tmp_path / "sitemap.json"), str(tmp_path / "page.html")
    assert main(["try", "snipe", "--config", config, "--page", page]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "4 rows, 4 notices, 0 skipped id: 44, 43, 42 … are the numbers" in shown


def dated(cell: str) -> str:
    """The board with the date beside the title, in one link."""
    rows = "".join(
        f'<tr><td class="subject"><a href="/view.do?no={key}">{cell.format(title, day)}</a></td>'
        for key, title, day in zip((910, 905, 893, 870), TITLES, DAYS, strict=True)
    )
    return f'<table class="list"><tbody>{rows}</tbody></table>'


@pytest.mark.parametrize(
    ("cell", "select", "dropped"),
    [
        ("{} <i>{}</i>", "td.subject i", "i"),
        ('<b class="day">{1}</b> {0}', "a .day", ".day"),
        ('{}<span><span class="d">[{}]</span></span>', "a > span > .d", ".d"),
    ],
)
def test_a_title_that_holds_its_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cell: str, select: str, dropped: str
) -> None:
    code, (advice,) = tried(tmp_path, capsys, dated(cell), fields={"date": select})
    assert code == 1
    assert "contains its date" in advice
    assert f'write "drop": ["{dropped}"] into fields.title' in advice
    title = {"select": "td.subject a", "drop": [dropped]}
    fields = {"date": select, "title": title}
    assert tried(tmp_path, capsys, dated(cell), fields=fields) == (0, [])


def test_a_title_that_speaks_of_a_date_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Weekly menus are called by their day."""
    html = board()
    for title, day in zip(TITLES, DAYS, strict=True):
        html = html.replace(title, f"{day} 학생식당 식단")
    assert tried(tmp_path, capsys, html) == (0, [])


@pytest.mark.parametrize(
    ("strays", "code", "advised"), [(1, 0, False), (2, 0, False), (3, 1, True), (9, 1, True)]
)
def test_rows_that_are_skipped_are_named_unless_they_are_strays(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    strays: int,
    code: int,
    advised: bool,  # noqa: FBT001
) -> None:
    rows = "<tr><td colspan=3>광고 모집</td></tr>" * strays
    html = board().replace("</tbody></table>", f"{rows}</tbody></table>")
    tried_code, advice = tried(tmp_path, capsys, html)
    assert tried_code == code
    shown = [line for line in advice if f"{strays} of {strays + 4} rows are skipped" in line]
    assert bool(shown) is advised
    if advised:
        assert "nothing matches 'td.subject a'" in shown[0]
        assert "rows.drop" in shown[0]


@pytest.mark.parametrize(
    ("dates", "says"),
    [
        (("1989-12-31", *DAYS[1:]), "1989-12-31 in 1 row is not between 1990 and"),
        (("2126-03-04", *DAYS[1:]), "2126-03-04 in 1 row is not between 1990 and"),
        (("R08.03.04", "R08.03.02", "R08.02.27", "R08.02.20"), "begins with a letter"),
        (("115-03-04", "115-03-02", "115-02-27", "115-02-20"), "another calendar"),
        (("2569-03-04", "2569-03-02", "2569-02-27", "2569-02-20"), "another calendar"),
        (("1970-01-01",) * 4, "is not between 1990"),
        (("04/03/2026", "02/03/2026", "07/02/2026", "05/02/2026"), "no row tells"),
        (("04.03.26", "02.03.26", "27.02.26", "20.02.26"), 'write "formats": ["%d.%m.%y"]'),
        (("26/03/04", "26/03/02", "26/02/27", "26/02/20"), 'write "formats": ["%y/%m/%d"]'),
        (("3시간 전", "5시간 전", "어제", "2일 전"), 'write "formats": ["ago"]'),
        (("1772600000", "1772500000", "1772400000", "1772300000"), 'formats": ["unix"]'),
    ],
)
def test_a_date_of_a_strange_year_or_order(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    dates: tuple[str, ...],
    says: str,
) -> None:
    code, advice = tried(tmp_path, capsys, board(dates))
    assert code == 1
    assert says in " ".join(advice)


def test_values_of_json_are_doubted_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seconds of 1985 are another clock's."""
    rows = [
        {"no": n, "title": title, "at": 490_000_000 + n} for n, title in enumerate(TITLES, start=70)
    ]
    fields = {
        "id": "no",
        "title": "title",
        "date": {"select": "at", "formats": ["unix"]},
        "link": {"template": "/v/{id}"},
    }
    keys = {"kind": "json", "rows": "$", "pinned": []}
    code, (advice,) = tried(tmp_path, capsys, json.dumps(rows), fields=fields, **keys)
    assert code == 1
    assert "1985-07-12 in 4 rows is not between 1990 and" in advice
