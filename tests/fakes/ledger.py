"""The push ledger in memory, with DynamoDB's habit of keeping what has expired."""

import threading
from dataclasses import dataclass
from datetime import datetime, timedelta

from uring.push.ports import AlreadyDone, Claimed, ClaimedByOther, ClaimLost, ClaimResult

CLAIM_KEPT = timedelta(minutes=30)


@dataclass(slots=True)
class Item:
    """One push."""

    state: str
    owner: str
    event_id: str
    attempts: int
    expires_at: datetime
    due: datetime | None


class MemoryLedger:
    """Implements `uring.push.ports.Ledger`. Nothing is ever deleted: TTL may be days late."""

    def __init__(self) -> None:
        self.items: dict[str, Item] = {}
        self._lock = threading.Lock()

    def claim(
        self, key: str, owner: str, *, event_id: str, now: datetime, lease_until: datetime
    ) -> ClaimResult:
        with self._lock:
            item = self.items.get(key)
            if item is not None and not _claimable(item, event_id, now):
                return _blocker(item, owner, now)
            attempts = item.attempts + 1 if item else 1
            expires_at = now + CLAIM_KEPT
            self.items[key] = Item("CLAIMED", owner, event_id, attempts, expires_at, lease_until)
            return Claimed(attempts)

    def sent(self, key: str, owner: str, *, now: datetime, expires_at: datetime) -> None:
        del now
        self._leave(key, owner, "SENT", expires_at, None)

    def retry(self, key: str, owner: str, *, not_before: datetime, expires_at: datetime) -> None:
        self._leave(key, owner, "RETRY", expires_at, not_before)

    def dead(self, key: str, owner: str, *, reason: str, expires_at: datetime) -> None:
        del reason
        self._leave(key, owner, "DEAD", expires_at, None)

    def _leave(
        self, key: str, owner: str, state: str, expires_at: datetime, due: datetime | None
    ) -> None:
        with self._lock:
            item = self.items.get(key)
            if item is not None and (item.owner, item.state) == (owner, state):
                return
            if item is None or (item.owner, item.state) != (owner, "CLAIMED"):
                raise ClaimLost(key)
            item.state, item.expires_at, item.due = state, expires_at, due


def _claimable(item: Item, event_id: str, now: datetime) -> bool:
    if item.expires_at.timestamp() < int(now.timestamp()):
        return True
    if item.state in ("SENT", "DEAD"):
        return item.event_id != event_id
    return item.state in ("CLAIMED", "RETRY") and item.due is not None and item.due <= now


def _blocker(item: Item, owner: str, now: datetime) -> ClaimResult:
    if item.state == "SENT":
        return AlreadyDone("SENT")
    if item.state == "DEAD":
        return AlreadyDone("DEAD")
    if item.state == "CLAIMED" and item.owner == owner:
        return Claimed(item.attempts)
    return ClaimedByOther(item.due or now)
