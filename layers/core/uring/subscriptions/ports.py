"""FCM as subscriptions need it."""

from dataclasses import dataclass
from typing import Literal, Protocol

from uring.push.ports import RetryLater


@dataclass(frozen=True, slots=True)
class Done:
    """It is as it was asked for, whether it had been before or not."""


@dataclass(frozen=True, slots=True)
class UnknownDevice:
    """FCM does not know the id: the app is gone, or its registration has run out."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal of the id, for good.

    Attributes:
        cause: ``foreign``, the id is of another Firebase project; ``invalid``, FCM takes it for
            none.
    """

    cause: Literal["foreign", "invalid"]


@dataclass(frozen=True, slots=True)
class TopicRefused:
    """A refusal of one topic, for good; the id is good for others.

    Attributes:
        topic: its name.
        reason: FCM's codes, for the log.
    """

    topic: str
    reason: str


TopicResult = Done | UnknownDevice | Refused | TopicRefused | RetryLater


class Topics(Protocol):
    """The topics of devices."""

    def subscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        """Subscribe a device with one request; doing it again changes nothing.

        No result names the device.

        Raises:
            Retryable: the credentials could not be read; nothing was sent.
        """
        ...

    def unsubscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        """End a subscription, whether there is one or not. Returns and raises as `subscribe`."""
        ...
