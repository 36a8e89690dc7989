"""The notifier's state machine: each path, each guard (N10, N15)."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from fakes import (
    Died,
    MemoryLedger,
    MemoryQueue,
    MemorySourceQueue,
    RecordingTelemetry,
    ScriptedSender,
    VirtualClock,
    lambda_event,
)

from uring.clock import timestamp
from uring.contracts import ChangePublished
from uring.errors import Misconfigured, Unavailable
from uring.functions.families import named
from uring.push.notifier import LEASE, Notifier
from uring.push.ports import AlreadyDone, Cause, Claimed, Rejected, RetryLater, SendResult

KEPT = timedelta(days=15)
MOST_RECEIVES = 50


def change(number: int = 1, source: str = "cs", **more: object) -> ChangePublished:
    fields: dict[str, object] = {
        "event_id": f"{number:040x}",
        "family": "notices",
        "source": source,
        "topic": source,
        "kind": "new",
        "id": str(number),
        "revision": 1,
        "detected_at": "2026-03-02T01:00:00Z",
        "content": {
            "title": f"공지 {number}",
            "date": None,
            "category": None,
            "link": "https://x/",
        },
    }
    return ChangePublished.model_validate(fields | more)


class World:
    """A notify queue, a ledger, a scripted FCM; as many notifiers as a test wants."""

    def __init__(self, answers: Iterable[SendResult | BaseException] = ()) -> None:
        self.clock = VirtualClock()
        self.dead = MemoryQueue(self.clock)
        self.queue = MemoryQueue(
            self.clock, max_receive_count=MOST_RECEIVES, dead_letters=self.dead
        )
        self.ledger = MemoryLedger()
        self.telemetry = RecordingTelemetry()
        self.sender = ScriptedSender(self.clock, answers)

    def publish(self, *changes: ChangePublished) -> None:
        for each in changes:
            self.queue.send(each.source, each.event_id, each.body())

    def notifier(self) -> Notifier:
        return Notifier(
            self.ledger,
            self.sender,
            MemorySourceQueue(self.queue, self.dead),
            self.telemetry,
            named,
            clock=self.clock,
            sent_kept_for=KEPT,
        )

    def poll(self) -> list[str]:
        """One batch as Lambda does it; the ids of the changes that failed."""
        received = self.queue.receive()
        answer = self.notifier().run(lambda_event(received), time_left=lambda: 57)
        failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
        for message in received:
            if message.message_id not in failed:
                self.queue.delete(message.receipt_handle)
        return [
            ChangePublished.parse(message.body).id
            for message in received
            if message.message_id in failed
        ]

    @property
    def posts(self) -> int:
        return len(self.sender.pushes)

    def state(self, each: ChangePublished) -> str:
        return self.ledger.items[each.ledger_key].state


class TestSent:
    def test_of_a_family_that_is_not_known_the_line_says_its_name(self) -> None:
        world = World()
        world.publish(change(family="another"))
        assert world.poll() == []
        (line,) = world.telemetry.named("pushed")
        assert line["family"] == "another"
        assert "department_id" not in line

    def test_a_change_is_pushed_acknowledged_and_remembered(self) -> None:
        world = World()
        world.publish(change())
        assert world.poll() == []
        assert (world.posts, world.queue.messages) == (1, [])
        assert world.state(change()) == "SENT"
        (line,) = world.telemetry.named("pushed")
        assert (line["family"], line["source"], line["record"]) == ("notices", "cs", "1")
        assert line["event_id"] == change().event_id
        assert line["department_id"] == "cs"
        assert world.telemetry.counts["Pushes"] == 1

    @pytest.mark.parametrize(
        "later",
        [
            timedelta(seconds=1),
            timedelta(minutes=5, seconds=1),
            timedelta(minutes=30, seconds=1),
            timedelta(days=4),
            timedelta(days=14),
        ],
        ids=str,
    )
    def test_a_redelivery_is_acknowledged_and_not_pushed_again(self, later: timedelta) -> None:
        world = World()
        world.publish(change())
        world.poll()
        world.clock.advance(later.total_seconds())
        world.queue.send("cs", "redriven", change().body())
        assert world.poll() == []
        assert world.posts == 1
        assert [*world.telemetry.named("repeated"), *world.telemetry.named("too_old")]

    def test_a_source_is_pushed_in_order(self) -> None:
        world = World()
        changes = [change(number) for number in range(1, 6)]
        world.publish(*changes)
        world.poll()
        assert world.sender.event_ids == [each.event_id for each in changes]

    def test_each_revision_is_a_push_of_its_own(self) -> None:
        world = World()
        world.publish(change(1), change(1, revision=2, event_id="b" * 40))
        world.poll()
        assert world.posts == 2


class TestBlocked:
    @pytest.mark.parametrize(
        ("cause", "is_blocked"),
        [
            ("unauthorised", True),
            ("forbidden", True),
            ("not_found", True),
            ("redirected", True),
            ("credentials", True),
            ("quota", False),
            ("unavailable", False),
            ("no_answer", False),
            ("token", False),
        ],
    )
    def test_what_only_a_person_mends_is_counted_by_itself(
        self, cause: Cause, *, is_blocked: bool
    ) -> None:
        world = World()
        world.sender.for_event[change(1).event_id] = RetryLater("refused", cause=cause)
        world.publish(change(1))
        world.poll()
        assert world.telemetry.counts["PushesDeferred"] == 1
        assert world.telemetry.counts["PushesBlocked"] == is_blocked


class TestRetryLater:
    def test_a_refusal_for_now_comes_back_when_it_is_due_with_all_behind_it(self) -> None:
        world = World()
        world.sender.for_event[change(1).event_id] = RetryLater("429", after_seconds=60)
        world.publish(change(1), change(2), change(3, "ee"))
        assert world.poll() == ["1", "2"]
        assert world.state(change(1)) == "RETRY"
        assert world.posts == 2, "ee is pushed, 2 must not overtake 1"
        world.clock.advance(59)
        assert world.queue.receive() == []
        world.clock.advance(1)
        assert world.poll() == []
        assert world.sender.event_ids[-2:] == [change(1).event_id, change(2).event_id]

    def test_retry_after_is_a_floor_also_against_an_early_redelivery(self) -> None:
        """The queue's visibility may be lost; the ledger holds the push back all the same."""
        world = World([RetryLater("429", after_seconds=600)])
        world.publish(change())
        world.poll()
        world.queue.send("ee", "another copy", change().body())
        assert world.poll() == ["1"]
        assert world.posts == 1

    def test_waits_double_up_to_a_quarter_of_an_hour(self) -> None:
        world = World([RetryLater("503")] * 10)
        world.publish(change())
        waits = []
        for _ in range(10):
            world.poll()
            waits.append((world.queue.messages[0].visible_at or world.clock()) - world.clock())
            world.clock.advance(waits[-1].total_seconds())
        assert [int(wait.total_seconds()) for wait in waits] == [
            10, 20, 40, 80, 160, 320, 640, 900, 900, 900,
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("event_id", "waits"), [("0" * 40, 400), ("f" * 40, 499), ("0" * 36 + "8000", 450)]
    )
    def test_a_wait_is_spread_over_a_quarter_more_by_its_event(
        self, event_id: str, waits: int
    ) -> None:
        """What was refused together does not come back together."""
        world = World([RetryLater("429", after_seconds=400)])
        world.publish(change(event_id=event_id))
        world.poll()
        due = world.ledger.items[change().ledger_key].due
        assert due == world.clock() + timedelta(seconds=waits)

    def test_an_answer_that_is_open_is_said_to_be(self) -> None:
        """The one place where a double can come from has its own line."""
        world = World([RetryLater("time-out", delivered="open")])
        world.publish(change())
        world.poll()
        (line,) = world.telemetry.named("push_deferred")
        assert line["delivered"] == "open"

    def test_credentials_that_cannot_be_read_leave_the_message_in_the_queue(self) -> None:
        world = World([Misconfigured("secret fcm: no permission")])
        world.publish(change())
        assert world.poll() == ["1"]
        world.clock.advance(361)
        assert world.poll() == []
        assert world.state(change()) == "SENT"


class TestRejected:
    def test_a_final_refusal_is_a_dead_letter_and_its_group_goes_on(self) -> None:
        world = World([Rejected("HTTP 400: topic")])
        world.publish(change(1), change(2))
        assert world.poll() == []
        assert world.state(change(1)) == "DEAD"
        assert world.state(change(2)) == "SENT"
        (letter,) = world.dead.messages
        assert letter.body == change(1).body()
        assert "HTTP 400: topic" in letter.attributes["reason"]
        assert world.telemetry.named("push_refused") != []

    def test_what_is_dead_stays_dead(self) -> None:
        world = World([Rejected("HTTP 400")])
        world.publish(change())
        world.poll()
        world.queue.send("cs", "redriven", change().body())
        assert world.poll() == []
        assert world.posts == 1

    def test_the_dead_letter_is_there_before_the_ledger_says_dead(self) -> None:
        """The other order would lose the message to a death in between."""
        world = World([Rejected("HTTP 400")])
        world.publish(change())
        letters: list[int] = []
        bury = world.ledger.dead

        def dead(*args: object, **more: object) -> None:
            letters.append(len(world.dead.messages))
            bury(*args, **more)  # type: ignore[arg-type]

        world.ledger.dead = dead  # type: ignore[method-assign]
        world.poll()
        assert letters == [1]

    @pytest.mark.parametrize("body", ["", "{}", "no json", '{"version": 2}'])
    def test_a_malformed_message_is_a_dead_letter_and_claims_nothing(self, body: str) -> None:
        world = World()
        world.queue.send("cs", "x", body)
        world.publish(change())
        assert world.poll() == []
        assert [letter.body for letter in world.dead.messages] == [body]
        assert world.posts == 1
        assert list(world.ledger.items) == [change().ledger_key]


def test_a_newer_releases_message_waits_for_it_and_claims_nothing() -> None:
    world = World()
    newer = change().body().replace('"version":2', '"version":3')
    world.queue.send("cs", "x", newer)
    (received,) = world.queue.receive()
    answer = world.notifier().run(lambda_event([received]), time_left=lambda: 57)
    assert answer == {"batchItemFailures": [{"itemIdentifier": received.message_id}]}
    assert (world.posts, world.ledger.items, world.dead.messages) == (0, {}, [])
    world.clock.advance(899)
    assert world.queue.receive() == []
    world.clock.advance(1)
    assert [message.body for message in world.queue.receive()] == [newer]


def test_a_newer_releases_message_outlasts_nine_days_of_the_release_before() -> None:
    """And with it what is behind it; then it is a dead letter, before its retention ends."""
    world = World()
    world.queue.send("cs", "x", change().body().replace('"version":2', '"version":3'))
    world.publish(change(2))
    began = world.clock()
    while not world.dead.messages:
        world.clock.advance(300)
        batch = lambda_event(world.queue.receive())
        world.notifier().run(batch, time_left=lambda: 57)
    assert timedelta(days=9) < world.clock() - began < timedelta(days=10)
    assert world.posts == 0


class TestClaims:
    def test_a_live_claim_of_another_is_given_back_until_its_lease_ends(self) -> None:
        """Acknowledging it would lose the push if the other died."""
        world = World()
        now = world.clock()
        world.ledger.claim(
            change().ledger_key,
            "other",
            event_id=change().event_id,
            now=now,
            lease_until=now + LEASE,
        )
        world.publish(change())
        assert world.poll() == ["1"]
        assert (world.posts, len(world.queue.messages)) == (0, 1)
        world.clock.advance(LEASE.total_seconds() - 1)
        assert world.queue.receive() == []
        world.clock.advance(1)
        assert world.poll() == []
        assert world.state(change()) == "SENT"

    @pytest.mark.parametrize(
        "answer",
        [None, RetryLater("503"), Rejected("HTTP 400")],
        ids=["sent", "retry later", "rejected"],
    )
    def test_a_zombie_leaves_its_successors_entry_alone(self, answer: SendResult | None) -> None:
        """A stalls in the POST past its lease; B takes over and sends; then A gets its answer."""
        world = World([answer] if answer else [])
        world.publish(change())

        def stall() -> None:
            world.sender.during = lambda: None
            world.clock.advance(LEASE.total_seconds())
            key, now = change().ledger_key, world.clock()
            claim = world.ledger.claim(
                key, "B", event_id=change().event_id, now=now, lease_until=now + LEASE
            )
            assert claim == Claimed(2)
            world.ledger.sent(key, "B", now=now, expires_at=now + KEPT)

        world.sender.during = stall
        world.poll()
        item = world.ledger.items[change().ledger_key]
        assert (item.owner, item.state) == ("B", "SENT")
        assert len(world.telemetry.named("claim_lost")) == 1

    def test_a_claim_that_nobody_ended_is_free_after_its_lease(self) -> None:
        world = World([Died()])
        world.publish(change())
        with pytest.raises(Died):
            world.poll()
        world.clock.advance(361)
        assert world.poll() == []
        assert world.posts == 2, "a death within the POST: the documented double"

    def test_an_expired_entry_that_was_not_deleted_does_not_block(self) -> None:
        world = World()
        world.publish(change())
        world.poll()
        world.clock.advance((KEPT + timedelta(seconds=1)).total_seconds())
        later = change(detected_at=timestamp(world.clock()))
        world.queue.send("cs", "years later", later.body())
        world.poll()
        assert world.posts == 2

    @pytest.mark.parametrize("step", ["claim", "sent", "retry"])
    def test_a_ledger_that_does_not_answer_keeps_the_message(self, step: str) -> None:
        world = World([RetryLater("503")] if step == "retry" else [])
        world.publish(change())
        real = getattr(world.ledger, step)

        def unavailable(*_: object, **__: object) -> AlreadyDone:
            raise Unavailable("dynamodb")

        setattr(world.ledger, step, unavailable)
        assert world.poll() == ["1"]
        assert len(world.queue.messages) == 1
        setattr(world.ledger, step, real)
        world.clock.advance(361)
        assert world.poll() == []
        assert world.state(change()) == "SENT"


def test_too_little_time_for_a_push_claims_nothing() -> None:
    world = World()
    world.publish(change())
    received = world.queue.receive()
    answer = world.notifier().run(lambda_event(received), time_left=lambda: 39)
    assert len(answer["batchItemFailures"]) == 1
    assert (world.posts, world.ledger.items) == (0, {})


@pytest.mark.parametrize("days", [8, 300])
def test_a_change_that_waited_for_over_a_week_is_not_pushed(days: int) -> None:
    """In the queue, or among dead letters that somebody sends round again: readers have it."""
    world = World()
    world.publish(change())
    world.clock.advance(days=days)
    world.poll()
    assert world.sender.pushes == []
    assert world.queue.messages == []
    assert world.dead.messages == []
    assert world.telemetry.counts["PushesTooOld"] == 1
    assert world.telemetry.named("too_old")[0]["event_id"] == change().event_id


@pytest.mark.parametrize("detected_at", ["2026-03-02T01:00:00Z", "soon", "2026-03-02"])
def test_a_younger_one_is_and_so_is_one_without_a_time(detected_at: str) -> None:
    world = World()
    world.publish(change(detected_at=detected_at))
    world.clock.now = datetime(2026, 3, 9, 0, 59, tzinfo=UTC)
    world.poll()
    assert len(world.sender.pushes) == 1
