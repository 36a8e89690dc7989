"""Letters of a PDF by place, the same on every machine, and told where they cannot be read."""

import json
import os
import subprocess
import sys
from dataclasses import asdict

import pytest
from pdf_pages import BLANKS, FOUR_BYTES, LATIN, letter_by_letter, page, text

from uring.extract.readers import pdf
from uring.extract.readers.page.fonts import box_font
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable

HIDE_FONTS = 'for d in /usr/share/fonts /usr/local/share/fonts; do [ ! -d "$d" ] || '
HIDE_FONTS += 'mount -t tmpfs none "$d" || exit 77; done; exec "$@"'
ARTICLE = "제1조(목적) 이 규정은 학사에 관한 사항을 정한다"


def read(*parts: bytes, encoding: str = "KSCms-UHC-H") -> FileReading:
    return pdf.read(page(*parts, encoding=encoding), ExtractLimits())


def lines(*parts: bytes, encoding: str = "KSCms-UHC-H") -> list[str]:
    found = read(*parts, encoding=encoding).text.split("\n")
    return [line for line in found if line and not line.startswith("<!--")]


def phrases() -> tuple[bytes, ...]:
    """A line whose Hangul is drawn first, and its digits and brackets behind it."""
    return (
        text(60, 760, "제"),
        text(78, 760, "조"),
        text(96, 760, "구성"),
        text(132, 760, "위원회는"),
        text(72, 760, "3", LATIN),
        text(92, 760, "(", LATIN),
        text(120, 760, ")", LATIN),
    )


PAGES = {
    "letters one by one": letter_by_letter(ARTICLE),
    "phrases": page(*phrases()),
    "vertical": page(text(500, 760, "제일조목적은"), encoding="KSCms-UHC-V"),
    "up the page": page(text(100, 100, ARTICLE, turn="0 1 -1 0")),
    "invisible": page(
        b"3 Tr\n", *(text(60 + 12 * at, 760, char) for at, char in enumerate("학칙"))
    ),
}


class TestFonts:
    def test_letters_without_a_font_in_the_file_are_read(self) -> None:
        reading = pdf.read(letter_by_letter(ARTICLE), ExtractLimits())
        assert reading.text == f"<!-- page 1 -->\n\n{ARTICLE}\n"
        assert reading.unreliable_pages == ()

    @pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
    @pytest.mark.parametrize("name", PAGES)
    def test_a_machine_without_fonts_reads_the_same(self, name: str) -> None:
        limits = asdict(ExtractLimits())
        command = [sys.executable, "-m", "uring.extract.child", json.dumps(limits), "pdf"]
        environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        bare = ["unshare", "-rm", "sh", "-c", HIDE_FONTS, "sh", *command]
        answers = []
        for arguments in (command, bare):
            done = subprocess.run(
                arguments,
                input=PAGES[name],
                env={**os.environ, **environment},
                capture_output=True,
                check=False,
            )
            if (arguments is bare and b"unshare:" in done.stderr) or done.returncode == 77:
                pytest.skip("this machine gives no namespace for mounts")
            answers.append(done.stdout)
        assert json.loads(answers[0])["outcome"] == "text"
        assert answers[0] == answers[1]

    def test_the_font_is_small(self) -> None:
        assert len(box_font()) < 1000


class TestPlaces:
    def test_letters_that_are_drawn_later_stand_in_their_place(self) -> None:
        assert lines(*phrases()) == ["제3조(구성) 위원회는"]

    def test_a_digit_that_is_drawn_last_stands_between_its_neighbours(self) -> None:
        hangul = b"/F1 12 Tf 60 760 Td [<c1a6>-500<c1b6>] TJ"
        assert lines(b"BT %b /F2 12 Tf 12 0 Td <33> Tj ET\n" % hangul) == ["제3조"]

    def test_a_superscript_stays_in_its_line(self) -> None:
        parts = text(60, 760, "면적은 10m"), text(132, 765, "2", size=7), text(140, 760, "이다")
        assert lines(*parts, text(60, 740, "다음 줄")) == ["면적은 10m2이다", "다음 줄"]

    def test_what_is_drawn_twice_for_boldness_is_read_once(self) -> None:
        twice = [
            text(60 + step, 760 - 20 * row, f"제{row}조") for step in (0, 0.4) for row in (1, 2)
        ]
        each = [
            text(60 + 12 * at + step, 700, char)
            for at, char in enumerate("굵다")
            for step in (0, 0.4)
        ]
        assert lines(*twice, *each) == ["제1조", "제2조", "굵다"]

    def test_two_equal_digits_are_two(self) -> None:
        assert lines(text(60, 760, "1", LATIN), text(66.7, 760, "1", LATIN)) == ["11"]

    def test_vertical_text_is_read_by_columns_from_the_right(self) -> None:
        columns = text(470, 760, "둘째 줄이다"), text(500, 760, "첫째 줄이다")
        assert lines(*columns, encoding="KSCms-UHC-V") == ["첫째 줄이다", "둘째 줄이다"]

    @pytest.mark.parametrize(
        ("turn", "step"), [("0 1 -1 0", 20), ("0 -1 1 0", -20), ("-1 0 0 -1", 0)]
    )
    def test_turned_text_is_read_in_its_own_lines(self, turn: str, step: int) -> None:
        rows = (
            text(
                300 + step * row,
                400 + (0 if step else 20 * row),
                f"제{row}조(목적) 긴 줄",
                turn=turn,
            )
            for row in (3, 1, 2)
        )
        assert lines(*rows) == [f"제{row}조(목적) 긴 줄" for row in (1, 2, 3)]

    def test_a_watermark_stands_behind_the_text(self) -> None:
        body = [
            text(60, 760 - 20 * row, f"제{row}조(목적) 이 규정은 정한다") for row in range(1, 9)
        ]
        mark = text(200, 600, "대외비", turn=".707 .707 -.707 .707", size=40)
        assert lines(*body[:4], mark, *body[4:]) == [
            *(f"제{row}조(목적) 이 규정은 정한다" for row in range(1, 9)),
            "대외비",
        ]


class TestChecks:
    def lost(self, count: int) -> list[bytes]:
        return [text(60, 760 - 16 * row, "THESE TERMS BIND", BLANKS) for row in range(count)]

    def test_one_letter_beside_lines_that_say_nothing_is_no_text(self) -> None:
        with pytest.raises(Unreadable, match="fonts do not say what its letters are") as caught:
            read(*self.lost(20), text(290, 30, "2", LATIN))
        assert caught.value.outcome == "no_text"

    def test_codes_beyond_unicode_make_a_page_unreliable(self) -> None:
        codes = b"BT /F1 12 Tf 60 700 Td <f0a8a780f0a8ad8e> Tj ET\n"
        reading = read(codes, text(60, 400, "ABC", LATIN), encoding=FOUR_BYTES)
        assert reading.unreliable_pages == (1,)
        assert reading.text == "<!-- page 1 -->\n\nABC\n"

    def test_a_page_that_draws_more_than_is_read_is_unreliable(self) -> None:
        assert read(*self.lost(20), text(60, 400, ARTICLE)).unreliable_pages == (1,)

    def test_blanks_of_their_own_are_not_lost_letters(self) -> None:
        words = (text(60 + 40 * at, 760, "학칙") for at in range(8))
        blanks = (text(90 + 40 * at, 760, " ") for at in range(8))
        assert read(*words, *blanks).unreliable_pages == ()
