"""What is not believed by itself, and what is (N17): each with its nearest innocent page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from uring.errors import SuspectPage
from uring.sources.entry import Expectations
from uring.sources.guards import (
    Nouns,
    diagnosed,
    judge_empty,
    judge_length,
    judge_page,
)

WHOLE = "<!DOCTYPE html><html><body>…</body></html>"
CUT = "<!DOCTYPE html><HTML><body>…"


@dataclass(frozen=True)
class Item:
    title: str


def item(number: int, title: str = "") -> Item:
    return Item(title or f"{number}번 공지")


TEN = [item(number) for number in range(10, 0, -1)]


def refused_page(items: Sequence[Item], text: str = "", **expect: Any) -> str:
    with pytest.raises(SuspectPage) as caught:
        judge_page(Expectations(**expect), text, items)
    return caught.value.reason


class TestInsteadOfAList:
    @pytest.mark.parametrize(
        ("html", "reason"),
        [
            ('<p>wait</p><script>var challengeId="a1"</script>', "challenge"),
            ("<h1>Just a moment...</h1>", "challenge"),
            ('<form><input TYPE="password"></form>', "login"),
            ("<h1>시스템 점검 안내</h1>", "maintenance"),
            ('<div id="root"></div><script src="a.js"></script>', "script_rendered"),
            ("<app-root></app-root>", "script_rendered"),
            ("<h1>없는 주소입니다.</h1>", "no_rows"),
            ("<style>.kcaptcha { width: 1px }</style><p>글이 없습니다.</p>", "no_rows"),
            ('<script src="/js/kcaptcha.js"></script><p>글이 없습니다.</p>', "no_rows"),
            ('<!-- <input type="password"> --><p>글이 없습니다.</p>', "no_rows"),
            ('<p>글이 없습니다.</p><img src="/captcha.php">', "challenge"),
        ],
    )
    def test_it_is_named_by_what_stands_there(self, html: str, reason: str) -> None:
        trouble = diagnosed(SuspectPage("no_rows", "nothing matches"), html)
        assert trouble.reason == reason
        assert trouble.detail

    @pytest.mark.parametrize("reason", ["not_json", "not_feed"])
    def test_a_login_page_in_place_of_data_is_named_too(self, reason: str) -> None:
        page = '<input type="password">'
        assert diagnosed(SuspectPage(reason, "no data"), page).reason == "login"

    def test_a_list_that_may_be_empty_is_no_login_page(self) -> None:
        form = '<input type="password">'
        judge_empty(Expectations(), "<p>등록된 글이 없습니다.</p>")
        judge_empty(Expectations(), form + "<p>학과 소개와 오시는 길</p>" * 200)
        with pytest.raises(SuspectPage, match=r"login.*expect\.landmarks"):
            judge_empty(Expectations(), form)
        judge_empty(Expectations(landmarks=("공지사항",)), f"{form}<h1>공지사항</h1>")
        with pytest.raises(SuspectPage, match="login"):
            judge_empty(Expectations(landmarks=("공지사항",)), form)

    def test_a_redesigned_page_with_a_login_form_in_its_header_is_no_login_page(self) -> None:
        page = '<input type="password"><div id="app"></div>' + "<p>새 게시판의 모습</p>" * 300
        assert diagnosed(SuspectPage("no_rows", "x"), page).reason == "no_rows"
        scripts = "<script>" + "var a;" * 3_000 + "</script>"
        trouble = diagnosed(SuspectPage("no_rows", "x"), scripts + '<input type="password">')
        assert trouble.reason == "login"

    def test_rows_that_cannot_be_read_are_not_a_login_page(self) -> None:
        trouble = SuspectPage("all_rows_bad", "none of 3 rows")
        assert diagnosed(trouble, '<input type="password">') is trouble


class TestThePageItself:
    def test_a_landmark_must_stand_in_it(self) -> None:
        judge_page(Expectations(landmarks=("공지사항",)), "<h1>공지사항</h1>", TEN)
        assert refused_page(TEN, "<h1>자료실</h1>", landmarks=("공지사항",)) == "landmark_missing"

    def test_fewer_notices_than_expected(self) -> None:
        judge_page(Expectations(min_rows=10), "", TEN)
        assert refused_page(TEN[:9], min_rows=10) == "too_few_rows"
        assert refused_page([]) == "too_few_rows"
        judge_page(Expectations(min_rows=0), "", [])

    def test_one_title_for_most_rows(self) -> None:
        half = [item(n, "같은 제목") for n in range(5)] + [item(n) for n in range(5, 10)]
        judge_page(Expectations(), "", half)
        more = [item(n, "같은 제목") for n in range(6)] + [item(n) for n in range(6, 10)]
        assert refused_page(more) == "same_titles"
        judge_page(Expectations(same_titles=True), "", more)
        judge_page(Expectations(), "", [item(n, "같은 제목") for n in range(4)])

    def test_a_handful_of_category_names_instead_of_titles(self) -> None:
        names = ("학사", "장학", "취업", "기타")
        assert refused_page([item(n, names[n % 4]) for n in range(16)]) == "same_titles"
        judge_page(Expectations(), "", [item(n, names[n % 4]) for n in range(7)])

    def test_a_board_that_damages_its_titles_may_be_allowed_to(self) -> None:
        mixed = [item(1, "공\ufffd지 하나"), item(2, "공\ufffd지 둘"), *TEN[2:]]
        assert refused_page(mixed) == "mojibake"
        judge_page(Expectations(damaged_titles=True), "", mixed)

    def test_damaged_titles(self) -> None:
        damaged = "공지사항 안내".encode().decode("cp1252", "replace")
        mixed = [item(1, damaged), item(2, f"{damaged} 2"), *TEN[:8]]
        assert refused_page(mixed) == "mojibake"
        judge_page(Expectations(), "", [item(1, damaged), *TEN])


class TestTheLength:
    @pytest.mark.parametrize(("text", "least"), [("", 6), (WHOLE, 6), (CUT, 9)])
    def test_half_of_the_page_is_enough_and_of_a_cut_one_three_quarters(
        self, text: str, least: int
    ) -> None:
        judge_length(12, least, text)
        with pytest.raises(SuspectPage) as caught:
            judge_length(12, least - 1, text)
        assert caught.value.reason == "too_few_rows"

    def test_a_short_list_may_become_shorter(self) -> None:
        judge_length(7, 1, CUT)
        judge_length(0, 1, CUT)


@pytest.mark.parametrize(
    ("nouns", "told"),
    [
        ((), "1 records where 9 were; if the list has"),
        ((Nouns("tides", "table"),), "1 tides where 9 were; if the table has"),
    ],
)
def test_a_message_has_the_familys_own_words(nouns: tuple[Nouns, ...], told: str) -> None:
    with pytest.raises(SuspectPage, match=told):
        judge_length(9, 1, "", *nouns)
    with pytest.raises(SuspectPage, match=r"0 \w+, at least 1 expected"):
        judge_page(Expectations(), "", [], *nouns)
