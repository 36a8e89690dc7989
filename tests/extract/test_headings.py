"""The first lines of articles, parts, supplements and annexes, in the spellings of the world."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.extract.articles import articles
from uring.extract.differences import compare


def keys(text: str) -> list[str]:
    return [article.key for article in articles(text)]


def key_of(line: str) -> str:
    """The key of a line as the third piece of a regulation."""
    return keys(f"제1조(목적) 목적을 정한다.\n제2조(정의) 뜻을 정한다.\n{line}\n")[2]


def begins_nothing(line: str, before: str = "제2조(정의) 뜻은 다음과 같고") -> bool:
    found = articles(f"제1조(목적) 목적을 정한다.\n{before}\n{line}\n")
    return [article.key for article in found] == ["제1조", "제2조"] and line in found[1].text


@pytest.mark.parametrize(
    "title",
    [
        *("이사회", "의료", "중앙도서관", "과징금", "가족", "각종 위원회", "은행", "을지병원"),
        *("에너지", "와인", "본문디자인", "이 사 회", "의 료", "이하선"),
    ],
)
def test_a_parts_title_may_begin_with_the_syllable_of_a_particle(title: str) -> None:
    found = articles(f"제1조(목적) 목적\n제3장 {title}\n제2조(정의) 뜻\n")
    assert [(article.key, article.title) for article in found] == [
        ("제1조", "목적"),
        ("제3장", title),
        ("제2조", "정의"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "제3장 의 규정에 따라",
        "제3장 중 제5조의 사항",
        "제3장 각 호의 사항",
        "제3장 이하의 규정",
        "제3장 본문에 따른 사항",
        "제3장 규정에 따라 처리한다.",
        "제3장에 따라",
        "제1장학금을 받은 학생",
        "제1장학금",
        "제2절차",
        "제3관계자",
        "제4장총칙",
    ],
)
def test_what_refers_to_a_part_or_is_another_word_begins_none(line: str) -> None:
    assert begins_nothing(line)


def test_a_title_may_follow_its_part_without_a_blank_in_the_order_of_parts() -> None:
    text = "제1장총칙\n제1조(목적) 목적\n제2장등록\n제2조(등록) 등록\n제3장보칙\n제3조(위임) 위임\n"
    assert keys(text) == ["제1장", "제1조", "제2장", "제2조", "제3장", "제3조"]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("제3조 이 규정은 2024년 3월 1일부터 시행한다.", "제3조"),
        ("제3조 의사는 진료한다.", "제3조"),
        ("제3조 과장은 직원을 지휘한다.", "제3조"),
        ("제3조 중간고사는 학기마다 한 번 본다.", "제3조"),
        ("제3조 각 대학은 위원을 둔다.", "제3조"),
        ("제3조 제1조각호에 해당하는 사람은 등록한다.", "제3조"),
        ("제3조. (등록) 등록한다.", "제3조"),
        ("제3조.(등록) 등록한다.", "제3조"),
        ("제3조. 학생은 등록한다.", "제3조"),
        ("第3條(登錄) 登錄한다.", "제3조"),
        ("第3條之2(登錄) 登錄한다.", "제3조의2"),
        ("제3조「등록」 학생은 등록한다.", "제3조"),
        ("제3조〔등록〕 학생은 등록한다.", "제3조"),  # noqa: RUF001
        ("제3조［등록］ 학생은 등록한다.", "제3조"),  # noqa: RUF001
        ("제2조의2 이 규정에서 학생이란 등록한 사람을 말한다.", "제2조의2"),
        ("제3조 및 제4조 삭제", "제3조"),
        ("제3조~제5조 삭제 <2024. 3. 1.>", "제3조"),
        ("[부칙]", "부칙"),
        ("<부칙>", "부칙"),
        ("【부칙】", "부칙"),
        ("附則", "부칙"),
        ("[부칙] <2024. 3. 1.>", "부칙2024.3.1."),
        ("［별표 1］", "별표1"),  # noqa: RUF001
        ("別表 1", "별표1"),
        ("[별표 1]<개정 2024. 1. 1.>", "별표1"),
        ("■ 가람대학교 학칙 [별표 1] <개정 2024. 1. 1.>", "별표1"),
        ("■ 가람대학교 학칙 [별지 제2호서식] <신설 2024. 1. 1.>", "별지2"),
        ("□ 학칙 [별표 2의2] (제3조 관련)", "별표2의2"),
        ("第3章 總則", "제3장"),
    ],
)
def test_a_heading_is_found_in_many_spellings(line: str, key: str) -> None:
    assert key_of(line) == key


@pytest.mark.parametrize(
    "line",
    [
        "제3조 이 정하는 바에 따른다.",
        "제3조 제1조각호에 해당하는 사람",
        "제9조 제1조에 따른 사람",
        "제3조. 다만, 학생은 제외한다.",
        "제3조「고등교육법」에 따라 정한다.",
        "제3조「고등교육법」 제4조에 따라 정한다.",
        "제3조 및 제4조를 삭제한다.",
        "제3조 및 제4조 삭제한 사항",
        "제3조 각 호의 사람",
        "■ 대상: [별표 1]의 학과",
        "[별표 1] 및 [별표 2]와 같다.",
        "[별표 1]과 같다.",
        "(부칙 참조) 시행한다.",
    ],
)
def test_a_line_within_a_sentence_begins_nothing(line: str) -> None:
    assert begins_nothing(line)


@pytest.mark.parametrize(
    ("line", "covered"),
    [
        ("제3조 및 제4조 삭제", ("제4조",)),
        ("제3조부터 제6조까지 삭제 <2024. 3. 1.>", ("제4조", "제5조", "제6조")),
        ("제3조, 제4조 및 제6조의2 삭제", ("제4조", "제6조의2")),
        ("제3조~제5조 <삭제 2024. 3. 1.>", ("제4조", "제5조")),
    ],
)
def test_a_range_is_deleted_as_a_whole(line: str, covered: tuple[str, ...]) -> None:
    (piece,) = articles(f"제1조(목적) 목적\n{line}\n제7조(위임) 위임\n")[1:2]
    assert (piece.key, piece.covers, piece.is_deleted) == ("제3조", covered, True)


def test_articles_that_became_a_range_are_told_as_deleted_one_by_one() -> None:
    old = "제1조(목적) 목적을 정한다.\n" + "".join(
        f"제{number}조(조항 {number}) 총장은 {number}번째 사항을 정한다.\n"
        for number in range(2, 6)
    )
    new = f"{old[: old.index('제2조')]}제2조부터 제4조까지 삭제\n{old[old.index('제5조') :]}"
    assert [(change.key, change.change) for change in compare(old, new).articles] == [
        ("제2조", "deleted"),
        ("제3조", "deleted"),
        ("제4조", "deleted"),
    ]


def test_an_article_whose_mark_says_deleted_is_deleted() -> None:
    (article,) = compare(
        "제1조(가) 가를 정한다.\n제2조(나) 나를 정한다.",
        "제1조(가) 가를 정한다.\n제2조 <삭제 2024. 3. 1.>",
    ).articles
    assert (article.key, article.change) == ("제2조", "deleted")


def test_a_changed_heading_is_told_under_its_own_name() -> None:
    old = (
        "제1장 총칙\n제1조(목적) 목적\n제2장 이사회\n제2조(구성) 구성\n■ 학칙 [별표 1]\n정원 3명\n"
    )
    parts = compare(old, old.replace("이사회", "의료원")).articles
    assert [(change.key, change.title) for change in parts] == [("제2장", "의료원")]
    annex = compare(
        old, old.replace("3명", "4명").replace("[별표 1]", "[별표 1] <개정 2024. 1. 1.>")
    )
    assert [change.key for change in annex.articles] == ["별표1"]


# A corpus of our own: statutes of all these spellings, with lines that only refer.
PARTS = st.sampled_from(
    [
        "총칙",
        "이사회",
        "의료",
        "중앙도서관",
        "과징금",
        "각종 위원회",
        "가족",
        "보 칙",
        "은행",
        "학사",
    ]
)
PART_MARKS = st.sampled_from(["", " <개정 2024. 1. 1.>"])
HEADS = st.sampled_from(
    [
        "제{0}조(목적) 이 규정은 목적을 정한다.",
        "제 {0} 조 ( 정의 ) ① 뜻은 다음과 같다.",
        "제{0}조【등록】 학생은 등록한다.",
        "제{0}조. (휴학) 학생은 휴학한다.",
        "第{0}條(復學) 학생은 복학한다.",
        "제{0}조 이 규정은 2024년 3월 1일부터 시행한다.",
        "제{0}조 위원은 총장이 위촉한다.",
        "제{0}조 의사는 환자를 진료한다.",
        "제{0}조 삭제 <2024. 1. 1.>",
        "**제{0}조(적용)** 학부에 적용한다.",
    ]
)
LINES = st.lists(
    st.sampled_from(
        [
            "① 학생은 제3조에 따라 등록한다.",
            "1. 제1장 및 제2장의 사항",
            "다. 유효기간",
            "제3조에 따라 등록한 학생은 휴학할 수 있다.",
            "제3조(등록)에 따른 학생",
            "제2장 의 규정에 따라 정한다.",
            "제5조 및 제6조를 준용한다.",
            "별표와 같다.",
            "[별표 1]과 같다.",
            "부칙에 따라 시행한다.",
            "| 과목 | 학점 |",
            "",
        ]
    ),
    max_size=3,
)
PIECES = st.lists(st.tuples(HEADS, LINES), min_size=1, max_size=4)


@given(
    st.lists(st.tuples(PARTS, PART_MARKS, PIECES), min_size=1, max_size=4),
    st.sampled_from(["부칙", "[부칙]", "附則", "## 부    칙 <제1호, 2024. 3. 1.>"]),
    st.sampled_from(["[별표 1]", "■ 학칙 [별표 1] <개정 2024. 1. 1.>", "［별표 1］ 정원"]),  # noqa: RUF001
)
def test_every_heading_of_a_statute_and_nothing_else_begins_a_piece(
    parts: list[tuple[str, str, list[tuple[str, list[str]]]]], supplement: str, annex: str
) -> None:
    lines: list[str] = []
    due: list[str] = []
    number = 0
    for at, (title, mark, pieces) in enumerate(parts, start=1):
        lines.append(f"제{at}장 {title}{mark}")
        due.append(f"제{at}장")
        for head, rest in pieces:
            number += 1
            lines += [head.format(number), *rest]
            due.append(f"제{number}조")
    lines += [supplement, "제1조 이 규정은 공포한 날부터 시행한다.", annex, "학과 30"]
    found = keys("\n".join(lines))
    name = "부칙제1호,2024.3.1." if "제1호" in supplement else "부칙"
    assert found == [*due, name, f"{name}/제1조", "별표1"]
