"""`uring copy`: a stack's data in a new one of another region, which goes on where it stood."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from fakes import Notice, VirtualClock
from fakes.worlds import NoticeWorld
from moto import mock_aws

from uring_local.cli import main
from uring_local.operate import copy as copying
from uring_local.operate.bucket import VersionedBucket

OLD, NEW = "ap-northeast-2", "eu-west-1"
TABLE = {
    "Type": "AWS::DynamoDB::Table",
    "Properties": {
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    },
}
TEMPLATE = {
    "Parameters": {"ScheduleState": {"Type": "String", "Default": "DISABLED"}},
    "Resources": {
        "Bucket": {"Type": "AWS::S3::Bucket"},
        "LedgerTable": TABLE,
        "NotifyQueue": {"Type": "AWS::SQS::Queue"},
        "NotifyDeadLetterQueue": {"Type": "AWS::SQS::Queue"},
    },
    "Outputs": {"BucketName": {"Value": {"Ref": "Bucket"}}},
}
COPY = ("copy", "uring-old", "--from-region", OLD, "--stack", "uring-new", "--region", NEW)


class Stack:
    """A deployed stack."""

    def __init__(self, name: str, region: str) -> None:
        self.name, self.region = name, region
        self.deploy("create_stack", "DISABLED")
        resources = self.client("cloudformation").list_stack_resources(StackName=name)
        self.ids = {
            each["LogicalResourceId"]: each["PhysicalResourceId"]
            for each in resources["StackResourceSummaries"]
        }

    def client(self, service: str) -> Any:
        return boto3.client(service, region_name=self.region)  # type: ignore[call-overload]

    def deploy(self, call: str, state: str) -> None:
        parameter = {"ParameterKey": "ScheduleState", "ParameterValue": state}
        getattr(self.client("cloudformation"), call)(
            StackName=self.name, TemplateBody=json.dumps(TEMPLATE), Parameters=[parameter]
        )

    @property
    def objects(self) -> VersionedBucket:
        return VersionedBucket(self.client("s3"), self.ids["Bucket"])

    def bodies(self) -> dict[str, bytes]:
        objects = self.objects
        found = {each.key: objects.get(each.key) for each in objects.list("")}
        return {key: stored.body for key, stored in found.items() if stored}

    def put(self, key: str, body: bytes, **more: Any) -> None:
        self.client("s3").put_object(Bucket=self.ids["Bucket"], Key=key, Body=body, **more)

    def put_item(self, pk: str, value: str) -> None:
        item = {"pk": {"S": pk}, "value": {"S": value}}
        self.client("dynamodb").put_item(TableName=self.ids["LedgerTable"], Item=item)

    def items(self) -> dict[str, str]:
        pages = self.client("dynamodb").scan(TableName=self.ids["LedgerTable"])
        return {item["pk"]["S"]: item["value"]["S"] for item in pages["Items"]}

    def send(self, queue: str) -> None:
        self.client("sqs").send_message(QueueUrl=self.ids[queue], MessageBody="{}")


@pytest.fixture
def stacks(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Stack, Stack]]:
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": NEW,
        "AWS_CONFIG_FILE": "/nonexistent",
    }.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        yield Stack("uring-old", OLD), Stack("uring-new", NEW)


def test_the_new_stack_goes_on_and_pushes_only_what_is_new(
    stacks: tuple[Stack, Stack], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = stacks
    clock = VirtualClock(datetime(2026, 3, 2, 1, 5, tzinfo=UTC))
    before = NoticeWorld(clock, objects=lambda _: old.objects)
    before.show(Notice("1", "하나"))
    before.check()
    before.show(Notice("2", "둘"), Notice("1", "하나"))
    assert before.check().outcome == "changed"
    old.put("web/index.html", b"<!doctype html>", ContentType="text/html", CacheControl="no-cache")
    old.put_item("cs#2#1", "sent")

    assert main([*COPY, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["items"] == {"LedgerTable": 1}
    assert said["objects"].keys() == {"data", "state", "web"}
    assert new.bodies() == old.bodies()
    assert new.items() == old.items()
    client = new.client("s3").get_object(Bucket=new.ids["Bucket"], Key="web/index.html")
    assert (client["ContentType"], client["CacheControl"]) == ("text/html", "no-cache")

    after = NoticeWorld(clock, objects=lambda _: new.objects)
    after.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
    assert after.check().outcome == "changed"
    pushed = [json.loads(message.body)["id"] for message in after.notify.messages]
    assert pushed == ["3"]
    months = after.objects.get("data/cs/archive/202603.jsonl")
    assert months is not None
    assert len(months.body.splitlines()) == 3


def test_a_copy_that_died_goes_on(
    stacks: tuple[Stack, Stack], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = stacks
    for number in range(30):
        old.put(f"data/{number}/latest.json", str(number).encode())
        old.put_item(str(number), "sent")
    real, left = copying._copy_object, [12]  # noqa: SLF001 - it dies there

    def dying(*arguments: Any) -> str:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(copying, "_copy_object", dying)
    assert main([*COPY]) == 130
    assert 0 < len(new.bodies()) < 30
    monkeypatch.undo()
    monkeypatch.setenv("AWS_DEFAULT_REGION", NEW)
    assert main([*COPY, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["objects"]["data"] + said["there"]["data"] == 30
    assert new.bodies() == old.bodies()
    assert new.items() == old.items()
    assert main([*COPY]) == 0
    assert "60 were there already" in capsys.readouterr().out


def test_what_the_new_stack_has_otherwise_stays_and_is_named(
    stacks: tuple[Stack, Stack], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = stacks
    old.put("state/notices/cs.json", b"old")
    new.put("state/notices/cs.json", b"new")
    old.put_item("a", "old")
    new.put_item("a", "new")
    assert main([*COPY]) == 1
    said = capsys.readouterr().out
    assert "state/notices/cs.json: is another one in uring-new" in said
    assert "LedgerTable a: is another one in uring-new" in said
    assert new.bodies() == {"state/notices/cs.json": b"new"}
    assert new.items() == {"a": "new"}


def test_the_old_stacks_lists_and_client_replace_the_new_ones(
    stacks: tuple[Stack, Stack],
) -> None:
    """A new stack may have been deployed with a list of its own; states belong to the old one."""
    old, new = stacks
    for key in ("config/sitemap.json", "config/sitemap.g.json", "web/index.html"):
        old.put(key, b"old")
    for key in ("config/sitemap.json", "web/index.html"):
        new.put(key, b"new")
    assert main([*COPY]) == 0
    assert set(new.bodies().values()) == {b"old"}
    assert main([*COPY]) == 0


def test_an_object_of_several_parts_is_known_again(
    stacks: tuple[Stack, Stack], capsys: pytest.CaptureFixture[str]
) -> None:
    """Its ETag is of its parts, and the copy has one of its bytes."""
    old, new = stacks
    s3, key = old.client("s3"), "datasets/raw_0001.json"
    part = b"x" * 5_242_880
    begun = s3.create_multipart_upload(Bucket=old.ids["Bucket"], Key=key)
    upload = {"Bucket": old.ids["Bucket"], "Key": key, "UploadId": begun["UploadId"]}
    parts = [
        {
            "PartNumber": number,
            "ETag": s3.upload_part(**upload, PartNumber=number, Body=part)["ETag"],
        }
        for number in (1, 2)
    ]
    s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})
    assert main([*COPY]) == 0
    assert main([*COPY]) == 0
    assert "1 were there already" in capsys.readouterr().out
    assert new.bodies() == {key: part * 2}


@pytest.mark.parametrize("which", [0, 1])
def test_a_stack_that_checks_is_refused(
    stacks: tuple[Stack, Stack], capsys: pytest.CaptureFixture[str], which: int
) -> None:
    stacks[0].put("data/cs/latest.json", b"{}")
    stacks[which].deploy("update_stack", "ENABLED")
    assert main([*COPY]) == 1
    assert "set ScheduleState=DISABLED" in capsys.readouterr().err
    assert stacks[1].bodies() == {}


def test_messages_are_waited_for_and_dead_letters_are_not(
    stacks: tuple[Stack, Stack], capsys: pytest.CaptureFixture[str]
) -> None:
    stacks[0].send("NotifyDeadLetterQueue")
    assert main([*COPY]) == 0
    stacks[0].send("NotifyQueue")
    assert main([*COPY]) == 1
    assert "has messages in NotifyQueue" in capsys.readouterr().err


def test_a_stack_is_not_copied_into_itself(
    stacks: tuple[Stack, Stack], capsys: pytest.CaptureFixture[str]
) -> None:
    assert stacks
    words = ("copy", "uring-new", "--stack", "uring-new", "--region", NEW)
    assert main([*words]) == 1
    assert "the old stack and the new one" in capsys.readouterr().err
