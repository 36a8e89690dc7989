"""The devices of the FCM stand-in: the topics of each, and its waiting messages.

A device exists from its first subscription on. It is one browser or phone: each message is
delivered to it once, to any listener, and waits if there is none.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

# FCM keeps a hundred messages for an offline device.
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
        """Subscribe a device; return False if it was subscribed already."""
        with self._changed:
            is_new = topic not in self._topics[device]
            self._topics[device].add(topic)
            return is_new

    def unsubscribe(self, device: str, topic: str) -> bool:
        """End a subscription; return False if there was none."""
        with self._changed:
            had = topic in self._topics[device]
            self._topics[device].discard(topic)
            return had

    def topics_of(self, device: str) -> Sequence[str]:
        """Return the topics of a device, sorted; empty for an unknown one."""
        with self._changed:
            return sorted(self._topics.get(device, ()))

    def remove(self, device: str) -> None:
        """Remove a device from FCM, as if its app was uninstalled."""
        with self._changed:
            self._gone.add(device)
            self._topics.pop(device, None)
            self._waiting.pop(device, None)

    def is_gone(self, device: str) -> bool:
        """Return True if the device was removed."""
        with self._changed:
            return device in self._gone

    def deliver(self, topic: str, data: Mapping[str, str], message_id: str) -> None:
        """Queue a message for every device of a topic, in the form of a browser's push."""
        message = {"data": dict(data), "from": f"/topics/{topic}", "fcmMessageId": message_id}
        with self._changed:
            for device, topics in self._topics.items():
                if topic in topics:
                    self._waiting[device].append(message)
            self._changed.notify_all()

    def listen(self, device: str) -> "DeviceListener":
        """Return a listener for the messages of a device."""
        return DeviceListener(self, device)

    def take(self, device: str, seconds: float) -> Mapping[str, Any] | None:
        """Return a device's next message; None after ``seconds`` or when the stand-in stops."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting.get(device), seconds)
            waiting = self._waiting.get(device)
            return waiting.popleft() if waiting and not self._closed else None

    def put_back(self, device: str, message: Mapping[str, Any]) -> None:
        """Put an undelivered message first again, unless a hundred are waiting."""
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
        """Wake every waiting listener."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class DeviceListener:
    """Takes the messages of one device, each once."""

    def __init__(self, devices: Devices, device: str) -> None:
        self._devices = devices
        self._device = device

    def take(self, seconds: float) -> Mapping[str, Any] | None:
        """Wait for the next message; None if none came in time, or the stand-in stopped.

        It has the form of ``event.data`` in a browser's push.
        """
        return self._devices.take(self._device, seconds)

    def put_back(self, message: Mapping[str, Any]) -> None:
        """Return a message that could not be passed on."""
        self._devices.put_back(self._device, message)

    @property
    def is_closed(self) -> bool:
        """True once no further message will come."""
        return self._devices.is_closed
