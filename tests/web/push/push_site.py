"""The client's site with pushes: its API, and server-sent events in place of Google's service."""

import json
import queue
import re
import threading
from http.server import BaseHTTPRequestHandler
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

from site_of_client import CSP, Site

API: Final = "/api/subscriptions"
EVENTS: Final = "/push/events"
FIREBASE_CSP: Final = CSP.replace(
    "connect-src 'self'",
    "connect-src 'self' https://fcmregistrations.googleapis.com "
    "https://firebaseinstallations.googleapis.com",
)
_ID: Final = re.compile(r"[cdef][A-Za-z0-9_-]{21}")


class Refusal(NamedTuple):
    """An answer of the API that is not 204."""

    status: int
    headers: dict[str, str]
    body: bytes = b""


class PushSite(Site):
    """A site whose API keeps topics by id, as FCM does, and delivers what a test pushes.

    Attributes:
        topics: of each id.
        refusals: given in their order, before anything is subscribed.
        refused_topics: a request with one of them is a 422.
        loses: requests that are done, whose answers get lost on their way.
        listening: set while a page listens to events.
    """

    def __init__(self) -> None:
        self.topics: dict[str, set[str]] = {}
        self.refusals: list[Refusal] = []
        self.refused_topics: set[str] = set()
        self.loses = 0
        self.listening = threading.Event()
        self._streams: dict[str, queue.Queue[bytes | None]] = {}
        super().__init__()
        self.config = {"push": {"events": f".{EVENTS}"}}

    def requests_of_api(self) -> list[dict[str, Any]]:
        """Return what was asked of the API, in order."""
        return [json.loads(body) for path, body in self.posted if path == API]

    def push(self, data: dict[str, str], topic: str) -> int:
        """Deliver a message to every device of a topic, and return to how many."""
        message = {"data": data, "from": f"/topics/{topic}", "fcmMessageId": "1"}
        devices = [id_ for id_, topics in self.topics.items() if topic in topics]
        for device in devices:
            self._streams[device].put(b"data: " + json.dumps(message).encode())
        return len(devices)

    def forget(self) -> None:
        """Know no device any more, as a run that was resumed, and say so where one listens."""
        self.topics.clear()
        for stream in self._streams.values():
            stream.put(b"event: forgotten\ndata: {}")

    def close(self) -> None:
        """End the streams, and stop serving."""
        for stream in self._streams.values():
            stream.put(None)
        super().close()

    def _answer(self, handler: BaseHTTPRequestHandler, path: str, body: bytes) -> None:
        if path != API:
            super()._answer(handler, path, body)
            return
        change = json.loads(body)
        assert _ID.fullmatch(change["id"])
        assert len(change["subscribe"]) + len(change["unsubscribe"]) <= 50
        if self.refusals:
            refusal = self.refusals.pop(0)
            self._send(handler, refusal.status, refusal.body, refusal.headers)
        elif self.refused_topics & {*change["subscribe"]}:
            errors = json.dumps({"errors": {"body.subscribe.0": "is not a topic"}}).encode()
            self._send(handler, 422, errors, {"Content-Type": "application/problem+json"})
        else:
            topics = self.topics.setdefault(change["id"], set())
            topics |= {*change["subscribe"]}
            topics -= {*change["unsubscribe"]}
            if self.loses:
                self.loses -= 1
                handler.close_connection = True
                return
            self._send(handler, 204, b"", {})

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        path, _, query = handler.path.partition("?")
        if path != EVENTS:
            super()._serve(handler)
            return
        device = parse_qs(query)["id"][0]
        stream = self._streams.setdefault(device, queue.Queue())
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.flush()
        handler.close_connection = True
        self.listening.set()
        while (message := stream.get()) is not None:
            try:
                handler.wfile.write(message + b"\n\n")
                handler.wfile.flush()
            except OSError:
                stream.put(message)
                return
