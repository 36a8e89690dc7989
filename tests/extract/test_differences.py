"""What changed between two texts: by article, in any format, in time that text cannot choose."""

import re
from collections.abc import Callable

import pytest
from extract_papers import STATUTE, long_paper
from hwp_writer import hwp
from hypothesis import given
from hypothesis import strategies as st

from uring.errors import CorruptState
from uring.extract.difference_html import difference_html
from uring.extract.differences import ArticleChange, Difference, compare
from uring.extract.extract import extract
from uring.extract.formats import READABLE
from uring.extract.patience import equal_runs
from uring_local.sites.files.html import html
from uring_local.sites.files.hwpx import hwpx
from uring_local.sites.files.paper import Paper
from uring_local.sites.files.pdf import pdf

OLD = """제1조(목적) 이 규정은 가람대학교의 학사에 필요한 사항을 정함을 목적으로 한다.
제2조(등록) 학생은 매 학기 정해진 기간에 등록하여야 한다. 등록하지 아니한 사람은 제적한다.
제3조(수강) ① 학생은 수강을 신청한다. ② 신청한 과목은 바꿀 수 있다. ③ 그 밖의 것은 총장이 정한다.
제4조(휴학) 학생은 총장의 허가를 받아 두 학기까지 휴학할 수 있다.
제5조(복학) 휴학한 학생은 휴학한 기간이 끝나면 복학하여야 한다.
"""


def changes(old: str, new: str) -> list[tuple[str, str, str]]:
    return [
        (article.change, article.previous_key, article.key)
        for article in compare(old, new).articles
    ]


def only(old: str, new: str) -> ArticleChange:
    (article,) = compare(old, new).articles
    return article


def test_a_changed_sentence_is_one_line_out_and_one_in() -> None:
    article = only(OLD, OLD.replace("바꿀 수 있다", "바꿀 수 없다"))
    assert (article.change, article.key, article.title) == ("changed", "제3조", "수강")
    assert article.diff == (
        " 제3조(수강)",
        " ① 학생은 수강을 신청한다.",
        "-② 신청한 과목은 바꿀 수 있다.",
        "+② 신청한 과목은 바꿀 수 없다.",
        " ③ 그 밖의 것은 총장이 정한다.",
    )


def test_what_does_not_change_is_left_out_and_counted() -> None:
    items = "\n".join(f"{number}. 항목 {number}번" for number in range(1, 30))
    text = f"제1조(목록)\n{items}\n"
    diff = only(text, text.replace("항목 15번", "항목 열다섯")).diff
    assert [line for line in diff if line[0] == "@"] == ["@13", "@12"]
    assert len(diff) == 8


def test_an_article_comes_goes_and_is_deleted() -> None:
    new = OLD.replace(
        "제4조(휴학) 학생은 총장의 허가를 받아 두 학기까지 휴학할 수 있다.", "제4조 삭제"
    )
    assert changes(OLD, new) == [("deleted", "", "제4조")]
    shorter = OLD[: OLD.index("제4조")]
    assert changes(OLD, shorter) == [("removed", "", "제4조"), ("removed", "", "제5조")]
    assert changes(shorter, OLD) == [("added", "", "제4조"), ("added", "", "제5조")]


def test_an_article_put_in_between_renumbers_those_behind_and_changes_none() -> None:
    new = OLD.replace("제5조", "제6조").replace("제4조", "제5조").replace("제3조", "제4조")
    new = new.replace("제4조(수강)", "제3조(성적) 성적은 학기가 끝나면 알린다.\n제4조(수강)")
    assert changes(OLD, new) == [
        ("added", "", "제3조"),
        ("renumbered", "제3조", "제4조"),
        ("renumbered", "제4조", "제5조"),
        ("renumbered", "제5조", "제6조"),
    ]


def test_a_renumbered_article_may_be_changed_too() -> None:
    new = OLD.replace("제5조(복학)", "제8조(복학)").replace("끝나면", "끝나면 곧바로")
    article = only(OLD, new)
    assert (article.change, article.previous_key, article.key) == ("renumbered", "제5조", "제8조")
    assert any("곧바로" in line for line in article.diff)


def test_what_is_gone_stands_where_it_stood() -> None:
    new = OLD.replace(OLD.split("\n")[1] + "\n", "").replace("두 학기", "세 학기")
    assert changes(OLD, new) == [("removed", "", "제2조"), ("changed", "", "제4조")]


def test_a_new_supplement_is_no_change_of_the_old_one() -> None:
    old = f"{OLD}부칙 <제1호>\n제1조(시행일) 이 규정은 공포한 날부터 시행한다.\n"
    new = f"{old}부칙 <제2호>\n제1조(시행일) 이 규정은 공포한 날부터 시행한다.\n"
    assert changes(old, new) == [("added", "", "부칙제2호/제1조")]
    assert changes(new, old) == [("removed", "", "부칙제2호/제1조")]
    assert changes(old, f"{old}부칙 <제2호>\n") == [("added", "", "부칙제2호")]


def test_headings_and_marks_of_amendments_stand_in_lines_as_people_read_them() -> None:
    new = f"{OLD}## 제2장 보칙\n제6조(위임) 세부 사항은 총장이 정한다. <신설 2026. 3. 1.>\n"
    assert [article.diff for article in compare(OLD, new).articles] == [
        ("+제2장 보칙",),
        ("+제6조(위임) 세부 사항은 총장이 정한다. <신설 2026. 3. 1.>",),
    ]


@pytest.mark.parametrize(
    "new",
    [
        OLD.replace(" ", "  "),
        OLD.replace("한다.", "한다. <개정 2026. 3. 1.>"),
        OLD.replace("(", "（").replace(")", "）"),  # noqa: RUF001
        OLD.replace("\n", "\n\n"),
        "<!-- page 1 -->\n\n" + OLD.replace("수강을", "수강을\n"),
    ],
)
def test_blanks_brackets_lines_and_marks_of_amendments_are_no_change(new: str) -> None:
    assert compare(OLD, new).changed == 0


Make = Callable[[Paper], bytes]
MAKERS: tuple[Make, ...] = (pdf, hwpx, html, hwp)


@pytest.mark.parametrize("old", MAKERS)
@pytest.mark.parametrize("new", MAKERS)
def test_the_same_paper_in_another_format_has_not_changed(old: Make, new: Make) -> None:
    for paper in (STATUTE, long_paper(30)):
        one, other = (extract(make(paper), formats=READABLE).text for make in (old, new))
        assert compare(one, other).articles == ()


def test_texts_without_articles_are_compared_as_a_whole() -> None:
    article = only("1. 가는 하나다.\n2. 나는 둘이다.", "1. 가는 하나다.\n2. 나는 셋이다.")
    assert article.key == "본문"
    assert article.diff == (" 1. 가는 하나다.", "-2. 나는 둘이다.", "+2. 나는 셋이다.")


TEXTS = st.lists(
    st.sampled_from([*OLD.split("\n"), "부칙 <1>", "제4조 삭제", "", "| 가 | 나 |"])
    | st.text("제조12()가나 ①.\n", max_size=30),
    max_size=25,
).map("\n".join)


@given(TEXTS)
def test_a_text_and_itself_have_no_difference(text: str) -> None:
    assert compare(text, text).articles == ()


@given(TEXTS, TEXTS)
def test_a_difference_survives_its_json_and_its_page_escapes_everything(old: str, new: str) -> None:
    difference = compare(old, new)
    assert Difference.from_json(difference.to_json()) == difference
    page = difference_html(difference, "<script>alert(1)</script>")
    assert "<script" not in page


@given(TEXTS, TEXTS)
def test_swapping_two_texts_swaps_what_came_and_went(old: str, new: str) -> None:
    there, back = (
        sorted(article.change for article in compare(*texts).articles)
        for texts in ((old, new), (new, old))
    )
    assert there.count("added") == back.count("removed")


def test_what_is_no_difference_is_corrupt() -> None:
    with pytest.raises(CorruptState, match="remove the object"):
        Difference.from_json(b'{"articles": [{}]}')


class TestPage:
    page = difference_html(
        compare(OLD, OLD.replace("두 학기까지", "<b>세</b> 학기까지").replace("제5조", "제7조")),
        "학사 규정 1 → 2",
    )

    def test_it_needs_nothing_beside_itself(self) -> None:
        assert not re.search(r"<script|<link|<img|src=|@import|url\(", self.page)
        assert '<html lang="ko">' in self.page
        assert "prefers-color-scheme: dark" in self.page
        assert 'name="viewport"' in self.page

    def test_it_marks_the_words_that_changed_and_escapes_them(self) -> None:
        assert "<del>두</del> 학기까지" in self.page
        assert "<ins>&lt;b&gt;세&lt;/b&gt;</ins> 학기까지" in self.page

    def test_it_names_each_article_and_counts_kinds(self) -> None:
        assert "개정 1, 이동 1" in self.page
        assert "제5조 → 제7조(복학) · 이동" in self.page

    def test_no_change_is_said(self) -> None:
        assert "달라진 내용이 없습니다." in difference_html(compare(OLD, OLD), "규정")


@given(
    st.lists(st.sampled_from("abcdef"), max_size=30),
    st.lists(st.sampled_from("abcdef"), max_size=30),
)
def test_equal_runs_are_equal_in_order_and_apart(first: list[str], second: list[str]) -> None:
    at = there = 0
    for start, new_start, length in equal_runs(first, second):
        assert length > 0
        assert start >= at
        assert new_start >= there
        assert first[start : start + length] == second[new_start : new_start + length]
        at, there = start + length, new_start + length


def test_lines_that_come_again_cost_no_more_than_others() -> None:
    """Of the product of both lengths this would be the age of the universe."""
    first = ["가", "나"] * 200_000
    assert equal_runs(first, first[::-1]) is not None
    assert (
        compare("제1조(가) " + "가다. " * 100_000, "제1조(가) " + "나다. " * 100_000).changed == 1
    )


def test_a_paper_revised_differs_where_it_was_revised() -> None:
    revised = Paper(
        STATUTE.title,
        tuple(
            text.replace("15시간", "16시간") if isinstance(text, str) else text
            for text in STATUTE.paragraphs
        ),
    )
    for make in MAKERS:
        old, new = (extract(make(paper), formats=READABLE).text for paper in (STATUTE, revised))
        assert [article.key for article in compare(old, new).articles] == ["제2조"]
