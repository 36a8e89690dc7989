"""The worker as it is deployed: what it does with a key that is none, and with a whole batch."""

import threading
from collections.abc import Iterator
from functools import partial

import boto3
import pytest
from fakes import RecordingTelemetry
from moto import mock_aws

from uring.clock import system_clock
from uring.contracts import Job
from uring.functions import entry_point
from uring_local.stack.inprocess import Context

build = partial(entry_point.build, "uring.functions.weather_worker")
ENVIRONMENT = {
    "DATA_BUCKET": "bucket",
    "WORK_QUEUE_URL": "https://sqs.ap-northeast-2.amazonaws.com/123456789012/w.fifo",
    "WORK_DLQ_URL": "https://sqs.ap-northeast-2.amazonaws.com/123456789012/d.fifo",
    "NOTIFY_QUEUE_URL": "https://sqs.ap-northeast-2.amazonaws.com/123456789012/n.fifo",
    "GATEWAY_URL": "http://127.0.0.1:9/api",
    "GATEWAY_KEY_NAME": "authKey",
    "GATEWAY_KEY_SECRET": "weather/key",
    "METAR_PATH": "m",
    "TAF_PATH": "t",
    "WARNING_PATH": "w",
    "AIRPORTS": "RKSI",
    "PUSH_KINDS": "",
    "ALLOWED_PRIVATE_HOSTS": "127.0.0.1:9",
}


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[boto3.Session]:
    """A bucket and a secret that is no key."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        session = boto3.Session("testing", "testing", region_name="ap-northeast-2")
        session.client("s3").create_bucket(
            Bucket="bucket",
            CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"},
        )
        session.client("secretsmanager").create_secret(
            Name="weather/key", SecretString="authKey = fake-key-1"
        )
        yield session


def test_a_key_that_is_none_is_read_again_once_it_is_corrected(session: boto3.Session) -> None:
    """A warm worker must not go on with what the operator has replaced."""
    telemetry = RecordingTelemetry()
    worker = build(ENVIRONMENT, session=session, sleep=lambda _: None, telemetry=telemetry)
    worker.handle(batch("metar"), Context(300))
    (failed,) = telemetry.named("failed")
    assert failed["reason"] == "key"
    assert "the weather gateway's key is malformed" in failed["detail"]
    session.client("secretsmanager").put_secret_value(
        SecretId="weather/key", SecretString="fake-key-1"
    )
    assert worker.handle(batch("metar"), Context(300)) == {"batchItemFailures": []}
    # It has a key now; nobody listens there.
    *_, line = telemetry.named("airports_failed")
    assert line["reason"].startswith("network")
    assert "fake-key-1" not in str([*telemetry.problems, *telemetry.warnings, *telemetry.events])


def test_products_of_one_batch_are_asked_one_after_the_other(session: boto3.Session) -> None:
    """The gateway fails under parallel requests: all of a batch wait in one thread."""
    session.client("secretsmanager").put_secret_value(
        SecretId="weather/key", SecretString="fake-key-1"
    )
    threads = []
    telemetry = RecordingTelemetry()
    worker = build(
        ENVIRONMENT,
        session=session,
        sleep=lambda _: threads.append(threading.get_ident()),
        telemetry=telemetry,
    )
    worker.handle(batch("warning", "metar", "taf"), Context(1000))
    checked = [line["source"] for line in telemetry.named("checked")]
    assert checked == ["warning", "metar", "taf"]
    assert len(threads) >= 3
    assert len(set(threads)) == 1


def batch(*products: str) -> dict[str, object]:
    records = []
    for product in products:
        job = Job(
            family="weather", scheduled_at=system_clock(), source=product, interval_minutes=10
        )
        attributes = {"MessageGroupId": product, "ApproximateReceiveCount": "1"}
        record = {"messageId": product, "receiptHandle": "r", "body": job.body()}
        records.append({**record, "attributes": attributes})
    return {"Records": records}
