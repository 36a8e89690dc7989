"""A file that two titles name on one day: a row that left, and a former title that came back."""

import pytest

from uring_local.sites.registry.journal import Journal
from uring_local.sites.registry.model import BYEOLHA, Article, File, Page, Row

OTHERS = tuple(Row(f"규정 {number}", str(number), 0, str(number)) for number in range(3, 11))


def file(number: str, words: str, until: int = 0) -> File:
    articles = (Article("제1조", "목적", words),)
    return File(
        number, "보수 세칙", "hwpx", articles, (), (), "missing" if until else "sound", until
    )


FILES = {row.file_no: file(row.file_no, "그대로") for row in OTHERS} | {
    "1": file("1", "처음"),
    "2": file("2", "다음", until=4),
    "99": file("99", "옛날"),
}
PAY, RULES = Row("보수 세칙", "1", 0, "1"), Row("보수 시행세칙", "99", 0, "99")
EDITED = Row("보수 세칙", "2", 0, "1")
DAYS = [
    (PAY, RULES),
    (PAY,),
    (PAY,),
    (EDITED,),  # its file cannot be read, until the day after
    (Row("보수 시행세칙", "2", 0, "1"),),
]


@pytest.mark.parametrize(
    ("letters", "is_due"), [(set[str](), True), ({"보수 세칙"}, False), (None, False)]
)
def test_the_letter_tells_for_which_title_it_was_read(
    letters: set[str] | None,
    is_due: bool,  # noqa: FBT001
) -> None:
    journal = Journal(BYEOLHA, FILES)
    for day, rows in enumerate(DAYS, start=1):
        journal.observe(day, Page((*rows, *OTHERS)))
        if day < len(DAYS):
            journal.asked(day, frozenset())
    assert journal.dead_letters.keys() == {"보수 세칙"}
    journal.asked(len(DAYS), frozenset({"2"}), letters)
    pushed = [each.title for each in journal.pushes if each.kind == "text_changed"]
    assert ("보수 세칙" in pushed) == is_due
    assert ("보수 세칙" in journal.dead_letters) == (not is_due)


def test_a_title_that_was_gone_yesterday_counts_among_those_of_a_cut_list() -> None:
    """One of ten was gone, and two more are: more than a fifth, so nothing is deleted."""
    journal = Journal(BYEOLHA, FILES)
    for day, rows in enumerate([(PAY, RULES, *OTHERS), (PAY, *OTHERS), OTHERS[1:]], start=1):
        journal.observe(day, Page(rows))
    assert [run["status"] for run in journal.runs.values()] == ["success", "success", "failed"]
    assert journal.known[RULES.title].is_active
