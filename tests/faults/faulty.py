"""A layer around the ports that breaks the k-th I/O.

die_before    the process ends before the call reaches the service
die_after     it ends after the call took effect
lost_answer   the call takes effect, its answer is lost, the client sends it again
no_answer     the call takes effect, its answer is lost, the client gives up
refused       the call does not reach the service, the client gives up
contended     S3 answers 409 (writes of objects only)
pause         the process stalls before the call; others run on, then it goes on
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from fakes import Died
from fakes.sender import Answer

from uring.batches import Record, Returns
from uring.changes.ports import ObjectStore, Outlet, Stored
from uring.contracts import ChangePublished
from uring.errors import Contended, FetchFailed, Permanent, Unavailable
from uring.fetch import Request, Response
from uring.notices.collect import Fetches
from uring.push.payload import Push
from uring.push.ports import Granted, Held, Later, Ledger, Sender, Settled

KINDS = ("die_before", "die_after", "lost_answer", "no_answer", "refused", "contended", "pause")
T = TypeVar("T")


class Faults:
    """Counts the I/O of a run and breaks it where it is told to.

    Args:
        plan: the kind of fault by the number of the call, from 0.
        meanwhile: what others do during a pause.
    """

    def __init__(self, plan: Mapping[int, str], meanwhile: Callable[[], None]) -> None:
        self.names: list[str] = []
        self.broken: list[str] = []
        self._plan = plan
        self._meanwhile = meanwhile

    def call(
        self,
        name: str,
        action: Callable[[], T],
        *,
        no_answer: Callable[[], T] | None = None,
        repeats: bool = True,
    ) -> T:
        """Do it, or break it.

        Args:
            name: of the call, as the plan's reports have it.
            action: the call itself.
            no_answer: what the caller sees when no answer comes; Unavailable is raised by default.
            repeats: whether the client sends again by itself.
        """
        kind = self._plan.get(len(self.names))
        self.names.append(name)
        if kind is None:
            return action()
        self.broken.append(f"{kind} {name}")
        if kind == "die_before":
            raise Died(name)
        if kind == "pause":
            self._meanwhile()
            return action()
        if kind == "contended" and name == "objects.put":
            raise Contended(name)
        if kind in ("refused", "contended"):
            return no_answer() if no_answer else _unavailable(name)
        action()
        if kind == "die_after":
            raise Died(name)
        if kind == "lost_answer" and repeats:
            return action()
        return no_answer() if no_answer else _unavailable(name)


def _unavailable(name: str) -> T:  # type: ignore[type-var]
    raise Unavailable(name)


class FaultyObjects:
    """An object store whose calls may break."""

    def __init__(self, inner: ObjectStore, faults: Faults) -> None:
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


class FaultyOutlet:
    """A notify queue whose calls may break."""

    def __init__(self, inner: Outlet, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def send(self, changes: Sequence[ChangePublished]) -> frozenset[str]:
        return self._faults.call("outlet.send", lambda: self._inner.send(changes))


class FaultyFetcher:
    """A site that may not answer."""

    def __init__(self, inner: Fetches, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def fetch(self, request: Request) -> Response:
        def no_answer() -> Response:
            raise FetchFailed("timeout", "no answer")

        return self._faults.call(
            "fetch", lambda: self._inner.fetch(request), no_answer=no_answer, repeats=False
        )


class FaultyLedger:
    """A ledger whose calls may break."""

    def __init__(self, inner: Ledger, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def claim(
        self, key: str, owner: str, *, event_id: str, now: datetime, lease_until: datetime
    ) -> Granted | Settled | Held:
        return self._faults.call(
            "ledger.claim",
            lambda: self._inner.claim(
                key, owner, event_id=event_id, now=now, lease_until=lease_until
            ),
        )

    def sent(self, key: str, owner: str, *, now: datetime, expires_at: datetime) -> None:
        self._faults.call(
            "ledger.sent", lambda: self._inner.sent(key, owner, now=now, expires_at=expires_at)
        )

    def retry(self, key: str, owner: str, *, not_before: datetime, expires_at: datetime) -> None:
        self._faults.call(
            "ledger.retry",
            lambda: self._inner.retry(key, owner, not_before=not_before, expires_at=expires_at),
        )

    def dead(self, key: str, owner: str, *, reason: str, expires_at: datetime) -> None:
        self._faults.call(
            "ledger.dead",
            lambda: self._inner.dead(key, owner, reason=reason, expires_at=expires_at),
        )


class FaultySender:
    """FCM, whose answers may be lost; nothing sends again by itself."""

    def __init__(self, inner: Sender, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def send(self, push: Push) -> Answer:
        return self._faults.call(
            "sender.send",
            lambda: self._inner.send(push),
            no_answer=lambda: Later("no answer", delivered="open"),
            repeats=False,
        )


class FaultyReturns:
    """The way back to the queue, which may break; a deferral that fails is only reported."""

    def __init__(self, inner: Returns, faults: Faults) -> None:
        self._inner = inner
        self._faults = faults

    def defer(self, records: Sequence[Record], seconds: int) -> None:
        self._faults.call(
            "returns.defer",
            lambda: self._inner.defer(records, seconds),
            no_answer=lambda: None,
        )

    def reject(self, record: Record, error: Permanent) -> None:
        self._faults.call("returns.reject", lambda: self._inner.reject(record, error))
