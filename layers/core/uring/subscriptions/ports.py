"""FCM as subscriptions need it."""

from dataclasses import dataclass
from typing import Literal, Protocol

from uring.push.ports import RetryLater


@dataclass(frozen=True, slots=True)
class Done:
    """The subscription is as requested; it may have been so before."""


@dataclass(frozen=True, slots=True)
class UnknownDevice:
    """FCM does not know the id: the app was removed, or its registration has expired."""


@dataclass(frozen=True, slots=True)
class IdRefused:
    """A permanent refusal of the id.

    Attributes:
        cause: ``foreign``: the id belongs to another Firebase project; ``invalid``: FCM does not
            accept it as an id.
    """

    cause: Literal["foreign", "invalid"]


@dataclass(frozen=True, slots=True)
class TopicRefused:
    """A permanent refusal of one topic; the id is valid for other topics.

    Attributes:
        topic: its name.
        reason: FCM's codes, for the log.
    """

    topic: str
    reason: str


TopicResult = Done | UnknownDevice | IdRefused | TopicRefused | RetryLater


class Topics(Protocol):
    """The subscriptions of devices to topics."""

    def subscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        """Subscribe a device with one request; a repeat changes nothing.

        No result names the device.

        Raises:
            Retryable: the credentials could not be read; nothing was sent.
        """
        ...

    def unsubscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        """End a subscription; a missing one is not an error. Returns and raises as `subscribe`."""
        ...
