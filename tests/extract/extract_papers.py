"""Papers of invented universities, and what every reader has to say of them."""

import re

from uring_local.sites.files.paper import Cell, Paper, Table, table

STAFF = table(
    ("직급", Cell("정원", 1, 2)),
    (Cell("교원", 2), "교수", "120"),
    ("조교", "3|4"),
)
STATUTE = Paper(
    "가람대학교 학칙",
    (
        "제1장 총칙",
        (
            "제1조(목적) 이 학칙은 「고등교육법」 제6조에 따라 가람대학교의 조직과 운영에 필요한 "
            "사항을 정함을 목적으로 한다."
        ),
        '제2조(정의) ① 이 학칙에서 "학점"이란 15시간을 말한다.\n② 그 밖의 용어는 총장이 정한다.',
        "제2조의2(적용 범위) 학부와\t대학원에 적용한다.",
        STAFF,
        "제2장 학사",
        "제3조 삭제 <2025. 3. 1.>",
        "부칙 <제1호, 2026. 3. 1.>",
        "제1조(시행일) 이 학칙은 공포한 날부터 시행한다.",
        "[별표 1] 수수료",
    ),
)


def long_paper(articles: int = 60) -> Paper:
    """A regulation of several pages."""
    return Paper(
        "누리대학교 학사 규정",
        tuple(
            f"제{number}조(조항 {number}) 총장은 누리대학교의 {number}번째 사항을 학사위원회의 "
            "심의를 거쳐 정하고, 그 밖의 사항은 교무처장이 정하여 지체 없이 학생에게 알려야 한다."
            for number in range(1, articles + 1)
        ),
    )


def words(text: str) -> str:
    """The text without blanks and Markdown's marks."""
    text = re.sub(r"<!-- page \d+ -->|^\|(?:---\|)+$|^#+ ", "", text, flags=re.MULTILINE)
    return "".join(text.replace("\\|", "").replace("|", "").split())


def said(paper: Paper) -> str:
    """What a paper says, in order, without blanks."""
    texts = [paper.title]
    for paragraph in paper.paragraphs:
        if isinstance(paragraph, Table):
            texts += [cell.text.replace("|", "") for _, _, cell in paragraph.placed()]
        else:
            texts.append(paragraph)
    return "".join("".join(texts).split())
