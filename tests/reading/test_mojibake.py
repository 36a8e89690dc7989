"""Damaged titles are found, ordinary ones never (N20)."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.reading.mojibake import damaged, is_mojibake, lost_its_letters
from uring.reading.text import clean

PROPERTY = settings(max_examples=300, deadline=None, database=None, derandomize=True)
KOREAN = st.text(
    st.sampled_from("가나다라마바사공지장학수강신청안내년도학기 0123()[]·~"), min_size=6
)


@pytest.mark.parametrize(
    "title",
    [
        "2026학년도 1학기 수강신청 안내",
        "[마감] TOEIC 특강 (3/2~3/6)",
        "Résumé: Journée européenne, à Paris, ça où naïve cœur Ångström",
        "ÀÉÎÕÜ ÇÑ",
        "Größe, Übung, Straße",
        "AÇÕES DE INSTITUIÇÃO E INSCRIÇÕES",
        "관하여 漢字 試驗 公告",
        "关于2026年春季学期选课的通知",
        "お知らせ",
        "정말인가요???",
        "Why?",
        "C++ / C# 특강 50% 할인",
        "학교 게시판이 중간에서 자른 제목\ufffd",
        "학교 게시판이 중간에서 자른 제목\ufffd...",
        "학교 게시판이 중간에서 자른 제\ufffd\ufffd …",
        "👩‍🎓 졸업식",
        "“été”, à l'île, où ?",
        "¿Qué? ¡Aquí! «él» … “así”",
        "Îles Éparses: ééé êê íí",
        "• ì 1 • í 2",
    ],
)
def test_ordinary_titles_are_not(title: str) -> None:
    assert not is_mojibake(title)


@pytest.mark.parametrize("codec", ["cp949", "cp1252", "latin-1"])
def test_utf8_read_as_something_else_is(codec: str) -> None:
    assert is_mojibake("공지사항 안내".encode().decode(codec, "replace"))


TITLES = [
    "부동산과학원 성적우수 장학생 선발",
    "关于2026年春季学期选课的通知",
    "試験 の お知らせ",
    "공지",
]


@pytest.mark.parametrize("codec", ["latin-1", "mysql"])
@pytest.mark.parametrize("title", TITLES)
def test_utf8_read_as_latin_is_also_once_it_is_clean(title: str, codec: str) -> None:
    """What a control is to a browser is gone by then."""
    assert is_mojibake(clean(as_latin(title, codec)))


def as_latin(text: str, codec: str) -> str:
    """MySQL's ``latin1`` is cp1252 with its five holes filled by controls."""
    return "".join(
        (codec == "mysql" and bytes([byte]).decode("cp1252", "ignore")) or chr(byte)
        for byte in text.encode()
    )


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("장학생 선발", "Àåº½ »ý"),
        ("장학생 선발", "ë¶ëì°ê³¼"),
        ("关于选课的通知", "åäºéè¯¾"),
    ],
)
def test_korean_and_chinese_letters_do_not_become_others(before: str, now: str) -> None:
    assert lost_its_letters(before, now)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("장학생 선발", "Scholarship"),
        ("장학생 선발", "장학생 명단"),
        ("장학", "« A »"),
        ("Übung", "Größe"),
    ],
)
def test_an_edit_is_no_loss(before: str, now: str) -> None:
    assert not lost_its_letters(before, now)


@pytest.mark.parametrize("title", ["????? ??", "2026 ???? ???? ??", "공지\ufffd항"])
def test_lost_letters_are(title: str) -> None:
    assert is_mojibake(title)


@PROPERTY
@given(KOREAN)
def test_korean_is_not_and_its_accidents_are(title: str) -> None:
    assert not is_mojibake(title)
    if sum("가" <= each <= "힣" for each in title) >= 3:
        assert is_mojibake(title.encode().decode("latin-1"))
        assert is_mojibake(title.encode("cp949").decode("latin-1")) or "·" in title


@PROPERTY
@given(st.text(st.characters(max_codepoint=0x24F, exclude_categories=["C"]), max_size=12))
def test_a_few_latin_letters_rarely_are(title: str) -> None:
    """Ordinary words have single accents: what is found has at least two syllables' worth."""
    if is_mojibake(title):
        assert sum(not each.isascii() for each in title) >= 4 or "?" in title


SIGNS = st.characters(
    codec="utf-8", categories=["Lo", "Ll", "Lu", "Po", "Sm", "Pd", "Pi", "Pf", "Nd", "Zs", "Cc"]
)
DAMAGED = st.builds(
    lambda text, codec: text.encode().decode(codec, "ignore"),
    st.text("가나다라한국어공지漢字かな 1", min_size=1, max_size=12),
    st.sampled_from(["cp949", "cp1252", "latin-1"]),
)
ORDINARY = st.text(
    "가나다한국공지 abc0123…·\u2019\u201c\u201d\u2013\uff1f?é\ufffd\xb7\xb0\xc0\n", max_size=12
)


@given(st.lists(st.one_of(DAMAGED, ORDINARY, st.text(SIGNS, max_size=12)), max_size=9))
@settings(max_examples=400, derandomize=True)
def test_titles_are_judged_together_as_each_by_itself(titles: list[str]) -> None:
    assert damaged(titles) == [title for title in titles if is_mojibake(title)]


@given(st.one_of(DAMAGED, ORDINARY, st.text(SIGNS, max_size=12)))
@settings(max_examples=400, derandomize=True)
def test_a_text_without_latin_letters_was_not_read_as_latin(text: str) -> None:
    if not re.search("[\xb0-\xff]", text):
        for codec in ("cp1252", "latin-1"):
            read = text.encode(codec, "ignore").decode("utf-8", "replace")
            assert not re.search("[가-힣぀-ヿ㐀-鿿]", read)
