"""A deployed stack of two families' queues, in this process."""

from collections.abc import Iterator

import pytest
from moto import mock_aws
from queue_stack import STACK, Queues, create

from uring_local.queues import letters, pairs


@pytest.fixture
def queues(monkeypatch: pytest.MonkeyPatch) -> Iterator[Queues]:
    for name in ("", "_SQS", "_CLOUDFORMATION", "_CLOUDWATCH"):
        monkeypatch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
    for name, value in {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "ap-northeast-2",
        "AWS_CONFIG_FILE": "/nonexistent",
        "COLUMNS": "200",
    }.items():
        monkeypatch.setenv(name, value)
    named = (STACK, "AWS::SQS::Queue")
    with mock_aws():
        # Nothing here has several servers to ask.
        monkeypatch.setattr(letters, "WAIT_SECONDS", 0)
        urls = create()
        monkeypatch.setattr(
            pairs, "physical_ids", lambda _, stack, kind: urls if (stack, kind) == named else {}
        )
        yield Queues(urls)
