"""Events of the bucket become one job each, whatever their keys are (D2)."""

from typing import Any
from unicodedata import normalize
from urllib.parse import quote_plus

import pytest
from fakes.documents import Office
from fakes.telemetry import RecordingTelemetry

from uring.documents.intake import Intake, refresh
from uring.documents.messages import JobMessage
from uring.documents.names import Attachment, body_key
from uring.errors import MalformedMessage, Unavailable


@pytest.fixture
def office() -> Office:
    return Office()


def record(key: Any, kind: str = "ObjectCreated:Put", sequencer: str = "0A") -> dict[str, Any]:
    told = {"key": key, "sequencer": sequencer}
    return {"eventSource": "aws:s3", "eventName": kind, "s3": {"object": told}}


def event(key: Any, kind: str = "ObjectCreated:Put", sequencer: str = "0A") -> dict[str, Any]:
    return {"Records": [record(quote_plus(key, "/"), kind, sequencer)]}


def intake(office: Office) -> Intake:
    return Intake(office.queue, office.telemetry, clock=office.clock)


@pytest.mark.parametrize(
    "kind",
    [
        "ObjectCreated:Put",
        "ObjectCreated:CompleteMultipartUpload",
        "ObjectRemoved:Delete",
        "ObjectRemoved:DeleteMarkerCreated",
    ],
)
def test_an_attachment_becomes_a_job_of_its_page(office: Office, kind: str) -> None:
    key = "pages/page-1/attachments/Charter_2.1-ko.pdf"
    assert intake(office).take(event(key, kind)) == {"jobs": 1}
    (sent,) = office.queue.sent.values()
    message = JobMessage.parse(sent.body())
    assert (message.operation, message.page, message.source) == (
        "refresh",
        "page-1",
        "Charter_2.1-ko.pdf",
    )
    assert message.group == "page-1"


@pytest.mark.parametrize(
    "name",
    [
        "학칙.pdf",
        "a b",
        "a+b",
        "[공고] 안(최종).hwp",
        "학" * 60,
        "교원·직원 규정 #1 & 별표~.docx",
        "é.pdf",
    ],
)
def test_a_name_as_offices_write_it_is_an_attachment_s(office: Office, name: str) -> None:
    """S3 encodes the key as a form does; the release before waits for this one."""
    assert intake(office).take(event(f"pages/page-1/attachments/{name}")) == {"jobs": 1}
    (sent,) = office.queue.sent.values()
    message = JobMessage.parse(sent.body())
    assert (message.source, message.version) == (name, 2)
    assert message == sent


@pytest.mark.parametrize(
    "key",
    [
        "pages/page-1/attachments/",
        "pages/page-1/attachments/a/b",
        "pages/page-1/attachments/ a",
        "pages/page-1/attachments/a ",
        "pages/page-1/attachments/a\u3000b",
        "pages/page-1/attachments/a:b",
        "pages/page-1/attachments/a\\b",
        "pages/page-1/attachments/a%20b",
        "pages%2Fpage-1%2Fattachments%2Fa",
        "pages/page-1/attachments/" + normalize("NFD", "학칙.pdf"),
        "pages/page-1/attachments/a\u200bb",
        "pages/page-1/attachments/a\u202eb",
        "pages/page-1/attachments/a\u3164b",
        "pages/page-1/attachments/..",
        "pages/page-1/attachments/.a",
        "pages/page-1/attachments/a\n",
        "pages/page-1/attachments/-a",
        "pages/page-1/attachments/" + "학" * 61,
        "pages/page:1/attachments/a",
        "pages/page#1/attachments/a",
        "pages/../attachments/a",
        "pages/job/attachments/a",
        "pages/system/attachments/a",
        "pages/page-1/bodies/a.b",
        "/pages/page-1/attachments/a",
        "",
    ],
)
def test_a_key_that_no_attachment_can_have_is_told_and_passed_over(
    office: Office, key: str
) -> None:
    assert intake(office).take(event(key)) == {"jobs": 0}
    assert office.queue.sent == {}
    ((name, fields),) = office.telemetry.warnings
    assert name == "attachment_ignored"
    assert fields["key"].isascii()
    assert fields["reason"]
    assert office.telemetry.counts["AttachmentsIgnored"] == 1


def test_a_text_of_ours_below_pages_is_no_news(office: Office) -> None:
    key = body_key("page-1", "0" * 64, "0123abcd")
    assert intake(office).take(event(key)) == {"jobs": 0}
    assert office.queue.sent == {}
    assert office.telemetry.warnings == []


def test_a_misplaced_object_costs_the_others_of_its_event_nothing(office: Office) -> None:
    told = [record("pages/a b"), record("pages/p/attachments/a"), record("pages/p/attachments/b")]
    assert intake(office).take({"Records": told}) == {"jobs": 2}
    assert len(office.queue.sent) == 2
    assert office.telemetry.counts["AttachmentsIgnored"] == 1


def without(*names: str) -> dict[str, Any]:
    """Return a notification, of whose object something is missing."""
    told = event("pages/p/attachments/a")
    for name in names:
        del told["Records"][0]["s3"]["object"][name]
    return told


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"Records": None},
        {"Records": [None]},
        {"Records": [{"eventName": "ObjectCreated:Put"}]},
        {"Records": [{"eventName": None, "s3": {"object": {"key": "x", "sequencer": "0"}}}]},
        {"Records": [{"eventSource": "aws:s3"}]},
        {"Records": [record(None)]},
        {"Records": [record(7)]},
        {"Records": [record(["pages/page-1/attachments/a"])]},
        without("key"),
        without("sequencer"),
        {"Event": "s3:TestEvent"},
        {"detail-type": "Object Created", "detail": {"object": {"key": "x"}}},
        event("pages/p/attachments/a", "ObjectRestore:Completed"),
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
