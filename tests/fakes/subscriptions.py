"""The subscription API over an index in memory and a scripted FCM."""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fakes.clock import VirtualClock
from fakes.document_api import Reply, http_event
from fakes.objects import MemoryBucket
from fakes.telemetry import RecordingTelemetry
from uring.subscriptions.api import ROUTE, subscription_api
from uring.subscriptions.ports import Done, TopicResult
from uring.subscriptions.published import INDEX_KEY, PublishedTopics
from uring.subscriptions.subscriber import Subscriber

DEVICE = "cEXAMPLE-device_000000"
TOPICS = ("nurisol_cse", "nurisol_ee", "rules.nurisol")
AIRPORTS = ("RKSI", "RKPC")
INDEX: dict[str, Any] = {
    "generated_at": "2026-03-02T01:00:00Z",
    "departments": [{"id": name, "topic": name} for name in TOPICS[:2]],
    "registries": [{"id": "rules", "topic": TOPICS[2]}],
    "weather": [{"id": "metar", "topics": [*AIRPORTS]}],
}


@dataclass
class ScriptedTopics:
    """Implements `uring.subscriptions.ports.Topics`.

    Attributes:
        answers: by topic, in place of `Done`; an exception is raised.
        asked: what was sent, in the order of arrival.
        most_at_once: of requests under way.
        meeting: where requests wait for one another, if they are to.
    """

    answers: dict[str, TopicResult | Exception] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    timeouts: list[float] = field(default_factory=list)
    most_at_once: int = 0
    seconds: float = 0
    meeting: threading.Barrier | None = None
    clock: VirtualClock = field(default_factory=VirtualClock)

    def __post_init__(self) -> None:
        self._under_way = 0
        self._lock = threading.Lock()

    def subscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        return self._answer("subscribe", device, topic, timeout_seconds)

    def unsubscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        return self._answer("unsubscribe", device, topic, timeout_seconds)

    def monotonic(self) -> float:
        """The clock that requests take time of."""
        return self.clock().timestamp()

    def _answer(self, verb: str, device: str, topic: str, timeout_seconds: float) -> TopicResult:
        with self._lock:
            self.asked.append((verb, device, topic))
            self.timeouts.append(timeout_seconds)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            self.clock.advance(self.seconds)
        answer = self.answers.get(topic, Done())
        if self.meeting:
            self.meeting.wait()
        with self._lock:
            self._under_way -= 1
        if isinstance(answer, Exception):
            raise answer
        return answer


@dataclass
class SubscriptionWorld:
    """The API, and what it stands on."""

    topics: ScriptedTopics = field(default_factory=ScriptedTopics)
    telemetry: RecordingTelemetry = field(default_factory=RecordingTelemetry)

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.bucket = MemoryBucket(self.clock)
        self.publish(INDEX)
        self.api = subscription_api(
            PublishedTopics(self.bucket, clock=self.clock),
            Subscriber(self.topics, monotonic=self.topics.monotonic),
            self.telemetry,
        )

    def publish(self, index: Any) -> None:
        """Publish another index."""
        self.bucket.plant(INDEX_KEY, json.dumps(index).encode())

    def change(
        self, subscribe: Sequence[str] = (), unsubscribe: Sequence[str] = (), device: str = DEVICE
    ) -> Reply:
        """Ask as the client does."""
        body = {"id": device, "subscribe": [*subscribe], "unsubscribe": [*unsubscribe]}
        return self.ask(json.dumps(body))

    def ask(
        self,
        body: str | None,
        method: str = "POST",
        path: str = ROUTE,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> Reply:
        """Send anything."""
        event = http_event(method, path, body, {})
        if headers is not None:
            event["headers"] = headers
        answer = self.api.work(event | more, lambda: 25.0)
        return Reply(answer["statusCode"], answer["headers"], answer["body"] or "")
