"""What a PDF's annotations print becomes a part of its pages: filled fields, text on the page.

PDFium draws a field as a viewer does, from its value where its appearance is missing, and puts the
drawing into the page. Its build knows neither JavaScript nor XFA, so no action of a file runs.
"""

from collections.abc import Iterator
from typing import Any, Final

import pypdfium2.raw as pdfium

_PRINTED: Final = {
    pdfium.FPDF_ANNOT_FREETEXT,
    pdfium.FPDF_ANNOT_STAMP,
    pdfium.FPDF_ANNOT_WATERMARK,
    pdfium.FPDF_ANNOT_WIDGET,
}
_UNSEEN: Final = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_XFA: Final = {pdfium.FORMTYPE_XFA_FULL, pdfium.FORMTYPE_XFA_FOREGROUND}


def open_form(document: Any) -> tuple[str, ...]:
    """Let PDFium draw the fields of a document's form; return the notes on what is not read.

    To be called before a page is opened.
    """
    document.init_forms()
    if document.get_formtype() not in _XFA:
        return ()
    return ("its XFA form is not read, only what its pages draw",)


def printed_page(document: Any, number: int) -> Any:
    """Return a page by its index from 0, with what its annotations print.

    Left out are pop-up comments, marks of reviewers, and annotations that a viewer hides.
    """
    page = document[number]
    printed = [*_printed(page)]
    if not any(printed):
        return page
    # From the last: the rest keep their places.
    for at in range(len(printed) - 1, -1, -1):
        if not printed[at]:
            pdfium.FPDFPage_RemoveAnnot(page, at)
    pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
    # Its objects were read before.
    page.close()
    return document[number]


def _printed(page: Any) -> Iterator[bool]:
    """Yield whether each annotation of a page is printed."""
    for at in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, at)
        if not annotation:
            yield False
            continue
        is_seen = not pdfium.FPDFAnnot_GetFlags(annotation) & _UNSEEN
        yield is_seen and pdfium.FPDFAnnot_GetSubtype(annotation) in _PRINTED
        pdfium.FPDFPage_CloseAnnot(annotation)
