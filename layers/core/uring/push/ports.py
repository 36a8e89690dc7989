"""The notifier's ports: the ledger and FCM."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol

from uring.errors import UringError
from uring.push.payload import Push


class ClaimLost(UringError):
    """The claim ran out and another notifier holds it now; the ledger was not touched."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim of our own, until its lease ends; ``attempts`` counts this one."""

    attempts: int


@dataclass(frozen=True, slots=True)
class AlreadyDone:
    """A push that was sent, or given up, before."""

    state: Literal["SENT", "DEAD"]


@dataclass(frozen=True, slots=True)
class ClaimedByOther:
    """Another notifier's live claim, or a retry that is not due before ``until``."""

    until: datetime


ClaimResult = Claimed | AlreadyDone | ClaimedByOther


class Ledger(Protocol):
    """The claims on pushes: each is made once (N10).

        absent | expired | lease over | RETRY due ─► CLAIMED ─► SENT | RETRY(not_before) | DEAD

    A condition compares the clock itself: DynamoDB deletes expired items days late. Every exit is
    conditioned on the owner, so a notifier that lost its claim cannot change what came after. SENT
    and DEAD hold back their own event: a state that was restored, or taken anew, may give the same
    revision to another content, and that is another push.
    """

    def claim(
        self, key: str, owner: str, *, event_id: str, now: datetime, lease_until: datetime
    ) -> ClaimResult:
        """Try to become the owner. Asking again with the same owner gives the same claim.

        Raises:
            Unavailable: no answer.
            Misconfigured: no such table, or no permission.
        """
        ...

    def sent(self, key: str, owner: str, *, now: datetime, expires_at: datetime) -> None:
        """Record that FCM accepted the push; kept until ``expires_at``.

        Raises:
            ClaimLost: the claim is another's by now.
            Unavailable: no answer.
        """
        ...

    def retry(self, key: str, owner: str, *, not_before: datetime, expires_at: datetime) -> None:
        """Give the claim back; nobody may claim before ``not_before``. Raises as `sent`."""
        ...

    def dead(self, key: str, owner: str, *, reason: str, expires_at: datetime) -> None:
        """Record that this push can never succeed. Raises as `sent`."""
        ...


Cause = Literal[
    "invalid",  # the message, its topic or its size
    "unauthorised",  # 401
    "forbidden",  # 403
    "not_found",  # 404, no such project
    "redirected",  # no FCM at this address
    "quota",
    "unavailable",
    "no_answer",  # time-out, or the connection broke
    "unreadable",  # accepted perhaps, but FCM's name for the message is missing
    "credentials",  # no key, a broken one, or one that Google refuses
    "token",  # Google's token endpoint does not answer
    "",
]
"""One stable word for why a push was not taken, for logs, metrics and remedies."""

BLOCKED: Final[frozenset[Cause]] = frozenset(
    {"unauthorised", "forbidden", "not_found", "redirected", "credentials"}
)
"""Causes that no wait mends: key, project or endpoint are wrong, and every push meets them."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that FCM took, under the ``name`` that FCM gave it."""

    name: str


@dataclass(frozen=True, slots=True)
class RetryLater:
    """A refusal for now, or no clear response: try again no sooner than ``after_seconds``.

    ``delivered`` is open when FCM may have delivered the message all the same.
    """

    reason: str
    after_seconds: int = 0
    delivered: Literal["no", "open"] = "no"
    cause: Cause = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A refusal for good: the message or its topic is wrong."""

    reason: str
    cause: Cause = ""


SendResult = Sent | RetryLater | Rejected


class Sender(Protocol):
    """FCM."""

    def send(self, push: Push) -> SendResult:
        """Send the push with one POST, never more.

        Raises:
            Retryable: the credentials could not be read; nothing was posted.
        """
        ...
