"""The watch's functions as they are built: a tick to jobs, and a job to a push."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import boto3
import pytest
from fakes import RecordingTelemetry
from moto import mock_aws

from uring.clock import system_clock, timestamp
from uring.contracts import ChangePublished
from uring.errors import Misconfigured
from uring.functions.entry_point import build
from uring_local.stack.inprocess import Context

ORCHESTRATOR = "uring.functions.seed_watch_orchestrator"
WORKER = "uring.functions.seed_watch_worker"
FIFO = {"FifoQueue": "true", "ContentBasedDeduplication": "false"}
ROBOTS = b"User-agent: *\nAllow: /\n"
DOMAINS = ("a.com.sg", "b.com.sg", "c.com.sg")


@dataclass
class Web:
    """One server for every domain: robots.txt of each host, and nothing else."""

    robots: dict[str, bytes]
    address: str = ""


@pytest.fixture
def web() -> Iterator[Web]:
    web = Web(dict.fromkeys(DOMAINS, ROBOTS))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = web.robots.get(self.headers["Host"], b"")
            is_there = self.path == "/robots.txt" and body
            self.send_response(200 if is_there else 404)
            self.send_header("Content-Length", str(len(body) if is_there else 0))
            self.end_headers()
            if is_there:
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    web.address = f"127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield web
    server.shutdown()
    server.server_close()
    thread.join()


class Stack:
    """A bucket, three queues, and both functions."""

    def __init__(self, session: boto3.Session, web: Web) -> None:
        self.s3, self.sqs = session.client("s3"), session.client("sqs")
        location = {"LocationConstraint": "ap-northeast-2"}
        self.s3.create_bucket(Bucket="data", CreateBucketConfiguration=location)
        self.work, self.dead, self.notify = (
            self.sqs.create_queue(QueueName=f"{name}.fifo", Attributes=FIFO)["QueueUrl"]
            for name in ("work", "dead", "notify")
        )
        common = {"DATA_BUCKET": "data", "WORK_QUEUE_URL": self.work}
        self.telemetry = RecordingTelemetry()
        seams: dict[str, Any] = {"session": session, "telemetry": self.telemetry}
        self.ahead = timedelta()
        seams["clock"] = lambda: system_clock() + self.ahead
        tick = {"CONFIG_KEY": "config/watches.json", "TICK_MINUTES": "60"}
        self.orchestrator = build(ORCHESTRATOR, {**common, **tick}, **seams)
        own = {
            "WORK_DLQ_URL": self.dead,
            "NOTIFY_QUEUE_URL": self.notify,
            "WEB_STAND_IN": web.address,
            "SPACING_SECONDS": "0",
        }
        self.worker = build(WORKER, {**common, **own}, **seams)

    def put(self, key: str, body: bytes = b"") -> None:
        self.s3.put_object(Bucket="data", Key=key, Body=body)

    def tick(self, time: str) -> int:
        jobs: int = self.orchestrator.handle({"time": time}, Context(900))["jobs"]
        return jobs

    def poll(self) -> list[str]:
        """Hand every job to the worker; return the outcomes of their checks."""
        answer = self.sqs.receive_message(
            QueueUrl=self.work, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
        )
        for message in answer.get("Messages", []):
            record = {
                "messageId": message["MessageId"],
                "receiptHandle": message["ReceiptHandle"],
                "body": message["Body"],
                "attributes": message["Attributes"],
            }
            assert self.worker.handle({"Records": [record]}, Context(900)) == {
                "batchItemFailures": []
            }
            self.sqs.delete_message(QueueUrl=self.work, ReceiptHandle=message["ReceiptHandle"])
        return [line["outcome"] for line in self.telemetry.named("checked")]

    def pushes(self) -> list[ChangePublished]:
        answer = self.sqs.receive_message(QueueUrl=self.notify, MaxNumberOfMessages=10)
        return [ChangePublished.parse(message["Body"]) for message in answer.get("Messages", [])]


@pytest.fixture
def stack(web: Web, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stack]:
    for name in ("", "_S3", "_SQS", "_DYNAMODB"):
        monkeypatch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
    with mock_aws():
        session = boto3.Session(
            aws_access_key_id="testing",
            aws_secret_access_key="testing",
            region_name="ap-northeast-2",
        )
        yield Stack(session, web)


def minutes_ago(minutes: int) -> str:
    now = system_clock()
    return timestamp(now - timedelta(minutes=minutes))


def test_a_change_of_a_robots_txt_reaches_the_notify_queue(stack: Stack, web: Web) -> None:
    watch = {"id": "sg-news", "name": "News", "country": "sg", "category": "news", "shards": 2}
    every_hour = {**watch, "interval_minutes": 60, "topic": "news"}
    stack.put("config/watches.json", json.dumps({"watches": [every_hour]}).encode())
    above = "processing/country=sg/category=news/date=2026-01-28"
    for domain in DOMAINS:
        stack.put(f"{above}/{domain}/domain_metadata.json.success")
    assert stack.tick(minutes_ago(2)) == 2
    assert stack.poll() == ["baseline", "baseline"]
    assert stack.pushes() == []
    web.robots["b.com.sg"] = b"User-agent: *\nDisallow: /\n"
    for hours, outcomes in ((1, ["unchanged", "unchanged"]), (2, ["changed", "unchanged"])):
        stack.ahead = timedelta(hours=hours)
        seen = len(stack.poll())
        assert stack.pushes() == []
        assert stack.tick(minutes_ago(-60 * hours)) == 2
        assert sorted(stack.poll()[seen:]) == outcomes
    (push,) = stack.pushes()
    assert (push.family, push.topic, push.kind, push.id) == (
        "seeds",
        "news",
        "robots_changed",
        "b.com.sg/robots.txt",
    )


def test_what_is_missing_in_the_environment_is_named() -> None:
    with pytest.raises(Misconfigured, match="CONFIG_KEY"):
        build(ORCHESTRATOR, {})
    with pytest.raises(Misconfigured, match="NOTIFY_QUEUE_URL"):
        build(WORKER, {})
