"""The bucket of a deployed stack, for every command that an operator types with --stack."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from uring_local.operate import bucket as operators_bucket
from uring_local.stack.describe import StackDescription

BUCKET = "uring-data"


@pytest.fixture
def deployed_s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The S3 client of moto, with the bucket uring-data; every stack's outputs name it."""
    for name in ("", "_S3"):
        monkeypatch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": "/nonexistent",
    }.items():
        monkeypatch.setenv(name, value)
    described = StackDescription({}, {"BucketName": BUCKET})
    monkeypatch.setattr(operators_bucket, "deployed", lambda _: described)
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket=BUCKET)
        yield client
