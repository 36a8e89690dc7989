"""The notifier's ports: the ledger and FCM."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol

from uring.errors import UringError
from uring.push.payload import Push


class ClaimLost(UringError):
    """Raised when the claim ran out and another notifier has it; the ledger was not changed."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The caller's claim, until its lease ends; ``attempts`` counts this attempt, too."""

    attempts: int


@dataclass(frozen=True, slots=True)
class AlreadyDone:
    """A push that was sent or given up before."""

    state: Literal["SENT", "DEAD"]


@dataclass(frozen=True, slots=True)
class ClaimedByOther:
    """Another notifier's live claim, or a retry that is not due before ``until``."""

    until: datetime


ClaimResult = Claimed | AlreadyDone | ClaimedByOther


class Ledger(Protocol):
    """The claims on pushes: each push is made once (N10).

        absent | expired | lease over | RETRY due ─► CLAIMED ─► SENT | RETRY(not_before) | DEAD

    Conditions compare the clock themselves: DynamoDB deletes expired items days late. Every exit is
    conditional on the owner, so a notifier without its claim cannot change a later one. SENT and
    DEAD block their own event only: a restored or rebuilt state may give the same revision to
    another content, and that is another push.
    """

    def claim(
        self, key: str, owner: str, *, event_id: str, now: datetime, lease_until: datetime
    ) -> ClaimResult:
        """Try to claim a push; a repeated call with the same owner returns the same claim.

        Raises:
            Unavailable: no answer.
            Misconfigured: the table is missing, or access is denied.
        """
        ...

    def sent(self, key: str, owner: str, *, now: datetime, expires_at: datetime) -> None:
        """Record that FCM accepted the push; kept until ``expires_at``.

        Raises:
            ClaimLost: another notifier has the claim by now.
            Unavailable: no answer.
        """
        ...

    def retry(self, key: str, owner: str, *, not_before: datetime, expires_at: datetime) -> None:
        """Return the claim; nobody can claim the push before ``not_before``. Raises as `sent`."""
        ...

    def dead(self, key: str, owner: str, *, reason: str, expires_at: datetime) -> None:
        """Record that this push can never succeed. Raises as `sent`."""
        ...


Cause = Literal[
    "invalid",  # the message, its topic or its size
    "unauthorised",  # 401
    "forbidden",  # 403
    "not_found",  # 404, the project is unknown
    "redirected",  # FCM is not at this address
    "quota",  # 429, without a word on its subject
    "quota_project",
    "quota_topic",
    "quota_device",
    "unavailable",
    "no_answer",  # time-out, or the connection broke
    "unreadable",  # perhaps accepted, but FCM's name for the message is missing
    "credentials",  # the key is missing, broken or refused by Google
    "token",  # Google's token endpoint does not answer
    "",
]
"""One stable word for the cause of a refused push, for logs, metrics and remedies."""

BLOCKED: Final[frozenset[Cause]] = frozenset(
    {"unauthorised", "forbidden", "not_found", "redirected", "credentials"}
)
"""Causes that need an operator: key, project or endpoint are wrong, and every push fails."""

QUOTA: Final[frozenset[Cause]] = frozenset(
    {"quota", "quota_project", "quota_topic", "quota_device"}
)
"""Causes that pass by themselves, if less is sent: back off from a minute, doubling."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that FCM accepted, with the ``name`` that FCM gave it."""

    name: str


@dataclass(frozen=True, slots=True)
class RetryLater:
    """A passing refusal, or no clear response: try again after ``after_seconds`` at the earliest.

    ``delivered`` is ``open`` when FCM may have delivered the message all the same.
    """

    reason: str
    after_seconds: int = 0
    delivered: Literal["no", "open"] = "no"
    cause: Cause = ""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A permanent refusal: the message or its topic is wrong."""

    reason: str
    cause: Cause = ""


SendResult = Sent | RetryLater | Rejected


class Sender(Protocol):
    """FCM as a sender of pushes."""

    def send(self, push: Push) -> SendResult:
        """Send the push with one POST, never more.

        Raises:
            Retryable: the credentials could not be read; nothing was posted.
        """
        ...
