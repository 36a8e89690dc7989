"""`uring seeds migrate` against a bucket, as an operator types it."""

import json
from typing import Any

import pytest
from botocore.exceptions import ClientError

from uring_local.cli import main
from uring_local.seeds import migrate as migrate_module

BUCKET = "uring-data"
WHERE = ("--bucket", BUCKET)
MIGRATE = ("seeds", "migrate", *WHERE)


@pytest.fixture
def s3(deployed_s3: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "200")
    return deployed_s3


def old(number: int, country: str = "sg") -> str:
    return f"research/datasets/country={country}/category=news/2026-01-28_{number:04}.json"


def new(number: int, country: str = "sg") -> str:
    return f"datasets/country={country}/category=news/date=2026-01-28/raw_{number:04}.json"


def put(client: Any, key: str, body: bytes = b"{}", **options: Any) -> None:
    client.put_object(Bucket=BUCKET, Key=key, Body=body, **options)


def bodies(client: Any) -> dict[str, bytes]:
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    return {
        each["Key"]: client.get_object(Bucket=BUCKET, Key=each["Key"])["Body"].read()
        for page in pages
        for each in page.get("Contents", [])
    }


def outcomes(capsys: pytest.CaptureFixture[str], *arguments: str, exit_code: int) -> dict[str, str]:
    assert main([*MIGRATE, *arguments, "--json"]) == exit_code
    document = json.loads(capsys.readouterr().out)
    return {each["source"]: each["outcome"] for each in document["files"]}


class Meddling:
    """S3 beside which somebody else acts before an operation, or in its place."""

    def __init__(self, client: Any, operation: str, act: Any) -> None:
        self._client, self._operation, self._act = client, operation, act

    def __getattr__(self, name: str) -> Any:
        operation = getattr(self._client, name)
        if name != self._operation:
            return operation

        def meddled(**request: Any) -> Any:
            return self._act(operation, request)

        return meddled


def meddle(monkeypatch: pytest.MonkeyPatch, client: Any, operation: str, act: Any) -> None:
    meddling = Meddling(client, operation, act)
    monkeypatch.setattr(migrate_module, "_s3", lambda: meddling)


def test_without_yes_nothing_is_written(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    put(s3, old(1), b"x" * 2_000_000)
    before = bodies(s3)
    assert main([*MIGRATE]) == 0
    said = capsys.readouterr().out
    assert "sg/news/2026-01-28        1  2.0 MB" in said
    assert "would copy 1 file (2.0 MB); --yes copies" in said
    assert bodies(s3) == before


def test_files_are_copied_with_all_they_are_and_stay(
    s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    put(s3, old(1), b"one", Metadata={"by": "hand"}, ContentType="application/json")
    put(s3, old(2, "kr"), b"two")
    assert main(["seeds", "migrate", "--stack", "uring-dev", "--yes"]) == 0
    said = capsys.readouterr().out
    assert "2 files copied and verified (6 bytes); the originals are kept" in said
    assert bodies(s3) == {
        old(1): b"one",
        new(1): b"one",
        old(2, "kr"): b"two",
        new(2, "kr"): b"two",
    }
    head = s3.head_object(Bucket=BUCKET, Key=new(1))
    assert (head["Metadata"], head["ContentType"]) == ({"by": "hand"}, "application/json")


def test_a_bucket_has_more_keys_than_one_page(
    s3: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "10")
    for number in range(1, 33):
        put(s3, old(number))
    for number in range(1, 23):
        put(s3, new(number))
    assert s3.list_objects_v2(Bucket=BUCKET)["IsTruncated"]
    found = outcomes(capsys, exit_code=0)
    assert sorted(found.values()) == ["there"] * 22 + ["to_copy"] * 10


def test_an_empty_bucket_is_well(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert s3
    assert main([*MIGRATE, "--yes"]) == 0
    assert capsys.readouterr().out == f"{BUCKET}: no raw files of the old layout\n"


def test_odd_keys_are_passed_over_and_named(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    odd = [
        "research/datasets/",
        "research/datasets/readme \u202e.json",
        old(1).replace("_0001", "_1"),
        *(f"{old(1)}.{number}" for number in range(20)),
    ]
    for key in odd:
        put(s3, key)
    assert main([*MIGRATE, "--yes"]) == 0
    said = capsys.readouterr().out
    assert said.count("skipped:") == 20
    assert "and 3 more; --json has all" in said
    assert bodies(s3).keys() == {*odd}
    assert main([*MIGRATE, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["files"], sorted(document["passed_over"])) == ([], sorted(odd))


def test_a_country_is_migrated_alone(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    put(s3, old(1))
    put(s3, old(1, "kr"))
    assert outcomes(capsys, "--country", "KR", exit_code=0) == {old(1, "kr"): "to_copy"}


def test_what_is_there_is_compared_and_never_replaced(
    s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """By content where the ETag tells nothing, as of a file that was uploaded in parts."""
    for number, (source, target) in enumerate(
        [(b"same", b"same"), (b"this", b"that"), (b"short", b"longer"), (b"new", None)], 1
    ):
        put(s3, old(number), source)
        if target is not None:
            put(s3, new(number), target)
    put(s3, old(5), b"x" * 6_000_000)
    upload = s3.create_multipart_upload(Bucket=BUCKET, Key=new(5))["UploadId"]
    part = {"Bucket": BUCKET, "Key": new(5), "UploadId": upload, "PartNumber": 1}
    etag = s3.upload_part(**part, Body=b"x" * 6_000_000)["ETag"]
    s3.complete_multipart_upload(
        Bucket=BUCKET,
        Key=new(5),
        UploadId=upload,
        MultipartUpload={"Parts": [{"ETag": etag, "PartNumber": 1}]},
    )
    expected = {
        old(1): "there",
        old(2): "conflict",
        old(3): "conflict",
        old(4): "to_copy",
        old(5): "there",
    }
    assert outcomes(capsys, exit_code=1) == expected
    assert outcomes(capsys, "--yes", exit_code=1) == expected | {old(4): "copied"}
    assert bodies(s3)[new(2)] == b"that"
    assert main([*MIGRATE]) == 1
    said = capsys.readouterr().out
    assert f"conflict: {old(2)}: {new(2)} has other content" in said
    assert f"conflict: {old(3)}: {new(3)} has 6 bytes, this 5" in said


def test_a_second_run_finds_all_there(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    put(s3, old(1))
    assert outcomes(capsys, "--yes", exit_code=0) == {old(1): "copied"}
    assert outcomes(capsys, "--yes", exit_code=0) == {old(1): "there"}


def test_a_copy_is_conditional_both_ways(
    s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the bytes that were listed, and only where nothing is: not every stack refuses both."""
    put(s3, old(1), b"listed")
    etag = s3.head_object(Bucket=BUCKET, Key=old(1))["ETag"]
    requests: list[dict[str, Any]] = []

    def copy(operation: Any, request: dict[str, Any]) -> Any:
        requests.append(request)
        given = {name: value for name, value in request.items() if name != "IfNoneMatch"}
        return operation(**given)

    meddle(monkeypatch, s3, "copy_object", copy)
    assert outcomes(capsys, "--yes", exit_code=0) == {old(1): "copied"}
    (request,) = requests
    assert (request["CopySourceIfMatch"], request["IfNoneMatch"]) == (etag, "*")


@pytest.mark.parametrize(
    "error", ["PreconditionFailed", "NoSuchKey", "InternalError", "ConditionalRequestConflict"]
)
def test_a_file_that_cannot_be_copied_costs_itself(
    error: str, s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(s3, old(1))
    put(s3, old(2))

    def copy(operation: Any, request: dict[str, Any]) -> Any:
        if request["Key"] == new(1):
            raise ClientError({"Error": {"Code": error}}, "CopyObject")
        return operation(**request)

    meddle(monkeypatch, s3, "copy_object", copy)
    assert outcomes(capsys, "--yes", exit_code=1) == {old(1): "failed", old(2): "copied"}
    assert main([*MIGRATE]) == 0


def test_a_missing_permission_ends_the_run(
    s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(s3, old(1))

    def refuse(*_: Any) -> Any:
        raise ClientError({"Error": {"Code": "AccessDenied"}}, "CopyObject")

    meddle(monkeypatch, s3, "copy_object", refuse)
    assert main([*MIGRATE, "--yes"]) == 1
    assert "s3:CopyObject" in capsys.readouterr().err


def test_a_copy_that_is_not_the_same_is_no_copy(
    s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither by its size nor by its content, whatever S3 answered."""

    def copy(_: Any, request: dict[str, Any]) -> Any:
        put(s3, request["Key"], bodies_by_key[request["Key"]])

    bodies_by_key = {new(1): b"listeD", new(2): b"liste"}
    for number in (1, 2):
        put(s3, old(number), b"listed")
    meddle(monkeypatch, s3, "copy_object", copy)
    assert outcomes(capsys, "--yes", exit_code=1) == {old(1): "failed", old(2): "failed"}
    assert outcomes(capsys, "--yes", exit_code=1) == {old(1): "conflict", old(2): "conflict"}


def test_a_source_that_changes_meanwhile_is_no_copy(
    s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(s3, old(1), b"listed")

    def copy(operation: Any, request: dict[str, Any]) -> Any:
        answer = operation(**request)
        put(s3, old(1), b"edited")
        return answer

    meddle(monkeypatch, s3, "copy_object", copy)
    assert outcomes(capsys, "--yes", exit_code=1) == {old(1): "failed"}


def test_a_bucket_that_is_none_is_told(s3: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert s3
    assert main(["seeds", "migrate", "--bucket", "nowhere"]) == 1
    assert "NoSuchBucket" in capsys.readouterr().err


def test_a_file_of_more_than_5_gb_is_named(
    s3: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("uring_local.seeds.copies._MOST_BYTES", 5)
    put(s3, old(1), b"123456")
    assert outcomes(capsys, "--yes", exit_code=1) == {old(1): "conflict"}
    assert new(1) not in bodies(s3)
