"""One contract for the objects of a bucket: the fake and S3 (moto) keep it alike."""

import threading
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from elsewhere import made, params
from fakes import MemoryBucket

from uring.aws import objects as adapter
from uring.aws.objects import S3Bucket
from uring.errors import Misconfigured, PreconditionFailed
from uring.objects import Bucket, Objects, OpenObject


@pytest.fixture(scope="module")
def s3(moto_session: boto3.Session) -> Any:
    return made("s3", "moto", moto_session)


@pytest.fixture(params=params("s3", "memory", "moto"))
def store(
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


def write(store: Objects, body: bytes, if_match: str | None, key: str = "k") -> str:
    return store.put(key, body, if_match=if_match, content_type="text/plain")


def body_of(store: Objects, key: str = "k") -> bytes:
    stored = store.get(key)
    assert stored is not None
    return stored.body


def read_all(reading: OpenObject, amount: int) -> bytes:
    pieces = []
    while piece := reading.read(amount):
        assert len(piece) <= amount
        pieces.append(piece)
    return b"".join(pieces)


def opened(store: Bucket, key: str = "k") -> OpenObject:
    reading = store.open(key)
    assert reading is not None
    return reading


def test_a_key_that_was_never_written_is_none(store: Objects) -> None:
    assert store.get("k") is None


def test_a_read_gives_the_bytes_and_the_etag_of_the_last_write(store: Objects) -> None:
    body = bytes(range(256)) + "공지".encode()
    etag = write(store, body, None)
    stored = store.get("k")
    assert stored is not None
    assert (stored.body, stored.etag) == (body, etag)


def test_creating_over_an_object_is_refused_and_changes_nothing(store: Objects) -> None:
    write(store, b"first", None)
    with pytest.raises(PreconditionFailed):
        write(store, b"second", None)
    assert body_of(store) == b"first"


def test_replacing_what_was_read_succeeds_with_a_new_etag(store: Objects) -> None:
    first = write(store, b"first", None)
    second = write(store, b"second", first)
    assert second != first
    assert body_of(store) == b"second"


def test_replacing_what_another_replaced_is_refused(store: Objects) -> None:
    first = write(store, b"first", None)
    write(store, b"second", first)
    with pytest.raises(PreconditionFailed):
        write(store, b"third", first)
    assert body_of(store) == b"second"


def test_replacing_what_vanished_is_refused_and_creates_nothing(store: Objects) -> None:
    with pytest.raises(PreconditionFailed):
        write(store, b"body", '"0123456789abcdef0123456789abcdef"')
    assert store.get("k") is None


def test_keys_are_independent(store: Objects) -> None:
    etag = write(store, b"one", None, "a")
    write(store, b"two", None, "b")
    with pytest.raises(PreconditionFailed):
        write(store, b"three", etag, "b")
    assert (body_of(store, "a"), body_of(store, "b")) == (b"one", b"two")


def test_an_empty_object_is_an_object(store: Objects) -> None:
    write(store, b"", None)
    assert body_of(store) == b""
    with pytest.raises(PreconditionFailed):
        write(store, b"more", None)


def test_a_key_in_korean_is_a_key(store: Objects) -> None:
    write(store, b"x", None, "data/컴공/latest.json")
    assert body_of(store, "data/컴공/latest.json") == b"x"


def test_a_listing_has_every_object_below_a_prefix_with_its_etag(
    store: Bucket,
) -> None:
    etags = {key: write(store, key.encode(), None, key) for key in ("a/2", "a/1", "b/1", "a/b/1")}
    found = [(each.key, each.etag) for each in store.list("a/")]
    assert found == [(key, etags[key]) for key in ("a/1", "a/2", "a/b/1")]
    assert [*store.list("c/")] == []


def test_the_folders_below_a_prefix_are_named_once_and_objects_are_none(
    store: Bucket,
) -> None:
    for key in ("a/d=2/x/1", "a/d=1/1", "a/d=1/2", "a/3", "b/d=3/1"):
        write(store, b"", None, key)
    assert [*store.folders("a/")] == ["d=1", "d=2"]
    assert [*store.folders("c/")] == []


def test_what_is_removed_is_gone_and_removing_it_again_is_well(
    store: Bucket,
) -> None:
    write(store, b"x", None, "a/1")
    write(store, b"y", None, "a/2")
    store.remove("a/1")
    store.remove("a/1")
    assert store.get("a/1") is None
    assert [each.key for each in store.list("a/")] == ["a/2"]


def test_what_is_not_there_has_neither_head_nor_body(store: Bucket) -> None:
    assert store.head("k") is None
    assert store.open("k") is None


@pytest.mark.parametrize("size", [0, 1, 999, 1_000, 1_001, 12_345])
@pytest.mark.parametrize("amount", [7, 1_000, 5_000])
def test_an_object_is_read_whole_in_pieces(store: Bucket, size: int, amount: int) -> None:
    body = bytes(number % 251 for number in range(size))
    store.write("k", body, "application/json")
    reading = opened(store)
    assert (reading.size, read_all(reading, amount)) == (size, body)
    assert reading.read(amount) == b""


def test_a_head_has_what_the_object_was_written_with(store: Bucket) -> None:
    store.write("k", b"abc", "text/plain", {"epoch": "first", "file": "datasets/raw_0001.json"})
    head = store.head("k")
    assert head is not None
    assert (head.size, dict(head.metadata)) == (
        3,
        {"epoch": "first", "file": "datasets/raw_0001.json"},
    )
    assert head.etag == opened(store).etag


def test_a_write_replaces_whatever_is_there(store: Bucket) -> None:
    store.write("k", b"one", "text/plain", {"epoch": "a"})
    store.write("k", b"two", "text/plain")
    head = store.head("k")
    assert head is not None
    assert dict(head.metadata) == {}
    assert read_all(opened(store), 10) == b"two"


def test_a_reading_that_is_closed_gives_nothing(store: Bucket) -> None:
    store.write("k", b"x" * 3_000, "text/plain")
    reading = opened(store)
    reading.close()


def test_a_listing_begins_behind_a_key(store: Bucket) -> None:
    for key in ("a/1", "a/2", "a/3", "b/1"):
        store.write(key, b"", "text/plain")
    assert [each.key for each in store.list("a/")] == ["a/1", "a/2", "a/3"]
    assert [each.key for each in store.list("a/", "a/1")] == ["a/2", "a/3"]
    assert [each.key for each in store.list("a/", "a/3")] == []


# Where the fake and S3 part, by intention


def test_same_bytes_have_the_same_etag_on_s3_which_is_why_states_carry_a_token(
    s3: Any, name: str
) -> None:
    """S3's ETag is of the bytes, so A→B→A passes a stale If-Match there; the fake's never repeat.

    `SourceState.writer` makes the bytes of each version differ, which makes both alike.
    """
    memory = MemoryBucket()
    s3.create_bucket(
        Bucket=name, CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"}
    )
    outcomes = []
    for store in (memory, S3Bucket(s3, name)):
        first = write(store, b"A", None)
        second = write(store, b"B", first)
        outcomes.append(write(store, b"A", second) == first)
    assert outcomes == [False, True]


def test_of_many_writers_at_once_one_wins() -> None:
    """S3 is linearizable for a key; moto now and then lets two win, so the fake alone is asked."""
    store = MemoryBucket()
    etag = write(store, b"0", None)
    outcomes: list[bool] = []
    barrier = threading.Barrier(8)

    def race(number: int) -> None:
        barrier.wait()
        try:
            write(store, str(number).encode(), etag)
        except PreconditionFailed:
            outcomes.append(False)
        else:
            outcomes.append(True)

    threads = [threading.Thread(target=race, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == [False] * 7 + [True]


def test_the_past_of_a_removed_object_comes_newest_first(store: Bucket, s3: Any, name: str) -> None:
    """Of this key alone, without the mark of its deletion."""
    if isinstance(store, S3Bucket):
        s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    etag = write(store, b"1", None)
    write(store, b"2", etag)
    write(store, b"other", None, "k2")
    assert list(store.past("k")) == [b"2", b"1"]
    store.remove("k")
    assert store.get("k") is None
    assert list(store.past("k")) == [b"2", b"1"]
    assert list(store.past("never")) == []


# What only S3 has


@pytest.fixture
def bucket(s3: Any, name: str) -> str:
    s3.create_bucket(
        Bucket=name, CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"}
    )
    return name


def test_readers_get_the_content_type_and_the_cache_control(
    s3: Any, bucket: str, moto_session: boto3.Session
) -> None:
    S3Bucket(s3, bucket).put(
        "k", b"{}", if_match=None, content_type="application/json", cache_control="max-age=300"
    )
    head = moto_session.client("s3").head_object(Bucket=bucket, Key="k")
    assert (head["ContentType"], head["CacheControl"]) == ("application/json", "max-age=300")


def test_no_cache_control_is_sent_for_private_objects(
    s3: Any, bucket: str, moto_session: boto3.Session
) -> None:
    write(S3Bucket(s3, bucket), b"{}", None)
    head = moto_session.client("s3").head_object(Bucket=bucket, Key="k")
    assert "CacheControl" not in head


def test_an_object_of_absurd_size_is_not_read(
    s3: Any, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uring.aws.objects.MAX_BYTES", 10)
    write(S3Bucket(s3, bucket), b"x" * 11, None)
    with pytest.raises(Misconfigured, match=r"11 bytes.*something else writes to this key"):
        S3Bucket(s3, bucket).get("k")


@pytest.mark.parametrize("call", [lambda s: s.get("k"), lambda s: write(s, b"x", None)])
def test_a_missing_bucket_names_itself_and_the_remedy(
    s3: Any, call: Callable[[Objects], object]
) -> None:
    with pytest.raises(Misconfigured, match=r"no-such-bucket/k: NoSuchBucket; deploy the stack"):
        call(S3Bucket(s3, "no-such-bucket"))


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
