"""The API as its function is built: real adapters, over moto."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import boto3
import pytest
from fakes.document_api import PAGE, http_event
from fakes.telemetry import RecordingTelemetry
from moto import mock_aws

from uring.aws.objects import S3Bucket
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.documents.names import Attachment, derived_id
from uring.documents.store.issues import StoredIssue
from uring.errors import MalformedMessage, Misconfigured
from uring.functions import entry_point
from uring.tables import Write

ISSUE = StoredIssue(
    id=derived_id("x"),
    page=PAGE,
    title="Leave",
    description="Two rules differ.",
    severity="high",
    created="2026-03-02T01:00:00Z",
    updated="2026-03-02T01:00:00Z",
)

build = partial(entry_point.build, "uring.functions.document_api")


class Context:
    """Lambda's."""

    def get_remaining_time_in_millis(self) -> int:
        return 29_000


@pytest.fixture(scope="module")
def session() -> Iterator[boto3.Session]:
    with pytest.MonkeyPatch.context() as patch, mock_aws():
        for name in ("", "_S3", "_SQS", "_DYNAMODB"):
            patch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
        session = boto3.Session("key", "secret", region_name="ap-northeast-2")
        session.client("s3").create_bucket(
            Bucket="data", CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"}
        )
        session.client("dynamodb").create_table(
            TableName="documents",
            AttributeDefinitions=[
                {"AttributeName": "partition", "AttributeType": "S"},
                {"AttributeName": "key", "AttributeType": "S"},
            ],
            KeySchema=[
                {"AttributeName": "partition", "KeyType": "HASH"},
                {"AttributeName": "key", "KeyType": "RANGE"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )
        yield session


def test_the_function_reads_edits_and_submits(session: boto3.Session) -> None:
    queue = session.client("sqs").create_queue(
        QueueName="documents.fifo", Attributes={"FifoQueue": "true"}
    )["QueueUrl"]
    environment = {
        "DATA_BUCKET": "data",
        "DOCUMENT_TABLE": "documents",
        "DOCUMENT_QUEUE_URL": queue,
    }
    telemetry = RecordingTelemetry()
    function = build(environment, session=session, telemetry=telemetry)
    table = DynamoTable(session.client("dynamodb"), "documents", backoff=Backoff(lambda _: None))
    assert table.transact(PAGE, [Write(ISSUE.key, ISSUE.item())])
    attachment = Attachment(PAGE, "leave.pdf")
    S3Bucket(session.client("s3"), "data").write(attachment.key, b"%PDF", "application/pdf")

    def ask(method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        text = None if body is None else json.dumps(body)
        answer = function.handle(http_event(method, path, text, given), Context())
        return answer["statusCode"], json.loads(answer["body"])

    pages = f"/api/v1/pages/{PAGE}"
    status, listed = ask("GET", f"{pages}/policies")
    assert (status, [each["source"] for each in listed["policies"]]) == (200, ["leave.pdf"])
    path = f"{pages}/issues/{ISSUE.id}"
    status, edited = ask("POST", f"{path}/classify", {"severity": "low"}, if_match='"v1"')
    assert (status, edited["etag"]) == (200, '"v2"')
    assert ask("POST", f"{path}/classify", {"severity": "high"}, if_match='"v1"')[0] == 412
    assert ask("GET", path)[1] == edited
    status, job = ask("POST", f"{pages}/jobs", {"operation": "issues"})
    assert status == 202
    assert ask("GET", f"{pages}/jobs/{job['id']}") == (200, job)
    received = session.client("sqs").receive_message(QueueUrl=queue)["Messages"]
    assert json.loads(received[0]["Body"])["job"] == job["id"]
    assert not telemetry.named("request_failed")


def test_a_variable_that_is_missing_is_named() -> None:
    with pytest.raises(Misconfigured, match="DOCUMENT_TABLE"):
        build({"DATA_BUCKET": "data", "DOCUMENT_QUEUE_URL": "url"})


def test_an_event_of_another_trigger_is_refused(session: boto3.Session) -> None:
    """It would be answered to nobody."""
    environment = {"DATA_BUCKET": "data", "DOCUMENT_TABLE": "documents", "DOCUMENT_QUEUE_URL": "u"}
    function = build(environment, session=session, telemetry=RecordingTelemetry())
    with pytest.raises(MalformedMessage, match="not from an HTTP API with payload"):
        function.handle({"Records": []}, Context())
