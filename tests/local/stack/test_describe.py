"""A stack's resources, of one type or of all."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from uring.errors import Misconfigured
from uring_local.stack.describe import physical_ids

QUEUE, TOPIC = "AWS::SQS::Queue", "AWS::SNS::Topic"
TEMPLATE = {
    "Resources": {
        "Jobs": {"Type": QUEUE, "Properties": {"QueueName": "jobs"}},
        "News": {"Type": TOPIC, "Properties": {"TopicName": "news"}},
    }
}


@pytest.fixture
def formation(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws():
        client = boto3.client("cloudformation", region_name="us-east-1")
        client.create_stack(StackName="s", TemplateBody=json.dumps(TEMPLATE))
        yield client


def test_all_types_or_one_of_them(formation: Any) -> None:
    whole = physical_ids(formation, "s")
    assert whole.keys() == {"Jobs", "News"}
    assert physical_ids(formation, "s", QUEUE) == {"Jobs": whole["Jobs"]}
    assert physical_ids(formation, "s", "AWS::S3::Bucket") == {}


def test_what_is_missing_is_named(formation: Any) -> None:
    for kind in ("", QUEUE, "AWS::S3::Bucket"):
        with pytest.raises(Misconfigured, match="stack s has no Bucket; deploy this release"):
            physical_ids(formation, "s", kind)["Bucket"]
    with pytest.raises(Misconfigured, match="there is no stack nobody"):
        physical_ids(formation, "nobody")
