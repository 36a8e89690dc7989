"""The subscription API as a page meets it."""

import base64
import json
from typing import Any

import pytest
from fakes.subscriptions import AIRPORTS, DEVICE, INDEX, TOPICS, SubscriptionWorld

from uring.errors import MalformedMessage, Misconfigured, Unavailable
from uring.push.ports import RetryLater
from uring.subscriptions.api import MOST_BYTES, ROUTE, openapi_document
from uring.subscriptions.ports import IdRefused, TopicRefused, UnknownDevice
from uring.subscriptions.published import INDEX_KEY


@pytest.fixture
def world() -> SubscriptionWorld:
    return SubscriptionWorld()


def test_a_device_is_subscribed_and_unsubscribed(world: SubscriptionWorld) -> None:
    """Departments, registries and airports; the answer is kept by no cache."""
    reply = world.change([TOPICS[0], TOPICS[2], AIRPORTS[1]], [TOPICS[1]])
    assert (reply.status, reply.text) == (204, "")
    assert reply.headers == {"Cache-Control": "no-store"}
    assert sorted(world.topics.asked) == [
        ("subscribe", DEVICE, AIRPORTS[1]),
        ("subscribe", DEVICE, TOPICS[0]),
        ("subscribe", DEVICE, TOPICS[2]),
        ("unsubscribe", DEVICE, TOPICS[1]),
    ]
    assert world.telemetry.counts["SubscriptionsChanged"] == 4


def test_the_same_again_is_the_same(world: SubscriptionWorld) -> None:
    assert {world.change([TOPICS[0]]).status for _ in range(2)} == {204}


def test_a_topic_that_is_named_twice_is_asked_for_once(world: SubscriptionWorld) -> None:
    assert world.change([TOPICS[0]] * 3, [TOPICS[1]] * 2).status == 204
    assert len(world.topics.asked) == 2


def test_nothing_to_do_is_done(world: SubscriptionWorld) -> None:
    assert world.ask(json.dumps({"id": DEVICE})).status == 204
    assert world.topics.asked == []


def test_only_published_topics_are_subscribed_to(world: SubscriptionWorld) -> None:
    """Else anyone could have FCM keep topics without end; which one it was is told."""
    reply = world.change([TOPICS[0], "staff_only"])
    assert reply.status == 422
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.json["errors"] == {"body.subscribe.1": "is not a topic of data/index.json"}
    assert world.topics.asked == []


def test_a_topic_that_left_the_index_can_be_unsubscribed(world: SubscriptionWorld) -> None:
    assert world.change(unsubscribe=["closed_department"]).status == 204
    assert world.topics.asked == [("unsubscribe", DEVICE, "closed_department")]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "body.id"),
        ({"id": 7}, "body.id"),
        ({"id": ""}, "body.id"),
        ({"id": DEVICE[:-1]}, "body.id"),
        ({"id": DEVICE + "0"}, "body.id"),
        ({"id": DEVICE + "\n"}, "body.id"),
        ({"id": "a" + DEVICE[1:]}, "body.id"),
        ({"id": DEVICE[:-1] + "/"}, "body.id"),
        ({"id": DEVICE, "subscribe": "nurisol_cse"}, "body.subscribe"),
        ({"id": DEVICE, "subscribe": [7]}, "body.subscribe.0"),
        ({"id": DEVICE, "subscribe": [""]}, "body.subscribe.0"),
        ({"id": DEVICE, "unsubscribe": ["a", "../x"]}, "body.unsubscribe.1"),
        ({"id": DEVICE, "unsubscribe": ["a b"]}, "body.unsubscribe.0"),
        ({"id": DEVICE, "unsubscribe": ["/topics/a"]}, "body.unsubscribe.0"),
        *(
            ({"id": DEVICE, name: [dots]}, f"body.{name}.0")
            for name in ("subscribe", "unsubscribe")
            for dots in (".", "..", "...", "%2e%2e", ".%2E", "%252e%252e", "a%2fb", "%5c", "a%0a")
        ),
        ({"id": DEVICE, "unsubscribe": [f"t{n}" for n in range(51)]}, "body.unsubscribe"),
        ({"id": DEVICE, "subscribes": []}, "body.subscribes"),
        (
            {
                "id": DEVICE,
                "subscribe": [f"s{n}" for n in range(25)],
                "unsubscribe": [f"u{n}" for n in range(26)],
            },
            "body",
        ),
        ({"id": DEVICE, "subscribe": [TOPICS[0]], "unsubscribe": [TOPICS[0]]}, "body"),
        ([], "body"),
        (None, "body"),
        ("text", "body"),
        ({"id": DEVICE, "subscribe": ["\ud800"]}, "body.subscribe.0"),
    ],
)
def test_a_request_that_breaks_the_contract_is_told_by_field(
    world: SubscriptionWorld, body: Any, field: str
) -> None:
    reply = world.ask(json.dumps(body))
    assert reply.status == 422
    assert [*reply.json["errors"]] == [field]
    assert world.topics.asked == []


def test_fifty_topics_are_one_request(world: SubscriptionWorld) -> None:
    names = [f"dept_{number:04}" for number in range(50)]
    world.publish({"departments": [{"topic": name} for name in names]})
    world.clock.advance(61)
    assert world.change(names[:25], names[25:]).status == 204
    assert len(world.topics.asked) == 50


@pytest.mark.parametrize("body", ["{", "\ufffd", '{"id": NaN', "[" * 3_000])
def test_a_body_that_is_no_json_is_400(world: SubscriptionWorld, body: str) -> None:
    assert world.ask(body).status == 400
    assert world.topics.asked == []


@pytest.mark.parametrize("body", [None, ""])
def test_a_request_without_a_body_lacks_it(world: SubscriptionWorld, body: str | None) -> None:
    reply = world.ask(body)
    assert (reply.status, [*reply.json["errors"]]) == (422, ["body"])


def test_a_body_of_bytes_is_read_as_one_of_text(world: SubscriptionWorld) -> None:
    body = json.dumps({"id": DEVICE, "subscribe": [TOPICS[0]]}).encode()
    assert world.ask(base64.b64encode(body).decode(), isBase64Encoded=True).status == 204
    for bytes_of_no_text in ("no base64", "/w=="):
        assert world.ask(bytes_of_no_text, isBase64Encoded=True).status == 400


@pytest.mark.parametrize("letter", ["x", "가"])
def test_a_body_of_more_than_4_kilobytes_is_not_looked_at(
    world: SubscriptionWorld, letter: str
) -> None:
    size = len(letter.encode())
    frame = len(json.dumps({"id": DEVICE, "more": ""}))
    for more, status in ((0, 422), (size, 413)):
        count = (MOST_BYTES - frame + more) // size
        body = json.dumps({"id": DEVICE, "more": letter * count}, ensure_ascii=False)
        assert world.ask(body).status == status


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "",
        "text/plain",
        "text/plain;charset=application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=application/json",
        "application/jsonp",
    ],
)
def test_a_body_that_another_site_could_send_unasked_is_415(
    world: SubscriptionWorld, kind: str | None
) -> None:
    """A browser sends these three kinds, and none, without asking first whether it may."""
    body = json.dumps({"id": DEVICE, "subscribe": [TOPICS[0]]})
    headers = {} if kind is None else {"content-type": kind}
    assert world.ask(body, headers=headers).status == 415
    assert world.topics.asked == []


def test_the_type_of_a_body_may_have_a_charset(world: SubscriptionWorld) -> None:
    headers = {"content-type": "application/json; charset=utf-8"}
    assert world.ask(json.dumps({"id": DEVICE}), headers=headers).status == 204


def test_another_sites_question_is_answered_by_no_permission(world: SubscriptionWorld) -> None:
    """A browser asks before it sends JSON elsewhere; without this header it does not."""
    headers = {
        "origin": "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
    }
    for reply in (
        world.ask(None, method="OPTIONS", headers=headers),
        world.ask(json.dumps({"id": DEVICE}), headers={**headers, "content-type": "text/plain"}),
        world.change([TOPICS[0]]),
    ):
        assert not [name for name in reply.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_another_method_is_405(world: SubscriptionWorld, method: str) -> None:
    reply = world.ask(None, method=method)
    assert (reply.status, reply.headers["Allow"]) == (405, "POST")


def test_another_address_is_404(world: SubscriptionWorld) -> None:
    assert world.ask("{}", path=f"{ROUTE}/x").status == 404


def test_a_device_that_fcm_does_not_know_registers_anew(world: SubscriptionWorld) -> None:
    world.topics.answers[TOPICS[0]] = UnknownDevice()
    reply = world.change([TOPICS[0]])
    assert reply.status == 404
    assert "register again" in reply.json["detail"]
    assert world.telemetry.problems == []
    assert world.telemetry.counts["DevicesUnknown"] == 1


@pytest.mark.parametrize("cause", ["foreign", "invalid"])
def test_an_id_that_fcm_refuses_is_a_wrong_field(world: SubscriptionWorld, cause: Any) -> None:
    """Anyone may send one: it is nobody's alarm."""
    world.topics.answers[TOPICS[0]] = IdRefused(cause)
    reply = world.change([TOPICS[0]])
    assert (reply.status, [*reply.json["errors"]]) == (422, ["body.id"])
    assert (world.telemetry.problems, world.telemetry.warnings) == ([], [])


def test_a_topic_that_fcm_refuses_is_the_wrong_field_and_not_the_id(
    world: SubscriptionWorld,
) -> None:
    """A device whose id is blamed forgets all its topics. A warning has FCM's reason."""
    for topic in (TOPICS[1], "left"):
        world.topics.answers = {topic: TopicRefused(topic, "HTTP 400: INVALID_ARGUMENT")}
        reply = world.change([TOPICS[0], TOPICS[1]], ["left"])
        field = "body.unsubscribe.0" if topic == "left" else "body.subscribe.1"
        assert (reply.status, [*reply.json["errors"]]) == (422, [field])
    line = {"cause": "invalid", "reason": "HTTP 400: INVALID_ARGUMENT"}
    assert world.telemetry.warnings == [("topics_refused", line)] * 2


@pytest.mark.parametrize(
    ("result", "status", "seconds"),
    [
        (RetryLater("HTTP 429", after_seconds=60, cause="quota"), 429, "60"),
        (RetryLater("HTTP 503", after_seconds=30, cause="unavailable"), 503, "30"),
        (RetryLater("HTTP 503", cause="unavailable"), 503, "5"),
        (RetryLater("ReadTimeout", cause="no_answer"), 503, "5"),
        (RetryLater("HTTP 403", after_seconds=900, cause="forbidden"), 503, "900"),
        (RetryLater("credentials", after_seconds=900, cause="credentials"), 503, "900"),
    ],
)
def test_what_passes_is_told_with_the_time_to_wait(
    world: SubscriptionWorld, result: RetryLater, status: int, seconds: str
) -> None:
    world.topics.answers[TOPICS[0]] = result
    reply = world.change([TOPICS[0]])
    assert (reply.status, reply.headers["Retry-After"]) == (status, seconds)
    assert result.reason not in reply.text
    # A person has to mend the key; all else mends itself.
    lines = world.telemetry.problems if seconds == "900" else world.telemetry.warnings
    assert lines == [("topics_refused", {"cause": result.cause, "reason": result.reason})]


def test_an_unknown_address_of_an_unpublished_topic_rings_no_alarm(
    world: SubscriptionWorld,
) -> None:
    """Anybody can send any topic to unsubscribe; a 5xx for it would be an alarm at will."""
    result = RetryLater("HTTP 404: without an error code", after_seconds=900, cause="not_found")
    world.topics.answers |= {"left": result, TOPICS[0]: result}
    reply = world.change([], ["left"])
    assert (reply.status, [*reply.json["errors"]]) == (422, ["body.unsubscribe.0"])
    assert world.telemetry.problems == []
    assert world.change([], [TOPICS[0]]).status == 503
    assert [name for name, _ in world.telemetry.problems] == ["topics_refused"]


def test_an_unpublished_topic_hides_no_failure_of_all(world: SubscriptionWorld) -> None:
    """A project without the interface knows no address, whatever the topic."""
    lacking = RetryLater("HTTP 404: no such interface", after_seconds=900, cause="not_found")
    world.topics.answers |= dict.fromkeys(["left", TOPICS[0]], lacking)
    assert world.change([TOPICS[0]], ["left"]).status == 503
    assert [name for name, _ in world.telemetry.problems] == ["topics_refused"]


def test_of_several_unpublished_topics_the_one_that_failed_is_named(
    world: SubscriptionWorld,
) -> None:
    world.topics.answers["left"] = RetryLater("HTTP 404", cause="not_found")
    reply = world.change([TOPICS[0]], ["closed", "left"])
    assert (reply.status, [*reply.json["errors"]]) == (422, ["body.unsubscribe.1"])


@pytest.mark.parametrize("error", [Misconfigured("secret"), Unavailable("no answer")])
def test_a_key_that_cannot_be_read_is_503_and_in_the_log_alone(
    world: SubscriptionWorld, error: Exception
) -> None:
    world.topics.answers[TOPICS[0]] = error
    reply = world.change([TOPICS[0]])
    assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert str(error) not in reply.text
    assert [line["reason"] for line in world.telemetry.named("request_failed")] == [str(error)]


def test_without_an_index_nothing_is_subscribed_to_yet(world: SubscriptionWorld) -> None:
    world.bucket.remove(INDEX_KEY)
    reply = world.change([TOPICS[0]])
    assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert world.topics.asked == []


def test_no_line_names_a_device(world: SubscriptionWorld) -> None:
    for result in (UnknownDevice(), IdRefused("invalid"), RetryLater("HTTP 503"), Unavailable("x")):
        world.topics.answers[TOPICS[0]] = result
        world.change([TOPICS[0]])
        world.change(["unpublished"])
        world.ask(json.dumps({"id": DEVICE, "subscribe": 7}))
    telemetry = world.telemetry
    lines = [*telemetry.events, *telemetry.warnings, *telemetry.problems]
    assert lines
    assert DEVICE not in repr(lines)


def test_a_topic_that_is_published_later_is_taken_a_minute_later(world: SubscriptionWorld) -> None:
    world.change([TOPICS[0]])
    world.publish({**INDEX, "departments": [{"topic": "newer"}]})
    assert world.change(["newer"]).status == 422
    world.clock.advance(60)
    assert world.change(["newer"]).status == 204


def test_an_event_of_another_trigger_is_refused(world: SubscriptionWorld) -> None:
    with pytest.raises(MalformedMessage, match="not from an HTTP API"):
        world.api.work({"Records": []}, lambda: 25.0)


def test_the_document_is_of_an_open_route() -> None:
    document = openapi_document()
    (path, methods), *others = document["paths"].items()
    assert (path, [*methods], others) == (ROUTE, ["post"], [])
    replies = methods["post"]["responses"]
    assert [*replies] == ["204", "400", "404", "405", "413", "415", "422", "429", "500", "503"]
    assert document["security"] == []
    assert "securitySchemes" not in document["components"]
    assert {"Retry-After"} == replies["429"]["headers"].keys() == replies["503"]["headers"].keys()
