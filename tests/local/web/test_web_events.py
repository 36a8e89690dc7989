"""The streams of server-sent events, without a socket."""

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from uring_local.fcm.devices import Devices
from uring_local.loopback import Answer, Request
from uring_local.web import events
from uring_local.web.events import Events

ID = "c" + "0" * 21


class Connection:
    """A browser's end of a stream.

    Attributes:
        begun: set with the first bytes.
        sent: what came, in order.
    """

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.sent: list[bytes] = []
        self._left = threading.Event()

    def send(self, data: bytes) -> None:
        self.sent.append(data)
        self.begun.set()

    def wait(self, seconds: float) -> bool:
        return self._left.wait(seconds)

    def has_left(self) -> bool:
        return self._left.is_set()

    def leave(self) -> None:
        self._left.set()


def ask(streams: Events) -> Answer:
    return streams.ask(Request("GET", f"{events.PATH}?id={ID}"))


def started(answer: Answer, connection: Any) -> threading.Thread:
    assert answer.stream
    thread = threading.Thread(target=answer.stream, args=(connection,), daemon=True)
    thread.start()
    return thread


def ended(thread: threading.Thread) -> bool:
    thread.join(20)
    return not thread.is_alive()


def stream_of(devices: Sequence[Devices]) -> list[bytes]:
    """Return what a stream begins with."""
    connection = Connection()
    thread = started(ask(Events(devices)), connection)
    assert connection.begun.wait(20)
    connection.leave()
    assert ended(thread)
    return connection.sent


def test_two_that_find_the_last_place_take_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both were told that there is room; the second one ends at once, and holds no thread."""
    monkeypatch.setattr(events, "MOST_STREAMS", 1)
    streams = Events([Devices()])
    answers = [ask(streams), ask(streams)]
    assert [answer.status for answer in answers] == [200, 200]
    first, second = Connection(), Connection()
    open_stream = started(answers[0], first)
    assert first.begun.wait(20)
    assert ended(started(answers[1], second))
    assert second.sent == []
    assert ask(streams).status == 503
    first.leave()
    assert ended(open_stream)
    assert ask(streams).status == 200


def test_a_device_is_told_that_no_stand_in_knows_it() -> None:
    """Subscriptions end with the process: a page that goes on after it would wait for ever."""
    known, other = Devices(), Devices()
    assert stream_of([known, other]) == [b"retry: 2000\n\nevent: forgotten\ndata: {}\n\n"]
    known.subscribe(ID, "cs")
    assert stream_of([known, other]) == [b"retry: 2000\n\n"]
    assert stream_of([other, known]) == [b"retry: 2000\n\n"]
