"""A page in Chinese or Japanese is read right or refused, and never believed as Korean (N20)."""

import random
import time

import pytest

from uring.errors import SuspectPage
from uring.fetch.decode import decode_html
from uring.fetch.languages import EAST_ASIAN, sense_of

SIMPLIFIED = [
    "关于2026年寒假的通知",
    "研究生院关于学位论文答辩安排的说明",
    "体育馆周末开放公告",
    "奖学金评审结果公示",
    "第三届青年学术论坛征文",
]
TRADITIONAL = [
    "關於寒假期間圖書館開放時間公告",
    "學務處獎學金申請期限",
    "體育館整修停用通知",
    "碩士班招生考試錄取名單",
]
JAPANESE = [
    "冬季休業期間の図書館利用について",
    "奨学金説明会のお知らせ",
    "補講日程の変更",
    "キャンパス見学会の申し込み",
]
KOREAN = [
    "겨울방학 도서관 이용 안내",
    "장학금 설명회 개최 알림",
    "보강 일정 변경",
    "캠퍼스 견학 신청",
    "똠방각하 특강",
]
BOARDS = {
    "gb18030": SIMPLIFIED,
    "big5hkscs": TRADITIONAL,
    "cp932": JAPANESE,
    "euc-jp": JAPANESE,
    "cp949": KOREAN,
}
LABELS = {
    "gb18030": "gb2312",
    "big5hkscs": "big5",
    "cp932": "shift_jis",
    "euc-jp": "euc-jp",
    "cp949": "euc-kr",
}


def page(titles: list[str], meta: str = "") -> str:
    rows = "".join(
        f"<tr><td><a href='?no={no}'>{title} {no}</a>" for no, title in enumerate(titles)
    )
    return f"<html><head>{meta}<title>Board</title></head><table>{rows}</table></html>"


@pytest.mark.parametrize("codec", BOARDS)
@pytest.mark.parametrize("declared", ["", "utf-8", "iso-8859-1", "windows-1251", *LABELS.values()])
def test_a_page_is_read_right_whatever_is_declared(codec: str, declared: str) -> None:
    """In the header and in the page, also with the charset of another language."""
    meta = f"<meta charset={declared}>" if declared else ""
    for text, header in [
        (page(BOARDS[codec] * 3), f"text/html; charset={declared}" if declared else None),
        (page(BOARDS[codec] * 3, meta), "text/html"),
        (page(BOARDS[codec][:1] * 12, meta), None),
    ]:
        decoded = decode_html(text.encode(codec), header)
        assert (decoded.text, decoded.encoding) == (text, codec)


@pytest.mark.parametrize("codec", BOARDS)
def test_a_title_that_is_cut_in_a_letter_changes_nothing(codec: str) -> None:
    body = page(BOARDS[codec] * 4).encode(codec)
    cut = BOARDS[codec][0].encode(codec)
    decoded = decode_html(body.replace(cut, cut[:-1] + b"..", 1), None)
    assert decoded.encoding == codec


@pytest.mark.parametrize("codec", BOARDS)
def test_each_title_alone_is_read_right_or_not_believed_as_korean(codec: str) -> None:
    for title in BOARDS[codec]:
        try:
            decoded = decode_html(page([title] * 2).encode(codec), None)
        except SuspectPage:
            continue
        assert decoded.text == page([title] * 2)


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp1251", "Объявление для студентов первого курса"),
        ("koi8-r", "Объявление для студентов первого курса"),
        ("cp1253", "Γενική ψήφιση θεμάτων διδάσκοντες"),
        ("cp874", "ประกาศมหาวิทยาลัย เรื่อง กำหนดการลงทะเบียนเรียน"),
        ("johab", "겨울방학 도서관 이용 안내 장학금 설명회"),
    ],
)
def test_other_text_is_read_as_declared_and_refused_undeclared(codec: str, text: str) -> None:
    html = page([text] * 6)
    assert decode_html(html.encode(codec), f"text/html; charset={codec}").text == html
    with pytest.raises(SuspectPage, match='set "encoding"') as refused:
        decode_html(html.encode(codec), None)
    assert refused.value.reason == "unreadable_text"


def test_korean_names_and_hanja_stay_korean() -> None:
    for text in (
        "李舜臣 將軍 學術大會 參加者 募集 公告 大學院",
        "곽튼쇠 엄샛별 뱅샘찬 표룡달 견우직녀",
    ):
        html = page([text] * 3)
        for header in (None, "text/html; charset=euc-kr"):
            assert decode_html(html.encode("cp949"), header).text == html


@pytest.mark.parametrize("codec", ["cp932", "euc-jp", "gb18030", "big5hkscs", "cp949"])
def test_the_charset_of_the_last_good_read_is_tried_first(codec: str) -> None:
    """Two letters alone do not show their language; the board did when it had more of them."""
    title = {"gb18030": "停电", "big5hkscs": "停電", "cp949": "정전"}.get(codec, "停電")
    html = page([title])
    assert decode_html(html.encode(codec), None, known=codec).text == html
    assert decode_html(html.encode(codec), "text/html; charset=utf-8", known=codec).text == html


def test_a_known_charset_gives_way_where_the_page_shows_another() -> None:
    for codec, titles in BOARDS.items():
        html = page(titles * 3)
        for known in (*EAST_ASIAN, "cp1251", "utf-8", "no-codec", "zip"):
            assert decode_html(html.encode(codec), None, known=known).text == html
            assert decode_html(html.encode(), None, known=known).text == html


def test_a_known_charset_of_one_byte_is_used_where_none_is_declared_any_more() -> None:
    html = page(["Объявление для студентов первого курса"] * 6)
    assert decode_html(html.encode("cp1251"), None, known="cp1251").text == html


def test_letters_that_were_lost_make_no_sense() -> None:
    assert sense_of("가나\ufffd\ufffd", "cp949").share == 0.5
    assert sense_of("plain (c) 2026 · 「」※", "cp949").letters == 0


def test_hostile_bytes_take_no_time_and_always_read_the_same() -> None:
    noise = random.Random(7)
    bodies = [
        bytes(noise.randrange(128, 256) for _ in range(2_000_000)),
        b"\xb0\xa1a" * 660_000,
        b"\x8e\xa1" * 1_000_000,
        ("关" * 1_000_000).encode("gb18030"),
        b"\x81\x30\x81\x30" * 500_000,
        b"<p>\xc9\xcf" * 400_000,
    ]
    for body in bodies:
        began = time.process_time()
        seen = set()
        for _ in range(2):
            try:
                seen.add(decode_html(body, "text/html; charset=euc-kr").encoding)
            except SuspectPage as suspect:
                seen.add(suspect.detail)
        assert len(seen) == 1
        assert time.process_time() - began < 4
