"""The page of a difference: old and new side by side, and nothing marked that did not change."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from uring.extract.differences import ArticleChange, Difference, compare
from uring.extract.effective import Effective
from uring.extract.page.difference_html import MOST_LETTERS, difference_html
from uring.extract.page.marks import marks, normal
from uring.extract.spelling import letter_places, letters_at, squeezed

OLD = """제1장 총칙
제1조(목적) 이 규정은 가람대학교의 학사에 필요한 사항을 정함을 목적으로 한다.
제2장 등록과 수강
제2조(등록) 학생은 매 학기 정해진 기간에 등록하여야 한다.
제3조(수강) ① 학생은 수강을 신청한다. ② 신청한 과목은 바꿀 수 있다. ③ 그 밖의 것은 총장이 정한다.
제4조(휴학) 학생은 총장의 허가를 받아 두 학기까지 휴학할 수 있다.
제5조(복학) 휴학한 학생은 휴학한 기간이 끝나면 복학하여야 한다.
"""
MOVED = "자리만 옮겨졌습니다"


def page_of(old: str, new: str, title: str = "규정") -> str:
    return difference_html(compare(old, new), title)


def marked(page: str) -> list[str]:
    return re.findall(r"<(?:del|ins)>(.*?)</", page, re.DOTALL)


def one(old: str, new: str) -> list[str]:
    return marked(page_of(f"제1조(가) {old}", f"제1조(가) {new}"))


class Reader(HTMLParser):
    """The rows of a page: kind, letters of the old side, letters of the new side."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[tuple[str, str, str]] = []
        self.tags: list[str] = []
        self._side: str | None = None
        self._found = {"was": "", "now": ""}
        self._kind = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        name = dict(attrs).get("class") or ""
        if tag == "tr" and name:
            self._kind, self._found = name, {"was": "", "now": ""}
        elif tag == "td" and name in self._found:
            self._side = name

    def handle_data(self, data: str) -> None:
        if self._side:
            self._found[self._side] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr" and self._found["was"] and self._found["now"]:
            row = (self._kind, self._found["was"], self._found["now"])
            if not self.rows or self.rows[-1][:2] != row[:2]:
                self.rows.append(row)


PAGE = page_of(
    OLD,
    OLD.replace("두 학기까지", "<b>세</b> 학기까지").replace("제5조", "제7조"),
    "학사 규정 1 → 2",
)


def test_it_needs_nothing_beside_itself() -> None:
    assert not re.search(r"<script|<link|<img|src=|@import|url\(", PAGE)
    assert '<html lang="ko">' in PAGE
    assert "prefers-color-scheme: dark" in PAGE
    assert 'name="viewport"' in PAGE
    assert "default-src 'none'; style-src 'unsafe-inline'" in PAGE


def test_old_and_new_stand_side_by_side_below_their_heads() -> None:
    assert '<th scope="col" role="columnheader">구 (개정 전)</th>' in PAGE
    rows = Reader(page_of(OLD, OLD.replace("바꿀 수 있다", "바꿀 수 없다"))).rows
    assert rows == [
        ("same", *["제3조(수강)① 학생은 수강을 신청한다."] * 2),
        ("change", "② 신청한 과목은 바꿀 수 있다.", "② 신청한 과목은 바꿀 수 없다."),
        ("same", *["③ 그 밖의 것은 총장이 정한다."] * 2),
    ]


def test_the_old_side_has_the_old_marks_of_amendment_and_breaks() -> None:
    old = OLD.replace("신청한다.", "신청한다. <개정 2024. 3. 1.>")
    new = OLD.replace("신청한다.", "신청\n한다. <개정 2024. 3. 1., 2025.\n3. 1.>\n")
    page = page_of(old, new.replace("정해진 기간에", "기간 안에").replace("것은", "일은"))
    assert Reader(page).rows[1] == (
        "same",
        "제3조(수강)① 학생은 수강을 신청한다. <개정 2024. 3. 1.>② 신청한 과목은 바꿀 수 있다.",
        (
            "제3조(수강)① 학생은 수강을 신청 한다. <개정 2024. 3. 1., 2025. 3. 1.>"
            "② 신청한 과목은 바꿀 수 있다."
        ),
    )


def test_it_marks_the_words_that_changed_and_escapes_them() -> None:
    assert "<del>두</del> 학기까지" in PAGE
    assert "<ins>&lt;b&gt;세&lt;/b&gt;</ins> 학기까지" in PAGE


def test_it_names_each_article_its_chapter_and_counts_kinds() -> None:
    assert "개정 1, 이동 1" in PAGE
    assert "제5조 → 제7조(복학) · 이동" in PAGE
    assert "<del>제5조</del>(복학)" in PAGE
    assert "<ins>제7조</ins>(복학)" in PAGE
    assert '<p class="quiet under">제2장 등록과 수강</p>' in PAGE


def test_what_came_and_went_stands_beside_a_word_for_it() -> None:
    last = OLD.splitlines()[-1]
    there, back = page_of(OLD.replace(last, ""), OLD), page_of(OLD, OLD.replace(last, ""))
    assert ("come", "<신설>", last) in Reader(there).rows
    assert ("gone", last, "<삭제>") in Reader(back).rows
    assert "· 신설" in there
    assert "· 없어짐" in back


def test_an_article_that_only_moved_is_said_to_have_moved() -> None:
    lines = OLD.splitlines()
    moved = [*lines[:5], lines[6], lines[5], *lines[7:]]
    page = page_of(OLD, "\n".join(moved))
    assert MOVED in page
    assert marked(page) == []


def test_the_same_words_are_said_to_be_so() -> None:
    page = page_of(OLD, OLD.replace(" ", "  "))
    assert "조문의 말은 그대로입니다. 띄어쓰기, 줄바꿈, 부호의 모양, 개정 표시는" in page


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("총장은 정한다.", "학장은 정한다.", ["총장은", "학장은"]),
        ("총장은 정한다.", "부총장은 정한다.", ["부"]),
        ("위원 회의 구성과 운영은 한다.", "위원회의 구 성과 절차는 한다.", ["운영은", "절차는"]),
        ("구성과운영은 한다.", "구성과 절차는 한다.", ["운영은", "절차는"]),
        ("구성과 운영은 한다.", "구성\n과 운영 은 안 한다.", ["안"]),
        (
            "정한다. <개정 2024. 1. 1.> 끝",
            "정한다. <개정 2024. 1. 1., 2025. 3. 1.> 시작",
            ["끝", "시작"],
        ),
        ("교육·연구를 한다.", "교육ㆍ봉사를 한다.", ["연구를", "봉사를"]),
        ("2026년 3월에 한다.", "2027년 3월에 한다.", ["2026년", "2027년"]),
        ("20\n26년에 한다.", "2026년에 안 한다.", ["안"]),
        ("가  2  30 이다.", "가  23  0 이다.", ["2  30", "23  0"]),
        ("“총장”이라 한다.", '"총장"이라 안 한다.', ["안"]),
    ],
)
def test_letters_are_marked_by_words_and_breaks_are_not(
    old: str, new: str, found: list[str]
) -> None:
    assert one(old, new) == found


def test_a_line_of_marks_alone_is_not_called_new() -> None:
    old = "제1조(가) 하나다.\n① 둘이다.\n② 셋이다.\n"
    new = old.replace("하나", "넷").replace("둘이다.\n", "둘이다.\n\n<개정 2026. 3. 1.>\n\n")
    page = page_of(old, new)
    assert "&lt;개정 2026. 3. 1.&gt;" in page
    assert "신설" not in page


def test_a_mark_of_amendment_that_a_line_breaks_is_not_marked() -> None:
    old = OLD.replace("신청한다.", "신청한다. <개정 2024.\n3. 1.>")
    new = OLD.replace("신청한다.", "신청한다. <개정 2024. 3. 1.,\n2025. 3. 1.>")
    assert marked(page_of(old, new.replace("바꿀 수 있다", "바꿀 수 없다"))) == ["있다.", "없다."]


def table(*rows: str) -> str:
    lines = ["제1조(과목) 과목은 다음과 같다.", "", "| 과목 | 필수 | 선택 |", "|---|---|---|"]
    return "\n".join([*lines, *rows, ""])


def test_a_table_is_one_and_its_cells_are_marked() -> None:
    old, new = table("| 윤리 | 2 | 30 |"), table("| 윤리 | 23 | 0 |")
    page = page_of(old, new)
    assert marked(page) == ["2", "30", "23", "0"]
    assert "<tr><td>윤리</td><td><ins>23</ins></td><td><ins>0</ins></td></tr>" in page


def test_the_first_row_of_a_table_stands_above_a_change_far_below() -> None:
    rows = [f"| 과목 {number} | ○ |  |" for number in range(30)]
    old = table(*rows)
    (article,) = compare(old, old.replace("| 과목 25 | ○ |  |", "| 과목 25 |  | ○ |")).articles
    assert article.diff[:4] == (
        " 제1조(과목) 과목은 다음과 같다.",
        " | 과목 | 필수 | 선택 |",
        "@23",
        " | 과목 23 | ○ |  |",
    )
    assert article.diff[-2:] == (" | 과목 27 | ○ |  |", "@2") or article.diff[-1].startswith(" ")


def test_a_table_of_many_columns_can_be_reached_by_keys() -> None:
    wide = "| 1 | 2 | 3 | 4 | 5 | 6 |"
    page = page_of(table(wide), table(wide.replace("6", "7")))
    assert page.count('<div class="wide" role="group" tabindex="0" aria-label="표">') == 2


def test_the_date_of_coming_into_force_stands_at_the_head() -> None:
    difference = compare(OLD, OLD.replace("두", "세"))
    page = difference_html(difference, "규정", Effective("2026-03-01", "다만, <제5조>는 …"))
    assert '<p>시행 <time datetime="2026-03-01">2026. 3. 1.</time></p>' in page
    assert "시행일: 다만, &lt;제5조&gt;는 …" in page
    assert "시행" not in difference_html(difference, "규정")


def test_controls_that_turn_letters_around_are_shown_by_their_code() -> None:
    page = page_of(OLD, OLD.replace("두 학기", "\u202e두 학기\u2066\x07"))
    assert "[U+202E]두" in page
    assert not set("\u202e\u2066\x07") & set(page)


def test_a_change_that_no_letter_shows_is_marked_whole() -> None:
    assert marks(["| 가 | 나 |"], ["| 가나 |"]) == ([[(0, 9)]], [[(0, 6)]])
    assert marks(["가 <삭제>"], ["가"]) == ([[(0, 6)]], [[(0, 1)]])


class TestBounds:
    def test_a_long_unchanged_stretch_is_shortened(self) -> None:
        filler = "".join(f"{number}째 말 " for number in range(10_000))
        page = page_of(f"제1조(가) {filler}하나 {filler}끝", f"제1조(가) {filler}둘 {filler}끝")
        assert marked(page) == ["하나", "둘"]
        assert "자는 같음" in page
        assert len(page) < 20_000

    def test_a_page_has_so_many_letters_and_names_the_rest(self) -> None:
        long = "가나다라 " * (MOST_LETTERS // 5)
        articles = [
            ArticleChange(key=f"제{number}조", change="added", diff=(f"+{long}", "+끝"))
            for number in (1, 2)
        ]
        page = difference_html(Difference(articles=tuple(articles), before=0, after=2), "규정")
        assert len(page) < MOST_LETTERS + 20_000
        assert "제2조 · 신설" in page
        assert "나머지 1줄은 너무 길어 이 쪽에 없습니다" in page
        assert "나머지 2줄은 너무 길어 이 쪽에 없습니다" in page

    def test_many_short_lines_are_cut_like_a_few_long_ones(self) -> None:
        """Their markup is most of the page: 300,000 of them were forty megabytes."""
        signs = "-" * 50_000 + "+" * 50_000
        lines = tuple(f"{sign}{at}" for at, sign in enumerate(signs))
        change = ArticleChange(key="제1조", change="changed", diff=lines)
        page = difference_html(Difference(articles=(change,), before=1, after=1), "학칙")
        assert len(page) < 5 * MOST_LETTERS
        left = re.search(r"나머지 (\d+)줄은 너무 길어", page)
        assert left
        assert int(left[1]) + 2 * page.count('class="change"') == 100_000

    def test_lines_too_long_for_letters_are_marked_between_their_ends(self) -> None:
        one, other = "가 " * 60_000, "나 " * 60_000
        assert marks(["처음", f"{one}끝"], ["처음", f"{other}끝"]) == (
            [[], [(0, 119_999)]],
            [[], [(0, 119_999)]],
        )
        assert marks([one], [f"{one}나"]) == ([[]], [[(120_000, 120_001)]])

    def test_a_long_article_shows_both_sides(self) -> None:
        page = page_of("제1조(가) " + "가 " * 250_000, "제1조(가) " + "나 " * 250_000)
        assert [text[0] for text in marked(page)] == ["가", "나"]
        assert len(page) < MOST_LETTERS + 20_000

    @pytest.mark.parametrize("part", ["가 ", "&<", "1 ", "| 가 ", "<개정 "])
    def test_a_third_of_a_megabyte_costs_its_length(self, part: str) -> None:
        text = part * (300_000 // len(part))
        page = page_of(f"제1조(가) {text}하나", f"제1조(가) 둘 {text}")
        assert marked(page)
        assert len(page) < 15_000_000


LINES = st.lists(
    st.sampled_from(
        [
            *OLD.split("\n"),
            "부칙 <1>",
            "제4조 삭제",
            "| 가 | 나 |",
            "| 가 |  | 2 |",
            "2 30",
            "<개정",
        ]
    )
    | st.text("제12조(가 \n|<>개정2024.①\u200b", max_size=30),
    max_size=15,
).map("\n".join)


@given(LINES, LINES)
def test_a_page_marks_something_if_and_only_if_the_texts_differ(old: str, new: str) -> None:
    difference = compare(old, new)
    page = difference_html(difference, "<script>alert(1)</script>")
    assert "<script" not in page
    for number, article in enumerate(difference.articles):
        shown = page.partition(f'<article id="a{number}">')[2].partition("</article>")[0]
        assert marked(shown) or MOVED in shown, article
    if squeezed(old) == squeezed(new) and not difference.articles:
        assert "그대로입니다" in page


@given(LINES)
def test_breaks_and_blanks_are_never_marked(text: str) -> None:
    other = text.replace("학생은", "학 생은").replace("한다.", "한다.  <개정 2026. 3. 1.>")
    assert "그대로입니다" in page_of(text, other)


@given(LINES.map(normal), LINES.map(normal))
def test_what_is_not_marked_reads_equal(old: str, new: str) -> None:
    """Without the marked letters both sides have the same letters in the same order."""
    sides = old.split("\n"), new.split("\n")
    assume(not any(line.startswith("|") for side in sides for line in side))
    left = []
    for lines, spans in zip(sides, marks(*sides), strict=True):
        text, marked_places = "\n".join(lines), set()
        base = 0
        for line, own in zip(lines, spans, strict=True):
            for start, end in own:
                marked_places |= set(range(base + start, base + end))
            base += len(line) + 1
        places = [place for place in letter_places(text) if place[0] not in marked_places]
        left.append(letters_at(text, places))
    assert left[0] == left[1]


@given(LINES)
def test_the_letters_are_those_that_are_compared(text: str) -> None:
    text = normal(text)
    letters = "".join(letters_at(text, letter_places(text)))
    assert letters == squeezed(text)


def test_a_row_of_many_changed_cells_costs_its_length() -> None:
    old, new = ("".join(f"| {letter}{at} " for at in range(20_000)) + "|" for letter in "ab")
    difference = compare(old, new)
    began = time.process_time()
    page = difference_html(difference, "규정")
    assert time.process_time() - began < 8
    assert len(marked(page)) == 40_000


def test_a_border_within_a_cell_is_shown_as_it_was_printed() -> None:
    page = page_of("| a\\|b | c |", "| a\\|b | d |")
    assert page.count("<td>a|b</td>") == 2
    assert marked(page) == ["c", "d"]
