"""The notifier: a change is pushed once, even if its message is delivered again (N10, N15).

    message ─► older than a week: acknowledged, archived only
       └─────► claim ─► one POST ─┬ Sent ───────► SENT, acknowledged
                │                 ├ RetryLater ─► RETRY, the message comes back when it is due
                │                 └ Rejected ───► dead-letter queue, then DEAD, acknowledged
                ├ AlreadyDone: acknowledged
                └ ClaimedByOther: the message comes back when that claim ends

Two gaps are left: a death between the POST and SENT, and a lost response of FCM, push again. FCM
has no idempotency key; the device drops the repeat by its event id.
"""

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

from uring.clock import Clock, parse_timestamp
from uring.contracts import PUSHED_WITHIN, ChangePublished
from uring.errors import Permanent
from uring.push.payload import compose
from uring.push.ports import (
    BLOCKED,
    AlreadyDone,
    ClaimedByOther,
    ClaimLost,
    Ledger,
    Rejected,
    RetryLater,
    Sender,
    Sent,
)
from uring.runtime.batches import BatchRecord, BatchRunner, Deferred, SourceQueue
from uring.runtime.telemetry import Named, Telemetry

# Token, POST and ledger take a few seconds. If all of them time out, the lease ends first; the
# message stays hidden for 90 s all the same, longer than the function may run (60 s).
LEASE: Final = timedelta(seconds=45)
SECONDS_PER_PUSH: Final = 40
FIRST_RETRY_SECONDS: Final = 10
LAST_RETRY_SECONDS: Final = 900
# SQS hides a message for at most twelve hours after its receive; the ledger holds longer waits.
LONGEST_HIDDEN_SECONDS: Final = 42_000


class PushRefused(Permanent):
    """Raised for a message that FCM refused permanently."""


class Notifier:
    """The consumer of the notify queue.

    Args:
        named: see `uring.runtime.telemetry.Named`.
        sent_kept_for: the time for which the ledger keeps a push; longer than any redelivery.
        owner: returns a new name for each attempt.
    """

    def __init__(
        self,
        ledger: Ledger,
        sender: Sender,
        returns: SourceQueue,
        telemetry: Telemetry,
        named: Named,
        *,
        clock: Clock,
        sent_kept_for: timedelta,
        owner: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self._ledger = ledger
        self._sender = sender
        self._returns = returns
        self._telemetry = telemetry
        self._named = named
        self._clock = clock
        self._kept = sent_kept_for
        self._owner = owner
        self._batch = BatchRunner(self._notify, returns, telemetry)

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Return the partial batch response to an SQS event of `ChangePublished` messages."""
        return self._batch.run(event, time_left=time_left, needs=SECONDS_PER_PUSH)

    def _notify(self, record: BatchRecord) -> None:
        change = ChangePublished.parse(record.body)
        owner = self._owner()
        now = self._clock()
        if _is_old(change, now):
            # Readers have it: it was archived before it was sent here.
            self._report("too_old", change, detected_at=change.detected_at)
            self._telemetry.count("PushesTooOld")
            return
        claim = self._ledger.claim(
            change.ledger_key, owner, event_id=change.event_id, now=now, lease_until=now + LEASE
        )
        if isinstance(claim, AlreadyDone):
            self._report("repeated", change, state=claim.state)
            return
        if isinstance(claim, ClaimedByOther):
            seconds = max(1, ceil((claim.until - now).total_seconds()))
            raise Deferred(
                f"{change.ledger_key} is claimed or not due yet",
                seconds=min(seconds, LONGEST_HIDDEN_SECONDS),
            )
        result = self._sender.send(compose(change))
        if isinstance(result, Sent):
            self._mark_sent(change, owner, result)
        elif isinstance(result, RetryLater):
            self._retry_later(change, owner, result, claim.attempts)
        else:
            self._reject(change, owner, result, record)

    def _mark_sent(self, change: ChangePublished, owner: str, sent: Sent) -> None:
        now = self._clock()
        try:
            self._ledger.sent(change.ledger_key, owner, now=now, expires_at=now + self._kept)
        except ClaimLost as lost:
            self._telemetry.problem("claim_lost", key=change.ledger_key, reason=str(lost))
        self._report("pushed", change, fcm_name=sent.name)
        self._telemetry.count("Pushes")

    def _retry_later(
        self, change: ChangePublished, owner: str, refusal: RetryLater, attempts: int
    ) -> None:
        now = self._clock()
        least = refusal.after_seconds
        # FCM wants its own wait doubled, too: a topic asked again too soon stays refused.
        doubled = max(least, FIRST_RETRY_SECONDS) * 2 ** min(attempts - 1, 10)
        seconds = max(least, min(LAST_RETRY_SECONDS, doubled))
        seconds += _spread(change.event_id, seconds)
        due = now + timedelta(seconds=seconds)
        self._give_back(change, owner, due, now)
        self._report(
            "push_deferred",
            change,
            reason=refusal.reason,
            cause=refusal.cause,
            delivered=refusal.delivered,
        )
        self._telemetry.count("PushesDeferred")
        if refusal.cause in BLOCKED:
            self._telemetry.count("PushesBlocked")
        raise Deferred(
            f"{change.ledger_key}: {refusal.reason}", seconds=min(seconds, LONGEST_HIDDEN_SECONDS)
        )

    def _give_back(self, change: ChangePublished, owner: str, due: datetime, now: datetime) -> None:
        try:
            self._ledger.retry(
                change.ledger_key, owner, not_before=due, expires_at=now + self._kept
            )
        except ClaimLost as lost:
            self._telemetry.problem("claim_lost", key=change.ledger_key, reason=str(lost))

    def _reject(
        self, change: ChangePublished, owner: str, refusal: Rejected, record: BatchRecord
    ) -> None:
        """Give up the push. The dead letter is sent first: a death in between only repeats it."""
        error = PushRefused(f"{change.ledger_key}: FCM refused it permanently: {refusal.reason}")
        self._returns.reject(record, error)
        try:
            self._ledger.dead(
                change.ledger_key,
                owner,
                reason=refusal.reason,
                expires_at=self._clock() + self._kept,
            )
        except ClaimLost as lost:
            self._telemetry.problem("claim_lost", key=change.ledger_key, reason=str(lost))
        self._telemetry.problem(
            "push_refused", key=change.ledger_key, reason=refusal.reason, cause=refusal.cause
        )
        self._telemetry.count("PushesRefused")

    def _report(self, name: str, change: ChangePublished, /, **fields: Any) -> None:
        self._telemetry.event(
            name,
            family=change.family,
            source=change.source,
            **self._named(change.family, change.source),
            record=change.id,
            kind=change.kind,
            revision=change.revision,
            event_id=change.event_id,
            **fields,
        )


def _is_old(change: ChangePublished, now: datetime) -> bool:
    """Return whether a change is too old for a push; False for a malformed time."""
    try:
        return now - parse_timestamp(change.detected_at) > PUSHED_WITHIN
    except ValueError:
        return False


def _spread(event_id: str, seconds: int) -> int:
    """Return up to a quarter of ``seconds`` by the event id, to spread pushes refused together."""
    return seconds * int(event_id[-4:], 16) // (4 * 0x10000)
