"""A board keeps the charset of its last good read (N20)."""

import json

import pytest
from fakes import Notice, page_of, response
from fakes.worlds import NoticeWorld

from uring.fetch.http import Response
from uring.notices.state import LastPage, NoticeState

TITLES = {
    "gb18030": ["关于2026年寒假的通知", "研究生院答辩安排", "体育馆开放公告", "停电", "讲座"],
    "big5hkscs": ["關於寒假的公告", "學務處獎學金申請", "體育館停用", "停電", "演講"],
    "cp932": ["冬季休業のお知らせ", "奨学金説明会", "補講日程", "停電", "講演"],
    "euc-jp": ["冬季休業のお知らせ", "奨学金説明会", "補講日程", "停電", "講演"],
    "cp949": ["겨울방학 안내", "장학금 설명회", "보강 일정", "정전", "강연"],
}


def sent(notices: list[Notice], codec: str, declared: str = "") -> Response:
    header = "text/html" + (f"; charset={declared}" if declared else "")
    return response("", body=page_of(notices).encode(codec), content_type=header)


def titles(world: NoticeWorld) -> list[str]:
    return [item["title"] for item in world.document("data/cs/latest.json")["items"]]


def bare(titles: list[str]) -> list[Notice]:
    return [Notice(str(no), title) for no, title in enumerate(titles, start=1)]


@pytest.mark.parametrize("codec", TITLES)
@pytest.mark.parametrize("later", ["", "utf-8", "iso-8859-1"])
def test_a_board_that_loses_its_declaration_pushes_nothing(codec: str, later: str) -> None:
    world = NoticeWorld()
    notices = bare(TITLES[codec])
    world.site = sent(notices, codec, codec)
    assert world.check().outcome == "baseline"
    assert world.state.charset == codec
    world.clock.advance(600)
    world.site = sent(notices, codec, later)
    world.check()
    assert world.pushes() == []
    assert titles(world) == TITLES[codec]


def test_two_letters_are_read_with_the_charset_of_the_board() -> None:
    world = NoticeWorld()
    notices = [Notice(str(no), title) for no, title in enumerate(["停电", "停水"], start=1)]
    world.site = sent(notices, "gb18030", "gb2312")
    world.check()
    world.clock.advance(600)
    world.site = sent([Notice("3", "招新"), *notices], "gb18030")
    world.check()
    assert titles(world) == ["招新", "停电", "停水"]


def test_a_board_in_utf_8_keeps_no_charset() -> None:
    world = NoticeWorld()
    world.check()
    assert world.state.charset == ""
    recognition = world.state.recognition()
    assert recognition is not None
    assert "charset" not in recognition.known


def test_a_hint_carries_the_charset() -> None:
    world = NoticeWorld()
    world.site = sent(bare(TITLES["gb18030"]), "gb18030", "gb2312")
    world.check()
    recognition = world.state.recognition()
    assert recognition is not None
    page = LastPage.read(recognition.known)
    assert page is not None
    assert page.charset == "gb18030"


def test_a_state_of_an_older_release_has_none() -> None:
    world = NoticeWorld()
    world.check()
    stored = json.loads(world.state.to_json())
    del stored["charset"]
    older = NoticeState.from_json(json.dumps(stored).encode(), key="k", source="cs")
    assert older.charset == ""


def test_an_entry_that_names_its_charset_decides() -> None:
    world = NoticeWorld()
    world.site = sent(bare(TITLES["cp949"]), "cp949")
    assert world.check(encoding="euc-kr").outcome == "baseline"
    assert titles(world) == TITLES["cp949"]
