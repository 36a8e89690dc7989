"""Heads and feet of pages are told from the text, however little of it a page has."""

import pytest

from uring.extract.readers.page.layout import TextBox
from uring.extract.readers.page.paragraphs import PlacedPage, without_repeated

HEIGHT = 842.0


def line(bottom: float, text: str) -> TextBox:
    return TextBox(60, bottom, 60 + 6 * len(text), bottom + 12, text)


def page(*texts: str, foot: str) -> PlacedPage:
    """Lines from the top, 18 points apart, and a line at the foot."""
    lines = [line(760 - 18 * at, text) for at, text in enumerate(texts)]
    return PlacedPage(((*lines, line(40, foot)),), HEIGHT)


def read(*pages: PlacedPage) -> list[list[str]]:
    return [
        [line.text for column in each.columns for line in column]
        for each in without_repeated(pages)
    ]


@pytest.mark.parametrize("count", [1, 2, 3, 12])
def test_a_page_number_below_few_lines_is_no_text(count: int) -> None:
    full = tuple(f"{number}번째 줄의 글" for number in range(38))
    last = tuple(f"{number}호의 기준" for number in range(count))
    assert read(page(*full, foot="- 1 -"), page(*last, foot="- 2 -")) == [[*full], [*last]]


def test_a_number_that_follows_the_text_is_text() -> None:
    column = tuple(line(120 - 18 * at, text) for at, text in enumerate(("인원", "정원", "20")))
    assert read(PlacedPage((column,), HEIGHT)) == [["인원", "정원", "20"]]
