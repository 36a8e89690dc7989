"""One page, one text: whatever its bytes are and whatever is said about them (N20)."""

import time

import pytest

from uring.errors import SuspectPage
from uring.fetch.decode import codec_for, decode_html

ROWS = "".join(
    f"<tr><td>{number}</td><td><a href='?no={number}'>{title}</a></td></tr>\n"
    for number, title in enumerate(
        [
            "2025학년도 수강신청 안내",
            "똠방각하 펲시콜라 특강",
            "도서관 휴관 「공지」",
            "카페 · 100℃",
        ]
    )
)


def page(charset: str | None) -> str:
    meta = "" if charset is None else f"<meta charset='{charset}'>"
    return f"<!doctype html><html><head>{meta}<title>공지</title></head>{ROWS}</html>"


def test_the_fixture_needs_cp949() -> None:
    """EUC-KR proper cannot read the page, so the superset is what is tested."""
    with pytest.raises(UnicodeDecodeError):
        page(None).encode("cp949").decode("euc-kr")


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp949", "utf-16"])
@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/html",
        "text/html; charset=euc-kr",
        'text/html;charset="KS_C_5601-1987"',
        "text/html; charset=utf-8",
        "text/html; charset=ISO-8859-1",
        "text/html; charset=us-ascii",
        "text/html; charset=utf-16",
        "text/html; charset=nonsense",
        "text/html; charset=zip",
    ],
)
@pytest.mark.parametrize("meta", [None, "euc-kr", "utf-8", "iso-8859-1", "utf-16", "x-unknown"])
def test_one_page_has_one_text(codec: str, content_type: str | None, meta: str | None) -> None:
    """Encoding, header and meta in every combination, right, wrong and missing."""
    written = page(meta)
    assert decode_html(written.encode(codec), content_type).text == written


@pytest.mark.parametrize("label", ["utf-8", "euc-kr", "ISO-8859-1", None])
def test_a_short_korean_page_in_utf_8_is_never_taken_for_cp949(label: str | None) -> None:
    """A word or two of UTF-8 can pass for CP949, as this one does."""
    assert len("모집".encode().decode("cp949")) == 3
    text = "<p>모집</p>"
    header = None if label is None else f"text/html; charset={label}"
    assert decode_html(text.encode(), header).text == text


def test_declared_western_text_is_read_as_declared() -> None:
    text = "<p>Élève à l'école: 5 € \u2013 für Gäste"
    for label in ("iso-8859-1", "windows-1252"):
        decoded = decode_html(text.encode("cp1252"), f"text/html; charset={label}")
        assert (decoded.text, decoded.encoding) == (text, "cp1252")


@pytest.mark.parametrize(
    ("codec", "label", "text"),
    [
        ("gb18030", "gb2312", "教务处关于选课的通知。请查收"),
        ("cp932", "Shift_JIS", "お知らせ 履修登録について①"),
        ("big5hkscs", "big5", "國立大學教務處公告"),
        ("koi8-r", "KOI8-R", "Объявление для студентов"),
        ("cp1251", "windows-1251", "Объявление для студентов"),
        ("iso8859-2", "iso-8859-2", "Ogłoszenie o zapisach na zajęcia"),
        ("johab", "johab", "똠방각하"),
    ],
)
def test_other_declared_charsets_are_read(codec: str, label: str, text: str) -> None:
    for body, header in [
        (text.encode(codec), f"text/html; charset={label}"),
        (f"<meta charset={label}>{text}".encode(codec), None),
    ]:
        assert decode_html(body, header).text.endswith(text)
        assert decode_html(body, header).encoding == codec


@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="euc-kr">',
        "<META CharSet = euc-kr >",
        '<meta http-equiv="Content-Type" content="text/html; charset=euc-kr" />',
        '<meta content="text/html;charset=EUC-KR" http-equiv=Content-Type>',
        "<?xml version='1.0' encoding='euc-kr'?>",
        "<!-- <meta charset=gbk> --><meta charset=euc-kr>",
        "<meta charset=what-is-this><meta charset=ks_c_5601-1987>",
        "<script>" + "x" * 3000 + "</script><meta charset=euc-kr>",
    ],
)
def test_a_page_says_its_charset_in_many_ways(head: str) -> None:
    """The bytes are valid GBK as well, so the declaration alone decides."""
    text = f"{head}<p>대학교 안내</p>"
    decoded = decode_html(text.encode("cp949"), "text/html")
    assert (decoded.text, decoded.encoding) == (text, "cp949")
    other = decode_html(text.replace("euc-kr", "gbk").encode("cp949"), "text/html; charset=gbk")
    assert other.encoding == "gb18030"


def test_the_header_comes_before_the_meta() -> None:
    body = "<meta charset=gbk><p>대학교</p>".encode("cp949")
    assert decode_html(body, "text/html; charset=euc-kr").encoding == "cp949"


def test_a_declaration_deep_in_the_page_is_not_looked_for() -> None:
    body = ("<p>" + "x" * 5000 + "<meta charset=gbk>대학교").encode("cp949")
    assert decode_html(body, None).encoding == "cp949"


@pytest.mark.parametrize("pinned", ["cp949", "EUC-KR", "x-windows-949", "ksc5601"])
def test_the_entry_overrules_the_page(pinned: str) -> None:
    body = "<meta charset=gbk><p>대학교</p>".encode("cp949")
    decoded = decode_html(body, "text/html; charset=gbk", pinned)
    assert (decoded.text, decoded.encoding) == ("<meta charset=gbk><p>대학교</p>", "cp949")


@pytest.mark.parametrize("pinned", ["", "zip", "hex", "utf-7", "idna", "unicode_escape", "../x"])
def test_an_unknown_pinned_charset_is_named(pinned: str) -> None:
    with pytest.raises(SuspectPage, match='"encoding"') as suspect:
        decode_html(b"page", None, pinned)
    assert suspect.value.reason == "unreadable_text"
    assert repr(pinned) in suspect.value.detail


def test_a_few_broken_characters_are_shown_and_do_not_change_the_charset() -> None:
    """A board that cuts titles by bytes breaks a character here and there."""
    written = page("euc-kr")
    for codec in ("cp949", "utf-8"):
        body = written.encode(codec).replace("안내".encode(codec), "안내".encode(codec)[:-1])
        for header in (None, "text/html; charset=iso-8859-1", "text/html; charset=euc-kr"):
            decoded = decode_html(body, header)
            assert decoded.encoding == codec
            assert decoded.text == written.replace("안내", "안\ufffd")
            assert decode_html(body, header, codec) == decoded


@pytest.mark.parametrize(
    ("body", "pinned"),
    [
        (page(None).encode("cp949"), "utf-8"),
        (page(None).encode(), "cp949"),
        (("<div class=filler></div>" * 2000 + ROWS).encode("cp949"), "utf-8"),
        (bytes(range(128, 256)) * 20, None),
        (("\ufffd" * 10 + "x" * 100).encode(), None),
        (b"\xff\xfe" + b"\x00\xd8" * 50, None),
        (("été " * 10).encode("cp1252"), None),
    ],
    ids=[
        "pinned-utf-8",
        "pinned-cp949",
        "much-markup",
        "binary",
        "broken-at-source",
        "utf-16",
        "western-undeclared",
    ],
)
def test_text_that_cannot_be_read_is_suspect(body: bytes, pinned: str | None) -> None:
    with pytest.raises(SuspectPage, match='"encoding" in the entry') as suspect:
        decode_html(body, "text/html", pinned)
    assert suspect.value.reason == "unreadable_text"


def test_four_broken_characters_are_no_reason_to_doubt_a_page() -> None:
    assert decode_html(b"\xff" * 4, None, "utf-8").text == "\ufffd" * 4


def test_a_meta_that_says_utf_16_is_no_utf_16() -> None:
    """It could be read as ASCII, so it is not; the bytes would pass for Chinese otherwise."""
    body = "<meta charset=utf-16><p>파카</p>".encode("cp949")
    assert len(body) % 2 == 0
    assert decode_html(body + b"\xb0\xa1", None).text == "<meta charset=utf-16><p>파카</p>가"


def test_an_empty_page_is_empty_text() -> None:
    assert decode_html(b"", None).text == ""


@pytest.mark.parametrize(
    "body",
    [
        b"<meta " * 100_000,
        b"<!--" * 100_000,
        b"<meta charset" * 50_000,
        b"<?xml " + b"encoding" * 50_000,
        b"<meta " + b"charset = " * 50_000,
    ],
)
def test_looking_for_a_declaration_takes_no_time(body: bytes) -> None:
    started = time.process_time()
    decode_html(body + b"\xb0\xa1", "text/html; charset=" + "a" * 100_000)
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("UTF8", "utf-8"),
        (" 'EUC-KR' ", "cp949"),
        ("korean", "cp949"),
        ("windows-949", "cp949"),
        ("ks_c_5601-1987", "cp949"),
        ("latin1", "cp1252"),
        ("rot13", None),
        ("base64", None),
        ("utf-7", None),
        ("iso-2022-kr", None),
    ],
)
def test_labels_are_an_allow_list(label: str, codec: str | None) -> None:
    assert codec_for(label) == codec
