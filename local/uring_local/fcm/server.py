"""A stand-in for Firebase Cloud Messaging: HTTP v1 on loopback, for the real firebase-admin client.

    POST /token                               OAuth 2 with a signed assertion → access token
    POST /v1/projects/{project}/messages:send rules → fault? → journal → devices → answer
    …    /v1/projects/{project}/registrations/{id}/topicSubscriptions  `subscriptions`

A message counts as delivered once it is in the journal, which is written before the answer.
"""

import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from uring_local.fcm.account import PROJECT_ID, Account
from uring_local.fcm.devices import DeviceListener, Devices
from uring_local.fcm.faults import FaultPlan, FcmFault
from uring_local.fcm.journal import Delivery, DeliveryJournal
from uring_local.fcm.message import read_send
from uring_local.fcm.rules import FcmRefused
from uring_local.fcm.subscriptions import TopicSubscriptions
from uring_local.loopback import Answer, LoopbackServer, PortTaken, Request

_SEND: Final = f"/v1/projects/{PROJECT_ID}/messages:send"


class FcmStandIn(LoopbackServer):
    """FCM on 127.0.0.1 between ``start`` and ``stop``, or in a ``with`` block.

    Args:
        journal: the file of deliveries; a new stand-in on the same file continues it. The account's
            key is kept beside it (``.key``). None keeps both in memory.
        faults: see `uring_local.fcm.faults.parse_faults`.
        seed: for the faults.
        most_faults_in_a_row: for one event; None sets no limit.
        hold_seconds: how long ``timeout`` keeps the client waiting before it cuts the connection.
        port: 0 picks a free one. Bound at once.
        account: an account to share among many short-lived stand-ins, in place of the journal's.

    Attributes:
        devices: the subscribed devices; they end with the process.
        subscriptions: the requests about topics.

    Raises:
        DamagedJournal: the journal has foreign lines.
        ValueError: the key file has no RSA key.
        PortTaken: an earlier stand-in still uses the port.
        OSError: the journal cannot be written.
    """

    def __init__(
        self,
        journal: Path | None = None,
        *,
        faults: Sequence[FcmFault] = (),
        seed: int = 0,
        most_faults_in_a_row: int | None = None,
        hold_seconds: float = 30.0,
        port: int = 0,
        account: Account | None = None,
    ) -> None:
        self._plan = FaultPlan(faults, seed=seed, most_in_a_row=most_faults_in_a_row)
        self._hold_seconds = hold_seconds
        self._lock = threading.Lock()
        self.devices = Devices()
        self.subscriptions = TopicSubscriptions(self.devices)
        self._attempts: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._account = account or Account(
            journal.with_name(journal.name + ".key") if journal else None
        )
        self._journal = DeliveryJournal(journal)
        deliveries = self._journal.deliveries
        self._attempts.update(delivery.event_id for delivery in deliveries)
        self._last = {delivery.event_id: delivery for delivery in deliveries}
        try:
            super().__init__(self._respond, port=port)
        except (OSError, PortTaken):
            self._journal.close()
            raise

    @property
    def url(self) -> str:
        """The address of the API, without a slash at the end."""
        return f"http://{self.host}"

    @property
    def send_url(self) -> str:
        """The address for posting messages."""
        return self.url + _SEND

    @property
    def project_id(self) -> str:
        """The only project."""
        return PROJECT_ID

    @property
    def process(self) -> int:
        """The number of this stand-in on its journal, from 1."""
        return self._journal.process

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """All deliveries so far, earlier processes included."""
        return self._journal.deliveries

    def delivery(self, event_id: str) -> Delivery | None:
        """Return the last delivery of an event; None without one."""
        return self._last.get(event_id)

    @property
    def ended(self) -> frozenset[int]:
        """The earlier stand-ins on its journal that ended in order."""
        return self._journal.ended

    @property
    def attempts(self) -> Mapping[str, int]:
        """Valid sends by event, refused ones included; deliveries of earlier processes count."""
        with self._lock:
            return dict(self._attempts)

    @property
    def faults(self) -> Mapping[str, int]:
        """The number of faults by kind, in this process."""
        with self._lock:
            return dict(self._faults)

    def listen(self, device: str) -> DeviceListener:
        """Return a listener for a device's messages; see `uring_local.fcm.devices`."""
        return self.devices.listen(device)

    def topics_of(self, device: str) -> Sequence[str]:
        """Return the topics of a device, sorted; empty for an unknown one."""
        return self.devices.topics_of(device)

    def service_account(self) -> dict[str, str]:
        """Return the JSON of a throwaway service account whose token endpoint is this stand-in."""
        return self._account.info(f"{self.url}/token")

    def stop(self) -> None:
        """Cut open connections, end every thread, close the journal. Idempotent."""
        self.devices.close()
        super().stop()
        self._journal.close()

    def _respond(self, request: Request) -> Answer:
        try:
            return self._route(request)
        except FcmRefused as refusal:
            return _refuse(refusal)

    def _route(self, request: Request) -> Answer:
        if self.subscriptions.takes(request.path):
            self._check_token(request)
            return _json(200, self.subscriptions.answer(request))
        if request.method != "POST":
            raise FcmRefused(404, "NOT_FOUND", "use POST")
        if request.path == "/token":
            return _json(*self._account.grant(request.form))
        return self._send(request)

    def _check_token(self, request: Request) -> None:
        if not self._account.accepts(request.headers.get("authorization", "")):
            raise FcmRefused(
                401, "UNAUTHENTICATED", "a valid access token of this project is needed"
            )

    def _send(self, request: Request) -> Answer:
        if request.path != _SEND:
            raise FcmRefused(404, "NOT_FOUND", f"there is only {_SEND}")
        self._check_token(request)
        message, validate_only = read_send(request.body)
        name = f"projects/{PROJECT_ID}/messages"
        if validate_only:
            return _json(200, {"name": f"{name}/fake_message_id"})
        data = message.data
        event_id = data.get("event_id", "")
        fault = self._next_fault(event_id, _name(data))
        if fault is not None and not fault.delivers:
            raise _refusal(fault)
        answered = fault.kind if fault else "ok"
        self._last[event_id] = self._journal.deliver(event_id, message.topic, data, answered)
        self.devices.deliver(message.topic, data, event_id or "message")
        if fault is None:
            return _json(200, {"name": f"{name}/{event_id or 'message'}"})
        if fault.kind == "503-late":
            raise _refusal(fault)
        seconds = self._hold_seconds if fault.kind == "timeout" else 0.0
        return Answer(503, manner="cut", seconds=seconds)

    def _next_fault(self, event_id: str, name: str) -> FcmFault | None:
        with self._lock:
            self._attempts[event_id] += 1
            fault = self._plan.fault(name, self._attempts[event_id])
            if fault is not None:
                self._faults[fault.kind] += 1
        return fault


def _name(data: Mapping[str, str]) -> str:
    """Return a name that is the same in every run; the event id depends on the site's port."""
    parts = [data[key] for key in ("dept", "id", "revision") if key in data]
    return "#".join(parts) if parts else data.get("event_id", "")


def _refusal(fault: FcmFault) -> FcmRefused:
    if fault.kind == "429":
        return FcmRefused(
            429,
            "RESOURCE_EXHAUSTED",
            "the quota is used up",
            code="QUOTA_EXCEEDED",
            retry_after=fault.retry_after,
        )
    if fault.kind == "500":
        return FcmRefused(500, "INTERNAL", "an internal error", code="INTERNAL")
    return FcmRefused(503, "UNAVAILABLE", "the service is overloaded", code="UNAVAILABLE")


def _refuse(refusal: FcmRefused) -> Answer:
    headers = {"Content-Type": "application/json; charset=UTF-8"}
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return Answer(refusal.http, refusal.body(), headers)


def _json(status: int, document: Mapping[str, Any]) -> Answer:
    body = json.dumps(document).encode()
    return Answer(status, body, {"Content-Type": "application/json; charset=UTF-8"})
