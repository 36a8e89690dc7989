"""Numbers of styles, counted as the word processor counts them."""

import pytest

from uring.extract.readers.hancom.numbering import (
    SHAPES,
    Heading,
    Kind,
    Level,
    ListCounters,
    NumberedStyles,
    Numbering,
    joined,
    spelled,
)


class Counted(ListCounters):
    """The lists of definitions, asked without styles."""

    def __init__(self, definitions: dict[str, Numbering]) -> None:
        super().__init__(NumberedStyles({}, definitions))

    def next(self, kind: Kind, definition: str, level: int) -> str | None:
        return self.count(Heading(kind, definition, level))


def numbering(*starts: int, continues: bool = True, text: str = "^1.") -> Numbering:
    """Levels as Hancom makes them: ``1.``, ``가.``, ``1)``, ``가)``."""
    first, second, third, fourth = (*starts, 1, 1, 1, 1)[:4]
    return Numbering(
        (
            Level(text, "DIGIT", first),
            Level("^2.", "HANGUL_SYLLABLE", second),
            Level("^3)", "DIGIT", third),
            Level("^4)", "HANGUL_SYLLABLE", fourth),
        ),
        continues,
    )


def test_lists_are_counted_as_hancom_office_counts_them() -> None:
    """The labels that Hancom Office 12.30 gave such a document: six lists in three sections."""
    counters = Counted(
        {
            "1": numbering(),
            "2": numbering(),
            "3": numbering(1, continues=False),
            "4": numbering(),
            "5": numbering(7, continues=False),
            "6": numbering(9, continues=False),
        }
    )

    def outline(level: int) -> str | None:
        return counters.next("outline", "", level)

    def numbers(definition: str, *levels: int) -> list[str | None]:
        return [counters.next("number", definition, level) for level in levels]

    counters.begin_section("1")
    assert [outline(0), outline(1), *numbers("2", 0, 0)] == ["1.", "가.", "1.", "2."]
    counters.begin_section("4")
    assert [*numbers("2", 0), outline(1), outline(3)] == ["3.", "나.", "가)"]
    # A level that is skipped has its first number, so that the next one is the second.
    assert numbers("3", 0, 2, 1, 0, 0) == ["1.", "1)", "나.", "2.", "3."]
    assert outline(0) == "2."
    counters.begin_section("5")
    assert outline(0) == "7."
    assert numbers("3", 0, 0) + numbers("6", 0, 0) + numbers("3", 0) + numbers("6", 0) == [
        *["4.", "5.", "9.", "10.", "6.", "11."]
    ]


def test_a_number_empties_the_deeper_levels() -> None:
    counters = Counted({"1": numbering(1, 3)})
    labels = [counters.next("number", "1", level) for level in (0, 1, 1, 0, 1)]
    assert labels == ["1.", "다.", "라.", "2.", "다."]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("제^1조의^2", "제2조의가"),
        ("^n", "2.가"),
        ("^N", "2.가."),
        ("^10)", "20)"),
        ("(^4)^", "(라)^"),
        ("^0^x^9", "^0^x^9"),
    ],
)
def test_a_label_is_made_of_the_numbers_of_levels(text: str, label: str) -> None:
    levels = numbering(1, 1, 1, 4).levels
    counters = Counted({"1": Numbering((levels[0], Level(text, "HANGUL_SYLLABLE"), *levels[2:]))})
    assert [counters.next("number", "1", level) for level in (0, 0, 1)][-1] == label


def test_an_outline_without_definition_is_hancoms_own() -> None:
    counters = Counted({})
    counters.begin_section("0")
    assert [counters.next("outline", "9", level) for level in (0, 1, 2)] == [
        *["1.", "1.1.", "1.1.1."]
    ]
    assert counters.next("number", "9", 0) is None


@pytest.mark.parametrize(
    ("shape", "numbers", "label"),
    [
        ("DIGIT", (1, 12), "1 12"),
        ("CIRCLED_DIGIT", (1, 20, 21, 35, 36, 50, 51), "① ⑳ ㉑ ㉟ ㊱ ㊿ 51"),
        ("ROMAN_CAPITAL", (4, 1994), "IV MCMXCIV"),
        ("ROMAN_SMALL", (9,), "ix"),
        ("LATIN_SMALL", (1, 26, 27), "a z a"),
        ("CIRCLED_LATIN_CAPITAL", (1, 26), "Ⓐ Ⓩ"),
        ("HANGUL_SYLLABLE", (1, 14, 15, 16, 29), "가 하 거 너 고"),
        ("CIRCLED_HANGUL_SYLLABLE", (1, 14), "㉮ ㉻"),
        ("HANGUL_JAMO", (1, 14), "ㄱ ㅎ"),
        ("CIRCLED_HANGUL_JAMO", (1, 14), "㉠ ㉭"),
        ("HANGUL_PHONETIC", (1, 10, 11, 20, 34), "일 십 십일 이십 삼십사"),
        ("IDEOGRAPH", (3, 99, 100), "三 九十九 100"),
        ("CIRCLED_IDEOGRAPH", (1, 10), "㊀ ㊉"),
        ("DECAGON_CIRCLE", (1, 11), "갑 갑"),
        ("SYMBOL", (3,), "3"),
    ],
)
def test_numbers_are_spelled_in_their_shape(
    shape: str, numbers: tuple[int, ...], label: str
) -> None:
    assert " ".join(spelled(number, shape) for number in numbers) == label


def test_no_number_makes_a_long_label() -> None:
    counters = Counted(
        {
            "1": Numbering((Level("^1", "ROMAN_SMALL", 10**12),)),
            "2": Numbering((Level("^N" * 1_000_000, "ROMAN_SMALL", 10**12),)),
        }
    )
    assert len(counters.next("number", "1", 0) or "") < 100
    assert len(counters.next("number", "2", 0) or "") <= 200
    assert all(spelled(65_535, shape) for shape in SHAPES)


def test_an_article_keeps_its_title_at_its_number() -> None:
    assert joined("제1조", "(목적) 이 규정은") == "제1조(목적) 이 규정은"
    assert joined("1.", "(가) 연구비") == "1. (가) 연구비"
    assert joined("①", " 연구비") == "① 연구비"
    assert joined("", "연구비") == "연구비"
