"""The cost of services: capped per day for a page and for the stack, recorded per job.

    reserve the estimate ─► call ─► settle the difference

A crash in between leaves the estimate on the day's accounts: an account is never below the cost.
Both accounts are written in one transaction. The page's is compared with what was read, for its
workers are few. The stack's is one item for all workers: its ceiling is a condition of the
addition, which others' additions do not break.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from uring.clock import Clock
from uring.documents.names import COST_PREFIX, SYSTEM
from uring.errors import Permanent, WriteConflict
from uring.tables import NOTHING, Add, Item, Table, Write

_MICROS: Final = 1_000_000
_MOST_TRIES: Final = 8
_KEPT: Final = timedelta(days=8)


class CapReached(Permanent):
    """Raised when a cost would exceed the daily budget of a page."""


class StackCapReached(CapReached):
    """Raised when a cost would exceed the daily budget of all pages together."""


class DailyBudget:
    """The daily budgets of pages, and of the stack.

    Args:
        cap_micros: the budget of each page, in millionths of a dollar.
        stack_micros: the budget of all pages together.
    """

    def __init__(self, table: Table, *, cap_micros: int, stack_micros: int, clock: Clock) -> None:
        self._table = table
        self._cap = cap_micros
        self._stack_cap = stack_micros
        self._clock = clock

    def spend(self, page: str, record: Callable[[int], None]) -> "PageSpend":
        """Return the account of a page for one job.

        Args:
            page: the page that pays.
            record: called with the micros of each settled call.
        """
        return PageSpend(self, page, record)

    def add(self, page: str, micros: int) -> str:
        """Add to the day's accounts of a page and of the stack; return the accounts' key.

        Raises:
            CapReached: the page's sum would exceed its cap; nothing was added.
            StackCapReached: the stack's sum would exceed its cap; nothing was added.
            WriteConflict: other jobs of the page kept writing the account.
        """
        now = self._clock()
        key = f"{COST_PREFIX}{now:%Y-%m-%d}"
        for _ in range(_MOST_TRIES):
            stored = self._table.get(page, key)
            spent = _micros(stored)
            if spent + micros > self._cap:
                raise CapReached(_refusal(page, spent, self._cap, micros, "DocumentDailyDollars"))
            stack = self._table.get(SYSTEM, key)
            spent_by_all = _micros(stack)
            if spent_by_all + micros > self._stack_cap:
                raise StackCapReached(
                    _refusal(
                        f"{page}: all pages together",
                        spent_by_all,
                        self._stack_cap,
                        micros,
                        "DocumentStackDollars",
                    )
                )
            parts = [
                Write(key, _raised(stored, micros, now), stored or NOTHING),
                self._addition(key, stack, micros, now),
            ]
            if self._table.transact(page, parts):
                return key
        raise WriteConflict(
            f"{page}:{key}: other writes came first in every try; it is tried again"
        )

    def _addition(self, key: str, stack: Item | None, micros: int, now: datetime) -> Add | Write:
        # The day's first, and an account that an edit spoiled, are written whole.
        if stack is None or not isinstance(stack.get("micros"), int):
            return Write(key, _raised(stack, micros, now), stack or NOTHING, SYSTEM)
        return Add(key, {"micros": micros}, {"micros": self._stack_cap - micros}, SYSTEM)

    def correct(self, page: str, key: str, micros: int) -> None:
        """Add a difference, also a negative one, to a day's accounts; zero writes nothing."""
        if micros:
            amounts = {"micros": micros}
            self._table.transact(page, [Add(key, amounts), Add(key, amounts, partition=SYSTEM)])


def _micros(account: Item | None) -> int:
    said = (account or {}).get("micros")
    return said if isinstance(said, int) else 0


def _raised(account: Item | None, micros: int, now: datetime) -> Item:
    return {
        **(account or {}),
        "micros": _micros(account) + micros,
        "expires_at": int((now + _KEPT).timestamp()),
    }


def _refusal(payer: str, spent: int, cap: int, micros: int, parameter: str) -> str:
    return (
        f"{payer}: {spent / _MICROS:.2f} of {cap / _MICROS:.2f} dollars are spent today and this "
        f"asks for {micros / _MICROS:.4f}; wait until 00:00 UTC, or raise the parameter {parameter}"
    )


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
            CapReached: the estimate exceeds the rest of the day's budget, of the page or of all.
        """
        self._key = self._budget.add(self._page, micros)

    def settle(self, reserved: int, actual: int) -> None:
        """Correct the account after a call, and record the call's cost."""
        self._budget.correct(self._page, self._key, actual - reserved)
        self.spent += actual
        self._record(actual)
