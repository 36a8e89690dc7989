"""JSON and feeds are read by the same rules as pages, or refused with what was seen (N17)."""

import json
import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uring.errors import SuspectPage
from uring.fetch.decode import decode_html
from uring.notices.item import NoticeItem
from uring.notices.page import read_page, rows_of
from uring.notices.source import Source
from uring.reading.lists.rows import ROW_LIMIT
from uring.sources.rows import Page

FIXTURES = Path(__file__).parent.parent / "fixtures"
TODAY = date(2026, 3, 2)
URL = "https://heron.example.ac.kr/list"
MARK = "왜가리"


def source(kind: str, **keys: object) -> Source:
    entry = {
        "id": "heron",
        "name": "왜가리학과",
        "url": URL,
        "kind": kind,
        "fields": {"id": "no", "title": "title", "link": {"template": "/v/{id}"}},
    }
    if kind == "json":
        entry["rows"] = "list"
    return Source.model_validate(entry | keys)


def read(kind: str, text: str, **keys: object) -> Page[NoticeItem]:
    return read_page(source(kind, **keys), text, URL, TODAY)


def refused(kind: str, text: str, **keys: object) -> SuspectPage:
    with pytest.raises(SuspectPage) as caught:
        read(kind, text, **keys)
    return caught.value


def answer(**row: object) -> str:
    return json.dumps({"list": [{"no": 1, "title": "글"} | row]})


def rss(title: str = "글", no: str = "1", *, more: str = "") -> str:
    item = f"<item><no>{no}</no><title>{title}</title></item>"
    return f"<rss><channel>{item}{more}</channel></rss>"


class TestJson:
    @pytest.mark.parametrize(
        "text",
        ["", "<!DOCTYPE html><p>점검 중", "{", '{"list": [NaN]}', "callback(1)", "\ud800", "[1,]"],
    )
    def test_what_is_none_is_named_with_what_was_seen(self, text: str) -> None:
        trouble = refused("json", text)
        assert trouble.reason == "not_json"
        assert "what the address answers" in trouble.detail

    @pytest.mark.parametrize("unit", ["[", '{"a":', '[{"a":['])
    def test_a_deep_one_is_a_bomb(self, unit: str) -> None:
        assert refused("json", unit * 1_000).reason == "markup_bomb"

    def test_so_is_one_of_more_than_two_million_characters(self) -> None:
        text = answer()
        assert len(read("json", text + " " * (2_000_000 - len(text))).items) == 1
        assert refused("json", text + " " * 2_000_000).reason == "markup_bomb"

    def test_brackets_in_texts_are_not_deep(self) -> None:
        assert len(read("json", answer(title="[[" * 500)).items) == 1

    @pytest.mark.parametrize(
        "text",
        ['{"list": []}', '{"list": {}}', "[]", "{}", "7", "null", '{"list": "글"}', '{"list": 5}'],
    )
    def test_an_answer_without_a_list_has_no_rows(self, text: str) -> None:
        trouble = refused("json", text)
        assert trouble.reason == "no_rows"
        assert "rows.select" in trouble.detail

    @pytest.mark.parametrize(
        ("wanted", "seen"),
        [
            (True, "false"),
            (True, "1"),
            (True, '"true"'),
            (1, "true"),
            (200, '"200"'),
            (200, "200.5"),
            ("OK", '"ok"'),
            ("OK", "null"),
            (None, "0"),
            (200, "[200]"),
        ],
    )
    def test_another_envelope_is_refused_with_both(self, wanted: object, seen: str) -> None:
        text = f'{{"state": {{"code": {seen}}}, "list": [{{"no": 1, "title": "글"}}]}}'
        trouble = refused("json", text, require={"state.code": wanted})
        assert trouble.reason == "wrong_envelope"
        assert "state.code is" in trouble.detail
        assert "correct require" in trouble.detail

    @pytest.mark.parametrize(
        ("wanted", "seen"),
        [
            (True, "true"),
            (False, "false"),
            (200, "200"),
            (200, "2e2"),
            (200.0, "200"),
            (0, "-0.0"),
            ("OK", '"OK"'),
            (None, "null"),
        ],
    )
    def test_the_right_envelope_is_believed(self, wanted: object, seen: str) -> None:
        text = f'{{"code": {seen}, "list": [{{"no": 1, "title": "글"}}]}}'
        assert len(read("json", text, require={"code": wanted, "error": None}).items) == 1

    @pytest.mark.parametrize(
        ("value", "shown"),
        [
            (7, "7"),
            (True, "true"),
            (False, "false"),
            ("0012", "0012"),
            (["가", 2, None], "가, 2"),
        ],
    )
    def test_values_become_text(self, value: object, shown: str) -> None:
        assert read("json", answer(no=value)).items[0].id == shown

    @pytest.mark.parametrize("number", ["12345678901234567890123", "1.10", "9" * 150])
    def test_numbers_stay_as_they_are_written(self, number: str) -> None:
        text = f'{{"list": [{{"no": {number}, "title": "글"}}]}}'
        assert read("json", text).items[0].id == number

    @pytest.mark.parametrize("value", [None, "", {}, {"a": 1}, [], [[1]]])
    def test_what_is_no_text_skips_the_row(self, value: object) -> None:
        text = json.dumps({"list": [{"no": 1, "title": value}, {"no": 2, "title": "글"}]})
        page = read("json", text)
        assert [item.id for item in page.items] == ["2"]
        assert "fields.title" in (page.rows[0].reason or "")

    @pytest.mark.parametrize(
        ("value", "pinned"),
        [(True, True), ("Y", True), (1, True), (False, False), (None, False), (0, False),
         (0.0, False), ("", False), ([], False)],
    )  # fmt: skip
    def test_a_flag_pins_where_it_is_true(self, value: object, *, pinned: bool) -> None:
        assert read("json", answer(top=value), pinned=["top"]).items[0].is_pinned is pinned

    def test_a_row_that_is_no_object_is_skipped(self) -> None:
        page = read("json", '{"list": [1, null, "a", [], {"no": 1, "title": "글"}]}')
        assert (len(page.items), page.skipped) == (1, 4)

    def test_two_megabytes_take_seconds_at_most(self) -> None:
        texts = [
            '{"list": [' + "[]," * 600_000 + "[]]}",
            '{"list": [{"no": 1, "title": "' + "[" * 1_900_000 + '"}]}',
            '{"list": ["' + '\\"' * 900_000 + '"]}',
            '{"list": [{"no": 1, "title": "' + "<a " * 600_000 + '"}]}',
            '{"list": [{"no": 1, "title": "' + "&amp;" * 380_000 + '"}]}',
            '{"list": [{"no": 1, "title": "' + "</b " * 480_000 + '"}]}',
            '{"list": [{"no": ' + "9" * 1_900_000 + ', "title": "a"}]}',
            '{"list": [' + '{"no": 1, "title": "<b </b>"},' * 60_000 + "1]}",
        ]
        for text in texts:
            began = time.process_time()
            assert len(rows_of(source("json"), text, URL, TODAY).rows) <= ROW_LIMIT
            assert time.process_time() - began < 4


class TestFeeds:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            "점검 중",
            "<!DOCTYPE html><html></html>",
            '<!DOCTYPE rss [<!ENTITY a "b">]><rss><item>&a;</item></rss>',
            "<html><body><item/></body></html>",
            "<rss><channel><item>",
            '{"list": []}',
        ],
    )
    def test_what_is_none_is_named_with_what_was_seen(self, text: str) -> None:
        assert refused("rss", text).reason == "not_feed"
        assert refused("atom", text).reason == "not_feed"

    def test_the_other_kind_of_feed_is_none(self) -> None:
        assert "<rss>, not <feed>" in refused("atom", rss()).detail
        assert "<feed>, not <rss>" in refused("rss", "<feed><entry/></feed>").detail

    @pytest.mark.parametrize(
        "bomb",
        ["<a>" * 60, "<b/>" * 60_000, "<a " + " ".join(f"x{n}=''" for n in range(60)) + "/>"],
    )
    def test_a_bomb_is_one(self, bomb: str) -> None:
        assert refused("rss", rss(more=bomb)).reason == "markup_bomb"

    def test_an_empty_feed_has_no_rows(self) -> None:
        assert refused("rss", "<rss><channel/></rss>").reason == "no_rows"

    @pytest.mark.parametrize(
        "title",
        ["A & B", "A &amp; B", "A &amp;amp; B", "<![CDATA[A & B]]>", "<![CDATA[A &amp; B]]>",
         "A&nbsp;&amp;&nbsp;B", "\x08A &#38; B\x1f", "A <b>&#38;</b> B", "\n A\t&\r\n B "],
    )  # fmt: skip
    def test_a_title_is_one_however_it_is_escaped(self, title: str) -> None:
        assert read("rss", rss(title)).items[0].title == "A & B"

    def test_the_title_of_the_row_is_not_that_of_its_picture(self) -> None:
        text = rss("<![CDATA[글]]>").replace("<title>", "<media:title>그림</media:title><title>")
        assert read("rss", text).items[0].title == "글"

    def test_a_mended_feed_of_many_pieces_is_read_quickly(self) -> None:
        for piece in ("<![CDATA[]]>", "<![CDATA[", "&", "&#", "]]>", "\x01"):
            text = rss("글 & " + piece * (1_900_000 // len(piece)))
            began = time.process_time()
            with pytest.raises(SuspectPage):
                read("rss", text.removesuffix("</rss>"))
            assert time.process_time() - began < 4

    def test_rows_in_rows_are_none(self) -> None:
        text = "<rss><item><no>1</no><title>글</title><item><no>2</no></item></item></rss>"
        assert [row.item and row.item.id for row in read("rss", text).rows] == ["1"]


def hashes(folder: str, body: bytes, content_type: str | None) -> list[str]:
    entry = Source.model_validate_json((FIXTURES / folder / "entry.json").read_bytes())
    text = decode_html(body, content_type).text
    return [item.hash for item in read_page(entry, text, entry.url, TODAY).items]


@pytest.mark.parametrize("folder", ["rss_korean", "json_envelope"])
def test_an_answer_reads_the_same_in_every_encoding(folder: str) -> None:
    (path,) = (FIXTURES / folder).glob("input.*")
    text = decode_html(path.read_bytes(), None).text
    wanted = hashes(folder, text.encode(), "text/xml; charset=utf-8")
    assert len(wanted) >= 2
    for codec in ("utf-8", "utf-8-sig", "cp949", "utf-16"):
        for header in (None, "text/xml; charset=iso-8859-1", f"text/xml; charset={codec}"):
            assert hashes(folder, text.encode(codec), header) == wanted


def three(title: str, no: str) -> list[NoticeItem]:
    """One notice as a page, as JSON and as a feed."""
    html = "".join(f"&#{ord(each)};" for each in title)
    cdata = title.replace("]]>", "]]]]><![CDATA[>")
    texts = {
        "html": f"<table><tr><td class=no>{no}</td><td class=title>{html}</td></tr></table>",
        "json": json.dumps({"list": [{"no": no, "title": title}]}),
        "rss": f"<rss><item><no>{no}</no><title><![CDATA[{cdata}]]></title></item></rss>",
    }
    css = {
        "rows": "tr",
        "fields": {"id": ".no", "title": ".title", "link": {"template": "/v/{id}"}},
    }
    return [
        read(kind, text, **(css if kind == "html" else {})).items[0] for kind, text in texts.items()
    ]


@given(
    st.text(
        st.characters(codec="utf-8", exclude_categories=["C"], exclude_characters="&<>"),
        min_size=1,
    ).map(lambda text: f"{MARK}{text}"),
    st.integers(min_value=0),
)
def test_one_notice_is_the_same_in_every_kind(title: str, no: int) -> None:
    page, *others = three(title, str(no))
    assert others == [page, page]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["list", "no", "title"]), inner, max_size=3)
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_or_suspect(document: object) -> None:
    page = rows_of(source("json"), json.dumps(document), URL, TODAY)
    assert all(item.id and item.title for item in page.items)
    assert all((row.item is None) == bool(row.reason) for row in page.rows)


@given(st.text(st.sampled_from('{}[]":,0-e\\<>&;!/ ') | st.characters(), max_size=40))
def test_any_text_is_read_or_suspect(text: str) -> None:
    for kind in ("json", "rss", "atom"):
        with pytest.raises(SuspectPage):
            read(kind, text)
