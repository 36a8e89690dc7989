"""The cost of services: capped per page and day, recorded per job.

    reserve the estimate ─► call ─► settle the difference

A crash in between leaves the estimate on the day's account: the account is never below the cost.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from uring.clock import Clock
from uring.documents.names import COST_PREFIX
from uring.errors import Permanent, WriteConflict
from uring.tables import NOTHING, Add, Table, Write

_MICROS: Final = 1_000_000
_MOST_TRIES: Final = 8
_KEPT: Final = timedelta(days=8)


class CapReached(Permanent):
    """Raised when a cost would exceed the daily budget of a page."""


class DailyBudget:
    """The daily budgets of pages.

    Args:
        cap_micros: the budget of each page, in millionths of a dollar.
    """

    def __init__(self, table: Table, *, cap_micros: int, clock: Clock) -> None:
        self._table = table
        self._cap = cap_micros
        self._clock = clock

    def spend(self, page: str, record: Callable[[int], None]) -> "PageSpend":
        """Return the account of a page for one job.

        Args:
            page: the page that pays.
            record: called with the micros of each settled call.
        """
        return PageSpend(self, page, record)

    def add(self, page: str, micros: int) -> str:
        """Add to the day's account of a page; return the account's key.

        Raises:
            CapReached: the sum would exceed the cap; nothing was added.
            WriteConflict: other jobs of the page kept writing the account.
        """
        now = self._clock()
        key = f"{COST_PREFIX}{now:%Y-%m-%d}"
        for _ in range(_MOST_TRIES):
            stored = self._table.get(page, key)
            said = (stored or {}).get("micros")
            spent = said if isinstance(said, int) else 0
            if spent + micros > self._cap:
                raise CapReached(
                    f"{page}: {spent / _MICROS:.2f} of {self._cap / _MICROS:.2f} dollars are spent "
                    f"today and this asks for {micros / _MICROS:.4f}; wait until 00:00 UTC, or "
                    "raise the parameter DocumentDailyDollars"
                )
            item = {
                **(stored or {}),
                "micros": spent + micros,
                "expires_at": int((now + _KEPT).timestamp()),
            }
            if self._table.transact(page, [Write(key, item, stored or NOTHING)]):
                return key
        raise WriteConflict(
            f"{page}:{key}: other writes came first in every try; it is tried again"
        )

    def correct(self, page: str, key: str, micros: int) -> None:
        """Add a difference, also a negative one, to a day's account; zero writes nothing."""
        if micros:
            self._table.transact(page, [Add(key, {"micros": micros})])


class PageSpend:
    """The account of a page for one job; implements `uring.documents.work.ports.Spend`."""

    def __init__(self, budget: DailyBudget, page: str, record: Callable[[int], None]) -> None:
        self._budget = budget
        self._page = page
        self._record = record
        self._key = ""
        self.spent = 0

    def reserve(self, micros: int) -> None:
        """Take an estimate from the day's account before a call.

        Raises:
            CapReached: the estimate exceeds the rest of the day's budget.
        """
        self._key = self._budget.add(self._page, micros)

    def settle(self, reserved: int, actual: int) -> None:
        """Correct the account after a call, and record the call's cost."""
        self._budget.correct(self._page, self._key, actual - reserved)
        self.spent += actual
        self._record(actual)
