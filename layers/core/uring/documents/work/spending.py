"""Money: nothing is called before its cost is reserved, and each call settles its own."""

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

    A refused call costs nothing. One without an answer costs all that was reserved: it may have
    been done. So does one that dies here.

    Args:
        spend: the account.
        most: micro-dollars that the call may cost.
        call: the call.
        cost: micro-dollars of its answer.
        keep: stores the answer, before the account is put right.

    Raises:
        CapReached: the account does not have it; nothing was called.
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
