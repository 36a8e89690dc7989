"""Subscriptions to topics of the FCM stand-in, as firebase-admin asks for them."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import firebase_admin
import pytest
import requests
from firebase_admin import credentials, messaging
from google.auth.transport.requests import Request

from uring_local.fcm.account import Account
from uring_local.fcm.devices import MOST_WAITING, Devices
from uring_local.fcm.rules import FcmRefused
from uring_local.fcm.server import FcmStandIn

DEVICE = "cEXAMPLE-device_000000"
OTHER = "dEXAMPLE-device_111111"
TOPIC = "nurisol_cse"


@pytest.fixture(scope="module")
def account() -> Account:
    return Account()


@pytest.fixture
def standin(account: Account) -> Iterator[FcmStandIn]:
    with FcmStandIn(account=account) as standin:
        yield standin
    assert standin.failures == []


@pytest.fixture
def app(standin: FcmStandIn) -> Iterator[firebase_admin.App]:
    """The real client, pointed at the stand-in."""
    certificate = credentials.Certificate(standin.service_account())
    app = firebase_admin.initialize_app(certificate, name=standin.url)
    service = messaging._get_messaging_service(app)  # noqa: SLF001
    service._fcm_url = standin.send_url  # noqa: SLF001
    service._fcm_topic_url = (  # noqa: SLF001
        f"{standin.url}/v1/projects/{standin.project_id}/registrations"
    )
    yield app
    firebase_admin.delete_app(app)


def errors(response: messaging.TopicManagementResponse) -> list[str]:
    return [error.reason for error in response.errors]


def test_the_real_client_subscribes_and_unsubscribes_an_installation(
    standin: FcmStandIn, app: firebase_admin.App
) -> None:
    """An id of an installation passes where its documentation speaks of tokens."""
    for _ in range(2):
        response = messaging.subscribe_to_topic(DEVICE, TOPIC, app=app)
        assert (response.success_count, errors(response)) == (1, [])
    assert standin.topics_of(DEVICE) == [TOPIC]
    for _ in range(2):
        response = messaging.unsubscribe_from_topic(DEVICE, TOPIC, app=app)
        assert (response.success_count, errors(response)) == (1, [])
    assert standin.topics_of(DEVICE) == []
    assert standin.subscriptions.requests == {"POST": 2, "DELETE": 2}


@pytest.mark.parametrize(
    ("refusal", "reason"),
    [
        (
            FcmRefused(403, "PERMISSION_DENIED", "no", code="SENDER_ID_MISMATCH"),
            "SENDER_ID_MISMATCH",
        ),
        (FcmRefused(401, "UNAUTHENTICATED", "no"), "UNAUTHENTICATED"),
    ],
)
def test_a_refusal_that_is_asked_for_is_the_real_client_s_error(
    standin: FcmStandIn, app: firebase_admin.App, refusal: FcmRefused, reason: str
) -> None:
    standin.subscriptions.refuse(refusal, times=3)
    assert errors(messaging.subscribe_to_topic(DEVICE, TOPIC, app=app)) == [reason]
    assert standin.topics_of(DEVICE) == []


def test_a_device_that_is_gone_is_unregistered_to_the_real_client(
    standin: FcmStandIn, app: firebase_admin.App
) -> None:
    messaging.subscribe_to_topic([DEVICE, OTHER], TOPIC, app=app)
    standin.devices.remove(DEVICE)
    assert standin.topics_of(DEVICE) == []
    response = messaging.subscribe_to_topic([DEVICE, OTHER], TOPIC, app=app)
    assert (response.success_count, errors(response)) == (1, ["UNREGISTERED"])


class Asks:
    """Requests that firebase-admin does not make."""

    def __init__(self, standin: FcmStandIn) -> None:
        self._base = f"{standin.url}/v1/projects/{standin.project_id}/registrations"
        self._headers = {"Authorization": f"Bearer {_token(standin)}"}

    def __call__(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        answer = requests.request(
            method, f"{self._base}/{path}", json=body, headers=self._headers, timeout=5
        )
        return answer.status_code, answer.json()


def _token(standin: FcmStandIn) -> str:
    key = credentials.Certificate(standin.service_account()).get_credential()
    key.refresh(Request())
    return str(key.token)


def test_the_rest_of_the_interface_is_fcms(standin: FcmStandIn) -> None:
    ask = Asks(standin)
    place = f"projects/{standin.project_id}/registrations/{DEVICE}/topicSubscriptions"
    topics = f"{DEVICE}/topicSubscriptions"
    assert ask("PATCH", f"{topics}/{TOPIC}", {})[0] == 404
    for _ in range(2):
        answer = ask("PATCH", f"{topics}/{TOPIC}?allow_missing=true", {})
        assert answer == (200, {"name": f"{place}/{TOPIC}"})
    status, refused = ask("POST", f"{topics}?topic_name={TOPIC}", {})
    assert (status, refused["error"]["status"]) == (409, "ALREADY_EXISTS")
    assert ask("POST", f"{topics}?topic_name=another", {})[0] == 200
    assert ask("GET", topics) == (
        200,
        {"topicSubscriptions": [{"name": f"{place}/{name}"} for name in ("another", TOPIC)]},
    )
    assert ask("DELETE", f"{topics}/{TOPIC}") == (200, {})
    assert ask("DELETE", f"{topics}/{TOPIC}")[0] == 404


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", f"{DEVICE}/topicSubscriptions", {}, 400),
        ("POST", f"{DEVICE}/topicSubscriptions?topic_name=a%20b", {}, 400),
        ("POST", f"{DEVICE}/topicSubscriptions?topic_name=%2Ftopics%2Fa", {}, 400),
        ("POST", f"{DEVICE}/topicSubscriptions?topic_name=a", [], 400),
        ("POST", "a%2Fb/topicSubscriptions?topic_name=a", {}, 400),
        ("PUT", f"{DEVICE}/topicSubscriptions/a", {}, 404),
        ("POST", f"{DEVICE}/topicSubscriptions/a", {}, 404),
        ("POST", f"{DEVICE}/elsewhere?topic_name=a", {}, 404),
    ],
)
def test_what_fcm_would_refuse_changes_nothing(
    standin: FcmStandIn, method: str, path: str, body: Any, status: int
) -> None:
    assert Asks(standin)(method, path, body)[0] == status
    assert standin.topics_of(DEVICE) == []


def test_without_a_token_no_topic_is_changed(standin: FcmStandIn) -> None:
    url = f"{standin.url}/v1/projects/{standin.project_id}/registrations/{DEVICE}"
    answer = requests.post(f"{url}/topicSubscriptions?topic_name=a", json={}, timeout=5)
    assert answer.status_code == 401
    assert standin.topics_of(DEVICE) == []


def test_429_says_how_long_to_wait_before_topics_too(standin: FcmStandIn) -> None:
    """The real client is not asked: it sleeps as long as it is told, four times."""
    refusal = FcmRefused(429, "RESOURCE_EXHAUSTED", "quota", code="QUOTA_EXCEEDED", retry_after=7)
    standin.subscriptions.refuse(refusal)
    answer = requests.post(
        f"{standin.url}/v1/projects/{standin.project_id}/registrations/{DEVICE}"
        f"/topicSubscriptions?topic_name={TOPIC}",
        json={},
        headers={"Authorization": f"Bearer {_token(standin)}"},
        timeout=5,
    )
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "7")


def test_a_message_comes_to_the_devices_of_its_topic_as_a_browser_has_it(
    standin: FcmStandIn, app: firebase_admin.App
) -> None:
    messaging.subscribe_to_topic(DEVICE, TOPIC, app=app)
    messaging.subscribe_to_topic(OTHER, "another", app=app)
    data = {"event_id": "e1", "title": "수강신청"}
    messaging.send(messaging.Message(topic=TOPIC, data=data), app=app)
    messaging.send(messaging.Message(topic=TOPIC, data=data), dry_run=True, app=app)
    listener = standin.listen(DEVICE)
    assert listener.take(5) == {"data": data, "from": f"/topics/{TOPIC}", "fcmMessageId": "e1"}
    assert listener.take(0) is None
    assert standin.listen(OTHER).take(0) is None


class TestDevices:
    def test_a_message_that_was_put_back_is_the_next_one_again(self) -> None:
        devices = Devices()
        devices.subscribe(DEVICE, TOPIC)
        for number in range(3):
            devices.deliver(TOPIC, {"id": str(number)}, str(number))
        listener = devices.listen(DEVICE)
        first = listener.take(0)
        assert first is not None
        listener.put_back(first)
        taken = [listener.take(0) for _ in range(4)]
        assert [each and each["fcmMessageId"] for each in taken] == ["0", "1", "2", None]

    def test_the_latest_hundred_wait_for_a_device_that_is_away(self) -> None:
        devices = Devices()
        devices.subscribe(DEVICE, TOPIC)
        for number in range(MOST_WAITING + 5):
            devices.deliver(TOPIC, {}, str(number))
        first = devices.take(DEVICE, 0)
        assert first is not None
        assert first["fcmMessageId"] == "5"
        devices.deliver(TOPIC, {}, "last")
        devices.put_back(DEVICE, first)
        ids = [devices.take(DEVICE, 0) for _ in range(MOST_WAITING)]
        assert ids[-1] is not None
        assert ids[-1]["fcmMessageId"] == "last"
        assert devices.take(DEVICE, 0) is None

    def test_who_waits_is_woken_by_a_message_and_by_the_end(self) -> None:
        devices = Devices()
        devices.subscribe(DEVICE, TOPIC)
        taken: list[Any] = []

        def listen() -> None:
            listener = devices.listen(DEVICE)
            taken.append(listener.take(60))
            taken.append(listener.take(60))
            taken.append(listener.is_closed)

        # A daemon, so that a listener that is never woken does not hold up the end.
        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        devices.deliver(TOPIC, {}, "1")
        ends = time.monotonic() + 10
        while not taken:
            assert time.monotonic() < ends, "nobody was woken"
            thread.join(0.01)
        devices.close()
        thread.join(10)
        assert not thread.is_alive()
        assert taken[1:] == [None, True]
        assert taken[0]["fcmMessageId"] == "1"

    def test_what_was_unsubscribed_comes_no_more(self) -> None:
        devices = Devices()
        assert devices.subscribe(DEVICE, TOPIC)
        assert not devices.subscribe(DEVICE, TOPIC)
        assert devices.unsubscribe(DEVICE, TOPIC)
        assert not devices.unsubscribe(DEVICE, TOPIC)
        devices.deliver(TOPIC, {}, "1")
        assert devices.take(DEVICE, 0) is None
