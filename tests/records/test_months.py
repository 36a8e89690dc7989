"""A month of the archive in pieces: which lines go where, and what is read of damaged ones."""

import json
import time

import pytest

from uring.records import months
from uring.records.months import ArchiveMonth, Earlier, appended, earlier, event_ids

LINK = {"file": f"202603.{'0' * 32}.jsonl", "until": "2026-03-01T00:00:00Z"}


def line(number: int, *, minute: int | None = None, **more: object) -> bytes:
    at = f"2026-03-02T01:{number % 60 if minute is None else minute:02}:00Z"
    head = {"event_id": f"{number:040}", "kind": "new", "detected_at": at, "push": True}
    return json.dumps({**head, **more}, separators=(",", ":")).encode() + b"\n"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(months, "MONTH_BYTES", 10 * len(line(0)))


def body(*numbers: int) -> bytes:
    return b"".join(line(number) for number in numbers)


def test_what_has_room_is_put_behind() -> None:
    assert appended("202603", body(*range(9)), [line(9)]) == ArchiveMonth(body(*range(10)))


def test_a_month_of_a_single_huge_append_is_one_object() -> None:
    assert appended("202603", b"", [line(n) for n in range(50)]) == ArchiveMonth(body(*range(50)))


def test_the_lines_of_one_append_stay_together() -> None:
    """A release before looks for its lines at the address alone: a retry by it finds them all."""
    after = appended("202603", body(*range(10)), [line(n) for n in range(10, 25)])
    assert after.closed == body(*range(10))
    assert event_ids(after.body) == {f"{n:040}" for n in range(10, 25)}


def test_the_file_that_is_closed_is_named_by_its_bytes_and_its_month() -> None:
    one = appended("202603", body(*range(10)), [line(10)])
    assert one == appended("202603", body(*range(10)), [line(11)])._replace(body=one.body)
    assert one.file != appended("202604", body(*range(10)), [line(10)]).file
    assert one.file != appended("202603", body(*range(1, 11)), [line(11)]).file


def test_the_first_that_stays_is_linked_and_the_others_stay_byte_by_byte() -> None:
    after = appended("202603", body(*range(10)), [line(10)])
    first, _, rest = after.body.partition(b"\n")
    assert json.loads(first) == {
        **json.loads(line(5)),
        "earlier": {"file": after.file, "until": "2026-03-02T01:04:00Z"},
    }
    assert rest == body(6, 7, 8, 9, 10)


def test_until_is_the_latest_of_all_that_went_before_in_whatever_order_it_came() -> None:
    """A late run may append an older event behind younger ones."""
    lines = [line(0, minute=50), *(line(n) for n in range(1, 10))]
    first = appended("202603", b"".join(lines), [line(10)])
    assert earlier(first.body) == Earlier(first.file, "2026-03-02T01:50:00Z")
    second = appended("202603", first.body, [line(n) for n in range(11, 16)])
    assert second.closed.startswith(first.body[:200])
    assert earlier(second.body) == Earlier(second.file, "2026-03-02T01:50:00Z")


@pytest.mark.parametrize(
    "damaged", [b'{"torn', b"[1]", b"{}", b"", b"\xff", b"[" * 90_000, b"7"], ids=len
)
def test_a_line_that_can_carry_no_link_is_closed_with_those_before(
    damaged: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody wrote to it by hand; not a byte of it is lost."""
    half = damaged + b"\n" + body(*range(5))
    monkeypatch.setattr(months, "MONTH_BYTES", 2 * len(half))
    before = body(*range(10, 10 + len(half) // len(line(0)) + 2)) + half
    after = appended("202603", before, [line(50)])
    assert after.closed == before
    assert earlier(after.body) is not None
    assert event_ids(after.body) == {f"{50:040}"}


def test_a_torn_last_line_is_closed_and_never_joined() -> None:
    torn = body(*range(10))[:-9]
    after = appended("202603", torn, [line(10)])
    assert after.closed.startswith(body(*range(5)))
    assert after.body.splitlines()[-2:] == [body(9)[:-9], line(10)[:-1]]


@pytest.mark.parametrize(
    "link",
    [
        None,
        "202603.jsonl",
        {"file": "../../../state/notices/cs.json", "until": ""},
        {"file": "202603.jsonl", "until": ""},
        {"file": f"{LINK['file']}\n", "until": ""},
        {"until": "2026"},
        {"file": LINK["file"]},
        [],
    ],
    ids=str,
)
def test_a_link_that_is_none_is_not_followed(link: object) -> None:
    assert earlier(line(1, earlier=link)) is None


@pytest.mark.parametrize("text", [b"", b"\n", b"{", b"[" * 90_000, b"\xff\n"], ids=len)
def test_what_is_no_line_has_no_link(text: bytes) -> None:
    assert earlier(text) is None


def test_a_link_is_read_from_the_first_line_alone() -> None:
    assert earlier(line(1) + line(2, earlier=LINK)) is None
    assert earlier(line(1, earlier=LINK) + line(2)) == Earlier(LINK["file"], LINK["until"])


def test_ids_are_those_at_the_begin_of_a_line() -> None:
    """A title may spell one: a hostile site may guess ids, they are hashes of what it publishes."""
    spelled = line(1, title='{"event_id":"guessed"') + b'x{"event_id":"inside"\n' + b'{"event_id":"'
    assert event_ids(spelled) == {f"{1:040}", ""}


def test_a_long_month_is_searched_once_for_all() -> None:
    lines = b"".join(line(number) for number in range(60_000))
    began = time.process_time()
    assert len(event_ids(lines)) == 60_000
    assert time.process_time() - began < 2
