"""What changed between two texts: by article, in any format, in time that text cannot choose."""

import re
from collections.abc import Callable

import pytest
from extract_papers import STATUTE, long_paper
from hwp_writer import hwp
from hypothesis import given
from hypothesis import strategies as st

from uring.errors import CorruptState
from uring.extract.differences import ArticleChange, Difference, compare
from uring.extract.extract import extract
from uring.extract.formats import READABLE
from uring.extract.patience import equal_runs
from uring.extract.spelling import squeezed
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


def test_a_number_that_a_line_breaks_is_the_same_number() -> None:
    old = "제1조(목적) 2026년 3월 1일부터 100명을 뽑는다. <개정 2026. 3. 1.>"
    new = (
        old.replace("2026년", "20\n26년")
        .replace("100", "1\n00")
        .replace("<개정 2026", "<개정 20\n26")
    )
    assert compare(old, new).articles == ()
    (change,) = compare(old, new.replace("뽑는다", "뽑지 않는다")).articles
    assert change.diff[1].startswith("+제1조(목적) 20\n26년 3월 1일부터 1\n00명을 뽑지 않는다.")


@given(TEXTS)
def test_a_text_and_itself_have_no_difference(text: str) -> None:
    assert compare(text, text).articles == ()


@given(TEXTS, TEXTS)
def test_texts_without_a_change_read_equal(old: str, new: str) -> None:
    if not compare(old, new).articles:
        assert squeezed(old) == squeezed(new)


@given(TEXTS, st.integers(0, 9))
def test_other_blanks_and_marks_of_amendments_change_nothing(text: str, at: int) -> None:
    lines = text.split("\n")
    lines.insert(min(at, len(lines)), "<개정 2026. 3. 1.>")
    assert compare(text, "\n\n".join(lines)).articles == ()


@given(TEXTS, TEXTS)
def test_a_difference_survives_its_json(old: str, new: str) -> None:
    difference = compare(old, new)
    assert Difference.from_json(difference.to_json()) == difference


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


def table(*rows: str) -> str:
    return "\n".join(
        ["제1조(과목) 과목은 다음과 같다.", "", rows[0], "|---|---|---|", *rows[1:], ""]
    )


NAMES = "| 과목 | 필수 | 선택 |"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("| 교육학개론 | ○ |  |",), ("| 교육학개론 |  | ○ |",)),
        (("| 교육학개론 | 2 | 30 |",), ("| 교육학개론 | 23 | 0 |",)),
        (("| 가 | 나 |  |", "| 다 |  |  |"), ("| 가 |  |  |", "| 나 | 다 |  |")),
        (("| 가 | 나\\|다 |  |",), ("| 가 | 나 | 다 |",)),
    ],
    ids=["a mark", "digits", "a row", "a letter that looks like a border"],
)
def test_what_moves_to_another_cell_is_a_change(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    article = only(table(NAMES, *old), table(NAMES, *new))
    assert (article.change, article.key) == ("changed", "제1조")
    assert {line for line in article.diff if line[0] == "+"} == {f"+{row}" for row in new}


def test_digits_that_move_in_a_table_of_a_pdf_are_a_change() -> None:
    old = "제1조(과목) 과목은 다음과 같다.\n교육학개론  2  30\n"
    assert only(old, old.replace("2  30", "23  0")).change == "changed"
    assert compare(old, old.replace("  ", " ")).articles == ()


def test_a_table_equals_the_lines_that_a_pdf_has_for_it() -> None:
    old = table(NAMES, "| 교육학개론 | 2 | 30 |", "| 윤리 |  | ○ |")
    lines = ["제1조(과목) 과목은 다음과 같다.", "과목  필수  선택", "교육학개론  2  30", "윤리  ○"]
    assert compare(old, "\n".join(lines)).articles == ()


def test_an_empty_column_at_the_end_of_a_table_says_nothing() -> None:
    old = table(NAMES, "| 교육학개론 | ○ |  |")
    new = old.replace(" |\n", " |  |\n").replace("|---|\n", "|---|---|\n")
    assert compare(old, new).articles == ()


@pytest.mark.parametrize(
    "mark",
    [
        *("<개정 2024. 3. 1.>", "<개정 2024. 3. 1., 2025. 3. 1.>", "[본조신설 2024.3.1]", "<삭제>"),
        *(
            "[전문개정]",
            "[제12조에서 이동, 종전 제13조는 제14조로 이동 <2024. 3. 1.>]",
            "(개정 2024-03-01)",
        ),
        *(
            "[2024년 3월 1일 개정]",
            "<개정 2024. 3. 1. 규칙 제12호>",
            "〈신설 2024. 3. 1.〉",
            "<2024. 3. 1.>",
        ),
    ],
)
def test_a_mark_of_amendment_is_no_change(mark: str) -> None:
    assert compare(OLD, OLD.replace("한다.", f"한다. {mark}")).articles == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[개정 대상 학과는 제외한다]", "[개정 대상 학과는 포함한다]"),
        ("[신설 학과]", "[신설 전공]"),
        ("<개정 2024. 3. 1. 학과는 제외한다>", "<개정 2024. 3. 1. 학과는 포함한다>"),
        ("", "(신설)"),
        ("", "<2024>"),
        ("(2024. 3. 1.)", "(2025. 3. 1.)"),
    ],
)
def test_a_bracket_that_only_begins_like_a_mark_is_text(old: str, new: str) -> None:
    article = only(f"{OLD}제6조(학과) 학과를 둔다. {old}", f"{OLD}제6조(학과) 학과를 둔다. {new}")
    assert (article.key, article.change) == ("제6조", "changed")


def test_another_article_that_a_supplement_names_first_is_a_change() -> None:
    old = f"{OLD}부칙\n이 규정은 공포한 날부터 시행하되, 제3조는 2027년부터 시행한다.\n"
    assert changes(old, old.replace("되, 제3조", "되, 제4조")) == [("changed", "", "부칙")]


def test_an_article_that_moves_into_another_chapter_has_moved() -> None:
    lines = ["제1장 총칙", *OLD.splitlines()[:3], "제2장 학적", *OLD.splitlines()[3:]]
    moved = [*lines[:3], lines[4], lines[3], *lines[5:]]
    (change,) = compare("\n".join(lines), "\n".join(moved)).articles
    assert (change.change, change.previous_key) == ("renumbered", "")
    assert change.key == "제3조"


def test_a_heading_that_more_than_one_article_moves_over_has_moved() -> None:
    lines = ["제1장 총칙", *OLD.splitlines()[:3], "제2장 학적", *OLD.splitlines()[3:]]
    moved = [*lines[:2], lines[4], *lines[2:4], *lines[5:]]
    assert changes("\n".join(lines), "\n".join(moved)) == [("renumbered", "", "제2장")]


def test_a_renumbered_article_without_a_title_is_known_by_its_words() -> None:
    lines = [re.sub(r"\(.+?\)", "", line) for line in OLD.splitlines()]
    new = "제3조 학생증은 총장이 발급하며, 잃어버린 사람에게는 다시 발급할 수 있다."
    behind = [
        "제4조" + lines[2][3:].replace("바꿀 수 있다", "바꿀 수 없다"),
        "제5조" + lines[3][3:],
    ]
    assert changes("\n".join(lines[:4]), "\n".join([*lines[:2], new, *behind])) == [
        ("added", "", "제3조"),
        ("renumbered", "제3조", "제4조"),
        ("renumbered", "제4조", "제5조"),
    ]


def test_an_item_whose_letter_is_da_is_one_line() -> None:
    old = "제1조(가) 다음 각 호와 같다.\n가. 명칭\n나. 목적이다. 또 있다.\n다. 유효기간\n"
    assert only(old, old.replace("유효기간", "유효 기한")).diff[-2:] == (
        "-다. 유효기간",
        "+다. 유효 기한",
    )


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


def test_an_article_that_says_it_is_deleted_was_not_moved() -> None:
    """A new one with its title and like words is another article."""
    old = (
        "제1조(목적) 목적을 정한다.\n"
        "제2조(특례) 위원회는 신청일부터 14일 이내에 서면으로 의견을 들어 정하여야 한다.\n"
        "제3조(보고) 위원회는 총장에게 보고한다."
    )
    new = (
        "제1조(목적) 목적을 정한다.\n"
        "제2조 삭제 <2026. 3. 9.>\n"
        "제3조(보고) 위원회는 총장에게 보고한다.\n"
        "제4조(특례) 위원회는 신청일부터 14일 이내에 심의를 거쳐 의견을 들어 정하여야 한다."
    )
    found = {each.key: (each.change, each.previous_key) for each in compare(old, new).articles}
    assert found == {"제2조": ("deleted", ""), "제4조": ("added", "")}
