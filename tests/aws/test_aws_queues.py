"""One contract for the queues: the fake and SQS (moto) keep it alike (N2, N9).

Where moto is known to differ from AWS, the case is a strict expected failure that names the
difference: should moto learn it, the mark has to go.
"""

from collections.abc import Sequence

import elsewhere
import pytest
from elsewhere import params
from fakes import VirtualClock
from queue_harness import (
    MAX_RECEIVE_COUNT,
    VISIBILITY_SECONDS,
    MemoryHarness,
    NoVirtualTime,
    QueueHarness,
    SqsHarness,
    change,
    job,
)

from uring.contracts import ChangePublished, Job
from uring.errors import MalformedMessage
from uring.runtime.batches import BatchRecord


def moto_differs(reason: str) -> pytest.MarkDecorator:
    """Mark a case of the contract that moto 5.2.5 is known not to keep."""
    return pytest.mark.moto_differs(reason)


@pytest.fixture(params=params("sqs", "memory", "sqs"))
def queue(
    request: pytest.FixtureRequest, name: str, monkeypatch: pytest.MonkeyPatch
) -> QueueHarness:
    clock = VirtualClock()
    if request.param == "memory":
        return MemoryHarness(clock)
    if request.param == "elsewhere":
        return SqsHarness(NoVirtualTime(), elsewhere.client("sqs"), name)
    known = request.node.get_closest_marker("moto_differs")
    if known:
        request.node.add_marker(pytest.mark.xfail(strict=True, reason=known.args[0]))
    # moto's clock follows ours.
    now = "moto.sqs.models.unix_time"
    monkeypatch.setattr(now, lambda *_: clock().timestamp())
    monkeypatch.setattr(f"{now}_millis", lambda *_: clock().timestamp() * 1000)
    return SqsHarness(clock, request.getfixturevalue("moto_session").client("sqs"), name)


def ids(records: Sequence[BatchRecord]) -> list[str]:
    return [ChangePublished.parse(record.body).id for record in records]


class TestSending:
    def test_changes_arrive_whole_and_in_order(self, queue: QueueHarness) -> None:
        changes = [change(number) for number in range(25)]
        assert queue.outlet.send(changes) == {c.event_id for c in changes}
        records = queue.drain()
        assert [ChangePublished.parse(record.body) for record in records] == changes
        assert {record.group for record in records} == {"cs"}

    def test_nothing_to_send_is_accepted(self, queue: QueueHarness) -> None:
        assert queue.outlet.send([]) == frozenset()
        assert queue.receive() == []

    def test_a_repeat_within_five_minutes_is_accepted_and_not_delivered_again(
        self, queue: QueueHarness
    ) -> None:
        queue.outlet.send([change(1)])
        queue.clock.advance(299)
        assert queue.outlet.send([change(1)]) == {change(1).event_id}
        assert ids(queue.drain()) == ["1"]

    def test_a_repeat_after_five_minutes_is_delivered_again(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        queue.clock.advance(301)
        queue.outlet.send([change(1)])
        assert ids(queue.drain()) == ["1", "1"]

    @moto_differs("moto forgets a deduplication id when its message is deleted")
    def test_a_repeat_of_what_was_received_and_deleted_is_not_delivered_again(
        self, queue: QueueHarness
    ) -> None:
        queue.outlet.send([change(1)])
        queue.drain()
        queue.outlet.send([change(1)])
        assert ids(queue.drain()) == []

    @moto_differs("moto deduplicates over the whole queue whatever DeduplicationScope says")
    def test_sources_do_not_deduplicate_each_other(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1, "cs", "a" * 40), change(1, "ee", "a" * 40)])
        assert sorted(record.group for record in queue.drain()) == ["cs", "ee"]

    def test_jobs_of_one_tick_are_deduplicated(self, queue: QueueHarness) -> None:
        jobs = [job(f"d{number}") for number in range(12)]
        assert queue.work.dispatch(jobs) == 0
        assert queue.work.dispatch(jobs) == 0
        received = [Job.parse(record.body) for record in queue.drain()]
        # Sources are groups of their own, whose order nobody promises.
        assert {each.source: each for each in received} == {each.source: each for each in jobs}
        assert len(received) == len(jobs)

    def test_jobs_of_two_ticks_are_not(self, queue: QueueHarness) -> None:
        queue.work.dispatch([job("cs", 0)])
        queue.work.dispatch([job("cs", 10)])
        assert [record.group for record in queue.drain()] == ["cs", "cs"]


class TestReceiving:
    def test_a_group_with_a_message_in_flight_delivers_nothing(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        (first,) = queue.receive()
        queue.outlet.send([change(2), change(3, "ee")])
        assert [record.group for record in queue.receive()] == ["ee"]
        queue.delete(first)
        assert ids(queue.receive()) == ["2"]

    def test_what_was_not_acknowledged_comes_back(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        queue.receive()
        queue.clock.advance(VISIBILITY_SECONDS - 1)
        assert queue.receive() == []
        queue.clock.advance(2)
        (again,) = queue.receive()
        assert (ids([again]), again.receive_count) == (["1"], 2)

    @moto_differs("moto skips the head of a group whose visibility time-out ended")
    def test_what_was_not_acknowledged_comes_back_in_order(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1), change(2)])
        assert ids(queue.receive()) == ["1", "2"]
        queue.clock.advance(VISIBILITY_SECONDS + 1)
        assert ids(queue.receive()) == ["1", "2"]

    @moto_differs("moto deletes by a receipt handle whose time is over")
    def test_a_late_acknowledgement_is_refused(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        (record,) = queue.receive()
        queue.clock.advance(VISIBILITY_SECONDS + 1)
        queue.receive()
        assert not queue.delete(record)

    def test_after_its_last_receive_a_message_is_a_dead_letter_and_its_group_goes_on(
        self, queue: QueueHarness
    ) -> None:
        queue.outlet.send([change(1)])
        for _ in range(MAX_RECEIVE_COUNT):
            assert ids(queue.receive()) == ["1"]
            queue.clock.advance(VISIBILITY_SECONDS + 1)
        queue.outlet.send([change(2)])
        assert ids([*queue.receive(), *queue.receive()]) == ["2"]
        assert queue.dead_letters() == [("cs", change(1).body(), "")]


class TestPulling:
    def test_it_receives_what_lambda_would_hand_over_and_deletes(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1, "cs"), change(2, "ee"), change(3, "me")])
        records = queue.pulls.receive(2)
        found = [BatchRecord.from_event(record) for record in records]
        assert len(found) == 2
        assert {record.group for record in found} < {"cs", "ee", "me"}
        assert {record.receive_count for record in found} == {1}
        queue.pulls.delete(records)
        queue.clock.advance(VISIBILITY_SECONDS + 1)
        assert len(queue.drain()) == 1

    def test_what_is_not_deleted_comes_again(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        assert len(queue.pulls.receive(10)) == 1
        assert not queue.pulls.receive(10)
        queue.clock.advance(VISIBILITY_SECONDS + 1)
        (record,) = queue.pulls.receive(10)
        assert BatchRecord.from_event(record).receive_count == 2

    def test_a_copy_that_waits_is_one_here_too(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        (record,) = queue.receive()
        queue.returns.renew(record, waits=True)
        queue.delete(record)
        (copy,) = queue.pulls.receive(10)
        assert BatchRecord.from_event(copy).is_new_wait


class TestReturning:
    def test_a_deferred_record_comes_back_when_it_is_due(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        queue.returns.defer(queue.receive(), 20)
        queue.clock.advance(19)
        assert queue.receive() == []
        queue.clock.advance(2)
        assert ids(queue.receive()) == ["1"]

    @moto_differs("moto skips the head of a group whose visibility time-out ended")
    def test_deferred_together_they_come_back_together(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1), change(2)])
        queue.returns.defer(queue.receive(), 20)
        queue.clock.advance(21)
        assert ids(queue.receive()) == ["1", "2"]

    def test_deferred_longer_than_the_queues_own_time_out(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        queue.returns.defer(queue.receive(), 900)
        queue.clock.advance(VISIBILITY_SECONDS + 1)
        assert queue.receive() == []
        queue.clock.advance(900)
        assert ids(queue.receive()) == ["1"]

    def test_deferred_by_nothing_comes_back_at_once(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        queue.returns.defer(queue.receive(), 0)
        queue.clock.advance(0.01)
        assert ids(queue.receive()) == ["1"]

    def test_deferring_one_source_leaves_the_others_alone(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1), change(2, "ee")])
        mine = [record for record in queue.receive() if record.group == "cs"]
        queue.returns.defer(mine, 10)
        queue.clock.advance(11)
        assert [record.group for record in queue.receive()] == ["cs"]

    def test_a_rejected_record_is_a_dead_letter_with_its_reason(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        (record,) = queue.receive()
        queue.returns.reject(record, MalformedMessage("field x: 공지; do y"))
        assert queue.dead_letters() == [("cs", change(1).body(), "field x: 공지; do y")]

    def test_a_reason_of_any_characters_can_be_sent(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        (record,) = queue.receive()
        allowed = "\t\n\r \ud7ff\ue000\ufffd\U00010000\U0010ffff"
        refused = "\x00\x08\x0b\x0c\x0e\x1f\ufffe\uffff"
        queue.returns.reject(record, MalformedMessage(f"a{allowed}b{refused}c"))
        ((_, _, reason),) = queue.dead_letters()
        assert "c" in reason
        if not isinstance(queue, MemoryHarness):
            replaced = "\ufffd" * len(refused)
            assert reason == f"a{allowed}b{replaced}c", "SQS refuses a message for these"

    def test_a_renewed_record_goes_on_as_a_copy_that_says_so(self, queue: QueueHarness) -> None:
        """The group waits for the record that the copy is of: no two are under way at once."""
        queue.outlet.send([change(1)])
        (record,) = queue.receive()
        for _ in range(2):
            queue.returns.renew(record)
        assert not queue.receive()
        queue.delete(record)
        (copy,) = queue.receive()
        assert (copy.group, copy.body, copy.receive_count) == (record.group, record.body, 1)
        assert (record.renewals, copy.renewals) == (0, 1)
        queue.returns.renew(copy)
        queue.delete(copy)
        (again,) = queue.receive()
        assert again.renewals == 2

    def test_a_copy_that_waits_is_no_renewal_and_its_first_receive_no_try(
        self, queue: QueueHarness
    ) -> None:
        queue.outlet.send([change(1)])
        (record,) = queue.receive()
        queue.returns.renew(record, waits=True)
        queue.delete(record)
        (copy,) = queue.receive()
        assert (copy.renewals, copy.receive_count, copy.is_new_wait) == (0, 1, True)
        queue.returns.defer([copy], 0)
        queue.clock.advance(0.01)
        (copy,) = queue.receive()
        assert (copy.receive_count, copy.is_new_wait) == (1, False)

    def test_a_record_rejected_twice_is_one_dead_letter(self, queue: QueueHarness) -> None:
        queue.outlet.send([change(1)])
        (record,) = queue.receive()
        queue.returns.reject(record, MalformedMessage("x"))
        queue.returns.reject(record, MalformedMessage("x"))
        assert len(queue.dead_letters()) == 1
