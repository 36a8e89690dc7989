"""PDFs of one page by hand, whose fonts are not in the file."""

from uring_local.sites.files.pdf import write

HANGUL = b"/F1"
LATIN = b"/F2"
BLANKS = b"/F3"
FOUR_BYTES = "11 0 R"
"""An encoding of codes of four bytes, which the font does not map to characters."""


def text(
    x: float, y: float, words: str, font: bytes = HANGUL, turn: str = "1 0 0 1", size: int = 12
) -> bytes:
    """Words at a place, in an operator of their own."""
    codes = words.encode("cp949").hex()
    return f"BT {font.decode()} {size} Tf {turn} {x:g} {y:g} Tm <{codes}> Tj ET\n".encode()


def page(*parts: bytes, encoding: str = "KSCms-UHC-H") -> bytes:
    """A PDF with these operators."""
    content = b"".join(parts)
    to_blank = b"".join(b"<%02x><0020>\n" % code for code in range(65, 91))
    cmap = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00><ff> "
        b"endcodespacerange 26 beginbfchar\n%bendbfchar endcmap end" % to_blank
    )
    spaces = b"<00> <7f>\n<c080> <dfbf>\n<f0808080> <f7bfbfbf>"
    codes = b"\n3 begincodespacerange\n%b\nendcodespacerange\n" % spaces
    wide = b"/CIDInit /ProcSet findresource begin begincmap %b endcmap end" % codes
    latin = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding"
    return write(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
            b"/Resources<</Font<</F1 5 0 R/F2 8 0 R/F3 9 0 R>>>>>>",
            4: b"<</Length %d>>stream\n%b\nendstream" % (len(content), content),
            5: b"<</Type/Font/Subtype/Type0/BaseFont/HYSMyeongJo-Medium/Encoding %b"
            b"/DescendantFonts[6 0 R]>>"
            % (encoding if encoding == FOUR_BYTES else f"/{encoding}").encode(),
            6: b"<</Type/Font/Subtype/CIDFontType0/BaseFont/HYSMyeongJo-Medium/CIDSystemInfo"
            b"<</Registry(Adobe)/Ordering(Korea1)/Supplement 1>>/DW 1000/FontDescriptor 7 0 R>>",
            7: b"<</Type/FontDescriptor/FontName/HYSMyeongJo-Medium/Flags 6"
            b"/FontBBox[0 -150 1000 850]/ItalicAngle 0/Ascent 850/Descent -150/StemV 80>>",
            8: latin + b">>",
            9: latin + b"/ToUnicode 10 0 R>>",
            10: b"<</Length %d>>stream\n%b\nendstream" % (len(cmap), cmap),
            11: b"<</Type/CMap/CMapName/Wide/Length %d>>stream\n%b\nendstream" % (len(wide), wide),
        }
    )


def letter_by_letter(words: str) -> bytes:
    """A line whose letters have an operator each; blanks are places without one."""
    places = [(60 + 12 * at, char) for at, char in enumerate(words) if char != " "]
    return page(*(text(x, 760, char) for x, char in places))
