"""Whether readers reach the index: the monitor asks where they ask."""

import json

import boto3
import pytest
from fakes import RecordingTelemetry
from fakes.watched_world import Watched
from moto import mock_aws

from uring.functions.entry_point import build
from uring.watch.monitor import Monitor
from uring.watch.readers import KEY, ReaderProbe
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.stack.inprocess import Context

URL = "https://data.example.org/data/index.json"
MONITOR = "uring.functions.monitor"


class Read(Watched):
    """Departments whose index is read at a distribution, which answers with ``reason``."""

    def __init__(self) -> None:
        super().__init__()
        self.reason = ""
        self.asked: list[str | None] = []
        self.monitor = Monitor(
            self.monitored,
            self.bucket,
            self.mail,
            self.telemetry,
            clock=self.clock,
            readers=ReaderProbe(URL, self._ask, self.bucket, self.telemetry),
        )
        self.tick()
        self.watch()

    def _ask(self, etag: str | None) -> str:
        self.asked.append(etag)
        return self.reason

    def later(self, times: int = 1) -> None:
        for _ in range(times):
            self.clock.advance(600)
            self.watch()


def test_nobody_is_asked_before_there_is_an_index() -> None:
    world = Read()
    assert world.asked == []
    world.later()
    index = world.bucket.get("data/index.json")
    assert index is not None
    assert world.asked == [index.etag]


def test_one_mail_after_three_failures_and_one_when_it_answers() -> None:
    world = Read()
    world.reason = "forbidden"
    world.later(2)
    assert world.mail.sent == []
    world.later(5)
    ((subject, line),) = world.mail.sent
    assert subject == "uRing: 1 source down, 0 up"
    assert line == (
        f"DOWN readers ({URL}): forbidden since 2026-03-02T01:25:00Z, 3 times in a row; nobody "
        "can read the data: `uring doctor` examines the distribution"
    )
    assert world.telemetry.counts["ReadersRefused"] == 7
    world.reason = ""
    world.later(2)
    assert world.mail.lines[1:] == [f"UP readers ({URL}): it answers again"]


def test_a_failure_that_passes_is_told_to_nobody() -> None:
    world = Read()
    for reason in ("timeout", "timeout", "", "timeout", "timeout", ""):
        world.reason = reason
        world.later()
    assert world.mail.sent == []


def test_a_quiet_day_writes_nothing() -> None:
    world = Read()
    world.later()
    before = world.bucket.writes
    world.later(3)
    assert world.bucket.writes == before
    assert KEY not in world.bucket.bodies()


def test_a_mail_that_is_refused_is_sent_by_the_next_run() -> None:
    world = Read()
    world.reason = "forbidden"
    world.later(2)
    world.mail.refuses = True
    with pytest.raises(Exception, match="no answer"):
        world.later()
    world.mail.refuses = False
    world.later()
    assert len(world.mail.sent) == 1


@pytest.mark.parametrize("body", [b"", b"[]", b'{"failures": "many"}'])
def test_a_damaged_memory_begins_again(body: bytes) -> None:
    world = Read()
    world.bucket.plant(KEY, body)
    world.reason = "forbidden"
    world.later(3)
    assert len(world.mail.sent) == 1


class Distribution:
    """A server in its place: its status, and what it was asked."""

    def __init__(self) -> None:
        self.status = 200
        self.seen: list[Request] = []

    def respond(self, request: Request) -> Answer:
        self.seen.append(request)
        return Answer(self.status, b"x" * 100_000 if self.status == 200 else b"")


@pytest.fixture
def distribution() -> Distribution:
    return Distribution()


@pytest.mark.parametrize(
    ("status", "refused"), [(200, 0), (304, 0), (403, 1), (404, 1), (503, 1), (302, 1)]
)
def test_the_built_monitor_asks_by_http(
    distribution: Distribution, status: int, refused: int
) -> None:
    distribution.status = status
    telemetry = RecordingTelemetry()
    with mock_aws(), LoopbackServer(distribution.respond) as server:
        session = boto3.Session(region_name="ap-northeast-2")
        s3 = session.client("s3")
        location = {"LocationConstraint": "ap-northeast-2"}
        s3.create_bucket(Bucket="data", CreateBucketConfiguration=location)  # type: ignore[arg-type]
        s3.put_object(
            Bucket="data", Key="config/sitemap.json", Body=json.dumps({"sources": []}).encode()
        )
        etag = s3.put_object(Bucket="data", Key="data/index.json", Body=b"{}")["ETag"]
        variables = {
            "DATA_BUCKET": "data",
            "CONFIG_KEY": "config/sitemap.json",
            "OWN_NAME": "own",
            "WATCHED_FAMILIES": "notices",
            "ALARM_TOPIC_ARN": session.client("sns").create_topic(Name="alarms")["TopicArn"],
            "READERS_URL": f"http://{server.host}/data/index.json",
            "ALLOWED_PRIVATE_HOSTS": server.host,
        }
        monitor = build(MONITOR, variables, session=session, telemetry=telemetry)
        monitor.handle({"time": "2026-03-02T01:04:00Z"}, Context(60))
    (request,) = distribution.seen
    assert (request.path, request.headers["if-none-match"]) == ("/data/index.json", etag)
    assert telemetry.counts["ReadersRefused"] == refused
