"""The loop that feeds functions from their queues."""

import threading
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ReadTimeoutError

from uring.runtime.invocation import Function
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.sites.campus.simulation import NOTICES
from uring_local.stack.event_log import EventLog
from uring_local.stack.inprocess import InProcess
from uring_local.stack.ministack import MiniStack
from uring_local.template.template import load

LOOK_SECONDS = 20


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[boto3.Session]:
    with MiniStack() as endpoint:
        for name, value in endpoint.environment.items():
            monkeypatch.setenv(name, value)
        yield boto3.Session()


def test_a_call_that_fails_is_reported_and_the_queue_is_asked_again(session: boto3.Session) -> None:
    session.events.register("before-call.sqs.ReceiveMessage", FailsOnce())
    reasons = reported(session, "Job: ")
    assert any("Read timeout" in reason for reason in reasons)
    assert any(reason.startswith("Job: ") for reason in reasons), "the message was never handled"


def test_an_answer_without_the_batchs_failures_is_reported(
    session: boto3.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Function, "handle", lambda *_: {})
    reasons = reported(session, "KeyError: ")
    assert reasons == ["KeyError: 'batchItemFailures'"]


def test_dead_letters_are_looked_at_and_stay(session: boto3.Session) -> None:
    """The first of each group is shown, which is all that a FIFO queue gives; all are counted."""
    application = InProcess(
        load(TEMPLATE, PARAMETERS, "uring"), session, EventLog("notices"), NOTICES, {}
    )
    try:
        sqs = session.client("sqs")
        name = "uring-notices-dead-letter.fifo"
        url = sqs.get_queue_url(QueueName=name)["QueueUrl"]
        for group, body in (("a", "first"), ("a", "second"), ("b", "third")):
            sqs.send_message(
                QueueUrl=url,
                MessageBody=body,
                MessageGroupId=group,
                MessageDeduplicationId=body,
                MessageAttributes={"reason": {"DataType": "String", "StringValue": "no job"}},
            )
        for _ in range(2):
            count, letters = application.letters("NoticeDeadLetterQueue")
            assert count == 3
            assert {letter.body for letter in letters} >= {"first", "third"}
            assert {letter.attributes["reason"] for letter in letters} == {"no job"}
    finally:
        application.close()


class FailsOnce:
    """Breaks the first call of each thread that feeds a function."""

    def __init__(self) -> None:
        self._broken: set[str] = set()

    def __call__(self, **_: Any) -> None:
        name = threading.current_thread().name
        if name not in self._broken:
            self._broken.add(name)
            raise ReadTimeoutError(endpoint_url="http://127.0.0.1")


def reported(session: boto3.Session, awaited: str) -> list[str]:
    """The reasons that come of a message that is no job, until one begins so, or time is up."""
    log = EventLog("notices")
    template = load(TEMPLATE, PARAMETERS, "uring")
    application = InProcess(template, session, log, NOTICES, {})
    reasons: list[str] = []
    waiting = threading.Event()
    try:
        url = session.client("sqs").get_queue_url(QueueName="uring-notices.fifo")["QueueUrl"]
        session.client("sqs").send_message(
            QueueUrl=url, MessageBody="{", MessageGroupId="g", MessageDeduplicationId="d"
        )
        for _ in range(LOOK_SECONDS * 10):
            reasons += [str(event.get("reason")) for event in log.take()]
            if any(reason.startswith(awaited) for reason in reasons):
                break
            waiting.wait(0.1)
    finally:
        application.close()
    return reasons
