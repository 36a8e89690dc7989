"""The makers of files: deterministic, and other readers take them for what they are."""

import io
import zipfile
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pypdfium2
import pytest

from uring_local.sites.files.html import html
from uring_local.sites.files.hwpx import hwpx
from uring_local.sites.files.paper import Cell, Paper, Table, table
from uring_local.sites.files.pdf import pdf

STAFF = table(("직급", Cell("정원", 1, 2)), (Cell("교원", 2), "교수", "120"), ("조교", "3"))
PAPER = Paper("가람대학교 학칙", ("제1장 총칙", "제1조(목적) 이 학칙은 목적을 정한다.", STAFF))


@pytest.mark.parametrize("make", [pdf, hwpx, html])
def test_the_same_paper_is_the_same_bytes(make: Callable[[Paper], bytes]) -> None:
    assert make(PAPER) == make(PAPER)


def test_cells_are_placed_beside_those_that_reach_into_their_row() -> None:
    places = {cell.text: (row, column) for row, column, cell in STAFF.placed()}
    assert places["조교"] == (2, 1)
    assert places["3"] == (2, 2)
    assert STAFF.width == 3
    assert Table(()).width == 0


def test_a_pdf_says_the_paper_and_has_as_many_pages_as_asked_for() -> None:
    document = pypdfium2.PdfDocument(pdf(PAPER, pages=3))
    assert len(document) == 3
    assert "제1조(목적) 이 학칙은 목적을 정한다." in document[0].get_textpage().get_text_range()


def test_a_cell_of_one_letter_is_there() -> None:
    paper = Paper("정원", (table(("가", "나")),))
    text = pypdfium2.PdfDocument(pdf(paper))[0].get_textpage().get_text_range()
    assert text.split() == ["정원", "가", "나"]


def test_without_its_map_the_font_says_nothing() -> None:
    text = pypdfium2.PdfDocument(pdf(PAPER, unicode_map=False))[0].get_textpage().get_text_range()
    assert "학칙" not in text


def test_an_encrypted_pdf_asks_for_a_password() -> None:
    with pytest.raises(pypdfium2.PdfiumError, match="password"):
        pypdfium2.PdfDocument(pdf(PAPER, encrypted=True))


@pytest.mark.parametrize("year", [2011, 2024])
def test_every_part_of_an_hwpx_is_xml_and_its_sections_hold_the_words(year: int) -> None:
    archive = zipfile.ZipFile(io.BytesIO(hwpx(PAPER, year=year, sections=2)))
    assert archive.namelist()[0] == "mimetype"
    texts = ""
    for name in archive.namelist():
        if name.endswith((".xml", ".hpf")):
            root = ET.fromstring(archive.read(name))  # noqa: S314 - our own
            texts += "".join(root.itertext()) if "section" in name else ""
    assert "가람대학교 학칙제1장 총칙제1조(목적)" in texts
