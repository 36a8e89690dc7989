"""Text in is text out, whatever a paper says."""

from collections.abc import Callable
from types import ModuleType

import pytest
from docx_writer import docx as docx_of
from extract_papers import said, words
from hwp_writer import hwp as hwp_of
from hypothesis import given
from hypothesis import strategies as st

from uring.extract.differences import compare
from uring.extract.readers import docx, html, hwp, hwpx, pdf
from uring.extract.readers.reading import ExtractLimits
from uring_local.sites.files.html import html as html_of
from uring_local.sites.files.hwpx import hwpx as hwpx_of
from uring_local.sites.files.paper import Cell, Paper, Table
from uring_local.sites.files.pdf import pdf as pdf_of

FORMATS: list[tuple[ModuleType, Callable[[Paper], bytes]]] = [
    (pdf, pdf_of),
    (hwpx, hwpx_of),
    (hwp, hwp_of),
    (html, html_of),
    (docx, docx_of),
]
TEXTS = st.text("가나다라마바사제조장항①②12 3.,()「」<>&\"'·한글", min_size=1, max_size=90).filter(
    lambda text: text.strip()
)
CELLS = st.builds(Cell, TEXTS, st.integers(1, 1), st.integers(1, 2))
TABLES = st.builds(Table, st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4).map(tuple))
PAPERS = st.builds(Paper, TEXTS, st.lists(TEXTS | TABLES, max_size=8).map(tuple))
LINES = st.builds(Paper, TEXTS, st.lists(TEXTS, max_size=60).map(tuple))


def read(reader: ModuleType, body: bytes) -> str:
    return str(reader.read(body, ExtractLimits()).text)


@pytest.mark.parametrize(("reader", "make"), FORMATS[1:], ids=["hwpx", "hwp", "html", "docx"])
@given(PAPERS)
def test_text_in_is_text_out(
    reader: ModuleType, make: Callable[[Paper], bytes], paper: Paper
) -> None:
    assert words(read(reader, make(paper))) == said(paper)


@given(LINES)
def test_lines_in_are_lines_out_of_a_pdf(paper: Paper) -> None:
    found = words(read(pdf, pdf_of(paper, header="규정집", numbered=True)))
    assert found == f"규정집{said(paper)}"


@given(LINES)
def test_a_paper_has_the_same_articles_in_every_format(paper: Paper) -> None:
    texts = [read(reader, make(paper)) for reader, make in FORMATS[1:]]
    assert [compare(texts[0], text).articles for text in texts[1:]] == [(), (), ()]
