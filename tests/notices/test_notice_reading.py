"""One bad row costs itself; a page without a readable row is not believed (N17, N19, N23)."""

import hashlib
import time
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.errors import SuspectPage
from uring.notices.item import NoticeItem
from uring.notices.page import read_page, rows_of
from uring.notices.source import Source
from uring.reading.lists.rows import ROW_LIMIT
from uring.sources.rows import Page

TODAY = date(2026, 3, 2)
URL = "https://kite.example.ac.kr/list"


def source(**changes: object) -> Source:
    entry = {
        "id": "kites",
        "name": "연날리기학과",
        "url": URL,
        "rows": "tr",
        "fields": {
            "id": {"select": "a", "attribute": "href", "parameter": "no"},
            "title": {"select": "a", "drop": [".new"]},
            "date": "td.day",
            "category": {"select": ".kind", "optional": True},
            "link": "a",
        },
        "pinned": ["tr.top", {"select": "td.num", "text": "공지"}],
    }
    fields = entry["fields"] | changes.pop("fields", {})
    return Source.model_validate(entry | changes | {"fields": fields})


def row(no: object = 5, title: str = "연줄 고르기", day: str = "2026-02-01", **more: str) -> str:
    return (
        f'<tr class="{more.get("css", "")}"><td class="num">{more.get("num", "3")}</td>'
        f'<td><a href="view?no={no}">{title}</a></td><td class="day">{day}</td></tr>'
    )


def read(*rows: str, of: Source | None = None) -> Page[NoticeItem]:
    return read_page(of or source(), f"<table>{''.join(rows)}</table>", URL, TODAY)


def test_an_item_is_read() -> None:
    (item,) = read(row()).items
    assert item == NoticeItem("5", "연줄 고르기", "2026-02-01", None, f"{URL[:-4]}view?no=5", False)


def test_the_hash_is_the_sha1_of_title_date_category_and_link() -> None:
    item = NoticeItem("5", "제목", "2026-02-01", "학사", "https://kite.example.ac.kr/5", False)
    expected = hashlib.sha1(
        "제목|2026-02-01|학사|https://kite.example.ac.kr/5".encode(), usedforsecurity=False
    ).hexdigest()
    assert item.hash == expected
    bare = NoticeItem("5", "제목", None, None, "https://kite.example.ac.kr/5", False)
    assert (
        bare.hash
        == hashlib.sha1(
            "제목|||https://kite.example.ac.kr/5".encode(), usedforsecurity=False
        ).hexdigest()
    )


def test_neither_pin_nor_id_nor_noise_changes_the_hash() -> None:
    plain = read(row()).items[0].hash
    assert read(row(css="top")).items[0].hash == plain
    noisy = row("5&page=2#top", " 연줄\u00a0 고르기\u200b <b class=new>N</b>", "2026.02.01 09:00")
    assert read(noisy).items[0].hash == plain
    assert read(row(title="연줄 고르기 (연장)")).items[0].hash != plain


@pytest.mark.parametrize("pinned_first", [True, False])
def test_an_id_in_both_lists_is_one_pinned_item_at_its_first_place(*, pinned_first: bool) -> None:
    pinned, normal = row(5, css="top"), row(5)
    first, last = (pinned, normal) if pinned_first else (normal, pinned)
    page = read(first, row(6, "다른 글"), last)
    assert [(item.id, item.is_pinned) for item in page.items] == [("5", True), ("6", False)]
    assert [one.duplicate_of for one in page.rows] == [None, None, 1]
    assert page.skipped == 0


def test_one_bad_row_is_skipped_with_its_reason_and_costs_nothing_else() -> None:
    page = read(row(5), "<tr><td>광고</td></tr>", row(6))
    assert [item.id for item in page.items] == ["5", "6"]
    assert page.skipped == 1
    bad = page.rows[1]
    assert (bad.index, bad.item, bad.text) == (2, None, "광고")
    assert bad.reason is not None
    assert "fields.id.select" in bad.reason


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("<td><a href='view?id=5'>글</a></td>", "id: 'view?id=5' has no parameter 'no'"),
        ("<td><a href='view?no='>글</a></td>", "id: attribute 'href' of 'a' is empty"),
        ("<td><a>글</a></td>", "id: attribute 'href' of 'a' is missing"),
        (f"<td><a href='view?no={'5' * 201}'>글</a></td>", "id: "),
        ("<td><a href='view?no=5'> &nbsp; </a></td>", "title: 'a' is empty"),
        ("<td><a href='view?no=5'>글</a></td>", "date: nothing matches 'td.day'"),
        ("<td><a href='view?no=5'>글</a></td><td class=day>곧</td>", "date: '곧' at 'td.day' fits"),
        ("<td><a href='#?no=5'>글</a></td><td class=day>2026-01-01</td>", "link: '#?no=5' is not"),
        (
            "<td><a href='javascript:v(\"?no=5\")'>글</a></td><td class=day>2026-01-01</td>",
            "link: ",
        ),
    ],
)
def test_the_reason_names_the_field_and_the_key_to_correct(cells: str, reason: str) -> None:
    bad = read(row(1), f"<tr>{cells}</tr>").rows[1]
    assert bad.reason is not None
    assert bad.reason.startswith(reason)
    assert "fields." in bad.reason


def test_a_page_without_rows_is_suspect() -> None:
    with pytest.raises(SuspectPage, match=r"rows\.select") as caught:
        read_page(source(), "<p>점검 중입니다</p>", URL, TODAY)
    assert caught.value.reason == "no_rows"
    assert rows_of(source(), "<p>점검 중입니다</p>", URL, TODAY) == Page((), (), 0)


def test_a_page_whose_rows_are_all_bad_is_suspect() -> None:
    with pytest.raises(SuspectPage, match=r"none of 2 rows.*fields\.id") as caught:
        read("<tr><td>등록된 글이 없습니다</td></tr>", "<tr></tr>")
    assert caught.value.reason == "all_rows_bad"


def test_dropped_rows_are_neither_read_nor_counted() -> None:
    of = source(rows={"select": "tr", "drop": ["th", "tr.blind"]})
    page = read("<tr><th>번호</th></tr>", row(5), row(6, css="blind"), of=of)
    assert [one.index for one in page.rows] == [1]
    assert page.skipped == 0


def test_a_missing_date_or_category_is_null_where_the_entry_allows_it() -> None:
    of = source(fields={"date": {"select": "td.day", "optional": True}})
    page = read(row(5, day="곧"), "<tr><td><a href='?no=6'>글</a></td></tr>", of=of)
    assert [(item.date, item.category) for item in page.items] == [(None, None)] * 2
    undated = Source.model_validate(
        {**of.model_dump(exclude_unset=True), "fields": {**of.fields.model_dump(), "date": None}}
    )
    assert read(row(5), of=undated).items[0].date is None


@pytest.mark.parametrize(
    ("signal", "html", "pinned"),
    [
        ("tr.top", row(css="top"), True),
        ("tr.top", row(css="topless"), False),
        ("td.num b", row(num="<b>!</b>"), True),
        ({"select": "td.num", "text": "공지"}, row(num=" <b>공지</b>\n"), True),
        ({"select": "td.num", "text": "공지"}, row(num="공지 3"), False),
        ({"select": "td.num", "contains": "공지"}, row(num="[공지] 3"), True),
        ({"select": "td.num", "not_integer": True}, row(num="필독"), True),
        ({"select": "td.num", "not_integer": True}, row(num="1,204"), False),
        ({"select": "td.num", "not_integer": True}, row(num="²"), True),
        ({"select": "td.no", "not_integer": True}, row(), False),
        ({"select": "td.num", "empty": True}, row(num="<img src=a.gif>&nbsp;"), True),
        ({"select": "td.num", "empty": True}, row(num="3"), False),
        ({"select": "td.num", "empty": True}, row(num="공지"), False),
        (
            {"select": "img", "attribute": "src", "contains": "notice"},
            row(num="<img src=x.gif><img src=icon_notice.gif>"),
            True,
        ),
        (
            {"select": "img", "attribute": "alt", "contains": "공지"},
            row(num="<img alt='' src=icon_notice.gif>"),
            False,
        ),
    ],
)
def test_each_kind_of_pinned_signal(signal: object, html: str, *, pinned: bool) -> None:
    assert read(html, of=source(pinned=[signal])).items[0].is_pinned is pinned
    either = source(pinned=["tr.never", signal])
    assert read(html, of=either).items[0].is_pinned is pinned


def test_a_dropped_badge_still_pins() -> None:
    of = source(pinned=[".new"])
    (item,) = read(row(title="글 <b class=new>새글</b>"), of=of).items
    assert (item.title, item.is_pinned) == ("글", True)


def test_rows_are_bounded() -> None:
    page = read(*(row(number) for number in range(ROW_LIMIT + 50)))
    assert len(page.rows) == ROW_LIMIT


def test_the_text_of_a_row_is_one_short_printable_line() -> None:
    page = read(row(title="\x1b[2J" + "긴 제목 " * 100))
    assert len(page.rows[0].text) <= 160
    assert page.rows[0].text.isprintable()


fragments = st.lists(
    st.sampled_from(
        [row(1), row(2, css="top"), "<tr>", "</tr>", "<td class=day>", "<a href='?no=3'>", "</a>",
         "<table>", "</table>", "<base href='http://['>", "<base href='//b.example/'>", "<script>",
         "<!--", "<template>", "<svg>", "<select>", "\x00", "&#0;", "\ud800", "2026-13-40", "글"]
    )
    | st.text(max_size=20),
    max_size=30,
)  # fmt: skip


@given(fragments.map("".join))
def test_any_page_is_read_or_suspect_and_reading_is_repeatable(html: str) -> None:
    page = rows_of(source(), html, URL, TODAY)
    if not page.items:
        with pytest.raises(SuspectPage, match="no_rows" if not page.rows else "all_rows_bad"):
            read_page(source(), html, URL, TODAY)
        return
    rows = tuple(replace(one, text="") if one.item else one for one in page.rows)
    assert read_page(source(), html, URL, TODAY) == replace(page, rows=rows)
    duplicates = sum(one.duplicate_of is not None for one in page.rows)
    assert len({item.id for item in page.items}) == len(page.items)
    assert len(page.items) == len(page.rows) - page.skipped - duplicates
    assert all(item.id and item.title and item.link.startswith("http") for item in page.items)
    assert all((one.item is None) == bool(one.reason) for one in page.rows)


def test_a_text_for_people_is_made_of_rows_that_were_skipped_and_of_no_other() -> None:
    """It takes as long as a field, and nobody sees that of a row that was read."""
    page = read(row(1), row(2, title=""), row(3))
    assert [one.text for one in page.rows] == ["", "3 2026-02-01", ""]
    shown = rows_of(source(), f"<table>{row(1)}</table>", URL, TODAY)
    assert [one.text for one in shown.rows] == ["3 연줄 고르기 2026-02-01"]


@pytest.mark.parametrize("name", ["sid", "page", "OFFSET"])
def test_the_parameter_that_tells_notices_apart_stays_in_their_links(name: str) -> None:
    rule = {"select": "a", "attribute": "href", "parameter": name}
    of = source(fields={"id": rule, "date": None, "category": None})
    rows = "".join(f'<tr><td><a href="v?{name}={n}&page_no=4">글</a></td></tr>' for n in (1, 2))
    page = read_page(of, f"<table>{rows}</table>", URL, TODAY)
    assert [item.link for item in page.items] == [
        f"https://kite.example.ac.kr/v?{name}={n}" for n in (1, 2)
    ]


def test_a_title_of_a_thousand_badges_is_read_quickly() -> None:
    of = source(fields={"title": {"select": "a", "strip": ["[공지]", "[안내]"]}})
    badges = "[공지] [안내]" * 90
    began = time.process_time()
    page = read(*(row(no, title=f"{badges} 글 {badges}") for no in range(1_000)), of=of)
    assert time.process_time() - began < 5
    assert {item.title for item in page.items} == {"글"}
