"""The worker as it is deployed: what it does with a key that is none."""

import json

import boto3
import pytest
from fakes import RecordingTelemetry
from moto import mock_aws

from uring.clock import system_clock
from uring.contracts import CollectWeather
from uring.weather.bootstrap.worker import build
from uring_local.stack.inprocess import Context

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


def test_a_key_that_is_none_is_read_again_once_it_is_corrected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A warm worker must not go on with what the operator has replaced."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        session = boto3.Session("testing", "testing", region_name="ap-northeast-2")
        session.client("s3").create_bucket(
            Bucket="bucket",
            CreateBucketConfiguration={"LocationConstraint": "ap-northeast-2"},
        )
        secrets = session.client("secretsmanager")
        secrets.create_secret(Name="weather/key", SecretString="authKey = fake-key-1")
        telemetry = RecordingTelemetry()
        worker = build(ENVIRONMENT, session=session, sleep=lambda _: None, telemetry=telemetry)
        worker.handle(batch(), Context(300))
        (failed,) = telemetry.named("run_failed")
        assert "the weather gateway's key is no key" in failed["reason"]
        secrets.put_secret_value(SecretId="weather/key", SecretString="fake-key-1")
        assert worker.handle(batch(), Context(300)) == {"batchItemFailures": []}
        # It has a key now; nobody listens there.
        (line,) = telemetry.named("airports_failed")
        assert line["reason"].startswith("network")
        assert "fake-key-1" not in str([*telemetry.problems, *telemetry.warnings])


def batch() -> dict[str, object]:
    job = CollectWeather(scheduled_at=system_clock(), product="metar", interval_minutes=10)
    record = {
        "messageId": "m",
        "receiptHandle": "r",
        "body": job.body(),
        "attributes": {"MessageGroupId": "metar", "ApproximateReceiveCount": "1"},
    }
    return json.loads(json.dumps({"Records": [record]}))  # type: ignore[no-any-return]
