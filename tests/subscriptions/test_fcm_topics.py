"""Requests to FCM, as the stand-in has them, which is held to the real client's."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from uring.push.fcm_client import FcmClient
from uring.push.ports import RetryLater
from uring.subscriptions.fcm_topics import FcmTopics
from uring.subscriptions.ports import Done, IdRefused, TopicRefused, TopicResult, UnknownDevice
from uring_local.fcm.account import Account
from uring_local.fcm.rules import FcmRefused as FcmRefusal
from uring_local.fcm.server import FcmStandIn
from uring_local.loopback import Answer, LoopbackServer

DEVICE = "cEXAMPLE-device_000000"
TOPIC = "nurisol_cse"


@pytest.fixture(scope="module")
def account() -> Account:
    return Account()


@pytest.fixture
def fcm(account: Account) -> Iterator[FcmStandIn]:
    with FcmStandIn(account=account) as fcm:
        yield fcm


@pytest.fixture
def client(fcm: FcmStandIn) -> Iterator[FcmClient]:
    client = FcmClient(fcm.project_id, fcm.service_account, endpoint=fcm.url)
    yield client
    client.close()


@pytest.fixture
def topics(client: FcmClient) -> FcmTopics:
    return FcmTopics(client)


def subscribe(topics: FcmTopics, topic: str = TOPIC) -> TopicResult:
    return topics.subscribe(DEVICE, topic, timeout_seconds=5)


def unsubscribe(topics: FcmTopics, topic: str = TOPIC) -> TopicResult:
    return topics.unsubscribe(DEVICE, topic, timeout_seconds=5)


def test_twice_is_once(fcm: FcmStandIn, topics: FcmTopics) -> None:
    assert (subscribe(topics), subscribe(topics)) == (Done(), Done())
    assert fcm.topics_of(DEVICE) == [TOPIC]
    assert (unsubscribe(topics), unsubscribe(topics)) == (Done(), Done())
    assert fcm.topics_of(DEVICE) == []
    assert fcm.subscriptions.requests == {"POST": 2, "DELETE": 2}


@pytest.mark.parametrize("topic", ["a-b_c.d~e", "kw.%EC%9E%A5", "100%", "x" * 900])
def test_every_topic_comes_through_as_it_is(fcm: FcmStandIn, topics: FcmTopics, topic: str) -> None:
    assert subscribe(topics, topic) == Done()
    assert fcm.topics_of(DEVICE) == [topic]
    assert unsubscribe(topics, topic) == Done()
    assert fcm.topics_of(DEVICE) == []


def test_a_device_that_is_gone_is_unknown(fcm: FcmStandIn, topics: FcmTopics) -> None:
    fcm.devices.remove(DEVICE)
    assert subscribe(topics) == unsubscribe(topics) == UnknownDevice()


def test_an_id_of_no_device_is_refused(topics: FcmTopics) -> None:
    result = topics.subscribe("no device", TOPIC, timeout_seconds=5)
    assert result == IdRefused("invalid")


@pytest.mark.parametrize(
    ("refusal", "result"),
    [
        (FcmRefusal(404, "NOT_FOUND", DEVICE), UnknownDevice()),
        (FcmRefusal(400, "INVALID_ARGUMENT", DEVICE, field="parent"), IdRefused("invalid")),
        (FcmRefusal(400, "INVALID_ARGUMENT", DEVICE, field="message.token"), IdRefused("invalid")),
        (FcmRefusal(400, "INVALID_ARGUMENT", DEVICE, field="registrationId"), IdRefused("invalid")),
        (
            FcmRefusal(400, "INVALID_ARGUMENT", DEVICE, field="topic_name"),
            TopicRefused(TOPIC, "HTTP 400: INVALID_ARGUMENT"),
        ),
        (
            FcmRefusal(400, "FAILED_PRECONDITION", DEVICE),
            TopicRefused(TOPIC, "HTTP 400: FAILED_PRECONDITION"),
        ),
        (FcmRefusal(412, DEVICE, DEVICE), TopicRefused(TOPIC, "HTTP 412: without an error code")),
        (
            FcmRefusal(409, "ABORTED", DEVICE),
            RetryLater("HTTP 409: ABORTED", cause="unavailable"),
        ),
        (
            FcmRefusal(403, "PERMISSION_DENIED", DEVICE, code="SENDER_ID_MISMATCH"),
            IdRefused("foreign"),
        ),
        (
            FcmRefusal(403, "PERMISSION_DENIED", DEVICE),
            RetryLater("HTTP 403: PERMISSION_DENIED", after_seconds=900, cause="forbidden"),
        ),
        (
            FcmRefusal(401, "UNAUTHENTICATED", DEVICE),
            RetryLater("HTTP 401: UNAUTHENTICATED", after_seconds=900, cause="unauthorised"),
        ),
        (
            FcmRefusal(429, "RESOURCE_EXHAUSTED", DEVICE, code="QUOTA_EXCEEDED", retry_after=7),
            RetryLater(
                "HTTP 429: RESOURCE_EXHAUSTED, QUOTA_EXCEEDED", after_seconds=7, cause="quota"
            ),
        ),
        (
            FcmRefusal(429, "RESOURCE_EXHAUSTED", DEVICE),
            RetryLater("HTTP 429: RESOURCE_EXHAUSTED", after_seconds=60, cause="quota"),
        ),
        (
            FcmRefusal(503, "UNAVAILABLE", DEVICE, retry_after=30),
            RetryLater(
                "HTTP 503: UNAVAILABLE", after_seconds=30, delivered="open", cause="unavailable"
            ),
        ),
        (
            FcmRefusal(500, DEVICE, DEVICE),
            RetryLater("HTTP 500: without an error code", delivered="open", cause="unavailable"),
        ),
    ],
)
def test_a_refusal_means_what_fcm_means_and_never_names_the_device(
    fcm: FcmStandIn, topics: FcmTopics, refusal: FcmRefusal, result: TopicResult
) -> None:
    """One request, whatever it is: the real client repeats it, and sleeps in between."""
    fcm.subscriptions.refuse(refusal)
    assert subscribe(topics) == result
    assert fcm.subscriptions.requests == {"POST": 1}
    fcm.subscriptions.refuse(refusal)
    assert unsubscribe(topics) == result
    assert fcm.subscriptions.requests == {"POST": 1, "DELETE": 1}


def test_what_is_there_already_is_done_to_a_post_alone(fcm: FcmStandIn, topics: FcmTopics) -> None:
    """To unsubscribe has no 409 of its own: the subscription may be there still."""
    for refusal in (FcmRefusal(409, "ALREADY_EXISTS", "there"), FcmRefusal(409, DEVICE, "there")):
        fcm.subscriptions.refuse(refusal)
        assert subscribe(topics) == Done()
        fcm.subscriptions.refuse(refusal)
        assert isinstance(unsubscribe(topics), RetryLater)


@pytest.mark.parametrize(
    "details",
    [None, {}, [7], [{}], [{"fieldViolations": 7}], [{"fieldViolations": [{}]}], "[" * 9],
)
def test_details_that_name_no_field_do_not_blame_the_id(fcm: FcmStandIn, details: Any) -> None:
    """A device that is blamed forgets all its topics and registers anew."""
    error = {"status": "INVALID_ARGUMENT", "details": details}
    body = json.dumps({"error": error}).encode()
    with LoopbackServer(lambda _: Answer(400, body)) as other:
        client = FcmClient(fcm.project_id, fcm.service_account, endpoint=f"http://{other.host}")
        result = subscribe(FcmTopics(client))
        client.close()
    assert isinstance(result, TopicRefused)
    assert result.topic == TOPIC


@pytest.mark.parametrize("body", [b"<html>Not Found</html>", b"", b"{}", b'{"error": {}}'])
def test_a_404_that_is_no_error_of_googles_is_of_the_project_or_the_endpoint(
    fcm: FcmStandIn, body: bytes
) -> None:
    """Were it the device's, every browser would register anew without end."""
    with LoopbackServer(lambda _: Answer(404, body)) as other:
        client = FcmClient(fcm.project_id, fcm.service_account, endpoint=f"http://{other.host}")
        result = subscribe(FcmTopics(client))
        client.close()
    assert isinstance(result, RetryLater)
    assert (result.cause, result.after_seconds) == ("not_found", 900)


def test_an_address_that_does_not_answer_is_told_without_the_device(fcm: FcmStandIn) -> None:
    """Port 9 (discard) of loopback has no listener."""
    client = FcmClient(fcm.project_id, fcm.service_account, endpoint="http://127.0.0.1:9")
    result = subscribe(FcmTopics(client))
    client.close()
    assert result == RetryLater("ConnectionError", delivered="open", cause="no_answer")


def test_a_key_that_is_refused_is_read_again_and_none_for_a_callers_id(fcm: FcmStandIn) -> None:
    """Ids of other projects, which anyone may send, would cost a secret and a token each."""
    reads: list[int] = []

    def read() -> dict[str, str]:
        reads.append(1)
        return fcm.service_account()

    client = FcmClient(fcm.project_id, read, endpoint=fcm.url)
    topics = FcmTopics(client)
    foreign = FcmRefusal(403, "PERMISSION_DENIED", "no", code="SENDER_ID_MISMATCH")
    for refusal, read_so_far in (
        (foreign, 1),
        (foreign, 1),
        (FcmRefusal(401, "UNAUTHENTICATED", "no"), 1),
        (FcmRefusal(403, "PERMISSION_DENIED", "no"), 2),
        (foreign, 3),
    ):
        fcm.subscriptions.refuse(refusal)
        subscribe(topics)
        assert len(reads) == read_so_far
    client.close()


def test_a_broken_key_sends_nothing(fcm: FcmStandIn) -> None:
    client = FcmClient(fcm.project_id, lambda: {"type": "service_account"}, endpoint=fcm.url)
    result = subscribe(FcmTopics(client))
    client.close()
    assert isinstance(result, RetryLater)
    assert result.cause == "credentials"
    assert "ValueError" in result.reason, "an operator has to mend it"
    assert not fcm.subscriptions.requests


@pytest.mark.parametrize("topic", ["..", ".", "...", "", "%2e%2e", "%252e", "a%2Fb"])
def test_a_topic_that_would_change_the_address_is_not_sent(
    fcm: FcmStandIn, topics: FcmTopics, topic: str
) -> None:
    """HTTP clients fold dots: the request would be of the registration itself."""
    result = unsubscribe(topics, topic)
    assert isinstance(result, TopicRefused)
    assert fcm.subscriptions.requests == {}
