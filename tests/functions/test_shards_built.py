"""A sitemap in several files: orchestrator and monitor as built, and each run that they start."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from fakes import ENTRY, RecordingTelemetry
from moto import mock_aws

from uring.aws.objects import S3Bucket
from uring.changes.shard import Shard
from uring.errors import ConfigInvalid, MalformedMessage, Misconfigured, Unavailable
from uring.functions.entry_point import build
from uring.functions.shards import sharded
from uring.notices.registration import ENTRIES, WHAT
from uring.notices.source import Source
from uring.runtime.invocation import Function, Work
from uring.sources.plan import read_entries
from uring_local.stack.inprocess import Context
from uring_local.stack.invoke import InvokingSession

ORCHESTRATOR = "uring.functions.notice_orchestrator"
MONITOR = "uring.functions.monitor"
SITEMAP = "config/sitemap.json"
FIFO = {"FifoQueue": "true", "ContentBasedDeduplication": "false"}
TICK = {"time": "2026-03-02T01:05:00Z"}
IDS = ("art", "bio", "chem", "dance", "dance-2", "east")


class Stack:
    """A bucket, a queue, and both functions; a function that is started waits in ``started``."""

    def __init__(self, session: boto3.Session) -> None:
        self.s3, self.sqs = session.client("s3"), session.client("sqs")
        location = {"LocationConstraint": "ap-northeast-2"}
        self.s3.create_bucket(Bucket="data", CreateBucketConfiguration=location)
        self.queue = self.sqs.create_queue(QueueName="work.fifo", Attributes=FIFO)["QueueUrl"]
        topic = session.client("sns").create_topic(Name="alarms")["TopicArn"]
        self.telemetry = RecordingTelemetry()
        self.started: list[dict[str, Any]] = []
        self.hour = 1
        common = {"DATA_BUCKET": "data", "CONFIG_KEY": SITEMAP, "OWN_NAME": "own:live"}
        queue = {"WORK_QUEUE_URL": self.queue, "TICK_MINUTES": "10"}
        # The weather is read whatever becomes of the sitemap, and then the index is written.
        watched = {
            "WATCHED_FAMILIES": "notices weather",
            "ALARM_TOPIC_ARN": topic,
            **dict.fromkeys(("METAR_MINUTES", "TAF_MINUTES", "WARNING_MINUTES"), "10"),
            "AIRPORTS": "RKSI",
        }
        seams: dict[str, Any] = {
            "session": InvokingSession(session, self.start),
            "telemetry": self.telemetry,
        }
        self.orchestrator = build(ORCHESTRATOR, common | queue, **seams)
        self.monitor = build(MONITOR, common | watched, **seams)

    def start(self, function: str, event: dict[str, Any]) -> None:
        """Take an invocation as Lambda does: it is run later."""
        assert function == "own:live"
        self.started.append(event)

    def put(self, key: str, document: Any) -> None:
        self.s3.put_object(Bucket="data", Key=key, Body=json.dumps(document).encode())

    def document(self, key: str) -> Any:
        return json.loads(self.s3.get_object(Bucket="data", Key=key)["Body"].read())

    def upload(self, *bounds: str, **files: tuple[str, ...]) -> None:
        """Put the files of a sitemap; ``first`` is that with the bounds."""
        for name, ids in files.items():
            entries = [{**ENTRY, "id": each} for each in ids]
            if name == "first":
                self.put(SITEMAP, {"shards": [*bounds], "sources": entries})
            else:
                self.put(f"config/sitemap.{name}.json", {"sources": entries})

    def run(self, function: Function) -> None:
        """Run a schedule's event, and whatever it starts."""
        function.handle({"time": f"2026-03-02T{self.hour:02}:05:00Z"}, Context(60))
        self.run_started(function)

    def run_started(self, function: Function) -> None:
        """Run whatever was started, in order."""
        while self.started:
            function.handle(self.started.pop(0), Context(60))

    def jobs(self) -> list[str]:
        """The sources with a job, in order; the queue is empty afterwards."""
        found = []
        while batch := self.sqs.receive_message(QueueUrl=self.queue, MaxNumberOfMessages=10).get(
            "Messages"
        ):
            for message in batch:
                found.append(json.loads(message["Body"])["source"])
                self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])
        return sorted(found)


@pytest.fixture
def stack() -> Iterator[Stack]:
    with mock_aws():
        yield Stack(boto3.Session(region_name="ap-northeast-2"))


def divided(stack: Stack) -> None:
    stack.upload(
        "chem", "dance-2", first=("art", "bio"), chem=("chem",), **{"dance-2": ("dance", "east")}
    )


class TestTick:
    """One schedule, one run a shard."""

    def test_a_sitemap_without_shards_is_one_run(self, stack: Stack) -> None:
        stack.upload(first=IDS)
        stack.run(stack.orchestrator)
        assert stack.jobs() == sorted(IDS)
        assert [line["jobs"] for line in stack.telemetry.named("dispatched")] == [len(IDS)]

    def test_each_shard_is_a_run_of_its_own(self, stack: Stack) -> None:
        """``dance`` is behind ``dance-2``: the order is that of the states' keys."""
        divided(stack)
        stack.run(stack.orchestrator)
        assert stack.jobs() == ["art", "bio", "chem", "dance", "east"]
        assert [line["jobs"] for line in stack.telemetry.named("dispatched")] == [2, 1, 2]
        assert stack.telemetry.counts["EntriesRefused"] == 0

    def test_a_shard_that_is_started_twice_adds_no_job(self, stack: Stack) -> None:
        divided(stack)
        stack.run(stack.orchestrator)
        stack.run(stack.orchestrator)
        assert len(stack.jobs()) == 5

    def test_a_missing_file_costs_its_shard_alone(self, stack: Stack) -> None:
        divided(stack)
        stack.s3.delete_object(Bucket="data", Key="config/sitemap.chem.json")
        with pytest.raises(Misconfigured, match=r"config/sitemap\.chem\.json is not in the bucket"):
            stack.run(stack.orchestrator)
        stack.run_started(stack.orchestrator)
        assert stack.jobs() == ["art", "bio", "dance", "east"]

    def test_an_entry_of_another_shard_is_refused_and_checked_there_alone(
        self, stack: Stack
    ) -> None:
        """Two files that disagree on a department: the bounds decide."""
        divided(stack)
        stack.upload(chem=("chem", "east", "art"))
        stack.run(stack.orchestrator)
        assert stack.jobs() == ["art", "bio", "chem", "dance", "east"]
        refused = stack.telemetry.named("entry_refused")
        assert [line["path"] for line in refused] == ["sources[1].id", "sources[2].id"]
        assert "ids from chem before dance-2" in refused[0]["reason"]

    def test_a_shard_that_is_gone_when_its_turn_comes_is_left_out(self, stack: Stack) -> None:
        divided(stack)
        stack.orchestrator.handle(dict(TICK), Context(60))
        stack.upload("chem", first=("art", "bio"), chem=("chem", "dance", "east"))
        stack.run_started(stack.orchestrator)
        assert stack.jobs() == ["art", "bio", "chem", "dance", "east"]
        assert [line["shard"] for line in stack.telemetry.named("shard_gone")] == ["dance-2"]

    def test_an_event_by_hand_runs_the_shard_as_it_is(self, stack: Stack) -> None:
        divided(stack)
        for shard in ({"begin": "chem", "end": "a"}, {"begin": "../x", "end": ""}):
            stack.orchestrator.handle({**TICK, "shard": shard}, Context(60))
        assert stack.jobs() == ["chem"]

    @pytest.mark.parametrize(
        "shard", ["chem", {"begin": ""}, {"begin": 1, "end": ""}, {"begin": "g"}]
    )
    def test_a_malformed_shard_is_refused(self, stack: Stack, shard: Any) -> None:
        divided(stack)
        with pytest.raises(MalformedMessage, match="event: shard"):
            stack.orchestrator.handle({**TICK, "shard": shard}, Context(60))

    @pytest.mark.parametrize("bounds", [["b", "a"], ["a", "a"], ["A"], "a", [1], ["a.b"]])
    def test_unusable_bounds_are_a_problem_and_the_first_file_is_checked(
        self, stack: Stack, bounds: Any
    ) -> None:
        stack.put(SITEMAP, {"shards": bounds, "sources": [{**ENTRY, "id": "art"}]})
        stack.run(stack.orchestrator)
        assert stack.jobs() == ["art"]
        (refused,) = stack.telemetry.named("entry_refused")
        assert (refused["path"], refused["reason"]) == (
            "shards",
            "is not a list of ids in ascending order",
        )


class TestWhileItIsDivided:
    """A department is in exactly one shard between any two writes of a division."""

    def test_split_and_merge(self, stack: Stack) -> None:
        stack.upload(first=IDS)
        steps: list[dict[str, Any]] = [
            {"dance": ("dance", "east")},
            {"bounds": ("dance",), "first": IDS},
            {"bounds": ("dance",), "first": ("art", "bio", "chem", "dance-2")},
            # And together again.
            {"bounds": ("dance",), "first": IDS},
            {"first": IDS},
        ]
        for step in steps:
            stack.upload(*step.pop("bounds", ()), **step)
            stack.run(stack.orchestrator)
            assert stack.jobs() == sorted(IDS)
            stack.hour += 1


class TestWatch:
    """The monitor: an index, hints and a memory a shard."""

    def test_the_index_names_the_indexes_of_the_other_shards(self, stack: Stack) -> None:
        divided(stack)
        stack.run(stack.monitor)
        index = stack.document("data/index.json")
        assert [entry["id"] for entry in index["departments"]] == ["art", "bio"]
        assert index["families"]["departments"]["shards"] == [
            {"from": "chem", "path": "index.chem.json"},
            {"from": "dance-2", "path": "index.dance-2.json"},
        ]
        for bound, ids in {"chem": ["chem"], "dance-2": ["dance", "east"]}.items():
            shard = stack.document(f"data/index.{bound}.json")
            assert [entry["id"] for entry in shard["departments"]] == ids
            assert "shards" not in shard["families"]["departments"]
            stack.document(f"state/monitor/notices.{bound}.json")
            stack.document(f"state/monitor/hints/notices.{bound}.json")

    def test_a_list_that_cannot_be_read_keeps_the_shards_that_it_was_published_with(
        self, stack: Stack
    ) -> None:
        """A list without shards is whole, and a client gives up what is not in a whole list."""
        divided(stack)
        stack.run(stack.monitor)
        before = stack.document("data/index.json")
        files: list[Any] = [
            b"{",
            json.dumps({"shards": ["m", "a"], "sources": [{**ENTRY, "id": "art"}]}).encode(),
        ]
        for file in files:
            stack.s3.put_object(Bucket="data", Key=SITEMAP, Body=file)
            with pytest.raises(ConfigInvalid):
                stack.run(stack.monitor)
            assert self.departments(stack) == self.departments_of(before)
        stack.s3.delete_object(Bucket="data", Key=SITEMAP)
        with pytest.raises(Misconfigured):
            stack.run(stack.monitor)
        assert self.departments(stack) == self.departments_of(before)

    def departments(self, stack: Stack) -> Any:
        return self.departments_of(stack.document("data/index.json"))

    def departments_of(self, index: Any) -> Any:
        return index["families"]["departments"], index["departments"]

    def test_a_run_of_bounds_that_changed_meanwhile_writes_no_index(self, stack: Stack) -> None:
        divided(stack)
        stack.run(stack.monitor)
        before = stack.document("data/index.json")
        started = Shard("", "chem")
        stack.upload("bio", first=("art",), bio=("bio", "chem", "dance", "east"))
        with pytest.raises(Unavailable, match="divided again"):
            read_entries(
                S3Bucket(stack.s3, "data"),
                SITEMAP,
                model=Source,
                key=ENTRIES,
                what=WHAT,
                taken={},
                shard=started,
            )
        assert stack.document("data/index.json") == before

    def test_the_silence_of_one_shard_is_the_silence_of_the_monitor(self, stack: Stack) -> None:
        """Its alarm looks for the counter, which the first run alone writes."""
        divided(stack)
        stack.run(stack.monitor)
        assert "SourcesDown" not in stack.telemetry.counts
        assert [line["shards"] for line in stack.telemetry.named("shards_silent")] == [
            ["chem", "dance-2"]
        ]
        stack.hour += 1
        stack.run(stack.monitor)
        assert "SourcesDown" in stack.telemetry.counts

    def test_a_missing_sitemap_is_the_error_of_its_family(self, stack: Stack) -> None:
        with pytest.raises(Misconfigured, match=r"config/sitemap\.json is not in the bucket"):
            stack.run(stack.monitor)


class TestStarted:
    """A shard that cannot be started."""

    def test_the_others_are_done_and_the_retry_starts_all_again(self) -> None:
        done: list[Shard] = []
        shards = (Shard("", "g"), Shard("g", "m"), Shard("m", ""))

        def work_of(shard: Shard, others: object) -> Work:
            del others
            return lambda *_: done.append(shard)

        started: list[Any] = []

        def invoke(event: Any) -> None:
            if event["shard"]["begin"] == "g":
                raise Unavailable("no answer")
            started.append(event)

        work = sharded(work_of, lambda: shards, invoke, RecordingTelemetry())
        with pytest.raises(Unavailable, match="no answer"):
            work(dict(TICK), lambda: 60)
        assert started == [shards[2].event(TICK["time"])]
        assert done == [shards[0]]

    def test_a_shard_starts_no_other(self) -> None:
        """Lambda's own guard against loops is off for this function."""
        started: list[Any] = []
        work = sharded(
            lambda *_: lambda *_: None,
            lambda: (Shard("", "g"), Shard("g", "")),
            started.append,
            RecordingTelemetry(),
        )
        work(Shard("g", "").event(TICK["time"]), lambda: 60)
        assert started == []
