"""The whole request as FCM gets it: golden files, and FCM's rules for any Korean title (N11).

A golden file has the message of the notify queue and the request that it becomes. An urgent one
wakes Android from Doze, and FCM keeps each for its kind's lifetime. APNs takes it as a background
push (priority 5, which is the only one allowed without an alert), or, for the topics ``alert_*``,
as an alert with a neutral text. There is no ``notification`` and no collapse key: the client
decides what to show, and no push replaces another.
"""

import json
import unicodedata
from pathlib import Path

import pytest
from fcm_server import FcmScript
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from uring.contracts import ChangePublished
from uring.push.fcm import FcmSender
from uring.push.payload import compose
from uring.push.ports import Sent
from uring_local.fcm.message import read_send

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.json"))
LIMIT = 2_048
IDS = ("event_id", "dept", "id", "revision")

syllables = st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3)
old_hangul = st.characters(min_codepoint=0x1100, max_codepoint=0x11FF)
emoji = st.sampled_from(
    ["👩\u200d👩\u200d👧\u200d👦", "🇰🇷", "👍🏽", "❤\ufe0f", "1\ufe0f\u20e3", "😀"]
)
ascii_text = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
pieces = st.one_of(
    syllables,
    syllables.map(lambda syllable: unicodedata.normalize("NFD", syllable)),
    old_hangul,
    emoji,
    ascii_text,
    st.sampled_from(["\u3000", "\u2028", "\0", "\\", '"', "…", "ㄱ", "ㅏ", "\ufeff", "𠮷"]),
)
texts = st.tuples(st.lists(pieces, max_size=60), st.integers(1, 40)).map(
    lambda drawn: "".join(drawn[0]) * drawn[1]
)
changes = st.builds(
    ChangePublished,
    event_id=st.text("0123456789abcdef", min_size=40, max_size=40),
    source=st.text(syllables | ascii_text, min_size=1, max_size=64),
    topic=st.from_regex(r"[a-zA-Z0-9\-_.~%]{1,900}", fullmatch=True),
    kind=st.sampled_from(["new", "edited", "pinned", "unpinned", "digest"]),
    id=st.lists(pieces, min_size=1, max_size=200).map(lambda drawn: "".join(drawn)[:200]),
    revision=st.integers(1, 10**9),
    is_pinned=st.booleans(),
    detected_at=st.just("2026-03-02T01:00:00Z"),
    content=st.fixed_dictionaries(
        {
            "title": texts,
            "date": st.none() | st.just("2026-03-01"),
            "category": st.none() | texts,
            "link": texts,
        },
        optional={"text": texts, "from": texts, "google.id": texts},
    ),
)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_request_is_the_golden_one(sender: FcmSender, fcm: FcmScript, path: Path) -> None:
    golden = json.loads(path.read_text(encoding="utf-8"))
    sender.send(compose(ChangePublished.parse(json.dumps(golden["change"]))))
    assert fcm.posts == [golden["request"]]


def test_there_are_golden_files() -> None:
    assert len(GOLDEN) >= 8


def test_a_message_of_an_earlier_release_is_as_urgent_as_it_was() -> None:
    """The release before wrote no urgency, and pushed everything high, for a day."""
    now, before = (
        json.loads((GOLDEN[0].parent / f"{name}.json").read_text("utf-8"))
        for name in ("new", "before_urgency")
    )
    assert "urgency" not in before["change"]
    assert before["request"] == now["request"]


def test_data_are_the_same_for_clients_of_every_platform() -> None:
    """An opted-in topic changes what iOS shows, and nothing of what any client reads."""
    new, alert = (
        json.loads((GOLDEN[0].parent / f"{name}.json").read_text("utf-8"))["request"]["message"]
        for name in ("new", "alert_new")
    )
    assert new["data"] == alert["data"]
    assert {**new, "topic": "", "apns": {}} == {**alert, "topic": "", "apns": {}}


@settings(
    max_examples=150,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(change=changes)
def test_every_message_keeps_fcms_rules_on_the_wire(
    sender: FcmSender, fcm: FcmScript, change: ChangePublished
) -> None:
    """Measured on what arrived; the stand-in's reading of FCM's reference is the second judge."""
    fcm.posts.clear()
    assert isinstance(sender.send(compose(change)), Sent)
    (post,) = fcm.posts
    message = post["message"]
    data = message["data"]
    assert sum(len((key + value).encode()) for key, value in data.items()) <= LIMIT
    assert [data[key] for key in IDS] == [
        change.event_id, change.source, change.id, str(change.revision),
    ]  # fmt: skip
    assert message["topic"] == change.topic
    read_send(json.dumps(post).encode())


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(change=changes)
def test_no_korean_syllable_is_cut_in_two(change: ChangePublished) -> None:
    """Composed, what is left of a title is the beginning of the title, whole letter by letter."""
    kept = compose(change).data["title"]
    whole = change.content["title"] or ""
    if kept == whole:
        return
    assert kept == "" or kept.endswith("…")
    composed = unicodedata.normalize("NFC", kept.removesuffix("…"))
    assert unicodedata.normalize("NFC", whole).startswith(composed)
