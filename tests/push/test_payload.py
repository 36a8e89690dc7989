"""The push message fits whatever the title is, and never at the cost of an id (N11)."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uring.contracts import ChangePublished
from uring.push.payload import MAX_BYTES, compose, shorten, size

PROPERTY = settings(max_examples=200, deadline=None, database=None, derandomize=True)

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
FLAG = "🇰🇷"
THUMB = "👍🏽"
HEART = "❤\ufe0f"
ACCENT = "e\u0301\u0323"
JAMO = unicodedata.normalize("NFD", "한")
CHARACTERS = (*"가나 aZ1장학𠮷", FAMILY, FLAG, THUMB, HEART, ACCENT, JAMO)

texts = st.lists(st.sampled_from(CHARACTERS) | st.characters(codec="utf-8"), max_size=900).map(
    "".join
)


def change(**more: object) -> ChangePublished:
    fields: dict[str, object] = {
        "event_id": "e" * 40,
        "family": "notices",
        "source": "cs",
        "topic": "cs",
        "kind": "new",
        "id": "17",
        "revision": 3,
        "detected_at": "2026-03-02T01:00:00Z",
        "content": {
            "title": "수강신청 안내",
            "date": "2026-03-01",
            "category": None,
            "link": "https://cs.example.ac.kr/view?no=17",
            "is_pinned": "true",
        },
    }
    return ChangePublished.model_validate(fields | more)


def test_a_message_is_flat_and_every_value_a_string() -> None:
    push = compose(change())
    assert push.topic == "cs"
    assert push.data == {
        "event_id": "e" * 40,
        "dept": "cs",
        "id": "17",
        "revision": "3",
        "kind": "new",
        "changes": "1",
        "is_pinned": "true",
        "detected_at": "2026-03-02T01:00:00Z",
        "title": "수강신청 안내",
        "date": "2026-03-01",
        "category": "",
        "link": "https://cs.example.ac.kr/view?no=17",
    }


def test_a_digest_says_how_many_changes_it_stands_for() -> None:
    data = compose(change(digest_of=34)).data
    assert (data["kind"], data["changes"], data["id"]) == ("digest", "34", "17")


def test_no_key_is_reserved_by_fcm() -> None:
    """By https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages, ``data``."""
    for key in compose(change()).data:
        assert key not in ("from", "message_type")
        assert not key.startswith(("google", "gcm"))


@PROPERTY
@given(
    title=texts,
    category=st.none() | texts,
    link=st.text("abc%가", max_size=1024),
    record_id=st.text(min_size=1, max_size=200),
)
def test_it_fits_and_its_ids_are_whole(
    title: str, category: str | None, link: str, record_id: str
) -> None:
    content = {"title": title, "date": "2026-03-01", "category": category, "link": link}
    made = change(id=record_id, source="s" * 64, content=content)
    data = compose(made).data
    assert size(data) <= MAX_BYTES
    assert (data["event_id"], data["id"], data["dept"]) == ("e" * 40, record_id, "s" * 64)
    assert data["link"] in (link, ""), "half a link leads elsewhere"
    assert data["category"] in (category or "", "")


@PROPERTY
@given(texts, st.integers(0, 400))
def test_shortening_keeps_the_limit_and_is_a_prefix(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short.encode()) <= limit
    if short != text:
        assert text.startswith(short.removesuffix("…"))
        assert short == "" or short.endswith("…")


@PROPERTY
@given(texts)
def test_what_fits_is_not_touched(text: str) -> None:
    assert shorten(text, len(text.encode())) == text


@pytest.mark.parametrize("whole", [FAMILY, FLAG, THUMB, HEART, ACCENT, JAMO, "한", "é"])
def test_no_character_is_cut_in_two(whole: str) -> None:
    """At any limit it is all there or not at all: half of it is another character."""
    text = f"ab{whole}cd"
    for limit in range(3, len(text.encode())):
        kept = shorten(text, limit).removesuffix("…")
        assert kept in ("a", "ab", f"ab{whole}", f"ab{whole}c", ""), (limit, kept)


def test_a_title_of_flags_is_cut_between_flags_or_left_out() -> None:
    kept = shorten(FLAG * 50, 100).removesuffix("…")
    assert len(kept) % 2 == 0


def test_a_long_title_goes_before_link_and_category() -> None:
    link = "https://x/" + "a" * 500
    content = {"title": "가" * 2000, "date": None, "category": "장학", "link": link}
    data = compose(change(content=content)).data
    assert (data["link"], data["category"]) == (link, "장학")
    assert data["title"].endswith("…")
    assert MAX_BYTES - 5 < size(data) <= MAX_BYTES


def test_the_names_for_other_boards_go_before_the_link() -> None:
    """The link is worth more to a device than a banner less."""
    names, link = " ".join(["p" * 17] * 3), "l" * 1_020
    content = {"title": "제목" * 300, "link": link, "same_as": names, "category": "학사"}
    content |= {"date": "2026-03-01", "is_pinned": "false"}
    long = change(id="가" * 200, content=content, source="s" * 64, topic="t")
    data = compose(long).data
    assert size(data) <= MAX_BYTES
    assert "same_as" not in data
    assert data["link"] == link
    assert compose(change(content={"title": "제목", "same_as": "p01"})).data["same_as"] == "p01"


def test_the_events_of_a_retraction_are_never_cut() -> None:
    ids = " ".join(f"{number:040}" for number in range(10))
    content = {"title": "제목" * 300, "retracts": ids, "another": "x" * 2000, "link": "l" * 1000}
    data = compose(change(id="가" * 200, kind="retracted", content=content)).data
    assert size(data) <= MAX_BYTES
    assert data["retracts"] == ids


def test_a_huge_category_is_left_out_before_the_title_is_useless() -> None:
    content = {"title": "가" * 100, "date": None, "category": "나" * 2000, "link": "https://x/"}
    data = compose(change(content=content)).data
    assert data["category"] == ""
    assert data["link"] == "https://x/"
    assert len(data["title"].encode()) >= 150


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"title": None, "link": None},
        {"text": "no title"},
        {"text": "가" * 2000},
        {"a": "가" * 600, "b": "나" * 600, "title": "제목"},
        {"title": "가" * 100, "date": "2" * 1_800, "category": None, "link": ""},
    ],
    ids=lambda content: str(content)[:40],
)
def test_another_familys_content_fits_and_needs_no_title(content: dict[str, str | None]) -> None:
    data = compose(change(content=content)).data
    assert size(data) <= MAX_BYTES
    assert data["id"] == "17"


def test_content_never_takes_the_place_of_an_id() -> None:
    content = {"title": "x", "event_id": "forged", "id": "18", "dept": "ee", "revision": "9"}
    data = compose(change(content=content)).data
    assert (data["event_id"], data["id"]) == ("e" * 40, "17")
    assert (data["dept"], data["revision"]) == ("cs", "3")


@pytest.mark.parametrize("key", ["from", "message_type", "google", "google.x", "gcm", "gcm_x"])
def test_a_key_of_fcms_own_does_not_cost_the_push(key: str) -> None:
    """FCM refuses the whole message for it, for good."""
    data = compose(change(content={"title": "x", key: "y", "from_": "z"})).data
    assert key not in data
    assert data["from_"] == "z"
