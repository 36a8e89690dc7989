"""What an HWPX prints is its text, and nothing else is."""

from xml.sax.saxutils import escape

import pytest

from uring.extract.articles import articles
from uring.extract.readers import hwpx
from uring.extract.readers.reading import ExtractLimits, FileReading, Unreadable
from uring_local.sites.files.hwpx import NAMESPACES, package, parts, section


def read(*paragraphs: str, header: str = "") -> FileReading:
    files = parts([section(paragraphs)])
    if header:
        names = f'xmlns:hh="{NAMESPACES[2011]}head"'
        files["Contents/header.xml"] = (
            f"<hh:head {names}><hh:refList>{header}</hh:refList></hh:head>"
        )
    return hwpx.read(package(files), ExtractLimits())


def p(inner: str, style: int = 0) -> str:
    return f'<hp:p paraPrIDRef="{style}"><hp:run>{inner}</hp:run></hp:p>'


def t(text: str) -> str:
    return f"<hp:t>{escape(text)}</hp:t>"


def ruby(main: str, above: str) -> str:
    words = f"<hp:mainText>{main}</hp:mainText><hp:subText>{above}</hp:subText>"
    return f"<hp:dutmal>{words}</hp:dutmal>"


def listed(*texts: str) -> str:
    return f"<hp:subList>{''.join(p(t(text)) for text in texts)}</hp:subList>"


def table(*rows: tuple[str, ...], caption: str = "") -> str:
    """A table of cells, given as the XML of their lists."""
    cells = "".join(
        "<hp:tr>"
        + "".join(
            f'<hp:tc>{cell}<hp:cellAddr colAddr="{column}" rowAddr="{row}"/></hp:tc>'
            for column, cell in enumerate(cells)
        )
        + "</hp:tr>"
        for row, cells in enumerate(rows)
    )
    return f"<hp:tbl>{caption}{cells}</hp:tbl>"


GRID = ((listed("구분"), listed("금액")), (listed("가"), listed("10")))
READ_GRID = "| 구분 | 금액 |\n|---|---|\n| 가 | 10 |"


class TestTables:
    @pytest.mark.parametrize("side", ["TOP", "LEFT", "RIGHT"])
    def test_a_caption_is_a_paragraph_above_its_table(self, side: str) -> None:
        caption = f'<hp:caption side="{side}">{listed("(단위: 천원)")}</hp:caption>'
        text = read(p(t("앞")), p(table(*GRID, caption=caption))).text
        assert text == f"앞\n\n(단위: 천원)\n\n{READ_GRID}\n"

    def test_a_caption_below_its_table_stands_behind_it(self) -> None:
        number = '<hp:ctrl><hp:autoNum num="3" numType="TABLE"/></hp:ctrl>'
        inner = f"<hp:subList>{p(t('표 ') + number + t(' 수당'))}</hp:subList>"
        caption = f'<hp:caption side="BOTTOM">{inner}</hp:caption>'
        assert read(p(table(*GRID, caption=caption))).text == f"{READ_GRID}\n\n표 3 수당\n"

    @pytest.mark.parametrize(
        ("side", "text"), [("TOP", "그림\n\n글상자\n"), ("BOTTOM", "글상자\n\n그림\n")]
    )
    def test_a_caption_of_a_drawing_stands_on_its_side(self, side: str, text: str) -> None:
        box = f"<hp:drawText>{listed('글상자')}</hp:drawText>"
        caption = f'<hp:caption side="{side}">{listed("그림")}</hp:caption>'
        assert read(p(f"<hp:rect>{box}{caption}</hp:rect>")).text == text

    def test_a_frame_of_one_cell_is_its_paragraphs_and_articles(self) -> None:
        words = (
            "제1장 총칙",
            "제1조(목적) 목적이다.",
            "제2조(정의) 뜻이다.",
            "부칙",
            "제1조(시행) 한다.",
        )
        text = read(p(table((listed(*words),)))).text
        assert [each.key for each in articles(text)] == [
            "제1장",
            "제1조",
            "제2조",
            "부칙",
            "부칙/제1조",
        ]
        assert "|" not in text

    def test_rows_of_one_cell_are_paragraphs(self) -> None:
        assert read(p(table((listed("가"),), (listed("나", "다"),)))).text == "가\n\n나\n\n다\n"

    def test_a_table_in_a_cell_stands_by_itself_between_the_rows(self) -> None:
        inner = f"<hp:subList>{p(t('앞'))}{p(table(*GRID))}</hp:subList>"
        rows = (
            (listed("항목"), listed("내용")),
            (listed("세목"), inner),
            (listed("끝"), listed("2")),
        )
        assert read(p(table(*rows))).text == (
            "| 항목 | 내용 |\n|---|---|\n\n세목\n\n앞\n\n"
            + READ_GRID
            + "\n\n| 끝 | 2 |\n|---|---|\n"
        )

    def test_tables_in_tables_in_tables_cost_no_escapes(self) -> None:
        inner = table(*GRID)
        for _ in range(20):
            inner = table((listed("가"), f"<hp:subList>{p(inner)}</hp:subList>"))
        text = read(p(inner)).text
        assert "\\" not in text
        assert len(text) < 300

    def test_rows_far_apart_are_too_big_in_pieces_too(self) -> None:
        inner = f"<hp:subList>{p(table(*GRID))}</hp:subList>"
        row = (listed("가"), listed("나"))
        rows = table(row, (listed("가"), inner), row)
        far = rows.replace('"1" rowAddr="0"', '"999" rowAddr="0"')
        with pytest.raises(Unreadable) as raised:
            read(p(far.replace('rowAddr="2"', 'rowAddr="9999"')))
        assert raised.value.outcome == "too_big"

    def test_a_cell_has_no_heading(self) -> None:
        text = read(p(table((listed("제1장 총칙"), listed("부칙"))))).text
        assert text == "| 제1장 총칙 | 부칙 |\n|---|---|\n"


class TestUnseen:
    def test_a_memo_is_no_text_and_cuts_no_sentence(self) -> None:
        memo = (
            '<hp:ctrl><hp:fieldBegin type="MEMO"><hp:parameters><hp:stringParam name="Author">'
            f"user</hp:stringParam></hp:parameters>{listed('검토 의견')}</hp:fieldBegin></hp:ctrl>"
        )
        body = p(t("이 규정은 ") + memo + t("연구") + "<hp:ctrl><hp:fieldEnd/></hp:ctrl>" + t("에"))
        assert read(body).text == "이 규정은 연구에\n"

    def test_a_hidden_comment_is_no_text(self) -> None:
        comment = f"<hp:ctrl><hp:hiddenComment>{listed('숨은 설명')}</hp:hiddenComment></hp:ctrl>"
        assert read(p(t("앞 ") + comment + t("뒤"))).text == "앞 뒤\n"

    def test_a_click_here_field_keeps_what_it_shows(self) -> None:
        field = '<hp:ctrl><hp:fieldBegin type="CLICK_HERE"/></hp:ctrl>'
        assert read(p(t("앞 ") + field + t("보임"))).text == "앞 보임\n"

    def test_what_is_deleted_over_paragraphs_and_tables_is_no_text(self) -> None:
        equation = "<hp:equation><hp:script>a over b</hp:script></hp:equation>"
        note = f"<hp:ctrl><hp:footNote>{listed('각주')}</hp:footNote></hp:ctrl>"
        begin, end = "<hp:t>앞<hp:deleteBegin/>옛</hp:t>", "<hp:t>말<hp:deleteEnd/>뒤</hp:t>"
        body = (p(begin + equation + note), p(table(*GRID)), p(t("옛 문단"), 1), p(end))
        assert read(*body, header=NUMBERS).text == "앞\n\n뒤\n"

    def test_a_deletion_ends_with_its_section(self) -> None:
        bodies = [section([p("<hp:t>앞<hp:deleteBegin/>옛</hp:t>")]), section([p(t("다음"))])]
        assert hwpx.read(package(parts(bodies)), ExtractLimits()).text == "앞\n\n다음\n"


class TestInLine:
    @pytest.mark.parametrize(
        ("element", "words"),
        [
            (ruby("大韓民國", "대한민국"), "大韓民國(대한민국)"),
            (ruby("韓", ""), "韓"),
            ('<hp:compose circleType="CHAR" composeText="21"/>', "21"),
            ('<hp:compose circleType="SHAPE_CIRCLE" composeText="21"/>', "㉑"),
            ('<hp:compose circleType="SHAPE_RECTANGLE" composeText="가"/>', "가"),
            ("<hp:equation><hp:script>a over b</hp:script></hp:equation>", "a over b"),
            ('<hp:ctrl><hp:autoNum num="2" numType="PICTURE"/></hp:ctrl>', "2"),
            ('<hp:ctrl><hp:autoNum num="7" numType="PAGE"/></hp:ctrl>', ""),
        ],
    )
    def test_what_stands_in_a_sentence_is_read_in_it(self, element: str, words: str) -> None:
        assert read(p(t("앞") + element + t("뒤"))).text == f"앞{words}뒤\n"

    def test_letters_of_the_word_processors_own_fonts_are_told(self) -> None:
        reading = read(p('<hp:compose composeText="\U000f02ba\U000f02c3"/>' + t("공개 \uf53a")))
        assert reading.text.startswith("\U000f02ba\U000f02c3공개")
        assert reading.notes == ("3 letters show only with the word processor's fonts",)

    def test_notes_have_their_numbers(self) -> None:
        def note(name: str, text: str, number: str = "") -> str:
            return f"<hp:ctrl><hp:{name}{number}>{listed(text)}</hp:{name}></hp:ctrl>"

        body = (
            p(t("가") + note("footNote", "하나", ' number="4"') + t("나")),
            p(t("다") + note("endNote", "미") + note("footNote", "둘")),
        )
        assert read(*body).text == "가나\n\n[각주 4] 하나\n\n다\n\n[미주 1] 미\n\n[각주 2] 둘\n"


NUMBERS = (
    '<hh:numberings><hh:numbering id="7" start="0">'
    '<hh:paraHead level="1" start="1" numFormat="DIGIT">제^1조</hh:paraHead>'
    '<hh:paraHead level="2" start="1" numFormat="CIRCLED_DIGIT">^2</hh:paraHead>'
    '<hh:paraHead level="3" start="3" numFormat="HANGUL_SYLLABLE">^3.</hh:paraHead>'
    '</hh:numbering></hh:numberings><hh:paraProperties><hh:paraPr id="0"/>'
    '<hh:paraPr id="1"><hh:heading type="NUMBER" idRef="7" level="0"/></hh:paraPr>'
    '<hh:paraPr id="2"><hh:heading type="NUMBER" idRef="7" level="1"/></hh:paraPr>'
    '<hh:paraPr id="3"><hh:switch><hh:case/><hh:default>'
    '<hh:heading type="NUMBER" idRef="7" level="2"/></hh:default></hh:switch></hh:paraPr>'
    '<hh:paraPr id="4"><hh:heading type="OUTLINE" idRef="0" level="0"/></hh:paraPr>'
    '<hh:paraPr id="5"><hh:heading type="NUMBER" idRef="99" level="0"/></hh:paraPr>'
    "</hh:paraProperties>"
)


class TestNumbers:
    def test_articles_that_a_style_numbers_are_articles(self) -> None:
        reading = read(
            p(t("(목적) 목적이다."), 1),
            p(t("(정의) 뜻이다."), 1),
            p(t("연구비"), 3),
            p(t("과제"), 3),
            p(t("(관리) 다음과 같다."), 1),
            p(t("제2조에 따른다."), 2),
            header=NUMBERS,
        )
        assert reading.text.split("\n\n") == [
            *["제1조(목적) 목적이다.", "제2조(정의) 뜻이다.", "다. 연구비", "라. 과제"],
            *["제3조(관리) 다음과 같다.", "① 제2조에 따른다.\n"],
        ]
        assert [each.key for each in articles(reading.text)] == ["제1조", "제2조", "제3조"]
        assert reading.notes == ()

    def test_an_empty_paragraph_counts_and_is_no_text(self) -> None:
        inner = f"<hp:subList>{p(t('안'), 1)}</hp:subList>"
        body = (p(t("(가)"), 1), p(table((inner, listed("x"))), 1), p(t("(나)"), 1))
        assert read(*body, header=NUMBERS).text == (
            "제1조(가)\n\n| 제3조 안 | x |\n|---|---|\n\n제4조(나)\n"
        )

    def test_an_outline_has_the_definition_of_its_section(self) -> None:
        first = '<hp:secPr outlineShapeIDRef="7"/>' + t("가")
        assert read(p(first, 4), p(t("나"), 4), header=NUMBERS).text == "제1조 가\n\n제2조 나\n"

    def test_only_numbers_that_the_file_does_not_define_are_told(self) -> None:
        reading = read(p(t("가"), 5), p(t("나"), 1), p(t("다"), 4), header=NUMBERS)
        assert reading.text == "가\n\n제1조 나\n\n1. 다\n"
        assert reading.notes == (
            "1 paragraph is numbered by the word processor; the file does not say how",
        )
