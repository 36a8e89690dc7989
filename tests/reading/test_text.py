"""What looks the same is the same text (N20)."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from uring.characters import INVISIBLE
from uring.reading.text import TEXT_LIMIT, clean, plain, shorten, text_of, without


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("  공지\t\r\n 사항 ", "공지 사항"),
        ("공지\u00a0\u3000\u2009사항", "공지 사항"),
        ("공\u200b지\ufeff 사\u00ad항\u202e", "공지 사항"),
        ("공지\x00\x07\x1b사항", "공지사항"),
        ("\u1100\u1169\u11bc\u110c\u1175", "공지"),
        ("\u3164공지\u2800", "공지"),
        ("공지\ud800", "공지"),
        ("e\u200b\u0301", "é"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
    ],
)
def test_text_is_cleaned(raw: str, seen: str) -> None:
    assert clean(raw) == seen


@given(st.text(st.characters(codec=None)))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not {unicodedata.category(char) for char in once} & {"Cc", "Cs"}
    assert once == once.strip()
    assert "  " not in once


def test_what_is_printable_is_visible() -> None:
    """So a text of printable letters is not searched for what is invisible."""
    printable = "".join(filter(str.isprintable, map(chr, range(sys.maxunicode + 1))))
    assert not INVISIBLE.search(printable)


@given(st.text(), st.lists(st.text(min_size=1), max_size=3))
def test_stripping_literals_twice_is_stripping_them_once(text: str, literals: list[str]) -> None:
    once = without(clean(text), literals)
    assert without(once, literals) == once
    assert clean(once) == once


def test_literals_are_stripped_from_the_ends_only() -> None:
    assert without("[공지] 글 [공지] 글 새글", ["새글", "[공지]"]) == "글 [공지] 글"
    assert without("[공지]새글", ["새글", "[공지]"]) == ""


def test_shortened_text_says_that_it_is() -> None:
    assert shorten("가나다라", 4) == "가나다라"
    assert shorten("가나다라마", 4) == "가나다…"


def text(html: str, drop: tuple[str, ...] = ()) -> str:
    node = LexborHTMLParser(html).css_first("#x")
    assert node is not None
    return text_of(node, drop)


def test_inline_elements_join_and_blocks_separate() -> None:
    html = "<div id=x>공<b>지</b>사항<br>둘째<p>셋째</p><span>넷</span>째</div>"
    assert text(html) == "공지사항 둘째 셋째 넷째"


def test_scripts_styles_and_comments_are_no_text() -> None:
    html = (
        "<div id=x>글<script>var a</script><style>b{}</style><!-- c --><noscript>d</noscript></div>"
    )
    assert text(html) == "글"


def test_dropped_elements_are_passed_over_and_stay_in_the_tree() -> None:
    tree = LexborHTMLParser("<div id=x>글<b class=new>새<i>글</i></b> <i>끝</i></div>")
    node = tree.css_first("#x")
    assert node is not None
    assert text_of(node, (".new",)) == "글 끝"
    assert text_of(node) == "글새글 끝"
    assert text_of(node, ("b", "i")) == "글"


def test_entities_are_decoded() -> None:
    assert text("<p id=x>A &amp; B&nbsp;&lt;C&gt; &#44277;</p>") == "A & B <C> 공"


def test_text_is_bounded() -> None:
    assert len(text(f"<p id=x>{'가 ' * 100_000}</p>")) <= TEXT_LIMIT


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("<p>수리 <b>기간</b></p><p>안내</p>", "수리 기간 안내"),
        ("한 줄<br/>두 줄<BR>세 줄", "한 줄 두 줄 세 줄"),
        ("<span class='new'>새</span>글", "새글"),
        ("&lt;b&gt;굵게&lt;/b&gt;", "굵게"),
        ("&amp;lt;연장&amp;gt;", "<연장>"),
        ("<AI 특강> 안내", "<AI 특강> 안내"),
        ("<공지> 안내", "<공지> 안내"),
        ("<A>반 <b> 3 < 5", "<A>반 <b> 3 < 5"),
        ("<A>반</A> <b>", "반 <b>"),
        ("<i>하나</i> <b>", "하나 <b>"),
        ("<bold> <strongest> <p-1>", "<bold> <strongest> <p-1>"),
        ("R&D · AT&T; Q&A", "R&D · AT&T; Q&A"),
        ("view?a=1&copy=2&lt=3", "view?a=1&copy=2&lt=3"),
        ("&#44277;&#xC9C0;&hellip;&nbsp;", "공지…"),
        ("&#0;&#1114112;&#9999999;", "\ufffd\ufffd\ufffd"),
        ("&unknown;", "&unknown;"),
    ],
)
def test_html_in_a_value_is_what_a_reader_sees(raw: str, seen: str) -> None:
    assert plain(raw) == seen


@given(st.text(st.sampled_from("<>/&;#xbpabr lt1= 글") | st.characters(), max_size=60))
def test_a_plain_value_is_clean_and_bounded(raw: str) -> None:
    seen = plain(raw)
    assert seen == clean(seen)
    assert len(plain(raw * 200)) <= TEXT_LIMIT


@given(st.text(st.characters(exclude_characters="<&")))
def test_a_value_without_html_is_just_cleaned(raw: str) -> None:
    assert plain(raw) == clean(raw)[:TEXT_LIMIT].rstrip()


def test_an_endless_value_is_cut_before_it_is_read() -> None:
    assert plain("가" * 49_999 + "<b>" * 100_000 + "</b>").startswith("가")
    assert plain(" " * 60_000 + "글") == ""
