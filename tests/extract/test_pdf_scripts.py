"""Text that is not written from left to right, in the order in which it is read."""

import time

import pytest
from pdf_pages import LATIN, page, text

from uring.extract.readers import pdf
from uring.extract.readers.page.brackets import with_brackets
from uring.extract.readers.page.scripts import PlacedLetter, downwards, leftwards
from uring.extract.readers.reading import ExtractLimits

ALEF = "\u0627"


def visual(words: str, apart: str = " ") -> list[PlacedLetter]:
    """Letters as they stand on the page, given from the left; ``apart`` parts PDFium's words."""
    letters: list[PlacedLetter] = []
    for at, char in enumerate(words):
        if char != " ":
            word = words[:at].count(apart)
            letters.append(PlacedLetter(char, word, at * 5, 0, at * 5 + 5, 10))
    return letters


def from_right(words: str) -> str:
    return leftwards(visual(words)).text


@pytest.mark.parametrize(
    ("shown", "read"),
    [
        ("םולש", "שלום"),
        (".1 ףיעס", "סעיף 1."),
        ("2024 תנשב", "בשנת 2024"),
        ("טפשמ Adobe PDF 2.0 לש", "של Adobe PDF 2.0 משפט"),
        ("12 15", "15 12"),
        ("ماظن", "نظام"),
        ("٢٠٢٤ ماع", "عام ٢٠٢٤"),
        ("ﻡﻼﺳ", "سلام"),
    ],
)
def test_letters_from_the_right_are_read_by_place(shown: str, read: str) -> None:
    assert from_right(shown) == read


def test_the_order_of_drawing_does_not_count() -> None:
    letters = visual("2024 תנשב םולש")
    assert leftwards(letters[::-1]).text == leftwards(letters).text == "שלום בשנת 2024"


def test_joined_letters_of_a_word_may_stand_apart() -> None:
    letters = [PlacedLetter(ALEF, 0, 12, 0, 15, 10), PlacedLetter("م", 0, 5, 0, 9, 10)]
    assert leftwards(letters).text == f"{ALEF}م"
    apart = [PlacedLetter(ALEF, 0, 12, 0, 15, 10), PlacedLetter("م", 1, 5, 0, 9, 10)]
    assert leftwards(apart).text == f"{ALEF} م"


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("חוק (12) של", "חוק (12) של"),
        ("חוק )12( של", "חוק (12) של"),
        ("חוק (12( של [א]", "חוק (12) של [א]"),
        ("סעיף 1) כללי", "סעיף 1) כללי"),
    ],
)
def test_brackets_open_before_they_close(line: str, read: str) -> None:
    assert with_brackets(line) == read


def test_letters_below_each_other_have_blanks_where_the_gap_is_wide() -> None:
    places = [(0, 10), (12, 22), (28, 38)]
    letters = [
        PlacedLetter(char, 0, left, 0, right, 10)
        for char, (left, right) in zip("이학칙", places, strict=True)
    ]
    assert [word.text for word in downwards(letters)] == ["이학", "칙"]


def test_vertical_columns_are_read_from_the_right_with_blanks_and_digits() -> None:
    def column(x: int, words: str) -> list[bytes]:
        places = []
        y = 760.0
        for char in words:
            y -= 5 if char == " " else 7 if char.isdigit() else 13
            if char.isdigit():
                places.append(text(x + 2, y + 5, char, LATIN, turn="0 -1 1 0"))
            elif char != " ":
                places.append(text(x, y, char))
        return places

    reading = pdf.read(
        page(*column(500, "제2조 정의는 다음과 같다"), *column(530, "제1조 목적을 정한다")),
        ExtractLimits(),
    )
    found = [line for line in reading.text.split("\n") if line][1:]
    assert found == ["제1조 목적을 정한다", "제2조 정의는 다음과 같다"]


def test_long_marks_of_vertical_text_have_a_place_of_their_own() -> None:
    body = page(text(500, 760, "제ˇ조ˇ는"), encoding="KSCms-UHC-V")
    assert pdf.read(body, ExtractLimits()).text == "<!-- page 1 -->\n\n제ˇ조ˇ는\n"


def test_turned_text_keeps_the_blanks_that_are_given() -> None:
    words = text(300, 700, "This is written down", LATIN, turn="0 -1 1 0")
    assert (
        pdf.read(page(words), ExtractLimits()).text == "<!-- page 1 -->\n\nThis is written down\n"
    )


def test_a_line_of_numbers_costs_its_length() -> None:
    line = [*"1%" * 30_000, "א"]
    letters = [
        PlacedLetter(char, 0, at * 5, 0, at * 5 + 5, 10) for at, char in enumerate(reversed(line))
    ]
    began = time.process_time()
    found = leftwards(letters)
    assert time.process_time() - began < 6
    assert found.text.count("1") == 30_000
