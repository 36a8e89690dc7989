"""Events of the bucket become one job each, whatever their keys are (D2)."""

from typing import Any

import pytest
from fakes.documents import Office
from fakes.telemetry import RecordingTelemetry

from uring.documents.intake import Intake, refresh
from uring.documents.messages import JobMessage
from uring.documents.names import Attachment
from uring.errors import MalformedMessage, Unavailable


@pytest.fixture
def office() -> Office:
    return Office()


def event(key: Any, kind: str = "Object Created", **more: Any) -> dict[str, Any]:
    return {"id": "e-1", "detail-type": kind, "detail": {"object": {"key": key, **more}}}


def intake(office: Office) -> Intake:
    return Intake(office.queue, office.telemetry, clock=office.clock)


@pytest.mark.parametrize("kind", ["Object Created", "Object Deleted"])
def test_an_attachment_becomes_a_job_of_its_page(office: Office, kind: str) -> None:
    key = "pages/page-1/attachments/Charter_2.1-ko.pdf"
    assert intake(office).take(event(key, kind, sequencer="0A")) == {"jobs": 1}
    (sent,) = office.queue.sent.values()
    message = JobMessage.parse(sent.body())
    assert (message.operation, message.page, message.source) == (
        "refresh",
        "page-1",
        "Charter_2.1-ko.pdf",
    )
    assert message.group == "page-1"


@pytest.mark.parametrize(
    "key",
    [
        "pages/page-1/attachments/",
        "pages/page-1/attachments/a/b",
        "pages/page-1/attachments/a b",
        "pages/page-1/attachments/a%20b",
        "pages/page-1/attachments/a+b",
        "pages%2Fpage-1%2Fattachments%2Fa",
        "pages/page-1/attachments/학칙.pdf",
        "pages/page-1/attachments/a\n",
        "pages/page-1/attachments/-a",
        "pages/page-1/attachments/" + "a" * 129,
        "pages/page:1/attachments/a",
        "pages/page#1/attachments/a",
        "pages/../attachments/a",
        "pages/job/attachments/a",
        "pages/system/attachments/a",
        "pages/page-1/bodies/a.b",
        "/pages/page-1/attachments/a",
        "",
        None,
        7,
        ["pages/page-1/attachments/a"],
    ],
)
def test_a_key_that_no_attachment_can_have_is_told_and_passed_over(
    office: Office, key: Any
) -> None:
    assert intake(office).take(event(key)) == {"jobs": 0}
    assert office.queue.sent == {}
    ((name, fields),) = office.telemetry.warnings
    assert name == "attachment_ignored"
    assert fields["key"].isascii()
    assert office.telemetry.counts["AttachmentsIgnored"] == 1


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"detail-type": "Object Created"},
        {"detail-type": "Object Created", "detail": None},
        {"detail-type": "Object Created", "detail": {"object": "x"}},
        {"detail-type": "Object Created", "detail": {"object": {}}},
        {"detail-type": "Object Created", "detail": {"object": {"key": "x"}}},
        {"Records": [{"eventSource": "aws:s3"}]},
        {"Event": "s3:TestEvent"},
        event("pages/p/attachments/a", "Object Restore Completed"),
    ],
)
def test_what_is_no_event_of_an_object_is_refused_and_says_so(
    office: Office, bad: dict[str, Any]
) -> None:
    with pytest.raises(MalformedMessage, match=r"^event: "):
        intake(office).take(bad)
    assert office.queue.sent == {}


def test_the_same_event_twice_is_one_message_and_another_upload_another(office: Office) -> None:
    key = "pages/page-1/attachments/a"
    for sequencer in ("0A", "0A", "0B"):
        intake(office).take(event(key, sequencer=sequencer))
    assert len(office.queue.sent) == 2


def test_an_event_without_a_sequencer_is_told_by_its_id(office: Office) -> None:
    first = event("pages/page-1/attachments/a")
    intake(office).take(first)
    intake(office).take(first)
    intake(office).take({**first, "id": "e-2"})
    assert len(office.queue.sent) == 2


def test_a_queue_that_does_not_answer_lets_lambda_invoke_again(office: Office) -> None:
    class Down:
        def send(self, messages: Any) -> None:
            raise Unavailable(str(messages))

    broken = Intake(Down(), RecordingTelemetry(), clock=office.clock)
    with pytest.raises(Unavailable):
        broken.take(event("pages/page-1/attachments/a"))


def test_a_message_has_a_short_name_however_long_its_cause_is(office: Office) -> None:
    message = refresh(Attachment("p" * 128, "s" * 128), "c" * 5_000, office.clock())
    assert JobMessage.parse(message.body()) == message
    assert len(message.name) == 64
    assert len(message.group) == 128
