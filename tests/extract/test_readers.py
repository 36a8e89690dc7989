"""Own papers as files of every format: text in, text out, and why there is none."""

from collections.abc import Callable

import pytest
from docx_writer import docx
from extract_papers import STAFF, STATUTE, long_paper, said, words
from hwp_writer import hwp, paragraph, record, table

from uring.extract.extract import extract
from uring.extract.extraction import Extraction
from uring.extract.formats import READABLE
from uring.extract.readers.reading import ExtractLimits
from uring_local.sites.files.html import html
from uring_local.sites.files.hwpx import hwpx, package, parts, section
from uring_local.sites.files.paper import Paper
from uring_local.sites.files.pdf import pdf

LONG = long_paper()


def read(body: bytes) -> Extraction:
    return extract(body, formats=READABLE)


def refused(body: bytes) -> tuple[str, str]:
    extraction = read(body)
    assert extraction.text == ""
    return extraction.outcome, extraction.reason


FILES: dict[str, tuple[Paper, Callable[[Paper], bytes]]] = {
    "pdf": (STATUTE, pdf),
    "pdf of several pages": (LONG, pdf),
    "pdf in two columns": (long_paper(100), lambda paper: pdf(paper, columns=2, numbered=True)),
    "pdf with blank pages": (STATUTE, lambda paper: pdf(paper, pages=40)),
    "pdf behind other bytes": (STATUTE, lambda paper: b"\r\n\r\n" + pdf(paper)),
    "hwpx": (STATUTE, hwpx),
    "hwpx of 2024": (STATUTE, lambda paper: hwpx(paper, year=2024)),
    "hwpx of twelve sections": (LONG, lambda paper: hwpx(paper, sections=12)),
    "hwpx, packed": (LONG, lambda paper: hwpx(paper, compressed=True)),
    "html": (STATUTE, html),
    "html of a long paper": (LONG, html),
    "html in CP949": (
        STATUTE,
        lambda paper: html(paper).decode().replace("utf-8", "euc-kr").encode("cp949"),
    ),
    "html with a byte order mark": (STATUTE, lambda paper: b"\xef\xbb\xbf" + html(paper)),
    "docx": (STATUTE, docx),
    "hwp": (STATUTE, hwp),
    "hwp, not packed": (STATUTE, lambda paper: hwp(paper, flags=0)),
    "hwp for distribution": (LONG, lambda paper: hwp(paper, flags=1 | 4, sections=2)),
    "hwp of twelve sections": (LONG, lambda paper: hwp(paper, sections=12)),
    "hwp with long records": (Paper("길다", ("가" * 9_000,)), hwp),
}


@pytest.mark.parametrize("name", FILES)
def test_what_a_paper_says_is_what_its_file_says(name: str) -> None:
    paper, make = FILES[name]
    extraction = read(make(paper))
    assert extraction.outcome == "text", extraction.reason
    assert words(extraction.text) == said(paper)
    assert not extraction.unreliable_pages
    assert not extraction.truncated
    assert extraction.notes == ()


def test_a_running_head_is_read_once_and_page_numbers_never() -> None:
    extraction = read(pdf(LONG, header="누리 규정집", numbered=True))
    assert words(extraction.text) == f"누리규정집{said(LONG)}"


@pytest.mark.parametrize("make", [hwpx, html, hwp, docx])
def test_tables_keep_their_cells_in_place(make: Callable[[Paper], bytes]) -> None:
    text = read(make(STATUTE)).text
    assert "| 직급 | 정원 |  |\n|---|---|---|\n| 교원 | 교수 | 120 |\n|  | 조교 | 3\\|4 |\n" in text


@pytest.mark.parametrize("make", [pdf, hwpx, html, hwp, docx])
def test_parts_supplements_and_annexes_are_headings_and_articles_are_not(
    make: Callable[[Paper], bytes],
) -> None:
    headings = [line for line in read(make(STATUTE)).text.split("\n") if line.startswith("##")]
    assert headings == [
        "## 제1장 총칙",
        "## 제2장 학사",
        "## 부칙 <제1호, 2026. 3. 1.>",
        "## [별표 1] 수수료",
    ]


class TestPdf:
    def test_pages_are_told_and_counted(self) -> None:
        extraction = read(pdf(LONG))
        assert extraction.pages == 4
        assert [f"<!-- page {number} -->" in extraction.text for number in range(6)] == [
            *[False, True, True, True, True, False]
        ]

    def test_cells_of_a_row_stay_apart_in_one_line(self) -> None:
        assert "\n교원  교수  120\n" in read(pdf(STATUTE)).text

    def test_a_line_of_a_paragraph_is_no_paragraph(self) -> None:
        text = read(pdf(STATUTE)).text
        assert "정함\n을 목적으로 한다.\n\n제2조" in text

    def test_a_page_whose_fonts_have_no_map_is_told(self) -> None:
        extraction = read(pdf(LONG, unicode_map=False))
        assert extraction.outcome == "text"
        assert extraction.unreliable_pages == (1, 2, 3, 4)

    def test_a_scan_has_no_text_and_never_will(self) -> None:
        extraction = read(pdf(LONG, scanned=True))
        assert (extraction.outcome, extraction.is_permanent) == ("no_text", True)
        assert "scan" in extraction.reason

    def test_blank_pages_are_no_text(self) -> None:
        assert refused(pdf(Paper("", ()), pages=3)) == (
            "no_text",
            "its pages are blank; ask for a PDF with text, or an HWPX",
        )

    def test_a_password_is_asked_for(self) -> None:
        assert refused(pdf(STATUTE, encrypted=True))[0] == "encrypted"

    def test_a_cut_file_is_damaged(self) -> None:
        assert refused(pdf(STATUTE)[:900])[0] == "damaged"

    def test_ten_thousand_pages_are_too_many(self) -> None:
        assert refused(pdf(STATUTE, pages=10_000)) == (
            "too_big",
            "it has 10000 pages; at most 3000 are read",
        )

    def test_a_column_is_read_to_its_end(self) -> None:
        text = read(pdf(long_paper(100), columns=2)).text
        numbers = [text.find(f"(조항 {number})") for number in range(1, 101)]
        assert numbers == sorted(numbers)
        assert numbers[0] > 0


class TestHwpx:
    def test_numbers_that_the_file_does_not_define_are_told_as_missing(self) -> None:
        extraction = read(hwpx(STATUTE, automatic_numbers=True))
        assert extraction.notes == (
            "5 paragraphs are numbered by the word processor; the file does not say how",
        )

    def test_an_encrypted_one_is_told_by_its_manifest(self) -> None:
        assert refused(hwpx(STATUTE, encrypted=True))[0] == "encrypted"

    def test_what_is_deleted_with_changes_tracked_is_no_text(self) -> None:
        body = made(
            "<hp:t>제1조 <hp:deleteBegin/>옛</hp:t></hp:run>"
            "<hp:run><hp:t>말<hp:deleteEnd/>새 말</hp:t>"
        )
        assert read(body).text == "제1조 새 말\n"

    def test_notes_and_text_boxes_are_text(self) -> None:
        inner = "<hp:subList><hp:p><hp:run><hp:t>각주다</hp:t></hp:run></hp:p></hp:subList>"
        box = "<hp:subList><hp:p><hp:run><hp:t>상자다</hp:t></hp:run></hp:p></hp:subList>"
        body = made(
            f"<hp:t>앞</hp:t><hp:ctrl><hp:footNote>{inner}</hp:footNote></hp:ctrl><hp:t>뒤</hp:t>"
            f"<hp:rect><hp:drawText>{box}</hp:drawText></hp:rect>"
        )
        assert read(body).text == "앞뒤\n\n상자다\n\n[각주 1] 각주다\n"

    @pytest.mark.parametrize(
        ("prologue", "inner"),
        [
            ('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>', "<hp:t>&b;</hp:t>"),
            ('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>', "<hp:t>&e;</hp:t>"),
            ('<!DOCTYPE x SYSTEM "http://127.0.0.1:9/x.dtd">', "<hp:t>x</hp:t>"),
            ("", "<hp:t>cut"),
        ],
    )
    def test_entities_and_broken_xml_are_damage(self, prologue: str, inner: str) -> None:
        assert refused(made(inner, prologue))[0] == "damaged"

    def test_a_bomb_is_too_big(self) -> None:
        bodies = parts([section(["<hp:p/>"]) + " " * (30 << 20)])
        outcome, reason = refused(package(bodies, compressed=True))
        assert (outcome, "zip bomb" in reason) == ("too_big", True)

    def test_elements_without_end_are_too_big(self) -> None:
        assert refused(made("<hp:rect>" * 300 + "</hp:rect>" * 300))[0] == "too_big"
        assert refused(made("<hp:t/>" * 600_000))[0] == "too_big"

    def test_a_cell_far_away_is_damage(self) -> None:
        cell = '<hp:tc><hp:cellAddr colAddr="2000000000" rowAddr="0"/></hp:tc>'
        assert refused(made(f"<hp:tbl><hp:tr>{cell}</hp:tr></hp:tbl>"))[0] == "damaged"

    def test_many_cells_are_too_big(self) -> None:
        cell = '<hp:tc><hp:cellAddr colAddr="999" rowAddr="9999"/></hp:tc>'
        cells = cell + cell.replace("999", "1", 1)
        assert refused(made(f"<hp:tbl><hp:tr>{cells}</hp:tr></hp:tbl>"))[0] == "too_big"

    @pytest.mark.parametrize(
        "place", ["../../../etc/section0.xml", "http://127.0.0.1:9/section0.xml"]
    )
    def test_a_section_is_a_part_of_the_file(self, place: str) -> None:
        files = parts([section(["<hp:p/>"])])
        content = str(files["Contents/content.hpf"]).replace("Contents/section0.xml", place)
        assert refused(package({**files, "Contents/content.hpf": content}))[0] == "damaged"

    def test_a_cut_one_and_one_in_cp949_are_damage(self) -> None:
        assert refused(hwpx(STATUTE)[:2_000])[0] == "damaged"
        xml = section(["<hp:p><hp:run><hp:t>학칙</hp:t></hp:run></hp:p>"])
        files = parts([""]) | {"Contents/section0.xml": xml.encode("cp949")}
        assert refused(package(files))[0] == "damaged"


def made(inner: str, prologue: str = "") -> bytes:
    """An HWPX of one paragraph whose run holds this."""
    xml = section([f"<hp:p><hp:run>{inner}</hp:run></hp:p>"])
    return package(parts([xml.replace("?>", f"?>{prologue}", 1)]), compressed=True)


class TestHwp:
    @pytest.mark.parametrize(
        ("bit", "outcome"),
        [
            (1, "encrypted"),
            (4, "encrypted"),
            (8, "encrypted"),
            (10, "encrypted"),
        ],
    )
    def test_what_is_protected_is_not_read(self, bit: int, outcome: str) -> None:
        assert refused(hwp(STATUTE, flags=1 | 1 << bit))[0] == outcome

    def test_numbers_that_the_file_does_not_define_are_told_as_missing(self) -> None:
        notes = read(hwp(Paper("규정", ("가 항목", "나 항목")), shape=1)).notes
        assert notes[0].startswith("2 paragraphs are numbered")

    def test_of_another_version_or_cut_it_is_damaged(self) -> None:
        assert refused(hwp(STATUTE, version=4))[0] == "damaged"
        assert refused(hwp(STATUTE)[:6_000])[0] == "damaged"

    def test_a_record_beyond_its_stream_is_damage(self) -> None:
        body = record(66, 0, bytes(24))[:4] + b"\0" * 5000 + b"\xff" * 8
        assert refused(hwp(STATUTE, flags=0, body=body))[0] == "damaged"

    def test_a_bomb_is_too_big(self) -> None:
        assert refused(hwp(STATUTE, body=bytes(65 << 20)))[0] == "too_big"

    def test_a_cell_far_away_is_damage(self) -> None:
        far = table(STAFF).replace(b"\1\0\2\0\1\0\1\0", b"\1\0\xff\xff\1\0\1\0")
        assert refused(hwp(STATUTE, body=far))[0] == "damaged"

    def test_halves_of_a_letter_and_unknown_codes_end_nothing(self) -> None:
        text = "앞".encode("utf-16-le") + b"\x04\x00" + bytes(12) + b"\x04\x00\x00\xd8"
        assert read(hwp(STATUTE, body=paragraph(text))).text.startswith("앞")


class TestHtml:
    def test_menus_scripts_and_links_are_no_text(self) -> None:
        text = read(html(STATUTE)).text
        assert "javascript" not in text
        assert "visits" not in text
        assert "목록" not in text
        assert text.startswith("# 가람대학교 학칙\n")

    def test_lists_are_lists(self) -> None:
        page = b"<html><ul><li>a<ol><li>b</li><li>c<br>d</li></ol></li><li>e</li></ul>"
        assert read(page).text == "- a\n\n  1. b\n\n  2. c\nd\n\n- e\n"

    def test_a_list_s_numbers_are_those_that_a_browser_shows(self) -> None:
        page = (
            b"<html><ol start=3><li>c<li value=7>g<li>h</ol>"
            b"<ol type=i start=4><li>d</ol><ol type=A><li>a</ol><ol start=x type=z><li>a</ol>"
            b"<ol start=0 type=I><li>a</ol><ol start=999999 type=I><li>a</ol>"
        )
        lines = ["3. c", "7. g", "8. h", "iv. d", "A. a", "1. a", "0. a", "999999. a"]
        assert read(page).text == "\n\n".join(lines) + "\n"

    def test_a_heading_is_one_line_and_a_summary_a_paragraph(self) -> None:
        page = "<html><h1>학칙<br>(대학원)</h1><details><summary>요약</summary>본문</details>"
        assert read(page.encode()).text == "# 학칙 (대학원)\n\n요약\n\n본문\n"

    def test_two_letters_in_one_are_two(self) -> None:
        assert read("<html><p>O\ufb03ce \ufb01le</p>".encode()).text == "Office file\n"

    def test_what_is_hidden_is_no_text(self) -> None:
        page = '<html><p hidden>숨김</p><p style="DISPLAY : none">숨김</p><!-- 숨김 --><p>보임</p>'
        assert read(page.encode()).text == "보임\n"

    def test_a_frame_of_tables_is_no_table(self) -> None:
        inner = "<table><tr><td>가</td><td>나</td></tr></table>"
        page = f"<html><table><tr><td><p>앞</p>{inner}</td><td>뒤</td></tr></table>"
        assert read(page.encode()).text == "앞\n\n| 가 | 나 |\n|---|---|\n\n뒤\n"

    def test_spans_beyond_reason_are_cut(self) -> None:
        page = '<html><table><tr><td colspan="99999999">a</td><td rowspan="x">b</td></tr></table>'
        assert read(page.encode()).text.count("|") < 300

    def test_a_page_nests_as_deep_as_it_likes(self) -> None:
        page = b"<html>" + b"<div>" * 90_000 + b"deep"
        extraction = read(page)
        assert (extraction.reason, extraction.text) == ("", "deep\n")

    def test_a_page_of_too_many_tags_or_bytes_is_too_big(self) -> None:
        assert refused(b"<html>" + b"<b>" * 200_001)[0] == "too_big"
        assert refused(b"<html>" + b"x" * 5_000_000)[0] == "too_big"

    def test_a_page_of_scripts_alone_has_no_text(self) -> None:
        assert refused(b"<html><script>location = '/login'</script>")[0] == "no_text"

    def test_a_page_in_no_charset_is_damaged(self) -> None:
        assert refused(b"<html>" + bytes(range(0x80, 0x100)) * 20)[0] == "damaged"

    def test_tables_in_tables_are_passed_once(self) -> None:
        """Found for each of them again, they would take longer than a reader may."""
        extraction = extract(
            b"<html>" + b"<table><tr><td>" * 20_000 + b"a",
            formats=["html"],
            limits=ExtractLimits(cpu_seconds=20),
        )
        assert extraction.text == "a\n"
