"""Containers and a Lambda function work on one queue; one container is killed, one stopped."""

import json
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import boto3
import pytest
from uring_command import BINARIES, ROOT, environment

from uring.aws.queues import FifoQueue
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.clock import system_clock
from uring.seeds.messages import DomainMessage, PartitionInfo
from uring.seeds.partition import Partition
from uring.seeds.progress import Progress
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.stack.application import FamilyResources
from uring_local.stack.event_log import EventLog
from uring_local.stack.inprocess import InProcess
from uring_local.stack.resources import create
from uring_local.stack.stack import Endpoint
from uring_local.template.template import load

DOMAINS = 300
PARTITION = Partition("sg", "news", "2026-01-28")
# Of the queue: messages of the killed container come again after it.
HIDDEN_SECONDS = 8
ANSWER_SECONDS = 0.1
WAIT = 90
BEGUN, DONE = "domain_processing_start", "domain_processing_complete"
LAMBDA = FamilyResources("Seed", workers=("DomainWorker",), further_queues=("DomainQueue",))


class Web:
    """One server for every domain: a robots.txt, slowly, and nothing else.

    Attributes:
        is_open: without it no request is answered.
        asked: the requests for robots.txt by host.
        most: the most requests that one host had at one time.
    """

    def __init__(self) -> None:
        self.is_open = threading.Event()
        self.is_open.set()
        self.asked: Counter[str] = Counter()
        self.most = 0
        self._now: Counter[str] = Counter()
        self._lock = threading.Lock()

    def answer(self, host: str, path: str) -> bytes:
        with self._lock:
            self._now[host] += 1
            self.most = max(self.most, self._now[host])
            self.asked[host] += path == "/robots.txt"
        time.sleep(ANSWER_SECONDS)
        self.is_open.wait(WAIT)
        with self._lock:
            self._now[host] -= 1
        return b"User-agent: *\nAllow: /\n" if path == "/robots.txt" else b""


class Container:
    """`uring seeds work` as a task runs it: settings in its environment, lines on stdout."""

    def __init__(self, endpoint: Endpoint, variables: Mapping[str, str]) -> None:
        self.lines: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self.process = subprocess.Popen(
            [str(BINARIES / "uring"), "seeds", "work", "--at-once", "8", "--grace", "2"],
            cwd=ROOT,
            env={**environment(endpoint), **variables},
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end_by(signal.SIGKILL)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def named(self, name: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["message"] == name]

    def wait_for(self, name: str, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.named(name)) >= count, WAIT), self.lines

    def end_by(self, number: int) -> int:
        self.process.send_signal(number)
        code = self.process.wait(WAIT)
        self._reader.join(WAIT)
        return code

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(json.loads(line))
                self._changed.notify_all()


@pytest.fixture
def web() -> Iterator[tuple[Web, str]]:
    web = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = web.answer(self.headers["Host"], self.path)
            self.send_response(200 if body else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: Any) -> None:
            """A killed container hears no answer."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield web, f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def messages(epoch: str) -> list[DomainMessage]:
    info = PartitionInfo.of(PARTITION)
    return [
        DomainMessage(
            domain_id=f"com:sg:site{number}.com",
            domain_url=f"https://site{number}.com/",
            registrable_domain=f"site{number}.com",
            authority="com",
            partition_info=info,
            epoch=epoch,
        )
        for number in range(DOMAINS)
    ]


def parameters(web: str) -> dict[str, str]:
    own = {"Seeds": "ENABLED", "WebStandIn": web, "DomainHomepage": "false"}
    return {**PARAMETERS, **own, "DomainSpacingSeconds": "0"}


class Collected:
    """The stack's resources with a list of domains on the queue, and what has become of them."""

    def __init__(self, session: boto3.Session, web: str) -> None:
        self.template = load(TEMPLATE, parameters(web), "uring")
        self.session = session
        created = create(self.template, session)
        self.variables = created.environments["DomainWorker"]
        ids = created.physical_ids
        sqs: Any = session.client("sqs")
        self._s3: Any = session.client("s3")
        self._bucket = ids["Bucket"]
        dynamodb: Any = session.client("dynamodb")
        self.progress = Progress(
            DynamoTable(dynamodb, ids["SeedTable"], backoff=Backoff()), spreads=True
        )
        epoch = self.progress.start(PARTITION, None, 1, system_clock()).epoch
        hidden = {"VisibilityTimeout": str(HIDDEN_SECONDS)}
        sqs.set_queue_attributes(QueueUrl=ids["DomainQueue"], Attributes=hidden)
        FifoQueue(sqs, ids["DomainQueue"], backoff=Backoff()).send(messages(epoch))

    @property
    def counts(self) -> dict[str, int]:
        status = self.progress.status(PARTITION)
        assert status is not None
        return {name: status.counts[name] for name in status.counts if name != "milliseconds"}

    @property
    def marks(self) -> int:
        pages = self._s3.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix="processing/country="
        )
        keys = [each["Key"] for page in pages for each in page["Contents"]]
        return sum(key.endswith(".success") for key in keys)


def test_each_domain_is_collected_once_whoever_works_and_however_it_ends(
    stack: Endpoint, web: tuple[Web, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A container is killed in its work; another is stopped while no site answers."""
    journal, address = web
    for name, value in stack.environment.items():
        monkeypatch.setenv(name, value)
    found = Collected(boto3.Session(), address)
    log = EventLog("seeds")
    with (
        Container(stack, found.variables) as killed,
        Container(stack, found.variables) as stopped,
    ):
        killed.wait_for(DONE, 1)
        killed.wait_for(BEGUN, 10)
        assert killed.end_by(signal.SIGKILL) == -signal.SIGKILL
        lambda_worker = InProcess(found.template, found.session, log, LAMBDA, {})
        try:
            stopped.wait_for(DONE, 10)
            assert journal.most == 1, "two workers asked one domain at a time"
            journal.is_open.clear()
            assert stopped.end_by(signal.SIGTERM) == 0
            journal.is_open.set()
            deadline = time.monotonic() + WAIT
            queues = (*lambda_worker.resources.live, *lambda_worker.resources.dead)
            while (depths := lambda_worker.depths(queues))["DomainQueue"]:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.1)
        finally:
            journal.is_open.set()
            lambda_worker.close()

    assert {name: depth for name, depth in depths.items() if depth} == {}
    assert found.counts == {"collected": DOMAINS, "robots_ok": DOMAINS}
    assert found.marks == DOMAINS
    (end,) = stopped.named("worker_stopped")
    # What it had in work went back; on a slow machine the others may have left it nothing.
    assert end["given_back"] >= len(stopped.named(BEGUN)) - len(stopped.named(DONE))
    (told,) = stopped.named("invoked")
    # A message of the killed one comes again even if its domain was done.
    again = stopped.named("domain_already_processed")
    assert told["records"] <= len(stopped.named(DONE)) + end["given_back"] + len(again)
    assert 10 <= told["DomainsCollected"][0] <= len(stopped.named(DONE))
    # What was cut is asked again, and nothing else; a robots.txt that was kept is not.
    cut = len(killed.named(BEGUN)) - len(killed.named(DONE)) + end["given_back"]
    assert DOMAINS <= sum(journal.asked.values()) <= DOMAINS + cut
    assert killed.named(DONE)
