"""One contract for the push ledger: the fake and DynamoDB (moto) keep it alike (N10)."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from elsewhere import made, params
from fakes import MemoryLedger

from uring.aws.ledger import DynamoLedger
from uring.push.ports import AlreadyDone, Claimed, ClaimedByOther, ClaimLost, ClaimResult, Ledger

NOW = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
LEASE = timedelta(seconds=45)
KEPT = timedelta(days=15)
KEY = "cs#17#1"


@pytest.fixture(scope="module")
def dynamodb(moto_session: boto3.Session) -> Any:
    return made("dynamodb", "moto", moto_session)


@pytest.fixture(params=params("dynamodb", "memory", "moto"))
def ledger(request: pytest.FixtureRequest, name: str, moto_session: boto3.Session) -> Ledger:
    if request.param == "memory":
        return MemoryLedger()
    client = made("dynamodb", request.param, moto_session)
    client.create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": "key", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "key", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
    )
    return DynamoLedger(client, name)


def claim(ledger: Ledger, owner: str, now: datetime = NOW, key: str = KEY) -> ClaimResult:
    return ledger.claim(key, owner, event_id="e" * 40, now=now, lease_until=now + LEASE)


def after(**time: float) -> datetime:
    return NOW + timedelta(**time)


def test_the_first_to_ask_gets_the_claim(ledger: Ledger) -> None:
    assert claim(ledger, "a") == Claimed(1)


def test_pushes_are_claimed_one_by_one(ledger: Ledger) -> None:
    claim(ledger, "a")
    assert claim(ledger, "b", key="cs#17#2") == Claimed(1)


def test_a_live_claim_holds_others_off_until_its_lease_ends(ledger: Ledger) -> None:
    claim(ledger, "a")
    assert claim(ledger, "b", after(seconds=44)) == ClaimedByOther(NOW + LEASE)


def test_the_owner_who_asks_again_has_the_same_claim(ledger: Ledger) -> None:
    """The client repeats a claim whose answer was lost; the repeat meets its own item."""
    claim(ledger, "a")
    assert claim(ledger, "a") == Claimed(1)


def test_a_claim_whose_lease_is_over_is_taken_over(ledger: Ledger) -> None:
    claim(ledger, "a")
    assert claim(ledger, "b", NOW + LEASE) == Claimed(2)
    assert claim(ledger, "c", NOW + LEASE) == ClaimedByOther(NOW + 2 * LEASE)


def test_what_was_sent_is_settled_for_everybody(ledger: Ledger) -> None:
    claim(ledger, "a")
    ledger.sent(KEY, "a", now=NOW, expires_at=NOW + KEPT)
    assert claim(ledger, "b", after(seconds=1)) == AlreadyDone("SENT")
    assert claim(ledger, "a", after(seconds=1)) == AlreadyDone("SENT")


@pytest.mark.parametrize(
    "later",
    [
        timedelta(minutes=4, seconds=59),
        timedelta(minutes=5, seconds=1),
        timedelta(minutes=29, seconds=59),
        timedelta(minutes=30, seconds=1),
        timedelta(days=4),
        timedelta(days=14, hours=1),
    ],
    ids=str,
)
def test_a_redelivery_finds_sent_however_late_it_is(ledger: Ledger, later: timedelta) -> None:
    """Past every horizon there is: deduplication, the claim's 30 minutes, queue, dead letters."""
    claim(ledger, "a")
    ledger.sent(KEY, "a", now=NOW, expires_at=NOW + KEPT)
    assert claim(ledger, "b", NOW + later) == AlreadyDone("SENT")


def other(ledger: Ledger, owner: str, now: datetime) -> ClaimResult:
    return ledger.claim(KEY, owner, event_id="f" * 40, now=now, lease_until=now + LEASE)


def test_a_restored_state_may_push_another_content_as_the_same_revision(ledger: Ledger) -> None:
    """What was sent or given up holds back its own event alone, for as long as it is kept."""
    claim(ledger, "a")
    ledger.sent(KEY, "a", now=after(seconds=1), expires_at=NOW + KEPT)
    assert isinstance(other(ledger, "b", after(hours=1)), Claimed)
    ledger.dead(KEY, "b", reason="no", expires_at=NOW + KEPT)
    assert other(ledger, "c", after(hours=2)) == AlreadyDone("DEAD")
    assert isinstance(claim(ledger, "c", after(hours=2)), Claimed)


def test_another_event_respects_a_live_claim(ledger: Ledger) -> None:
    claim(ledger, "a")
    assert other(ledger, "b", after(seconds=1)) == ClaimedByOther(NOW + LEASE)


def test_what_is_dead_is_settled(ledger: Ledger) -> None:
    claim(ledger, "a")
    ledger.dead(KEY, "a", reason="", expires_at=NOW + KEPT)
    assert claim(ledger, "b", after(days=1)) == AlreadyDone("DEAD")


def test_a_retry_holds_everybody_off_until_it_is_due(ledger: Ledger) -> None:
    claim(ledger, "a")
    due = after(minutes=10)
    ledger.retry(KEY, "a", not_before=due, expires_at=NOW + KEPT)
    assert claim(ledger, "a", after(minutes=9, seconds=59)) == ClaimedByOther(due)
    assert claim(ledger, "b", after(minutes=9, seconds=59)) == ClaimedByOther(due)
    assert claim(ledger, "b", due) == Claimed(2)


def test_a_retry_that_is_claimed_again_has_a_lease_and_no_due_time(ledger: Ledger) -> None:
    claim(ledger, "a")
    ledger.retry(KEY, "a", not_before=after(hours=1), expires_at=NOW + KEPT)
    claim(ledger, "b", after(hours=1))
    assert claim(ledger, "c", after(hours=1, seconds=1)) == ClaimedByOther(after(hours=1) + LEASE)


def test_an_expired_item_that_was_not_deleted_yet_is_as_good_as_absent(ledger: Ledger) -> None:
    """DynamoDB deletes what expired days late."""
    claim(ledger, "a")
    ledger.sent(KEY, "a", now=NOW, expires_at=NOW + KEPT)
    assert claim(ledger, "b", NOW + KEPT) == AlreadyDone("SENT")
    assert isinstance(claim(ledger, "b", NOW + KEPT + timedelta(seconds=1)), Claimed)


def test_an_expired_retry_is_claimable_before_it_is_due(ledger: Ledger) -> None:
    claim(ledger, "a")
    ledger.retry(KEY, "a", not_before=after(hours=9), expires_at=after(hours=1))
    assert isinstance(claim(ledger, "b", after(hours=2)), Claimed)


LEAVING = {
    "sent": lambda ledger, owner: ledger.sent(KEY, owner, now=NOW, expires_at=NOW + KEPT),
    "retry": lambda ledger, owner: ledger.retry(KEY, owner, not_before=NOW, expires_at=NOW + KEPT),
    "dead": lambda ledger, owner: ledger.dead(KEY, owner, reason="r", expires_at=NOW + KEPT),
}
Leave = Callable[[Ledger, str], None]


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_a_zombie_cannot_touch_its_successors_claim(ledger: Ledger, leave: Leave) -> None:
    claim(ledger, "a")
    claim(ledger, "b", NOW + LEASE)
    with pytest.raises(ClaimLost):
        leave(ledger, "a")
    assert claim(ledger, "c", NOW + LEASE) == ClaimedByOther(NOW + 2 * LEASE)


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_a_zombie_cannot_touch_what_its_successor_sent(ledger: Ledger, leave: Leave) -> None:
    claim(ledger, "a")
    claim(ledger, "b", NOW + LEASE)
    ledger.sent(KEY, "b", now=NOW, expires_at=NOW + KEPT)
    with pytest.raises(ClaimLost):
        leave(ledger, "a")
    assert claim(ledger, "c", after(days=14)) == AlreadyDone("SENT")


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_leaving_without_a_claim_is_refused_and_creates_nothing(
    ledger: Ledger, leave: Leave
) -> None:
    with pytest.raises(ClaimLost):
        leave(ledger, "a")
    assert claim(ledger, "a") == Claimed(1)


@pytest.mark.parametrize("leave", LEAVING.values(), ids=LEAVING)
def test_leaving_the_same_way_twice_is_leaving_once(ledger: Ledger, leave: Leave) -> None:
    """The client repeats an exit whose answer was lost."""
    claim(ledger, "a")
    leave(ledger, "a")
    leave(ledger, "a")


def test_leaving_another_way_afterwards_is_refused(ledger: Ledger) -> None:
    claim(ledger, "a")
    ledger.sent(KEY, "a", now=NOW, expires_at=NOW + KEPT)
    with pytest.raises(ClaimLost):
        ledger.retry(KEY, "a", not_before=NOW, expires_at=NOW + KEPT)
    assert claim(ledger, "b") == AlreadyDone("SENT")


def test_an_owner_past_its_lease_may_leave_while_nobody_took_over(ledger: Ledger) -> None:
    claim(ledger, "a")
    ledger.sent(KEY, "a", now=after(hours=1), expires_at=NOW + KEPT)
    assert claim(ledger, "b", after(hours=1)) == AlreadyDone("SENT")


def test_ids_with_any_character_are_told_apart(ledger: Ledger) -> None:
    assert claim(ledger, "a", key="cs#공지#1\u0001#1") == Claimed(1)
    assert claim(ledger, "a", key="cs#공지#1#1") == Claimed(1)


def test_of_many_claimants_at_once_one_wins() -> None:
    """DynamoDB is linearizable for an item; moto now and then lets two win: the fake is asked."""
    ledger = MemoryLedger()
    outcomes: list[object] = []
    barrier = threading.Barrier(8)

    def race(owner: str) -> None:
        barrier.wait()
        outcomes.append(claim(ledger, owner))

    threads = [threading.Thread(target=race, args=(f"o{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(Claimed(1)) == 1
    assert outcomes.count(ClaimedByOther(NOW + LEASE)) == 7


def test_the_item_has_what_an_operator_needs(dynamodb: Any, name: str) -> None:
    """TTL in epoch seconds, the event, and why it died."""
    dynamodb.create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": "key", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "key", "KeyType": "HASH"}],
        BillingMode="PAY_PER_REQUEST",
    )
    ledger = DynamoLedger(dynamodb, name)
    claim(ledger, "a")
    ledger.dead(KEY, "a", reason="HTTP 400: bad topic", expires_at=NOW + KEPT)
    item = dynamodb.get_item(TableName=name, Key={"key": {"S": KEY}})["Item"]
    assert item["expires_at"] == {"N": str(int((NOW + KEPT).timestamp()))}
    assert item["event_id"] == {"S": "e" * 40}
    assert item["reason"] == {"S": "HTTP 400: bad topic"}
    assert item["state"] == {"S": "DEAD"}
