"""Articles: what begins one, what is a reference, and that no line is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.extract.articles import articles
from uring.extract.differences import compare
from uring.extract.spelling import squeezed

TEXT = """# 가람대학교 학칙

제정 2020. 3. 1.

## 제1장 총칙

### 제1절 목적

제1조(목적) 이 학칙은 목적을 정한다.
제 2 조 (정의(대학원 포함)) ① 뜻은 다음과 같다.
**제2조의2(적용 범위)** 학부에 적용한다.

제7조의2의3[특례] 특례를 둔다.
제8조 삭제 <2020. 1. 1.>
제9조 ① 항으로 시작한다.
제10조 학생은 등록하여야 한다.

## 제2장의2 보칙

### 제1절 그 밖

제11조(위임)
총장이 정한다.

## 부    칙 <제1호, 2020. 3. 1.>

제1조(시행일) 공포한 날부터 시행한다.

부칙(2024. 3. 1.)

제1조(시행일) 2024년 3월 1일부터 시행한다.
제2조(경과조치) 종전의 규정에 따른다.

부 칙

이 규정은 공포한 날부터 시행한다.

[별표 1] 정원표
<별표 2의2>
[별지 제1호서식] 신청서
별지 제2-1호 서식
"""
KEYS = [
    "머리",
    "제1장",
    "제1장/제1절",
    "제1조",
    "제2조",
    "제2조의2",
    "제7조의2의3",
    "제8조",
    "제9조",
    "제10조",
    "제2장의2",
    "제2장의2/제1절",
    "제11조",
    "부칙제1호,2020.3.1.",
    "부칙제1호,2020.3.1./제1조",
    "부칙2024.3.1.",
    "부칙2024.3.1./제1조",
    "부칙2024.3.1./제2조",
    "부칙",
    "별표1",
    "별표2의2",
    "별지1",
    "별지2-1",
]


def test_every_article_has_a_key_of_its_own() -> None:
    assert [article.key for article in articles(TEXT)] == KEYS


def test_titles_are_those_in_brackets_and_behind_parts() -> None:
    titles = {article.key: article.title for article in articles(TEXT)}
    assert titles["제2조"] == "정의(대학원 포함)"
    assert titles["제7조의2의3"] == "특례"
    assert titles["제2장의2"] == "보칙"
    assert titles["별표1"] == "정원표"
    assert titles["제10조"] == titles["제8조"] == ""


def test_an_article_that_says_only_so_is_deleted() -> None:
    assert [article.key for article in articles(TEXT) if article.is_deleted] == ["제8조"]


@pytest.mark.parametrize(
    "line",
    [
        "제3조 제1항에 따른 사항은 총장이 정한다.",
        "제3조(등록)에 따른 학생은 휴학할 수 있다.",
        "제3조 및 제4조를 준용한다.",
        "제3조에 따라 등록한 학생은 휴학할 수 있다.",
        "제3조, 제4조 또는 제5조의 학생",
        "제1조 학생은 앞에서 온 번호를 가리킨다.",
        "별표 1과 같이 정한다.",
        "별표와 같다.",
        "부칙에 따라 시행한다.",
        "제1장 및 제2장을 적용한다.",
        "제123456조(없음) 수가 길다.",
    ],
)
def test_a_reference_at_a_lines_begin_begins_no_article(line: str) -> None:
    found = articles(f"제1조(목적) 목적\n제2조(정의) 뜻은 다음과 같고\n{line}\n")
    assert [article.key for article in found] == ["제1조", "제2조"]
    assert line in found[1].text


def test_an_article_that_comes_again_is_counted() -> None:
    assert [article.key for article in articles("제1조(가) 가\n제1조(나) 나")] == [
        "제1조",
        "제1조#2",
    ]


def test_pages_end_no_article() -> None:
    text = "<!-- page 1 -->\n\n제1조(목적) 목적을\n\n<!-- page 2 -->\n\n정한다.\n\n제2조(정의) 뜻"
    assert articles(text)[0].text == "제1조(목적) 목적을\n정한다."


def test_without_articles_headings_part_a_text_and_without_them_nothing_does() -> None:
    assert [article.key for article in articles("앞\n# 하나\n가\n## 둘 셋\n나")] == [
        "머리",
        "하나",
        "둘셋",
    ]
    assert [article.key for article in articles("1. 가\n2. 나")] == ["본문"]
    assert articles("") == ()


LINES = st.lists(
    st.sampled_from([*TEXT.split("\n"), "제3조(등록)에 따른", "", "| 가 | 나 |"])
    | st.text("제조의장절부칙별표12()[]<> ①삭제", max_size=12),
    max_size=40,
)


@given(LINES)
def test_articles_hold_every_line_once_and_have_one_key_each(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = articles(text)
    assert "".join("".join(article.text.split()) for article in found) == "".join(text.split())
    assert len({article.key for article in found}) == len(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("제1조(목적) 목적을 정한다.", "제1조 ( 목적 )목적을\n정한다."),
        ("“학점”이란", '"학점"이란'),
        ("가ㆍ나", "가·나"),
        ("가～나", "가~나"),  # noqa: RUF001
        ("정한다. <개정 2024. 3. 1.>", "정한다."),
        ("정한다. [본조신설 2024. 3. 1.]", "정한다."),
        ("정한다. <2024. 3. 1.>", "정한다."),
        ("## 제1장 총칙", "제1장 총칙"),
        ("| 가 | 나 |\n|---|---|\n| 1 | 2 |", "가  나\n1  2"),
    ],
)
def test_what_looks_otherwise_and_says_the_same_is_the_same(one: str, other: str) -> None:
    assert squeezed(one) == squeezed(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 30", "23 0"),
        ("1 10명", "110명"),
        ("1.5", "15"),
        ("가-나", "가나"),
        ("<별표 1>", "<별표 2>"),
        ("[가]", "[나]"),
    ],
)
def test_what_says_something_else_is_not_the_same(one: str, other: str) -> None:
    assert squeezed(one) != squeezed(other)


@pytest.mark.parametrize("between", ["\n", "\n\n<!-- page 2 -->\n\n"], ids=["a line", "a page"])
@pytest.mark.parametrize(
    ("head", "key"),
    [
        ("부칙 (직제 규정의 일부개정에 관한 규정) <제1호, 2010. 5. / 1.>", None),
        ("부칙 (직제 규정의 일부개정에 / 관한 규정) <제1호, 2010. 5. 1.>", None),
        ("부칙 (직제 규정의 일부개정에 관한 규정) / <제1호, 2010. 5. 1.>", None),
        ("■ 가람대학교 학칙 [별표 1] <개정 2025. / 9. 1.>", "별표1"),
    ],
)
def test_a_heading_goes_on_in_the_next_line(head: str, key: str | None, between: str) -> None:
    text = f"제1조(목적) 목적이다.\n{head.replace(' / ', between)}\n제1조(시행일) 곧 시행한다."
    name = key or "부칙직제규정의일부개정에관한규정제1호,2010.5.1."
    assert [each.key for each in articles(text)] == ["제1조", name, f"{name}/제1조"]


def test_an_annex_behind_a_supplement_is_no_part_of_its_heading() -> None:
    text = "제1조(목적) 목적이다.\n부칙 <제1호>\n[별표 1]\n수수료"
    assert [each.key for each in articles(text)] == ["제1조", "부칙제1호", "별표1"]


def test_an_article_that_begins_with_a_reference_may_follow_removed_ones() -> None:
    text = "제1조 목적이다.\n제4조 제1조에 따라 정한다.\n제30조 제1조에 따라 다시 정한다."
    assert [each.key for each in articles(text)] == ["제1조", "제4조"]


@pytest.mark.parametrize("leader", [" ········ ", "......", " … ", " ", " . . . . "])
def test_a_line_of_a_table_of_contents_is_no_heading(leader: str) -> None:
    names = ["제1장 총칙", "제1조(목적)", "제2조(정의)", "부칙", "[별표 1] 수수료"]
    contents = "\n".join(f"{name}{leader}{page}" for page, name in enumerate(names, 1))
    words = [
        "제1장 총칙",
        "제1조(목적) 목적이다.",
        "제2조(정의) 정의이다.",
        "부칙",
        "[별표 1] 수수료",
    ]
    pieces = articles("\n".join(["학칙", "목 차", contents, *words]))
    assert [each.key for each in pieces] == ["머리", "제1장", "제1조", "제2조", "부칙", "별표1"]


def test_a_heading_that_ends_with_a_number_is_one_outside_a_table_of_contents() -> None:
    text = "목차\n제1장 총칙 1\n\n제1조(목적) 목적이다.\n제2장 사업 2\n제2조(정의) 정의이다."
    assert [each.key for each in articles(text)] == ["머리", "제1조", "제2장", "제2조"]


def test_an_article_with_dots_and_a_number_in_its_line_is_one() -> None:
    text = "제1조(목적) 목적이다.\n제2조(정의) 가, 나 … 등 다음 각 호의 3"
    assert [each.key for each in articles(text)] == ["제1조", "제2조"]


def test_dots_to_the_end_of_a_long_line_take_no_time() -> None:
    assert len(articles("제1조(목적) 목적이다.\n" + "제2조(정의) " + ". " * 500_000)) == 2


def test_a_text_of_too_many_articles_keeps_every_line_in_its_last_piece() -> None:
    """Half a million of them would take the parser's memory."""
    lines = [f"제{at}조(가) 나 {at}" for at in range(1, 9_999)] * 2
    pieces = articles("\n".join(lines))
    assert len(pieces) == 10_001
    assert "\n".join(piece.text for piece in pieces) == "\n".join(lines)
    last = [*lines[:-1], f"{lines[-1]} 다"]
    (changed,) = compare("\n".join(lines), "\n".join(last)).articles
    assert (changed.key, changed.change) == (pieces[-1].key, "changed")


def test_a_run_of_empty_lines_takes_no_time() -> None:
    """A paragraph of nothing but breaks is a megabyte of a file."""
    assert len(articles("제1조(목적) 목적이다." + "\n" * 400_000 + "제2조(정의) 정의이다.")) == 2
