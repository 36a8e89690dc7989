"""`uring state` against a bucket of a deployed stack, as an operator types it."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber
from fakes import (
    ENTRY,
    MemoryOutlet,
    MemoryQueue,
    Notice,
    ScriptedFetcher,
    VirtualClock,
    page_of,
    visitor,
)
from moto import mock_aws

from uring.changes.publisher import Publisher
from uring.changes.register import Register
from uring.changes.retry import Backoff
from uring.contracts import CollectNotices
from uring.errors import Misconfigured
from uring.notices.collect import NoticeCollector
from uring_local.cli import main
from uring_local.operate import bucket as state_bucket
from uring_local.operate.bucket import S3Bucket

BUCKET = "uring-data"
STATE = "state/notices/cs.json"


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A bucket that keeps versions and has a source, cs."""
    for name in ("", "_S3", "_CLOUDFORMATION"):
        monkeypatch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "/nonexistent",
    }.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        check(client, Notice("2", "둘"), Notice("1", "하나"))
        yield client


def check(client: Any, *notices: Notice) -> str:
    """One check by the real collector; its outcome."""
    clock, backoff = VirtualClock(datetime.now(UTC)), Backoff(lambda _: None)
    bucket = S3Bucket(client, BUCKET)
    register = Register(bucket, "notices", clock=clock, backoff=backoff)
    outlet = MemoryOutlet(MemoryQueue(clock))
    collector = NoticeCollector(
        visitor(ScriptedFetcher(lambda: page_of(notices))),
        Publisher(bucket, outlet, register, backoff=backoff),
        clock=clock,
        backoff=backoff,
    )
    return collector.collect(CollectNotices(scheduled_at=clock(), source=ENTRY)).outcome


def body(client: Any, key: str = STATE) -> bytes:
    found: bytes = client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
    return found


def plant(client: Any, content: bytes) -> None:
    client.put_object(Bucket=BUCKET, Key=STATE, Body=content)


def test_a_healthy_state_is_shown_with_exit_code_0(
    s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    del s3
    assert main(["state", "show", "cs", "--bucket", BUCKET]) == 0
    shown = capsys.readouterr().out
    for text in ("schema       1", "known        2", "outbox       empty", "health       ok"):
        assert text in shown
    assert "agrees with what was published" in shown


def test_a_broken_one_is_explained_repaired_and_the_next_check_finds_nothing_new(
    s3: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(s3, body(s3)[:-20])
    assert main(["state", "show", "cs", "--bucket", BUCKET, "--json"]) == 1
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert problem["place"] == STATE
    assert problem["mends"]
    assert main(["state", "repair", "cs", "--bucket", BUCKET]) == 1
    shown = capsys.readouterr().out
    assert f"would write {STATE}: 2 records, 2 hot" in shown
    assert "--yes does it" in shown
    assert main(["state", "repair", "cs", "--bucket", BUCKET, "--yes"]) == 0
    assert f"written   {STATE}" in capsys.readouterr().out
    assert main(["state", "show", "cs", "--bucket", BUCKET]) == 0
    assert check(s3, Notice("2", "둘"), Notice("1", "하나")) == "unchanged"


def test_the_outbox_of_a_torn_state_comes_from_the_version_before(s3: Any) -> None:
    document = json.loads(body(s3))
    line = json.loads(body(s3, _archive(s3)).splitlines()[-1])
    own = ("event_id", "kind", "detected_at")
    event = {**document["hot"][0], **{name: line[name] for name in own}, "push": True}
    assert event["id"] == line["id"]
    plant(s3, json.dumps(document | {"outbox": [event]}).encode())
    plant(s3, b"{")
    plant(s3, b'{"')
    assert main(["state", "repair", "cs", "--bucket", BUCKET, "--yes"]) == 0
    assert [each["push"] for each in json.loads(body(s3))["outbox"]] == [True]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (["ee", "--bucket", BUCKET], "nothing of 'ee'"),
        (["cs", "--bucket", "no-such-bucket"], "NoSuchBucket"),
    ],
)
def test_what_is_not_there_is_said(
    s3: Any, capsys: pytest.CaptureFixture[str], place: list[str], message: str
) -> None:
    del s3
    assert main(["state", "show", *place]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["show", "cs"], ["repair"], ["mend", "cs"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["state", *arguments])
    assert caught.value.code == 2


def test_a_stack_is_named_by_its_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    """CloudFormation in moto needs more than is installed: a stubbed client stands in."""
    client = boto3.client("cloudformation", region_name="us-east-1")
    stubbed = Stubber(client)
    stack = {"StackName": "uring-dev", "CreationTime": datetime.now(UTC), "StackStatus": "x"}
    output = {"OutputKey": "BucketName", "OutputValue": BUCKET}
    asked = {"StackName": "uring-dev"}
    stubbed.add_response("describe_stacks", {"Stacks": [{**stack, "Outputs": [output]}]}, asked)
    stubbed.add_response("describe_stacks", {"Stacks": [stack]}, asked)
    stubbed.add_client_error("describe_stacks", "ValidationError", "prod does not exist")
    monkeypatch.setattr(state_bucket.boto3, "client", lambda _: client)
    with stubbed:
        assert state_bucket.bucket_of("uring-dev") == BUCKET
        with pytest.raises(Misconfigured, match="another application"):
            state_bucket.bucket_of("uring-dev")
        with pytest.raises(Misconfigured, match="there is no stack prod"):
            state_bucket.bucket_of("prod")


def _archive(client: Any) -> str:
    found = client.list_objects_v2(Bucket=BUCKET, Prefix="data/cs/archive/")["Contents"]
    return str(found[0]["Key"])
