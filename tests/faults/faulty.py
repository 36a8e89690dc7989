"""A layer around the ports that breaks the k-th I/O.

die_before    the process ends before the call reaches the service
die_after     it ends after the call took effect
lost_answer   the call takes effect, its answer is lost, the client sends it again
no_answer     the call takes effect, its answer is lost, the client gives up
refused       the call does not reach the service, the client gives up
contended     S3 answers 409
partial       the queue refuses the entry in the middle of a batch and takes the others, as SQS may;
              of the airports only the first half answer
pause         the process stalls before the call; others run on, then it goes on

Each call has the kinds that differ in effect: a read that dies after is a read that dies before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from fakes import Died, MemoryQueue

from uring.errors import Contended, FetchFailed, Permanent, Unavailable
from uring.fetch.http import Fetches, Response
from uring.fetch.request import Request
from uring.objects import Bucket, Listed, ObjectHead, OpenObject, Stored
from uring.push.payload import Push
from uring.push.ports import (
    ClaimResult,
    Ledger,
    RetryLater,
    Sender,
    SendResult,
)
from uring.runtime.batches import BatchRecord, SourceQueue
from uring.seeds.domains.refill import Pulls
from uring.tables import Item, Part, PutTable

T = TypeVar("T")

_WRITE: Final = ("die_before", "die_after", "lost_answer", "no_answer", "refused", "pause")
KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "objects.get": ("die_before", "refused", "pause"),
    "objects.put": (*_WRITE, "contended"),
    "objects.remove": _WRITE,
    "objects.past": ("die_before", "refused", "pause"),
    "bucket.head": ("die_before", "refused", "pause"),
    "bucket.open": ("die_before", "refused", "pause"),
    "bucket.read": ("die_before", "refused", "pause"),
    "bucket.write": _WRITE,
    "bucket.list": ("die_before", "refused", "pause"),
    "fetch": ("die_before", "no_answer", "pause"),
    "gateway.ask": ("die_before", "no_answer", "partial", "pause"),
    "outlet.send": (*_WRITE, "partial"),
    "table.get": ("die_before", "refused", "pause"),
    "table.put": ("die_before", "die_after", "no_answer", "refused", "pause"),
    "table.query": ("die_before", "refused", "pause"),
    # By its token, a transaction that the client sends again is the same one.
    "table.transact": ("die_before", "die_after", "no_answer", "refused", "pause"),
    "extract": ("die_before", "no_answer", "pause"),
    "service.ask": ("die_before", "die_after", "no_answer", "refused", "pause"),
    "invoke": _WRITE,
    "ledger.claim": _WRITE,
    "ledger.sent": _WRITE,
    "ledger.retry": _WRITE,
    "ledger.dead": _WRITE,
    "sender.send": ("die_before", "die_after", "no_answer", "refused", "pause"),
    "pulls.receive": ("die_before", "die_after", "no_answer", "refused", "pause"),
    "pulls.delete": ("die_before", "die_after", "no_answer", "refused", "pause"),
    "returns.defer": ("die_before", "die_after", "refused", "pause"),
    "returns.reject": _WRITE,
    "returns.renew": _WRITE,
    "acknowledge": ("refused",),
}


@dataclass(frozen=True, slots=True)
class Broken:
    """A fault that happened; ``subject`` is the change it happened to, where there is one."""

    kind: str
    call: str
    subject: str | None

    def __str__(self) -> str:
        return f"{self.kind} {self.call}"


class Faults:
    """Counts the I/O of a run and breaks it where it is told to.

    Args:
        plan: the kind of fault by the number of the call, from 0. A kind that this call does not
            have is passed over.
        meanwhile: what others do during a pause.
    """

    def __init__(
        self, plan: Mapping[int, str] | None = None, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        self.calls: list[str] = []
        self.broken: list[Broken] = []
        self.counting = True
        self.plan = dict(plan or {})
        self._meanwhile = meanwhile

    def call(
        self,
        name: str,
        action: Callable[[], T],
        *,
        subject: str | None = None,
        no_answer: Callable[[], T] | None = None,
        partial: Callable[[], T] | None = None,
    ) -> T:
        """Do it, or break it.

        Args:
            name: of the call, a key of `KINDS`.
            action: the call itself.
            subject: the change that it is about.
            no_answer: what the caller sees when no answer comes; Unavailable is raised by default.
            partial: how a part of it is done.
        """
        if not self.counting:
            return action()
        kind = self.plan.get(len(self.calls))
        self.calls.append(name)
        if kind not in KINDS[name]:
            return action()
        self.broken.append(Broken(kind, name, subject))
        if kind == "contended":
            raise Contended(name)
        if kind == "pause":
            self._meanwhile()
            return action()
        if kind == "partial" and partial:
            return partial()
        return _cut_off(kind, name, action, no_answer)


def _cut_off(kind: str, name: str, action: Callable[[], T], no_answer: Callable[[], T] | None) -> T:
    """Die before or after it, or let the request or the answer get lost."""
    if kind not in ("die_before", "refused"):
        action()
    if kind in ("die_before", "die_after"):
        raise Died(name)
    if kind == "lost_answer":
        return action()
    if no_answer is None:
        raise Unavailable(name)
    return no_answer()


class Mortal(Faults):
    """The I/O of one process among those of a run: once it died, it does nothing more.

    Else a ``finally`` of it would tidy up behind its death.
    """

    def __init__(self, faults: Faults) -> None:
        super().__init__()
        self._faults = faults
        self._is_dead = False

    def call(
        self,
        name: str,
        action: Callable[[], T],
        *,
        subject: str | None = None,
        no_answer: Callable[[], T] | None = None,
        partial: Callable[[], T] | None = None,
    ) -> T:
        if self._is_dead:
            raise Died(name)
        try:
            return self._faults.call(
                name, action, subject=subject, no_answer=no_answer, partial=partial
            )
        except Died:
            self._is_dead = True
            raise


class FaultyBucket:
    """A bucket whose calls may break, reads of a large object among them."""

    def __init__(self, inner: Bucket, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def get(self, key: str) -> Stored | None:
        return self._faults.call("objects.get", lambda: self._inner.get(key))

    def put(
        self,
        key: str,
        body: bytes,
        *,
        if_match: str | None,
        content_type: str,
        cache_control: str | None = None,
    ) -> str:
        return self._faults.call(
            "objects.put",
            lambda: self._inner.put(
                key,
                body,
                if_match=if_match,
                content_type=content_type,
                cache_control=cache_control,
            ),
        )

    def past(self, key: str) -> Iterator[bytes]:
        return iter(self._faults.call("objects.past", lambda: [*self._inner.past(key)]))

    def head(self, key: str) -> ObjectHead | None:
        return self._faults.call("bucket.head", lambda: self._inner.head(key))

    def open(self, key: str) -> OpenObject | None:
        reading = self._faults.call("bucket.open", lambda: self._inner.open(key))
        return None if reading is None else FaultyReading(reading, self._faults)

    def write(
        self, key: str, body: bytes, content_type: str, metadata: Mapping[str, str] | None = None
    ) -> None:
        self._faults.call(
            "bucket.write",
            lambda: self._inner.write(key, body, content_type, metadata),
            subject=key,
        )

    def list(self, prefix: str, after: str = "") -> Iterator[Listed]:
        return iter(self._faults.call("bucket.list", lambda: [*self._inner.list(prefix, after)]))

    def folders(self, prefix: str, after: str = "") -> Iterator[str]:
        return iter(self._faults.call("bucket.list", lambda: [*self._inner.folders(prefix, after)]))

    def remove(self, key: str) -> None:
        self._faults.call("objects.remove", lambda: self._inner.remove(key))


class FaultyReading:
    """A body under way whose connection may break."""

    def __init__(self, inner: OpenObject, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults
        self.etag, self.size = inner.etag, inner.size

    def read(self, amount: int) -> bytes:
        return self._faults.call("bucket.read", lambda: self._inner.read(amount))

    def close(self) -> None:
        self._inner.close()


class FaultySqs:
    """The client of SQS over the notify queue, for the adapter itself; its calls may break."""

    def __init__(self, queue: MemoryQueue, faults: Faults) -> None:
        self._queue = queue
        self._faults = faults

    def send_message_batch(self, *, QueueUrl: str, Entries: Sequence[Any]) -> dict[str, Any]:  # noqa: N803
        del QueueUrl
        middle = Entries[len(Entries) // 2]["Id"]
        return self._faults.call(
            "outlet.send",
            lambda: self._take(Entries),
            partial=lambda: self._take(Entries, refused=middle),
        )

    def _take(self, entries: Sequence[Any], refused: str = "") -> dict[str, Any]:
        taken = [entry for entry in entries if entry["Id"] != refused]
        for entry in taken:
            self._queue.send(
                entry["MessageGroupId"], entry["MessageDeduplicationId"], entry["MessageBody"]
            )
        failed = [{"Id": entry["Id"]} for entry in entries if entry not in taken]
        return {"Successful": [{"Id": entry["Id"]} for entry in taken], "Failed": failed}


class FaultyTable:
    """A key-value table whose calls may break."""

    def __init__(self, inner: PutTable, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def get(self, partition: str, key: str) -> Item | None:
        return self._faults.call("table.get", lambda: self._inner.get(partition, key))

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        return iter(
            self._faults.call("table.query", lambda: [*self._inner.query(partition, prefix, after)])
        )

    def put(self, partition: str, key: str, item: Item) -> None:
        self._faults.call("table.put", lambda: self._inner.put(partition, key, item))

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        return self._faults.call("table.transact", lambda: self._inner.transact(partition, parts))


class FaultyFetcher:
    """A site that may not answer."""

    def __init__(self, inner: Fetches, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def fetch(self, request: Request) -> Response:
        def no_answer() -> Response:
            raise FetchFailed("timeout", "no answer")

        return self._faults.call("fetch", lambda: self._inner.fetch(request), no_answer=no_answer)


class FaultyLedger:
    """A ledger whose calls may break."""

    def __init__(self, inner: Ledger, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def claim(
        self, key: str, owner: str, *, event_id: str, now: datetime, lease_until: datetime
    ) -> ClaimResult:
        return self._faults.call(
            "ledger.claim",
            lambda: self._inner.claim(
                key, owner, event_id=event_id, now=now, lease_until=lease_until
            ),
            subject=key,
        )

    def sent(self, key: str, owner: str, *, now: datetime, expires_at: datetime) -> None:
        self._faults.call(
            "ledger.sent",
            lambda: self._inner.sent(key, owner, now=now, expires_at=expires_at),
            subject=key,
        )

    def retry(self, key: str, owner: str, *, not_before: datetime, expires_at: datetime) -> None:
        self._faults.call(
            "ledger.retry",
            lambda: self._inner.retry(key, owner, not_before=not_before, expires_at=expires_at),
            subject=key,
        )

    def dead(self, key: str, owner: str, *, reason: str, expires_at: datetime) -> None:
        self._faults.call(
            "ledger.dead",
            lambda: self._inner.dead(key, owner, reason=reason, expires_at=expires_at),
            subject=key,
        )


class FaultySender:
    """FCM, whose answers may be lost; nothing sends again by itself."""

    def __init__(self, inner: Sender, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def send(self, push: Push) -> SendResult:
        data = push.data
        return self._faults.call(
            "sender.send",
            lambda: self._inner.send(push),
            subject=f"{data['dept']}#{data['id']}#{data['revision']}",
            no_answer=lambda: RetryLater("no answer", delivered="open"),
        )


class FaultySourceQueue:
    """The way back to the queue, which may break; a deferral that fails is only reported."""

    def __init__(self, inner: SourceQueue, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def defer(self, records: Sequence[BatchRecord], seconds: int) -> None:
        self._faults.call(
            "returns.defer",
            lambda: self._inner.defer(records, seconds),
            no_answer=lambda: None,
        )

    def reject(self, record: BatchRecord, error: Permanent) -> None:
        self._faults.call("returns.reject", lambda: self._inner.reject(record, error))

    def renew(self, record: BatchRecord, *, waits: bool = False) -> None:
        self._faults.call("returns.renew", lambda: self._inner.renew(record, waits=waits))


class FaultyPulls:
    """A `Pulls` whose calls fail."""

    def __init__(self, real: Pulls, faults: Faults) -> None:
        self._real = real
        self._faults = faults

    def receive(self, most: int) -> Sequence[Mapping[str, Any]]:
        return self._faults.call("pulls.receive", lambda: self._real.receive(most))

    def delete(self, records: Sequence[Mapping[str, Any]]) -> None:
        self._faults.call("pulls.delete", lambda: self._real.delete(records))
