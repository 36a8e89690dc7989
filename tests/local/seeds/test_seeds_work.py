"""`uring seeds work`: where its settings come from, and what it says if one is missing."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from uring.functions.parts import Parts
from uring_local.cli import main
from uring_local.queues.held import HeldRecords
from uring_local.seeds import work as work_module
from uring_local.seeds.work import HoldingParts, places_of, settings_of

SETTINGS = {
    "DATA_BUCKET": "data",
    "SEED_TABLE": "seeds",
    "WORK_QUEUE_URL": "https://sqs.invalid/domains.fifo",
    "WORK_DLQ_URL": "https://sqs.invalid/dead.fifo",
}


@pytest.fixture(autouse=True)
def _nothing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (*SETTINGS, "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_SQS", "METRICS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with mock_aws():
        yield


@pytest.fixture
def function(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The variables of a deployed function, as Lambda tells them."""
    variables = {**SETTINGS, "CONTACT": "https://uring.example", "HOMEPAGE": "false"}

    class Lambda:
        def get_function_configuration(self, *, FunctionName: str) -> Any:  # noqa: N803 - AWS's
            assert FunctionName == "uring-dev-domain-worker"
            return {"Environment": {"Variables": variables}}

    ids = {"DomainWorker": "uring-dev-domain-worker"}
    monkeypatch.setattr(work_module, "resources_with", lambda *_: ids)
    monkeypatch.setattr(boto3, "client", lambda _: Lambda())
    return variables


def test_missing_settings_are_all_named_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEED_TABLE", "seeds")
    assert main(["seeds", "work", "--queue", SETTINGS["WORK_QUEUE_URL"]]) == 1
    said = capsys.readouterr().err
    assert "DATA_BUCKET: Field required; WORK_DLQ_URL: Field required" in said
    assert "SEED_TABLE" not in said
    assert "WORK_QUEUE_URL" not in said
    assert said.endswith("name the stack by --stack, or set them\n")


def test_a_stack_s_settings_are_its_function_s(
    function: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell may have such a variable for another purpose."""
    monkeypatch.setenv("HOMEPAGE", "https://a.com/")
    assert settings_of(None, "uring-dev") == function
    other = "https://sqs.invalid/other.fifo"
    assert settings_of(other, "uring-dev") == {**function, "WORK_QUEUE_URL": other}


def test_without_a_stack_they_are_the_process_s(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    assert settings_of(None, None).items() >= SETTINGS.items()


def test_a_wrong_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {**SETTINGS, "SPACING_SECONDS": "-1"}.items():
        monkeypatch.setenv(name, value)
    assert main(["seeds", "work"]) == 1
    assert "SPACING_SECONDS: Input should be greater than or equal to 0" in capsys.readouterr().err


def test_a_queue_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    url = "https://sqs.us-east-1.amazonaws.com/123456789012/none.fifo"
    assert main(["seeds", "work", "--queue", url]) == 1
    assert f"sqs:GetQueueAttributes {url}" in capsys.readouterr().err


def test_a_process_takes_about_as_many_ranges_as_a_function() -> None:
    body = json.dumps({"kind": "range"})
    assert [places_of(body, at_once) for at_once in (1, 50, 300)] == [1, 5, 30]
    assert places_of(json.dumps({"domain_id": "com:sg:a.com"}), 300) == 1


def test_its_records_are_held_and_nothing_else_receives() -> None:
    plain = Parts.of({})
    held = HeldRecords(plain.source_queue("q", "dead"), hidden_seconds=330)
    parts = HoldingParts(
        plain.environment, plain.clients, plain.telemetry, plain.clock, plain.sleep, held=held
    )
    assert parts.source_queue("q", "dead") is held
    assert parts.pulled_queue("q") is None


def test_a_signal_ends_it_and_its_lines_and_counters_are_a_function_s(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A malformed message becomes a dead letter; then SIGTERM comes."""
    sqs: Any = boto3.client("sqs")
    queue, dead = (
        sqs.create_queue(QueueName=f"{name}.fifo", Attributes={"FifoQueue": "true"})["QueueUrl"]
        for name in ("domains", "dead")
    )
    own = {**SETTINGS, "WORK_DLQ_URL": dead, "ENVIRONMENT": "prod", "METRICS": "RecordsFailed"}
    # Powertools keeps a service's logger, with the stdout of its first use.
    telling = {"POWERTOOLS_METRICS_NAMESPACE": "uRing/test", "POWERTOOLS_SERVICE_NAME": "container"}
    for name, value in {**own, **telling}.items():
        monkeypatch.setenv(name, value)
    sqs.send_message(
        QueueUrl=queue, MessageBody="{", MessageGroupId="a", MessageDeduplicationId="a"
    )
    before = signal.getsignal(signal.SIGTERM)

    def stop() -> None:
        while not sqs.receive_message(QueueUrl=dead, WaitTimeSeconds=5).get("Messages"):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    stopping = threading.Thread(target=stop)
    stopping.start()
    assert main(["seeds", "work", "--queue", queue]) == 0
    stopping.join()
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["service"] for line in lines} == {"container"}
    assert (lines[0]["message"], lines[-1]["message"]) == ("worker_started", "worker_stopped")
    (told,) = [line for line in lines if line["message"] == "invoked"]
    assert (told["environment"], told["records"]) == ("prod", 1)
    (metrics,) = told["_aws"]["CloudWatchMetrics"]
    assert metrics["Namespace"] == "uRing/test"
    assert told["RecordsFailed"] == [1]
    assert signal.getsignal(signal.SIGTERM) == before
