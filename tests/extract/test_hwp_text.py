"""What an HWP 5 file prints is its text, and nothing else is."""

import struct

import pytest
from extract_papers import STATUTE
from hwp_writer import (
    control,
    encode,
    hwp,
    listed,
    numbering,
    paragraph,
    place,
    record,
    shape,
    string,
)

from uring.extract.articles import articles
from uring.extract.readers import hwp as reader
from uring.extract.readers.reading import ExtractLimits, FileReading

TABLE = place(11)


def read(body: bytes, info: bytes | None = None) -> FileReading:
    return reader.read(hwp(STATUTE, body=body, info=info), ExtractLimits())


def table(*rows: tuple[str | bytes, ...], caption: bytes = b"") -> bytes:
    """The records of a table's control; a cell is a text or the records of its paragraphs."""
    cells = caption + record(77, 2, bytes(20))
    for row, texts in enumerate(rows):
        for column, cell in enumerate(texts):
            data = struct.pack("<HHHH", column, row, 1, 1) + bytes(20)
            if isinstance(cell, bytes):
                cells += record(72, 2, struct.pack("<II", 1, 0) + data) + cell
            else:
                cells += listed(*cell.split("\n"), data=data)
    return control("tbl ", bytes(40), below=cells)


def line(before: str, code: int, after: str = "", shape: int = 0) -> bytes:
    return paragraph(encode(before) + place(code) + encode(after), shape=shape)


GRID = (("구분", "금액"), ("가", "10"))
READ_GRID = "| 구분 | 금액 |\n|---|---|\n| 가 | 10 |"


class TestTables:
    @pytest.mark.parametrize("side", [0, 1, 2])
    def test_a_caption_is_a_paragraph_above_its_table(self, side: int) -> None:
        caption = listed("(단위: 천원)", data=struct.pack("<IIHI", side, 8504, 850, 40_000))
        text = read(paragraph(encode("앞")) + line("", 11) + table(*GRID, caption=caption)).text
        assert text == f"앞\n\n(단위: 천원)\n\n{READ_GRID}\n"

    def test_a_caption_below_its_table_stands_behind_it(self) -> None:
        head = record(72, 2, struct.pack("<II", 1, 0) + struct.pack("<IIHI", 3, 8504, 850, 40_000))
        number = paragraph(encode("표 ") + place(18) + encode(" 수당"), 2)
        number += control("atno", struct.pack("<IH6x", 4, 3), level=3)
        text = read(line("", 11) + table(*GRID, caption=head + number)).text
        assert text == f"{READ_GRID}\n\n표 3 수당\n"

    @pytest.mark.parametrize(
        ("side", "text"), [(2, "그림 캡션\n\n글상자\n"), (3, "글상자\n\n그림 캡션\n")]
    )
    def test_a_caption_of_a_drawing_stands_on_its_side(self, side: int, text: str) -> None:
        caption = listed("그림 캡션", data=struct.pack("<IIHI", side, 8504, 850, 40_000))
        drawing = caption + record(76, 2, bytes(200)) + listed("글상자", level=3)
        assert read(line("", 11) + control("gso ", bytes(40), below=drawing)).text == text

    def test_a_frame_of_one_cell_is_its_paragraphs_and_articles(self) -> None:
        words = "제1장 총칙\n제1조(목적) 목적이다.\n제2조(정의) 뜻이다.\n부칙\n제1조(시행) 한다."
        text = read(line("", 11) + table((words,))).text
        assert [each.key for each in articles(text)] == [
            "제1장",
            "제1조",
            "제2조",
            "부칙",
            "부칙/제1조",
        ]
        assert "|" not in text

    def test_a_table_in_a_cell_stands_by_itself_between_the_rows(self) -> None:
        grid = record(77, 4, bytes(20))
        for row, texts in enumerate(GRID):
            for column, text in enumerate(texts):
                data = struct.pack("<HHHH", column, row, 1, 1)
                grid += listed(text, data=data, level=4)
        inner = paragraph(TABLE, 2) + control("tbl ", bytes(40), level=3, below=grid)
        rows = (("항목", "내용"), ("세목", inner), ("끝", "2"))
        assert read(line("", 11) + table(*rows)).text == (
            "| 항목 | 내용 |\n|---|---|\n\n세목\n\n" + READ_GRID + "\n\n| 끝 | 2 |\n|---|---|\n"
        )


class TestUnseen:
    def test_a_hidden_comment_is_no_text_and_cuts_no_sentence(self) -> None:
        comment = control("tcmt", bytes(4), below=listed("숨은 설명"))
        assert read(line("이 규정은 ", 15, "연구에") + comment).text == "이 규정은 연구에\n"

    @pytest.mark.parametrize("level", [0, 1])
    def test_the_memos_of_a_section_are_no_text(self, level: int) -> None:
        memo = record(93, level, struct.pack("<I", 1)) + listed("검토 의견", level=level)
        assert read(line("이 규정은 ", 3) + control("%unk", bytes(40)) + memo).text == "이 규정은\n"


class TestInLine:
    @pytest.mark.parametrize(
        ("code", "inner", "words"),
        [
            (23, control("tdut", string("大韓民國") + string("대한민국")), "大韓民國(대한민국)"),
            (23, control("tdut", string("韓") + string("")), "韓"),
            (23, control("tcps", string("21") + b"\0"), "21"),
            (23, control("tcps", string("21") + b"\1"), "㉑"),
            (23, control("tcps", string("가")), "가"),
            (23, control("tcps"), ""),
            (23, control("tdut", b"\xff\xff"), ""),
            (
                11,
                control("eqed", bytes(42), below=record(88, 2, bytes(4) + string("a over b"))),
                "a over b",
            ),
            (18, control("atno", struct.pack("<IH6x", 3, 2)), "2"),
            (18, control("atno", struct.pack("<IH6x", 0, 7)), ""),
        ],
    )
    def test_what_stands_in_a_sentence_is_read_in_it(
        self, code: int, inner: bytes, words: str
    ) -> None:
        assert read(line("앞", code, "뒤") + inner).text == f"앞{words}뒤\n"

    def test_notes_have_their_numbers(self) -> None:
        body = line("가", 17, "나") + control("fn  ", struct.pack("<I", 4), below=listed("하나"))
        body += line("다", 17) + control("en  ", below=listed("미"))
        body += line("라", 17) + control("fn  ", below=listed("둘"))
        assert read(body).text == (
            "가나\n\n[각주 4] 하나\n\n다\n\n[미주 1] 미\n\n라\n\n[각주 2] 둘\n"
        )


INFO = (
    numbering(("제^1조", 0, 1), ("^2", 1, 1), ("^3.", 8, 3))
    + numbering(("^1)", 0, 1), start=5, old=True)
    + shape()
    + shape(2, 0, 1)
    + shape(2, 1, 1)
    + shape(2, 2, 1)
    + shape(1, 0)
    + shape(2, 0, 9)
    + shape(2, 0, 2)
)


class TestNumbers:
    def test_articles_that_a_style_numbers_are_articles(self) -> None:
        words = (
            *(("(목적) 목적이다.", 1), ("(정의) 뜻이다.", 1), ("연구비", 3), ("과제", 3)),
            *(("(관리) 다음과 같다.", 1), ("제2조에 따른다.", 2)),
        )
        reading = read(b"".join(paragraph(encode(text), 0, style) for text, style in words), INFO)
        assert reading.text.split("\n\n") == [
            *["제1조(목적) 목적이다.", "제2조(정의) 뜻이다.", "다. 연구비", "라. 과제"],
            *["제3조(관리) 다음과 같다.", "① 제2조에 따른다.\n"],
        ]
        assert [each.key for each in articles(reading.text)] == ["제1조", "제2조", "제3조"]
        assert reading.notes == ()

    def test_a_paragraph_counts_before_the_cells_that_it_holds(self) -> None:
        inner = paragraph(encode("안"), 2, 1)
        body = paragraph(encode("(가)"), 0, 1) + line("", 11, shape=1) + table((inner, "x"))
        assert read(body + paragraph(encode("(나)"), 0, 1), INFO).text == (
            "제1조(가)\n\n| 제3조 안 | x |\n|---|---|\n\n제4조(나)\n"
        )

    def test_an_outline_has_the_definition_of_its_section(self) -> None:
        first = line("", 2, "가", shape=4) + control("secd", bytes(14) + struct.pack("<H27x", 1))
        text = read(first + paragraph(encode("나"), 0, 4), INFO).text
        assert text == "제1조 가\n\n제2조 나\n"

    @pytest.mark.parametrize("level", range(10))
    def test_each_of_ten_levels_has_its_label(self, level: int) -> None:
        levels = [(f"{each}-^{min(each + 1, 9)}", 0, each + 2) for each in range(10)]
        info = numbering(*levels) + shape() + shape(2, level, 1)
        assert read(paragraph(encode("가"), 0, 1), info).text == f"{level}-{min(level, 8) + 2} 가\n"

    def test_an_old_file_has_one_start(self) -> None:
        text = read(b"".join(paragraph(encode(each), 0, 6) for each in "가나"), INFO).text
        assert text == "5) 가\n\n6) 나\n"

    def test_only_numbers_that_the_file_does_not_define_are_told(self) -> None:
        reading = read(paragraph(encode("가"), 0, 5) + paragraph(encode("다"), 0, 4), INFO)
        assert reading.text == "가\n\n1. 다\n"
        assert reading.notes == (
            "1 paragraph is numbered by the word processor; the file does not say how",
        )

    @pytest.mark.parametrize("cut", [0, 5, 13, 40, 90])
    def test_a_definition_that_is_cut_ends_nothing(self, cut: int) -> None:
        whole = numbering(("^1.", 0, 1))[4:]
        info = record(23, 1, whole[:cut]) + shape() + shape(2, 0, 1)
        assert "가" in read(paragraph(encode("가"), 0, 1), info).text
