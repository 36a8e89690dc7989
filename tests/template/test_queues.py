"""Queues: order, retries, and nothing that fails is lost (N2, N9, N13, N15)."""

from typing import Any

import pytest
from expanded import Stack, logical_id

from uring.seeds.messages import MOST_RECEIVES

DAY = 86_400


def _queues(stack: Stack) -> dict[str, dict[str, Any]]:
    return stack.of_type("AWS::SQS::Queue")


def _with_dead_letters(stack: Stack) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [
        (queue, stack.properties(queue["RedrivePolicy"]["deadLetterTargetArn"]))
        for queue in _queues(stack).values()
        if "RedrivePolicy" in queue
    ]


def test_every_queue_is_fifo_encrypted_and_named(stack: Stack) -> None:
    """The name is explicit: not every stack adds `.fifo` to one that it makes up."""
    for queue in _queues(stack).values():
        assert queue["FifoQueue"] is True
        assert queue["SqsManagedSseEnabled"] is True
        assert queue["QueueName"].startswith("uring-test-")
        assert queue["QueueName"].endswith(".fifo")


def test_every_queue_either_has_a_dead_letter_queue_or_is_one(stack: Stack) -> None:
    queues = _queues(stack)
    with_one = {key for key, queue in queues.items() if "RedrivePolicy" in queue}
    targets = {
        logical_id(queue["RedrivePolicy"]["deadLetterTargetArn"])
        for queue in queues.values()
        if "RedrivePolicy" in queue
    }
    assert with_one.isdisjoint(targets)
    assert with_one | targets == queues.keys()
    assert len(with_one) == len(targets), "two queues share a dead-letter queue"


def test_dead_letters_outlive_their_source(stack: Stack) -> None:
    """Whoever mends what the source queue could not wait for needs more time than it has."""
    for queue, dead_letters in _with_dead_letters(stack):
        assert dead_letters["MessageRetentionPeriod"] == 14 * DAY
        assert queue["MessageRetentionPeriod"] < dead_letters["MessageRetentionPeriod"]


def test_a_message_is_received_at_least_five_times(stack: Stack) -> None:
    """With fewer, throttled deliveries and deaths alone would move messages away.

    The seed engine's workers give a message up after three tries (S7), with the reason.
    """
    for key, queue in _queues(stack).items():
        if "RedrivePolicy" in queue:
            assert queue["RedrivePolicy"]["maxReceiveCount"] >= 5, key
    assert MOST_RECEIVES == 3


def test_an_outage_of_fcm_of_ten_hours_dead_letters_nothing(stack: Stack) -> None:
    """The arithmetic beside `maxReceiveCount` holds, and retention does not cut it short."""
    notify = _queues(stack)["NotifyQueue"]
    receives = notify["RedrivePolicy"]["maxReceiveCount"]
    waits = [min(10 * 2**attempt, 900) for attempt in range(receives - 1)]
    assert sum(waits) == 39_070
    assert sum(waits) > 10 * 3600
    assert notify["MessageRetentionPeriod"] > 2 * sum(waits)


def test_every_queue_with_retries_feeds_exactly_one_function(stack: Stack) -> None:
    fed = [queue["QueueName"] for _, queue, _ in stack.sources()]
    assert sorted(fed) == sorted(queue["QueueName"] for queue, _ in _with_dead_letters(stack))


def test_a_message_comes_back_soon_after_its_function_must_have_ended(stack: Stack) -> None:
    """Sooner, two would work on it; later, a death would cost more than it must."""
    for _, queue, function in stack.sources():
        assert queue["VisibilityTimeout"] == function["Timeout"] + 30


@pytest.mark.parametrize("family", ["Notice", "Weather", "Regulation", "SeedWatch"])
def test_a_death_costs_no_tick(stack: Stack, family: str) -> None:
    """The job itself is run again: the next one is not yet due when it comes back."""
    functions = stack.of_type("AWS::Lambda::Function")
    tick = functions[f"{family}Orchestrator"]["Environment"]["Variables"]["TICK_MINUTES"]
    visible_again = _queues(stack)[f"{family}Queue"]["VisibilityTimeout"]
    seconds_left_for_the_second_run = int(tick) * 60 - visible_again
    assert seconds_left_for_the_second_run >= 60, "a job that is older than its interval is dropped"


def test_a_batch_may_fail_in_part(stack: Stack) -> None:
    """Without the partial response one bad record returns the other nine."""
    for mapping, _, function in stack.sources():
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        # A file, a round of a shard or a job of documents takes all of an invocation.
        alone = (
            "-regulation-parser",
            "-seed-file-worker",
            "-seed-watch-worker",
            "-document-worker",
        )
        assert mapping["BatchSize"] == (1 if function["FunctionName"].endswith(alone) else 10)
        assert "MaximumBatchingWindowInSeconds" not in mapping, "FIFO queues have no window"


def test_concurrency_is_bounded(stack: Stack) -> None:
    for mapping, _, function in stack.sources():
        bound = mapping["ScalingConfig"]["MaximumConcurrency"]
        assert 2 <= int(bound) <= function.get("ReservedConcurrentExecutions", 1000)


def test_limits_and_deduplication_are_per_source(stack: Stack) -> None:
    for queue, _ in _with_dead_letters(stack):
        assert queue["DeduplicationScope"] == "messageGroup"
        assert queue["FifoThroughputLimit"] == "perMessageGroupId"
        assert "ContentBasedDeduplication" not in queue, "ids are given, never guessed"


def test_a_push_is_remembered_longer_than_it_can_be_redriven(template: dict[str, Any]) -> None:
    """N10: a redrive from the dead-letter queue finds the record of what was sent."""
    days = template["Parameters"]["SentRetentionDays"]
    first, second = (
        template["Resources"][name]["Properties"]["MessageRetentionPeriod"]
        for name in ("NotifyQueue", "NotifyDeadLetterQueue")
    )
    # FIFO queues count the age anew when a message becomes a dead letter, and when it is redriven.
    assert days["MinValue"] * DAY > first + second + first
    assert days["Default"] >= days["MinValue"]
