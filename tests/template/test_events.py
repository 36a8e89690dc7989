"""The samples in events/ are what AWS sends and what our own code writes (X2)."""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from expanded import REQUIRED, ROOT, TEMPLATE, Stack
from fakes import RecordingTelemetry
from fakes.ports import MemorySends
from fakes.queues import MemoryQueue
from pydantic import BaseModel

from uring.changes.jobs import Orchestrator, Ticks
from uring.changes.state import event_id
from uring.contracts import ChangePublished, Job
from uring.documents.api.models import JobRequest
from uring.documents.intake import Intake
from uring.documents.messages import JobMessage
from uring.documents.names import PAGES, Attachment
from uring.extract.service import ExtractRequest
from uring.notices.item import NoticeItem
from uring.notices.source import Source
from uring.regulations.source import Registry
from uring.regulations.texts.job import ParseEntry
from uring.seeds.api import ROUTE
from uring.seeds.messages import DomainMessage, OrchestrateRequest, SeedMessage
from uring.seeds.normalize import normalize_domain
from uring.seeds.watch.watch import ShardEntry
from uring.subscriptions import api as subscriptions
from uring.subscriptions.subscriber import SubscriptionChange
from uring.weather.plan import Intervals, products
from uring_local.template.template import load

EVENTS = ROOT / "events"
# The function that each schedule triggers, in the order of an hour.
SCHEDULES = {
    "weather-schedule.json": "WeatherOrchestrator",
    "regulation-schedule.json": "RegulationOrchestrator",
    "seed-schedule.json": "SeedOrchestrator",
    "seed-watch-schedule.json": "SeedWatchOrchestrator",
    "document-schedule.json": "DocumentJanitor",
    "monitor-schedule.json": "Monitor",
    "notice-schedule.json": "NoticeOrchestrator",
}
# The queue that each batch comes from.
BATCHES = {
    "notice-batch.json": "NoticeQueue",
    "weather-batch.json": "WeatherQueue",
    "regulation-batch.json": "RegulationQueue",
    "regulation-parse-batch.json": "RegulationParseQueue",
    "seed-batch.json": "SeedQueue",
    "domain-batch.json": "DomainQueue",
    "seed-watch-batch.json": "SeedWatchQueue",
    "document-batch.json": "DocumentQueue",
    "notify-batch.json": "NotifyQueue",
}
# What another function sends, what an HTTP API makes of a request, and S3 of an upload.
INVOCATIONS = {
    "text-extract.json",
    "seed-api.json",
    "document-api.json",
    "document-upload.json",
    "subscription-api.json",
}


def _read(name: str) -> Any:
    return json.loads((EVENTS / name).read_text(encoding="utf-8"))


def _records(name: str) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = _read(name)["Records"]
    assert len(records) == 2
    return records


class Sent:
    """Takes jobs."""

    def dispatch(self, jobs: Sequence[Job]) -> int:
        self.jobs = jobs
        return 0


def test_there_is_one_sample_for_every_trigger_and_no_other() -> None:
    application = load(TEMPLATE, REQUIRED, "uring-dev")
    fed = [
        source.queue for function in application.functions.values() for source in function.sources
    ]
    assert sorted(fed) == sorted(BATCHES.values())
    scheduled = [name for name, function in application.functions.items() if function.schedules]
    assert sorted(scheduled) == sorted(SCHEDULES.values())
    assert {path.name for path in EVENTS.glob("*.json")} == {*SCHEDULES, *BATCHES, *INVOCATIONS}


def test_people_are_told_what_each_sample_does_to_a_real_stack() -> None:
    """A row a sample, with its function."""
    page = (EVENTS / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w.-]+)` \| `(\w+)` \| [^|]{20,} \|$", page, re.MULTILINE))
    application = load(TEMPLATE, REQUIRED, "uring-dev")
    fed = {
        source.queue: name
        for name, function in application.functions.items()
        for source in function.sources
    }
    assert rows.keys() == {*SCHEDULES, *BATCHES, *INVOCATIONS}
    assert rows.items() >= SCHEDULES.items()
    assert rows.items() >= {name: fed[queue] for name, queue in BATCHES.items()}.items()
    assert set(rows.values()) == application.functions.keys()


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_s_event_is_eventbridge_s(name: str) -> None:
    event = _read(name)
    (rule,) = event["resources"]
    assert rule.rpartition("/")[2].startswith(f"uring-dev-{SCHEDULES[name]}")
    assert event["detail-type"] == "Scheduled Event"
    assert event["source"] == "aws.events"
    assert event["detail"] == {}
    assert datetime.fromisoformat(event["time"]).tzinfo == UTC


@pytest.mark.parametrize("name", BATCHES)
def test_a_record_is_that_of_a_fifo_queue(name: str, stack: Stack) -> None:
    queue = stack.of_type("AWS::SQS::Queue")[BATCHES[name]]["QueueName"].removeprefix("uring-test")
    sequence = 0
    for record in _records(name):
        assert record["eventSource"] == "aws:sqs"
        assert record["eventSourceARN"].endswith(f":uring-dev{queue}")
        assert record["awsRegion"] in record["eventSourceARN"]
        digest = hashlib.md5(record["body"].encode(), usedforsecurity=False).hexdigest()
        assert record["md5OfBody"] == digest
        attributes = record["attributes"]
        assert all(isinstance(value, str) for value in attributes.values())
        assert attributes["ApproximateReceiveCount"] == "1"
        assert attributes["SentTimestamp"] < attributes["ApproximateFirstReceiveTimestamp"]
        assert len(attributes["SequenceNumber"]) == 20
        assert int(attributes["SequenceNumber"]) > sequence
        sequence = int(attributes["SequenceNumber"])
    identities = {(record["messageId"], record["receiptHandle"]) for record in _records(name)}
    assert len(identities) == 2


def test_a_job_is_written_as_the_orchestrator_writes_it() -> None:
    scheduled_at = datetime.fromisoformat(_read("notice-schedule.json")["time"])
    for record in _records("notice-batch.json"):
        job = Job.parse(record["body"])
        source = Source.model_validate(job.entry)
        assert job.body() == record["body"]
        assert job.entry == source.model_dump(mode="json", exclude_unset=True)
        assert (job.family, job.source) == ("notices", source.id)
        assert job.interval_minutes == source.interval_minutes
        assert job.scheduled_at == scheduled_at
        assert record["attributes"]["MessageGroupId"] == source.id
        assert record["attributes"]["MessageDeduplicationId"] == job.job_id


def test_a_weather_job_is_written_as_the_orchestrator_writes_it() -> None:
    """Every product is due at the sample's time."""
    scheduled_at = datetime.fromisoformat(_read("weather-schedule.json")["time"])
    sent = Sent()
    intervals = Intervals(warning_minutes=5, metar_minutes=10, taf_minutes=30)
    orchestrator = Orchestrator(
        "weather", lambda: products(intervals), sent, RecordingTelemetry(), ticks=Ticks(5)
    )
    assert orchestrator.tick(scheduled_at) == 3
    for record, job in zip(_records("weather-batch.json"), sent.jobs, strict=False):
        assert job.body() == record["body"]
        assert record["attributes"]["MessageGroupId"] == job.group
        assert record["attributes"]["MessageDeduplicationId"] == job.job_id


@pytest.mark.parametrize(
    ("name", "model"),
    [("regulation-batch.json", Registry), ("regulation-parse-batch.json", ParseEntry)],
)
def test_a_regulation_job_is_written_as_its_sender_writes_it(
    name: str, model: type[BaseModel]
) -> None:
    scheduled_at = datetime.fromisoformat(_read("regulation-schedule.json")["time"])
    for record in _records(name):
        job = Job.parse(record["body"])
        assert model.model_validate(job.entry)
        assert (job.body(), job.scheduled_at) == (record["body"], scheduled_at)
        assert record["attributes"]["MessageGroupId"] == job.group
        assert record["attributes"]["MessageDeduplicationId"] == job.job_id


def test_the_sample_of_the_extractor_is_an_event_that_it_reads() -> None:
    assert ExtractRequest.parse(_read("text-extract.json")).formats == {"pdf", "hwpx", "hwp"}


@pytest.mark.parametrize(
    ("name", "model"), [("seed-batch.json", SeedMessage), ("domain-batch.json", DomainMessage)]
)
def test_a_seed_message_is_written_as_its_sender_writes_it(
    name: str, model: type[SeedMessage | DomainMessage]
) -> None:
    for record in _records(name):
        message = model.parse(record["body"])
        assert message.body() == record["body"]
        assert record["attributes"]["MessageGroupId"] == message.group
        assert record["attributes"]["MessageDeduplicationId"] == message.name


def test_the_domains_of_the_sample_are_what_their_addresses_say() -> None:
    for record in _records("domain-batch.json"):
        message = DomainMessage.parse(record["body"])
        domain = normalize_domain(message.domain_url, "SG")
        assert (message.domain_id, message.registrable_domain, message.authority) == (
            domain.domain_id,
            domain.registrable_domain,
            domain.authority,
        )


def test_a_job_of_a_watch_is_written_as_the_orchestrator_writes_it() -> None:
    scheduled_at = datetime.fromisoformat(_read("seed-watch-schedule.json")["time"])
    for record in _records("seed-watch-batch.json"):
        job = Job.parse(record["body"])
        shard = ShardEntry.of(job)
        assert job.entry == shard.model_dump(mode="json")
        assert {shard.watch.source_of(domain) for domain in shard.domains} == {job.source}
        assert (job.body(), job.scheduled_at) == (record["body"], scheduled_at)
        assert record["attributes"]["MessageGroupId"] == job.group
        assert record["attributes"]["MessageDeduplicationId"] == job.job_id


def test_the_sample_of_the_api_is_a_signed_request_to_its_route() -> None:
    """Payload 2.0; the authorizer says who signed (S1)."""
    event = _read("seed-api.json")
    method, path = event["routeKey"].split(" ")
    assert (event["version"], method, path) == ("2.0", "ANY", ROUTE)
    assert event["rawPath"] == event["requestContext"]["http"]["path"] == ROUTE
    assert event["requestContext"]["http"]["method"] == "POST"
    assert event["requestContext"]["authorizer"].keys() == {"iam"}
    assert OrchestrateRequest.model_validate_json(event["body"]).date == "2026-01-28"
    assert event["headers"]["content-length"] == str(len(event["body"]))


def test_a_document_s_job_is_written_as_the_intake_writes_it() -> None:
    """The first is that of the sample's upload."""
    upload = _read("document-upload.json")
    at = datetime.fromisoformat(upload["Records"][0]["eventTime"])
    queue = MemoryQueue(lambda: at)
    Intake(MemorySends(queue), RecordingTelemetry(), clock=lambda: at).take(upload)
    records = _records("document-batch.json")
    assert queue.messages[0].body == records[0]["body"]
    for record in records:
        job = JobMessage.parse(record["body"])
        assert job.body() == record["body"]
        assert record["attributes"]["MessageGroupId"] == job.group
        assert record["attributes"]["MessageDeduplicationId"] == job.name


def test_the_sample_of_an_upload_is_what_the_bucket_tells_the_intake(stack: Stack) -> None:
    """The bucket's own filter takes it."""
    (record,) = _read("document-upload.json")["Records"]
    told = stack.of_type("AWS::S3::Bucket")["Bucket"]["NotificationConfiguration"]
    kinds = [each["Event"].removesuffix("*") for each in told["LambdaConfigurations"]]
    assert f"s3:{record['eventName']}".startswith(tuple(kinds))
    key = record["s3"]["object"]["key"]
    assert key.startswith(PAGES)
    assert Attachment.at(key) is not None


def test_the_sample_of_the_document_api_is_a_signed_request_to_a_route() -> None:
    event = _read("document-api.json")
    method, route = event["routeKey"].split(" ")
    assert method == "ANY"
    assert "jobs" in route
    assert route.format(**event["pathParameters"]) == event["rawPath"]
    assert (
        event["requestContext"]["http"] | {"method": "POST", "path": event["rawPath"]}
        == (event["requestContext"]["http"])
    )
    assert event["requestContext"]["authorizer"].keys() == {"iam"}
    assert JobRequest.model_validate_json(event["body"]).operation == "policies"
    assert event["headers"]["content-length"] == str(len(event["body"]))


def test_the_sample_of_the_subscription_api_subscribes_nobody() -> None:
    """A page's request, unsigned; on a real stack it ends a subscription that never was."""
    event = _read("subscription-api.json")
    assert event["routeKey"] == f"POST {subscriptions.ROUTE}"
    assert event["rawPath"] == event["requestContext"]["http"]["path"] == subscriptions.ROUTE
    assert "authorizer" not in event["requestContext"]
    change = SubscriptionChange.model_validate_json(event["body"])
    assert (len(change.subscribe), len(change.unsubscribe)) == (0, 1)
    assert event["headers"]["content-length"] == str(len(event["body"]))


def test_a_change_is_written_as_the_worker_writes_it() -> None:
    for record in _records("notify-batch.json"):
        change = ChangePublished.parse(record["body"])
        content = dict(change.content)
        is_pinned = {"true": True, "false": False}[content.pop("is_pinned")]
        item = NoticeItem(id=change.id, is_pinned=is_pinned, **content)
        assert change.body() == record["body"]
        assert change.family == "notices"
        assert change.event_id == event_id(change.source, change.id, change.revision, item.hash)
        assert record["attributes"]["MessageGroupId"] == change.group
        assert record["attributes"]["MessageDeduplicationId"] == change.event_id


def test_the_samples_never_grow_old() -> None:
    """An overdue job is dropped unread: its sample would show nothing but that."""
    longest = timedelta(minutes=1440)
    for record in _records("notice-batch.json"):
        scheduled_at = Job.parse(record["body"]).scheduled_at
        assert scheduled_at > datetime.now(UTC) + longest


@pytest.mark.parametrize("interval_minutes", [10, 30, 60, 120, 360, 720, 1440])
def test_every_source_is_due_at_the_sample_s_time(interval_minutes: int) -> None:
    """The orchestrator's own reckoning: minutes into the interval, below the tick's ten."""
    scheduled_at = datetime.fromisoformat(_read("notice-schedule.json")["time"])
    assert int(scheduled_at.timestamp()) // 60 % interval_minutes < 10


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_holds_two_groups(name: str) -> None:
    """So that a sample shows groups running side by side."""
    groups = {record["attributes"]["MessageGroupId"] for record in _records(name)}
    assert len(groups) == 2
