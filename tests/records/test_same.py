"""Two boards give one notice the same names, and different notices none that hide one of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.records.model import Revision
from uring.records.same import same_as

CSE = "https://cse.nurisol.ac.kr/"
MATH = "https://math.nurisol.ac.kr"
LINK = "https://www.nurisol.ac.kr/bbs/view.do?no=4401&board=7"


def notice(name: str = "1", title: str = "국가장학금 2차 신청 안내", **content: Any) -> Revision:
    return Revision(
        id=name,
        revision=1,
        hash="h",
        first_seen="2026-03-02T00:00:00Z",
        content={"title": title, "date": "2026-03-02", "category": None, "link": LINK, **content},
    )


def names(item: Revision, site: str = CSE, *others: Revision) -> set[str]:
    return set(same_as(item, [item, *others], site).split())


def sure(found: set[str]) -> set[str]:
    return {name for name in found if name.startswith("p")}


def own(number: int, board: str = "cse") -> dict[str, str]:
    """Return the page of a copy on a board's own site."""
    return {"link": f"https://{board}.nurisol.ac.kr/view.do?no={number}"}


def test_one_page_on_two_boards_is_one_notice() -> None:
    assert sure(names(notice("1"), CSE) & names(notice("other", date=None), MATH))


@pytest.mark.parametrize(
    "link",
    [
        "http://nurisol.ac.kr/bbs/view.do?board=7&no=4401",
        "https://www.nurisol.ac.kr/bbs/view.do/?no=4401&board=7",
        "https://WWW.nurisol.ac.kr:443/bbs/view.do?no=4401&board=7",
    ],
)
def test_spellings_of_a_page_are_one_page(link: str) -> None:
    assert sure(names(notice()) & names(notice(link=link), MATH))


def test_a_tag_before_the_title_leaves_the_notice_what_it_is() -> None:
    tagged = notice(title="[공통] (장학) 국가장학금 2차 신청 안내")
    assert sure(names(notice()) & names(tagged, MATH))


def test_one_page_with_two_titles_is_only_likely() -> None:
    shared = names(notice()) & names(notice(title="수강 정정 기간 안내"), MATH)
    assert shared
    assert not sure(shared)


def test_copies_with_one_title_and_day_are_likely_at_one_university_alone() -> None:
    first = names(notice(**own(1)), CSE)
    shared = first & names(notice(**own(2, "math")), MATH)
    assert shared
    assert not sure(shared)
    for site in ("https://cse.hanbit.ac.kr/", "https://hanbit.example/", "http://[::1", ""):
        assert not first & names(notice(**own(2, "math")), site)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://cse.nurisol.edu", "https://nurisol.edu/"),
        ("https://cse.eng.nurisol.ac.jp", "https://nurisol.ac.jp/"),
        ("https://boards.example.org/cse", "https://boards.example.org/math"),
    ],
)
def test_a_university_is_a_domain(one: str, other: str) -> None:
    assert names(notice(**own(1)), one) & names(notice(**own(2)), other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://cse.example.com", "https://math.example.com"),
        ("https://cse.pages.example", "https://math.pages.example"),
        ("https://one.ac.kr", "https://two.ac.kr"),
        ("http://10.0.0.1/", "http://11.0.0.1/"),
    ],
)
def test_hosts_of_anybody_are_no_university(one: str, other: str) -> None:
    assert not names(notice(**own(1)), one) & names(notice(**own(2)), other)


@pytest.mark.parametrize("title", ["식단", "공지", "휴강 안내", "2026-03-02", "!!! ???"])
def test_a_title_that_says_little_names_nothing(title: str) -> None:
    first, second = notice(title=title, **own(1)), notice(title=title, **own(2, "math"))
    assert not names(first, CSE) & names(second, MATH)


def test_a_title_that_the_board_repeats_names_nothing() -> None:
    """The menus of two cafeterias have one title and one day."""
    menu, before = "3월 2주차 주간 식단표 안내", notice("0", "3월 1주차 주간 식단표 안내", **own(8))
    cafeterias = (
        names(notice(title=menu, **own(1)), CSE, before),
        names(notice(title=menu, **own(2, "math")), MATH),
    )
    assert not set.intersection(*cafeterias)


@pytest.mark.parametrize(
    "more",
    [
        {"date": "2026-03-03"},
        {"date": None},
        {"title": "국가장학금 1차 신청 안내"},
        {"title": "[화학과] 국가장학금 2차 신청 안내"},
    ],
)
def test_another_title_or_day_is_another_notice(more: dict[str, Any]) -> None:
    first = names(notice(**own(1)), CSE)
    assert not first & names(notice(**{**own(2, "math"), **more}), MATH)


@pytest.mark.parametrize(
    "link",
    [None, "", "https://portal.nurisol.ac.kr/", "https://nurisol.ac.kr/main.do", "http://[::1"],
)
def test_a_page_without_a_number_names_nothing(link: str | None) -> None:
    first, second = notice(link=link, date=None), notice("2", "수강 정정", link=link, date=None)
    assert not names(first) | names(second, MATH)


def test_a_link_that_a_board_gives_to_several_notices_names_no_page() -> None:
    link = "https://portal.nurisol.ac.kr/app?menu=12"
    first, second = notice("1", link=link), notice("2", "수강 정정 기간 안내", link=link)
    assert not sure(names(first, CSE, second))
    assert len(names(first, CSE, second)) == 1


@given(st.text(max_size=600), st.text(max_size=100) | st.none(), st.text(max_size=100))
def test_any_content_gives_a_few_short_names(title: str, link: str | None, site: str) -> None:
    found = same_as(notice(title=title, link=link), [], site)
    assert len(found) <= 53
    assert all(len(name) == 17 for name in found.split())
