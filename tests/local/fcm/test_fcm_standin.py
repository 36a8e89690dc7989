"""The FCM stand-in as the real firebase-admin client meets it."""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import firebase_admin
import pytest
import requests
from firebase_admin import credentials, exceptions, messaging
from google.auth.exceptions import RefreshError
from requests.adapters import HTTPAdapter

from uring_local.fcm.account import GRANT_TYPE, Account
from uring_local.fcm.faults import parse_faults
from uring_local.fcm.journal import Delivery, doubles
from uring_local.fcm.server import FcmStandIn

NUMBERS = count()
BACKGROUND = {"apns-push-type": "background", "apns-priority": "5"}


@dataclass
class Client:
    """The real client, pointed at a stand-in and without repeats of its own."""

    app: firebase_admin.App
    session: requests.Session
    standin: FcmStandIn
    before: int = 0

    @property
    def delivered(self) -> tuple[Delivery, ...]:
        """What the stand-in delivered since the test began."""
        return self.standin.deliveries[self.before :]

    def push(self, event_id: str = "e1", topic: str = "nurisol_cse", **data: str) -> str:
        """Send a data message."""
        return self.send(messaging.Message(topic=topic, data={"event_id": event_id, **data}))

    def send(self, message: messaging.Message, *, dry_run: bool = False) -> str:
        """Send any message."""
        return str(messaging.send(message, dry_run=dry_run, app=self.app))

    def post(self, body: bytes) -> requests.Response:
        """Post bytes that the client itself would never make, with its access token."""
        return self.session.post(self.standin.send_url, data=body, timeout=5)


Connect = Callable[..., Client]


@pytest.fixture(scope="module")
def connect() -> Iterator[Connect]:
    """Make clients; everything they open is closed at the end."""
    with ExitStack() as stack:

        def make(
            standin: FcmStandIn, *, timeout: float = 5.0, account: dict[str, str] | None = None
        ) -> Client:
            certificate = credentials.Certificate(account or standin.service_account())
            app = firebase_admin.initialize_app(
                certificate, {"httpTimeout": timeout}, name=f"test-{next(NUMBERS)}"
            )
            stack.callback(firebase_admin.delete_app, app)
            service = messaging._get_messaging_service(app)  # noqa: SLF001
            service._fcm_url = standin.send_url  # noqa: SLF001
            session = service._client.session  # noqa: SLF001
            stack.callback(session.close)
            session.mount(standin.url, HTTPAdapter(max_retries=0))
            return Client(app, session, standin)

        yield make


@pytest.fixture(scope="module")
def account() -> Account:
    """One key for all: making one takes longer than a test."""
    return Account()


@pytest.fixture(scope="module")
def healthy(account: Account, connect: Connect) -> Iterator[Client]:
    """A client of a stand-in without faults."""
    with FcmStandIn(account=account) as standin:
        yield connect(standin)
    assert standin.failures == []


@pytest.fixture
def client(healthy: Client) -> Client:
    """The same client, which takes note of what was delivered before the test."""
    return replace(healthy, before=len(healthy.standin.deliveries))


def test_the_real_client_signs_in_and_delivers_exactly_what_was_sent(client: Client) -> None:
    data = {"dept": "nurisol_cse", "id": "5737", "revision": "2", "title": "수강신청 (수정)"}
    name = client.push("e1", **data)
    assert name.startswith("projects/uring-local/messages/")
    [delivery] = client.delivered
    assert (delivery.event_id, delivery.topic) == ("e1", "nurisol_cse")
    assert delivery.data == {"event_id": "e1", **data}
    assert (delivery.answered, delivery.process) == ("ok", 1)
    assert delivery.at.tzinfo is not None


def test_a_dry_run_is_validated_and_not_delivered(client: Client) -> None:
    client.send(messaging.Message(topic="t", data={"event_id": "e"}), dry_run=True)
    with pytest.raises(exceptions.InvalidArgumentError):
        client.send(messaging.Message(topic="t", data={"from": "x"}), dry_run=True)
    assert client.delivered == ()


def test_a_foreign_key_gets_no_token(client: Client, connect: Connect) -> None:
    with FcmStandIn() as other:
        stranger = other.service_account() | {"token_uri": f"{client.standin.url}/token"}
    with pytest.raises(RefreshError, match="invalid_grant"):
        connect(client.standin, account=stranger).push()
    assert client.delivered == ()


@pytest.mark.parametrize("authorization", [None, "Bearer nonsense", "Basic dTpw", "Bearer 9.9"])
def test_a_message_without_a_good_token_is_401(client: Client, authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    body = {"message": {"topic": "t", "data": {}}}
    answer = requests.post(client.standin.send_url, json=body, headers=headers, timeout=5)
    assert answer.status_code == 401
    assert answer.json()["error"]["status"] == "UNAUTHENTICATED"
    assert client.delivered == ()


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({}, "unsupported_grant_type"),
        ({"grant_type": GRANT_TYPE}, "invalid_grant"),
        ({"grant_type": GRANT_TYPE, "assertion": "e30.e30.e30"}, "invalid_grant"),
    ],
)
def test_the_token_endpoint_knows_one_grant(
    client: Client, form: dict[str, str], error: str
) -> None:
    answer = requests.post(f"{client.standin.url}/token", data=form, timeout=5)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


def fitting(size: int) -> dict[str, str]:
    """Data of exactly so many bytes, keys included, mostly Korean."""
    room = size - len("event_id") - len("e") - len("title")
    return {"event_id": "e", "title": "가" * (room // 3) + "x" * (room % 3)}


def test_a_message_may_have_2048_bytes(client: Client) -> None:
    client.send(messaging.Message(topic="t", data=fitting(2048)))
    with pytest.raises(exceptions.InvalidArgumentError, match="2049 bytes of at most 2048"):
        client.send(messaging.Message(topic="t", data=fitting(2049)))
    assert len(client.delivered) == 1


@pytest.mark.parametrize("key", ["from", "message_type", "google.c", "gcm.x"])
def test_reserved_keys_are_refused(client: Client, key: str) -> None:
    with pytest.raises(exceptions.InvalidArgumentError, match="reserved"):
        client.push(**{key: "x"})
    assert client.delivered == ()


def apns(headers: dict[str, str], **aps: Any) -> messaging.APNSConfig:
    payload = messaging.APNSPayload(aps=messaging.Aps(content_available=True, **aps))
    return messaging.APNSConfig(headers=headers, payload=payload)


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        (apns({}), "apns-priority must be 5"),
        (apns({"apns-priority": "10"}), "apns-priority must be 5"),
        (apns({"apns-priority": "5", "apns-push-type": "alert"}), "apns-push-type"),
        (apns({"apns-priority": "7"}, alert="x"), "apns-priority: Input should be '1', '5' or"),
        (apns(BACKGROUND), None),
        (apns({"apns-priority": "10"}, alert="shown"), None),
        (apns({"apns-priority": "10", "apns-push-type": "alert"}, alert="shown"), None),
        (apns(BACKGROUND, alert="shown"), "must be alert where the payload shows something"),
        (apns(BACKGROUND, mutable_content=True), "mutable-content needs an alert"),
        (apns({**BACKGROUND, "apns-expiration": "soon"}), "apns-expiration"),
    ],
)
def test_apns_headers_fit_what_the_payload_shows(
    client: Client, config: messaging.APNSConfig, complaint: str | None
) -> None:
    message = messaging.Message(topic="t", data={"event_id": "e"}, apns=config)
    if complaint:
        with pytest.raises(exceptions.InvalidArgumentError, match=complaint):
            client.send(message)
    else:
        client.send(message)
    assert len(client.delivered) == (0 if complaint else 1)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"topic": "t\n"}, "topic"),
        ({"topic": "학과"}, "topic"),
        ({"topic": "a/b"}, "topic"),
        ({"topic": 7}, "topic"),
        ({}, "message.topic: Field required"),
        ({"topic": "t", "token": "d"}, "message.token"),
        ({"topic": "t", "data": {"revision": 2}}, "message.data.revision"),
        ({"topic": "t", "data": ["x"]}, "message.data"),
        ({"topic": "t", "titel": "x"}, "message.titel"),
        ({"topic": "t", "android": {"priority": "urgent"}}, "android.priority"),
        ({"topic": "t", "android": {"ttl": "24h"}}, "android.ttl"),
        ({"topic": "t", "android": {"ttl": "2419201s"}}, "four weeks"),
        ({"topic": "t", "android": {"data": {"gcm": "x"}}}, "android.data"),
        ({"topic": "t", "webpush": {"headers": {"TTL": "soon"}}}, "webpush.headers.ttl"),
        ({"topic": "t", "webpush": {"headers": {"Urgency": "now"}}}, "webpush.headers.urgency"),
        ({"topic": "t", "apns": {"headers": {"apns-priority": 5}}}, "apns.headers.apns-priority"),
        ({"topic": "t", "apns": {"headers": {"apns-topic": 5}}}, "apns.headers.apns-topic"),
    ],
)
def test_a_message_that_breaks_a_rule_is_400_in_fcms_own_shape(
    client: Client, message: dict[str, Any], field: str
) -> None:
    """What the SDK would stop, another client could send: the stand-in does not rely on it."""
    answer = client.post(json.dumps({"message": message}).encode())
    assert answer.status_code == 400
    error = answer.json()["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
    assert error["details"] == [
        {
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": "INVALID_ARGUMENT",
        }
    ]
    assert re.search(field, error["message"])
    assert client.delivered == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"{",
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"message": {"topic": "t"}, "validateonly": true}',
        b'{"message": {"topic": "t"}, "validate_only": "yes"}',
        b'{"message": {"topic": "t", "data": {"title": "\\ud800"}}}',
    ],
)
def test_a_body_that_is_no_send_request_is_400(client: Client, body: bytes) -> None:
    assert client.post(body).status_code == 400
    assert client.delivered == ()


def test_a_huge_body_is_refused_unread(client: Client) -> None:
    assert client.post(b"x" * 65_537).status_code == 413


def test_another_project_or_method_is_404(client: Client) -> None:
    session = client.session
    elsewhere = client.standin.send_url.replace("uring-local", "another")
    assert session.post(elsewhere, json={}, timeout=5).status_code == 404
    assert session.get(client.standin.send_url, timeout=5).status_code == 404


FAULTS = [
    ("503", exceptions.UnavailableError, 503, 0),
    ("500", exceptions.InternalError, 500, 0),
    ("503-late", exceptions.UnavailableError, 503, 1),
    ("timeout", exceptions.DeadlineExceededError, None, 1),
    ("drop", exceptions.UnavailableError, None, 1),
]


@pytest.mark.parametrize(("kind", "error", "status", "delivered"), FAULTS)
def test_a_fault_looks_to_the_client_as_fcms_own_and_delivers_or_not(
    account: Account,
    connect: Connect,
    kind: str,
    error: type[exceptions.FirebaseError],
    status: int | None,
    delivered: int,
) -> None:
    with FcmStandIn(account=account, faults=parse_faults(f"{kind}:1"), hold_seconds=60) as standin:
        client = connect(standin, timeout=1.0 if kind == "timeout" else 5.0)
        with pytest.raises(error) as caught:
            client.push()
        response = caught.value.http_response
        assert (response.status_code if response is not None else None) == status
        assert standin.attempts == {"e1": 1}, "one POST per send"
        assert standin.faults == {kind: 1}
        assert [d.answered for d in standin.deliveries] == [kind] * delivered


def test_timeout_cuts_the_connection_when_the_client_waits_longer(
    account: Account, connect: Connect
) -> None:
    with FcmStandIn(account=account, faults=parse_faults("timeout:1"), hold_seconds=0.2) as standin:
        with pytest.raises(exceptions.UnavailableError):
            connect(standin, timeout=30).push()
        assert len(standin.deliveries) == 1


def test_stopping_does_not_wait_for_a_client_that_is_being_held(
    account: Account, connect: Connect
) -> None:
    standin = FcmStandIn(account=account, faults=parse_faults("timeout:1"), hold_seconds=600)
    client = connect(standin.start(), timeout=1.0)
    with pytest.raises(exceptions.DeadlineExceededError):
        client.push()
    before = time.monotonic()
    standin.stop()
    assert time.monotonic() - before < 60


def test_429_says_how_long_to_wait(account: Account, connect: Connect) -> None:
    with FcmStandIn(account=account, faults=parse_faults("429:1:7")) as standin:
        with pytest.raises(messaging.QuotaExceededError) as caught:
            connect(standin).push()
        response = caught.value.http_response
        assert response is not None
        assert response.headers["Retry-After"] == "7"
        assert standin.deliveries == ()


def outcomes(
    events: list[str], *, seed: int, account: Account, connect: Connect
) -> dict[str, list[str]]:
    """Send every event until it is accepted, in the given order; the faults it met."""
    met: dict[str, list[str]] = {event: [] for event in events}
    faults = parse_faults("503:0.3,429:0.1,drop:0.2")
    with FcmStandIn(account=account, faults=faults, seed=seed) as standin:
        client = connect(standin)
        for event in events:
            while met[event][-1:] != ["ok"]:
                try:
                    client.push(event)
                except exceptions.FirebaseError as error:
                    met[event].append(error.code)
                else:
                    met[event].append("ok")
    return met


def test_faults_depend_on_seed_event_and_attempt_not_on_the_order(
    account: Account, connect: Connect
) -> None:
    events = [f"event-{number}" for number in range(12)]
    forwards = outcomes(events, seed=7, account=account, connect=connect)
    backwards = outcomes(events[::-1], seed=7, account=account, connect=connect)
    assert forwards == backwards
    assert outcomes(events, seed=8, account=account, connect=connect) != forwards
    assert Counter(word for words in forwards.values() for word in words)["ok"] == len(events)


def test_a_second_delivery_after_a_lost_answer_is_explained_and_after_ok_is_not(
    account: Account,
    connect: Connect,
) -> None:
    with FcmStandIn(account=account, faults=parse_faults("drop:0.5"), seed=1) as standin:
        client = connect(standin)
        for event in (f"e{number}" for number in range(8)):
            for _ in range(10):
                try:
                    client.push(event)
                except exceptions.UnavailableError:
                    continue
                break
        repeats = len(standin.deliveries) - 8
        assert repeats > 0
        assert [cause for _, cause in doubles(standin.deliveries)] == ["answer_lost"] * repeats
    with FcmStandIn(account=account) as standin:
        client = connect(standin)
        client.push("e1")
        client.push("e1")
        assert doubles(standin.deliveries) == [("e1", "unexplained")]
