"""An HWPX file (OWPML, KS X 6101): a zip of XML as Hancom's word processor writes it.

Parts are stored, so that the same paper is the same bytes with every zlib.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

from uring_local.sites.files.paper import Paper, Table

NAMESPACES: Final = {
    2011: "http://www.hancom.co.kr/hwpml/2011/",
    2024: "http://www.owpml.org/owpml/2024/",
}
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>'
_WHEN: Final = (2026, 3, 2, 9, 0, 0)
_NUMBER: Final = re.compile(r"제\d+조(의\d+)?")
# Characters, and the elements that replace them.
_MARKS: Final = {
    "\t": '<hp:tab width="4000" leader="0" type="1"/>',
    "\n": "<hp:lineBreak/>",
    "\xa0": "<hp:nbSpace/>",
}


def hwpx(
    paper: Paper,
    *,
    year: int = 2011,
    sections: int = 1,
    automatic_numbers: bool = False,
    encrypted: bool = False,
    compressed: bool = False,
) -> bytes:
    """Return the paper as an HWPX file.

    Args:
        paper: its content.
        year: of the standard that gives the namespaces, 2011 or 2024.
        sections: number of sections for the paragraphs.
        automatic_numbers: whether a format numbers the articles, so that the text has no numbers.
        encrypted: whether its manifest claims encryption; the parts stay readable.
        compressed: whether the parts are deflated, as in real files.
    """
    paragraphs = [_paragraph(paper.title)]
    for paragraph in paper.paragraphs:
        if isinstance(paragraph, Table):
            paragraphs.append(_table(paragraph))
        else:
            text = _NUMBER.sub("", paragraph, count=1) if automatic_numbers else paragraph
            style = 1 if text != paragraph else 0
            paragraphs.append(_paragraph(text, style))
    size = -(-len(paragraphs) // sections)
    bodies = [section(paragraphs[at * size : at * size + size], year) for at in range(sections)]
    return package(parts(bodies, year, encrypted=encrypted), compressed=compressed)


def package(files: Mapping[str, str | bytes], *, compressed: bool = False) -> bytes:
    """Return the zip of files by name; ``mimetype`` is always stored uncompressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in files.items():
            entry = zipfile.ZipInfo(name, _WHEN)
            if compressed and name != "mimetype":
                entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body)
    return out.getvalue()


def parts(
    sections: Sequence[str], year: int = 2011, *, encrypted: bool = False
) -> dict[str, str | bytes]:
    """Return the parts of a file with the given sections, by name."""
    names = [f"Contents/section{number}.xml" for number in range(len(sections))]
    return {
        "mimetype": "application/hwp+zip",
        "version.xml": f'{_HEAD}<hv:HCFVersion xmlns:hv="{NAMESPACES[year]}version" major="5"/>',
        "META-INF/container.xml": f"{_HEAD}<ocf:container "
        'xmlns:ocf="urn:oasis:names:tc:opendocument:xmlns:container"><ocf:rootfiles>'
        '<ocf:rootfile full-path="Contents/content.hpf" '
        'media-type="application/hwpml-package+xml"/></ocf:rootfiles></ocf:container>',
        "META-INF/manifest.xml": _manifest(names if encrypted else []),
        "Contents/content.hpf": _content(names),
        "Contents/header.xml": _header(year, len(sections)),
        **dict(zip(names, sections, strict=True)),
        "Preview/PrvText.txt": "<미리 보기>",
    }


def section(paragraphs: Iterable[str], year: int = 2011) -> str:
    """Return a section of paragraphs, which are given as XML elements."""
    base = NAMESPACES[year]
    return (
        f'{_HEAD}<hs:sec xmlns:hs="{base}section" xmlns:hp="{base}paragraph">'
        f"{''.join(paragraphs)}</hs:sec>"
    )


def _paragraph(text: str, style: int = 0) -> str:
    words = escape(text)
    for char, element in _MARKS.items():
        words = words.replace(char, element)
    return (
        f'<hp:p id="0" paraPrIDRef="{style}" styleIDRef="0"><hp:run charPrIDRef="0">'
        f'<hp:t>{words}</hp:t></hp:run><hp:linesegarray><hp:lineseg textpos="0"/>'
        "</hp:linesegarray></hp:p>"
    )


def _table(table: Table) -> str:
    rows = ["" for _ in table.rows]
    for row, column, cell in table.placed():
        inner = "".join(_paragraph(line) for line in cell.text.split("\n"))
        rows[row] += (
            f'<hp:tc name="" header="0"><hp:subList id="">{inner}</hp:subList>'
            f'<hp:cellAddr colAddr="{column}" rowAddr="{row}"/>'
            f'<hp:cellSpan colSpan="{cell.columns}" rowSpan="{cell.rows}"/></hp:tc>'
        )
    body = "".join(f"<hp:tr>{row}</hp:tr>" for row in rows)
    return (
        '<hp:p id="0" paraPrIDRef="0" styleIDRef="0"><hp:run charPrIDRef="0">'
        f'<hp:tbl id="1" rowCnt="{len(rows)}" colCnt="{table.width}">{body}</hp:tbl>'
        "<hp:t/></hp:run></hp:p>"
    )


def _header(year: int, sections: int) -> str:
    """Return the styles: paragraphs of style 1 are numbered by the word processor."""
    return (
        f'{_HEAD}<hh:head xmlns:hh="{NAMESPACES[year]}head" version="1.31" secCnt="{sections}">'
        '<hh:refList><hh:paraProperties itemCnt="2">'
        '<hh:paraPr id="0"><hh:heading type="NONE" idRef="0" level="0"/></hh:paraPr>'
        '<hh:paraPr id="1"><hh:heading type="NUMBER" idRef="1" level="0"/></hh:paraPr>'
        "</hh:paraProperties></hh:refList></hh:head>"
    )


def _content(names: Sequence[str]) -> str:
    items = "".join(
        f'<opf:item id="section{number}" href="{name}" media-type="application/xml"/>'
        for number, name in enumerate(names)
    )
    spine = "".join(f'<opf:itemref idref="section{number}"/>' for number in range(len(names)))
    return (
        f'{_HEAD}<opf:package xmlns:opf="http://www.idpf.org/2007/opf/"><opf:manifest>'
        '<opf:item id="header" href="Contents/header.xml" media-type="application/xml"/>'
        f'{items}</opf:manifest><opf:spine><opf:itemref idref="header"/>{spine}</opf:spine>'
        "</opf:package>"
    )


def _manifest(encrypted: Sequence[str]) -> str:
    entries = "".join(
        f'<odf:file-entry odf:full-path="{name}" odf:media-type="application/xml">'
        '<odf:encryption-data odf:checksum-type="SHA256/1K"/></odf:file-entry>'
        for name in encrypted
    )
    base = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    return f'{_HEAD}<odf:manifest xmlns:odf="{base}">{entries}</odf:manifest>'
