"""When ticks are scheduled, and whose data a bucket holds."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from uring_local.run.record import BUCKET_KEY, RecordFile, RunRecord, run_of
from uring_local.stack.stack import at

NOW = datetime(2026, 3, 2, 1, 0, 42, tzinfo=UTC)
MINUTE = NOW.replace(second=0)
TEN = timedelta(minutes=10)


def begun(tick: int, scheduled: datetime) -> RunRecord:
    return RunRecord.fresh(7, 1, 2, "2026-03-02").advanced(
        tick=tick, scheduled=scheduled.isoformat()
    )


def test_the_first_tick_is_now() -> None:
    assert RunRecord.fresh(7, 1, 2, "2026-03-02").scheduled_at(1, TEN, NOW) == MINUTE


def test_ticks_are_an_interval_apart_however_fast_they_follow() -> None:
    assert begun(1, MINUTE).scheduled_at(2, TEN, NOW) == MINUTE + TEN


def test_a_tick_that_was_cut_short_comes_again_a_minute_later() -> None:
    assert begun(3, MINUTE).scheduled_at(3, TEN, NOW) == MINUTE + timedelta(minutes=1)


@pytest.mark.parametrize("tick", [3, 4])
def test_no_tick_is_overdue_when_it_begins(tick: int) -> None:
    """A run taken up on another day, or one slower than its schedule."""
    yesterday = begun(3, MINUTE - timedelta(days=1))
    assert yesterday.scheduled_at(tick, TEN, NOW) == MINUTE


@pytest.mark.parametrize(
    ("fields", "repeated"),
    [
        ({"tick": 3}, (3,)),
        ({"tick": 3, "repeated": (2,)}, (2, 3)),
        ({"tick": 3, "repeated": (3,)}, (3,)),
        ({"tick": 3, "finished": True}, ()),
        ({"tick": 0}, ()),
    ],
)
def test_a_process_that_goes_on_notes_the_tick_that_it_begins_again(
    fields: dict[str, Any], repeated: tuple[int, ...], tmp_path: Path
) -> None:
    record = RunRecord.fresh(7, 1, 2, "2026-03-02").advanced(**fields).resumed()
    assert record.repeated == repeated
    file = RecordFile(at("http://127.0.0.1:4566"), "uring", "in-process campus", tmp_path)
    file.save(record)
    assert file.load() == record


@pytest.mark.parametrize(
    ("tick", "finished", "last"), [(0, False, 0), (1, False, 0), (3, False, 2), (3, True, 3)]
)
def test_a_tick_that_was_cut_short_is_not_finished(*, tick: int, finished: bool, last: int) -> None:
    record = RunRecord("a", 1, 0, 0, "2026-03-02", tick=tick, finished=finished)
    assert record.last_finished == last


def test_runs_of_different_kinds_have_a_record_each(tmp_path: Path) -> None:
    endpoint = at("http://127.0.0.1:4566")
    one = RecordFile(endpoint, "uring", "deployed campus", tmp_path)
    other = RecordFile(endpoint, "uring", "in-process campus", tmp_path)
    record = RunRecord.fresh(7, 1, 2, "2026-03-02")
    one.save(record)
    other.forget()
    assert one.load() == record
    assert other.load() is None


@pytest.mark.parametrize(
    ("body", "name"),
    [(None, None), (b'{"run_id": "r1"}', "r1"), (b"{", "another"), (b"[]", "another")],
)
def test_a_bucket_says_whose_data_it_holds(body: bytes | None, name: str | None) -> None:
    with mock_aws():
        s3 = boto3.client("s3", "us-east-1", aws_access_key_id="a", aws_secret_access_key="b")
        s3.create_bucket(Bucket="data")
        if body is not None:
            s3.put_object(Bucket="data", Key=BUCKET_KEY, Body=body)
        assert run_of(s3, "data") == name
        assert run_of(s3, "no-such-bucket") is None
