"""One contract for a bucket's large objects and results: the fake and S3 (moto) keep it alike."""

from typing import Any

import boto3
import pytest
from elsewhere import made, params
from fakes.bucket import MemoryBucket

from uring.aws import bucket as adapter
from uring.aws.bucket import S3Bucket
from uring.bucket import Bucket, Reading
from uring.errors import Misconfigured, PreconditionFailed


@pytest.fixture(scope="module")
def s3(moto_session: boto3.Session) -> Any:
    return made("s3", "moto", moto_session)


@pytest.fixture(params=params("s3", "memory", "moto"))
def bucket(
    request: pytest.FixtureRequest,
    name: str,
    moto_session: boto3.Session,
    monkeypatch: pytest.MonkeyPatch,
) -> Bucket:
    # A large object is one of several ranges.
    monkeypatch.setattr(adapter, "_RANGE_BYTES", 1_000)
    if request.param == "memory":
        return MemoryBucket()
    client = made("s3", request.param, moto_session)
    location = {"LocationConstraint": "ap-northeast-2"}
    client.create_bucket(Bucket=name, CreateBucketConfiguration=location)
    return S3Bucket(client, name)


def read_all(reading: Reading, amount: int) -> bytes:
    pieces = []
    while piece := reading.read(amount):
        assert len(piece) <= amount
        pieces.append(piece)
    return b"".join(pieces)


def opened(bucket: Bucket, key: str = "k") -> Reading:
    reading = bucket.open(key)
    assert reading is not None
    return reading


def test_what_is_not_there_has_neither_head_nor_body(bucket: Bucket) -> None:
    assert bucket.head("k") is None
    assert bucket.open("k") is None


@pytest.mark.parametrize("size", [0, 1, 999, 1_000, 1_001, 12_345])
@pytest.mark.parametrize("amount", [7, 1_000, 5_000])
def test_an_object_is_read_whole_in_pieces(bucket: Bucket, size: int, amount: int) -> None:
    body = bytes(number % 251 for number in range(size))
    bucket.write("k", body, "application/json")
    reading = opened(bucket)
    assert (reading.size, read_all(reading, amount)) == (size, body)
    assert reading.read(amount) == b""


def test_a_head_has_what_the_object_was_written_with(bucket: Bucket) -> None:
    bucket.write("k", b"abc", "text/plain", {"epoch": "first", "file": "datasets/raw_0001.json"})
    head = bucket.head("k")
    assert head is not None
    assert (head.size, dict(head.metadata)) == (
        3,
        {"epoch": "first", "file": "datasets/raw_0001.json"},
    )
    assert head.etag == opened(bucket).etag


def test_a_write_replaces_whatever_is_there(bucket: Bucket) -> None:
    bucket.write("k", b"one", "text/plain", {"epoch": "a"})
    bucket.write("k", b"two", "text/plain")
    head = bucket.head("k")
    assert head is not None
    assert dict(head.metadata) == {}
    assert read_all(opened(bucket), 10) == b"two"


def test_a_reading_that_is_closed_gives_nothing(bucket: Bucket) -> None:
    bucket.write("k", b"x" * 3_000, "text/plain")
    reading = opened(bucket)
    reading.close()


def test_a_listing_begins_behind_a_key(bucket: Bucket) -> None:
    for key in ("a/1", "a/2", "a/3", "b/1"):
        bucket.write(key, b"", "text/plain")
    assert [each.key for each in bucket.list_after("a/", "")] == ["a/1", "a/2", "a/3"]
    assert [each.key for each in bucket.list_after("a/", "a/1")] == ["a/2", "a/3"]
    assert [each.key for each in bucket.list_after("a/", "a/3")] == []


def test_an_object_that_changes_between_two_ranges_is_not_read_on(
    s3: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of S3: half of one version and half of another would be a file that never was."""
    monkeypatch.setattr(adapter, "_RANGE_BYTES", 1_000)
    location = {"LocationConstraint": "ap-northeast-2"}
    s3.create_bucket(Bucket=name, CreateBucketConfiguration=location)
    bucket = S3Bucket(s3, name)
    bucket.write("k", b"x" * 2_500, "text/plain")
    reading = opened(bucket)
    assert reading.read(1_000) == b"x" * 1_000
    bucket.write("k", b"y" * 2_500, "text/plain")
    with pytest.raises(PreconditionFailed):
        reading.read(1_000)


def test_a_bucket_that_is_not_there_is_the_operator_s_to_mend(s3: Any) -> None:
    bucket = S3Bucket(s3, "no-such-bucket-anywhere")
    with pytest.raises(Misconfigured):
        bucket.open("k")
