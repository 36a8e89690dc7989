"""moto, started once a module: each test has a bucket, queues and a table of its own.

Not once a session: tests of other folders would find in their moto what others left there.
"""

import uuid
from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws


@pytest.fixture(scope="module")
def moto_session() -> Iterator[boto3.Session]:
    """A boto3 session whose clients never leave this process."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("", "_S3", "_SQS", "_DYNAMODB"):
            patch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
        patch.setenv("AWS_CONFIG_FILE", "/nonexistent")
        with mock_aws():
            yield boto3.Session(
                aws_access_key_id="testing",
                aws_secret_access_key="testing",
                region_name="ap-northeast-2",
            )


@pytest.fixture
def name() -> str:
    """A name that no other resource has."""
    return f"test-{uuid.uuid4().hex[:12]}"


def pytest_configure(config: pytest.Config) -> None:
    """Name the marker that `test_aws_queues` uses."""
    config.addinivalue_line("markers", "moto_differs(reason): moto is known not to keep this")
