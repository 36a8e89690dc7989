"""Claims, exits and waiting in any order: the fake and DynamoDB (moto) answer alike and rightly."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import boto3
import pytest
from fakes import MemoryLedger
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from uring.aws.ledger import DynamoLedger
from uring.push.ports import AlreadyDone, Claimed, ClaimedByOther, ClaimLost, Ledger

KEY = "cs#1#1"
LEASE = timedelta(seconds=45)
OWNERS = st.sampled_from(["a", "b", "c"])
EVENTS = st.sampled_from(["e" * 40, "f" * 40])
TABLES = count(1)


class Ledgers(RuleBasedStateMachine):
    """Two ledgers do the same; what they say is held against who may push."""

    client: Any = None

    def __init__(self) -> None:
        super().__init__()
        table = f"ledger-machine-{next(TABLES)}"
        self.client.create_table(
            TableName=table,
            AttributeDefinitions=[{"AttributeName": "key", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "key", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
        )
        self.ledgers: list[Ledger] = [MemoryLedger(), DynamoLedger(self.client, table)]
        self.now = datetime(2026, 3, 2, 1, 0, tzinfo=UTC)
        self.holder: tuple[str, datetime] | None = None
        self.settled: tuple[str, datetime] | None = None
        self.not_before: datetime | None = None

    @rule(seconds=st.sampled_from([1, 44, 45, 600, 1_799, 1_801, 86_400]))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @rule(owner=OWNERS, event=EVENTS)
    def claim(self, owner: str, event: str) -> None:
        first, second = (
            each.claim(KEY, owner, event_id=event, now=self.now, lease_until=self.now + LEASE)
            for each in self.ledgers
        )
        assert first == second
        if isinstance(first, Claimed):
            if self.holder is not None and self.holder[0] != owner:
                assert self.holder[1] <= self.now, "granted while another's lease runs"
            if self.settled is not None:
                done, until = self.settled
                assert done != event or until < self.now, "granted what was settled"
            assert self.not_before is None or self.not_before <= self.now, "granted too early"
            if self.holder is None or self.holder[0] != owner or self.holder[1] <= self.now:
                self.holder, self.event = (owner, self.now + LEASE), event
            self.settled = self.not_before = None
        elif isinstance(first, AlreadyDone):
            assert self.settled is not None, "settled, and nobody sent or gave up"
        else:
            assert isinstance(first, ClaimedByOther)
            limits = [self.not_before, self.holder[1] if self.holder else None]
            assert first.until in limits

    @rule(owner=OWNERS, exit_=st.sampled_from(["sent", "retry", "dead"]))
    def leave(self, owner: str, exit_: str) -> None:
        outcomes = [self._leave(each, owner, exit_) for each in self.ledgers]
        assert outcomes[0] == outcomes[1]
        if outcomes[0] == "left" and self.holder is not None:
            assert self.holder[0] == owner, "left by one who did not hold it"
            self.holder = None
            if exit_ == "retry":
                self.not_before = self.now + timedelta(seconds=60)
            else:
                self.settled = self.event, self.now + timedelta(days=15)

    def _leave(self, ledger: Ledger, owner: str, exit_: str) -> str:
        until = self.now + timedelta(days=15)
        try:
            if exit_ == "sent":
                ledger.sent(KEY, owner, now=self.now, expires_at=until)
            elif exit_ == "retry":
                ledger.retry(
                    KEY, owner, not_before=self.now + timedelta(seconds=60), expires_at=until
                )
            else:
                ledger.dead(KEY, owner, reason="HTTP 400", expires_at=until)
        except ClaimLost:
            return "lost"
        return "left"


def test_any_order_of_claims_and_exits(
    moto_session: boto3.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ledgers, "client", moto_session.client("dynamodb"))
    run_state_machine_as_test(
        Ledgers,
        settings=settings(
            max_examples=60,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
