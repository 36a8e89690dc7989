"""Headings over several lines of a PDF: the same at every width of the lines."""

import re

import pytest
from pdf_pages import page, text

from uring.extract.articles import articles
from uring.extract.differences import compare
from uring.extract.readers import pdf
from uring.extract.readers.reading import ExtractLimits
from uring_local.sites.files.paper import Paper
from uring_local.sites.files.pdf import pdf as pdf_of

PARAGRAPHS = (
    "가람대학교 산학협력단의 설립과 운영에 관한 규정",
    "제1장 산학협력단의 조직과 그 운영에 관하여 필요한 사항을 정하는 총칙",
    "제1조(목적) 이 규정은 가람대학교 산학협력단의 조직과 운영을 정함을 목적으로 한다.",
    "제2조(다른 규정과의 관계와 그 적용 범위에 관한 특례) 다른 규정이 정하는 경우에는 그에 따른다.",
    "제2장 산학협력과 지식재산의 관리를 위한 위원회의 구성",
    "제3조(위원회) 위원회는 제2장의 규정에 따라 구성하며, 제1조의 목적을 위하여 위원을 둔다.",
    "부칙(교육공무원 등의 정원 조정을 위한 규정의 일부개정에 관한 법률) <제20511호,2024.10.22>",
    "제1조(시행일) 이 규정은 공포한 날부터 시행한다.",
    "부칙 <제3호, 2025. 3. 1., 가람대학교 직제 규정의 일부를 개정하는 규정>",
    "이 규정은 2025년 3월 1일부터 시행한다.",
    "■ 가람대학교 산학협력단의 설립과 운영에 관한 규정 [별표 1] <개정 2025. 3. 1.>",
    "산학협력단이 쓰는 수수료의 기준",
)
KEYS = [
    "머리",
    "제1장",
    "제1조",
    "제2조",
    "제2장",
    "제3조",
    "부칙교육공무원등의정원조정을위한규정의일부개정에관한법률제20511호,2024.10.22",
    "부칙교육공무원등의정원조정을위한규정의일부개정에관한법률제20511호,2024.10.22/제1조",
    "부칙제3호,2025.3.1.,가람대학교직제규정의일부를개정하는규정",
    "별표1",
]


def broken(words: str, width: int) -> list[str]:
    """The lines of a paragraph, broken at any letter but within a number, as in Hangul."""
    lines = [""]
    for piece in re.findall(r"[\d.,]+|.", words):
        if len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def laid_out(width: int) -> str:
    """The text of a page whose lines have so many letters."""
    lines = [line for each in PARAGRAPHS for line in broken(each, width)]
    body = page(*(text(40, 780 - 13 * at, line, size=10) for at, line in enumerate(lines)))
    return pdf.read(body, ExtractLimits()).text


@pytest.mark.parametrize("width", range(16, 51))
def test_every_width_gives_the_same_headings_and_no_change(width: int) -> None:
    wide, narrow = laid_out(51), laid_out(width)
    assert [each.key for each in articles(narrow)] == KEYS
    assert compare(wide, narrow).articles == ()
    assert compare(narrow, wide).articles == ()


def test_a_title_over_two_lines_is_the_article_s_title() -> None:
    for width in range(16, 51):
        title = articles(laid_out(width))[3].title
        assert title.replace(" ", "") == "다른규정과의관계와그적용범위에관한특례"


@pytest.mark.parametrize("header", ["누리 규정집", "누리대학교 학칙"])
def test_a_page_that_grows_to_two_keeps_its_head(header: str) -> None:
    title = "누리대학교 학칙"
    one = Paper(title, ("제1조(목적) 이 학칙은 목적을 정한다.",))
    more = tuple(f"제{number}조(조항) 총장이 {number}번째로 정한다." for number in range(2, 60))
    texts = [
        pdf.read(pdf_of(paper, header=header, numbered=True), ExtractLimits())
        for paper in (one, Paper(title, one.paragraphs + more))
    ]
    assert texts[1].pages == 2
    assert texts[1].text.count(header) == texts[0].text.count(header)
    changes = compare(texts[0].text, texts[1].text).articles
    assert [each.key for each in changes] == [f"제{number}조" for number in range(2, 60)]
