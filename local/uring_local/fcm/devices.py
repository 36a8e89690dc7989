"""The devices of the FCM stand-in: the topics of each, and the messages that wait for it.

A device is known from its first subscription on. It is one browser or phone: each message comes to
it once, whoever listens, and waits for it where nobody does.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

# FCM keeps a hundred messages for a device that is away.
MOST_WAITING: Final = 100


class Devices:
    """Topics and messages by the id of a device; in memory, safe between threads."""

    def __init__(self) -> None:
        self._topics: defaultdict[str, set[str]] = defaultdict(set)
        self._waiting: defaultdict[str, deque[Mapping[str, Any]]] = defaultdict(
            lambda: deque(maxlen=MOST_WAITING)
        )
        self._gone: set[str] = set()
        self._changed = threading.Condition()
        self._closed = False

    def subscribe(self, device: str, topic: str) -> bool:
        """Subscribe a device; return whether it was not yet."""
        with self._changed:
            is_new = topic not in self._topics[device]
            self._topics[device].add(topic)
            return is_new

    def unsubscribe(self, device: str, topic: str) -> bool:
        """End a subscription; return whether there was one."""
        with self._changed:
            had = topic in self._topics[device]
            self._topics[device].discard(topic)
            return had

    def topics_of(self, device: str) -> Sequence[str]:
        """Return the topics of a device, sorted."""
        with self._changed:
            return sorted(self._topics.get(device, ()))

    def remove(self, device: str) -> None:
        """Have FCM know this id no longer: the app is gone from the device."""
        with self._changed:
            self._gone.add(device)
            self._topics.pop(device, None)
            self._waiting.pop(device, None)

    def is_gone(self, device: str) -> bool:
        """Return whether the id is one that FCM knows no longer."""
        with self._changed:
            return device in self._gone

    def deliver(self, topic: str, data: Mapping[str, str], message_id: str) -> None:
        """Put a message before every device of a topic, as a browser's push has it."""
        message = {"data": dict(data), "from": f"/topics/{topic}", "fcmMessageId": message_id}
        with self._changed:
            for device, topics in self._topics.items():
                if topic in topics:
                    self._waiting[device].append(message)
            self._changed.notify_all()

    def listen(self, device: str) -> "Listener":
        """Return who takes the messages of a device."""
        return Listener(self, device)

    def take(self, device: str, seconds: float) -> Mapping[str, Any] | None:
        """Return the next message of a device; None where none came in time, or all is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting.get(device), seconds)
            waiting = self._waiting.get(device)
            return waiting.popleft() if waiting and not self._closed else None

    def put_back(self, device: str, message: Mapping[str, Any]) -> None:
        """Return a message that did not reach its device; it is the next one again."""
        with self._changed:
            waiting = self._waiting[device]
            if len(waiting) < MOST_WAITING:
                waiting.appendleft(message)
            self._changed.notify_all()

    @property
    def is_closed(self) -> bool:
        """True once the stand-in has stopped."""
        with self._changed:
            return self._closed

    def close(self) -> None:
        """Let go everybody who waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Listener:
    """Takes the messages of one device, each once."""

    def __init__(self, devices: Devices, device: str) -> None:
        self._devices = devices
        self._device = device

    def take(self, seconds: float) -> Mapping[str, Any] | None:
        """Wait for the next message; None where none came in time, or the stand-in has stopped.

        It is what a browser's push has in ``event.data``.
        """
        return self._devices.take(self._device, seconds)

    def put_back(self, message: Mapping[str, Any]) -> None:
        """Return a message that could not be handed on."""
        self._devices.put_back(self._device, message)

    @property
    def is_closed(self) -> bool:
        """True once nothing will come any more."""
        return self._devices.is_closed
