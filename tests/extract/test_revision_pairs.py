"""Pairs of revisions of statutes: the changed articles are named exactly, in every format.

``URING_PAIRS=200`` plays all pairs; the gate plays a sample.
"""

import os
import re
from collections.abc import Callable
from types import ModuleType

import pytest
from docx_writer import docx as docx_of
from hwp_writer import hwp as hwp_of
from revision_statutes import Change, revision

from uring.extract.differences import compare
from uring.extract.readers import docx, hwp, hwpx, pdf, text
from uring.extract.readers.reading import ExtractLimits
from uring_local.sites.files.hwpx import hwpx as hwpx_of
from uring_local.sites.files.paper import Paper, Table
from uring_local.sites.files.pdf import pdf as pdf_of

PAIRS = int(os.environ.get("URING_PAIRS", "8"))
# One page grows to two: a head with digits is text on one page, and a head on two.
KNOWN = {("pdf", 131)}
WIDTHS = (460, 400, 340, 300, 430, 380)
"""Of a PDF's lines, in points; a letter of Hangul has 10."""


def wrapped(line: str, width: int) -> str:
    """The lines of a paragraph, broken between letters as a word processor does: no number is."""
    lines, at = [""], 0
    for piece in re.findall(r"[\d.,A-Za-z]+[)>\]]*|.[)>\].,」]*", line):
        wide = sum(10 if ord(char) > 0x2E7F else 5 for char in piece)
        if at + wide > width and piece != " ":
            lines.append("")
            at = 0
        lines[-1] += piece
        at += wide
    return "\n".join(each.strip() for each in lines)


def laid_out(paper: Paper, width: int) -> Paper:
    """The paper with its lines broken at a width."""
    blocks = (
        each
        if isinstance(each, Table)
        else "\n".join(wrapped(line, width) for line in each.split("\n"))
        for each in paper.paragraphs
    )
    return Paper(paper.title, tuple(blocks))


def pdf_file(paper: Paper, turn: int, head: str | None = None) -> bytes:
    # An institution keeps its running head from one revision to the next.
    heads = {"가": "학칙과 규정", "누": f"{paper.title} 3-1-2"}
    head = heads.get(paper.title[0], "") if head is None else head
    return pdf_of(laid_out(paper, WIDTHS[turn % len(WIDTHS)]), header=head, numbered=True)


def text_file(paper: Paper, turn: int) -> bytes:
    broken = laid_out(paper, WIDTHS[turn % len(WIDTHS)]) if turn % 2 else paper
    blocks = (
        "\n".join("  ".join(cell.text for cell in row) for row in each.rows)
        if isinstance(each, Table)
        else each
        for each in broken.paragraphs
    )
    return "\n".join([paper.title, "", *blocks]).encode("cp949" if turn % 3 == 1 else "utf-8")


Make = Callable[[Paper, int], bytes]
FORMATS: dict[str, tuple[ModuleType, Make]] = {
    "text": (text, text_file),
    "pdf": (pdf, pdf_file),
    # A head without digits stays on the first page; other formats have none in their text.
    "pdf, head with digits": (pdf, lambda paper, turn: pdf_file(paper, turn, "3-1-2 학칙")),
    "hwpx": (
        hwpx,
        lambda paper, turn: hwpx_of(
            paper, year=(2011, 2024)[turn % 2], sections=1 + turn % 3, compressed=turn % 2 == 1
        ),
    ),
    "hwp": (
        hwp,
        lambda paper, turn: hwp_of(paper, flags=(1, 0, 5)[turn % 3], sections=1 + turn % 2),
    ),
    "docx": (docx, lambda paper, _: docx_of(paper)),
}


def told(seed: int, old: str, new: str) -> tuple[set[Change], set[Change]]:
    """The changes of a pair, and those that are told of it; the lines of both sides differ."""
    made = revision(seed)
    texts = []
    for side, name, turn in ((made.old, old, seed), (made.new, new, seed // 3 + 1)):
        reader, make = FORMATS[name]
        body = make(side.paper(breaks=turn % 3), turn)
        texts.append(str(reader.read(body, ExtractLimits()).text))
    found = {(each.key, each.change) for each in compare(*texts).articles}
    return made.changes(), found


@pytest.mark.parametrize("name", ["text", "pdf", "hwpx", "hwp", "docx"])
@pytest.mark.parametrize("seed", range(PAIRS))
def test_a_revision_is_told_exactly(name: str, seed: int) -> None:
    made, found = told(seed, name, name)
    if (name, seed) in KNOWN:
        assert found == made | {("머리", "changed")}
    else:
        assert found == made


@pytest.mark.parametrize(("old", "new"), [("hwp", "pdf, head with digits"), ("hwpx", "docx")])
@pytest.mark.parametrize("seed", range(0, PAIRS, 5))
def test_a_revision_in_another_format_is_told_exactly(old: str, new: str, seed: int) -> None:
    made, found = told(seed, old, new)
    assert found == made
