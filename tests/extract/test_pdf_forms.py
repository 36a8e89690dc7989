"""Filled fields and printed annotations of a PDF are text; comments and hidden ones are not."""

import pytest
from pdf_pages import LATIN, text

from uring.extract.readers import pdf
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring_local.sites.files.pdf import write

BODY = text(60, 760, "Name:", LATIN) + text(60, 740, "Grade:", LATIN)
LOOK = "/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F2 9 0 R>>>>"


def value(words: str) -> str:
    return f"<feff{words.encode('utf-16-be').hex()}>"


def look(words: str) -> str:
    """The number of the object that draws an annotation, and the object."""
    content = f"BT /F2 12 Tf 2 5 Td ({words}) Tj ET"
    return f"<<{LOOK}/Length {len(content)}>>stream\n{content}\nendstream"


def document(*annotations: str, form: str = "", drawn: str = "Bar") -> bytes:
    """A page with two labels; object 8 draws the word of an annotation."""
    places = " ".join(f"{20 + at} 0 R" for at in range(len(annotations)))
    return write(
        {
            1: b"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[%b]/DA(/F2 12 Tf)"
            b"/DR<</Font<</F2 9 0 R>>>>%b>>>>" % (places.encode(), form.encode()),
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Annots[%b]"
            b"/Resources<</Font<</F2 9 0 R>>>>>>" % places.encode(),
            4: b"<</Length %d>>stream\n%b\nendstream" % (len(BODY), BODY),
            8: look(drawn).encode(),
            9: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
            **{20 + at: each.encode() for at, each in enumerate(annotations)},
        }
    )


def annotation(kind: str, more: str, y: int = 755) -> str:
    return f"<</Type/Annot/Subtype/{kind}/Rect[110 {y} 310 {y + 20}]/F 4{more}>>"


def field(words: str, more: str = "", y: int = 755) -> str:
    return annotation("Widget", f"/FT/Tx/T(n{y})/V{value(words)}/DA(/F2 12 Tf){more}", y)


def read(*annotations: str, form: str = "", drawn: str = "Bar") -> FileReading:
    return pdf.read(document(*annotations, form=form, drawn=drawn), ExtractLimits())


def lines(*annotations: str, form: str = "") -> list[str]:
    return [line for line in read(*annotations, form=form).text.split("\n") if line][1:]


@pytest.mark.parametrize("form", ["", "/NeedAppearances true"])
@pytest.mark.parametrize("words", ["Kim", "김가람", "제1조(목적) 홍 gil 동 1"])
def test_a_value_without_an_appearance_stands_behind_its_label(words: str, form: str) -> None:
    assert lines(field(words), form=form) == [f"Name: {words}", "Grade:"]


def test_an_appearance_is_what_is_printed() -> None:
    assert lines(field("hidden behind it", "/AP<</N 8 0 R>>")) == ["Name: Bar", "Grade:"]


def test_a_chosen_entry_is_printed_and_a_password_is_not() -> None:
    choice = "/FT/Ch/Ff 131072/T(c)/Opt[(A)(B)]/V(B)/DA(/F2 12 Tf)"
    secret = field("geheim", "/Ff 8192", 735)
    found = lines(annotation("Widget", choice), secret)
    assert found[0] == "Name: B"
    assert "geheim" not in found[1]


@pytest.mark.parametrize("kind", ["FreeText", "Stamp"])
def test_text_that_is_put_on_the_page_is_text(kind: str) -> None:
    assert lines(annotation(kind, "/AP<</N 8 0 R>>")) == ["Name: Bar", "Grade:"]


@pytest.mark.parametrize("kind", ["Text", "Popup", "FileAttachment", "Highlight"])
def test_comments_and_marks_of_reviewers_are_no_text(kind: str) -> None:
    comment = annotation(kind, "/Contents(Bar)/AP<</N 8 0 R>>")
    assert lines(comment, field("Kim", y=735)) == ["Name:", "Grade: Kim"]
    assert lines(comment) == ["Name:", "Grade:"]


@pytest.mark.parametrize("flag", [2, 32])
def test_what_a_viewer_hides_is_no_text(flag: int) -> None:
    hidden = annotation("FreeText", "/AP<</N 8 0 R>>").replace("/F 4", f"/F {flag}")
    assert lines(hidden, field("Kim", y=735)) == ["Name:", "Grade: Kim"]


def test_a_page_of_fields_alone_is_text() -> None:
    body = document(field("Kim"))
    reading = pdf.read(body.replace(BODY, b" " * len(BODY)), ExtractLimits())
    assert reading.text == "<!-- page 1 -->\n\nKim\n"


def test_an_xfa_form_is_told() -> None:
    xfa = "/XFA[(datasets) 8 0 R]"
    assert read(field("Kim"), form=xfa).notes == (
        "its XFA form is not read, only what its pages draw",
    )
    assert read(field("Kim")).notes == ()


def test_fields_that_lead_to_themselves_end() -> None:
    circle = field("Kim", "/Parent 20 0 R/Kids[20 0 R]/AP<</N 20 0 R>>")
    try:
        assert "Name:" in read(circle).text
    except Unreadable as error:
        assert error.reason  # noqa: PT017
