"""Subscriptions of devices to topics, as FCM v1 has them.

    POST   …/registrations/{id}/topicSubscriptions?topic_name=T    {} ─► 200, 409 if it exists
    PATCH  …/registrations/{id}/topicSubscriptions/T?allow_missing=true  ─► 200 in any case
    DELETE …/registrations/{id}/topicSubscriptions/T?allow_missing=true  ─► 200 in any case
    GET    …/registrations/{id}/topicSubscriptions                       ─► 200, all of them

Sources: the FCM v1 REST reference (projects.registrations.topicSubscriptions), and the requests of
firebase-admin 7.7.0.
"""

import json
import re
import threading
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from uring_local.fcm.account import PROJECT_ID
from uring_local.fcm.devices import Devices
from uring_local.fcm.rules import FcmRefused, invalid, read_topic
from uring_local.loopback import Request

_ROOT: Final = f"projects/{PROJECT_ID}/registrations"
_PATH: Final = re.compile(rf"/v1/{_ROOT}/([^/]+)/topicSubscriptions(?:/([^/]+))?")
# An installation's id, or a registration token.
_DEVICE: Final = re.compile(r"[A-Za-z0-9_:-]{1,4096}")

Document = Mapping[str, Any]


class TopicSubscriptions:
    """Answers requests about topics; safe between threads.

    Attributes:
        requests: the number of requests by method.
    """

    def __init__(self, devices: Devices) -> None:
        self._devices = devices
        self._faults: deque[FcmRefused] = deque()
        self._lock = threading.Lock()
        self.requests: Counter[str] = Counter()

    @staticmethod
    def takes(path: str) -> bool:
        """Return True if a request with this path is about topics."""
        return _PATH.fullmatch(path) is not None

    def refuse(self, refusal: FcmRefused, times: int = 1) -> None:
        """Refuse the next requests."""
        with self._lock:
            self._faults.extend([refusal] * times)

    def answer(self, request: Request) -> Document:
        """Perform a request and return the answer.

        Raises:
            Refused: FCM would refuse the request.
        """
        match = _PATH.fullmatch(request.path)
        if match is None:
            raise FcmRefused(404, "NOT_FOUND", "no such address")
        with self._lock:
            self.requests[request.method] += 1
            if self._faults:
                raise self._faults.popleft()
        device, topic = unquote(match[1]), match[2] and unquote(match[2])
        if not _DEVICE.fullmatch(device):
            raise invalid("the registration is not valid", "parent")
        if self._devices.is_gone(device):
            message = "Requested entity was not found."
            raise FcmRefused(404, "NOT_FOUND", message, code="UNREGISTERED")
        if request.method == "GET" and topic is None:
            topics = self._devices.topics_of(device)
            return {"topicSubscriptions": [_named(device, each) for each in topics]}
        if request.method == "POST" and topic is None:
            return self._create(device, request)
        if request.method in ("PATCH", "DELETE") and topic is not None:
            return self._change(device, topic, request)
        raise FcmRefused(404, "NOT_FOUND", f"{request.method} is not valid for this address")

    def _create(self, device: str, request: Request) -> Document:
        _read_body(request.body)
        topic = _topic(request.query.get("topic_name", ""))
        if not self._devices.subscribe(device, topic):
            raise FcmRefused(409, "ALREADY_EXISTS", "Requested entity already exists")
        return _named(device, topic)

    def _change(self, device: str, text: str, request: Request) -> Document:
        topic = _topic(text)
        is_lenient = request.query.get("allow_missing") == "true"
        is_there = topic in self._devices.topics_of(device)
        if not is_there and not is_lenient:
            raise FcmRefused(404, "NOT_FOUND", "Requested entity was not found.")
        if request.method == "DELETE":
            self._devices.unsubscribe(device, topic)
            return {}
        _read_body(request.body)
        self._devices.subscribe(device, topic)
        return _named(device, topic)


def _named(device: str, topic: str) -> Document:
    return {"name": f"{_ROOT}/{device}/topicSubscriptions/{topic}"}


def _topic(text: str) -> str:
    try:
        return read_topic(text)
    except ValueError as error:
        raise invalid(f"topic_name: {error}") from None


def _read_body(body: bytes) -> None:
    try:
        document = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise invalid("the body is not a JSON object")
