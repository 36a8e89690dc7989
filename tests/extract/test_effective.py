"""The date of coming into force: read where the text gives one, never guessed."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.extract.effective import Effective, effective_of, effective_of_change

BODY = "제1조(목적) 이 규정은 가람대학교의 학사를 정한다.\n제2조(등록) 학생은 등록한다.\n"
OLD = f"{BODY}\n부칙 <2024. 2. 1.>\n제1조(시행일) 이 규정은 2024년 3월 1일부터 시행한다.\n"


def of(sentence: str, heading: str = "부칙") -> Effective:
    return effective_of(f"{BODY}\n{heading}\n{sentence}\n")


@pytest.mark.parametrize("when", ["공포한 날로부터", "공포 즉시", "공포와 동시에", "발령일부터"])
def test_the_day_of_promulgation_has_other_words(when: str) -> None:
    assert of(f"이 규정은 {when} 시행한다.", "부칙(2026.2.1.)") == Effective("2026-02-01")


@pytest.mark.parametrize(
    "subject", ["이 학칙 시행에 필요한 세칙은", "이 규정과 관련된 지침은", "이 규정을 위한 내규는"]
)
def test_a_sentence_about_another_rule_gives_no_date(subject: str) -> None:
    assert of(f"{subject} 2026년 9월 1일부터 시행한다.").date is None
    assert of("이 학칙 시행세칙은 2026년 9월 1일부터 시행한다.").date == "2026-09-01"


@pytest.mark.parametrize(
    "sentence",
    [
        "제1조(시행일) 이 규정은 2026년 3월 1일부터 시행한다.",
        "이 규정은 2026. 3. 1.부터 시행한다.",
        "이 개정 학칙은 2026. 03. 01부터 시행한다",
        "① (시행일) 이 세칙은 2026-03-01부터 시행한다.",
        "1. (시행일) 본 규정은 2026년 3월 1일자로 시행함",
        "이 규정은 2026년 3월 1일부로 시행한다.",
        "제1조(시행일) 2026년 3월 1일부터 시행한다.",
        "이 규정은 2026년 3월 1일(일)부터 시행한다.",
        "이 규정은 2026.\n3. 1.부터 시행한다.",
        "제1조 (시 행 일) 이 규정은 2026년 3월\n1일부터 시행한다.\n제2조(경과조치) 종전에 따른다.",
        "이 규정은 ２０２６년 ３월 １일부터 시행한다.",
        "이 정관은 2026년 3월 1일에 시행한다.",
        "이 개정규정은 2026년 3월 1일부터 시행한다.",
        "제1조(시행일) ① 이 규정은 2026년 3월 1일부터 시행한다.",
    ],
)
def test_a_calendar_date_is_read(sentence: str) -> None:
    assert of(sentence) == Effective("2026-03-01")


@pytest.mark.parametrize(
    ("heading", "at"),
    [
        ("부칙 <2026. 2. 1.>", "2026-02-01"),
        ("부칙 <제12호, 2026. 2. 1.>", "2026-02-01"),
        ("부칙(2026.2.1.)", "2026-02-01"),
        ("부 칙\n<2026년 2월 1일>", "2026-02-01"),
        ("부칙", None),
        ("부칙 <제12호>", None),
        ("부칙 <2026. 2. 1., 2026. 2. 3.>", None),
        ("부칙 <2026. 2. 1 5차 개정>", "2026-02-01"),
    ],
)
def test_the_day_of_promulgation_is_the_supplements_own_date(heading: str, at: str | None) -> None:
    found = of("이 규정은 공포한 날부터 시행한다.", heading)
    assert found.date == at
    assert found.text == ("" if at else "이 규정은 공포한 날부터 시행한다.")


@pytest.mark.parametrize(
    "sentence",
    [
        "이 규정은 2026학년도 1학기부터 시행한다.",
        "이 법은 공포 후 6개월이 경과한 날부터 시행한다.",
        "이 규정은 총장의 승인을 받은 날부터 시행한다.",
        "이 규정은 이사회가 의결한 날부터 시행한다.",
        "이 규정은 '26. 3. 1.부터 시행한다.",
        "이 규정은 26. 3. 1.부터 시행한다.",
        "이 규정은 2026년 3월부터 시행한다.",
        "이 규정은 2026년 2월 30일부터 시행한다.",
        "이 규정은 2026년 3월 1일 또는 총장이 정하는 날부터 시행한다.",
        "제5조의 개정규정은 2026년 3월 1일부터 시행한다.",
        "이 규정 중 별표 1은 2026년 3월 1일부터 시행한다.",
        "이 규정 중 개정규정은 2026년 3월 1일부터 시행한다.",
        "이 학칙의 별표 개정규정은 2026년 3월 1일부터 시행한다.",
        "이 규정은 2026년 3월 1일 이후부터 시행한다.",
        "이 법은 다음 각 호의 구분에 따른 날부터 시행한다.",
    ],
)
def test_what_is_no_calendar_date_is_told_in_its_own_words(sentence: str) -> None:
    assert of(sentence, "부칙 <2026. 2. 1.>") == Effective(None, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "제2조(경과조치) 이 규정 시행 당시의 학생에게는 종전의 규정을 따른다.",
        "이 규정의 시행에 필요한 사항은 총장이 정한다.",
        "제2조(적용례) 이 규정은 2026년 3월 1일부터 입학하는 사람에게 적용한다.",
    ],
)
def test_a_sentence_about_something_else_says_nothing(sentence: str) -> None:
    assert of(sentence) == Effective()


@pytest.mark.parametrize(
    "sentence",
    [
        "이 규정은 2026년 3월 1일부터 시행한다. 다만, 제5조는 2027년 1월 1일부터 시행한다.",
        "이 규정은 2026년 3월 1일부터 시행하되, 제5조는 2027년 1월 1일부터 적용한다.",
        "제1조(시행일) ① 이 규정은 2026년 3월 1일부터 시행한다. ② 제5조는 공포한 날부터 시행한다.",
    ],
)
def test_other_dates_of_some_articles_are_told_beside_the_date(sentence: str) -> None:
    assert of(sentence) == Effective("2026-03-01", sentence)


@pytest.mark.parametrize(
    ("sentence", "heading", "at"),
    [
        ("This Regulation shall enter into force on March 1, 2026.", "Addenda", "2026-03-01"),
        ("Article 1 (Date) These rules take effect from 1 March 2026.", "ADDENDUM", "2026-03-01"),
        (
            "This Act comes into effect as of 2026-03-01.",
            "## Supplementary Provisions",
            "2026-03-01",
        ),
        (
            "This Decree shall enter into force on the date of its promulgation.",
            "Addenda <Presidential Decree No. 12, Feb. 1, 2026>",
            "2026-02-01",
        ),
        ("This Act shall enter into force six months after its promulgation.", "Addenda", None),
        ("Article 5 shall enter into force on March 1, 2026.", "Addenda", None),
    ],
)
def test_an_english_supplement_is_read(sentence: str, heading: str, at: str | None) -> None:
    found = effective_of(f"Article 1 (Purpose) Rules of the school.\n\n{heading}\n{sentence}\n")
    assert found == Effective(at, "" if at else sentence)


def test_an_exception_in_english_is_told_beside_the_date() -> None:
    sentence = "This Act shall enter into force on March 1, 2026, except Article 5."
    assert effective_of(f"Addenda\n{sentence}\n") == Effective("2026-03-01", sentence)


class TestChange:
    def test_the_new_supplement_counts(self) -> None:
        new = f"{OLD}부칙 <2026. 2. 1.>\n이 규정은 2026년 3월 1일부터 시행한다.\n"
        assert effective_of_change(OLD, new) == Effective("2026-03-01")
        assert effective_of(new) == Effective("2026-03-01")

    def test_an_old_supplement_says_nothing_of_a_change(self) -> None:
        assert effective_of_change(OLD, OLD.replace("등록한다", "등록하여야 한다")) == Effective()
        assert effective_of(OLD) == Effective("2024-03-01")

    def test_other_breaks_and_another_heading_make_no_supplement_new(self) -> None:
        other = OLD.replace("부칙 <2024. 2. 1.>", "부 칙 (2024.2.1.)").replace(
            "3월 1일", "3월\n1일"
        )
        assert effective_of_change(OLD, other) == Effective()

    def test_a_sentence_of_many_supplements_belongs_to_the_new_one(self) -> None:
        sentence = "이 규정은 공포한 날부터 시행한다."
        old = f"{BODY}부칙 <2024. 2. 1.>\n{sentence}\n"
        new = f"{old}부칙 <2026. 2. 1.>\n{sentence}\n"
        assert effective_of_change(old, new) == Effective("2026-02-01")
        first = f"{BODY}부칙 <2026. 2. 1.>\n{sentence}\n부칙 <2024. 2. 1.>\n{sentence}\n"
        assert effective_of_change(old, first) == Effective("2026-02-01")

    def test_supplements_that_the_old_file_did_not_show_are_not_new(self) -> None:
        new = f"{OLD}부칙 <2026. 2. 1.>\n이 규정은 2026년 3월 1일부터 시행한다.\n"
        assert effective_of_change(BODY, new) == Effective()
        assert effective_of_change(BODY, OLD) == Effective("2024-03-01")

    @pytest.mark.parametrize(
        "again",
        [
            "이 규정은 2024. 3. 1.부터 시행한다.",
            "① (시행일) 이 규정은 2024년 3월 1일부터 시행한다.",
            "제1조(시행일) 본 규정은 2024년 3월 1일부터 시행한다.",
        ],
    )
    @pytest.mark.parametrize(
        ("more", "at"),
        [
            ("", None),
            ("부칙 <2026. 2. 1.>\n이 규정은 총장의 승인을 받아 시행한다.\n", None),
            ("부칙 <2026. 2. 1.>\n이 규정은 공포 즉시 시행한다.\n", "2026-02-01"),
        ],
    )
    def test_an_old_sentence_in_another_spelling_is_not_new(
        self, again: str, more: str, at: str | None
    ) -> None:
        new = f"{BODY}\n부칙 <2024. 2. 1.>\n{again}\n{more}"
        assert effective_of_change(OLD, new) == Effective(at)

    def test_which_of_two_is_new_is_not_guessed(self) -> None:
        sentence = "이 규정은 공포한 날부터 시행한다."
        old = f"{BODY}부칙\n{sentence}\n"
        new = f"{BODY}부칙 <2024. 2. 1.>\n{sentence}\n부칙 <2026. 2. 1.>\n{sentence}\n"
        assert effective_of_change(old, new) == Effective(None, sentence)

    def test_a_sentence_that_is_replaced_in_its_supplement_counts(self) -> None:
        new = OLD.replace("2024년 3월", "2026년 9월")
        assert effective_of_change(OLD, new) == Effective("2026-09-01")


def several(*ats: str) -> str:
    supplements = (f"부칙\n이 규정은 {at}부터 시행한다.\n" for at in ats)
    return f"{BODY}{''.join(supplements)}"


def test_of_several_supplements_the_newest_counts_in_either_order() -> None:
    ats = ("2020. 3. 1.", "2022. 3. 1.", "2026. 3. 1.")
    assert effective_of(several(*ats)) == Effective("2026-03-01")
    assert effective_of(several(*ats[::-1])) == Effective("2026-03-01")


def test_without_an_order_no_supplement_is_the_newest() -> None:
    assert effective_of(several("2022. 3. 1.", "2020. 3. 1.", "2026. 3. 1.")) == Effective()
    assert effective_of(several("2022. 3. 1.", "공포한 날")) == Effective()


def test_the_dates_of_headings_show_the_order_before_those_of_coming_into_force() -> None:
    """A supplement may come into force later than a newer one."""
    first, *others = (
        "부칙\n이 규정은 공포한 날부터 시행한다.\n",
        "부칙 <2026. 3. 9.>\n이 규정은 2026년 4월 1일부터 시행한다.\n",
        "부칙 <2026. 3. 12.>\n이 규정은 공포한 날로부터 시행한다.\n",
        "부칙 <2026. 3. 20.>\n이 규정은 2026학년도 2학기부터 시행한다.\n",
    )
    assert effective_of(BODY + first + "".join(others[:2])) == Effective("2026-03-12")
    words = Effective(None, "이 규정은 2026학년도 2학기부터 시행한다.")
    assert effective_of(BODY + first + "".join(others)) == words
    assert effective_of(BODY + "".join(others[::-1])) == words
    assert effective_of_change(BODY + first, BODY + first + "".join(others)) == words


def test_headings_of_one_date_show_no_order() -> None:
    new, old = (
        f"부칙 <2026. 3. 9.>\n이 규정은 2026년 {month}월 1일부터 시행한다.\n" for month in (5, 4)
    )
    assert (
        effective_of(BODY + new + old) == effective_of(BODY + old + new) == Effective("2026-05-01")
    )


def test_of_a_list_in_one_supplement_the_last_item_counts() -> None:
    items = [
        "1. 이 규정은 1999년 3월 1일부터 시행한다.",
        "2. 이 개정규정은 2005년 3월 1일부터 시행한다.",
        "3. 이 개정규정은 2026년 3월 1일부터 시행한다.",
    ]
    assert of("\n".join(items)) == Effective("2026-03-01")
    assert of("\n".join([*items[1:], items[0]])) == Effective()
    by_semester = "3. 이 개정규정은 2026학년도 1학기부터 시행한다."
    assert of("\n".join([*items[:2], by_semester])) == Effective(None, by_semester)
    assert of("\n".join([items[0], by_semester])) == Effective()
    english = "1. This Act takes effect on March 1, 1999.\n2. This Act takes effect on May 1, 2026."
    assert of(english, "Addenda") == Effective("2026-05-01")
    one, other = ("\n".join([BODY, "부칙", *items[:count], ""]) for count in (2, 3))
    assert effective_of_change(one, other) == Effective("2026-03-01")
    assert effective_of_change(BODY, other) == Effective()


@pytest.mark.parametrize(
    "sentence",
    [
        "이 규정 중 교원에 관한 규정은 2027년 1월 1일부터 시행한다.",
        "이 규정의 수당에 관한 규정은 2027년 1월 1일부터 시행한다.",
        "이 규정에 따른 지침은 2027년 1월 1일부터 시행한다.",
        "이 규칙 제정 당시의 규정은 2027년 1월 1일부터 시행한다.",
        "This Article shall enter into force on March 1, 2026.",
        "These provisions of the Annex take effect on March 1, 2026.",
        "This Regulation except Article Five shall enter into force on March 1, 2026.",
        "This Regulation shall not enter into force on March 1, 2026.",
        "This Regulation shall cease to be effective on March 1, 2026.",
        "This Regulation may enter into force on March 1, 2026.",
    ],
)
def test_the_date_of_a_part_and_one_that_is_denied_are_not_the_regulations(sentence: str) -> None:
    heading = "Addenda <February 1, 2026>" if sentence.isascii() else "부칙 <2026. 2. 1.>"
    assert of(sentence, heading) == Effective(None, sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "이 규정은 2026년 3월 1일부터 시행한다는 부칙을 삭제한다.",
        "이 규정은 2026년 3월 1일부터 시행한다고 정한 때에는 이를 따른다.",
        "이 규정은 2026년 3월 1일부터 시행함을 원칙으로 한다.",
    ],
)
def test_a_sentence_that_goes_on_to_something_else_says_nothing(sentence: str) -> None:
    assert of(sentence) == Effective()


@pytest.mark.parametrize(
    "sentence",
    [
        "이 규정은 2026년 3월 1일부터 시행한다(다만, 신입생은 2027년부터로 한다).",
        "이 규정은 2026년 3월 1일부터 시행한다.(단, 제5조는 2027년 1월 1일부터 시행한다.)",
        "This Act takes effect on March 1, 2026. However, Article 5 takes effect on May 1, 2027.",
    ],
)
def test_an_exception_beside_the_sentence_is_told(sentence: str) -> None:
    heading = "Addenda" if sentence.isascii() else "부칙"
    assert of(sentence, heading) == Effective("2026-03-01", sentence)


def test_an_annex_behind_a_supplement_is_none_of_it() -> None:
    assert (
        effective_of(f"{BODY}부칙\n[별표 1]\n이 기준은 2026년 3월 1일부터 시행한다.\n").date is None
    )


def test_the_words_are_bounded() -> None:
    found = of(f"이 규정은 {'아주 ' * 300}오랜 뒤의 날부터 시행한다.")
    assert found.date is None
    assert len(found.text) <= 200


def test_a_hostile_text_costs_its_length() -> None:
    for part in ("부칙\n", "이 규정은 ", "다.\n", "\n ", "이 규정은 2026년부터 시행", "Addenda\n"):
        text = f"부칙\n{part * 30_000}\n"
        assert effective_of_change(text, f"{text}부칙\n") is not None


PARTS = st.sampled_from(
    [
        *("부칙\n", "부칙 <2026. 2. 1.>\n", "제1조(시행일) ", "이 규정은 ", "공포한 날", "부터 "),
        *(
            "2026년 3월 1일",
            "2026. 13. 1.",
            "시행한다.\n",
            "시행하되, ",
            "다만, ",
            "\n",
            "[별표 1]\n",
        ),
        *("Addenda\n", "This Act shall enter into force on ", "March 1, 2026", ".\n"),
    ]
)


@given(st.lists(PARTS | st.text(max_size=5), max_size=25), st.lists(PARTS, max_size=25))
def test_a_date_is_a_date_and_a_text_and_itself_have_none(old: list[str], new: list[str]) -> None:
    one, other = "".join(old), "".join(new)
    for found in (effective_of(one), effective_of_change(one, other)):
        assert found.date is None or date.fromisoformat(found.date)
        assert len(found.text) <= 200
    assert effective_of_change(one, one) == Effective()
