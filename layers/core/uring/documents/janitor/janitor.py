"""The janitor's daily round: expired jobs, then page after page, then the mark (D3).

    schedule ─► jobs ─► pages ─ time over ─► another invocation ─► pages … ─► system:purged

The mark is written last: it shows that the whole round was done. A crash in the middle leaves the
old mark. Lambda invokes again with the same event, and pages already swept have nothing left to do.
"""

from collections.abc import Callable
from typing import Any, Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from uring.clock import Clock, timestamp
from uring.documents.janitor.pages import PageSweeper, Swept
from uring.documents.names import JOBS, PAGES, PURGED, SYSTEM, is_page
from uring.errors import UringError
from uring.objects import Bucket
from uring.runtime.going_on import Continues, continued, going_on
from uring.runtime.invocation import scheduled_at
from uring.runtime.telemetry import Telemetry
from uring.tables import Item, Table, Write

# Kept for the page under way, which may wait for a lock.
_MARGIN_SECONDS: Final = 240


class JanitorRound(BaseModel):
    """A round under way, and the event that continues it.

    Attributes:
        at: when it was scheduled.
        after: the last page that was swept; empty at the start.
        pages: swept so far; the sweep of ``failed`` of them failed.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    at: AwareDatetime
    after: str = Field(default="", max_length=128)
    pages: int = 0
    failed: int = 0


class Janitor:
    """Sweeps all pages."""

    def __init__(
        self,
        table: Table,
        bucket: Bucket,
        sweeper: PageSweeper,
        go_on: Continues,
        telemetry: Telemetry,
        *,
        clock: Clock,
    ) -> None:
        self._table = table
        self._bucket = bucket
        self._sweeper = sweeper
        self._go_on = go_on
        self._telemetry = telemetry
        self._clock = clock

    def work(self, event: dict[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Start a round for a schedule's event, or continue a round.

        A page whose sweep fails is logged and counted; the round goes on.

        Raises:
            MalformedMessage: the event is neither.
            Retryable: Lambda invokes again with the same event.
        """
        round_ = continued(event, JanitorRound)
        if round_ is None:
            round_ = JanitorRound(at=scheduled_at(event))
            self._expire_jobs()
        swept = Swept()
        for page in self._bucket.folders(PAGES, round_.after):
            if not is_page(page):
                # The reserved partitions have such names, and every writer may create a folder.
                continue
            if time_left() < _MARGIN_SECONDS:
                self._go_on(going_on(round_))
                self._tell(round_, swept, is_over=False)
                return {"pages": round_.pages, "is_complete": False}
            failed = round_.failed
            try:
                swept += self._sweeper.sweep(page)
            except Exception as error:  # noqa: BLE001 - one page keeps no other from being swept
                failed += 1
                is_bug = not isinstance(error, UringError)
                self._telemetry.problem("sweep_failed", page=page, reason=str(error), trace=is_bug)
                self._telemetry.count("PagesFailed")
            update = {"after": page, "pages": round_.pages + 1, "failed": failed}
            round_ = round_.model_copy(update=update)
        mark: Item = {
            "at": timestamp(self._clock()),
            "scheduled_at": timestamp(round_.at),
            "pages": round_.pages,
            "failed": round_.failed,
        }
        self._table.transact(SYSTEM, [Write(PURGED, mark)])
        self._tell(round_, swept, is_over=True)
        return {"pages": round_.pages, "is_complete": True}

    def _expire_jobs(self) -> None:
        """Remove expired statuses that DynamoDB has not removed yet."""
        now = self._clock().timestamp()
        for job, item in self._table.query(JOBS, ""):
            expires_at = item.get("expires_at")
            if isinstance(expires_at, int) and expires_at < now:
                self._table.transact(JOBS, [Write(job, None, {"expires_at": expires_at})])

    def _tell(self, round_: JanitorRound, swept: Swept, *, is_over: bool) -> None:
        self._telemetry.event(
            "swept",
            pages=round_.pages,
            failed=round_.failed,
            is_over=is_over,
            bodies=swept.bodies,
            items=swept.items,
            refreshed=swept.refreshed,
            deleted=swept.deleted,
        )
        for name, count in (
            ("PagesDeleted", swept.deleted),
            ("BodiesRemoved", swept.bodies),
            ("AttachmentsMissed", swept.refreshed),
        ):
            if count:
                self._telemetry.count(name, count)
