"""Accounts of paid calls: a cost is reserved before its call, and settled after it."""

from collections.abc import Callable
from typing import TypeVar

from uring.documents.work.ports import Spend
from uring.errors import UringError
from uring.language import Unanswered

R = TypeVar("R")


def charged(
    spend: Spend,
    most: int,
    call: Callable[[], R],
    *,
    cost: Callable[[R], int],
    keep: Callable[[R], None],
) -> R:
    """Return the answer of a paid call, and account for it.

    A refused call costs nothing. A call without an answer costs all that was reserved: the service
    may have done it. So does a crash during the call.

    Args:
        spend: the account.
        most: the most micro-dollars that the call may cost.
        call: makes the call.
        cost: returns the micro-dollars of an answer.
        keep: stores the answer, before the account is settled.

    Raises:
        CapReached: the rest of the budget is smaller; no call was made.
    """
    spend.reserve(most)
    try:
        answer = call()
    except Unanswered:
        spend.settle(most, most)
        raise
    except UringError:
        spend.settle(most, 0)
        raise
    try:
        keep(answer)
    finally:
        spend.settle(most, cost(answer))
    return answer
