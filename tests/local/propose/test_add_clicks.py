"""`uring add` reads lists whose rows are clicked, and not only those whose rows have links."""

from pathlib import Path

import pytest
from test_add import ROWS, WANTED, add, page, seen, table

CELLS = '<td>{number}</td><td class="subject">{title}</td><td>김오리</td><td>{date}</td>'
BASE = "https://www.teal.example.ac.kr/board/"


def clicked(row: str, kind: str = "list") -> str:
    return table(f"<tr {row}>{CELLS}</tr>").replace('class="list"', f'class="{kind}"')


@pytest.mark.parametrize("kind", ["list", "bd_lst", "basic-table"])
def test_a_function_on_the_row_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    html = clicked("onclick=\"fn_view('{id}','B012')\"", kind)
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (1, WANTED)
    fields = answer["entry"]["fields"]
    assert fields["id"] == {"attribute": "onclick", "argument": 1}
    assert any("guess" in reason for reason in answer["reasons"])


def test_a_guessed_address_is_not_written_and_a_given_one_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = clicked("onclick=\"fn_view('{id}','B012')\"")
    code, answer = add(tmp_path, capsys, html, "--write")
    assert (code, answer["written"]) == (1, None)
    assert "not written: the address of a notice is a guess" in answer["refused"]
    code, answer = add(tmp_path, capsys, html, "--write", "--link", "read.do?bbs=B012&no={id}")
    assert (code, seen(answer), answer["refused"]) == (0, WANTED, None)
    assert answer["items"][0]["link"] == f"{BASE}read.do?bbs=B012&no=901"


def test_a_function_on_the_row_that_the_page_defines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = "<script>function go(no) { location.href = '/board/read.do?no=' + no; }</script>"
    html = clicked('onclick="go({id}); return false;"').replace("</body>", f"{script}</body>")
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (0, WANTED)
    assert answer["items"][0]["link"] == f"{BASE}read.do?no=901"
    assert not any("guess" in reason for reason in answer["reasons"])


@pytest.mark.parametrize(
    "row",
    [
        "onclick=\"location.href='view.do?b=7&amp;no={id}'\"",
        "onclick=\"location.href = 'view.do?no={id}&amp;b=7';\"",
        "style=x onclick='document.location.assign(\"view.do?no={id}\")'",
        'data-href="view.do?no={id}"',
        'data-url="/board/view.do?no={id}" class="clickable"',
    ],
)
def test_an_address_on_the_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str
) -> None:
    code, answer = add(tmp_path, capsys, clicked(row))
    assert (code, seen(answer)) == (0, WANTED)
    links = [item["link"] for item in answer["items"]]
    assert all(link.startswith(f"{BASE}view.do?") for link in links)
    assert all(f"no={key}" in link for link, (key, *_) in zip(links, WANTED, strict=True))


def test_a_cell_that_is_clicked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    html = table(
        "<tr><td>{number}</td><td onclick=\"fn_view('{id}')\">{title}</td><td>{date}</td></tr>"
    )
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (1, WANTED)
    assert answer["entry"]["fields"]["id"]["argument"] == 1


def test_a_link_to_nowhere_in_a_row_that_is_clicked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html = table(
        "<tr onclick=\"fn_view('{id}')\"><td>{number}</td><td><a href='#'>{title}</a></td>"
        "<td>{date}</td></tr>"
    )
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (1, WANTED)


def test_a_button_in_a_row_that_is_clicked_is_no_title(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    button = "<td><button onclick=\"scrap('{id}')\">담기</button></td>"
    html = table(f"<tr onclick=\"fn_view('{{id}}')\">{CELLS}{button}</tr>")
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (1, WANTED)


def test_items_of_a_list_that_are_clicked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(
        f'<li class="{"fix-top" if number == "공지" else "plain"}" onclick="view({key})">'
        f"<strong>{title}</strong> <span class=day>{day}</span></li>"
        for number, key, title, day in ROWS
    )
    code, answer = add(tmp_path, capsys, page(f'<ul class="news">{rows}</ul>'))
    assert (code, seen(answer)) == (1, WANTED)
    assert answer["entry"]["rows"] == "ul.news li"


@pytest.mark.parametrize(
    "date",
    [
        "<span>[{date}]</span>",
        '<em class="day">{date}</em>',
        "<span class=new>N</span><i>{date}</i>",
    ],
)
@pytest.mark.parametrize("order", ["{title} {date}", "{date} {title}"])
def test_a_date_inside_the_link_is_no_part_of_the_title(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], date: str, order: str
) -> None:
    link = order.replace("{date}", date)
    html = table(f'<tr><td>{{number}}</td><td><a href="v?no={{id}}">{link}</a></td></tr>')
    code, answer = add(tmp_path, capsys, html)
    assert (code, seen(answer)) == (0, WANTED)


def test_half_of_a_list_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second half has another markup: what reads the first skips it."""
    one = "<li><p><a href='v?no={0}'>갈대밭 산책로 보수 공사 {0}</a></p><i>2026-02-{0}</i></li>"
    other = "<li><a href='v?no={0}'>철새 사진 공모전 {0}</a><i>2026-01-{0}</i></li>"
    lists = [one.format(n) for n in range(20, 28)], [other.format(n) for n in range(10, 18)]
    html = "".join(f"<div><div><ul>{''.join(rows)}</ul></div></div>" for rows in lists)
    code, answer = add(tmp_path, capsys, f"<html><body>{html}</body></html>", "--write")
    assert answer["entry"]["rows"] == "body div div ul li"
    assert (code, answer["written"], len(answer["items"])) == (1, None, 8)
    (advice,) = answer["advice"]
    assert "rows: 8 of 16 rows are skipped, such as for id: nothing matches 'p a'" in advice
