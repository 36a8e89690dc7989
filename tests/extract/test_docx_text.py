"""What Word prints is the text of a DOCX, and nothing else is."""

import time

import pytest
from docx_writer import (
    END,
    STRICT,
    box,
    code,
    definition,
    docx,
    field,
    listed,
    note,
    num,
    p,
    relations,
    root,
    style,
    t,
    tbl,
    tc,
    write,
)
from extract_papers import STATUTE, said, words

from uring.extract.articles import articles
from uring.extract.extract import extract
from uring.extract.formats import READABLE, format_of
from uring.extract.readers import docx as reader
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring_local.sites.files.hwpx import package
from uring_local.sites.files.paper import Cell

OFF = '<w:vanish w:val="0"/>'
HIDDEN = "<w:vanish/>"
ARTICLES = definition(
    7, ("decimal", "제%1조"), ("decimalEnclosedCircle", "%2"), ("ganada", "%3."), ("decimal", "%4)")
)


def read(*blocks: str, **parts: str) -> FileReading:
    return reader.read(write(*blocks, parts=parts), ExtractLimits())


def text(*blocks: str, **parts: str) -> str:
    return read(*blocks, **parts).text


def lines(*blocks: str, **parts: str) -> list[str]:
    return [line for line in text(*blocks, **parts).split("\n") if line]


class TestNumbers:
    def test_a_style_s_numbers_are_counted_by_level(self) -> None:
        found = text(
            p(t("(목적) 이 규정은 정한다."), listed(1)),
            p(t("(정의) 뜻은 다음과 같다."), listed(1)),
            p(t("학점이란 시간이다."), listed(1, 1)),
            p(t("교과목"), listed(1, 2)),
            p(t("전공"), listed(1, 2)),
            p(t("학기란 기간이다."), listed(1, 1)),
            p(t("학사"), listed(1, 2)),
            p(t("(시행) 시행한다."), listed(1)),
            numbering=ARTICLES + num(1, 7),
        )
        assert found.split("\n\n") == [
            "제1조(목적) 이 규정은 정한다.",
            "제2조(정의) 뜻은 다음과 같다.",
            "① 학점이란 시간이다.",
            "가. 교과목",
            "나. 전공",
            "② 학기란 기간이다.",
            "가. 학사",
            "제3조(시행) 시행한다.\n",
        ]
        assert [each.key for each in articles(found)] == ["제1조", "제2조", "제3조"]

    def test_a_style_gives_its_list_and_the_definition_its_level(self) -> None:
        heads = definition(7, ("decimal", "제%1장"), ("decimal", "제%2조"), more="")
        heads = heads.replace('w:ilvl="1">', 'w:ilvl="1"><w:pStyle w:val="Article"/>')
        styles = style("Chapter", f"<w:pPr>{listed(1)}</w:pPr>")
        styles += style("Article", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')
        styles += style("Mine", "", "Article")
        assert lines(
            p(t("총칙"), '<w:pStyle w:val="Chapter"/>'),
            p(t("(목적) 가"), '<w:pStyle w:val="Mine"/>'.replace("Mine", "Article")),
            p(t("(정의) 나"), '<w:pStyle w:val="Article"/>'),
            numbering=heads + num(1, 7),
            styles=styles,
        ) == ["## 제1장 총칙", "제1조(목적) 가", "제2조(정의) 나"]

    def test_lists_of_one_definition_go_on_and_an_override_begins_again(self) -> None:
        again = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
        numbering = definition(7, ("decimal", "%1.")) + num(1, 7) + num(2, 7) + num(3, 7, again)
        blocks = (p(t("항"), listed(name)) for name in (1, 1, 2, 3, 3))
        found = lines(*blocks, numbering=numbering)
        assert found == ["1. 항", "2. 항", "3. 항", "1. 항", "2. 항"]

    def test_a_skipped_level_shows_its_first_number_and_is_not_counted(self) -> None:
        numbering = definition(7, ("decimal", "%1."), ("decimal", "%1.%2")) + num(1, 7)
        blocks = (p(t("항"), listed(1, level)) for level in (1, 1, 0, 1))
        assert lines(*blocks, numbering=numbering) == ["1.1 항", "1.2 항", "1. 항", "1.1 항"]

    @pytest.mark.parametrize(
        ("shape", "labels"),
        [
            ("decimalZero", ["01", "02", "03"]),
            ("upperLetter", ["A", "B", "C"]),
            ("lowerRoman", ["i", "ii", "iii"]),
            ("chosung", ["ㄱ", "ㄴ", "ㄷ"]),
            ("koreanLegal", ["하나", "둘", "셋"]),
            ("koreanDigital2", ["一", "二", "三"]),
            ("decimalEnclosedParen", ["⑴", "⑵", "⑶"]),
            ("ideographTraditional", ["甲", "乙", "丙"]),
            ("bullet", ["", "", ""]),
            ("aFormatOfTomorrow", ["1", "2", "3"]),
        ],
    )
    def test_numbers_have_the_format_of_their_level(self, shape: str, labels: list[str]) -> None:
        numbering = definition(7, (shape, "%1")) + num(1, 7)
        blocks = (p(t("- 항"), listed(1)) for _ in labels)
        found = [line.removesuffix("- 항").strip() for line in lines(*blocks, numbering=numbering)]
        assert found == labels

    def test_a_letter_behind_z_is_doubled(self) -> None:
        numbering = definition(7, ("lowerLetter", "%1)")) + num(1, 7)
        assert lines(*[p(t("항"), listed(1))] * 28, numbering=numbering)[-1] == "bb) 항"

    def test_an_unknown_list_and_list_0_have_no_numbers(self) -> None:
        blocks = p(t("가"), listed(9)), p(t("나"), listed(0)), p(t("다"), listed(1, 8))
        assert lines(*blocks, numbering=ARTICLES + num(1, 7)) == ["가", "나", "다"]

    def test_a_deleted_paragraph_is_not_counted(self) -> None:
        gone = f"<w:del>{t('옛')}</w:del>".replace("w:t", "w:delText")
        deleted = p(gone, listed(1, 1) + "<w:rPr><w:del/></w:rPr>")
        blocks = p(t("가"), listed(1)), deleted, p(t("나"), listed(1))
        found = lines(*blocks, numbering=ARTICLES + num(1, 7))
        assert found == ["제1조 가", "제2조 나"]


class TestPrinted:
    def test_the_strict_form_reads_the_same(self) -> None:
        found = reader.read(docx(STATUTE, namespace=STRICT), ExtractLimits())
        assert words(found.text) == said(STATUTE)

    def test_notes_have_numbers_and_stand_behind_their_paragraph(self) -> None:
        first = '<w:r><w:footnoteReference w:id="2"/></w:r>'
        second = '<w:r><w:footnoteReference w:id="1"/></w:r>'
        last = '<w:r><w:endnoteReference w:id="1"/></w:r>'
        assert lines(
            p(t("학점") + first + t("은 시간") + second + t("이다.") + last),
            p(t("다시") + first),
            footnotes=note("footnote", "시간의 뜻", "학점의 뜻"),
            endnotes=note("endnote", "끝"),
        ) == [
            "학점은 시간이다.",
            "[각주 1] 학점의 뜻",
            "[각주 2] 시간의 뜻",
            "[미주 1] 끝",
            "다시",
        ]

    def test_a_text_box_cuts_no_sentence_and_is_read_once(self) -> None:
        inside = box(p(t("제1장 총칙")), p(t("상자 안")))
        assert lines(p(t("문장이 ") + inside + t("이어진다."))) == [
            "문장이 이어진다.",
            "## 제1장 총칙",
            "상자 안",
        ]
        assert lines(p(inside + t("뒤"))) == ["## 제1장 총칙", "상자 안", "뒤"]

    def test_a_heading_s_level_is_its_mark_and_an_article_has_none(self) -> None:
        styles = style("H2", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>') + style("Own", "", "H2")
        heading = '<w:pStyle w:val="Own"/>'
        assert lines(
            p(t("개요"), heading),
            p(t("제1조(목적) 정한다."), heading),
            p(t("본문"), heading + '<w:outlineLvl w:val="9"/>'),
            styles=styles,
        ) == ["## 개요", "제1조(목적) 정한다.", "본문"]

    def test_tables_in_content_controls_keep_their_cells(self) -> None:
        row = (
            f"<w:tr>{tc(Cell('가'))}<w:sdt><w:sdtContent>{tc(Cell('나|다'))}</w:sdtContent></w:sdt>"
        )
        rows = f"{row}</w:tr><w:sdt><w:sdtContent>{row}</w:tr></w:sdtContent></w:sdt>"
        assert text(tbl(rows)) == "| 가 | 나\\|다 |\n|---|---|\n| 가 | 나\\|다 |\n"

    def test_a_frame_of_one_cell_is_its_paragraphs(self) -> None:
        cell = f"<w:tc>{p(t('제1조(목적) 가.'))}{p(t('제2조(정의) 나.'))}</w:tc>"
        found = text(tbl(f"<w:tr>{cell}</w:tr>"))
        assert [each.key for each in articles(found)] == ["제1조", "제2조"]

    def test_a_field_shows_its_result_and_not_its_code(self) -> None:
        inner = field([code("REF a")], t("옛"))
        outer = field([code("IF "), inner, code(' = "b"')], t("제2조"))
        assert lines(p(outer + t("에 따라"))) == ["제2조에 따라"]

    def test_a_field_without_an_end_hides_nothing_behind_its_paragraph(self) -> None:
        broken = field([code("REF a")], "").replace(END, "").rpartition("<w:r>")[0]
        blocks = p(t("앞") + broken), p(t("뒤") + field([code("PAGE")], t("3")))
        assert lines(*blocks) == ["앞", "뒤3"]

    def test_boxes_and_lists_of_an_old_form_show_their_choice(self) -> None:
        def form(inner: str) -> str:
            mark = f'<w:fldChar w:fldCharType="begin"><w:ffData>{inner}</w:ffData></w:fldChar>'
            return f"<w:r>{mark}</w:r>{code('FORM')}{END}"

        entries = '<w:listEntry w:val="학사"/><w:listEntry w:val="석사"/>'
        choice = form(f'<w:ddList><w:result w:val="1"/>{entries}</w:ddList>')
        ticked = form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')
        empty = form('<w:checkBox><w:default w:val="0"/></w:checkBox>')
        assert lines(p(choice + t(" ") + ticked + t("예 ") + empty + t("아니요"))) == [
            "석사 ☒예 ☐아니요"
        ]

    def test_equations_rubies_symbols_and_breaks(self) -> None:
        ruby = f"<w:ruby><w:rt>{t('학칙')}</w:rt><w:rubyBase>{t('學則')}</w:rubyBase></w:ruby>"
        equation = "<m:oMath><m:r><m:t>a</m:t></m:r><m:r><m:t>+b</m:t></m:r></m:oMath>"
        symbol = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'
        found = read(p(f"<w:r>{ruby}</w:r>" + equation + t("\n다음\t줄 ") + symbol))
        assert found.text == "學則(학칙)a+b\n다음 줄 \uf0fe\n"
        assert found.notes == ("1 letter shows only with the word processor's fonts",)

    def test_what_is_not_read_is_said(self) -> None:
        chart = "<w:r><w:drawing><c:chart/></w:drawing></w:r>"
        found = read(p(t("가") + chart + chart), '<w:altChunk r:id="x" xmlns:r="urn:r"/>')
        assert found.notes == ("2 charts are not read", "1 part from another file is not read")


class TestUnseen:
    def test_deleted_revisions_are_no_text_and_inserted_ones_are(self) -> None:
        gone = f"<w:del>{t('옛').replace('w:t', 'w:delText')}</w:del>"
        moved = f"<w:moveFrom>{t('옮김')}</w:moveFrom>"
        kept = f"<w:ins>{t('새 ')}</w:ins>", f"<w:moveTo>{t('글')}</w:moveTo>"
        rows = f"<w:tr><w:trPr><w:del/></w:trPr>{tc(Cell('옛'))}{tc(Cell('행'))}</w:tr>"
        rows += f"<w:tr>{tc(Cell('새'))}{tc(Cell('행'))}</w:tr>"
        assert lines(
            p(kept[0] + gone + moved + kept[1]),
            tbl(rows),
        ) == ["새 글", "| 새 | 행 |", "|---|---|"]

    def test_a_paragraph_goes_on_behind_a_deleted_mark(self) -> None:
        deleted = "<w:rPr><w:del/></w:rPr>"
        blocks = p(t("제1조(목적) 이 규정은 "), deleted), p(t("목적을 정한다."))
        assert lines(*blocks) == ["제1조(목적) 이 규정은 목적을 정한다."]
        assert lines(p(t("끝"), deleted)) == ["끝"]

    def test_hidden_text_is_no_text(self) -> None:
        styles = style("Secret", f"<w:rPr>{HIDDEN}</w:rPr>") + style("Mine", "", "Secret")
        assert lines(
            p(t("보임") + t("숨김", HIDDEN) + t("도 보임", OFF)),
            p(t("숨김") + t("보임", OFF), '<w:pStyle w:val="Mine"/>'),
            p(t("숨김", '<w:rStyle w:val="Secret"/>') + t("끝")),
            styles=styles,
        ) == ["보임도 보임", "보임", "끝"]

    def test_comments_heads_and_feet_are_no_text(self) -> None:
        files = {"comments": p(t("검토 의견")), "header": p(t("머리글")), "footer": p(t("3"))}
        mark = '<w:r><w:commentReference w:id="1"/></w:r>'
        assert lines(p(t("본문") + mark), **files) == ["본문"]


class TestHostile:
    def refused(self, body: bytes) -> str:
        with pytest.raises(Unreadable) as raised:
            reader.read(body, ExtractLimits())
        assert raised.value.reason
        return raised.value.outcome

    def document(self, xml: str, **parts: str) -> bytes:
        return package({"word/document.xml": xml, **parts}, compressed=True)

    def test_bombs_entities_and_depth_are_refused(self) -> None:
        start, _, end = root("document", "<w:body>!</w:body>").partition("!")
        assert self.refused(self.document(start + " " * 30_000_000 + end)) == "too_big"
        assert (
            self.refused(self.document('<!DOCTYPE a [<!ENTITY b "c">]>' + start + end)) == "damaged"
        )
        deep = "<w:sdt>" * 5_000 + "</w:sdt>" * 5_000
        assert self.refused(self.document(start + deep + end)) == "too_big"
        assert self.refused(self.document("<w:document/>")) == "damaged"

    def test_a_cell_far_away_is_damage(self) -> None:
        cell = '<w:tc><w:tcPr><w:gridSpan w:val="999999"/></w:tcPr></w:tc>'
        assert self.refused(write(tbl(f"<w:tr>{cell}{cell}</w:tr>"))) == "damaged"

    def test_a_part_outside_the_file_is_looked_up_nowhere(self) -> None:
        outside = relations(officeDocument="../../../etc/passwd")
        assert self.refused(self.document("<a/>", **{"_rels/.rels": outside})) == "damaged"
        far = relations(styles="http://127.0.0.1/styles.xml").replace(
            "/>", ' TargetMode="External"/>'
        )
        body = root("document", f"<w:body>{p(t('본문'))}</w:body>")
        found = reader.read(
            self.document(body, **{"word/_rels/document.xml.rels": far}), ExtractLimits()
        )
        assert found.text == "본문\n"

    def test_styles_and_notes_that_lead_to_themselves_end(self) -> None:
        circle = style("A", "", "B") + style("B", "", "A")
        mark = '<w:r><w:footnoteReference w:id="1"/></w:r>'
        notes = f'<w:footnote w:id="1">{p(t("주") + mark)}</w:footnote>'
        assert lines(
            p(t("본문") + mark * 3, '<w:pStyle w:val="A"/>'), styles=circle, footnotes=notes
        ) == ["본문", "[각주 1] 주"]

    def test_a_long_chain_of_styles_is_not_followed_to_its_end(self) -> None:
        styles = "".join(style(f"S{at}", "", f"S{at + 1}") for at in range(3_000))
        styles += style("S3000", f"<w:rPr>{HIDDEN}</w:rPr>")
        body = p(t("본문"), '<w:pStyle w:val="S0"/>')
        assert lines(body, styles=styles) == ["본문"]

    def test_a_label_has_a_limit(self) -> None:
        levels = (("lowerLetter", "%1" * 30),)
        numbering = definition(7, *levels).replace('"1"/><w:numFmt', '"60000"/><w:numFmt')
        found = text(p(t("가"), listed(1)), numbering=numbering + num(1, 7))
        assert len(found) < 250

    def test_lists_of_one_large_definition_read_it_once(self) -> None:
        # The texts differ, so that the file is no bomb.
        levels = "".join(
            f'<w:lvl w:ilvl="0"><w:lvlText w:val="%1. {at * 7919:x}"/></w:lvl>'
            for at in range(10_000)
        )
        lists = range(1, 201)
        numbering = f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>'
        numbering += "".join(num(each, 7) for each in lists)
        blocks = (p(t("가"), listed(each)) for each in lists)
        body = write(*blocks, parts={"numbering": numbering})
        began = time.process_time()
        found = reader.read(body, ExtractLimits())
        assert time.process_time() - began < 6
        assert found.text.splitlines()[-1].startswith("199.")


class TestFormat:
    def test_its_document_may_have_a_number(self) -> None:
        files = {
            "_rels/.rels": relations(officeDocument="/word/document2.xml"),
            "word/document2.xml": root("document", f"<w:body>{p(t('본문'))}</w:body>"),
        }
        found = extract(package(files), formats=READABLE)
        assert (found.format, found.text) == ("docx", "본문\n")

    def test_utf_16_is_read(self) -> None:
        xml = root("document", f"<w:body>{p(t('본문'))}</w:body>").replace("UTF-8", "UTF-16")
        files = {"word/document.xml": xml.encode("utf-16")}
        assert extract(package(files), formats=READABLE).text == "본문\n"

    def test_one_with_a_password_is_encrypted(self) -> None:
        body = (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
            + bytes(600)
            + "EncryptedPackage".encode("utf-16-le")
        )
        assert format_of(body) == "locked"
        found = extract(body, formats=READABLE)
        assert (found.outcome, found.is_permanent) == ("encrypted", True)
        assert "with a password" in found.reason
