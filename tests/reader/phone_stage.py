"""A local stack for phones: real checks, pushes, subscriptions and front; only the site is made up.

NoticeWorld ─► FcmSender ─► stand-in for FCM ─► front ─► a client, over HTTP on loopback
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final

from botocore.exceptions import ClientError
from fakes.clock import VirtualClock
from fakes.fetcher import Notice
from fakes.objects import MemoryBucket
from fakes.telemetry import RecordingTelemetry
from fakes.worlds import NoticeWorld

from uring.contracts import ChangePublished
from uring.push.fcm import FcmSender
from uring.push.fcm_client import FcmClient
from uring.push.payload import compose
from uring.push.ports import Sent
from uring.subscriptions.api import subscription_api
from uring.subscriptions.fcm_topics import FcmTopics
from uring.subscriptions.published import INDEX_KEY, PublishedTopics
from uring.subscriptions.subscriber import Subscriber
from uring_local.fcm.account import Account
from uring_local.fcm.server import FcmStandIn
from uring_local.loopback import Answer, Request
from uring_local.run.launch import PARAMETERS, TEMPLATE
from uring_local.stack.http_api.event import answered, request_event
from uring_local.template.template import load
from uring_local.web.behaviors import read_distribution
from uring_local.web.edges import BucketEdge
from uring_local.web.front import Front, Served

CSE, MATH = "konkuk_cse", "konkuk_math"
OLD: Final = (Notice("2", "지난 공지", date="2025-12-01"), Notice("1", "처음 공지"))
JANUARY: Final = [
    Notice(str(number), f"겨울 소식 {number}", date="2026-01-20") for number in range(40, 9, -1)
]
# Both boards list the page of the university.
FIELDS: Final = {
    "id": {"attribute": "data-no"},
    "title": "td.subject a",
    "date": "td.date",
    "link": {"template": "https://www.konkuk.example/view.do?no={id}"},
}


class S3OfBucket:
    """The part of S3's client that an edge calls, over a bucket in memory."""

    def __init__(self, bucket: MemoryBucket) -> None:
        self._bucket = bucket

    def get_object(self, **named: str) -> dict[str, Any]:
        stored = self._bucket.get(named["Key"])
        if stored is None:
            raise ClientError({"Error": {"Code": "NoSuchKey", "Message": ""}}, "GetObject")
        return {
            "Body": BytesIO(stored.body),
            "ETag": stored.etag,
            "ContentType": "application/json",
        }


@dataclass
class PhoneStage:
    """Two boards of a university, and what their phones reach.

    Attributes:
        front: the address of the client.
        fcm: the stand-in.
    """

    front: Front
    fcm: FcmStandIn
    clock: VirtualClock
    boards: dict[str, NoticeWorld]
    sender: FcmSender
    pushed: dict[str, ChangePublished] = field(default_factory=dict)

    def check(self, board: str, *notices: Notice) -> None:
        """Show notices above the old ones, check the board and push what is new."""
        world = self.boards[board]
        world.show(*notices, *OLD)
        self.clock.advance(600)
        entry = {"id": board, "topic": board, "fields": FIELDS}
        world.check(**entry, base_url=f"https://{board.removeprefix('konkuk_')}.konkuk.example/")
        for change in world.messages():
            if change.event_id not in self.pushed:
                self.push(change)

    def push(self, change: ChangePublished) -> None:
        """Push a change, even if it was pushed before, as FCM may."""
        self.pushed[change.event_id] = change
        assert isinstance(self.sender.send(compose(change)), Sent)


@contextmanager
def phone_stage() -> Iterator[PhoneStage]:
    """Serve boards that were first checked in December, and had 31 new notices in January."""
    clock = VirtualClock(datetime(2025, 12, 10, 1, 0, tzinfo=UTC))
    cse = NoticeWorld(clock)
    boards = {CSE: cse, MATH: NoticeWorld(clock, bucket=cse.bucket)}
    index = {"departments": [{"id": board, "topic": board} for board in boards]}
    cse.bucket.plant(INDEX_KEY, json.dumps(index).encode())
    with FcmStandIn(account=Account()) as fcm:
        client = FcmClient(fcm.project_id, fcm.service_account, endpoint=fcm.url)
        sender = FcmSender(fcm.project_id, fcm.service_account, endpoint=fcm.url)
        api = subscription_api(
            PublishedTopics(cse.bucket, clock=clock),
            Subscriber(FcmTopics(client)),
            RecordingTelemetry(),
        )

        def ask(request: Request) -> Answer:
            event = request_event(request.method, request.target, request.body, request.headers)
            status, headers, body = answered(api.work(event, lambda: 25.0))
            return Answer(status, body, headers)

        distribution = read_distribution(load(TEMPLATE, PARAMETERS, "uring"))
        edge = BucketEdge(S3OfBucket(cse.bucket), "a-bucket", distribution)
        with Front([Served(edge, ask, fcm)]) as front:
            stage = PhoneStage(front, fcm, clock, boards, sender)
            for board in boards:
                stage.check(board)
            clock.now = datetime(2026, 1, 20, 1, 0, tzinfo=UTC)
            stage.check(CSE, *JANUARY)
            clock.now = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
            yield stage
            sender.close()
            client.close()
    assert fcm.failures == []
