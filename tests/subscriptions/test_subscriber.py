"""A request's topics: a few at once, none after a failure, an end in time."""

import threading

import pytest
from fakes.subscriptions import DEVICE, ScriptedTopics

from uring.errors import Misconfigured
from uring.push.ports import RetryLater
from uring.subscriptions.ports import Done, TopicResult, UnknownDevice
from uring.subscriptions.subscriber import AT_ONCE, Subscriber, SubscriptionChange

FIFTY = [f"dept_{number:04}" for number in range(50)]


def apply(topics: ScriptedTopics) -> TopicResult:
    change = SubscriptionChange(id=DEVICE, subscribe=FIFTY[:25], unsubscribe=FIFTY[25:])
    return Subscriber(topics, monotonic=topics.monotonic).apply(
        change, {*change.subscribe, *change.unsubscribe}
    )


def test_all_are_done_a_few_at_once() -> None:
    """Each request waits for four others: of fewer at once none would end."""
    topics = ScriptedTopics(meeting=threading.Barrier(AT_ONCE, timeout=30))
    assert apply(topics) == Done()
    assert sorted(topic for _, _, topic in topics.asked) == FIFTY
    assert topics.most_at_once == AT_ONCE


def test_after_a_failure_nothing_more_is_begun() -> None:
    """A device that is gone would cost fifty requests."""
    topics = ScriptedTopics(dict.fromkeys(FIFTY, UnknownDevice()))
    assert apply(topics) == UnknownDevice()
    assert len(topics.asked) <= AT_ONCE


def test_one_failure_fails_the_whole() -> None:
    failure = RetryLater("HTTP 503", cause="unavailable")
    assert apply(ScriptedTopics({FIFTY[30]: failure})) == failure


def test_a_key_that_cannot_be_read_is_not_read_fifty_times() -> None:
    topics = ScriptedTopics({topic: Misconfigured("secret") for topic in FIFTY})
    with pytest.raises(Misconfigured):
        apply(topics)
    assert len(topics.asked) <= AT_ONCE


def test_it_ends_in_time_however_slow_fcm_is() -> None:
    """The caller hears that it was not all before API Gateway gives up."""
    topics = ScriptedTopics(seconds=1.0)
    result = apply(topics)
    assert isinstance(result, RetryLater)
    assert result.cause == "no_answer"
    assert len(topics.asked) < len(FIFTY)
    assert 0 < min(topics.timeouts) <= max(topics.timeouts) <= 5
    assert topics.clock.now.timestamp() - ScriptedTopics().monotonic() < 12 + AT_ONCE
