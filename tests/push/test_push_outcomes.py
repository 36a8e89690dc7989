"""From a message of the notify queue to its state in the ledger, over a real socket.

The notifier and its sender are the real ones; the server says what FCM, or
something in between, may say. For each answer: how many requests went out, what the ledger holds
(SENT, RETRY, DEAD), for how long the queue hides the message, and that the push arrives once
afterwards. Nobody sleeps: `conftest` fails whoever does.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from fakes import MemoryLedger, MemoryQueue, MemorySourceQueue, RecordingTelemetry, VirtualClock
from fakes import lambda_event as event_of
from fcm_server import PROJECT, FcmScript, refusal

from uring.contracts import ChangePublished
from uring.errors import Misconfigured
from uring.functions.families import named
from uring.push.fcm import FcmSender
from uring.push.notifier import Notifier

POST = f"POST /v1/projects/{PROJECT}/messages:send"
VISIBILITY = 90
HALF_A_DAY = 43_200


def change(event_id: str = "0" * 39 + "1", **more: Any) -> ChangePublished:
    fields: dict[str, Any] = {
        "event_id": event_id,
        "source": "cs",
        "topic": "cs",
        "kind": "new",
        "id": "17",
        "revision": 1,
        "is_pinned": False,
        "detected_at": "2026-03-02T01:00:00Z",
        "content": {"title": "장학 안내", "date": None, "category": None, "link": "https://x/"},
    }
    return ChangePublished.model_validate(fields | more)


class World:
    """The notify queue, the ledger and one notifier around the real sender."""

    def __init__(self, sender: FcmSender) -> None:
        self.clock = VirtualClock()
        self.letters = MemoryQueue(self.clock)
        self.queue = MemoryQueue(self.clock, max_receive_count=50, dead_letters=self.letters)
        self.ledger = MemoryLedger()
        self.telemetry = RecordingTelemetry()
        self._notifier = Notifier(
            self.ledger,
            sender,
            MemorySourceQueue(self.queue, self.letters),
            self.telemetry,
            named,
            clock=self.clock,
            sent_kept_for=timedelta(days=15),
        )

    def publish(self, each: ChangePublished, dedup_id: str = "") -> None:
        self.queue.send(each.source, dedup_id or each.event_id, each.body())

    def poll(self) -> None:
        """One batch as Lambda does it."""
        received = self.queue.receive()
        if not received:
            return
        answer = self._notifier.run(event_of(received), time_left=lambda: 57)
        failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        for message in received:
            if message.message_id not in failed:
                self.queue.delete(message.receipt_handle)

    def state(self, each: ChangePublished | None = None) -> str:
        return self.ledger.items[(each or change()).ledger_key].state

    @property
    def held_back(self) -> int:
        """Seconds until the ledger allows another claim."""
        due = self.ledger.items[change().ledger_key].due
        assert due is not None
        return int((due - self.clock()).total_seconds())

    @property
    def hidden(self) -> int:
        """Seconds until the queue delivers the message again."""
        (message,) = self.queue.messages
        assert message.visible_at is not None
        return int((message.visible_at - self.clock()).total_seconds())


@pytest.fixture
def world(sender: FcmSender) -> World:
    world = World(sender)
    world.publish(change())
    return world


NONE: Mapping[str, str] = {}
# The server's clock is its own: only the difference of its two dates counts.
SAID_AT = {"Date": "Wed, 21 Oct 2015 07:26:00 GMT"}
Answer = tuple[int, Mapping[str, str], str | bytes]

LATER: list[tuple[str, Answer, int, str, str]] = [
    ("401", (401, NONE, refusal("UNAUTHENTICATED")), 900, "no", "unauthorised"),
    ("403", (403, NONE, refusal("PERMISSION_DENIED")), 900, "no", "forbidden"),
    ("404", (404, NONE, refusal("NOT_FOUND")), 900, "no", "not_found"),
    ("408", (408, NONE, ""), 10, "open", "unavailable"),
    *(
        (f"{status} to {place}", (status, {"Location": place}, ""), 900, "no", "redirected")
        for status in (301, 302, 303, 307, 308)
        for place in ("/elsewhere", "http://127.0.0.1:9/")
    ),
    *(
        (
            f"429 Retry-After {header[:40]!r}",
            (429, {"Retry-After": header, **more}, refusal("RESOURCE_EXHAUSTED")),
            seconds,
            "no",
            "quota",
        )
        for header, more, seconds in [
            ("60", NONE, 60),
            ("125", NONE, 125),
            (" 125 ", NONE, 125),
            ("5", NONE, 10),
            ("0", NONE, 60),
            ("-1", NONE, 60),
            ("12.5", NONE, 60),
            ("soon", NONE, 60),
            ("", NONE, 60),
            ("9" * 30, NONE, 86_400),
            ("9" * 6_000, NONE, 86_400),
            ("Wed, 21 Oct 2015 07:28:05 GMT", SAID_AT, 125),
            ("Wed, 21 Oct 2015 07:00:00 GMT", SAID_AT, 60),
            ("Thu, 21 Oct 2055 07:00:00 GMT", SAID_AT, 86_400),
            ("Wed, 21 Oct 2015 07:28:05", SAID_AT, 60),
            ("Wed, 99 Oct 2015 07:28:05 GMT", SAID_AT, 60),
            ("Wed, 21 Oct 2015 07:28:05 GMT", {"Date": "now"}, 60),
        ]
    ),
    ("429", (429, NONE, refusal("RESOURCE_EXHAUSTED")), 60, "no", "quota"),
    *(
        (f"{status}", (status, NONE, refusal(word)), 10, "open", "unavailable")
        for status, word in [(500, "INTERNAL"), (503, "UNAVAILABLE"), (504, "DEADLINE_EXCEEDED")]
    ),
    ("502", (502, NONE, "<html>Bad Gateway</html>"), 10, "open", "unavailable"),
    ("503 in cp949", (503, NONE, "점검 중".encode("cp949")), 10, "open", "unavailable"),
    ("503 of another make", (503, NONE, '{"error": "down"}'), 10, "open", "unavailable"),
    *(
        (f"{status} Retry-After 120", (status, {"Retry-After": "120"}, ""), 120, "open", cause)
        for status, cause in [(500, "unavailable"), (502, "unavailable"), (503, "unavailable")]
    ),
    *(
        (f"200 {body[:20]!r}", (200, NONE, body), 10, "open", "unreadable")
        for body in ["{}", "", "<html>", "[]", "null", '{"name": null}', "[" * 100_000]
    ),
    ("204", (204, NONE, ""), 10, "open", "unreadable"),
]


@pytest.mark.parametrize(
    ("answer", "seconds", "delivered", "cause"),
    [case[1:] for case in LATER],
    ids=[case[0] for case in LATER],
)
def test_refused_for_now_is_held_back_and_arrives_once(
    world: World,
    fcm: FcmScript,
    answer: Any,
    seconds: int,
    delivered: str,
    cause: str,
) -> None:
    fcm.answer = answer
    world.poll()
    assert fcm.requests == [POST], "one POST an attempt, nothing else"
    assert world.state() == "RETRY"
    assert world.held_back == seconds
    assert world.hidden == min(seconds, 42_000)
    (line,) = world.telemetry.named("push_deferred")
    assert (line["delivered"], line["cause"]) == (delivered, cause)
    assert world.letters.messages == []

    fcm.heal()
    comes_back_and_is_pushed_once(world, fcm, seconds)


def comes_back_and_is_pushed_once(world: World, fcm: FcmScript, seconds: int) -> None:
    before = len(fcm.requests)
    until = world.clock() + timedelta(seconds=seconds)
    while world.clock() < until:
        world.clock.advance(world.hidden - 1)
        world.poll()
        assert len(fcm.requests) == before, "too early"
        world.clock.advance(1)
        if world.clock() < until:
            world.poll()
            assert len(fcm.requests) == before, "too early"
    world.poll()
    assert fcm.requests[before:] == [POST]
    assert world.state() == "SENT"
    assert world.queue.messages == []


def silent(fcm: FcmScript) -> None:
    fcm.hang = True


def cutting(place: Any) -> Callable[[FcmScript], None]:
    def cut(fcm: FcmScript) -> None:
        fcm.cut = place

    return cut


@pytest.mark.parametrize(
    "broken",
    [silent, cutting("before_body"), cutting("after_body"), cutting("in_answer")],
    ids=["time-out", "reset before the body", "closed after the body", "cut answer"],
)
def test_a_lost_answer_is_one_post_and_an_open_end(
    world: World, fcm: FcmScript, broken: Callable[[FcmScript], None]
) -> None:
    """The one documented source of doubles: FCM may have delivered what it did not confirm."""
    broken(fcm)
    world.poll()
    assert fcm.requests == [POST]
    assert (world.state(), world.hidden) == ("RETRY", 10)
    (line,) = world.telemetry.named("push_deferred")
    assert line["delivered"] == "open"
    assert line["cause"] in ("no_answer", "unreadable")
    fcm.released.set()
    fcm.heal()
    comes_back_and_is_pushed_once(world, fcm, 10)


def test_a_refusal_whose_body_is_cut_is_still_a_refusal(world: World, fcm: FcmScript) -> None:
    fcm.answer, fcm.cut = (429, {"Retry-After": "90"}, "{}"), "in_answer"
    world.poll()
    assert fcm.requests == [POST]
    assert (world.state(), world.hidden) == ("RETRY", 90)


def test_a_connection_that_fcm_has_closed_costs_no_push(world: World, fcm: FcmScript) -> None:
    """The next POST takes a new connection, and only one reaches FCM."""
    second = change("0" * 39 + "2", id="18")
    fcm.cut = "after_answer"
    world.poll()
    world.publish(second)
    world.poll()
    assert (world.state(), len(fcm.posts)) == ("SENT", 2 if world.state(second) == "SENT" else 1)
    world.clock.advance(10)
    world.poll()
    assert [post["message"]["data"]["id"] for post in fcm.posts] == ["17", "18"]
    assert world.state(second) == "SENT"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, refusal("INVALID_ARGUMENT", "message.topic")),
        (400, "잘못된 요청".encode("cp949")),
        (413, ""),
        (418, "<html>"),
    ],
    ids=["400", "400 in cp949", "413", "another 4xx"],
)
def test_refused_for_good_is_dead_and_a_letter(
    world: World, fcm: FcmScript, status: int, body: str | bytes
) -> None:
    fcm.answer = (status, {}, body)
    world.poll()
    assert fcm.requests == [POST]
    assert world.state() == "DEAD"
    assert world.queue.messages == []
    (letter,) = world.letters.messages
    assert letter.body == change().body()
    assert f"HTTP {status}" in letter.attributes["reason"]
    fcm.heal()
    world.publish(change(), "redriven")
    world.poll()
    assert fcm.requests == [POST], "what is dead stays dead"


class TestCredentials:
    @pytest.mark.parametrize(
        ("status", "seconds", "cause"), [(400, 900, "credentials"), (503, 10, "token")]
    )
    def test_without_a_token_nothing_is_posted(
        self,
        world: World,
        fcm: FcmScript,
        monkeypatch: pytest.MonkeyPatch,
        status: int,
        seconds: int,
        cause: str,
    ) -> None:
        monkeypatch.setattr("time.sleep", lambda _: None)
        fcm.token_status = status
        world.poll()
        assert fcm.requests == []
        assert (world.state(), world.hidden) == ("RETRY", seconds)
        (line,) = world.telemetry.named("push_deferred")
        assert (line["delivered"], line["cause"]) == ("no", cause)
        fcm.heal()
        comes_back_and_is_pushed_once(world, fcm, seconds)

    @pytest.mark.parametrize(
        ("key", "seconds", "cause"),
        [
            ({"token_uri": "http://127.0.0.1:9/token"}, 10, "token"),
            ({"private_key": "no key"}, 900, "credentials"),
            ({"type": "authorized_user"}, 900, "credentials"),
        ],
        ids=["token endpoint unreachable", "broken key", "another kind of key"],
    )
    def test_a_key_that_does_not_serve(
        self,
        fcm: FcmScript,
        account: dict[str, Any],
        key: dict[str, str],
        seconds: int,
        cause: str,
    ) -> None:
        keys = [account | key, account]
        with closing(FcmSender(PROJECT, lambda: keys.pop(0), endpoint=fcm.base_url)) as sender:
            world = World(sender)
            world.publish(change())
            world.poll()
            assert fcm.requests == []
            assert (world.state(), world.hidden) == ("RETRY", seconds)
            assert world.telemetry.named("push_deferred")[0]["cause"] == cause
            comes_back_and_is_pushed_once(world, fcm, seconds)

    def test_a_secret_that_cannot_be_read_brings_the_message_back_in_a_minute(
        self, fcm: FcmScript, account: dict[str, Any]
    ) -> None:
        readable = False

        def read() -> Mapping[str, Any]:
            if not readable:
                raise Misconfigured("secret fcm: no permission")
            return account

        with closing(FcmSender(PROJECT, read, endpoint=fcm.base_url)) as sender:
            world = World(sender)
            world.publish(change())
            world.poll()
            assert fcm.requests == []
            assert (world.state(), world.hidden) == ("CLAIMED", 60)
            readable = True
            comes_back_and_is_pushed_once(world, fcm, 60)


def test_what_was_refused_together_does_not_come_back_together(
    sender: FcmSender, fcm: FcmScript
) -> None:
    """The wait is spread over a quarter more, and never less than FCM asked for."""
    world = World(sender)
    changes = [
        change(f"{number * 8191:040x}", source=f"dept{number}", topic="t") for number in range(8)
    ]
    for each in changes:
        world.publish(each)
    fcm.answer = (429, {"Retry-After": "400"}, "")
    world.poll()
    assert {line["cause"] for line in world.telemetry.named("push_deferred")} == {"quota"}
    items = [world.ledger.items[each.ledger_key] for each in changes]
    waits = [int((item.due - world.clock()).total_seconds()) for item in items if item.due]
    assert len(set(waits)) == 8
    assert min(waits) == 400
    assert max(waits) < 500


@pytest.mark.parametrize(
    ("header", "waits"),
    [
        (NONE, [60, 120, 240, 480, 900, 900]),
        ({"Retry-After": "90"}, [90, 180, 360, 720, 900, 900]),
        ({"Retry-After": "5"}, [10, 20, 40, 80, 160, 320]),
        ({"Retry-After": "1000"}, [1_000] * 6),
    ],
    ids=["none", "90", "5", "1000"],
)
def test_a_quota_is_asked_again_after_a_minute_and_then_after_twice_as_long(
    world: World, fcm: FcmScript, header: Mapping[str, str], waits: list[int]
) -> None:
    """As FCM's page ErrorCode asks for; a topic that is tried again too soon stays refused."""
    fcm.answer = (429, dict(header), refusal("RESOURCE_EXHAUSTED"))
    seen = []
    for _ in waits:
        world.poll()
        seen.append(world.held_back)
        world.clock.advance(world.held_back)
    assert seen == waits


def quota(message: str = "", *violations: Any, **more: Any) -> str:
    kind = "type.googleapis.com/google.rpc.QuotaFailure"
    details = [{"@type": "made.up/Help"}, {"@type": kind, "violations": [*violations]}]
    error = {"status": "RESOURCE_EXHAUSTED", "message": message, "details": details, **more}
    return json.dumps({"error": error})


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (quota("", {"subject": "project:made-up", "description": "Too many"}), "quota_project"),
        (quota("", {"subject": "topic:cs"}), "quota_topic"),
        (quota("", {"subject": "", "description": "Device message rate exceeded"}), "quota_device"),
        (quota("", {"subject": "projects/7", "description": "Topic rate"}), "quota_project"),
        (quota("Topic quota exceeded."), "quota_topic"),
        (quota("Topic quota exceeded.", {"subject": "project:x"}), "quota_project"),
        (quota("Quota exceeded", {"subject": "clientip:127.0.0.1"}), "quota"),
        (quota("", {"subject": "topical"}), "quota"),
        (quota("", "topic"), "quota"),
        (quota("", {"subject": 7}), "quota"),
        (quota(details={"@type": "x"}), "quota"),
        (quota(details=[{"@type": "x/google.rpc.QuotaFailure"}]), "quota"),
        ('{"error": {"status": "X"}}', "quota"),
        ("Topic quota exceeded", "quota"),
        ("[" * 100_000, "quota"),
        ("", "quota"),
    ],
    ids=lambda value: str(value)[:60],
)
def test_the_quota_that_is_used_up_is_named_where_the_answer_says_so(
    world: World, fcm: FcmScript, body: str, cause: str
) -> None:
    fcm.answer = (429, {}, body)
    world.poll()
    (line,) = world.telemetry.named("push_deferred")
    assert (line["cause"], world.state(), world.held_back) == (cause, "RETRY", 60)


def test_no_wait_is_longer_than_sqs_can_hide_a_message(world: World, fcm: FcmScript) -> None:
    """Twelve hours from the receive at the most: a longer one is refused, and the queue's applies.

    Fifty receives would be over in little more than an hour then, and the push a dead letter.
    """
    fcm.answer = (503, {"Retry-After": "86400"}, "")
    world.poll()
    for _ in range(2):
        assert world.hidden < HALF_A_DAY - VISIBILITY
        world.clock.advance(world.hidden)
        world.poll()
    assert len(fcm.requests) == 1
    assert world.held_back == 86_400 - 2 * 42_000
    assert world.hidden == world.held_back
