"""The messages of the stand-ins for FCM to a device, as server-sent events.

    stand-ins ─ message ─► retry: 2000
                           event: forgotten (where no stand-in has a topic of the device)
                           data: {"data": {…}, "from": "/topics/…", "fcmMessageId": "…"}
                           : (every 15 s, so that a browser that is gone is noticed)

They replace a browser's push service, which a run on loopback lacks. A message waits at its
stand-in while nobody listens, and returns there if it could not be sent. A resumed run has
forgotten its devices, so the page subscribes again. The format: HTML, 9.2.
"""

import json
import re
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from uring_local.loopback import Answer, Connection, Request

PATH: Final = "/push/events"
MOST_STREAMS: Final = 32
"""Open at once; a window has one, and a browser opens six connections to one origin."""

Message = Mapping[str, Any]
"""The content of ``event.data`` in a browser's push event."""

_ID: Final = re.compile(r"[cdef][A-Za-z0-9_-]{21}")
_HEADERS: Final = {"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store"}
_RETRY: Final = b"retry: 2000\n\n"
# An event without data would not reach the page.
_FORGOTTEN: Final = b"event: forgotten\ndata: {}\n\n"
_ALIVE: Final = b":\n\n"
_ALIVE_SECONDS: Final = 15.0
# The longest delay of a message; the stand-ins share it.
_LOOK_SECONDS: Final = 0.2


class MessageStream(Protocol):
    """The messages of one device, each once."""

    def take(self, seconds: float) -> Message | None:
        """Wait for the next message; None if none came in time."""
        ...

    def put_back(self, message: Message) -> None:
        """Take back a message that could not be sent."""
        ...


class Pushes(Protocol):
    """The side of a stand-in for FCM that a device sees."""

    def listen(self, device: str) -> MessageStream:
        """Return a listener to the messages of a device's topics."""
        ...

    def topics_of(self, device: str) -> Sequence[str]:
        """Return the topics of a device; empty for an unknown device."""
        ...


class Events:
    """The streams of all devices.

    Args:
        pushes: of every stack.
    """

    def __init__(self, pushes: Sequence[Pushes]) -> None:
        self._pushes = pushes
        self._open = threading.BoundedSemaphore(MOST_STREAMS)

    def ask(self, request: Request) -> Answer:
        """Return the stream of the device in the query, open until either side ends it.

        400 for another method or a malformed id, 503 if too many streams are open.
        """
        device = request.query.get("id", "")
        if request.method != "GET" or not _ID.fullmatch(device):
            return Answer(400, b"ask GET with ?id=, a Firebase installation id\n")
        # Only a check for room: a browser that leaves before its stream begins must take none.
        if not self._open.acquire(blocking=False):
            return Answer(503, b"too many streams are open\n", {"Retry-After": "2"})
        self._open.release()

        def stream(connection: Connection) -> None:
            # The last place may be taken by now: the browser opens the stream again.
            if not self._open.acquire(blocking=False):
                return
            try:
                self._begin(connection, device)
                self._send(connection, [pushes.listen(device) for pushes in self._pushes])
            finally:
                self._open.release()

        return Answer(200, headers=_HEADERS, stream=stream)

    def _begin(self, connection: Connection, device: str) -> None:
        is_known = any(pushes.topics_of(device) for pushes in self._pushes)
        connection.send(_RETRY if is_known else _RETRY + _FORGOTTEN)

    def _send(self, connection: Connection, listeners: Sequence[MessageStream]) -> None:
        alive_at = time.monotonic()
        while not (connection.wait(0) or connection.has_left()):
            for listener in listeners:
                if message := listener.take(_LOOK_SECONDS / len(listeners)):
                    _hand_on(connection, listener, message)
                    alive_at = time.monotonic()
            if time.monotonic() >= alive_at + _ALIVE_SECONDS:
                connection.send(_ALIVE)
                alive_at = time.monotonic()


def _hand_on(connection: Connection, listener: MessageStream, message: Message) -> None:
    """Send a message; put it back for the next stream if it cannot be sent.

    Raises:
        OSError: the connection is gone.
    """
    try:
        if connection.has_left():
            raise ConnectionResetError
        # The JSON has no raw line break: those in texts are written as \\n.
        connection.send(f"data: {json.dumps(message, ensure_ascii=False)}\n\n".encode())
    except OSError:
        listener.put_back(message)
        raise
