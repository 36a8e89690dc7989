"""Prices, and accounts of paid calls: a cost is reserved before its call, and settled after it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from uring.documents.work.ports import Spend
from uring.errors import UringError
from uring.language import Unanswered

_THOUSAND: Final = 1_000

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of services, in millionths of a dollar (micros).

    Defaults, as public pages said in 2026; compare them with the account's own price list:

    - Amazon Translate, real-time text: 15 dollars a million characters, in every region.
    - Amazon Bedrock, Claude Sonnet on demand: 3 dollars a million input tokens, 15 a million output
      tokens; through a profile of one region, as in ap-northeast-2, a tenth more.

    Attributes:
        character: for each translated character.
        input_tokens: for a thousand tokens that a model reads.
        output_tokens: for a thousand tokens that a model writes.
    """

    character: float = 15
    input_tokens: float = 3_000
    output_tokens: float = 15_000

    def translation(self, characters: int) -> int:
        """Return the cost of a translation in micros, rounded up."""
        return math.ceil(characters * self.character)

    def conversation(self, input_tokens: int, output_tokens: int) -> int:
        """Return the cost of a conversation in micros, rounded up."""
        thousandth = input_tokens * self.input_tokens + output_tokens * self.output_tokens
        return math.ceil(thousandth / _THOUSAND)


class LeasedSpend:
    """An account under a lease: a worker that stalled past it makes no call.

    Another worker may have paid for the same call meanwhile.

    Args:
        spend: the account.
        ensure: raises once the lease is over.
    """

    def __init__(self, spend: Spend, ensure: Callable[[], None]) -> None:
        self._spend = spend
        self._ensure = ensure

    @property
    def spent(self) -> int:
        """The sum of all settled calls."""
        return self._spend.spent

    def reserve(self, micros: int) -> None:
        """Take an estimate from the account, and give it back if the lease has ended.

        Raises:
            CapReached: the rest of the budget is smaller; the call must not be made.
            LeaseLost: the lease has ended; the call must not be made.
        """
        self._spend.reserve(micros)
        try:
            self._ensure()
        except UringError:
            self._spend.settle(micros, 0)
            raise

    def settle(self, reserved: int, actual: int) -> None:
        """Correct the account after a call: replace the estimate by the actual cost."""
        self._spend.settle(reserved, actual)


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
